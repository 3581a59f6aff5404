//! The trainer: every way of training names the same sources, and pages that cannot be laid out teach nothing.

use duramen::dataset::TextGold;
use duramen::dataset::labelled::{LabelledCorpus, PageGold};
use duramen::dataset::synth::SynthConfig;
use duramen::inference::{EmConfig, WeightLearning};
use duramen::layout::{EngineId, LayoutBuilder};
use duramen::model::ModelConfig;
use duramen::page::Page;
use duramen::progress::Silent;
use duramen::training::{Trainer, TrainingPage, TrainingSettings, UnlabelledPages};

fn laid_out(page: Page) -> Page {
    let engine = EngineId { name: "blitz".to_owned(), version: "7".to_owned() };
    let layout = LayoutBuilder::new(engine, page.dom().len()).finish();
    page.with_layout(layout)
}

/// Twelve pages of six sites with layouts, the last without.
fn corpus(with_text: bool) -> LabelledCorpus {
    let config = SynthConfig { sites: 6, pages_per_site: 2, ..SynthConfig::default() };
    let mut corpus = LabelledCorpus::synthetic(&config, None, false).unwrap();
    let n = corpus.pages.len();
    corpus.pages = corpus
        .pages
        .into_iter()
        .enumerate()
        .map(|(i, mut page)| {
            if i + 1 < n {
                page.page = laid_out(page.page);
            }
            if with_text {
                let text = page.gold_texts[0].1.clone();
                page.gold = PageGold::Text(TextGold { text, ..TextGold::default() });
            }
            page
        })
        .collect();
    corpus
}

fn config() -> ModelConfig {
    ModelConfig::preset("blocks+blitz").unwrap()
}

fn sources(
    corpora: &[&LabelledCorpus],
    unlabelled: &[UnlabelledPages],
    settings: TrainingSettings,
) -> Vec<(String, u64)> {
    let pages: Vec<TrainingPage<'_>> =
        corpora.iter().flat_map(|corpus| TrainingPage::from_corpus(corpus, &Silent).0).collect();
    let trainer = Trainer::new(config(), settings).unwrap();
    let model = trainer.train(pages, unlabelled, &Silent).unwrap().model;
    model.sources().iter().map(|(source, &pages)| (source.clone(), pages)).collect()
}

#[test]
fn every_way_of_training_names_the_version_of_the_layout_engine() {
    let (labelled, text) = (corpus(false), corpus(true));
    let of = |corpus: &LabelledCorpus, n: u64| vec![(format!("{} laid out by blitz 7", corpus.source()), n)];
    let counted = TrainingSettings::default();
    let em = Some(EmConfig { iterations: 2, ..EmConfig::default() });
    let weights =
        Some(WeightLearning { exponent_epochs: 1, refinement_epochs: 0, ..WeightLearning::default() });
    assert_eq!(sources(&[&labelled], &[], counted.clone()), of(&labelled, 11), "the last has no layout");
    let weighted = TrainingSettings { weights, em, ..counted.clone() };
    assert_eq!(sources(&[&labelled], &[], weighted.clone()), of(&labelled, 11));
    assert_eq!(sources(&[&text], &[], weighted.clone()), of(&text, 11), "text alone");
    // The same corpus twice, with labels and with their text: the second is counted by EM.
    for settings in [TrainingSettings { em, ..counted.clone() }, weighted] {
        assert_eq!(sources(&[&labelled, &text], &[], settings), of(&labelled, 22));
    }
    let pages = corpus(false).pages.into_iter().take(11).map(|page| page.page).collect();
    let unlabelled = UnlabelledPages::new(pages);
    let expected = (format!("{} laid out by blitz 7", unlabelled.source), 11);
    let found = sources(&[&labelled], &[unlabelled], TrainingSettings { em, ..counted });
    assert_eq!(found, [of(&labelled, 11), vec![expected]].concat());
}

#[test]
fn pages_that_were_counted_ahead_give_the_same_models_and_are_read_once() {
    let corpus = corpus(false);
    let pages: Vec<_> = corpus.pages.iter().collect();
    let ahead = Trainer::new(config(), TrainingSettings::default()).unwrap();
    ahead.count_ahead(&pages, &Silent).unwrap();
    let plain = Trainer::new(config(), TrainingSettings::default()).unwrap();
    for fold in 0..3 {
        let trains: Vec<usize> = (0..pages.len()).filter(|page| page % 3 != fold).collect();
        let pages = TrainingPage::from_pages(&corpus, &trains, &Silent).0;
        let of = |trainer: &Trainer<'_>| trainer.train(pages.clone(), &[], &Silent).unwrap().model.to_json();
        assert_eq!(of(&ahead), of(&plain), "fold {fold}");
    }
}

#[test]
fn what_a_trainer_cannot_use_is_refused_with_the_remedy() {
    let text = corpus(true);
    let trainer = Trainer::new(config(), TrainingSettings::default()).unwrap();
    let error = trainer.check_page(&text.pages[0]).unwrap_err().to_string();
    assert!(error.contains("it has reference text") && error.contains("by EM"), "{error}");
    let error = trainer.train(Vec::new(), &[], &Silent).unwrap_err().to_string();
    assert!(error.contains("there are none"), "{error}");
    let start = duramen::model::Model::new(config()).unwrap();
    let error = trainer.starting_from(start).err().unwrap().to_string();
    assert!(error.contains("without EM"), "{error}");
}
