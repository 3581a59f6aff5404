//! A model changed by a person's own pages is tried on pages held out, and kept as it is where that is better.

use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use tempfile::TempDir;

/// Runs the program in a folder; exit code, what it wrote and what it said.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_duramen"));
    command.current_dir(folder).args(arguments).timeout(Duration::from_secs(240));
    command.env_remove("COLUMNS").env_remove("DURAMEN_DATA_DIR").env_remove("DURAMEN_MIRROR");
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// A paragraph of a story, other in each page and place.
fn paragraph(page: usize, place: usize) -> String {
    let trees = ["oak", "beech", "alder", "willow", "larch", "hazel"];
    let (one, other) = (trees[page % 6], trees[(page + place + 1) % 6]);
    format!(
        "In year {place} of page {page} the {one} by the river was {page}{place} feet high, and those who came to measure it \
         said that the {other} on the hill had grown faster than anybody in the village could remember."
    )
}

/// Pages with their texts in the folder `site`. Of the odd ones what the template calls a footer is the article.
fn site(pages: usize, is_odd: bool) -> TempDir {
    let folder = TempDir::new().unwrap();
    std::fs::create_dir(folder.path().join("site")).unwrap();
    for page in 0..pages {
        let story: Vec<String> = (0..4).map(|place| paragraph(page, place)).collect();
        let shown: String = story.iter().map(|text| format!("<p>{text}</p>")).collect();
        let html = match is_odd {
            true => format!(
                "<title>Page {page}</title><body><div class='main article-body'><p>{}</p><p>{}</p></div>\
                 <footer class='footer widget'><p>{}</p></footer></body>",
                "Buy our things today, they are cheap and good. ".repeat(4),
                "Sign up for news of our shop, it costs nothing at all. ".repeat(3),
                story[0],
            ),
            false => format!(
                "<title>Page {page}</title><body><nav><a href='/'>Home</a> <a href='/b'>Trees</a></nav>\
                 <article>{shown}</article><footer><a href='/c'>Imprint</a></footer></body>"
            ),
        };
        let text = if is_odd { story[0].clone() } else { story.join("\n") };
        std::fs::write(folder.path().join(format!("site/p{page}.html")), html).unwrap();
        std::fs::write(folder.path().join(format!("site/p{page}.txt")), text).unwrap();
    }
    folder
}

#[test]
fn adapting_that_does_not_help_keeps_the_model_as_it_is() {
    let folder = site(6, false);
    let place = folder.path();
    for threads in ["1", "2"] {
        let file = format!("{threads}.json");
        let (code, _, said) = run(place, &["adapt", "site", "-o", &file, "--threads", threads]);
        assert_eq!(code, 0, "{said}");
        assert!(said.contains("web kept as it is"), "{said}");
        assert!(said.contains("on 6 pages held out in turn"), "{said}");
    }
    let file = |name: &str| std::fs::read(place.join(name)).unwrap();
    assert_eq!(file("1.json"), file("2.json"));
    let (_, shown, _) = run(place, &["model", "show", "1.json"]);
    assert!(!shown.contains("6 with their text"), "{shown}");
    // Asked for in so many words it is done, and told.
    let (code, _, said) = run(place, &["adapt", "site", "-o", "m.json", "--strength", "5"]);
    assert!(code == 0 && said.contains("adapted to 6 pages, 6 of them with their text"), "{said}");
    assert!(said.contains("held out in turn"), "{said}");
}

#[test]
fn adapting_that_helps_on_pages_held_out_is_done() {
    let folder = site(8, true);
    let (code, _, said) = run(folder.path(), &["adapt", "site", "-o", "m.json"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("adapted to 8 pages, 8 of them with their text"), "{said}");
    assert!(said.contains("on 8 pages held out in turn") && said.contains("what changes, on "), "{said}");
}

#[test]
fn a_model_is_recalibrated_if_its_text_gets_better_or_if_it_is_asked_for_always() {
    let folder = site(6, false);
    let place = folder.path();
    let (code, _, said) =
        run(place, &["model", "recalibrate", "web", "--dataset", "site", "-o", "kept.json"]);
    assert!(code == 0 && said.contains("web kept as it is"), "{said}");
    let always = ["model", "recalibrate", "web", "--dataset", "site", "--always", "-o", "fitted.json"];
    let (code, _, said) = run(place, &always);
    assert!(code == 0 && said.contains("expected calibration error"), "{said}");
    let file = |name: &str| std::fs::read(place.join(name)).unwrap();
    assert_ne!(file("kept.json"), file("fitted.json"));
}

#[test]
fn texts_alone_train_with_weights_and_few_pages_are_told_of() {
    let folder = site(6, false);
    let place = folder.path();
    let (code, _, said) = run(place, &["train", "--dataset", "site", "-o", "own.json"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("reference texts and no labels") && said.contains("duramen adapt"), "{said}");
    let (code, _, said) = run(place, &["train", "--weights", "--dataset", "site", "-o", "weighted.json"]);
    assert_eq!(code, 0, "{said}");
    let file = |name: &str| std::fs::read(place.join(name)).unwrap();
    assert_eq!(file("own.json"), file("weighted.json"));
}

#[test]
fn few_hosts_give_intervals_over_pages_and_a_check_ends_with_a_verdict() {
    let folder = site(6, false);
    let place = folder.path();
    let (code, tables, said) = run(place, &["evaluate", "--dataset", "site", "--extractor", "everything"]);
    assert_eq!(code, 0, "{said}");
    assert!(tables.contains("95 % interval over pages") && tables.contains(" ["), "{tables}");
    assert!(said.contains("site: a folder without manifest, references beside the pages"), "{said}");
    assert!(!said.contains("datasets/README.md for what"), "{said}");
    let (_, tables, _) = run(place, &["data", "check", "site"]);
    let verdict = tables.lines().last().unwrap();
    assert!(verdict.contains("enough for `duramen model recalibrate`"), "{verdict}");
    assert!(verdict.contains("too few for `duramen train`"), "{verdict}");
    std::fs::remove_file(place.join("site/p1.txt")).unwrap();
    std::fs::write(place.join("site/p1.jsonl"), "{\"xpath\": \"//p\", \"label\": \"headlin\"}\n").unwrap();
    let (_, _, said) = run(place, &["model", "recalibrate", "web", "--dataset", "site", "-o", "m.json"]);
    assert!(said.contains("left out p1: p1.jsonl, line 1: unknown label"), "{said}");
}
