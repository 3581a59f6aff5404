//! `Options`, what is asked of a page that is extracted.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use super::budget::TokenBudget;
use crate::dom::{Limits, XPathQuery};
use crate::error::{Error, PageProblem, Result};
use crate::extract::hmt::{self, Hmt, Inference};
use crate::extract::pictures::ImageModel;
use crate::extract::registry::{self, Parameters};
use crate::extract::render::{Kept, RenderedPage, Selection};
use crate::extract::repeats::RepeatList;
use crate::extract::{ExtractError, Extraction, Extractor};
use crate::model::Model;
use crate::page::{Page, Source};
use crate::page_work::caught;

/// What is asked of a page that is extracted. Made once for many pages; a clone is cheap and shares the model.
///
/// The default is the model `web`, which is read at the first call and kept; [`Options::of_model`] and
/// [`Options::of_system`] do not read it.
#[derive(Clone)]
pub struct Options {
    /// The system that finds the content. Default: the hidden Markov tree with the model `web`.
    pub extractor: Arc<dyn Extractor>,
    /// Whether the system reads the page as it came ([`registry::ExtractorInfo::reads_source`]), which is then copied beside the
    /// tree. Default false.
    pub reads_source: bool,
    /// The page's name in the record and in errors. Default: its address, or `page` without one.
    pub id: Option<String>,
    /// The page's address, if known: links and images become absolute. Default none.
    pub url: Option<String>,
    /// The charset of the HTTP header, if known; `utf-8` for text that was decoded. Default none: what the page states, or a guess.
    pub charset: Option<String>,
    /// The text that is kept. Default: the article.
    pub selection: Selection,
    /// XPaths of what is not kept, whatever it is. Default none.
    pub pruned: Vec<XPathQuery>,
    /// Text that is repeated over a page's site and is not kept. Default none. Of a system with a text in its own words, the text of a page
    /// of which something is dropped is that of its nodes.
    pub repeats: Option<Arc<RepeatList>>,
    /// If given, from 0 to 1: a page whose expected F1 is below this has the status `unsure` and no text. Default none.
    pub min_confidence: Option<f64>,
    /// If given, a language such as `de` or `pt-BR`, of which what stands before the hyphen counts: a page in another has the status
    /// `unsure` and no text. One whose language is not known is kept. Default none.
    pub target_language: Option<String>,
    /// Whether a page without title, date or address has the status `unsure` and no text. Default false.
    pub only_with_metadata: bool,
    /// How much of a page is kept at most: the most probable blocks. Default none: all that is content.
    pub max_tokens: Option<TokenBudget>,
    /// Whether data tables are written as tables in the record's text; otherwise their cells are paragraphs. Default true.
    pub tables: bool,
    /// What tells the article's images from others, of systems that give probabilities and do not tell themselves. Default none:
    /// an image is kept beside kept text.
    pub image_model: Option<Cow<'static, ImageModel>>,
    /// The largest page. Default: that of [`Limits`].
    pub limits: Limits,
}

/// What stands before the first hyphen of a language's code: the language itself.
fn primary(code: &str) -> &str {
    code.split('-').next().unwrap_or_default()
}

/// Whether a text is the code of a language in BCP 47, as far as its form tells.
pub fn is_language_code(text: &str) -> bool {
    let is_word =
        |word: &str| (1..=8).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_alphanumeric());
    let language = primary(text);
    (2..=3).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_alphabetic())
        && text.split('-').all(is_word)
}

impl Default for Options {
    fn default() -> Self {
        static WEB: LazyLock<Arc<dyn Extractor>> = LazyLock::new(|| {
            let hmt = Model::bundled().and_then(|model| Hmt::new(hmt::ID, model, Inference::Exact));
            Arc::new(hmt.expect("the model in the program is tested"))
        });
        Options::new(WEB.clone())
    }
}

impl Options {
    /// The defaults with another system, which reads no source.
    pub fn new(extractor: Arc<dyn Extractor>) -> Options {
        Options {
            extractor,
            reads_source: false,
            id: None,
            url: None,
            charset: None,
            selection: Selection::default(),
            pruned: Vec::new(),
            repeats: None,
            min_confidence: None,
            target_language: None,
            only_with_metadata: false,
            max_tokens: None,
            tables: true,
            image_model: None,
            limits: Limits::default(),
        }
    }

