//! The page as a layout engine draws it, with the box of each unit in the color of its label.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use data_encoding::BASE64;

use super::units::{Units, texts_of};
use crate::dom::serialize::escape;
use crate::index::NodeId;
use crate::layout::{Layout, Property, Rect, VIEWPORT_WIDTH};
use crate::page::Page;

/// A page as an engine draws it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PagePicture<'a> {
    /// The boxes of what is drawn.
    pub layout: &'a Layout,
    /// The PNG.
    pub png: &'a [u8],
}

/// The HTML of the picture, or nothing if it is no PNG. Linear in the page, but for its depth.
pub(super) fn page_picture(page: &Page, units: &Units, picture: &PagePicture<'_>) -> String {
    let layout = picture.layout;
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
        let texts = texts_of(page, unit).iter().filter(|&&text| is_seen(page, layout, text));
        let rects = texts.filter_map(|&text| layout.rect(page.dom().parent(text)?));
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

/// Whether a reader sees a text: neither is it hidden, nor is it cut to nothing or put outside by an element around it.
fn is_seen(page: &Page, layout: &Layout, text: NodeId) -> bool {
    static VISIBILITY: LazyLock<Option<Property>> = LazyLock::new(|| Property::named("visibility"));
    let dom = page.dom();
    let Some(parent) = dom.parent(text) else { return false };
    let is_hidden =
        VISIBILITY.is_some_and(|property| layout.style(parent, property).is_some_and(|v| v != "visible"));
    // Text for screen readers stands in a box of one pixel. Inline boxes and those of rows may be empty and their text seen.
    let is_cut = |id: NodeId| {
        layout.rect(id).is_some_and(|rect| {
            (rect.width == 1.0 && rect.height == 1.0)
                || rect.x + rect.width < 0.0
                || rect.y + rect.height < 0.0
        })
    };
    !is_hidden
        && page.hidden_texts().binary_search(&text).is_err()
        && !std::iter::once(parent).chain(dom.ancestors(parent)).any(is_cut)
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
