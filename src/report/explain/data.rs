//! The reasons behind every block as JSON, for the file's script.

use serde::Serialize;

use super::summary::inference_name;
use super::units::Units;
use crate::extract::hmt::{Hmt, Inference};
use crate::inference::{LnOdds, Marginals, NodeContributions, contributions};
use crate::label::Label;
use crate::model::Observation;
use crate::page::Page;

#[derive(Serialize)]
struct Data<'a> {
    labels: [&'static str; Label::COUNT],
    /// Ids and names of the features.
    features: Vec<[&'static str; 2]>,
    /// How the posteriors came about, where not exactly.
    inference: Option<String>,
    /// The least P(kept) of the text that the decision kept.
    cutoff: Option<f64>,
    blocks: Vec<BlockData<'a>>,
}

#[derive(Serialize)]
struct BlockData<'a> {
    /// The block's number: `b12` is 12.
    n: usize,
    xpath: String,
    tag: &'a str,
    words: u32,
    label: usize,
    posterior: [f64; Label::COUNT],
    /// P(kept), the sum over the labels that are kept.
    p_kept: f64,
    /// Whether it is kept.
    kept: bool,
    /// The value of each feature.
    values: Vec<String>,
    /// Log-odds of the block's label against each label, 0 against itself: of each feature, then parent,
    /// siblings, total.
    odds: Vec<[f64; Label::COUNT]>,
}

/// The data, safe to stand in a script element.
pub(super) fn json(
    page: &Page,
    hmt: &Hmt,
    (observation, ln_emission, marginals): &(Observation, Vec<f64>, Marginals),
    units: &Units,
    cutoff: Option<f64>,
) -> String {
    let detailed: Vec<_> = units.all.iter().enumerate().filter(|(_, unit)| unit.detailed).collect();
    let nodes: Vec<u32> = detailed.iter().map(|(_, unit)| unit.leaf).collect();
    let parts = contributions(hmt.model(), hmt.parameters(), observation, ln_emission, marginals, &nodes);
    let dom = page.dom();
    // Comments that are split from what is not content have its state in the tree.
    let is_split = hmt.model().layers().comment_split.is_some();
    let state = |label: usize| match Label::Comments.index() == label && is_split {
        true => Label::NotContent.index(),
        false => label,
    };
    let blocks = detailed
        .into_iter()
        .zip(parts)
        .map(|((index, unit), parts)| {
            let node = observation.view.nodes[unit.leaf as usize].node;
            BlockData {
                n: index + 1,
                xpath: dom.xpath(node),
                tag: dom.name(node),
                words: unit.words,
                label: unit.label.index(),
                posterior: unit.posterior.map(|p| rounded(p, 1e5)),
                p_kept: rounded(units.keep.probability(&unit.posterior), 1e5),
                kept: unit.kept,
                odds: odds(&parts, unit.label.index(), state),
                values: parts.features.into_iter().map(|feature| feature.value).collect(),
            }
        })
        .collect();
    let data = Data {
        labels: Label::ALL.map(Label::name),
        features: hmt.model().specs().iter().map(|spec| [spec.id, spec.name]).collect(),
        inference: (hmt.inference() != Inference::Exact).then(|| inference_name(hmt.inference())),
        cutoff: cutoff.map(|p| rounded(p, 1e5)),
        blocks,
    };
    let json = serde_json::to_string(&data).expect("numbers and strings are always JSON");
    // Only strings hold these; written so, no text of the page ends the script element or opens a comment in it.
    json.replace('<', "\\u003c").replace('>', "\\u003e")
}

/// One row for each part, one column for each label; `state` is that of a label in the tree. Units are leaves, so the children have no part.
fn odds(parts: &NodeContributions, label: usize, state: impl Fn(usize) -> usize) -> Vec<[f64; Label::COUNT]> {
    let against: [LnOdds; Label::COUNT] =
        std::array::from_fn(|other| parts.ln_odds(state(label), state(other)));
    let row = |of: &dyn Fn(&LnOdds) -> f64| std::array::from_fn(|other| rounded(of(&against[other]), 1e3));
    let mut rows: Vec<_> =
        (0..parts.features.len()).map(|feature| row(&|odds: &LnOdds| odds.features[feature])).collect();
    rows.extend([row(&|odds| odds.parent), row(&|odds| odds.siblings), row(&LnOdds::total)]);
    rows
}

/// `x` to so many parts of one; minus zero becomes zero.
fn rounded(x: f64, parts: f64) -> f64 {
    (x * parts).round() / parts + 0.0
}
