//! `Extractor`, any of the systems by its id, and `Extracted`, what it found on a page.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use duramen::dataset::state_convention;
use duramen::dom::XPathQuery;
use duramen::extract::pictures::ImageModel;
use duramen::extract::registry::{self, Parameters};
use duramen::extract::render::{
    CSV_COLUMNS, ImageRecord, Kept, LeadImageRecord, NodeRecord, RenderOptions, RenderedPage, image_records,
    lead_image_record, node_records, to_html_document, to_markdown, to_text,
};
use duramen::extract::{ExtractError, hmt};
use duramen::{Extraction, Label, LabelSet, Limits, Page, PageProblem, Selection};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use super::content::{Bytes, Content};
use super::errors::{DataError, UsageError, raised};
use super::model::Model;
use super::work::{guarded, panic_text};

/// What is asked of the pages that are extracted.
#[derive(Clone)]
pub struct Asked {
    pub selection: Selection,
    pub least_confidence: Option<f64>,
    pub tables: bool,
    pub images: bool,
    /// What is not kept, whatever it is.
    pub pruned: Vec<String>,
    pub limits: Limits,
}

impl Asked {
    pub fn new(
        labels: Option<Vec<String>>,
        threshold: Option<f64>,
        min_confidence: Option<f64>,
    ) -> PyResult<Self> {
        let labels = match labels {
            None => LabelSet::ARTICLE,
            Some(names) => label_set(&names)?,
        };
        for (name, value) in [("threshold", threshold), ("min_confidence", min_confidence)] {
            if let Some(value) = value.filter(|value| !(0.0..=1.0).contains(value)) {
                return Err(UsageError::new_err(format!("{name} is {value}; it is from 0 to 1")));
            }
        }
        Ok(Asked {
            selection: Selection { labels, threshold },
            least_confidence: min_confidence,
            tables: true,
            images: false,
            pruned: Vec::new(),
            limits: Limits::default(),
        })
    }
}

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
    pub system: Arc<dyn duramen::Extractor>,
    pub reads_source: bool,
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
            let info = registry::info(id).map_err(raised)?;
            let system: Arc<dyn duramen::Extractor> = match model {
                None => Arc::from(py.detach(|| registry::build(id, &parameters)).map_err(raised)?),
                Some(_) if id != hmt::ID => {
                    return Err(UsageError::new_err(format!(
                        "extractor '{id}' takes no model; leave it out"
                    )));
                }
                Some(model) => {
                    let model = model.get().model.clone();
                    Arc::new(py.detach(|| hmt::from_model(model, &parameters)).map_err(raised)?)
                }
            };
            Ok(Extractor { system, reads_source: info.reads_source })
        })
    }

    #[getter]
    fn id(&self) -> &str {
        self.system.id()
    }

    /// Whether it labels what readers wrote as comments.
    #[getter]
    fn tells_comments(&self) -> bool {
        self.system.tells_comments()
    }

    /// Extracts one page. What is wrong with the page is its status; only what is wrong with the call is raised.
    #[pyo3(signature = (content, *, url = None, id = None, charset = None, labels = None, threshold = None,
                        min_confidence = None, tables = true, images = false, prune = None, max_nodes = None))]
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
        tables: bool,
        images: bool,
        prune: Option<Vec<String>>,
        max_nodes: Option<usize>,
    ) -> PyResult<Extracted> {
        guarded(|| {
            let mut asked = Asked::new(labels, threshold, min_confidence)?;
            self.check(&asked)?;
            (asked.tables, asked.images, asked.pruned) = (tables, images, prune.unwrap_or_default());
            for xpath in &asked.pruned {
                XPathQuery::parse(xpath).map_err(raised)?;
            }
            if let Some(max_nodes) = max_nodes {
                asked.limits.max_nodes = max_nodes;
            }
            let content = Content::of(content)?;
            let id = id.or_else(|| url.clone()).unwrap_or_else(|| "page".to_owned());
            Ok(py.detach(|| self.of(content.bytes(), id, url, charset.as_deref(), &asked)))
        })
    }
}

impl Extractor {
    /// Whether the system can do what is asked.
    pub fn check(&self, asked: &Asked) -> PyResult<()> {
        let needs = asked.selection.threshold.is_some() || asked.least_confidence.is_some();
        if needs && !self.system.gives_probabilities() {
            return Err(UsageError::new_err(format!(
                "threshold and min_confidence need probabilities, which extractor '{}' does not give; leave them out",
                self.system.id()
            )));
        }
        Ok(())
    }

