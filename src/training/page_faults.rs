//! Learning of a [`FaultModel`]: each fault against all other pages, and how well it was told on hosts that were left out.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::out_of_fold::Folds;
use crate::dataset::split::folds_by_host;
use crate::dataset::{Corpus, Document};
use crate::dom::Limits;
use crate::error::{Error, Result};
use crate::extract::page_faults::features::{self, FEATURES, Values};
use crate::extract::page_faults::{Fault, FaultModel, FaultWeights, THRESHOLD};
use crate::logistic::{Newton, Rows};
use crate::page::Page;
use crate::progress::Progress;

/// What the weights' squares are multiplied by. Of .03, .1, .3 and 1 it had the smallest loss in folds for error pages; for shells 1 had.
const PENALTY: f64 = 0.3;
/// A fault of fewer pages is not learned.
const LEAST_PAGES: u64 = 15;
/// Parts of the hosts, each told by what was learned on the others.
const FOLDS: usize = 5;

/// A label of a page, a line of a file of labels. Other fields are not read.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FaultLabel {
    /// The corpus with its part, as `--dataset` takes it.
    pub corpus: String,
    /// The page's id in the corpus.
    pub page: String,
    /// `not-found`, `script-shell`, `none`, or a fault that no model tells, which is then none of those.
    pub fault: String,
    /// Whether the reader was in doubt: the page is then neither learned from nor counted.
    #[serde(default)]
    pub doubt: bool,
}

/// Reads labels, a JSON object a line; `subject` names the file in errors.
///
/// # Errors
/// [`Error::Data`] that names the line, or the file if it is empty.
pub fn read_fault_labels(text: &str, subject: &str) -> Result<Vec<FaultLabel>> {
    let line = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| {
            Error::data(
                format!("{subject}, line {}", number + 1),
                error.to_string(),
                "write a JSON object with corpus, page and fault",
            )
        })
    };
    match text.lines().next() {
        Some(_) => text.lines().enumerate().map(line).collect(),
        None => Err(Error::data(
            subject,
            "it is empty",
            "write a JSON object with corpus, page and fault for each page",
        )),
    }
}

/// What is learned from of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct FaultPage {
    /// The site.
    pub host: String,
    /// Its features.
    pub values: Values,
    /// Its fault, among those that are told.
    pub fault: Option<Fault>,
    /// Whether a reader labelled it. Others are taken for documents.
    pub is_labelled: bool,
    /// Whether that reader was in doubt.
    pub doubt: bool,
}

/// The pages of corpora with their labels, each page once, whichever corpora have it; pages that cannot be parsed are left out.
///
/// # Errors
/// [`Error::Data`] for a label of a page that is not there; as [`Corpus::read`].
pub fn read_fault_pages(
    corpora: &[Corpus],
    labels: &[FaultLabel],
    progress: &dyn Progress,
) -> Result<Vec<FaultPage>> {
    let mut of_pages: BTreeMap<(&str, &str), &FaultLabel> = BTreeMap::new();
    for label in labels {
        if of_pages.insert((&label.corpus, &label.page), label).is_some() {
            return Err(Error::data(
                format!("{}, page {}", label.corpus, label.page),
                "it has two labels",
                "keep one of them",
            ));
        }
    }
    let mut found = BTreeSet::new();
    let mut pages: BTreeMap<Vec<u8>, FaultPage> = BTreeMap::new();
    for corpus in corpora {
        let name = corpus.label();
        let with_reference = corpus.ids().enumerate().map(|(index, id)| (id, index, true));
        let without = corpus.ids_without_reference().enumerate().map(|(index, id)| (id, index, false));
        let all: Vec<(&str, usize, bool)> = with_reference.chain(without).collect();
        progress.stage(&format!("reading {name}"), all.len());
        let read = |&(id, index, has_reference): &(&str, usize, bool)| -> Result<_> {
            let document =
                if has_reference { corpus.read(index) } else { corpus.read_without_reference(index) };
            progress.step();
            Ok(fault_page(document?, of_pages.get(&(name.as_str(), id)).copied()))
        };
        let of_corpus = all.par_iter().map(read).collect::<Result<Vec<_>>>()?;
        for ((id, ..), page) in all.iter().zip(of_corpus) {
            let Some((digest, page)) = page else { continue };
            found.insert((name.clone(), (*id).to_owned()));
            if page.is_labelled || !pages.contains_key(&digest) {
                pages.insert(digest, page);
            }
        }
    }
    let missing = labels.iter().find(|label| !found.contains(&(label.corpus.clone(), label.page.clone())));
    if let Some(FaultLabel { corpus, page, .. }) = missing {
        return Err(Error::data(
            format!("{corpus}, page {page}"),
            "it has a label, and cannot be read",
            "fetch the corpus again, or take the label out",
        ));
    }
    Ok(pages.into_values().collect())
}

