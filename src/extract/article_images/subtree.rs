//! `ArticleSubtree`: the first element whose paragraphs have text enough (section 4.2).
//!
//! What the paper leaves open:
//!
//! - A **paragraph** is a `div` or `p` with text of its own, that is text with no other block element around it further in; or, around
//!   `br`, a run of text among its siblings. The text of a paragraph is its own, not that of paragraphs inside.
//! - The **article subtree** of paragraphs is their common parent in the DOM. A `div` that `br`s divide is a subtree of its lines and a
//!   paragraph of its parent.
//! - **Characters** are Unicode scalar values, with runs of white space as one and none at a node's ends.
//! - **Lists of links**, taken out of the subtree, are block elements in it with two links or more that hold more than half of their characters.
//!   The outermost is taken out with all inside.

use crate::dom::{Dom, NodeKind, Tag};
use crate::extract::sd::characters;
use crate::index::{NodeId, NodeMap};

/// The paper's threshold (section 4.2).
pub const DEFAULT_CHARACTERS: u64 = 500;

/// Whether an element is one of the paper's block tags: div, p, br, li, ul, ol, td, tr, table, h1 to h6, hr.
pub fn is_block(dom: &Dom, id: NodeId) -> bool {
    let tag = dom.tag(id);
    tag.heading_level().is_some()
        || matches!(
            tag,
            Tag::DIV
                | Tag::P
                | Tag::BR
                | Tag::LI
                | Tag::UL
                | Tag::OL
                | Tag::TD
                | Tag::TR
                | Tag::TABLE
                | Tag::HR
        )
}

/// The part of a page that holds the article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArticleSubtree {
    root: NodeId,
    /// Lists of links in it, in document order; none lies in another.
    lists: Vec<NodeId>,
}

impl ArticleSubtree {
    /// The first article subtree in document order with at least this many characters; linear in the page.
    pub fn find(dom: &Dom, least: u64) -> Option<ArticleSubtree> {
        let mut sums: NodeMap<u64> = NodeMap::filled(dom.len(), 0);
        // The text that each element has of its own, below style elements at most.
        let mut own: NodeMap<u64> = NodeMap::filled(dom.len(), 0);
        for text in dom.shown_texts() {
            let size = characters(dom.text(text));
            if size == 0 {
                continue;
            }
            if let Some(block) = dom.ancestors(text).find(|&above| is_block(dom, above)) {
                own[block] += size;
            }
            // Lines between `br`: runs of text and style elements among its siblings.
            let line = std::iter::once(text)
                .chain(dom.ancestors(text).take_while(|&above| !is_block(dom, above)))
                .find(|&node| holds_break(dom, node));
            if let Some(parent) = line.and_then(|line| dom.parent(line)) {
                sums[parent] += size;
            }
        }
        for id in dom.ids() {
            if matches!(dom.tag(id), Tag::DIV | Tag::P)
                && own[id] > 0
                && let Some(parent) = dom.parent(id)
            {
                sums[parent] += own[id];
            }
        }
        let root = dom.ids().find(|&id| sums[id] >= least.max(1) && dom.kind(id) == NodeKind::Element)?;
        Some(ArticleSubtree { root, lists: lists_of_links(dom, root) })
    }

    /// Whether a node is in the subtree and in no list of links.
    pub fn holds(&self, dom: &Dom, id: NodeId) -> bool {
        let after = self.lists.partition_point(|&list| list <= id);
        dom.is_in_subtree(id, self.root)
            && !after.checked_sub(1).is_some_and(|last| dom.is_in_subtree(id, self.lists[last]))
    }

    /// The shown texts of the article.
    pub fn texts<'a>(&'a self, dom: &'a Dom) -> impl Iterator<Item = NodeId> + 'a {
        dom.shown_texts().filter(|&id| self.holds(dom, id))
    }

    /// The article's text, a line for each of its blocks.
    pub(super) fn text(&self, dom: &Dom) -> String {
        lines(dom, self.texts(dom))
    }
}

/// Whether a `br` stands directly before or after a node among its siblings, other white space apart.
fn holds_break(dom: &Dom, node: NodeId) -> bool {
    let is_br = |mut at: Option<NodeId>, step: &dyn Fn(NodeId) -> Option<NodeId>| {
        // Style elements and texts of the same line lie between.
        for _ in 0..LINE_NODES {
            let Some(id) = at else { return false };
            if dom.tag(id) == Tag::BR {
                return true;
            }
            if dom.kind(id) == NodeKind::Element && is_block(dom, id) {
                return false;
            }
            at = step(id);
        }
        false
    };
    is_br(dom.previous_sibling(node), &|id| dom.previous_sibling(id))
        || is_br(dom.next_sibling(node), &|id| dom.next_sibling(id))
}

