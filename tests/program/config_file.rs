//! `duramen.toml` and `duramen config`, pages that are wanted, and progress for programs.

use serde_json::Value;

use crate::command_line::Place;

#[test]
fn a_file_of_settings_stands_before_defaults_and_behind_what_is_given() {
    let place = Place::new();
    place.write(
        "duramen.toml",
        "output-format = \"json\"\nextractor = \"everything\"\ntimeout = 5\nuser-agent = \"us\"\n",
    );
    place.write("below/here/page.html", place.read("page.html"));
    let run = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        command.current_dir(place.path("below/here"));
        let ended = place.end(command);
        assert_eq!(ended.code, 0, "{arguments:?}: {ended}");
        ended
    };
    // No page is loaded, and the extractor takes no model: of the file that is no fault.
    let json = run(&["extract", "page.html"]);
    assert!(json.out.starts_with('{') && json.out.contains("Imprint") && json.err.is_empty(), "{json}");
    let text = run(&["extract", "-v", "--output-format", "txt", "--extractor", "hmt", "page.html"]);
    assert!(text.out.starts_with("The old oak fell") && !text.out.contains("Imprint"), "{text}");
    assert!(text.err.contains("duramen: settings of FOLDER/duramen.toml\n"), "{text}");
    assert!(run(&["extract", "--csv", "page.html"]).out.starts_with("id,url,"));
    assert!(run(&["extract", "--no-config-file", "page.html"]).out.starts_with("The old oak fell"));
    assert_eq!(run(&["config", "--path"]).out, "FOLDER/duramen.toml\n");
    let shown = run(&["config"]).out;
    assert!(shown.starts_with("# FOLDER/duramen.toml\n") && shown.contains("\ntimeout = 5 "), "{shown}");
    // What is shown is such a file.
    place.write("shown.toml", &shown);
    assert_eq!(run(&["extract", "--config-file", "../../shown.toml", "page.html"]).out, json.out);
}

#[test]
fn a_model_of_the_file_gives_way_and_a_variable_goes_before_the_file() {
    let place = Place::new();
    place.write("duramen.toml", "model = \"no/such.json\"\ndata-dir = \"theirs\"\n");
    let ended = place.run(&["extract", "page.html"]);
    assert!(ended.code == 3 && ended.err.contains("FOLDER/no/such.json"), "{ended}");
    place.ok(&["extract", "--model", "web", "page.html"]);
    place.ok(&["extract", "--extractor", "everything", "page.html"]);
    place.ok(&["extract", "--xpath", "//h1", "page.html"]);
    let mut command = place.command(&["config"]);
    command.env("DURAMEN_DATA_DIR", "/mine");
    let ended = place.end(command);
    let line = ended.out.lines().find(|line| line.starts_with("data-dir")).unwrap();
    assert!(
        line.contains("\"/mine\"") && line.ends_with("# environment variable DURAMEN_DATA_DIR"),
        "{line}"
    );
    let line = place.ok(&["config"]);
    let line = line.lines().find(|line| line.starts_with("data-dir")).unwrap();
    assert!(line.contains("FOLDER/theirs") && line.ends_with("# line 2"), "{line}");
}

#[test]
fn a_faulty_file_of_settings_is_told_with_file_and_line() {
    let place = Place::new();
    place.write("duramen.toml", "\nthread = 2\n");
    let ended = place.run(&["extract", "page.html"]);
    assert_eq!((ended.code, &*ended.out), (2, ""));
    assert_eq!(
        ended.err,
        "duramen: error: FOLDER/duramen.toml, line 2: there is no setting 'thread'; did you mean 'threads'?\n"
    );
    let ended = place.run(&["extract", "--config-file", "none.toml", "page.html"]);
    assert!(ended.code == 3 && ended.err.contains("none.toml: there is no such file"), "{ended}");
    let ended = Place::new().run(&["config", "--path"]);
    assert!(ended.code == 3 && ended.err.contains("is neither in this folder nor above it"), "{ended}");
}

