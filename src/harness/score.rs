//! One extraction against the gold of its page: token and node level, calibration, text.

use crate::eval::{Calibration, word_f1};
use crate::extract::Extraction;
use crate::extract::render::{RenderOptions, Selection, to_text};
use crate::label::Label;

use super::corpus::{LabelledPage, PageGold};
use super::record::PageScores;

/// Scores an extraction; `None` (a failure) counts as an empty one.
///
/// - Tokens: each token of a shown text node has its gold label and is predicted that of its node.
/// - Nodes: each shown text node with a token has the label of most of its tokens.
/// - Calibration: P(content) of each token against whether it is content; for probability models.
/// - Text: word F1 of the text of the article (the default [`Selection`]), where the gold is text.
pub fn score(page: &LabelledPage, extraction: Option<&Extraction>) -> PageScores {
    let mut scores = PageScores::default();
    match &page.gold {
        PageGold::Text(gold) => {
            let kept =
                extraction.and_then(|extraction| Selection::default().kept(&page.page, extraction).ok());
            let text =
                kept.map(|kept| to_text(&page.page, &kept, &RenderOptions::default())).unwrap_or_default();
            scores.text = Some(word_f1(&text, gold));
        }
        PageGold::Tokens(gold) => {
            let dom = page.page.dom();
            let posteriors = extraction.and_then(|extraction| extraction.posteriors.as_ref());
            let mut calibration = posteriors.map(|_| Calibration::default());
            for id in dom.shown_texts() {
                let counts = gold.counts(id);
                let Some(label) = gold.label(id) else { continue };
                let predicted = extraction.map_or(Label::NotContent, |extraction| extraction.labels[id]);
                scores.nodes.add(label, predicted, 1);
                for (label, &tokens) in Label::ALL.into_iter().zip(&counts) {
                    scores.tokens.add(label, predicted, u64::from(tokens));
                }
                if let (Some(calibration), Some(posteriors)) = (&mut calibration, posteriors) {
                    let content = 1.0 - posteriors[id][Label::NotContent.index()];
                    let not_content = u64::from(counts[Label::NotContent.index()]);
                    let all: u64 = counts.iter().map(|&tokens| u64::from(tokens)).sum();
                    let clamped = content.clamp(0.0, 1.0);
                    for (outcome, weight) in [(true, all - not_content), (false, not_content)] {
                        calibration.add(clamped, outcome, weight).expect("a probability is from 0 to 1");
                    }
                }
            }
            scores.calibration = calibration;
        }
    }
    scores
}
