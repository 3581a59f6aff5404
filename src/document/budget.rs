//! `TokenBudget`, the most probable blocks of a page that fit into so many tokens.

use std::ops::Range;
use std::sync::Arc;

use crate::extract::Extraction;
use crate::extract::hmt::units::Units;
use crate::extract::render::{Kept, Selection};
use crate::index::NodeId;
use crate::label::Label;
use crate::page::Page;
use crate::tokens;
use crate::view::{PageView, View, ViewNode};

/// How many tokens a text has.
pub type CountTokens = Arc<dyn Fn(&str) -> usize + Send + Sync>;

/// How much of a page is kept at most.
///
/// # Examples
/// ```
/// use std::sync::Arc;
///
/// use duramen::{Options, TokenBudget, extract_with};
///
/// let page = b"<h1>The old oak fell</h1><p>The oldest oak of the village fell on Monday night.</p>
///     <p>Nobody was hurt, because the green around it had been closed in the evening, the mayor said.</p>";
/// // A tokenizer of your own counts in place of words.
/// let characters = TokenBudget { max: 70, count: Arc::new(|text| text.chars().count()) };
/// let document = extract_with(page, &Options { max_tokens: Some(characters), ..Options::default() })?;
/// assert!(document.text.contains("oldest oak") && !document.text.contains("Nobody"), "{}", document.text);
/// # Ok::<(), duramen::Error>(())
/// ```
#[derive(Clone)]
pub struct TokenBudget {
    /// The most tokens.
    pub max: usize,
    /// How many tokens the text of a block has. Default: its [words](tokens::count).
    pub count: CountTokens,
}

impl TokenBudget {
    /// So many words.
    pub fn words(max: usize) -> Self {
        TokenBudget { max, count: Arc::new(|text| tokens::count(text) as usize) }
    }

    /// Leaves of the kept text the most probable blocks that fit, of equals the first: code, tables, definition lists, quotations and
    /// figures whole, headlines before all else, and headings only where text below them is kept.
    pub(super) fn apply(&self, page: &Page, extraction: &Extraction, selection: &Selection, kept: &mut Kept) {
        let Some(posteriors) = &extraction.posteriors else { return };
        let view = PageView::new(page, View::Blocks);
        let leaves: Vec<&ViewNode> = view.text_leaves().collect();
        let units = Units::of(page.dom(), &view);
        let kept_texts = |unit: Range<usize>| -> Vec<(NodeId, f64)> {
            let of_leaf =
                |leaf: &&ViewNode| view.texts_of(leaf).iter().zip(view.words_of(leaf)).collect::<Vec<_>>();
            let texts = leaves[unit].iter().flat_map(of_leaf).filter(|(id, _)| kept.contains(**id));
            texts.map(|(&id, &words)| (id, f64::from(words))).collect()
        };
        let mut blocks: Vec<Block> = Vec::new();
        for unit in units.decisions(leaves.len()) {
            let texts = kept_texts(unit);
            let Some(&(first, _)) = texts.first() else { continue };
            let all: f64 = texts.iter().map(|(_, words)| words).sum();
            let sum: f64 = texts.iter().map(|&(id, words)| words * selection.mass(&posteriors[id])).sum();
            let texts: Vec<NodeId> = texts.into_iter().map(|(id, _)| id).collect();
            let text: Vec<&str> = texts.iter().map(|&id| page.dom().text(id)).collect();
            blocks.push(Block {
                is_headline: extraction.labels[first] == Label::Headline,
                level: page.dom().ancestors(first).find_map(|id| page.dom().tag(id).heading_level()),
                p: if all > 0.0 { sum / all } else { selection.mass(&posteriors[first]) },
                tokens: (self.count)(&text.concat()),
                texts,
                is_kept: false,
            });
        }
        let mut order: Vec<usize> = (0..blocks.len()).collect();
        order.sort_by(|&a, &b| {
            let [a, b] = [&blocks[a], &blocks[b]];
            b.is_headline.cmp(&a.is_headline).then(b.p.total_cmp(&a.p))
        });
        let mut left = self.max;
        for block in order {
            let block = &mut blocks[block];
            block.is_kept = block.tokens <= left;
            left -= if block.is_kept { block.tokens } else { 0 };
        }
        // A heading holds what stands before the next one of its level or above.
        for heading in (0..blocks.len()).rev() {
            let Some(level) = blocks[heading].level.filter(|_| !blocks[heading].is_headline) else {
                continue;
            };
            let below = blocks[heading + 1..].iter();
            let mut below = below.take_while(|block| block.level.is_none_or(|other| other > level));
            if !below.any(|block| block.is_kept) {
                blocks[heading].is_kept = false;
            }
        }
        let left_out = blocks.into_iter().filter(|block| !block.is_kept).flat_map(|block| block.texts);
        let left_out: std::collections::HashSet<NodeId> = left_out.collect();
        kept.retain(|id| !left_out.contains(&id));
    }
}

/// What is kept or left out as one.
struct Block {
    is_headline: bool,
    /// Of a heading.
    level: Option<u8>,
    /// The mean P(kept labels) of its words.
    p: f64,
    tokens: usize,
    texts: Vec<NodeId>,
    is_kept: bool,
}
