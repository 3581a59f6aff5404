//! The explanation of a page: nothing of the page's text is lost, nothing of it is run.

use duramen::dom::{BlockKind, Dom, Limits, NodeKind, Tag};
use duramen::extract::PageExtractor;
use duramen::extract::hmt::{Hmt, Inference};
use duramen::inference::GibbsConfig;
use duramen::model::{Model, ModelConfig};
use duramen::page::Page;
use duramen::report::explain::{ExplainOptions, explain_html};
use duramen::{Label, LabelSet, RenderOptions, Selection, to_html, to_markdown, tokens};
use proptest::prelude::*;

const LESSON: &str = "<title>Lesson</title><ul><li><a href=1>Home</a><li><a href=2>News</a><li><a href=3>About us</a></ul>\
    <h1>Lesson of the day</h1><p>By a teacher</p>\
    <p>A long paragraph of the article, with many words and a full stop. And another sentence.</p>\
    <p>The second paragraph of the article, as long as the first. It ends here, after a while.</p>\
    <div>Copyright</div>";

fn parse(id: &str, html: &str) -> Page {
    Page::parse(id, None, html.as_bytes(), None, &Limits::default()).unwrap()
}

/// A model of one page: headings, long text, by-lines, and the rest.
fn trained(config: ModelConfig, inference: Inference) -> Hmt {
    let mut model = Model::new(config).unwrap();
    let page = parse("lesson", LESSON);
    let dom = page.dom();
    model
        .observe(
            &page,
            |id| {
                let words = tokens::count(dom.text(id));
                let label = match dom.text(id) {
                    text if text.starts_with("Lesson") => Label::Headline,
                    text if text.starts_with("By") => Label::Supplemental,
                    _ if words > 10 => Label::FullText,
                    _ => Label::NotContent,
                };
                let mut tokens = [0; Label::COUNT];
                tokens[label.index()] = words;
                tokens
            },
            "lesson",
        )
        .unwrap();
    Hmt::new("lesson", model, inference).unwrap()
}

fn explain(page: &Page, config: ModelConfig, options: &ExplainOptions) -> String {
    let hmt = trained(config, Inference::Exact);
    let extraction = hmt.extract_page(page).unwrap();
    explain_html(page, &hmt, &extraction, options)
}

fn explain_blocks(page: &Page) -> String {
    explain(page, ModelConfig::blocks(), &ExplainOptions::default())
}

fn data(html: &str) -> serde_json::Value {
    let start = html.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let end = start + html[start..].find("</script>").unwrap();
    serde_json::from_str(&html[start..end]).unwrap()
}

fn main_of(html: &str) -> &str {
    &html[html.find("<main>").unwrap()..html.find("</main>").unwrap() + "</main>".len()]
}

/// The tokens of a page, block by block; blank text nodes between two words part them.
fn shown_tokens(page: &Page) -> Vec<String> {
    let dom = page.dom();
    let is_hidden = |id| dom.ancestors(id).any(|above| dom.tag(above).hides_text());
    let mut all = Vec::new();
    for block in page.blocks().blocks().iter().filter(|block| block.kind == BlockKind::Leaf) {
        let texts = page.blocks().texts_of(block);
        let (first, last) = (texts[0], texts[texts.len() - 1]);
        let inside = dom.ids().filter(|&id| first <= id && id <= last && !is_hidden(id));
        let text: String = inside.map(|id| dom.text(id)).collect();
        all.extend(tokens::iter(&text).map(str::to_owned));
    }
    all
}

#[test]
fn a_tiny_page_is_explained_as_it_was() {
    let page = parse(
        "tiny.html",
        "<title>Tiny</title><ul><li><a href=1>Home</a><li>News<li>About</ul><h1>A <i>tiny</i> page</h1>\
         <p>One  paragraph with quite a few <b>words</b>, and a full stop. <a href=x>Then a link.</a></p>",
    );
    let html = explain_blocks(&page);
    insta::assert_snapshot!("tiny_main", main_of(&html));
    let start = html.find("<section id=\"summary\">").unwrap();
    insta::assert_snapshot!("tiny_summary", &html[start..html.find("</aside>").unwrap()]);
    insta::assert_snapshot!("tiny_data", serde_json::to_string_pretty(&data(&html)["blocks"][3]).unwrap());
}

