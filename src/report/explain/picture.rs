//! The page as a layout engine draws it, with the box of each unit in the color of its label.

use std::collections::HashSet;
use std::fmt::Write as _;

use data_encoding::BASE64;

use super::units::{Units, texts_of};
use crate::dom::serialize::escape;
use crate::layout::{Layout, Rect, VIEWPORT_WIDTH};
use crate::page::Page;

/// A page as an engine draws it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PagePicture<'a> {
    /// The engine's name. The page has its layout ([`Page::layout`]); without, the picture is left out.
    pub engine: &'a str,
    /// The PNG.
    pub png: &'a [u8],
}

/// The HTML of the picture, or nothing if the page was not laid out by the picture's engine. Linear in the page.
pub(super) fn page_picture(page: &Page, units: &Units, picture: &PagePicture<'_>) -> String {
    let Some(layout) = page.layout(picture.engine) else { return String::new() };
    let Some((width, height)) = size(picture.png) else { return String::new() };
    let mut html = format!(
        "<details class=\"picture\" open>\n<summary>The page as {} draws it</summary>\n\
         <div class=\"sheet\" style=\"aspect-ratio:{width}/{height}\">\n\
         <img alt=\"\" src=\"data:image/png;base64,{}\">\n",
        escape(&layout.engine().to_string()),
        BASE64.encode(picture.png)
    );
    // Blocks split by line breaks alone share the box of their element: one layer of color over it is enough.
    let mut drawn = HashSet::new();
    for (index, unit) in units.all.iter().enumerate() {
        let rects = texts_of(page, unit).iter().filter_map(|&text| layout_rect(page, layout, text));
        let Some(Rect { x, y, width: w, height: h }) = rects.reduce(union) else { continue };
        // What is drawn outside the picture cannot be pointed at.
        if !drawn.insert([x, y, w, h].map(f32::to_bits)) {
            continue;
        }
        if w <= 0.0 || h <= 0.0 || y >= height as f32 || x >= VIEWPORT_WIDTH as f32 {
            continue;
        }
        let share = |part: f32, whole: u32| 100.0 * part / whole as f32;
        let percent = (unit.certainty() * 100.0).round();
        let _ = writeln!(
            html,
            "<a class=\"l{}{}\" href=\"#b{}\" style=\"--p:{percent};left:{:.2}%;top:{:.3}%;width:{:.2}%;height:{:.3}%\" \
             title=\"{} {percent} %\"></a>",
            unit.label.index(),
            if unit.kept { "" } else { " removed" },
            index + 1,
            share(x, width),
            share(y, height),
            share(w, width),
            share(h, height),
            unit.label,
        );
    }
    html.push_str("</div>\n</details>\n");
    html
}

/// The box of the element that a text node stands in.
fn layout_rect(page: &Page, layout: &Layout, text: crate::index::NodeId) -> Option<Rect> {
    layout.rect(page.dom().parent(text)?)
}

fn union(a: Rect, b: Rect) -> Rect {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    Rect {
        x,
        y,
        width: (a.x + a.width).max(b.x + b.width) - x,
        height: (a.y + a.height).max(b.y + b.height) - y,
    }
}

/// Width and height of a PNG, neither of them 0: what its header says.
fn size(png: &[u8]) -> Option<(u32, u32)> {
    let reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().ok()?;
    let (width, height) = reader.info().size();
    (width > 0 && height > 0).then_some((width, height))
}
