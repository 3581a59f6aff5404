//! `Measures`: the counts of a page that its features share.

use std::cell::OnceCell;

use super::counts::Counts;
use super::counts::base::BaseCounts;
use super::counts::walk::DomWalk;
use super::spec::FeatureSpec;
use crate::index::NodeId;
use crate::layout::Layout;
use crate::page::Page;
use crate::page_work::read_clock;
use crate::view::PageView;

/// What is counted on a page; features are functions of it.
pub struct Measures<'a> {
    /// What one walk over the DOM finds.
    pub(super) walk: DomWalk<'a>,
    /// What every feature may read.
    pub(super) base: BaseCounts<'a>,
    /// The page's layout, for the features that need it.
    pub(super) layout: Option<&'a Layout>,
    /// The learned scores, \[score\]\[node\]; empty of what was not learned.
    pub(crate) scores: Vec<Vec<u32>>,
    /// What only models of many features read, counted when first asked for.
    counts: OnceCell<Counts>,
}

impl<'a> Measures<'a> {
    /// Counts a page. Linear in the page.
    pub fn new(page: &'a Page, view: &'a PageView, layout: Option<&'a Layout>) -> Self {
        let walk = DomWalk::new(page, view);
        let base = BaseCounts::new(page, view, &walk);
        Measures { walk, base, layout, scores: Vec::new(), counts: OnceCell::new() }
    }

    /// The page.
    pub fn page(&self) -> &'a Page {
        self.base.page
    }

    /// The tree that the features are over.
    pub fn view(&self) -> &'a PageView {
        self.base.view
    }

    /// The features of the leaves alone, \[feature\]\[leaf\].
    ///
    /// # Panics
    /// If a feature has several values for a node.
    pub(crate) fn of_leaves(&self, features: &[&'static FeatureSpec]) -> Vec<Vec<u32>> {
        self.columns(features, self.leaves())
    }

    /// The features of some nodes, \[feature\]\[node\]. Each family is filled once.
    ///
    /// # Panics
    /// If a feature has several values for a node.
    pub(crate) fn columns(&self, features: &[&'static FeatureSpec], nodes: &[u32]) -> Vec<Vec<u32>> {
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); features.len()];
        let mut is_filled = vec![false; features.len()];
        // A page without nodes has nothing to take the values of all of them from.
        let features = if nodes.is_empty() { &[] } else { features };
        for first in 0..features.len() {
            if is_filled[first] {
                continue;
            }
            // The features of one family that are asked for; one that is asked for twice comes round again.
            let (mut own, mut wanted) = (Vec::new(), 0u64);
            for (i, feature) in features.iter().enumerate().skip(first) {
                let is_own = std::ptr::fn_addr_eq(feature.fill, features[first].fill);
                if is_own && !is_filled[i] && wanted >> feature.place & 1 == 0 {
                    assert!(
                        !feature.kind.has_many_values(),
                        "'{}' has several values for a node",
                        feature.id
                    );
                    wanted |= 1 << feature.place;
                    is_filled[i] = true;
                    own.push(i);
                }
            }
            read_clock();
            let mut filled = (features[first].fill)(self, nodes, wanted);
            own.iter().for_each(|&i| columns[i] = std::mem::take(&mut filled[features[i].place]));
        }
        columns
    }

    /// All nodes of the view.
    pub(super) fn all_nodes(&self) -> Vec<u32> {
        (0..self.view().tree.len() as u32).collect()
    }

    /// The leaves in order.
    pub(crate) fn leaves(&self) -> &[u32] {
        self.counts().leaves.all()
    }

    /// Words of the node and all below.
    pub(crate) fn words_of(&self, v: u32) -> u32 {
        self.base.words_of(v)
    }

    /// The heading before a node, or the node itself.
    pub(crate) fn last_heading(&self, v: u32) -> Option<u32> {
        self.counts().headings.last(v)
    }

    /// What may speak of the page as a whole: html, body, title, meta, link and scripts of JSON-LD.
    pub(crate) fn head(&self) -> impl Iterator<Item = NodeId> {
        self.walk.head.iter().copied()
    }

    pub(super) fn counts(&self) -> &Counts {
        self.counts.get_or_init(|| Counts::new(&self.base, &self.walk))
    }
}
