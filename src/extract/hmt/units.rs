//! `Units`, the leaves of a page that are content together or not at all.
//!
//! Code without one of its lines is wrong code, and a table without a cell is another table. So code, data tables, definition
//! lists, quotations and figures are decided as one: P(content) of a unit is the mean over its words. What lays out the
//! page, or holds sections of it, is none. A list of which most is kept is kept whole, and one of which little is kept is left out, code is
//! kept after text that is, and a heading lives as the text below it does.

use std::ops::Range;

use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;
use crate::model::ByType;
use crate::model::decision::LeafChance;
use crate::view::{PageView, ViewNode};

/// What a table, a quotation or a figure holds that is one unit, as a share of the words of the page, at most.
const MOST_OF_PAGE: f64 = 0.7;
/// A list is kept whole if at least this share of its words is kept, and left out below the second: one of plain items, one of blocks of
/// few words, such as facts and links with icons, and one of longer blocks, such as posts and teasers. Chosen by F1 and by what is cut on
/// seven corpora, six of them left out of training.
const PLAIN_ITEMS: [f64; 2] = [0.5, 0.5];
const SHORT_BLOCKS: [f64; 2] = [0.5, 0.3];
const LONG_BLOCKS: [f64; 2] = [0.9, 0.2];
/// Blocks of at most so many words, in the mean over the items of a list, are short.
const SHORT_WORDS: f64 = 25.0;
/// Fewer words below a heading are no text: lists of headings have a line or an image below each.
const LEAST_TEXT: f64 = 15.0;

/// The leaves that are decided together.
#[derive(Debug, Default)]
pub struct Units {
    /// For each unit, the leaves of one decision; a leaf in none is one by itself.
    units: Vec<Range<usize>>,
    /// Lists, each before those inside.
    lists: Vec<List>,
    /// Code with the leaf that it follows in the same element.
    code: Vec<(usize, Range<usize>)>,
    /// Headings with what stands below them.
    sections: Vec<Section>,
}

/// A list, and the shares of its words from which on it is kept whole, and below which it is left out.
#[derive(Debug)]
struct List {
    leaves: Range<usize>,
    shares: [f64; 2],
}

/// A heading and the leaves up to the next one of its level or above.
#[derive(Debug)]
struct Section {
    heading: Range<usize>,
    level: u8,
    body: Range<usize>,
}

/// What stands in an element.
#[derive(Debug, Clone, Copy, Default)]
struct Inside {
    table: bool,
    header_cell: bool,
    heading: bool,
    /// A form, or a part of the page with a name of its own.
    section: bool,
    /// An element that no plain list holds.
    block: bool,
}

impl Units {
    /// The units of a page. Linear in the page, but for a search among its leaves for each element that may be a unit.
    pub fn of(dom: &Dom, view: &PageView) -> Units {
        let inside = inside(dom);
        let leaves: Vec<&ViewNode> = view.text_leaves().collect();
        // The words before each leaf, and of all.
        let mut before = vec![0u32];
        for (leaf, node) in leaves.iter().enumerate() {
            before.push(before[leaf] + view.words_of(node).iter().sum::<u32>());
        }
        let most = MOST_OF_PAGE * f64::from(before[leaves.len()]);
        let first_leaf = |id: NodeId| leaves.partition_point(|node| view.texts_of(node)[0] < id);
        let mut units = Units { sections: sections(dom, leaves.len(), first_leaf), ..Units::default() };
        let mut next = 1;
        while (next as usize) < dom.len() {
            let id = NodeId(next);
            next += 1;
            let tag = dom.tag(id);
            let Inside { table, header_cell, heading, section, block } = inside[id.index()];
            let is_unit = match tag {
                Tag::PRE => true,
                Tag::TABLE => header_cell && !table && !section,
                Tag::DL => !table && !section,
                Tag::BLOCKQUOTE => !table && !section && !heading,
                Tag::FIGURE => !section,
                _ => false,
            };
            let is_list = matches!(tag, Tag::UL | Tag::OL);
            if !is_unit && !is_list {
                continue;
            }
            let end = dom.subtree_end(id);
            let range = first_leaf(id)..first_leaf(end);
            if tag == Tag::PRE
                && !range.is_empty()
                && let Some(followed) = followed_by_code(dom, view, id, &leaves[..range.start])
            {
                units.code.push((followed, range.clone()));
            }
            let words = f64::from(before[range.end] - before[range.start]);
            if is_list && (block || section || heading) {
                // What stands in it may be a unit or a list too.
                let items = dom.children(id).filter(|&item| dom.tag(item) == Tag::LI).count();
                let is_short = words <= SHORT_WORDS * items as f64;
                let shares = if is_short { SHORT_BLOCKS } else { LONG_BLOCKS };
                units.lists.push(List { leaves: range, shares });
            } else if range.len() >= 2 && (tag == Tag::PRE || words <= most) {
                match is_unit {
                    true => units.units.push(range),
                    false => units.lists.push(List { leaves: range, shares: PLAIN_ITEMS }),
                }
                next = end.0;
            }
        }
        units
    }

