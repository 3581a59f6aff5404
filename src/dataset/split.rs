//! Splits of a corpus into training and test pages, at random or so that no site is on both sides.

use std::collections::BTreeMap;

use rand::seq::SliceRandom;

use crate::error::{Error, Result};
use crate::plural::plural;
use crate::rng::stream;

/// The fold (0 to `k - 1`) of each document, so that no host is in two folds.
///
/// Hosts are shuffled by `seed` and dealt out, the largest first, each to the fold with the fewest documents, so
/// that folds differ by no more than the largest host that comes last.
///
/// # Errors
/// [`Error::Usage`] if `k` is under 2, [`Error::Data`] if there are fewer hosts than folds.
///
/// # Examples
/// ```
/// use duramen::dataset::split::folds_by_host;
/// let hosts: Vec<String> = ["a.org", "b.org", "a.org", "c.org"].map(String::from).into();
/// let folds = folds_by_host(&hosts, 2, 7)?;
/// assert_eq!(folds[0], folds[2]);
/// assert_eq!(folds[1], folds[3]);
/// # Ok::<(), duramen::Error>(())
/// ```
pub fn folds_by_host(hosts: &[String], k: usize, seed: u64) -> Result<Vec<usize>> {
    if k < 2 {
        return Err(Error::usage(format!("folds = {k}"), "give 2 or more folds (default 5)"));
    }
    let groups = groups_by_host(hosts);
    if groups.len() < k {
        return Err(Error::data(
            format!("{} of {}", plural(hosts.len(), "document"), plural(groups.len(), "host")),
            format!("too few hosts for {k} folds"),
            "give fewer folds or more documents",
        ));
    }
    Ok(dealt(groups, hosts.len(), k, seed))
}

/// The share of all documents from which on the documents of a corpus are too many for one fold.
const LARGE_CORPUS: f64 = 1.0 / 3.0;

/// The fold (0 to `k - 1`) of each document, so that no host is in two folds, and no corpus either unless it has a third
/// of all documents or more: what is learned of scores from other folds is then learned of scores on other corpora. A
/// host of several corpora goes with the one that has most of its documents. If all are of one or two corpora, as
/// [`folds_by_host`].
///
/// # Errors
/// As [`folds_by_host`].
pub fn folds_by_corpus(corpora: &[&str], hosts: &[String], k: usize, seed: u64) -> Result<Vec<usize>> {
    let by_host = folds_by_host(hosts, k, seed)?;
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    corpora.iter().for_each(|corpus| *sizes.entry(corpus).or_default() += 1);
    let is_large = |corpus: &str| sizes[corpus] as f64 >= LARGE_CORPUS * hosts.len() as f64;
    let mut wholes: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for documents in groups_by_host(hosts) {
        let mut of_host: BTreeMap<&str, usize> = BTreeMap::new();
        documents.iter().for_each(|&document| *of_host.entry(corpora[document]).or_default() += 1);
        // Of equals the first by name.
        let corpus =
            of_host.iter().rev().max_by_key(|(_, documents)| **documents).expect("it has documents").0;
        match is_large(corpus) {
            true => groups.push(documents),
            false => wholes.entry(corpus).or_default().extend(documents),
        }
    }
    groups.extend(wholes.into_values());
    Ok(if groups.len() < k { by_host } else { dealt(groups, hosts.len(), k, seed) })
}

/// The fold of each of `n` documents: groups are shuffled and dealt out, the largest first, each to the smallest fold.
fn dealt(mut groups: Vec<Vec<usize>>, n: usize, k: usize, seed: u64) -> Vec<usize> {
    groups.shuffle(&mut stream(seed, "folds-by-host", &[k as u64]));
    // A stable sort: groups of one size stay in their shuffled order.
    groups.sort_by_key(|documents| std::cmp::Reverse(documents.len()));
    let mut sizes = vec![0; k];
    let mut folds = vec![0; n];
    for documents in groups {
        let fold = (0..k).min_by_key(|&fold| sizes[fold]).expect("k is at least 2");
        sizes[fold] += documents.len();
        for document in documents {
            folds[document] = fold;
        }
    }
    folds
}

/// `repeats` random splits of `n` documents; `true` marks a training document. Each split has
/// `n * train_fraction` training documents, rounded to the nearest number.
///
/// # Errors
/// [`Error::Usage`] unless `0 < train_fraction < 1`, [`Error::Data`] if a side of the split would be empty.
pub fn random_splits(n: usize, train_fraction: f64, repeats: usize, seed: u64) -> Result<Vec<Vec<bool>>> {
    let target = train_size(n, train_fraction)?;
    let split = |repeat: usize| {
        let mut order: Vec<usize> = (0..n).collect();
        order.shuffle(&mut stream(seed, "random-split", &[repeat as u64]));
        let mut train = vec![false; n];
        order[..target].iter().for_each(|&document| train[document] = true);
        train
    };
    Ok((0..repeats).map(split).collect())
}

