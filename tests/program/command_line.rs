//! The program as a user runs it: outputs, messages, files and exit codes.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use assert_cmd::Command;
use insta::assert_snapshot;

/// A folder of our own in which the program runs.
pub(crate) struct Place {
    pub(crate) folder: tempfile::TempDir,
}

/// How a run ended, as text: exit code, standard output, standard error, without the machine's paths.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "exit code {}\n--- standard output\n{}--- standard error\n{}",
            self.code, self.out, self.err
        )
    }
}

const ARTICLE: &str = r#"<!DOCTYPE html>
<html lang="en"><head><title>The old oak fell - Wood News</title>
<meta name="author" content="Ann Ash"><meta property="article:published_time" content="2026-01-02">
<meta property="og:site_name" content="Wood News"></head><body>
<ul><li><a href="/">Home</a></li><li><a href="/trees">Trees</a></li><li><a href="/about">About</a></li></ul>
<h1>The old oak fell</h1>
<p>The oldest oak of the village fell on Monday night after a storm that lasted for six hours. Nobody was hurt,
because the green around it had been closed in the evening, the mayor said.</p>
<p>It had stood there for <b>more than four hundred years</b>. Children of the village school will plant acorns
of the tree in spring, &amp; its wood is to become a bench, as was decided on <a href="/meeting">Tuesday</a>.</p>
<table><tr><th>Height</th><td>31 m</td></tr><tr><th>Girth</th><td>8 m</td></tr></table>
<div><a href="/terms">Terms</a> | <a href="/imprint">Imprint</a></div>
</body></html>
"#;

impl Place {
    /// With one good page.
    pub(crate) fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        place.write("page.html", ARTICLE);
        place
    }

    /// The same with four generated pages of each of so many sites in `pages`.
    pub(crate) fn with_pages(sites: usize) -> Place {
        let place = Place::new();
        place.ok(&["data", "synth", "--sites", &sites.to_string(), "--pages-per-site", "4", "-o", "synth"]);
        std::fs::rename(place.path("synth/duramen-synth/original"), place.path("pages")).unwrap();
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_duramen"));
        command.current_dir(self.folder.path()).args(arguments).timeout(Duration::from_secs(120));
        for name in ["COLUMNS", "DURAMEN_DATA_DIR", "DURAMEN_MIRROR"] {
            command.env_remove(name);
        }
        for name in ["http_proxy", "https_proxy", "all_proxy"] {
            command.env_remove(name).env_remove(name.to_uppercase());
        }
        command
    }

    pub(crate) fn end(&self, mut command: Command) -> Ended {
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).unwrap();
            // The system may know the folder by another name.
            let real = self.folder.path().canonicalize().unwrap();
            let text = text.replace(real.to_str().unwrap(), "FOLDER");
            text.replace(self.folder.path().to_str().unwrap(), "FOLDER")
        };
        let code = output.status.code().expect("the program was not killed");
        Ended { code, out: text(output.stdout), err: text(output.stderr) }
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        self.end(self.command(arguments))
    }

    /// A run that must end well; its standard output.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.code, 0, "{arguments:?}: {ended}");
        ended.out
    }
}

/// `extract` with an extractor whose answer does not change when the default model does.
fn extract<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["extract", "--extractor", "more-than-10-words"], arguments].concat()
}

