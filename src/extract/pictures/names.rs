//! The words that name what a picture is, in its address and in classes near it, and `NameCounts`, how often pictures with such a name
//! belong to the article.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::features::FEATURES;

/// What the names of classes, ids and files say of a picture: beginnings of words by group.
pub(super) const NAMES: [(&str, &[&str]); 8] = [
    (
        "elsewhere",
        &[
            "related",
            "recommend",
            "recirc",
            "promo",
            "teaser",
            "more",
            "popular",
            "trend",
            "latest",
            "also",
            "outbrain",
            "taboola",
            "similar",
            "sidebar",
            "rail",
            "widget",
            "aside",
            "thumb",
            "carousel",
            "list",
            "card",
            "next",
            "prev",
            "most",
            "river",
            "feed",
        ],
    ),
    (
        "person",
        &[
            "author", "avatar", "byline", "bio", "profile", "gravatar", "user", "writer", "headshot",
            "comment",
        ],
    ),
    (
        "advertising",
        &[
            "ad",
            "ads",
            "advert",
            "sponsor",
            "banner",
            "doubleclick",
            "adserv",
            "promotion",
            "affiliate",
            "commercial",
        ],
    ),
    (
        "interface",
        &[
            "logo",
            "icon",
            "share",
            "social",
            "nav",
            "menu",
            "foot",
            "head",
            "masthead",
            "btn",
            "button",
            "sprite",
            "search",
            "rating",
            "star",
            "emoji",
            "smil",
            "badge",
            "flag",
            "arrow",
            "bullet",
            "facebook",
            "twitter",
            "print",
            "mail",
            "rss",
            "tool",
            "subscri",
            "newsletter",
            "login",
            "brand",
        ],
    ),
    (
        "measuring",
        &[
            "pixel",
            "track",
            "beacon",
            "count",
            "stat",
            "analytics",
            "spacer",
            "blank",
            "transparent",
            "clear",
        ],
    ),
    (
        "figure",
        &[
            "figure", "photo", "image", "img", "picture", "caption", "gallery", "media", "inline", "slide",
            "fig",
        ],
    ),
    (
        "leading",
        &[
            "hero",
            "lead",
            "featured",
            "main",
            "primary",
            "top",
            "cover",
            "attachment",
            "full",
            "large",
            "wide",
        ],
    ),
    (
        "article",
        &[
            "article", "content", "body", "post", "entry", "story", "text", "wp", "align", "size", "upload",
            "blog",
        ],
    ),
];

/// Each name counts this often beforehand, divided among the two sides as all pictures are.
const PRIOR: f64 = 4.0;
/// A class or id is near at so many levels above a picture at most: what the features of classes are then.
const NEAR: u32 = 5;

/// Counts of pictures by the groups of names in their addresses and near classes. As all counts of a model they are whole and
/// add up in any order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameCounts {
    /// All pictures: not of the article, and of it.
    all: [u64; 2],
    /// Those with each name, in the order of the features of names.
    with: Vec<[u64; 2]>,
}

impl Default for NameCounts {
    fn default() -> Self {
        NameCounts { all: [0; 2], with: vec![[0; 2]; names().count()] }
    }
}

/// The features of names: their columns and the least value that counts.
fn names() -> impl Iterator<Item = (usize, u32)> {
    FEATURES.iter().enumerate().filter_map(|(column, feature)| match feature.id {
        id if id.starts_with("class-") => Some((column, NEAR)),
        id if id.starts_with("address-") => Some((column, 1)),
        _ => None,
    })
}

impl NameCounts {
    /// Counts a picture, by its number in the [columns](super::features::columns) of a page.
    pub fn add(&mut self, columns: &[Vec<u32>], picture: usize, is_of_article: bool) {
        let side = usize::from(is_of_article);
        self.all[side] += 1;
        for (with, (column, least)) in self.with.iter_mut().zip(names()) {
            with[side] += u64::from(columns[column][picture] >= least);
        }
    }

