//! The demonstration in `demo/`: its labels have the colors of figures and explanations.

use duramen::Label;
use duramen::report::style::{self, Color};

#[test]
fn the_labels_of_the_demonstration_have_the_colors_of_figures() {
    let css = include_str!("../../demo/style.css");
    for label in Label::ALL {
        let Color(red, green, blue, _) = style::label(label).color;
        let rule = format!(".{label} {{ --c: var(--");
        let (_, rest) = css.split_once(&rule).unwrap_or_else(|| panic!("demo/style.css has no {rule}"));
        let (name, _) = rest.split_once(')').unwrap();
        // The first is that of light pages, as figures are.
        let color = format!("--{name}: #{red:02x}{green:02x}{blue:02x};");
        let first = css.find(&format!("--{name}: ")).unwrap();
        assert!(css[first..].starts_with(&color), "demo/style.css: {label} is not {color}");
    }
}