#[test]
fn help_of_every_command() {
    let place = Place::new();
    assert_snapshot!("help", place.run(&["--help"]));
    for command in [
        "extract",
        "extractors",
        "explain",
        "adapt",
        "sample",
        "diagnose",
        "render",
        "compare",
        "report",
        "reproduce",
        "train",
        "evaluate",
        "run",
        "data",
        "data list",
        "data fetch",
        "data verify",
        "data check",
        "data overlap",
        "data synth",
        "data warc",
        "model",
        "model show",
        "model merge",
        "model subtract",
        "model comments",
        "model supplemental",
        "model recalibrate",
    ] {
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.push("--help");
        assert_snapshot!(format!("help {command}").replace(' ', "_"), place.run(&arguments));
    }
    assert_eq!(place.ok(&["--version"]), format!("duramen {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn slips_on_the_command_line_are_answered_with_the_nearest_name_and_exit_code_2() {
    let place = Place::new();
    let all: Vec<String> = [
        &["extrct", "page.html"][..],
        &[],
        &["extract", "--treshold", "0.5", "page.html"],
        &["extract", "--output-format", "markdwn", "page.html"],
        &["extract", "--threshold", "1.5", "page.html"],
        &["extract", "--labels", "full-txt", "page.html"],
        &["extract", "--extractor", "more-than-10-word", "page.html"],
        &["extract", "--extractor", "everything", "--set", "words=20", "page.html"],
        &["extract", "--extractor", "everything", "--set", "words", "page.html"],
        &["extract", "--output-format", "html", "page.html", "page.html"],
        &["extract", "--skip-existing", "page.html"],
        &["extract", "--json", "--markdown", "page.html"],
        &["extract", "--inference", "gibbs", "--sweeps", "5", "--burn-in", "5", "page.html"],
        &["extract", "--threads", "0", "page.html"],
        &["extract", "--extractor", "everything", "--threshold", "0.5", "page.html"],
        &["extract", "-q", "-v", "page.html"],
        &["extract", "--xpath", "//div[", "page.html"],
        &["extract", "--xpath", "//p[contain(., 'a')]", "page.html"],
        &["extract", "--xpath", "//p", "--extractor", "everything", "page.html"],
        &["explain"],
        &["train", "-o", "m.json"],
        &["train", "--dataset", "synth", "--config", "bloks", "-o", "m.json"],
        &["model", "merge", "a.json", "-o", "b.json"],
        &["evaluate", "--dataset", "synth", "--extractor", "evrything"],
        &["data", "synth", "--sites", "0", "-o", "pages"],
    ]
    .into_iter()
    .map(|arguments| {
        let ended = place.run(arguments);
        assert_eq!(ended.code, 2, "{arguments:?}: {ended}");
        assert_eq!(ended.out, "", "{arguments:?}");
        format!("$ duramen {}\n{}", arguments.join(" "), ended.err)
    })
    .collect();
    assert_snapshot!("slips", all.join("\n"));
}

#[test]
fn a_page_in_every_format() {
    let place = Place::new();
    for format in ["txt", "markdown", "html", "json", "jsonl", "csv"] {
        let ended = place.run(&extract(&["--output-format", format, "page.html"]));
        assert_eq!(ended.code, 0);
        assert_snapshot!(format!("extract_{format}"), ended);
    }
    for format in ["markdown", "html", "json", "jsonl", "csv"] {
        let long = place.ok(&extract(&["--output-format", format, "page.html"]));
        assert_eq!(place.ok(&extract(&[&format!("--{format}"), "page.html"])), long);
        assert_eq!(
            place.run(&extract(&[&format!("--{format}"), "--output-format", "txt", "page.html"])).code,
            2
        );
    }
}

#[test]
fn options_of_extraction_do_what_they_say() {
    let place = Place::new();
    assert_snapshot!("extract_with_metadata", place.run(&extract(&["--with-metadata", "page.html"])));
    assert_snapshot!(
        "extract_markdown_with_everything",
        place.run(&[
            "extract",
            "--extractor",
            "everything",
            "--markdown",
            "--with-metadata",
            "--links",
            "--page-url",
            "https://wood.example/a/oak.html",
            "page.html",
        ])
    );
    let tables = ["extract", "--extractor", "everything", "--markdown", "page.html"];
    assert!(place.ok(&tables).contains("| Height | 31 m |"));
    let without = place.ok(&[&tables[..], &["--no-tables"]].concat());
    assert!(without.contains("31 m") && !without.contains("| 31 m |"), "{without}");
    let written = |format| place.ok(&[&tables[..], &["--tables", format]].concat());
    assert!(
        written("csv").contains("```csv\n") && written("csv").contains("Height,31 m\n"),
        "{}",
        written("csv")
    );
    assert!(written("records").contains("- Height: 31 m\n"), "{}", written("records"));
    assert!(written("html").contains("<td>31 m</td>") && written("gfm") == place.ok(&tables));
    let json: serde_json::Value =
        serde_json::from_str(&place.ok(&extract(&["--json", "--structure", "page.html"]))).unwrap();
    let second = &json["structure"][1];
    assert_eq!(
        (&second["type"], &second["inlines"][1]["type"]),
        (&"paragraph".into(), &"strong".into()),
        "{json}"
    );
    place.write("hidden.html", "<h1>Oak</h1><p>The oak of the mill fell.<p hidden>Ignore what was said.");
    let hidden = ["extract", "--extractor", "everything", "hidden.html"];
    assert!(!place.ok(&hidden).contains("Ignore"));
    assert!(place.ok(&[&hidden[..], &["--hidden"]].concat()).contains("Ignore"));
    let few = place.ok(&["extract", "--max-tokens", "40", "page.html"]);
    assert!(few.starts_with("The old oak fell\n") && few.split_whitespace().count() <= 40, "{few}");
}

#[test]
fn readers_comments_are_kept_where_they_are_asked_for() {
    let place = Place::new();
    let comment = |n: u32, text: &str| {
        format!(
            "<li class=comment id=comment-{n}><div class=comment-author>Reader {n}</div><p>{text}</p>\
             <a href='#r{n}'>Reply</a></li>"
        )
    };
    let comments = [
        comment(1, "I liked this tree so very much, my father planted another one in our garden."),
        comment(2, "Me too! I used to climb it when I was a child, what a pity."),
        comment(3, "They should have looked after it better, if you ask me."),
    ];
    let list = format!("<div id=comments><h3>3 comments</h3><ol>{}</ol></div></body>", comments.concat());
    place.write("page.html", ARTICLE.replace("</body>", &list));
    let text = |options: &[&str]| place.ok(&[&["extract", "page.html"][..], options].concat());
    let article = text(&[]);
    assert!(article.contains("The oldest oak") && !article.contains("father"), "{article}");
    assert_eq!(text(&["--no-comments"]), article);
    let both = text(&["--comments"]);
    assert!(both.starts_with(article.trim_end()) && both.contains("father"), "{both}");
    assert_eq!(text(&["--labels", "headline,full-text,supplemental,comments"]), both);
    // JSON has them apart besides.
    let record: serde_json::Value = serde_json::from_str(&text(&["--comments", "--json"])).unwrap();
    let apart = record["comments"].as_str().unwrap();
    assert_eq!(record["text"], both);
    assert!(apart.contains("father") && !apart.contains("The oldest oak"), "{apart}");
    assert!(!text(&["--json"]).contains("\"comments\": \""));
    // The probabilities are in the nodes, and colour them.
    let nodes: serde_json::Value = serde_json::from_str(&text(&["--json", "--nodes"])).unwrap();
    let node =
        nodes["nodes"].as_array().unwrap().iter().find(|node| node["text"].to_string().contains("father"));
    assert_eq!(node.unwrap()["label"], "comments");
    assert!(node.unwrap()["posterior"]["comments"].as_f64().unwrap() > 0.5, "{node:?}");
    assert!(place.ok(&["explain", "page.html"]).contains("Comments are split from what is not content"));
    // What would have no effect, or two, is refused.
    for (options, said) in [
        (&["--comments", "--labels", "full-text"][..], "cannot be used with"),
        (&["--no-comments", "--labels", "full-text,comments"], "cannot be used with"),
        (&["--comments", "--no-comments"], "cannot be used with"),
        (&["--comments", "--extractor", "everything"], "does not tell comments"),
        (&["--comments", "--inference", "viterbi"], "does not tell comments"),
        (&["--comments", "--model", "web-blocks"], "does not tell comments"),
    ] {
        let ended = place.run(&[&["extract", "page.html"][..], options].concat());
        assert!(ended.code == 2 && ended.err.contains(said), "{options:?}: {ended}");
    }
}

#[test]
fn the_bundled_model_finds_the_article_at_once() {
    let place = Place::new();
    let text = place.ok(&["extract", "page.html"]);
    assert!(text.contains("The oldest oak of the village fell"), "{text}");
    assert!(text.contains("more than four hundred years"), "{text}");
    assert!(!text.contains("Imprint") && !text.contains("Home"), "{text}");
    for other in [
        &["--inference", "viterbi"][..],
        &["--generative"],
        &["--precision"],
        &["--model", "news"],
        &["--model", "news-blocks", "--inference", "gibbs"],
    ] {
        let text = place.ok(&[&["extract", "page.html"][..], other].concat());
        assert!(text.contains("The oldest oak of the village fell"), "{other:?}: {text}");
    }
    // Weights are learned for exact inference; the sampler is of the counts.
    let refused = place.run(&["extract", "--inference", "gibbs", "page.html"]);
    assert!(refused.code == 2 && refused.err.contains("leave the weights out (--generative)"), "{refused}");
    let gibbs =
        ["extract", "--model", "news-blocks", "--inference", "gibbs", "--json", "--nodes", "page.html"];
    assert_eq!(place.ok(&gibbs), place.ok(&[&gibbs[..], &["--threads", "2"]].concat()), "deterministic");
    let all = "not-content,headline,full-text,supplemental,related-content,comments";
    let everything = place.ok(&["extract", "--labels", all, "page.html"]);
    assert!(everything.contains("Imprint") && everything.contains("Home"), "{everything}");
    // At threshold 0 everything is kept, and more so than at 1.
    assert_eq!(place.ok(&["extract", "--threshold", "0", "page.html"]), everything);
    // Above every probability nothing is left, which is said.
    let none = place.run(&["extract", "--labels", "comments", "--threshold", "1", "page.html"]);
    assert_eq!(none.code, 1, "{none}");
}

#[test]
fn nodes_have_xpath_label_and_probabilities_that_sum_to_one() {
    let place = Place::new();
    let line = place.ok(&["extract", "--output-format", "jsonl", "--nodes", "page.html"]);
    assert_eq!(line.lines().count(), 1);
    let page: serde_json::Value = serde_json::from_str(&line).unwrap();
    let nodes = page["nodes"].as_array().unwrap();
    assert!(nodes.len() > 10);
    for node in nodes {
        let p: f64 = node["posterior"].as_object().unwrap().values().map(|p| p.as_f64().unwrap()).sum();
        assert!((p - 1.0).abs() < 1e-6, "{node}");
        assert!(node["xpath"].as_str().unwrap().starts_with("/html"), "{node}");
    }
    let heading = nodes.iter().find(|node| node["text"] == "The old oak fell").unwrap();
    assert_eq!(heading["xpath"], "/html[1]/body[1]/h1[1]/text()[1]");

    let csv = place.ok(&["extract", "--output-format", "csv", "--nodes", "page.html"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let columns = reader.headers().unwrap().clone();
    assert_eq!(columns.iter().filter(|name| name.starts_with("p_")).count(), 6);
    assert_eq!(reader.records().map(Result::unwrap).count(), nodes.len());
    assert_snapshot!(
        "nodes_csv_without_a_model",
        place.run(&extract(&["--output-format", "csv", "--nodes", "page.html"]))
    );
}

#[test]
fn standard_input_is_a_page() {
    let place = Place::new();
    for arguments in
        [&["extract", "--extractor", "everything"][..], &["extract", "--extractor", "everything", "-"]]
    {
        let mut command = place.command(arguments);
        command.write_stdin("<p>Words from a pipe.");
        let ended = place.end(command);
        assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (0, "Words from a pipe.\n", ""));
    }
    let mut command = place.command(&["extract"]);
    command.write_stdin("");
    assert_snapshot!("empty_standard_input", place.end(command));
}

#[test]
fn pages_that_cannot_be_read_are_named_and_exit_code_1_follows() {
    let place = Place::new();
    place.write("empty.html", "");
    place.write("blank.html", "<html><script>only()</script></html>");
    place.write("binary.html", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0");
    std::fs::create_dir(place.path("folder")).unwrap();
    let mut all = Vec::new();
    for arguments in [
        &["missing.html"][..],
        &["folder"],
        &["empty.html"],
        &["blank.html"],
        &["binary.html"],
        &["--max-bytes", "100", "page.html"],
        &["--max-nodes", "5", "page.html"],
        &["--json", "missing.html"],
        &["--output-format", "csv", "missing.html"],
        &["--set", "words=1000", "page.html"],
    ] {
        let extractor = ["extract", "--extractor", "more-than-10-words"];
        let model = ["extract"];
        let start = if arguments[0] == "blank.html" { &model[..] } else { &extractor };
        let arguments = [start, arguments].concat();
        let ended = place.run(&arguments);
        all.push(format!("$ duramen {}\n{ended}", arguments.join(" ")));
    }
    assert_snapshot!("bad_pages", all.join("\n"));
}

#[test]
fn a_text_that_was_read_in_a_wrong_encoding_is_warned_of() {
    let place = Place::new();
    place.write("page.html", "<p>The cafÃ© isnâ€™t open");
    let ended = place.run(&["extract", "page.html", "--extractor", "everything"]);
    let problem = "2 of 4 words look as if they were read in a wrong encoding, the first is \"cafÃ©\"";
    assert_eq!((ended.code, ended.out.as_str()), (0, "The cafÃ© isnâ€™t open\n"));
    assert_eq!(ended.err, format!("duramen: page.html: {problem}\n"));
}

#[test]
fn several_pages_are_told_apart_in_every_format() {
    let place = Place::new();
    place.write(
        "other.html",
        "<h2>Another page</h2><p>It has a paragraph of more than ten words, as it needs to have.",
    );
    for format in ["txt", "markdown", "json", "jsonl", "csv"] {
        let ended =
            place.run(&extract(&["--output-format", format, "page.html", "missing.html", "other.html"]));
        assert_eq!(ended.code, 1, "one page is missing: {ended}");
        assert_snapshot!(format!("several_{format}"), ended);
    }
}

#[test]
fn a_bad_page_in_a_folder_does_not_stop_the_others() {
    let place = Place::new();
    place.write("in/a.html", ARTICLE);
    place.write("in/below/b.htm", ARTICLE);
    place.write("in/bad.html", b"\0\0\0\0\0\0\0\0\0\0\0\0");
    place.write("in/empty.html", "");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(ARTICLE.as_bytes()).unwrap();
    place.write("in/c.html.gz", packed.finish().unwrap());
    place.write("in/cut.html.gz", b"\x1f\x8b\x08\0\0");
    place.write("in/notes.txt", "no page");
    let arguments = extract(&["--input-dir", "in", "--output-dir", "out", "--parallel", "2"]);
    let ended = place.run(&arguments);
    assert_eq!(ended.code, 1);
    assert_snapshot!("folder", ended);
    assert_snapshot!("folder_pages_csv", place.read("out/pages.csv"));
    let text = place.ok(&extract(&["page.html"]));
    for name in ["a.txt", "below/b.txt", "c.txt"] {
        assert_eq!(place.read(&format!("out/{name}")), text, "{name}");
    }
    assert_eq!(std::fs::read_dir(place.path("out")).unwrap().count(), 4, "a, below, c, pages.csv");

    // What is there is left alone; what failed is tried again.
    place.write("out/a.txt", "mine");
    place.write("in/empty.html", "<p>Now there is a paragraph of more than ten words on this page too.");
    let ended = place.run(&[&arguments[..], &["--skip-existing"]].concat());
    assert_snapshot!("folder_again", ended);
    // The rows of pages that were left alone are those of the run that wrote them.
    assert_snapshot!("folder_again_pages_csv", place.read("out/pages.csv"));
    assert_eq!(place.read("out/a.txt"), "mine");
    assert!(place.read("out/empty.txt").starts_with("Now there is"));
}

#[test]
fn outputs_of_pages_with_one_name_do_not_overwrite_each_other() {
    let place = Place::new();
    let page = |words: &str| format!("<p>{words} and so on until there are more than ten words in it.");
    for (name, words) in
        [("x/p.html", "First"), ("y/p.html", "Second"), ("x/p.htm", "Third"), ("z/pages.html", "Fourth")]
    {
        place.write(name, page(words));
    }
    let files = ["x/p.html", "y/p.html", "x/p.htm", "--output-dir", "out"];
    assert_eq!(place.ok(&extract(&files)), "");
    for (name, words) in [("p.txt", "First"), ("p-2.txt", "Second"), ("p-3.txt", "Third")] {
        assert!(place.read(&format!("out/{name}")).starts_with(words), "{name}");
    }
    assert!(place.read("out/pages.csv").contains("y/p.html,ok,,p-2.txt,"));
    place.ok(&extract(&["z/pages.html", "--output-dir", "csv", "--output-format", "csv"]));
    assert!(place.read("csv/pages.csv").contains("z/pages.html,ok,,pages-2.csv,"));
    assert!(place.read("csv/pages-2.csv").contains("Fourth"));
}

#[test]
fn a_folder_without_pages_is_a_usage_error_and_one_that_is_missing_is_named() {
    let place = Place::new();
    std::fs::create_dir(place.path("nothing")).unwrap();
    let ended = place.run(&["extract", "--input-dir", "nothing", "--output-dir", "out"]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("nothing holds no page; pages are files that end in .html"), "{ended}");
    let ended = place.run(&["extract", "--input-dir", "missing", "--output-dir", "out"]);
    assert_eq!(ended.code, 3);
    assert!(ended.err.contains("missing: "), "{ended}");
    assert!(!place.path("out").exists());
}

#[test]
fn extractors_are_listed_with_their_parameters() {
    let place = Place::new();
    let list = place.ok(&["extractors"]);
    for info in duramen::extract::registry::list() {
        assert!(list.contains(&format!("{}\n    {}\n", info.id, info.summary)), "{list}");
        for parameter in info.parameters {
            assert!(list.contains(&format!("--set {}: ", parameter.name)), "{list}");
        }
    }
}

#[test]
fn explain_writes_one_page_that_stands_alone() {
    let place = Place::new();
    let ended = place.run(&["explain", "page.html", "-o", "new/why.html"]);
    assert_snapshot!("explain", ended);
    let html = place.read("new/why.html");
    assert!(html.starts_with("<!DOCTYPE html>"), "{}", &html[..60]);
    assert!(html.contains("The oldest oak of the village fell") && html.contains("Imprint"));
    assert!(!html.contains("src=\"http"));
    assert_eq!(place.ok(&["explain", "page.html"]), html, "standard output is the same");
    let ended = place.run(&["explain", "missing.html", "-o", "no.html"]);
    assert_eq!(
        (ended.code, ended.err.as_str()),
        (1, "duramen: error: missing.html: there is no such file\n")
    );
    assert!(!place.path("no.html").exists());
}

#[test]
fn models_are_trained_shown_merged_and_subtracted() {
    let place = Place::new();
    assert_snapshot!(
        "train",
        place.run(&["train", "--dataset", "synth", "--max-pages", "4", "--config", "thesis", "-o", "a.json"])
    );
    place.ok(&[
        "train",
        "--dataset",
        "synth",
        "--max-pages",
        "4",
        "--config",
        "thesis",
        "-o",
        "again.json",
        "--threads",
        "1",
    ]);
    assert_eq!(place.read("a.json"), place.read("again.json"));
    place.ok(&["train", "--dataset", "synth", "--max-pages", "7", "--config", "thesis", "-o", "b.json"]);
    place.ok(&["model", "merge", "a.json", "b.json", "-o", "ab.json"]);
    place.ok(&["model", "merge", "b.json", "a.json", "-o", "ba.json"]);
    assert_eq!(place.read("ab.json"), place.read("ba.json"));
    place.ok(&["model", "subtract", "ab.json", "b.json", "-o", "rest.json"]);
    assert_eq!(place.read("rest.json"), place.read("a.json"));

    let shown = place.ok(&["model", "show", "a.json"]);
    for name in ["full-text", "not-content", "words", "sibling"] {
        assert!(shown.contains(name), "{name}: {shown}");
    }
    place.ok(&["model", "show", "a.json", "-o", "a.txt"]);
    assert_eq!(place.read("a.txt"), shown);
    assert!(place.ok(&["model", "show", "news-blocks"]).contains("full-text"));
    let recalibrate = [
        "model",
        "recalibrate",
        "a.json",
        "--dataset",
        "synth",
        "--max-pages",
        "9",
        "--always",
        "-o",
        "r.json",
    ];
    assert_snapshot!("recalibrate", place.run(&recalibrate));
    let shown = place.ok(&["model", "show", "r.json"]);
    assert!(shown.contains("recalibrated  log odds of the article"), "{shown}");
    let comments = ["model", "comments", "a.json", "--dataset", "synth", "--max-pages", "80", "-o", "c.json"];
    assert_snapshot!("model_comments", place.run(&comments));
    let shown = place.ok(&["model", "show", "c.json"]);
    assert!(shown.contains("comments      split from what is not content by"), "{shown}");
    place.write("own/page.html", place.read("page.html"));
    let by_own = ["model", "recalibrate", "a.json", "--pages", "own", "-o", "own.json"];
    let ended = place.run(&by_own);
    assert!(ended.code == 3 && ended.err.contains("put what is to be extracted of page.html"), "{ended}");
    place.write("own/page.txt", "Words that stand nowhere on it.");
    let ended = place.run(&by_own);
    assert!(
        ended.code == 3 && ended.err.contains("page: less than 0.9 of the words of its reference"),
        "{ended}"
    );
    place.write("own/page.txt", place.ok(&["extract", "page.html"]));
    let said = place.run(&by_own).err;
    assert!(said.contains("by pages: 1; expected calibration error"), "{said}");
    assert!(place.ok(&["model", "show", "own.json"]).contains("of own@"));
    let text =
        place.ok(&["extract", "--model", "a.json", "--labels", "full-text", "--threshold", "0", "page.html"]);
    assert!(text.contains("The oldest oak"));

    place.ok(&["train", "--dataset", "synth", "--max-pages", "1", "-o", "blocks.json"]);
    place.write("cut.json", &place.read("a.json")[..900]);
    place.write("newer.json", place.read("a.json").replace("\"version\":1", "\"version\":4"));
    let mut all = Vec::new();
    for (arguments, code) in [
        (&["model", "subtract", "a.json", "b.json", "-o", "no.json"][..], 2),
        (&["model", "merge", "a.json", "blocks.json", "-o", "no.json"], 2),
        (&["model", "merge", "a.json", "missing.json", "-o", "no.json"], 3),
        (&["model", "show", "cut.json"], 3),
        (&["model", "show", "newer.json"], 3),
        (&["model", "show", "page.html"], 3),
        (&["extract", "--model", "cut.json", "page.html"], 3),
    ] {
        let ended = place.run(arguments);
        assert_eq!(ended.code, code, "{arguments:?}: {ended}");
        assert!(!place.path("no.json").exists());
        if arguments.contains(&"missing.json") {
            // The words are the system's.
            assert!(ended.err.starts_with("duramen: error: missing.json: "), "{ended}");
            continue;
        }
        all.push(format!("$ duramen {}\n{}", arguments.join(" "), ended.err));
    }
    assert_snapshot!("model_errors", all.join("\n"));
}

#[test]
fn an_experiment_runs_from_its_file_to_its_report() {
    let place = Place::new();
    let toml = "title = \"Tiny\"\nquestion = \"Does it run?\"\ndataset = \"synth\"\n[synth]\nsites = 3\npages_per_site = 1\n\
                [[splits]]\nkind = \"folds-by-host\"\nid = \"folds\"\nfolds = 3\n\
                [[systems]]\nid = \"hmt\"\nextractor = \"hmt\"\n[[systems]]\nid = \"all\"\nextractor = \"everything\"\n";
    place.write("experiments/tiny/experiment.toml", toml);
    let ended = place.run(&["run", "experiments/tiny", "--out", "results/here"]);
    assert_snapshot!("run", ended);
    assert!(place.read("results/here/report.html").contains("Does it run?"));
    let record: serde_json::Value = serde_json::from_str(&place.read("results/here/run.json")).unwrap();
    assert_eq!(record["command"], "duramen run experiments/tiny");
    // Without --out the results go beside the experiments, under its name; the bytes are the same.
    place.ok(&["run", "experiments/tiny", "--threads", "1", "-q"]);
    for name in ["experiment.toml", "report.html", "pages/results.jsonl"] {
        assert_eq!(place.read(&format!("results/tiny/{name}")), place.read(&format!("results/here/{name}")));
    }
    // Machine and duration stand apart in the record.
    let mut other: serde_json::Value = serde_json::from_str(&place.read("results/tiny/run.json")).unwrap();
    let (provenance, other_provenance) = (record["provenance"].clone(), other["provenance"].take());
    assert_eq!((&provenance["threads"], &other_provenance["threads"]), (&provenance["threads"], &1.into()));
    assert_eq!(provenance["systems"].as_array().unwrap().len(), 2);
    let mut record = record;
    record["provenance"].take();
    assert_eq!(record, other);
    // The resolved experiment is an experiment, and gives the same.
    place.ok(&["run", "results/here/experiment.toml", "-q", "--out", "results/again"]);
    assert_eq!(place.read("results/again/report.html").len(), place.read("results/here/report.html").len());
    place.write("experiments/tiny/experiment.toml", toml.replace("question", "qestion"));
    let ended = place.run(&["run", "experiments/tiny"]);
    assert_snapshot!("run_with_an_unknown_key", ended);
}

/// Three pages of one site and one of another.
fn site(place: &Place) {
    let article = |url: &str, class: &str, text: &str| {
        format!(
            "<html lang=en><head><title>Wood</title><link rel=canonical href='{url}'></head><body>\
             <div class=menu>Home Trees About us</div><div class='{class}'><h1>{text}</h1><p>{text} {text}.</div>\
             <div class=foot>Terms of Wood</div>"
        )
    };
    place.write("site/1.html", article("https://wood.example/1", "story s1", "The oak fell at night"));
    place.write("site/2.html", article("https://wood.example/2", "story s2", "Beech nuts for hungry jays"));
    place.write("site/3.html", article("https://other.example/", "text", "Cones open in dry winds"));
    place.write("site/4.html", article("https://wood.example/4", "story s4", "Ash dieback spreads north"));
}

#[test]
fn the_pages_of_a_site_get_one_wrapper_that_extracts_further_pages() {
    let place = Place::new();
    site(&place);
    let forest = ["extract", "--extractor", "forest", "--input-dir", "site"];
    let ended = place.run(&[&forest[..], &["--output-format", "jsonl", "--threads", "2"]].concat());
    assert_snapshot!("forest_site", ended);
    let wrappers: Vec<String> = ended
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["wrapper"].to_string())
        .collect();
    assert!(wrappers[0] == wrappers[1] && wrappers[1] == wrappers[3] && wrappers[2] != wrappers[0]);
    let wrapper: String = serde_json::from_str(&wrappers[0]).unwrap();
    place.write("new.html", "<html><body><div class='story s5'>Yew</div><div class=foot>Terms</div>");
    assert_eq!(place.ok(&["extract", "--xpath", &wrapper, "new.html"]), "Yew\n");
    // Pages that are there stay as they are, and remain part of their site.
    let folder = [&forest[..], &["--output-dir", "out", "-q"]].concat();
    place.ok(&folder);
    let first = place.read("out/1.txt");
    assert!(first.starts_with("The oak fell at night") && !first.contains("Terms"), "{first}");
    place.write("out/1.txt", "kept");
    std::fs::remove_file(place.path("out/2.txt")).unwrap();
    place.ok(&[&folder[..], &["--skip-existing"]].concat());
    assert_eq!(place.read("out/1.txt"), "kept");
    assert!(place.read("out/2.txt").starts_with("Beech nuts") && !place.read("out/2.txt").contains("Terms"));
    // A page that cannot be read does not touch its site.
    place.write("site/5.html", "");
    let ended = place.run(&forest);
    assert_eq!(ended.code, 1);
    assert!(ended.err.contains("5.html") && ended.out.contains("Beech nuts"), "{ended}");
}

const FEED: &str = "<rss version='2.0'><channel><title>Wood</title><item><title>The oak fell</title>\
    <link>http://www.wood.example/1?utm_source=feed</link><description>&lt;p&gt;At &lt;b&gt;night&lt;/b&gt;</description>\
    </item></channel></rss>";

#[test]
fn a_feed_describes_the_pages_that_its_items_lead_to() {
    let place = Place::new();
    site(&place);
    place.write("feed.xml", FEED);
    let describe = ["extract", "--extractor", "description", "--feed", "feed.xml"];
    assert_eq!(place.ok(&[&describe[..], &["site/1.html"]].concat()), "The oak fell\nAt night\n");
    let ended = place.run(&[&describe[..], &["--input-dir", "site"]].concat());
    assert_snapshot!("feed_of_one_page", ended);
    let ended = place.run(&[&describe[..], &["site/2.html"]].concat());
    assert!(ended.err.contains("feed.xml: none of its items leads to a page given here"), "{ended}");
    // The address may be given.
    let given = [&describe[..], &["--page-url", "https://wood.example/1", "page.html"]].concat();
    assert_eq!(place.ok(&given), "The oak fell\nAt night\n");
    let sigfeed = ["extract", "--extractor", "sigfeed", "--feed", "feed.xml", "site/1.html"];
    assert!(place.ok(&sigfeed).starts_with("The oak fell at night"));
    for (wrong, code) in [("page.html", 3), ("missing.xml", 3)] {
        let ended = place.run(&["extract", "--extractor", "sigfeed", "--feed", wrong, "page.html"]);
        assert_eq!(ended.code, code, "{ended}");
        assert!(ended.err.contains(wrong), "{ended}");
    }
}

#[test]
fn an_xpath_keeps_what_it_selects() {
    let place = Place::new();
    assert_eq!(
        place.ok(&["extract", "--xpath", "//h1 | //table//td", "page.html"]),
        "The old oak fell\n\n31 m\n8 m\n"
    );
    let set = ["extract", "--extractor", "xpath", "--set", "expression=//h1", "page.html"];
    assert_eq!(place.ok(&set), "The old oak fell\n");
    let nothing = place.run(&["extract", "--xpath", "//h5", "page.html"]);
    assert_eq!(nothing.code, 1, "{nothing}");
    let missing = place.run(&["extract", "--extractor", "xpath", "page.html"]);
    assert!(
        missing.code == 1 && missing.err.contains("the extractor needs an XPath expression"),
        "{missing}"
    );
}

#[test]
fn a_finished_run_is_drawn_again_and_its_systems_are_compared() {
    let place = Place::new();
    let toml = "title = \"Tiny\"\nquestion = \"Which is better?\"\ndataset = \"synth\"\n[synth]\nsites = 4\n\
                pages_per_site = 1\n[[splits]]\nkind = \"all-pages\"\nid = \"all\"\n\
                [[systems]]\nid = \"long\"\nextractor = \"more-than-10-words\"\n\
                [[systems]]\nid = \"everything\"\nextractor = \"everything\"\n";
    place.write("experiments/tiny/experiment.toml", toml);
    place.ok(&["run", "experiments/tiny", "-q"]);
    let files = ["report.html", "tables/all-token.csv", "figures/all-distribution.svg"];
    let before = files.map(|file| place.read(&format!("results/tiny/{file}")));
    for file in files {
        std::fs::remove_file(place.path(&format!("results/tiny/{file}"))).unwrap();
    }
    place.ok(&["report", "results/tiny"]);
    assert!(before == files.map(|file| place.read(&format!("results/tiny/{file}"))), "the same bytes again");
    assert!(!place.path("results/tiny/figures/all-distribution.png").exists());
    place.ok(&["report", "results/tiny", "--png", "all-distribution"]);
    assert!(place.path("results/tiny/figures/all-distribution.png").exists());
    let (long, everything) = ("results/tiny:long", "results/tiny:everything");
    assert_snapshot!("compare", place.run(&["compare", long, everything, "--top", "2"]));
    let csv = place.ok(&["compare", long, everything, "--score", "words/full-text/recall", "--csv"]);
    assert_eq!(csv.lines().count(), 5, "{csv}");
    // What an experiment lacks is named, with what comes nearest.
    let mut all = Vec::new();
    for arguments in [
        &["compare", "results/tiny:lnog", everything][..],
        &["compare", long, everything, "--split", "al"],
        &["compare", long, everything, "--score", "tokens/main-txt"],
        &["compare", long, everything, "--score", "words/text/f1"],
        &["compare", "results/tiny", everything],
        &["compare", "results/none:long", everything],
        &["report", "results/none"],
        &["report", "results/tiny", "--png", "all-distributon"],
    ] {
        let ended = place.run(arguments);
        assert!(ended.code == 2 || ended.code == 3, "{ended}");
        all.push(format!("$ duramen {}\n{}", arguments.join(" "), ended.err));
    }
    // A folder from a repository, which holds no pages.
    std::fs::remove_file(place.path("results/tiny/pages/results.jsonl")).unwrap();
    all.push(place.run(&["report", "results/tiny"]).err);
    assert_snapshot!("report_and_compare_errors", all.join("\n"));
}

#[test]
fn extractors_are_scored_on_a_corpus() {
    let place = Place::new();
    let arguments = ["evaluate", "--dataset", "synth", "--max-pages", "6", "--extractor", "everything"];
    assert_snapshot!("evaluate", place.run(&arguments));
    place.ok(&[&arguments[..], &["-q", "-o", "out"]].concat());
    assert!(place.path("out/report.html").exists());
    // A model that was trained on the pages is flattered, and that is said.
    place.ok(&["train", "--dataset", "synth", "--max-pages", "6", "-o", "m.json"]);
    let ended = place.run(&["evaluate", "--dataset", "synth", "--max-pages", "6", "--model", "m.json"]);
    assert!(ended.err.contains("trained on the very pages of synth"), "{ended}");
}

#[test]
fn corpora_that_are_unknown_missing_or_not_fetched_end_with_exit_code_3() {
    let place = Place::new();
    std::fs::create_dir(place.path("mirror")).unwrap();
    let list = place.ok(&["data", "list", "--data-dir", "data"]);
    for name in duramen::dataset::Manifest::names() {
        assert!(list.contains(name), "{name}: {list}");
    }
    assert!(list.contains("not fetched") && list.contains("licence: "));
    assert!(list.contains("references: headline in, captions out, byline out"), "{list}");
    let mut all = Vec::new();
    for arguments in [
        &["data", "fetch", "l3s-gn2"][..],
        &["data", "fetch", "wcxb/tst"],
        &["data", "fetch", "zzzzzzzzzzzz"],
        &["data", "fetch", "l3s-gn1", "--mirror", "mirror"],
        &["data", "fetch", "l3s-gn1", "--mirror", "no-folder"],
        &["data", "verify", "l3s-gn1"],
        &["train", "--dataset", "l3s-gn1", "-o", "m.json"],
        &["train", "--dataset", "sinth", "-o", "m.json"],
        &["evaluate", "--dataset", "l3s-gn1"],
    ] {
        let arguments = [arguments, &["--data-dir", "data"]].concat();
        let ended = place.run(&arguments);
        assert_eq!(ended.code, 3, "{arguments:?}: {ended}");
        assert_eq!(ended.out, "");
        all.push(format!("$ duramen {}\n{}", arguments.join(" "), ended.err));
    }
    assert_snapshot!("corpus_errors", all.join("\n"));
    let missing = place.run(&["adapt", "nowhere", "-o", "site.json"]);
    assert!(missing.code == 3 && missing.err.contains("nowhere: there is no such folder; name"), "{missing}");
    assert!(!place.path("m.json").exists());
    // A lock may stay; data never do.
    let files = walk(&place.path("data"));
    assert!(files.iter().all(|file| !file.to_string_lossy().ends_with(".html")), "{files:?}");
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries
        .flat_map(|entry| {
            let path = entry.unwrap().path();
            if path.is_dir() { walk(&path) } else { vec![path] }
        })
        .collect()
}

#[test]
fn a_corpus_of_our_own_is_written_once_and_the_same_again() {
    let place = Place::new();
    let arguments = ["data", "synth", "--sites", "2", "--pages-per-site", "2", "--seed", "7", "-o"];
    for folder in ["a", "b"] {
        let out = place.ok(&[&arguments[..], &[folder]].concat());
        assert_eq!(out, format!("{folder}/duramen-synth\n"));
    }
    let below = |folder: &str| {
        let root = place.path(folder);
        let mut files: Vec<_> = walk(&root)
            .into_iter()
            .map(|path| (path.strip_prefix(&root).unwrap().to_owned(), std::fs::read(&path).unwrap()))
            .collect();
        files.sort();
        files
    };
    assert_eq!(below("a").len(), 9);
    assert!(below("a") == below("b"));
    let ended = place.run(&[&arguments[..], &["a"]].concat());
    assert_eq!(ended.code, 3);
    assert!(ended.err.contains("exists already"), "{ended}");
}

/// Answers requests by their path, as many as come.
fn server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            std::thread::spawn(move || {
                let mut request = Vec::new();
                let mut buffer = [0; 1024];
                while !request.windows(4).any(|window| window == b"\r\n\r\n") {
                    match stream.read(&mut buffer) {
                        Ok(n) if n > 0 => request.extend_from_slice(&buffer[..n]),
                        _ => return,
                    }
                }
                let request = String::from_utf8(request).unwrap();
                let path = request.split(' ').nth(1).unwrap();
                let (status, kind, body): (&str, &str, Vec<u8>) = match path {
                    "/article" => ("200 OK", "text/html; charset=utf-8", ARTICLE.into()),
                    // "Дуб" in the charset that only the header names; the page claims another.
                    "/charset" => (
                        "200 OK",
                        "text/html; charset=windows-1251",
                        [b"<meta charset=iso-8859-1><p>".as_slice(), &[0xc4, 0xf3, 0xe1], b" oak."].concat(),
                    ),
                    "/moved" => ("302 Found\r\nLocation: /article", "text/html", Vec::new()),
                    "/agent" => {
                        let agent =
                            request.lines().find(|line| line.to_lowercase().starts_with("user-agent:"));
                        ("200 OK", "text/html", format!("<p>{}", agent.unwrap_or("none")).into())
                    }
                    "/slow" => {
                        std::thread::sleep(Duration::from_secs(20));
                        ("200 OK", "text/html", b"<p>late".to_vec())
                    }
                    "/round" => ("302 Found\r\nLocation: /round", "text/html", Vec::new()),
                    "/to-file" => ("302 Found\r\nLocation: file:///etc/passwd", "text/html", Vec::new()),
                    "/bomb" => {
                        ("200 OK\r\nContent-Encoding: gzip", "text/html", packed(&vec![b' '; 40 << 20]))
                    }
                    "/large" => ("200 OK", "text/html", "<p>words ".repeat(10_000).into()),
                    _ => ("404 Not Found", "text/html", b"<p>There is no such page.".to_vec()),
                };
                let head = format!(
                    "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                    body.len()
                );
                // A client that has gone does not hear the answer.
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
            });
        }
    });
    address
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

