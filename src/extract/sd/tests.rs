//! The SD algorithm step by step on pages of our own.

use super::*;
use crate::dom::Limits;

fn page(html: &str) -> Page {
    Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap()
}

fn segment(html: &str, t1: f64, t2: u64) -> Segmentation {
    Sd::new(Thresholds { t1, t2 }).segment(&page(html))
}

/// Role and density of each region.
fn found(segmentation: &Segmentation) -> Vec<(Role, u64)> {
    segmentation.regions.iter().map(|region| (region.role, region.density)).collect()
}

fn text(density: usize) -> String {
    "x".repeat(density)
}

#[test]
fn the_example_of_figure_1_is_an_article() {
    let html = format!(
        "<div>menu</div><div id=r1><h1>Title</h1><p>{}</p><p>{}</p></div><div id=r2><p>{}</p></div><div>foot</div>",
        text(600),
        text(400),
        text(300)
    );
    let segmentation = segment(&html, 10.0, 20);
    assert_eq!(segmentation.page_type, SdPageType::Article);
    assert_eq!(found(&segmentation), [(Role::Article, 1000)]);
    let region = &segmentation.regions[0];
    assert_eq!((region.distance_from_max, region.distance_from_root, region.cardinality), (0.0, 2, 3));
    assert_eq!((region.title.map(|title| title.level), region.title_difference), (Some(2), Some(0)));
}

#[test]
fn a_region_with_a_keyword_beside_the_article_makes_an_article_with_comments() {
    let html = format!(
        "<div><div id=post><h1>Oak</h1>{}</div><div class=c>Ann said: {}</div><div class=c>{}</div></div>",
        text(500),
        text(90),
        text(80)
    );
    let segmentation = segment(&html, 0.0, 20);
    assert_eq!(segmentation.page_type, SdPageType::ArticleWithComments);
    // The third region has no keyword but the class of one that has.
    assert_eq!(found(&segmentation), [(Role::Article, 500), (Role::Comment, 100), (Role::Comment, 80)]);
    // No class, no group.
    let without = html.replace(" class=c", "");
    assert_eq!(found(&segment(&without, 0.0, 20)), [(Role::Article, 500), (Role::Comment, 100)]);
}

#[test]
fn a_keyword_without_a_common_parent_is_no_comment() {
    let html = |wrapper: &str| {
        format!(
            "<div><div><h1>Oak</h1>{}</div>{wrapper}<div><div>Our user agreement and more</div></div></div>",
            text(500)
        )
    };
    assert_eq!(segment(&html(""), 0.0, 20).page_type, SdPageType::ArticleWithComments);
    assert_eq!(segment(&html("</div>"), 0.0, 20).page_type, SdPageType::Article);
    // Two children of the body have the body as their very parent.
    let siblings = format!("<div><h1>Oak</h1>{}</div><div>Our user agreement and more</div>", text(500));
    assert_eq!(segment(&siblings, 0.0, 20).page_type, SdPageType::ArticleWithComments);
}

#[test]
fn everything_has_a_common_parent_with_text_that_stands_in_the_body() {
    let html = format!("<h1>Oak</h1>{}<div><div><p>Ann wrote: what a tree that is</div></div>", text(500));
    assert_eq!(segment(&html, 0.0, 20).page_type, SdPageType::ArticleWithComments);
}

#[test]
fn candidates_on_one_level_are_multiple_areas() {
    // The first is the article, having a title of its own; the second stands beside it.
    let html = format!("<div><h2>t</h2>{}</div><div>{}</div><div>{}</div>", text(100), text(90), text(30));
    let segmentation = segment(&html, 20.0, 20);
    assert_eq!(segmentation.page_type, SdPageType::Multiple);
    assert_eq!(found(&segmentation), [(Role::Area, 100), (Role::Area, 90)]);
    // A single candidate is not several on one level.
    assert_eq!(segment(&html, 5.0, 20).page_type, SdPageType::Article);
    // Comments are looked for first.
    let comments = html.replace("<h2>t</h2>", "<h2>t</h2>Ann wrote: ");
    assert_eq!(segment(&comments, 30.0, 20).page_type, SdPageType::Multiple);
    let comments = html.replace(&text(30), "Ann wrote: a tree like no other");
    assert_eq!(segment(&comments, 20.0, 20).page_type, SdPageType::ArticleWithComments);
}

#[test]
fn the_article_must_be_nearest_to_the_root_and_to_its_title() {
    // The first is nearer to the root, the second to its title.
    let two = format!("<h1>t</h1><div>{}</div><div><div><h2>u</h2>{}</div></div>", text(100), text(90));
    assert_eq!(found(&segment(&two, 20.0, 20)), [(Role::Area, 100), (Role::Area, 90)]);
    // Here the first is both.
    let one = format!("<div><h1>t</h1>{}</div><div><div>{}</div></div>", text(90), text(100));
    assert_eq!(found(&segment(&one, 20.0, 20)), [(Role::Article, 90)]);
}

#[test]
fn without_titles_a_single_candidate_is_the_article_and_of_several_none() {
    let html = format!("<div>{}</div><div><div>{}</div></div>", text(100), text(50));
    assert_eq!(segment(&html, 0.0, 20).page_type, SdPageType::Article);
    assert_eq!(segment(&html, 60.0, 20).page_type, SdPageType::Multiple);
}

#[test]
fn several_candidates_nearest_to_root_and_title_are_peers_and_none_is_the_article() {
    let post =
        |density: usize| format!("<div class=post>User {}<div>{}</div></div>", text(density), text(90));
    let thread = format!("<div><h1>Oak</h1>{}{}</div>", post(100), post(95));
    let segmentation = segment(&thread, 20.0, 20);
    assert_eq!(segmentation.page_type, SdPageType::Multiple);
    let densities: Vec<u64> = segmentation.regions.iter().map(|region| region.density).collect();
    assert_eq!(densities, [105, 90, 100, 90]);
}

#[test]
fn a_page_without_regions_is_of_multiple_areas_and_has_none() {
    for html in [" ", "<p>short", "<title>only a title of more than twenty characters</title>"] {
        let segmentation = segment(html, 50.0, 20);
        assert_eq!((segmentation.page_type, segmentation.regions), (SdPageType::Multiple, vec![]));
    }
}

#[test]
fn labels_follow_the_roles_and_noise_has_none() {
    let html = format!(
        "<div id=page><h1>Oak</h1><div>{}<p>short</p><p>A longer paragraph of it</p></div><div class=comments>{}</div></div>",
        text(100),
        text(30)
    );
    let page = page(&html);
    let labels = PageExtractor::extract_page(&Sd::new(Thresholds { t1: 0.0, t2: 20 }), &page).unwrap().labels;
    let of_texts: Vec<Label> = page.dom().shown_texts().map(|id| labels[id]).collect();
    use Label::*;
    assert_eq!(of_texts, [Headline, FullText, NotContent, FullText, Comments]);
}

#[test]
fn areas_are_full_text_without_a_headline() {
    let page = page(&format!("<h1>t</h1><div>{}</div><div>{}</div>", text(100), text(100)));
    let labels = PageExtractor::extract_page(&Sd::default(), &page).unwrap().labels;
    let of_texts: Vec<Label> = page.dom().shown_texts().map(|id| labels[id]).collect();
    assert_eq!(of_texts, [Label::NotContent, Label::FullText, Label::FullText]);
}

#[test]
fn a_page_without_shown_text_is_refused_as_empty() {
    let error = PageExtractor::extract_page(&Sd::default(), &page("<script>x</script>")).unwrap_err();
    assert_eq!(error, PageProblem::Empty.into());
}
