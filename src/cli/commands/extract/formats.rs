//! The formats that pages are written in.

use clap::{Args, ValueEnum};

use super::Options;
use crate::document::{Document, JsonParts};
use crate::extract::render::{RenderOptions, TableFormat};

/// The format of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Plain text
    Txt,
    /// CommonMark with tables
    Markdown,
    /// A clean HTML document
    Html,
    /// XML with trafilatura's elements
    Xml,
    /// TEI, the standard of text corpora
    #[value(name = "xmltei")]
    Tei,
    /// One JSON object, for several pages an array
    Json,
    /// One JSON object per line
    Jsonl,
    /// One row per page
    Csv,
    /// A Parquet table, a row a page
    #[cfg(feature = "parquet")]
    Parquet,
}

/// The format of the output, by its name or by a shorthand.
#[derive(Debug, Clone, Args)]
pub struct FormatOptions {
    /// Format
    #[arg(long, value_enum, default_value = "txt", group = "format")]
    output_format: Format,
    /// Write JSON
    ///
    /// The same as --output-format json.
    #[arg(long, group = "format")]
    json: bool,
    /// Write JSON lines
    ///
    /// The same as --output-format jsonl.
    #[arg(long, group = "format")]
    jsonl: bool,
    /// Write CSV
    ///
    /// The same as --output-format csv.
    #[arg(long, group = "format")]
    csv: bool,
    /// Write Markdown
    ///
    /// The same as --output-format markdown.
    #[arg(long, group = "format")]
    markdown: bool,
    /// Write a clean HTML document
    ///
    /// The same as --output-format html.
    #[arg(long, group = "format")]
    html: bool,
    /// Write XML with trafilatura's elements
    ///
    /// The same as --output-format xml.
    #[arg(long, group = "format")]
    xml: bool,
    /// Write TEI
    ///
    /// The same as --output-format xmltei.
    #[arg(long, group = "format")]
    xmltei: bool,
    /// Write a Parquet table
    ///
    /// The same as --output-format parquet.
    #[cfg(feature = "parquet")]
    #[arg(long, group = "format")]
    parquet: bool,
}

impl FormatOptions {
    /// The format that was asked for, by whichever option.
    pub fn format(&self) -> Format {
        let short = [
            (self.json, Format::Json),
            (self.jsonl, Format::Jsonl),
            (self.csv, Format::Csv),
            (self.markdown, Format::Markdown),
            (self.html, Format::Html),
            (self.xml, Format::Xml),
            (self.xmltei, Format::Tei),
            #[cfg(feature = "parquet")]
            (self.parquet, Format::Parquet),
        ];
        let asked = short.into_iter().find(|(is_asked, _)| *is_asked);
        asked.map_or(self.output_format, |(_, format)| format)
    }
}

/// How Markdown has data tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Tables {
    /// With pipes, as GitHub reads them; as HTML where cells span others or hold blocks
    #[default]
    Gfm,
    /// As HTML
    Html,
    /// As a block of code with comma-separated values
    Csv,
    /// As a list with an item `column: value; column: value` for each row
    Records,
}

impl From<Tables> for TableFormat {
    fn from(tables: Tables) -> Self {
        match tables {
            Tables::Gfm => TableFormat::Gfm,
            Tables::Html => TableFormat::Html,
            Tables::Csv => TableFormat::Csv,
            Tables::Records => TableFormat::Records,
        }
    }
}

impl Format {
    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Txt => "txt",
            Format::Markdown => "md",
            Format::Html => "html",
            Format::Xml | Format::Tei => "xml",
            Format::Json => "json",
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
            #[cfg(feature = "parquet")]
            Format::Parquet => "parquet",
        }
    }

    /// Whether a page that failed has a record in it.
    pub fn has_records(self) -> bool {
        !matches!(self, Format::Txt | Format::Markdown) && !self.is_document()
    }

    /// Whether a page is a document in it, and several pages are several documents.
    pub fn is_document(self) -> bool {
        matches!(self, Format::Html | Format::Xml | Format::Tei)
    }

    /// A page in this format: nothing in those of text if it failed, or its text is withheld.
    pub fn body(self, document: &Document, options: &Options) -> String {
        let render = RenderOptions {
            links: options.links,
            images: options.images,
            tables: !options.no_tables,
            table_format: options.tables.unwrap_or_default().into(),
        };
        let parts = JsonParts {
            images: options.images,
            nodes: options.nodes,
            structure: options.structure.then_some(render),
        };
        match self {
            Format::Txt if options.with_metadata => document.text_with_metadata(),
            Format::Txt => document.text.clone(),
            Format::Markdown if options.with_metadata => document.markdown_with_metadata(&render),
            Format::Markdown => document.markdown(&render),
            Format::Html => document.html(&render),
            Format::Xml => document.xml(&render),
            Format::Tei => document.tei(&render),
            Format::Json => document.json(parts),
            Format::Jsonl => document.json_line(parts),
            Format::Csv => document.csv(options.nodes),
            #[cfg(feature = "parquet")]
            // The table takes the record itself.
            Format::Parquet => String::new(),
        }
    }
}
