//! No option is dropped in silence: what has no effect is refused, and old names do what they did.

use insta::assert_snapshot;

use crate::command_line::Place;

/// Runs each line of arguments, which must end with `code` and no output; what each was told.
fn refused(place: &Place, code: i32, lines: &[&str]) -> String {
    let told: Vec<String> = lines
        .iter()
        .map(|line| {
            let arguments: Vec<&str> = line.split(' ').collect();
            let ended = place.run(&arguments);
            assert_eq!(ended.code, code, "{line}: {ended}");
            assert_eq!(ended.out, "", "{line}");
            format!("$ duramen {line}\n{}", ended.err)
        })
        .collect();
    told.join("\n")
}

#[test]
fn an_option_that_the_extractor_does_not_take_is_refused() {
    let place = Place::new();
    let lines = [
        "extract --model no-such-model --set probability=0.5 page.html",
        "extract --model no-such-model --set threshold=0.5 page.html",
        "extract --precision --generative --extractor boilerpipe-article page.html",
        "extract --extractor everything --model m.json page.html",
        "extract --extractor everything --inference exact page.html",
        "extract --extractor boilerpipe-article --layout blitz page.html",
        "extract --xpath //h1 --precision page.html",
        "extract --xpath //h1 --model news page.html",
        "extract --xpath //h1 --set words=3 page.html",
        "extract --adapt --extractor forest page.html",
        "extract --extractor more-than-10-words --set word=3 page.html",
        "extract --extractor everything --set nonsense=3 page.html",
        "extract --extractor everything --threshold 0.5 page.html",
        "extract --extractor everything --min-confidence 0.5 page.html",
        "extract --extractor everything --max-tokens 5 page.html",
        "extract --feed feed.xml page.html",
        "extract --feed feed.xml --extractor forest page.html",
        "evaluate --dataset synth --extractor everything --model nosuch",
        "evaluate --dataset synth --extractor everything --extractor forest --precision",
        "evaluate --dataset synth --extractor everything --set words=3",
    ];
    assert_snapshot!("options_of_other_extractors", refused(&place, 2, &lines));
}

#[test]
fn an_option_that_has_no_effect_beside_the_others_is_refused() {
    let place = Place::new();
    let lines = [
        "extract --sweeps 5 page.html",
        "extract --chains 5 --inference exact page.html",
        "extract --burn-in 2 --inference viterbi page.html",
        "extract --seed 5 page.html",
        "extract --inference viterbi --beta 2 page.html",
        "extract --inference viterbi --threshold 0.5 page.html",
        "extract --inference viterbi --min-confidence 0.5 page.html",
        "extract --inference viterbi --adapt page.html",
        "extract --generative --model web-blocks page.html",
        "extract --layout blitz page.html",
        "extract --beta 2 --set decision=most-probable page.html",
        "extract --precision --set beta=2 page.html",
        "extract --set beta=2 --set probability=0.5 page.html",
        "extract --beta 1000 page.html",
        "extract --extractor visual-outlier --set bins=5 page.html",
        "extract --nodes page.html",
        "extract --nodes --output-format html page.html",
        "extract --structure page.html",
        "extract --tables csv page.html",
        "extract --links page.html",
        "extract --images --output-format csv page.html",
        "extract --with-metadata --json page.html",
        "extract --timeout 5 page.html",
        "extract --private-addresses page.html",
        "extract --page-url https://a.example/ --URL http://127.0.0.1:1/",
        "extract --skip-existing page.html",
        "extract -o x.txt -d folder page.html",
        "explain --timeout 5 page.html",
        "explain --sweeps 5 page.html",
        "adapt . -o m.json --layout blitz",
        "sample page.html -d draws --layout blitz",
        "sample page.html -d draws --no-sibling-types",
        "sample page.html -d draws --max-sweeps 5000",
        "render --timeout 5 page.html",
        "render --page-html x.html page.html",
        "train --config boosted --dataset synth --unlabelled . --em 2 -o m.json",
        "train --unlabelled . --em 2 --max-pages 3 -o m.json",
        "train --dataset synth --tolerance 0.1 -o m.json",
        "evaluate --dataset synth --sweeps 5",
        "evaluate --dataset cleaneval/dev --metrics bytes",
        "evaluate --dataset synth --max-pages 0",
        "compare a:b c:d --csv --top 3",
    ];
    assert_snapshot!("options_without_effect", refused(&place, 2, &lines));
}

#[test]
fn of_several_extractors_one_must_take_an_option_and_the_others_are_named() {
    let place = Place::new();
    let ended = place.run(&[
        "evaluate",
        "--dataset",
        "synth",
        "--max-pages",
        "2",
        "--extractor",
        "everything",
        "--extractor",
        "more-than-10-words",
        "--set",
        "words=3",
    ]);
    assert_eq!(ended.code, 0, "{ended}");
    assert!(ended.err.contains("--set words=3 is not for everything\n"), "{ended}");
    assert!(ended.out.contains("more-than-10-words"), "{ended}");
}