    /// What each decision is about, from the words of the leaves and P(content) of each.
    pub fn chances(&self, words: &[f64], of_leaves: &[f64]) -> Vec<LeafChance> {
        let chances = self.means(words, of_leaves).into_iter().zip(self.sums(words));
        chances.map(|(content, words)| LeafChance { content, words }).collect()
    }

    /// P(content) of each decision given each type of the page, from that of the leaves.
    pub fn by_type(&self, words: &[f64], by_type: &[(f64, Vec<f64>)]) -> ByType<Vec<f64>> {
        by_type.iter().map(|(p, of_leaves)| (*p, self.means(words, of_leaves))).collect()
    }

    /// For each decision its leaves, of so many.
    pub fn decisions(&self, n_leaves: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut units = self.units.iter().peekable();
        let mut next = 0;
        std::iter::from_fn(move || {
            if next == n_leaves {
                return None;
            }
            let unit = units.next_if(|unit| unit.start == next).cloned().unwrap_or(next..next + 1);
            next = unit.end;
            Some(unit)
        })
    }

    /// The sums over the leaves of each decision.
    pub fn sums(&self, of_leaves: &[f64]) -> Vec<f64> {
        self.decisions(of_leaves.len()).map(|unit| of_leaves[unit].iter().sum()).collect()
    }

    /// The means over the words of each decision.
    fn means(&self, words: &[f64], of_leaves: &[f64]) -> Vec<f64> {
        let mean = |unit: Range<usize>| {
            let all: f64 = words[unit.clone()].iter().sum();
            let sum: f64 = unit.clone().map(|leaf| words[leaf] * of_leaves[leaf]).sum();
            if unit.len() == 1 || all == 0.0 { of_leaves[unit.start] } else { sum / all }
        };
        self.decisions(of_leaves.len()).map(mean).collect()
    }

    /// What was decided, for each leaf: for lists, code and headings with what is decided around them, unless nothing is kept then.
    pub fn leaves(&self, words: &[f64], decided: &[bool]) -> Vec<bool> {
        let mut alone = vec![false; words.len()];
        for (unit, &is_kept) in self.decisions(words.len()).zip(decided) {
            alone[unit].fill(is_kept);
        }
        let together = self.together(words, alone.clone());
        if together.contains(&true) { together } else { alone }
    }

    fn together(&self, words: &[f64], mut leaves: Vec<bool>) -> Vec<bool> {
        // From the inside out.
        for List { leaves: list, shares: [least, most_left_out] } in self.lists.iter().rev() {
            let all: f64 = words[list.clone()].iter().sum();
            let kept: f64 = list.clone().filter(|&leaf| leaves[leaf]).map(|leaf| words[leaf]).sum();
            let is_kept = kept > 0.0 && kept >= least * all;
            if is_kept || kept < most_left_out * all {
                leaves[list.clone()].fill(is_kept);
            }
        }
        // In order, so that code after code is kept too.
        for (followed, code) in &self.code {
            if leaves[*followed] {
                leaves[code.clone()].fill(true);
            }
        }
        self.decide_headings(words, &mut leaves);
        leaves
    }

