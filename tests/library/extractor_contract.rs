//! What every registered extractor must keep to, whatever the page.

use duramen::dom::Limits;
use duramen::extract::registry::{self, Parameters};
use duramen::extract::{ExtractError, Extraction, Extractor, PageExtractor};
use duramen::page::Page;
use duramen::{Label, NodeId};

fn page(html: &str) -> Page {
    Page::parse("page", None, html.as_bytes(), None, &Limits::default()).unwrap()
}

/// One page of each kind that has broken an extractor somewhere.
fn pages() -> Vec<Page> {
    let wide = "<p>some words".repeat(100_000);
    let deep = "<div>".repeat(600) + "deep text" + &"<b>x</b> y".repeat(1000);
    [
        " ",
        "<!-- only a comment -->",
        "<title>a title and no text</title><script>code()</script>",
        "text",
        "<html><frameset cols='*,*'><frame src=a><frame src=b><noframes>no frames</noframes></frameset></html>",
        "<h1>Headline</h1><p>A paragraph of an article that has more than ten words in a row, so there.</p>",
        wide.as_str(),
        deep.as_str(),
    ]
    .into_iter()
    .map(page)
    .collect()
}

fn registered() -> impl Iterator<Item = (&'static registry::ExtractorInfo, Box<dyn Extractor>)> {
    registry::list().map(|info| (info, registry::build(info.id, &Parameters::new()).unwrap()))
}

/// What the contract says of one result.
fn check(id: &str, page: &Page, needs: &[&str], result: &Result<Extraction, ExtractError>) {
    match result {
        Ok(extraction) => {
            assert!(needs.is_empty(), "{id}: a page without {needs:?} must be not applicable");
            let nodes = page.dom().len();
            assert_eq!(extraction.labels.len(), nodes, "{id}: one label for each node");
            if let Some(scores) = &extraction.scores {
                assert_eq!(scores.len(), nodes, "{id}: one score for each node");
                assert!(scores.values().iter().all(|score| !score.is_nan()), "{id}");
            }
            if let Some(posteriors) = &extraction.posteriors {
                assert_eq!(posteriors.len(), nodes, "{id}: one posterior for each node");
                for (node, p) in posteriors.iter() {
                    assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{id}: node {node}: {p:?}");
                }
            }
        }
        Err(ExtractError::MissingInput(missing)) => assert!(needs.contains(missing), "{id}: {missing}"),
        // A page without text may be refused as that, and as nothing else.
        Err(ExtractError::Page(problem)) => {
            assert_eq!(problem.status(), "empty", "{id}");
            assert_eq!(page.dom().shown_texts().count(), 0, "{id}");
        }
    }
}

#[test]
fn every_page_gets_a_whole_extraction_or_a_named_error() {
    let pages = pages();
    let pages: Vec<&Page> = pages.iter().collect();
    assert!(pages[6].dom().len() > 200_000);
    for (info, extractor) in registered() {
        let results = extractor.extract_site(&pages);
        assert_eq!(results.len(), pages.len(), "{}: one result for each page", info.id);
        for (page, result) in pages.iter().zip(&results) {
            check(info.id, page, info.needs, result);
        }
        assert!(extractor.extract_site(&[]).is_empty(), "{}: no pages, no results", info.id);
    }
}

#[test]
fn the_same_pages_give_the_same_extraction_again() {
    let pages = pages();
    let pages: Vec<&Page> = pages.iter().collect();
    for (info, extractor) in registered() {
        let again = registry::build(info.id, &Parameters::new()).unwrap();
        assert!(extractor.extract_site(&pages) == again.extract_site(&pages), "{}", info.id);
    }
}

#[test]
fn ids_are_unique_kebab_case_and_those_of_what_is_built() {
    let mut seen = std::collections::BTreeSet::new();
    for (info, extractor) in registered() {
        assert_eq!(extractor.id(), info.id);
        assert!(seen.insert(info.id), "{} is there twice", info.id);
        assert!(info.id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'));
        assert!(!info.summary.is_empty() && !info.reference.is_empty());
        for (i, parameter) in info.parameters.iter().enumerate() {
            assert!(info.parameters[..i].iter().all(|other| other.name != parameter.name));
        }
    }
}

#[test]
fn a_missing_input_is_not_applicable_and_leaves_the_other_pages_alone() {
    struct NeedsALink;
    impl PageExtractor for NeedsALink {
        fn id(&self) -> &str {
            "needs-a-link"
        }
        fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError> {
            let dom = page.dom();
            if !dom.ids().any(|id| dom.name(id) == "a") {
                return Err(ExtractError::MissingInput("a link"));
            }
            Ok(Extraction::from_labels(dom.ids().map(|_| Label::FullText).collect()))
        }
    }
    let pages = [page("<p>x"), page("<a href=y>z</a>")];
    let results = NeedsALink.extract_site(&[&pages[0], &pages[1]]);
    check("needs-a-link", &pages[0], &["a link"], &results[0]);
    assert_eq!(results[0].as_ref().unwrap_err().to_string(), "not applicable: the extractor needs a link");
    assert_eq!(results[1].as_ref().unwrap().labels[NodeId::ROOT], Label::FullText);
}
