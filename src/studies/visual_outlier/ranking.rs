//! The ranking of extracted nodes by each detector, and where deletion stops.

use super::pages::{Extracted, ExtractedGroup};
use super::{DetectorResult, PageSet, ScoreBin, SetResult, VisualOutlierStudy};
use crate::error::{Error, Result};
use crate::extract::visual_outlier::{
    CurvePoint, Detector, RankedNode, best_stop, deletion_curve, deletion_order,
};
use crate::outlier::{Bins, Distance, FewRows, Knn};

/// Bins of the distribution of anomaly scores.
const SCORE_BINS: usize = 30;
/// Steps of the course of deletion.
const STEPS: usize = 100;

/// A node in the order of deletion over all groups.
struct Ranked {
    /// The share of the nodes of its group that are deleted with it.
    share: f64,
    score: f64,
    node: RankedNode,
}

/// Ranks what an extractor found by every detector.
pub(super) fn rank(
    study: &VisualOutlierStudy,
    set: &PageSet,
    extractor: &str,
    extracted: Extracted,
) -> Result<SetResult> {
    let nodes: Vec<RankedNode> = extracted.groups.iter().flat_map(|group| &group.nodes).copied().collect();
    if nodes.is_empty() {
        let problem = format!("'{extractor}' found no text with a style on set '{}'", set.name());
        return Err(Error::data(
            "visual-outlier-study",
            problem,
            "give pages with styles or another extractor",
        ));
    }
    let content: u64 = nodes.iter().filter(|node| node.is_content).map(|node| node.bytes).sum();
    let recall = content as f64 / extracted.content_bytes.max(1) as f64;
    let names =
        study.k.iter().map(|k| format!("{k}-NN")).chain(["HBOS".to_owned(), "HBOS, 10 bins".to_owned()]);
    let of_groups: Vec<Vec<Vec<f64>>> =
        extracted.groups.iter().map(|group| scores(study, group)).collect::<Result<_>>()?;
    let detectors = names
        .enumerate()
        .map(|(detector, name)| {
            let of_detector: Vec<&[f64]> = of_groups.iter().map(|scores| &*scores[detector]).collect();
            detector_result(study, name, &in_order(&extracted.groups, &of_detector), recall)
        })
        .collect();
    let over_groups = |count: fn(&ExtractedGroup) -> u64| extracted.groups.iter().map(count).sum::<u64>();
    Ok(SetResult {
        set: set.clone(),
        extractor: extractor.to_owned(),
        pages: extracted.pages,
        groups: extracted.groups.len() as u64,
        without_layout: extracted.without_layout,
        refused: extracted.refused,
        without_style: over_groups(|group| group.entities.without_style),
        unknown_values: over_groups(|group| group.entities.unknown_values),
        nodes: nodes.len() as u64,
        bytes: nodes.iter().map(|node| node.bytes).sum(),
        content_nodes: nodes.iter().filter(|node| node.is_content).count() as u64,
        recall,
        start: deletion_curve(&nodes)[0],
        detectors,
    })
}

/// The scores of a group's nodes by each k, then by histograms with bins of equal count (as many as the square root of the
/// nodes, which the authors' library does by default), then of equal width.
fn scores(study: &VisualOutlierStudy, group: &ExtractedGroup) -> Result<Vec<Vec<f64>>> {
    let rows = group.entities.matrix();
    let knn = Knn { k: study.k.clone(), distance: Distance::Mean, few_rows: FewRows::UseAll };
    let fitted = knn.fit(rows)?;
    let mut all: Vec<Vec<f64>> =
        fitted.decision_scores().outer_iter().map(|scores| scores.to_vec()).collect();
    for bins in [Bins::Dynamic(None), Bins::Static(10)] {
        all.push(Detector::Hbos(bins).scores(rows)?);
    }
    Ok(all)
}

/// The nodes of all groups in the order of deletion.
fn in_order(groups: &[ExtractedGroup], scores: &[&[f64]]) -> Vec<Ranked> {
    let mut all = Vec::new();
    for (group, scores) in groups.iter().zip(scores) {
        let of_group = group.nodes.len() as f64;
        all.extend(deletion_order(scores).into_iter().enumerate().map(|(rank, i)| Ranked {
            share: (rank + 1) as f64 / of_group,
            score: scores[i],
            node: group.nodes[i],
        }));
    }
    // Of equal shares that of the first group goes first.
    all.sort_by(|a, b| a.share.total_cmp(&b.share));
    all
}

fn detector_result(
    study: &VisualOutlierStudy,
    name: String,
    ranked: &[Ranked],
    recall: f64,
) -> DetectorResult {
    let points = deletion_curve(&ranked.iter().map(|ranked| ranked.node).collect::<Vec<_>>());
    let at = |deleted: usize| points[deleted];
    let stated = |contamination: &f64| at(ranked.partition_point(|ranked| ranked.share <= *contamination));
    let curve: Vec<CurvePoint> = (0..=STEPS).map(|step| at(step * ranked.len() / STEPS)).collect();
    DetectorResult {
        name,
        best: best_stop(&points, &study.recalls),
        best_measured: best_stop(&points, &[recall]),
        stated: study.contaminations.iter().map(stated).collect(),
        curve,
        scores: score_bins(ranked),
    }
}

fn score_bins(ranked: &[Ranked]) -> Vec<ScoreBin> {
    let low = ranked.iter().map(|ranked| ranked.score).fold(f64::INFINITY, f64::min);
    let high = ranked.iter().map(|ranked| ranked.score).fold(f64::NEG_INFINITY, f64::max);
    let width = ((high - low) / SCORE_BINS as f64).max(f64::MIN_POSITIVE);
    let edge = |bin: usize| low + width * bin as f64;
    let mut bins: Vec<ScoreBin> = (0..SCORE_BINS)
        .map(|bin| ScoreBin { from: edge(bin), to: edge(bin + 1), content: 0, other: 0 })
        .collect();
    for ranked in ranked {
        let bin = &mut bins[(((ranked.score - low) / width) as usize).min(SCORE_BINS - 1)];
        *(if ranked.node.is_content { &mut bin.content } else { &mut bin.other }) += 1;
    }
    bins
}