#[test]
fn pages_that_are_not_wanted_have_no_text() {
    let place = Place::new();
    let told = |arguments: &[&str]| place.run(&[&["extract", "page.html"], arguments].concat());
    let german = told(&["--target-language", "de"]);
    assert_eq!((german.code, &*german.out), (1, ""));
    assert_eq!(german.err, "duramen: error: page.html: its language is en, and de was asked for\n");
    assert_eq!(told(&["--target-language", "en-GB"]).code, 0);
    let bare = told(&["--only-with-metadata"]);
    assert_eq!((bare.code, &*bare.err), (1, "duramen: error: page.html: it has no address\n"));
    assert_eq!(told(&["--only-with-metadata", "--page-url", "https://wood.example/oak"]).code, 0);
    let pruned = told(&["--prune-xpath", "//table", "--prune-xpath", "//p[1]"]);
    assert!(!pruned.out.contains("31 m") && !pruned.out.contains("oldest"), "{pruned}");
    assert!(pruned.out.contains("four hundred years"), "{pruned}");
    assert_eq!(told(&["--prune-xpath", "//p["]).code, 2);
}

#[test]
fn every_format_has_a_shorthand() {
    let place = Place::new();
    for format in ["json", "jsonl", "csv", "markdown", "html", "xml", "xmltei"] {
        let long = place.ok(&["extract", "--output-format", format, "page.html"]);
        assert_eq!(place.ok(&["extract", &format!("--{format}"), "page.html"]), long);
        let ended = place.run(&["extract", &format!("--{format}"), "--output-format", "txt", "page.html"]);
        assert!(ended.code == 2 && ended.err.contains("cannot be used with"), "{ended}");
    }
    place.ok(&["extract", "--parquet", "-o", "t.parquet", "page.html"]);
    assert!(std::fs::read(place.path("t.parquet")).unwrap().starts_with(b"PAR1"));
}

#[test]
fn progress_is_told_as_json_lines() {
    let place = Place::with_pages(2);
    place.write("pages/empty.html", "");
    let ended = place.run(&["extract", "--progress", "json", "--input-dir", "pages", "-d", "texts"]);
    assert_eq!(ended.code, 1, "{ended}");
    let lines: Vec<Value> = ended.err.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["event"], &lines[0]["total"]), (&"begin".into(), &9.into()));
    let end = lines.iter().find(|line| line["event"] == "end").unwrap();
    assert_eq!(
        (&end["done"], &end["pages"]["ok"], &end["pages"]["empty"]),
        (&9.into(), &8.into(), &1.into())
    );
    assert!(lines.iter().any(|line| line["event"] == "error"), "{ended}");
    let quiet = place.run(&["extract", "-q", "--progress", "json", "--input-dir", "pages", "-d", "more"]);
    assert!(quiet.err.contains("\"end\"") && !quiet.err.contains("\"note\""), "{quiet}");
    let none = place.run(&["extract", "--progress", "none", "page.html"]);
    assert_eq!(none.err, "");
}

#[test]
fn models_are_compared_page_by_page() {
    let place = Place::new();
    place.ok(&["train", "--dataset", "synth", "--max-pages", "8", "-o", "mine.json"]);
    let told = place.ok(&[
        "evaluate",
        "--dataset",
        "synth",
        "--max-pages",
        "6",
        "--metrics",
        "words",
        "--model",
        "web",
        "--model",
        "mine.json",
        "--extractor",
        "hmt",
        "--extractor",
        "everything",
    ]);
    assert!(told.contains("| web ") && told.contains("| mine ") && told.contains("| everything "), "{told}");
    let differences = told.split("Differences on the same pages").nth(1).unwrap();
    assert!(differences.contains("over pages, as there are fewer than five hosts"), "{told}");
    assert!(differences.contains("web minus mine") && differences.contains("web minus everything"), "{told}");
    let row = differences.lines().find(|line| line.contains("words/article/f1")).unwrap();
    assert!(row.matches('[').count() == 2, "{row}");
    let twice = ["evaluate", "--dataset", "synth", "--model", "web", "--model", "web"];
    assert!(place.run(&twice).err.contains("--model web is given again"));
    let twice = place.run(&["extract", "--model", "web", "--model", "mine.json", "page.html"]);
    assert!(twice.code == 2 && twice.err.contains("both set model"), "{twice}");
}
