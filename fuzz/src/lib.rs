//! What reads foreign bytes, as functions that fail by a panic: on a crash, and where a result contradicts what it must be.
//!
//! Each is a target of cargo-fuzz (`targets/`), and runs over the seeds and over what was found among the tests of Duramen.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use duramen::annotation::{Answer, Sheet};
use duramen::dataset::labelled::LabelledCorpus;
use duramen::dataset::{self, Manifest};
use duramen::dom::{Dom, Limits, XPathQuery};
use duramen::draws::{Array, Coordinate, Group, InferenceData};
use duramen::extract::feed::Feed;
use duramen::extract::render::{Kept, RenderOptions, to_html, to_markdown};
use duramen::model::{Model, ModelConfig};
use duramen::page::Page;
use duramen::progress::Silent;
use duramen::studies;
use duramen::warc::WarcReader;
use duramen::{Document, JsonParts, Label, Options, extract_with};
use quick_xml::events::Event;
use sha2::{Digest, Sha256};

pub mod reading_back;

/// A target's name and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// All targets but `css`, which is where it is run.
pub const TARGETS: [Target; 12] = [
    ("page", page),
    ("tokenizer", tokenizer),
    ("markdown", markdown),
    ("model", model),
    ("manifest", manifest),
    ("experiment", experiment),
    ("warc", warc),
    ("xpath", xpath),
    ("draws", draws),
    ("labels", labels),
    ("answers", answers),
    ("feed", feed),
];

/// A page for what needs one.
pub const PAGE: &str = "<title>Oak</title><nav><a href=/>Home</a><a href=/trees>Trees</a></nav><h1>The old oak fell</h1>\
    <p>The oldest oak of the village fell on Monday night, after a storm.<ul><li>One<li>Two</ul><pre>a\nb</pre>\
    <table><tr><td>1<td>2</table><p>Nobody was hurt, the mayor said.";

/// Bytes to an extraction, and all that can be written of it.
pub fn page(data: &[u8]) {
    static OPTIONS: LazyLock<[Options; 2]> = LazyLock::new(|| {
        ["web", "web-blocks"].map(|name| Options {
            url: Some("https://page.example/a/b".to_owned()),
            ..Options::of_model(Model::by_name(name).unwrap()).unwrap()
        })
    });
    // The length chooses, so that a page may be any bytes.
    let document = extract_with(data, &OPTIONS[data.len() % 2]).unwrap();
    if let Some(confidence) = document.confidence {
        assert!((0.0..=1.0).contains(&confidence), "{confidence}");
    }
    written(&document);
}

/// All that is written of a page can be read.
fn written(document: &Document) {
    let all = RenderOptions { links: true, images: true, tables: true, ..RenderOptions::default() };
    for options in [RenderOptions::default(), all] {
        document.markdown_with_metadata(&options);
        document.html(&options);
        well_formed(&document.xml(&options));
        well_formed(&document.tei(&options));
        let parts = JsonParts { images: true, nodes: true, structure: Some(options) };
        let json: serde_json::Value = serde_json::from_str(&document.json_line(parts)).unwrap();
        assert_eq!(json["text"].as_str().unwrap_or_default(), document.text);
    }
    document.text_with_metadata();
    document.csv(true);
}

fn well_formed(xml: &str) {
    let mut reader = quick_xml::Reader::from_str(xml);
    reader.config_mut().check_comments = true;
    while !matches!(reader.read_event().expect("well-formed XML"), Event::Eof) {}
}

/// Tokens and trees are those of html5ever's own tokenizer.
pub fn tokenizer(data: &[u8]) {
    let html = String::from_utf8_lossy(data);
    duramen::dom::reference_tokenizer::assert_same_tokens(&html);
    duramen::dom::reference_tokenizer::assert_same_tree(&html);
}