    /// What the names of each picture say: the sum of the logarithms of the odds of those that it has, less those of all pictures.
    pub fn ln_odds(&self, columns: &[Vec<u32>]) -> Vec<f64> {
        let [others, of_article] = self.all.map(|count| count as f64);
        let pictures = columns.first().map_or(0, Vec::len);
        let mut sums = vec![0.0; pictures];
        if others == 0.0 || of_article == 0.0 {
            return sums;
        }
        let share = of_article / (of_article + others);
        for (&[without, with], (column, least)) in self.with.iter().zip(names()) {
            let odds = (with as f64 + PRIOR * share) / (without as f64 + PRIOR * (1.0 - share));
            let ln_odds = odds.ln() - (of_article / others).ln();
            for (sum, &value) in sums.iter_mut().zip(&columns[column]) {
                *sum += if value >= least { ln_odds } else { 0.0 };
            }
        }
        sums
    }

    /// Whether there is a count for each name, and none is greater than that of all.
    pub(super) fn is_right(&self) -> bool {
        self.with.len() == names().count()
            && self.with.iter().all(|with| with[0] <= self.all[0] && with[1] <= self.all[1])
    }
}

/// The words of [`NAMES`] by their first letter, each with the number of its group.
static BY_LETTER: LazyLock<[Vec<(usize, &str)>; 26]> = LazyLock::new(|| {
    let mut by_letter: [Vec<(usize, &str)>; 26] = Default::default();
    for (group, (_, words)) in NAMES.iter().enumerate() {
        for word in *words {
            by_letter[usize::from(word.as_bytes()[0] - b'a')].push((group, word));
        }
    }
    by_letter
});

/// Which of [`NAMES`] begin a word of a name: words end at what is no letter, and before a capital.
pub(super) fn names_in(name: &str) -> [bool; NAMES.len()] {
    let mut found = [false; NAMES.len()];
    let bytes = name.as_bytes();
    let mut before = b' ';
    for (at, &here) in bytes.iter().enumerate() {
        let is_start = here.is_ascii_alphabetic()
            && (!before.is_ascii_alphabetic() || before.is_ascii_lowercase() && here.is_ascii_uppercase());
        before = here;
        if is_start {
            for &(group, word) in &BY_LETTER[usize::from(here.to_ascii_lowercase() - b'a')] {
                found[group] |= begins(&bytes[at..], word);
            }
        }
    }
    found
}

/// Whether a name has a word of the group.
pub(super) fn in_name(group: &str, name: &str) -> bool {
    let at = NAMES.iter().position(|(known, _)| *known == group).expect("a group of the list");
    names_in(name)[at]
}

/// Whether a name begins with a word; a word of two or three letters must be all of it.
fn begins(rest: &[u8], word: &str) -> bool {
    rest.len() >= word.len()
        && rest[..word.len()].eq_ignore_ascii_case(word.as_bytes())
        && (word.len() > 3 || rest.get(word.len()).is_none_or(|byte| !byte.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_images_of_articles_lack_speaks_against_a_picture() {
        let mut columns = vec![vec![0; 4]; FEATURES.len()];
        let column = FEATURES.iter().position(|feature| feature.id == "address-advertising").unwrap();
        columns[column] = vec![1, 1, 0, 0];
        let mut counts = NameCounts::default();
        assert_eq!(counts.ln_odds(&columns), [0.0; 4]);
        for (picture, is_of_article) in [false, false, true, true].into_iter().enumerate() {
            counts.add(&columns, picture, is_of_article);
        }
        assert!(counts.is_right());
        // By hand: ln((0 + 4/2) / (2 + 4/2)), against even odds of all.
        let found = counts.ln_odds(&columns);
        assert!((found[0] - 0.5f64.ln()).abs() < 1e-12 && found[2] == 0.0, "{found:?}");
    }
}
