//! Records, standalone documents and hostile pages.

use std::time::{Duration, Instant};

use duramen::dom::Limits;
use duramen::error::PageProblem;
use duramen::extract::metadata::Metadata;
use duramen::extract::render::{
    CSV_COLUMNS, DocumentHead, Kept, RenderOptions, RenderedPage, Selection, confidence, node_records,
    to_html, to_html_document, to_markdown, to_text,
};
use duramen::extract::{ExtractError, Extraction};
use duramen::page::Page;
use duramen::{Label, LabelSet, NodeMap, tokens};

fn page(html: &str) -> Page {
    Page::parse("page.html", None, html.as_bytes(), Some("utf-8"), &Limits::default()).unwrap()
}

/// Headlines in `<h1>`, full text in `<p>`, with a posterior of `p` for each label given.
fn extraction(page: &Page, p: f64) -> Extraction {
    let dom = page.dom();
    let posterior = |id| {
        let mut posterior = [(1.0 - p) / 5.0; Label::COUNT];
        let label = match dom.parent(id).map(|parent| dom.name(parent)) {
            Some("h1") => Label::Headline,
            Some("p") => Label::FullText,
            _ => Label::NotContent,
        };
        posterior[label.index()] = p;
        posterior
    };
    Extraction::from_posteriors(dom.ids().map(posterior).collect())
}

fn record(page: &Page, p: f64, selection: &Selection) -> RenderedPage {
    let extraction = extraction(page, p);
    let kept = selection.kept(page, &extraction).unwrap();
    RenderedPage::new(page, &extraction, selection, &kept, &RenderOptions::default())
}

/// What is kept for the page's title counts as a headline in what is expected of the text, whatever its posterior.
#[test]
fn the_title_that_is_kept_all_the_same_is_no_doubt_of_the_page() {
    let page = page("<h1>An oak</h1><p>Two words more");
    let expected = |cutoff, labels| {
        let mut extraction = extraction(&page, 1.0);
        let title = page.dom().shown_texts().next().unwrap();
        let posteriors = extraction.posteriors.as_mut().unwrap();
        posteriors[title] = [0.75, 0.25, 0.0, 0.0, 0.0, 0.0];
        extraction.cutoff = cutoff;
        let selection = Selection { labels, ..Selection::default() };
        confidence(&page, &extraction, &selection, &selection.kept(&page, &extraction).unwrap()).unwrap()
    };
    // Of five words kept two are headline with probability 1/4: 2 * 3.5 / (5 + 3.5).
    assert_eq!(expected(Some(0.1), LabelSet::ARTICLE), 7.0 / 8.5);
    assert_eq!(expected(Some(0.5), LabelSet::ARTICLE), 1.0);
    assert_eq!(expected(Some(0.5), LabelSet::ARTICLE_BODY), 1.0);
}

const HTML: &str =
    "<html lang=en><title>Oak, \"the\" tree</title><h1>An oak</h1><p>Two words <b>and bold</b></p><div>Menu";

#[test]
fn a_record_says_what_was_found_and_how_sure_the_model_is() {
    let page = page(HTML);
    let record = record(&page, 0.8, &Selection::default());
    assert_eq!(
        serde_json::to_string(&record).unwrap(),
        r#"{"id":"page.html","url":null,"status":"ok","problem":null,"title":"Oak, \"the\" tree","author":null,"date":null,"date_modified":null,"language":"en","site":null,"description":null,"image":null,"license":null,"categories":[],"tags":[],"fingerprint":"2748f088a5e20240","confidence":0.8934010152284264,"page_fault":{"script-shell":0.32763518407549297},"words":{"not-content":3,"headline":2,"full-text":2,"supplemental":0,"related-content":0,"comments":0},"hidden_words":0,"text":"An oak\n\nTwo words\n"}"#
    );
    // Four words are kept, each content with .8 + 2 * .04, and three left out, each with 3 * .04: 2 * 3.52 / (4 + 3.88).
}

#[test]
fn the_wrapper_of_a_site_stands_in_the_record() {
    let page = page(HTML);
    let mut extraction = extraction(&page, 0.8);
    extraction.wrapper = Some("//p".to_owned());
    let selection = Selection::default();
    let kept = selection.kept(&page, &extraction).unwrap();
    let record = RenderedPage::new(&page, &extraction, &selection, &kept, &RenderOptions::default());
    assert_eq!(serde_json::to_value(&record).unwrap()["wrapper"], "//p");
}

