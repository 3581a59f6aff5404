//! Footnotes: which links of the kept text refer to notes on the same page, and where these stand.

use std::collections::{HashMap, HashSet};

use super::Kept;
use super::furniture::shows;
use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;

/// Beginnings of the ids of notes, as MediaWiki, pandoc, GitHub, PHP Markdown, Word, Google Docs and WordPress's plugins have them.
const BEGINNINGS: &[&str] = &[
    "_edn",
    "_ftn",
    "bib.bib",
    "cite_note",
    "easy-footnote-bottom",
    "endnote",
    "fn",
    "footnote",
    "ftnt",
    "note",
    "sdfootnote",
    "user-content-fn",
];

/// What has more nodes is no note but a text of its own, and no label.
const MAX_NODES: u32 = 1000;
const MAX_LABEL_NODES: usize = 30;

/// The notes of a page that its kept text refers to.
#[derive(Default)]
pub(super) struct Notes {
    /// The labels of elements that refer to a note.
    pub references: HashMap<NodeId, String>,
    /// The labels of the elements that hold the notes.
    pub definitions: HashMap<NodeId, String>,
    /// What leads back from a note, or repeats its label.
    pub skipped: HashSet<NodeId>,
}

impl Notes {
    /// Finds the notes.
    pub fn find(dom: &Dom, kept: &Kept) -> Notes {
        let links: Vec<(NodeId, &str)> = dom
            .ids()
            .filter(|&id| dom.tag(id) == Tag::A)
            .filter_map(|id| Some((id, note_id(dom, id)?)))
            .collect();
        let mut notes = Notes::default();
        if links.is_empty() {
            return notes;
        }
        let mut by_id: HashMap<&str, NodeId> = HashMap::new();
        for id in dom.ids().filter(|&id| dom.kind(id) == NodeKind::Element) {
            let name = dom.attribute(id, "id").or_else(|| dom.attribute(id, "name"));
            if let Some(name) = name {
                by_id.entry(name).or_insert(id);
            }
        }
        let mut labels: HashSet<String> = HashSet::new();
        let mut empty: HashSet<NodeId> = HashSet::new();
        let mut last_kept = last_kept(dom, kept);
        for (link, target) in links {
            let Some(block) = by_id.get(target).and_then(|&target| block_of(dom, target)) else { continue };
            let text = text_of(dom, link);
            let is_kept = kept_text(dom, kept, link) || last_kept(link);
            let nodes = dom.subtree_end(block).0 - block.0;
            if dom.is_in_subtree(link, block) || !is_kept || nodes > MAX_NODES || empty.contains(&block) {
                continue;
            }
            let label = match notes.definitions.get(&block) {
                Some(label) => label.clone(),
                None => {
                    let skipped = beside_text(dom, block, &text);
                    if !has_text_beside(dom, block, &skipped) {
                        empty.insert(block);
                        continue;
                    }
                    notes.skipped.extend(skipped);
                    let own: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
                    let mut number = labels.len() + 1;
                    let mut label = if own.is_empty() { number.to_string() } else { own };
                    while !labels.insert(label.clone()) {
                        number += 1;
                        label = format!("n{number}");
                    }
                    notes.definitions.insert(block, label.clone());
                    label
                }
            };
            notes.references.insert(reference(dom, link), label);
        }
        notes
    }

    /// Keeps the text of the notes.
    pub fn keep(&self, dom: &Dom, kept: &mut Kept) {
        for &block in self.definitions.keys() {
            dom.subtree(block).filter(|&id| dom.is_visible_text(id)).for_each(|id| kept.add(id));
        }
    }
}

/// What a note holds beside its text: what leads back, and its label repeated.
fn beside_text(dom: &Dom, block: NodeId, label: &str) -> HashSet<NodeId> {
    let mut skipped = HashSet::new();
    let mut is_at_start = true;
    for id in dom.subtree(block).skip(1) {
        if dom.is_visible_text(id) && !dom.text(id).chars().all(|c| is_around_label(c) || label.contains(c)) {
            is_at_start = false;
        }
        let leads_back = || {
            let target = dom.attribute(id, "href").and_then(|href| href.strip_prefix('#'));
            let text = text_of(dom, id);
            target.is_some_and(|target| {
                target.to_ascii_lowercase().contains("ref")
                    || is_at_start && text == label
                    || !text.contains(char::is_alphanumeric)
            })
        };
        let repeats_label = || {
            is_at_start
                && matches!(dom.tag(id), Tag::SUP | Tag::SPAN | Tag::B | Tag::STRONG | Tag::TD | Tag::DT)
                && text_of(dom, id) == label
        };
        if dom.tag(id) == Tag::A && leads_back() || repeats_label() {
            skipped.insert(id);
        }
    }
    // The label of docutils stands beside the note.
    if let Some(before) = dom.previous_sibling(block)
        && matches!(dom.tag(before), Tag::DT | Tag::TD)
        && text_of(dom, before) == label
    {
        skipped.insert(before);
    }
    skipped
}

