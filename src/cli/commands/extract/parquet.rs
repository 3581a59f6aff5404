//! Pages as a Parquet table, one row a page.

use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use crate::error::{Error, Result};
use crate::extract::render::{Archived, COLUMNS, ColumnValue, RenderedPage};
use crate::files::WholeFile;

/// Rows of a group: what is in memory, and what a reader reads at once.
const GROUP_ROWS: usize = 4096;
/// A group ends before that many rows if its texts have so many bytes.
const GROUP_BYTES: usize = 64 << 20;

/// What a column holds of a row; nothing is a null.
enum Value {
    /// Something of the page.
    Page(ColumnValue),
    /// Something of where it comes from.
    Archived(fn(&Archived) -> Option<&str>),
}

impl Value {
    /// The text of a row, of a column of texts.
    fn text<'a>(&self, record: &'a RenderedPage) -> Option<&'a str> {
        match self {
            Value::Page(ColumnValue::Text(text)) => text(record),
            Value::Page(_) => None,
            Value::Archived(text) => text(record.archived.as_ref()?),
        }
    }
}

/// The columns in order: those of CSV, and after the address the archive and when the page was crawled.
fn columns() -> Vec<(&'static str, Value)> {
    let of_archives = || {
        [
            ("archive", Value::Archived(|archived| Some(&archived.archive))),
            ("crawled", Value::Archived(|archived| archived.crawled.as_deref())),
        ]
    };
    let mut columns = Vec::new();
    for (name, value) in COLUMNS {
        columns.push((name, Value::Page(value)));
        if name == "url" {
            columns.extend(of_archives());
        }
    }
    columns
}

/// A Parquet file that is being written, packed by zstd.
pub(super) struct Table {
    writer: SerializedFileWriter<WholeFile>,
    rows: Vec<RenderedPage>,
    bytes: usize,
}

impl Table {
    /// Begins a file.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn create(path: &Path) -> Result<Self> {
        let column = |(name, value): (&str, Value)| match value {
            Value::Page(ColumnValue::Number(_)) => format!("optional double {name};"),
            Value::Page(ColumnValue::Count(_)) => format!("optional int64 {name};"),
            Value::Page(ColumnValue::Text(_)) | Value::Archived(_) => {
                format!("optional binary {name} (UTF8);")
            }
        };
        let schema: String = columns().into_iter().map(column).collect();
        let schema = parse_message_type(&format!("message page {{ {schema} }}"));
        let schema = Arc::new(schema.expect("the columns make a schema"));
        let packing = Compression::ZSTD(ZstdLevel::default());
        let properties = Arc::new(WriterProperties::builder().set_compression(packing).build());
        let writer = SerializedFileWriter::new(WholeFile::create(path)?, schema, properties);
        let writer = writer.map_err(|error| failed(path, &error))?;
        Ok(Table { writer, rows: Vec::new(), bytes: 0 })
    }

    /// One page.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn put(&mut self, record: RenderedPage) -> Result<()> {
        self.bytes += record.text.len();
        self.rows.push(record);
        if self.rows.len() == GROUP_ROWS || self.bytes >= GROUP_BYTES {
            self.write_group()?;
        }
        Ok(())
    }

    fn write_group(&mut self) -> Result<()> {
        self.bytes = 0;
        let rows = std::mem::take(&mut self.rows);
        let path = self.writer.inner().path().to_owned();
        let group = self.writer.next_row_group();
        let written = group.and_then(|mut group| {
            for (_, value) in columns() {
                write_column(&mut group, &value, &rows)?;
            }
            group.close()
        });
        written.map(drop).map_err(|error| failed(&path, &error))
    }

    /// Writes what is left and puts the file in its place.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn finish(mut self) -> Result<()> {
        if !self.rows.is_empty() {
            self.write_group()?;
        }
        let path = self.writer.inner().path().to_owned();
        let file = self.writer.into_inner().map_err(|error| failed(&path, &error))?;
        file.finish()
    }
}

fn write_column(
    group: &mut SerializedRowGroupWriter<'_, WholeFile>,
    value: &Value,
    rows: &[RenderedPage],
) -> parquet::errors::Result<()> {
    let mut column = group.next_column()?.expect("the schema has as many columns");
    let is_there = |there: bool| i16::from(there);
    match value {
        Value::Page(ColumnValue::Number(number)) => {
            let numbers: Vec<Option<f64>> = rows.iter().map(number).collect();
            let levels: Vec<i16> = numbers.iter().map(|number| is_there(number.is_some())).collect();
            let values: Vec<f64> = numbers.into_iter().flatten().collect();
            column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
        }
        Value::Page(ColumnValue::Count(count)) => {
            let counts: Vec<Option<u64>> = rows.iter().map(count).collect();
            let levels: Vec<i16> = counts.iter().map(|count| is_there(count.is_some())).collect();
            let values: Vec<i64> = counts.into_iter().flatten().map(|count| count as i64).collect();
            column.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
        }
        Value::Page(ColumnValue::Text(_)) | Value::Archived(_) => {
            let texts: Vec<Option<&str>> = rows.iter().map(|record| value.text(record)).collect();
            let levels: Vec<i16> = texts.iter().map(|text| is_there(text.is_some())).collect();
            let values: Vec<ByteArray> = texts.into_iter().flatten().map(ByteArray::from).collect();
            column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        }
    }
    column.close()
}

fn failed(path: &Path, error: &parquet::errors::ParquetError) -> Error {
    Error::io(path, std::io::Error::other(error.to_string()))
}
