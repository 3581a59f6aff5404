//! What a new user gets wrong first, and what the program says to it; and the exit codes of each kind of error.

use std::io::Write;

use insta::assert_snapshot;

use crate::command_line::Place;

#[test]
fn the_usual_mistakes_are_answered_with_what_to_do() {
    let place = Place::new();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(b"<p>A page that was packed and lost the end of its name.").unwrap();
    place.write("packed.html", packed.finish().unwrap());
    place.write("cut.html.gz", b"\x1f\x8b\x08\0\0");
    place.write("paper.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n");
    place.write("empty.html", "");
    place.write("mixed/a.html", "<p>The only page here.");
    place.write("mixed/notes.txt", "no page");
    place.write("mixed/b.png", b"\x89PNG\r\n\x1a\n");
    place.write("none/notes.txt", "no page");
    std::fs::create_dir(place.path("folder")).unwrap();
    let mut all = Vec::new();
    for line in [
        // Names of files.
        "extract pgae.html",
        "extract nowhere/page.html",
        "extract https://example.org/article",
        "extract www.example.org",
        "extract folder",
        "extract --input-dir page.html -d out",
        "extract --input-dir none -d out",
        "extract --input-dir mixed -v --extractor everything",
        "extract paper.pdf",
        "extract packed.html --extractor everything",
        "extract cut.html.gz",
        "extract empty.html",
        "extract page.html -o folder",
        "extract page.html -o page.html",
        "extract page.html -o page.html/text.txt",
        "extract page.html -d page.html",
        "sample page.html --config thesis -d page.html",
        "explain page.html -o folder",
        "model show web -o folder",
        // Names of other things.
        "page.html",
        "https://example.org/",
        "extrat page.html",
        "extract --treshold 0.5 page.html",
        "extract --format json page.html",
        "extract --labels headlin page.html",
        "extract --extractor trafilatura page.html",
        "extract --extractor boilerpipe page.html",
        "extract --model wbe page.html",
        "extract --model web.json page.html",
        "extract --set words:20 page.html",
        "extract --URL example page.html -q",
        // What is not there.
        "evaluate --dataset l3s-gn1 --data-dir data",
        "run quickstart",
        "diagnose draws",
        "report results/none",
    ] {
        let ended = place.run(&line.split(' ').collect::<Vec<_>>());
        if line.contains("--URL example") {
            // The rest of the words are those of the library that loads pages.
            assert!(ended.code == 1 && ended.err.contains("example: "), "{ended}");
            continue;
        }
        all.push(format!("$ duramen {line}\n{ended}"));
    }
    assert_snapshot!("usual_mistakes", all.join("\n"));
    assert!(place.read("page.html").contains("The old oak fell"), "a page is never overwritten by its text");
}

#[test]
fn each_kind_of_error_has_its_exit_code() {
    let place = Place::new();
    std::fs::create_dir(place.path("folder")).unwrap();
    place.write("latin.toml", b"title = \"\xe9\"\n");
    place.write("wrong.toml", "title = \n");
    place.write("wrong.json", "{\"format\": \"duramen-model\", ");
    place.write("other.json", "{\"format\": \"something else\"}");
    place.write("binary.json", b"\xff\xfe\0\0");
    place.write("latin/experiment.toml", b"title = \"\xe9\"\n");
    place.write("wrong/experiment.toml", "title = \n");
    place.write("labels.jsonl", "{\"xpath\": ");
    place.write("empty/draws.zarr/zarr.json", "{}");
    let mut all = Vec::new();
    for (code, line) in [
        // A page that cannot be read: some inputs failed.
        (1, "extract missing.html"),
        (1, "extract folder"),
        (1, "explain missing.html"),
        (1, "render missing.html"),
        (1, "sample missing.html -d draws"),
        // What was typed, or written into a file of settings, is wrong.
        (2, "extract --extractor nosuch page.html"),
        (2, "train --dataset synth --config wrong.toml -o m.json"),
        (2, "run wrong"),
        // A file, model or corpus is missing or wrong.
        (3, "extract --model missing.json page.html"),
        (3, "extract --model folder/ page.html"),
        (3, "extract --model wrong.json page.html"),
        (3, "extract --model other.json page.html"),
        (3, "extract --model binary.json page.html"),
        (3, "extract --model page.html page.html"),
        (3, "explain --model wrong.json page.html"),
        (3, "adapt . --model wrong.json -o m.json"),
        (3, "sample page.html --model wrong.json -d draws"),
        (3, "evaluate --dataset synth --model wrong.json"),
        (3, "train --em 2 --unlabelled . --start-model wrong.json -o m.json"),
        (3, "model show wrong.json"),
        (3, "model merge wrong.json web -o m.json"),
        (3, "model subtract web wrong.json -o m.json"),
        (3, "model recalibrate wrong.json --dataset synth -o m.json"),
        (3, "train --dataset synth --config missing.toml -o m.json"),
        (3, "train --dataset synth --config latin.toml -o m.json"),
        (3, "train --dataset l3s-gn1 --data-dir data -o m.json"),
        (3, "run missing"),
        (3, "run latin"),
        (3, "extract --input-file missing.txt"),
        (3, "extract --extractor sigfeed --feed missing.xml page.html"),
        (3, "sample page.html -d draws --node-labels missing.jsonl"),
        (3, "diagnose missing"),
        (3, "diagnose empty"),
        (3, "report missing"),
        (3, "compare missing:a missing:b"),
        (3, "extract --extractor everything page.html -o page.html/below.txt"),
    ] {
        let ended = place.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(ended.code, code, "{line}: {ended}");
        assert!(ended.err.starts_with("duramen: error: "), "{line}: {ended}");
        all.push(format!("{code}  duramen {line}\n   {}", ended.err.lines().next().unwrap_or_default()));
    }
    assert_snapshot!("exit_codes", all.join("\n"));
}
