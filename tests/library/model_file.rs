//! The model file: what was written comes back, and nothing else is taken for a model.

use duramen::model::known::{KNOWN, Origin};
use duramen::model::{Model, ModelConfig};
use duramen::rng;
use rand::RngExt;
use sha2::{Digest, Sha256};

/// A model with counts in every kind of table.
fn model(preset: &str) -> Model {
    use duramen::dom::Limits;
    use duramen::page::Page;
    let html =
        "<h1>A headline</h1><div><p>One two three. Four.</p><p>Five</p></div><ul><li>Six<li>Seven</ul>";
    let page = Page::parse("page", None, html.as_bytes(), None, &Limits::default()).unwrap();
    let mut model = Model::new(ModelConfig::preset(preset).unwrap()).unwrap();
    model.observe(&page, |id| [1, 0, id.0 % 7, 0, 0, 2], "by hand").unwrap();
    model
}

fn message(text: &str) -> String {
    let error = Model::from_json(text, "some/model.json").unwrap_err();
    assert_eq!(error.exit_code(), 3);
    let message = error.to_string();
    assert!(message.starts_with("some/model.json: "), "the file is named: {message}");
    message
}

/// The file with its body changed and the checksum right again: what only another program could have written.
fn with_body(model: &Model, change: impl FnOnce(&mut serde_json::Value)) -> String {
    let mut file: serde_json::Value = serde_json::from_str(&model.to_json()).unwrap();
    change(&mut file["body"]);
    let body = file["body"].to_string();
    let checksum: String = Sha256::digest(body.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{{\"format\":\"duramen-model\",\"version\":1,\"checksum\":\"{checksum}\",\"body\":{body}}}\n")
}

#[test]
fn a_model_comes_back_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    for preset in ["thesis", "blocks"] {
        let model = model(preset);
        let path = folder.path().join("new/folder").join(format!("{preset}.json"));
        model.save(&path).unwrap();
        let back = Model::load(&path).unwrap();
        assert_eq!(back, model);
        assert_eq!(back.to_json(), model.to_json());
        assert_eq!(back.parameters().transition, model.parameters().transition);
    }
    let mut files: Vec<_> = std::fs::read_dir(folder.path().join("new/folder")).unwrap().collect();
    assert_eq!(files.len(), 2, "nothing is left of the writing: {:?}", files.pop());
}

#[test]
fn priors_that_no_decimal_holds_come_back_to_the_bit() {
    let mut config = ModelConfig::thesis();
    config.priors.geometric.alpha = 0.1 + 0.2;
    config.priors.categorical.gamma = 1.0 / 3.0;
    config.priors.transition.gamma = f64::MIN_POSITIVE;
    let model = Model::new(config).unwrap();
    assert_eq!(Model::from_json(&model.to_json(), "m").unwrap().config(), model.config());
}

#[test]
fn a_file_with_one_byte_damaged_is_refused() {
    let mut rng = rng::stream(20_261_121, "damage", &[]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.json");
    for preset in ["thesis", "blocks"] {
        let whole = model(preset).to_json().into_bytes();
        // Every other byte of the header, the rest at random.
        let positions = (0..110).step_by(2).chain((0..100).map(|_| rng.random_range(0..whole.len() - 1)));
        for position in positions.collect::<Vec<_>>() {
            let mut damages = Vec::new();
            for byte in [whole[position] ^ 1, b' ', rng.random::<u8>()] {
                let mut damaged = whole.clone();
                damaged[position] = byte;
                damages.push(damaged);
            }
            let mut short = whole.clone();
            short.remove(position);
            damages.push(short);
            for damaged in damages.iter().filter(|damaged| **damaged != whole) {
                // Through a file where the damage leaves no text, which reading a file finds.
                let refused = match std::str::from_utf8(damaged) {
                    Ok(text) => Model::from_json(text, &path.display().to_string()).err(),
                    Err(_) => {
                        std::fs::write(&path, damaged).unwrap();
                        Model::load(&path).err()
                    }
                };
                let error = refused.unwrap_or_else(|| panic!("damage at byte {position} of {preset}"));
                assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
            }
        }
    }
}

#[test]
fn a_file_cut_short_anywhere_is_refused() {
    let whole = model("blocks").to_json();
    // Without the final line break alone it is whole.
    let end = whole.len() - 1;
    for cut in (0..end).step_by(97).chain(end - 20..end) {
        let message = message(&whole[..cut]);
        assert!(message.contains("not a model file, or cut short"), "{cut}: {message}");
        assert!(message.contains("train it again"), "{message}");
    }
    assert!(Model::from_json(&whole[..end], "m").is_ok());
    assert!(Model::from_json(&format!("{whole}x"), "m").is_err(), "something follows");
}

#[test]
fn a_newer_file_is_refused_with_the_advice_to_update() {
    let newer = model("blocks").to_json().replace("\"version\":1,", "\"version\":5,");
    let message = message(&newer);
    assert!(message.contains("format version 5, this one reads 4"), "{message}");
    assert!(message.ends_with("; update duramen"), "{message}");
    // Whatever else a newer version may hold.
    let other = r#"{"format": "duramen-model", "version": 7, "tables": [1, 2]}"#;
    let message = Model::from_json(other, "m").unwrap_err().to_string();
    assert!(message.ends_with("; update duramen"), "{message}");
}

#[test]
fn what_is_no_model_is_refused() {
    for text in ["", " ", "[]", "1", "\"model\"", "<html>", "{", "null"] {
        let message = message(text);
        assert!(message.contains("not a model file"), "{text}: {message}");
    }
    for text in ["{}", r#"{"format": "other", "version": 1}"#] {
        let message = message(text);
        assert!(message.contains("its \"format\" is not \"duramen-model\""), "{text}: {message}");
    }
    for text in [r#"{"format": "duramen-model"}"#, r#"{"format": "duramen-model", "version": 0}"#] {
        let message = message(text);
        assert!(message.contains("its \"version\" is missing or unknown"), "{text}: {message}");
    }
    assert!(message(r#"{"format": "duramen-model", "version": 1}"#).contains("checksum"));
    let nested = "[".repeat(1_000_000);
    assert!(message(&nested).contains("not a model file"));
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.json");
    for path in [missing.as_path(), folder.path()] {
        let message = Model::load(path).unwrap_err().to_string();
        assert!(message.starts_with(&path.display().to_string()), "{message}");
    }
    let binary = folder.path().join("binary.json");
    std::fs::write(&binary, [0xff, 0xfe, 0, 1]).unwrap();
    let message = Model::load(&binary).unwrap_err().to_string();
    assert!(message.contains("binary.json: not a model file: it is not text"), "{message}");
}

#[test]
fn a_checksum_that_does_not_match_is_said() {
    let changed = model("blocks").to_json().replacen("\"nodes\":", "\"nodes\":1", 1);
    assert!(message(&changed).contains("its checksum does not match its contents"));
}

#[test]
fn unknown_features_and_fields_are_refused() {
    let model = model("blocks");
    assert_eq!(with_body(&model, |_| ()).len(), model.to_json().len());
    let unknown = with_body(&model, |body| body["config"]["features"][1]["id"] = "wrods".into());
    assert!(message(&unknown).contains("unknown feature 'wrods'"));
    let extra = with_body(&model, |body| body["extra"] = 1.into());
    assert!(message(&extra).contains("unknown field `extra`"));
    let prior = with_body(&model, |body| body["config"]["priors"]["transition"] = 0.0.into());
    assert!(message(&prior).contains("priors.transition is 0"));
    let view = with_body(&model, |body| body["config"]["view"] = "woods".into());
    assert!(message(&view).contains("unknown variant `woods`"));
    for number in [(-1).into(), 1.5.into(), "1".into()] {
        let wrong = with_body(&model, |body| body["transitions"][0] = number);
        assert!(message(&wrong).contains("invalid"));
    }
}

#[test]
fn tables_of_another_shape_are_refused() {
    let pop = |value: &mut serde_json::Value| value.as_array_mut().unwrap().pop();
    let push = |value: &mut serde_json::Value| value.as_array_mut().unwrap().push(0.into());
    let thesis = model("thesis");
    let said = |change: &dyn Fn(&mut serde_json::Value), problem: &str| {
        let message = message(&with_body(&thesis, |body| change(body)));
        assert!(message.contains(problem), "{message}");
    };
    let transitions = "its transition counts do not fit its configuration";
    said(&|body| drop(pop(&mut body["transitions"])), transitions);
    said(&|body| push(&mut body["transitions"]), transitions);
    said(&|body| drop(pop(&mut body["siblings"])), transitions);
    said(&|body| body["config"]["states"] = "labels-and-mixed".into(), "do not fit its configuration");
    let features = "its feature counts do not fit its configuration";
    said(&|body| drop(pop(&mut body["features"])), features);
    said(&|body| push(&mut body["features"][0]["categorical"]["counts"]), features);
    let geometric = thesis.specs().iter().position(|spec| spec.id == "words").unwrap();
    for table in ["n", "sum"] {
        said(&|body| push(&mut body["features"][geometric]["geometric"][table]), features);
        said(&|body| drop(pop(&mut body["features"][geometric]["geometric"][table])), features);
    }
    said(&|body| body["features"][0] = body["features"][geometric].clone(), features);
    said(&|body| body["categories"][0] = 3.into(), "its feature categories do not fit its configuration");
}

#[test]
fn counts_so_large_that_sums_could_overflow_are_refused() {
    let thesis = model("thesis");
    let geometric = thesis.specs().iter().position(|spec| spec.id == "words").unwrap();
    type Change<'a> = &'a dyn Fn(&mut serde_json::Value, u64);
    let changes: [Change<'_>; 5] = [
        &|body, count| body["nodes"] = count.into(),
        &|body, count| body["sources"]["by hand"] = count.into(),
        &|body, count| body["transitions"][3] = count.into(),
        &|body, count| body["features"][0]["categorical"]["counts"][7] = count.into(),
        &|body, count| body["features"][geometric]["geometric"]["sum"][0] = count.into(),
    ];
    for change in changes {
        let text = |count| with_body(&thesis, |body| change(body, count));
        for count in [(1 << 53) + 1, u64::MAX] {
            let message = message(&text(count));
            assert!(message.contains("a count is larger than any corpus"), "{message}");
        }
        let large = Model::from_json(&text(1 << 53), "m").unwrap();
        let mut sum = large.clone();
        sum.merge(&large).unwrap();
        assert!(sum.parameters().transition.ln.iter().all(|ln| ln.is_finite()));
    }
}

/// A file of this version with its body changed.
fn learned(name: &str, change: impl FnOnce(&mut serde_json::Value)) -> String {
    let text = with_body(&Model::by_name(name).unwrap(), change);
    text.replacen("\"version\":1", "\"version\":3", 1)
}

#[test]
fn what_is_learned_beyond_counts_is_checked_as_well() {
    assert_eq!(Model::from_json(&learned("news", |_| ()), "m").unwrap(), Model::by_name("news").unwrap());
    type Change = fn(&mut serde_json::Value);
    let changes: [(&str, Change, &str); 10] = [
        ("no scores", |body| drop(body.as_object_mut().unwrap().remove("scores")), "boosted scores"),
        (
            "a score missing",
            |body| drop(body["scores"]["trees"].as_object_mut().unwrap().remove("headline-score")),
            "the features have the scores",
        ),
        (
            "a split of a leaf that is not there",
            |body| body["scores"]["trees"]["content-score"]["trees"][0]["leaf"][0] = 7.into(),
            "split 0 splits leaf 7",
        ),
        (
            "a split by a feature that is not there",
            |body| body["scores"]["trees"]["content-score"]["trees"][0]["feature"][0] = 9999.into(),
            "feature 9999",
        ),
        (
            "an input missing",
            |body| drop(body["config"]["boosted"]["inputs"].as_array_mut().unwrap().pop()),
            "boosted trees over",
        ),
        (
            "an unknown input",
            |body| body["config"]["boosted"]["inputs"][0] = "tga".into(),
            "no feature that trees can look at",
        ),
        (
            "a word counted for fewer scores",
            |body| {
                let words = body["scores"]["words"].as_object_mut().unwrap();
                drop(words.values_mut().next().unwrap().as_array_mut().unwrap().pop());
            },
            "some words are counted for more scores",
        ),
        (
            "confidences that fall",
            |body| body["page-confidence"]["knots"][0][1] = 1.0.into(),
            "its knots do not increase",
        ),
        (
            "no confidences",
            |body| body["page-confidence"]["knots"] = serde_json::json!([]),
            "its knots do not increase",
        ),
        (
            "a site of negative weights",
            |body| {
                let tables = serde_json::json!([{"1": [1, 1, 1, 1, 1, -1]}, {}, {}]);
                let prior = serde_json::json!({"strength": 5.0, "label-weight": 50.0});
                body["site"] =
                    serde_json::json!({"prior": prior, "pages": 1, "labelled": 0, "tables": tables});
            },
            "the weights of the site's keys",
        ),
    ];
    for (name, change, what) in changes {
        let error = Model::from_json(&learned("news", change), "some/model.json").unwrap_err().to_string();
        assert!(error.starts_with("some/model.json: ") && error.contains(what), "{name}: {error}");
    }
}

#[test]
fn the_known_models_are_those_of_the_repository() {
    let mut fetched = 0;
    for known in &KNOWN {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(known.file_name());
        match known.origin {
            Origin::Bundled(packed) => {
                assert_eq!(packed, std::fs::read(path.with_extension("packed")).unwrap(), "{}", known.name);
            }
            Origin::Fetched { sha256, bytes, .. } => {
                let file = std::fs::read(&path).unwrap();
                assert_eq!(file.len() as u64, bytes, "{}", known.name);
                let sum: String = Sha256::digest(&file).iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(sum, sha256, "{}", known.name);
                fetched += 1;
            }
        }
        let model = Model::load(&path).unwrap();
        assert!(
            model.to_json().as_bytes() == std::fs::read(&path).unwrap(),
            "{} is written as it was read",
            known.name
        );
        assert_eq!(model, Model::by_name(known.name).unwrap());
    }
    assert_eq!(fetched, 2);
}
