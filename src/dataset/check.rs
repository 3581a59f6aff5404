//! `CorpusCheck`, what is in a corpus: its pages and hosts, how far references stand on pages, and what does not fit.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use super::corpus::Corpus;
use super::document::{Document, Gold, Misfit};
use super::same::{self, Mark, Same};
use super::transfer::{GoldTokens, place_labels, transfer_labels};
use crate::alignment::find_text;
use crate::convention::Convention;
use crate::dom::{Dom, Limits};
use crate::error::{PageProblem, Result};
use crate::host;
use crate::label::Label;
use crate::progress::Progress;

/// What is in a corpus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorpusCheck {
    /// The corpus part.
    pub corpus: String,
    /// What its references include, and who made them, as its manifest states it.
    pub convention: Convention,
    /// Pages that fit, out of all with a reference.
    pub pages: usize,
    /// Pages, files and lines that do not fit, each with the reason; a page may have several.
    pub misfits: Vec<Misfit>,
    /// Pages that the manifest lists as bad.
    pub listed_as_bad: usize,
    /// Hosts with their number of pages, the largest first.
    pub hosts: Vec<Host>,
    /// Pages whose host is not known.
    pub pages_without_host: usize,
    /// Of reference texts (and annotated copies), how far they stand on their pages.
    pub found: Option<FoundShares>,
    /// Of readers' comments that are kept apart, how far they stand on their pages.
    pub comments: Option<FoundShares>,
    /// Of labelled pages, the labels.
    pub labels: Option<LabelCounts>,
    /// Pages by the language that the corpus states.
    pub languages: BTreeMap<String, usize>,
    /// Pages that are there more than once.
    pub duplicates: Vec<Duplicate>,
}

/// A host and its pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Host {
    /// Its name.
    pub host: String,
    /// How many pages are of it.
    pub pages: usize,
}

/// How much of the references stands on the pages.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoundShares {
    /// References with words.
    pub pages: usize,
    /// Words of all references.
    pub words: u64,
    /// How many of them were found on their pages.
    pub found: u64,
    /// The mean over pages of the share that was found.
    pub mean: f64,
    /// The shares of the pages at 0, 5, 25, 50, 75 and 100 %, from the lowest.
    pub quantiles: [f64; 6],
    /// The share below which a page does not fit.
    pub trusted: f64,
    /// Pages below it.
    pub below: usize,
}

/// The labels of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LabelCounts {
    /// Labelled pages.
    pub pages: usize,
    /// Words under each label.
    pub words: BTreeMap<Label, u64>,
    /// Text nodes by the label that most of their words have.
    pub texts: BTreeMap<Label, u64>,
    /// Pages with text that no label is given for.
    pub pages_with_unlabelled_text: usize,
    /// Text nodes with words that no label is given for.
    pub unlabelled_texts: u64,
}

/// Pages that are one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Duplicate {
    /// What they have in common.
    pub same: Same,
    /// Their names.
    pub pages: Vec<String>,
}

/// What one page gave.
#[derive(Default)]
struct Seen {
    host: Option<String>,
    /// What it may share with another page.
    marks: Vec<Mark>,
    language: Option<String>,
    /// Words of its reference: found, and all.
    found: Option<(u64, u64)>,
    /// The same of comments that are kept apart.
    comments: Option<(u64, u64)>,
    /// Its words and its text nodes under each label.
    labels: Option<[[u64; Label::COUNT]; 2]>,
    unlabelled: u64,
    problems: Vec<String>,
}

impl CorpusCheck {
    /// Looks at every page of a corpus, in parallel. A page of whose reference less than `trusted` (0 to 1) stands on it
    /// does not fit.
    pub fn new(corpus: &Corpus, trusted: f64, progress: &dyn Progress) -> CorpusCheck {
        progress.stage(&format!("checking {}", corpus.label()), corpus.len());
        let look = |index: usize| {
            let seen =
                corpus.read(index).map(|document| Seen::new(document, trusted, corpus.has_references()));
            progress.step();
            seen
        };
        let seen: Vec<Result<Seen>> = (0..corpus.len()).into_par_iter().map(look).collect();
        let mut check = CorpusCheck {
            corpus: corpus.label(),
            convention: corpus.convention(),
            pages: 0,
            misfits: corpus.misfits().to_vec(),
            listed_as_bad: corpus.left_out().count(),
            hosts: Vec::new(),
            pages_without_host: 0,
            found: None,
            comments: None,
            labels: None,
            languages: BTreeMap::new(),
            duplicates: Vec::new(),
        };
        let none = "has no reference text and no labels beside it";
        let without = corpus.ids_without_reference();
        check.misfits.extend(without.map(|id| Misfit { name: id.to_owned(), reason: none.to_owned() }));
        let mut hosts: BTreeMap<String, usize> = BTreeMap::new();
        let mut marks: BTreeMap<Mark, Vec<String>> = BTreeMap::new();
        let (mut shares, mut of_comments) = (Vec::new(), Vec::new());
        for (seen, id) in seen.into_iter().zip(corpus.ids()) {
            let seen =
                seen.unwrap_or_else(|error| Seen { problems: vec![error.reason_for(id)], ..Seen::default() });
            check.pages += usize::from(seen.problems.is_empty());
            match seen.host {
                Some(host) => *hosts.entry(host).or_default() += 1,
                None => check.pages_without_host += usize::from(!seen.marks.is_empty()),
            }
            for mark in seen.marks {
                marks.entry(mark).or_default().push(id.to_owned());
            }
            shares.extend(seen.found);
            of_comments.extend(seen.comments);
            if let Some(language) = seen.language {
                *check.languages.entry(language).or_default() += 1;
            }
            if let Some([words, texts]) = seen.labels {
                let labels = check.labels.get_or_insert_default();
                labels.pages += 1;
                for (label, words) in Label::ALL.into_iter().zip(words) {
                    *labels.words.entry(label).or_default() += words;
                }
                for (label, texts) in Label::ALL.into_iter().zip(texts) {
                    *labels.texts.entry(label).or_default() += texts;
                }
                labels.pages_with_unlabelled_text += usize::from(seen.unlabelled > 0);
                labels.unlabelled_texts += seen.unlabelled;
            }
            let misfit = |reason| Misfit { name: id.to_owned(), reason };
            check.misfits.extend(seen.problems.into_iter().map(misfit));
        }
        check.hosts = hosts.into_iter().map(|(host, pages)| Host { host, pages }).collect();
        check.hosts.sort_by(|a, b| b.pages.cmp(&a.pages).then_with(|| a.host.cmp(&b.host)));
        check.found = FoundShares::new(&shares, trusted);
        check.comments = FoundShares::new(&of_comments, trusted);
        check.duplicates = duplicates(marks);
        check
    }
}

