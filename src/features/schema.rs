//! The schema: every feature with its name, unit and kind, one entry each.

use super::discretize::Bins;
use super::measures::Measures;
use super::{
    attributes, contents, main_content, page_kind, paths, position, repetition, similarity, structure,
    surroundings, text, text_shape, visual,
};
use crate::dom::Tag;
use crate::label::Label;

/// One feature.
#[derive(Debug)]
pub struct FeatureSpec {
    /// The stable kebab-case name used in models and on the command line.
    pub id: &'static str,
    /// What it is, in words.
    pub name: &'static str,
    /// Its number in the thesis's list (section 3.2), if it is one of those.
    pub thesis: Option<u8>,
    /// Its values and how they are computed.
    pub kind: Kind,
    /// Whether it is read off the page's layout.
    pub needs_layout: bool,
    /// Whether it is the score that a model has learned of the other features.
    pub needs_score: bool,
}

/// What the values of a feature are.
pub enum Kind {
    /// A count: Beta-geometric as it is, Dirichlet-categorical in these bins.
    Count {
        /// What is counted.
        unit: &'static str,
        /// The bins for a model that bins it.
        bins: Bins,
        /// The count of node `v`.
        value: fn(&Measures<'_>, u32) -> u32,
    },
    /// One of some categories: Dirichlet-categorical.
    Category {
        /// The categories, by number.
        names: &'static [&'static str],
        /// The category of node `v`.
        value: fn(&Measures<'_>, u32) -> u32,
    },
    /// The tags of all children: independent Dirichlet-categorical draws.
    ChildTags,
    /// The tags of all siblings, the node itself left out: independent Dirichlet-categorical draws.
    SiblingTags,
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Kind::Count { .. } => "Count",
            Kind::Category { .. } => "Category",
            Kind::ChildTags => "ChildTags",
            Kind::SiblingTags => "SiblingTags",
        })
    }
}

impl Kind {
    /// The number of categories, or of bins of a count.
    pub fn categories(&self) -> usize {
        match self {
            Kind::Count { bins, .. } => bins.len(),
            Kind::Category { names, .. } => names.len(),
            Kind::ChildTags | Kind::SiblingTags => Tag::COUNT,
        }
    }

    /// The category of a value: its bin where it is a count.
    pub fn category(&self, x: u32) -> usize {
        match self {
            Kind::Count { bins, .. } => bins.bin(x) as usize,
            _ => x as usize,
        }
    }

    /// The name of category (or bin) `index`.
    pub fn category_name(&self, index: usize) -> String {
        match self {
            Kind::Count { bins, .. } => bins.name(index),
            Kind::Category { names, .. } => names[index].to_owned(),
            Kind::ChildTags | Kind::SiblingTags => Tag::names()[index].to_owned(),
        }
    }
}

/// Bins that double: for counts without an upper bound.
pub(super) const DOUBLING: Bins =
    Bins::new(&[0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024]);
/// Bins of lengths on the screen, finest where columns differ; what has no box has length 0.
const PIXELS: Bins = Bins::new(&[
    0, 1, 20, 40, 80, 120, 160, 200, 250, 300, 350, 400, 500, 600, 700, 800, 900, 1000, 1200, 1400, 2000,
    3000, 5000, 10_000,
]);
/// Bins of a share in per cent, with none and all apart.
pub(super) const PERCENT: Bins = Bins::new(&[0, 1, 10, 20, 33, 50, 67, 80, 90, 100]);
/// Bins of a share in per cent that is small as a rule.
pub(super) const PARTS: Bins = Bins::new(&[0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 75]);
/// Bins of levels of a tree.
pub(super) const LEVELS: Bins = Bins::new(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 25, 30]);
/// Bins of a quotient in tenths.
pub(super) const TENTHS: Bins = Bins::new(&[0, 1, 5, 10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 480]);

