//! Boxes of small pages, against numbers that follow from CSS by hand. The window is 1000 pixels wide.

mod common;

use common::{div, el, lay_out, page, text};
use duramen_layout_blitz::Quirks;

const PLAIN: &str = "body { margin: 0; font: 16px/20px Arial }";

#[test]
fn a_block_is_as_wide_as_its_container_less_margins() {
    let body = vec![
        div("a", "margin: 10px 50px; height: 30px", vec![]),
        div("b", "width: 25%; height: 5px", vec![]),
    ];
    let laid = lay_out(page(Quirks::No, PLAIN, body), &[]);
    assert_eq!(laid.rect("a"), [50, 10, 900, 30]);
    assert_eq!(laid.rect("b"), [0, 50, 250, 5]);
}

#[test]
fn margins_that_touch_are_as_wide_as_the_wider_one() {
    let inner = div("c", "margin-top: 60px; height: 10px", vec![]);
    let body = vec![
        div("a", "margin-bottom: 20px; height: 10px", vec![]),
        div("b", "margin-top: 30px; height: 10px", vec![]),
        div("outer", "margin-top: 15px", vec![inner]),
    ];
    let laid = lay_out(page(Quirks::No, PLAIN, body), &[]);
    assert_eq!(laid.rect("b"), [0, 40, 1000, 10]);
    assert_eq!(laid.rect("outer"), [0, 110, 1000, 10]);
    assert_eq!(laid.rect("c"), [0, 110, 1000, 10]);
}

#[test]
fn box_sizing_says_what_the_width_is_of() {
    let style = "width: 100px; padding: 10px; border: 5px solid; height: 40px";
    let body = vec![div("a", style, vec![]), div("b", &format!("{style}; box-sizing: border-box"), vec![])];
    let laid = lay_out(page(Quirks::No, PLAIN, body), &[]);
    assert_eq!(laid.rect("a"), [0, 0, 130, 70]);
    assert_eq!(laid.rect("b"), [0, 70, 100, 40]);
}

#[test]
fn floats_stand_at_the_sides_and_clear_goes_below_them() {
    let body = vec![
        div("left", "float: left; width: 200px; height: 100px", vec![]),
        div("right", "float: right; width: 300px; height: 50px", vec![]),
        div("middle", "overflow: hidden; height: 20px", vec![]),
        div("below", "clear: both; height: 10px", vec![]),
    ];
    let laid = lay_out(page(Quirks::No, PLAIN, body), &[]);
    assert_eq!(laid.rect("left"), [0, 0, 200, 100]);
    assert_eq!(laid.rect("right"), [700, 0, 300, 50]);
    assert_eq!(laid.rect("middle"), [200, 0, 500, 20]);
    assert_eq!(laid.rect("below"), [0, 100, 1000, 10]);
}

#[test]
fn cells_and_rows_fill_a_table() {
    let cell = |id: &str, style: &str| {
        el("td", &[("id", id), ("style", style)], vec![div("", "height: 30px", vec![])])
    };
    let first = el("tr", &[("id", "row")], vec![cell("a", "width: 100px"), cell("b", "width: 300px")]);
    let second = el(
        "tr",
        &[],
        vec![el("td", &[("id", "c"), ("colspan", "2")], vec![div("", "height: 10px", vec![])])],
    );
    let group = el("tbody", &[("id", "group")], vec![first, second]);
    let table = el("table", &[("id", "table"), ("cellspacing", "0"), ("cellpadding", "0")], vec![group]);
    let laid = lay_out(page(Quirks::No, PLAIN, vec![table]), &[]);
    assert_eq!(laid.rect("table"), [0, 0, 400, 40]);
    assert_eq!(laid.rect("a"), [0, 0, 100, 30]);
    assert_eq!(laid.rect("b"), [100, 0, 300, 30]);
    assert_eq!(laid.rect("c"), [0, 30, 400, 10]);
    assert_eq!(laid.rect("row"), [0, 0, 400, 30]);
    assert_eq!(laid.rect("group"), [0, 0, 400, 40]);
}

