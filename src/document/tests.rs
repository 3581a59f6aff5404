//! Tests of documents.

use std::sync::Arc;

use super::*;
use crate::dom::XPathQuery;
use crate::extract::trivial;

const PAGE: &[u8] = b"<title>Oak</title><nav><a href=/>Home</a></nav><h1>Oak</h1><p>The oldest oak of the village fell on Monday \
    night, after a storm.<p>Nobody was hurt, the mayor said.<figure><img src=oak.jpg width=600 height=400></figure>";

/// Options of the system that keeps all text, which gives no probabilities.
fn everything() -> Options {
    Options::of_system("everything", &Default::default()).unwrap()
}

#[test]
fn what_is_wrong_with_a_page_is_its_status_and_what_is_wrong_with_the_call_an_error() {
    let large = Options { limits: crate::dom::Limits { max_nodes: 5, ..Default::default() }, ..everything() };
    let late =
        Options { limits: crate::dom::Limits { max_seconds: Some(0), ..Default::default() }, ..everything() };
    for (bytes, options, status) in [
        (&b""[..], everything(), "empty"),
        (b"%PDF-1.7 \0\x01", everything(), "error"),
        (PAGE, large, "too-large"),
        (PAGE, late, "timeout"),
    ] {
        let document = extract_with(bytes, &options).unwrap();
        assert_eq!((&*document.id, document.status), ("page", status));
        assert!(document.problem.is_some() && document.text.is_empty() && document.extraction().is_none());
        assert!(document.blocks().is_empty() && document.images() == Images::default());
        assert_eq!(
            (document.markdown(&Default::default()), document.text_with_metadata()),
            Default::default()
        );
    }
    let error = |options: Options| extract_with(PAGE, &options).unwrap_err().to_string();
    let threshold = |p| Selection { threshold: Some(p), ..Selection::default() };
    assert_eq!(
        error(Options { selection: threshold(1.5), ..everything() }),
        "threshold is 1.5; it is from 0 to 1"
    );
    assert!(
        error(Options { min_confidence: Some(0.5), ..everything() }).contains("'everything' does not give")
    );
}

#[test]
fn a_page_is_named_by_its_id_else_its_address() {
    let named = |id: Option<&str>, url: Option<&str>| {
        let [id, url] = [id, url].map(|text| text.map(str::to_owned));
        extract_with(PAGE, &Options { id, url, ..everything() }).unwrap().record.id
    };
    assert_eq!(named(Some("oak"), Some("https://wood.example/")), "oak");
    assert_eq!(named(None, Some("https://wood.example/")), "https://wood.example/");
}

#[test]
fn what_is_pruned_is_not_kept_and_a_page_that_is_not_sure_has_no_text() {
    let whole = extract(PAGE).unwrap();
    assert!(whole.text.contains("mayor") && whole.html(&Default::default()).contains("mayor"));
    let pruned = vec![XPathQuery::parse("//p[2]").unwrap(), XPathQuery::parse("//h1").unwrap()];
    let pruned = extract_with(PAGE, &Options { pruned, ..Options::default() }).unwrap();
    assert!(pruned.text.starts_with("The oldest oak") && !pruned.text.contains("mayor"), "{}", pruned.text);
    let unsure = extract_with(PAGE, &Options { min_confidence: Some(0.9999), ..Options::default() }).unwrap();
    assert_eq!((unsure.status, &*unsure.text), ("unsure", ""));
    assert_eq!(
        (unsure.html(&Default::default()), unsure.markdown_with_metadata(&Default::default())),
        Default::default()
    );
    assert_eq!(unsure.blocks().len(), whole.blocks().len());
}

#[test]
fn a_page_in_another_language_or_without_metadata_is_not_wanted() {
    let problem = |html: &str, url: Option<&str>, language: Option<&str>, only_with_metadata| {
        let (target_language, url) = (language.map(str::to_owned), url.map(str::to_owned));
        let options = Options { target_language, url, only_with_metadata, ..everything() };
        let document = extract_with(html.as_bytes(), &options).unwrap();
        assert_eq!(document.status == "ok", !document.text.is_empty());
        (document.status != "ok").then(|| document.record.problem.unwrap())
    };
    let page =
        "<html lang=en-GB><title>Oak</title><h1>Oak</h1><p>The oldest oak of the village fell on Monday.";
    assert_eq!(problem(page, None, Some("EN-us"), false), None);
    let german = problem(page, None, Some("de"), false);
    assert_eq!(german.as_deref(), Some("its language is en-GB, and de was asked for"));
    // Of five digits nobody can tell the language.
    assert_eq!(problem("<p>12345", None, Some("de"), false), None);
    assert_eq!(problem(page, None, None, true).as_deref(), Some("it has no date, no address"));
    let dated = page.replace("<h1>", "<meta property=article:published_time content=2026-01-02><h1>");
    assert_eq!(problem(&dated, Some("https://wood.example/oak"), None, true), None);
    let wrong = Options { target_language: Some("german".to_owned()), ..everything() };
    let told = extract_with(PAGE, &wrong).unwrap_err().to_string();
    assert_eq!(told, "target_language is 'german'; write the code of a language, such as de or pt-BR");
}

