//! A drawing surface in logical pixels over any plotters backend: lines, shapes, markers and measured text.

use std::sync::LazyLock;

use ab_glyph::{Font as _, FontRef, PxScale, ScaleFont as _, point};
use plotters::prelude::{
    Color as _, DrawingBackend, FontStyle, FontTransform, IntoFont, RGBAColor, ShapeStyle, TextStyle,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::style::{Dash, INK, Marker, PAPER, SeriesStyle};

/// Backends draw at whole pixels; this many of them to a logical pixel keep curves and letters smooth.
pub(super) const SCALE: f64 = 4.0;

/// DejaVu Sans, regular and bold.
static FACES: LazyLock<[FontRef<'static>; 2]> = LazyLock::new(|| {
    [dejavu::sans::regular(), dejavu::sans::bold()]
        .map(|bytes| FontRef::try_from_slice(bytes).expect("the bundled font is a font"))
});

/// How letters come onto the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letters {
    /// As text, which the viewer of an SVG sets in its own sans-serif.
    AsText,
    /// As pixels of [`FACES`].
    AsPixels,
}

/// Which point of a text its position names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// The left end.
    Start,
    /// The middle.
    Middle,
    /// The right end.
    End,
}

/// How a text is set.
#[derive(Debug, Clone, Copy)]
pub struct Font {
    /// The size of an em in pixels.
    pub em: f64,
    /// The color.
    pub color: RGBAColor,
    /// Whether it is bold.
    pub bold: bool,
    /// Whether it reads from the bottom to the top.
    pub upward: bool,
}

impl Font {
    /// Upright text of this size in [`INK`].
    pub const fn new(em: f64) -> Font {
        Font { em, color: INK, bold: false, upward: false }
    }

    /// The same in `color`.
    pub const fn color(self, color: RGBAColor) -> Font {
        Font { color, ..self }
    }

    /// The same in bold.
    pub const fn bold(self) -> Font {
        Font { bold: true, ..self }
    }

    /// The same, reading upward.
    pub const fn upward(self) -> Font {
        Font { upward: true, ..self }
    }

    /// The width of `text` in pixels, as DejaVu Sans has it, which is wider than most.
    pub fn width(&self, text: &str) -> f64 {
        let (_, end) = self.glyphs(text, 1.0);
        end
    }

    /// The glyphs of `text` and where each begins, and where the last ends, in pixels times `zoom`.
    fn glyphs(&self, text: &str, zoom: f64) -> (Vec<(ab_glyph::GlyphId, f64)>, f64) {
        let face = self.face();
        let scaled = face.as_scaled(self.scale(zoom));
        let (mut x, mut last) = (0.0, None);
        let mut glyphs = Vec::new();
        for c in text.chars() {
            let glyph = scaled.glyph_id(c);
            x += last.map_or(0.0, |last| f64::from(scaled.kern(last, glyph)));
            glyphs.push((glyph, x));
            x += f64::from(scaled.h_advance(glyph));
            last = Some(glyph);
        }
        (glyphs, x)
    }

    fn face(&self) -> &'static FontRef<'static> {
        &FACES[usize::from(self.bold)]
    }

    /// The scale by which ab_glyph draws an em of the right size: it counts in ascender plus descender.
    fn scale(&self, zoom: f64) -> PxScale {
        let face = self.face();
        let em = face.units_per_em().unwrap_or(2048.0);
        PxScale::from((self.em * zoom) as f32 * face.height_unscaled() / em)
    }

    /// `text`, cut and ended with "…" where it is wider than `width` pixels.
    pub fn fit(&self, text: &str, width: f64) -> String {
        if self.width(text) <= width {
            return text.to_owned();
        }
        let mut ends = text.char_indices().map(|(at, _)| at).collect::<Vec<_>>();
        while let Some(end) = ends.pop() {
            let cut = format!("{}…", text[..end].trim_end());
            if self.width(&cut) <= width {
                return cut;
            }
        }
        "…".to_owned()
    }

    /// `text` in lines of at most `width` pixels, broken at spaces; a longer word has a line of its own.
    pub fn wrap(&self, text: &str, width: f64) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            match lines.last_mut() {
                Some(line) if self.width(&format!("{line} {word}")) <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }
}

/// A white sheet whose coordinates are logical pixels from the upper left corner.
///
/// Drawing does not return errors; the first one is kept and reported when the figure is finished.
pub struct Canvas<'a, DB: DrawingBackend> {
    backend: &'a mut DB,
    letters: Letters,
    error: Option<String>,
}