#[test]
fn nothing_of_a_hostile_page_becomes_markup_or_script() {
    let evil = "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!--&lt;script&gt; &quot;' onclick=alert(2) {{data}} \
                &lt;img src=x onerror=alert(3)&gt; &lt;/main&gt;&lt;/title&gt;&lt;/style&gt;";
    let source = format!(
        "<html lang='\"><script>alert(4)</script>'><title>{evil}</title><script>alert(5)</script>\
         <style>body {{ display: none }}</style><body onload=alert(6)><p<!--<script>{evil}</p<!--<script><x-\"><b>{evil}</b></x-\">\
         <p id='\" onmouseover=alert(7)' class='\"><script>'>{evil}<img src=http://tracker.example/>\
         <a href='javascript:alert(8)'>{evil}</a><pre>{evil}</pre><svg><script>alert(9)</script></svg>"
    );
    let name = "\"><script>alert(10)</script>.html";
    let page = Page::parse(name, Some(name.into()), source.as_bytes(), None, &Limits::default()).unwrap();
    for config in [ModelConfig::blocks(), ModelConfig::thesis()] {
        let html = explain(&page, config, &ExplainOptions::default());
        let dom = Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap();
        let elements = || dom.ids().filter(|&id| dom.kind(id) == NodeKind::Element);
        assert_eq!(elements().filter(|&id| dom.tag(id) == Tag::SCRIPT).count(), 2, "data and our own script");
        for id in elements() {
            assert!(!matches!(
                dom.tag(id),
                Tag::IMG | Tag::IFRAME | Tag::LINK | Tag::FORM | Tag::SVG | Tag::OBJECT
            ));
            for (attribute, value) in dom.attributes(id) {
                assert!(!attribute.starts_with("on") && attribute != "src", "{attribute}={value}");
                assert!(attribute != "href" || value.starts_with("#b"), "{attribute}={value}");
            }
        }
        let start = html.find("id=\"data\">").unwrap() + "id=\"data\">".len();
        let end = html.find("<script nonce").unwrap() - "</script>\n".len();
        assert!(!html[start..end].contains('<'), "names of elements stand in the data");
        let mains = elements().filter(|&id| dom.tag(id) == Tag::MAIN).count();
        assert_eq!(mains, 1);
        assert!(data(&html)["blocks"].as_array().unwrap().len() >= 3);
    }
}

#[test]
fn the_file_asks_nothing_of_the_network() {
    let html = explain_blocks(&parse("a", "<p>Text <img src=b.png> more"));
    for word in ["http:", "https:", "url(", "@import", "src=", "fetch(", "XMLHttpRequest"] {
        assert!(!html.contains(word), "{word}");
    }
}

