//! `Readers`, where readers write below an article: elements named after their comments, and short texts that say so.
//!
//! Names are looked for more carefully than for [`Comments`](super::comments::Comments), whose counts models have learned
//! with: those are beginnings of words, so that `responsive` counts there as `responses` do.

use std::collections::{BTreeMap, HashMap};

use super::base::BaseCounts;
use super::class_hints::{class_words, words};
use super::leaves::Leaves;
use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;
use crate::view::NONE;

/// Parts of words that name readers' comments wherever they stand in a word, in the languages of the corpora.
const PARTS: &[&str] = &[
    "comment",
    "koment",
    "coment",
    "disqus",
    "talkback",
    "guestbook",
    "trackback",
    "reacties",
    "kommentti",
    "hozzaszol",
    "hozzászól",
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
/// Whole words that do.
const WORDS: &[&str] = &[
    "reactie",
    "reaction",
    "reactions",
    "reply",
    "replies",
    "respond",
    "response",
    "responses",
    "opinie",
    "opiniones",
    "reaktionen",
    "leserbriefe",
    "yorum",
    "yorumlar",
];
/// Parts of words that look like those and name something else.
const OTHERS: &[&str] = &["commentary", "commentaries", "commentator", "nocomment", "uncomment"];
/// The most words of a text that may stand above comments.
const HEADING_WORDS: u32 = 8;

/// Where readers write on a page.
pub struct Readers {
    /// For each node the elements up to the nearest that is named after comments, that included; 0 for none.
    levels: Vec<u32>,
    /// For each node the words of long text in the outermost such element around it.
    area_words: Vec<u32>,
    /// For each node the last leaf before it, or itself, that is short and speaks of comments.
    last: Vec<u32>,
}

impl Readers {
    pub fn new(base: &BaseCounts<'_>, leaves: &Leaves) -> Self {
        let dom = base.page.dom();
        // Few words make up the classes of a page.
        let mut known: HashMap<&str, bool> = HashMap::new();
        let mut is_known_name = |word| *known.entry(word).or_insert_with(|| is_name(word));
        // Of each DOM node the way up to the nearest, and the outermost element that is named so.
        let mut around: Vec<(u32, u32)> = vec![(0, NONE); dom.len()];
        for id in dom.ids().skip(1) {
            let (levels, outermost) = dom.parent(id).map_or((0, NONE), |above| around[above.index()]);
            around[id.index()] = match may_be_named(dom, id) && class_words(dom, id).any(&mut is_known_name) {
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
        let all = 0..nodes.len() as u32;
        let mut last = NONE;
        let mut speaks = |v: u32| {
            if base.view.tree.is_leaf(v) && base.words_of(v) <= HEADING_WORDS {
                let mut texts = base.view.texts_of(&nodes[v as usize]).iter().map(|&id| dom.text(id));
                if texts.any(|text| words(text).any(&mut is_known_name)) {
                    last = v;
                }
            }
            last
        };
        Readers {
            levels: all.clone().map(|v| of(v).0).collect(),
            area_words: all.clone().map(|v| inside.get(&of(v).1).copied().unwrap_or(0)).collect(),
            last: all.map(&mut speaks).collect(),
        }
    }

    /// Elements up to the nearest that is named after comments, that included; 0 for none.
    pub fn levels(&self, v: u32) -> u32 {
        self.levels[v as usize]
    }

    /// Words of long text in the outermost such element around the node.
    pub fn area_words(&self, v: u32) -> u32 {
        self.area_words[v as usize]
    }

    /// The last short leaf before the node, or the node itself, that speaks of comments.
    pub fn last(&self, v: u32) -> Option<u32> {
        Some(self.last[v as usize]).filter(|&last| last != NONE)
    }
}

/// Whether the class or id of an element inside the page's body names readers' comments.
pub fn names_readers(dom: &Dom, id: NodeId) -> bool {
    may_be_named(dom, id) && class_words(dom, id).any(is_name)
}

fn may_be_named(dom: &Dom, id: NodeId) -> bool {
    dom.kind(id) == NodeKind::Element && !matches!(dom.tag(id), Tag::HTML | Tag::BODY)
}

/// Whether a word of a class, an id or a heading speaks of readers' comments.
fn is_name(word: &str) -> bool {
    let word = word.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| word.contains(part));
    WORDS.contains(&word.as_str()) || (has(PARTS) && !has(OTHERS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_named_in_several_languages_and_look_alikes_are_not() {
        for name in ["comments", "usercomments", "Komentarze", "Комментарии", "评论", "Responses", "DISQUS"]
        {
            assert!(is_name(name), "{name}");
        }
        for name in ["article", "responsive", "opinion", "replace", "replay", "commentary", "reactor"] {
            assert!(!is_name(name), "{name}");
        }
    }
}
