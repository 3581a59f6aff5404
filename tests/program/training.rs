//! Training as it was before there was one trainer: the same options give the same model files and results, byte for byte.

use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use sha2::{Digest, Sha256};

const MANIFEST: &str = "name = 'mine'\ntitle = 'Mine'\nsource = 'here'\nlayout = 'cleaneval'\ncitation = 'none'\n\
    licence = { name = 'MIT', redistribution = 'yes', notice = 'Mine.' }\n\
    [[part]]\nname = 'all'\n[[archive]]\nparts = ['all']\nfiles = [{ name = 'mine.zip' }]\n";

/// A boosted model of few trees.
const SMALL: &str = r#"
view = "blocks"
states = "labels-and-mixed"
transition = "parent-and-previous-sibling"
sibling-types = false
inner-tables = true
features = [
    { id = "tag", family = "dirichlet-categorical" },
    { id = "words", family = "dirichlet-categorical" },
    { id = "content-score", family = "dirichlet-categorical" },
    { id = "comments-score", family = "dirichlet-categorical" },
]
priors = { transition = 1.0, categorical = 1.0, geometric = { alpha = 1.0, beta = 1.0 } }

[boosted]
inputs = ["tag", "words", "link-density", "text-count"]
label-trees = 6
label-min-rows = 5

[boosted.settings]
trees = 12
min-rows = 5
"#;

const FOLDS: &str = r#"
title = "Folds"
question = "Are they the same again?"
dataset = "synth"
metrics = ["tokens", "words"]
plots = []
[synth]
sites = 6
pages_per_site = 2
[[splits]]
kind = "folds-by-host"
id = "folds"
folds = 2
[[systems]]
id = "counted"
extractor = "hmt"
[[systems]]
id = "thesis"
extractor = "hmt"
model = "thesis"
[[systems]]
id = "generative"
extractor = "hmt"
learning = { weights = false, empirical-priors = true }
[[systems]]
id = "weighted"
extractor = "hmt"
learning = { weight-learning = { exponent-epochs = 4, refinement-epochs = 2 } }
[[systems]]
id = "recalibrated"
extractor = "hmt"
recalibrate = "synth"
"#;

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Six pages with a reference text; that of the last stands nowhere on it.
fn write_corpus(folder: &Path) {
    write(folder, "mine.toml", MANIFEST);
    for i in 1..=6 {
        let sentence = format!("Tree number {i} stands in a field, and its leaves turn in autumn. ");
        let (first, second) = (sentence.repeat(i), sentence.repeat(3));
        let page = format!(
            "<text id=\"http://garden{i}.example/1\">\n<html><body><nav><a href=/>Home</a> <a href=/news>News</a></nav>\
             <h1>Tree {i}</h1><p>{first}</p><p>{second}</p><footer>Imprint of garden {i}</footer></body></html>\n</text>\n"
        );
        let gold = match i {
            6 => "words that stand on no page at all".to_owned(),
            _ => format!("<p>{first}\n<p>{second}"),
        };
        write(folder, &format!("mine/set/input/{i}.html"), &page);
        let gold = format!("URL: http://garden{i}.example/1\n\n<h> Tree {i}\n{gold}\n");
        write(folder, &format!("mine/set/GoldStandard/{i}.txt"), &gold);
    }
}

fn duramen(folder: &Path, arguments: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_duramen"));
    command.current_dir(folder).args(arguments.split(' ')).timeout(Duration::from_secs(900));
    command.env_remove("DURAMEN_DATA_DIR").assert().success();
}

fn sha256(path: &Path) -> String {
    Sha256::digest(std::fs::read(path).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Options of `duramen train` and the file that the program wrote before there was one trainer; with weights, since there are three folds.
const FORMER: [(&str, &str); 12] = [
    ("--dataset synth --max-pages 20", "7a883dc51965416ecba6132bcd773d35cf19d6ed991766168dfb3b92579624f6"),
    (
        "--dataset synth --max-pages 20 --config thesis",
        "82d465014edd2a6cbf79476d13a5d129f5d17764010d6ef1ce2064b383b289cd",
    ),
    (
        "--dataset synth --max-pages 20 --empirical-priors",
        "86c012aa6f28d9ba5b73c015ca211ab49ef319557503227b92ec79fb8df366a6",
    ),
    (
        "--dataset synth --max-pages 20 --em 3 --unlabelled pages",
        "2a40eff5ca725148894de160b0fd3fdbf41a4d2f96ace3c43c69ec128f5bc3ac",
    ),
    (
        "--dataset synth --max-pages 20 --dataset mine.toml --em 3",
        "2d6382eb7e5ba61e183c8b5dfe89dff1ae55a680f2f33fedee46778e193aa3e3",
    ),
    (
        "--dataset mine.toml --em 2 --start news-blocks --empirical-priors",
        "96dd66640936d9a2b3d68e1049feccdfc9cc9ff0d2af47072eb2b41a48ba73e3",
    ),
    (
        "--dataset synth --max-pages 20 --weights",
        "85bf45d6ad98b64cbe150e92f40a5a1c12a518625808a5ede67b21514f954f31",
    ),
    (
        "--dataset synth --max-pages 20 --weights --empirical-priors",
        "dcfc01bdfd0fe9fb21f6a0a8f34f41547438616703813b64ad6e8e2d2756c884",
    ),
    (
        "--dataset synth --max-pages 20 --dataset mine.toml --weights --em 4 --reference-labels full-text",
        "c3034fc4ba84343b12cb9f588259a709800f8c42df21aa3c27f83a4f85dd065b",
    ),
    (
        "--dataset synth --max-pages 20 --config small.toml",
        "cb57c6fe51f46c33be54d768162898f4a762b16c408af26db1330495e3bdc8e9",
    ),
    (
        "--dataset synth --max-pages 20 --dataset mine.toml --config small.toml",
        "c52417141d1bd22ba08d1268721f4827dd41155edafa985eeb838b2292e736d6",
    ),
    (
        "--dataset mine.toml --config small.toml",
        "584617f33c42dfe509dd55d951b7d5553cc283e805128db564848dff728b4eb2",
    ),
];

#[test]
fn every_former_way_of_training_gives_the_same_model_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_corpus(folder);
    write(folder, "small.toml", SMALL);
    duramen(folder, "data synth --sites 4 --pages-per-site 1 --seed 12 -o pages");
    let mut differ = Vec::new();
    for (options, expected) in FORMER {
        duramen(folder, &format!("train {options} --data-dir . -o model.json"));
        let trained = sha256(&folder.join("model.json"));
        if trained != expected {
            differ.push((options, trained));
        }
        if options.ends_with("--weights") {
            duramen(
                folder,
                "model recalibrate model.json --always --dataset mine.toml --data-dir . -o fitted.json",
            );
            let fitted = sha256(&folder.join("fitted.json"));
            assert_eq!(fitted, "66fcc5b256026b9720c2c7387a742cf7761f3892247f8d16d276cff765608005");
        }
    }
    assert!(differ.is_empty(), "other bytes than before: {differ:#?}");
}

#[test]
fn models_of_folds_give_the_same_results_as_before() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "folds/experiment.toml", FOLDS);
    duramen(folder.path(), "run folds --out results");
    let results = sha256(&folder.path().join("results/pages/results.jsonl"));
    assert_eq!(results, "e6ed6034ac305a55423680d26356ebb9b82cd6bb675771cbd000057cd465d8ec");
}