/// Pages with a mark in common; those of the same bytes are not reported again for their text or address.
fn duplicates(marks: BTreeMap<Mark, Vec<String>>) -> Vec<Duplicate> {
    let mut found: Vec<Duplicate> = Vec::new();
    for ((same, _), pages) in marks.into_iter().filter(|(_, pages)| pages.len() > 1) {
        let is_told = |known: &Duplicate| pages.iter().all(|page| known.pages.contains(page));
        if !found.iter().any(is_told) {
            found.push(Duplicate { same, pages });
        }
    }
    found.sort_by(|a, b| (a.same, &a.pages).cmp(&(b.same, &b.pages)));
    found
}

impl FoundShares {
    fn new(shares: &[(u64, u64)], trusted: f64) -> Option<FoundShares> {
        let mut sorted: Vec<f64> = shares
            .iter()
            .filter(|(_, all)| *all > 0)
            .map(|&(found, all)| found as f64 / all as f64)
            .collect();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let at = |share: f64| sorted[(share * last as f64).round() as usize];
        Some(FoundShares {
            pages: sorted.len(),
            words: shares.iter().map(|(_, all)| all).sum(),
            found: shares.iter().map(|(found, _)| found).sum(),
            mean: sorted.iter().sum::<f64>() / sorted.len() as f64,
            quantiles: [0.0, 0.05, 0.25, 0.5, 0.75, 1.0].map(at),
            trusted,
            below: sorted.iter().filter(|&&share| share < trusted).count(),
        })
    }
}

impl Seen {
    fn new(document: Document, trusted: f64, has_references: bool) -> Seen {
        let mut seen = Seen {
            host: Some(document.host).filter(|host| host::is_known(host)),
            marks: vec![same::of_bytes(&document.html)],
            language: document.language,
            ..Seen::default()
        };
        let gold = Some(document.gold).filter(|_| has_references);
        if let Err(problem) = seen.look(&document.html, document.url.as_deref(), gold, trusted) {
            seen.problems.push(problem.to_string());
        }
        seen
    }

    fn look(
        &mut self,
        html: &[u8],
        url: Option<&str>,
        gold: Option<Gold>,
        trusted: f64,
    ) -> Result<(), PageProblem> {
        let dom = Dom::parse(html, None, &Limits::default())?;
        let marks = same::of_page(&dom, url);
        let has_words = marks.iter().any(|(same, _)| *same == Same::Text);
        self.marks.extend(marks);
        if !has_words {
            return Err(PageProblem::Empty);
        }
        match gold {
            None => {}
            Some(Gold::Text(text)) => {
                self.found(find_text(&dom, &text.text)?.text_tokens(), trusted);
                if let Some(comments) = text.comments {
                    self.comments = Some(find_text(&dom, &comments)?.text_tokens());
                }
            }
            Some(Gold::Annotated(annotated)) => {
                let transfer = transfer_labels(&dom, &annotated)?;
                self.found((transfer.matched_tokens(), transfer.annotated_tokens()), trusted);
                self.labelled(&transfer.gold);
            }
            Some(Gold::Nodes(labels)) => {
                let placed = place_labels(&dom, &labels);
                self.labelled(&placed.gold);
                self.unlabelled = placed.texts.1;
                match placed.problems.is_empty() {
                    true => self.problems.extend(placed.objection(labels.unlabelled)),
                    false => self.problems.extend(placed.problems),
                }
            }
            Some(Gold::Images(_)) => {}
            Some(Gold::Missing) => self.problems.push("the corpus has no reference for it".to_owned()),
        }
        Ok(())
    }

    fn labelled(&mut self, gold: &GoldTokens) {
        self.labels = Some([gold.total(), gold.texts()]);
    }

    fn found(&mut self, (found, all): (u64, u64), trusted: f64) {
        self.found = Some((found, all));
        if all == 0 {
            self.problems.push("its reference has no words".to_owned());
        } else if (found as f64) < trusted * all as f64 {
            let share = 100.0 * found as f64 / all as f64;
            self.problems.push(format!(
                "{found} of the {all} words of its reference ({share:.1} %) stand on the page; it is used only from {} % on",
                100.0 * trusted
            ));
        }
    }
}