#[test]
fn the_attributes_of_a_table_place_its_cells() {
    let cell = el("td", &[("id", "cell"), ("width", "50")], vec![div("", "height: 10px", vec![])]);
    let row = el("tbody", &[], vec![el("tr", &[], vec![cell])]);
    let attributes =
        [("id", "table"), ("border", "3"), ("cellspacing", "4"), ("cellpadding", "5"), ("align", "center")];
    let laid = lay_out(page(Quirks::No, PLAIN, vec![el("table", &attributes, vec![row])]), &[]);
    // The cell: 50 of content, 5 of padding and 1 of border on each side; around it spacing and the table's border.
    assert_eq!(laid.rect("cell")[2..], [62, 22]);
    assert_eq!(laid.rect("table")[2..], [62 + 2 * 7, 22 + 2 * 7]);
    assert_eq!(laid.rect("table")[0], (1000 - 76) / 2);
}

#[test]
fn nested_lists_are_indented_and_have_no_margins() {
    let item = |id: &str, inner: Vec<common::Item>| el("li", &[("id", id)], inner);
    let nested = el("ul", &[("id", "inner")], vec![item("b", vec![text("b")])]);
    let list = el("ul", &[("id", "outer")], vec![item("a", vec![text("a"), nested])]);
    let laid = lay_out(page(Quirks::No, PLAIN, vec![list]), &[]);
    assert_eq!(laid.rect("outer"), [0, 16, 1000, 40]);
    assert_eq!(laid.rect("a"), [40, 16, 960, 40]);
    assert_eq!(laid.rect("inner"), [40, 36, 960, 20]);
    assert_eq!(laid.rect("b"), [80, 36, 920, 20]);
}

#[test]
fn an_inline_element_covers_its_glyphs() {
    // In the widths of Arial at 16 pixels: o 8.9, a 8.9, k 8.0, the space 4.4.
    let span = el("span", &[("id", "span")], vec![text("oak")]);
    let laid =
        lay_out(page(Quirks::No, PLAIN, vec![div("line", "", vec![text("oak "), span, text(" oak")])]), &[]);
    assert_eq!(laid.rect("line"), [0, 0, 1000, 20]);
    let [x, y, width, height] = laid.rect("span");
    assert_eq!((x, width), (30, 26));
    assert!((17..=19).contains(&height) && (0..=3).contains(&y), "{y} {height}");
}

#[test]
fn an_inline_element_over_two_lines_covers_both() {
    let span = el("span", &[("id", "span")], vec![text("oak oak oak")]);
    let laid = lay_out(page(Quirks::No, PLAIN, vec![div("line", "width: 60px", vec![span])]), &[]);
    assert_eq!(laid.rect("line"), [0, 0, 60, 40]);
    let [x, _, width, height] = laid.rect("span");
    assert!(x == 0 && width <= 60 && (36..=40).contains(&height));
}

#[test]
fn what_is_not_displayed_has_no_box() {
    let hidden = div("hidden", "display: none", vec![div("inside", "height: 10px", vec![])]);
    let contents = div("contents", "display: contents", vec![div("kept", "height: 10px", vec![])]);
    let laid = lay_out(page(Quirks::No, PLAIN, vec![hidden, contents]), &[]);
    assert!(!laid.has_box("hidden") && !laid.has_box("inside") && !laid.has_box("contents"));
    assert_eq!(laid.rect("kept"), [0, 0, 1000, 10]);
}

#[test]
fn absolute_boxes_are_placed_by_what_contains_them() {
    let inner = div("inner", "position: absolute; right: 10px; top: 5px; width: 40px; height: 20px", vec![]);
    let outer =
        div("outer", "position: relative; margin-left: 100px; width: 400px; height: 50px", vec![inner]);
    let laid = lay_out(page(Quirks::No, PLAIN, vec![div("", "height: 30px", vec![]), outer]), &[]);
    assert_eq!(laid.rect("inner"), [450, 35, 40, 20]);
}

