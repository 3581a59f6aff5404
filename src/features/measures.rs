//! `Measures`: the counts of a page that its features share, each made once, when first asked for.

use std::cell::OnceCell;

use super::counts::base::BaseCounts;
use super::counts::class_hints::class_hints;
use super::counts::class_names::ClassNames;
use super::counts::comments::Comments;
use super::counts::content_main::content_main;
use super::counts::elements::PageElements;
use super::counts::headings::Headings;
use super::counts::leaves::Leaves;
use super::counts::named_areas::NamedAreas;
use super::counts::page_facts::PageFacts;
use super::counts::paths::Paths;
use super::counts::readers::readers;
use super::counts::repetition::Repetition;
use super::counts::similarity::Similarity;
use super::counts::text_sums::PageTexts;
use super::counts::title_words::title_word_sums;
use super::counts::word_keys::WordKeys;
use super::spec::FeatureSpec;
use crate::layout::Layout;
use crate::page::Page;
use crate::view::PageView;

/// What is counted on a page; features are functions of it.
pub struct Measures<'a> {
    /// What every feature may read.
    pub(super) base: BaseCounts<'a>,
    /// The page's layout, for the features that need it.
    pub(super) layout: Option<&'a Layout>,
    /// The learned scores, \[score\]\[node\]; empty of what was not learned.
    pub(crate) scores: Vec<Vec<u32>>,
    // The rest is counted when first asked for.
    title_words: OnceCell<Vec<u32>>,
    class_names: OnceCell<ClassNames<'a>>,
    class_hints: OnceCell<Vec<u8>>,
    texts: OnceCell<PageTexts>,
    word_keys: OnceCell<WordKeys>,
    content_main: OnceCell<u32>,
    leaves: OnceCell<Leaves>,
    elements: OnceCell<PageElements>,
    paths: OnceCell<Paths>,
    headings: OnceCell<Headings>,
    similarity: OnceCell<Similarity>,
    repetition: OnceCell<Repetition>,
    page_facts: OnceCell<PageFacts>,
    comments: OnceCell<Comments>,
    readers: OnceCell<NamedAreas>,
}

impl<'a> Measures<'a> {
    /// Counts a page. Linear in the page.
    pub fn new(page: &'a Page, view: &'a PageView, layout: Option<&'a Layout>) -> Self {
        Measures {
            base: BaseCounts::new(page, view),
            layout,
            scores: Vec::new(),
            title_words: OnceCell::new(),
            class_names: OnceCell::new(),
            class_hints: OnceCell::new(),
            texts: OnceCell::new(),
            word_keys: OnceCell::new(),
            content_main: OnceCell::new(),
            leaves: OnceCell::new(),
            elements: OnceCell::new(),
            paths: OnceCell::new(),
            headings: OnceCell::new(),
            similarity: OnceCell::new(),
            repetition: OnceCell::new(),
            page_facts: OnceCell::new(),
            comments: OnceCell::new(),
            readers: OnceCell::new(),
        }
    }

