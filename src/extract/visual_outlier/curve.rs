//! Precision, recall and F1 while extracted nodes are deleted one by one: the paper's measure of its ranking.

use serde::{Deserialize, Serialize};

/// An extracted node in the order of deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankedNode {
    /// Bytes of its text.
    pub bytes: u64,
    /// Whether it is content by the gold: a true positive, else a false one.
    pub is_content: bool,
}

/// What is left after some nodes are deleted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Nodes deleted.
    pub nodes: u64,
    /// Bytes of their text.
    pub bytes: u64,
    /// The share of the bytes left that are content; 0 if nothing is left.
    pub precision: f64,
    /// Of the bytes of content that were extracted the share that is left, from 0 to 1; 0 if there were none. Recall is
    /// this times the recall before anything was deleted.
    pub kept: f64,
}

impl CurvePoint {
    /// Recall, if it was `recall` before anything was deleted.
    pub fn recall(&self, recall: f64) -> f64 {
        recall * self.kept
    }

    /// F1, if recall was `recall` before anything was deleted.
    pub fn f1(&self, recall: f64) -> f64 {
        let (p, r) = (self.precision, self.recall(recall));
        if p + r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 }
    }
}

/// What is left after none, one, two and so on to all of the nodes are deleted in their order: one point more than nodes.
///
/// As in the paper bytes are counted and not nodes (section 5.1), and recall is told from an assumed recall of the extractor
/// (section 5.4).
///
/// # Examples
/// ```
/// use duramen::extract::visual_outlier::{RankedNode, deletion_curve};
/// let node = |bytes, is_content| RankedNode { bytes, is_content };
/// let curve = deletion_curve(&[node(20, false), node(60, true), node(20, true)]);
/// assert_eq!((curve[0].precision, curve[0].kept), (0.8, 1.0));
/// assert_eq!((curve[1].precision, curve[1].kept), (1.0, 1.0));
/// assert_eq!((curve[2].precision, curve[2].kept), (1.0, 0.25));
/// assert_eq!((curve[3].nodes, curve[3].bytes, curve[3].precision), (3, 100, 0.0));
/// assert_eq!(curve[1].f1(0.5), 2.0 / 3.0);
/// ```
pub fn deletion_curve(ranked: &[RankedNode]) -> Vec<CurvePoint> {
    let all: u64 = ranked.iter().map(|node| node.bytes).sum();
    let content: u64 = ranked.iter().filter(|node| node.is_content).map(|node| node.bytes).sum();
    let share = |part: u64, whole: u64| if whole > 0 { part as f64 / whole as f64 } else { 0.0 };
    let (mut bytes, mut content_deleted) = (0, 0);
    let mut points = Vec::with_capacity(ranked.len() + 1);
    for nodes in 0..=ranked.len() {
        let left = content - content_deleted;
        points.push(CurvePoint {
            nodes: nodes as u64,
            bytes,
            precision: share(left, all - bytes),
            kept: share(left, content),
        });
        if let Some(node) = ranked.get(nodes) {
            bytes += node.bytes;
            content_deleted += if node.is_content { node.bytes } else { 0 };
        }
    }
    points
}

/// The paper's stop, which knows the gold: the point where F1 is highest, the first of equals, so that no more is deleted
/// than is needed. Of several recalls assumed before deletion it is the mean of F1 that counts: the paper has one stop for
/// all four.
///
/// # Panics
/// If there are no points.
pub fn best_stop(points: &[CurvePoint], recalls: &[f64]) -> CurvePoint {
    let mean = |point: &CurvePoint| recalls.iter().map(|&recall| point.f1(recall)).sum::<f64>();
    let first = points.first().expect("a curve has a point");
    let mut best = (*first, mean(first));
    for point in &points[1..] {
        let f1 = mean(point);
        if f1 > best.1 {
            best = (*point, f1);
        }
    }
    best.0
}
