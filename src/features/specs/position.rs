//! Position: where on the page a node is, in words, leaves and levels, and how far from title and headings.

use crate::features::bins::Bins;
use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, LEVELS, PERCENT, category, count, family};

/// The level of the last heading: none before the first.
const HEADINGS: &[&str] = &["none", "h1", "h2", "h3", "h4", "h5", "h6"];
const FEW: Bins = Bins::new(&[0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100]);

family! {
    |m| {
        let (base, leaves, headings) = (&m.base, &m.counts().leaves, &m.counts().headings);
        let page_words = base.page_words();
        let title = m.counts().similarity.title_leaf;
        let title_common = title.map(|title| base.common_ancestors(title)).unwrap_or_default();
        // In leaves and words.
        let place = |v: u32| (leaves.before(v), base.words_before(v));
        let (title_place, h1_place) = (title.map(place), headings.first_h1.map(place));
    }
    |v| {
        let (leaf, words) = place(v);
        let (behind, siblings) = (base.words_behind(v), base.siblings(v));
        let heading = headings.last(v);
    }
    count("words-before", "words of the page before the node", "words", DOUBLING) => words,
    count("words-behind", "words of the page behind the node", "words", DOUBLING) => behind,
    count("position-from-end", "share of the page's words behind the node", "%", PERCENT) => share(behind, page_words),
    count("leaf-position", "share of the page's leaves before the node", "%", PERCENT) => share(leaf, leaves.len()),
    count("depth", "levels below the root", "levels", LEVELS) => base.depth[v as usize],
    count("dom-depth", "elements around the node", "elements", LEVELS) =>
        m.walk.around[base.view.nodes[v as usize].node.index()].depth.into(),
    count("child-number", "siblings before the node", "nodes", FEW) => leaves.siblings_before(v),
    count("child-number-from-end", "siblings behind the node", "nodes", FEW) => siblings - leaves.siblings_before(v),
    count("leaves", "leaves of the node", "leaves", DOUBLING) => leaves.of(v),
    count("parent-children", "children of the parent", "nodes", DOUBLING) => siblings + 1,
    count("leaves-since-title", "leaves since the title on the page; 0 before it", "leaves", DOUBLING) =>
        title_place.map_or(FAR, |(title, _)| leaf.saturating_sub(title)),
    count("leaves-until-title", "leaves until the title on the page; 0 behind it", "leaves", DOUBLING) =>
        title_place.map_or(FAR, |(title, _)| title.saturating_sub(leaf)),
    count("words-since-title", "words since the title on the page; 0 before it", "words", DOUBLING) =>
        title_place.map_or(FAR, |(_, title)| words.saturating_sub(title)),
    count("levels-to-title", "levels from the title on the page up to an ancestor of both", "levels", LEVELS) =>
        title.map_or(99, |title| base.depth[title as usize] - base.depth[title_common[v as usize] as usize]),
    count("leaves-since-h1", "leaves since the first h1; 0 before it", "leaves", DOUBLING) =>
        h1_place.map_or(FAR, |(h1, _)| leaf.saturating_sub(h1)),
    count("leaves-until-h1", "leaves until the first h1; 0 behind it", "leaves", DOUBLING) =>
        h1_place.map_or(FAR, |(h1, _)| h1.saturating_sub(leaf)),
    category("heading-level", "level of the heading before the node, or its own", HEADINGS) => headings.level(v),
    count("leaves-since-heading", "leaves since the last heading; 0 for a heading", "leaves", DOUBLING) =>
        heading.map_or(9999, |last| leaf.saturating_sub(leaves.before(last))),
    count("words-since-heading", "words since the last heading; 0 for a heading", "words", DOUBLING) =>
        heading.map_or(FAR, |last| words.saturating_sub(base.words_before(last) + base.words_of(last))),
}

/// More words or leaves than pages have as a rule: how far a node is from what is not on the page.
const FAR: u32 = 99_999;
