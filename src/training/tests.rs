//! Learning on synthetic pages: no page knows its own labels, what is learned works on other sites, in the same bytes.

use super::boosted::{LearnedScores, learn as learn_scores};
use super::*;
use crate::boosting::BoostingSettings;
use crate::convention::{Convention, Inclusion};
use crate::dataset::TextGold;
use crate::dataset::labelled::{GoldText, LabelledCorpus, LabelledPage, PageGold};
use crate::dataset::split::folds_by_host;
use crate::dataset::synth::SynthConfig;
use crate::dom::Tag;
use crate::error::Result;
use crate::eval::Calibration;
use crate::extract::hmt::{Hmt, Inference};
use crate::extract::render::{Selection, confidence};
use crate::extract::{Extraction, PageExtractor};
use crate::features::measures::Measures;
use crate::index::NodeId;
use crate::inference::weight_learning::WeightLearning;
use crate::inference::weight_learning::mean;
use crate::label::{Label, LabelSet};
use crate::model::layers::label_split::{Comments, Supplemental};
use crate::model::{BoostedConfig, PageType, ScoreInputs, empirical_priors};
use crate::model::{Model, ModelConfig, Weights};
use crate::page::Page;
use crate::progress::Silent;
use crate::scoring::{Metric, score};
use crate::view::{PageView, View};

/// A boosted model of few trees, and few pages of few sites.
fn small() -> (ModelConfig, LabelledCorpus) {
    let mut config = ModelConfig::boosted();
    let boosted = config.boosted.as_mut().unwrap();
    (boosted.settings.trees, boosted.label_trees) = (12, 6);
    (boosted.settings.min_rows, boosted.label_min_rows) = (5, 5);
    let corpus = SynthConfig { sites: 10, pages_per_site: 3, ..SynthConfig::default() };
    (config, LabelledCorpus::synthetic(&corpus, None, false).unwrap())
}

fn quick() -> Learning {
    let weight_learning =
        WeightLearning { exponent_epochs: 3, refinement_epochs: 2, ..WeightLearning::default() };
    Learning { em_iterations: 2, weight_learning, ..Learning::default() }
}

fn learn<'a>(config: &ModelConfig, pages: &[TrainingPage<'a>], learning: &Learning) -> Result<Model> {
    Ok(Trainer::new(config.clone(), learning.settings())?.train(pages.to_vec(), &[], &Silent)?.model)
}

fn pages(corpus: &LabelledCorpus) -> Vec<TrainingPage<'_>> {
    TrainingPage::from_corpus(corpus, &Silent).0
}

/// The corpus with the article's text for gold in place of labels.
fn with_text_gold(corpus: &mut LabelledCorpus) {
    for page in &mut corpus.pages {
        let PageGold::Tokens(gold) = &page.gold else { unreachable!("synthetic pages have labels") };
        let dom = page.page.dom();
        let in_article = |id: &NodeId| gold.label(*id).is_some_and(|label| LabelSet::ARTICLE.contains(label));
        let texts: Vec<&str> = dom.shown_texts().filter(in_article).map(|id| dom.text(id)).collect();
        page.gold = PageGold::Text(TextGold { text: texts.join("\n"), ..TextGold::default() });
    }
}