/// Whether a note shows anything but what is skipped.
fn has_text_beside(dom: &Dom, block: NodeId, skipped: &HashSet<NodeId>) -> bool {
    let mut end = block;
    dom.subtree(block).any(|id| {
        if id >= end && skipped.contains(&id) {
            end = dom.subtree_end(id);
        }
        id >= end && dom.is_visible_text(id) && shows(dom.text(id))
    })
}

/// The id of the note that a link may refer to.
fn note_id(dom: &Dom, link: NodeId) -> Option<&str> {
    let target = dom.attribute(link, "href")?.strip_prefix('#')?;
    let name = target.to_ascii_lowercase();
    let leads_back = name.contains("ref");
    // As docutils and ARIA say it, whatever the note is called.
    let is_said = || {
        dom.attribute(link, "role") == Some("doc-noteref")
            || dom.attribute(link, "class").is_some_and(|class| class.contains("footnote-ref"))
    };
    let is_note = BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) || is_said();
    let says_label = || (1..=6).contains(&text_of(dom, link).chars().count());
    (is_note && !leads_back && says_label()).then_some(target)
}

/// The element that holds the note whose id an element has.
fn block_of(dom: &Dom, target: NodeId) -> Option<NodeId> {
    let mut around = std::iter::once(target).chain(dom.ancestors(target));
    let block = around.find(|&id| dom.tag(id).is_block() || matches!(dom.tag(id), Tag::TD | Tag::LI))?;
    match dom.tag(block) {
        Tag::BODY | Tag::HTML => None,
        Tag::DT => dom.next_sibling(block).into_iter().find_map(|next| {
            let mut siblings = std::iter::successors(Some(next), |&id| dom.next_sibling(id));
            siblings.find(|&id| dom.tag(id) == Tag::DD)
        }),
        _ => Some(block),
    }
}

/// The outermost element that is nothing but this reference: the `sup` around it.
fn reference(dom: &Dom, link: NodeId) -> NodeId {
    let own = text_of(dom, link);
    let around = dom.ancestors(link).take(2);
    let is_alone = |&id: &NodeId| matches!(dom.tag(id), Tag::SUP | Tag::SPAN) && text_of(dom, id) == own;
    around.take_while(is_alone).last().unwrap_or(link)
}

/// The text of a label: what is in the element without blanks, brackets and dots. Cut where it is no label any more.
fn text_of(dom: &Dom, id: NodeId) -> String {
    let nodes = dom.subtree(id).take(MAX_LABEL_NODES);
    let texts = nodes.filter(|&id| dom.is_visible_text(id)).flat_map(|id| dom.text(id).chars());
    texts.filter(|&c| !is_around_label(c)).take(20).collect()
}

fn is_around_label(c: char) -> bool {
    c.is_whitespace() || matches!(c, '[' | ']' | '(' | ')' | '.' | ':' | '\u{a0}')
}

fn kept_text(dom: &Dom, kept: &Kept, id: NodeId) -> bool {
    dom.subtree(id).take(MAX_LABEL_NODES).any(|id| kept.contains(id))
}

/// Whether the last shown text before a node is kept, of nodes that are asked for in document order.
fn last_kept<'a>(dom: &'a Dom, kept: &Kept) -> impl FnMut(NodeId) -> bool + use<'a> {
    let texts: Vec<(NodeId, bool)> =
        dom.ids().filter(|&id| dom.is_visible_text(id)).map(|id| (id, kept.contains(id))).collect();
    let mut next = 0;
    move |id| {
        while texts.get(next).is_some_and(|&(text, _)| text < id) {
            next += 1;
        }
        next > 0 && texts[next - 1].1
    }
}

#[cfg(test)]
mod tests {
    use crate::extract::render::{Kept, RenderOptions, to_markdown};
    use crate::page::Page;

    #[test]
    fn a_note_has_text_beside_its_label_and_the_link_back() {
        let cases = [
            ("<p id=fn1>Said so.</p>", "As said[^1]\n\n[^1]: Said so.\n"),
            ("<p id=fn1><sup>1</sup> Said so. <a href=#ref1>↩</a></p>", "As said[^1]\n\n[^1]: Said so.\n"),
            ("<p id=fn1></p>", "As said1\n"),
            ("<p id=fn1>&nbsp;&#173;</p>", "As said1\n"),
            ("<p id=fn1><sup>1</sup> <a href=#ref1><b>↩</b></a></p>", "As said1\n\n<sup>1</sup> **↩**\n"),
        ];
        for (note, markdown) in cases {
            let html = format!("<p>As said<a href=#fn1>1</a></p>{note}");
            let page = Page::parse("page", None, html.as_bytes(), None, &Default::default()).unwrap();
            assert_eq!(
                to_markdown(&page, &Kept::everything(&page), &RenderOptions::default()),
                markdown,
                "{note}"
            );
        }
    }
}