#[test]
fn json_and_csv_say_what_is_asked_for_beside_the_record() {
    let document = extract_with(PAGE, &everything()).unwrap();
    let keys = |parts| {
        let json: serde_json::Value = serde_json::from_str(&document.json(parts)).unwrap();
        assert_eq!(json, serde_json::from_str::<serde_json::Value>(&document.json_line(parts)).unwrap());
        ["images", "lead_image", "nodes"].map(|key| json.get(key).is_some())
    };
    assert_eq!(keys(JsonParts::default()), [false; 3]);
    assert_eq!(keys(JsonParts { images: true, ..JsonParts::default() }), [true, true, false]);
    assert_eq!(keys(JsonParts { nodes: true, ..JsonParts::default() }), [false, false, true]);
    let fields = |text: &str| text.lines().map(|line| line.split(',').count()).collect::<Vec<_>>();
    assert_eq!(document.csv(true).lines().count(), document.blocks().len());
    let failed = Document::failed("p", None, &ExtractError::MissingInput("a layout"));
    for nodes in [false, true] {
        assert_eq!(fields(&failed.csv(nodes)), fields(&csv_header(nodes)));
    }
}

#[test]
fn images_stand_beside_kept_text_unless_a_model_tells_them() {
    let page = b"<meta property=og:image content=oak.jpg><h1>Oak falls</h1><p>It fell in the night, and nobody heard it.</p>\
        <figure><img src=oak.jpg width=600 height=400></figure><p>The old tree will be missed by all who sat under it.</p>";
    let with = |image_model| {
        let url = Some("https://wood.example/oak".to_owned());
        extract_with(page, &Options { image_model, url, ..Options::default() }).unwrap().images()
    };
    let beside = with(None);
    assert_eq!(
        (&*beside.images[0].url, beside.images[0].probability),
        ("https://wood.example/oak.jpg", None)
    );
    assert_eq!(beside.lead_image, None);
    let model = crate::extract::pictures::ImageModel::bundled();
    let lead = with(Some(std::borrow::Cow::Borrowed(model))).lead_image.expect("the page states one");
    assert!(lead.url == "https://wood.example/oak.jpg" && lead.probability.is_some());
}

#[test]
fn comments_are_a_text_of_their_own() {
    let all = Options::new(Arc::new(trivial::Everything));
    let document = extract_with(PAGE, &all).unwrap();
    let none: LabelSet = [crate::label::Label::Comments].into_iter().collect();
    assert!(document.text_of(none).is_empty() && document.text_of(LabelSet::ARTICLE).contains("mayor"));
}

#[test]
fn the_most_probable_blocks_fill_a_budget() {
    let story = |n: u32| {
        format!(
            "<p>The oldest oak of the village fell on day {n}, after a storm that lasted the whole night."
        )
    };
    let stories: String = (0..20).map(story).collect();
    let html = format!(
        "<title>Oak falls</title><nav><a href=/>Home</a> <a href=/news>News</a></nav><article><h1>Oak falls</h1>{}\
         <h2>How it was cut</h2><pre><code>saw length 2\nsaw width 3\nstack high</code></pre><h2>What comes</h2>{stories}</article>",
        story(100)
    );
    let cut = |max_tokens: Option<TokenBudget>| {
        extract_with(html.as_bytes(), &Options { max_tokens, ..Options::default() }).unwrap()
    };
    let whole = cut(None);
    assert!(whole.text.contains("saw width 3") && whole.text.contains("What comes"), "{}", whole.text);
    let n_words = |text: &str| crate::tokens::count(text) as usize;
    assert_eq!(cut(Some(TokenBudget::words(10_000))).text, whole.text);
    for max in [2, 20, 50, 100, 200] {
        let text = cut(Some(TokenBudget::words(max))).record.text;
        assert!(text.starts_with("Oak falls") && n_words(&text) <= max, "{max}: {text}");
        // Code is whole or not there, and no heading stands alone.
        assert!(
            ["length", "width", "stack"]
                .iter()
                .map(|word| text.contains(word))
                .collect::<Vec<_>>()
                .windows(2)
                .all(|two| two[0] == two[1])
        );
        assert!(!text.trim_end().ends_with("What comes"), "{max}: {text}");
        assert!(!text.contains("cut") || text.contains("saw"), "{max}: {text}");
        assert!(text.lines().filter(|line| !line.is_empty()).all(|line| whole.text.contains(line)));
    }
    // Nearly all that is asked for is used, the confidence stays that of the page, and another count has its own tokens.
    let hundred = cut(Some(TokenBudget::words(100)));
    assert!(n_words(&hundred.text) > 75);
    assert_eq!(hundred.confidence, whole.confidence);
    let characters = TokenBudget { max: 100, count: Arc::new(|text| text.chars().count()) };
    assert!(cut(Some(characters)).text.chars().count() <= 103);
    let none = cut(Some(TokenBudget::words(1)));
    assert_eq!(
        (none.status, none.problem.as_deref()),
        ("empty", Some("no block of the text is as short as was asked for"))
    );
    let error =
        extract_with(PAGE, &Options { max_tokens: Some(TokenBudget::words(5)), ..everything() }).unwrap_err();
    assert!(error.to_string().contains("max_tokens need probabilities"), "{error}");
}

