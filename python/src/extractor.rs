//! `Extractor`, any of the systems by its id, and `Extracted`, what it found on a page.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use duramen::dataset::state_convention;
use duramen::document::{CountTokens, JsonParts, TokenBudget, csv_header};
use duramen::dom::XPathQuery;
use duramen::extract::pictures::ImageModel;
use duramen::extract::registry::{self, Parameters};
use duramen::extract::render::{RenderOptions, TableFormat};
use duramen::extract::{ExtractError, hmt};
use duramen::model::PageType;
use duramen::page_work::on_page;
use duramen::{Document, Fault, Label, LabelSet, Options, Selection};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyBytes, PyDict, PyList};

use super::content::{Bytes, Content};
use super::errors::{DataError, UsageError, raised};
use super::model::Model;
use super::repeats::RepeatList;
use super::work::guarded;

/// Labels by their names.
pub fn label_set(names: &[String]) -> PyResult<LabelSet> {
    let labels: duramen::Result<LabelSet> = names.iter().map(|name| name.parse::<Label>()).collect();
    let labels = labels.map_err(raised)?;
    match labels.is_empty() {
        true => Err(UsageError::new_err("labels is empty; name one or more of them, see duramen.LABELS")),
        false => Ok(labels),
    }
}

/// A system that finds the content of pages, by its id, with parameters as `duramen extractors` lists them.
#[pyclass(frozen, module = "duramen._duramen")]
pub struct Extractor {
    options: Options,
}

#[pymethods]
impl Extractor {
    #[new]
    #[pyo3(signature = (id = "hmt", parameters = None, model = None))]
    fn new(
        py: Python<'_>,
        id: &str,
        parameters: Option<&Bound<'_, PyDict>>,
        model: Option<Bound<'_, Model>>,
    ) -> PyResult<Self> {
        guarded(|| {
            let parameters = parameters.map(table).transpose()?.unwrap_or_default();
            let parameters = state_convention(parameters).map_err(raised)?;
            if model.is_some() && id != hmt::ID {
                return Err(UsageError::new_err(format!("extractor '{id}' takes no model; leave it out")));
            }
            let model = model.map(|model| (*model.get().model).clone());
            let options = py.detach(|| match model {
                None => Options::of_system(id, &parameters),
                Some(model) => Ok(Options::new(Arc::new(hmt::from_model(model, &parameters)?))),
            });
            Ok(Extractor { options: options.map_err(raised)? })
        })
    }

    #[getter]
    fn id(&self) -> &str {
        self.options.extractor.id()
    }

    /// Whether it labels what readers wrote as comments.
    #[getter]
    fn tells_comments(&self) -> bool {
        self.options.extractor.tells_comments()
    }

    /// The same, which drops what sites repeat.
    fn dropping(&self, repeats: &Bound<'_, RepeatList>) -> Self {
        Extractor { options: Options { repeats: Some(repeats.get().list.clone()), ..self.options.clone() } }
    }

