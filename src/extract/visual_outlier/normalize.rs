//! Computed styles as rows of numbers: the paper's section 4.2 for its 32 properties.
//!
//! 1. A number is kept as it is. `font-weight` is one, with `normal` for 400 and `bold` for 700.
//! 2. A color makes three columns: red, green and blue. The paper says nothing of alpha, so it has no column and is
//!    left out; `transparent`, which browsers write `rgba(0, 0, 0, 0)`, thus equals black.
//! 3. A number with a unit is kept in pixels. A percentage, which only a radius has once a page is laid out, is taken of
//!    the width of the element's box, as the horizontal radius is (CSS Backgrounds and Borders Level 3, section 4.1); of two
//!    radii of a corner it is the horizontal one that counts.
//! 4. A keyword makes one column for each keyword that the specification gives the property ([`keywords`]), with 1 in its own
//!    and 0 in the others. The margins, which have a number or the keyword `auto`, have a column for each.
//!
//! `text-decoration` was a set of lines in CSS 2.1; browsers now write a shorthand such as `underline dotted rgb(0, 0, 0)`.
//! Of it the lines are taken, each a column; color, style and thickness, which the paper's browser did not know, are not.
//!
//! Columns are not scaled: the paper names no scale, so pixels stand beside components of colors and binary numbers.
//! A value that the specification does not know (`text-align: -webkit-center`) leaves all its columns 0 and is counted.

use std::sync::LazyLock;

use super::css_value::{color, length, number};
use crate::layout::Property;

const BORDER_STYLES: &[&str] =
    &["none", "hidden", "dotted", "dashed", "solid", "double", "groove", "ridge", "inset", "outset"];
const FONT_STYLES: &[&str] = &["normal", "italic", "oblique"];
const POSITIONS: &[&str] = &["static", "relative", "absolute", "sticky", "fixed"];
const TEXT_ALIGNS: &[&str] =
    &["start", "end", "left", "right", "center", "justify", "match-parent", "justify-all"];
const DECORATION_LINES: &[&str] = &["none", "underline", "overline", "line-through", "blink"];
const VISIBILITIES: &[&str] = &["visible", "hidden", "collapse"];
const MARGIN_KEYWORDS: &[&str] = &["auto"];

/// What else may stand in the shorthand `text-decoration` (CSS Text Decoration Level 4, sections 2.2 and 2.4), besides
/// lengths and colors.
const OTHER_DECORATION: &[&str] =
    &["solid", "double", "dotted", "dashed", "wavy", "auto", "from-font", "currentcolor"];

/// The keywords of a property of the paper that have a column each; none for a property of numbers or colors.
///
/// | property | specification |
/// |---|---|
/// | `border-*-style` | CSS Backgrounds and Borders Level 3, section 3.2 |
/// | `font-style` | CSS Fonts Level 4, section 2.4; `oblique` with any angle |
/// | `margin-*` | CSS Box Model Level 3, section 3.1; besides a length |
/// | `position` | CSS Positioned Layout Level 3, section 2 |
/// | `text-align` | CSS Text Level 3, section 6.1 |
/// | `text-decoration` | CSS Text Decoration Level 3, section 2.1, the lines |
/// | `visibility` | CSS Display Level 4, section 4; as in CSS 2.1 |
pub fn keywords(property: Property) -> &'static [&'static str] {
    match kind(property) {
        Kind::Color | Kind::Weight | Kind::Length | Kind::Radius => &[],
        Kind::Margin => MARGIN_KEYWORDS,
        Kind::Lines => DECORATION_LINES,
        Kind::Keyword(keywords) => keywords,
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Color,
    Weight,
    Length,
    Radius,
    Margin,
    Lines,
    Keyword(&'static [&'static str]),
}

fn kind(property: Property) -> Kind {
    match property.name() {
        "font-style" => Kind::Keyword(FONT_STYLES),
        "font-weight" => Kind::Weight,
        "position" => Kind::Keyword(POSITIONS),
        "text-align" => Kind::Keyword(TEXT_ALIGNS),
        "text-decoration" => Kind::Lines,
        "visibility" => Kind::Keyword(VISIBILITIES),
        name if name.ends_with("color") => Kind::Color,
        name if name.ends_with("-style") => Kind::Keyword(BORDER_STYLES),
        name if name.ends_with("-radius") => Kind::Radius,
        name if name.starts_with("margin-") => Kind::Margin,
        _ => Kind::Length,
    }
}

/// The properties of the paper, in its order.
fn properties() -> impl Iterator<Item = Property> {
    Property::all().take(Property::OF_PAPER)
}

static COLUMNS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut columns = Vec::new();
    for property in properties() {
        let name = property.name();
        match kind(property) {
            Kind::Color => columns.extend(["red", "green", "blue"].map(|part| format!("{name}.{part}"))),
            Kind::Weight | Kind::Length | Kind::Radius | Kind::Margin => columns.push(name.to_owned()),
            Kind::Lines | Kind::Keyword(_) => {}
        }
        columns.extend(keywords(property).iter().map(|keyword| format!("{name}={keyword}")));
    }
    columns
});

