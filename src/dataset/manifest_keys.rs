//! The keys of a manifest, so that a misspelt one is named with its nearest.

use super::pairs;
use crate::convention;
use crate::error::did_you_mean;

/// The keys of each table.
const KEYS: [(&str, &[&str]); 8] = [
    (
        "",
        &[
            "name",
            "title",
            "source",
            "layout",
            "folder",
            "pairs",
            "annotation",
            "convention",
            "mirrors",
            "citation",
            "notes",
            "page_type",
            "licence",
            "same_site",
            "part",
            "archive",
            "bad_pages",
            "partial_labels",
        ],
    ),
    ("licence", &["name", "redistribution", "notice"]),
    ("pairs", pairs::KEYS),
    ("convention", convention::KEYS),
    ("part", &["name", "pages", "checksum", "references", "convention"]),
    ("archive", &["folder", "parts", "files"]),
    ("bad_pages", &["part", "rule", "reason", "ids"]),
    ("partial_labels", &["id", "reason"]),
];
/// The keys of tables in these.
const INNER_KEYS: [(&str, &str, &[&str]); 2] =
    [("archive", "files", &["name", "sha256", "bytes"]), ("part", "convention", convention::KEYS)];

/// The first key that no manifest has, with its remedy.
pub(super) fn unknown_key(table: &toml::Table) -> Option<(String, String)> {
    let check = |path: &str, table: &toml::Table, known: &[&'static str]| {
        let key = table.keys().find(|key| !known.contains(&key.as_str()))?;
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        Some((path, did_you_mean(key, known.iter().copied())))
    };
    let inner = |outer: &str, table: &toml::Table| {
        INNER_KEYS.iter().filter(|(of, ..)| *of == outer).find_map(|(_, name, known)| {
            let path = format!("{outer}.{name}");
            tables(table.get(*name)?).into_iter().find_map(|table| check(&path, table, known))
        })
    };
    check("", table, KEYS[0].1).or_else(|| {
        KEYS[1..].iter().find_map(|(name, known)| {
            let mut tables = tables(table.get(*name)?).into_iter();
            tables.find_map(|table| check(name, table, known).or_else(|| inner(name, table)))
        })
    })
}

/// The tables that a value is or lists.
fn tables(value: &toml::Value) -> Vec<&toml::Table> {
    match value {
        toml::Value::Table(table) => vec![table],
        toml::Value::Array(items) => items.iter().filter_map(toml::Value::as_table).collect(),
        _ => vec![],
    }
}
