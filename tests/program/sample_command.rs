//! `duramen sample`: the same bytes at any number of threads and after `kill -9`, labels, and refusals.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use duramen::Label;
use duramen::document::sampled::SampledPosteriors;
use duramen::dom::Limits;
use duramen::draws::{InferenceData, Values};
use duramen::extract::PageExtractor;
use duramen::page::Page;

use crate::support;

const PAGE: &str = "<!DOCTYPE html><title>The old oak fell - Wood News</title>
<ul><li><a href='/'>Home</a></li><li><a href='/trees'>Trees</a></li></ul>
<h1>The old oak fell</h1>
<p>The oldest oak of the village fell on Monday night after a storm that lasted for six hours. Nobody was hurt.</p>
<p>It had stood there for <b>more than four hundred years</b>. Its wood is to become a bench, the mayor said.</p>
<div class='comments'><p>Anna: What a pity, I liked it.</p><p>Bert: We all did.</p></div>
<div><a href='/terms'>Terms</a> | <a href='/imprint'>Imprint</a></div>";

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        std::fs::write(place.path("page.html"), PAGE).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `duramen sample page.html` with more arguments: exit code and standard error.
    fn sample(&self, arguments: &str) -> (i32, String) {
        let output = Command::cargo_bin("duramen")
            .unwrap()
            .current_dir(self.folder.path())
            .args(["sample", "page.html"])
            .args(arguments.split_whitespace())
            .output()
            .unwrap();
        assert!(output.stdout.is_empty());
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    fn sampled(&self, arguments: &str) {
        let (code, said) = self.sample(arguments);
        assert_eq!(code, 0, "{said}");
    }

    fn draws(&self, name: &str) -> InferenceData {
        InferenceData::read_zarr(&self.path(name).join("draws.zarr")).unwrap()
    }
}

/// All files of a folder with their bytes.
fn bytes(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(current) = pending.pop() {
        for entry in std::fs::read_dir(&current).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else {
                let bytes = std::fs::read(&path).unwrap();
                files.push((path.strip_prefix(folder).unwrap().to_owned(), bytes));
            }
        }
    }
    files.sort();
    assert!(!files.is_empty());
    files
}

fn numbers(data: &InferenceData, group: &str, name: &str) -> Vec<f64> {
    data.group(group).unwrap().array(name).unwrap().to_f64().iter().copied().collect()
}

#[test]
fn every_kernel_gives_the_same_bytes_at_any_number_of_threads() {
    let place = Place::new();
    let combinations = [
        "--kernel single-site --parameters fixed",
        "--kernel single-site --parameters after-sweep",
        "--kernel single-site --parameters uncollapsed",
        "--kernel single-site --parameters collapsed",
        "--kernel blocked --parameters fixed",
        "--kernel blocked --parameters uncollapsed",
        "--kernel joint --parameters collapsed",
    ];
    for (number, kernel) in combinations.into_iter().enumerate() {
        let arguments = format!("{kernel} --chains 3 --sweeps 30 --burn-in 10 --keep-states all");
        for threads in [1, 2, 3] {
            place.sampled(&format!("{arguments} --threads {threads} -o {number}-{threads}"));
        }
        let one = bytes(&place.path(&format!("{number}-1")));
        for threads in [2, 3] {
            assert!(one == bytes(&place.path(&format!("{number}-{threads}"))), "{kernel}, {threads} threads");
        }
        let draws = place.draws(&format!("{number}-1"));
        let has_posterior = kernel.ends_with("collapsed");
        for group in ["log_likelihood", "prior", "prior_predictive"] {
            assert_eq!(draws.group(group).is_some(), has_posterior, "{kernel}: {group}");
        }
        if has_posterior {
            let likelihood = draws.group("log_likelihood").unwrap().array("features").unwrap();
            assert_eq!(
                (likelihood.dims(), likelihood.shape()),
                (&["chain", "draw", "page"].map(String::from)[..], &[3, 20, 1][..])
            );
            let [prior, posterior] = ["prior", "posterior"].map(|group| draws.group(group).unwrap().arrays());
            let has = |name: &&String| name.as_str() != "states";
            assert!(prior.keys().eq(posterior.keys().filter(has)), "the prior has what the posterior has");
        }
        let shares = numbers(&draws, "posterior", "state_share");
        assert_eq!(shares.len(), 3 * 20 * 8, "all states have a share, if 0");
        assert!(shares.chunks(8).all(|shares| (shares.iter().sum::<f64>() - 1.0).abs() < 1e-9));
    }
}

