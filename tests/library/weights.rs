//! The layer of weights over a model's counts: what it changes, and how a model file carries it.

use duramen::dom::Limits;
use duramen::inference::gibbs::GibbsConfig;
use duramen::model::{Model, ModelConfig, Refinement, Weights};
use duramen::page::Page;
use duramen::rng;
use rand::RngExt;
use sha2::{Digest, Sha256};

fn page() -> Page {
    let html =
        "<h1>A headline</h1><div><p>One two three. Four.</p><p>Five</p></div><ul><li>Six<li>Seven</ul>";
    Page::parse("page", None, html.as_bytes(), None, &Limits::default()).unwrap()
}

fn model(config: ModelConfig) -> Model {
    let mut model = Model::new(config).unwrap();
    model.observe(&page(), |id| [1, 0, id.0 % 7, 0, 0, 2], "by hand").unwrap();
    model
}

/// Exponents and changes that no short decimal holds.
fn weights(config: &ModelConfig) -> Weights {
    let mut rng = rng::stream(1, "weights", &[]);
    let mut weights = Weights::uniform(config, 1.0).unwrap();
    weights.features.iter_mut().flatten().for_each(|exponent| *exponent = rng.random());
    weights.transition.other = 1.0 / 3.0;
    let mut refinement = Refinement::zero(config).unwrap();
    refinement.features.iter_mut().flatten().for_each(|change| *change = rng.random_range(-1.0..1.0));
    refinement.transition[3] = 0.1;
    weights.refinement = Some(refinement);
    weights
}

fn bits(model: &Model) -> Vec<u64> {
    let parameters = model.parameters();
    let observation = model.observation(&page()).unwrap();
    let ln_emission = model.ln_emission(&parameters, &observation);
    ln_emission.iter().chain(&parameters.transition.ln).map(|ln| ln.to_bits()).collect()
}