/// A page with the digest of its bytes, if it can be parsed.
fn fault_page(document: Document, label: Option<&FaultLabel>) -> Option<(Vec<u8>, FaultPage)> {
    let page = Page::parse(document.id, document.url, &document.html, None, &Limits::default()).ok()?;
    let fault_page = FaultPage {
        host: document.host,
        values: features::values(&page),
        fault: label.and_then(|label| Fault::from_name(&label.fault)),
        is_labelled: label.is_some(),
        doubt: label.is_some_and(|label| label.doubt),
    };
    Some((Sha256::digest(&document.html).to_vec(), fault_page))
}

/// How well a fault was told by weights that had not seen a page's host.
#[derive(Debug, Clone, PartialEq)]
pub struct FaultCounts {
    /// Pages that have it, by their labels.
    pub pages: u64,
    /// Their sites.
    pub hosts: u64,
    /// Pages whose probability of it reaches [`THRESHOLD`].
    pub told: u64,
    /// Those that have it.
    pub right: u64,
    /// Groups of pages by probability: its least, how many, the mean probability, and how many have the fault.
    pub groups: Vec<(f64, u64, f64, u64)>,
}

/// A model of faulty pages, and how well each fault was told in folds by host.
#[derive(Debug, Clone)]
pub struct LearnedFaults {
    /// The model, learned from all pages.
    pub model: FaultModel,
    /// Of the faults that were learned, in the order of [`Fault::ALL`].
    pub counts: Vec<(Fault, FaultCounts)>,
}

/// Learns a model of the faults that 15 pages or more have; `sources` says where they are from, `seed` divides the hosts.
///
/// # Errors
/// [`Error::Data`] if there is no such fault, or too few hosts.
pub fn learn_faults(pages: &[FaultPage], sources: BTreeMap<String, u64>, seed: u64) -> Result<LearnedFaults> {
    let pages: Vec<&FaultPage> = pages.iter().filter(|page| !page.doubt).collect();
    let hosts: Vec<String> = pages.iter().map(|page| page.host.clone()).collect();
    let fold_of = folds_by_host(&hosts, FOLDS, seed)?;
    let folds = Folds::new(&fold_of, FOLDS);
    // None on the constant.
    let mut penalties = [PENALTY; FEATURES.len() + 1];
    penalties[0] = 0.0;
    let (mut faults, mut counts) = (BTreeMap::new(), Vec::new());
    for fault in Fault::ALL {
        let has_it = |page: usize| pages[page].fault == Some(fault);
        let with_it = (0..pages.len()).filter(|&page| has_it(page)).count() as u64;
        if with_it < LEAST_PAGES {
            continue;
        }
        let learned = folds.learn_at_once(|left_out| {
            let row = |page: usize| (pages[page].values, f64::from(u8::from(has_it(page))));
            let rows: Vec<(Values, f64)> = folds.seen(left_out).map(row).collect();
            let rows = Rows { rows: &rows, penalties, least_curvature: 1e-9 };
            let newton = Newton { steps: 100, tries: 30, least_step: 1e-9 };
            let weights = rows.most_probable_weights([0.0; FEATURES.len() + 1], newton);
            // What is written is read without loss.
            Ok(FaultWeights { pages: with_it, weights: weights.map(|weight| (weight * 1e6).round() / 1e6) })
        })?;
        let told: Vec<(f64, bool)> = (0..pages.len())
            .map(|page| (learned.of_folds[fold_of[page]].probability(&pages[page].values), has_it(page)))
            .collect();
        let hosts: BTreeSet<&str> =
            (0..pages.len()).filter(|&page| has_it(page)).map(|page| pages[page].host.as_str()).collect();
        counts.push((fault, count(&told, hosts.len() as u64)));
        faults.insert(fault, learned.of_all);
    }
    if faults.is_empty() {
        return Err(Error::data(
            "labels",
            format!("no fault has {LEAST_PAGES} pages that the reader was sure of"),
            "label more pages",
        ));
    }
    Ok(LearnedFaults { model: FaultModel::new(sources, faults), counts })
}