#[test]
fn a_run_that_is_killed_goes_on_in_the_same_bytes() {
    let place = Place::new();
    // Rounds of a thousand sweeps: long enough to be killed between two of them.
    let arguments =
        "--chains 2 --sweeps 60000 --burn-in 59000 --thin 10 --kernel single-site --keep-states all";
    place.sampled(&format!("{arguments} -o whole"));
    let state = place.path("killed").join("checkpoint").join("state.json");
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("duramen"))
        .current_dir(place.folder.path())
        .args(["sample", "page.html", "-o", "killed"])
        .args(arguments.split_whitespace())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while !state.exists() {
        assert!(start.elapsed() < Duration::from_secs(120), "no checkpoint in two minutes");
        assert!(child.try_wait().unwrap().is_none(), "the run ended before it could be killed");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
    assert!(!place.path("killed").join("draws.zarr").exists());
    // A round that was cut off in the middle of writing its draws.
    let draws = place.path("killed").join("checkpoint").join("chain-0.draws");
    let mut cut = std::fs::read(&draws).unwrap();
    cut.extend([1, 2, 3]);
    std::fs::write(&draws, cut).unwrap();

    let (code, said) = place.sample(&format!("{arguments} -o killed"));
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("going on after"), "{said}");
    assert!(!place.path("killed").join("checkpoint").exists());
    assert!(bytes(&place.path("whole")) == bytes(&place.path("killed")));

    let (code, said) = place.sample(&format!("{arguments} -o killed"));
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("there already"), "{said}");
    let (code, said) = place.sample(&format!("{arguments} --seed 2 -o killed"));
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("other pages, settings or labels") && said.contains("--overwrite"), "{said}");
}

/// Of the bundled model's states three have no counts, and chains would exchange their names.
#[test]
fn states_without_counts_are_left_out_unless_they_are_asked_for() {
    let place = Place::new();
    let run = "--chains 2 --sweeps 20 --burn-in 5";
    let (code, said) = place.sample(&format!("{run} -o counted"));
    assert_eq!(code, 0, "{said}");
    let note =
        "3 states without labelled pages left out: supplemental, related-content, comments; --all-states";
    assert!(said.contains(note), "{said}");
    let states = |name: &str| place.draws(name).attributes()["states"].clone();
    let counted = ["not-content", "headline", "full-text", "mixed-main", "mixed"];
    assert_eq!(states("counted"), serde_json::json!(counted));
    place.sampled(&format!("{run} --all-states -o all"));
    assert_eq!(states("all").as_array().unwrap().len(), 8);
    place.sampled(&format!("{run} --states not-content,full-text -o two"));
    assert_eq!(states("two"), serde_json::json!(["not-content", "full-text", "mixed-main", "mixed"]));
    // Other states are another run.
    let (code, said) = place.sample(&format!("{run} --all-states -o counted"));
    assert_eq!(code, 2, "{said}");
    // What a label names is asked for.
    std::fs::write(place.path("labels.jsonl"), r#"{"xpath": "//div[1]/p", "states": ["comments"]}"#).unwrap();
    let (code, said) = place.sample(&format!("{run} --node-labels labels.jsonl -o labelled"));
    assert!(code == 0 && said.contains("2 states without"), "{said}");
    let arguments = format!("{run} --states full-text --node-labels labels.jsonl -o none");
    let (code, said) = place.sample(&arguments);
    assert!(code == 2 && said.contains("nothing is left permitted"), "{said}");
    let (code, said) = place.sample(&format!("{run} --states comment -o none"));
    assert!(code == 2 && said.contains("did you mean 'comments'"), "{said}");
}

/// Before states without counts were left out, R-hat was above 1.2 on so many pages.
#[test]
fn chains_of_the_default_command_agree_on_real_pages() {
    let Some(data_dir) = support::corpus("l3s-gn1") else { return };
    let corpus = duramen::dataset::open("l3s-gn1", &data_dir).unwrap();
    let place = Place::new();
    let names: Vec<String> = (0..4).map(|number| format!("real-{number}.html")).collect();
    for (number, name) in names.iter().enumerate() {
        std::fs::write(place.path(name), corpus.read(number).unwrap().html).unwrap();
    }
    place.sampled(&format!("{} -o real", names.join(" ")));
    let diagnose = Command::cargo_bin("duramen")
        .unwrap()
        .current_dir(place.folder.path())
        .args(["diagnose", "real", "--strict"])
        .output()
        .unwrap();
    assert!(diagnose.status.success(), "{}", String::from_utf8_lossy(&diagnose.stderr));
}

#[test]
fn a_checkpoint_of_other_settings_and_a_damaged_one_are_refused() {
    let place = Place::new();
    let checkpoint = place.path("out").join("checkpoint");
    std::fs::create_dir_all(&checkpoint).unwrap();
    std::fs::write(checkpoint.join("state.json"), "{\"version\": 2, \"sweeps\"").unwrap();
    let (code, said) = place.sample("--sweeps 10 --burn-in 2 -o out");
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("state.json") && said.contains("remove the folder"), "{said}");
    let other = r#"{"version":2,"fingerprint":"of another run","sweeps":5,"draws":3,"chains":[]}"#;
    std::fs::write(checkpoint.join("state.json"), other).unwrap();
    let (code, said) = place.sample("--sweeps 10 --burn-in 2 -o out");
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("--overwrite"), "{said}");
    place.sampled("--sweeps 10 --burn-in 2 -o out --overwrite");
}

