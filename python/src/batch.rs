//! `extract_batch`, a table of pages in and a table of texts out, by Arrow's C data interface.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use duramen::PageProblem;
use duramen::extract::ExtractError;
use duramen::extract::render::RenderedPage;
use duramen::progress::Progress;
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;
use rayon::prelude::*;

use super::content::Bytes;
use super::errors::{DataError, UsageError};
use super::extractor::{Extractor, document};
use super::work::{guarded, run};

/// The columns of the answer behind those that are kept.
const COLUMNS: [&str; 9] =
    ["text", "title", "date", "language", "page_type", "page_fault", "confidence", "status", "problem"];

/// One cell of a column of pages.
enum Cell<'a> {
    Nothing,
    Bytes(&'a [u8]),
    Text(&'a str),
}

/// A column of pages or addresses.
struct Column<'a> {
    name: &'a str,
    array: &'a ArrayRef,
}

impl<'a> Column<'a> {
    fn find(batch: &'a RecordBatch, name: &'a str) -> PyResult<Self> {
        Column { name, array: batch.column(place(batch, name)?) }.checked()
    }

    fn checked(self) -> PyResult<Self> {
        use DataType::{Binary, BinaryView, LargeBinary, LargeUtf8, Null, Utf8, Utf8View};
        match self.array.data_type() {
            Binary | BinaryView | LargeBinary | LargeUtf8 | Null | Utf8 | Utf8View => Ok(self),
            other => Err(UsageError::new_err(format!(
                "column '{}' holds {other}; it must hold strings or binary",
                self.name
            ))),
        }
    }

    fn cell(&self, row: usize) -> Cell<'a> {
        if self.array.is_null(row) {
            return Cell::Nothing;
        }
        match self.array.data_type() {
            DataType::Binary => Cell::Bytes(self.array.as_binary::<i32>().value(row)),
            DataType::LargeBinary => Cell::Bytes(self.array.as_binary::<i64>().value(row)),
            DataType::BinaryView => Cell::Bytes(self.array.as_binary_view().value(row)),
            DataType::Utf8 => Cell::Text(self.array.as_string::<i32>().value(row)),
            DataType::LargeUtf8 => Cell::Text(self.array.as_string::<i64>().value(row)),
            DataType::Utf8View => Cell::Text(self.array.as_string_view().value(row)),
            _ => Cell::Nothing,
        }
    }

    fn text(&self, row: usize) -> Option<String> {
        match self.cell(row) {
            Cell::Nothing => None,
            Cell::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            Cell::Text(text) => Some(text.to_owned()),
        }
    }
}

/// The number of a column.
fn place(batch: &RecordBatch, name: &str) -> PyResult<usize> {
    let schema = batch.schema();
    schema.index_of(name).map_err(|_| {
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        UsageError::new_err(format!("there is no column '{name}'; the table has {}", names.join(", ")))
    })
}

/// Extracts a table of pages: the columns named in `keep`, then text, title, date, language, page_type (the most
/// probable), page_fault, confidence, status and problem.
/// A page that fails is a row with its status; where that is not `ok` the text is null.
#[pyfunction]
#[pyo3(signature = (extractor, batch, html, url, charset, keep, labels, threshold, min_confidence, hidden, max_seconds, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "each is an option of the one function that calls it")]
pub fn extract_batch<'py>(
    py: Python<'py>,
    extractor: &Bound<'py, Extractor>,
    batch: PyRecordBatch,
    html: &str,
    url: Option<&str>,
    charset: Option<&str>,
    keep: Vec<String>,
    labels: Option<Vec<String>>,
    threshold: Option<f64>,
    min_confidence: Option<f64>,
    hidden: bool,
    max_seconds: Option<u64>,
    threads: Option<usize>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    guarded(|| {
        let mut options = extractor.get().options(labels, threshold, min_confidence, hidden)?;
        options.limits.max_seconds = max_seconds;
        let batch = batch.into_inner();
        let pages = Column::find(&batch, html)?;
        let [urls, charsets] =
            [url, charset].map(|name| name.map(|name| Column::find(&batch, name)).transpose());
        let (urls, charsets) = (urls?, charsets?);
        let (mut fields, mut columns): (Vec<Arc<Field>>, Vec<ArrayRef>) = (Vec::new(), Vec::new());
        for name in &keep {
            let column = place(&batch, name)?;
            if COLUMNS.contains(&name.as_str()) {
                return Err(UsageError::new_err(format!(
                    "column '{name}' cannot be kept: the answer has one of that name; rename it before"
                )));
            }
            fields.push(Arc::new(batch.schema().field(column).clone()));
            columns.push(batch.column(column).clone());
        }
        let text_at =
            |column: &Option<Column<'_>>, row: usize| column.as_ref().and_then(|column| column.text(row));
        let records = run(py, threads, progress, |work| {
            work.stage("extracting", batch.num_rows());
            let extract = |row: usize| {
                let (url, charset) = (text_at(&urls, row), text_at(&charsets, row));
                let id = url.clone().unwrap_or_else(|| format!("row {row}"));
                let of = |bytes, is_text| {
                    let content = Bytes { bytes, is_text };
                    document(content, id.clone(), url.clone(), charset.as_deref(), &options).record
                };
                let record = match pages.cell(row) {
                    Cell::Bytes(bytes) => of(bytes, false),
                    Cell::Text(text) => of(text.as_bytes(), true),
                    Cell::Nothing => RenderedPage::failed(id, url, &ExtractError::Page(PageProblem::Empty)),
                };
                work.step();
                record
            };
            Ok((0..batch.num_rows()).into_par_iter().map(extract).collect::<Vec<RenderedPage>>())
        })?;
        let bytes: usize = records.iter().map(|record| record.text.len()).sum();
        if bytes > i32::MAX as usize {
            return Err(DataError::new_err(
                "the texts of this batch are larger than 2 GiB; give smaller batches",
            ));
        }
        fn strings<'a>(values: impl Iterator<Item = Option<&'a str>>) -> ArrayRef {
            let mut builder = StringBuilder::new();
            values.for_each(|value| builder.append_option(value));
            Arc::new(builder.finish())
        }
        let mut confidence = Float64Builder::new();
        records.iter().for_each(|record| confidence.append_option(record.confidence));
        let answer: [ArrayRef; COLUMNS.len()] = [
            strings(records.iter().map(|record| (record.status == "ok").then_some(&*record.text))),
            strings(records.iter().map(|record| record.title.as_deref())),
            strings(records.iter().map(|record| record.date.as_deref())),
            strings(records.iter().map(|record| record.language.as_deref())),
            strings(records.iter().map(|record| Some(record.most_probable_type()?.name()))),
            strings(records.iter().map(|record| Some(record.most_probable_fault()?.name()))),
            Arc::new(confidence.finish()),
            strings(records.iter().map(|record| Some(record.status))),
            strings(records.iter().map(|record| record.problem.as_deref())),
        ];
        for (name, column) in COLUMNS.into_iter().zip(answer) {
            fields.push(Arc::new(Field::new(name, column.data_type().clone(), name != "status")));
            columns.push(column);
        }
        let answer = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
            .map_err(|error| DataError::new_err(error.to_string()))?;
        PyRecordBatch::new(answer).into_pyarrow(py)
    })
}