/// The file with its body changed and the checksum right again.
fn with_body(model: &Model, version: u32, change: impl FnOnce(&mut serde_json::Value)) -> String {
    let mut file: serde_json::Value = serde_json::from_str(&model.to_json()).unwrap();
    change(&mut file["body"]);
    let body = file["body"].to_string();
    let checksum: String = Sha256::digest(body.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    format!(
        "{{\"format\":\"duramen-model\",\"version\":{version},\"checksum\":\"{checksum}\",\"body\":{body}}}\n"
    )
}

#[test]
fn exponents_of_one_without_refinement_change_no_bit() {
    let generative = model(ModelConfig::blocks());
    let uniform = Weights::uniform(generative.config(), 1.0).unwrap();
    let mut unchanged = uniform.clone();
    unchanged.refinement = Some(Refinement::zero(generative.config()).unwrap());
    for weights in [uniform, unchanged] {
        let weighted = generative.clone().with_layer(weights).unwrap();
        assert_eq!(bits(&weighted), bits(&generative));
        assert_eq!(weighted.without_layer::<Weights>(), generative);
    }
}

#[test]
fn log_tables_are_multiplied_and_then_added_to_by_table_and_row() {
    let generative = model(ModelConfig::blocks());
    let config = generative.config().clone();
    let weights = weights(&config);
    let weighted = generative.clone().with_layer(weights.clone()).unwrap();
    let (before, after) = (generative.parameters(), weighted.parameters());
    assert_eq!(weighted.generative_parameters().transition, before.transition);
    let k = config.states.len();
    let refinement = weights.refinement.as_ref().unwrap();
    for (entry, (before, after)) in before.transition.ln.iter().zip(&after.transition.ln).enumerate() {
        let (parent, previous) = (entry / k / (k + 1), entry / k % (k + 1));
        let exponent = match (parent == k, previous == k) {
            (true, _) => weights.transition.root,
            (false, true) => weights.transition.first,
            (false, false) => weights.transition.other,
        };
        assert_eq!(*after, before * exponent + f64::from(refinement.transition[entry]));
    }
    // One feature at a time: what a node's emission gains is that of its category, leaf or not.
    let observation = generative.observation(&page()).unwrap();
    let tree = &observation.view.tree;
    for feature in 0..generative.specs().len() {
        let of = |parameters: &duramen::model::Parameters| {
            let mut ln = vec![0.0; tree.len() * k];
            parameters.add_feature(
                &config,
                generative.specs(),
                tree,
                &observation.features,
                feature,
                &mut ln,
            );
            ln
        };
        let duramen::features::Column::Values(values) = &observation.features.columns[feature] else {
            panic!("a feature of blocks is a value")
        };
        for (entry, (before, after)) in of(&before).iter().zip(of(&after)).enumerate() {
            let (v, state) = (entry / k, entry % k);
            let table = usize::from(!tree.is_leaf(v as u32));
            let category = generative.specs()[feature].kind.category(values[v]);
            let change = refinement.features[feature][category * 2 * k + table * k + state];
            assert_eq!(after, before * weights.features[feature][table] + f64::from(change));
        }
    }
}

#[test]
fn a_model_with_weights_comes_back_as_it_was_written() {
    for with_refinement in [true, false] {
        let model = model(ModelConfig::blocks());
        let mut weights = weights(model.config());
        if !with_refinement {
            weights.refinement = None;
        }
        let weighted = model.clone().with_layer(weights).unwrap();
        let text = weighted.to_json();
        assert!(text.contains("\"version\":3,"));
        let back = Model::from_json(&text, "m").unwrap();
        assert_eq!(back, weighted);
        assert_eq!(back.to_json(), text);
        assert_eq!(bits(&back), bits(&weighted));
        // Without them it is the file that it was.
        assert_eq!(back.without_layer::<Weights>().to_json(), model.to_json());
        assert!(model.to_json().contains("\"version\":1,"));
    }
}

#[test]
fn weights_of_another_shape_or_out_of_range_are_refused_with_their_field() {
    let model = model(ModelConfig::blocks());
    let weighted = model.clone().with_layer(weights(model.config())).unwrap();
    type Change<'a> = &'a dyn Fn(&mut serde_json::Value);
    let pop = |value: &mut serde_json::Value| drop(value.as_array_mut().unwrap().pop());
    let cases: [(Change<'_>, &str); 12] = [
        (&|w| pop(&mut w["features"]), "weights.features has 5 entries, the model's configuration 6"),
        (&|w| pop(&mut w["features"][1]), "weights.features of 'words' has 1 entries"),
        (
            &|w| w["features"][0][1] = (-0.5).into(),
            "weights.features of 'tag' is -0.5; an exponent must be from 0",
        ),
        (&|w| w["features"][0][1] = 11.into(), "weights.features of 'tag' is 11"),
        (&|w| w["transition"]["first"] = 1e300.into(), "weights.transition.first is 1"),
        (&|w| w["transition"]["last"] = 1.into(), "unknown field `last`"),
        (&|w| pop(&mut w["refinement"]["features"]), "weights.refinement.features has 5 entries"),
        (&|w| pop(&mut w["refinement"]["features"][0]), "weights.refinement.features of 'tag' has"),
        (&|w| w["refinement"]["features"][0][0] = 51.into(), "weights.refinement.features of 'tag' holds 51"),
        (&|w| w["refinement"]["transition"][0] = 1e39.into(), "number out of range"),
        (&|w| pop(&mut w["refinement"]["transition"]), "weights.refinement.transition has 647 entries"),
        (&|w| w["features"][0][0] = serde_json::Value::Null, "invalid type: null"),
    ];
    for (change, problem) in cases {
        let text = with_body(&weighted, 3, |body| change(&mut body["weights"]));
        let message = Model::from_json(&text, "some/model.json").unwrap_err().to_string();
        assert!(message.starts_with("some/model.json: "), "{message}");
        assert!(message.contains(problem.split(';').next().unwrap()), "{message}, not {problem}");
    }
    for (model, version) in [(&weighted, 1), (&weighted, 2), (&model, 3)] {
        let message = Model::from_json(&with_body(model, version, |_| ()), "m").unwrap_err().to_string();
        assert!(message.contains("\"version\" does not go with"), "{message}");
    }
    let mut nan = weights(model.config());
    nan.features[2][0] = f64::NAN;
    assert!(model.clone().with_layer(nan).unwrap_err().to_string().contains("'full-stops' is NaN"));
    let mut nan = weights(model.config());
    nan.refinement.as_mut().unwrap().features[2][0] = f32::NAN;
    assert!(model.with_layer(nan).unwrap_err().to_string().contains("'full-stops' holds NaN"));
}

#[test]
fn geometric_features_have_no_weights() {
    let message = Weights::uniform(&ModelConfig::thesis(), 1.0).unwrap_err().to_string();
    assert!(
        message.starts_with("feature 'children' is beta-geometric, which cannot be weighted"),
        "{message}"
    );
}

#[test]
fn merging_adds_counts_under_the_same_weights_and_refuses_others() {
    let plain = model(ModelConfig::blocks());
    let weighted = plain.clone().with_layer(weights(plain.config())).unwrap();
    for other in [&plain, &weighted] {
        let mut sum = weighted.clone();
        sum.merge(other).unwrap();
        assert_eq!(sum.layers().weights, weighted.layers().weights);
        assert_eq!(sum.counts().nodes, 2 * plain.counts().nodes);
        sum.subtract(other).unwrap();
        assert_eq!(sum, weighted);
    }
    let different = plain.clone().with_layer(Weights::uniform(plain.config(), 0.5).unwrap()).unwrap();
    for mut sum in [plain, different] {
        let before = sum.clone();
        let message = sum.merge(&weighted).unwrap_err().to_string();
        assert!(message.contains("drop the weights"), "{message}");
        assert_eq!(sum, before);
    }
}

#[test]
fn sampling_refuses_a_model_with_weights() {
    let plain = model(ModelConfig::blocks());
    GibbsConfig::default().check_model(&plain).unwrap();
    let weighted = plain.clone().with_layer(weights(plain.config())).unwrap();
    let message = GibbsConfig::default().check_model(&weighted).unwrap_err().to_string();
    assert!(message.contains("Gibbs sampling is of the generative model"), "{message}");
}
