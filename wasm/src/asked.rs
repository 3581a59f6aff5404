//! `Asked`, the options of a call as JavaScript has them.

use duramen::{Label, LabelSet, Options, RenderOptions, Result, Selection, XPathQuery};
use serde::Deserialize;

/// The convention without which none is asked for.
pub const CONVENTION: &str = "article";

/// What `js/index.d.ts` documents. What is not given is as in [`Options`].
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Asked {
    url: Option<String>,
    id: Option<String>,
    charset: Option<String>,
    convention: Option<String>,
    labels: Option<Vec<Label>>,
    comments: bool,
    threshold: Option<f64>,
    min_confidence: Option<f64>,
    hidden: bool,
    prune: Vec<String>,
    max_bytes: Option<usize>,
    max_nodes: Option<usize>,
    tables: bool,
    links: bool,
    images: bool,
    pub markdown: bool,
    pub html: bool,
    pub blocks: bool,
}

impl Default for Asked {
    fn default() -> Self {
        Asked {
            url: None,
            id: None,
            charset: None,
            convention: None,
            labels: None,
            comments: false,
            threshold: None,
            min_confidence: None,
            hidden: false,
            prune: Vec::new(),
            max_bytes: None,
            max_nodes: None,
            tables: true,
            links: false,
            images: false,
            markdown: true,
            html: true,
            blocks: true,
        }
    }
}

impl Asked {
    /// The convention by whose tables a page is read.
    pub fn convention(&self) -> &str {
        self.convention.as_deref().unwrap_or(CONVENTION)
    }

    /// How Markdown and HTML are written.
    pub fn render(&self) -> RenderOptions {
        RenderOptions {
            links: self.links,
            images: self.images,
            tables: self.tables,
            ..RenderOptions::default()
        }
    }

    /// The options of the library; `is_text` says that the page is UTF-8, whatever it states.
    pub fn options(&self, of_model: Options, is_text: bool) -> Result<Options> {
        let mut options = Options {
            selection: Selection { labels: self.labels()?, threshold: self.threshold, hidden: self.hidden },
            min_confidence: self.min_confidence,
            pruned: self.prune.iter().map(|xpath| XPathQuery::parse(xpath)).collect::<Result<_>>()?,
            url: self.url.clone(),
            id: self.id.clone(),
            charset: if is_text { Some("utf-8".to_owned()) } else { self.charset.clone() },
            tables: self.tables,
            ..of_model
        };
        if let Some(max_bytes) = self.max_bytes {
            options.limits.max_bytes = max_bytes;
        }
        if let Some(max_nodes) = self.max_nodes {
            options.limits.max_nodes = max_nodes;
        }
        Ok(options)
    }

    fn labels(&self) -> Result<LabelSet> {
        let wrong = |what: &str, remedy: &str| Err(duramen::Error::usage(what, remedy));
        match &self.labels {
            Some(_) if self.comments => {
                wrong("comments has no effect beside labels", "add 'comments' to these")
            }
            Some(labels) if labels.is_empty() => wrong("labels is empty", "name one or more of them"),
            Some(labels) => Ok(labels.iter().copied().collect()),
            None if self.comments => Ok(LabelSet::ARTICLE.iter().chain([Label::Comments]).collect()),
            None => Ok(LabelSet::ARTICLE),
        }
    }
}
