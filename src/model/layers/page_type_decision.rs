//! `PageTypeDecision`, how much recall weighs against precision on pages of each type.
//!
//! The set with the largest expected F1 is best if the posterior is right. Where a page is misread as a whole it is not, and
//! how that goes wrong depends on the type of the page: of an article too much is kept as a rule, of a list of products too
//! little. So the beta of [`Decision::ExpectedF`](crate::model::Decision) is that with the largest mean F1 on the training pages of
//! the type, scored by trees that have not seen their sites (empirical risk minimisation), and a page whose type is not sure
//! has the geometric mean, by P(type).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::layer::Layer;
use super::page_type::{ByType, PageType, PageTypeProbabilities};
use crate::error::{Error, Result};
use crate::model::config::ModelConfig;
use crate::model::decision::{Decision, LeafChance};

/// The betas that are tried.
const BETAS: [f64; 9] = [0.5, 0.6, 0.7, 0.85, 1.0, 1.2, 1.4, 1.7, 2.0];
/// The fewest pages of a type, summed by their probabilities, that say something of its beta.
const LEAST_PAGES: f64 = 15.0;

/// The beta of each type of page, as a factor of the decision's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PageTypeDecision {
    betas: BTreeMap<PageType, f64>,
}

/// A page to learn from.
#[derive(Debug, Clone)]
pub struct DecidedPage {
    /// P(type).
    pub page_type: PageTypeProbabilities,
    /// What the page counts; 1 is a page.
    pub weight: f64,
    /// Whether the trees that scored it have seen no page of its corpus.
    pub is_of_other_corpus: bool,
    /// The leaves as the model sees them.
    pub leaves: Vec<LeafChance>,
    /// The same given each type, as [`Decision::content_by_type`] takes it.
    pub by_type: ByType<Vec<f64>>,
    /// The words of each leaf that are content.
    pub content: Vec<f64>,
}

impl DecidedPage {
    /// F1 of the page's words under a decision; 1 of nothing where nothing is content.
    fn f1(&self, beta: f64) -> f64 {
        let chosen = Decision::ExpectedF { beta }
            .content_by_type(&self.leaves, &self.by_type)
            .expect("it chooses leaf by leaf");
        let (mut hits, mut kept) = (0.0, 0.0);
        for ((leaf, content), is_chosen) in self.leaves.iter().zip(&self.content).zip(chosen) {
            if is_chosen {
                hits += content;
                kept += leaf.words;
            }
        }
        let all = kept + self.content.iter().sum::<f64>();
        if all == 0.0 { 1.0 } else { 2.0 * hits / all }
    }
}

impl PageTypeDecision {
    /// Learns the betas of the types that there are enough pages of; nothing if there are none. A page whose corpus has trained the
    /// trees that scored it looks surer than any page of another: where enough other pages are of a type, they decide alone.
    ///
    /// # Cost
    /// Nine decisions a page.
    pub fn learn(pages: &[DecidedPage]) -> Option<Self> {
        // Of pages whose corpora were left out, and of all.
        let mut sums = [[[0.0; BETAS.len()]; PageType::COUNT]; 2];
        let mut weights = [[0.0; PageType::COUNT]; 2];
        for page in pages {
            let f1 = BETAS.map(|beta| page.f1(beta));
            let first = usize::from(!page.is_of_other_corpus);
            for (sums, weights) in sums.iter_mut().zip(&mut weights).skip(first) {
                for (page_type, p) in page.page_type.iter().enumerate() {
                    let weight = p * page.weight;
                    weights[page_type] += weight;
                    sums[page_type].iter_mut().zip(f1).for_each(|(sum, f1)| *sum += weight * f1);
                }
            }
        }
        let best = |page_type: PageType| {
            let enough = (0..2).find(|&of| weights[of][page_type as usize] >= LEAST_PAGES)?;
            let sums = &sums[enough][page_type as usize];
            // Of equals that nearest to 1.
            let order = |i: &usize| (BETAS[*i].ln().abs() * -1e3) as i64;
            let best =
                (0..BETAS.len()).max_by(|a, b| sums[*a].total_cmp(&sums[*b]).then(order(a).cmp(&order(b))));
            Some((page_type, BETAS[best.expect("there are betas")]))
        };
        let betas: BTreeMap<PageType, f64> = PageType::ALL.into_iter().filter_map(best).collect();
        (!betas.is_empty()).then_some(PageTypeDecision { betas })
    }

    /// The betas of the types that were seen.
    #[cfg(test)]
    pub(crate) fn betas(&self) -> &BTreeMap<PageType, f64> {
        &self.betas
    }

    /// The factor of a page: the geometric mean over the types, 1 of those that were not seen.
    pub fn factor(&self, probabilities: &PageTypeProbabilities) -> f64 {
        let ln: f64 =
            self.betas.iter().map(|(&page_type, beta)| probabilities[page_type as usize] * beta.ln()).sum();
        ln.exp()
    }
}

impl Layer for PageTypeDecision {
    /// Betas are in the range of the decision's.
    fn check(&self, _: &ModelConfig) -> Result<()> {
        match self.betas.iter().find(|(_, beta)| !(0.01..=100.0).contains(*beta)) {
            None => Ok(()),
            Some((page_type, beta)) => Err(Error::usage(
                format!("page-type-decision: the beta of {} is {beta}", page_type.name()),
                "train the model again",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(page_type: PageType, chances: &[(f64, f64, f64)]) -> DecidedPage {
        let mut probabilities = [0.0; PageType::COUNT];
        probabilities[page_type as usize] = 1.0;
        DecidedPage {
            page_type: probabilities,
            weight: 1.0,
            is_of_other_corpus: false,
            leaves: chances.iter().map(|&(content, words, _)| LeafChance { content, words }).collect(),
            by_type: Vec::new(),
            content: chances.iter().map(|&(_, _, content)| content).collect(),
        }
    }

    #[test]
    fn a_type_of_which_too_much_is_kept_is_held_to_precision() {
        let article = page(PageType::Article, &[(0.9, 100.0, 100.0), (0.45, 40.0, 0.0)]);
        let listing = page(PageType::Listing, &[(0.9, 100.0, 100.0), (0.3, 100.0, 100.0)]);
        let pages: Vec<DecidedPage> = (0..30).flat_map(|_| [article.clone(), listing.clone()]).collect();
        let learned = PageTypeDecision::learn(&pages).unwrap();
        assert!(learned.betas()[&PageType::Article] < 1.0 && learned.betas()[&PageType::Listing] > 1.0);
        assert_eq!(learned.betas().len(), 2);
        assert!(learned.factor(&article.page_type) < 1.0 && learned.factor(&listing.page_type) > 1.0);
        let mut unsure = [0.0; PageType::COUNT];
        unsure[PageType::Forum as usize] = 1.0;
        assert_eq!(learned.factor(&unsure), 1.0);
        assert_eq!(PageTypeDecision::learn(&pages[..20]), None);
        learned.check(&ModelConfig::blocks()).unwrap();
        // Articles of corpora that were left out, of which too little is kept, decide where they are enough.
        let other = page(PageType::Article, &[(0.9, 100.0, 100.0), (0.3, 100.0, 100.0)]);
        let others = |n: usize| vec![DecidedPage { is_of_other_corpus: true, ..other.clone() }; n];
        let beta = |n: usize| {
            PageTypeDecision::learn(&[pages.clone(), others(n)].concat()).unwrap().betas()[&PageType::Article]
        };
        assert!(beta(10) < 1.0 && beta(15) > 1.0);
    }
}
