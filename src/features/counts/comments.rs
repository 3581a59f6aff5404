//! `Comments`, where readers' comments may stand: what elements are called, what short texts say, where dates are.

use std::collections::BTreeMap;

use super::base::BaseCounts;
use super::class_hints::{class_words, words};
use super::leaves::Leaves;
use crate::dom::{Dom, NodeKind};
use crate::index::NodeId;
use crate::view::NONE;

/// Beginnings of words in classes and ids of comments, and of the words above them, in the languages of the corpora.
const BEGINNINGS: &[&str] = &[
    "comment",
    "coment",
    "komment",
    "koment",
    "commento",
    "reaction",
    "reacties",
    "respon",
    "repl",
    "disqus",
    "talkback",
    "feedback",
    "guestbook",
    "opini",
    "trackback",
    "комментари",
    "отзыв",
    "σχόλι",
    "σχολι",
    "评论",
    "評論",
    "留言",
    "コメント",
    "댓글",
];
/// The most words of a text that may stand above comments.
const HEADING_WORDS: u32 = 8;

/// Where comments may stand on a page.
pub struct Comments {
    /// For each node the elements up to the nearest that is named after comments, that included; 0 for none.
    levels: Vec<u32>,
    /// For each node the outermost element so named, as the words of long text inside.
    area_words: Vec<u32>,
    /// Elements so named.
    pub areas: u32,
    /// Words of long text outside all of them.
    pub words_outside: u32,
    /// For each node the last leaf before it, or itself, that is short and names comments.
    last: Vec<u32>,
    /// Dates and times in the leaves before each.
    times: Vec<u32>,
}

impl Comments {
    pub fn new(base: &BaseCounts<'_>, leaves: &Leaves) -> Self {
        let dom = base.page.dom();
        let is_named: Vec<bool> = dom.ids().map(|id| names_comments(dom, id)).collect();
        // Of each DOM node the nearest and the outermost element that is named so.
        let mut around: Vec<(u32, u32)> = vec![(0, NONE); dom.len()];
        for id in dom.ids().skip(1) {
            let (levels, outermost) = dom.parent(id).map_or((0, NONE), |above| around[above.index()]);
            around[id.index()] = match is_named[id.index()] {
                true => (1, if outermost == NONE { id.0 } else { outermost }),
                false => (if levels == 0 { 0 } else { levels + 1 }, outermost),
            };
        }
        let nodes = &base.view.nodes;
        let of = |v: u32| around[nodes[v as usize].node.index()];
        let mut inside: BTreeMap<u32, u32> = BTreeMap::new();
        for v in leaves.iter().filter(|&v| of(v).1 != NONE && base.is_long(v)) {
            *inside.entry(of(v).1).or_default() += base.words_of(v);
        }
        let all = (0..nodes.len() as u32).collect::<Vec<_>>();
        let mut comments = Comments {
            levels: all.iter().map(|&v| of(v).0).collect(),
            area_words: all.iter().map(|&v| inside.get(&of(v).1).copied().unwrap_or(0)).collect(),
            areas: is_named.iter().filter(|named| **named).count() as u32,
            words_outside: base.long_words_of(0).saturating_sub(inside.values().sum()),
            last: Vec::with_capacity(nodes.len()),
            times: vec![0],
        };
        let (mut last, mut times) = (NONE, 0);
        for v in all {
            if base.view.tree.is_leaf(v) {
                let texts = || base.view.texts_of(&nodes[v as usize]).iter().map(|&id| dom.text(id));
                if base.words_of(v) <= HEADING_WORDS && texts().flat_map(words).any(begins) {
                    last = v;
                }
                times += texts().map(count_times).sum::<u32>();
                comments.times.push(times);
            }
            comments.last.push(last);
        }
        comments
    }

    /// Elements up to the nearest that is named after comments, that included; 0 for none.
    pub fn levels(&self, v: u32) -> u32 {
        self.levels[v as usize]
    }

    /// Words of long text in the outermost such element around the node.
    pub fn area_words(&self, v: u32) -> u32 {
        self.area_words[v as usize]
    }

    /// The last short leaf before the node, or the node itself, that names comments.
    pub fn last(&self, v: u32) -> Option<u32> {
        Some(self.last[v as usize]).filter(|&last| last != NONE)
    }

    /// Dates and times in the leaves from one place to before another.
    pub fn times(&self, from: u32, to: u32) -> u32 {
        let last = self.times.len() - 1;
        self.times[(to as usize).min(last)] - self.times[(from as usize).min(last)]
    }
}

/// Whether the class or id of an element names readers' comments.
pub fn names_comments(dom: &Dom, id: NodeId) -> bool {
    dom.kind(id) == NodeKind::Element && class_words(dom, id).any(begins)
}

fn begins(word: &str) -> bool {
    let word = word.to_lowercase();
    BEGINNINGS.iter().any(|beginning| word.starts_with(beginning))
}

/// Runs of digits with a sign of dates or times between two digits, as `12:30`, `2012-01-06` or `6.1.12`, and years.
fn count_times(text: &str) -> u32 {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, ':' | '/' | '-' | '.');
    let is_time = |run: &&str| {
        let run = run.trim_matches(|c: char| !c.is_ascii_digit());
        let digits = run.bytes().filter(u8::is_ascii_digit).count();
        let signs = run.len() - digits;
        let is_year = digits == 4 && signs == 0 && (run.starts_with("19") || run.starts_with("20"));
        let is_clock = run.contains(':') && digits <= 6 && signs <= 2;
        is_year || is_clock || (signs == 2 && (4..=8).contains(&digits) && !run.contains(':'))
    };
    text.split(|c| !is_part(c)).filter(|run| !run.is_empty()).filter(is_time).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_times_and_years_are_counted() {
        for (text, times) in [
            ("6 January 2012 at 12:30", 2),
            ("2012-01-06, 6.1.12 and 06/01/2012", 3),
            ("1234 pages, 3.5 of 10:1:2:3", 0),
            ("in 1850 and 10-12", 0),
        ] {
            assert_eq!(count_times(text), times, "{text}");
        }
    }

    #[test]
    fn comments_are_named_in_several_languages() {
        for name in ["comments", "Koment", "Комментарии", "评论", "RESPONSES"] {
            assert!(begins(name), "{name}");
        }
        assert!(!begins("article"));
    }
}
