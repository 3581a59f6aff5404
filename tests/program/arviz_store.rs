//! Draws as ArviZ sees them: opened from the zarr store and from JSON, with the same R-hat and effective sample sizes.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use duramen::diagnostics::{Chains, ess_bulk, ess_tail, rhat};
use duramen::draws::{Array, Coordinate, Group, InferenceData};
use rand::RngExt;
use serde_json::{Value, json};

const CHAINS: usize = 4;
const DRAWS: usize = 500;

/// Chains of theta (two numbers) and of a count: correlated, and the second theta of chains that disagree a little.
fn example() -> InferenceData {
    let mut rng = duramen::rng::stream(1, "arviz", &[]);
    let mut posterior = Group::new();
    posterior.number_draws(CHAINS, DRAWS).unwrap();
    posterior.insert_coordinate("tag", Coordinate::Names(vec!["p".into(), "größe".into()])).unwrap();
    let mut theta = Vec::new();
    let mut accepted = Vec::new();
    for chain in 0..CHAINS {
        let mut x = [0.0; 2];
        for _ in 0..DRAWS {
            for (x, keep) in x.iter_mut().zip([0.5, 0.9]) {
                *x = keep * *x + rng.random::<f64>() - 0.5;
            }
            theta.extend([x[0], x[1] + 0.2 * chain as f64]);
            accepted.push(rng.random_range(0..20u8));
        }
    }
    let theta = Array::new(["chain", "draw", "tag"], [CHAINS, DRAWS, 2], theta).unwrap();
    posterior.insert("theta", theta.with_attribute("unit", "nat")).unwrap();
    posterior.insert("accepted", Array::new(["chain", "draw"], [CHAINS, DRAWS], accepted).unwrap()).unwrap();
    posterior.set_attribute("kernel", "collapsed");

    let mut sample_stats = Group::new();
    sample_stats.number_draws(1, 4).unwrap();
    let odd = vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.1];
    sample_stats.insert("odd", Array::new(["chain", "draw"], [1, 4], odd).unwrap()).unwrap();
    let mut observed = Group::new();
    observed.insert("words", Array::new(["node"], [3], vec![7i64, 0, 1]).unwrap()).unwrap();

    let mut data = InferenceData::new();
    data.set_attribute("seed", 1);
    data.set_attribute("settings", json!({ "sweeps": 500, "kernels": ["joint", "collapsed"] }));
    data.insert("warmup_posterior", posterior.clone()).unwrap();
    data.insert("posterior", posterior).unwrap();
    data.insert("sample_stats", sample_stats).unwrap();
    data.insert("observed_data", observed).unwrap();
    data
}

/// What ArviZ says of the example, read from both forms; `None`, after saying so on the test's output, where Python or
/// the package registry cannot be had. On a machine of continuous integration (`CI` is `true`) it must be had.
fn read_by_arviz() -> Option<&'static Value> {
    static READ: OnceLock<Result<Value, String>> = OnceLock::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = READ.get_or_init(|| {
        let python = Path::new(env!("CARGO_TARGET_TMPDIR")).join("arviz");
        let made = Command::new("sh").arg(root.join("scripts/arviz.sh")).arg(&python).output().unwrap();
        if !made.status.success() {
            return Err(String::from_utf8_lossy(&made.stderr).into_owned());
        }
        let folder = tempfile::tempdir().unwrap();
        let [store, json] = ["draws", "draws.json"].map(|name| folder.path().join(name));
        example().write_zarr(&store).unwrap();
        example().write_json(&json).unwrap();
        let script = root.join("scripts/arviz_read.py");
        let said =
            Command::new(python.join("bin/python")).arg(script).args([&store, &json]).output().unwrap();
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        Ok(serde_json::from_slice(&said.stdout).unwrap())
    });
    match read {
        Ok(read) => Some(read),
        Err(why) => {
            assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "ArviZ cannot be installed: {why}");
            let test = std::thread::current().name().unwrap_or("a test").to_owned();
            println!("left out: {test} needs Python 3.11 or newer with venv, and the package registry once");
            None
        }
    }
}

#[test]
fn arviz_opens_the_store_with_groups_labels_types_and_attributes_and_no_warning() {
    let Some(read) = read_by_arviz() else { return };
    assert_eq!(read["warnings"], json!([]));
    assert_eq!(
        read["types"],
        json!({ "theta": "float64", "accepted": "uint8", "chain": "int64", "draw": "int64" })
    );
    assert_eq!(read["one_group"], json!({ "chain": CHAINS, "draw": DRAWS, "tag": 2 }));
    let store = &read["store"];
    assert_eq!(store["groups"], json!(["observed_data", "posterior", "sample_stats", "warmup_posterior"]));
    assert_eq!(store["unit"], json!({ "unit": "nat" }));
    assert_eq!(store["group"]["kernel"], "collapsed");
    assert_eq!(store["group"]["inference_library"], "duramen");
    assert_eq!(store["odd"], json!(["nan", "inf", "-inf", "-0.1"]));
}

#[test]
fn arviz_gets_our_rhat_and_effective_sample_sizes_from_both_forms() {
    let Some(read) = read_by_arviz() else { return };
    let data = example();
    let posterior = data.group("posterior").unwrap();
    let series = ["accepted", "theta"].map(|name| posterior.series(name).unwrap()).concat();
    assert_eq!(series.len(), 3);
    let mut largest_rhat: f64 = 0.0;
    for form in ["store", "json"] {
        let summary = &read[form]["summary"];
        assert_eq!(summary.as_object().unwrap().len(), series.len(), "{summary}");
        for one in &series {
            let chains = Chains::from(one.chains.view());
            for (name, ours) in
                [("r_hat", rhat(&chains)), ("ess_bulk", ess_bulk(&chains)), ("ess_tail", ess_tail(&chains))]
            {
                let (ours, theirs) = (ours.unwrap(), summary[&one.label][name].as_f64().unwrap());
                assert!((ours / theirs - 1.0).abs() < 1e-6, "{form} {} {name}: {ours}, {theirs}", one.label);
                if name == "r_hat" {
                    largest_rhat = largest_rhat.max(ours);
                }
            }
        }
    }
    assert!(largest_rhat > 1.01, "the example has chains that disagree: {largest_rhat}");
}

#[test]
fn arviz_finds_the_same_in_json_but_for_infinities() {
    let Some(read) = read_by_arviz() else { return };
    let (store, json) = (&read["store"], &read["json"]);
    for part in ["groups", "attributes", "summary", "tag", "words"] {
        assert_eq!(store[part], json[part], "{part}");
    }
    assert_eq!(store["tag"], json!(["p", "größe"]));
    assert_eq!(store["words"], json!(["7.0", "0.0", "1.0"]));
    assert_eq!(serde_json::to_value(example().attributes()).unwrap(), store["attributes"]);
    assert_eq!(json["odd"], json!(["nan", "nan", "nan", "-0.1"]));
}