#[test]
fn a_record_of_csv_has_the_columns_it_says() {
    let page = page(HTML);
    let record = record(&page, 1.0, &Selection::default());
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(CSV_COLUMNS).unwrap();
    csv.write_record(record.csv_row()).unwrap();
    let bytes = csv.into_inner().unwrap();
    let mut read = csv::Reader::from_reader(bytes.as_slice());
    let headers = read.headers().unwrap().clone();
    let row = read.records().next().unwrap().unwrap();
    let field = |name: &str| &row[headers.iter().position(|header| header == name).unwrap()];
    assert_eq!(field("title"), "Oak, \"the\" tree");
    assert_eq!(field("words_headline"), "2");
    assert_eq!(field("author"), "");
    assert_eq!(field("confidence"), "1");
    assert_eq!(field("text"), "An oak\n\nTwo words\n");
}

#[test]
fn an_empty_output_is_never_silent() {
    let record = |html: &str, selection: &Selection| record(&page(html), 0.9, selection);
    let comments = Selection { labels: [Label::Comments].into_iter().collect(), ..Selection::default() };
    let nothing = record(HTML, &comments);
    assert_eq!(
        (nothing.status, nothing.problem.as_deref()),
        ("empty", Some("no text has one of the labels comments"))
    );
    let sure = Selection { threshold: Some(0.99), ..comments };
    assert_eq!(record(HTML, &sure).problem.as_deref(), Some("no text reaches 0.99 for the labels comments"));
    let blank = record("<script>x</script>", &Selection::default());
    assert_eq!((blank.status, blank.problem.as_deref()), ("empty", Some("the page holds no text")));
}

#[test]
fn a_page_without_text_says_what_it_states_and_what_fills_it_in() {
    let options = duramen::Options::default();
    let head = "<title>An oak</title><meta property='article:published_time' content='2024-05-02'>";
    let document = |html: &str| duramen::extract_with(html.as_bytes(), &options).unwrap();
    let shell = document(&format!("{head}<div id=app></div>"));
    assert_eq!((shell.status, shell.problem.as_deref()), ("empty", Some("the page holds no text")));
    assert_eq!((shell.title.as_deref(), shell.date.as_deref()), (Some("An oak"), Some("2024-05-02")));
    assert!(shell.text.is_empty() && shell.fingerprint.is_none() && shell.extraction().is_none());
    let story =
        "The oldest oak of the village fell on Monday night, after a storm that lasted for six hours. "
            .repeat(8);
    let data = format!(
        "{head}<div id=app></div><script type=application/json>{{\"articleBody\":\"{story}\"}}</script>"
    );
    let problem = document(&data).problem.clone().unwrap_or_default();
    assert!(problem.starts_with("filled in by script"), "{problem}");
}

#[test]
fn words_in_a_wrong_encoding_lower_the_confidence_and_are_the_problem() {
    let right = record(&page("<p>The café isn’t open"), 1.0, &Selection::default());
    assert_eq!((right.status, right.problem.as_deref(), right.confidence), ("ok", None, Some(1.0)));
    let mut wrong = record(&page("<p>The cafÃ© isnâ€™t open"), 1.0, &Selection::default());
    let problem = "2 of 4 words look as if they were read in a wrong encoding, the first is \"cafÃ©\"";
    assert_eq!((wrong.status, wrong.problem.as_deref(), wrong.confidence), ("ok", Some(problem), Some(0.5)));
    wrong.abstain_below(0.8);
    let unsure = format!("the expected F1 is 0.50, and 0.8 was asked for; {problem}");
    assert_eq!((wrong.status, wrong.problem, wrong.text.as_str()), ("unsure", Some(unsure), ""));
}

#[test]
fn a_failed_page_is_a_record_with_its_reason() {
    let missing = RenderedPage::failed("p", None, &ExtractError::MissingInput("a layout"));
    assert_eq!(missing.status, "n/a");
    assert_eq!(missing.problem.as_deref(), Some("not applicable: the extractor needs a layout"));
    let late = RenderedPage::failed("p", None, &ExtractError::Page(PageProblem::Timeout { seconds: 3 }));
    assert_eq!(late.status, "timeout");
    assert_eq!(late.csv_row()[CSV_COLUMNS.len() - 1], "");
}

