//! The keys of a manifest, so that a misspelt one is named with its nearest.

use super::pairs;
use crate::error::did_you_mean;

/// The keys of each table.
const KEYS: [(&str, &[&str]); 7] = [
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
            "mirrors",
            "citation",
            "notes",
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
    ("part", &["name", "pages", "checksum"]),
    ("archive", &["folder", "parts", "files"]),
    ("bad_pages", &["part", "rule", "reason", "ids"]),
    ("partial_labels", &["id", "reason"]),
];
const FILE_KEYS: &[&str] = &["name", "sha256", "bytes"];

/// The first key that no manifest has, with its remedy.
pub(super) fn unknown_key(table: &toml::Table) -> Option<(String, String)> {
    let check = |path: &str, table: &toml::Table, known: &[&'static str]| {
        let key = table.keys().find(|key| !known.contains(&key.as_str()))?;
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        Some((path, did_you_mean(key, known.iter().copied())))
    };
    check("", table, KEYS[0].1).or_else(|| {
        KEYS[1..].iter().find_map(|(name, known)| {
            let value = table.get(*name)?;
            let tables: Vec<&toml::Table> = match value {
                toml::Value::Table(table) => vec![table],
                toml::Value::Array(items) => items.iter().filter_map(toml::Value::as_table).collect(),
                _ => vec![],
            };
            tables.into_iter().find_map(|table| {
                let files = table.get("files").filter(|_| *name == "archive").and_then(toml::Value::as_array);
                let file = files.into_iter().flatten().filter_map(toml::Value::as_table);
                check(name, table, known)
                    .or_else(|| { file }.find_map(|file| check("archive.files", file, FILE_KEYS)))
            })
        })
    })
}