fn learned(
    config: &BoostedConfig,
    scores: &[usize],
    pages: &[TrainingPage<'_>],
) -> (LearnedScores, Vec<usize>) {
    let hosts: Vec<String> = pages.iter().map(|page| page.labelled.host.clone()).collect();
    let folds = folds_by_host(&hosts, 5, 1).unwrap();
    let learned = learn_scores(config, scores, View::Blocks, pages, &folds, &Silent).unwrap();
    (learned, folds)
}

#[test]
fn the_scores_of_a_page_do_not_depend_on_the_labels_of_its_fold() {
    let (config, mut corpus) = small();
    let config = config.boosted.unwrap();
    let (before, folds) = learned(&config, &[0, 2], &pages(&corpus));
    // All text of the first fold's pages becomes content.
    for (page, _) in corpus.pages.iter_mut().zip(&folds).filter(|(_, fold)| **fold == 0) {
        let dom = page.page.dom();
        let texts: Vec<&str> = dom.shown_texts().map(|id| dom.text(id)).collect();
        page.gold = PageGold::Text(TextGold { text: texts.join("\n"), ..TextGold::default() });
    }
    let (after, _) = learned(&config, &[0, 2], &pages(&corpus));
    for (page, &fold) in folds.iter().enumerate() {
        let is_same = before.of_pages[page].values == after.of_pages[page].values;
        assert!(is_same || fold != 0, "page {page} knows its own labels");
    }
    let values = |learned: &LearnedScores| -> Vec<_> {
        learned.of_pages.iter().map(|page| page.values.clone()).collect()
    };
    assert!(values(&before) != values(&after), "other folds learn from them");
}

/// Articles, shop pages and lists of articles, each of a site of its own, that say what they are.
fn typed_pages() -> LabelledCorpus {
    let page = |i: usize| {
        let sentence = format!("The oak number {i} fell in the night, and nobody heard how it fell down. ");
        let (html, text, page_type) = match i % 3 {
            0 => {
                let text = sentence.repeat(4);
                (
                    format!("<body class=single-post><h1>Oak {i}</h1><p>{text}<p>{text}"),
                    text.repeat(2),
                    "news article",
                )
            }
            1 => {
                let row = "<li><b>Oak</b> $10</li>".repeat(12);
                (
                    format!("<body class=product-page><h1>Oak {i}</h1><p>{sentence}<ul>{row}</ul>"),
                    sentence,
                    "product",
                )
            }
            _ => {
                let teaser =
                    format!("<div class=teaser><h2><a href=x>Oak</a></h2><p>{sentence}</div>").repeat(6);
                (format!("<body class=category-archive>{teaser}"), sentence.repeat(6), "listing")
            }
        };
        let url = format!("https://site{i}.example/{i}");
        let page =
            Page::parse(format!("{i}"), Some(url), html.as_bytes(), None, &Default::default()).unwrap();
        let mut page = LabelledPage::from_text(page, text);
        page.page_type = Some(page_type.to_owned());
        page
    };
    let pages = (0..90).map(page).collect();
    LabelledCorpus { pages, ..LabelledCorpus::from_texts("typed", Vec::new()) }
}

#[test]
fn the_type_of_a_page_is_told_by_pages_of_other_sites_and_kept_with_the_model() {
    let (config, _) = small();
    let corpus = typed_pages();
    let (learned, _) = learned(config.boosted.as_ref().unwrap(), &[0], &pages(&corpus));
    for (i, types) in learned.of_pages.iter().map(|page| page.page_type.unwrap()).enumerate() {
        assert!((types.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let expected = [PageType::Article, PageType::Product, PageType::Listing][i % 3];
        assert!(types[expected as usize] > 0.8, "page {i}: {types:?}");
    }
    // The trees that the model keeps have seen the page: what is learned from it takes its type from others.
    let specs = config.boosted.as_ref().unwrap().check().unwrap();
    for (page, of_page) in corpus.pages.iter().zip(&learned.of_pages) {
        let view = PageView::new(&page.page, config.view);
        let inputs = ScoreInputs::new(&Measures::new(&page.page, &view, None), &specs, true);
        assert_ne!(learned.scores.page_type(&inputs), of_page.page_type);
    }
    let model = learn(&config, &pages(&corpus), &quick()).unwrap();
    let betas = model.layers().page_type_decision.as_ref().expect("each type has enough pages").betas();
    let types = [PageType::Article, PageType::Product, PageType::Listing];
    assert_eq!(betas.keys().copied().collect::<Vec<_>>(), types);
    let again = Model::from_json(&model.to_json(), "again").unwrap();
    assert_eq!(again, model);
    let hmt = Hmt::new("hmt", again, Inference::Exact).unwrap();
    let extraction = hmt.extract_page(&corpus.pages[1].page).unwrap();
    assert!(extraction.page_type.unwrap()[PageType::Product as usize] > 0.8);
    // Pages of one type alone tell nothing.
    let one_type = LabelledCorpus {
        pages: typed_pages().pages.into_iter().step_by(3).collect(),
        ..LabelledCorpus::from_texts("one type", Vec::new())
    };
    let model = learn(&config, &pages(&one_type), &quick()).unwrap();
    assert_eq!(model.layers().page_type_decision, None);
    assert_eq!(model.observation(&one_type.pages[0].page).unwrap().page_type, None);
}

/// What readers say, and what stands in the menu. Words are what trees weigh: where they are to tell one from the other, both
/// are long.
const SHORT: [&str; 2] = ["liked that old tree very much indeed", "Home"];
const LONG: [&str; 2] = [
    "liked that old tree very much indeed, and said so",
    "Home of all the trees of this land, with maps, prices and a shop for seeds",
];

/// Articles with readers' comments below, which the references include or leave out.
fn commented_pages(label: &str, comments: Inclusion, [said, menu]: [&str; 2]) -> LabelledCorpus {
    let page = |i: usize| {
        let text =
            format!("The oak number {i} fell in the night, and nobody heard how it fell down. ").repeat(4);
        let comment = format!("Reader {i} {said}.");
        let html = format!(
            "<body><h1>Oak {i}</h1><p>{text}<p>{text}<div class=comments><p class=comment>{comment}\
             <p class=comment>{comment}</div><div class=menu><a href=x>{menu}</a></div>"
        );
        let gold = match comments {
            Inclusion::In => format!("{text}{text}\n{comment}\n{comment}"),
            _ => text.repeat(2),
        };
        let url = format!("https://{label}{i}.example/{i}");
        let page = Page::parse(format!("{i}"), Some(url), html.as_bytes(), None, &Default::default());
        LabelledPage::from_text(page.unwrap(), gold)
    };
    LabelledCorpus {
        pages: (0..40).map(page).collect(),
        convention: Convention { comments: Some(comments), ..Convention::default() },
        ..LabelledCorpus::from_texts(label, Vec::new())
    }
}

#[test]
fn corpora_that_differ_in_what_they_take_in_teach_one_model_that_can_be_told() {
    let (config, _) = small();
    let corpora =
        [Inclusion::Out, Inclusion::In].map(|comments| commented_pages(comments.name(), comments, SHORT));
    let both: Vec<_> = corpora.iter().flat_map(pages).collect();
    let model = learn(&config, &both, &quick()).unwrap();
    let page = &corpora[0].pages[0].page;
    let keeps_comments = |convention: Convention| {
        let model = model.clone().with_convention(convention).unwrap();
        let hmt = Hmt::new("hmt", model, Inference::Exact).unwrap();
        let labels = hmt.extract_page(page).unwrap().labels;
        let is_kept = |id: &NodeId| LabelSet::ARTICLE.contains(labels[*id]);
        let text: String = page.dom().shown_texts().filter(is_kept).map(|id| page.dom().text(id)).collect();
        assert!(text.contains("nobody heard") && !text.contains("Home"), "{text}");
        text.contains("Reader")
    };
    assert!(keeps_comments(corpora[1].convention) && !keeps_comments(corpora[0].convention));
    assert!(keeps_comments(Convention::EVERYTHING) && !keeps_comments(Convention::ARTICLE));
    // Without being told, an article; and a file holds what it was taught.
    let again = Model::from_json(&model.to_json(), "again").unwrap();
    assert_eq!((again.convention(), &again), (Convention::ARTICLE, &model));
    // Corpora that agree teach nothing of the kind.
    let agreed = learn(&config, &pages(&corpora[0]), &quick()).unwrap();
    assert!(agreed.with_convention(Convention::EVERYTHING).is_err());
}

/// Comments of named elements teach, and of the rest nothing changes: what the model said of content stays to the last bit.
#[test]
fn comments_are_split_from_what_is_not_content_and_no_content_changes() {
    let (config, _) = small();
    let corpus = commented_pages("out", Inclusion::Out, LONG);
    let known = pages(&corpus);
    let model = learn(&config, &known, &quick()).unwrap();
    let settings = SplitSettings::of::<Comments>();
    let settings =
        SplitSettings { trees: BoostingSettings { trees: 30, min_rows: 5, ..settings.trees }, ..settings };
    let learned = learn_split::<Comments>(&model, &known, &settings, &Silent).unwrap();
    assert_eq!((learned.stated.pages, learned.named.pages), (0, 40));
    assert!(learned.named.scores().f1 > 0.9, "{:?}", learned.named);
    // The same again, and a file holds it.
    assert_eq!(
        learn_split::<Comments>(&learned.model, &known, &settings, &Silent).unwrap().model,
        learned.model
    );
    assert_eq!(Model::from_json(&learned.model.to_json(), "again").unwrap(), learned.model);
    assert!(!model.tells_comments() && learned.model.tells_comments());

    for inference in [Inference::Exact, Inference::Viterbi] {
        let extract = |model: &Model| Hmt::new("hmt", model.clone(), inference).unwrap();
        let (before, after) = (extract(&model), extract(&learned.model));
        assert_eq!(PageExtractor::tells_comments(&after), inference == Inference::Exact);
        let (mut told, mut wrong) = (0, 0);
        for page in &corpus.pages {
            let dom = page.page.dom();
            let (before, after) =
                (before.extract_page(&page.page).unwrap(), after.extract_page(&page.page).unwrap());
            assert_eq!((&before.scores, &before.page_confidence), (&after.scores, &after.page_confidence));
            let (of_before, of_after) = (before.posteriors.unwrap(), after.posteriors.unwrap());
            for id in dom.ids() {
                let (p, q) = (of_before[id], of_after[id]);
                for label in Label::ALL.into_iter().filter(|&label| label != Label::Comments) {
                    let is_split = label == Label::NotContent;
                    assert!(if is_split { q[0] <= p[0] } else { p[label.index()] == q[label.index()] });
                }
                assert!((q.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                match (before.labels[id], after.labels[id]) {
                    (Label::NotContent, Label::Comments) => assert!(q[5] > q[0]),
                    (old, new) => assert_eq!(old, new),
                }
            }
            let is_comment = |text: &str| {
                let id = dom.shown_texts().find(|&id| dom.text(id).contains(text)).unwrap();
                after.labels[id] == Label::Comments
            };
            told += usize::from(is_comment("Reader"));
            wrong += usize::from(is_comment("Home"));
        }
        match inference {
            Inference::Exact => assert!(told >= 36 && wrong <= 10, "{told} told and {wrong} wrong, of 40"),
            _ => assert_eq!((told, wrong), (0, 0)),
        }
    }
}

/// By-lines are told under a convention that includes them, and are content there; under the article's no bit changes.
#[test]
fn supplemental_text_is_told_where_the_convention_includes_by_lines() {
    let (config, corpus) = small();
    let known: Vec<TrainingPage<'_>> =
        pages(&corpus).into_iter().map(TrainingPage::read_as_article).collect();
    let model = learn(&config, &known, &quick()).unwrap();
    let settings = SplitSettings::of::<Supplemental>();
    let settings = SplitSettings {
        trees: BoostingSettings { trees: 30, learning_rate: 0.3, min_rows: 5, ..settings.trees },
        ..settings
    };
    let learned = learn_split::<Supplemental>(&model, &pages(&corpus), &settings, &Silent).unwrap();
    assert_eq!((learned.stated.pages, learned.named.pages), (30, 0));
    assert!(learned.stated.scores().f1 > 0.65, "{:?}", learned.stated);
    assert_eq!(Model::from_json(&learned.model.to_json(), "again").unwrap(), learned.model);

    let hmt = |model: Model| Hmt::new("hmt", model, Inference::Exact).unwrap();
    let [before, after] = [model, learned.model.clone()].map(hmt);
    let with_by_lines = hmt(learned.model.with_convention(Convention::EVERYTHING).unwrap());
    let (mut supplemental, mut told, mut wrong) = (0, 0, 0);
    for page in &corpus.pages {
        let extract = |hmt: &Hmt| hmt.extract_page(&page.page).unwrap();
        let [before, after, with_by_lines] = [&before, &after, &with_by_lines].map(extract);
        assert_eq!((before.labels, before.posteriors), (after.labels, after.posteriors));
        let PageGold::Tokens(gold) = &page.gold else { unreachable!("made pages are labelled") };
        let posteriors = with_by_lines.posteriors.unwrap();
        for id in page.page.dom().shown_texts() {
            assert!((posteriors[id].iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let is_told = with_by_lines.labels[id] == Label::Supplemental;
            match gold.label(id) {
                Some(Label::Supplemental) => {
                    (supplemental, told) = (supplemental + 1, told + usize::from(is_told))
                }
                _ => wrong += usize::from(is_told),
            }
        }
    }
    assert!(
        10 * told >= 7 * supplemental && 10 * wrong <= 3 * supplemental,
        "{told} of {supplemental}, {wrong} wrong"
    );
}

#[test]
fn a_text_alone_teaches_nothing_of_supplemental_text() {
    let corpus = commented_pages("in", Inclusion::In, LONG);
    let model = Model::new(ModelConfig::blocks()).unwrap();
    let settings = SplitSettings::of::<Supplemental>();
    let error =
        learn_split::<Supplemental>(&model, &pages(&corpus), &settings, &Silent).unwrap_err().to_string();
    assert!(error.contains("of none is known") && error.contains("such as read"), "{error}");
}

#[test]
fn pages_without_comments_teach_nothing_of_them() {
    let corpus = commented_pages("in", Inclusion::In, LONG);
    let known = pages(&corpus);
    let model = Model::new(ModelConfig::blocks()).unwrap();
    let error = learn_split::<Comments>(&model, &known, &SplitSettings::of::<Comments>(), &Silent)
        .unwrap_err()
        .to_string();
    assert!(error.contains("0 are comments") && error.contains("such as dragnet"), "{error}");
    let inputs = vec!["content-score".to_owned()];
    let settings = SplitSettings { inputs, ..SplitSettings::of::<Comments>() };
    let error = learn_split::<Comments>(&model, &known, &settings, &Silent).unwrap_err().to_string();
    assert!(error.contains("'content-score' is no feature"), "{error}");
}

#[test]
fn a_learned_model_extracts_made_pages_of_sites_it_has_not_seen() {
    let (config, corpus) = small();
    let model = learn(&config, &pages(&corpus), &quick()).unwrap();
    assert!(model.layers().weights.is_some() && model.layers().scores.as_ref().unwrap().trees().len() == 6);
    let again = Model::from_json(&model.to_json(), "again").unwrap();
    assert_eq!(again, model);
    assert_eq!(again.to_json(), model.to_json());
    let other = SynthConfig { sites: 4, pages_per_site: 1, seed: 99, ..SynthConfig::default() };
    let hmt = Hmt::new("hmt", model, Inference::Exact).unwrap();
    let other = LabelledCorpus::synthetic(&other, None, false).unwrap();
    let (mut hits, mut wrong) = (0, 0);
    for page in &other.pages {
        let PageGold::Tokens(gold) = &page.gold else { unreachable!("synthetic pages have labels") };
        let extraction = hmt.extract_page(&page.page).unwrap();
        for id in page.page.dom().shown_texts() {
            let Some(label) = gold.label(id) else { continue };
            let is_right =
                LabelSet::ARTICLE.contains(label) == LabelSet::ARTICLE.contains(extraction.labels[id]);
            *(if is_right { &mut hits } else { &mut wrong }) += 1;
        }
    }
    assert!(hits > 9 * wrong, "{hits} texts right, {wrong} wrong");
}

#[test]
fn reference_texts_alone_teach_content_and_no_single_label() {
    let (config, mut corpus) = small();
    with_text_gold(&mut corpus);
    let model = learn(&config, &pages(&corpus), &quick()).unwrap();
    let known: Vec<&String> = model.layers().scores.as_ref().unwrap().trees().keys().collect();
    assert_eq!(known, ["content-score"]);
    assert!(model.config().features.iter().all(|feature| feature.id != "comments-score"));
    // Beside labelled pages they are partly known, and counted as EM expects.
    let (config, labelled) = small();
    let mut both = pages(&labelled);
    both.extend(pages(&corpus));
    let model = learn(&config, &both, &quick()).unwrap();
    assert_eq!(model.layers().scores.as_ref().unwrap().trees().len(), 6);
    assert!(model.counts().fraction_bits > 0);
}

#[test]
fn a_headline_is_learned_from_the_title_of_a_gold_that_leaves_it_out() {
    let (config, mut corpus) = small();
    let mut headlines = Vec::new();
    for page in &mut corpus.pages {
        let PageGold::Tokens(gold) = &page.gold else { unreachable!("synthetic pages have labels") };
        let dom = page.page.dom();
        let of = |label| dom.shown_texts().filter(move |&id| gold.label(id) == Some(label));
        let title: Vec<&str> = of(Label::Headline).map(|id| dom.text(id)).collect();
        let texts: Vec<&str> = of(Label::FullText).map(|id| dom.text(id)).collect();
        headlines.push(of(Label::Headline).collect::<Vec<_>>());
        page.gold_texts = vec![(GoldText::Text, texts.join("\n"))];
        page.gold = PageGold::Text(TextGold {
            text: texts.join("\n"),
            title: Some(title.concat()),
            is_title_apart: true,
            ..TextGold::default()
        });
    }
    let model = learn(&config, &pages(&corpus), &quick()).unwrap();
    let hmt = Hmt::new("hmt", model, Inference::Exact).unwrap();
    let (mut found, mut all) = (0, 0);
    for (page, headline) in corpus.pages.iter().zip(&headlines) {
        let extraction = hmt.extract_page(&page.page).unwrap();
        found += headline.iter().filter(|&&id| extraction.labels[id] == Label::Headline).count();
        all += headline.len();
        // It is the title's and not the text's, for who scores by this corpus.
        let scores = score(page, Some(&extraction), &[Metric::Words, Metric::Tokens]);
        let mut with_title = extraction.clone();
        headline.iter().for_each(|&id| with_title.labels[id] = Label::FullText);
        let without = scores.texts[&GoldText::Text].words.unwrap();
        let with = score(page, Some(&with_title), &[Metric::Words]).texts[&GoldText::Text].words.unwrap();
        assert!(headline.is_empty() || without.precision > with.precision, "{without:?} {with:?}");
    }
    assert!(all >= 25 && 10 * found >= 7 * all, "{found} of {all} headlines");
}

#[test]
fn learning_gives_the_same_bytes_at_any_number_of_threads() {
    let (config, corpus) = small();
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| learn(&config, &pages(&corpus), &quick()).unwrap().to_json())
    };
    assert!(with_threads(1) == with_threads(3));
}

#[test]
fn weights_are_the_mean_of_those_learned_with_each_fold_held_out() {
    let (_, corpus) = small();
    let pages = pages(&corpus);
    let learning = Learning { folds: 3, ..quick() };
    let trainer = |held_out_folds| {
        let learning = Learning { held_out_folds, ..learning.clone() };
        Trainer::new(ModelConfig::blocks(), learning.settings()).unwrap()
    };
    let counted = trainer(1).count(&pages, &[], &Silent).unwrap();
    let weights = |counted: &Counted, held_out_folds| {
        let model = trainer(held_out_folds).weigh(counted.clone(), &pages, &Silent).unwrap();
        model.layers().weights.clone().unwrap()
    };
    // With another fold called the first, one run holds that out.
    let singles: Vec<Weights> = (0..3)
        .map(|first| {
            let mut counted = counted.clone();
            counted.folds.iter_mut().for_each(|fold| *fold = (*fold + 3 - first) % 3);
            weights(&counted, 1)
        })
        .collect();
    assert!(singles[0] != singles[1] && singles[1] != singles[2], "what is held out makes a difference");
    assert!(weights(&counted, 3) == mean(&singles).unwrap());
    assert!(weights(&counted, 100) == weights(&counted, 3), "there are three folds");
    assert!(weights(&counted, 2) == mean(&singles[..2]).unwrap());
}

#[test]
fn settings_out_of_range_and_no_pages_are_refused() {
    let (config, corpus) = small();
    let wrong = Learning { folds: 1, ..Learning::default() };
    let error = learn(&config, &pages(&corpus), &wrong).unwrap_err().to_string();
    assert_eq!(error, "learning.folds is 1; it must be from 2 to 100; the default is 3");
    let wrong = Learning { held_out_folds: 0, ..Learning::default() };
    let error = learn(&config, &pages(&corpus), &wrong).unwrap_err().to_string();
    assert_eq!(error, "learning.held-out-folds is 0; it must be from 1 to 100; the default is 3");
    assert!(learn(&config, &[], &quick()).unwrap_err().to_string().contains("there are none"));
}

#[test]
fn pages_without_their_scripts_and_style_sheets_teach_the_same() {
    let (config, mut corpus) = small();
    with_text_gold(&mut corpus);
    let (_, labelled) = small();
    for (page, labelled) in corpus.pages.iter_mut().zip(labelled.pages).take(15) {
        *page = labelled;
    }
    let digest = |corpus: &LabelledCorpus| corpus.pages[0].page.dom().digest();
    let (whole, digest_of_whole) = (learn(&config, &pages(&corpus), &quick()).unwrap(), digest(&corpus));
    strip_for_training(&mut corpus);
    assert_ne!(digest(&corpus), digest_of_whole);
    let scripts = |page: &LabelledPage| {
        let dom = page.page.dom();
        dom.ids().filter(|&id| dom.tag(id) == Tag::SCRIPT).map(|id| dom.text_content(id)).collect::<String>()
    };
    assert!(corpus.pages.iter().all(|page| !scripts(page).contains("show_ad")));
    assert_eq!(learn(&config, &pages(&corpus), &quick()).unwrap().to_json(), whole.to_json());
}

#[test]
fn the_priors_that_make_the_counts_most_probable_are_taken_if_asked_for() {
    let (_, corpus) = small();
    let learning = Learning { empirical_priors: true, weights: false, ..quick() };
    let model = learn(&ModelConfig::blocks(), &pages(&corpus), &learning).unwrap();
    assert_ne!(model.config().priors, ModelConfig::blocks().priors);
    assert_eq!(empirical_priors(&model), model.config().priors);
}

#[test]
fn how_far_a_page_can_be_trusted_is_learned_with_the_weights_and_goes_with_them() {
    let (_, corpus) = small();
    let model = learn(&ModelConfig::blocks(), &pages(&corpus), &quick()).unwrap();
    let learned = model.layers().page_confidence.clone().expect("thirty pages are enough");
    assert_eq!(Model::from_json(&model.to_json(), "test").unwrap(), model);
    let hmt = |model: &Model| Hmt::new("h", model.clone(), Inference::Exact).unwrap();
    let page = &corpus.pages[0].page;
    assert_eq!(hmt(&model).extract_page(page).unwrap().page_confidence.as_ref(), Some(&learned));
    // It is used for the article, with its headline or without, and for nothing else.
    let extraction = hmt(&model).extract_page(page).unwrap();
    let plain = Extraction { page_confidence: None, ..extraction.clone() };
    let article = TextGold { is_title_apart: true, ..TextGold::default() }.labels();
    for (labels, is_mapped) in [(LabelSet::ARTICLE, true), (article, true), (LabelSet::CONTENT, false)] {
        let selection = Selection { labels, ..Selection::default() };
        let kept = selection.kept(page, &extraction).unwrap();
        let of = |extraction| confidence(page, extraction, &selection, &kept).unwrap();
        let expected = of(&plain);
        assert_eq!(of(&extraction), if is_mapped { learned.f1(expected) } else { expected }, "{labels}");
    }
    // It was learned of the model's own decision and weights.
    let other = hmt(&model).with_decision(crate::model::Decision::EXPECTED_F1).unwrap();
    assert_eq!(other.extract_page(page).unwrap().page_confidence, None);
    assert_eq!(hmt(&model.without_layer::<Weights>()).extract_page(page).unwrap().page_confidence, None);
}

/// A corpus whose golds take comments in, for a model that has learned to leave them out: probabilities come out right, the
/// order of text stays, and few pages change little.
#[test]
fn another_convention_is_learned_from_pages_and_kept_with_the_model() {
    let (_, corpus) = small();
    let model = learn(&ModelConfig::blocks(), &pages(&corpus), &quick()).unwrap();
    let (_, mut other) = small();
    for page in &mut other.pages {
        let PageGold::Tokens(gold) = &page.gold else { unreachable!("synthetic pages have labels") };
        let dom = page.page.dom();
        let is_kept = |id: &NodeId| gold.label(*id).is_some_and(|label| label != Label::NotContent);
        let texts: Vec<&str> = dom.shown_texts().filter(is_kept).map(|id| dom.text(id)).collect();
        page.gold = PageGold::Text(TextGold { text: texts.join("\n"), ..TextGold::default() });
    }
    let recalibrated = recalibrate(&model, &pages(&other), &Silent).unwrap();
    for error in [Calibration::expected_error, Calibration::brier] {
        let (before, after) = (error(&recalibrated.before), error(&recalibrated.after));
        assert!(after < before, "{after:?} of {before:?}");
    }
    let line = recalibrated.model.layers().recalibration.as_ref().unwrap();
    assert!(line.intercept() > 0.3, "more is wanted: {line:?}");
    assert_eq!(line.sources().values().sum::<u64>(), 30);
    // What is expected of a page is learned again with it, and both are kept in the file and leave with the weights.
    assert!(recalibrated.model.layers().page_confidence.is_some());
    assert_ne!(recalibrated.model.layers().page_confidence, model.layers().page_confidence);
    assert!(Model::from_json(&recalibrated.model.to_json(), "test").unwrap() == recalibrated.model);
    assert!(
        recalibrated.model.clone().without_layer::<Weights>() == model.clone().without_layer::<Weights>()
    );
    // A second time it starts from the model as it was trained.
    let again = recalibrate(&recalibrated.model, &pages(&other), &Silent).unwrap();
    assert!(again.model == recalibrated.model);
    // The posterior of a page says what the line says.
    let extract = |model: &Model| {
        Hmt::new("h", model.clone(), Inference::Exact).unwrap().extract_page(&corpus.pages[0].page).unwrap()
    };
    let (before, after) = (extract(&model), extract(&recalibrated.model));
    for id in corpus.pages[0].page.dom().shown_texts() {
        let of = |extraction: &Extraction| {
            LabelSet::ARTICLE.probability(&extraction.posteriors.as_ref().unwrap()[id])
        };
        assert!((line.probability(of(&before)) - of(&after)).abs() < 1e-9);
    }
    // Of one page little is believed.
    let one = recalibrate(&model, &pages(&other)[..1], &Silent).unwrap();
    assert!(one.model.layers().recalibration.as_ref().unwrap().intercept() < line.intercept());
    assert_eq!(one.model.layers().page_confidence, model.layers().page_confidence);
    let none = recalibrate(&model, &[], &Silent).unwrap_err().to_string();
    assert!(none.contains("the reference of none was found"), "{none}");
}
