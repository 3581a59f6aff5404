//! Metadata from each of its sources, in their order, and from pages that get them wrong.

use duramen::dom::Limits;
use duramen::extract::metadata::{Field, Metadata, MetadataSource};
use duramen::page::Page;

fn metadata_at(url: Option<&str>, html: &str, text: &str) -> Metadata {
    let url = url.map(str::to_owned);
    Metadata::read(&Page::parse("p", url, html.as_bytes(), Some("utf-8"), &Limits::default()).unwrap(), text)
}

fn metadata(html: &str) -> Metadata {
    metadata_at(None, html, "")
}

fn some(value: &str, source: MetadataSource) -> Option<Field> {
    Some(Field { value: value.to_owned(), source })
}

const JSON_LD: &str = r#"<script type="application/ld+json">{"@context":"https://schema.org","@type":"BlogPosting",
    "headline":"From JSON-LD","author":{"@type":"Person","name":"Ada Ld"},"datePublished":"2026-01-02T03:04:05Z",
    "inLanguage":"fr","publisher":{"name":"Ld Site"},"url":"https://ld.example/a","description":"Ld words"}</script>"#;
const OPEN_GRAPH: &str = r#"<meta property="og:title" content="From Open Graph"><meta property="og:site_name" content="Graph Site">
    <meta property="article:author" content="Ada Graph"><meta property="article:published_time" content="2026-02-03">
    <meta property="og:locale" content="pt_BR"><meta property="og:url" content="https://graph.example/a">
    <meta property="og:description" content="Graph words">"#;
const TWITTER: &str = r#"<meta name="twitter:title" content="From Twitter"><meta name="twitter:description" content="Bird words">"#;
const DUBLIN_CORE: &str = r#"<meta name="DC.Title" content="From Dublin"><meta name="DC.creator" content="Ada Core">
    <meta name="dc.creator" content="Bea Core"><meta name="DCTERMS.issued" content="2026-04-05">
    <meta name="dc.language" content="ga"><meta name="dc.publisher" content="Core Site"><meta name="dc.description" content="Core words">"#;
const META: &str = r#"<meta name="author" content="Ada Meta"><meta name="date" content="March 4, 2026">
    <meta http-equiv="Content-Language" content="it, en"><meta name="description" content="Meta words">"#;
const ELEMENTS: &str = r#"<title>From title | Leafsite</title><link rel="canonical" href="/c"></head><body><h1>A heading</h1>
    <a rel="author" href="/x">Ada Link</a><time datetime="2026-05-06 07:08">yesterday</time>"#;

