//! `Order`, which page is labelled next: where the model expects to be wrong, and where nothing like it was labelled yet.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};

use rand::Rng as _;
use serde::{Deserialize, Serialize};

use crate::extract::Extraction;
use crate::extract::render::{Selection, confidence};
use crate::label::LabelSet;
use crate::model::places_of_leaves;
use crate::page::Page;
use crate::rng::stream;
use crate::view::{PageView, View};

/// The order of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The page first of which the model expects the lowest F1.
    Uncertain,
    /// The page first whose words have the highest mean entropy of P(content): what experiments compare with.
    Entropy,
    /// The expected loss of a page, times the share of its words that stand in places (tags and classes) that no labelled page and no
    /// page before it has.
    Diverse,
    /// By name.
    Name,
    /// At random.
    Random,
}

/// What the order of a page depends on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PageSummary {
    /// 1 - F1 that the model expects; 1 if it expects nothing.
    pub expected_loss: f64,
    /// The mean entropy of P(content) over the words, in nats.
    pub entropy: f64,
    /// The words that stand in each place, by the place's key.
    pub words_by_place: BTreeMap<u64, u32>,
}

/// A text block as the model sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedBlock {
    /// Its path of tags and its classes, as a key.
    pub place: u64,
    /// Its words.
    pub words: u32,
}

impl PlacedBlock {
    /// The text blocks of a page in document order.
    pub fn of(page: &Page) -> Vec<PlacedBlock> {
        let view = PageView::new(page, View::Blocks);
        let leaves = places_of_leaves(page.dom(), &view).zip(view.text_leaves());
        leaves.map(|(place, leaf)| PlacedBlock { place, words: view.words_of(leaf).iter().sum() }).collect()
    }
}

impl PageSummary {
    /// The summary of a page by what a model says of it, and the F1 that it [expects](expected_f1).
    pub fn new(page: &Page, extraction: &Extraction, expected_f1: Option<f64>) -> Self {
        let blocks = PlacedBlock::of(page);
        let mut words_by_place: BTreeMap<u64, u32> = BTreeMap::new();
        blocks.iter().for_each(|block| *words_by_place.entry(block.place).or_default() += block.words);
        let all: u32 = blocks.iter().map(|block| block.words).sum();
        let entropy_of =
            |p: f64| [p, 1.0 - p].into_iter().filter(|p| *p > 0.0).map(|p| -p * p.ln()).sum::<f64>();
        let entropy = extraction.posteriors.as_ref().map_or(0.0, |posteriors| {
            let of_block = |(block, placed): (_, &PlacedBlock)| {
                let p = LabelSet::ARTICLE.probability(&posteriors[page.blocks().texts_of(block)[0]]);
                f64::from(placed.words) * entropy_of(p.min(1.0))
            };
            page.blocks().leaves().zip(&blocks).map(of_block).sum::<f64>() / f64::from(all.max(1))
        });
        let expected_loss = 1.0 - expected_f1.unwrap_or(0.0);
        PageSummary { expected_loss, entropy, words_by_place }
    }
}

/// The F1 that is expected of the article's text.
pub fn expected_f1(page: &Page, extraction: &Extraction) -> Option<f64> {
    let selection = Selection::default();
    let kept = selection.kept(page, extraction).ok()?;
    confidence(page, extraction, &selection, &kept)
}

impl Order {
    /// The numbers of the pages that are not labelled yet, in this order; of equals the first comes first. n log n in the pages, and in
    /// the worst case quadratic for [`Order::Diverse`].
    pub fn of(self, pages: &[PageSummary], is_labelled: impl Fn(usize) -> bool, seed: u64) -> Vec<usize> {
        let (labelled, mut order): (Vec<usize>, Vec<usize>) =
            (0..pages.len()).partition(|&page| is_labelled(page));
        let highest_first = |order: &mut Vec<usize>, value: fn(&PageSummary) -> f64| {
            order.sort_by(|&a, &b| value(&pages[b]).total_cmp(&value(&pages[a])));
        };
        match self {
            Order::Name => {}
            Order::Random => {
                order.sort_by_key(|&page| stream(seed, "order of pages", &[page as u64]).next_u64())
            }
            Order::Uncertain => highest_first(&mut order, |page| page.expected_loss),
            Order::Entropy => highest_first(&mut order, |page| page.entropy),
            Order::Diverse => order = diverse(pages, &labelled, &order),
        }
        order
    }
}

/// Greedy, and lazily so: a page's gain only falls as others are chosen, so that one whose gain is known to be the largest need not be
/// held against those whose gain was smaller before (Minoux 1978).
fn diverse(pages: &[PageSummary], labelled: &[usize], open: &[usize]) -> Vec<usize> {
    let mut seen: HashSet<u64> =
        labelled.iter().flat_map(|&page| pages[page].words_by_place.keys().copied()).collect();
    // By gain, then by number; with how many pages were chosen when it was computed.
    let first = |&number: &usize| (Gain(gain(&pages[number], &seen)), Reverse(number), 0);
    let mut queue: BinaryHeap<(Gain, Reverse<usize>, usize)> = open.iter().map(first).collect();
    let mut order = Vec::with_capacity(open.len());
    while let Some((_, Reverse(number), chosen)) = queue.pop() {
        if chosen == order.len() {
            seen.extend(pages[number].words_by_place.keys());
            order.push(number);
        } else {
            queue.push((Gain(gain(&pages[number], &seen)), Reverse(number), order.len()));
        }
    }
    order
}

