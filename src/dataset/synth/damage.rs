//! Broken markup: what authors forget to close, close in the wrong order, or leave out.

use rand::RngExt as _;

use crate::rng::Rng;

/// The faults of one page; none by default.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Damage {
    /// Probability that an end tag of `p`, `li` or `td` and `tr` is left out (legal, but the tree depends on it).
    pub open_paragraph: f64,
    pub open_item: f64,
    pub open_cell: f64,
    /// Probability that an end tag of `div` is left out.
    pub open_division: f64,
    /// Probability that an end tag of an inline element is left out.
    pub open_inline: f64,
    /// Probability that an inline element ends after its parent.
    pub misnested: f64,
    /// Probability of an end tag that closes nothing, or the wrong element, after a block.
    pub stray: f64,
    /// Neither `html` nor `head` nor `body` tags.
    pub bare: bool,
    /// The title's end is lost: a conforming parser takes the whole page for its title.
    pub open_title: bool,
}

/// The end tags that stray into a page; none of them moves text out of a table.
pub(super) const STRAYS: [&str; 5] = ["font", "p", "span", "div", "center"];

impl Damage {
    /// One to four kinds of faults.
    pub fn draw(rng: &mut Rng) -> Damage {
        let mut damage = Damage::default();
        for _ in 0..rng.random_range(1..=4) {
            match rng.random_range(0..8) {
                0 => damage.open_paragraph = 0.7,
                1 => damage.open_item = 0.8,
                2 => damage.open_cell = 0.5,
                3 => damage.open_division = 0.06,
                4 => damage.open_inline = 0.05,
                5 => damage.misnested = 0.5,
                6 => damage.stray = 0.08,
                _ => damage.bare = true,
            }
        }
        damage
    }

    /// The probability that this element's end tag is left out.
    pub fn open(&self, tag: &str) -> f64 {
        match tag {
            "p" => self.open_paragraph,
            "li" => self.open_item,
            "td" | "tr" => self.open_cell,
            "div" => self.open_division,
            "a" | "b" | "font" | "i" | "strong" => self.open_inline,
            _ => 0.0,
        }
    }

    /// Whether the page is broken at all.
    pub fn is_any(&self) -> bool {
        *self != Damage::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng;

    #[test]
    fn a_drawn_damage_always_breaks_something() {
        let mut rng = rng::stream(5, "test", &[]);
        assert!((0..200).all(|_| Damage::draw(&mut rng).is_any()));
        assert!(!Damage::default().is_any());
    }
}