    /// Extracts a page; a panic is its status too.
    pub fn of(
        &self,
        content: Bytes<'_>,
        id: String,
        url: Option<String>,
        charset: Option<&str>,
        asked: &Asked,
    ) -> Extracted {
        let result = catch_unwind(AssertUnwindSafe(|| {
            let page = content.page(&id, url.clone(), charset, self.reads_source, &asked.limits);
            let page = page.map_err(problem)?;
            self.of_page(page, asked)
        }));
        result
            .unwrap_or_else(|panic| Err(PageProblem::Failed(panic_text(&*panic)).into()))
            .unwrap_or_else(|error| Extracted { record: RenderedPage::failed(id, url, &error), found: None })
    }

    fn of_page(&self, page: Page, asked: &Asked) -> Result<Extracted, ExtractError> {
        let no_result = || Err(PageProblem::Failed("the extractor gave no result".to_owned()).into());
        let mut extraction = self.system.extract_site(&[&page]).pop().unwrap_or_else(no_result)?;
        if asked.images && extraction.images.is_none() && extraction.posteriors.is_some() {
            extraction.images = Some(ImageModel::bundled().images(&page, &extraction));
        }
        let mut kept = asked.selection.kept(&page, &extraction).map_err(problem)?;
        for xpath in &asked.pruned {
            let selected = XPathQuery::parse(xpath).and_then(|query| query.select(page.dom()));
            let selected = selected.map_err(problem)?;
            let mut inside = page.dom().covers(selected.into_iter());
            kept.retain(|id| !inside(id));
        }
        let render = RenderOptions { tables: asked.tables, ..RenderOptions::default() };
        let mut record = RenderedPage::new(&page, &extraction, &asked.selection, &kept, &render);
        if let Some(least) = asked.least_confidence {
            record.abstain_below(least);
        }
        Ok(Extracted { record, found: Some(Found { page, extraction, kept }) })
    }
}

fn problem(error: duramen::Error) -> ExtractError {
    match error {
        duramen::Error::Page { problem, .. } => problem.into(),
        other => PageProblem::Failed(other.to_string()).into(),
    }
}

/// What was found on a page: its record, and unless it failed the page itself.
#[pyclass(module = "duramen._duramen")]
pub struct Extracted {
    pub record: RenderedPage,
    found: Option<Found>,
}

struct Found {
    page: Page,
    extraction: Extraction,
    kept: Kept,
}

