//! Reads a page of the corpus back: the visible words of its body with the labels of their spans.

use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use crate::dataset::synth::piece::{is_inline, is_void};
use crate::label::Label;

/// The words of a text: runs of letters and digits.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The text of the body that a browser shows, with the label that the innermost span or class gives it.
#[derive(Default)]
struct Reader {
    state: std::cell::RefCell<State>,
}

#[derive(Default)]
struct State {
    /// Open elements: tag, label, whether its content is left out.
    open: Vec<(String, Option<Label>, bool)>,
    texts: Vec<(Label, String)>,
    /// Whether the next text begins a new word whatever it starts with.
    boundary: bool,
}

impl TokenSink for &Reader {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut state = self.state.borrow_mut();
        match token {
            Token::TagToken(Tag { kind, name, attrs, .. }) => {
                let name = name.to_string();
                if !is_inline(&name) {
                    state.boundary = true;
                }
                if kind == TagKind::EndTag {
                    if let Some(at) = state.open.iter().rposition(|(open, ..)| *open == name) {
                        state.open.truncate(at);
                    }
                    return TokenSinkResult::Continue;
                }
                let value = |wanted: &str| {
                    attrs.iter().find(|attr| &*attr.name.local == wanted).map(|attr| &*attr.value)
                };
                let label = value("class").and_then(|class| {
                    let digit = class.split("x-nc-sel").nth(1)?.chars().next()?.to_digit(10)?;
                    Label::from_index(digit as usize)
                });
                let hidden = matches!(&*name, "title" | "noscript")
                    || value("style").is_some_and(|style| style.replace(' ', "").contains("display:none"));
                match &*name {
                    "script" | "style" => return TokenSinkResult::RawData(RawKind::Rawtext),
                    "title" => state.open.push((name, label, hidden)),
                    _ if !is_void(&name) => state.open.push((name, label, hidden)),
                    _ => {}
                }
                TokenSinkResult::Continue
            }
            Token::CharacterTokens(text) => {
                if state.open.iter().any(|(.., hidden)| *hidden) {
                    return TokenSinkResult::Continue;
                }
                let label =
                    state.open.iter().rev().find_map(|(_, label, _)| *label).unwrap_or(Label::NotContent);
                let boundary = std::mem::take(&mut state.boundary);
                match state.texts.last_mut() {
                    Some((last, known)) if *last == label && !boundary => known.push_str(&text),
                    Some((_, known)) if boundary => {
                        known.push('\n');
                        state.texts.push((label, text.to_string()));
                    }
                    _ => state.texts.push((label, text.to_string())),
                }
                TokenSinkResult::Continue
            }
            _ => TokenSinkResult::Continue,
        }
    }
}

/// The labelled texts of a page; scripts and styles are raw text and dropped with their tags.
pub(super) fn read(html: &str) -> Vec<(Label, String)> {
    // A title that never ends is cut at its line, as the fallback of the parser does.
    let mut html = html.to_owned();
    if !html.to_lowercase().contains("</title") {
        let start = html.to_lowercase().find("<title>").unwrap();
        let end = start + html[start..].find('\n').unwrap();
        html.insert_str(end, "</title>");
    }
    let html = without(&without(&html, "script"), "style");
    let reader = Reader::default();
    let input = BufferQueue::default();
    input.push_back(html.into());
    let tokenizer = Tokenizer::new(&reader, TokenizerOpts::default());
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    drop(tokenizer);
    reader.state.into_inner().texts
}

fn without(html: &str, tag: &str) -> String {
    let (start, end) = (format!("<{tag}"), format!("</{tag}>"));
    let mut out = String::new();
    let mut rest = html;
    while let Some(from) = rest.find(&start) {
        out.push_str(&rest[..from]);
        rest = rest[from..].split_once(&end).unwrap().1;
    }
    out + rest
}

pub(super) fn text_of(texts: &[(Label, String)]) -> String {
    texts.iter().map(|(_, text)| text.as_str()).collect()
}
