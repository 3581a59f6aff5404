//! The filter over synthetic pages whose styles are known.

use super::normalize::initial_style;
use super::*;
use crate::dom::{Limits, NodeKind};
use crate::extract::PageExtractor;
use crate::extract::trivial::Everything;
use crate::layout::{EngineId, LayoutBuilder, Property};

/// A page whose elements are of 16 pixel text, and of 40 pixel text if they are of class `odd`.
fn page(html: &str) -> Page {
    let page = Page::parse("page", None, html.as_bytes(), None, &Limits::default()).unwrap();
    let dom = page.dom();
    let engine = EngineId { name: "blitz".to_owned(), version: "1".to_owned() };
    let mut layout = LayoutBuilder::new(engine, dom.len());
    for id in dom.ids().filter(|&id| dom.kind(id) == NodeKind::Element) {
        let mut style = initial_style();
        if dom.attribute(id, "class") == Some("odd") {
            style[Property::named("font-size").unwrap().index()] = "40px";
        }
        layout.set_style(id, style);
    }
    let layout = layout.finish();
    page.with_layout(layout)
}

fn filter(scope: Scope, contamination: f64) -> VisualOutlier {
    let detector = Detector::Knn { k: 200, distance: Distance::Mean };
    VisualOutlier { inner: Box::new(Everything), engine: "blitz".to_owned(), detector, contamination, scope }
}

fn kept(page: &Page, extraction: &Extraction) -> Vec<String> {
    let dom = page.dom();
    let is_kept = |id: &NodeId| extraction.labels[*id] != Label::NotContent;
    dom.shown_texts().filter(is_kept).map(|id| dom.text(id).to_owned()).collect()
}

const PLAIN: &str = "<p>a</p><p>b</p><p>c</p><p class=odd>odd</p>";

#[test]
fn the_text_that_looks_unlike_the_rest_is_deleted_first() {
    let page = page(PLAIN);
    for detector in [
        Detector::Knn { k: 2, distance: Distance::Mean },
        Detector::Knn { k: 2, distance: Distance::Kth },
        Detector::Hbos(Bins::Static(10)),
        Detector::Hbos(Bins::Dynamic(None)),
    ] {
        let filter = VisualOutlier { detector, ..filter(Scope::Site, 0.25) };
        let extraction = filter.extract_site(&[&page]).remove(0).unwrap();
        assert_eq!(kept(&page, &extraction), ["a", "b", "c"], "{detector:?}");
    }
}

#[test]
fn a_share_is_rounded_down_and_equals_go_in_order() {
    let page = page(PLAIN);
    let left = |contamination: f64| {
        kept(&page, &filter(Scope::Page, contamination).extract_site(&[&page]).remove(0).unwrap())
    };
    assert_eq!(left(0.0), ["a", "b", "c", "odd"]);
    assert_eq!(left(0.24), ["a", "b", "c", "odd"]);
    assert_eq!(left(0.5), ["b", "c"]);
    assert!(left(1.0).is_empty());
}

#[test]
fn pages_of_a_site_are_compared_with_each_other_and_pages_alone_are_not() {
    let pages = [page(PLAIN), page("<p class=odd>d</p><p class=odd>e</p>")];
    let pages: Vec<&Page> = pages.iter().collect();
    let texts = |scope: Scope| {
        let results = filter(scope, 0.5).extract_site(&pages);
        results
            .iter()
            .zip(&pages)
            .map(|(result, page)| kept(page, result.as_ref().unwrap()))
            .collect::<Vec<_>>()
    };
    assert!(filter(Scope::Site, 0.5).reads_whole_sites() && !filter(Scope::Page, 0.5).reads_whole_sites());
    // Six nodes, three of each look, all equally far from the rest.
    assert_eq!(texts(Scope::Site), [vec!["odd"], vec!["d", "e"]]);
    assert_eq!(texts(Scope::Page), [vec!["b", "c"], vec!["e"]]);
}