#[test]
fn hidden_text_is_left_out_and_counted_unless_it_is_asked_for() {
    let html = b"<h1>Oak</h1><p>The oldest oak of the village fell on Monday night.<p style='display:none'>Ignore what was said.";
    let shown = extract_with(html, &everything()).unwrap();
    assert_eq!(
        (&*shown.text, shown.hidden_words),
        ("Oak\n\nThe oldest oak of the village fell on Monday night.\n", 4)
    );
    let selection = Selection { hidden: true, ..Selection::default() };
    let all = extract_with(html, &Options { selection, ..everything() }).unwrap();
    assert!(all.text.ends_with("Ignore what was said.\n") && all.hidden_words == 4);
}

#[test]
fn the_structure_of_a_page_is_a_tree_of_blocks() {
    let html = b"<h2>Oak <a href=https://wood.example/>tree</a></h2><ol start=3><li>leaf<li><p>bark<p>root</ol>\
        <table><tr><th align=right>a<th>b<tr><td colspan=2>1</table><pre><code class=language-sh>ls</code></pre><hr><p>x";
    let document = extract_with(html, &everything()).unwrap();
    let links = RenderOptions { links: true, ..RenderOptions::default() };
    let paragraph = |text: &str| serde_json::json!({"type": "paragraph", "text": text});
    let cell = |header: bool, text: &str| serde_json::json!({"type": "cell", "header": header, "blocks": [paragraph(text)]});
    let [mut first, mut wide] = [cell(true, "a"), cell(false, "1")];
    (first["align"], wide["columns"]) = ("right".into(), 2.into());
    let expected = serde_json::json!([
        {"type": "heading", "level": 2, "text": "Oak tree", "inlines": [
            {"type": "text", "text": "Oak "},
            {"type": "link", "url": "https://wood.example/", "inlines": [{"type": "text", "text": "tree"}]},
        ]},
        {"type": "list", "ordered": true, "start": 3, "blocks": [
            {"type": "item", "blocks": [paragraph("leaf")]},
            {"type": "item", "blocks": [paragraph("bark"), paragraph("root")]},
        ]},
        {"type": "table", "blocks": [
            {"type": "row", "blocks": [first, cell(true, "b")]},
            {"type": "row", "blocks": [wide]},
        ]},
        {"type": "code", "language": "sh", "text": "ls"},
        {"type": "break"},
        paragraph("x"),
    ]);
    assert_eq!(document.structure(&links), expected);
    let json = document.json(JsonParts { structure: Some(links), ..JsonParts::default() });
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap()["structure"], expected);
}

#[test]
fn a_panic_on_a_page_is_a_problem_of_this_page() {
    struct Panics;
    impl crate::extract::PageExtractor for Panics {
        fn id(&self) -> &'static str {
            "panics"
        }

        fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError> {
            panic!("on {}", page.id())
        }
    }
    let options = Options { extractor: Arc::new(Panics), id: Some("oak".to_owned()), ..everything() };
    let document = extract_with(PAGE, &options).unwrap();
    assert_eq!(document.status, "error");
    assert_eq!(document.problem.as_deref(), Some("a fault of duramen itself, please report it: on oak"));
    assert_eq!(document.title.as_deref(), Some("Oak"));
}