#[test]
fn addresses_are_of_the_public_web_unless_asked_otherwise() {
    let place = Place::new();
    let address = server();
    let named = address.replace("127.0.0.1", "localhost");
    for address in [
        &*address,
        &*named,
        &address.replace("127.0.0.1", "[::ffff:127.0.0.1]"),
        &address.replace("127.0.0.1", "2130706433"),
    ] {
        let refused = place.run(&["extract", "--URL", &format!("{address}/article")]);
        assert_eq!((refused.code, &*refused.out), (1, ""), "{refused}");
        assert!(refused.err.contains("an address of this machine or of a private network"), "{refused}");
        assert!(refused.err.contains("--private-addresses"), "{refused}");
    }
    let load = |address: &str| place.run(&["extract", "--private-addresses", "--URL", address]);
    assert!(load(&format!("{named}/article")).code == 0);
    for (address, told) in [
        ("file:///etc/passwd", "cannot be loaded"),
        ("ftp://example.org/", "cannot be loaded"),
        (&*format!("{address}/to-file"), "cannot be loaded"),
        (&*format!("{address}/round"), "cannot be loaded"),
        (&*format!("{address}/bomb"), "the size in bytes is 33554433 or more, the limit is 33554432"),
    ] {
        let ended = load(address);
        assert_eq!((ended.code, &*ended.out), (1, ""), "{address}: {ended}");
        assert!(ended.err.contains(told), "{address}: {ended}");
    }
}

