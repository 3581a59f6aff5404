//! The corpus as a whole: the same bytes, the same words in both files, known shares of labels.

mod reader;

use std::collections::{BTreeMap, BTreeSet};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;
use sha2::{Digest as _, Sha256};

use super::*;
use crate::dom::digest::hex;
use crate::label::Label;
use crate::label::LabelSet;
use reader::{read, text_of, words};

fn corpus(config: &SynthConfig) -> Vec<SynthPage> {
    generate(config).unwrap()
}

/// The original's text by the encoding that the generator says it used.
fn decode(page: &SynthPage) -> String {
    Encoding::for_label(page.encoding.as_bytes()).unwrap().decode(&page.original).0.into_owned()
}

/// The original's text as a program must find it: mark, strict UTF-8, declaration, guess.
fn decode_unaided(page: &SynthPage) -> String {
    let bytes = &page.original;
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding.decode(bytes).0.into_owned();
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let ascii = String::from_utf8_lossy(&bytes[..1_024]).into_owned();
    let declared = ascii.split("charset=").nth(1).map(|rest| {
        let rest = rest.trim_start_matches('"');
        rest[..rest.find('"').unwrap()].to_owned()
    });
    let encoding = declared.and_then(|label| Encoding::for_label(label.as_bytes())).unwrap_or_else(|| {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(bytes, true);
        detector.guess(None, Utf8Detection::Allow)
    });
    encoding.decode(bytes).0.into_owned()
}

/// Panics with the first difference.
fn assert_same<T: PartialEq + std::fmt::Debug>(left: &[T], right: &[T], page: &SynthPage) {
    let at = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let here = |items: &[T]| format!("{:?}", &items[at.saturating_sub(3)..items.len().min(at + 3)]);
    assert!(at == left.len() && at == right.len(), "{}: {} or {}", page.url, here(left), here(right));
}

/// Token counts by label over pages, from the generator's own account.
fn shares(pages: &[SynthPage]) -> [f64; Label::COUNT] {
    let mut counts = [0usize; Label::COUNT];
    for (label, text) in pages.iter().flat_map(|page| &page.gold) {
        counts[label.index()] += words(text).len();
    }
    let total: usize = counts.iter().sum();
    counts.map(|count| count as f64 / total as f64)
}

/// Mean over pages of the token F1 of the main text when the texts that `keep` accepts are kept.
fn mean_f1(pages: &[SynthPage], keep: impl Fn(usize) -> bool) -> f64 {
    let mut sum = 0.0;
    for page in pages {
        let (mut hit, mut kept, mut wanted) = (0, 0, 0);
        for (label, text) in &page.gold {
            let count = words(text).len();
            let relevant = LabelSet::MAIN_TEXT.contains(*label);
            wanted += if relevant { count } else { 0 };
            if keep(count) {
                kept += count;
                hit += if relevant { count } else { 0 };
            }
        }
        sum += 2.0 * hit as f64 / (kept + wanted) as f64;
    }
    sum / pages.len() as f64
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let config = SynthConfig { sites: 7, pages_per_site: 2, ..SynthConfig::default() };
    let pages = corpus(&config);
    assert_eq!(pages, corpus(&config));
    let other = corpus(&SynthConfig { seed: 1, ..config });
    assert!(pages.iter().zip(&other).all(|(a, b)| a.original != b.original && a.id != b.id));
}

#[test]
fn a_page_does_not_depend_on_the_number_of_sites_and_pages() {
    let few = corpus(&SynthConfig { sites: 3, pages_per_site: 2, ..SynthConfig::default() });
    let many = corpus(&SynthConfig { sites: 5, pages_per_site: 4, ..SynthConfig::default() });
    for page in &few {
        assert!(many.contains(page), "{}", page.url);
    }
}

#[test]
fn both_files_hold_the_same_words_and_the_spans_say_their_labels() {
    // More faults than by default, so that every kind meets every layout.
    let config = SynthConfig {
        sites: 60,
        pages_per_site: 5,
        seed: 9,
        broken_share: 0.6,
        open_title_share: 0.05,
        misdeclared_share: 0.5,
    };
    let pages = corpus(&config);
    for page in &pages {
        let original = read(&decode(page));
        let annotated = read(std::str::from_utf8(&page.annotated).unwrap());
        assert_same(&words(&text_of(&original)), &words(&text_of(&annotated)), page);
        let labelled: Vec<(Label, String)> = annotated
            .iter()
            .flat_map(|(label, text)| words(text).into_iter().map(|word| (*label, word)))
            .collect();
        let gold: Vec<(Label, String)> = page
            .gold
            .iter()
            .flat_map(|(label, text)| words(text).into_iter().map(|word| (*label, word)))
            .collect();
        assert_same(&labelled, &gold, page);
        // The original gives nothing away.
        assert!(original.iter().all(|(label, _)| *label == Label::NotContent));
    }
    assert!(pages.iter().filter(|page| page.broken).count() > 120);
}

#[test]
fn most_misdeclared_pages_can_be_decoded_unaided() {
    let pages = corpus(&SynthConfig { sites: 200, misdeclared_share: 0.6, ..SynthConfig::default() });
    let mut wrong: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for page in pages.iter().filter(|page| decode(page) != decode_unaided(page)) {
        assert!(page.misdeclared, "{}", page.url);
        *wrong.entry((page.language, page.encoding)).or_default() += 1;
    }
    // A lone sign in an English page of no declared encoding is anyone's guess.
    assert!(wrong.values().sum::<usize>() * 50 < pages.len(), "{wrong:?}");
}