    /// Extracts one page. What is wrong with the page is its status; only what is wrong with the call is raised.
    #[pyo3(signature = (content, *, url = None, id = None, charset = None, labels = None, threshold = None,
                        min_confidence = None, hidden = false, max_tokens = None, count_tokens = None, tables = true,
                        images = false, target_language = None, only_with_metadata = false, prune = None, max_nodes = None, max_seconds = None))]
    #[expect(clippy::too_many_arguments, reason = "each is an option of the one function that calls it")]
    fn extract(
        &self,
        py: Python<'_>,
        content: &Bound<'_, PyAny>,
        url: Option<String>,
        id: Option<String>,
        charset: Option<String>,
        labels: Option<Vec<String>>,
        threshold: Option<f64>,
        min_confidence: Option<f64>,
        hidden: bool,
        max_tokens: Option<usize>,
        count_tokens: Option<Py<PyAny>>,
        tables: bool,
        images: bool,
        target_language: Option<String>,
        only_with_metadata: bool,
        prune: Option<Vec<String>>,
        max_nodes: Option<usize>,
        max_seconds: Option<u64>,
    ) -> PyResult<Extracted> {
        guarded(|| {
            let mut options = self.options(labels, threshold, min_confidence, hidden)?;
            let raised_by_count = Arc::new(Mutex::new(None));
            options.max_tokens = max_tokens.map(|max| match count_tokens {
                None => TokenBudget::words(max),
                Some(count) => TokenBudget { max, count: by_python(count, raised_by_count.clone()) },
            });
            options.target_language = target_language;
            options.only_with_metadata = only_with_metadata;
            options.check().map_err(raised)?;
            let pruned = prune.iter().flatten().map(|xpath| XPathQuery::parse(xpath));
            options.pruned = pruned.collect::<duramen::Result<_>>().map_err(raised)?;
            options.tables = tables;
            if let Some(max_nodes) = max_nodes {
                options.limits.max_nodes = max_nodes;
            }
            options.limits.max_seconds = max_seconds;
            let content = Content::of(content)?;
            let id = id.or_else(|| url.clone()).unwrap_or_else(|| "page".to_owned());
            let extracted = Extracted(py.detach(|| {
                // Read at the first call.
                options.image_model = images.then(|| Cow::Borrowed(ImageModel::bundled()));
                document(content.bytes(), id, url, charset.as_deref(), &options)
            }));
            let raised_by_count = raised_by_count.lock().unwrap_or_else(PoisonError::into_inner).take();
            raised_by_count.map_or(Ok(extracted), Err)
        })
    }
}

impl Extractor {
    /// The options of a call.
    pub fn options(
        &self,
        labels: Option<Vec<String>>,
        threshold: Option<f64>,
        min_confidence: Option<f64>,
        hidden: bool,
    ) -> PyResult<Options> {
        let labels = labels.map_or(Ok(LabelSet::ARTICLE), |names| label_set(&names))?;
        let selection = Selection { labels, threshold, hidden };
        let options = Options { selection, min_confidence, ..self.options.clone() };
        options.check().map_err(raised)?;
        Ok(options)
    }
}

/// A count of tokens by a function of Python's; the first exception that it raises is kept, and the block then counts as too long.
fn by_python(count: Py<PyAny>, first: Arc<Mutex<Option<PyErr>>>) -> CountTokens {
    Arc::new(move |text| {
        let tokens =
            Python::attach(|py| count.call1(py, (text,)).and_then(|tokens| tokens.extract::<usize>(py)));
        tokens.unwrap_or_else(|error| {
            first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            usize::MAX
        })
    })
}

/// Extracts a page; a panic is its status too.
pub fn document(
    content: Bytes<'_>,
    id: String,
    url: Option<String>,
    charset: Option<&str>,
    options: &Options,
) -> Document {
    let result = on_page(options.limits.max_seconds, || -> Result<Document, ExtractError> {
        let page = content.page(&id, url.clone(), charset, options.reads_source, &options.limits)?;
        Ok(Document::of_page(page, options))
    });
    let result = result.unwrap_or_else(|problem| Err(problem.into()));
    result.unwrap_or_else(|error| Document::failed(id, url, &error))
}

/// What was found on a page.
#[pyclass(module = "duramen._duramen")]
pub struct Extracted(Document);

