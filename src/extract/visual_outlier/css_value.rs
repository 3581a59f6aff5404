//! Single computed values of CSS as numbers: colors and lengths.

use super::css_colors::named;

/// Pixels of the other absolute units (CSS Values and Units Level 3, section 6.2).
const UNITS: [(&str, f64); 7] = [
    ("px", 1.0),
    ("cm", 96.0 / 2.54),
    ("mm", 96.0 / 25.4),
    ("q", 96.0 / 101.6),
    ("in", 96.0),
    ("pc", 16.0),
    ("pt", 96.0 / 72.0),
];

/// Red, green and blue of a color, 0 to 255: `rgb()` and `rgba()` in their old and new notation, `color(srgb)`, `#rgb`
/// and its longer forms, named colors, `transparent`. Alpha is no part of it; `transparent` is `rgba(0, 0, 0, 0)`.
pub(super) fn color(value: &str) -> Option<[f64; 3]> {
    let value = value.trim().to_ascii_lowercase();
    if let Some(hex) = value.strip_prefix('#') {
        return hex_color(hex);
    }
    let Some((function, rest)) = value.split_once('(') else {
        return if value == "transparent" { Some([0.0; 3]) } else { named(&value) };
    };
    let parts: Vec<&str> = rest
        .strip_suffix(')')?
        .split(|c: char| c == ',' || c == '/' || c.is_ascii_whitespace())
        .filter(|part| !part.is_empty())
        .collect();
    let (components, whole) = match (function, &*parts) {
        ("rgb" | "rgba", components) => (components, 255.0),
        ("color", ["srgb", components @ ..]) => (components, 1.0),
        _ => return None,
    };
    // Three, or four with alpha.
    let ([red, green, blue] | [red, green, blue, _]) = components else { return None };
    let component = |text: &str| match text.strip_suffix('%') {
        Some(share) => Some(number(share)? / 100.0 * 255.0),
        None if text == "none" => Some(0.0),
        None => Some(number(text)? / whole * 255.0),
    };
    Some([component(red)?, component(green)?, component(blue)?])
}

fn hex_color(hex: &str) -> Option<[f64; 3]> {
    let digits: Vec<u32> = hex.chars().map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    let two = |high: u32, low: u32| f64::from(16 * high + low);
    match *digits {
        [r, g, b] | [r, g, b, _] => Some([two(r, r), two(g, g), two(b, b)]),
        [r, s, g, h, b, c] | [r, s, g, h, b, c, _, _] => Some([two(r, s), two(g, h), two(b, c)]),
        _ => None,
    }
}

/// A number, or a length in pixels; none for what is relative to something else.
pub(super) fn length(value: &str) -> Option<f64> {
    let value = value.trim().to_ascii_lowercase();
    match UNITS.iter().find_map(|(unit, pixels)| Some((value.strip_suffix(unit)?, pixels))) {
        Some((text, pixels)) => Some(number(text)? * pixels),
        None => number(&value),
    }
}

/// A number of CSS, small enough to reckon with.
pub(super) fn number(text: &str) -> Option<f64> {
    // What `parse` takes besides: inf, infinity, nan.
    let is_numeric = text.ends_with(|c: char| c.is_ascii_digit() || c == '.');
    text.parse().ok().filter(|number: &f64| is_numeric && number.abs() < 1e12)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_in_every_notation_are_three_numbers() {
        let orange = Some([255.0, 165.0, 0.0]);
        for value in [
            "rgb(255, 165, 0)",
            "rgba(255, 165, 0, 0.25)",
            "rgb(255 165 0 / 50%)",
            "rgb(255,165,0)",
            "#ffa500",
            "#FFA50080",
            "Orange",
        ] {
            assert_eq!(color(value), orange, "{value}");
        }
        assert_eq!(color("#f0a"), Some([255.0, 0.0, 170.0]));
        assert_eq!(color("rgb(100%, 0%, 20%)"), Some([255.0, 0.0, 51.0]));
        assert_eq!(color("color(srgb 1 0.5 none)"), Some([255.0, 127.5, 0.0]));
        assert_eq!(color("transparent"), Some([0.0; 3]));
        assert_eq!(color("rgba(0, 0, 0, 0)"), Some([0.0; 3]));
        for wrong in
            ["", "currentcolor", "rgb(1, 2)", "rgb(1, 2, 3", "rgb(1, 2, x)", "#ff", "#ggg", "lab(1 2 3)"]
        {
            assert_eq!(color(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn lengths_are_in_pixels_and_plain_numbers_as_they_are() {
        for (value, expected) in [
            ("16px", Some(16.0)),
            ("-0.5px", Some(-0.5)),
            ("1e-05px", Some(1e-5)),
            ("12pt", Some(16.0)),
            ("1in", Some(96.0)),
            ("2.54cm", Some(96.0)),
            ("25.4mm", Some(96.0)),
            ("6pc", Some(96.0)),
            ("700", Some(700.0)),
            ("50%", None),
            ("2em", None),
            ("auto", None),
            ("px", None),
            ("infpx", None),
            ("nan", None),
            ("1e300px", None),
            ("", None),
        ] {
            assert_eq!(length(value), expected, "{value}");
        }
    }
}
