//! The picture of a page with the boxes of its elements drawn over it.

use std::io::Cursor;

use super::bitmap::encode;
use crate::dom::{Dom, NodeKind};
use crate::error::{Error, Result};
use crate::layout::{Layout, Rect};

/// Outlines by depth, dark enough for white pages and light enough for black ones.
const COLORS: [[u8; 3]; 6] =
    [[230, 60, 60], [40, 120, 230], [30, 160, 80], [200, 130, 20], [150, 70, 200], [0, 160, 170]];
/// The largest picture that is read, in bytes of its pixels: one of the longest page is a quarter of it.
const MAX_BYTES: usize = 1 << 28;

/// The PNG with an outline of one pixel around every box.
///
/// # Errors
/// [`Error::Data`] if the bytes are no picture.
pub fn with_boxes(png: &[u8], dom: &Dom, layout: &Layout) -> Result<Vec<u8>> {
    let unread = |error: &dyn std::fmt::Display| {
        Error::data("the picture of the page", error.to_string(), "lay the page out by another engine")
    };
    let limits = png::Limits { bytes: MAX_BYTES };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(png), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().map_err(|error| unread(&error))?;
    let size = reader.output_buffer_size().ok_or_else(|| unread(&"it is too large"))?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(|error| unread(&error))?;
    if info.color_type != png::ColorType::Rgba {
        return Err(unread(&"it has no colors"));
    }
    let mut canvas = Canvas { pixels, width: info.width as usize, height: info.height as usize };
    for id in dom.ids().filter(|&id| dom.kind(id) == NodeKind::Element) {
        if let Some(rect) = layout.rect(id) {
            canvas.outline(rect, COLORS[dom.ancestors(id).count() % COLORS.len()]);
        }
    }
    encode(&canvas.pixels, info.width, info.height, png::ColorType::Rgba).map_err(|error| unread(&error))
}

struct Canvas {
    pixels: Vec<u8>,
    width: usize,
    height: usize,
}

impl Canvas {
    fn outline(&mut self, rect: Rect, color: [u8; 3]) {
        if rect.width < 1.0 || rect.height < 1.0 {
            return;
        }
        // Edges outside the picture are not drawn, those of a box that is wider than the page included.
        let (left, right) = (rect.x.round() as i64, (rect.x + rect.width).round() as i64 - 1);
        let (top, bottom) = (rect.y.round() as i64, (rect.y + rect.height).round() as i64 - 1);
        let (w, h) = (self.width as i64, self.height as i64);
        for x in left.clamp(0, w)..(right + 1).clamp(0, w) {
            self.set(x, top, color);
            self.set(x, bottom, color);
        }
        for y in top.clamp(0, h)..(bottom + 1).clamp(0, h) {
            self.set(left, y, color);
            self.set(right, y, color);
        }
    }

    fn set(&mut self, x: i64, y: i64, color: [u8; 3]) {
        if (0..self.width as i64).contains(&x) && (0..self.height as i64).contains(&y) {
            let at = (y as usize * self.width + x as usize) * 4;
            self.pixels[at..at + 3].copy_from_slice(&color);
            self.pixels[at + 3] = 255;
        }
    }
}
