//! The features of a synthetic page, worked out by hand, and what holds of them on any page.

use std::collections::BTreeMap;

use duramen::dom::Limits;
use duramen::features::{Column, FeatureMatrix, FeatureSpec, Kind, catalogue};
use duramen::page::Page;
use duramen::view::{PageView, View};
use proptest::prelude::*;

/// All features that a page alone gives.
fn specs() -> Vec<&'static FeatureSpec> {
    let of_many = |spec: &FeatureSpec| matches!(spec.kind, Kind::ChildTags | Kind::SiblingTags);
    catalogue::all().filter(|spec| !spec.needs_layout && !spec.needs_score && !of_many(spec)).collect()
}

fn parse(html: &str) -> Page {
    Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap()
}

/// The values of every feature by node.
fn features(page: &Page, view: View) -> BTreeMap<&'static str, Vec<u32>> {
    let specs = specs();
    let view = PageView::new(page, view);
    let matrix = FeatureMatrix::new(page, &view, &specs, None);
    let values = |column| match column {
        Column::Values(values) => values,
        Column::ChildTags(_) | Column::SiblingTags(_) => unreachable!("left out above"),
    };
    specs.iter().map(|spec| spec.id).zip(matrix.columns.into_iter().map(values)).collect()
}

/// body, [nav li, nav li], [h1, p, p], footer: nodes 0 to 9 are body, ul, li, li, main, h1, p, div, p, footer's text.
fn page() -> Page {
    let long = "Rings tell, year by year, how Wide a tree has grown since it was 1 seed. ".repeat(2);
    parse(&format!(
        "<title>How trees grow - Grove</title><meta name=description content='rings tell years'>
         <script type='application/ld+json'>{{\"@type\": \"Article\", \"description\": \"grown since\"}}</script>
         <body><nav><ul><li class='item a'><a href=/>Home</a><li class='item a'><a href=/a>All trees</a></ul></nav>
         <main><h1>How trees grow</h1><p>{long}</p><div style='display: none'>hidden words!</div><p>Short<br>lines</p></main>
         <footer>Grove 2026</footer>"
    ))
}

#[test]
fn the_features_of_a_made_page_are_those_worked_out_by_hand() {
    let found = features(&page(), View::Blocks);
    // 0 body, 1 nav ul, 2 and 3 li, 4 main, 5 h1, 6 long p, 7 hidden div, 8 last p, 9 and 10 its lines, 11 footer.
    let is = |id: &str, expected: &[u32]| assert_eq!(found[id], expected, "{id}");
    is("words", &[44, 3, 1, 2, 39, 3, 32, 2, 2, 1, 1, 2]);
    is("main-levels", &[2, 2, 2, 2, 1, 1, 0, 1, 1, 1, 1, 2]);
    is("content-main-levels", &[2, 2, 2, 2, 1, 1, 0, 1, 1, 1, 1, 2]);
    is("long-text", &[100, 0, 0, 0, 100, 0, 100, 0, 0, 0, 0, 0]);
    is("leaves", &[8, 2, 1, 1, 5, 1, 1, 1, 2, 1, 1, 1]);
    is("child-number", &[0, 0, 0, 1, 1, 0, 1, 2, 3, 0, 1, 2]);
    is("in-nav", &[0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    is("in-main", &[0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0]);
    is("in-footer", &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    is("hidden", &[0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    is("heading-level", &[0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]);
    is("leaves-since-heading", &[9999, 9999, 9999, 9999, 9999, 0, 1, 2, 3, 3, 4, 5]);
    is("title-share", &[0, 0, 0, 25, 0, 75, 25, 0, 0, 0, 0, 25]);
    is("leaves-since-title", &[0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 4, 5]);
    is("leaves-until-title", &[2, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    is("signature-count", &[0, 0, 2, 2, 0, 1, 3, 1, 3, 3, 3, 1]);
    is("text-count", &[0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1]);
    is("links", &[2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    is("previous-leaf-words", &[0, 0, 0, 1, 2, 2, 3, 32, 2, 2, 1, 1]);
    is("ending", &[4, 5, 5, 5, 5, 5, 1, 1, 5, 5, 5, 4]);
    is("page-schema", &[1; 12]);
    is("page-description", &[3; 12]);
    is("page-linked-data", &[2; 12]);
    is("description-words", &[4, 0, 0, 0, 4, 0, 4, 0, 0, 0, 0, 0]);
}

#[test]
fn shares_of_characters_are_in_per_cent_of_the_whole_node() {
    let found = features(&parse("<p>AB cd</p><p>12 x.</p>"), View::Blocks);
    assert_eq!(found["capitals"], [25, 50, 0]);
    assert_eq!(found["upper-case"], [40, 50, 0]);
    assert_eq!(found["digits"], [25, 0, 50]);
    assert_eq!(found["full-stop-share"], [25, 0, 50]);
    assert_eq!(found["word-length"], [20, 20, 20]);
}

#[test]
fn a_page_of_many_siblings_and_great_depth_has_its_features_soon() {
    let wide = format!("<ul>{}</ul>", "<li class=a>x <a href=b>y</a></li>".repeat(50_000));
    let deep = format!("{}text{}", "<div><p>a</p>".repeat(500), "</div>".repeat(500));
    for html in [wide, deep] {
        for view in [View::Blocks, View::Dom] {
            let nodes = features(&parse(&html), view)["words"].len();
            assert!(nodes > 500);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_node_of_any_page_has_a_value_of_every_feature(
        html in "(<(p|div|ul|li|h1|nav|main|table|td|a href=x|br|title|noscript)>|</(p|div|ul|li|title)>|[a-zA-Z.,é東 ]{0,9}){0,40}",
        dom in any::<bool>(),
    ) {
        let page = parse(&format!("<html>{html}"));
        let view = if dom { View::Dom } else { View::Blocks };
        let nodes = PageView::new(&page, view).tree.len();
        let specs: BTreeMap<&str, &FeatureSpec> = specs().into_iter().map(|spec| (spec.id, spec)).collect();
        for (id, values) in features(&page, view) {
            prop_assert_eq!(values.len(), nodes, "{}", id);
            for value in values {
                prop_assert!(specs[id].kind.category(value) < specs[id].kind.categories(), "{}: {}", id, value);
                let is_share = matches!(specs[id].kind, Kind::Count { unit: "%", .. })
                    && !["full-stop", "commas", "links-per-word", "page-full-stops", "title-match"].iter().any(|part| id.contains(part));
                prop_assert!(!is_share || value <= 100, "{}: {}", id, value);
            }
        }
    }
}
