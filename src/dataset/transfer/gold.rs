//! `GoldTokens`, the gold labels of a page's tokens, kept by text node of the original page.

use crate::index::NodeId;
use crate::label::Label;

/// Gold labels of a page: how many [tokens](crate::tokens) of each label stand in each text node of the
/// original page.
///
/// Total over the original: every token of every [shown](crate::dom::Dom::shown_texts) text node has a label.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoldTokens {
    /// The nodes that have tokens, ascending: one in five of a page's.
    nodes: Vec<(NodeId, [u32; Label::COUNT])>,
}

impl GoldTokens {
    /// Counts more tokens of a text node.
    pub(super) fn add(&mut self, id: NodeId, label: Label, tokens: u32) {
        if tokens == 0 {
            return;
        }
        let place = match self.nodes.last() {
            Some(&(last, _)) if last >= id => self.nodes.binary_search_by_key(&id, |&(node, _)| node),
            _ => Err(self.nodes.len()),
        };
        let place = place.unwrap_or_else(|place| {
            self.nodes.insert(place, (id, [0; Label::COUNT]));
            place
        });
        self.nodes[place].1[label.index()] += tokens;
    }

    /// The same with the tokens of one label given another in some nodes.
    pub fn relabelled(&self, from: Label, to: Label, is_relabelled: impl Fn(NodeId) -> bool) -> Self {
        let mut relabelled = self.clone();
        for (id, counts) in &mut relabelled.nodes {
            if counts[from.index()] > 0 && is_relabelled(*id) {
                let moved = std::mem::take(&mut counts[from.index()]);
                counts[to.index()] += moved;
            }
        }
        relabelled
    }

    /// How many tokens of each label stand in a text node; all zero for elements and for text that is not shown.
    pub fn counts(&self, id: NodeId) -> [u32; Label::COUNT] {
        let place = self.nodes.binary_search_by_key(&id, |&(node, _)| node);
        place.map_or([0; Label::COUNT], |place| self.nodes[place].1)
    }

    /// The label that most tokens of a text node have; none for nodes without shown tokens.
    ///
    /// Of labels with equally many tokens the one with the lowest number wins, and not content never does.
    pub fn label(&self, id: NodeId) -> Option<Label> {
        let counts = self.counts(id);
        let rank =
            |label: Label| (counts[label.index()], label != Label::NotContent, usize::MAX - label.index());
        Label::ALL.into_iter().max_by_key(|&label| rank(label)).filter(|label| counts[label.index()] > 0)
    }

    /// How many text nodes with shown tokens have each label.
    pub fn texts(&self) -> [u64; Label::COUNT] {
        let mut texts = [0; Label::COUNT];
        self.iter().filter_map(|(id, _)| self.label(id)).for_each(|label| texts[label.index()] += 1);
        texts
    }

    /// How many tokens of each label the page has.
    pub fn total(&self) -> [u64; Label::COUNT] {
        let mut total = [0; Label::COUNT];
        for (_, counts) in &self.nodes {
            for (sum, &count) in total.iter_mut().zip(counts) {
                *sum += u64::from(count);
            }
        }
        total
    }

    /// The nodes that have tokens, with their counts, in document order.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, [u32; Label::COUNT])> {
        self.nodes.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gold(counts: [u32; Label::COUNT]) -> GoldTokens {
        GoldTokens { nodes: vec![(NodeId::ROOT, counts)] }
    }

    #[test]
    fn the_majority_decides_and_content_wins_a_tie() {
        let label = |counts| gold(counts).label(NodeId::ROOT);
        assert_eq!(label([0, 0, 0, 0, 0, 0]), None);
        assert_eq!(label([3, 0, 2, 0, 0, 0]), Some(Label::NotContent));
        assert_eq!(label([2, 0, 0, 0, 2, 2]), Some(Label::RelatedContent));
        assert_eq!(label([0, 1, 2, 0, 0, 0]), Some(Label::FullText));
    }

    #[test]
    fn totals_add_up_over_the_nodes() {
        let mut gold = GoldTokens::default();
        gold.add(NodeId(2), Label::Headline, 1);
        gold.add(NodeId(1), Label::Headline, 1);
        gold.add(NodeId(2), Label::Comments, 1);
        gold.add(NodeId(3), Label::Comments, 0);
        assert_eq!(gold.total(), [0, 2, 0, 0, 0, 1]);
        assert_eq!(gold.texts(), [0, 2, 0, 0, 0, 0]);
        assert_eq!(gold.iter().map(|(id, _)| id).collect::<Vec<_>>(), [NodeId(1), NodeId(2)]);
    }
}