/// The names of the columns of a row: `color.red`, `font-size`, `position=static`.
///
/// # Examples
/// ```
/// use duramen::extract::visual_outlier::columns;
/// assert_eq!(columns().len(), 105);
/// assert!(columns().contains(&"margin-left=auto".to_owned()));
/// ```
pub fn columns() -> &'static [String] {
    &COLUMNS
}

/// Appends the row of a style to `rows`: its numbers in the order of [`columns`]. `width` is that of the element's border
/// box in pixels, if it has one. Gives the number of values that the specification does not know.
pub fn append_row(style: &[&str; Property::COUNT], width: Option<f32>, rows: &mut Vec<f64>) -> u32 {
    let mut unknown = 0;
    for property in properties() {
        let value = style[property.index()].trim();
        let known = match kind(property) {
            Kind::Color => append_numbers(rows, color(value)),
            Kind::Weight => append_numbers(rows, weight(value).map(|weight| [weight])),
            Kind::Length => append_numbers(rows, length(value).map(|length| [length])),
            Kind::Radius => append_numbers(rows, radius(value, width).map(|radius| [radius])),
            Kind::Margin => {
                let margin = append_numbers(rows, length(value).map(|length| [length]));
                append_keywords(rows, MARGIN_KEYWORDS, &[value]) || margin
            }
            Kind::Lines => append_lines(rows, value),
            Kind::Keyword(keywords) => {
                // Only `oblique` may have something after it, its angle.
                let keyword = value.strip_prefix("oblique ").map_or(value, |_| "oblique");
                append_keywords(rows, keywords, &[keyword])
            }
        };
        unknown += u32::from(!known);
    }
    unknown
}

fn append_numbers<const N: usize>(rows: &mut Vec<f64>, numbers: Option<[f64; N]>) -> bool {
    rows.extend(numbers.unwrap_or([0.0; N]));
    numbers.is_some()
}

/// Appends a column for each keyword, 1 for those given; whether any of them is.
fn append_keywords(rows: &mut Vec<f64>, keywords: &[&str], given: &[&str]) -> bool {
    let is_given = |keyword: &&str| given.iter().any(|given| given.eq_ignore_ascii_case(keyword));
    rows.extend(keywords.iter().map(|keyword| f64::from(u8::from(is_given(keyword)))));
    keywords.iter().any(is_given)
}

fn append_lines(rows: &mut Vec<f64>, value: &str) -> bool {
    let parts = parts(value);
    let is_other = |part: &&str| {
        OTHER_DECORATION.contains(part)
            || color(part).is_some()
            || length(part).is_some()
            || part.ends_with('%')
    };
    let mut lines: Vec<&str> = parts.iter().copied().filter(|part| !is_other(part)).collect();
    // A shorthand without a line, `solid rgb(0, 0, 0)`, has the initial one.
    if lines.is_empty() && !parts.is_empty() {
        lines.push("none");
    }
    let are_known =
        lines.iter().all(|line| DECORATION_LINES.iter().any(|known| known.eq_ignore_ascii_case(line)));
    append_keywords(rows, DECORATION_LINES, if are_known { &lines } else { &[] })
}

/// What stands between blanks, those in parentheses aside.
fn parts(value: &str) -> Vec<&str> {
    let mut depth = 0_u32;
    let is_gap = |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && c.is_ascii_whitespace()
    };
    value.split(is_gap).filter(|part| !part.is_empty()).collect()
}

fn weight(value: &str) -> Option<f64> {
    match value {
        "normal" => Some(400.0),
        "bold" => Some(700.0),
        _ => number(value),
    }
}

fn radius(value: &str, width: Option<f32>) -> Option<f64> {
    let horizontal = value.split_ascii_whitespace().next()?;
    match horizontal.strip_suffix('%') {
        Some(share) => Some(number(share)? / 100.0 * f64::from(width?)),
        None => length(horizontal),
    }
}