#[test]
fn the_totals_are_the_log_odds_of_the_posterior_and_the_sums_of_their_parts() {
    for config in [ModelConfig::blocks(), ModelConfig::thesis()] {
        let data = data(&explain(&parse("lesson", LESSON), config, &ExplainOptions::default()));
        let mut compared = 0;
        for block in data["blocks"].as_array().unwrap() {
            let posterior: Vec<f64> = serde_json::from_value(block["posterior"].clone()).unwrap();
            // In hundredths, as they are shown.
            let odds: Vec<Vec<i64>> = serde_json::from_value(block["odds"].clone()).unwrap();
            let label = block["label"].as_u64().unwrap() as usize;
            let (total, parts) = odds.split_last().unwrap();
            assert_eq!(parts.len(), data["features"].as_array().unwrap().len() + 2);
            for other in 0..Label::COUNT {
                assert_eq!(parts.iter().map(|part| part[other]).sum::<i64>(), total[other]);
                if posterior[other] > 0.01 {
                    let expected = (posterior[label] / posterior[other]).ln();
                    let total = total[other] as f64 / 100.0;
                    assert!((expected - total).abs() < 0.007, "{expected} and {total}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 10);
    }
}

#[test]
fn the_result_is_what_is_written_of_the_page() {
    let page = parse("lesson", LESSON);
    let html = explain_blocks(&page);
    let extraction = trained(ModelConfig::blocks(), Inference::Exact).extract_page(&page).unwrap();
    let selection = Selection { labels: LabelSet::CONTENT, ..Selection::default() };
    let kept = selection.kept(&page, &extraction).unwrap();
    let (_, result) = html.split_once("<article class=\"rendered\" dir=\"auto\">\n").unwrap();
    assert!(result.starts_with(&to_html(&page, &kept, &RenderOptions::default())));
    let (_, markdown) = result.split_once("<pre class=\"markdown\" tabindex=\"0\" dir=\"auto\">").unwrap();
    let expected = to_markdown(&page, &kept, &RenderOptions::default());
    assert!(expected.starts_with("# Lesson of the day\n") && markdown.starts_with(&expected));
}

#[test]
fn items_of_ordered_lists_have_their_numbers_and_links_side_by_side_are_parted() {
    let html = explain_blocks(&parse(
        "list",
        "<nav><a href=/d>Docs</a><a href=/b>Blog</a></nav><ol start=3><li>three<li><p>four</p><p>more</p><li value=9>nine</ol>\
         <ol reversed><li>down</ol><ul><li>dot</ul>",
    ));
    let main = main_of(&html);
    assert!(main.contains("<u>Docs</u><u class=\"next\">Blog</u>"), "{main}");
    let numbers: Vec<&str> =
        main.split("data-n=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(numbers, ["3.", "4.", "9."]);
}

#[test]
fn a_page_over_the_limit_is_colored_whole_and_says_what_it_leaves_out() {
    let page = parse("lesson", LESSON);
    let options = ExplainOptions { max_details: 3, ..ExplainOptions::default() };
    let html = explain(&page, ModelConfig::blocks(), &options);
    let labels: Vec<u64> =
        data(&html)["blocks"].as_array().unwrap().iter().map(|b| b["label"].as_u64().unwrap()).collect();
    assert_eq!(labels.len(), 3);
    assert!(labels.iter().all(|&label| label > 0), "kept blocks come first: {labels:?}");
    assert_eq!(main_of(&html).matches(" id=\"b").count(), 8);
    assert_eq!(main_of(&html).matches(" role=\"button\"").count(), 3);
    assert!(html.contains("5 blocks without log-odds"));
}

#[test]
fn what_is_removed_follows_the_labels_to_keep() {
    let page = parse("lesson", LESSON);
    let headline = |keep| {
        let options = ExplainOptions { keep, ..ExplainOptions::default() };
        let html = explain(&page, ModelConfig::blocks(), &options);
        let line = main_of(&html).lines().find(|line| line.contains("Lesson of")).unwrap().to_owned();
        line.contains(" removed ")
    };
    assert!(!headline(LabelSet::CONTENT));
    assert!(headline(LabelSet::MAIN_TEXT));
}

#[test]
fn posteriors_of_another_inference_are_named() {
    let page = parse("lesson", LESSON);
    let hmt = trained(ModelConfig::thesis(), Inference::Gibbs(GibbsConfig::default()));
    let html = explain_html(&page, &hmt, &hmt.extract_page(&page).unwrap(), &ExplainOptions::default());
    assert!(html.contains("Gibbs, 30 sweeps, 10 averaged"));
    assert!(html.contains("come from exact inference"));
    assert!(html.contains("leave out the labels of all siblings"));
    assert_eq!(data(&html)["inference"], "Gibbs, 30 sweeps, 10 averaged");
}

#[test]
fn what_speaks_for_the_type_of_a_page_is_listed() {
    let html = "<body class=forum><meta property=og:type content=article><p>Reply to this post: I think so. I do too.";
    let page = parse("thread", html);
    let hmt = Hmt::new("web", Model::bundled().unwrap(), Inference::Exact).unwrap();
    let extraction = hmt.extract_page(&page).unwrap();
    let html = explain_html(&page, &hmt, &extraction, &ExplainOptions::default());
    let why =
        html.split("<summary>Why ").nth(1).expect("it is explained").split("</details>").next().unwrap();
    assert!(why.contains("class forum") && why.contains("states og:article"), "{why}");
    // A model without types has nothing to say.
    assert!(!explain_blocks(&page).contains("<summary>Why "));
}

#[test]
fn a_page_nested_deeper_than_browsers_go_stays_shallow() {
    let page = parse("deep", &"<div>word ".repeat(3000));
    let html = explain_blocks(&page);
    let (mut depth, mut deepest) = (0i32, 0);
    for piece in main_of(&html).split('<') {
        depth += i32::from(piece.starts_with("div")) - i32::from(piece.starts_with("/div"));
        deepest = deepest.max(depth);
    }
    assert_eq!(depth, 0);
    assert!((10..20).contains(&deepest), "{deepest}");
    assert_eq!(shown_tokens(&parse("again", main_of(&html))).len(), 3000);
}

fn html_strategy() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z&;<\"' ]{0,12}",
        Just(" ".to_owned()),
        // A blank text node of its own, which parts two words and is no shown text.
        Just("</i> <i>".to_owned()),
        Just("\u{a0}東京 x".to_owned()),
        proptest::sample::select(vec![
            "<p>",
            "</p>",
            "<div>",
            "</div>",
            "<ul><li>",
            "</ul>",
            "<b>",
            "</b>",
            "<a href=x>",
            "</a>",
            "<br>",
            "<pre>",
            "</pre>",
            "<h2>",
            "</h2>",
            "<script>x</script>",
            "<td>",
            "<table>",
            "</table>",
            "<i>",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 1..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_shown_token_stands_in_the_file_once_and_in_order(source in html_strategy()) {
        let page = parse("generated", &format!("<body>first {source}"));
        let expected = shown_tokens(&page);
        for config in [ModelConfig::blocks(), ModelConfig::thesis()] {
            let html = explain(&page, config, &ExplainOptions::default());
            prop_assert_eq!(&shown_tokens(&parse("explained", main_of(&html))), &expected);
        }
    }
}