#[test]
fn every_source_is_read() {
    let m = metadata(JSON_LD);
    assert_eq!(m.title, some("From JSON-LD", MetadataSource::JsonLd));
    assert_eq!(m.author, some("Ada Ld", MetadataSource::JsonLd));
    assert_eq!(m.date, some("2026-01-02T03:04:05Z", MetadataSource::JsonLd));
    assert_eq!(m.language, some("fr", MetadataSource::JsonLd));
    assert_eq!(m.site, some("Ld Site", MetadataSource::JsonLd));
    assert_eq!(m.canonical, some("https://ld.example/a", MetadataSource::JsonLd));
    assert_eq!(m.description, some("Ld words", MetadataSource::JsonLd));

    let m = metadata(OPEN_GRAPH);
    assert_eq!(m.title, some("From Open Graph", MetadataSource::OpenGraph));
    assert_eq!(m.author, some("Ada Graph", MetadataSource::OpenGraph));
    assert_eq!(m.date, some("2026-02-03", MetadataSource::OpenGraph));
    assert_eq!(m.language, some("pt-BR", MetadataSource::OpenGraph));
    assert_eq!(m.site, some("Graph Site", MetadataSource::OpenGraph));
    assert_eq!(m.canonical, some("https://graph.example/a", MetadataSource::OpenGraph));
    assert_eq!(m.description, some("Graph words", MetadataSource::OpenGraph));

    let m = metadata(TWITTER);
    assert_eq!(m.title, some("From Twitter", MetadataSource::Twitter));
    assert_eq!(m.description, some("Bird words", MetadataSource::Twitter));

    let m = metadata(DUBLIN_CORE);
    assert_eq!(m.title, some("From Dublin", MetadataSource::DublinCore));
    assert_eq!(m.author, some("Ada Core, Bea Core", MetadataSource::DublinCore));
    assert_eq!(m.date, some("2026-04-05", MetadataSource::DublinCore));
    assert_eq!(m.language, some("ga", MetadataSource::DublinCore));
    assert_eq!(m.site, some("Core Site", MetadataSource::DublinCore));
    assert_eq!(m.description, some("Core words", MetadataSource::DublinCore));

    let m = metadata(META);
    assert_eq!(m.author, some("Ada Meta", MetadataSource::Meta));
    assert_eq!(m.date, some("2026-03-04", MetadataSource::Meta));
    assert_eq!(m.language, some("it", MetadataSource::Meta));
    assert_eq!(m.description, some("Meta words", MetadataSource::Meta));

    let m = metadata_at(Some("https://www.leafsite.example/2025/12/24/x"), ELEMENTS, "");
    assert_eq!(m.title, some("From title", MetadataSource::TitleElement));
    assert_eq!(m.author, some("Ada Link", MetadataSource::Link));
    assert_eq!(m.date, some("2026-05-06T07:08:00", MetadataSource::TimeElement));
    assert_eq!(m.site, some("leafsite.example", MetadataSource::Address));
    assert_eq!(m.canonical, some("https://www.leafsite.example/c", MetadataSource::Link));

    let m = metadata(
        r#"<div itemprop="author"><b>by</b> <span itemprop="name">Ada Micro</span></div>
           <span itemprop="datePublished" content="20260607">June</span><h1> Only  a heading </h1>"#,
    );
    assert_eq!(m.title, some("Only a heading", MetadataSource::Heading));
    assert_eq!(m.author, some("Ada Micro", MetadataSource::Microdata));
    assert_eq!(m.date, some("2026-06-07", MetadataSource::Microdata));

    let recipe = r#"<script type="application/ld+json">[{"@type":"WebPage","name":"Home"},{"@type":"Recipe","name":"Acorn soup"}]</script>"#;
    assert_eq!(metadata(recipe).title, some("Acorn soup", MetadataSource::JsonLd));
    let host = "<title>Storm : Leafsite</title><link rel=canonical href=https://leafsite.example/x>";
    assert_eq!(metadata(host).title, some("Storm", MetadataSource::TitleElement));
    assert_eq!(metadata(host).site, some("leafsite.example", MetadataSource::Address));

    let m = metadata_at(Some("https://a.example/2025/12/24/x"), "<p>x", "");
    assert_eq!(m.date, some("2025-12-24", MetadataSource::Address));
}

#[test]
fn sources_are_asked_in_their_order() {
    let all = [JSON_LD, OPEN_GRAPH, TWITTER, DUBLIN_CORE, META, ELEMENTS];
    let titles = ["From JSON-LD", "From Open Graph", "From Twitter", "From Dublin", "From title | Leafsite"];
    let from = |first: usize| metadata(&all[first..].concat()).title.unwrap().value;
    assert_eq!([from(0), from(1), from(2), from(3), from(4)], titles);
    assert_eq!(metadata(&all.concat()).author, some("Ada Ld", MetadataSource::JsonLd));
    assert_eq!(metadata(&all[3..].concat()).date, some("2026-04-05", MetadataSource::DublinCore));
    assert_eq!(
        metadata(&format!("<html lang=EN-gb>{}", all.concat())).language,
        some("en-GB", MetadataSource::HtmlLang)
    );
}

#[test]
fn an_undeclared_language_is_guessed_and_the_guess_says_how_sure_it_is() {
    let text = "La tempête a déraciné plusieurs vieux chênes dans le parc pendant la nuit, a annoncé la mairie, et \
                personne n'a été blessé selon les pompiers.";
    assert_eq!(metadata_at(None, "<html lang=''><p>x", text).language, some("fr", MetadataSource::Detected));
    assert_eq!(metadata_at(None, "<p>x", "chêne").language.unwrap().source, MetadataSource::DetectedUnsurely);
    assert_eq!(metadata_at(None, "<p>x", "").language, None);
}

#[test]
fn a_page_that_states_nothing_has_no_metadata() {
    assert_eq!(metadata("<p>Only text."), Metadata::default());
}

#[test]
fn broken_statements_are_passed_over_for_the_next_source() {
    let m = metadata(
        r#"<html lang="{{ lang }}"><script type="application/ld+json">{"@type":"Article","headline":"cut off</script>
           <meta property="og:title" content="  "><meta property="og:title" content="The second">
           <meta name="author" content="https://a.example/ada"><meta name="author"><a rel="author">Ada</a>
           <meta name="date" content="soon"><time datetime="2026-05-06">x</time>
           <link rel="canonical" href="javascript:void(0)"><link rel="canonical" href="relative/only">
           <meta property="og:url" content="http://ok.example/">"#,
    );
    assert_eq!(m.title, some("The second", MetadataSource::OpenGraph));
    assert_eq!(m.author, some("Ada", MetadataSource::Link));
    assert_eq!(m.date, some("2026-05-06", MetadataSource::TimeElement));
    assert_eq!(m.canonical, some("http://ok.example/", MetadataSource::OpenGraph));
    assert_eq!(m.language, None);
}

