//! Bounds on hostile pages: nesting depth and number of nodes.
//!
//! The WHATWG algorithms are quadratic in the depth of the open elements. Browsers bound it (Chromium's tree
//! depth limit is 512); so do we. The attributes of one tag are bounded by the tokenizer.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use html5ever::LocalName;
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;

use super::sink::Sink;
use super::tag::Tag;
use crate::page_work::check_time;

/// The deepest level at which elements are still nested; deeper ones are flattened into it, as browsers do.
pub(super) const MAX_DEPTH: u32 = 512;

/// Stands between tokenizer and tree builder and drops the tokens that would pass a bound.
pub(super) struct Guard {
    pub(super) builder: TreeBuilder<u32, Sink>,
    max_nodes: usize,
    /// Start tags dropped and not yet closed, by name, so that their end tags are dropped with them.
    dropped: RefCell<HashMap<LocalName, u64>>,
    pub(super) flattened: Cell<bool>,
    pub(super) overflowed: Cell<bool>,
}

impl Guard {
    pub(super) fn new(builder: TreeBuilder<u32, Sink>, max_nodes: usize) -> Self {
        Guard {
            builder,
            max_nodes,
            dropped: RefCell::default(),
            flattened: Cell::new(false),
            overflowed: Cell::new(false),
        }
    }

    /// Whether the tag would nest too deeply, or closes one that was dropped for that.
    fn drops(&self, tag: &html5ever::tokenizer::Tag) -> bool {
        match tag.kind {
            TagKind::StartTag => {
                if self.builder.sink.last_depth.get() < MAX_DEPTH {
                    return false;
                }
                let name = Tag::from_name(&tag.name);
                if tag.self_closing || name.is_void() {
                    return false;
                }
                // Raw text must stay raw: dropping `<script>` would turn its code into text.
                if matches!(name, Tag::SCRIPT | Tag::STYLE | Tag::TITLE | Tag::TEXTAREA) {
                    return false;
                }
                *self.dropped.borrow_mut().entry(tag.name.clone()).or_default() += 1;
                self.flattened.set(true);
                true
            }
            TagKind::EndTag => {
                if !self.flattened.get() {
                    return false;
                }
                let mut dropped = self.dropped.borrow_mut();
                match dropped.get_mut(&tag.name) {
                    Some(open) if *open > 0 => {
                        *open -= 1;
                        true
                    }
                    _ => {
                        // The element that closes now is shallower than what was appended last.
                        let depth = &self.builder.sink.last_depth;
                        depth.set(depth.get().saturating_sub(1));
                        false
                    }
                }
            }
        }
    }
}

impl TokenSink for Guard {
    type Handle = u32;

    #[inline]
    fn process_token(&self, token: Token, line_number: u64) -> TokenSinkResult<u32> {
        check_time();
        if self.overflowed.get() && !matches!(token, Token::EOFToken) {
            return TokenSinkResult::Continue;
        }
        if let Token::TagToken(tag) = &token
            && self.drops(tag)
        {
            return TokenSinkResult::Continue;
        }
        let result = self.builder.process_token(token, line_number);
        if self.builder.sink.len() > self.max_nodes {
            self.overflowed.set(true);
        }
        result
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}
