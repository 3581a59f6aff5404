//! Text that a site repeats: counted over folders and web archives, and dropped.

use serde_json::Value;

use crate::command_line::Place;

/// A page with its own article, and what its site has on every page.
fn page(site: &str, number: usize) -> String {
    let story = format!(
        "The oak number {number} of {site} fell in the night, and nobody heard it, though it had stood for 300 years."
    );
    format!(
        "<!DOCTYPE html><title>Oak {number}</title><link rel=canonical href='https://www.{site}/{number}'>\
         <ul><li><a href=/>Home of {site}</a></li><li><a href=/trees>Trees</a></li></ul>\
         <article><h1>Oak number {number}</h1><p>{story}</p><p>{story} Its wood is to become a bench, the mayor said on Tuesday.</p>\
         <p>Every   Monday we write of all the trees that fell, and whoever reads it can send us what they saw.</p></article>"
    )
}

/// Five pages of a site, two of another, one page twice, one without text, and one that is too large.
fn place() -> Place {
    let place = Place::new();
    for number in 0..5 {
        place.write(&format!("pages/a{number}.html"), page("a.example", number));
    }
    for number in 0..2 {
        place.write(&format!("pages/b{number}.html"), page("b.example", number));
    }
    place.write("pages/copy.html", page("a.example", 0));
    place.write("pages/empty.html", "<title>x</title>");
    place.write("pages/large.html", "x".repeat(5000));
    place
}

const COUNT: [&str; 5] = ["site-repeats", "--input-dir", "pages", "--max-bytes", "4000"];

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn number(row: &Value, name: &str) -> u64 {
    row[name].as_u64().unwrap_or_else(|| panic!("{name} in {row}"))
}

#[test]
fn pages_and_words_add_up() {
    let place = place();
    let ended = place.run(&[&COUNT[..], &["--jsonl"]].concat());
    assert_eq!(ended.code, 1, "{ended}");
    assert!(ended.err.contains("large.html") && ended.err.contains("--max-bytes"), "{ended}");
    assert!(ended.err.contains("10 pages: 7 counted, 1 failed, 1 empty, 1 duplicate;"), "{ended}");
    let rows = rows(&ended.out);
    let crawl = &rows[0];
    assert_eq!((crawl["kind"].as_str(), number(crawl, "min_pages")), (Some("crawl"), 3));
    let parts = ["counted", "failed", "empty", "duplicates"].map(|name| number(crawl, name));
    assert_eq!((number(crawl, "read"), parts), (10, [7, 1, 1, 1]));
    let of_kind = |kind: &str| rows.iter().filter(|row| row["kind"] == kind).collect::<Vec<_>>();
    let (sites, blocks) = (of_kind("site"), of_kind("block"));
    assert_eq!(sites.iter().map(|site| number(site, "pages")).sum::<u64>(), number(crawl, "counted"));
    assert_eq!(sites.iter().map(|site| &site["site"]).collect::<Vec<_>>(), ["a.example", "b.example"]);
    for site in &sites {
        let kept = number(site, "kept_words");
        assert!(kept > 0 && kept == number(site, "repeated_words") + number(site, "other_words"), "{site}");
        let of_site = blocks.iter().filter(|block| block["site"] == site["site"]);
        let repeated: u64 = of_site.map(|block| number(block, "words") * number(block, "kept")).sum();
        assert_eq!(repeated, number(site, "repeated_words"), "{site}");
    }
    let monday =
        "Every Monday we write of all the trees that fell, and whoever reads it can send us what they saw.";
    let found: Vec<&&Value> = blocks.iter().filter(|block| block["text"] == monday).collect();
    let [found] = found[..] else { panic!("{blocks:?}") };
    assert_eq!((number(found, "pages"), number(found, "of"), number(found, "words")), (5, 5, 20));
    assert_eq!(number(found, "kept") + number(found, "left_out"), 5);
    assert!(blocks.iter().all(|block| number(block, "pages") == 5), "{blocks:?}");
    // The other site has two pages.
    let two = place.run(&[&COUNT[..], &["--jsonl", "--min-pages", "2"]].concat());
    assert!(two.out.contains("Home of b.example"), "{two}");
    let one_thread = place.run(&[&COUNT[..], &["--jsonl", "--threads", "1"]].concat());
    assert_eq!(one_thread.out, ended.out);
}

