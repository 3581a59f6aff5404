//! `extract --images`: which pictures are written, by which address, and bad input.

use serde_json::{Value, json};

use crate::command_line::Place;

/// An article with a figure, a photo that loads late, a picture in several sizes, an advertisement and a pixel that counts visits.
const ARTICLE: &str = r#"<!DOCTYPE html><html lang="en"><head><title>Town mourns its oak</title></head><body>
<ul><li><a href="/"><img src="/logo.png" alt="The Courier"></a></li><li><a href="/news">News</a></li></ul>
<div id="main"><h1>Town mourns its oak</h1>
<p>The oldest oak of Lindholm fell on Monday night, Mayor Maria Lindqvist said. The storm had lasted for six hours by then, and the
green around the tree had been closed in the evening, so that nobody was hurt when it fell.</p>
<figure><img src="data:image/gif;base64,R0lGODlh" data-src="mayor.jpg?w=600" width="600" height="400" alt="The mayor">
<noscript><img src="mayor.jpg?w=600"></noscript><figcaption>Maria Lindqvist at the green.</figcaption></figure>
<div class="ad"><img src="//ads.example/car.jpg"><span>Drive the new Roadster, says Peter Smith.</span></div>
<p>Lindqvist promised a new tree. Children of the school had measured the oak each spring for more than ninety years, and the last of
the numbers will be cut into the bench that is to be made from its wood, the mayor said on Tuesday.</p>
<div><picture><source srcset="oak-800.webp 800w, oak-1600.webp 1600w, broken 3q"><img src="oak.jpg"></picture>
The oak in the spring, as Lindqvist remembers it.</div>
<p>Nobody was hurt. The council will meet on Friday to hear what is to stand on the green, the mayor said.<img src="/pixel?id=3"
width="1" height="1"></p></div>
<template><img src="template.jpg"></template></body></html>"#;

fn record(place: &Place, arguments: &[&str]) -> Value {
    let all = [&["extract", "--json", "--images"], arguments, &["article.html"]].concat();
    serde_json::from_str(&place.ok(&all)).unwrap()
}

fn urls(record: &Value) -> Vec<&str> {
    record["images"].as_array().unwrap().iter().map(|image| image["url"].as_str().unwrap()).collect()
}

#[test]
fn article_images_keeps_the_images_whose_captions_name_whom_the_article_names() {
    let place = Place::new();
    place.write("article.html", ARTICLE);
    let url = ["--page-url", "https://courier.example/2008/oak.html"];
    let record = record(&place, &[&["--extractor", "article-images"], &url[..]].concat());
    // The first block around the figure is the article itself.
    assert_eq!(
        urls(&record),
        ["https://courier.example/2008/mayor.jpg?w=600", "https://courier.example/2008/oak-1600.webp"]
    );
    assert_eq!(
        record["images"][0],
        json!({
            "url": "https://courier.example/2008/mayor.jpg?w=600",
            "xpath": "/html[1]/body[1]/div[1]/figure[1]/img[1]",
            "probability": null,
            "caption": "Maria Lindqvist at the green.",
            "credit": null,
            "alt": "The mayor",
            "width": 600,
            "height": 400,
            "lead": false
        })
    );
    let text = record["text"].as_str().unwrap();
    assert!(text.contains("Nobody was hurt") && !text.contains("News"), "{text}");
}

#[test]
fn the_default_model_tells_the_images_of_the_article_and_the_one_that_stands_for_the_page() {
    let place = Place::new();
    let page =
        ARTICLE.replace("<title>", "<meta property='og:image' content='/2008/mayor.jpg'><title>").replace(
            "at the green.</figcaption>",
            "at the green. <span class='photo-credit'>Photo: Jo Ash</span></figcaption>",
        );
    place.write("article.html", page);
    let record = record(&place, &["--page-url", "https://courier.example/2008/oak.html"]);
    let found = urls(&record);
    assert!(found.contains(&"https://courier.example/2008/mayor.jpg?w=600"), "{found:?}");
    assert!(!found.iter().any(|url| url.contains("logo")), "{found:?}");
    let mayor = &record["images"][0];
    assert!(mayor["probability"].as_f64().unwrap() > 0.8, "{mayor}");
    assert_eq!((&mayor["credit"], &mayor["lead"]), (&json!("Photo: Jo Ash"), &json!(true)), "{mayor}");
    assert_eq!(record["lead_image"]["url"], json!("https://courier.example/2008/mayor.jpg"), "{record}");
    place.write("article.html", ARTICLE.replace("<img", "<b").replace("<source", "<b"));
    let record = self::record(&place, &[]);
    assert_eq!((&record["images"], &record["lead_image"]), (&json!([]), &Value::Null));
}

