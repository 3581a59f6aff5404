//! Adapting a model to a site: what labels teach, what stays as it is, and the commands as a user runs them.

use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use duramen::Label;
use duramen::dataset::synth::{SynthConfig, SynthPage, generate};
use duramen::dom::Limits;
use duramen::extract::Extractor;
use duramen::extract::hmt::{Hmt, Inference};
use duramen::extract::site_hmt::SiteHmt;
use duramen::inference::site_adaptation::{SitePage, site_of};
use duramen::label::LabelSet;
use duramen::model::{Model, PermittedStates, SitePrior, StateSet};
use duramen::page::Page;
use proptest::prelude::*;
use tempfile::TempDir;

/// A page of a site whose template is the other way round: what it calls a footer is the article.
fn odd_page(number: usize) -> String {
    let sentence = format!("Sentence number {number} of this page tells what was there to tell. ");
    format!(
        "<title>Page {number}</title><body><div class='main article-body'><p>{}</p><p>{}</p></div>\
         <footer class='footer widget'><p>{}</p></footer></body>",
        "Buy our things today, they are cheap and good. ".repeat(4),
        "Sign up for news of our shop, it costs nothing at all. ".repeat(3),
        sentence.repeat(3),
    )
}

fn parse(id: &str, html: &str) -> Page {
    Page::parse(id, None, html.as_bytes(), None, &Limits::default()).unwrap()
}

/// P(article) of the footer's text.
fn of_footer(model: &Model, page: &Page) -> f64 {
    let hmt = Hmt::new("h", model.clone(), Inference::Exact).unwrap();
    let extraction = hmt.extract_site(&[page]).remove(0).unwrap();
    let footer = page.dom().shown_texts().last().unwrap();
    LabelSet::ARTICLE.probability(&extraction.posteriors.unwrap()[footer])
}

/// What is known of an odd page: the footer alone is the article.
fn known(model: &Model, page: &Page) -> PermittedStates {
    let observation = model.observation(page).unwrap();
    let tree = &observation.view.tree;
    let space = model.config().states;
    let leaves: Vec<u32> = (0..tree.len() as u32).filter(|&v| tree.is_leaf(v)).collect();
    let sets: Vec<StateSet> = (0..tree.len() as u32)
        .map(|v| match (tree.is_leaf(v), Some(&v) == leaves.last()) {
            (true, true) => StateSet::only(Label::FullText.index()),
            (true, false) => StateSet::only(Label::NotContent.index()),
            (false, _) => StateSet::first(space.permitted(false)),
        })
        .collect();
    PermittedStates::new(tree, space, &sets).unwrap()
}

fn adapted(model: &Model, pages: &[Page], labelled: usize, prior: SitePrior) -> Model {
    let pages: Vec<SitePage<'_>> = pages
        .iter()
        .enumerate()
        .map(|(place, page)| SitePage {
            page,
            observation: model.observation(page).unwrap(),
            permitted: (place < labelled).then(|| known(model, page)),
        })
        .collect();
    model.clone().with_layer(site_of(model, &pages, prior).unwrap()).unwrap()
}

#[test]
fn one_labelled_page_turns_the_others_of_its_template() {
    let model = Model::bundled().unwrap();
    let pages: Vec<Page> = (0..4).map(|number| parse("page", &odd_page(number))).collect();
    let general = of_footer(&model, &pages[3]);
    assert!(general < 0.5, "the general model takes the footer for the article: {general}");
    let model = adapted(&model, &pages[..1], 1, SitePrior::default());
    assert!(of_footer(&model, &pages[3]) > 0.7, "{}", of_footer(&model, &pages[3]));
    // Of a page of another template it says what it said.
    let other = parse(
        "other",
        "<title>T</title><main><section><h1>T</h1><p>Some text, and more of it.</section></main>",
    );
    let general = Model::bundled().unwrap();
    assert_eq!(of_footer(&model, &other), of_footer(&general, &other));
}

#[test]
fn a_model_whose_word_is_worth_everything_stays_as_it_is() {
    let model = Model::bundled().unwrap();
    let pages: Vec<Page> = (0..3).map(|number| parse("page", &odd_page(number))).collect();
    let stubborn = SitePrior { strength: 1e6, label_weight: 1.0 };
    let adapted = adapted(&model, &pages, 1, stubborn);
    assert!((of_footer(&adapted, &pages[2]) - of_footer(&model, &pages[2])).abs() < 1e-4);
}

#[test]
fn an_adapted_model_is_its_file() {
    let pages: Vec<Page> = (0..3).map(|number| parse("page", &odd_page(number))).collect();
    let model = adapted(&Model::by_name("news-blocks").unwrap(), &pages, 1, SitePrior::default());
    let text = model.to_json();
    assert_eq!(Model::from_json(&text, "test").unwrap(), model);
    assert_eq!(Model::from_json(&text, "test").unwrap().to_json(), text);
    assert_eq!(model.layers().site.as_ref().unwrap().pages(), (3, 1));
}

#[test]
fn settings_out_of_range_are_refused() {
    for (prior, name) in [
        (SitePrior { strength: 0.0, ..SitePrior::default() }, "strength"),
        (SitePrior { strength: f64::NAN, ..SitePrior::default() }, "strength"),
        (SitePrior { label_weight: 0.5, ..SitePrior::default() }, "label-weight"),
    ] {
        assert!(prior.check().unwrap_err().to_string().contains(name));
    }
}

