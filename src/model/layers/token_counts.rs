//! `TokenCounts`, how often words of a vocabulary stand in leaves that scores speak for, and in others.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::token_table::TokenTable;
use crate::error::{Error, Result};
use crate::features::hash;

/// Each word counts this often beforehand, divided among the two sides as all words are.
const PRIOR: f64 = 4.0;

/// Counts of a word for each score: of leaves that the score does not speak for, and of those it does.
pub type Sides = Vec<[u64; 2]>;

/// Counts of the words of a vocabulary, and for each score the logarithm of its odds given each word, less that of all words.
/// As all counts of a model they are whole and add up in any order.
///
/// In JSON an object of words with their [`Sides`]. In a [packed](crate::model::format#packed) model it is nothing: its table
/// stands beside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenCounts(TokenTable);

impl TryFrom<BTreeMap<String, Sides>> for TokenCounts {
    type Error = Error;

    fn try_from(counts: BTreeMap<String, Sides>) -> Result<Self> {
        let lengths = counts.values().map(Vec::len);
        if lengths.clone().min() != lengths.clone().max() || lengths.min() == Some(0) {
            return Err(Error::model(
                "counts of words",
                "some words are counted for more scores, or for none",
                "train it again",
            ));
        }
        let keys: Vec<u64> = counts.keys().map(|word| hash::hash_word(word)).collect();
        let flat = counts.values().flatten().flatten().copied();
        let names = counts.keys().map(String::as_str);
        Ok(TokenCounts(TokenTable::named(&keys, &ln_odds(counts.values()), names, flat)))
    }
}

impl Serialize for TokenCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => serializer.collect_map(self.0.counts()),
            false => serializer.serialize_unit(),
        }
    }
}

impl<'de> Deserialize<'de> for TokenCounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let counts = BTreeMap::<String, Sides>::deserialize(deserializer)?;
            return TokenCounts::try_from(counts).map_err(D::Error::custom);
        }
        <()>::deserialize(deserializer).map(|()| TokenCounts::default())
    }
}

/// ln of the odds given a word, less that of all: the Dirichlet-multinomial's predictive odds. 0 for scores that speak
/// for all leaves or none.
fn ln_odds<'a>(counts: impl Iterator<Item = &'a Sides> + Clone) -> Vec<f32> {
    let mut all: Sides = Vec::new();
    for count in counts.clone() {
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
    counts.flat_map(|count| count.iter().zip(&shares)).map(of).collect()
}

impl TokenCounts {
    /// Counts by key, without names: for training with a part of the pages.
    pub fn unnamed<'a>(keys: &[u64], counts: impl Iterator<Item = &'a Sides> + Clone) -> Self {
        TokenCounts(TokenTable::new(keys, &ln_odds(counts)))
    }

    /// Its table, which a packed model has beside.
    pub(super) fn table_mut(&mut self) -> &mut TokenTable {
        &mut self.0
    }

    /// The words in order.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.0.words()
    }

    /// The sums of the logarithms of the odds of the first scores counted, over the words that are known, into `sums`; gives how
    /// many words these are.
    pub fn sums(&self, keys: &[u64], sums: &mut [f32]) -> u32 {
        self.0.sums(keys.iter().map(|&key| (key, 1.0)), sums)
    }
}
