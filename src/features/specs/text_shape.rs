//! Text shape: how long the text of a node is, of what characters, and how much of it is links.

use crate::features::bins::Bins;
use crate::features::counts::text_sums::{self, TextSums};
use crate::features::ratio::{ratio, share};
use crate::features::spec::{PARTS, PERCENT, category, count, family};

/// Characters in a word, in tenths.
const WORD_LENGTHS: Bins = Bins::new(&[0, 20, 30, 35, 40, 45, 50, 55, 60, 70, 80, 100, 150]);

family! {
    |m| {
        let (base, texts) = (&m.base, &m.counts().texts);
        let stops = |text: &TextSums| share(text.full_stops, text.words);
    }
    |v| {
        let text = texts.of(base.view, v);
    }
    count("word-length", "characters in a word, in tenths", "tenths", WORD_LENGTHS) =>
        ratio(10 * u64::from(text.characters), text.words),
    count("full-stop-share", "full stops in a hundred words", "%", PARTS) => stops(&text),
    count("commas", "commas, semicolons and colons in a hundred words", "%", PARTS) => share(text.commas, text.words),
    count("digits", "share of characters that are digits", "%", PERCENT) => share(text.digits, text.characters),
    count("capitals", "share of words that begin with a capital letter", "%", PERCENT) =>
        share(text.capitals, text.words),
    count("upper-case", "share of letters in upper case", "%", PERCENT) => share(text.upper_case, text.letters),
    count("letters", "share of characters that are letters", "%", PERCENT) => share(text.letters, text.characters),
    count("control-words", "share of words inside buttons, labels and options", "%", PERCENT) =>
        share(text.control_words, text.words),
    category("ending", "what the text ends with", text_sums::ENDINGS) => text_sums::ending(base, v).into(),
    count("parent-full-stops", "full stops in a hundred words of the parent", "%", PARTS) =>
        stops(&texts.of(base.view, base.above(v, 1))),
    count("grandparent-full-stops", "full stops in a hundred words two levels up", "%", PARTS) =>
        stops(&texts.of(base.view, base.above(v, 2))),
}
