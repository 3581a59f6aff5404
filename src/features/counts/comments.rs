//! Names of readers' comments.

use std::sync::LazyLock;

use super::class_hints::{class_words, words};
use super::name_finder::{Parts, lower};
use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;

/// Parts of words that name readers' comments wherever they stand in a word, in the languages of the corpora.
const PARTS: &[&str] = &[
    "comment",
    "komment",
    "koment",
    "coment",
    "disqus",
    "talkback",
    "guestbook",
    "trackback",
    "reacties",
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

/// Whether the class or id of an element inside the page's body names readers' comments.
pub fn names_comments(dom: &Dom, id: NodeId) -> bool {
    let may_be_named = dom.kind(id) == NodeKind::Element && !matches!(dom.tag(id), Tag::HTML | Tag::BODY);
    may_be_named && class_words(dom, id).any(is_name)
}

/// Whether a word of a class, an id or a heading speaks of readers' comments.
pub fn is_name(word: &str) -> bool {
    static KNOWN: LazyLock<Parts> = LazyLock::new(|| Parts::new(PARTS.iter()));
    // Asked for few words of few pages.
    static OTHER: LazyLock<Parts> = LazyLock::new(|| Parts::new(OTHERS.iter()));
    let word = lower(word);
    let is_word = |known: &&str| known.eq_ignore_ascii_case(&word);
    WORDS.iter().any(is_word) || (KNOWN.is_in(&word) && !OTHER.is_in(&word))
}

/// Whether a text holds a word that does; few texts do.
pub fn are_named(text: &str) -> bool {
    static ANY: LazyLock<Parts> = LazyLock::new(|| Parts::new(PARTS.iter().chain(WORDS)));
    ANY.is_in(&lower(text)) && words(text).any(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_named_in_several_languages_and_look_alikes_are_not() {
        for name in [
            "comments",
            "usercomments",
            "Komentarze",
            "leserkommentare",
            "Комментарии",
            "评论",
            "Responses",
            "DISQUS",
        ] {
            assert!(is_name(name), "{name}");
        }
        for name in ["article", "responsive", "opinion", "replace", "replay", "commentary", "reactor"] {
            assert!(!is_name(name), "{name}");
        }
    }
}