#[test]
fn node_records_name_each_shown_text_by_the_path_that_selects_it() {
    let page = page("<p>a<!-- c -->b</p><svg>no</svg><p>c <x-y>d</x-y><x-y>\n e </x-y><p>f");
    let extraction = extraction(&page, 0.5);
    let kept = Selection::default().kept(&page, &extraction).unwrap();
    let records = node_records(&page, &extraction, &kept);
    let texts: Vec<&str> = records.iter().map(|record| record.text.as_str()).collect();
    assert_eq!(texts, ["a", "b", "c", "d", "e", "f"]);
    for record in &records {
        assert_eq!(record.xpath, page.dom().xpath(record.node));
        assert!((record.posterior.as_ref().unwrap().values().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    assert_eq!(
        serde_json::to_string(&records[4]).unwrap(),
        format!(
            "{{\"node\":{},\"xpath\":\"/html[1]/body[1]/p[2]/x-y[2]/text()[1]\",\"tag\":\"x-y\",\"label\":\"not-content\",\
             \"kept\":false,\"posterior\":{{\"not-content\":0.5,\"headline\":0.1,\"full-text\":0.1,\"supplemental\":0.1,\
             \"related-content\":0.1,\"comments\":0.1}},\"score\":0.5,\"text\":\"e\"}}",
            records[4].node
        )
    );
}

#[test]
fn a_document_stands_alone_and_escapes_its_head() {
    let source = page(
        r#"<html lang="en-GB"><title>Oak &lt;&amp; "elm"</title><meta name=author content='"><script>x</script>'><p>Text"#,
    );
    let metadata = Metadata::read(&source, "");
    let html = to_html_document(
        &source,
        &Kept::everything(&source),
        &RenderOptions::default(),
        &DocumentHead::from(&metadata),
    );
    assert_eq!(
        html,
        "<!DOCTYPE html>\n<html lang=\"en-GB\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>Oak &lt;&amp; &quot;elm&quot;</title>\n\
         <meta name=\"author\" content=\"&quot;&gt;&lt;script&gt;x&lt;/script&gt;\">\n\
         </head>\n<body>\n<article>\n<p>Text</p>\n</article>\n</body>\n</html>\n"
    );
    assert_eq!(Metadata::read(&page(&html), "").author, metadata.author);
}

#[test]
fn hostile_pages_are_rendered_in_bounded_time_and_size() {
    let pages = [
        "<ul><li>x".repeat(100_000),
        "<blockquote>x".repeat(100_000),
        "<table><tr><td>x".repeat(100_000),
        "<b><i><s><code><a href=/y>x<div>".repeat(30_000),
        "<p>x".repeat(150_000),
        format!("<table><tr>{}<tr><td>x<td>y", "<td colspan=1000>x".repeat(50_000)),
        format!("<table>{}", "<tr><td>x<td rowspan=65534>y".repeat(50_000)),
        "<br>".repeat(300_000) + "x",
        format!("<pre>{}", "<div>x\n\n\n".repeat(100_000)),
        format!("<a href='/{}'>{}", "y".repeat(2_000_000), "<div>x</div>".repeat(50_000)),
        "<p>* _ ` [ ".repeat(100_000) + "x",
        format!("<p>{}", "<b>\"</b>x".repeat(100_000)),
        "<img src=a>".repeat(300_000) + "x",
    ];
    let options = RenderOptions { links: true, images: true, ..RenderOptions::default() };
    for html in &pages {
        let shown = &html[..html.len().min(40)];
        let start = Instant::now();
        let page =
            Page::parse("p", Some("https://a.example/".into()), html.as_bytes(), None, &Limits::default());
        let Ok(page) = page else { continue };
        let parsed = start.elapsed();
        let kept = Kept::everything(&page);
        let text = to_text(&page, &kept, &options);
        let words: usize =
            page.dom().shown_texts().map(|id| tokens::count(page.dom().text(id)) as usize).sum();
        assert!(words >= tokens::count(&text) as usize && !text.is_empty(), "{shown}");
        for rendered in [text, to_markdown(&page, &kept, &options), to_html(&page, &kept, &options)] {
            assert!(rendered.len() < 40 * html.len() + 1000, "{shown}: {}", rendered.len());
        }
        let labels = NodeMap::filled(page.dom().len(), Label::FullText);
        assert!(!node_records(&page, &Extraction::from_labels(labels), &kept).is_empty());
        assert!(start.elapsed() < Duration::from_secs(60), "{shown}: {:?} of them parsing", parsed);
    }
}