/// Whether a page has what Markdown writes in words or signs of its own: TeX, and elements and attributes of notes, formulas,
/// callouts, tabs and marked languages. Or what it leaves out: permalinks, buttons of code, characters without a width, control characters.
fn is_rewritten(dom: &Dom) -> bool {
    const NAMES: [&str; 8] = ["math", "sup", "details", "class", "role", "aria-label", "title", "name"];
    let name = |name: &str| NAMES.contains(&name) || name.starts_with("data-") || name.starts_with("mjx-");
    let char = |c: char| {
        matches!(c, '\\' | '$' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
            || c.is_control() && !c.is_whitespace()
    };
    // Images of formulas by their address; what others are told by is among the names.
    let formula = |source: &str| {
        ["/latex.codecogs.com/", "/math/render/", "cht=tx"].iter().any(|part| source.contains(part))
    };
    // Links to notes, and permalinks of headings, which are left out.
    let is_id = |name: &str| dom.ids().any(|id| dom.attribute(id, "id") == Some(name));
    let says_something = |text: &str| text.contains(char::is_alphanumeric);
    let says_nothing = |id| {
        // Blocks part a link into several.
        let is_sign = |id| !dom.text(id).trim().is_empty() && !says_something(dom.text(id));
        !says_something(&dom.text_content(id)) || dom.subtree(id).any(is_sign)
    };
    let is_rewritten = |id, key: &str, value: &str| match key {
        "src" => formula(value),
        "type" => value.starts_with("math/tex"),
        "href" => value.contains('#') && says_nothing(id) || value.strip_prefix('#').is_some_and(is_id),
        _ => name(key),
    };
    // Buttons beside code are left out, others are text.
    let has = |name: &str| dom.ids().any(|id| dom.name(id) == name);
    if has("button") && has("pre") {
        return true;
    }
    dom.ids().any(|id| {
        name(dom.name(id))
            || dom.attributes(id).any(|(key, value)| is_rewritten(id, key, value))
            || dom.text(id).contains(char)
    })
}

/// A reader of the Markdown sees the text of the page, and HTML rendered again is the same. Asterisks are not compared: where emphasis nests in
/// emphasis some are read as text.
pub fn markdown(data: &[u8]) {
    let url = Some("https://page.example/a/b".to_owned());
    let Ok(page) = Page::parse("page", url, data, Some("utf-8"), &Limits::default()) else { return };
    if is_rewritten(page.dom()) {
        return;
    }
    let kept = Kept::everything(&page);
    let text = |text: &str| reading_back::without_white_space(text).replace('*', "");
    let shown = text(&reading_back::blocks(&page).concat());
    let options = reading_back::all_options().nth(data.len() % 8).expect("there are eight");
    let markdown = to_markdown(&page, &kept, &options);
    let read = text(&reading_back::read_markdown(&markdown));
    assert_eq!(read, shown, "{markdown}");
    let html = to_html(&page, &kept, &options);
    let again = reading_back::page(&format!("<!DOCTYPE html><body>{html}"));
    assert_eq!(to_html(&again, &Kept::everything(&again), &options), html);
}

/// The body of a model file, with the right checksum: refused, or a model that comes back as it was written and labels a page.
pub fn model(data: &[u8]) {
    let Ok(body) = std::str::from_utf8(data) else { return };
    let checksum: String = Sha256::digest(data).iter().map(|byte| format!("{byte:02x}")).collect();
    for version in 1..=4 {
        let file = format!(
            "{{\"format\":\"duramen-model\",\"version\":{version},\"checksum\":\"{checksum}\",\"body\":{body}}}\n"
        );
        let Ok(model) = Model::from_json(&file, "model.json") else { continue };
        let json = model.to_json();
        assert_eq!(Model::from_json(&json, "model.json").expect("what was written is read").to_json(), json);
        if let Ok(document) =
            Options::of_model(model).and_then(|options| extract_with(PAGE.as_bytes(), &options))
        {
            written(&document);
        }
    }
}

/// A manifest, then the configuration of a model.
pub fn manifest(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(manifest) = Manifest::parse(text, "manifest.toml") {
        for part in &manifest.parts {
            manifest.part(Some(&part.name)).expect("a part is found by its name");
            manifest.label(part);
        }
    }
    if let Ok(config) = ModelConfig::from_toml(text, "model.toml") {
        config.check().expect("what was read was checked");
    }
}

/// An `experiment.toml`.
pub fn experiment(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(experiment) = studies::parse(text, "experiment.toml") {
        experiment.all_systems();
        experiment.datasets();
    }
}

/// A web archive: readers of its two halves find what one reader finds.
pub fn warc(data: &[u8]) {
    const MOST: u64 = 1 << 16;
    let Ok(reader) = WarcReader::new(Cursor::new(data), MOST) else { return };
    let mut whole = Vec::new();
    let mut is_damaged = false;
    for item in reader {
        match item {
            Ok(record) => {
                whole.push((record.offset, record.bytes.clone()));
                if let Ok(page) = record.page(MOST as usize) {
                    assert!(
                        page.body.is_err() || page.body.is_ok_and(|body| body.len() <= MOST as usize + 1)
                    );
                }
            }
            Err(_) => is_damaged = true,
        }
    }
    // Where a damaged record ends is guessed by either.
    if is_damaged {
        return;
    }
    let (middle, end) = (data.len() as u64 / 2, data.len() as u64);
    let halves = [0..middle, middle..end].into_iter().filter_map(|range| {
        Some(WarcReader::in_range(Cursor::new(data), MOST, range).ok()?.flatten().collect::<Vec<_>>())
    });
    let halves: Vec<(u64, Vec<u8>)> = halves.flatten().map(|record| (record.offset, record.bytes)).collect();
    assert_eq!(halves, whole);
}

/// An expression, a line end, and the page that it is asked of.
pub fn xpath(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (expression, html) = text.split_once('\n').unwrap_or((&text, PAGE));
    let Ok(query) = XPathQuery::parse(expression) else { return };
    let Ok(dom) = Dom::parse(html.as_bytes(), Some("utf-8"), &Limits::default()) else { return };
    if let Ok(found) = query.select(&dom) {
        for id in found {
            assert_eq!(dom.at_xpath(&dom.xpath(id)), Some(id));
        }
    }
}

/// A store of draws one of whose files was changed: which one the first byte says, the others are the file.
pub fn draws(data: &[u8]) {
    thread_local! {
        static STORE: (tempfile::TempDir, Vec<(PathBuf, Vec<u8>)>) = store();
    }
    let Some((which, contents)) = data.split_first() else { return };
    STORE.with(|(folder, files)| {
        let (path, whole) = &files[usize::from(*which) % files.len()];
        fs::write(path, contents).unwrap();
        let read = InferenceData::read_zarr(&folder.path().join("store"));
        fs::write(path, whole).unwrap();
        for group in read.iter().flat_map(|data| data.groups().values()) {
            for name in group.arrays().keys() {
                // An array without chains and draws says so.
                let _ = group.draws(name);
                let _ = group.series(name);
            }
        }
    });
}

/// A small store, and its files with what is in them.
fn store() -> (tempfile::TempDir, Vec<(PathBuf, Vec<u8>)>) {
    let mut posterior = Group::new();
    posterior.number_draws(2, 3).unwrap();
    posterior.insert_coordinate("tag", Coordinate::Names(vec!["p".into(), "div".into()])).unwrap();
    let theta = (0..12).map(f64::from).collect::<Vec<_>>();
    posterior.insert("theta", Array::new(["chain", "draw", "tag"], [2, 3, 2], theta).unwrap()).unwrap();
    let states = Array::new(["chain", "draw"], [2, 3], vec![0u8, 1, 2, 3, 4, 5]).unwrap();
    posterior.insert("states", states).unwrap();
    let mut data = InferenceData::new();
    data.insert("posterior", posterior).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    data.write_zarr(&store).unwrap();
    let mut files = Vec::new();
    files_below(&store, &mut files);
    files.sort();
    (folder, files)
}

fn files_below(folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files_below(&path, files),
            false => files.push((path.clone(), fs::read(&path).unwrap())),
        }
    }
}

