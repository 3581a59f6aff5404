//! Pages as boxes: where text and pictures lie, and which pictures were taken.

use super::axes;
use crate::error::Result;
use crate::layout::Rect;
use crate::report::canvas::{Anchor, Canvas};
use crate::report::figure::{Figure, unfit};
use crate::report::style::{self, Color, GRAY, GRID, INK, PAPER};
use crate::studies::article_images::BoxedPage;

/// Laid-out pages side by side, each from its top.
#[derive(Debug, Clone, PartialEq)]
pub struct PageBoxes {
    /// The title.
    pub title: String,
    /// A line below the title. May be empty.
    pub subtitle: String,
    /// The pages, in order.
    pub pages: Vec<BoxedPage>,
}

const COLUMNS: usize = 5;
const WIDTH: u32 = 960;
const GAP: f64 = 14.0;
const ROW: f64 = 420.0;
/// The smallest side of a picture as drawn: images are not loaded, and one without a stated size has none.
const LEAST: f64 = 5.0;

/// What colors mean, in the order of the legend.
const LEGEND: [(&str, usize); 4] = [("taken", 2), ("left", 0), ("wrongly taken", 1), ("missed", 4)];

fn color(taken: bool, right: Option<bool>) -> Color {
    let number = match (taken, right) {
        (true, Some(false)) => 1,
        (false, Some(true)) => 4,
        (true, _) => 2,
        (false, _) => 0,
    };
    style::system(number).color
}

impl PageBoxes {
    fn rows(&self) -> usize {
        self.pages.len().div_ceil(COLUMNS)
    }
}

impl Figure for PageBoxes {
    fn title(&self) -> &str {
        &self.title
    }

    fn size(&self) -> (u32, u32) {
        let heading = axes::heading_height(WIDTH, &self.title, &self.subtitle);
        (WIDTH, (heading + 34.0 + self.rows() as f64 * (ROW + 34.0) + 12.0) as u32)
    }

    fn check(&self) -> Result<()> {
        let has_size = |page: &BoxedPage| page.width > 0.0 && page.height > 0.0;
        if self.pages.is_empty() || !self.pages.iter().all(has_size) {
            return Err(unfit(
                &self.title,
                "no page, or one without a size",
                "give pages that were laid out",
            ));
        }
        Ok(())
    }

    fn draw(&self, canvas: &mut Canvas) {
        let mut y = axes::heading(canvas, WIDTH, &self.title, &self.subtitle) + 10.0;
        let mut x = axes::MARGIN;
        for (name, number) in LEGEND {
            canvas.rect((x, y - 6.0), (x + 12.0, y + 6.0), style::system(number).color);
            canvas.text(name, (x + 17.0, y), Anchor::Start, axes::TICK);
            x += 32.0 + axes::TICK.width(name);
        }
        for (shade, name) in [(GRAY, "text kept"), (GRID, "other text")] {
            canvas.rect((x, y - 6.0), (x + 12.0, y + 6.0), shade);
            canvas.text(name, (x + 17.0, y), Anchor::Start, axes::TICK);
            x += 32.0 + axes::TICK.width(name);
        }
        y += 24.0;
        let inner = f64::from(WIDTH) - 2.0 * axes::MARGIN;
        let column = (inner - GAP * (COLUMNS as f64 - 1.0)) / COLUMNS as f64;
        for (number, page) in self.pages.iter().enumerate() {
            let left = axes::MARGIN + (number % COLUMNS) as f64 * (column + GAP);
            let top = y + (number / COLUMNS) as f64 * (ROW + 34.0) + 16.0;
            let scale = (column / f64::from(page.width)).min(ROW / f64::from(page.height));
            let (width, height) = (f64::from(page.width) * scale, f64::from(page.height) * scale);
            let name = axes::SMALL.fit(&page.name, column);
            canvas.text(&name, (left, top - 9.0), Anchor::Start, axes::SMALL);
            let corners = |rect: &Rect, least: f64| {
                let (x, y) = (f64::from(rect.x) * scale, f64::from(rect.y) * scale);
                let right = x + (f64::from(rect.width) * scale).max(least);
                let bottom = y + (f64::from(rect.height) * scale).max(least);
                let inside = |x: f64, y: f64| (left + x.clamp(0.0, width), top + y.clamp(0.0, height));
                (inside(x, y), inside(right, bottom))
            };
            let is_shown = |rect: &Rect| rect.y < page.height && rect.x < page.width && rect.y >= 0.0;
            canvas.rect((left, top), (left + width, top + height), PAPER);
            for (rect, is_kept) in page.texts.iter().filter(|(rect, _)| is_shown(rect)) {
                let (from, to) = corners(rect, 0.5);
                canvas.rect(from, to, if *is_kept { GRAY } else { GRID });
            }
            for (rect, taken, right) in page.pictures.iter().filter(|(rect, _, _)| is_shown(rect)) {
                let (from, to) = corners(rect, LEAST);
                canvas.rect(from, to, style::faint(color(*taken, *right), 0.75));
                canvas.line(&[from, (to.0, from.1), to, (from.0, to.1), from], INK, 0.5, &[]);
            }
            let (right, bottom) = (left + width, top + height);
            canvas.line(
                &[(left, top), (right, top), (right, bottom), (left, bottom), (left, top)],
                INK,
                0.8,
                &[],
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_drawn_inside_their_page_and_pages_without_size_are_refused() {
        let rect = |x, y, width, height| Rect { x, y, width, height };
        let page = BoxedPage {
            name: "a".into(),
            width: 1000.0,
            height: 2000.0,
            texts: vec![(rect(0.0, 0.0, 500.0, 40.0), true), (rect(0.0, 5000.0, 1.0, 1.0), false)],
            pictures: vec![(rect(900.0, 100.0, 500.0, 0.0), true, Some(false))],
        };
        let figure = PageBoxes { title: "t".into(), subtitle: String::new(), pages: vec![page.clone()] };
        let svg = figure.svg().unwrap();
        assert!(svg.contains("wrongly taken"));
        // Four of the legend's and the page's, two of the legend's text, one text, one picture.
        assert_eq!(svg.matches("<rect").count(), 1 + 4 + 2 + 1 + 1 + 1);
        let without = PageBoxes { pages: vec![BoxedPage { height: 0.0, ..page }], ..figure };
        assert!(without.check().is_err());
    }
}
