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
    /// Names and meanings of the labels.
    labels: [[&'static str; 2]; Label::COUNT],
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
    /// Log-odds of the block's label against each label in hundredths of a nat, 0 against itself: of each feature, then parent,
    /// siblings, and their total, the sum of what stands here.
    odds: Vec<[i64; Label::COUNT]>,
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
        labels: Label::ALL.map(|label| [label.name(), label.meaning()]),
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
fn odds(parts: &NodeContributions, label: usize, state: impl Fn(usize) -> usize) -> Vec<[i64; Label::COUNT]> {
    let mut rows = vec![[0; Label::COUNT]; parts.features.len() + 3];
    for other in 0..Label::COUNT {
        let LnOdds { mut features, parent, siblings, .. } = parts.ln_odds(state(label), state(other));
        features.extend([parent, siblings]);
        let column = hundredths(&features);
        let total = column.iter().sum();
        rows.iter_mut().zip(column.into_iter().chain([total])).for_each(|(row, value)| row[other] = value);
    }
    rows
}

/// Numbers in hundredths that add up to their sum in hundredths: each is rounded down or up, those with the largest rest up.
fn hundredths(values: &[f64]) -> Vec<i64> {
    let mut whole: Vec<i64> = values.iter().map(|x| (x * 100.0).floor() as i64).collect();
    let sum = (values.iter().sum::<f64>() * 100.0).round() as i64;
    let up = (sum - whole.iter().sum::<i64>()).clamp(0, values.len() as i64) as usize;
    let mut order: Vec<usize> = (0..values.len()).collect();
    let rest = |i: usize| values[i] * 100.0 - (values[i] * 100.0).floor();
    order.sort_by(|&a, &b| rest(b).total_cmp(&rest(a)));
    order[..up].iter().for_each(|&i| whole[i] += 1);
    whole
}

/// `x` to so many parts of one; minus zero becomes zero.
fn rounded(x: f64, parts: f64) -> f64 {
    (x * parts).round() / parts + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_of_the_parts_adds_up_to_what_is_shown_of_the_total() {
        assert_eq!(hundredths(&[0.014, 0.014, 0.014]), [2, 1, 1]);
        assert_eq!(hundredths(&[-0.005, 1.0, 0.0]), [0, 100, 0]);
        let thirds = vec![1.0 / 3.0; 60];
        assert_eq!(hundredths(&thirds).iter().sum::<i64>(), 2000);
        assert!(hundredths(&thirds).iter().all(|part| (33..=34).contains(part)));
        assert!(hundredths(&[]).is_empty());
    }
}
