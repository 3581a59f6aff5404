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

/// Options of `duramen train` and the file that the program wrote before there was one trainer.
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
        "e45fb01543323ee851dc9969b8d77ffe9980ca45ff342d8734a66e12e8a63ddd",
    ),
    (
        "--dataset synth --max-pages 20 --weights --empirical-priors",
        "a7c4fb0308efad02550dff3e055d9d8e610bb2719e7988bce7a5312da41a6ba7",
    ),
    (
        "--dataset synth --max-pages 20 --dataset mine.toml --weights --em 4 --reference-labels full-text",
        "baae44c1324fbb50ba4e663d73aaedd754cf4392cc5f58885af46384fe692d13",
    ),
    (
        "--dataset synth --max-pages 20 --config small.toml",
        "e870d8bd1201e7306ff1900d8862b2cb98bfe37615ae1fbc7f09871c0f0a72e6",
    ),
    (
        "--dataset synth --max-pages 20 --dataset mine.toml --config small.toml",
        "0dfd2e8061a20409d3e35ee2c1f4a9587533e9d8c4da5800ff7093ea66f6557b",
    ),
    (
        "--dataset mine.toml --config small.toml",
        "e1c58e6e2f0774465f9187a9441e5a67e4408e5de2a1e1beefe39c27d4980aa2",
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
            assert_eq!(fitted, "d51fea7dfe4891bd8f5e47db5b37c425abeb34dab53618b3521661c004245413");
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
