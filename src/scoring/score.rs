//! One extraction against the gold of its page: labels, calibration, text.

use super::cut_units::CutUnits;
use super::faults::Faults;
use super::metric::Metric;
use super::page_scores::{PageScores, TextResult};
use crate::alignment::{Found, find_text};
use crate::dataset::TextGold;
use crate::dataset::labelled::{LabelledPage, PageGold};
use crate::dataset::transfer::GoldTokens;
use crate::dom::Dom;
use crate::eval::region_accuracy::{Densities, region_accuracy};
use crate::eval::{
    Calibration, Confusion, ShingleCounts, bigram_f1, markdown_edits, rouge_lsum, snippet_scores,
    word_and_character_f1, word_f1,
};
use crate::extract::Extraction;
use crate::extract::render::{Kept, RenderOptions, Selection, confidence, to_markdown, to_text};
use crate::label::{Label, LabelSet};
use crate::model::PageType;

/// Scores an extraction by the given metrics, as far as the page's gold allows; `None` (a failure) counts as an
/// empty extraction.
///
/// - Tokens: each token of a shown text node has its gold label and is predicted that of its node.
/// - Nodes, bytes: each shown text node with a token has the label of most of its tokens.
/// - Calibration: P(content) of each token against whether it is content; for probability models, with tokens. Of a gold
///   of text, P(its [labels](TextGold::labels)) against whether it is in the gold, on pages where that was found.
/// - Region accuracy: see [`region_accuracy`](fn@region_accuracy); the regions are full text and comments, their
///   densities the characters of nodes of these labels.
/// - Type of page: the most probable one, where the gold states one; always.
/// - Cut units: of the same text as text metrics, against the page alone.
/// - Metrics of Markdown: the article as Markdown, or what the system itself gives, against each gold text of the page.
/// - Text metrics: the text of the article (the default [`Selection`], without the headline where the corpus leaves that to
///   the title), or what the system itself gives for its text, against each gold text of the page.
pub fn score(page: &LabelledPage, extraction: Option<&Extraction>, metrics: &[Metric]) -> PageScores {
    let mut scores = PageScores::default();
    if page.page_type.as_deref().and_then(PageType::stated).is_some() {
        let types = extraction.and_then(|extraction| extraction.page_type.as_ref());
        scores.page_type = types.map(|types| PageType::by_probability(types)[0]);
    }
    match &page.gold {
        PageGold::Tokens(gold) => score_labels(page.page.dom(), gold, extraction, metrics, &mut scores),
        PageGold::Text(gold) if metrics.contains(&Metric::Tokens) => {
            scores.calibration = calibration_by_text(page.page.dom(), gold, extraction);
        }
        PageGold::Text(_) => {}
    }
    let is_of_markdown = |metric: &Metric| Metric::OF_MARKDOWN.contains(metric);
    if metrics.iter().any(|metric| !metric.is_of_labels() && !is_of_markdown(metric)) {
        let text = |kept: &Kept| to_text(&page.page, kept, &RenderOptions::default());
        let (text, confidence) = extraction.map(|found| written(page, found, text)).unwrap_or_default();
        scores.confidence = confidence;
        if metrics.contains(&Metric::CutUnits) {
            scores.cut_units = CutUnits::new(&page.page, &text);
        }
        for (gold, gold_text) in &page.gold_texts {
            scores.texts.insert(*gold, score_text(page, &text, gold_text, metrics));
        }
    }
    if metrics.iter().any(is_of_markdown) {
        let options = RenderOptions { links: true, images: true, ..RenderOptions::default() };
        let markdown = |kept: &Kept| to_markdown(&page.page, kept, &options);
        let (markdown, _) = extraction.map(|found| written(page, found, markdown)).unwrap_or_default();
        for (gold, gold_text) in &page.gold_texts {
            scores.texts.entry(*gold).or_default().markdown = Some(markdown_edits(&markdown, gold_text));
        }
    }
    scores
}