#[pymethods]
impl Extracted {
    #[getter]
    fn id(&self) -> &str {
        &self.record.id
    }
    #[getter]
    fn url(&self) -> Option<&str> {
        self.record.url.as_deref()
    }
    #[getter]
    fn status(&self) -> &'static str {
        self.record.status
    }
    #[getter]
    fn problem(&self) -> Option<&str> {
        self.record.problem.as_deref()
    }
    #[getter]
    fn title(&self) -> Option<&str> {
        self.record.title.as_deref()
    }
    #[getter]
    fn author(&self) -> Option<&str> {
        self.record.author.as_deref()
    }
    #[getter]
    fn date(&self) -> Option<&str> {
        self.record.date.as_deref()
    }
    #[getter]
    fn language(&self) -> Option<&str> {
        self.record.language.as_deref()
    }
    #[getter]
    fn site(&self) -> Option<&str> {
        self.record.site.as_deref()
    }
    #[getter]
    fn description(&self) -> Option<&str> {
        self.record.description.as_deref()
    }
    #[getter]
    fn image(&self) -> Option<&str> {
        self.record.image.as_deref()
    }
    #[getter]
    fn license(&self) -> Option<&str> {
        self.record.license.as_deref()
    }
    #[getter]
    fn categories(&self) -> Vec<String> {
        self.record.categories.clone()
    }
    #[getter]
    fn tags(&self) -> Vec<String> {
        self.record.tags.clone()
    }
    #[getter]
    fn fingerprint(&self) -> Option<&str> {
        self.record.fingerprint.as_deref()
    }
    #[getter]
    fn confidence(&self) -> Option<f64> {
        self.record.confidence
    }
    #[getter]
    fn wrapper(&self) -> Option<&str> {
        self.record.wrapper.as_deref()
    }
    #[getter]
    fn text(&self) -> &str {
        &self.record.text
    }

    /// P(type) of the page by the type's name; None of a model that tells no types.
    #[getter]
    fn page_type<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        guarded(|| {
            let Some(types) = &self.record.page_type else { return Ok(None) };
            let dict = PyDict::new(py);
            types.iter().try_for_each(|(page_type, p)| dict.set_item(page_type.name(), *p))?;
            Ok(Some(dict))
        })
    }

    /// The number of words shown under each label.
    #[getter]
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        guarded(|| {
            let dict = PyDict::new(py);
            self.record.words.iter().try_for_each(|(label, n)| dict.set_item(label.name(), *n))?;
            Ok(dict)
        })
    }

    /// The kept text in a format: txt, markdown, html, json or csv, as the program writes it.
    #[pyo3(signature = (format, *, tables = true, links = false, images = false, with_metadata = false))]
    fn body(
        &self,
        py: Python<'_>,
        format: &str,
        tables: bool,
        links: bool,
        images: bool,
        with_metadata: bool,
    ) -> PyResult<String> {
        guarded(|| {
            let render = RenderOptions { tables, links, images };
            let record = &self.record;
            py.detach(|| match (format, &self.found) {
                ("json", _) => self.json(images).map(|json| json + "\n"),
                ("csv", _) => rows([CSV_COLUMNS.map(str::to_owned), record.csv_row()]),
                _ if record.status != "ok" => Ok(String::new()),
                ("txt", _) if with_metadata => Ok(format!("{}\n{}", record.metadata_lines(), record.text)),
                ("txt", _) => Ok(record.text.clone()),
                ("markdown", Some(found)) => {
                    let head = match with_metadata {
                        true => format!("---\n{}---\n\n", record.metadata_lines()),
                        false => String::new(),
                    };
                    Ok(head + &to_markdown(&found.page, &found.kept, &render))
                }
                ("html", Some(found)) => {
                    Ok(to_html_document(&found.page, &found.kept, &render, &record.html_head()))
                }
                _ => Err(UsageError::new_err(format!(
                    "output_format is '{format}'; it is txt, markdown, html, json or csv"
                ))),
            })
        })
    }

    /// The text under other labels than those asked for, such as the comments beside an article.
    fn text_of(&self, labels: Vec<String>) -> PyResult<String> {
        guarded(|| {
            let labels = label_set(&labels)?;
            let Some(found) = &self.found else { return Ok(String::new()) };
            let selection = Selection { labels, threshold: None };
            let kept = selection.kept(&found.page, &found.extraction).map_err(raised)?;
            Ok(to_text(&found.page, &kept, &RenderOptions::default()))
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
            let nodes: Vec<NodeRecord> = py.detach(|| match &self.found {
                Some(found) => node_records(&found.page, &found.extraction, &found.kept),
                None => Vec::new(),
            });
            let labels: Vec<u8> = nodes.iter().map(|node| node.label as u8).collect();
            let kept: Vec<u8> = nodes.iter().map(|node| node.kept.into()).collect();
            let posteriors = self.found.as_ref().and_then(|found| found.extraction.posteriors.as_ref());
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
        self.record.withhold(problem);
    }

    /// Leaves the author out.
    fn forget_author(&mut self) {
        self.record.author = None;
    }

    /// The kept images, as JSON.
    fn images_json(&self) -> PyResult<String> {
        guarded(|| {
            let images = self.found.as_ref();
            let images = images.map(|found| image_records(&found.page, &found.extraction, &found.kept));
            to_json(&images.unwrap_or_default())
        })
    }
}

impl Extracted {
    /// The record as the program writes it as JSON.
    fn json(&self, images: bool) -> PyResult<String> {
        #[derive(serde::Serialize)]
        struct WithImages<'a> {
            #[serde(flatten)]
            record: &'a RenderedPage,
            images: Vec<ImageRecord>,
            lead_image: Option<LeadImageRecord>,
        }
        match self.found.as_ref().filter(|_| images) {
            None => to_json(&self.record),
            Some(found) => to_json(&WithImages {
                record: &self.record,
                images: image_records(&found.page, &found.extraction, &found.kept),
                lead_image: lead_image_record(&found.extraction),
            }),
        }
    }
}

fn to_json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string_pretty(value).map_err(|error| DataError::new_err(error.to_string()))
}

fn rows<const N: usize>(rows: impl IntoIterator<Item = [String; N]>) -> PyResult<String> {
    let wrong = |error: &dyn std::fmt::Display| DataError::new_err(format!("CSV: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).map_err(|error| wrong(&error))?;
    }
    let bytes = writer.into_inner().map_err(|error| wrong(&error))?;
    String::from_utf8(bytes).map_err(|error| wrong(&error))
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
