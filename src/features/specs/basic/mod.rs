//! The thesis's features, but for those of the layout, and those of the first default model.

mod tree_place;

use tree_place::{RELATIONS, inline_tag, main_relation, parent_tag};

use crate::features::counts::class_hints::HINTS;
use crate::features::counts::paths::REGIONS;
use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, Kind, PERCENT, TAGS, category, count, family, own};

// The thesis's 3, 6 and 8 (labels of children, siblings and parent) are hidden states, not observations: they are the model's
// structure, see `crate::model`.
family! {
    |m| {
        let base = &m.base;
        let main_common = base.common_ancestors(base.main);
    }
    |v| {
        let words = base.words(v);
        let around = &m.walk.around[base.view.nodes[v as usize].node.index()];
    }
    category("tag", "HTML tag", TAGS).of_thesis(1) => base.tag(v),
    count("children", "number of children", "nodes", DOUBLING).of_thesis(2) => base.children[v as usize],
    own("child-tags", "HTML tags of children", Kind::ChildTags).of_thesis(4) => 0,
    count("siblings", "number of siblings", "nodes", DOUBLING).of_thesis(5) => base.siblings(v),
    own("sibling-tags", "HTML tags of siblings", Kind::SiblingTags).of_thesis(7) => 0,
    category("parent-tag", "HTML tag of parent", TAGS).of_thesis(9) => parent_tag(base, v),
    count("words", "number of words", "words", DOUBLING).of_thesis(10) => words,
    count("full-stops", "number of full stops", "full stops", DOUBLING).of_thesis(11) => base.full_stops(v),
    count("link-density", "share of words inside links", "%", PERCENT) => share(base.link_words(v), words),
    count("position", "share of the page's words before the node", "%", PERCENT) =>
        share(base.words_before(v), base.page_words()),
    category("main-relation", "where the node stands to the page's main node, and how far", RELATIONS) =>
        main_relation(base, main_common[v as usize], v),
    category("class-hint", "what class or id of the nearest element call the part of the page", HINTS) =>
        around.hint.into(),
    category("inline-tag", "tag of the inline element around the node's text", TAGS) => inline_tag(base, v),
    category("region", "nearest element around that names a part of a page", REGIONS) => around.region.into(),
}
