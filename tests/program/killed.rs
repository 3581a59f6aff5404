//! Commands that are killed (SIGKILL) at random moments and started again: in the end there is what an undisturbed run writes, and
//! nothing else.
//!
//! `DURAMEN_KILLS` says how often each command is killed, 8 times by default.

use std::process::{Command, Stdio};
use std::time::Instant;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::command_line::Place;
use crate::experiments::files;

/// A run that goes on is killed so often before it may end.
const IN_A_ROW: usize = 4;

/// Kills a command again and again; `OUT` in its arguments is the folder that it writes into. Of files that hold the
/// time only the names are compared.
fn survives(place: &Place, arguments: &str, holds_time: impl Fn(&str) -> bool) {
    let kills = std::env::var("DURAMEN_KILLS").map_or(8, |kills| kills.parse::<usize>().unwrap());
    let command = |out: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_duramen"));
        command.current_dir(place.folder.path()).args(arguments.replace("OUT", out).split_whitespace());
        command.env_remove("DURAMEN_DATA_DIR").env("DURAMEN_MODEL_DIR", place.path(out));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    };
    let run = |out: &str| {
        let ended = command(out).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.success(), "{arguments} into {out}: {}: {said}", ended.status);
    };
    let start = Instant::now();
    run("whole");
    let longest = start.elapsed();
    let written = |out: &str| {
        let mut files = files(&place.path(out));
        files.iter_mut().filter(|(name, _)| holds_time(name)).for_each(|(_, bytes)| bytes.clear());
        files
    };
    let expected = written("whole");
    assert!(!expected.is_empty());
    let mut random = ChaCha8Rng::seed_from_u64(20261127);
    let (mut killed, mut round) = (0, 0);
    while killed < kills {
        let out = format!("killed-{round}");
        for _ in 0..IN_A_ROW {
            let mut child = command(&out).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(longest.mul_f64(random.random()));
            child.kill().unwrap();
            killed += usize::from(!child.wait().unwrap().success());
        }
        run(&out);
        let found = written(&out);
        let names = expected.keys().chain(found.keys().filter(|name| !expected.contains_key(*name)));
        let other: Vec<&String> = names.filter(|name| expected.get(*name) != found.get(*name)).collect();
        assert!(other.is_empty(), "{arguments} into {out}: missing, too much or other bytes: {other:?}");
        std::fs::remove_dir_all(place.path(&out)).unwrap();
        round += 1;
        assert!(round < 20 * kills, "{arguments}: too short to be killed, {killed} of {kills} times");
    }
}

fn none(_: &str) -> bool {
    false
}

#[test]
fn extract_of_a_folder() {
    survives(&Place::with_pages(40), "extract --input-dir pages -d OUT --skip-existing --threads 2", none);
}

#[test]
fn extract_of_an_archive_into_parts() {
    for format in ["jsonl", "parquet"] {
        let place = Place::new();
        place.ok(&["data", "warc", "synth", "-o", "pages.warc.gz"]);
        let arguments = format!(
            "extract pages.warc.gz -d OUT --skip-existing --part-pages 20 --threads 2 --output-format {format}"
        );
        survives(&place, &arguments, none);
    }
}

#[test]
fn train() {
    survives(&Place::new(), "train --dataset synth --max-pages 40 -o OUT/model.json", none);
}

#[test]
fn sample() {
    survives(&Place::new(), "sample page.html -o OUT --chains 2 --sweeps 3000 --burn-in 1000 --seed 1", none);
}

#[test]
fn model_fetch() {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/models");
    survives(&Place::new(), &format!("model fetch news --from {models}"), none);
}

#[test]
fn data_fetch() {
    let datasets = concat!(env!("CARGO_MANIFEST_DIR"), "/datasets");
    survives(&Place::new(), &format!("data fetch read --mirror {datasets} --data-dir OUT"), none);
}

#[test]
fn run_of_an_experiment() {
    let place = Place::new();
    place.write(
        "experiment/experiment.toml",
        r#"
title = "Killed"
question = "Does a run go on?"
dataset = "synth"
metrics = ["words"]
synth = { sites = 6, pages_per_site = 3 }
systems = [
  { id = "blocks", extractor = "hmt", model = "blocks" },
  { id = "more-than-10-words", extractor = "more-than-10-words" },
]
[[splits]]
kind = "folds-by-host"
id = "folds"
folds = 3
"#,
    );
    // These say how long it took.
    survives(&place, "run experiment -o OUT", |name| {
        ["run.json", "report.html", "tables/time.csv", "tables/time.md"].contains(&name)
    });
}
