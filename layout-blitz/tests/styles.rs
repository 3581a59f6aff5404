//! Computed values, as Chromium writes them.

mod common;

use common::{div, el, lay_out, page, text};
use duramen_layout_blitz::{Content, Quirks, RenderError, Viewport, render};

const PROPERTIES: [&str; 12] = [
    "color",
    "background-color",
    "font-size",
    "font-weight",
    "text-align",
    "text-decoration",
    "display",
    "margin-left",
    "padding-top",
    "border-top-width",
    "visibility",
    "position",
];

fn style(attributes: &[(&'static str, &str)], property: &str) -> String {
    let mut all = vec![("id", "a")];
    all.extend_from_slice(attributes);
    let body = vec![el("div", &all, vec![text("x")])];
    lay_out(page(Quirks::No, "body { margin: 0 }", body), &PROPERTIES).style("a", property).to_owned()
}

#[test]
fn values_are_written_as_chromium_writes_them() {
    for (css, property, value) in [
        ("color: #f80", "color", "rgb(255, 136, 0)"),
        ("background: rgba(0, 0, 0, .5)", "background-color", "rgba(0, 0, 0, 0.5)"),
        ("", "background-color", "rgba(0, 0, 0, 0)"),
        ("font-size: .9em", "font-size", "14.4px"),
        ("font-size: 10pt", "font-size", "13.3333px"),
        ("font-weight: bold", "font-weight", "700"),
        ("text-decoration: underline", "text-decoration", "underline"),
        (
            "text-decoration: line-through dotted red 3px",
            "text-decoration",
            "line-through 3px dotted rgb(255, 0, 0)",
        ),
        ("text-decoration: none", "text-decoration", "none"),
        ("float: left; display: inline", "display", "block"),
        ("position: absolute; display: inline-flex", "display", "flex"),
        ("border-top: 5px none red", "border-top-width", "0px"),
        ("border-top: thick solid", "border-top-width", "5px"),
        ("width: 400px; margin: 0 auto", "margin-left", "300px"),
        ("padding: 2%", "padding-top", "20px"),
        ("visibility: hidden", "visibility", "hidden"),
        ("text-align: end", "text-align", "end"),
    ] {
        assert_eq!(style(&[("style", css)], property), value, "{css}");
    }
}

#[test]
fn presentational_attributes_are_the_weakest_rules_of_the_page() {
    assert_eq!(style(&[("align", "center")], "text-align"), "-webkit-center");
    assert_eq!(style(&[("align", "center"), ("style", "text-align: left")], "text-align"), "left");
    let font = el("font", &[("id", "a"), ("color", "chucknorris"), ("size", "+2")], vec![text("x")]);
    let laid = lay_out(page(Quirks::No, "", vec![font]), &PROPERTIES);
    assert_eq!(laid.style("a", "color"), "rgb(192, 0, 0)");
    assert_eq!(laid.style("a", "font-size"), "24px");
    let named = el("table", &[("id", "a"), ("bgcolor", "Navy")], vec![]);
    assert_eq!(
        lay_out(page(Quirks::No, "", vec![named]), &PROPERTIES).style("a", "background-color"),
        "rgb(0, 0, 128)"
    );
}

#[test]
fn hidden_elements_have_the_style_that_they_would_have() {
    let inner = div("inner", "", vec![div("deep", "display: none", vec![div("deepest", "", vec![])])]);
    let hidden = div("hidden", "display: none !important; color: red", vec![inner]);
    let laid = lay_out(page(Quirks::No, "#deepest { color: blue }", vec![hidden]), &PROPERTIES);
    assert_eq!(laid.style("hidden", "display"), "none");
    assert_eq!((laid.style("inner", "display"), laid.style("inner", "color")), ("block", "rgb(255, 0, 0)"));
    assert_eq!((laid.style("deep", "display"), laid.style("deepest", "color")), ("none", "rgb(0, 0, 255)"));
}

#[test]
fn every_element_has_a_value_for_every_property_and_nothing_else_has() {
    let body = vec![
        text("a"),
        el("p", &[], vec![el("b", &[], vec![text("b")])]),
        el("script", &[], vec![text("c")]),
    ];
    let laid = lay_out(page(Quirks::No, "", body), &PROPERTIES);
    for (node, number) in laid.tree.nodes.iter().zip(&laid.rendering.style_of) {
        assert_eq!(matches!(node.content, Content::Element { .. }), number.is_some());
    }
    assert!(laid.rendering.styles.iter().all(|style| style.len() == PROPERTIES.len()));
    assert!(laid.rendering.styles.iter().flatten().all(|value| !value.is_empty()));
}

#[test]
fn two_runs_are_equal() {
    let tree = || {
        let body =
            (0..200).map(|i| div(&format!("d{i}"), &format!("width: {i}px; float: left"), vec![text("oak")]));
        page(Quirks::Full, "div:nth-child(3n) { color: red }", body.collect())
    };
    assert_eq!(lay_out(tree(), &PROPERTIES).rendering, lay_out(tree(), &PROPERTIES).rendering);
}

#[test]
fn an_unknown_property_is_an_error() {
    let tree = page(Quirks::No, "", vec![]);
    let error = render(tree, Viewport::default(), &["color", "colour"]).unwrap_err();
    assert_eq!(error, RenderError::UnknownProperty("colour".to_owned()));
}

#[test]
fn a_picture_shows_the_background() {
    let body = vec![div("a", "height: 100px; background: rgb(10, 20, 30); color: white", vec![text("oak")])];
    let tree = page(Quirks::No, "body { margin: 0 }", body);
    let (rendering, bytes) =
        duramen_layout_blitz::picture(tree.clone(), Viewport { width: 300, height: 200 }, &PROPERTIES, 150)
            .unwrap();
    assert_eq!(rendering, render(tree, Viewport { width: 300, height: 200 }, &PROPERTIES).unwrap());
    let ((width, height), pixels) = decoded(bytes);
    assert_eq!((width, height), (300, 150));
    let pixel = |x: usize, y: usize| &pixels[(y * 300 + x) * 3..][..3];
    assert_eq!(pixel(299, 50), [10, 20, 30]);
    assert_eq!(pixel(299, 149), [255, 255, 255]);
    let glyphs = pixels[..300 * 30 * 3].chunks(3).filter(|pixel| pixel[0] > 200).count();
    assert!(glyphs > 20, "{glyphs} bright pixels of three letters");
}

/// Width and height of a PNG, and its pixels.
fn decoded(bytes: Vec<u8>) -> ((u32, u32), Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    ((info.width, info.height), pixels)
}

#[test]
fn a_drawing_without_a_size_is_an_icon_in_a_picture_and_fills_its_place_in_a_layout() {
    let drawing = el("svg", &[("id", "a"), ("viewBox", "0 0 24 24")], vec![]);
    let mut tree = page(Quirks::No, "body { margin: 0 }", vec![drawing]);
    if let Some(Content::Element { html, .. }) = tree.nodes.last_mut().map(|node| &mut node.content) {
        *html = false;
    }
    let window = Viewport { width: 300, height: 200 };
    let box_of = |rendering: &duramen_layout_blitz::Rendering| {
        let [_, _, width, height] = rendering.boxes.iter().flatten().last().copied().unwrap();
        (width, height)
    };
    assert_eq!(box_of(&render(tree.clone(), window, &PROPERTIES).unwrap()), (300.0, 300.0));
    let (rendering, _) = duramen_layout_blitz::picture(tree, window, &PROPERTIES, 200).unwrap();
    assert_eq!(box_of(&rendering), (24.0, 24.0));
}

/// The font that is drawn is wider than the one that lines are measured in.
#[test]
fn letters_stand_beside_each_other_and_what_is_cut_off_is_not_drawn() {
    let line = |style: &str| {
        let body = vec![div("a", style, vec![text("llllllllll")])];
        let css = "body { margin: 0; font: 40px Arial; white-space: nowrap }";
        let tree = page(Quirks::No, css, body);
        let window = Viewport { width: 300, height: 60 };
        let (_, bytes) = duramen_layout_blitz::picture(tree, window, &PROPERTIES, 60).unwrap();
        let (_, pixels) = decoded(bytes);
        let is_dark = |column: usize| pixels[(25 * 300 + column) * 3] < 128;
        (0..300).map(is_dark).collect::<Vec<bool>>()
    };
    let strokes = |row: &[bool]| row.windows(2).filter(|pair| !pair[0] && pair[1]).count();
    assert_eq!(strokes(&line("")), 10, "each letter is a stroke of its own");
    assert_eq!(strokes(&line("width: 45px; overflow: hidden")), 5, "an l is 8.9 pixels wide");
}