/// The documents of each host, hosts in order of name.
fn groups_by_host(hosts: &[String]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (document, host) in hosts.iter().enumerate() {
        groups.entry(host).or_default().push(document);
    }
    groups.into_values().collect()
}

/// The number of training documents of a split.
fn train_size(n: usize, train_fraction: f64) -> Result<usize> {
    if !(train_fraction > 0.0 && train_fraction < 1.0) {
        return Err(Error::usage(
            format!("train_fraction = {train_fraction}"),
            "give a number between 0 and 1",
        ));
    }
    let target = (n as f64 * train_fraction).round() as usize;
    if target == 0 || target == n {
        return Err(Error::data(
            format!("{n} documents, train_fraction = {train_fraction}"),
            "one side of the split is empty",
            "give more documents or another fraction",
        ));
    }
    Ok(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 60 documents of 12 hosts of 1, 2, ... documents, mixed up.
    fn hosts() -> Vec<String> {
        (0..60).map(|i| format!("host{}.org", (i * 7 % 60_usize).isqrt())).collect()
    }

    #[test]
    fn no_host_is_in_two_folds_and_folds_are_of_like_size() {
        let hosts = hosts();
        let folds = folds_by_host(&hosts, 3, 1).unwrap();
        let mut sizes = [0; 3];
        for i in 0..60 {
            sizes[folds[i]] += 1;
            for j in 0..60 {
                assert!(hosts[i] != hosts[j] || folds[i] == folds[j]);
            }
        }
        assert!(sizes.iter().all(|&size| (17..=23).contains(&size)), "{sizes:?}");
    }

    #[test]
    fn a_small_corpus_is_in_one_fold_and_a_large_one_is_divided_by_host() {
        let mut corpora: Vec<&str> = vec!["large"; 60];
        let mut all = hosts();
        for (i, corpus) in ["a", "b", "c"].iter().flat_map(|corpus| [corpus; 15]).enumerate() {
            corpora.push(corpus);
            all.push(format!("{corpus}{i}.org"));
        }
        // A host of two corpora, with more pages in the second.
        (corpora[60], all[60]) = ("a", "shared.org".to_owned());
        for i in [75, 76] {
            (corpora[i], all[i]) = ("b", "shared.org".to_owned());
        }
        let folds = folds_by_corpus(&corpora, &all, 5, 1).unwrap();
        for i in 61..105 {
            let first = corpora.iter().rposition(|other| *other == corpora[i]).unwrap();
            assert_eq!(folds[i], folds[first], "{i}");
        }
        assert_eq!(folds[60], folds[75], "the host goes with the corpus that has more of it");
        let mut of_large = folds[..60].to_vec();
        of_large.sort_unstable();
        of_large.dedup();
        assert!(of_large.len() > 2);
        for i in 0..105 {
            assert!((0..105).all(|j| all[i] != all[j] || folds[i] == folds[j]));
        }
        for (corpora, hosts, k) in [(&["one"; 60][..], &hosts()[..], 3), (&corpora[60..], &all[60..], 5)] {
            let by_host = folds_by_host(hosts, k, 1).unwrap();
            assert_eq!(folds_by_corpus(corpora, hosts, k, 1).unwrap(), by_host, "all corpora are large");
        }
    }

    #[test]
    fn a_split_is_the_same_for_the_same_seed_only() {
        let hosts = hosts();
        assert_eq!(folds_by_host(&hosts, 3, 1).unwrap(), folds_by_host(&hosts, 3, 1).unwrap());
        assert_ne!(folds_by_host(&hosts, 3, 1).unwrap(), folds_by_host(&hosts, 3, 2).unwrap());
        assert_eq!(random_splits(60, 0.5, 3, 1).unwrap(), random_splits(60, 0.5, 3, 1).unwrap());
        assert_ne!(random_splits(60, 0.5, 3, 1).unwrap(), random_splits(60, 0.5, 3, 2).unwrap());
    }

    #[test]
    fn the_first_splits_do_not_depend_on_how_many_follow() {
        assert_eq!(random_splits(60, 0.5, 5, 1).unwrap()[..2], random_splits(60, 0.5, 2, 1).unwrap()[..]);
    }

    #[test]
    fn random_splits_have_the_stated_size_and_differ() {
        let splits = random_splits(61, 0.8, 4, 9).unwrap();
        assert!(splits.iter().all(|split| split.iter().filter(|train| **train).count() == 49));
        assert_ne!(splits[0], splits[1]);
    }

    #[test]
    fn what_cannot_be_split_is_refused_with_the_reason() {
        let one = vec!["a.org".to_owned(); 5];
        assert_eq!(folds_by_host(&one, 1, 0).unwrap_err().exit_code(), 2);
        assert_eq!(folds_by_host(&one, 2, 0).unwrap_err().exit_code(), 3);
        assert_eq!(random_splits(1, 0.5, 1, 0).unwrap_err().exit_code(), 3);
        for fraction in [0.0, 1.0, -1.0, f64::NAN] {
            assert_eq!(random_splits(10, fraction, 1, 0).unwrap_err().exit_code(), 2);
        }
    }
}
