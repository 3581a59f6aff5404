//! A drawing in logical pixels: lines, shapes, markers and measured text, written as SVG or PNG. It alone knows plotters.

use std::sync::LazyLock;

use ab_glyph::{Font as _, FontRef, PxScale, ScaleFont as _, point};
use plotters::prelude::{
    BitMapBackend, Color as _, DrawingBackend, FontStyle, FontTransform, IntoFont, RGBAColor, SVGBackend,
    ShapeStyle, TextStyle,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::bitmap::encode;
use super::style::{Color, Dash, INK, Marker, PAPER, SeriesStyle};

/// Backends draw at whole pixels; this many of them to a logical pixel keep curves and letters smooth.
const SCALE: f64 = 4.0;

/// Device pixels of a PNG to a logical pixel: sharp on dense screens and in print.
const PNG_SCALE: u32 = 2;

/// DejaVu Sans, regular and bold.
static FACES: LazyLock<[FontRef<'static>; 2]> = LazyLock::new(|| {
    [dejavu::sans::regular(), dejavu::sans::bold()]
        .map(|bytes| FontRef::try_from_slice(bytes).expect("the bundled font is a font"))
});

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
    pub color: Color,
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
    pub const fn color(self, color: Color) -> Font {
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

/// A white sheet whose coordinates are logical pixels from the upper left corner, and what was drawn on it so far.
#[derive(Debug, Clone)]
pub struct Canvas {
    size: (u32, u32),
    /// In their order: each covers those before it.
    shapes: Vec<(Shape, Color)>,
}

/// What one call draws, in device pixels.
#[derive(Debug, Clone)]
enum Shape {
    Path(Vec<(i32, i32)>, u32),
    Rect((i32, i32), (i32, i32)),
    Polygon(Vec<(i32, i32)>),
    Disk((i32, i32), u32),
    Text(Text),
}

#[derive(Debug, Clone)]
struct Text {
    text: String,
    /// In logical pixels.
    at: (f64, f64),
    anchor: Anchor,
    font: Font,
}

impl Canvas {
    /// An empty sheet of this width and height in logical pixels.
    pub(super) fn new(size: (u32, u32)) -> Canvas {
        let mut canvas = Canvas { size, shapes: Vec::new() };
        canvas.rect((0.0, 0.0), (f64::from(size.0), f64::from(size.1)), PAPER);
        canvas
    }

    /// The drawing as one `<svg>` element with `title` for those who cannot see it. Letters are text, which the viewer sets in
    /// its own sans-serif.
    pub(super) fn svg(&self, title: &str) -> Result<String, String> {
        let (width, height) = self.size;
        let (device_width, device_height) = self.device_size();
        let mut svg = String::new();
        let mut backend = SVGBackend::with_string(&mut svg, (device_width, device_height));
        self.paint(&mut backend, |backend, text| {
            let (style, position) = text.as_text();
            backend.draw_text(&text.text, &style, position).map_err(|error| error.to_string())
        })?;
        drop(backend);
        // The drawing is SCALE times as large as it shall be shown: the view box says so.
        let head_end = svg.find('>').map_or(0, |at| at + 1);
        let head = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {device_width} {device_height}\" role=\"img\" aria-label=\"{}\">",
            super::html::escape(title),
        );
        svg.replace_range(..head_end, &head);
        Ok(svg)
    }

    /// The drawing as a PNG file of [`PNG_SCALE`] times its size. Letters are pixels of [`FACES`].
    pub(super) fn png(&self) -> Result<Vec<u8>, String> {
        let (device_width, device_height) = self.device_size();
        let mut pixels = vec![255; device_width as usize * device_height as usize * 3];
        let mut backend = BitMapBackend::with_buffer(&mut pixels, (device_width, device_height));
        self.paint(&mut backend, |backend, text| {
            text.as_pixels(|(x, y), color| {
                if (0..device_width as i32).contains(&x) && (0..device_height as i32).contains(&y) {
                    backend
                        .draw_pixel((x, y), color.to_backend_color())
                        .map_err(|error| error.to_string())?;
                }
                Ok(())
            })
        })?;
        drop(backend);
        let smooth = averaged(&pixels, device_width as usize, SCALE as usize / PNG_SCALE as usize);
        encode(&smooth, self.size.0 * PNG_SCALE, self.size.1 * PNG_SCALE, png::ColorType::Rgb)
            .map_err(|error| error.to_string())
    }

    fn device_size(&self) -> (u32, u32) {
        (self.size.0 * SCALE as u32, self.size.1 * SCALE as u32)
    }

    /// Hands every shape to `backend`, and texts to `set`.
    fn paint<DB: DrawingBackend>(
        &self,
        backend: &mut DB,
        set: impl Fn(&mut DB, &Text) -> Result<(), String>,
    ) -> Result<(), String> {
        for (shape, color) in &self.shapes {
            let color = RGBAColor(color.0, color.1, color.2, color.3);
            let filled = ShapeStyle { color, filled: true, stroke_width: 0 };
            match shape {
                Shape::Path(points, stroke_width) => {
                    let style = ShapeStyle { color, filled: false, stroke_width: *stroke_width };
                    backend.draw_path(points.iter().copied(), &style)
                }
                Shape::Rect(from, to) => backend.draw_rect(*from, *to, &filled, true),
                Shape::Polygon(corners) => backend.fill_polygon(corners.iter().copied(), &filled),
                Shape::Disk(center, radius) => backend.draw_circle(*center, *radius, &filled, true),
                Shape::Text(text) => {
                    set(backend, text)?;
                    Ok(())
                }
            }
            .map_err(|error| error.to_string())?;
        }
        backend.present().map_err(|error| error.to_string())
    }

    /// A line through `points`, `width` pixels thick.
    pub fn line(&mut self, points: &[(f64, f64)], color: Color, width: f64, dash: Dash) {
        for piece in dashes(points, dash) {
            let mut path: Vec<(i32, i32)> = piece.into_iter().map(device).collect();
            path.dedup();
            // A dash shorter than a device pixel still is a dot.
            if let [(x, y)] = path[..] {
                path.push((x + 1, y));
            }
            self.shapes.push((Shape::Path(path, (width * SCALE).round().max(1.0) as u32), color));
        }
    }

    /// A filled rectangle between two opposite corners.
    pub fn rect(&mut self, from: (f64, f64), to: (f64, f64), color: Color) {
        let upper_left = device((from.0.min(to.0), from.1.min(to.1)));
        let lower_right = device((from.0.max(to.0), from.1.max(to.1)));
        self.shapes.push((Shape::Rect(upper_left, lower_right), color));
    }

    /// A filled polygon.
    pub fn polygon(&mut self, corners: &[(f64, f64)], color: Color) {
        self.shapes.push((Shape::Polygon(corners.iter().copied().map(device).collect()), color));
    }

    /// A filled circle.
    pub fn disk(&mut self, center: (f64, f64), radius: f64, color: Color) {
        let radius = (radius * SCALE).round().max(1.0) as u32;
        self.shapes.push((Shape::Disk(device(center), radius), color));
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
        self.shapes.push((Shape::Text(Text { text: text.to_owned(), at, anchor, font }), font.color));
    }
}

