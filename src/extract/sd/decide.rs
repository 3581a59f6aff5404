//! Steps 6 and 7: candidates by T1, the article region, its comments, the type of the page.

use std::collections::BTreeSet;

use super::SdPageType;
use super::regions::Candidate;
use super::tree::SdTree;

/// What the algorithm makes of the regions of a page, by their indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decision {
    pub page_type: SdPageType,
    pub article: Option<usize>,
    pub comments: Vec<usize>,
    pub areas: Vec<usize>,
}

/// Decides at threshold `t1`. Linear in the regions, times the logarithm of their number.
pub(super) fn decide(tree: &SdTree, regions: &[Candidate], t1: f64) -> Decision {
    let near = |&i: &usize| regions[i].distance_from_max <= t1;
    let candidates: Vec<usize> = (0..regions.len()).filter(near).collect();
    let multiple = |areas: &[usize]| Decision {
        page_type: SdPageType::Multiple,
        article: None,
        comments: Vec::new(),
        areas: areas.to_vec(),
    };
    let Some(article) = article_region(tree, regions, &candidates) else { return multiple(&candidates) };
    let comments = comment_regions(tree, regions, article);
    let level = |i: usize| tree.roots[regions[i].root as usize].level;
    if comments.is_empty() && candidates.len() > 1 && candidates.iter().all(|&i| level(i) == level(article)) {
        return multiple(&candidates);
    }
    let page_type = if comments.is_empty() { SdPageType::Article } else { SdPageType::ArticleWithComments };
    Decision { page_type, article: Some(article), comments, areas: Vec::new() }
}

/// The one candidate that is both nearest to the root and nearest to its ancestor title; none if several are.
fn article_region(tree: &SdTree, regions: &[Candidate], candidates: &[usize]) -> Option<usize> {
    if let [only] = candidates {
        return Some(*only);
    }
    let level = |i: usize| tree.roots[regions[i].root as usize].level;
    let difference = |i: usize| tree.title_difference(&regions[i]);
    let least_level = candidates.iter().map(|&i| level(i)).min()?;
    let least_difference = candidates.iter().filter_map(|&i| difference(i)).min()?;
    let is_both = |&i: &usize| level(i) == least_level && difference(i) == Some(least_difference);
    let mut both = candidates.iter().copied().filter(is_both);
    // A second one: they are peers.
    both.next().filter(|_| both.next().is_none())
}

/// The regions beside the article that are comments, or share their class with one that is.
fn comment_regions(tree: &SdTree, regions: &[Candidate], article: usize) -> Vec<usize> {
    let root = |i: usize| &tree.roots[regions[i].root as usize];
    let of_article = root(article);
    let has_common_parent = |&i: &usize| {
        let other = root(i);
        i != article
            && (other.parent == of_article.parent
                || of_article.branch.is_none()
                || other.branch == of_article.branch)
    };
    let beside: Vec<usize> = (0..regions.len()).filter(has_common_parent).collect();
    let keyed = beside.iter().filter(|&&i| regions[i].keyword);
    let classes: BTreeSet<&str> =
        keyed.map(|&i| root(i).class.as_str()).filter(|class| !class.is_empty()).collect();
    beside.into_iter().filter(|&i| regions[i].keyword || classes.contains(root(i).class.as_str())).collect()
}
