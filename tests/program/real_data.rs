//! The real archives: every page readable, the counts and the listed bad pages as their manifests say.

use crate::support;
use std::collections::{BTreeMap, BTreeSet};

use duramen::dataset::{self, Corpus, Document, Gold, Rule, host};

/// Opens a corpus with its bad pages and reads everything; `None` where the archives are not there.
fn read_all(name: &str) -> Option<(Corpus, Vec<Document>)> {
    let data_dir = support::corpus(name)?;
    let corpus = dataset::open(name, &data_dir).unwrap().with_bad_pages();
    let documents: Vec<Document> = (0..corpus.len()).map(|index| corpus.read(index).unwrap()).collect();
    for document in &documents {
        assert!(!document.html.is_empty(), "{} {}: an empty page", corpus.label(), document.id);
    }
    let unknown: Vec<&str> = documents
        .iter()
        .filter(|document| document.host == host::UNKNOWN)
        .map(|document| &*document.id)
        .collect();
    let expected: &[&str] = if name == "wcxb" { &["0551", "4547"] } else { &[] };
    assert_eq!(unknown, expected, "{name}: pages without host");
    Some((corpus, documents))
}

/// The ids that the manifest lists by a rule.
fn listed(corpus: &Corpus, rule: Rule) -> Vec<String> {
    let pages = corpus.manifest().bad_pages(corpus.part()).into_iter();
    let mut ids: Vec<String> = pages.filter(|page| page.rule == rule).map(|page| page.id).collect();
    ids.sort();
    ids
}

/// Checks the number of hosts and the three rules that can be computed.
fn check(name: &str, hosts: usize) -> Option<Vec<Document>> {
    let (corpus, documents) = read_all(name)?;
    let found: BTreeSet<&str> = documents.iter().map(|document| document.host.as_str()).collect();
    assert_eq!(found.len(), hosts, "{name}: hosts");
    let by_rule = |wanted: &dyn Fn(&Document) -> bool| -> Vec<String> {
        documents.iter().filter(|document| wanted(document)).map(|document| document.id.clone()).collect()
    };
    assert_eq!(
        by_rule(&|document| document.gold == Gold::Missing),
        listed(&corpus, Rule::NoGold),
        "{name}: no gold"
    );
    let text = |document: &Document| match &document.gold {
        Gold::Text(text) => Some(text.text.clone()),
        _ => None,
    };
    let empty = |document: &Document| text(document).is_some_and(|text| words(&text).is_empty());
    assert_eq!(by_rule(&empty), listed(&corpus, Rule::EmptyGold), "{name}: empty golds");
    let elsewhere: BTreeSet<String> = listed(&corpus, Rule::GoldNotMatching).into_iter().collect();
    let not_in_page = |document: &Document| {
        !elsewhere.contains(&document.id)
            && text(document)
                .is_some_and(|text| share_in_page(&text, &document.html).is_some_and(|share| share < 0.5))
    };
    assert_eq!(by_rule(&not_in_page), listed(&corpus, Rule::GoldNotInPage), "{name}: golds not in the page");
    Some(documents)
}

/// Lower-case runs of letters, digits and underscores with their number.
fn words(text: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()) {
        *counts.entry(word.to_lowercase()).or_insert(0) += 1;
    }
    counts
}

/// The share of a gold's words that stand in the page's text; `None` for a gold without words.
fn share_in_page(gold: &str, html: &[u8]) -> Option<f64> {
    let html = match std::str::from_utf8(html) {
        Ok(html) => html.to_owned(),
        Err(_) => encoding_rs::WINDOWS_1252.decode(html).0.into_owned(),
    };
    let (gold, page) = (words(gold), words(&plain_text(&html)));
    let total: usize = gold.values().sum();
    let found: usize = gold.iter().map(|(word, &n)| n.min(page.get(word).copied().unwrap_or(0))).sum();
    (total > 0).then(|| found as f64 / total as f64)
}

/// A page's text, roughly: without tags, comments, scripts and style sheets. A rule by counts needs no better, and
/// its finding then does not hang on the parser under test.
fn plain_text(html: &str) -> String {
    let lower = html.to_ascii_lowercase();
    let mut text = String::new();
    let mut at = 0;
    while let Some(tag) = lower[at..].find('<') {
        text.push_str(&html[at..at + tag]);
        text.push(' ');
        at += tag;
        let end = match &lower[at..] {
            rest if rest.starts_with("<!--") => "-->",
            rest if rest.starts_with("<script") => "</script",
            rest if rest.starts_with("<style") => "</style",
            _ => ">",
        };
        at = lower[at..].find(end).map_or(html.len(), |found| at + found + end.len());
    }
    text + &html[at..]
}

#[test]
fn l3s_gn1_is_read_whole() {
    let Some(documents) = check("l3s-gn1", 358) else { return };
    assert!(
        documents.iter().all(|document| matches!(&document.gold, Gold::Annotated(gold) if !gold.is_empty()))
    );
}

#[test]
fn wcxb_dev_is_read_whole() {
    let Some(documents) = check("wcxb", 1236) else { return };
    let mut types: BTreeMap<String, usize> = BTreeMap::new();
    for document in &documents {
        let Gold::Text(gold) = &document.gold else { panic!("{}: no text", document.id) };
        *types.entry(gold.page_type.clone().unwrap()).or_insert(0) += 1;
        assert!(gold.title.is_some() && !document.html.starts_with(b"\x1f\x8b"));
    }
    assert_eq!(types["article"], 793);
    assert_eq!(types.len(), 7);
}

#[test]
fn cleaneval_is_read_whole() {
    check("cleaneval", 643);
    check("cleaneval/dev", 52);
}

#[test]
fn cleanportaleval_is_read_whole() {
    check("cleanportaleval", 4);
}

#[test]
fn big9_is_read_whole_and_has_nine_sites_of_forty_pages() {
    let Some(documents) = check("big9", 9) else { return };
    let mut sites: BTreeMap<&str, usize> = BTreeMap::new();
    for document in &documents {
        *sites.entry(&document.host).or_insert(0) += 1;
    }
    assert!(sites.values().all(|&pages| pages == 40), "{sites:?}");
    for year in ["2005", "2009", "2013", "2017"] {
        assert_eq!(check(&format!("big9/{year}"), 9).unwrap().len(), 90);
    }
}

#[test]
fn a_fetched_corpus_verifies_and_has_a_checksum_of_its_own() {
    let Some(data_dir) = support::corpus("l3s-gn1") else { return };
    let (manifest, part) = dataset::resolve("l3s-gn1").unwrap();
    let verified = dataset::verify(
        &manifest,
        &part,
        &data_dir,
        &duramen::progress::Silent,
        &std::sync::atomic::AtomicBool::new(false),
    )
    .unwrap();
    assert!(matches!(verified, dataset::Verified::Files { files: 1245, .. }), "{verified:?}");
    let corpus = dataset::open("l3s-gn1", &data_dir).unwrap();
    assert_eq!(corpus.len() + corpus.left_out().count(), 621);
    let sum = corpus.checksum().unwrap();
    assert_eq!(sum, corpus.checksum().unwrap());
    assert_ne!(sum, corpus.with_bad_pages().checksum().unwrap());
}
