//! How a document is written: text with metadata, Markdown, HTML, JSON and CSV.

use serde::Serialize;

use super::{Document, Found, Images};
use crate::extract::render::{
    CSV_COLUMNS, NodeRecord, RenderOptions, RenderedPage, to_html_document, to_markdown, to_structure,
    to_tei, to_xml,
};
use crate::label::Label;

/// What JSON says of a page beside its record. Default nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JsonParts {
    /// Its kept images, as `images` and `lead_image`.
    pub images: bool,
    /// Its shown text nodes, as `nodes`.
    pub nodes: bool,
    /// Its kept content as a tree of blocks, as `structure` ([`to_structure`]), written so.
    pub structure: Option<RenderOptions>,
}

#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    record: &'a RenderedPage,
    #[serde(flatten)]
    images: Option<Images>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Vec<NodeRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structure: Option<serde_json::Value>,
}

impl Document {
    /// The text after title, author, date, language, site and address in lines `name: value`; empty, as the other formats of text
    /// are, of a page that failed or is `unsure`.
    pub fn text_with_metadata(&self) -> String {
        self.written(|_| format!("{}\n{}", self.metadata_lines(), self.text))
    }

    /// The kept text as CommonMark with tables.
    pub fn markdown(&self, options: &RenderOptions) -> String {
        self.written(|found| to_markdown(&found.page, &found.kept, options))
    }

    /// The same after the metadata between lines of dashes.
    pub fn markdown_with_metadata(&self, options: &RenderOptions) -> String {
        self.written(|_| format!("---\n{}---\n\n{}", self.metadata_lines(), self.markdown(options)))
    }

    /// The kept text as a complete, clean HTML document.
    pub fn html(&self, options: &RenderOptions) -> String {
        self.written(|found| to_html_document(&found.page, &found.kept, options, &self.document_head()))
    }

    /// The kept text as XML with trafilatura's elements.
    pub fn xml(&self, options: &RenderOptions) -> String {
        self.written(|found| to_xml(&found.page, &found.kept, options, &self.document_head()))
    }

    /// The kept text as TEI.
    pub fn tei(&self, options: &RenderOptions) -> String {
        self.written(|found| to_tei(&found.page, &found.kept, options, &self.document_head()))
    }

    /// The kept content as JSON: an array of blocks ([`to_structure`]).
    pub fn structure(&self, options: &RenderOptions) -> serde_json::Value {
        let found = self.found.as_ref().filter(|_| self.status != "unsure");
        found.map_or(serde_json::Value::Array(Vec::new()), |found| {
            to_structure(&found.page, &found.kept, options)
        })
    }

    fn written(&self, write: impl FnOnce(&Found) -> String) -> String {
        self.found.as_ref().filter(|_| self.status != "unsure").map_or(String::new(), write)
    }

    /// The record as an indented JSON object, with a line break at its end.
    pub fn json(&self, parts: JsonParts) -> String {
        let json = serde_json::to_string_pretty(&self.parts(parts));
        json.expect("all keys are strings") + "\n"
    }

    /// The record as a line of JSON.
    pub fn json_line(&self, parts: JsonParts) -> String {
        serde_json::to_string(&self.parts(parts)).expect("all keys are strings") + "\n"
    }

    fn parts(&self, parts: JsonParts) -> Json<'_> {
        Json {
            record: &self.record,
            images: parts.images.then(|| self.images()),
            nodes: parts.nodes.then(|| self.blocks()),
            structure: parts.structure.map(|options| self.structure(&options)),
        }
    }

    /// The record as a row of CSV, or with `nodes` a row for each shown text node; [`csv_header`] names the columns.
    pub fn csv(&self, nodes: bool) -> String {
        if !nodes {
            return csv([self.csv_row().to_vec()]);
        }
        let start = [self.id.clone(), self.status.to_owned(), self.problem.clone().unwrap_or_default()];
        let of_node = |node: NodeRecord| {
            let posterior = node.posterior.as_ref();
            let p = |label| posterior.map_or(String::new(), |p| p[&label].to_string());
            let [id, label, kept] = [node.node.to_string(), node.label.to_string(), node.kept.to_string()];
            let mut row = start.to_vec();
            row.extend([id, node.xpath, node.tag, label, kept]);
            row.extend(Label::ALL.map(p));
            row.push(node.text);
            row
        };
        let mut rows: Vec<Vec<String>> = self.blocks().into_iter().map(of_node).collect();
        if rows.is_empty() {
            let mut row = start.to_vec();
            row.resize(node_columns().len(), String::new());
            rows.push(row);
        }
        csv(rows)
    }
}

/// The names of the columns of [`Document::csv`], as a row.
pub fn csv_header(nodes: bool) -> String {
    csv([if nodes { node_columns() } else { CSV_COLUMNS.map(str::to_owned).to_vec() }])
}

fn node_columns() -> Vec<String> {
    let mut columns =
        ["id", "status", "problem", "node", "xpath", "tag", "label", "kept"].map(str::to_owned).to_vec();
    columns.extend(Label::ALL.map(|label| format!("p_{}", label.name().replace('-', "_"))));
    columns.push("text".to_owned());
    columns
}

/// Rows as CSV.
pub fn csv(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).expect("all rows have as many fields");
    }
    let bytes = writer.into_inner().expect("a vector takes all that is written");
    String::from_utf8(bytes).expect("what was written is text")
}