#[pymethods]
impl Extracted {
    #[getter]
    fn id(&self) -> &str {
        &self.0.id
    }
    #[getter]
    fn url(&self) -> Option<&str> {
        self.0.url.as_deref()
    }
    #[getter]
    fn status(&self) -> &'static str {
        self.0.status
    }
    #[getter]
    fn problem(&self) -> Option<&str> {
        self.0.problem.as_deref()
    }
    #[getter]
    fn title(&self) -> Option<&str> {
        self.0.title.as_deref()
    }
    #[getter]
    fn author(&self) -> Option<&str> {
        self.0.author.as_deref()
    }
    #[getter]
    fn date(&self) -> Option<&str> {
        self.0.date.as_deref()
    }

    #[getter]
    fn date_modified(&self) -> Option<&str> {
        self.0.date_modified.as_deref()
    }

    /// The number of words that the page hides from its readers.
    #[getter]
    fn hidden_words(&self) -> u64 {
        self.0.hidden_words
    }

    /// The number of words that are dropped, since the site repeats them; None if that was not asked for.
    #[getter]
    fn repeated_words(&self) -> Option<u64> {
        self.0.repeated_words
    }
    #[getter]
    fn language(&self) -> Option<&str> {
        self.0.language.as_deref()
    }
    #[getter]
    fn site(&self) -> Option<&str> {
        self.0.site.as_deref()
    }
    #[getter]
    fn description(&self) -> Option<&str> {
        self.0.description.as_deref()
    }
    #[getter]
    fn image(&self) -> Option<&str> {
        self.0.image.as_deref()
    }
    #[getter]
    fn license(&self) -> Option<&str> {
        self.0.license.as_deref()
    }
    #[getter]
    fn categories(&self) -> Vec<String> {
        self.0.categories.clone()
    }
    #[getter]
    fn tags(&self) -> Vec<String> {
        self.0.tags.clone()
    }
    #[getter]
    fn fingerprint(&self) -> Option<&str> {
        self.0.fingerprint.as_deref()
    }
    #[getter]
    fn confidence(&self) -> Option<f64> {
        self.0.confidence
    }
    #[getter]
    fn wrapper(&self) -> Option<&str> {
        self.0.wrapper.as_deref()
    }
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// P(type) of the page by the type's name; None of a model that tells no types.
    #[getter]
    fn page_type<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        guarded(|| {
            let Some(types) = &self.0.page_type else { return Ok(None) };
            types.iter().map(|(page_type, p)| (page_type.name(), *p)).into_py_dict(py).map(Some)
        })
    }

    /// The most probable type of page; None of a model that tells no types.
    #[getter]
    fn most_probable_type(&self) -> Option<&'static str> {
        self.0.most_probable_type().map(PageType::name)
    }

    /// P(fault) of the page by the fault's name; None of a page that could not be read.
    #[getter]
    fn page_fault<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        guarded(|| {
            let Some(faults) = &self.0.page_fault else { return Ok(None) };
            faults.iter().map(|(fault, p)| (fault.name(), *p)).into_py_dict(py).map(Some)
        })
    }

    /// The most probable fault, if its probability is one half or more.
    #[getter]
    fn most_probable_fault(&self) -> Option<&'static str> {
        self.0.most_probable_fault().map(Fault::name)
    }

    /// The number of words shown under each label.
    #[getter]
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        guarded(|| {
            let dict = PyDict::new(py);
            self.0.words.iter().try_for_each(|(label, n)| dict.set_item(label.name(), *n))?;
            Ok(dict)
        })
    }

    /// The kept text in a format: txt, markdown, html, xml, xmltei, json or csv, as the program writes it; or the tree of its blocks
    /// alone, structure.
    #[pyo3(signature = (format, *, tables = true, links = false, images = false, with_metadata = false, table_format = "gfm"))]
    #[expect(clippy::too_many_arguments, reason = "each is an option of the functions that call it")]
    fn body(
        &self,
        py: Python<'_>,
        format: &str,
        tables: bool,
        links: bool,
        images: bool,
        with_metadata: bool,
        table_format: &str,
    ) -> PyResult<String> {
        guarded(|| {
            let table_format = match table_format {
                "gfm" => TableFormat::Gfm,
                "html" => TableFormat::Html,
                "csv" => TableFormat::Csv,
                "records" => TableFormat::Records,
                other => {
                    return Err(UsageError::new_err(format!(
                        "table_format is '{other}'; it is gfm, html, csv or records"
                    )));
                }
            };
            let render = RenderOptions { tables, links, images, table_format };
            let document = &self.0;
            py.detach(|| {
                Ok(match format {
                    "json" => document.json(JsonParts { images, ..JsonParts::default() }),
                    "structure" => document.structure(&render).to_string(),
                    "csv" => csv_header(false) + &document.csv(false),
                    "txt" | "markdown" | "html" | "xml" | "xmltei" if document.status != "ok" => {
                        String::new()
                    }
                    "txt" if with_metadata => document.text_with_metadata(),
                    "txt" => document.text.clone(),
                    "markdown" if with_metadata => document.markdown_with_metadata(&render),
                    "markdown" => document.markdown(&render),
                    "html" => document.html(&render),
                    "xml" => document.xml(&render),
                    "xmltei" => document.tei(&render),
                    _ => {
                        return Err(UsageError::new_err(format!(
                            "output_format is '{format}'; it is txt, markdown, html, xml, xmltei, json or csv"
                        )));
                    }
                })
            })
        })
    }

    /// What repeats on the page, as JSON.
    fn records_json(&self) -> PyResult<String> {
        guarded(|| {
            serde_json::to_string(&self.0.records).map_err(|error| DataError::new_err(error.to_string()))
        })
    }

    /// The text under other labels than those asked for, such as the comments beside an article.
    fn text_of(&self, labels: Vec<String>) -> PyResult<String> {
        guarded(|| {
            let labels = label_set(&labels)?;
            Ok(self.0.text_of(labels))
        })
    }

    /// The shown text nodes: XPaths, names of the elements around them, labels by number (a byte each), whether they are kept
    /// (a byte each), P(label) (doubles, blocks x labels; None of systems without probabilities), texts.
    #[expect(clippy::type_complexity, reason = "columns, which Blocks in Python names")]
    fn blocks<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(
        Vec<String>,
        Vec<String>,
        Bound<'py, PyBytes>,
        Bound<'py, PyBytes>,
        Option<Bound<'py, PyBytes>>,
        Vec<String>,
    )> {
        guarded(|| {
            let nodes = py.detach(|| self.0.blocks());
            let labels: Vec<u8> = nodes.iter().map(|node| node.label as u8).collect();
            let kept: Vec<u8> = nodes.iter().map(|node| node.kept.into()).collect();
            let posteriors = self.0.extraction().and_then(|(_, extraction)| extraction.posteriors.as_ref());
            let posteriors = posteriors.map(|posteriors| {
                let rows = nodes.iter().flat_map(|node| posteriors[node.node]);
                PyBytes::new(py, &rows.flat_map(f64::to_ne_bytes).collect::<Vec<u8>>())
            });
            let (mut xpaths, mut tags, mut texts) = (Vec::new(), Vec::new(), Vec::new());
            for node in nodes {
                xpaths.push(node.xpath);
                tags.push(node.tag);
                texts.push(node.text);
            }
            Ok((xpaths, tags, PyBytes::new(py, &labels), PyBytes::new(py, &kept), posteriors, texts))
        })
    }

    /// Withholds the text of a page that is not wanted.
    fn withhold(&mut self, problem: String) {
        self.0.record.withhold(problem);
    }

    /// Leaves the author out.
    fn forget_author(&mut self) {
        self.0.record.author = None;
    }

    /// The kept images, as JSON.
    fn images_json(&self) -> PyResult<String> {
        guarded(|| {
            let json = serde_json::to_string_pretty(&self.0.images().images);
            json.map_err(|error| DataError::new_err(error.to_string()))
        })
    }
}

/// A dictionary as the parameters of an extractor.
fn table(parameters: &Bound<'_, PyDict>) -> PyResult<Parameters> {
    let mut table = Parameters::new();
    for (name, value) in parameters {
        let name = name.extract::<String>()?.replace('_', "-");
        let value = if let Ok(flag) = value.cast::<pyo3::types::PyBool>() {
            toml::Value::Boolean(flag.is_true())
        } else if let Ok(number) = value.extract::<i64>() {
            toml::Value::Integer(number)
        } else if let Ok(number) = value.extract::<f64>() {
            toml::Value::Float(number)
        } else if let Ok(text) = value.extract::<String>() {
            toml::Value::String(text)
        } else {
            return Err(UsageError::new_err(format!(
                "parameter '{name}' is {}; it is a number, a text, True or False",
                value.get_type().name()?
            )));
        };
        table.insert(name, value);
    }
    Ok(table)
}

/// Every extractor: its id, what it is, where it comes from.
#[pyfunction]
pub fn extractors(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    guarded(|| PyList::new(py, registry::list().map(|info| (info.id, info.summary, info.reference))))
}
