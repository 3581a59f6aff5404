//! What is known of the text of a page, as Python gives it, and pages with it.

use duramen::dataset::labelled::LabelledPage;
use duramen::dataset::transfer::{GoldTokens, place_labels, transfer_labels};
use duramen::dataset::{LabelledNode, LabelledNodes};
use duramen::dom::xpath::XPaths;
use duramen::progress::Progress;
use duramen::{Error, Label, Limits, Page, PageProblem, Result};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyDict, PyString};
use rayon::prelude::*;

use super::content::Content;
use super::errors::{UsageError, raised};
use super::work::Work;

/// What is known of the text of a page.
pub enum PageReference {
    /// Nothing.
    Nothing,
    /// The content as text.
    Text(String),
    /// The page with marks of L3S's annotation.
    Annotated(PyBackedBytes),
    /// Labels of what XPaths select; the rest is not content.
    XPaths(Vec<(String, Label)>),
    /// A label for each block, in the order of the page.
    Blocks(Vec<Label>),
}

impl PageReference {
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.is_none() {
            return Ok(PageReference::Nothing);
        }
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(PageReference::Text(text.to_string()));
        }
        if let Ok(bytes) = object.extract::<PyBackedBytes>() {
            return Ok(PageReference::Annotated(bytes));
        }
        if let Ok(labels) = object.cast::<PyDict>() {
            let labels = labels.iter().map(|(xpath, label)| Ok((xpath.extract()?, label_of(&label)?)));
            return Ok(PageReference::XPaths(labels.collect::<PyResult<_>>()?));
        }
        if let Ok(labels) = object.try_iter() {
            return Ok(PageReference::Blocks(
                labels.map(|label| label_of(&label?)).collect::<PyResult<_>>()?,
            ));
        }
        Err(PyTypeError::new_err(format!(
            "what is known of a page is its text (str), its annotated twin (bytes), labels by XPath (dict), a label for each \
             block (sequence) or nothing (None), and this is {}",
            object.get_type().name()?
        )))
    }
}

/// A label by its name or number.
fn label_of(object: &Bound<'_, PyAny>) -> PyResult<Label> {
    if let Ok(name) = object.extract::<String>() {
        return name.parse().map_err(raised);
    }
    let number = object.extract::<usize>()?;
    Label::from_index(number).ok_or_else(|| {
        UsageError::new_err(format!("label {number}; labels are numbered 0 to 5, see duramen.LABELS"))
    })
}

/// Pages with what is known of them, as they were given.
pub struct GivenPages {
    pages: Vec<GivenPage>,
}

struct GivenPage {
    id: String,
    url: Option<String>,
    content: Content,
    known: PageReference,
}

impl GivenPages {
    /// Pages with labels, addresses and names; each list but the first may be left out.
    pub fn new(
        pages: Vec<Bound<'_, PyAny>>,
        known: Option<Vec<Bound<'_, PyAny>>>,
        urls: Option<Vec<Option<String>>>,
        ids: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let n = pages.len();
        let lengths = [
            ("labels", known.as_ref().map(Vec::len)),
            ("urls", urls.as_ref().map(Vec::len)),
            ("ids", ids.as_ref().map(Vec::len)),
        ];
        for (name, length) in lengths {
            if let Some(length) = length.filter(|&length| length != n) {
                return Err(UsageError::new_err(format!(
                    "there are {n} pages and {length} {name}; give one for each page"
                )));
            }
        }
        let page = |(i, page): (usize, Bound<'_, PyAny>)| {
            let url = urls.as_ref().and_then(|urls| urls[i].clone());
            let id = ids.as_ref().map(|ids| ids[i].clone()).or_else(|| url.clone());
            let known =
                known.as_ref().map_or(Ok(PageReference::Nothing), |known| PageReference::of(&known[i]))?;
            let id = id.unwrap_or_else(|| format!("page {i}"));
            Ok(GivenPage { id, url, content: Content::of(&page)?, known })
        };
        Ok(GivenPages { pages: pages.into_iter().enumerate().map(page).collect::<PyResult<_>>()? })
    }

    /// Parses the pages.
    pub fn parse(&self, work: &Work) -> Result<Vec<(Page, &PageReference)>> {
        work.stage("reading pages", self.pages.len());
        let parse = |given: &'_ GivenPage| {
            let page =
                given.content.bytes().page(&given.id, given.url.clone(), None, false, &Limits::default());
            work.step();
            page
        };
        let pages: Vec<Page> = self.pages.par_iter().map(parse).collect::<Result<_>>()?;
        Ok(pages.into_iter().zip(self.pages.iter().map(|given| &given.known)).collect())
    }

    /// Parses the pages and places what is known on them.
    pub fn labelled(&self, work: &Work) -> Result<Vec<LabelledPage>> {
        let pages = self.parse(work)?;
        pages.into_par_iter().map(|(page, known)| labelled(page, known)).collect()
    }
}

/// A page with its reference.
pub fn labelled(page: Page, known: &PageReference) -> Result<LabelledPage> {
    let gold = match known {
        PageReference::Text(text) => return Ok(LabelledPage::from_text(page, text.clone())),
        PageReference::Nothing => {
            return Err(Error::usage(
                format!("{}: nothing is known of it", page.id()),
                "give its text, or labels by XPath or block",
            ));
        }
        other => tokens(&page, other)?,
    };
    Ok(LabelledPage::from_tokens(page, gold))
}

/// The labels of a page's tokens.
pub fn tokens(page: &Page, known: &PageReference) -> Result<GoldTokens> {
    let named = |problem: PageProblem| Error::page(page.id(), problem);
    let nodes = match known {
        PageReference::Annotated(annotated) => {
            return transfer_labels(page.dom(), annotated).map(|transfer| transfer.gold).map_err(named);
        }
        PageReference::XPaths(labels) => labels.clone(),
        PageReference::Blocks(labels) => {
            let paths = XPaths::new(page.dom());
            let blocks: Vec<String> = page.dom().shown_texts().map(|id| paths.of(id)).collect();
            if blocks.len() != labels.len() {
                return Err(Error::usage(
                    format!("{}: it has {} blocks and {} labels", page.id(), blocks.len(), labels.len()),
                    "give one for each of its blocks, as bare_extraction(page).blocks has them",
                ));
            }
            blocks.into_iter().zip(labels.iter().copied()).collect()
        }
        PageReference::Nothing | PageReference::Text(_) => Vec::new(),
    };
    let node = |(i, (xpath, label)): (usize, (String, Label))| LabelledNode {
        line: i + 1,
        xpath,
        label,
        text: None,
    };
    let labels = LabelledNodes {
        file: "labels".to_owned(),
        nodes: nodes.into_iter().enumerate().map(node).collect(),
        ..LabelledNodes::default()
    };
    let placed = place_labels(page.dom(), &labels);
    match placed.objection(labels.unlabelled) {
        None => Ok(placed.gold),
        Some(problem) => Err(named(PageProblem::Failed(problem))),
    }
}
