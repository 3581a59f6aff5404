//! What outputs say of a page and of its nodes: records for JSON, JSON lines and CSV.

use std::collections::BTreeMap;

use serde::Serialize;

use super::mojibake::Mojibake;
use super::script_text::ScriptText;
use super::yaml::scalar;
use super::{DocumentHead, Kept, RenderOptions, Selection, fingerprint, to_text};
use crate::characters::folded;
use crate::dom::xpath::XPaths;
use crate::error::{PageProblem, Remedy};
use crate::extract::items::{PageItem, items};
use crate::extract::metadata::{Field, Metadata};
use crate::extract::page_faults::{Fault, FaultModel, THRESHOLD};
use crate::extract::{ExtractError, Extraction, ScoreKind};
use crate::index::{NodeId, NodeMap};
use crate::label::{Label, LabelSet};
use crate::model::PageType;
use crate::model::decision::{LeafChance, expected_f1};
use crate::page::Page;

/// Where a page of a web archive comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Archived {
    /// The file.
    pub archive: String,
    /// When the page was crawled, as the archive says.
    pub crawled: Option<String>,
}

/// One page of an output. A page that failed is a record too, with the reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RenderedPage {
    /// The page's name: file, URL or the corpus's id.
    pub id: String,
    /// The page's address: the one it was got from, else the one it states.
    pub url: Option<String>,
    /// `ok`; `empty` if the page shows no text or none is kept; `unsure` if the confidence is below what was asked for;
    /// else `too-large`, `timeout`, `error` or `n/a`.
    pub status: &'static str,
    /// Why the status is not `ok`; or, of a page that is, that words of the text look as if they were read in a wrong encoding. A page
    /// whose text scripts fill in, and whose scripts hold it, says so: `filled in by script`.
    pub problem: Option<String>,
    /// What to do about the problem of a page that failed, which stands at its end; no words where nothing is known to help.
    #[serde(skip)]
    pub remedy: Remedy,
    /// The title.
    pub title: Option<String>,
    /// The author or authors.
    pub author: Option<String>,
    /// When the page was published; ISO 8601 unless the page's own words could not be read as a date.
    pub date: Option<String>,
    /// When the page was changed last, in ISO 8601, if it states that.
    pub date_modified: Option<String>,
    /// The language, a BCP 47 tag.
    pub language: Option<String>,
    /// The site's name.
    pub site: Option<String>,
    /// The page's own summary.
    pub description: Option<String>,
    /// The address of the image that the page names for itself.
    pub image: Option<String>,
    /// The license, such as `CC BY-SA 4.0`.
    pub license: Option<String>,
    /// The sections of its site that the page stands in.
    pub categories: Vec<String>,
    /// The keywords of the page.
    pub tags: Vec<String>,
    /// The similarity hash of the kept text ([`fingerprint`]), 16 hexadecimal digits; of no page without a text.
    pub fingerprint: Option<String>,
    /// For extractors that are probability models: the F1 of the kept words that the model expects, 0 to 1, times the share of
    /// them that do not look as if they were read in a wrong encoding.
    pub confidence: Option<f64>,
    /// P(type) of the page, of extractors that tell types; the sum is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_type: Option<BTreeMap<PageType, f64>>,
    /// P(fault): that the page is a shell that a script fills, in place of a document; of no page that could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_fault: Option<BTreeMap<Fault, f64>>,
    /// The number of words (tokens) shown under each label, in the order of the labels' numbers.
    pub words: BTreeMap<Label, u64>,
    /// The number of words that the page hides from its readers ([`Page::hidden_texts`]), which are kept only if that was asked for.
    pub hidden_words: u64,
    /// The number of words that would be kept and are dropped, since the site repeats them; only if that was
    /// [asked for](crate::document::Options::repeats).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated_words: Option<u64>,
    /// The XPath that the extractor found for the site, of extractors that induce a wrapper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrapper: Option<String>,
    /// The engines with their versions that laid the page out, if it was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layouts: Vec<String>,
    /// The kept text.
    pub text: String,
    /// The text of readers' comments alone, which stands in `text` too; only if they are among the labels kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comments: Option<String>,
    /// What repeats on forums, listings, collections, home pages and recipes ([`items`]): posts, entries, products.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<PageItem>,
    /// The web archive that the page comes from, if it comes from one.
    #[serde(flatten)]
    pub archived: Option<Archived>,
}