/// P(labels of the gold) of each token against whether it was found in the gold; none where too little of that was found.
fn calibration_by_text(dom: &Dom, gold: &TextGold, extraction: Option<&Extraction>) -> Option<Calibration> {
    let posteriors = extraction?.posteriors.as_ref()?;
    let found = find_text(dom, &gold.text).ok().filter(Found::is_trusted)?;
    let (mut calibration, labels) = (Calibration::default(), gold.labels());
    for id in dom.shown_texts() {
        let content = labels.probability(&posteriors[id]).clamp(0.0, 1.0);
        let (inside, all) = found.counts(id);
        for (outcome, weight) in [(true, inside), (false, all - inside)] {
            calibration.add(content, outcome, weight.into()).expect("a probability is from 0 to 1");
        }
    }
    Some(calibration)
}

fn score_labels(
    dom: &Dom,
    gold: &GoldTokens,
    extraction: Option<&Extraction>,
    metrics: &[Metric],
    scores: &mut PageScores,
) {
    let (mut tokens, mut nodes, mut bytes, mut characters) =
        (Confusion::default(), Confusion::default(), Confusion::default(), Confusion::default());
    let posteriors = extraction.and_then(|extraction| extraction.posteriors.as_ref());
    let mut calibration = posteriors.map(|_| Calibration::default());
    for id in dom.shown_texts() {
        let counts = gold.counts(id);
        let Some(label) = gold.label(id) else { continue };
        let predicted = extraction.map_or(Label::NotContent, |extraction| extraction.labels[id]);
        nodes.add(label, predicted, 1);
        let text = dom.text(id).trim();
        bytes.add(label, predicted, text.len() as u64);
        characters.add(label, predicted, text.chars().count() as u64);
        for (label, &n) in Label::ALL.into_iter().zip(&counts) {
            tokens.add(label, predicted, u64::from(n));
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
    let asked = |metric: Metric| metrics.contains(&metric);
    scores.tokens = asked(Metric::Tokens).then_some(tokens);
    scores.nodes = asked(Metric::Nodes).then_some(nodes);
    scores.bytes = asked(Metric::Bytes).then_some(bytes);
    scores.calibration = calibration.filter(|_| asked(Metric::Tokens));
    if asked(Metric::RegionAccuracy) {
        let regions = [Label::FullText, Label::Comments].map(|label| characters.label_scores(label));
        let real = regions.iter().filter(|region| region.support > 0);
        let densities = real.map(|region| Densities { detected: region.predicted, real: region.support });
        scores.region_accuracy = region_accuracy(&[densities.collect::<Vec<_>>()]);
    }
}

/// What the system itself gives for a text, else the article as it is written; and the F1 that the system expects of it.
fn written(
    page: &LabelledPage,
    extraction: &Extraction,
    write: impl FnOnce(&Kept) -> String,
) -> (String, Option<f64>) {
    if let Some(text) = &extraction.text {
        return (text.clone(), None);
    }
    let labels = match &page.gold {
        PageGold::Text(gold) => gold.labels(),
        PageGold::Tokens(_) => LabelSet::ARTICLE,
    };
    // Of systems that give labels alone, as those of papers, all that they label counts.
    let selection = Selection { labels, threshold: None, hidden: extraction.posteriors.is_none() };
    let page = &page.page;
    let of_kept = |kept| (write(&kept), confidence(page, extraction, &selection, &kept));
    selection.kept(page, extraction).map(of_kept).unwrap_or_default()
}

fn score_text(page: &LabelledPage, text: &str, gold: &str, metrics: &[Metric]) -> TextResult {
    let asked = |metric: Metric| metrics.contains(&metric);
    let snippets = match &page.gold {
        PageGold::Text(corpus) if !corpus.with.is_empty() || !corpus.without.is_empty() => {
            Some(snippet_scores(text, &corpus.with, &corpus.without))
        }
        _ => None,
    };
    TextResult {
        words: asked(Metric::Words).then(|| word_f1(text, gold)),
        words_and_characters: asked(Metric::WordsAndCharacters).then(|| word_and_character_f1(text, gold)),
        shingles: asked(Metric::Shingles).then(|| ShingleCounts::compare(text, gold)),
        bigrams: asked(Metric::Bigrams).then(|| bigram_f1(text, gold)),
        rouge_lsum: asked(Metric::RougeLsum).then(|| rouge_lsum(text, gold)),
        snippets: snippets.filter(|_| asked(Metric::Snippets)),
        markdown: None,
        faults: asked(Metric::Faults).then(|| Faults::new(&page.page, text, gold)).flatten(),
    }
}
