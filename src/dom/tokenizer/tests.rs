//! The tokens and trees are those of html5ever's own tokenizer, on any text.

use std::cell::{Cell, RefCell};

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, Rawtext, Rcdata, ScriptData};
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{TokenizerResult, local_name};
use proptest::prelude::*;

use super::{MAX_ATTRIBUTES, tokenize};
use crate::dom::guard::Guard;
use crate::dom::sink::Sink;
use crate::dom::{Dom, Limits};

/// Keeps the tokens, and answers as a tree builder does that sees a page's tags and no tree.
#[derive(Default)]
struct Recorder {
    tokens: RefCell<Vec<Token>>,
    in_foreign: Cell<bool>,
    ended: Cell<bool>,
}

impl Recorder {
    fn result(&self, token: &Token) -> TokenSinkResult<()> {
        let raw = |kind: RawKind| TokenSinkResult::RawData(kind);
        let Token::TagToken(tag) = token else { return TokenSinkResult::Continue };
        let starts = tag.kind == TagKind::StartTag;
        match tag.name {
            local_name!("svg") | local_name!("math") => self.in_foreign.set(starts),
            local_name!("script") if !starts => return TokenSinkResult::Script(()),
            local_name!("meta") => return TokenSinkResult::EncodingIndicator("utf-8".into()),
            local_name!("title") | local_name!("textarea") if starts => return raw(Rcdata),
            local_name!("style") | local_name!("xmp") if starts => return raw(Rawtext),
            local_name!("script") => return raw(ScriptData),
            local_name!("plaintext") if starts => return TokenSinkResult::Plaintext,
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

impl TokenSink for Recorder {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let result = self.result(&token);
        let mut tokens = self.tokens.borrow_mut();
        // Where a run of text is cut is the tokenizer's own affair.
        let text = match token {
            Token::CharacterTokens(text) => text,
            Token::NullCharacterToken => StrTendril::from("\0"),
            other => {
                tokens.push(other);
                return result;
            }
        };
        match tokens.last_mut() {
            Some(Token::CharacterTokens(before)) => before.push_tendril(&text),
            _ => tokens.push(Token::CharacterTokens(text)),
        }
        result
    }

    fn end(&self) {
        self.ended.set(true);
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.in_foreign.get()
    }
}

/// Keeps parse errors from a sink: html5ever's tree builder forgets at one that it was to skip a line feed (after
/// `<pre>`, as in `<pre></>`), which the standard does not say.
struct WithoutErrors<S>(S);

impl<S: TokenSink> TokenSink for WithoutErrors<S> {
    type Handle = S::Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<S::Handle> {
        match token {
            Token::ParseError(_) => TokenSinkResult::Continue,
            token => self.0.process_token(token, line),
        }
    }

    fn end(&self) {
        self.0.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// What html5ever's tokenizer gives to a sink.
fn reference<S: TokenSink>(html: &str, sink: S) -> S {
    let tokenizer = Tokenizer::new(WithoutErrors(sink), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(html));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.0
}

fn assert_same_tokens(html: &str) {
    let ours = Recorder::default();
    tokenize(html, &ours);
    assert!(ours.ended.get());
    assert_eq!(ours.tokens.take(), reference(html, Recorder::default()).tokens.take(), "{html:?}");
}

pub(crate) fn assert_same_tree(html: &str) {
    let guard = || {
        let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
        Guard::new(TreeBuilder::new(Sink::new(0), options), usize::MAX)
    };
    let ours = guard();
    tokenize(html, &ours);
    let freeze = |guard: Guard| guard.builder.sink.freeze(encoding_rs::UTF_8, Vec::new());
    let (ours, theirs): (Dom, Dom) = (freeze(ours), freeze(reference(html, guard())));
    assert_eq!(ours.quirks(), theirs.quirks(), "{html:?}");
    // With the text of each node, as two trees may serialize the same.
    let nodes = |dom: &Dom| -> Vec<String> {
        dom.ids()
            .map(|id| {
                let attributes: Vec<_> = dom.attributes(id).collect();
                let (parent, name, text) = (dom.parent(id), dom.name(id), dom.text(id));
                format!("{parent:?} {:?} {name} {attributes:?} {text:?}", dom.kind(id))
            })
            .collect()
    };
    assert_eq!(nodes(&ours), nodes(&theirs), "{html:?}");
}

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