#[test]
fn pages_are_loaded_from_the_web() {
    let place = Place::new();
    let address = server();
    let url = |path: &str| format!("{address}{path}");
    let everything = ["extract", "--extractor", "everything"];
    let load = |path: &str, more: &[&str]| {
        place.run(&[&everything[..], &["--private-addresses", "--URL", &url(path)], more].concat())
    };
    let text = place.ok(&extract(&["page.html"]));
    assert_eq!(place.ok(&extract(&["--private-addresses", "--URL", &url("/article")])), text);
    assert_eq!(place.ok(&extract(&["--private-addresses", "-u", &url("/moved")])), text);
    let json: serde_json::Value = serde_json::from_str(&load("/moved", &["--json"]).out).unwrap();
    assert_eq!(json["url"], url("/article"), "the address at the end of the redirections");
    assert_eq!(load("/charset", &[]).out, "Дуб oak.\n");
    assert!(load("/agent", &[]).out.contains(&format!("duramen/{}", env!("CARGO_PKG_VERSION"))));

    let missing = load("/missing", &["--output-format", "csv"]);
    assert_eq!(missing.code, 1);
    assert!(missing.err.contains("/missing: cannot be loaded: ") && missing.err.contains("404"), "{missing}");
    assert!(missing.out.contains(",error,"), "{missing}");

    let started = Instant::now();
    let slow = load("/slow", &["--timeout", "1", "--output-format", "csv"]);
    assert!(started.elapsed() < Duration::from_secs(15), "the limit holds");
    assert_eq!(slow.code, 1);
    assert!(
        slow.err.contains("not finished after 1 s; allow more time (--max-seconds; for loading --timeout;"),
        "{slow}"
    );
    assert!(slow.out.contains(",timeout,"), "{slow}");

    let large = load("/large", &["--max-bytes", "5000", "--output-format", "csv"]);
    assert_eq!(large.code, 1);
    assert!(large.err.contains("the limit is 5000") && large.out.contains(",too-large,"), "{large}");

    // Nobody listens, no such scheme, no address at all: each is named, the good page is not lost.
    place.write("list.txt", format!("# a list\n\nhttp://127.0.0.1:1/\n{}\nno address\n", url("/article")));
    let ended =
        place.run(&extract(&["--input-file", "list.txt", "--private-addresses", "--output-dir", "out"]));
    assert_eq!(ended.code, 1);
    assert_eq!(ended.err.matches("cannot be loaded").count(), 2, "{ended}");
    let statuses = place.read("out/pages.csv");
    assert_eq!((statuses.matches(",error,").count(), statuses.matches(",ok,").count()), (2, 1), "{statuses}");
    assert!(
        place.run(&["explain", "--private-addresses", "--URL", &url("/article"), "-o", "why.html"]).code == 0
    );
}

