//! The catalogue: every feature, by family.

use super::spec::FeatureSpec;
pub use super::specs::learned::SCORES;
use super::specs::{
    ancestors, basic, comments, contents, layout, learned, main_node, neighbors, page, path, position,
    readability, repetition, similarity, text_shape,
};

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
    FeatureFamily { name: "basic", features: basic::FEATURES },
    FeatureFamily { name: "text shape", features: text_shape::FEATURES },
    FeatureFamily { name: "contents", features: contents::FEATURES },
    FeatureFamily { name: "position", features: position::FEATURES },
    FeatureFamily { name: "main node", features: main_node::FEATURES },
    FeatureFamily { name: "similarity", features: similarity::FEATURES },
    FeatureFamily { name: "parent", features: ancestors::parent::FEATURES },
    FeatureFamily { name: "grandparent", features: ancestors::grandparent::FEATURES },
    FeatureFamily { name: "level 3", features: ancestors::level_3::FEATURES },
    FeatureFamily { name: "level 4", features: ancestors::level_4::FEATURES },
    FeatureFamily { name: "neighbors", features: neighbors::FEATURES },
    FeatureFamily { name: "repetition", features: repetition::FEATURES },
    FeatureFamily { name: "readability", features: readability::FEATURES },
    FeatureFamily { name: "comments", features: comments::FEATURES },
    FeatureFamily { name: "path", features: path::FEATURES },
    FeatureFamily { name: "page", features: page::FEATURES },
    FeatureFamily { name: "layout", features: layout::FEATURES },
    FeatureFamily { name: "learned", features: learned::FEATURES },
];

/// All features, in the order of their families.
pub fn all() -> impl Iterator<Item = &'static FeatureSpec> + Clone {
    FAMILIES.iter().flat_map(|family| family.features)
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
