//! Readability: where the node stands to the element with the best score by the rule of that name.

use crate::features::spec::{DOUBLING, LEVELS, PERCENT, count, family, flag};

family! {
    |m| {
        let (nodes, around, readability) = (&m.base.view.nodes, &m.walk.around, &m.counts().readability);
    }
    |v| {
        let id = nodes[v as usize].node;
        let own = &around[id.index()];
        let [levels, levels_down] = readability.levels(id, own.depth);
    }
    count(
        "readability-share",
        "best score of an element around the node, as a share of the page's best",
        "%",
        PERCENT,
    ) => readability.best_share(id),
    flag("in-readability-top", "inside the element with the best score") => readability.is_in_top(id).into(),
    flag("near-readability-top", "inside it, or inside a sibling with a fifth of its score") =>
        readability.is_near_top(id).into(),
    count("readability-levels", "levels from the node up to an element around both", "levels", LEVELS) => levels,
    count("readability-levels-down", "levels from there down to that element", "levels", LEVELS) => levels_down,
    count("holder-readability", "score of the element that holds the node", "points", DOUBLING) =>
        readability.holder(v),
    count(
        "unlikely-levels",
        "elements up to one whose name speaks of something else than content; 0 without one",
        "elements",
        LEVELS,
    ) => own.unlikely_levels.into(),
}