/// A file of labels beside a page; the first byte says of which form.
pub fn labels(data: &[u8]) {
    thread_local! {
        static FOLDER: tempfile::TempDir = {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("page.html"), PAGE).unwrap();
            folder
        };
    }
    let Some((form, contents)) = data.split_first() else { return };
    FOLDER.with(|folder| {
        let ending = ["jsonl", "json", "csv", "txt"][usize::from(*form) % 4];
        let file = folder.path().join(format!("page.{ending}"));
        fs::write(&file, contents).unwrap();
        if let Ok(corpus) = dataset::open_pages(folder.path()) {
            let _ = LabelledCorpus::read(&corpus, None, false, &Silent);
        }
        fs::remove_file(file).unwrap();
    });
}

/// An answer to a sheet: refused with its faults, or written and read again as it is; and the sheet of any page can be answered.
pub fn answers(data: &[u8]) {
    static SHEET: LazyLock<Sheet> = LazyLock::new(|| Sheet::new(&reading_back::page(PAGE)));
    let text = String::from_utf8_lossy(data);
    let named = format!("sheet {}\n{text}", SHEET.digest);
    for answer in [&*text, &named] {
        if let Ok(answer) = Answer::read(answer, &SHEET) {
            assert_eq!(Answer::read(&answer.text(&SHEET), &SHEET).as_ref(), Ok(&answer));
        }
    }
    let Ok(page) = Page::parse("page", None, data, Some("utf-8"), &Limits::default()) else { return };
    let sheet = Sheet::new(&page);
    let labels = (0..sheet.blocks).map(|block| Label::ALL[block % Label::ALL.len()]).collect();
    let answer = Answer { labels, kind: None, is_doubtful: true, note: Some(text.into_owned()) };
    let read = Answer::read(&answer.text(&sheet), &sheet).expect("what was written is read");
    assert_eq!((read.labels, read.is_doubtful), (answer.labels, true));
}

/// An RSS or Atom feed.
pub fn feed(data: &[u8]) {
    if let Ok(feed) = Feed::parse("feed.xml", data) {
        feed.item_of(&reading_back::page(PAGE));
    }
}
