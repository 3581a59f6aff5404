//! Pages made to break a layout engine: none may abort the process, and each node has its place in the result.

mod common;

use common::Flat;
use duramen_layout_blitz::{Content, Node, RenderError, Rendering, Tree, Viewport, render};

fn laid_out(flat: &Flat) -> Rendering {
    let rendering = render(flat.0.clone(), Viewport::default(), &["color", "margin-top", "display"]).unwrap();
    assert_eq!(rendering.boxes.len(), flat.0.nodes.len());
    assert_eq!(rendering.style_of.len(), flat.0.nodes.len());
    for (node, number) in flat.0.nodes.iter().zip(&rendering.style_of) {
        assert_eq!(matches!(node.content, Content::Element { .. }), number.is_some());
    }
    rendering
}

/// Elements nested in one another, with a text at the bottom.
fn nested(name: &str, depth: usize, css: &str) -> Flat {
    let mut flat = Flat::new(css);
    let mut parent = 2;
    for _ in 0..depth {
        parent = flat.element(parent, name, &[]);
    }
    flat.text(parent, "oak");
    flat
}

#[test]
fn twenty_thousand_nested_blocks_are_all_mapped() {
    let rendering = laid_out(&nested("div", 20_000, ""));
    assert!(rendering.boxes[4..].iter().filter(|b| b.is_some()).count() >= 20_000);
}

#[test]
fn deeply_nested_inlines_are_laid_out() {
    laid_out(&nested("b", 5_000, ""));
    laid_out(&nested("font", 5_000, "font { font-size: 101% }"));
}

#[test]
fn deeply_nested_flex_grid_tables_and_floats_are_laid_out() {
    for css in ["display: flex", "display: grid", "display: inline-block", "float: left", "display: table"] {
        laid_out(&nested("div", 600, &format!("div {{ {css} }}")));
    }
}

#[test]
fn deeply_nested_tables_are_laid_out() {
    let mut flat = Flat::new("");
    let mut parent = 2;
    for _ in 0..100 {
        for name in ["table", "tbody", "tr", "td"] {
            parent = flat.element(parent, name, &[]);
        }
    }
    flat.text(parent, "oak");
    laid_out(&flat);
}

#[test]
fn a_hundred_thousand_siblings_are_laid_out() {
    let mut flat = Flat::new("p + p { color: red } p:nth-child(odd), b ~ p { color: blue }");
    for _ in 0..100_000 {
        flat.element(2, "p", &[("class", "x"), ("id", "same")]);
    }
    laid_out(&flat);
}

#[test]
fn spans_of_cells_are_bounded() {
    let mut flat = Flat::new("");
    let table = flat.element(2, "table", &[]);
    let columns = flat.element(table, "colgroup", &[("span", "100000000")]);
    flat.element(columns, "col", &[("span", "65535")]);
    let body = flat.element(table, "tbody", &[]);
    for _ in 0..3 {
        let row = flat.element(body, "tr", &[]);
        for span in ["100000000", "65535", "60000", "0", "-1"] {
            let cell = flat.element(row, "td", &[("colspan", span), ("rowspan", span)]);
            flat.text(cell, "oak");
        }
    }
    laid_out(&flat);
}

#[test]
fn huge_tables_are_laid_out() {
    let mut flat = Flat::new("");
    let table = flat.element(2, "table", &[]);
    let body = flat.element(table, "tbody", &[]);
    for _ in 0..3_000 {
        let row = flat.element(body, "tr", &[]);
        for _ in 0..10 {
            let cell = flat.element(row, "td", &[]);
            flat.text(cell, "oak");
        }
    }
    laid_out(&flat);
}

#[test]
fn lengths_without_measure_leave_only_finite_boxes() {
    for style in [
        "width: 1e38px; height: 1e38px; margin: 1e38px; padding: 1e38px",
        "width: calc(infinity * 1px); margin: calc(-infinity * 1px)",
        "height: calc(NaN * 1px); border: calc(infinity * 1px) solid",
        "font-size: 1e38px; line-height: 1e38",
        "font-size: calc(infinity * 1px); letter-spacing: 1e38px",
        "transform: scale(1e38); position: absolute; left: -1e38px",
        "width: -1px; height: 0; font-size: 0; line-height: 0",
        "display: grid; grid-template-columns: repeat(100000, 1px)",
        "display: grid; grid-column: 100000000; grid-row: -100000000",
        "columns: 1000000; text-indent: 1e38px",
        "aspect-ratio: 1e38/1e-38; width: 10px",
        "zoom: 1e38",
    ] {
        let mut flat = Flat::new("");
        let div = flat.element(2, "div", &[("style", style)]);
        let span = flat.element(div, "span", &[]);
        flat.text(span, "oak ash");
        match render(flat.0, Viewport::default(), &["color"]) {
            Ok(rendering) => assert!(rendering.boxes.iter().flatten().flatten().all(|x| x.is_finite())),
            // The engine's own assertions, which only builds for debugging have.
            Err(error) => assert!(matches!(error, RenderError::Panicked(_)), "{style}: {error}"),
        }
    }
}