#[test]
fn labelled_text_keeps_its_state_and_the_others_learn_from_it() {
    let place = Place::new();
    std::fs::write(
        place.path("labels.jsonl"),
        r#"{"xpath": "//h1", "states": ["headline"]}
{"page": "page.html", "xpath": "//div[@class='comments']", "states": ["full-text", "comments"]}"#,
    )
    .unwrap();
    let arguments =
        "--chains 2 --sweeps 120 --burn-in 20 --prior blocks --parameters collapsed --kernel single-site";
    place.sampled(&format!("{arguments} --labels labels.jsonl --keep-states all -o labelled"));
    place.sampled(&format!("{arguments} --keep-states all -o free"));
    let (labelled, free) = (place.draws("labelled"), place.draws("free"));
    let states = |data: &InferenceData, node: &str| -> Vec<u8> {
        let array = data.group("posterior").unwrap().array("states").unwrap().clone();
        let names = data.group("posterior").unwrap().coordinates()["node"].clone();
        let index = (0..names.len()).find(|&at| names.label(at).contains(node)).unwrap();
        let Values::U8(states) = array.values() else { panic!("states are bytes") };
        states.chunks(names.len()).map(|draw| draw[index]).collect()
    };
    assert!(states(&labelled, "/h1").iter().all(|&state| state == 1));
    assert!(states(&free, "/h1").iter().any(|&state| state != 1));
    let comments = states(&labelled, "/div[1]/p[1]");
    assert!(comments.iter().all(|&state| state == 2 || state == 5));
    assert!(comments.contains(&2) && comments.contains(&5), "both of the set come up");
    let transition = |data: &InferenceData| numbers(data, "posterior", "root");
    assert_ne!(transition(&labelled), transition(&free), "labels inform the parameters");
}

