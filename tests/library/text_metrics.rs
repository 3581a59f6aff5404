//! The text metrics against values that the scripts of their own authors computed.

use crate::support;
use duramen::eval::{ShingleCounts, ShingleSummary, markdown_edits, rouge_lsum, word_f1};
use serde_json::Value;

fn reference() -> Option<Value> {
    let path = support::shared()?.join("reference/text-metrics.json");
    let text = std::fs::read_to_string(path).ok()?;
    Some(serde_json::from_str(&text).expect("text-metrics.json is JSON"))
}

/// The cases as (predicted, reference, expected), or nothing, said aloud, where the file is absent.
fn cases(metric: &str) -> Option<Vec<(String, String, Value)>> {
    let Some(file) = reference() else {
        println!("left out: {metric} against reference/text-metrics.json, which is not in the shared folder");
        return None;
    };
    let cases = file["cases"].as_array().expect("cases");
    assert!(cases.len() >= 40);
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    Some(cases.iter().map(|c| (text(&c["predicted"]), text(&c["reference"]), c[metric].clone())).collect())
}

#[test]
fn word_f1_equals_the_script_of_wcxb_to_the_last_bit() {
    for (predicted, reference, expected) in cases("word_f1").unwrap_or_default() {
        let scores = word_f1(&predicted, &reference);
        let context = format!("predicted {predicted:?}, reference {reference:?}");
        assert_eq!(Some(scores.precision), expected["precision"].as_f64(), "{context}");
        assert_eq!(Some(scores.recall), expected["recall"].as_f64(), "{context}");
        assert_eq!(Some(scores.f1), expected["f1"].as_f64(), "{context}");
    }
}

#[test]
fn shingle_scores_equal_the_script_of_article_extraction_benchmark_to_the_last_bit() {
    for (predicted, reference, expected) in cases("shingle4").unwrap_or_default() {
        let counts = ShingleCounts::compare(&predicted, &reference);
        let context = format!("predicted {predicted:?}, reference {reference:?}");
        assert_eq!(Some(counts.true_positives), expected["tp"].as_f64(), "{context}");
        assert_eq!(Some(counts.false_positives), expected["fp"].as_f64(), "{context}");
        assert_eq!(Some(counts.false_negatives), expected["fn"].as_f64(), "{context}");
        assert_eq!(Some(counts.precision()), expected["precision"].as_f64(), "{context}");
        assert_eq!(Some(counts.recall()), expected["recall"].as_f64(), "{context}");
        assert_eq!(Some(f64::from(u8::from(counts.is_exact()))), expected["exact"].as_f64(), "{context}");
    }
}

#[test]
fn corpus_shingle_scores_equal_the_script_of_article_extraction_benchmark() {
    let Some(cases) = cases("shingle4") else { return };
    let pages: Vec<_> = cases.iter().map(|(p, r, _)| ShingleCounts::compare(p, r)).collect();
    let summary = ShingleSummary::from_pages(&pages).expect("texts");
    let expected = &reference().expect("read before")["shingle4_corpus"];
    // The script sums in exact arithmetic.
    let near = |ours: f64, name: &str| (ours - expected[name].as_f64().expect("number")).abs() < 1e-12;
    assert!(near(summary.precision, "precision"), "{summary:?}");
    assert!(near(summary.recall, "recall"), "{summary:?}");
    assert!(near(summary.f1, "f1"), "{summary:?}");
}

#[test]
fn rouge_lsum_equals_the_package_of_its_authors_to_the_last_bit() {
    let file: Value = serde_json::from_str(include_str!("../references/rouge_lsum.json")).expect("JSON");
    let cases = file["cases"].as_array().expect("cases");
    assert!(cases.len() >= 40);
    for case in cases {
        let text = |name: &str| case[name].as_str().expect("text");
        let scores = rouge_lsum(text("predicted"), text("reference"));
        let context = format!("predicted {:?}, reference {:?}", text("predicted"), text("reference"));
        assert_eq!(Some(scores.precision), case["precision"].as_f64(), "{context}");
        assert_eq!(Some(scores.recall), case["recall"].as_f64(), "{context}");
        assert_eq!(Some(scores.f1), case["f1"].as_f64(), "{context}");
    }
}

/// `scripts/markdown_reference.py` wrote the values: webmainbench 0.1.0, and apted 1.0.3 on trees.
#[test]
fn similarities_of_markdown_equal_those_of_webmainbench_and_apted() {
    let file: Value = serde_json::from_str(include_str!("../references/markdown_edits.json")).expect("JSON");
    let near = |ours: Option<f64>, theirs: &Value, context: &str| match theirs.as_f64() {
        None => assert_eq!(ours, None, "{context}"),
        Some(theirs) => {
            let ours = ours.unwrap_or_else(|| panic!("{context}: none, and {theirs}"));
            assert!((ours - theirs).abs() < 1e-12, "{context}: {ours} and {theirs}");
        }
    };
    let compared = |case: &Value| {
        let text = |name: &str| case[name].as_str().expect("text").to_owned();
        let context = format!("predicted {:?}, reference {:?}", text("predicted"), text("reference"));
        (markdown_edits(&text("predicted"), &text("reference")), context)
    };
    let cases = file["cases"].as_array().expect("cases");
    assert!(cases.len() >= 15);
    for case in cases {
        let (edits, context) = compared(case);
        let of =
            [("text", edits.text), ("code", edits.code), ("formula", edits.formula), ("table", edits.table)];
        of.into_iter().for_each(|(name, ours)| near(ours, &case[name], &format!("{name}: {context}")));
    }
    let trees = file["trees"].as_array().expect("trees");
    assert!(trees.len() >= 7);
    for case in trees {
        let (edits, context) = compared(case);
        near(edits.teds, &case["teds"], &context);
    }
}
