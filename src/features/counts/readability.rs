//! `Readability`, scores of elements by the text in them: the rule of Readability (Arc90, later Mozilla), by which it finds the
//! element of the article.
//!
//! A text of 25 characters and more has a point, one more for each comma, and one for each hundred characters, at most three.
//! Its parent gets all of them, the next element half, then a third of the level, over five levels. An element begins with points
//! for its tag, and 25 more or fewer by its class and id; in the end it loses the share of its words that are links.
//! Text inside elements whose names speak of something else than content counts nothing.

use super::base::BaseCounts;
use super::class_hints::{CONTENT, is_unlikely};
use super::text_sums::PageTexts;
use super::walk::Around;
use crate::dom::{NodeKind, Tag};
use crate::features::ratio::share;
use crate::index::NodeId;
use crate::view::NONE;

/// The fewest characters of a text that counts.
const LEAST_CHARACTERS: u32 = 25;
/// Levels that a text counts for.
const LEVELS: usize = 5;
/// What a name of the content adds, and another takes away.
const OF_NAME: f32 = 25.0;
/// A sibling with this share of the top element's score belongs to the same text.
const SIBLING_SHARE: f32 = 0.2;

/// What the rule says of a page.
pub struct Readability {
    /// Of each node of the DOM.
    places: Vec<Place>,
    /// The depth of the top element, 0 without one.
    top_depth: u16,
    /// For each node of the view the score of the element that holds it.
    holders: Vec<u32>,
}

/// Where a node of the DOM stands to the top element.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The best score of an element around the node, or of itself.
    best: f32,
    /// The depth of the nearest element around both.
    shared_depth: u16,
    is_in_top: bool,
    is_near_top: bool,
}

impl Readability {
    /// Scores a page. Linear in it, but for a search of the texts of each element with a score.
    pub fn new(base: &BaseCounts<'_>, around: &[Around], texts: &PageTexts) -> Self {
        let (dom, view) = (base.page.dom(), base.view);
        let mut scores: Vec<Option<f32>> = vec![None; dom.len()];
        let holder = |v: u32| {
            let own = view.nodes[v as usize].node;
            let is_shared = match view.tree.parent(v) {
                NONE => false,
                parent => view.nodes[parent as usize].node == own,
            };
            if is_shared { Some(own) } else { dom.parent(own) }
        };
        for v in (0..view.tree.len() as u32).filter(|&v| view.tree.is_leaf(v)) {
            let own = texts.of(view, v);
            let is_unlikely = around[view.nodes[v as usize].node.index()].unlikely_levels > 0;
            if own.characters < LEAST_CHARACTERS || is_unlikely {
                continue;
            }
            let points = 1.0 + own.commas as f32 + (own.characters / 100).min(3) as f32;
            let mut above = holder(v);
            for level in 0..LEVELS {
                let Some(element) = above.filter(|&id| dom.kind(id) == NodeKind::Element) else { break };
                let by = [1.0, 0.5].get(level).copied().unwrap_or(1.0 / (3.0 * level as f32));
                let first =
                    || points_of_tag(dom.tag(element)) + points_of_hint(around[element.index()].own_hint);
                *scores[element.index()].get_or_insert_with(first) += points * by;
                above = dom.parent(element);
            }
        }
        let mut top: Option<(NodeId, f32)> = None;
        for id in dom.ids() {
            let Some(score) = &mut scores[id.index()] else { continue };
            *score *= 1.0 - base.link_share_of_element(id) as f32 / 100.0;
            if top.is_none_or(|(_, best)| *score > best) {
                top = Some((id, *score));
            }
        }
        let mut places = vec![Place::default(); dom.len()];
        let Some((top, best)) = top.filter(|(_, best)| *best > 0.0) else {
            return Readability { places, top_depth: 0, holders: vec![0; view.tree.len()] };
        };
        let top_parent = dom.parent(top);
        for id in dom.ids() {
            let parent = dom.parent(id);
            let above = parent.map(|parent| places[parent.index()]).unwrap_or_default();
            let score = scores[id.index()].unwrap_or(0.0);
            let is_sibling = parent == top_parent && score >= SIBLING_SHARE * best;
            let is_around_top = dom.is_in_subtree(top, id);
            places[id.index()] = Place {
                best: above.best.max(score),
                shared_depth: if is_around_top { around[id.index()].depth } else { above.shared_depth },
                is_in_top: above.is_in_top || id == top,
                is_near_top: above.is_near_top || is_sibling || id == top,
            };
        }
        places.iter_mut().for_each(|place| place.best = (100.0 * (place.best / best)).ceil());
        let of_holder =
            |v: u32| holder(v).and_then(|id| scores[id.index()]).unwrap_or(0.0).max(0.0).ceil() as u32;
        let holders = (0..view.tree.len() as u32).map(of_holder).collect();
        Readability { places, top_depth: around[top.index()].depth, holders }
    }

