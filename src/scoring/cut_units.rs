//! `CutUnits`: the code, tables, lists and other units of a page that an extraction gives out in part.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::alignment::find_text;
use crate::dom::{Dom, Tag};
use crate::index::NodeId;
use crate::page::Page;

/// A unit is given out if more than this share of its words is, and whole if less than this share is missing: line numbers, links to
/// sections and words that stand twice on a page make a difference of some words.
const LEAST_SHARE: f64 = 0.05;

/// What is given out whole or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnitKind {
    /// `pre`.
    Code,
    /// `table` with header cells and without a table inside.
    Tables,
    /// `dl`.
    DefinitionLists,
    /// `blockquote`.
    Quotations,
    /// `figure`.
    Figures,
    /// `ul`.
    Lists,
    /// `ol`.
    OrderedLists,
}

impl UnitKind {
    /// All of them, in order.
    pub const ALL: [UnitKind; 7] = [
        UnitKind::Code,
        UnitKind::Tables,
        UnitKind::DefinitionLists,
        UnitKind::Quotations,
        UnitKind::Figures,
        UnitKind::Lists,
        UnitKind::OrderedLists,
    ];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            UnitKind::Code => "code",
            UnitKind::Tables => "data tables",
            UnitKind::DefinitionLists => "definition lists",
            UnitKind::Quotations => "quotations",
            UnitKind::Figures => "figures",
            UnitKind::Lists => "lists",
            UnitKind::OrderedLists => "ordered lists",
        }
    }

    /// That of an element, of a table if it holds data.
    fn of(tag: Tag, is_data: impl FnOnce() -> bool) -> Option<UnitKind> {
        match tag {
            Tag::PRE => Some(UnitKind::Code),
            Tag::TABLE => is_data().then_some(UnitKind::Tables),
            Tag::DL => Some(UnitKind::DefinitionLists),
            Tag::BLOCKQUOTE => Some(UnitKind::Quotations),
            Tag::FIGURE => Some(UnitKind::Figures),
            Tag::UL => Some(UnitKind::Lists),
            Tag::OL => Some(UnitKind::OrderedLists),
            _ => None,
        }
    }
}

/// The units of a page of which an extraction gives out words, by kind. Of units of a kind inside each other the outermost counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CutUnits {
    /// \[given out, of these cut\]; none where there are none.
    pub by_kind: BTreeMap<UnitKind, [u64; 2]>,
}

impl CutUnits {
    /// Those of a text that was extracted from a page. Words are placed on the page by [`find_text`]; what the page hides does not count.
    ///
    /// Nothing if the text is too long to be aligned.
    ///
    /// # Cost
    /// One alignment: some ms for an ordinary page.
    pub fn new(page: &Page, extracted: &str) -> Option<CutUnits> {
        let dom = page.dom();
        let found = find_text(dom, extracted).ok()?;
        // Words given out, and all words, before each node.
        let mut before = vec![[0u64; 2]; dom.len() + 1];
        for id in dom.shown_texts().filter(|&id| !page.is_hidden(id)) {
            let (kept, all) = found.counts(id);
            before[id.index() + 1] = [u64::from(kept), u64::from(all)];
        }
        for node in 1..before.len() {
            let [kept, all] = before[node - 1];
            before[node] = [before[node][0] + kept, before[node][1] + all];
        }
        let mut units = CutUnits::default();
        let mut ends = [NodeId(0); UnitKind::ALL.len()];
        let [headers, tables] = [Tag::TH, Tag::TABLE].map(|tag| of_tag(dom, tag));
        for id in dom.ids() {
            let end = dom.subtree_end(id);
            let holds = |inner: &[NodeId]| {
                inner.get(inner.partition_point(|&inner| inner <= id)).is_some_and(|&inner| inner < end)
            };
            let kind = UnitKind::of(dom.tag(id), || holds(&headers) && !holds(&tables));
            let Some(kind) = kind.filter(|&kind| ends[kind as usize] <= id) else { continue };
            ends[kind as usize] = end;
            let [kept, all] = std::array::from_fn(|i| before[end.index()][i] - before[id.index()][i]);
            let share = kept as f64 / all.max(1) as f64;
            if share > LEAST_SHARE {
                let [given_out, cut] = units.by_kind.entry(kind).or_default();
                *given_out += 1;
                *cut += u64::from(share < 1.0 - LEAST_SHARE);
            }
        }
        Some(units)
    }
}

/// The elements of a tag, in order.
fn of_tag(dom: &Dom, tag: Tag) -> Vec<NodeId> {
    dom.ids().filter(|&id| dom.tag(id) == tag).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_whole_or_cut_or_not_given_out() {
        let html = "<p>Of the oak</p><pre>let a = 1;\nlet b = 2;</pre><pre>rm all</pre>\
                    <ul><li>one apple<li>two pears<ul><li>three plums</ul></ul><ol><li>first of all<li>second</ol>\
                    <table><tr><td>Year<td>Height</table><table><tr><th>Age<td>400</table>\
                    <ul hidden><li>nobody sees this</ul><dl><dt>oak<dd>a tree</dl><figure><figcaption>The oak</figcaption></figure>";
        let page = Page::parse("oak", None, html.as_bytes(), None, &Default::default()).unwrap();
        let text =
            "Of the oak\nlet a = 1;\nlet b = 2;\none apple\nthree plums\nsecond\nYear\nAge 400\na tree";
        let expected = [
            (UnitKind::Code, [1, 0]),
            (UnitKind::Tables, [1, 0]),
            (UnitKind::DefinitionLists, [1, 1]),
            (UnitKind::Lists, [1, 1]),
            (UnitKind::OrderedLists, [1, 1]),
        ];
        assert_eq!(CutUnits::new(&page, text).unwrap().by_kind, BTreeMap::from(expected));
        assert!(CutUnits::new(&page, "").unwrap().by_kind.is_empty());
    }
}
