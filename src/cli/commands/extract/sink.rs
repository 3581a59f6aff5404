//! Where pages go that are not written into a file each: one text with all of them, or one table.

use std::path::Path;

use super::formats::Format;
#[cfg(feature = "parquet")]
use super::parquet::Table;
use crate::cli::output::Output;
use crate::document::csv_header;
use crate::error::Result;
use crate::extract::render::RenderedPage;

/// What pages are written to, one after the other.
pub(super) enum Sink {
    /// A text.
    Text {
        output: Output,
        format: Format,
        /// Whether there may be several pages.
        many: bool,
        is_first: bool,
    },
    /// A table.
    #[cfg(feature = "parquet")]
    Table(Box<Table>),
}

impl Sink {
    /// Begins a file, or standard output if none is named.
    ///
    /// # Errors
    /// [`crate::error::Error::Io`].
    pub fn open(path: Option<&Path>, format: Format, many: bool, nodes: bool) -> Result<Self> {
        #[cfg(feature = "parquet")]
        if let (Format::Parquet, Some(path)) = (format, path) {
            return Ok(Sink::Table(Box::new(Table::create(path)?)));
        }
        let mut output = Output::new(path)?;
        match format {
            Format::Json if many => output.put("[\n")?,
            Format::Csv => output.put(&csv_header(nodes))?,
            _ => {}
        }
        Ok(Sink::Text { output, format, many, is_first: true })
    }

    /// One page, by its name, as a record and in the format asked for.
    ///
    /// # Errors
    /// [`crate::error::Error::Io`].
    #[cfg_attr(not(feature = "parquet"), expect(unused_variables, reason = "only tables take records"))]
    pub fn put(&mut self, id: &str, record: RenderedPage, body: &str) -> Result<()> {
        match self {
            #[cfg(feature = "parquet")]
            Sink::Table(table) => table.put(record),
            Sink::Text { output, format, many, is_first } => {
                let is_first = std::mem::take(is_first);
                match format {
                    Format::Txt | Format::Markdown if *many => {
                        let gap = if is_first { "" } else { "\n" };
                        output.put(&format!("{gap}==> {id} <==\n{body}"))
                    }
                    Format::Json if *many => {
                        let comma = if is_first { "" } else { ",\n" };
                        output.put(&format!("{comma}{}", body.trim_end()))
                    }
                    _ => output.put(body),
                }
            }
        }
    }

    /// What stands after all pages; a file is put in its place only if it `is_of_use`.
    ///
    /// # Errors
    /// [`crate::error::Error::Io`].
    pub fn finish(self, is_of_use: bool) -> Result<()> {
        match self {
            #[cfg(feature = "parquet")]
            Sink::Table(table) if is_of_use => table.finish(),
            #[cfg(feature = "parquet")]
            Sink::Table(_) => Ok(()),
            Sink::Text { mut output, format, many, .. } => {
                if format == Format::Json && many {
                    output.put("\n]\n")?;
                }
                if is_of_use { output.finish() } else { Ok(()) }
            }
        }
    }
}