impl RenderedPage {
    /// The record of a page and its extraction, of which `selection` keeps `kept` ([`Selection::kept`]).
    pub fn new(
        page: &Page,
        extraction: &Extraction,
        selection: &Selection,
        kept: &Kept,
        options: &RenderOptions,
    ) -> RenderedPage {
        let text = extraction.text.clone().unwrap_or_else(|| to_text(page, kept, options));
        let mut words: BTreeMap<Label, u64> = Label::ALL.into_iter().map(|label| (label, 0)).collect();
        for &(id, count) in page.shown_words() {
            *words.entry(extraction.labels[id]).or_default() += u64::from(count);
        }
        let mojibake = Mojibake::of(&text);
        let share_read_right = 1.0 - mojibake.as_ref().map_or(0.0, |found| found.share);
        let status = if text.is_empty() { "empty" } else { "ok" };
        let n_words = |is_counted: &dyn Fn(NodeId) -> bool| -> u64 {
            page.shown_words().iter().filter(|(id, _)| is_counted(*id)).map(|&(_, n)| u64::from(n)).sum()
        };
        let in_scripts = ScriptText::of(page, n_words(&|id| kept.contains(id))).map(|found| found.problem());
        let problem = if !text.is_empty() {
            mojibake.map(|found| found.problem).or(in_scripts)
        } else if in_scripts.is_some() {
            in_scripts
        } else if page.shown_words().is_empty() {
            Some(PageProblem::Empty.to_string())
        } else {
            Some(match selection.threshold {
                None => format!("no text has one of the labels {}", selection.labels),
                Some(threshold) => {
                    format!("no text reaches {threshold} for the labels {}", selection.labels)
                }
            })
        };
        let mut record = RenderedPage {
            status,
            problem,
            fingerprint: hash(&text),
            confidence: confidence(page, extraction, selection, kept).map(|f1| f1 * share_read_right),
            page_type: extraction.page_type.map(|p| PageType::ALL.into_iter().zip(p).collect()),
            words,
            hidden_words: n_words(&|id| page.is_hidden(id)),
            wrapper: extraction.wrapper.clone(),
            layouts: page.layout_engines().map(ToString::to_string).collect(),
            comments: selection
                .labels
                .contains(Label::Comments)
                .then(|| comments(page, extraction, kept, options)),
            records: records(page, extraction, kept),
            ..RenderedPage::stated(page, text)
        };
        // A thread is as old as its first post.
        if record.date.is_none() && record.most_probable_type() == Some(PageType::Forum) {
            record.date = record.records.first().and_then(|post| post.date.clone());
        }
        record
    }

    /// What a page says of itself, with a text.
    fn stated(page: &Page, text: String) -> RenderedPage {
        let metadata = Metadata::read(page, &text);
        let value = |field: Option<Field>| field.map(|field| field.value);
        RenderedPage {
            title: value(metadata.title),
            author: value(metadata.author),
            date: value(metadata.date),
            date_modified: value(metadata.date_modified),
            language: value(metadata.language),
            site: value(metadata.site),
            description: value(metadata.description),
            image: value(metadata.image),
            license: value(metadata.license),
            categories: metadata.categories,
            tags: metadata.tags,
            page_fault: Some(FaultModel::bundled().probabilities(page)),
            text,
            ..RenderedPage::named(page.id(), page.url().map(str::to_owned).or(value(metadata.canonical)))
        }
    }

    /// The record of a page that an extractor could not process, with what the page says of itself.
    pub fn without_text(page: &Page, error: &ExtractError) -> RenderedPage {
        let in_scripts = || ScriptText::of(page, 0).map(|found| found.problem());
        let is_empty = matches!(error, ExtractError::Page(PageProblem::Empty));
        let failed = RenderedPage::failed(page.id(), None, error);
        RenderedPage {
            status: failed.status,
            problem: is_empty.then(in_scripts).flatten().or(failed.problem),
            remedy: failed.remedy,
            ..RenderedPage::stated(page, String::new())
        }
    }