    /// The best score of an element around a node, in per cent of the top element's.
    pub fn best_share(&self, id: NodeId) -> u32 {
        self.places[id.index()].best as u32
    }

    /// Whether the node is in the top element.
    pub fn is_in_top(&self, id: NodeId) -> bool {
        self.places[id.index()].is_in_top
    }

    /// The same, or in a sibling of it with a fifth of its score.
    pub fn is_near_top(&self, id: NodeId) -> bool {
        self.places[id.index()].is_near_top
    }

    /// Levels from a node of this depth up to the nearest element around it and the top element, and down from there to
    /// that.
    pub fn levels(&self, id: NodeId, depth: u16) -> [u32; 2] {
        let shared = self.places[id.index()].shared_depth;
        [depth, self.top_depth].map(|depth| depth.saturating_sub(shared).into())
    }

    /// The score of the element that holds a node of the view.
    pub fn holder(&self, v: u32) -> u32 {
        self.holders[v as usize]
    }
}

/// What an element begins with.
fn points_of_tag(tag: Tag) -> f32 {
    match tag {
        Tag::DIV => 5.0,
        Tag::PRE | Tag::TD | Tag::BLOCKQUOTE => 3.0,
        Tag::ADDRESS | Tag::OL | Tag::UL | Tag::DL | Tag::DD | Tag::DT | Tag::LI | Tag::FORM => -3.0,
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 | Tag::TH => -5.0,
        _ => 0.0,
    }
}

/// What its [name](super::class_hints::HINTS) adds.
fn points_of_hint(hint: u8) -> f32 {
    match hint {
        CONTENT => OF_NAME,
        _ if is_unlikely(hint) => -OF_NAME,
        _ => 0.0,
    }
}

impl BaseCounts<'_> {
    /// Words inside links in a hundred words of an element of the DOM.
    fn link_share_of_element(&self, id: NodeId) -> u32 {
        let texts = &self.view.texts;
        let end = self.page.dom().subtree_end(id);
        let [from, to] = [id, end].map(|id| texts.partition_point(|&text| text < id));
        let [words, links] = self.words_between(from, to);
        share(links, words)
    }
}

#[cfg(test)]
mod tests {
    use crate::dom::Limits;
    use crate::features::FeatureMatrix;
    use crate::features::catalogue;
    use crate::page::Page;
    use crate::view::{PageView, View};

    #[test]
    fn the_element_with_the_most_text_is_the_top_one() {
        let text =
            "The old oak fell, and the whole village came, and saw it, and went home again. ".repeat(3);
        let html = format!(
            "<body><div class=sidebar><p>{text}</p><p>{text}</p><p>{text}</p></div><div id=all><div><p>{text}</p><p>{text}</p>\
             <div>short</div></div><div><a href=x>{text}</a></div></div>"
        );
        let page = Page::parse("oak.html", None, html.as_bytes(), None, &Limits::default()).unwrap();
        let view = PageView::new(&page, View::Blocks);
        let of = |id: &str| {
            let matrix = FeatureMatrix::new(&page, &view, &[catalogue::find(id).unwrap()], None);
            let column = matrix.to_array();
            let leaves = (0..view.tree.len()).filter(|&v| view.tree.is_leaf(v as u32));
            leaves.map(|v| column[[v, 0]]).collect::<Vec<_>>()
        };
        // Three paragraphs of the sidebar, whose name keeps it out, two of the article, a short block beside, a link.
        assert_eq!(of("in-readability-top"), [0, 0, 0, 1, 1, 1, 0]);
        assert_eq!(of("near-readability-top"), [0, 0, 0, 1, 1, 1, 0]);
        assert_eq!(of("unlikely-levels"), [2, 2, 2, 0, 0, 0, 0]);
        assert_eq!(of("readability-levels-down"), [2, 2, 2, 0, 0, 0, 1]);
        // 5 for the div; twice a point for the text, nine for commas, two for 234 characters; the links have no score left.
        let holders = of("holder-readability");
        assert_eq!(holders[3], holders[4]);
        assert_eq!((holders[0], holders[6]), (0, holders[6]));
        let best = of("readability-share");
        assert_eq!(&best[3..6], [100, 100, 100]);
        assert!(best[0] < 60 && best[6] < 100, "{best:?}");
    }

    #[test]
    fn a_page_without_long_text_has_no_top_element() {
        let page = Page::parse("a.html", None, b"<p>a</p><p>b</p>", None, &Limits::default()).unwrap();
        let view = PageView::new(&page, View::Blocks);
        for id in ["in-readability-top", "readability-share", "holder-readability"] {
            let matrix = FeatureMatrix::new(&page, &view, &[catalogue::find(id).unwrap()], None);
            assert!(matrix.to_array().iter().all(|&value| value == 0), "{id}");
        }
    }
}
