//! `Faults`: the words that an extraction keeps and should not, and those that it misses, by what their blocks are.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::alignment::find_text;
use crate::dom::{Dom, NodeKind, Tag};
use crate::features::{class_words, names_comments};
use crate::index::NodeId;
use crate::page::Page;
use crate::view::{PageView, View};

/// What a block of a page is by its markup alone: the first of these that it is. It says where a fault stands, and is no
/// measure of content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultBlockKind {
    /// In an element whose class or id names comments.
    Comments,
    /// In a caption of a figure.
    Captions,
    /// In an `aside`, or an element whose class or id names what else there is to read.
    Teasers,
    /// In `nav`, or half of its words or more in links.
    Navigation,
    /// In a `footer`, or an element whose class or id names one, a copyright or a question about cookies.
    Footer,
    /// Short, and marked as author, date or such.
    Byline,
    /// In `h1` to `h6`.
    Headings,
    /// In a list.
    Lists,
    /// In a table.
    Tables,
    /// Any other block.
    Text,
}

impl FaultBlockKind {
    /// All of them, in order.
    pub const ALL: [FaultBlockKind; 10] = [
        FaultBlockKind::Comments,
        FaultBlockKind::Captions,
        FaultBlockKind::Teasers,
        FaultBlockKind::Navigation,
        FaultBlockKind::Footer,
        FaultBlockKind::Byline,
        FaultBlockKind::Headings,
        FaultBlockKind::Lists,
        FaultBlockKind::Tables,
        FaultBlockKind::Text,
    ];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            FaultBlockKind::Comments => "comments",
            FaultBlockKind::Captions => "captions",
            FaultBlockKind::Teasers => "teasers",
            FaultBlockKind::Navigation => "navigation",
            FaultBlockKind::Footer => "footer",
            FaultBlockKind::Byline => "by-line",
            FaultBlockKind::Headings => "headings",
            FaultBlockKind::Lists => "lists",
            FaultBlockKind::Tables => "tables",
            FaultBlockKind::Text => "other text",
        }
    }
}

const TEASERS: &[&str] = &[
    "related",
    "teaser",
    "recommend",
    "recommended",
    "popular",
    "promo",
    "trending",
    "latest",
    "sidebar",
    "widget",
    "more",
    "readmore",
    "newsletter",
    "mostread",
];
const FOOTERS: &[&str] = &["footer", "copyright", "cookie", "cookies", "disclaimer", "legal", "imprint"];
const BYLINES: &[&str] =
    &["byline", "author", "date", "posted", "published", "meta", "timestamp", "dateline", "time"];
/// The most words of a by-line.
const BYLINE_WORDS: u32 = 15;

/// The words of an extraction that are not in the reference text, and those of the reference that are not in the extraction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// Words kept and words of the reference text, added up: the denominator of F1.
    pub words: u64,
    /// By the blocks' kinds, \[words wrongly kept, words missed\]; none where there are none.
    pub by_kind: BTreeMap<FaultBlockKind, [u64; 2]>,
}

impl Faults {
    /// The faults of a text that was extracted from a page, against the reference text. Words are placed on the page by
    /// [`find_text`]: those that stand nowhere on it are in no kind.
    ///
    /// Nothing if a text is too long to be aligned.
    ///
    /// # Cost
    /// Two alignments: some ms for an ordinary page.
    pub fn new(page: &Page, extracted: &str, reference: &str) -> Option<Faults> {
        let dom = page.dom();
        let (kept, wanted) = (find_text(dom, extracted).ok()?, find_text(dom, reference).ok()?);
        let mut faults =
            Faults { words: kept.text_tokens().1 + wanted.text_tokens().1, by_kind: BTreeMap::new() };
        let view = PageView::new(page, View::Blocks);
        for node in view.text_leaves() {
            let (mut of_block, mut in_links, mut faulty) = (0, 0, [0, 0]);
            for &id in view.texts_of(node) {
                let ((kept, all), (wanted, _)) = (kept.counts(id), wanted.counts(id));
                of_block += all;
                if dom.ancestors(id).any(|above| dom.tag(above) == Tag::A) {
                    in_links += all;
                }
                faulty[0] += u64::from(kept.saturating_sub(wanted));
                faulty[1] += u64::from(wanted.saturating_sub(kept));
            }
            if faulty != [0, 0] {
                let sum = faults.by_kind.entry(kind_of(dom, node.node, of_block, in_links)).or_default();
                *sum = [sum[0] + faulty[0], sum[1] + faulty[1]];
            }
        }
        Some(faults)
    }

    /// What the faults of a kind cost, \[wrongly kept, missed\], as parts of 1 - F1.
    pub fn cost(&self, kind: FaultBlockKind) -> [f64; 2] {
        let words = self.words.max(1) as f64;
        self.by_kind.get(&kind).map_or([0.0; 2], |faulty| faulty.map(|n| n as f64 / words))
    }