#[test]
fn a_page_alone_is_extracted_as_by_the_general_model_and_a_broken_one_fails_alone() {
    let model = Model::bundled().unwrap();
    let hmt = || Hmt::new("h", model.clone(), Inference::Exact).unwrap();
    let (page, empty) = (parse("page", &odd_page(1)), parse("empty", "<div></div>"));
    let alone = SiteHmt::new(hmt()).unwrap().extract_site(&[&page]).remove(0).unwrap();
    assert_eq!(alone, hmt().extract_site(&[&page]).remove(0).unwrap());
    let both = SiteHmt::new(hmt()).unwrap().extract_site(&[&page, &empty]);
    assert!(both[0].is_ok() && both[1].is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn pooled_posteriors_are_distributions_whatever_is_known(labelled in 0usize..4, strength in 0.01..100.0f64) {
        let model = Model::by_name("news-blocks").unwrap();
        let pages: Vec<Page> = (0..4).map(|number| parse("page", &odd_page(number))).collect();
        let model = adapted(&model, &pages, labelled, SitePrior { strength, ..SitePrior::default() });
        let hmt = Hmt::new("h", model, Inference::Exact).unwrap();
        let extraction = hmt.extract_site(&[&pages[3]]).remove(0).unwrap();
        for posterior in extraction.posteriors.unwrap().values() {
            prop_assert!((posterior.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!(posterior.iter().all(|p| (0.0..=1.0 + 1e-12).contains(p)));
        }
    }
}

/// Runs the program in a folder; exit code, what it wrote and what it said.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_duramen"));
    command.current_dir(folder).args(arguments).timeout(Duration::from_secs(120));
    command.env_remove("COLUMNS").env_remove("DURAMEN_DATA_DIR").env_remove("DURAMEN_MIRROR");
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Pages of one made-up site in a folder `site`.
fn with_site() -> (TempDir, Vec<SynthPage>) {
    let folder = TempDir::new().unwrap();
    let config = SynthConfig {
        sites: 1,
        pages_per_site: 5,
        seed: 3,
        broken_share: 0.0,
        misdeclared_share: 0.0,
        ..SynthConfig::default()
    };
    let pages = generate(&config).unwrap();
    std::fs::create_dir(folder.path().join("site")).unwrap();
    for page in &pages {
        std::fs::write(folder.path().join(format!("site/{}.html", page.id)), &page.original).unwrap();
    }
    (folder, pages)
}

fn article(page: &SynthPage) -> String {
    let texts = page.gold.iter().filter(|(label, _)| LabelSet::ARTICLE.contains(*label));
    texts.map(|(_, text)| format!("{text}\n")).collect()
}

#[test]
fn the_command_adapts_to_pages_with_and_without_their_text_and_the_model_extracts() {
    let (folder, pages) = with_site();
    let place = folder.path();
    std::fs::write(place.join(format!("site/{}.txt", pages[0].id)), article(&pages[0])).unwrap();
    std::fs::write(place.join(format!("site/{}.txt", pages[1].id)), "Words that stand nowhere on it.")
        .unwrap();
    for threads in ["1", "2"] {
        let (code, _, said) =
            run(place, &["adapt", "site", "-o", &format!("{threads}.json"), "--threads", threads]);
        assert_eq!(code, 0, "{said}");
        assert!(said.contains("adapted to 5 pages, 1 of them with their text, 0 left out"), "{said}");
        assert!(said.contains("taken without it"), "{said}");
    }
    let file = |name: &str| std::fs::read(place.join(name)).unwrap();
    assert_eq!(file("1.json"), file("2.json"));
    let page = format!("site/{}.html", pages[4].id);
    let (code, text, said) = run(place, &["extract", "--model", "1.json", &page]);
    assert!(code == 0 && !text.trim().is_empty(), "{said}");
    let (_, shown, _) = run(place, &["model", "show", "1.json"]);
    assert!(shown.contains("5 pages, 1 with their text"), "{shown}");
}

#[test]
fn extract_adapts_to_the_sites_among_its_pages() {
    let (folder, pages) = with_site();
    let files: Vec<String> = pages.iter().map(|page| format!("site/{}.html", page.id)).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let arguments = [
        &["extract", "--adapt", "--output-format", "jsonl", "--page-url", "https://site.example/a"],
        &files[..],
    ];
    let (code, lines, said) = run(folder.path(), &arguments.concat());
    assert_eq!((code, lines.lines().count()), (0, pages.len()), "{said}");
    let sampled = ["extract", "--adapt", "--model", "news-blocks", "--inference", "gibbs", files[0]];
    let (code, _, said) = run(folder.path(), &sampled);
    assert!(code == 2 && said.contains("adapt with another inference than exact"), "{said}");
}

#[test]
fn what_cannot_be_adapted_to_is_named() {
    let (folder, _) = with_site();
    let place = folder.path();
    std::fs::create_dir(place.join("none")).unwrap();
    for (arguments, code, what) in [
        (&["adapt", "nowhere", "-o", "m.json"][..], 3, "nowhere"),
        (&["adapt", "none", "-o", "m.json"], 3, "none"),
        (&["adapt", "site", "-o", "m.json", "--strength", "0"], 2, "strength"),
        (&["adapt", "site", "-o", "m.json", "--model", "wbe"], 2, "no model 'wbe'"),
    ] {
        let (got, _, said) = run(place, arguments);
        assert!(got == code && said.contains(what), "{arguments:?}: {got}: {said}");
        assert!(!place.join("m.json").exists());
    }
}
