//! `TermWeights`, what each term of a page says for each of some outcomes: learned weights in hundredths of a nat.

use std::collections::BTreeMap;
use std::iter;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::token_table::TokenTable;
use crate::error::{Error, Result};
use crate::features::PageTerms;

/// Weights are written in these parts of a nat.
const PARTS: f32 = 100.0;

/// A weight as it is written.
pub(super) fn hundredths(weight: f64) -> i32 {
    (weight * f64::from(PARTS)).round() as i32
}

/// What is written, as a weight.
pub(super) fn nats(hundredths: i32) -> f32 {
    hundredths as f32 / PARTS
}

/// Weights of terms, \[term\]\[outcome\].
///
/// In JSON an object of the terms' [names](PageTerms::names) with their weights in hundredths. In a
/// [packed](crate::model::format#packed) model it is nothing: its table stands beside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TermWeights(TokenTable);

impl TermWeights {
    /// Of terms by name with weights in hundredths of a nat.
    ///
    /// # Errors
    /// [`Error::Model`] if some terms have weights for more outcomes, or for none, or one is of no list.
    pub fn new(weights: &BTreeMap<String, Vec<i32>>) -> Result<Self> {
        let fault = |problem: &str| Error::model("weights of terms", problem, "train it again");
        let lengths = weights.values().map(Vec::len);
        if lengths.clone().min() != lengths.clone().max() || lengths.min() == Some(0) {
            return Err(fault("some terms have weights for more outcomes, or for none"));
        }
        let keys: Option<Vec<u64>> = weights.keys().map(|name| PageTerms::key(name)).collect();
        let keys = keys.ok_or_else(|| fault("a term is of no list of terms"))?;
        let values: Vec<f32> = weights.values().flatten().map(|&weight| nats(weight)).collect();
        let names = weights.keys().map(String::as_str);
        Ok(TermWeights(TokenTable::named(&keys, &values, names, iter::empty())))
    }

    /// Its table, which a packed model has beside.
    pub(super) fn table_mut(&mut self) -> &mut TokenTable {
        &mut self.0
    }

    /// For how many outcomes there are weights; none without terms.
    pub fn outcomes(&self) -> Option<usize> {
        self.0.named_values().next().map(|(_, values)| values.count())
    }

    /// What the terms of a page say for each outcome, into `sums`: of each known one its value times its weight.
    pub fn sums(&self, terms: &PageTerms, sums: &mut [f32]) {
        self.0.sums(terms.values().iter().copied(), sums);
    }

    /// The names of the known terms of a page, with what each says more for one outcome than for another, the most first; of
    /// equals by name.
    pub fn evidence(&self, terms: &PageTerms, outcome: usize, other: usize) -> Vec<(&str, f32)> {
        let said = |&(key, value): &(u64, f32)| {
            let (name, weights) = self.0.named_word(key)?;
            let weights: Vec<f32> = weights.collect();
            Some((name, value * (weights[outcome] - weights[other])))
        };
        let mut evidence: Vec<(&str, f32)> = terms.values().iter().filter_map(said).collect();
        evidence.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        evidence
    }
}

impl Serialize for TermWeights {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return serializer.serialize_unit();
        }
        let written = |values: &mut dyn Iterator<Item = f32>| -> Vec<i32> {
            values.map(|value| (value * PARTS).round() as i32).collect()
        };
        serializer.collect_map(self.0.named_values().map(|(name, mut values)| (name, written(&mut values))))
    }
}

impl<'de> Deserialize<'de> for TermWeights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let weights = BTreeMap::<String, Vec<i32>>::deserialize(deserializer)?;
            return TermWeights::new(&weights).map_err(D::Error::custom);
        }
        <()>::deserialize(deserializer).map(|()| TermWeights::default())
    }
}
