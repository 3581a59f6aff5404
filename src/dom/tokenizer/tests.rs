//! The tokens and trees are those of html5ever's own tokenizer, on any text.

use proptest::prelude::*;

use super::MAX_ATTRIBUTES;
use super::reference::{assert_same_tokens, assert_same_tree};
use crate::dom::{Dom, Limits};

/// Pieces of markup, whole and broken: any text of them reaches every state.
const PIECES: &[&str] = &[
    "<",
    ">",
    "/",
    "</",
    "<!",
    "<!--",
    "-->",
    "--!>",
    "-",
    "--",
    "!",
    "?",
    "[",
    "]",
    "]]>",
    "<![CDATA[",
    "&",
    "#",
    "&#",
    "&#x",
    ";",
    "'",
    "\"",
    "=",
    " ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\x0c",
    "\0",
    "a",
    "b",
    "Z",
    "0",
    "9",
    "x",
    "é",
    "\u{feff}",
    "😀",
    "script",
    "SCRIPT",
    "<script",
    "</script",
    "<script>",
    "</script>",
    "</SCRIPT ",
    "<style>",
    "</style>",
    "title",
    "<title>",
    "</title>",
    "</TiTle",
    "<textarea>",
    "</textarea>",
    "<xmp>",
    "</xmp>",
    "<plaintext>",
    "<svg>",
    "</svg>",
    "<math ",
    "</math>",
    "<meta charset=utf-8>",
    "<p",
    "<P ",
    "</p>",
    "<table>",
    "<td>",
    "<select>",
    "<template>",
    "<b ",
    "</b>",
    "<pre>",
    "<br/>",
    "<!doctype",
    "<!DOCTYPE html",
    " html",
    "public",
    " PUBLIC \"",
    "system",
    " system '",
    "-//W3C//DTD HTML 4.01//EN",
    " id=",
    "class=\"",
    "ID='",
    "&amp",
    "&amp;",
    "&lt;",
    "&not",
    "&notin;",
    "&noti",
    "&nbsp",
    "&copy=",
    "&copy",
    "amp;",
    "&acE;",
    "&fjlig;",
    "&Aacute",
    "&CounterClockwiseContourIntegral;",
    "&#65;",
    "&#x80;",
    "&#0;",
    "&#xd800",
    "&#x110000;",
    "&#99999999999;",
    "1",
];

fn page() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        20 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Few by default, many in CI; the environment's `DURAMEN_CASES` for a long run.
fn cases() -> u32 {
    let asked = std::env::var("DURAMEN_CASES").ok().and_then(|cases| cases.parse().ok());
    let in_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    asked.unwrap_or(if in_ci { 100_000 } else { 4096 })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn any_text_gives_the_tokens_of_html5ever(html in page()) {
        assert_same_tokens(&html);
    }

    #[test]
    fn any_text_gives_the_tree_of_html5ever(html in page()) {
        assert_same_tree(&html);
    }
}

#[test]
fn every_piece_after_every_other_gives_the_same_tokens_and_tree() {
    for first in PIECES {
        for second in PIECES {
            let html = [*first, *second].concat();
            assert_same_tokens(&html);
            assert_same_tree(&html);
        }
    }
}

#[test]
fn attributes_beyond_the_limit_are_left_out_and_the_text_stays() {
    let many: String = (0..MAX_ATTRIBUTES + 50).map(|i| format!(" a{i}=\"> {i}\"")).collect();
    let html = format!("<p>before</p><div{many}>inside</div>");
    let dom = Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap();
    let div = dom.ids().find(|&id| dom.name(id) == "div").unwrap();
    assert_eq!(dom.attributes(div).count(), MAX_ATTRIBUTES);
    assert_eq!(dom.attribute(div, "a1023"), Some("> 1023"));
    assert_eq!(dom.text_content(div), "inside");
    assert_eq!(dom.notes().len(), 1);
}

#[test]
fn of_attributes_with_one_name_the_first_is_kept_however_many_there_are() {
    let many: String = (0..100).map(|i| format!(" a{}={i}", i % 50)).collect();
    assert_same_tokens(&format!("<p a=1 A=2 {many} a=3>"));
    assert_same_tokens("<p a=1 A=2>");
}
