//! Bytes and nodes kept against the gold's: the measures of the visual-outlier paper.
//!
//! # References
//! B. Potvin and R. Villemaire, When different is wrong: visual unsupervised validation for web information
//! extraction, section 5.1: true and false positives counted in bytes, and in DOM nodes for comparison.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::confusion::Scores;
use crate::dom::Dom;
use crate::index::NodeId;

/// What is in the gold, was kept, and both, in bytes and in nodes. Counts of several pages add up.
///
/// The paper leaves open which nodes and bytes count. Here an element is a [shown](Dom::shown_texts) text node, and
/// its bytes are those of its text in UTF-8 with every run of white space as one byte and none at either end:
/// the indentation of a page's source is no content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptBytes {
    /// Counted in bytes.
    pub bytes: Kept,
    /// Counted in text nodes.
    pub nodes: Kept,
}

/// How much is in the gold, was kept, and both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// In the gold and kept: true positives.
    pub both: u64,
    /// Kept: true and false positives.
    pub kept: u64,
    /// In the gold: true positives and false negatives.
    pub gold: u64,
}

impl KeptBytes {
    /// Counts the text nodes of a page by whether they were kept and whether they are in the gold.
    ///
    /// # Examples
    /// ```
    /// use duramen::dom::{Dom, Limits};
    /// use duramen::eval::KeptBytes;
    /// let dom = Dom::parse(b"<p>four<p>and six<p>no", None, &Limits::default())?;
    /// let counts = KeptBytes::count(&dom, |id| dom.text(id) != "no", |id| dom.text(id) == "four");
    /// assert_eq!((counts.bytes.both, counts.bytes.kept, counts.nodes.kept), (4, 11, 2));
    /// # Ok::<(), duramen::error::PageProblem>(())
    /// ```
    pub fn count(dom: &Dom, kept: impl Fn(NodeId) -> bool, gold: impl Fn(NodeId) -> bool) -> KeptBytes {
        let mut counts = KeptBytes::default();
        for id in dom.shown_texts() {
            let (kept, gold) = (kept(id), gold(id));
            counts.bytes.add(size(dom.text(id)), kept, gold);
            counts.nodes.add(1, kept, gold);
        }
        counts
    }
}

impl Kept {
    /// Precision, recall and F1, with the conventions of [`Scores`].
    pub fn scores(&self) -> Scores {
        Scores::from_counts(self.both, self.gold, self.kept)
    }

    fn add(&mut self, amount: u64, kept: bool, gold: bool) {
        self.both += amount * u64::from(kept && gold);
        self.kept += amount * u64::from(kept);
        self.gold += amount * u64::from(gold);
    }
}

impl AddAssign for KeptBytes {
    fn add_assign(&mut self, other: KeptBytes) {
        for (sum, more) in [(&mut self.bytes, other.bytes), (&mut self.nodes, other.nodes)] {
            sum.both += more.both;
            sum.kept += more.kept;
            sum.gold += more.gold;
        }
    }
}

/// The bytes of the words and one byte between each two.
fn size(text: &str) -> u64 {
    let (bytes, words) = text
        .split_whitespace()
        .fold((0, 0), |(bytes, words), word| (bytes + word.len() as u64, words + 1_u64));
    bytes + words.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;

    fn counts(html: &str, kept: &[&str], gold: &[&str]) -> KeptBytes {
        let dom = Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap();
        let is_in = |list: &[&str], id| list.contains(&dom.text(id).trim());
        KeptBytes::count(&dom, |id| is_in(kept, id), |id| is_in(gold, id))
    }

    #[test]
    fn bytes_are_those_of_utf_8_without_indentation() {
        let counts = counts("<p>\n   été \n  ici  <p>oak", &["été \n  ici"], &["été \n  ici", "oak"]);
        assert_eq!(counts.bytes, Kept { both: 9, kept: 9, gold: 12 });
        assert_eq!(counts.nodes, Kept { both: 1, kept: 1, gold: 2 });
        assert_eq!((counts.bytes.scores().precision, counts.bytes.scores().recall), (1.0, 0.75));
    }

    #[test]
    fn many_small_nodes_weigh_little_in_bytes() {
        let html = "<p>a long paragraph of the article<ul><li>x<li>y<li>z</ul>";
        let article = "a long paragraph of the article";
        let counts = counts(html, &[article, "x", "y", "z"], &[article]);
        assert_eq!(counts.nodes.scores().precision, 0.25);
        assert!(counts.bytes.scores().precision > 0.9);
    }

    #[test]
    fn text_that_is_not_shown_does_not_count_and_pages_add_up() {
        let mut sum = counts("<title>oak</title><script>oak</script><p>oak", &["oak"], &["oak"]);
        assert_eq!(sum.nodes, Kept { both: 1, kept: 1, gold: 1 });
        sum += counts("<p>ash", &["ash"], &[]);
        assert_eq!(sum.bytes, Kept { both: 3, kept: 6, gold: 3 });
    }
}
