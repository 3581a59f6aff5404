//! What corpora have in common: hosts, and pages. What two of them share must not train in one and be tested in another.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::Serialize;

use super::corpus::Corpus;
use super::same::{self, Mark, Same};
use crate::dom::{Dom, Limits};
use crate::error::Result;
use crate::host;
use crate::progress::Progress;

/// What two corpora have in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Overlap {
    /// The two corpus parts.
    pub corpora: [String; 2],
    /// Hosts of both, by name.
    pub hosts: Vec<SharedHost>,
    /// Pages of both, in the order of the first corpus.
    pub pages: Vec<SharedPage>,
}

/// A host that two corpora have pages of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SharedHost {
    /// Its registered domain.
    pub host: String,
    /// How many pages of it each has.
    pub pages: [usize; 2],
}

/// A page that two corpora have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SharedPage {
    /// By what it is told to be one page; the first that holds of bytes, text and address.
    pub same: Same,
    /// Its name in each.
    pub pages: [String; 2],
}

/// The hosts and marks of a corpus.
struct Contents {
    label: String,
    hosts: BTreeMap<String, usize>,
    /// Of each page its name and marks.
    pages: Vec<(String, Vec<Mark>)>,
}

/// What each two of these corpora have in common, in their order. Pages listed as bad are left out, and pages whose host
/// is not known are of none.
///
/// # Errors
/// If a page cannot be read.
pub fn overlaps(corpora: &[Corpus], progress: &dyn Progress) -> Result<Vec<Overlap>> {
    let contents: Vec<Contents> =
        corpora.iter().map(|corpus| Contents::read(corpus, progress)).collect::<Result<_>>()?;
    let pairs = contents.iter().enumerate().flat_map(|(i, a)| contents[i + 1..].iter().map(move |b| (a, b)));
    Ok(pairs.map(|(a, b)| Overlap::new(a, b)).collect())
}

impl Contents {
    fn read(corpus: &Corpus, progress: &dyn Progress) -> Result<Contents> {
        progress.stage(&format!("reading {}", corpus.label()), corpus.len());
        let look = |index: usize| {
            let page = corpus.read(index).map(|page| {
                let mut marks = vec![same::of_bytes(&page.html)];
                match Dom::parse(&page.html, None, &Limits::default()) {
                    Ok(dom) => marks.extend(same::of_page(&dom, page.url.as_deref())),
                    // What cannot be parsed is still told by its bytes and address.
                    Err(_) => marks.extend(page.url.as_deref().map(same::of_address)),
                }
                (page.id, page.host, marks)
            });
            progress.step();
            page
        };
        let seen: Vec<Result<_>> = (0..corpus.len()).into_par_iter().map(look).collect();
        let mut contents = Contents { label: corpus.label(), hosts: BTreeMap::new(), pages: Vec::new() };
        for page in seen {
            let (id, host, marks) = page?;
            if host::is_known(&host) {
                *contents.hosts.entry(host).or_default() += 1;
            }
            contents.pages.push((id, marks));
        }
        Ok(contents)
    }
}

impl Overlap {
    fn new(a: &Contents, b: &Contents) -> Overlap {
        let shared = a.hosts.iter().filter_map(|(host, &of_a)| {
            b.hosts.get(host).map(|&of_b| SharedHost { host: host.clone(), pages: [of_a, of_b] })
        });
        let mut of_b: BTreeMap<Mark, Vec<&str>> = BTreeMap::new();
        for (id, marks) in &b.pages {
            marks.iter().for_each(|mark| of_b.entry(*mark).or_default().push(id));
        }
        let mut pages = Vec::new();
        for (id, marks) in &a.pages {
            let mut told = BTreeSet::new();
            // Bytes come first among the marks of a page, the address last.
            for mark in marks {
                for &other in of_b.get(mark).into_iter().flatten() {
                    if told.insert(other) {
                        pages.push(SharedPage { same: mark.0, pages: [id.clone(), other.to_owned()] });
                    }
                }
            }
        }
        Overlap { corpora: [a.label.clone(), b.label.clone()], hosts: shared.collect(), pages }
    }
}
