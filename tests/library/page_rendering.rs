//! Pages of our own with their labels, and what each format makes of them: one folder of `tests/pages` a page.
//!
//! In `page.html` the attribute `data-label` gives the label of the text in an element (the innermost decides,
//! without any it is not content); on `<html>`, `data-render` may hold `links`, `images`, `no-tables`, and
//! `data-url` the page's address. `UPDATE_PAGES=1 cargo test` writes the expected files anew: read the difference.

use std::fs;
use std::path::Path;

use duramen::dom::Limits;
use duramen::extract::Extraction;
use duramen::extract::render::{
    DocumentHead, RenderOptions, Selection, to_html, to_markdown, to_tei, to_text,
};
use duramen::page::Page;
use duramen::{Label, NodeMap};

fn attribute<'a>(page: &'a Page, name: &str) -> Option<&'a str> {
    page.dom().ids().find_map(|id| page.dom().attribute(id, name))
}

fn labels(page: &Page) -> NodeMap<Label> {
    let dom = page.dom();
    let mut labels = NodeMap::filled(dom.len(), Label::NotContent);
    for id in dom.ids().skip(1) {
        labels[id] = match dom.attribute(id, "data-label") {
            Some(name) => name.parse().unwrap(),
            None => labels[dom.parent(id).unwrap()],
        };
    }
    labels
}

/// What differs between the renderings of one folder and what is expected there.
fn differences(folder: &Path) -> Vec<String> {
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    let bytes = fs::read(folder.join("page.html")).unwrap();
    let parse = |url| Page::parse(&name, url, &bytes, Some("utf-8"), &Limits::default()).unwrap();
    let url = attribute(&parse(None), "data-url").map(str::to_owned);
    let page = parse(url);
    let asked = attribute(&page, "data-render").unwrap_or_default();
    let options = RenderOptions {
        links: asked.contains("links"),
        images: asked.contains("images"),
        tables: !asked.contains("no-tables"),
        ..RenderOptions::default()
    };
    let kept = Selection::default().kept(&page, &Extraction::from_labels(labels(&page))).unwrap();
    let written = [
        ("expected.txt", to_text(&page, &kept, &options)),
        ("expected.md", to_markdown(&page, &kept, &options)),
        ("expected.html", to_html(&page, &kept, &options)),
        ("expected.tei.xml", to_tei(&page, &kept, &options, &DocumentHead::default())),
    ];
    let mut differences = Vec::new();
    for (file, text) in written {
        let path = folder.join(file);
        if std::env::var_os("UPDATE_PAGES").is_some() {
            fs::write(&path, &text).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}/{file}: {error}"));
        if text != expected {
            differences.push(format!("{name}/{file}\n--- expected\n{expected}--- written\n{text}"));
        }
    }
    differences
}

#[test]
fn every_page_is_rendered_as_expected() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let mut folders: Vec<_> = fs::read_dir(pages).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() >= 9, "the pages are missing");
    let differences: Vec<String> = folders.iter().flat_map(|folder| differences(folder)).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
