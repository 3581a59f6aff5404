//! Alignment of the browser's tree with ours: which element is which.

use super::snapshot::Tree;
use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;

/// How far ahead an element is looked for among the children that the browser has too many.
const WINDOW: usize = 32;

/// Our element for each node of the browser's tree that has one.
///
/// Both trees are walked from the top. Children of a pair are paired by name in order: those that agree from the first
/// on, those that agree from the last back, and of what is left between them each of ours with the next of the same name,
/// at most `WINDOW` ahead. An element that finds no partner stays alone with all below it. Time is linear.
pub(super) fn align(dom: &Dom, theirs: &Tree<'_>) -> Vec<Option<NodeId>> {
    let mut ours_of = vec![None; theirs.len()];
    let mut pairs = vec![(NodeId::ROOT, 0u32)];
    let (mut our_children, mut their_children) = (Vec::new(), Vec::new());
    while let Some((ours, other)) = pairs.pop() {
        ours_of[other as usize] = Some(ours);
        our_children.clear();
        our_children.extend(dom.children(ours).filter(|&child| dom.kind(child) == NodeKind::Element));
        their_children.clear();
        their_children.extend(theirs.children(other));
        let same = |ours: NodeId, other: u32| dom.name(ours).eq_ignore_ascii_case(theirs.name(other));
        let agree = |&(&ours, &other): &(&NodeId, &u32)| same(ours, other);
        let ahead = our_children.iter().zip(&their_children).take_while(agree).count();
        let (head, ours_left) = our_children.split_at(ahead);
        let (their_head, others_left) = their_children.split_at(ahead);
        pairs.extend(head.iter().copied().zip(their_head.iter().copied()));
        let behind = ours_left.iter().rev().zip(others_left.iter().rev()).take_while(agree).count();
        let (middle, tail) = ours_left.split_at(ours_left.len() - behind);
        let (mut others, their_tail) = others_left.split_at(others_left.len() - behind);
        pairs.extend(tail.iter().copied().zip(their_tail.iter().copied()));
        for &child in middle {
            if let Some(skipped) = others.iter().take(WINDOW).position(|&other| same(child, other)) {
                pairs.push((child, others[skipped]));
                others = &others[skipped + 1..];
            }
        }
    }
    // The documents are paired to begin with, but are no elements.
    ours_of[0] = None;
    ours_of
}

/// The share of our elements that have a partner. Contents of a `<template>`, which browsers keep apart, do not count.
pub(super) fn matched(dom: &Dom, ours_of: &[Option<NodeId>]) -> f64 {
    let mut paired = vec![false; dom.len()];
    for id in ours_of.iter().flatten() {
        paired[id.index()] = true;
    }
    let (mut all, mut found) = (0u32, 0u32);
    let mut template_end = NodeId::ROOT;
    for id in dom.ids() {
        if dom.kind(id) != NodeKind::Element || id < template_end {
            continue;
        }
        all += 1;
        found += u32::from(paired[id.index()]);
        if dom.tag(id) == Tag::TEMPLATE {
            template_end = dom.subtree_end(id);
        }
    }
    if all == 0 { 1.0 } else { f64::from(found) / f64::from(all) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;

    /// Aligns the bodies of two pages, `theirs` read by our parser too, and gives ids of ours with ids of theirs.
    fn pairs(ours: &str, theirs: &str) -> Vec<(String, String)> {
        let parse = |html: &str| Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap();
        let (ours, theirs) = (parse(ours), parse(theirs));
        let mut tree = Tree::default();
        let mut number = vec![0; theirs.len()];
        tree.add("");
        for id in theirs.ids().filter(|&id| theirs.kind(id) == NodeKind::Element) {
            number[id.index()] = tree.add(theirs.name(id));
            tree.append(number[theirs.parent(id).unwrap().index()], number[id.index()]);
        }
        let ours_of = align(&ours, &tree);
        let name = |dom: &Dom, id: NodeId| dom.attribute(id, "id").map(str::to_owned);
        let pair =
            |id: NodeId| Some((name(&ours, ours_of[number[id.index()] as usize]?)?, name(&theirs, id)?));
        theirs.ids().filter(|&id| theirs.kind(id) == NodeKind::Element).filter_map(pair).collect()
    }

    fn same(names: &str) -> Vec<(String, String)> {
        names.split(' ').map(|name| (name.to_owned(), name.to_owned())).collect()
    }

    #[test]
    fn equal_trees_are_paired_node_for_node() {
        let page = "<div id=a><p id=b>x<p id=c>y<ul id=d><li id=e>z</ul></div>";
        assert_eq!(pairs(page, page), same("a b c d e"));
    }

    #[test]
    fn an_element_too_many_on_either_side_stays_alone() {
        let page = "<div id=a></div><p id=b></p><ul id=c><li id=d></ul><p id=e></p>";
        let more = "<div id=a></div><i id=x><b id=y></b></i><p id=b></p><table></table><ul id=c><li id=d></ul><p id=e></p>";
        assert_eq!(pairs(page, more), same("a b c d e"));
        assert_eq!(pairs(more, page), same("a b c d e"));
    }

    #[test]
    fn children_are_paired_from_both_ends() {
        let ours = "<p id=a></p><div id=b></div><p id=c></p><p id=d></p>";
        let theirs = "<div id=b></div><p id=c></p><p id=d></p>";
        assert_eq!(pairs(ours, theirs), same("b c d"));
    }

    #[test]
    fn contents_of_templates_are_not_missed() {
        let dom = Dom::parse(b"<template><p>x<p>y</template>", None, &Limits::default()).unwrap();
        let outside = dom.ids().filter(|&id| ["html", "head", "body", "template"].contains(&dom.name(id)));
        let all: Vec<_> = outside.map(Some).collect();
        assert_eq!(matched(&dom, &all), 1.0);
        assert_eq!(matched(&dom, &all[..2]), 0.5);
    }
}
