//! The same text through html5ever's own tokenizer: what ours is held against by tests and by fuzzing.

use std::cell::{Cell, RefCell};

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, Rawtext, Rcdata, ScriptData};
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{TokenizerResult, local_name};

use super::tokenize;
use crate::dom::Dom;
use crate::dom::guard::Guard;
use crate::dom::sink::Sink;

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

/// Fails where the tokens of a text differ.
///
/// # Panics
/// With the text and the tokens.
pub fn assert_same_tokens(html: &str) {
    let ours = Recorder::default();
    tokenize(html, &ours);
    assert!(ours.ended.get());
    assert_eq!(ours.tokens.take(), reference(html, Recorder::default()).tokens.take(), "{html:?}");
}

/// Fails where the trees of a text differ, scripts off.
///
/// # Panics
/// With the text and the nodes.
pub fn assert_same_tree(html: &str) {
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