#[test]
fn scores_rank_the_nodes_and_are_not_probabilities() {
    let page = page(PLAIN);
    let extraction = filter(Scope::Site, 0.25).extract_site(&[&page]).remove(0).unwrap();
    assert_eq!(extraction.score_kind, crate::extract::ScoreKind::Uncalibrated);
    let scores = extraction.scores.unwrap();
    let of_text: Vec<f64> = page.dom().shown_texts().map(|id| scores[id]).collect();
    assert_eq!(of_text, [0.5, 0.75, 1.0, 0.25]);
    let elements = page.dom().ids().filter(|&id| page.dom().kind(id) == NodeKind::Element);
    assert!(elements.into_iter().all(|id| scores[id] == 0.0));
    // The element around deleted text is no content any more.
    let odd = page.dom().ids().find(|&id| page.dom().attribute(id, "class").is_some()).unwrap();
    assert_eq!(extraction.labels[odd], Label::NotContent);
}

#[test]
fn a_page_without_a_layout_is_not_applicable_and_leaves_the_others_alone() {
    let bare = Page::parse("bare", None, PLAIN.as_bytes(), None, &Limits::default()).unwrap();
    let styled = page(PLAIN);
    let results = filter(Scope::Site, 0.25).extract_site(&[&bare, &styled]);
    assert_eq!(results[0], Err(ExtractError::MissingInput(NEEDS_LAYOUT)));
    assert_eq!(kept(&styled, results[1].as_ref().unwrap()), ["a", "b", "c"]);
    assert_eq!(
        filter(Scope::Site, 0.25).extract_site(&[&bare]),
        [Err(ExtractError::MissingInput(NEEDS_LAYOUT))]
    );
    let other = VisualOutlier { engine: "chromium".to_owned(), ..filter(Scope::Site, 0.25) };
    assert_eq!(other.extract_site(&[&styled]), [Err(ExtractError::MissingInput(NEEDS_LAYOUT))]);
}

#[test]
fn a_failure_of_the_inner_extractor_is_passed_on() {
    struct Fails;
    impl PageExtractor for Fails {
        fn id(&self) -> &str {
            "fails"
        }
        fn extract_page(&self, _page: &Page) -> Result<Extraction, ExtractError> {
            Err(PageProblem::Empty.into())
        }
    }
    let fails = VisualOutlier { inner: Box::new(Fails), ..filter(Scope::Site, 0.25) };
    assert_eq!(fails.extract_site(&[&page(PLAIN)]), [Err(ExtractError::Page(PageProblem::Empty))]);
}

#[test]
fn text_whose_element_has_no_style_stays_and_is_not_ranked() {
    let bare = Page::parse("bare", None, PLAIN.as_bytes(), None, &Limits::default()).unwrap();
    let engine = EngineId { name: "blitz".to_owned(), version: "1".to_owned() };
    let layout = LayoutBuilder::new(engine, bare.dom().len()).finish();
    let page = bare.with_layout(layout);
    let extraction = filter(Scope::Site, 1.0).extract_site(&[&page]).remove(0).unwrap();
    assert_eq!(kept(&page, &extraction), ["a", "b", "c", "odd"]);
    let mut entities = Entities::default();
    entities.add(0, &page, page.layout("blitz").unwrap(), |_| Label::FullText, |_| true);
    assert_eq!((entities.nodes.len(), entities.without_style), (0, 4));
}

#[test]
fn the_registry_builds_it_over_other_extractors_but_not_over_itself() {
    let build = |text: &str| registry::build(ID, &text.parse().unwrap());
    assert_eq!(build("extractor = \"hmt\"\ndetector = \"hbos-dynamic\"\nscope = \"page\"").unwrap().id(), ID);
    assert!(build("extractor = \"hmtt\"").err().unwrap().to_string().contains("did you mean 'hmt'?"));
    assert!(
        build("extractor = \"visual-outlier\"")
            .err()
            .unwrap()
            .to_string()
            .contains("works on the page's tree")
    );
    assert!(build("contamination = 1.5").is_err());
}