    /// The kind that costs most, and whether by words wrongly kept; none without faults.
    pub fn main(&self) -> Option<(FaultBlockKind, bool)> {
        let all = self
            .by_kind
            .iter()
            .flat_map(|(&kind, [kept, missed])| [(*kept, (kind, true)), (*missed, (kind, false))]);
        // The first of equals.
        all.rev().max_by_key(|(words, _)| *words).filter(|(words, _)| *words > 0).map(|(_, fault)| fault)
    }
}

/// What a block is; `element` is the block's own, or the text itself.
fn kind_of(dom: &Dom, element: NodeId, words: u32, in_links: u32) -> FaultBlockKind {
    let around: Vec<NodeId> = std::iter::once(element)
        .chain(dom.ancestors(element))
        .filter(|&id| dom.kind(id) == NodeKind::Element && !matches!(dom.tag(id), Tag::HTML | Tag::BODY))
        .collect();
    let is_in = |tags: &[Tag]| around.iter().any(|&id| tags.contains(&dom.tag(id)));
    let is_named = |names: &[&str]| {
        let is_one = |word: &str| names.iter().any(|name| word.eq_ignore_ascii_case(name));
        around.iter().any(|&id| class_words(dom, id).any(is_one))
    };
    let is_heading = around.iter().any(|&id| dom.tag(id).heading_level().is_some());
    let kinds = [
        (FaultBlockKind::Comments, around.iter().any(|&id| names_comments(dom, id))),
        (FaultBlockKind::Captions, is_in(&[Tag::FIGCAPTION]) || is_named(&["caption", "figcaption"])),
        (FaultBlockKind::Teasers, is_in(&[Tag::ASIDE]) || is_named(TEASERS)),
        (FaultBlockKind::Navigation, is_in(&[Tag::NAV]) || 2 * in_links >= words.max(1)),
        (FaultBlockKind::Footer, is_in(&[Tag::FOOTER]) || is_named(FOOTERS)),
        (
            FaultBlockKind::Byline,
            words <= BYLINE_WORDS && (is_in(&[Tag::TIME, Tag::ADDRESS]) || is_named(BYLINES)),
        ),
        (FaultBlockKind::Headings, is_heading),
        (FaultBlockKind::Lists, is_in(&[Tag::LI, Tag::DD, Tag::DT])),
        (FaultBlockKind::Tables, is_in(&[Tag::TD, Tag::TH])),
    ];
    kinds.into_iter().find(|(_, is_it)| *is_it).map_or(FaultBlockKind::Text, |(kind, _)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wrong_word_is_counted_once_under_the_kind_of_its_block() {
        let html = "<h1>An oak</h1><p class=byline>By Ann Ash<p>It fell in the night.<p>Nobody was hurt.\
                    <figure><figcaption>The oak before</figcaption></figure><ul><li>a long list of things</ul>\
                    <div id=comments><p>Such a pity</div><aside><p>Also here</aside><p><a href=x>All news</a>\
                    <footer><p>All rights reserved</footer><table><tr><td>Age<td>400</table>";
        let page = Page::parse("oak", None, html.as_bytes(), None, &Default::default()).unwrap();
        let everything: String =
            page.dom().shown_texts().map(|id| page.dom().text(id).to_owned() + "\n").collect();
        let faults = Faults::new(&page, &everything, "It fell in the night.\nNobody was hurt.").unwrap();
        let kept = |words: u64| [words, 0];
        let expected = [
            (FaultBlockKind::Comments, kept(3)),
            (FaultBlockKind::Captions, kept(3)),
            (FaultBlockKind::Teasers, kept(2)),
            (FaultBlockKind::Navigation, kept(2)),
            (FaultBlockKind::Footer, kept(3)),
            (FaultBlockKind::Byline, kept(3)),
            (FaultBlockKind::Headings, kept(2)),
            (FaultBlockKind::Lists, kept(5)),
            (FaultBlockKind::Tables, kept(2)),
        ];
        assert_eq!(faults.by_kind, BTreeMap::from(expected));
        assert_eq!(faults.words, 25 + 8 + 8);
        assert_eq!(faults.main(), Some((FaultBlockKind::Lists, true)));
        // The costs of a page add up to what its F1 lacks.
        let lost: f64 = FaultBlockKind::ALL.iter().flat_map(|&kind| faults.cost(kind)).sum();
        let f1 = 2.0 * 8.0 / (33.0 + 8.0);
        assert!((lost - (1.0 - f1)).abs() < 1e-12, "{lost}");
        let missed =
            Faults::new(&page, "Nobody was hurt.", "It fell in the night.\nNobody was hurt.").unwrap();
        assert_eq!(missed.by_kind, BTreeMap::from([(FaultBlockKind::Text, [0, 5])]));
        assert_eq!(missed.main(), Some((FaultBlockKind::Text, false)));
        let none = Faults::new(&page, "Nobody was hurt.", "Nobody was hurt.").unwrap();
        assert_eq!((none.main(), none.words), (None, 6));
        // What stands nowhere on the page has no kind.
        assert!(Faults::new(&page, "Something else", "").unwrap().by_kind.is_empty());
    }
}