#[test]
fn a_date_that_cannot_be_read_is_given_as_it_stands_if_there_is_no_other() {
    let date = |content: &str| metadata(&format!("<meta name=date content='{content}'>")).date;
    assert_eq!(date("in spring"), some("in spring", MetadataSource::Meta));
    assert_eq!(date("17 mai 2026"), some("2026-05-17", MetadataSource::Meta));
    assert_eq!(date("02-12-2025"), some("2025-12-02", MetadataSource::Meta));
}

#[test]
fn a_date_that_is_not_stated_for_machines_stands_beside_the_title_or_in_a_script() {
    let page =
        "<html lang=en-US><p>Today is 06/01/2026<h1>Oak</h1><div class=byline>By Ada Oak, 05/06/2026</div>";
    assert_eq!(metadata(page).date, some("2026-05-06", MetadataSource::Text));
    assert_eq!(metadata(&page.replace("en-US", "en-GB")).date, some("2026-06-05", MetadataSource::Text));
    let modified = "<meta property='article:modified_time' content='2026-05-07'>";
    assert_eq!(metadata(&format!("{modified}{page}")).date, some("2026-05-06", MetadataSource::Text));
    assert_eq!(metadata(modified).date, some("2026-05-07", MetadataSource::OpenGraph));
    let script = r#"<script>window.data = {"publishedAt":"2026-05-06T07:08:00Z"}</script>"#;
    assert_eq!(
        metadata(&format!("{modified}{script}")).date,
        some("2026-05-06T07:08:00Z", MetadataSource::Script)
    );
}

#[test]
fn long_and_many_statements_are_bounded() {
    let long = metadata(&format!("<title>{}</title>", "é".repeat(100_000)));
    assert_eq!(long.title.unwrap().value.chars().count(), 1000);
    let authors: String = (0..100_000).map(|i| format!("<meta name=author content=a{i}>")).collect();
    assert_eq!(
        metadata(&authors).author,
        some(&(0..50).map(|i| format!("a{i}")).collect::<Vec<_>>().join(", "), MetadataSource::Meta)
    );
    let scripts = JSON_LD.repeat(5_000);
    assert_eq!(metadata(&scripts).title, some("From JSON-LD", MetadataSource::JsonLd));
    let separators = " | ".repeat(30_000);
    assert!(metadata(&format!("<title>x{separators}y</title><h1>z</h1>")).title.is_some());
}

#[test]
fn image_license_sections_and_keywords_are_read_in_the_order_of_their_sources() {
    let ld = r#"<script type="application/ld+json">{"@type":"Article","image":"/ld.jpg","keywords":"Oak, storm,oak",
        "articleSection":["Trees","Weather"],"license":"https://creativecommons.org/licenses/by/4.0/"}</script>"#;
    let graph = "<meta property=og:image content=/graph.jpg><meta property=article:tag content=lime>\
        <meta property=article:tag content='ash; elm'><meta property=article:section content=Woods>";
    let plain = "<meta name=keywords content='fir,, pine , fir'><a rel=license href=/terms>Our terms</a>\
        <figure><a href=https://creativecommons.org/licenses/by-nd/2.0>a picture</a></figure>\
        <footer><a href=https://creativecommons.org/licenses/by-sa/4.0/deed.en>free</a></footer>";
    let read = |html: &str| metadata_at(Some("https://a.example/x"), html, "");

    let m = read(&[ld, graph, plain].concat());
    assert_eq!(m.image, some("https://a.example/graph.jpg", MetadataSource::OpenGraph));
    assert_eq!(m.license, some("CC BY 4.0", MetadataSource::JsonLd));
    assert_eq!(
        (m.tags, m.categories),
        (vec!["Oak".into(), "storm".into()], vec!["Trees".into(), "Weather".into()])
    );
    assert_eq!(read(ld).image, some("https://a.example/ld.jpg", MetadataSource::JsonLd));

    let m = read(&[graph, plain].concat());
    assert_eq!(m.license, some("Our terms", MetadataSource::Link));
    assert_eq!(
        (m.tags, m.categories),
        (vec!["lime".into(), "ash".into(), "elm".into()], vec!["Woods".into()])
    );

    let m = read(&plain.replace("rel=license", ""));
    assert_eq!(m.license, some("CC BY-SA 4.0", MetadataSource::Link));
    assert_eq!((m.image, m.tags, m.categories), (None, vec!["fir".into(), "pine".into()], vec![]));
    assert_eq!(read("<p>x").license, None);
}
