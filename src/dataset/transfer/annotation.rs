//! The text of an annotated file as labeled pieces; all that is ever read from such a file.

use std::cell::RefCell;
use std::collections::HashMap;

use html5ever::tokenizer::states::{RawKind, Rawtext, Rcdata, ScriptData};
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::{Attribute, LocalName, local_name};

use crate::dom::tokenizer::tokenize;
use crate::dom::{Limits, Tag, encoding};
use crate::error::PageProblem;
use crate::label::Label;

/// A piece of text between two tags, with the label of the innermost labeled element around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) label: Label,
    /// Whether a tag that ends a line of text, such as `<p>` or `<br>`, stands between the piece before and this.
    pub(super) begins_line: bool,
}

/// The shown text of an annotated file in file order.
///
/// The file is read tag by tag and never made into a tree: it is a serialization, so its elements nest as they
/// stand, while a conforming parser would move the annotation's spans out of the tables they stand in.
pub(super) fn pieces(bytes: &[u8]) -> Result<Vec<Piece>, PageProblem> {
    let limit = Limits::default().max_bytes;
    if bytes.len() > limit {
        return Err(PageProblem::TooLarge {
            what: "the size of the annotated file in bytes",
            found: bytes.len() as u64,
            limit: limit as u64,
        });
    }
    let (html, _) = encoding::decode(bytes, None)?;
    let reader = Reader::default();
    tokenize(&html, &reader);
    Ok(reader.0.into_inner().pieces)
}

/// What the tokenizer reports to.
#[derive(Default)]
struct Reader(RefCell<State>);

#[derive(Default)]
struct State {
    open: Vec<Open>,
    /// How many elements of each name are open, so that a stray end tag costs nothing.
    open_names: HashMap<LocalName, usize>,
    pieces: Vec<Piece>,
    /// Whether the last piece may still grow.
    growing: bool,
    /// Whether a tag that ends a line has come since the last piece.
    line_ended: bool,
}

/// An element whose end tag has not come yet.
struct Open {
    name: LocalName,
    /// The innermost label around the element's text.
    label: Label,
    hidden: bool,
}

impl State {
    fn start(&mut self, name: LocalName, attributes: &[Attribute]) {
        let tag = Tag::from_name(&name);
        let (label, hidden) = self.open.last().map_or((Label::NotContent, false), |o| (o.label, o.hidden));
        let label = label_of(attributes).unwrap_or(label);
        *self.open_names.entry(name.clone()).or_default() += 1;
        self.open.push(Open { name, label, hidden: hidden || tag.hides_text() });
    }

    fn end(&mut self, name: &LocalName) {
        if self.open_names.get(name).is_none_or(|&open| open == 0) {
            return;
        }
        while let Some(closed) = self.open.pop() {
            *self.open_names.get_mut(&closed.name).expect("an open element is counted") -= 1;
            if closed.name == *name {
                break;
            }
        }
    }

    fn text(&mut self, text: &str) {
        let (label, hidden) = self.open.last().map_or((Label::NotContent, false), |o| (o.label, o.hidden));
        if hidden {
            return;
        }
        match self.pieces.last_mut() {
            // The tokenizer hands a text over in parts, cut at U+0000.
            Some(last) if self.growing => last.text.push_str(text),
            _ => {
                let begins_line = std::mem::take(&mut self.line_ended);
                self.pieces.push(Piece { text: text.to_owned(), label, begins_line });
            }
        }
        self.growing = true;
    }
}

impl TokenSink for Reader {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut state = self.0.borrow_mut();
        match token {
            Token::CharacterTokens(text) => state.text(&text),
            Token::TagToken(tag) => {
                state.growing = false;
                let known = Tag::from_name(&tag.name);
                state.line_ended |= known.is_block() || known == Tag::BR;
                match tag.kind {
                    TagKind::EndTag => state.end(&tag.name),
                    TagKind::StartTag => {
                        if !known.is_void() {
                            state.start(tag.name.clone(), &tag.attrs);
                        }
                        if let Some(kind) = raw_text(&tag.name) {
                            return TokenSinkResult::RawData(kind);
                        }
                    }
                }
            }
            Token::CommentToken(_) => state.growing = false,
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// How the inside of an element is read, where it is not read as markup.
fn raw_text(name: &LocalName) -> Option<RawKind> {
    match *name {
        local_name!("script") => Some(ScriptData),
        local_name!("title") | local_name!("textarea") => Some(Rcdata),
        local_name!("style")
        | local_name!("xmp")
        | local_name!("iframe")
        | local_name!("noembed")
        | local_name!("noframes") => Some(Rawtext),
        _ => None,
    }
}

/// The label that an element's classes state; the last one, should there be several.
fn label_of(attributes: &[Attribute]) -> Option<Label> {
    let class = attributes.iter().find(|attribute| attribute.name.local == local_name!("class"))?;
    class
        .value
        .split_ascii_whitespace()
        .filter_map(|class| class.strip_prefix("x-nc-sel")?.parse().ok())
        .filter_map(Label::from_index)
        .next_back()
}
