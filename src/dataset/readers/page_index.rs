//! The index of a corpus: a line for each page with its address and what else is known of it.

use std::path::Path;

use serde_json::{Map, Value};

use super::entry::Facts;
use super::file;
use crate::error::{Error, Result, did_you_mean};

/// The fields that are read; others are left alone, since an index may hold whatever its makers needed.
const FIELDS: [&str; 9] =
    ["id", "url", "host", "title", "author", "date", "language", "page_type", "title_in_text"];

/// The code of ISO 639 for a language that nobody has determined.
const UNDETERMINED: &str = "und";

/// What an index says of one page.
pub(super) struct Line {
    /// The line's number, from 1.
    pub number: usize,
    /// The page's name below the folder of the pages.
    pub id: String,
    /// Its address.
    pub url: Option<String>,
    /// What else is known.
    pub facts: Facts,
}

/// Reads an index, CSV if its name ends in `.csv` and else JSON lines.
///
/// # Errors
/// [`Error::Data`] that names the line: no JSON, no `id`, an `url` that is none; for a table without the column `id` or
/// without any other field that is read.
pub(super) fn read(path: &Path) -> Result<Vec<Line>> {
    let text = file::decode(&file::read(path)?);
    let rows = match path.extension().is_some_and(|ending| ending == "csv") {
        true => table(path, &text)?,
        false => objects(path, &text)?,
    };
    let is_read =
        |(_, row): &(usize, Map<String, Value>)| FIELDS[1..].iter().any(|field| row.contains_key(*field));
    if !rows.is_empty() && !rows.iter().any(is_read) {
        let given: Vec<&str> = rows[0].1.keys().map(String::as_str).collect();
        let problem = format!("says nothing of the pages; its fields are {}", given.join(", "));
        return Err(Error::data(
            path.display(),
            problem,
            format!("fields that are read: {}", FIELDS.join(", ")),
        ));
    }
    rows.into_iter().map(|(number, row)| line(path, number, &row)).collect()
}

fn fault(path: &Path, line: usize, problem: impl std::fmt::Display, remedy: &str) -> Error {
    Error::data(format!("{}, line {line}", path.display()), problem.to_string(), remedy)
}

fn table(path: &Path, text: &str) -> Result<Vec<(usize, Map<String, Value>)>> {
    let damaged = |error: csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        fault(path, line as usize, error, "write as many fields as the first line has")
    };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().map_err(damaged)?.clone();
    if !names.iter().any(|name| name == "id") {
        let problem =
            format!("no column 'id'; the columns are {}", names.iter().collect::<Vec<_>>().join(", "));
        let nearest = did_you_mean("id", names.iter().collect::<Vec<_>>());
        return Err(fault(path, 1, problem, &format!("begin with a line such as id,url ({nearest})")));
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(damaged)?;
        let filled = names.iter().zip(&record).filter(|(_, value)| !value.is_empty());
        let row = filled.map(|(name, value)| (name.to_owned(), Value::from(value))).collect();
        rows.push((record.position().map_or(1, csv::Position::line) as usize, row));
    }
    Ok(rows)
}

fn objects(path: &Path, text: &str) -> Result<Vec<(usize, Map<String, Value>)>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let object = |(index, line): (usize, &str)| {
        let remedy = r#"write a line such as {"id": "story", "url": "https://example.org/story"}"#;
        let row = serde_json::from_str(line).map_err(|error| fault(path, index + 1, error, remedy))?;
        Ok((index + 1, row))
    };
    lines.map(object).collect()
}

fn line(path: &Path, number: usize, row: &Map<String, Value>) -> Result<Line> {
    let text = |key: &str| row.get(key).and_then(Value::as_str).map(str::to_owned);
    let id = row
        .get("id")
        .and_then(|id| id.as_str().map(str::to_owned).or_else(|| id.as_u64().map(|n| n.to_string())));
    let id = id.ok_or_else(|| {
        fault(path, number, "no id", "name the page: its file below the folder of the pages")
    })?;
    let is_title_apart = |key: &str| match row.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(inside)) => Ok(Some(!inside)),
        Some(Value::String(word)) if word == "true" => Ok(Some(false)),
        Some(Value::String(word)) if word == "false" => Ok(Some(true)),
        Some(other) => Err(fault(path, number, format!("{key} is {other}"), "write true or false")),
    };
    let url = text("url");
    if let Some(url) = url.as_ref().filter(|url| crate::host::registered_domain(url).is_none()) {
        return Err(fault(
            path,
            number,
            format!("'{url}' is no URL with a host"),
            "write the page's address",
        ));
    }
    let facts = Facts {
        host: text("host"),
        title: text("title"),
        author: text("author"),
        date: text("date"),
        language: text("language").filter(|code| code != UNDETERMINED),
        // The name that the corpora gathered for Duramen have for it.
        page_type: text("page_type").or_else(|| text("kind")),
        is_title_apart: is_title_apart("title_in_text")?,
        seems_title_apart: is_title_apart("title_in_gold")?,
    };
    Ok(Line { number, id, url, facts })
}