#[test]
fn keys_of_an_experiment_that_nothing_reads_are_refused() {
    let place = Place::new();
    let head = "title = \"t\"\nquestion = \"q\"\ndataset = \"synth\"\n";
    let tail =
        "[synth]\nsites = 3\n[[splits]]\nkind = \"all-pages\"\nid = \"all\"\n[[systems]]\nid = \"s\"\n";
    let mut all = Vec::new();
    for (name, keys, system) in [
        ("unknown-key", "metricks = [\"words\"]", "extractor = \"everything\""),
        ("unknown-metric", "metrics = [\"wrods\"]", "extractor = \"everything\""),
        ("metric-without-data", "metrics = [\"snippets\"]", "extractor = \"everything\""),
        ("plot-without-metric", "metrics = [\"words\"]\nplots = [\"labels\"]", "extractor = \"everything\""),
        ("layout-that-nobody-reads", "layout = \"blitz\"", "extractor = \"everything\""),
        ("unknown-parameter", "", "extractor = \"more-than-10-words\"\nparameters = { word = 3 }"),
        ("parameter-without-effect", "", "extractor = \"hmt\"\nparameters = { model = \"web\", chains = 3 }"),
        ("setting-of-another", "", "extractor = \"everything\"\ninference = \"gibbs\""),
        ("unknown-key-of-a-model", "", "extractor = \"hmt\"\nmodel = { preset = \"blocks\", withot = [] }"),
        ("unknown-table", "", "extractor = \"everything\"\n[convergance]\npages = 3"),
    ] {
        place.write(&format!("{name}/experiment.toml"), format!("{head}{keys}\n{tail}{system}\n"));
        all.push(refused(&place, 2, &[&format!("run {name}")]));
    }
    assert_snapshot!("keys_without_effect", all.join("\n"));
}

#[test]
fn old_names_do_what_they_did() {
    let place = Place::new();
    let everything = ["extract", "--extractor", "everything", "page.html"];
    let text = place.ok(&everything);
    assert_eq!(place.ok(&[&everything[..], &["--parallel", "1"]].concat()), text);
    place.ok(&["data", "synth", "--sites", "1", "--pages-per-site", "1", "-o", "old"]);
    place.ok(&["data", "synth", "--sites", "1", "--pages-per-site", "1", "--output", "older"]);
    place.ok(&["data", "synth", "--sites", "1", "--pages-per-site", "1", "-d", "new"]);
    assert!(place.path("old/duramen-synth").is_dir() && place.path("older/duramen-synth").is_dir());
    let sample = ["sample", "page.html", "--chains", "1", "--sweeps", "4", "--burn-in", "0", "-q"];
    place.write("known.jsonl", "{\"xpath\": \"//h1\", \"states\": [\"headline\"]}\n");
    for old in
        [&["-o", "a"][..], &["--output", "b", "--prior", "blocks"], &["-d", "c", "--labels", "known.jsonl"]]
    {
        place.ok(&[&sample[..], old].concat());
    }
    for folder in ["a", "b", "c"] {
        assert!(place.path(folder).join("draws.json").is_file(), "{folder}");
    }
    // That these are known is enough: what they name is not there.
    for (line, code) in [
        ("run nowhere --out x", 3),
        ("run nowhere -o x", 3),
        ("report nowhere --out x", 3),
        ("diagnose nowhere -o x", 3),
        ("compare a:b c:d --pages 3", 3),
        ("render missing.html --engine blitz", 1),
        ("render missing.html -e blitz", 1),
        ("extract --url http://127.0.0.1:1/", 1),
        ("train --em 2 --unlabelled nowhere --start web-blocks -o m.json", 3),
    ] {
        let ended = place.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(ended.code, code, "{line}: {ended}");
    }
}

#[test]
fn a_threshold_is_one_thing_and_an_output_file_holds_what_would_be_printed() {
    let place = Place::new();
    // The decision by a threshold and the choice by one keep the same text of the article.
    for p in ["0.2", "0.5", "0.9"] {
        let text = place.ok(&["extract", "--threshold", p, "page.html"]);
        assert_eq!(place.ok(&["extract", "--set", &format!("probability={p}"), "page.html"]), text);
        assert!(text.contains("The oldest oak"), "{p}");
    }
    for (format, pages) in [
        ("txt", &["page.html"][..]),
        ("csv", &["page.html", "page.html"]),
        ("json", &["page.html", "page.html"]),
    ] {
        let start = ["extract", "--extractor", "more-than-10-words", "--output-format", format];
        let printed = place.ok(&[&start[..], pages].concat());
        assert_eq!(place.ok(&[&start[..], pages, &["-o", "out/file"]].concat()), "");
        assert_eq!(place.read("out/file"), printed);
    }
}
