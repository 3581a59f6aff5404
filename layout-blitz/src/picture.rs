//! Draws a laid out page: a sketch to look at, not what a browser paints.

use ab_glyph::{Font, FontRef, GlyphId, PxScale, point};
use blitz_dom::{BaseDocument, Node, NodeId};
use parley::{GlyphRun, PositionedLayoutItem};
use style::color::AbsoluteColor;
use style::computed_values::visibility::T as Visibility;
use style::properties::ComputedValues;
use style::values::computed::{Overflow, TextDecorationLine};

use crate::boxes::Origins;
use crate::error::RenderError;
use crate::fonts;
use crate::tree::Viewport;

/// The highest picture whatever is asked for, so that its bytes fit into memory.
const MAX_HEIGHT: u32 = 32_768;
const MAX_WIDTH: u32 = 8_192;

/// A picture of the page as PNG.
pub(crate) fn draw(
    document: &BaseDocument,
    viewport: Viewport,
    max_height: u32,
) -> Result<Vec<u8>, RenderError> {
    let mut origins = Origins::new(document);
    let root = document.try_root_element();
    let bottom = root.map_or(0.0, |root| root.scrollable_overflow().y1.max(f64::from(viewport.height)));
    let height = (bottom.clamp(1.0, f64::from(MAX_HEIGHT)).ceil() as u32).min(max_height.max(1));
    let width = viewport.width.clamp(1, MAX_WIDTH);
    let mut canvas =
        Canvas { width, height, pixels: vec![255; width as usize * height as usize * 3], clip: EVERYWHERE };
    // Layout children in document order; what is positioned comes where it stands in the source.
    let mut open: Vec<(NodeId, Clip)> = root.map(|root| (root.id, EVERYWHERE)).into_iter().collect();
    let mut seen = std::collections::HashSet::new();
    while let Some((id, mut clip)) = open.pop() {
        let Some(node) = document.get_node(id).filter(|_| seen.insert(id)) else { continue };
        canvas.clip = clip;
        if let (Some(origin), Some(styles)) = (origins.of(id), node.primary_styles())
            && styles.clone_visibility() == Visibility::Visible
            && styles.clone_opacity() > 0.0
        {
            draw_box(&mut canvas, node, &styles, origin);
            // The window scrolls what is too large for the root, and shows it.
            if root.is_some_and(|root| root.id != id) {
                clip = clipped(clip, node, &styles, origin);
                canvas.clip = clip;
            }
            draw_text(&mut canvas, document, node, origin);
        }
        // What a list drops down is not seen.
        if node.data.is_element_with_tag_name(&blitz_dom::local_name!("select")) {
            continue;
        }
        if let Some(children) = node.layout_children.borrow().as_ref() {
            open.extend(children.iter().rev().map(|&child| (child, clip)));
        }
    }
    canvas.encode()
}

/// What can be seen: left, top, right, bottom.
type Clip = [f32; 4];

const EVERYWHERE: Clip = [f32::NEG_INFINITY, f32::NEG_INFINITY, f32::INFINITY, f32::INFINITY];

/// What can be seen of an element's content: no more than its box, where it hides or scrolls the rest. `body` hands its own on to the
/// window.
fn clipped(clip: Clip, node: &Node, styles: &ComputedValues, (x, y): (f32, f32)) -> Clip {
    let is_body = node.data.is_element_with_tag_name(&blitz_dom::local_name!("body"));
    let hides = |overflow: Overflow| !is_body && overflow != Overflow::Visible;
    let size = node.unrounded_layout().size;
    let [mut left, mut top, mut right, mut bottom] = clip;
    if hides(styles.clone_overflow_x()) {
        (left, right) = (left.max(x), right.min(x + size.width));
    }
    if hides(styles.clone_overflow_y()) {
        (top, bottom) = (top.max(y), bottom.min(y + size.height));
    }
    [left, top, right, bottom]
}

/// Background and borders.
fn draw_box(canvas: &mut Canvas, node: &Node, styles: &ComputedValues, (x, y): (f32, f32)) {
    let size = node.unrounded_layout().size;
    let (right, bottom) = (x + size.width, y + size.height);
    let color = styles.resolve_color(&styles.get_background().background_color);
    canvas.fill([x, y, right, bottom], color);
    let border = styles.get_border();
    let widths = node.unrounded_layout().border;
    canvas.fill([x, y, right, y + widths.top], styles.resolve_color(&border.border_top_color));
    canvas
        .fill([x, bottom - widths.bottom, right, bottom], styles.resolve_color(&border.border_bottom_color));
    canvas.fill([x, y, x + widths.left, bottom], styles.resolve_color(&border.border_left_color));
    canvas.fill([right - widths.right, y, right, bottom], styles.resolve_color(&border.border_right_color));
    let name = node.element_data().map(|data| &*data.name.local);
    if matches!(name, Some("img" | "svg" | "iframe" | "video" | "object" | "embed")) {
        canvas.cross([x, y, right, bottom]);
    }
}

