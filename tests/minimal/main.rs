//! What the library does without any Cargo feature: parse, extract, train on pages of one's own, say what is missing.

use duramen::{
    Error, Hmt, Inference, Label, LabelledCorpus, Learning, Model, ModelConfig, Page, PageExtractor,
    RenderOptions, Selection, Silent, Trainer, TrainingPage, to_text,
};

const TEXT: &str = "The oldest oak of the village fell on Monday night, after a storm that lasted for six hours. Nobody \
                    was hurt, because the green around it had been closed in the evening, the mayor said.";

/// A page of a made-up site with `TEXT` as its content.
fn page(number: usize) -> Page {
    let html = format!(
        "<!DOCTYPE html><title>Oak {number}</title><ul><li><a href='/'>Home</a></li><li><a href='/trees'>Trees</a></li></ul>\
         <h1>The old oak fell</h1><p>{TEXT}</p><div><a href='/terms'>Terms</a> | <a href='/imprint'>Imprint</a></div>"
    );
    let url = format!("https://site{number}.example/");
    Page::parse(format!("{number}.html"), Some(url), html.as_bytes(), None, &Default::default()).unwrap()
}

fn text(model: Model) -> String {
    let page = page(0);
    let extraction = Hmt::new("hmt", model, Inference::Exact).unwrap().extract_page(&page).unwrap();
    let posteriors = extraction.posteriors.as_ref().unwrap();
    for id in page.dom().shown_texts() {
        let sum: f64 = posteriors[id].iter().sum();
        assert!((sum - 1.0).abs() < 1e-9, "P(label) adds up to {sum}");
    }
    let home = page.dom().shown_texts().find(|&id| page.dom().text(id) == "Home").unwrap();
    assert!(posteriors[home][Label::NotContent.index()] > 0.5);
    let kept = Selection::default().kept(&page, &extraction).unwrap();
    to_text(&page, &kept, &RenderOptions::default())
}

#[test]
fn the_default_model_finds_the_content() {
    let text = text(Model::bundled().unwrap());
    assert!(text.contains("Nobody was hurt") && !text.contains("Imprint"), "{text}");
}

#[test]
fn a_model_is_trained_on_pages_with_their_text() {
    let pages = (1..=6).map(|number| (page(number), TEXT.to_owned())).collect();
    let corpus = LabelledCorpus::from_texts("mine", pages);
    let (pages, left_out) = TrainingPage::from_corpus(&corpus, &Silent);
    assert_eq!((pages.len(), left_out.len()), (6, 0));
    let config = ModelConfig::preset("blocks").unwrap();
    let learning = Learning { weights: false, ..Learning::default() };
    let trainer = Trainer::new(config, learning.settings()).unwrap();
    let model = trainer.train(pages, &[], &Silent).unwrap().model;
    assert_eq!(model.pages(), 6);
    assert_eq!(text(model).trim(), TEXT);
}

/// Says the same in any set of features: a model that was not fetched.
#[test]
fn a_model_that_is_not_there_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    duramen::model::known::set_folder(folder.path()).unwrap();
    let error = Model::by_name("news").unwrap_err();
    assert!(matches!(error, Error::Data { .. }), "{error}");
    assert!(error.to_string().contains("duramen model fetch news, from the folder models"), "{error}");
}

#[cfg(not(feature = "datasets"))]
#[test]
fn what_is_not_built_in_is_named() {
    let known = duramen::model::known::KnownModel::find("news").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let from = "https://example.org";
    let error =
        duramen::model::install::install(known, from, None, folder.path(), false, &Silent).unwrap_err();
    assert!(error.to_string().contains("without the feature 'datasets'"), "{error}");
    #[cfg(not(feature = "blitz"))]
    for engine in duramen::layout::ENGINES {
        let error = duramen::layout::Engines::default().open(engine).err().unwrap();
        assert!(error.to_string().contains(&format!("build it with the feature {engine}")), "{error}");
    }
}
