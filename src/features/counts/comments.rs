//! Names of readers' comments.

use std::sync::LazyLock;

use super::class_hints::class_words;
use super::name_finder::{Beginnings, lower};
use crate::dom::{Dom, NodeKind};
use crate::index::NodeId;

/// Beginnings of words in classes and ids of comments, and of the words above them, in the languages of the corpora.
pub const BEGINNINGS: &[&str] = &[
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

/// Whether the class or id of an element names readers' comments.
pub fn names_comments(dom: &Dom, id: NodeId) -> bool {
    dom.kind(id) == NodeKind::Element && class_words(dom, id).any(is_name)
}

/// Whether a word begins with a name of comments.
pub fn is_name(word: &str) -> bool {
    static FINDER: LazyLock<Beginnings> = LazyLock::new(|| Beginnings::new(BEGINNINGS.iter().copied()));
    FINDER.is_in(&lower(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_named_in_several_languages() {
        for name in ["comments", "Koment", "Комментарии", "评论", "RESPONSES"] {
            assert!(is_name(name), "{name}");
        }
        assert!(!is_name("article"));
    }
}