    /// The defaults with the hidden Markov tree of another model, by exact inference. What is taken in is the model's convention
    /// ([`Model::with_convention`]).
    ///
    /// # Errors
    /// As [`Hmt::new`].
    pub fn of_model(model: Model) -> Result<Options> {
        Ok(Options::new(Arc::new(Hmt::new(hmt::ID, model, Inference::Exact)?)))
    }

    /// The defaults with a system by its id, such as `hmt` with the parameters `model`, `convention`, `beta` and others, which
    /// [`registry::list`] names.
    ///
    /// # Errors
    /// As [`registry::build`].
    pub fn of_system(id: &str, parameters: &Parameters) -> Result<Options> {
        let extractor = Arc::from(registry::build(id, parameters)?);
        Ok(Options { reads_source: registry::info(id)?.reads_source, ..Options::new(extractor) })
    }

    /// Whether the numbers are in their ranges, the language is a code of one, and the system gives the probabilities that numbers are
    /// held against.
    ///
    /// # Errors
    /// [`Error::Usage`] if not.
    pub fn check(&self) -> Result<()> {
        let asked = [("threshold", self.selection.threshold), ("min_confidence", self.min_confidence)];
        let given = asked.iter().filter_map(|&(name, value)| Some((name, value?)));
        for (name, value) in given.clone() {
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::usage(format!("{name} is {value}"), "it is from 0 to 1"));
            }
        }
        if let Some(language) = &self.target_language
            && !is_language_code(language)
        {
            let what = format!("target_language is '{language}'");
            return Err(Error::usage(what, "write the code of a language, such as de or pt-BR"));
        }
        let needs_probabilities = given.count() > 0 || self.max_tokens.is_some();
        if needs_probabilities && !self.extractor.gives_probabilities() {
            let id = self.extractor.id();
            return Err(Error::usage(
                format!(
                    "threshold, min_confidence and max_tokens need probabilities, which extractor '{id}' does not give"
                ),
                "leave them out",
            ));
        }
        Ok(())
    }

    /// What the system finds on the pages of one site: an entry for each page, in order. Where it panics that is the problem of these
    /// pages.
    pub fn extractions(&self, pages: &[&Page]) -> Vec<Result<Extraction, ExtractError>> {
        let (mut found, problem) = match caught(|| self.extractor.extract_site(pages)) {
            Ok(found) => (found, PageProblem::Failed("the extractor gave no result".to_owned())),
            Err(problem) => (Vec::new(), problem),
        };
        found.resize_with(pages.len(), || Err(problem.clone().into()));
        found
    }

    /// Why a page is not wanted that is in this language, and known by title, date and address as far as is said; none if it is.
    pub(super) fn unwanted(&self, record: &RenderedPage) -> Option<String> {
        if self.only_with_metadata {
            let known = [("title", &record.title), ("date", &record.date), ("address", &record.url)];
            let missing: Vec<&str> =
                known.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| *name).collect();
            if !missing.is_empty() {
                return Some(format!("it has no {}", missing.join(", no ")));
            }
        }
        let (found, wanted) = (record.language.as_deref()?, self.target_language.as_deref()?);
        let is_other = !primary(found).eq_ignore_ascii_case(primary(wanted));
        is_other.then(|| format!("its language is {found}, and {wanted} was asked for"))
    }

    pub(super) fn id(&self) -> &str {
        self.id.as_deref().or(self.url.as_deref()).unwrap_or("page")
    }

    pub(super) fn parse(&self, bytes: &[u8]) -> Result<Page> {
        let page = Page::parse(self.id(), self.url.clone(), bytes, self.charset.as_deref(), &self.limits)?;
        let source = || Source { bytes: bytes.to_vec(), http_charset: self.charset.clone() };
        Ok(if self.reads_source { page.with_source(source()) } else { page })
    }

    pub(super) fn kept(&self, page: &Page, extraction: &Extraction) -> Result<Kept> {
        let mut kept = self.selection.kept(page, extraction)?;
        for xpath in &self.pruned {
            let mut inside = page.dom().covers(xpath.select(page.dom())?.into_iter());
            kept.retain(|id| !inside(id));
        }
        Ok(kept)
    }
}
