//! `Doubt`: how improbable the labels of a page are under a model that has not seen its site, which is where labels that are wrong show.

use rayon::prelude::*;

use super::page::{Reference, TrainingPage};
use super::{Folds, Trainer, TrainingSettings};
use crate::dataset::split::folds_by_host;
use crate::error::Result;
use crate::extract::Extraction;
use crate::extract::hmt::{Hmt, Inference};
use crate::index::NodeId;
use crate::label::{Label, LabelSet};
use crate::model::{Model, ModelConfig, TextGoldLabels};
use crate::progress::Progress;

/// P below this counts as this: a model that is more certain is not to be believed.
const LEAST: f64 = 0.001;

/// How improbable the labels of a page are.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    /// The place of the page among those given.
    pub page: usize,
    /// Mean of -ln P(label) over the words of the page, in nats: 0 to 6.9, since P below .001 counts as .001.
    pub mean: f64,
    /// Of each text block the label that is given, and P of it; none of a block without a word that is known.
    pub blocks: Vec<Option<DoubtOfBlock>>,
}

/// A text block with the label that is given of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoubtOfBlock {
    /// Its words.
    pub words: u32,
    /// The label of most of its words. A reference text tells the article from the rest alone: of the labels that it permits the most
    /// probable one.
    pub given: Label,
    /// P(label); of a reference text P of all labels that it permits.
    pub p: f64,
    /// The label that the model gives it.
    pub found: Label,
}

impl DoubtOfBlock {
    /// Whether the label is less probable than not.
    pub fn is_doubtful(&self) -> bool {
        self.p < 0.5
    }
}