    /// Keeps a heading whose text begins with what is kept, and is kept for the most part, and leaves one out below which a text is and
    /// nothing of it is kept. Of the first level it is the headline, which is decided apart.
    fn decide_headings(&self, words: &[f64], leaves: &mut [bool]) {
        let mut is_heading = vec![false; leaves.len()];
        self.sections.iter().for_each(|section| is_heading[section.heading.clone()].fill(true));
        for Section { heading, level, body } in &self.sections {
            let text = || body.clone().filter(|&leaf| !is_heading[leaf]);
            let all: f64 = text().map(|leaf| words[leaf]).sum();
            let kept: f64 = text().filter(|&leaf| leaves[leaf]).map(|leaf| words[leaf]).sum();
            if kept == 0.0 && all >= LEAST_TEXT {
                leaves[heading.clone()].fill(false);
            } else if *level > 1 && 2.0 * kept >= all && text().next().is_some_and(|leaf| leaves[leaf]) {
                leaves[heading.clone()].fill(true);
            }
        }
    }
}

/// The last of the leaves before some code, if it stands in an element around the code, at most so many levels up. What
/// names the language beside the code is passed over.
fn followed_by_code(dom: &Dom, view: &PageView, code: NodeId, before: &[&ViewNode]) -> Option<usize> {
    const LEVELS: usize = 3;
    let parent = dom.parent(code)?;
    let first_text = |leaf: usize| view.texts_of(before[leaf])[0];
    let is_label =
        |leaf: usize| first_text(leaf) > parent && view.words_of(before[leaf]).iter().sum::<u32>() <= 2;
    let followed = (0..before.len()).rev().take(2).find(|&leaf| !is_label(leaf))?;
    let is_part =
        |id: &NodeId| dom.kind(*id) == NodeKind::Element && !matches!(dom.tag(*id), Tag::BODY | Tag::HTML);
    let mut around = dom.ancestors(code).take(LEVELS).filter(is_part);
    around.any(|around| around < first_text(followed)).then_some(followed)
}

/// The headings of a page with their sections; each leaf is in six at most.
fn sections(dom: &Dom, n_leaves: usize, first_leaf: impl Fn(NodeId) -> usize) -> Vec<Section> {
    let headings = dom.ids().filter_map(|id| Some((id, dom.tag(id).heading_level()?)));
    let range = |id: NodeId| first_leaf(id)..first_leaf(dom.subtree_end(id));
    let headings: Vec<(Range<usize>, u8)> =
        headings.map(|(id, level)| (range(id), level)).filter(|(range, _)| !range.is_empty()).collect();
    let mut sections = Vec::new();
    for (number, (heading, level)) in headings.iter().enumerate() {
        let next = headings[number + 1..].iter().find(|(_, next)| next <= level);
        let end = next.map_or(n_leaves, |(next, _)| next.start);
        let body = heading.end..end.max(heading.end);
        sections.push(Section { heading: heading.clone(), level: *level, body });
    }
    sections
}

