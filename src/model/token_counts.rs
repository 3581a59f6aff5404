//! `TokenCounts`, how often words of a vocabulary stand inside and outside content.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::features::hash::{self, Hashed};

/// Words that were never seen of a kind count this often, divided among the two by the share of content.
const PRIOR: f64 = 4.0;

/// Counts of the words of a vocabulary. As all counts of a model they are whole and add up in any order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "BTreeMap<String, [u64; 2]>", into = "BTreeMap<String, [u64; 2]>")]
pub struct TokenCounts {
    /// Leaves outside and inside content that have the word.
    counts: BTreeMap<String, [u64; 2]>,
    /// The logarithm of the odds of content given each word, less that of all words, by [key](hash::of).
    ln_odds: LnOdds,
}

/// Floats that are functions of the counts, which alone are compared.
#[derive(Debug, Clone, Default)]
struct LnOdds(HashMap<u64, f32, Hashed>);

impl PartialEq for LnOdds {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl Eq for LnOdds {}

impl From<BTreeMap<String, [u64; 2]>> for TokenCounts {
    fn from(counts: BTreeMap<String, [u64; 2]>) -> Self {
        TokenCounts { ln_odds: ln_odds(counts.iter().map(|(word, &count)| (hash::of(word), count))), counts }
    }
}

impl From<TokenCounts> for BTreeMap<String, [u64; 2]> {
    fn from(tokens: TokenCounts) -> Self {
        tokens.counts
    }
}

/// ln of the odds of content given a word, less that of all: the Dirichlet-multinomial's predictive odds.
fn ln_odds(counts: impl Iterator<Item = (u64, [u64; 2])> + Clone) -> LnOdds {
    let [outside, inside] =
        counts.clone().fold([0u64; 2], |sums, (_, count)| [sums[0] + count[0], sums[1] + count[1]]);
    if outside == 0 || inside == 0 {
        return LnOdds::default();
    }
    let share = inside as f64 / (inside + outside) as f64;
    let ln_of_all = (share / (1.0 - share)).ln();
    let of = |[outside, inside]: [u64; 2]| {
        let odds = (inside as f64 + PRIOR * share) / (outside as f64 + PRIOR * (1.0 - share));
        (odds.ln() - ln_of_all) as f32
    };
    LnOdds(counts.map(|(key, count)| (key, of(count))).collect())
}

impl TokenCounts {
    /// Counts by key, without names: for training with a part of the pages.
    pub fn unnamed(counts: impl Iterator<Item = (u64, [u64; 2])> + Clone) -> Self {
        TokenCounts { counts: BTreeMap::new(), ln_odds: ln_odds(counts) }
    }

    /// The words with their counts, outside and inside content.
    pub fn counts(&self) -> &BTreeMap<String, [u64; 2]> {
        &self.counts
    }

    /// The sum of the logarithms of the odds over the words that are known, and how many these are.
    pub fn sum(&self, keys: &[u64]) -> (f32, u32) {
        let known = keys.iter().filter_map(|key| self.ln_odds.0.get(key));
        known.fold((0.0, 0), |(sum, n), ln_odds| (sum + ln_odds, n + 1))
    }
}