impl Text {
    /// How and where plotters sets it.
    fn as_text(&self) -> (TextStyle<'static>, (i32, i32)) {
        let Text { at, anchor, font, .. } = self;
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
        let Color(r, g, b, alpha) = font.color;
        let color = RGBAColor(r, g, b, alpha).to_backend_color();
        (TextStyle { font: face, color, pos: Pos::new(h_pos, VPos::Top) }, device(position))
    }

    /// Gives `draw` every device pixel of its letters, some of them beyond the sheet.
    fn as_pixels(
        &self,
        mut draw: impl FnMut((i32, i32), RGBAColor) -> Result<(), String>,
    ) -> Result<(), String> {
        let Text { text, at, anchor, font } = self;
        let (glyphs, width) = font.glyphs(text, SCALE);
        let start = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -width / 2.0,
            Anchor::End => -width,
        };
        let (face, scale, origin) = (font.face(), font.scale(SCALE), device(*at));
        let baseline = (font.em * SCALE * HALF_CAPITAL) as f32;
        let Color(r, g, b, alpha) = font.color;
        let mut result = Ok(());
        for (glyph, x) in glyphs {
            let placed = glyph.with_scale_and_position(scale, point((start + x) as f32, baseline));
            let Some(outline) = face.outline_glyph(placed) else { continue };
            let corner = outline.px_bounds().min;
            outline.draw(|dx, dy, coverage| {
                let (along, across) = (corner.x as i32 + dx as i32, corner.y as i32 + dy as i32);
                let (dx, dy) = if font.upward { (across, -along) } else { (along, across) };
                let color = RGBAColor(r, g, b, alpha).mix(f64::from(coverage.clamp(0.0, 1.0)));
                let drawn = draw((origin.0 + dx, origin.1 + dy), color);
                result = std::mem::replace(&mut result, Ok(())).and(drawn);
            });
        }
        result
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

/// The image with each square of `block` by `block` pixels averaged to one, which smooths every edge.
fn averaged(pixels: &[u8], width: usize, block: usize) -> Vec<u8> {
    let n = (block * block) as u32;
    let mut smooth = Vec::with_capacity(pixels.len() / (block * block));
    for rows in pixels.chunks_exact(width * 3 * block) {
        for x in 0..width / block {
            for channel in 0..3 {
                let at = |dx: usize, dy: usize| u32::from(rows[(dy * width + x * block + dx) * 3 + channel]);
                let sum: u32 = (0..block).flat_map(|dy| (0..block).map(move |dx| at(dx, dy))).sum();
                smooth.push(((sum + n / 2) / n) as u8);
            }
        }
    }
    smooth
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

    #[test]
    fn averaging_takes_the_mean_of_each_square() {
        // Two squares of 2 x 2 gray pixels side by side.
        let row = |values: [u8; 4]| values.iter().flat_map(|&v| [v; 3]).collect::<Vec<u8>>();
        let pixels = [row([0, 100, 8, 8]), row([100, 201, 8, 8])].concat();
        assert_eq!(averaged(&pixels, 4, 2), [100, 100, 100, 8, 8, 8]);
    }
}