#[test]
fn sheets_that_are_broken_endless_or_circular_are_read() {
    let many =
        (0..20_000).map(|i| format!(".a{i} > div:not(.b{i}):has(p) {{ color: red }}")).collect::<String>();
    for css in [
        "div { color: red; /* never closed".to_owned(),
        "@media (((((( { div { color: red".to_owned(),
        ":root { --a: var(--b); --b: var(--a) } div { color: var(--a); width: var(--a) }".to_owned(),
        format!("div:not({}p{}) {{ color: red }}", ":not(".repeat(500), ")".repeat(500)),
        format!("div{} {{ color: red }}", ":has(div ".repeat(60)),
        format!("{}{{ color: red }}", "div > ".repeat(5_000)),
        "{".repeat(100_000),
        "@media all {".repeat(20_000),
        "div {".repeat(20_000),
        "@import url(http://page.invalid/a.css); @font-face { font-family: x; src: url(http://page.invalid/x.woff) }"
            .to_owned(),
        "div { background: url(http://page.invalid/\u{0}); content: url(data:,); cursor: url([) }".to_owned(),
        (0..100).map(|i| format!("div {{ --v{}: var(--v{i}) var(--v{i}) }}", i + 1)).collect(),
        many,
    ] {
        let mut flat = Flat::new(&css);
        let mut parent = 2;
        for _ in 0..20 {
            parent = flat.element(parent, "div", &[("class", "a1 a2")]);
            flat.element(parent, "p", &[]);
        }
        laid_out(&flat);
    }
}

#[test]
fn sheets_beyond_the_limit_are_cut_and_it_is_said() {
    let rule = "p { color: red } ";
    let mut flat = Flat::new(&rule.repeat(5_000_000 / rule.len()));
    flat.element(2, "p", &[]);
    let rendering = laid_out(&flat);
    assert_eq!(rendering.notes.len(), 1);
    assert!(laid_out(&Flat::new(rule)).notes.is_empty());
}

#[test]
fn nested_rules_that_double_the_selectors_of_the_outer_ones_are_left_out() {
    for rule in [
        "&&{",
        "&,&{",
        "& &,div{",
        "&:not(&){",
        "@media all{&&{",
        "@layer a{&&{",
        "@supports (color:red){&&{",
    ] {
        let css = format!("body {{ --a: 1; {}color: red", rule.repeat(40));
        let mut flat = Flat::new(&css);
        let p = flat.element(2, "p", &[]);
        flat.text(p, "oak");
        assert_eq!(laid_out(&flat).notes.len(), 1, "{rule}");
    }
    // What people write, and a long list that nests nothing.
    let list: String = (0..2000).map(|i| format!(".x{i}, ")).collect();
    let nested = "body, main { p, li, div { &.a, &.b { &:hover, & { color: rgb(1, 2, 3) } } } }";
    let mut flat = Flat::new(&format!("{list} p {{ color: red }} {nested}"));
    let p = flat.element(2, "p", &[("class", "b")]);
    let rendering = laid_out(&flat);
    assert!(rendering.notes.is_empty());
    assert_eq!(rendering.styles[rendering.style_of[p as usize].unwrap() as usize][0], "rgb(1, 2, 3)");
}

#[test]
fn a_megabyte_of_text_is_laid_out() {
    let mut flat = Flat::new("");
    let p = flat.element(2, "p", &[]);
    flat.text(p, &"oak ".repeat(250_000));
    let one = flat.element(2, "p", &[]);
    flat.text(one, &"o".repeat(200_000));
    let rendering = laid_out(&flat);
    let height = rendering.boxes[p as usize].unwrap()[3];
    assert!(height > 18.0 * 4_000.0, "{height}");
}

#[test]
fn many_hidden_elements_have_a_style() {
    let mut flat = Flat::new("div { display: none }");
    let mut parent = 2;
    for _ in 0..10 {
        parent = flat.element(parent, "div", &[]);
        for _ in 0..1_000 {
            flat.element(parent, "p", &[]);
        }
    }
    laid_out(&flat);
}

#[test]
fn addresses_of_all_kinds_are_left_alone() {
    let mut flat = Flat::new("");
    for (name, attribute) in [
        ("img", "src"),
        ("iframe", "src"),
        ("iframe", "srcdoc"),
        ("object", "data"),
        ("video", "poster"),
        ("link", "href"),
        ("a", "href"),
        ("body", "background"),
        ("base", "href"),
    ] {
        for address in
            ["http://[::", "file:///etc/passwd", "data:text/html,<p>", "//", "\u{0}", "javascript:1"]
        {
            flat.element(2, name, &[("rel", "stylesheet"), (attribute, address)]);
        }
    }
    laid_out(&flat);
}

#[test]
fn pages_without_a_body_or_an_element_are_laid_out() {
    let mut tree = Tree { nodes: vec![Node { parent: 0, content: Content::Document }], ..Tree::default() };
    assert_eq!(render(tree.clone(), Viewport::default(), &["color"]).unwrap().boxes, [None]);
    tree.nodes.push(Node { parent: 0, content: Content::Text("oak".to_owned()) });
    assert_eq!(render(tree.clone(), Viewport::default(), &["color"]).unwrap().styles.len(), 0);
    let element = Content::Element { name: "svg".to_owned(), html: false, attributes: vec![] };
    tree.nodes.push(Node { parent: 0, content: element });
    assert!(render(tree.clone(), Viewport { width: 0, height: 0 }, &["color"]).is_ok());
    assert!(duramen_layout_blitz::picture(tree, Viewport { width: 0, height: 0 }, &["color"], 0).is_ok());
}

#[test]
fn what_is_no_tree_is_an_error() {
    let text = Node { parent: 0, content: Content::Text(String::new()) };
    let document = Node { parent: 0, content: Content::Document };
    for nodes in [
        vec![text.clone()],
        vec![document.clone(), document.clone()],
        vec![document.clone(), Node { parent: 1, ..text.clone() }],
        vec![document.clone(), Node { parent: 7, ..text.clone() }],
        vec![document, text.clone(), Node { parent: 1, ..text }],
    ] {
        let tree = Tree { nodes, ..Tree::default() };
        let error = render(tree, Viewport::default(), &["color"]).unwrap_err();
        assert!(matches!(error, RenderError::NotATree(_)), "{error}");
    }
    let empty = render(Tree::default(), Viewport::default(), &["color"]);
    assert!(empty.is_err());
}
