//! Big9: news pages of four years, most of them copies from the web archive, with plain text golds.

use std::path::Path;

use super::entry::{Content, Entry};
use super::file;
use crate::dataset::{Gold, TextGold};
use crate::error::Result;

/// Whether a folder holds the folders `big5-YY`.
pub(super) fn has_years(folder: &Path) -> bool {
    file::folders(folder).is_ok_and(|found| found.iter().any(|folder| year(folder).is_some()))
}

/// The pages of one year, or of `all`; an id is `YEAR-NAME`, since names repeat between years.
pub(super) fn scan(root: &Path, part: &str) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for folder in file::folders(root)? {
        let Some(year) = year(&folder).filter(|year| part == "all" || part == year) else { continue };
        for mut entry in file::pair(&folder.join("html"), &folder.join("gold"), &["txt"])? {
            entry.id = format!("{year}-{}", entry.id);
            entries.push(entry);
        }
    }
    Ok(entries)
}

/// The year of a folder `big5-YY`.
fn year(folder: &Path) -> Option<String> {
    let digits = folder.file_name()?.to_str()?.strip_prefix("big5-")?;
    (digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| format!("20{digits}"))
}

/// The page as it is; its URL is the one that it states.
pub(super) fn interpret(html: Vec<u8>, gold: Option<Vec<u8>>) -> Content {
    let text =
        |gold: Vec<u8>| TextGold { text: file::decode(&gold).trim().to_owned(), ..TextGold::default() };
    Content::new(None, html, gold.map_or(Gold::Missing, |gold| Gold::Text(text(gold))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_years_count() {
        assert_eq!(year(Path::new("x/big5-05")).as_deref(), Some("2005"));
        assert_eq!(year(Path::new("x/big5-2005")), None);
        assert_eq!(year(Path::new("x/chaos")), None);
    }
}
