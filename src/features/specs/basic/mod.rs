//! The thesis's features, but for those of the layout, and those of the first default model.

mod tree_place;

use crate::features::counts::class_hints;
use crate::features::measures::Measures;
use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, FeatureSpec, Kind, PERCENT, TAGS, values};

/// The thesis's features and those of the first default model. The thesis's 3, 6 and 8 (labels of children, siblings and parent) are hidden states, not
/// observations: they are the model's structure, see `crate::model`.
pub const FEATURES: &[FeatureSpec] = &[
    FeatureSpec {
        id: "tag",
        name: "HTML tag",
        thesis: Some(1),
        kind: Kind::Category { names: TAGS, values: values!(|m, v| m.base.tag(v)) },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "children",
        name: "number of children",
        thesis: Some(2),
        kind: Kind::Count {
            unit: "nodes",
            bins: DOUBLING,
            values: values!(|m, v| m.base.children[v as usize]),
        },
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
        kind: Kind::Count { unit: "nodes", bins: DOUBLING, values: values!(|m, v| m.base.siblings(v)) },
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
        kind: Kind::Category { names: TAGS, values: values!(tree_place::parent_tag) },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "words",
        name: "number of words",
        thesis: Some(10),
        kind: Kind::Count { unit: "words", bins: DOUBLING, values: values!(|m, v| m.base.words(v)) },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "full-stops",
        name: "number of full stops",
        thesis: Some(11),
        kind: Kind::Count {
            unit: "full stops",
            bins: DOUBLING,
            values: values!(|m, v| m.base.full_stops(v)),
        },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "link-density",
        name: "share of words inside links",
        thesis: None,
        kind: Kind::Count {
            unit: "%",
            bins: PERCENT,
            values: values!(|m, v| share(m.base.link_words(v), m.base.words(v))),
        },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "title-overlap",
        name: "share of words that stand in the page's title",
        thesis: None,
        kind: Kind::Count {
            unit: "%",
            bins: PERCENT,
            values: values!(|m, v| share(m.title_words(v), m.base.words(v))),
        },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "position",
        name: "share of the page's words before the node",
        thesis: None,
        kind: Kind::Count { unit: "%", bins: PERCENT, values: values!(position) },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "main-relation",
        name: "where the node stands to the page's main node, and how far",
        thesis: None,
        kind: Kind::Category { names: tree_place::RELATIONS, values: values!(tree_place::main_relation) },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "class-hint",
        name: "what class or id of the nearest element call the part of the page",
        thesis: None,
        kind: Kind::Category { names: class_hints::HINTS, values: values!(class_hint) },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "inline-tag",
        name: "tag of the inline element around the node's text",
        thesis: None,
        kind: Kind::Category { names: TAGS, values: values!(tree_place::inline_tag) },
        needs_layout: false,
        needs_score: false,
    },
    FeatureSpec {
        id: "region",
        name: "nearest element around that names a part of a page",
        thesis: None,
        kind: Kind::Category { names: tree_place::REGIONS, values: values!(tree_place::region) },
        needs_layout: false,
        needs_score: false,
    },
];

/// The share of the page's words before the node.
fn position(m: &Measures<'_>, v: u32) -> u32 {
    let (before, all) = m.base.words_before(v);
    share(before, all)
}

/// The hint that the class or id of the nearest element gives, at or above the node.
fn class_hint(m: &Measures<'_>, v: u32) -> u32 {
    u32::from(m.class_hints()[m.base.view.nodes[v as usize].node.index()])
}