#[test]
fn what_chains_found_of_a_page_is_read_as_an_extraction() {
    let place = Place::new();
    let pages =
        [("page.html", PAGE.to_owned()), ("other.html", PAGE.replace("oak", "ash") + "<p>The ash is gone.")];
    std::fs::write(place.path("other.html"), &pages[1].1).unwrap();
    place.sampled("other.html --chains 2 --sweeps 60 --burn-in 20 -o draws");
    let sampled = SampledPosteriors::read(&place.path("draws/draws.zarr")).unwrap();
    let data = place.draws("draws");
    let coordinates = data.group("node_data").unwrap().coordinates();
    let (nodes, states) = (&coordinates["node"], &coordinates["state"]);
    let shares = numbers(&data, "node_data", "state_probability");
    for (name, html) in &pages {
        let page = Page::parse(*name, None, html.as_bytes(), None, &Limits::default()).unwrap();
        let extraction = sampled.extract_page(&page).unwrap();
        let node = format!("{name} /html[1]/body[1]/h1[1]");
        let at = (0..nodes.len()).find(|&at| nodes.label(at) == node).unwrap();
        let of_chain = |chain: usize, state: usize| shares[(chain * nodes.len() + at) * states.len() + state];
        let dom = page.dom();
        let h1 = dom.ids().find(|&id| dom.name(id) == "h1").unwrap();
        for label in [Label::NotContent, Label::Headline, Label::FullText] {
            let state = (0..states.len()).find(|&state| states.label(state) == label.name()).unwrap();
            let mean = (of_chain(0, state) + of_chain(1, state)) / 2.0;
            let found = extraction.posteriors.as_ref().unwrap()[h1][label.index()];
            assert!((found - mean).abs() < 1e-12, "{name}, {label:?}: {found} {mean}");
        }
    }
    let unknown = Page::parse("new.html", None, b"<p>An elm.", None, &Limits::default()).unwrap();
    let error = sampled.extract_page(&unknown).unwrap_err().to_string();
    assert!(error.contains("no chain ran over the page"), "{error}");
}

#[test]
fn chains_go_on_until_they_agree_or_a_limit_is_met() {
    let place = Place::new();
    let short = "--chains 2 --sweeps 8 --burn-in 2 --start dispersed --kernel single-site";
    place.sampled(&format!("{short} --until-rhat 1.05 --max-sweeps 4000 -o until"));
    let sweeps = place.draws("until").attributes()["sweeps"].as_u64().unwrap();
    assert!(sweeps > 8 && sweeps.is_multiple_of(8), "{sweeps}");
    let (code, said) = place.sample(&format!("{short} --until-rhat 1.000001 --max-sweeps 20 -o never"));
    assert_eq!(code, 5, "{said}");
    assert!(said.contains("R-hat is") && said.contains("--max-sweeps"), "{said}");
    assert_eq!(place.draws("never").attributes()["sweeps"], 20, "the draws are kept");
}

#[test]
fn settings_out_of_range_are_refused_with_range_and_default() {
    let place = Place::new();
    std::fs::write(place.path("wrong-prior.toml"), "view = \"blocks\"\nstates = \"labels\"\ntransition = \"parent\"\nsibling-types = false\ninner-tables = false\nfeatures = []\n[priors]\ntransition = 0.0\n").unwrap();
    std::fs::write(place.path("impossible.jsonl"), r#"{"xpath": "//h1", "states": ["mixed"]}"#).unwrap();
    for (arguments, expected) in [
        ("--sweeps 100 --burn-in 100", "burn-in is 100, with 100 sweeps"),
        ("--chains 0", "chains is 0; chains must be from 1 to 1024; the default is 1"),
        ("--sweeps 0", "sweeps must be at least 1"),
        ("--thin 0", "thin must be from 1"),
        ("--until-rhat 0.9", "until-rhat must be above 1"),
        ("--max-sweeps 5000", "max-sweeps goes with until-rhat"),
        (
            "--prior wrong-prior.toml",
            "priors.transition is 0; a prior must be larger than 0 and finite; the default is 1",
        ),
        ("--labels impossible.jsonl", "nothing is left permitted"),
        ("--prior thesis --kernel blocked", "labels of all siblings"),
        ("--prior thesys", "did you mean 'thesis'"),
    ] {
        let (code, said) = place.sample(&format!("{arguments} -o out"));
        assert_eq!(code, 2, "{arguments}: {said}");
        assert!(said.contains(expected), "{arguments}: {said}");
        assert!(!place.path("out").exists(), "{arguments}: nothing is written");
    }
    let (code, said) = place.sample("missing.html --sweeps 20 --burn-in 5 -o some");
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("missing.html: there is no such file"), "{said}");
    assert!(place.path("some").join("draws.zarr").exists(), "one bad page does not stop the others");
}