/// For each node, what stands below it.
fn inside(dom: &Dom) -> Vec<Inside> {
    let mut inside = vec![Inside::default(); dom.len()];
    for id in dom.ids().rev().filter(|&id| dom.kind(id) == NodeKind::Element) {
        let Some(parent) = dom.parent(id) else { continue };
        let tag = dom.tag(id);
        let own = inside[id.index()];
        let above = &mut inside[parent.index()];
        above.table |= own.table || tag == Tag::TABLE;
        above.header_cell |= (own.header_cell || tag == Tag::TH) && tag != Tag::TABLE;
        above.heading |= own.heading || tag.heading_level().is_some();
        above.section |= own.section
            || matches!(tag, Tag::FORM | Tag::ARTICLE | Tag::SECTION | Tag::NAV | Tag::HEADER | Tag::FOOTER);
        let is_of_list = matches!(tag, Tag::LI | Tag::UL | Tag::OL | Tag::P);
        above.block |= own.block || tag.is_block() && !is_of_list;
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;
    use crate::view::View;

    fn units(html: &str) -> (Vec<String>, Units) {
        let page = Page::parse("p", None, html.as_bytes(), Some("utf-8"), &Default::default()).unwrap();
        let view = PageView::new(&page, View::Blocks);
        let text = |node: &ViewNode| -> String {
            view.texts_of(node).iter().map(|&id| page.dom().text(id).trim()).collect()
        };
        (view.text_leaves().map(text).collect(), Units::of(page.dom(), &view))
    }

    /// The texts of each unit, and of each list of plain items.
    fn texts(html: &str) -> [Vec<String>; 2] {
        let (leaves, units) = units(&format!("<p>{}</p>{html}", "long text ".repeat(50)));
        let plain = units.lists.into_iter().filter(|list| list.shares == PLAIN_ITEMS);
        [units.units, plain.map(|list| list.leaves).collect()]
            .map(|ranges| ranges.into_iter().map(|range| leaves[range].concat()).collect())
    }

    #[test]
    fn code_tables_definitions_quotations_and_figures_are_units() {
        for html in [
            "<pre><div>a</div><div>b</div></pre>",
            "<table><tr><th>a<th>b</table>",
            "<dl><dt>a<dd>b</dl>",
            "<dl><dt><h3>a</h3><dd>b</dl>",
            "<blockquote><p>a<p>b</blockquote>",
            "<figure><p>a</p><figcaption>b</figcaption></figure>",
            "<blockquote><pre><div>a</div><div>b</div></pre></blockquote>",
            "<div><figure><table><tr><th>a<th>b</table></figure></div>",
        ] {
            assert_eq!(texts(html), [vec!["ab".to_owned()], vec![]], "{html}");
        }
        assert_eq!(texts("<ul><li>a<li>b</ul>"), [vec![], vec!["ab".to_owned()]]);
        // What lays out the page, holds a section or a single leaf is none, and what stands in it may be one.
        for html in [
            "<table><tr><td>a<td>b</table>",
            "<table><tr><th>a<td><table><tr><td>b</table></table>",
            "<blockquote><h2>a</h2><p>b</blockquote>",
            "<figure><form>a<p>b</form></figure>",
            "<ul><li><h3>a</h3>b</ul>",
            "<pre>a\nb</pre>",
            "<ul><li>a<div>b</div></ul>",
        ] {
            assert_eq!(texts(html), [Vec::<String>::new(), vec![]], "{html}");
        }
        let outer = texts("<table><tr><td>x<td><table><tr><th>a<th>b</table></table>");
        assert_eq!(outer, [vec!["ab".to_owned()], vec![]]);
    }

    #[test]
    fn a_quotation_that_is_most_of_the_page_is_no_unit() {
        let (_, units) = units("<p>a</p><blockquote><p>long text of the page<p>and more of it</blockquote>");
        assert!(units.units.is_empty());
    }

    #[test]
    fn a_unit_has_one_decision_and_a_list_is_kept_whole_if_most_is_kept() {
        let alone = |range| std::iter::once(range).collect();
        let list = List { leaves: 3..6, shares: PLAIN_ITEMS };
        let units = Units { units: alone(1..3), lists: vec![list], ..Units::default() };
        let words = [1.0, 1.0, 3.0, 2.0, 2.0, 2.0];
        assert_eq!(units.means(&words, &[0.5, 0.25, 0.5, 0.1, 0.2, 0.3]), [0.5, 0.4375, 0.1, 0.2, 0.3]);
        assert_eq!(units.sums(&words), [1.0, 4.0, 2.0, 2.0, 2.0]);
        let most = units.leaves(&words, &[false, true, true, false, true]);
        assert_eq!(most, [false, true, true, true, true, true]);
        // Alone on the page, a part of a list is better than nothing.
        let part = units.leaves(&words, &[false, false, true, false, false]);
        assert_eq!(part, [false, false, false, true, false, false]);
        let least = units.leaves(&words, &[true, false, true, false, false]);
        assert_eq!(least, [true, false, false, false, false, false]);
        // Words that are none weigh nothing.
        assert_eq!(units.means(&[0.0; 6], &[0.5, 0.2, 0.6, 0.1, 0.2, 0.3])[1], 0.2);
    }

    #[test]
    fn a_list_of_blocks_is_kept_whole_or_left_out_by_how_long_they_are() {
        let list = |words: usize| {
            let item = format!("<li><div>{}</div>", "word ".repeat(words));
            units(&format!("<p>kept</p><ul>{}</ul>", item.repeat(10))).1
        };
        let of_ten = |units: &Units, kept: usize| -> usize {
            let decided: Vec<bool> = (0..11).map(|leaf| leaf <= kept).collect();
            units.leaves(&[1.0; 11], &decided)[1..].iter().filter(|&&kept| kept).count()
        };
        let (short, long) = (list(25), list(26));
        assert_eq!([2, 3, 4, 5].map(|kept| of_ten(&short, kept)), [0, 3, 4, 10]);
        assert_eq!([1, 2, 5, 8, 9].map(|kept| of_ten(&long, kept)), [0, 2, 5, 8, 10]);
        // A list in a list is decided first.
        let (_, nested) = units("<ul><li><div>a</div><li><div>b</div><li><ul><li>c<li>d<li>e</ul></ul>");
        assert_eq!(nested.leaves(&[1.0; 5], &[false, false, true, true, false]), [true; 5]);
    }

    #[test]
    fn code_is_kept_after_text_that_is() {
        let (leaves, units) = units(
            "<main><p>This is how it is run<div class=code><span>sh</span><pre>ls</pre></div><div><div><pre>cd</pre></div></div></main><pre>rm</pre>",
        );
        assert_eq!(leaves, ["This is how it is run", "sh", "ls", "cd", "rm"]);
        let decide = |decided: [bool; 5]| units.leaves(&[6.0, 1.0, 1.0, 1.0, 1.0], &decided);
        assert_eq!(decide([true, false, false, false, false]), [true, false, true, true, false]);
        assert_eq!(decide([false, false, false, true, false]), [false, false, false, true, false]);
    }

    #[test]
    fn a_heading_lives_as_the_text_below_it_does() {
        let text = "words that say something of the oak and of the storm ".repeat(2);
        let (leaves, units) = units(&format!(
            "<h1>Title</h1><p>{text}<h2>Kept</h2><p>{text}<h3>Inner</h3><p>{text}<h2>Left out</h2><p>{text}<h2>Entry</h2><p>a line<h2>End</h2>"
        ));
        let words: Vec<f64> = leaves.iter().map(|leaf| leaf.split_whitespace().count() as f64).collect();
        let decide = |kept: &[usize]| {
            let decided: Vec<bool> = (0..leaves.len()).map(|leaf| kept.contains(&leaf)).collect();
            let leaves = units.leaves(&words, &decided);
            (0..leaves.len()).filter(|&leaf| leaves[leaf]).collect::<Vec<_>>()
        };
        assert_eq!(leaves.len(), 11);
        // Of headings between kept text both are kept, of the first level none, and one without its text is not.
        assert_eq!(decide(&[1, 3, 5, 6, 8]), [1, 2, 3, 4, 5, 8]);
        assert_eq!(decide(&[0, 2, 4, 6, 8, 10]), [8, 10]);
        // Less than half of a section, or not its beginning.
        assert_eq!(decide(&[1, 5]), [1, 4, 5]);
    }
}
