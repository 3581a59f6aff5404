//! Regions: the nodes above T2, merged into their strong elements, with the features of section 3.1.

use super::tree::{AncestorTitle, SdTree};

/// A region: the valid nodes of one strong element.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    /// Index of the strong element in [`SdTree::roots`].
    pub root: u32,
    /// Characters of its valid nodes.
    pub density: u64,
    /// Equation 1.
    pub distance_from_max: f64,
    /// The ancestor title of its first valid node.
    pub title: Option<AncestorTitle>,
    /// Whether its text, class or id holds a keyword of comments.
    pub keyword: bool,
}

impl SdTree {
    /// Steps 2 to 5: the nodes denser than `t2`, merged, with features. In the order of their strong elements.
    pub(super) fn regions(&self, t2: u64) -> Vec<Candidate> {
        let mut of_root: Vec<Option<Candidate>> = vec![None; self.roots.len()];
        for node in self.nodes.iter().filter(|node| node.density > t2) {
            let region = of_root[node.root as usize].get_or_insert_with(|| Candidate {
                root: node.root,
                density: 0,
                distance_from_max: 0.0,
                title: node.title,
                keyword: self.roots[node.root as usize].keyword,
            });
            region.density += node.density;
            region.keyword |= node.keyword;
        }
        let mut regions: Vec<Candidate> = of_root.into_iter().flatten().collect();
        let max = regions.iter().map(|region| region.density).max().unwrap_or(0);
        for region in &mut regions {
            region.distance_from_max = distance_from_max(region.density, max);
        }
        regions
    }

    /// Equation 2 for a region with a title.
    pub(super) fn title_difference(&self, region: &Candidate) -> Option<u32> {
        Some(title_difference(region.title?.level, self.roots[region.root as usize].level))
    }
}

/// Equation 1: how much smaller a region is than the densest, in percent of that. From 0 to below 100.
///
/// # Examples
/// ```
/// use duramen::extract::sd::distance_from_max;
/// assert_eq!(distance_from_max(1000, 1000), 0.0);
/// assert_eq!(distance_from_max(250, 1000), 75.0);
/// ```
pub fn distance_from_max(density: u64, max: u64) -> f64 {
    100.0 - density as f64 * 100.0 / max as f64
}

/// Equation 2: how many levels the title's ancestor and the region are apart.
///
/// # Examples
/// ```
/// assert_eq!(duramen::extract::sd::title_difference(2, 5), 3);
/// ```
pub fn title_difference(title_level: u32, region_level: u32) -> u32 {
    title_level.abs_diff(region_level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;
    use crate::page::Page;

    fn regions(html: &str, t2: u64) -> Vec<Candidate> {
        SdTree::new(&Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap())
            .regions(t2)
    }

    #[test]
    fn only_nodes_above_t2_are_valid_and_a_region_adds_them_up() {
        let html = "<div><p>0123456789</p><p>01234</p><p>012345</p></div><div><p>01234</p></div>";
        let found = regions(html, 5);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].density, 16);
        assert_eq!(regions(html, 0).iter().map(|region| region.density).collect::<Vec<_>>(), [21, 5]);
        assert_eq!(regions(html, 10), []);
    }

    #[test]
    fn distances_are_those_of_equation_1() {
        let found = regions("<div>01234567890123456789</div><div>01234</div>", 0);
        assert_eq!(found.iter().map(|region| region.distance_from_max).collect::<Vec<_>>(), [0.0, 75.0]);
    }

    #[test]
    fn a_title_below_t2_is_still_the_title() {
        let found = regions("<div><h1>Oak</h1><p>0123456789</p></div>", 5);
        assert_eq!(found[0].density, 10);
        assert_eq!(found[0].title.map(|title| title.level), Some(2));
    }
}
