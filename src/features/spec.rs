//! `FeatureSpec`, what is said of one feature: its name, unit, values and bins; and the bins that several share.

use super::bins::Bins;
use super::measures::Measures;
use crate::dom::Tag;
use crate::view::{NONE, Tree};

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

/// The values of some nodes of a page: made by `values!`.
pub type Values = fn(&Measures<'_>, &[u32]) -> Vec<u32>;

/// [`Values`] from a function of the measures and one node. The loop is compiled with the function in it: hundreds of features
/// times hundreds of nodes are no calls.
macro_rules! values {
    ($value:expr) => {
        |measures, nodes| $crate::features::spec::each(measures, nodes, $value)
    };
}
pub(crate) use values;

/// What `values!` compiles.
#[inline(always)]
pub(super) fn each(
    measures: &Measures<'_>,
    nodes: &[u32],
    value: impl Fn(&Measures<'_>, u32) -> u32,
) -> Vec<u32> {
    nodes.iter().map(|&v| value(measures, v)).collect()
}

/// The same of what all nodes of a page share: given the measures alone, and asked once.
macro_rules! once {
    ($value:expr) => {
        |measures, nodes| $crate::features::spec::all(measures, nodes, $value)
    };
}
pub(crate) use once;

/// What `once!` compiles.
#[inline(always)]
pub(super) fn all(measures: &Measures<'_>, nodes: &[u32], value: impl Fn(&Measures<'_>) -> u32) -> Vec<u32> {
    // A page without nodes has no numbers to take it from.
    if nodes.is_empty() { Vec::new() } else { vec![value(measures); nodes.len()] }
}

/// What the values of a feature are.
pub enum Kind {
    /// A count: Beta-geometric as it is, Dirichlet-categorical in these bins.
    Count {
        /// What is counted.
        unit: &'static str,
        /// The bins for a model that bins it.
        bins: Bins,
        /// The counts of nodes.
        values: Values,
    },
    /// One of some categories: Dirichlet-categorical.
    Category {
        /// The categories, by number.
        names: &'static [&'static str],
        /// The categories of nodes.
        values: Values,
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

    /// The category of each value, where each node has just one; larger values have that of the last.
    pub(crate) fn category_table(&self) -> Option<Vec<u16>> {
        match self {
            Kind::Count { bins, .. } => Some(bins.table()),
            Kind::Category { names, .. } => Some((0..names.len() as u16).collect()),
            Kind::ChildTags | Kind::SiblingTags => None,
        }
    }

    /// The smallest value of a category: that of its bin where it is a count.
    pub(crate) fn smallest_value(&self, category: usize) -> u32 {
        match self {
            Kind::Count { bins, .. } => bins.smallest(category),
            _ => category as u32,
        }
    }

    /// What is counted, if it is a count.
    pub fn unit(&self) -> Option<&'static str> {
        match self {
            Kind::Count { unit, .. } => Some(unit),
            _ => None,
        }
    }

    /// Whether nodes have more than one value.
    pub(crate) fn has_many_values(&self) -> bool {
        matches!(self, Kind::ChildTags | Kind::SiblingTags)
    }

    /// Whether the values are those of the tags of children once more, written out for each child.
    pub(crate) fn repeats_children(&self) -> bool {
        matches!(self, Kind::SiblingTags)
    }

    /// How many values each node of a tree has, of features of which nodes have many.
    pub(crate) fn numbers_of_values(&self, tree: &Tree) -> Option<Vec<u64>> {
        if !self.has_many_values() {
            return None;
        }
        let mut children = vec![0u64; tree.len()];
        for v in 1..tree.len() as u32 {
            children[tree.parent(v) as usize] += 1;
        }
        if matches!(self, Kind::ChildTags) {
            return Some(children);
        }
        let others = |v: u32| match tree.parent(v) {
            NONE => 0,
            parent => children[parent as usize] - 1,
        };
        Some((0..tree.len() as u32).map(others).collect())
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

/// The names of tags, by number.
pub(super) const TAGS: &[&str] = Tag::names();
/// Bins that double: for counts without an upper bound.
pub(super) const DOUBLING: Bins =
    Bins::new(&[0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024]);
/// Bins of a share in per cent, with none and all apart.
pub(super) const PERCENT: Bins = Bins::new(&[0, 1, 10, 20, 33, 50, 67, 80, 90, 100]);
/// Bins of a share in per cent that is small as a rule.
pub(super) const PARTS: Bins = Bins::new(&[0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 75]);
/// Bins of levels of a tree.
pub(super) const LEVELS: Bins = Bins::new(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 25, 30]);
/// Bins of a quotient in tenths.
pub(super) const TENTHS: Bins = Bins::new(&[0, 1, 5, 10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 480]);

/// What is no feature of the thesis and is read off the page alone.
pub(super) const fn own(id: &'static str, name: &'static str, kind: Kind) -> FeatureSpec {
    FeatureSpec { id, name, thesis: None, kind, needs_layout: false, needs_score: false }
}

/// A count that is no feature of the thesis: its id, name, unit, bins, and the count of a node; after `page =`, of the page.
macro_rules! count {
    ($id:expr, $name:expr, $unit:expr, $bins:expr, page = $value:expr $(,)?) => {
        $crate::features::spec::own(
            $id,
            $name,
            $crate::features::spec::Kind::Count {
                unit: $unit,
                bins: $bins,
                values: $crate::features::spec::once!($value),
            },
        )
    };
    ($id:expr, $name:expr, $unit:expr, $bins:expr, $value:expr $(,)?) => {
        $crate::features::spec::own(
            $id,
            $name,
            $crate::features::spec::Kind::Count {
                unit: $unit,
                bins: $bins,
                values: $crate::features::spec::values!($value),
            },
        )
    };
}
pub(crate) use count;

/// A category that is no feature of the thesis: its id, name, categories, and the category of a node; after `page =`, of the
/// page.
macro_rules! category {
    ($id:expr, $name:expr, $names:expr, page = $value:expr $(,)?) => {
        $crate::features::spec::own(
            $id,
            $name,
            $crate::features::spec::Kind::Category {
                names: $names,
                values: $crate::features::spec::once!($value),
            },
        )
    };
    ($id:expr, $name:expr, $names:expr, $value:expr $(,)?) => {
        $crate::features::spec::own(
            $id,
            $name,
            $crate::features::spec::Kind::Category {
                names: $names,
                values: $crate::features::spec::values!($value),
            },
        )
    };
}
pub(crate) use category;

/// Yes or no: its id, name, and whether it is so for a node, as 0 or 1.
macro_rules! flag {
    ($id:expr, $name:expr, page = $value:expr $(,)?) => {
        $crate::features::spec::category!($id, $name, &["no", "yes"], page = $value)
    };
    ($id:expr, $name:expr, $value:expr $(,)?) => {
        $crate::features::spec::category!($id, $name, &["no", "yes"], $value)
    };
}
pub(crate) use flag;