/// Counts pages of which the probability and the truth are given.
fn count(told: &[(f64, bool)], hosts: u64) -> FaultCounts {
    let n = |is_counted: &dyn Fn(&(f64, bool)) -> bool| {
        told.iter().filter(|page| is_counted(page)).count() as u64
    };
    let bounds = [0.0, 0.01, 0.1, 0.5, 0.9, f64::INFINITY];
    let groups = bounds.windows(2).map(|bound| {
        let group: Vec<&(f64, bool)> =
            told.iter().filter(|(p, _)| (bound[0]..bound[1]).contains(p)).collect();
        let sum: f64 = group.iter().map(|(p, _)| p).sum();
        let right = group.iter().filter(|(_, is)| *is).count() as u64;
        (bound[0], group.len() as u64, sum / group.len().max(1) as f64, right)
    });
    FaultCounts {
        pages: n(&|page| page.1),
        hosts,
        told: n(&|page| page.0 >= THRESHOLD),
        right: n(&|page| page.0 >= THRESHOLD && page.1),
        groups: groups.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str, host: usize, fault: Option<Fault>) -> FaultPage {
        let page = Page::parse("page", None, html.as_bytes(), None, &Default::default()).unwrap();
        FaultPage {
            host: format!("{host}.example"),
            values: features::values(&page),
            fault,
            is_labelled: true,
            doubt: false,
        }
    }

    #[test]
    fn faults_are_told_on_hosts_that_were_not_seen_and_doubtful_pages_are_left_out() {
        let text = "<p>The oldest oak of the village fell on Monday night, after a storm.".repeat(20);
        let mut pages: Vec<FaultPage> = (0..100)
            .flat_map(|host| {
                [
                    page(&format!("<title>Oak</title>{text}"), host, None),
                    page("<title>Oak</title><h1>Page not found</h1>", host, Some(Fault::NotFound)),
                    page("<title>Oak</title><div id=root></div>", host, Some(Fault::ScriptShell)),
                ]
            })
            .collect();
        let learned = learn_faults(&pages, BTreeMap::new(), 1).unwrap();
        for (fault, counts) in &learned.counts {
            assert_eq!(
                (counts.pages, counts.hosts, counts.told, counts.right),
                (100, 100, 100, 100),
                "{fault:?}"
            );
            assert_eq!(counts.groups.iter().map(|group| group.1).sum::<u64>(), 300);
        }
        let wrong = FaultPage { doubt: true, ..page(&text, 3, Some(Fault::NotFound)) };
        pages.extend(vec![wrong; 50]);
        assert_eq!(learn_faults(&pages, BTreeMap::new(), 1).unwrap().model, learned.model);
        let none: Vec<FaultPage> = pages.into_iter().filter(|page| page.fault.is_none()).collect();
        assert!(
            learn_faults(&none, BTreeMap::new(), 1)
                .unwrap_err()
                .to_string()
                .contains("no fault has 15 pages")
        );
    }

    #[test]
    fn a_line_that_is_no_label_is_named() {
        let good = r#"{"corpus":"wood","page":"1","fault":"none","chosen":"random"}"#;
        let labels = read_fault_labels(good, "labels").unwrap();
        assert!(labels[0].fault == "none" && !labels[0].doubt);
        let error = read_fault_labels(&format!("{good}\n{{}}"), "labels.jsonl").unwrap_err().to_string();
        assert!(error.contains("labels.jsonl, line 2") && error.contains("corpus"), "{error}");
        let error = read_fault_labels("", "labels.jsonl").unwrap_err().to_string();
        assert!(error.contains("labels.jsonl: it is empty"), "{error}");
    }
}