#[test]
fn text_from_right_to_left_begins_at_the_right() {
    let span = el("span", &[("id", "span")], vec![text("\u{5d0}\u{5d1}\u{5d2}")]);
    let block = el("div", &[("dir", "rtl"), ("id", "block")], vec![span]);
    let laid = lay_out(page(Quirks::No, PLAIN, vec![block]), &["direction"]);
    let [x, _, width, _] = laid.rect("span");
    assert_eq!(x + width, 1000);
    assert_eq!(laid.style("span", "direction"), "rtl");
}

#[test]
fn quirks_mode_takes_lengths_without_units_and_resets_the_font_of_tables() {
    let body = || {
        let cell = el("td", &[("id", "cell")], vec![text("a")]);
        let table = el("table", &[], vec![el("tbody", &[], vec![el("tr", &[], vec![cell])])]);
        vec![div("wide", "width: 120; height: 10px", vec![]), div("small", "font-size: 10px", vec![table])]
    };
    let quirks = lay_out(page(Quirks::Full, PLAIN, body()), &["font-size"]);
    let standard = lay_out(page(Quirks::No, PLAIN, body()), &["font-size"]);
    assert_eq!((quirks.rect("wide")[2], standard.rect("wide")[2]), (120, 1000));
    assert_eq!((quirks.style("cell", "font-size"), standard.style("cell", "font-size")), ("16px", "10px"));
}

#[test]
fn media_and_imports_of_sheets_are_kept_to() {
    let css = "@import url(http://page.invalid/other.css); @media (max-width: 500px) { #a { width: 1px } }
               @media (min-width: 900px) { #a { width: 70px } } #a { height: 10px }";
    let printed = el("style", &[("media", "print")], vec![text("#a { width: 2px !important }")]);
    let laid = lay_out(page(Quirks::No, css, vec![printed, div("a", "", vec![])]), &[]);
    assert_eq!(laid.rect("a")[2..], [70, 10]);
}

#[test]
fn images_that_do_not_load_have_the_size_that_chromium_gives_them() {
    let image = |attributes: &[(&'static str, &str)]| el("img", attributes, vec![]);
    let body = || {
        vec![
            image(&[("id", "both"), ("src", "a.png"), ("width", "120"), ("height", "40")]),
            image(&[("id", "one"), ("src", "a.png"), ("width", "50")]),
            image(&[("id", "none"), ("src", "a.png")]),
            image(&[("id", "empty"), ("src", "a.png"), ("alt", "")]),
            image(&[("id", "text"), ("src", "a.png"), ("alt", "oak"), ("width", "90"), ("height", "70")]),
            image(&[
                ("id", "own"),
                ("src", "data:image/svg+xml,<svg width='30' height='60'>"),
                ("alt", "oak"),
            ]),
        ]
    };
    let standard = lay_out(page(Quirks::No, "", body()), &[]);
    let quirks = lay_out(page(Quirks::Full, "", body()), &[]);
    let sizes =
        |laid: &common::Laid| ["both", "one", "none", "empty", "own"].map(|id| laid.rect(id)[2..].to_vec());
    assert_eq!(sizes(&standard), [[120, 40], [16, 16], [16, 16], [0, 0], [30, 60]]);
    assert_eq!(sizes(&quirks), [[120, 40], [50, 50], [16, 16], [0, 0], [30, 60]]);
    // An icon, and o 8, a 7.1 and k 8 in the widths of Times New Roman; in quirks mode the attributes count.
    assert_eq!(standard.rect("text")[2..], [39, 18]);
    assert_eq!(quirks.rect("text")[2..], [90, 70]);
}