/// The expected loss of a page times the share of its words that stand in new places.
fn gain(page: &PageSummary, seen: &HashSet<u64>) -> f64 {
    let words = |is_counted: &dyn Fn(&u64) -> bool| -> u32 {
        let counted = page.words_by_place.iter().filter(|(place, _)| is_counted(place));
        counted.map(|(_, words)| words).sum()
    };
    let (all, new) = (words(&|_| true), words(&|place| !seen.contains(place)));
    page.expected_loss * f64::from(new) / f64::from(all.max(1))
}

/// A number with a total order.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Gain(f64);

impl Eq for Gain {}

impl PartialOrd for Gain {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Gain {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::hmt::{Hmt, Inference};
    use crate::model::Model;

    fn page(expected_loss: f64, places: &[(u64, u32)]) -> PageSummary {
        let entropy = 1.0 - expected_loss;
        PageSummary { expected_loss, entropy, words_by_place: places.iter().copied().collect() }
    }

    #[test]
    fn pages_come_by_what_is_expected_of_them() {
        let pages = [
            page(0.1, &[(1, 9)]),
            page(0.5, &[(1, 9), (2, 1)]),
            page(0.4, &[(1, 9), (2, 1)]),
            page(0.2, &[(3, 5)]),
        ];
        let of = |order: Order| order.of(&pages, |_| false, 1);
        assert_eq!(of(Order::Name), [0, 1, 2, 3]);
        assert_eq!(of(Order::Uncertain), [1, 2, 3, 0]);
        assert_eq!(of(Order::Entropy), [0, 3, 2, 1]);
        // The third page has nothing that the second has not.
        assert_eq!(of(Order::Diverse), [1, 3, 0, 2]);
        let mut random = of(Order::Random);
        assert_eq!(random, of(Order::Random));
        random.sort_unstable();
        assert_eq!(random, [0, 1, 2, 3]);
        // Nor has it anything that is not labelled yet, once the second is.
        assert_eq!(Order::Diverse.of(&pages, |page| page == 1, 1), [3, 0, 2]);
        assert_eq!(Order::Uncertain.of(&pages, |page| page == 1, 1), [2, 3, 0]);
    }

    #[test]
    fn lazy_is_as_greedy_as_eager() {
        let mut rng = stream(1, "order test", &[]);
        let pages: Vec<PageSummary> = (0..40)
            .map(|_| {
                let loss = rng.next_u64() as f64 / u64::MAX as f64;
                let places: Vec<(u64, u32)> =
                    (0..5).map(|_| (rng.next_u64() % 12, 1 + (rng.next_u64() % 9) as u32)).collect();
                page(loss, &places)
            })
            .collect();
        let mut seen: HashSet<u64> = pages[7].words_by_place.keys().copied().collect();
        let mut left: Vec<usize> = (0..pages.len()).filter(|&number| number != 7).collect();
        let mut eager = Vec::new();
        while !left.is_empty() {
            let of = |number: &usize| gain(&pages[*number], &seen);
            let best = *left.iter().rev().max_by(|a, b| of(a).total_cmp(&of(b))).unwrap();
            seen.extend(pages[best].words_by_place.keys());
            left.retain(|&number| number != best);
            eager.push(best);
        }
        assert_eq!(Order::Diverse.of(&pages, |page| page == 7, 1), eager);
    }

    #[test]
    fn a_page_is_summed_up_by_what_the_model_says_of_it() {
        let html = "<ul class=menu><li>Home<li>Trees</ul><p>The oak of the village fell on Monday night.";
        let page = Page::parse("p", None, html.as_bytes(), None, &Default::default()).unwrap();
        let hmt = Hmt::new("hmt", Model::by_name("web-blocks").unwrap(), Inference::Exact).unwrap();
        let observation = hmt.model().observation(&page).unwrap();
        let extraction = hmt.extraction_of(&page, &observation).unwrap();
        let summary = PageSummary::new(&page, &extraction, expected_f1(&page, &extraction));
        let words: Vec<u32> = summary.words_by_place.values().copied().collect();
        assert_eq!(words.iter().sum::<u32>(), 11);
        // Both items stand in one place.
        assert_eq!((words.len(), words.contains(&2)), (2, true));
        let p: Vec<f64> = page
            .blocks()
            .leaves()
            .map(|block| {
                let posteriors = extraction.posteriors.as_ref().unwrap();
                LabelSet::ARTICLE.probability(&posteriors[page.blocks().texts_of(block)[0]])
            })
            .collect();
        let entropy = |p: f64| -p * p.ln() - (1.0 - p) * (1.0 - p).ln();
        let mean = (entropy(p[0]) + entropy(p[1]) + 9.0 * entropy(p[2])) / 11.0;
        assert!((summary.entropy - mean).abs() < 1e-9, "{} {mean}", summary.entropy);
        assert!((0.0..=1.0).contains(&summary.expected_loss));
    }
}
