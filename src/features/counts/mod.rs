//! `Counts`, what is counted on a page before any feature.
//!
//! Each takes what it is made of as arguments, so that imports show the order: the one [`walk`] over the DOM, `base`, then
//! leaves and words, then what is compared with them.

pub mod base;
pub mod class_hints;
pub mod class_names;
pub mod comments;
pub mod content_main;
pub mod elements;
pub mod headings;
pub mod leaves;
pub mod linked_data;
pub mod name_finder;
pub mod named_areas;
pub mod page_kind;
pub mod paths;
pub mod readability;
pub mod repetition;
pub mod similarity;
pub mod text_sums;
pub mod times;
mod tree_places;
pub mod walk;
pub mod word_keys;

use base::BaseCounts;
use headings::Headings;
use leaves::Leaves;
use named_areas::NamedAreas;
use readability::Readability;
use repetition::Repetition;
use similarity::Similarity;
use text_sums::PageTexts;
use walk::DomWalk;
use word_keys::WordKeys;

/// The most words of a text that may name what stands below it.
const HEADING_WORDS: u32 = 8;

/// What a page holds beside its base counts.
pub struct Counts {
    pub leaves: Leaves,
    pub texts: PageTexts,
    pub word_keys: WordKeys,
    pub similarity: Similarity,
    pub repetition: Repetition,
    pub headings: Headings,
    /// Dates and times in the leaves before each, and on the whole page.
    times: Vec<u32>,
    /// Elements named after readers' comments, and short texts that name them.
    pub comments: NamedAreas,
    pub readability: Readability,
    /// The main node of the long text outside navigation, asides, footers and dialogs.
    pub content_main: u32,
    /// What og:type calls the page, and what its JSON-LD is about.
    pub page_kind: [u32; 2],
}

impl Counts {
    /// Counts a page. Linear in it.
    pub fn new(base: &BaseCounts<'_>, walk: &DomWalk<'_>) -> Self {
        let (dom, view) = (base.page.dom(), base.view);
        let leaves = Leaves::new(base);
        let texts = PageTexts::new(base, walk);
        let word_keys = WordKeys::new(base.page, view);
        let similarity = Similarity::new(base, &leaves, &word_keys, &walk.head);
        let names_comments = |v: &u32| {
            let texts = view.texts_of(&view.nodes[*v as usize]);
            base.words_of(*v) <= HEADING_WORDS && texts.iter().any(|&id| comments::are_named(dom.text(id)))
        };
        Counts {
            repetition: Repetition::new(base, &leaves, &word_keys),
            headings: Headings::new(base),
            times: times::time_sums(base, &leaves, &texts),
            comments: NamedAreas::new(base, &leaves, &walk.around, leaves.iter().filter(names_comments)),
            readability: Readability::new(base, &walk.around, &texts),
            content_main: content_main::content_main(base, &walk.around),
            page_kind: page_kind::page_kind(dom, &walk.head),
            leaves,
            texts,
            word_keys,
            similarity,
        }
    }

    /// Dates and times in the leaves from one place to before another.
    pub fn times(&self, from: u32, to: u32) -> u32 {
        let last = self.times.len() - 1;
        self.times[(to as usize).min(last)] - self.times[(from as usize).min(last)]
    }
}
