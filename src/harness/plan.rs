//! Which page trains and which tests, in every part of every split.

use super::config::Split;
use crate::dataset::split::{folds_by_host, random_splits};
use crate::error::Result;

/// One part of a split: a fold, or one random division.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The split's id.
    pub split: String,
    /// The part's number in the split, from 0.
    pub number: usize,
    /// For each page whether it trains; the others test.
    pub trains: Vec<bool>,
}

impl Part {
    /// The test pages.
    pub fn test_pages(&self) -> impl Iterator<Item = usize> {
        self.trains.iter().enumerate().filter(|&(_, &trains)| !trains).map(|(page, _)| page)
    }
}

/// The parts of all splits, in order. `hosts` has the host of each page.
///
/// # Errors
/// As [`folds_by_host`] and [`random_splits`].
pub fn parts(splits: &[Split], hosts: &[String], seed: u64) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    for split in splits {
        let divisions: Vec<Vec<bool>> = match split {
            Split::FoldsByHost { folds, .. } => {
                let fold_of = folds_by_host(hosts, *folds, seed)?;
                (0..*folds).map(|fold| fold_of.iter().map(|&other| other != fold).collect()).collect()
            }
            Split::Random { train_share, repeats, .. } => {
                random_splits(hosts.len(), *train_share, *repeats, seed)?
            }
            Split::AllPages { .. } => vec![vec![false; hosts.len()]],
        };
        parts.extend(divisions.into_iter().enumerate().map(|(number, trains)| Part {
            split: split.id().to_owned(),
            number,
            trains,
        }));
    }
    Ok(parts)
}
