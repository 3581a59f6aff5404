//! Which text is kept: the decision for a page, and its title.

use super::Hmt;
use super::title_block::title_block;
use super::units::Units;
use crate::convention::{Convention, Inclusion};
use crate::extract::Extraction;
use crate::label::{Label, LabelSet};
use crate::model::PageTypeProbabilities;
use crate::model::decision::Decision;
use crate::page::Page;
use crate::view::{PageView, ViewNode};

impl Hmt {
    /// The decision for a page: the model's own depends on the type of the page, if it has learned that.
    fn decision_for(&self, page_type: Option<&PageTypeProbabilities>) -> Decision {
        match (self.decision, &self.model.layers().page_type_decision, page_type) {
            (Decision::ExpectedF { beta }, Some(by_type), Some(page_type)) if self.is_own_decision => {
                Decision::ExpectedF { beta: beta * by_type.factor(page_type) }
            }
            (decision, ..) => decision,
        }
    }

    /// Whether the block that repeats the page's title is kept whatever the decision says of it: under the model's own
    /// decision, where the convention includes headlines (that of the article does, as a label of their own). Where a corpus
    /// has taught the model its line, or the user has chosen a decision, that says itself how much is kept.
    fn keeps_title(&self) -> bool {
        let convention = self.model.convention();
        let takes_in = convention == Convention::ARTICLE || convention.headline == Some(Inclusion::In);
        takes_in && self.is_own_decision && self.model.layers().recalibration.is_none()
    }

    /// Labels text by the decision.
    pub(super) fn decide(&self, page: &Page, view: &PageView, extraction: &mut Extraction) {
        if self.decision == Decision::MostProbable {
            return;
        }
        let decision = self.decision_for(extraction.page_type.as_ref());
        let by_type = extraction.article_by_type(view);
        let Extraction { labels, posteriors: Some(posteriors), cutoff, .. } = &mut *extraction else {
            return;
        };
        let is_content = |label: Label| LabelSet::ARTICLE.contains(label);
        let of_content = |node: &ViewNode| LabelSet::ARTICLE.probability(&posteriors[view.texts_of(node)[0]]);
        let words = |node: &ViewNode| view.words_of(node).iter().map(|&words| f64::from(words)).sum::<f64>();
        let (of_leaves, words): (Vec<f64>, Vec<f64>) =
            view.text_leaves().map(|node| (of_content(node), words(node))).unzip();
        let units = Units::of(page.dom(), view);
        let chances = units.chances(&words, &of_leaves);
        let by_type = units.by_type(&words, &by_type);
        if let Some(content) = decision.content_by_type(&chances, &by_type) {
            let kept =
                chances.iter().zip(&content).filter(|(_, kept)| **kept).map(|(chance, _)| chance.content);
            *cutoff = kept.min_by(f64::total_cmp);
            let content = units.leaves(&words, &content);
            for (node, content) in view.text_leaves().zip(content) {
                for &id in view.texts_of(node) {
                    // The first of equals, as everywhere.
                    let allowed = Label::ALL.into_iter().rev().filter(|&label| is_content(label) == content);
                    let best = allowed
                        .max_by(|a, b| posteriors[id][a.index()].total_cmp(&posteriors[id][b.index()]));
                    labels[id] = best.expect("there are labels of both kinds");
                }
            }
            let is_kept = |node: &ViewNode| is_content(labels[view.texts_of(node)[0]]);
            let title = if self.keeps_title() { title_block(page, view, is_kept, of_content) } else { None };
            title.iter().flat_map(|node| view.texts_of(node)).for_each(|&id| labels[id] = Label::Headline);
        }
    }
}