    /// Title, author, date, language, site and address as lines `name: value` of YAML, the value in quotes where that asks for
    /// them; nothing of what is not known.
    pub fn metadata_lines(&self) -> String {
        let fields = [
            ("title", &self.title),
            ("author", &self.author),
            ("date", &self.date),
            ("language", &self.language),
            ("site", &self.site),
            ("url", &self.url),
        ];
        let known = fields.iter().filter_map(|(name, value)| value.as_ref().map(|value| (name, value)));
        known.map(|(name, value)| format!("{name}: {}\n", scalar(value))).collect()
    }

    /// What a clean HTML document says of the page in its head.
    pub fn document_head(&self) -> DocumentHead<'_> {
        DocumentHead {
            title: self.title.as_deref(),
            language: self.language.as_deref(),
            author: self.author.as_deref(),
            date: self.date.as_deref(),
            description: self.description.as_deref(),
            url: self.url.as_deref(),
        }
    }

    /// Leaves of the text what `kept` has of it. A page without any of it is empty, with this problem.
    pub fn cut_to(
        &mut self,
        page: &Page,
        extraction: &Extraction,
        kept: &Kept,
        options: &RenderOptions,
        none_left: &str,
    ) {
        if self.status != "ok" {
            return;
        }
        self.text = to_text(page, kept, options);
        self.fingerprint = hash(&self.text);
        if let Some(text) = &mut self.comments {
            *text = comments(page, extraction, kept, options);
        }
        self.records = records(page, extraction, kept);
        if self.text.is_empty() {
            self.status = "empty";
            self.problem = Some(none_left.to_owned());
        }
    }

    /// Withholds the text of a page whose confidence is below `least`.
    pub fn abstain_below(&mut self, least: f64) {
        if let Some(confidence) =
            self.confidence.filter(|&confidence| confidence < least && self.status == "ok")
        {
            self.withhold(format!("the expected F1 is {confidence:.2}, and {least} was asked for"));
        }
    }

    /// Takes the text away from a page that is not wanted, for a reason: its status is then `unsure`.
    pub fn withhold(&mut self, problem: String) {
        self.status = "unsure";
        self.problem = Some(match self.problem.take() {
            Some(cause) => format!("{problem}; {cause}"),
            None => problem,
        });
        self.text.clear();
        self.comments.iter_mut().for_each(String::clear);
        self.records.clear();
        self.fingerprint = None;
    }

    /// The record of a page that could not be read.
    pub fn failed(id: impl Into<String>, url: Option<String>, error: &ExtractError) -> RenderedPage {
        RenderedPage {
            status: match error {
                ExtractError::MissingInput(_) => "n/a",
                ExtractError::Page(problem) => problem.status(),
            },
            problem: Some(error.to_string()),
            remedy: match error {
                ExtractError::MissingInput(_) => Remedy::default(),
                ExtractError::Page(problem) => problem.remedy(),
            },
            ..RenderedPage::named(id, url)
        }
    }

    /// Nothing but a name and an address.
    fn named(id: impl Into<String>, url: Option<String>) -> RenderedPage {
        RenderedPage {
            id: id.into(),
            url,
            status: "ok",
            problem: None,
            remedy: Remedy::default(),
            title: None,
            author: None,
            date: None,
            date_modified: None,
            language: None,
            site: None,
            description: None,
            image: None,
            license: None,
            categories: Vec::new(),
            tags: Vec::new(),
            fingerprint: None,
            confidence: None,
            page_type: None,
            page_fault: None,
            words: BTreeMap::new(),
            hidden_words: 0,
            repeated_words: None,
            wrapper: None,
            layouts: Vec::new(),
            text: String::new(),
            comments: None,
            records: Vec::new(),
            archived: None,
        }
    }

    /// The most probable fault of the page, if its probability is one half or more.
    pub fn most_probable_fault(&self) -> Option<Fault> {
        let faults = self.page_fault.as_ref()?.iter().filter(|(_, p)| **p >= THRESHOLD);
        faults.max_by(|a, b| a.1.total_cmp(b.1)).map(|(&fault, _)| fault)
    }

    /// The most probable type of the page, of equals the first.
    pub fn most_probable_type(&self) -> Option<PageType> {
        let types = self.page_type.as_ref()?.iter().rev();
        types.max_by(|a, b| a.1.total_cmp(b.1)).map(|(&page_type, _)| page_type)
    }
}