impl<'a, DB: DrawingBackend> Canvas<'a, DB> {
    /// A white canvas over `backend`, whose size is [`SCALE`] times the logical one.
    pub(super) fn new(backend: &'a mut DB, letters: Letters) -> Self {
        let (width, height) = backend.get_size();
        let mut canvas = Canvas { backend, letters, error: None };
        canvas.rect((0.0, 0.0), (f64::from(width) / SCALE, f64::from(height) / SCALE), PAPER);
        canvas
    }

    /// Ends the drawing; the first error, if any.
    pub(super) fn finish(mut self) -> Result<(), String> {
        let result = self.backend.present();
        self.keep(result);
        self.error.map_or(Ok(()), Err)
    }

    /// A line through `points`, `width` pixels thick.
    pub fn line(&mut self, points: &[(f64, f64)], color: RGBAColor, width: f64, dash: Dash) {
        let style =
            ShapeStyle { color, filled: false, stroke_width: (width * SCALE).round().max(1.0) as u32 };
        for piece in dashes(points, dash) {
            let mut path: Vec<(i32, i32)> = piece.into_iter().map(device).collect();
            path.dedup();
            // A dash shorter than a device pixel still is a dot.
            if let [(x, y)] = path[..] {
                path.push((x + 1, y));
            }
            let result = self.backend.draw_path(path, &style);
            self.keep(result);
        }
    }

    /// A filled rectangle between two opposite corners.
    pub fn rect(&mut self, from: (f64, f64), to: (f64, f64), color: RGBAColor) {
        let upper_left = device((from.0.min(to.0), from.1.min(to.1)));
        let lower_right = device((from.0.max(to.0), from.1.max(to.1)));
        let style = ShapeStyle { color, filled: true, stroke_width: 0 };
        let result = self.backend.draw_rect(upper_left, lower_right, &style, true);
        self.keep(result);
    }

    /// A filled polygon.
    pub fn polygon(&mut self, corners: &[(f64, f64)], color: RGBAColor) {
        let style = ShapeStyle { color, filled: true, stroke_width: 0 };
        let result = self.backend.fill_polygon(corners.iter().copied().map(device), &style);
        self.keep(result);
    }

    /// A filled circle.
    pub fn disk(&mut self, center: (f64, f64), radius: f64, color: RGBAColor) {
        let style = ShapeStyle { color, filled: true, stroke_width: 0 };
        let radius = (radius * SCALE).round().max(1.0) as u32;
        let result = self.backend.draw_circle(device(center), radius, &style, true);
        self.keep(result);
    }

    /// A point of the given shape, about `radius` pixels from center to edge, with a thin white rim.
    pub fn marker(&mut self, center: (f64, f64), radius: f64, style: SeriesStyle) {
        if style.marker == Marker::Cross {
            for (r, width, color) in [(radius + 0.6, 4.0, PAPER), (radius, 2.2, style.color)] {
                let (x, y) = center;
                self.line(&[(x - r, y - r), (x + r, y + r)], color, width, &[]);
                self.line(&[(x - r, y + r), (x + r, y - r)], color, width, &[]);
            }
            return;
        }
        for (r, color) in [(radius + 1.2, PAPER), (radius, style.color)] {
            let at = |corners: &[(f64, f64)]| -> Vec<(f64, f64)> {
                corners.iter().map(|(dx, dy)| (center.0 + dx * r, center.1 + dy * r)).collect()
            };
            match style.marker {
                Marker::Circle => self.disk(center, r, color),
                Marker::Square => {
                    self.rect((center.0 - 0.88 * r, center.1 - 0.88 * r), at(&[(0.88, 0.88)])[0], color)
                }
                Marker::Triangle => self.polygon(&at(&[(0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)]), color),
                Marker::TriangleDown => self.polygon(&at(&[(0.0, 1.15), (1.1, -0.85), (-1.1, -0.85)]), color),
                Marker::Diamond => {
                    self.polygon(&at(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]), color)
                }
                Marker::Cross => {}
            }
        }
    }

    /// `text` with its vertical middle (that of a capital letter) at `at`; `anchor` is along the reading
    /// direction.
    pub fn text(&mut self, text: &str, at: (f64, f64), anchor: Anchor, font: Font) {
        match self.letters {
            Letters::AsText => self.text_as_text(text, at, anchor, font),
            Letters::AsPixels => self.text_as_pixels(text, at, anchor, font),
        }
    }

    fn text_as_text(&mut self, text: &str, at: (f64, f64), anchor: Anchor, font: Font) {
        // plotters-svg writes size / 1.24 as the font size, and for the top anchor .76 em as the baseline.
        let to_edge = font.em * (HALF_CAPITAL - 0.76);
        let position = if font.upward { (at.0 + to_edge, at.1) } else { (at.0, at.1 + to_edge) };
        let h_pos = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let weight = if font.bold { FontStyle::Bold } else { FontStyle::Normal };
        let mut face = ("sans-serif", font.em * SCALE * 1.24, weight).into_font();
        if font.upward {
            face = face.transform(FontTransform::Rotate270);
        }
        let style = TextStyle::from(face).color(&font.color).pos(Pos::new(h_pos, VPos::Top));
        let result = self.backend.draw_text(text, &style, device(position));
        self.keep(result);
    }

    fn text_as_pixels(&mut self, text: &str, at: (f64, f64), anchor: Anchor, font: Font) {
        let (glyphs, width) = font.glyphs(text, SCALE);
        let start = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -width / 2.0,
            Anchor::End => -width,
        };
        let (face, scale, origin) = (font.face(), font.scale(SCALE), device(at));
        let baseline = (font.em * SCALE * HALF_CAPITAL) as f32;
        let (columns, rows) = self.backend.get_size();
        for (glyph, x) in glyphs {
            let placed = glyph.with_scale_and_position(scale, point((start + x) as f32, baseline));
            let Some(outline) = face.outline_glyph(placed) else { continue };
            let corner = outline.px_bounds().min;
            outline.draw(|dx, dy, coverage| {
                let (along, across) = (corner.x as i32 + dx as i32, corner.y as i32 + dy as i32);
                let (x, y) = if font.upward {
                    (origin.0 + across, origin.1 - along)
                } else {
                    (origin.0 + along, origin.1 + across)
                };
                if (0..columns as i32).contains(&x) && (0..rows as i32).contains(&y) {
                    let color = font.color.mix(f64::from(coverage.clamp(0.0, 1.0))).to_backend_color();
                    let result = self.backend.draw_pixel((x, y), color);
                    self.keep(result);
                }
            });
        }
    }

    fn keep<E: std::fmt::Display>(&mut self, result: Result<(), E>) {
        if let (Err(error), None) = (result, &self.error) {
            self.error = Some(error.to_string());
        }
    }
}