#[test]
fn a_model_of_images_that_is_none_is_refused_with_its_name() {
    let place = Place::new();
    place.write("article.html", ARTICLE);
    let bundled = include_str!("../../models/images/web.json");
    place.write("whole.json", bundled);
    place.ok(&["extract", "--json", "--images", "--image-model", "whole.json", "article.html"]);
    place.write("damaged.json", bundled.replacen("\"threshold\":0.5", "\"threshold\":0.6", 1));
    place.write("other.json", "{\"format\": \"duramen-model\"}");
    for (file, problem, code) in [
        ("damaged.json", "its checksum does not match", 3),
        ("other.json", "not a model of images", 3),
        ("missing.json", "no such file", 3),
    ] {
        let ended = place.run(&["extract", "--json", "--images", "--image-model", file, "article.html"]);
        assert!(ended.code == code && ended.err.contains(problem) && ended.err.contains(file), "{ended}");
    }
    let unused = place.run(&["extract", "--image-model", "whole.json", "article.html"]);
    assert!(unused.code == 2 && unused.err.contains("--images"), "{unused}");
}

#[cfg(unix)]
#[test]
fn a_program_may_tell_images_besides_its_text() {
    let place = Place::new();
    place.write("article.html", ARTICLE);
    let answer = r#"{"id": "article.html", "text": "Nobody was hurt.", "images": ["/logo.png", "nowhere.jpg"], "lead": "oak-800.webp"}"#;
    place.write("tell.sh", format!("while read -r request; do echo '{answer}'; done\n"));
    let record = record(
        &place,
        &["--extractor", "command", "--set", "program=sh tell.sh", "--set", "input=json-lines"],
    );
    assert_eq!(urls(&record), ["/logo.png"]);
    assert_eq!(record["lead_image"], json!({"url": "oak-800.webp", "probability": null}));
}

#[test]
fn each_picture_is_written_once_by_the_best_of_its_addresses() {
    let place = Place::new();
    place.write("article.html", ARTICLE);
    let markdown =
        place.ok(&["extract", "--extractor", "everything", "--images", "--markdown", "article.html"]);
    for once in ["](mayor.jpg?w=600)", "](oak-1600.webp)", "](/logo.png)"] {
        assert_eq!(markdown.matches(once).count(), 1, "{once} in {markdown}");
    }
    for never in ["data:", "template.jpg", "pixel", "broken"] {
        assert!(!markdown.contains(never), "{never} in {markdown}");
    }
    assert!(urls(&record(&place, &["--xpath", "//h1"])).is_empty());
}

#[test]
fn pages_without_images_and_with_ten_thousand_are_read() {
    let place = Place::new();
    place.write("article.html", "<p>Nothing but a line.");
    let ended =
        place.run(&["extract", "--json", "--images", "--extractor", "article-images", "article.html"]);
    let failed: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(
        (ended.code, &failed["status"], &failed["images"]),
        (1, &json!("empty"), &json!([])),
        "{ended}"
    );
    assert_eq!(record(&place, &["--extractor", "everything"])["images"], json!([]));
    let many: String =
        (0..10_000).map(|n| format!("<p>Line {n} <img src=a/{n}.jpg srcset=', ,,' alt>")).collect();
    place.write("article.html", many);
    assert_eq!(urls(&record(&place, &["--extractor", "everything"])).len(), 10_000);
}

/// A recogniser that says the same whatever it is asked.
#[cfg(unix)]
#[test]
fn any_program_recognises_the_entities() {
    let place = Place::new();
    place.write("article.html", ARTICLE);
    let answer = |line: &str| format!("while read -r request; do echo '{line}'; done\n");
    let run = |place: &Place| {
        let program = ["--set", "program=sh recognizer.sh", "--set", "frequent=1", "--set", "small=100000"];
        let head = ["extract", "--json", "--images", "--extractor", "article-images"];
        place.run(&[&head[..], &program, &["article.html"]].concat())
    };
    // The article, the block around the figure (the article again), the advertisement and the oak.
    let smith = r#"[{"kind": "PERSON", "name": "Peter Smith"}, {"kind": "DATE", "name": "Monday"}]"#;
    let monday = r#"[{"kind": "DATE", "name": "Monday"}]"#;
    place.write("recognizer.sh", answer(&format!(r#"{{"entities": [{smith}, {monday}, {smith}, []]}}"#)));
    let ended = run(&place);
    assert_eq!(ended.code, 0, "{ended}");
    assert_eq!(urls(&serde_json::from_str(&ended.out).unwrap()), ["//ads.example/car.jpg"]);
    for (line, problem) in [
        (r#"{"entities": [[]]}"#, "entities of 1 texts for 4"),
        (r#"{"error": "no model"}"#, "no model"),
        ("{}", "neither entities nor error"),
        ("nonsense", "no answer as it should be"),
    ] {
        place.write("recognizer.sh", answer(line));
        let ended = run(&place);
        assert!(ended.code == 1 && ended.err.contains(problem), "{line}: {ended}");
    }
    let with = |setting: &'static str| {
        place.run(&["extract", "--extractor", "article-images", "--set", setting, "article.html"])
    };
    let missing = with("program=nosuch");
    assert!(missing.code == 2 && missing.err.contains("there is no program 'nosuch'"), "{missing}");
    let empty = with("recognizer=command");
    assert!(empty.code == 2 && empty.err.contains("is empty"), "{empty}");
}
