//! Posteriors of all nodes of a page from those of a view, and of readers' comments.

use super::Hmt;
use crate::extract::{Extraction, PageExtractor};
use crate::index::{NodeId, NodeMap};
use crate::label::Label;
use crate::model::Observation;
use crate::page::Page;
use crate::view::PageView;

/// Posteriors of all nodes, of some labels, from those of a view (\[node of the view\]\[state\]): a shown text node has
/// those of its leaf; an element's are those of its text, weighted by words; what shows no text is not content.
pub(crate) fn posteriors_of_nodes<const N: usize>(
    page: &Page,
    view: &PageView,
    posterior: &[f64],
    states: usize,
    labels: [Label; N],
) -> NodeMap<[f64; N]> {
    let dom = page.dom();
    let mut sums = vec![[0.0; N]; dom.len()];
    let mut weights = vec![0.0; dom.len()];
    // Both in document order; the view may hold text of scripts too.
    let mut shown = dom.shown_texts().peekable();
    for (v, node) in view.nodes.iter().enumerate() {
        // Text stands in leaves; a leaf's states are the labels themselves.
        if !view.tree.is_leaf(v as u32) {
            continue;
        }
        let of_leaf = labels.map(|label| posterior[v * states + label.index()]);
        for (&id, &words) in view.texts_of(node).iter().zip(view.words_of(node)) {
            while shown.next_if(|&other| other < id).is_some() {}
            if shown.peek() == Some(&id) {
                // Texts without a word (a lone dash) weigh little, and not nothing.
                let words = f64::from(words).max(0.01);
                sums[id.index()] = of_leaf.map(|p| p * words);
                weights[id.index()] = words;
            }
        }
    }
    let not_content = labels.map(|label| f64::from(u8::from(label == Label::NotContent)));
    // Below a node all is summed up when its turn comes.
    for index in (0..dom.len()).rev() {
        let (sum, words) = (sums[index], weights[index]);
        if words == 0.0 {
            sums[index] = not_content;
            continue;
        }
        if let Some(parent) = dom.parent(NodeId::from_index(index)) {
            weights[parent.index()] += words;
            sums[parent.index()].iter_mut().zip(sum).for_each(|(above, own)| *above += own);
        }
        sums[index] = sum.map(|p| p / words);
    }
    sums.into_iter().collect()
}

impl Hmt {
    /// Tells readers' comments from the rest of what is not content, if the model has learned that. Comes last, so that no
    /// decision on content, and no score of it, depends on it.
    pub(super) fn split_comments(
        &self,
        page: &Page,
        observation: &Observation,
        extraction: &mut Extraction,
        mut posterior: Vec<f64>,
    ) {
        let (Some(split), Some(inputs)) = (&self.model.layers().comment_split, &observation.comments) else {
            return;
        };
        // Its probabilities are 0 or 1: there is nothing to split.
        if !self.gives_probabilities() {
            return;
        }
        let (view, states) = (&observation.view, self.parameters.transition.states);
        split.apply(view, inputs, &mut posterior, states);
        // Of other labels it changes nothing.
        let moved = [Label::NotContent, Label::Comments];
        let of_nodes = posteriors_of_nodes(page, view, &posterior, states, moved);
        let Extraction { labels, posteriors: Some(posteriors), .. } = extraction else { return };
        for (id, own) in of_nodes.iter() {
            moved.iter().zip(own).for_each(|(label, p)| posteriors[id][label.index()] = *p);
            let [not_content, comments] = *own;
            if comments > not_content && labels[id] == Label::NotContent {
                labels[id] = Label::Comments;
            }
        }
    }
}