/// Half the height of capitals and digits, in em.
const HALF_CAPITAL: f64 = 0.365;

/// The device pixel of a logical point.
fn device((x, y): (f64, f64)) -> (i32, i32) {
    // Rounded first to a fine grid, so that the last bit of a platform's logarithm cannot tip a pixel.
    let pixel = |v: f64| ((v * SCALE * 1e4).round() / 1e4).round() as i32;
    (pixel(x), pixel(y))
}

/// The drawn pieces of a polyline: all of it, or its dashes.
fn dashes(points: &[(f64, f64)], dash: Dash) -> Vec<Vec<(f64, f64)>> {
    if dash.is_empty() || points.len() < 2 {
        return vec![points.to_vec()];
    }
    let mut pieces = Vec::new();
    let (mut phase, mut left) = (0, dash[0]);
    let mut piece = vec![points[0]];
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        loop {
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let length = (dx * dx + dy * dy).sqrt();
            if length <= left {
                left -= length;
                piece.push(to);
                break;
            }
            let cut = (from.0 + dx * left / length, from.1 + dy * left / length);
            piece.push(cut);
            // Even phases are drawn, odd ones are gaps.
            if phase % 2 == 0 {
                pieces.push(std::mem::take(&mut piece));
            }
            piece = vec![cut];
            phase = (phase + 1) % dash.len();
            left = dash[phase];
            from = cut;
        }
    }
    if phase % 2 == 0 {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_follow_a_line_round_its_corners() {
        let pieces = dashes(&[(0.0, 0.0), (4.0, 0.0), (4.0, 6.0)], &[5.0, 2.0]);
        assert_eq!(pieces, [vec![(0.0, 0.0), (4.0, 0.0), (4.0, 1.0)], vec![(4.0, 3.0), (4.0, 6.0)]]);
    }

    #[test]
    fn a_text_too_wide_is_cut_and_ends_in_an_ellipsis() {
        let font = Font::new(12.0);
        let cut = font.fit("a very long name of a system", 80.0);
        assert!(cut.ends_with('…') && font.width(&cut) <= 80.0, "{cut}");
        assert_eq!(font.fit("short", 80.0), "short");
        assert_eq!(font.fit("東京東京", 3.0), "…");
    }

    #[test]
    fn lines_are_broken_at_spaces_and_keep_every_word() {
        let lines = Font::new(12.0).wrap("one two three four five six seven", 90.0);
        assert!(lines.len() > 1);
        assert_eq!(lines.join(" "), "one two three four five six seven");
    }

    #[test]
    fn the_width_of_a_text_grows_with_its_size_and_weight() {
        let small = Font::new(10.0).width("heartwood");
        assert!((Font::new(20.0).width("heartwood") / small - 2.0).abs() < 1e-6);
        assert!(Font::new(10.0).bold().width("heartwood") > small);
    }
}
