//! Hostile pages end in a result or a named error, in bounded time and memory.

use duramen::dom::{BlockTree, Dom, Limits};
use duramen::error::PageProblem;
use duramen::page_work::on_page;
use duramen::{Options, Page, RenderOptions};

fn parse(html: &[u8]) -> Result<Dom, PageProblem> {
    Dom::parse(html, None, &Limits::default())
}

#[test]
fn a_million_nested_tags_are_flattened_and_keep_their_text() {
    for tag in ["div", "b", "table", "p", "ul><li", "a", "svg", "button", "template", "x-y"] {
        let html = format!("<{tag}>").repeat(1_000_000) + "the text";
        match parse(html.as_bytes()) {
            Ok(dom) => {
                let deepest = dom.ids().last().unwrap();
                assert!(dom.ancestors(deepest).count() < 2000, "{tag}");
                assert!(dom.text_content(duramen::NodeId::ROOT).contains("the text"), "{tag}");
                assert_eq!(dom.at_xpath(&dom.xpath(deepest)), Some(deepest));
                BlockTree::new(&dom);
            }
            Err(problem) => assert!(matches!(problem, PageProblem::TooLarge { .. }), "{tag}: {problem}"),
        }
    }
}

#[test]
fn nested_tags_that_close_keep_the_text_after_them() {
    let deep = "<div>".repeat(5_000) + "deep" + &"</div>".repeat(5_000);
    let dom = parse(format!("<body>{deep}<p id=after>after</p>").as_bytes()).unwrap();
    let after = dom.ids().find(|&id| dom.attribute(id, "id") == Some("after")).unwrap();
    assert_eq!(dom.xpath(after), "/html[1]/body[1]/p[1]");
    assert_eq!(dom.notes().len(), 1);
}

#[test]
fn a_million_attributes_of_one_tag_are_cut() {
    let attributes: String = (0..1_000_000).map(|i| format!(" a{i}=1")).collect();
    let dom = parse(format!("<p{attributes}>the text</p>").as_bytes()).unwrap();
    assert_eq!(dom.text_content(duramen::NodeId::ROOT), "the text");
    assert!(dom.ids().all(|id| dom.attributes(id).count() <= 1025));
}

#[test]
fn a_million_bodies_do_not_pile_up_attributes() {
    let html: String = (0..300_000).map(|i| format!("<body a{i}=1>")).collect();
    let dom = parse(html.as_bytes()).unwrap();
    assert!(dom.ids().all(|id| dom.attributes(id).count() <= 1025));
}

#[test]
fn formatting_elements_that_multiply_are_bounded() {
    let open: String = (0..600).map(|i| format!("<b c={i}>")).collect();
    let html = open + &"<p>x".repeat(200_000);
    let problem = parse(html.as_bytes()).map(|dom| dom.len());
    assert!(
        problem.is_ok_and(|n| n < 1_000_001)
            || matches!(parse(html.as_bytes()), Err(PageProblem::TooLarge { .. }))
    );
}

#[test]
fn more_nodes_than_the_limit_is_an_error_that_says_so() {
    let problem = parse("<i></i>".repeat(1_200_000).as_bytes()).unwrap_err();
    assert!(problem.to_string().starts_with("the number of nodes is 1"), "{problem}");
    assert_eq!(problem.status(), "too-large");
}

#[test]
fn a_hundred_megabytes_is_refused_before_parsing() {
    let problem = parse(&vec![b'a'; 100 << 20]).unwrap_err();
    assert!(matches!(problem, PageProblem::TooLarge { what: "the size in bytes", .. }));
    let limits = Limits { max_bytes: 200 << 20, ..Limits::default() };
    let dom = Dom::parse(&vec![b'a'; 100 << 20], None, &limits).unwrap();
    assert_eq!(dom.len(), 5);
}

#[test]
fn nuls_and_control_characters_inside_text_are_survived() {
    let dom = parse(b"<p>a\0b\x01c</p><p>\0</p>some more text that is long enough to be a page").unwrap();
    assert!(dom.text_content(duramen::NodeId::ROOT).contains("ab\u{1}c"));
}

#[test]
fn binary_and_empty_files_are_named_errors() {
    assert_eq!(parse(b"").unwrap_err().status(), "empty");
    let noise: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    assert_eq!(parse(&noise).unwrap_err().status(), "error");
}

#[test]
fn unfinished_constructs_are_survived() {
    for html in [
        "<",
        "</",
        "<!",
        "<!--",
        "<a",
        "<a b",
        "<a b=",
        "<a b='",
        "&",
        "&#",
        "&#x110000;",
        "<![CDATA[",
        "<?",
        "<svg><![CDATA[",
        "<select><option>",
        "<plaintext>x",
    ] {
        parse(html.as_bytes()).unwrap();
    }
}

/// Each part of the work is done alone, with no time: a part that never looks at the clock would be done to its end.
#[test]
fn every_part_of_the_work_looks_at_the_clock() {
    let html = "<h1>Oak</h1>".to_owned() + &"<p>The oldest oak of the village fell on Monday.".repeat(500);
    let in_no_time = |what: &str, work: &dyn Fn()| {
        let problem = on_page(Some(0), work).expect_err(what);
        assert!(matches!(problem, PageProblem::Timeout { seconds: 0 }), "{what}: {problem}");
    };
    let page = || Page::parse("page", None, html.as_bytes(), None, &Limits::default()).unwrap();
    in_no_time("parsing", &|| drop(page()));
    in_no_time("blocks", &|| drop(BlockTree::new(page().dom())));
    for (id, parameters) in [
        ("hmt", ""),
        ("hmt", "model = 'web-blocks'\ninference = 'gibbs'"),
        ("hmt", "inference = 'viterbi'"),
        ("sd", ""),
        ("boilerpipe-article", ""),
        ("forest", ""),
    ] {
        let options = Options::of_system(id, &toml::from_str(parameters).unwrap()).unwrap();
        let pages = [page(), page()];
        assert!(pages.iter().all(|page| !page.blocks().is_empty()));
        let pages: Vec<&Page> = pages.iter().collect();
        in_no_time(&format!("{id} {parameters}"), &|| drop(options.extractor.extract_site(&pages)));
    }
    let document = duramen::extract(html.as_bytes()).unwrap();
    let options = RenderOptions::default();
    in_no_time("Markdown", &|| drop(document.markdown(&options)));
    in_no_time("HTML", &|| drop(document.html(&options)));
    in_no_time("XML", &|| drop(document.xml(&options)));
    in_no_time("structure", &|| drop(document.structure(&options)));
    in_no_time("text", &|| drop(document.text_of(duramen::LabelSet::ARTICLE)));
}