#[test]
fn a_table_is_shown_and_a_file_is_whole_or_not_there() {
    let place = place();
    let shown = place.run(&COUNT);
    assert!(
        shown.out.contains("Sites with repeated text: 1") && shown.out.contains("| a.example"),
        "{shown}"
    );
    let ended = place.run(&["site-repeats", "pages/a0.html", "-o", "pages/a0.html"]);
    assert!(ended.code == 2 && ended.err.contains("this is read"), "{ended}");
    for (arguments, problem) in [
        (vec!["site-repeats"], "no page to count"),
        (vec!["site-repeats", "--min-pages", "1", "page.html"], "2 and up"),
        (vec!["site-repeats", "--extractor", "forest", "page.html"], "reads whole sites"),
        (vec!["extract", "--min-share", "0.5", "page.html"], "--drop-repeats"),
    ] {
        let ended = place.run(&arguments);
        assert!(ended.code == 2 && ended.err.contains(problem), "{ended}");
    }
}

#[test]
fn an_archive_is_counted_as_its_pages_are() {
    let place = Place::new();
    place.ok(&["data", "warc", "synth", "--max-pages", "40", "-o", "crawl.warc.gz", "-q"]);
    let counted = place.run(&["site-repeats", "--jsonl", "crawl.warc.gz"]);
    assert_eq!(counted.code, 0, "{counted}");
    let crawl = &rows(&counted.out)[0];
    assert_eq!((number(crawl, "read"), number(crawl, "counted")), (40, 40));
    assert!(rows(&counted.out).len() > 10, "{counted}");
    // A cut archive is told of, and what can be read is counted.
    let bytes = std::fs::read(place.path("crawl.warc.gz")).unwrap();
    place.write("cut.warc.gz", &bytes[..bytes.len() / 2]);
    let cut = place.run(&["site-repeats", "--jsonl", "cut.warc.gz", "nothing.warc.gz"]);
    assert!(cut.code == 1 && cut.err.contains("damaged") && cut.err.contains("nothing.warc.gz"), "{cut}");
    let crawl = &rows(&cut.out)[0];
    assert!((1..40).contains(&number(crawl, "counted")), "{crawl}");
}

#[test]
fn listed_text_is_dropped_on_enough_pages_and_nothing_by_default() {
    let place = place();
    place.run(&[&COUNT[..], &["--jsonl", "-o", "repeats.jsonl"]].concat());
    let page = ["extract", "pages/a1.html", "--recall"];
    let dropping =
        |more: &[&str]| place.ok(&[&page[..], &["--drop-repeats", "repeats.jsonl"], more].concat());
    let (whole, dropped) = (place.ok(&page), dropping(&[]));
    assert!(whole.contains("Every Monday") && whole.contains("The oak number 1"), "{whole}");
    assert!(!dropped.contains("Every Monday") && dropped.contains("The oak number 1"), "{dropped}");
    assert_eq!(dropping(&["--min-pages", "6"]), whole);
    assert_eq!(dropping(&["--min-share", "1"]), dropped);
    // The other site's list is not this one's.
    assert!(
        place
            .ok(&["extract", "pages/b1.html", "--recall", "--drop-repeats", "repeats.jsonl"])
            .contains("Every Monday")
    );
    let all = place.run(&[
        "extract",
        "--extractor",
        "xpath",
        "--set",
        "expression=//ul",
        "--json",
        "pages/a1.html",
        "--drop-repeats",
        "repeats.jsonl",
    ]);
    assert!(all.out.contains("\"status\": \"empty\"") && all.out.contains("repeated on its site"), "{all}");
    // "Home of a.example" and "Trees".
    assert!(all.out.contains("\"repeated_words\": 4"), "{all}");
    assert!(!place.ok(&["extract", "--json", "pages/a1.html"]).contains("repeated_words"));
    for (arguments, problem) in [
        (
            vec!["extract", "page.html", "--drop-repeats", "page.html"],
            "line 1 is not one of a list of repeated text",
        ),
        (vec!["extract", "page.html", "--drop-repeats", "none.jsonl"], "none.jsonl: there is no such file"),
        (
            vec!["extract", "page.html", "--drop-repeats", "repeats.jsonl", "--min-pages", "2"],
            "3 pages or more",
        ),
    ] {
        let ended = place.run(&arguments);
        assert!(ended.code >= 2 && ended.err.contains(problem), "{ended}");
    }
}
