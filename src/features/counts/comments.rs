//! `Comments`, where readers' comments may stand: what elements are called, what short texts say, where dates are.

use std::sync::LazyLock;

use super::base::BaseCounts;
use super::class_hints::class_words;
use super::class_names::ClassNames;
use super::leaves::Leaves;
use super::name_finder::{Beginnings, lower};
use super::named_areas::NamedAreas;
use crate::dom::{Dom, NodeKind};
use crate::index::NodeId;

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

/// Where comments may stand on a page.
pub struct Comments {
    /// Elements that are named after comments, and short texts that name them.
    named: NamedAreas,
    /// Words of long text outside all of these elements.
    pub words_outside: u32,
    /// Dates and times in the leaves before each.
    times: Vec<u32>,
}

impl Comments {
    pub fn new(base: &BaseCounts<'_>, leaves: &Leaves, names: &ClassNames<'_>) -> Self {
        let dom = base.page.dom();
        let named = NamedAreas::new(base, leaves, names, |id| dom.kind(id) == NodeKind::Element, begins);
        let mut times = vec![0];
        for v in leaves.iter() {
            let texts = base.view.texts_of(&base.view.nodes[v as usize]);
            times.push(
                times[times.len() - 1] + texts.iter().map(|&id| count_times(dom.text(id))).sum::<u32>(),
            );
        }
        let words_outside = base.long_words_of(0).saturating_sub(named.words);
        Comments { named, words_outside, times }
    }

    /// Where elements are named after comments.
    pub fn named(&self) -> &NamedAreas {
        &self.named
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
    static FINDER: LazyLock<Beginnings> = LazyLock::new(|| Beginnings::new(BEGINNINGS.iter().copied()));
    FINDER.is_in(&lower(word))
}

/// Runs of digits with a sign of dates or times between two digits, as `12:30`, `2012-01-06` or `6.1.12`, and years.
fn count_times(text: &str) -> u32 {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b':' | b'/' | b'-' | b'.');
    let is_time = |run: &&[u8]| {
        let Some(first) = run.iter().position(u8::is_ascii_digit) else { return false };
        let last = run.iter().rposition(u8::is_ascii_digit).unwrap_or(first);
        let run = &run[first..=last];
        let digits = run.iter().filter(|byte| byte.is_ascii_digit()).count();
        let signs = run.len() - digits;
        let is_year = digits == 4 && signs == 0 && (run.starts_with(b"19") || run.starts_with(b"20"));
        let has_colon = run.contains(&b':');
        let is_clock = has_colon && digits <= 6 && signs <= 2;
        is_year || is_clock || (signs == 2 && (4..=8).contains(&digits) && !has_colon)
    };
    if !text.bytes().fold(false, |found, byte| found | byte.is_ascii_digit()) {
        return 0;
    }
    text.as_bytes().split(|byte| !is_part(byte)).filter(is_time).count() as u32
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