    /// The page.
    pub fn page(&self) -> &'a Page {
        self.base.page
    }

    /// The tree that the features are over.
    pub fn view(&self) -> &'a PageView {
        self.base.view
    }

    /// The features of the leaves alone, \[feature\]\[leaf\].
    ///
    /// # Panics
    /// If a feature has several values for a node.
    pub(crate) fn of_leaves(&self, features: &[&'static FeatureSpec]) -> Vec<Vec<u32>> {
        self.columns(features, self.leaves().all())
    }

    /// The features of some nodes, \[feature\]\[node\]. Each family is filled once.
    ///
    /// # Panics
    /// If a feature has several values for a node.
    pub(crate) fn columns(&self, features: &[&'static FeatureSpec], nodes: &[u32]) -> Vec<Vec<u32>> {
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); features.len()];
        let mut left: Vec<usize> = (0..features.len()).collect();
        // A page without nodes has nothing to take the values of all of them from.
        while let Some(&first) = left.first().filter(|_| !nodes.is_empty()) {
            let fill = features[first].fill;
            let mut wanted = 0u64;
            let (own, others): (Vec<usize>, Vec<usize>) = left.iter().partition(|&&i| {
                let FeatureSpec { id, kind, place, .. } = features[i];
                assert!(!kind.has_many_values(), "'{id}' has several values for a node");
                let is_own = std::ptr::fn_addr_eq(features[i].fill, fill) && wanted >> place & 1 == 0;
                wanted |= u64::from(is_own) << place;
                is_own
            });
            let mut filled = fill(self, nodes, wanted);
            own.iter().for_each(|&i| columns[i] = std::mem::take(&mut filled[features[i].place]));
            left = others;
        }
        columns
    }

    /// All nodes of the view.
    pub(super) fn all_nodes(&self) -> Vec<u32> {
        (0..self.view().tree.len() as u32).collect()
    }

    /// Words of the node and all below.
    pub(crate) fn words_of(&self, v: u32) -> u32 {
        self.base.words_of(v)
    }

    /// The heading before a node, or the node itself.
    pub(crate) fn last_heading(&self, v: u32) -> Option<u32> {
        self.headings().last(v)
    }

    /// Words of the node that also stand in the page's title.
    pub(super) fn title_words(&self, v: u32) -> u32 {
        let sums = self
            .title_words
            .get_or_init(|| title_word_sums(self.base.page, self.base.view, self.similarity()));
        self.base.own(sums, v)
    }

    /// The words of classes and other names.
    pub(super) fn class_names(&self) -> &ClassNames<'a> {
        self.class_names.get_or_init(|| ClassNames::new(&self.base))
    }

    /// The class hint of every node of the DOM.
    pub(super) fn class_hints(&self) -> &[u8] {
        self.class_hints.get_or_init(|| class_hints(self.base.page.dom(), self.class_names()))
    }

    /// Counts of the texts.
    pub(super) fn texts(&self) -> &PageTexts {
        self.texts.get_or_init(|| PageTexts::new(&self.base))
    }

    /// The words of the page as keys.
    pub(super) fn word_keys(&self) -> &WordKeys {
        self.word_keys.get_or_init(|| WordKeys::new(self.base.page, self.base.view))
    }

    /// The main node of the long text outside navigation, asides, footers and dialogs.
    pub(super) fn content_main(&self) -> u32 {
        *self.content_main.get_or_init(|| content_main(&self.base, self.paths()))
    }

    pub(crate) fn leaves(&self) -> &Leaves {
        self.leaves.get_or_init(|| Leaves::new(&self.base))
    }

    /// What elements the parts of the page hold.
    pub(super) fn elements(&self) -> &PageElements {
        self.elements.get_or_init(|| PageElements::new(self.base.page.dom()))
    }

    pub(super) fn paths(&self) -> &Paths {
        self.paths.get_or_init(|| Paths::new(self.base.page.dom()))
    }

    pub(super) fn headings(&self) -> &Headings {
        self.headings.get_or_init(|| Headings::new(&self.base))
    }

    pub(super) fn similarity(&self) -> &Similarity {
        self.similarity.get_or_init(|| Similarity::new(&self.base, self.leaves(), self.word_keys()))
    }

    pub(super) fn repetition(&self) -> &Repetition {
        self.repetition.get_or_init(|| Repetition::new(&self.base, self.leaves(), self.word_keys()))
    }

    pub(super) fn comments(&self) -> &Comments {
        self.comments.get_or_init(|| Comments::new(&self.base, self.leaves(), self.class_names()))
    }

    pub(super) fn readers(&self) -> &NamedAreas {
        self.readers.get_or_init(|| readers(&self.base, self.leaves(), self.class_names()))
    }

    pub(super) fn page_facts(&self) -> &PageFacts {
        self.page_facts.get_or_init(|| PageFacts::new(&self.base, self.leaves()))
    }
}