/// A style with the initial value of every property, as `getComputedStyle` writes it.
#[cfg(test)]
pub(super) fn initial_style() -> [&'static str; Property::COUNT] {
    crate::layout::PROPERTIES.map(|name| match name {
        "background-color" => "rgba(0, 0, 0, 0)",
        "display" => "block",
        "font-size" => "16px",
        "font-style" => "normal",
        "font-weight" => "400",
        "position" => "static",
        "text-align" => "start",
        "text-decoration" => "none solid rgb(0, 0, 0)",
        "visibility" => "visible",
        _ if name.ends_with("color") => "rgb(0, 0, 0)",
        _ if name.ends_with("-style") => "none",
        _ => "0px",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The row of the initial style with some values changed, as the columns that are not 0, and the unknown values.
    fn row(changes: &[(&str, &'static str)], width: Option<f32>) -> (Vec<(&'static str, f64)>, u32) {
        let mut style = initial_style();
        for (name, value) in changes {
            style[Property::named(name).unwrap().index()] = value;
        }
        let mut row = Vec::new();
        let unknown = append_row(&style, width, &mut row);
        assert_eq!(row.len(), columns().len());
        let named = columns().iter().map(String::as_str).zip(row);
        (named.filter(|&(_, value)| value != 0.0).collect(), unknown)
    }

    /// What a change adds to the row of the initial style, without what both have.
    fn changed(changes: &[(&str, &'static str)]) -> (Vec<(&'static str, f64)>, u32) {
        let (initial, _) = row(&[], None);
        let (all, unknown) = row(changes, None);
        (all.into_iter().filter(|column| !initial.contains(column)).collect(), unknown)
    }

    #[test]
    fn the_initial_style_is_written_out() {
        let (columns, unknown) = row(&[], None);
        let expected = [
            ("border-bottom-style=none", 1.0),
            ("border-left-style=none", 1.0),
            ("border-right-style=none", 1.0),
            ("border-top-style=none", 1.0),
            ("font-size", 16.0),
            ("font-style=normal", 1.0),
            ("font-weight", 400.0),
            ("position=static", 1.0),
            ("text-align=start", 1.0),
            ("text-decoration=none", 1.0),
            ("visibility=visible", 1.0),
        ];
        assert_eq!((columns.as_slice(), unknown), (expected.as_slice(), 0));
    }

    #[test]
    fn the_32_properties_make_105_columns_in_the_papers_order() {
        assert_eq!(columns().len(), 105);
        assert_eq!(
            columns()[..4],
            [
                "background-color.red",
                "background-color.green",
                "background-color.blue",
                "border-bottom-color.red"
            ]
        );
        assert_eq!(columns().last().unwrap(), "visibility=collapse");
        assert!(!columns().iter().any(|name| name.starts_with("display")));
        let mut unique = columns().to_vec();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), columns().len());
    }

    #[test]
    fn colors_lengths_and_keywords_go_to_their_columns() {
        assert_eq!(
            changed(&[("color", "rgba(1, 2, 3, 0.5)")]),
            (vec![("color.red", 1.0), ("color.green", 2.0), ("color.blue", 3.0)], 0)
        );
        assert_eq!(changed(&[("margin-left", "-12.5px")]), (vec![("margin-left", -12.5)], 0));
        assert_eq!(changed(&[("margin-left", "auto")]), (vec![("margin-left=auto", 1.0)], 0));
        assert_eq!(changed(&[("font-weight", "bold")]), (vec![("font-weight", 700.0)], 0));
        assert_eq!(changed(&[("font-style", "oblique 14deg")]), (vec![("font-style=oblique", 1.0)], 0));
        assert_eq!(changed(&[("border-top-style", "groove")]), (vec![("border-top-style=groove", 1.0)], 0));
        assert_eq!(changed(&[("text-align", "justify")]), (vec![("text-align=justify", 1.0)], 0));
    }

    #[test]
    fn of_a_decoration_the_lines_are_taken() {
        let lines = |value| changed(&[("text-decoration", value)]);
        let underline = ("text-decoration=underline", 1.0);
        for value in
            ["underline", "underline solid rgb(0, 0, 238)", "underline 3px dotted red", "underline from-font"]
        {
            assert_eq!(lines(value), (vec![underline], 0), "{value}");
        }
        let both = vec![underline, ("text-decoration=line-through", 1.0)];
        assert_eq!(lines("underline line-through wavy rgb(1 2 3 / 0.5)"), (both, 0));
        assert_eq!(lines("none"), (vec![], 0));
        assert_eq!(lines("solid rgb(0, 0, 0)"), (vec![], 0));
        assert_eq!(lines("spelling-error"), (vec![], 1));
        assert_eq!(lines(""), (vec![], 1));
    }

    #[test]
    fn a_radius_in_percent_is_of_the_boxs_width_and_the_horizontal_one_counts() {
        let radius = |value, width| row(&[("border-top-left-radius", value)], width);
        let of = |pixels| ("border-top-left-radius", pixels);
        assert!(radius("50%", Some(80.0)).0.contains(&of(40.0)));
        assert!(radius("10px 25%", None).0.contains(&of(10.0)));
        assert_eq!(radius("50%", None).1, 1);
    }

    #[test]
    fn what_the_specification_does_not_know_is_zero_throughout_and_counted() {
        let (columns, unknown) = row(
            &[
                ("text-align", "-webkit-center"),
                ("color", "color-mix(in srgb)"),
                ("font-size", "large"),
                ("position", ""),
            ],
            None,
        );
        assert_eq!(unknown, 4);
        let absent = ["text-align", "position", "font-size", "color."];
        assert!(columns.iter().all(|(name, _)| !absent.iter().any(|absent| name.starts_with(absent))));
    }
}
