//! The real archives: every page readable, the counts and the listed bad pages as their manifests say.

use crate::support;
use std::collections::{BTreeMap, BTreeSet};

use duramen::Label;
use duramen::alignment::find_text;
use duramen::convention::Inclusion;
use duramen::dataset::transfer::place_labels;
use duramen::dataset::{self, Corpus, Document, Gold, Rule, Same};
use duramen::dom::{Dom, Limits};

/// Pages of which neither the index nor the page itself tells the host.
const SCHEMA_ORG_WITHOUT_HOST: &[&str] = &["77", "98"];

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
        .filter(|document| document.host == duramen::host::UNKNOWN)
        .map(|document| &*document.id)
        .collect();
    let expected: &[&str] = match name {
        "wcxb" => &["0551", "4547"],
        "schema-org" => SCHEMA_ORG_WITHOUT_HOST,
        // Its index has no host for 760 pages, of which 448 state it themselves.
        "unlabelled" => &unknown[..312],
        _ => &[],
    };
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
    let missing = by_rule(&|document| document.gold == Gold::Missing);
    match corpus.has_references() {
        true => assert_eq!(missing, listed(&corpus, Rule::NoGold), "{name}: no gold"),
        false => assert_eq!(missing.len(), documents.len(), "{name}: a gold"),
    }
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

/// Lower-case runs of letters, digits and underscores with their number; characters, of scripts without spaces.
fn words(text: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let mut count = |word: &str| *counts.entry(word.to_lowercase()).or_insert(0) += 1;
    for run in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
        let mut start = 0;
        for (at, c) in run.char_indices().filter(|(_, c)| is_unspaced(*c)) {
            if start < at {
                count(&run[start..at]);
            }
            start = at + c.len_utf8();
            count(&run[at..start]);
        }
        if start < run.len() {
            count(&run[start..]);
        }
    }
    counts
}

/// Thai, Lao, Burmese, Khmer, kana, and Chinese characters.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}')
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
    without_references(&(text + &html[at..]))
}

/// The text with its numeric character references decoded; some pages have every letter beyond ASCII as one.
fn without_references(text: &str) -> String {
    let mut parts = text.split("&#");
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once(';').unwrap_or(("", part));
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => number.parse().ok(),
        };
        match code.and_then(char::from_u32) {
            Some(c) => decoded.extend([c.to_string().as_str(), rest]),
            None => decoded.extend(["&#", part]),
        }
    }
    decoded
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
        *types.entry(document.page_type.clone().unwrap()).or_insert(0) += 1;
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
fn the_corpora_with_an_index_are_read_whole() {
    for (name, hosts, languages) in [
        ("dragnet", 214, 1),
        ("waddle", 344, 5),
        ("krdwrd-canola/running-text", 181, 1),
        ("krdwrd-canola/with-headings", 181, 1),
        ("fundus", 118, 19),
        ("wwwxmu", 5, 1),
        ("postlight", 85, 5),
        ("site-rules", 52, 11),
        ("schema-org", 87, 15),
        ("newspaper3k", 45, 3),
        ("omnivore", 60, 4),
        ("llm-webkit", 38, 6),
        ("webforum52", 30, 0),
        ("blocks152/with-links", 65, 0),
        ("blocks152/strict", 65, 0),
        ("terms", 105, 0),
        ("unlabelled", 1626, 39),
    ] {
        let Some(documents) = check(name, hosts) else { return };
        let found: BTreeSet<&str> = documents.iter().filter_map(|page| page.language.as_deref()).collect();
        assert_eq!(found.len(), languages, "{name}: languages {found:?}");
        let texts = documents.iter().filter_map(|page| match &page.gold {
            Gold::Text(text) => Some(text),
            _ => None,
        });
        let comments = texts.clone().filter(|text| text.comments.is_some()).count();
        assert_eq!(comments, if name == "dragnet" { 217 } else { 0 }, "{name}: comments");
        let has_type = |page: &Document| {
            page.page_type.is_some() || name == "unlabelled" || name.starts_with("blocks152")
        };
        assert!(documents.iter().all(has_type), "{name}: a page without type");
        // Where the convention knows it, all pages have the headline at one place.
        let is_apart: BTreeSet<bool> = texts.map(|text| text.is_title_apart).collect();
        let (manifest, part) = dataset::resolve(name).unwrap();
        match manifest.convention(&part).headline {
            Some(Inclusion::In) => assert_eq!(is_apart, [false].into(), "{name}"),
            Some(Inclusion::Out) => assert_eq!(is_apart, [true].into(), "{name}"),
            Some(Inclusion::Some) => assert_eq!(is_apart.len(), 2, "{name}"),
            None => assert!(name == "unlabelled" || name.starts_with("blocks152"), "{name}"),
        }
    }
}

