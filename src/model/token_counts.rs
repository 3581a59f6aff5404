//! `TokenCounts`, how often words of a vocabulary stand in leaves that scores speak for, and in others.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::features::hash::{self, Hashed};

/// Each word counts this often beforehand, divided among the two sides as all words are.
const PRIOR: f64 = 4.0;

/// Counts of a word for each score: of leaves that the score does not speak for, and of those it does.
pub type Sides = Vec<[u64; 2]>;

/// Counts of the words of a vocabulary. As all counts of a model they are whole and add up in any order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, Sides>", into = "BTreeMap<String, Sides>")]
pub struct TokenCounts {
    /// The leaves that have the word.
    counts: BTreeMap<String, Sides>,
    /// For each score the logarithm of its odds given each word, less that of all words, by [key](hash::hash_word).
    ln_odds: LnOdds,
}

/// Floats that are functions of the counts, which alone are compared.
#[derive(Debug, Clone, Default)]
struct LnOdds {
    /// The row of each word.
    rows: HashMap<u64, u32, Hashed>,
    /// The number of scores.
    scores: usize,
    /// \[row\]\[score\].
    values: Vec<f32>,
}

impl PartialEq for LnOdds {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl Eq for LnOdds {}

impl TryFrom<BTreeMap<String, Sides>> for TokenCounts {
    type Error = Error;

    fn try_from(counts: BTreeMap<String, Sides>) -> Result<Self> {
        let lengths = counts.values().map(Vec::len);
        if lengths.clone().min() != lengths.max() {
            return Err(Error::model(
                "counts of words",
                "some words are counted for more scores",
                "train it again",
            ));
        }
        Ok(TokenCounts {
            ln_odds: ln_odds(counts.iter().map(|(word, count)| (hash::hash_word(word), count))),
            counts,
        })
    }
}

impl From<TokenCounts> for BTreeMap<String, Sides> {
    fn from(tokens: TokenCounts) -> Self {
        tokens.counts
    }
}

/// ln of the odds given a word, less that of all: the Dirichlet-multinomial's predictive odds. 0 for scores that speak
/// for all leaves or none.
fn ln_odds<'a>(counts: impl Iterator<Item = (u64, &'a Sides)> + Clone) -> LnOdds {
    let mut all: Sides = Vec::new();
    for (_, count) in counts.clone() {
        all.resize(count.len(), [0; 2]);
        for (sum, &[without, with]) in all.iter_mut().zip(count) {
            *sum = [sum[0].saturating_add(without), sum[1].saturating_add(with)];
        }
    }
    // Of each score the share of leaves that it speaks for, and the logarithm of its odds.
    let shares = all.iter().map(|&[without, with]| {
        let share = with as f64 / (with as f64 + without as f64);
        (without > 0 && with > 0).then(|| (share, (share / (1.0 - share)).ln()))
    });
    let shares: Vec<Option<(f64, f64)>> = shares.collect();
    let of = |(&[without, with], share): (&[u64; 2], &Option<(f64, f64)>)| {
        share.map_or(0.0, |(share, of_all)| {
            let odds = (with as f64 + PRIOR * share) / (without as f64 + PRIOR * (1.0 - share));
            (odds.ln() - of_all) as f32
        })
    };
    let mut ln_odds = LnOdds { scores: all.len(), ..LnOdds::default() };
    for (key, count) in counts {
        // Of two words with one key the last counts.
        ln_odds.rows.insert(key, (ln_odds.values.len() / all.len().max(1)) as u32);
        ln_odds.values.extend(count.iter().zip(&shares).map(of));
    }
    ln_odds
}

impl TokenCounts {
    /// Counts by key, without names: for training with a part of the pages.
    pub fn unnamed(counts: impl Iterator<Item = (u64, Sides)>) -> Self {
        let counts: Vec<(u64, Sides)> = counts.collect();
        TokenCounts {
            counts: BTreeMap::new(),
            ln_odds: ln_odds(counts.iter().map(|(key, count)| (*key, count))),
        }
    }

    /// The words with their counts.
    pub fn counts(&self) -> &BTreeMap<String, Sides> {
        &self.counts
    }

    /// The sum of the logarithms of a score's odds over the words that are known, and how many these are. `score` is its
    /// place among those counted.
    pub fn sum(&self, keys: &[u64], score: usize) -> (f32, u32) {
        let LnOdds { rows, scores, values } = &self.ln_odds;
        if score >= *scores {
            return (0.0, 0);
        }
        let known = keys.iter().filter_map(|key| rows.get(key));
        known.fold((0.0, 0), |(sum, n), row| (sum + values[*row as usize * scores + score], n + 1))
    }
}