fn hash(text: &str) -> Option<String> {
    fingerprint(text).map(|hash| format!("{hash:016x}"))
}

fn records(page: &Page, extraction: &Extraction, kept: &Kept) -> Vec<PageItem> {
    let page_type = extraction.page_type.map(|types| PageType::most_probable(&types));
    page_type.map_or(Vec::new(), |page_type| items(page, kept, page_type))
}

/// The text of readers' comments among what is kept.
fn comments(page: &Page, extraction: &Extraction, kept: &Kept, options: &RenderOptions) -> String {
    let mut comments = kept.clone();
    comments.retain(|id| extraction.labels[id] == Label::Comments);
    to_text(page, &comments, options)
}

/// The F1 of the words kept, as a probability model expects it; of the article, with its headline or without, the F1 that
/// training pages had of which so much was expected, if the model has learned that.
pub fn confidence(page: &Page, extraction: &Extraction, selection: &Selection, kept: &Kept) -> Option<f64> {
    let mean = extraction.posteriors.as_ref()?;
    if extraction.score_kind != ScoreKind::Posterior {
        return None;
    }
    let texts = page.shown_words();
    let chance = |posteriors: &NodeMap<[f64; Label::COUNT]>, &(id, words): &(NodeId, u32)| {
        let posterior = &posteriors[id];
        // Text that is kept for the page's title is a headline, whatever the model says of it.
        let is_title =
            extraction.cutoff.is_some_and(|least| LabelSet::ARTICLE.probability(&mean[id]) < least)
                && extraction.labels[id] == Label::Headline;
        let content = match is_title {
            _ if !selection.hidden && page.is_hidden(id) => 0.0,
            true => f64::from(u8::from(selection.labels.contains(Label::Headline))),
            false => selection.mass(posterior),
        };
        LeafChance { content, words: f64::from(words) }
    };
    let expected_by = |posteriors| {
        let chances: Vec<LeafChance> = texts.iter().map(|text| chance(posteriors, text)).collect();
        expected_f1(&chances, texts.iter().map(|&(id, _)| kept.contains(id)))
    };
    let expected = match extraction.by_type.is_empty() {
        true => expected_by(mean),
        false => extraction.by_type.iter().map(|(p, given)| p * expected_by(given)).sum(),
    };
    let learned = extraction.page_confidence.as_ref().filter(|_| selection.is_article());
    (!texts.is_empty()).then(|| learned.map_or(expected, |learned| learned.f1(expected)))
}

/// One shown text node of a page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeRecord {
    /// The node's preorder id in the parse.
    pub node: NodeId,
    /// The path that selects it, see [`crate::dom::Dom::xpath`].
    pub xpath: String,
    /// The name of the element that it stands in.
    pub tag: String,
    /// Its label.
    pub label: Label,
    /// Whether the output keeps it.
    pub kept: bool,
    /// The probability of each label, for extractors that are probability models.
    pub posterior: Option<BTreeMap<Label, f64>>,
    /// How strongly the extractor holds it for content, if it says so.
    pub score: Option<f64>,
    /// Its text, white space folded.
    pub text: String,
}

/// A record for each shown text node, in document order.
pub fn node_records(page: &Page, extraction: &Extraction, kept: &Kept) -> Vec<NodeRecord> {
    let dom = page.dom();
    let paths = XPaths::new(dom);
    dom.shown_texts()
        .map(|node| NodeRecord {
            node,
            xpath: paths.of(node),
            tag: dom.parent(node).map_or(String::new(), |parent| dom.name(parent).to_owned()),
            label: extraction.labels[node],
            kept: kept.contains(node),
            posterior: extraction
                .posteriors
                .as_ref()
                .map(|posteriors| Label::ALL.into_iter().zip(posteriors[node]).collect()),
            score: extraction.scores.as_ref().map(|scores| scores[node]),
            text: folded(dom.text(node)),
        })
        .collect()
}