#[test]
fn a_page_that_takes_too_long_is_a_failed_page() {
    let place = Place::new();
    place.write("pages/a.html", ARTICLE);
    place.write("pages/b.html", ARTICLE);
    let ended = place.run(&["extract", "--max-seconds", "0", "--input-dir", "pages", "-d", "out"]);
    assert_eq!(ended.code, 1);
    assert_eq!(
        ended.err.matches("not finished after 0 s; allow more time (--max-seconds").count(),
        2,
        "{ended}"
    );
    assert_eq!(place.read("out/pages.csv").matches(",timeout,").count(), 2);
    // The pages of a site are read together.
    let site = [
        "extract",
        "--extractor",
        "forest",
        "--max-seconds",
        "0",
        "pages/a.html",
        "pages/b.html",
        "--output-format",
        "csv",
    ];
    assert_eq!(place.run(&site).out.matches(",timeout,").count(), 2);
    let enough = place.run(&["extract", "--max-seconds", "3600", "pages/a.html"]);
    assert_eq!((enough.code, enough.out), (0, place.ok(&["extract", "pages/a.html"])));
}

#[test]
fn quiet_is_quiet_and_verbose_says_more() {
    let place = Place::new();
    let train = ["train", "--dataset", "synth", "--max-pages", "2", "-o", "m.json"];
    assert_eq!(place.run(&[&train[..], &["-q"]].concat()).err, "");
    let usual = place.run(&train).err;
    let more = place.run(&[&train[..], &["-v"]].concat()).err;
    assert!(more.len() > usual.len() && !usual.is_empty(), "{usual}\n{more}");
    let ended = place.run(&["extract", "-q", "missing.html"]);
    assert!(ended.err.contains("there is no such file"), "errors are said all the same");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let place = Place::new();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_duramen"))
        .args(["model", "show", "news-blocks"])
        .current_dir(place.folder.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_model_is_fetched_once_and_then_known_by_name() {
    let place = Place::new();
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/models");
    let with = |arguments: &[&'static str]| [&["--model-dir", "here"], arguments].concat();
    let missing = place.run(&with(&["extract", "--model", "news", "page.html"]));
    assert!(
        missing.code == 3
            && missing.err.contains("duramen model fetch news, ")
            && missing.err.contains("--from models"),
        "{missing}"
    );
    let list = place.ok(&with(&["model", "list"]));
    assert!(list.contains("in the program") && list.contains("research use only"), "{list}");
    assert!(!list.contains("news.json") && list.matches("not fetched").count() == 2, "{list}");
    let fetched = place.run(&with(&["model", "fetch", "news", "--from", models]));
    assert!(fetched.code == 0 && fetched.err.contains("licence of news: trained on L3S-GN1"), "{fetched}");
    assert!(fetched.out.contains("news fetched: 685563 bytes in"), "{fetched}");
    let again = place.ok(&with(&["model", "fetch", "news", "--from", models]));
    assert!(again.contains("news was there"), "{again}");
    let list = place.ok(&with(&["model", "list"]));
    assert!(list.contains("news.json") && list.matches("not fetched").count() == 1, "{list}");
    let text = place.ok(&with(&["extract", "--model", "news", "page.html"]));
    assert!(text.contains("The oldest oak of the village fell"), "{text}");
    // Without its folder named, it is looked for below the data folder.
    let mut below = place.command(&["extract", "--model", "news", "page.html"]);
    below.env_remove("DURAMEN_MODEL_DIR").env("DURAMEN_DATA_DIR", "data");
    let missing = place.end(below);
    assert!(missing.code == 3 && missing.err.contains("data/models"), "{missing}");
    std::fs::create_dir_all(place.path("data")).unwrap();
    std::fs::rename(place.path("here"), place.path("data/models")).unwrap();
    let mut below = place.command(&["extract", "--model", "news", "page.html"]);
    below.env_remove("DURAMEN_MODEL_DIR").env("DURAMEN_DATA_DIR", "data");
    assert_eq!(place.end(below).out, text);
    for (arguments, code, said) in [
        (&["model", "fetch", "web", "--from", models][..], 2, "is in the program"),
        (&["model", "fetch", "nws", "--from", models], 2, "did you mean 'news'?"),
        (&["model", "fetch", "news-blocks", "--from", "nowhere"], 3, "there is no such folder"),
        (&["model", "fetch", "news-blocks", "--from", "data"], 3, "holds no news-blocks.json"),
        (&["model", "fetch", "news-blocks"], 2, "--from <DIR|URL>"),
    ] {
        let refused = place.run(&[&["--model-dir", "here"], arguments].concat());
        assert!(refused.code == code && refused.err.contains(said), "{arguments:?}: {refused}");
    }
}
