//! Colors, dashes and markers: one restrained, color-blind-safe style for all figures.

use crate::label::Label;

/// Red, green and blue from 0 to 255, and how opaque it is: from 0, not seen, to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Color(pub u8, pub u8, pub u8, pub f64);

/// Text and axes.
pub const INK: Color = Color(34, 34, 34, 1.0);
/// Secondary text.
pub const GRAY: Color = Color(100, 100, 100, 1.0);
/// Grid lines.
pub const GRID: Color = Color(230, 230, 230, 1.0);
/// The background.
pub const PAPER: Color = Color(255, 255, 255, 1.0);

/// The palette of Okabe & Ito 2008, "Color universal design", without its yellow, which vanishes on white.
const BLUE: Color = Color(0, 114, 178, 1.0);
const VERMILLION: Color = Color(213, 94, 0, 1.0);
const GREEN: Color = Color(0, 158, 115, 1.0);
const PURPLE: Color = Color(204, 121, 167, 1.0);
const ORANGE: Color = Color(230, 159, 0, 1.0);
const SKY: Color = Color(86, 180, 233, 1.0);
const DARK: Color = Color(70, 70, 70, 1.0);

/// Lengths of dash, gap, dash, gap, ... in pixels; empty for a solid line.
pub type Dash = &'static [f64];

const SOLID: Dash = &[];
const LONG: Dash = &[9.0, 4.0];
const SHORT: Dash = &[4.0, 3.0];
const DOTTED: Dash = &[1.6, 3.0];
const DASH_DOT: Dash = &[9.0, 3.0, 2.0, 3.0];
const DASH_DOT_DOT: Dash = &[9.0, 3.0, 2.0, 3.0, 2.0, 3.0];

/// The shape of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// A disk.
    Circle,
    /// A square on its side.
    Square,
    /// A triangle that points up.
    Triangle,
    /// A square on its corner.
    Diamond,
    /// A triangle that points down.
    TriangleDown,
    /// A diagonal cross.
    Cross,
}

/// How the lines, bars and points of one system or label look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeriesStyle {
    /// The color.
    pub color: Color,
    /// The dashes of lines.
    pub dash: Dash,
    /// The shape of points.
    pub marker: Marker,
}

const MARKERS: [Marker; 6] =
    [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::TriangleDown, Marker::Cross];

/// The style of the system that was given as number `index` (from 0), the same in every figure.
///
/// Seven colors, six dashes and six markers run on at their own pace, so that 42 systems differ.
pub fn system(index: usize) -> SeriesStyle {
    const COLORS: [Color; 7] = [BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, DARK];
    const DASHES: [Dash; 6] = [SOLID, LONG, SHORT, DASH_DOT, DOTTED, DASH_DOT_DOT];
    SeriesStyle {
        color: COLORS[index % COLORS.len()],
        dash: DASHES[index % DASHES.len()],
        marker: MARKERS[index % MARKERS.len()],
    }
}

/// The style of a label: the thesis's colors (its figures 3.1-3.14: blue, green, red, magenta) in the nearest
/// shades that color-blind readers tell apart, and orange and teal for the two labels it does not draw.
pub fn label(label: Label) -> SeriesStyle {
    let (color, dash) = match label {
        Label::NotContent => (BLUE, LONG),
        Label::Headline => (GREEN, SHORT),
        Label::FullText => (VERMILLION, SOLID),
        Label::Supplemental => (PURPLE, DASH_DOT),
        Label::RelatedContent => (ORANGE, DASH_DOT_DOT),
        Label::Comments => (SKY, DOTTED),
    };
    SeriesStyle { color, dash, marker: MARKERS[label.index()] }
}

/// `color`, so much of it (0 to 1) that the paper shows through.
pub fn faint(color: Color, alpha: f64) -> Color {
    Color(color.0, color.1, color.2, alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_forty_two_systems_all_look_different() {
        let looks: Vec<_> = (0..42).map(system).collect();
        for (i, look) in looks.iter().enumerate() {
            assert!(!looks[..i].contains(look), "{i}");
        }
    }

    #[test]
    fn labels_differ_in_color_dash_and_marker_each() {
        let looks = Label::ALL.map(label);
        for (i, a) in looks.iter().enumerate() {
            for b in &looks[..i] {
                assert!(a.color != b.color && a.dash != b.dash && a.marker != b.marker);
            }
        }
    }
}