/// The labels of `read` stand on their pages, and two readings agree as the manifest says.
#[test]
fn labels_by_reading_stand_on_their_pages_and_two_readings_agree() {
    let Some(data_dir) = support::corpus("read/first") else { return };
    let [first, second] = ["read/first", "read/second"].map(|name| dataset::open(name, &data_dir).unwrap());
    assert_eq!((first.len(), first.misfits(), second.misfits()), (2545, &[][..], &[][..]));
    let place = |document: &Document| {
        let Gold::Nodes(labels) = &document.gold else { panic!("{}: no labels", document.id) };
        let dom = Dom::parse(&document.html, None, &Limits::default()).unwrap();
        let placed = place_labels(&dom, labels);
        assert_eq!(placed.objection(labels.unlabelled), None, "{}", document.id);
        placed.gold
    };
    let ids: Vec<&str> = first.ids().collect();
    // Words by label of the first reading and that of the second.
    let mut words = [[0u64; Label::COUNT]; Label::COUNT];
    for (index, id) in second.ids().enumerate() {
        let of_first =
            first.read(ids.iter().position(|known| *known == id).expect("it was read twice")).unwrap();
        let of_second = second.read(index).unwrap();
        let [one, other] = [&of_first, &of_second].map(place);
        for (node, counts) in one.iter() {
            let labels = [&one, &other].map(|gold| gold.label(node).expect("it has words").index());
            words[labels[0]][labels[1]] += counts.iter().map(|&n| u64::from(n)).sum::<u64>();
        }
    }
    let all = words.as_flattened().iter().sum::<u64>() as f64;
    let same = (0..Label::COUNT).map(|l| words[l][l]).sum::<u64>() as f64 / all;
    let share = |l: usize, of_first: bool| {
        let one = |other: usize| if of_first { words[l][other] } else { words[other][l] };
        (0..Label::COUNT).map(one).sum::<u64>() as f64 / all
    };
    let chance: f64 = (0..Label::COUNT).map(|l| share(l, true) * share(l, false)).sum();
    let kappa = (same - chance) / (1.0 - chance);
    assert!((kappa - 0.956).abs() < 0.005, "kappa {kappa}");
}

/// Pages that declare another charset than their bytes have: their references stand on them all the same.
#[test]
fn references_stand_on_pages_that_declare_a_wrong_charset() {
    let mut declared_wrongly = 0;
    for name in ["waddle", "fundus", "wwwxmu", "postlight", "schema-org"] {
        let Some((_, documents)) = read_all(name) else { return };
        for document in documents {
            let head = &document.html[..document.html.len().min(4096)];
            let declared = String::from_utf8_lossy(head).to_lowercase();
            let declared = declared.split("charset=").nth(1).map(|rest| rest.trim_start_matches(['"', '\'']));
            let Ok(html) = std::str::from_utf8(&document.html) else { continue };
            if html.is_ascii() || declared.is_none_or(|label| label.starts_with("utf")) {
                continue;
            }
            declared_wrongly += 1;
            let Gold::Text(gold) = &document.gold else { panic!("{name} {}: no text", document.id) };
            let dom = Dom::parse(&document.html, None, &Limits::default()).unwrap();
            let (found, all) = find_text(&dom, &gold.text).unwrap().text_tokens();
            assert!(found * 100 >= all * 96, "{name} {}: {found} of {all} words found", document.id);
        }
    }
    assert!(declared_wrongly >= 74, "{declared_wrongly} pages");
}

#[test]
fn pages_that_known_corpora_share_are_those_that_their_notes_name() {
    let names = ["site-rules", "schema-org", "krdwrd-canola", "fundus"];
    let mut corpora = Vec::new();
    for name in names {
        let Some(data_dir) = support::corpus(name) else { return };
        corpora.push(dataset::open(name, &data_dir).unwrap());
    }
    for overlap in dataset::overlaps(&corpora, &duramen::progress::Silent).unwrap() {
        let is_told = overlap.corpora == ["site-rules", "schema-org"];
        assert_eq!(overlap.pages.len(), if is_told { 11 } else { 0 }, "{:?}", overlap.corpora);
        if is_told {
            assert_eq!(overlap.hosts.len(), 10);
            assert!(overlap.pages.iter().all(|page| page.same == Same::Bytes));
        }
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
