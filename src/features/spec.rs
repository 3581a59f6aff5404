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
    /// What fills its family, and its place there.
    pub(super) fill: Fill,
    pub(super) place: usize,
}

/// Fills the values of some nodes of a page for the features of a family, a column each: those whose bit is set, others
/// stay empty. Made by `family!`.
pub(super) type Fill = fn(&Measures<'_>, &[u32], u64) -> Vec<Vec<u32>>;

/// So many nodes are filled together: their values are put into the columns in vector registers.
pub(super) const BLOCK: usize = 16;

/// A family of features: after `|m|` what its nodes share, after `|v|` what the features of a node share, then the spec of
/// each feature and its value of a node. Gives `FEATURES`, which are filled in one loop. Without `|v|` the features are the
/// same for all nodes of a page.
macro_rules! family {
    (|$m:ident| { $($once:tt)* } |$v:ident| { $($each:tt)* } $($spec:expr => $value:expr,)*) => {
        pub const FEATURES: &[$crate::features::spec::FeatureSpec] =
            &$crate::features::spec::filled_by(fill, [$($spec),*]);

        fn fill($m: &$crate::features::measures::Measures<'_>, nodes: &[u32], wanted: u64) -> Vec<Vec<u32>> {
            // Compiled for all of them too, so that nothing is asked for each.
            match wanted == $crate::features::spec::all(FEATURES.len()) {
                true => values::<true>($m, nodes, wanted),
                false => values::<false>($m, nodes, wanted),
            }
        }

        #[allow(unused_assignments, unused_variables, reason = "made by a macro")]
        fn values<const ALL: bool>(
            $m: &$crate::features::measures::Measures<'_>,
            nodes: &[u32],
            wanted: u64,
        ) -> Vec<Vec<u32>> {
            const N: usize = FEATURES.len();
            $($once)*
            let mut columns = $crate::features::spec::Columns::<N>::new(nodes.len(), wanted);
            for block in nodes.chunks($crate::features::spec::BLOCK) {
                for (&$v, node) in block.iter().zip(0..$crate::features::spec::BLOCK) {
                    $($each)*
                    let mut i = 0;
                    $(
                        if ALL || wanted >> i & 1 == 1 {
                            columns.block[i][node] = $value;
                        }
                        i += 1;
                    )*
                }
                columns.put_block();
            }
            columns.finish(nodes.len())
        }
    };
    (|$m:ident| { $($once:tt)* } $($spec:expr => $value:expr,)*) => {
        pub const FEATURES: &[$crate::features::spec::FeatureSpec] =
            &$crate::features::spec::filled_by(fill, [$($spec),*]);

        fn fill($m: &$crate::features::measures::Measures<'_>, nodes: &[u32], _: u64) -> Vec<Vec<u32>> {
            $($once)*
            [$($value),*].into_iter().map(|value| vec![value; nodes.len()]).collect()
        }
    };
}
pub(crate) use family;

/// The bits of so many features.
pub(super) const fn all(features: usize) -> u64 {
    assert!(features < 64, "a bit for each");
    (1 << features) - 1
}

/// The columns of a family while they are filled.
pub(super) struct Columns<const N: usize> {
    /// The values of the nodes that are filled together.
    pub block: [[u32; BLOCK]; N],
    columns: [Vec<u32>; N],
    wanted: u64,
}

impl<const N: usize> Columns<N> {
    pub fn new(nodes: usize, wanted: u64) -> Self {
        let column = |i: usize| match wanted >> i & 1 {
            1 => Vec::with_capacity(nodes.next_multiple_of(BLOCK)),
            _ => Vec::new(),
        };
        Columns { block: [[0; BLOCK]; N], columns: std::array::from_fn(column), wanted }
    }

    /// Puts the block at the ends of the columns.
    pub fn put_block(&mut self) {
        for (i, (column, values)) in self.columns.iter_mut().zip(&self.block).enumerate() {
            if self.wanted >> i & 1 == 1 {
                column.extend_from_slice(values);
            }
        }
    }

    pub fn finish(mut self, nodes: usize) -> Vec<Vec<u32>> {
        self.columns.iter_mut().for_each(|column| column.truncate(nodes));
        self.columns.into()
    }
}

/// The features of a family, in the order in which `fill` fills them.
pub(super) const fn filled_by<const N: usize>(fill: Fill, mut specs: [FeatureSpec; N]) -> [FeatureSpec; N] {
    let mut i = 0;
    while i < N {
        specs[i].fill = fill;
        specs[i].place = i;
        i += 1;
    }
    specs
}

/// What the values of a feature are.
#[derive(Debug)]
pub enum Kind {
    /// A count: Beta-geometric as it is, Dirichlet-categorical in these bins.
    Count {
        /// What is counted.
        unit: &'static str,
        /// The bins for a model that bins it.
        bins: Bins,
    },
    /// One of some categories: Dirichlet-categorical.
    Category {
        /// The categories, by number.
        names: &'static [&'static str],
    },
    /// The tags of all children: independent Dirichlet-categorical draws.
    ChildTags,
    /// The tags of all siblings, the node itself left out: independent Dirichlet-categorical draws.
    SiblingTags,
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

/// A feature that is read off the page alone; `family!` says how.
pub(super) const fn own(id: &'static str, name: &'static str, kind: Kind) -> FeatureSpec {
    let (fill, place) = (several as Fill, 0);
    FeatureSpec { id, name, thesis: None, kind, needs_layout: false, needs_score: false, fill, place }
}

/// What has no family to be filled with.
fn several(_: &Measures<'_>, _: &[u32], _: u64) -> Vec<Vec<u32>> {
    unreachable!("every feature stands in a family")
}

/// A count: its id, name, unit and bins.
pub(super) const fn count(
    id: &'static str,
    name: &'static str,
    unit: &'static str,
    bins: Bins,
) -> FeatureSpec {
    own(id, name, Kind::Count { unit, bins })
}

/// One of some categories.
pub(super) const fn category(
    id: &'static str,
    name: &'static str,
    names: &'static [&'static str],
) -> FeatureSpec {
    own(id, name, Kind::Category { names })
}

/// Yes or no, as 1 or 0.
pub(super) const fn flag(id: &'static str, name: &'static str) -> FeatureSpec {
    category(id, name, &["no", "yes"])
}

impl FeatureSpec {
    /// The same as feature `number` of the thesis.
    pub(super) const fn of_thesis(self, number: u8) -> Self {
        FeatureSpec { thesis: Some(number), ..self }
    }
}