/// A count that is no feature of the thesis.
pub(super) const fn count(
    id: &'static str,
    name: &'static str,
    unit: &'static str,
    bins: Bins,
    value: fn(&Measures<'_>, u32) -> u32,
) -> FeatureSpec {
    FeatureSpec {
        id,
        name,
        thesis: None,
        kind: Kind::Count { unit, bins, value },
        needs_layout: false,
        needs_score: false,
    }
}

/// A category that is no feature of the thesis.
pub(super) const fn category(
    id: &'static str,
    name: &'static str,
    names: &'static [&'static str],
    value: fn(&Measures<'_>, u32) -> u32,
) -> FeatureSpec {
    FeatureSpec {
        id,
        name,
        thesis: None,
        kind: Kind::Category { names, value },
        needs_layout: false,
        needs_score: false,
    }
}

/// Yes or no.
pub(super) const fn flag(
    id: &'static str,
    name: &'static str,
    value: fn(&Measures<'_>, u32) -> u32,
) -> FeatureSpec {
    category(id, name, &["no", "yes"], value)
}

/// Features of one kind of evidence.
#[derive(Debug)]
pub struct FeatureFamily {
    /// Its name, as in the tables of an ablation.
    pub name: &'static str,
    /// Its features.
    pub features: &'static [FeatureSpec],
}

/// All features, by family. Of the ancestors each level is a family.
pub static FAMILIES: &[FeatureFamily] = &[
    FeatureFamily { name: "basic", features: BASIC },
    FeatureFamily { name: "text shape", features: text_shape::FEATURES },
    FeatureFamily { name: "contents", features: contents::FEATURES },
    FeatureFamily { name: "position", features: position::FEATURES },
    FeatureFamily { name: "main node", features: main_content::FEATURES },
    FeatureFamily { name: "similarity", features: similarity::FEATURES },
    FeatureFamily { name: "parent", features: &surroundings::OF_PARENT },
    FeatureFamily { name: "grandparent", features: &surroundings::OF_GRANDPARENT },
    FeatureFamily { name: "level 3", features: &surroundings::OF_LEVEL_3 },
    FeatureFamily { name: "level 4", features: &surroundings::OF_LEVEL_4 },
    FeatureFamily { name: "neighbors", features: surroundings::AROUND },
    FeatureFamily { name: "repetition", features: repetition::FEATURES },
    FeatureFamily { name: "path", features: paths::FEATURES },
    FeatureFamily { name: "page", features: page_kind::FEATURES },
    FeatureFamily { name: "layout", features: LAYOUT },
    FeatureFamily { name: "learned", features: LEARNED },
];

/// All features, in the order of their families.
pub fn all() -> impl Iterator<Item = &'static FeatureSpec> + Clone {
    FAMILIES.iter().flat_map(|family| family.features)
}

/// The thesis's features and those of the first default model. The thesis's 3, 6 and 8 (types of children, siblings and parent) are hidden states, not
/// observations: they are the model's structure, see `crate::model`.
const BASIC: &[FeatureSpec] = &[
    FeatureSpec {
        id: "tag",
        name: "HTML tag",
        thesis: Some(1),
        kind: Kind::Category { names: structure::TAGS, value: structure::tag },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "children",
        name: "number of children",
        thesis: Some(2),
        kind: Kind::Count { unit: "nodes", bins: DOUBLING, value: structure::children },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "child-tags",
        name: "HTML tags of children",
        thesis: Some(4),
        kind: Kind::ChildTags,
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "siblings",
        name: "number of siblings",
        thesis: Some(5),
        kind: Kind::Count { unit: "nodes", bins: DOUBLING, value: structure::siblings },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "sibling-tags",
        name: "HTML tags of siblings",
        thesis: Some(7),
        kind: Kind::SiblingTags,
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "parent-tag",
        name: "HTML tag of parent",
        thesis: Some(9),
        kind: Kind::Category { names: structure::TAGS, value: structure::parent_tag },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "words",
        name: "number of words",
        thesis: Some(10),
        kind: Kind::Count { unit: "words", bins: DOUBLING, value: text::words },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "full-stops",
        name: "number of full stops",
        thesis: Some(11),
        kind: Kind::Count { unit: "full stops", bins: DOUBLING, value: text::full_stops },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "link-density",
        name: "share of words inside links",
        thesis: None,
        kind: Kind::Count { unit: "%", bins: PERCENT, value: text::link_density },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "title-overlap",
        name: "share of words that stand in the page's title",
        thesis: None,
        kind: Kind::Count { unit: "%", bins: PERCENT, value: text::title_overlap },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "position",
        name: "share of the page's words before the node",
        thesis: None,
        kind: Kind::Count { unit: "%", bins: PERCENT, value: text::position },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "main-relation",
        name: "where the node stands to the page's main node, and how far",
        thesis: None,
        kind: Kind::Category { names: structure::RELATIONS, value: structure::main_relation },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "class-hint",
        name: "what class or id of the nearest element call the part of the page",
        thesis: None,
        kind: Kind::Category { names: attributes::HINTS, value: attributes::class_hint },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "inline-tag",
        name: "tag of the inline element around the node's text",
        thesis: None,
        kind: Kind::Category { names: structure::TAGS, value: structure::inline_tag },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "region",
        name: "nearest element around that names a part of a page",
        thesis: None,
        kind: Kind::Category { names: structure::REGIONS, value: structure::region },
        needs_layout: false,
        needs_score: false,
    },
];

/// Features of the page as it looks.
const LAYOUT: &[FeatureSpec] = &[
    visual("top-offset", "offset from the top of the page", 12, visual::top),
    visual("left-offset", "offset from the left edge of the page", 13, visual::left),
    visual("width", "width on the screen", 14, visual::width),
    visual("height", "height on the screen", 15, visual::height),
];

/// Scores that a model learns, by number: the id of the feature, and the labels that it speaks for. Those of single
/// labels are learned of pages with labels alone.
pub const SCORES: [(&str, &[Label]); 6] = [
    ("content-score", &[Label::Headline, Label::FullText, Label::Supplemental]),
    ("headline-score", &[Label::Headline]),
    ("full-text-score", &[Label::FullText]),
    ("supplemental-score", &[Label::Supplemental]),
    ("related-content-score", &[Label::RelatedContent]),
    ("comments-score", &[Label::Comments]),
];

macro_rules! learned {
    ($($score:literal $name:literal,)*) => {
        &[$(FeatureSpec {
            id: SCORES[$score].0,
            name: concat!("what boosted trees over all features say for ", $name, ", as logarithm of odds"),
            thesis: None,
            kind: Kind::Count { unit: "half nats above -7", bins: HALF_NATS, value: |m, v| m.score($score, v) },
            needs_layout: false,
            needs_score: true,
        },)*]
    };
}

/// What a model has learned of the other features: see `model::boosted_scores`.
const LEARNED: &[FeatureSpec] = learned![
    0 "content",
    1 "a headline",
    2 "full text",
    3 "supplemental text",
    4 "related content",
    5 "comments",
];
const HALF_NATS: Bins = Bins::new(&[
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
]);

/// A feature of the page as it looks.
const fn visual(
    id: &'static str,
    name: &'static str,
    thesis: u8,
    value: fn(&Measures<'_>, u32) -> u32,
) -> FeatureSpec {
    FeatureSpec {
        id,
        name,
        thesis: Some(thesis),
        kind: Kind::Count { unit: "px", bins: PIXELS, value },
        needs_layout: true,
        needs_score: false,
    }
}

/// The feature with this id.
pub fn find(id: &str) -> Option<&'static FeatureSpec> {
    all().find(|feature| feature.id == id)
}

/// The ids of all features.
pub fn ids() -> impl Iterator<Item = &'static str> + Clone {
    all().map(|feature| feature.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_every_category_has_a_name() {
        let mut known: Vec<&str> = ids().collect();
        known.sort_unstable();
        known.dedup();
        assert_eq!(known.len(), all().count());
        for feature in all() {
            for index in 0..feature.kind.categories() {
                assert!(!feature.kind.category_name(index).is_empty(), "{}", feature.id);
            }
        }
    }
}