/// The most nodes of a line that are looked through for its `br`.
const LINE_NODES: usize = 32;

/// The outermost lists of links below a node.
fn lists_of_links(dom: &Dom, root: NodeId) -> Vec<NodeId> {
    #[derive(Clone, Copy, Default)]
    struct Sums {
        characters: u64,
        linked: u64,
        links: usize,
    }
    let mut sums: NodeMap<Sums> = NodeMap::filled(dom.len(), Sums::default());
    let mut linked_until = 0;
    let mut shown = dom.shown_texts().peekable();
    for id in dom.ids() {
        if dom.tag(id) == Tag::A && dom.attribute(id, "href").is_some() {
            linked_until = linked_until.max(dom.subtree_end(id).0);
            sums[id].links = 1;
        }
        if shown.next_if_eq(&id).is_some() {
            let size = characters(dom.text(id));
            sums[id].characters = size;
            sums[id].linked = if id.0 < linked_until { size } else { 0 };
        }
    }
    for id in dom.ids().rev() {
        let Sums { characters, linked, links } = sums[id];
        if let Some(parent) = dom.parent(id) {
            let above = &mut sums[parent];
            above.characters += characters;
            above.linked += linked;
            above.links += links;
        }
    }
    let mut lists = Vec::new();
    let mut next = root.0 + 1;
    while next < dom.subtree_end(root).0 {
        let id = NodeId(next);
        let Sums { characters, linked, links } = sums[id];
        if is_block(dom, id) && links >= 2 && linked * 2 > characters {
            lists.push(id);
            next = dom.subtree_end(id).0;
        } else {
            next += 1;
        }
    }
    lists
}

/// The shown text of a subtree, a line for each block; `shown` are the shown texts of the page in document order.
pub(super) fn text(dom: &Dom, shown: &[NodeId], root: NodeId) -> String {
    let from = shown.partition_point(|&id| id < root);
    let end = dom.subtree_end(root);
    lines(dom, shown[from..].iter().copied().take_while(|&id| id < end))
}

fn lines(dom: &Dom, texts: impl Iterator<Item = NodeId>) -> String {
    let mut lines = String::new();
    let mut last_block = None;
    for id in texts {
        let block = dom.ancestors(id).find(|&above| dom.tag(above).is_block() || is_block(dom, above));
        if last_block.is_some_and(|last| last != block) {
            lines.push('\n');
        }
        last_block = Some(block);
        // Line ends of the source end no line of the page.
        lines.extend(dom.text(id).chars().map(|c| if c.is_whitespace() { ' ' } else { c }));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;

    fn root(body: &str, least: u64) -> Option<String> {
        let dom = Dom::parse(format!("<body>{body}").as_bytes(), None, &Limits::default()).unwrap();
        let article = ArticleSubtree::find(&dom, least)?;
        Some(dom.attribute(article.root, "id").unwrap_or("-").to_owned())
    }

    #[test]
    fn the_three_kinds_of_paragraphs_have_their_parent_as_subtree() {
        let text = "Words of a paragraph.";
        let of = |inner: &str| root(&format!("<table><tr><td id=a>{inner}</td></tr></table>"), 40);
        assert_eq!(of(&format!("<p>{text}</p><p>{text}</p>")).unwrap(), "a");
        assert_eq!(of(&format!("<div>{text}</div><div><b>{text}</b></div>")).unwrap(), "a");
        assert_eq!(of(&format!("{text}<br>{text}<br>")).unwrap(), "a");
        assert_eq!(of(&format!("<font id=f>{text}<br><i>{text}</i></font>")).unwrap(), "f");
        assert_eq!(of(&format!("<p>{text}</p>")), None);
        assert_eq!(of(&format!("<li>{text}</li><li>{text}</li>")), None, "items are no paragraphs");
    }

    #[test]
    fn the_first_large_subtree_is_the_article_and_not_the_largest() {
        let paragraphs = |count: usize| "<p>Words of a paragraph.</p>".repeat(count);
        let body = format!(
            "<div id=a>{}</div><div id=b>{}</div><div id=c>{}</div>",
            paragraphs(1),
            paragraphs(3),
            paragraphs(9)
        );
        assert_eq!(root(&body, 60).unwrap(), "b");
    }

    #[test]
    fn lists_of_links_are_taken_out() {
        let html = "<body><div><p>Words of a paragraph with <a href=a>one link</a> in it.</p>\
            <ul><li><a href=b>b</a><li><a href=c>c</a></ul><p>More.</p></div>";
        let dom = Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap();
        let article = ArticleSubtree::find(&dom, 10).unwrap();
        assert_eq!(article.text(&dom), "Words of a paragraph with one link in it.\nMore.");
    }
}
