//! A page of a corpus, and what the corpus says of its content.

use super::image_gold::ImageGold;
use super::pairs::Unlabelled;
use crate::label::{Label, LabelSet};

/// A page of a corpus with its gold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The page's name, unique in its corpus.
    pub id: String,
    /// Its URL, where the corpus states one.
    pub url: Option<String>,
    /// The registered domain of the URL, as [`crate::host::registered_domain`] gives it and the manifest's `same_site` maps
    /// it; [`crate::host::UNKNOWN`] without URL.
    pub host: String,
    /// The pages of one site may share a template: the host, in a corpus of several years with the year.
    pub site: String,
    /// Its language as an ISO 639 code, where the corpus states one.
    pub language: Option<String>,
    /// The type of page, such as `article` or `forum`, where the corpus states one.
    pub page_type: Option<String>,
    /// The page's bytes as its server sent them, as far as the corpus kept them.
    pub html: Vec<u8>,
    /// What of it is content.
    pub gold: Gold,
}

/// What a corpus says of a page's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gold {
    /// The bytes of an annotated copy of the page, for labels only: a feature computed on it would leak them.
    Annotated(Vec<u8>),
    /// The content as text.
    Text(TextGold),
    /// Labels of nodes of the page itself.
    Nodes(LabelledNodes),
    /// Labels of its pictures, and none of its text.
    Images(ImageGold),
    /// Nothing.
    Missing,
}

/// A file, or a line of one, in a corpus's folder that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Misfit {
    /// The page, the file, or file and line.
    pub name: String,
    /// What is wrong with it.
    pub reason: String,
}

/// A reference text, with what else a corpus tells. Where a corpus has no such field it is `None` or empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextGold {
    /// The content.
    pub text: String,
    /// The title.
    pub title: Option<String>,
    /// Whether the headline of an article is left to the title by the corpus's guidelines, rather than part of the text.
    pub is_title_apart: bool,
    /// The author.
    pub author: Option<String>,
    /// The date of publication, in the corpus's own notation.
    pub date: Option<String>,
    /// Snippets that an extraction must have.
    pub with: Vec<String>,
    /// Snippets that an extraction must not have.
    pub without: Vec<String>,
    /// What readers wrote below it: known to be comments, and no part of the text. `None` where the corpus does not keep
    /// them apart.
    pub comments: Option<String>,
}

impl TextGold {
    /// The labels of the text: those of the article, the headline where it belongs to it.
    pub fn labels(&self) -> LabelSet {
        if self.is_title_apart { LabelSet::ARTICLE_BODY } else { LabelSet::ARTICLE }
    }
}

/// Labels of a page's nodes, by XPath: its text in an element that has a label has it too, unless an element or text
/// further inside has another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelledNodes {
    /// The file's name, for messages.
    pub file: String,
    /// The labels, in the order of the file.
    pub nodes: Vec<LabelledNode>,
    /// The page's address, where the file states it.
    pub url: Option<String>,
    /// What text without a label is.
    pub unlabelled: Unlabelled,
    /// What could not be read, each with file and line.
    pub problems: Vec<String>,
}

/// The label of one node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledNode {
    /// The line of its file, from 1.
    pub line: usize,
    /// An XPath 1.0 that selects the node, or several.
    pub xpath: String,
    /// The label.
    pub label: Label,
    /// The node's text as the file has it, if it does.
    pub text: Option<String>,
}
