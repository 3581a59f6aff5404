//! How one page is written in each format: the bodies of text, Markdown, HTML, JSON and CSV.

use clap::ValueEnum;

use crate::error::{Error, PageProblem, Result};
use crate::extract::Extraction;
use crate::extract::render::{
    CSV_COLUMNS, ImageRecord, Kept, LeadImageRecord, NodeRecord, RenderOptions, RenderedPage, image_records,
    lead_image_record, to_html_document, to_markdown,
};
use crate::label::Label;
use crate::page::Page;

/// The format of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Plain text
    Txt,
    /// CommonMark with tables
    Markdown,
    /// A clean HTML document
    Html,
    /// One JSON object, for several pages an array
    Json,
    /// A JSON object a line
    Jsonl,
    /// A row a page
    Csv,
    /// A Parquet table, a row a page
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Format {
    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Txt => "txt",
            Format::Markdown => "md",
            Format::Html => "html",
            Format::Json => "json",
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
            #[cfg(feature = "parquet")]
            Format::Parquet => "parquet",
        }
    }

    /// Whether a page that failed has a record in it.
    pub fn has_records(self) -> bool {
        !matches!(self, Format::Txt | Format::Markdown | Format::Html)
    }
}

/// The images of a page.
#[derive(Debug, Default, serde::Serialize)]
pub struct Images {
    images: Vec<ImageRecord>,
    lead_image: Option<LeadImageRecord>,
}

impl Images {
    /// Those that are kept.
    pub fn new(page: &Page, extraction: &Extraction, kept: &Kept) -> Images {
        Images { images: image_records(page, extraction, kept), lead_image: lead_image_record(extraction) }
    }
}

/// Where a page of a web archive comes from.
#[derive(Debug, serde::Serialize)]
pub struct Archived {
    /// The file.
    pub archive: String,
    /// When the page was crawled, as the archive says.
    pub crawled: Option<String>,
}

/// What is written of one page.
pub struct Record {
    pub page: RenderedPage,
    /// Where it comes from, if from a web archive.
    pub archived: Option<Archived>,
    /// Its kept images, if they were asked for.
    pub images: Option<Images>,
    /// Its text nodes, if they were asked for.
    pub nodes: Option<Vec<NodeRecord>>,
}

impl Format {
    /// A page that was extracted, in this format; `metadata` begins text and Markdown with title, author and so on.
    pub fn body(
        self,
        record: &Record,
        page: &Page,
        kept: &Kept,
        render: &RenderOptions,
        metadata: bool,
    ) -> Result<String> {
        let head = if metadata { self.head(&record.page) } else { String::new() };
        match self {
            Format::Txt => Ok(head + &record.page.text),
            Format::Markdown => Ok(head + &to_markdown(page, kept, render)),
            Format::Html => Ok(to_html_document(page, kept, render, &record.page.html_head())),
            _ => self.data(record),
        }
    }

    /// A page as data, which one that failed has too; nothing in the formats of text.
    pub fn data(self, record: &Record) -> Result<String> {
        match self {
            Format::Txt | Format::Markdown | Format::Html => Ok(String::new()),
            Format::Json => Ok(json(record, true)? + "\n"),
            Format::Jsonl => Ok(json(record, false)? + "\n"),
            Format::Csv => csv(csv_rows(record).into_iter()),
            #[cfg(feature = "parquet")]
            // The table takes the record itself.
            Format::Parquet => Ok(String::new()),
        }
    }

    /// Title, author and so on as lines `name: value`; in Markdown between lines of dashes.
    fn head(self, record: &RenderedPage) -> String {
        let lines = record.metadata_lines();
        match self {
            Format::Markdown => format!("---\n{lines}---\n\n"),
            _ => format!("{lines}\n"),
        }
    }
}

fn json(record: &Record, pretty: bool) -> Result<String> {
    #[derive(serde::Serialize)]
    struct WithLists<'a> {
        #[serde(flatten)]
        page: &'a RenderedPage,
        #[serde(flatten)]
        archived: &'a Option<Archived>,
        #[serde(flatten)]
        images: &'a Option<Images>,
        #[serde(skip_serializing_if = "Option::is_none")]
        nodes: &'a Option<Vec<NodeRecord>>,
    }
    let value = WithLists {
        page: &record.page,
        archived: &record.archived,
        images: &record.images,
        nodes: &record.nodes,
    };
    let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
    text.map_err(|error| Error::page(&record.page.id, PageProblem::Failed(error.to_string())))
}

/// The columns of a row a page, or with `nodes` of a row a text node.
pub fn csv_header(nodes: bool) -> Vec<String> {
    if !nodes {
        return CSV_COLUMNS.map(str::to_owned).to_vec();
    }
    let mut header =
        ["id", "status", "problem", "node", "xpath", "tag", "label", "kept"].map(str::to_owned).to_vec();
    header.extend(Label::ALL.map(|label| format!("p_{}", label.name().replace('-', "_"))));
    header.push("text".to_owned());
    header
}

fn csv_rows(record: &Record) -> Vec<Vec<String>> {
    let Some(nodes) = &record.nodes else { return vec![record.page.csv_row().to_vec()] };
    let start = [
        record.page.id.clone(),
        record.page.status.to_owned(),
        record.page.problem.clone().unwrap_or_default(),
    ];
    if nodes.is_empty() {
        let mut row = start.to_vec();
        row.resize(csv_header(true).len(), String::new());
        return vec![row];
    }
    let of_node = |node: &NodeRecord| {
        let mut row = start.to_vec();
        row.extend([
            node.node.to_string(),
            node.xpath.clone(),
            node.tag.clone(),
            node.label.to_string(),
            node.kept.to_string(),
        ]);
        let posterior = |label: Label| {
            node.posterior.as_ref().map_or(String::new(), |posterior| posterior[&label].to_string())
        };
        row.extend(Label::ALL.map(posterior));
        row.push(node.text.clone());
        row
    };
    nodes.iter().map(of_node).collect()
}

/// Rows as CSV.
pub fn csv(rows: impl Iterator<Item = Vec<String>>) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).map_err(|error| Error::io("CSV", error.into()))?;
    }
    let bytes = writer.into_inner().map_err(|error| Error::io("CSV", error.into_error()))?;
    Ok(String::from_utf8(bytes).expect("what was written is text"))
}