/// The lines of text that an inline root holds.
fn draw_text(canvas: &mut Canvas, document: &BaseDocument, node: &Node, (x, y): (f32, f32)) {
    let Some(text) = node.element_data().and_then(|data| data.inline_layout_data.as_ref()) else { return };
    let layout = node.unrounded_layout();
    let x = x + layout.padding.left + layout.border.left;
    let y = y + layout.padding.top + layout.border.top + text.block_offset;
    for line in text.layout.lines() {
        for item in line.items() {
            let PositionedLayoutItem::GlyphRun(run) = item else { continue };
            let id = run.style().brush.id;
            let owner = document.get_node(id).unwrap_or(node);
            let Some(styles) = owner.primary_styles().or_else(|| node.primary_styles()) else { continue };
            if styles.clone_visibility() != Visibility::Visible {
                continue;
            }
            let (left, baseline) = (x + run.offset(), y + run.baseline());
            if id != node.id {
                let metrics = run.run().font_metrics();
                let color = styles.resolve_color(&styles.get_background().background_color);
                let (top, bottom) = (baseline - metrics.ascent, baseline + metrics.descent);
                canvas.fill([left, top, left + run.advance(), bottom], color);
            }
            let color = styles.get_inherited_text().clone_color();
            if styles.get_text().text_decoration_line.contains(TextDecorationLine::UNDERLINE) {
                canvas.fill([left, baseline + 1.0, left + run.advance(), baseline + 2.0], color);
            }
            draw_glyphs(canvas, &run, (x, y), color);
        }
    }
}

fn draw_glyphs<B: parley::Brush>(
    canvas: &mut Canvas,
    run: &GlyphRun<'_, B>,
    (x, y): (f32, f32),
    color: AbsoluteColor,
) {
    let data = run.run().font();
    let Ok(font) = FontRef::try_from_slice_and_index(data.data.as_ref(), data.index) else { return };
    let units = font.units_per_em().unwrap_or(2048.0);
    // The scale of this library is the height of a line, not the em.
    let scale = run.run().font_size() * font.height_unscaled() / units;
    let original = fonts::original(data.data.id());
    let original = original.and_then(|bytes| FontRef::try_from_slice_and_index(bytes, data.index).ok());
    // Glyphs are as narrow as their widths were made; drawn as they come they would stand in each other.
    let narrowed = |id: GlyphId| match original.as_ref().map(|original| original.h_advance_unscaled(id)) {
        Some(width) if width > 0.0 => (font.h_advance_unscaled(id) / width).clamp(0.4, 1.6),
        _ => 1.0,
    };
    for glyph in run.positioned_glyphs() {
        let Ok(id) = u16::try_from(glyph.id) else { continue };
        let place = point(x + glyph.x, y + glyph.y);
        if place.y < -100.0
            || place.y > canvas.height as f32 + 100.0
            || !place.x.is_finite()
            || scale > 2000.0
        {
            continue;
        }
        let scale = PxScale { x: scale * narrowed(GlyphId(id)), y: scale };
        if let Some(outline) = font.outline_glyph(GlyphId(id).with_scale_and_position(scale, place)) {
            let corner = outline.px_bounds().min;
            outline.draw(|column, row, coverage| {
                canvas.blend(
                    corner.x as i64 + i64::from(column),
                    corner.y as i64 + i64::from(row),
                    color,
                    coverage,
                );
            });
        }
    }
}

/// Pixels of three bytes each, red, green and blue, from the top.
struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
    /// What is drawn outside is not seen.
    clip: Clip,
}

impl Canvas {
    /// Fills what lies on the canvas of left, top, right, bottom.
    fn fill(&mut self, [left, top, right, bottom]: [f32; 4], color: AbsoluteColor) {
        if color.alpha <= 0.0 {
            return;
        }
        let whole = |x: f32, end: u32| x.round().clamp(0.0, end as f32) as i64;
        let (left, right) = (whole(left, self.width), whole(right, self.width));
        for y in whole(top, self.height)..whole(bottom, self.height) {
            for x in left..right {
                self.blend(x, y, color, 1.0);
            }
        }
    }

    /// A gray frame with its diagonals.
    fn cross(&mut self, [left, top, right, bottom]: [f32; 4]) {
        let gray = AbsoluteColor::srgb_legacy(170, 170, 170, 1.0);
        let (width, height) = (right - left, bottom - top);
        if !(2.0..=20_000.0).contains(&width) || !(2.0..=20_000.0).contains(&height) {
            return;
        }
        let steps = width.max(height) as i32;
        for step in 0..=steps {
            let part = step as f32 / steps as f32;
            let (x, y) = (left + part * (width - 1.0), top + part * (height - 1.0));
            let mirrored = bottom - 1.0 - part * (height - 1.0);
            for (x, y) in [(x, y), (x, mirrored), (x, top), (x, bottom - 1.0), (left, y), (right - 1.0, y)] {
                self.blend(x.round() as i64, y.round() as i64, gray, 1.0);
            }
        }
    }

    fn blend(&mut self, x: i64, y: i64, color: AbsoluteColor, coverage: f32) {
        if x < 0 || y < 0 || x >= i64::from(self.width) || y >= i64::from(self.height) {
            return;
        }
        let [left, top, right, bottom] = self.clip;
        let (column, row) = (x as f32 + 0.5, y as f32 + 0.5);
        if column < left || column > right || row < top || row > bottom {
            return;
        }
        let at = (y as usize * self.width as usize + x as usize) * 3;
        let color = color.into_srgb_legacy();
        let parts = color.raw_components();
        let alpha = (color.alpha * coverage).clamp(0.0, 1.0);
        for (pixel, part) in self.pixels[at..at + 3].iter_mut().zip(parts) {
            let value = f32::from(*pixel) * (1.0 - alpha) + part.clamp(0.0, 1.0) * 255.0 * alpha;
            *pixel = value.round() as u8;
        }
    }

    fn encode(&self) -> Result<Vec<u8>, RenderError> {
        let fail = |error: png::EncodingError| RenderError::NoPicture(error.to_string());
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header().map_err(fail)?;
        writer.write_image_data(&self.pixels).map_err(fail)?;
        writer.finish().map_err(fail)?;
        Ok(bytes)
    }
}