/// The pages with the labels that are least probable under models trained on pages of other sites, the most doubtful first; of equals
/// the first. Pages whose reference text was not found are left out.
///
/// # Errors
/// As [`folds_by_host`] and [`Trainer::train`].
///
/// # Cost
/// Of one training for each fold.
pub fn doubts_in_folds(
    pages: &[TrainingPage<'_>],
    config: &ModelConfig,
    settings: &TrainingSettings,
    folds: usize,
    progress: &dyn Progress,
) -> Result<Vec<Doubt>> {
    let hosts: Vec<String> = pages.iter().map(|page| page.labelled.host.clone()).collect();
    let fold_of = folds_by_host(&hosts, folds, settings.seed)?;
    let folds = Folds::new(&fold_of, folds);
    let mut doubts = Vec::new();
    for fold in 0..folds.count() {
        let seen = folds.seen(Some(fold)).map(|page| pages[page].clone()).collect();
        let trainer = Trainer::new(config.clone(), settings.clone())?;
        let model = trainer.train(seen, &[], progress)?.not_empty()?.model;
        let own: Vec<usize> = folds.pages(fold).collect();
        doubts.extend(doubts_of(pages, &own, model, progress)?);
    }
    Ok(sorted(doubts))
}

/// The same of a model that has seen none of the pages.
///
/// # Errors
/// If the model is none that extracts.
pub fn doubts(pages: &[TrainingPage<'_>], model: Model, progress: &dyn Progress) -> Result<Vec<Doubt>> {
    let all: Vec<usize> = (0..pages.len()).collect();
    Ok(sorted(doubts_of(pages, &all, model, progress)?))
}

fn sorted(mut doubts: Vec<Doubt>) -> Vec<Doubt> {
    doubts.sort_by(|a, b| b.mean.total_cmp(&a.mean).then(a.page.cmp(&b.page)));
    doubts
}

/// Of some of the pages, by their places.
fn doubts_of(
    pages: &[TrainingPage<'_>],
    some: &[usize],
    model: Model,
    progress: &dyn Progress,
) -> Result<Vec<Doubt>> {
    let hmt = Hmt::new("doubt", model, Inference::Exact)?;
    progress.stage("asking the model", some.len());
    let of_page = |&page: &usize| {
        let of = &pages[page];
        let observation = hmt.model().observation(&of.labelled.page).ok();
        let extraction =
            observation.and_then(|observation| hmt.extraction_of(&of.labelled.page, &observation).ok());
        progress.step();
        doubt(page, of, &extraction?)
    };
    Ok(some.par_iter().filter_map(of_page).collect())
}

impl Reference<'_> {
    /// The labels that each word of a text node may have, with the number of words: of a reference text those inside or outside it.
    fn permitted(&self, id: NodeId, labels: &TextGoldLabels) -> Vec<(LabelSet, u32)> {
        let counts = match self {
            Reference::Labels(gold) => {
                let of_label = |(label, count)| (LabelSet::from_iter([label]), count);
                Label::ALL.into_iter().zip(gold.counts(id)).map(of_label).collect()
            }
            Reference::Text { article, .. } => {
                let (inside, all) = article.counts(id);
                vec![(labels.inside, inside), (labels.outside, all - inside)]
            }
        };
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }
}

/// How improbable the labels of a page are by an extraction; none where its reference text was not found, and without words.
fn doubt(place: usize, page: &TrainingPage<'_>, extraction: &Extraction) -> Option<Doubt> {
    if !page.reference.is_trusted() {
        return None;
    }
    let posteriors = extraction.posteriors.as_ref()?;
    let blocks = page.labelled.page.blocks();
    let labels = TextGoldLabels::default();
    let (mut surprise, mut all) = (0.0, 0);
    let of_block = |block| {
        let texts = blocks.texts_of(block);
        let posterior = &posteriors[texts[0]];
        let mut words: Vec<(LabelSet, u32)> = Vec::new();
        for (set, count) in texts.iter().flat_map(|&id| page.reference.permitted(id, &labels)) {
            surprise -= f64::from(count) * set.probability(posterior).max(LEAST).ln();
            match words.iter_mut().find(|(other, _)| *other == set) {
                Some((_, sum)) => *sum += count,
                None => words.push((set, count)),
            }
        }
        let sum = words.iter().map(|(_, count)| count).sum();
        all += sum;
        // Of equals the first.
        let (set, _) = words.into_iter().rev().max_by_key(|(_, count)| *count)?;
        let p = |label: &Label| posterior[label.index()];
        let given = set.iter().max_by(|a, b| p(a).total_cmp(&p(b)))?;
        Some(DoubtOfBlock {
            words: sum,
            given,
            p: set.probability(posterior),
            found: extraction.labels[texts[0]],
        })
    };
    let blocks = blocks.leaves().map(of_block).collect();
    (all > 0).then(|| Doubt { page: place, mean: surprise / f64::from(all), blocks })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::TextGold;
    use crate::dataset::labelled::{LabelledCorpus, LabelledPage, PageGold};
    use crate::dataset::synth::SynthConfig;
    use crate::progress::Silent;

    /// The corpus with the labels of one page exchanged.
    fn corpus(wrong: usize) -> LabelledCorpus {
        let config = SynthConfig { sites: 8, pages_per_site: 2, ..SynthConfig::default() };
        let mut corpus = LabelledCorpus::synthetic(&config, None, false).unwrap();
        let page = &mut corpus.pages[wrong];
        let PageGold::Tokens(gold) = &page.gold else { unreachable!("synthetic pages have labels") };
        page.gold = PageGold::Tokens(gold.relabelled(Label::FullText, Label::NotContent, |_| true));
        corpus
    }

    #[test]
    fn the_page_with_wrong_labels_is_the_most_doubtful() {
        for wrong in [0, 9] {
            let corpus = corpus(wrong);
            let (pages, _) = TrainingPage::from_corpus(&corpus, &Silent);
            let (config, settings) = (ModelConfig::blocks(), TrainingSettings::default());
            let in_folds = doubts_in_folds(&pages, &config, &settings, 4, &Silent).unwrap();
            assert_eq!(in_folds.len(), pages.len());
            assert_eq!(in_folds[0].page, wrong, "{:?}", in_folds.iter().map(|d| d.mean).collect::<Vec<_>>());
            let blocks: Vec<DoubtOfBlock> = in_folds[0].blocks.iter().flatten().copied().collect();
            let is_wrong =
                |block: &&DoubtOfBlock| (block.given, block.found) == (Label::NotContent, Label::FullText);
            let changed: Vec<&DoubtOfBlock> = blocks.iter().filter(is_wrong).collect();
            assert!(changed.len() > 2 && changed.iter().all(|block| block.is_doubtful()));
            // The mean is that of its definition.
            let words: u32 = blocks.iter().map(|block| block.words).sum();
            let sum: f64 = blocks.iter().map(|block| -f64::from(block.words) * block.p.max(LEAST).ln()).sum();
            assert!((in_folds[0].mean - sum / f64::from(words)).abs() < 1e-9);
            // A model that has seen other pages alone finds the same page.
            let other = SynthConfig { sites: 6, pages_per_site: 2, seed: 1, ..SynthConfig::default() };
            let other = LabelledCorpus::synthetic(&other, None, false).unwrap();
            let (other, _) = TrainingPage::from_corpus(&other, &Silent);
            let model = Trainer::new(config, settings).unwrap().train(other, &[], &Silent).unwrap().model;
            assert_eq!(doubts(&pages, model, &Silent).unwrap()[0].page, wrong);
        }
    }

    #[test]
    fn a_reference_text_that_is_not_of_its_page_is_left_out_and_a_part_of_it_is_doubted() {
        let mut corpus = corpus(0);
        let text_of = |page: &LabelledPage| page.gold_texts[0].1.clone();
        let texts: Vec<String> = corpus.pages.iter().map(text_of).collect();
        for (number, page) in corpus.pages.iter_mut().enumerate() {
            let text = match number {
                3 => "Nothing of this stands on the page, which speaks of other things".to_owned(),
                5 => texts[5].split_whitespace().take(12).collect::<Vec<_>>().join(" "),
                _ => texts[number].clone(),
            };
            page.gold = PageGold::Text(TextGold { text, ..TextGold::default() });
        }
        let other = SynthConfig { sites: 6, pages_per_site: 2, seed: 1, ..SynthConfig::default() };
        let other = LabelledCorpus::synthetic(&other, None, false).unwrap();
        let (other, _) = TrainingPage::from_corpus(&other, &Silent);
        let trainer = Trainer::new(ModelConfig::blocks(), TrainingSettings::default()).unwrap();
        let model = trainer.train(other, &[], &Silent).unwrap().model;
        let (pages, _) = TrainingPage::from_corpus(&corpus, &Silent);
        let found = doubts(&pages, model, &Silent).unwrap();
        assert!(found.iter().all(|doubt| doubt.page != 3));
        assert_eq!(found[0].page, 5);
    }
}
