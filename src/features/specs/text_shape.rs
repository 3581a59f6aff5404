//! Text shape: how long the text of a node is, of what characters, and how much of it is links.

use crate::features::bins::Bins;
use crate::features::counts::text_sums;
use crate::features::ratio::{ratio, share};
use crate::features::spec::{FeatureSpec, PARTS, PERCENT, category, count};

/// Characters in a word, in tenths.
const WORD_LENGTHS: Bins = Bins::new(&[0, 20, 30, 35, 40, 45, 50, 55, 60, 70, 80, 100, 150]);

pub const FEATURES: &[FeatureSpec] = &[
    count!("word-length", "characters in a word, in tenths", "tenths", WORD_LENGTHS, |m, v| {
        let sums = m.text(v);
        ratio(10 * u64::from(sums.characters), sums.words)
    }),
    count!("full-stop-share", "full stops in a hundred words", "%", PARTS, |m, v| {
        let sums = m.text(v);
        share(sums.full_stops, sums.words)
    }),
    count!("commas", "commas, semicolons and colons in a hundred words", "%", PARTS, |m, v| {
        let sums = m.text(v);
        share(sums.commas, sums.words)
    }),
    count!("digits", "share of characters that are digits", "%", PERCENT, |m, v| {
        let sums = m.text(v);
        share(sums.digits, sums.characters)
    }),
    count!("capitals", "share of words that begin with a capital letter", "%", PERCENT, |m, v| {
        let sums = m.text(v);
        share(sums.capitals, sums.words)
    }),
    count!("upper-case", "share of letters in upper case", "%", PERCENT, |m, v| {
        let sums = m.text(v);
        share(sums.upper_case, sums.letters)
    }),
    count!("letters", "share of characters that are letters", "%", PERCENT, |m, v| {
        let sums = m.text(v);
        share(sums.letters, sums.characters)
    }),
    count!("control-words", "share of words inside buttons, labels and options", "%", PERCENT, |m, v| {
        let sums = m.text(v);
        share(sums.control_words, sums.words)
    }),
    category!("ending", "what the text ends with", text_sums::ENDINGS, |m, v| {
        text_sums::ending(&m.base, v).into()
    }),
    count!("parent-full-stops", "full stops in a hundred words of the parent", "%", PARTS, |m, v| {
        let sums = m.text(m.base.above(v, 1));
        share(sums.full_stops, sums.words)
    }),
    count!("grandparent-full-stops", "full stops in a hundred words two levels up", "%", PARTS, |m, v| {
        let sums = m.text(m.base.above(v, 2));
        share(sums.full_stops, sums.words)
    }),
];