#[test]
fn pages_have_the_bytes_that_they_always_had() {
    let pages = corpus(&SynthConfig { sites: 300, pages_per_site: 2, seed: 5, ..SynthConfig::default() });
    let mut digest = Sha256::new();
    for page in &pages {
        digest.update(&page.url);
        digest.update(&page.original);
        digest.update(&page.annotated);
    }
    assert_eq!(hex(&digest.finalize()), "a59f593cf6a0972a587bf83ed987f1ceca9949ed7fc0ab824aa9abab19926107");
}

#[test]
fn every_language_and_encoding_occurs_and_stated_shares_hold() {
    let pages = corpus(&SynthConfig { sites: 300, pages_per_site: 2, ..SynthConfig::default() });
    let languages: BTreeSet<&str> = pages.iter().map(|page| page.language).collect();
    assert_eq!(languages.len(), 8, "{languages:?}");
    let mut encodings: BTreeMap<&str, usize> = BTreeMap::new();
    for page in &pages {
        *encodings.entry(page.encoding).or_default() += 1;
    }
    for encoding in
        ["utf-8", "utf-16", "iso-8859-1", "windows-1252", "windows-1251", "windows-1253", "shift_jis"]
    {
        assert!(encodings.contains_key(encoding), "{encodings:?}");
    }
    let share =
        |wanted: fn(&SynthPage) -> bool| pages.iter().filter(|page| wanted(page)).count() as f64 / 600.0;
    assert!((share(|page| page.broken) - 0.2575).abs() < 0.06, "{}", share(|page| page.broken));
    assert!((share(|page| page.misdeclared) - 0.2).abs() < 0.08, "{}", share(|page| page.misdeclared));
}

#[test]
fn identifiers_and_addresses_differ_and_hosts_are_reserved_names() {
    let pages = corpus(&SynthConfig::default());
    let ids: BTreeSet<&str> = pages.iter().map(|page| page.id.as_str()).collect();
    let urls: BTreeSet<&str> = pages.iter().map(|page| page.url.as_str()).collect();
    assert_eq!((ids.len(), urls.len()), (pages.len(), pages.len()));
    assert!(
        urls.iter().all(|address| url::Url::parse(address)
            .unwrap()
            .host_str()
            .unwrap()
            .ends_with(".example"))
    );
}

#[test]
fn the_default_corpus_has_every_label_in_stated_shares() {
    let pages = corpus(&SynthConfig::default());
    let shares = shares(&pages);
    for (label, share) in Label::ALL.into_iter().zip(shares) {
        println!("{label:>16} {share:.3} of the tokens");
    }
    let bounds = [(0.25, 0.45), (0.005, 0.03), (0.40, 0.60), (0.02, 0.08), (0.01, 0.05), (0.03, 0.15)];
    for ((label, share), (low, high)) in Label::ALL.into_iter().zip(shares).zip(bounds) {
        assert!((low..high).contains(&share), "{label}: {share:.3}");
    }
}

#[test]
fn simple_rules_do_neither_well_nor_badly() {
    let pages = corpus(&SynthConfig::default());
    let everything = mean_f1(&pages, |_| true);
    let long_texts = mean_f1(&pages, |words| words > 10);
    println!("main text: everything {everything:.3}, texts of more than 10 words {long_texts:.3}");
    assert!((0.60..0.75).contains(&everything), "{everything}");
    assert!((0.65..0.85).contains(&long_texts), "{long_texts}");
    assert!(long_texts > everything, "{long_texts} {everything}");
}

#[test]
fn values_out_of_range_are_refused_with_their_name() {
    let default = SynthConfig::default();
    for (config, name) in [
        (SynthConfig { sites: 0, ..default.clone() }, "sites"),
        (SynthConfig { pages_per_site: 100_001, ..default.clone() }, "pages_per_site"),
        (SynthConfig { sites: 5_000, pages_per_site: 5_000, ..default.clone() }, "sites x pages_per_site"),
        (SynthConfig { broken_share: 1.1, ..default.clone() }, "broken_share"),
        (SynthConfig { open_title_share: f64::NAN, ..default.clone() }, "open_title_share"),
        (SynthConfig { misdeclared_share: -0.1, ..default }, "misdeclared_share"),
    ] {
        let error = generate(&config).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().starts_with(&format!("{name} is ")), "{error}");
    }
}

#[test]
fn a_written_corpus_has_the_layout_of_l3s_and_is_never_overwritten() {
    let pages = corpus(&SynthConfig { sites: 2, pages_per_site: 2, ..SynthConfig::default() });
    let folder = tempfile::tempdir().unwrap();
    let top = write(&pages, folder.path()).unwrap();
    assert_eq!(top, folder.path().join("duramen-synth"));
    let mapping = fs::read_to_string(top.join("url-mapping.txt")).unwrap();
    assert_eq!(mapping.lines().count(), 4);
    for (page, line) in pages.iter().zip(mapping.lines()) {
        assert_eq!(line, format!("<urn:uuid:{}>\t{}", page.id, page.url));
        let file = format!("{}.html", page.id);
        assert_eq!(fs::read(top.join("original").join(&file)).unwrap(), page.original);
        assert_eq!(fs::read(top.join("annotated").join(&file)).unwrap(), page.annotated);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left aside");
    assert!(matches!(write(&pages, folder.path()), Err(Error::Data { .. })));
}
