//! Files of a corpus: found by id, plain or gzipped, read whole or refused.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::entry::{Entry, Facts, GoldSource};
use crate::error::{Error, Remedy, Result, Setting};

/// The largest file, in bytes after decompression, that a corpus may hold.
const MAX_BYTES: u64 = 1 << 28;

/// The endings of pages.
const PAGE: &[&str] = &["html", "htm"];

/// How deep under a corpus's folder its layout may begin.
const MAX_DEPTH: usize = 3;

/// The whole content of a file, decompressed if its name ends in `.gz`.
///
/// # Errors
/// [`Error::Io`] if it cannot be read, [`Error::Data`] if its compression is cut or damaged or it is larger than
/// 256 MiB.
pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    let file = File::open(path).map_err(|e| Error::io(path, e))?;
    let mut bytes = Vec::new();
    if path.extension().is_some_and(|ending| ending == "gz") {
        unpacked(file)?.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|e| {
            Error::data(
                path.display(),
                format!("the gzip file is cut or damaged ({e})"),
                Remedy::by("fetch the corpus again", Setting::FetchAgain).then(", or correct the file"),
            )
        })?;
    } else {
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|e| Error::io(path, e))?;
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Error::data(
            path.display(),
            "holds more than 256 MiB",
            "leave this page out of the corpus",
        ));
    }
    Ok(bytes)
}

/// The content of a gzip file. A member's checksum and length stand at its end, so a file cut anywhere is an error.
#[cfg(feature = "flate2")]
fn unpacked(file: File) -> Result<impl Read> {
    Ok(flate2::bufread::MultiGzDecoder::new(std::io::BufReader::new(file)))
}

#[cfg(not(feature = "flate2"))]
fn unpacked(_file: File) -> Result<File> {
    Err(Error::built_without("datasets", "reads files that end in .gz"))
}

/// The text of a gold file: UTF-8 with or without byte order mark, else Windows-1252.
pub(super) fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

/// The pages of folder `pages`, with their golds of that ending in folder `golds`; a gold without page gives an
/// entry too, which cannot be read.
pub(super) fn pair(pages: &Path, golds: &Path, gold_endings: &[&str]) -> Result<Vec<Entry>> {
    let golds = by_id(golds, gold_endings)?;
    let mut found = by_id(pages, PAGE)?;
    for id in golds.keys() {
        found.entry(id.clone()).or_insert_with(|| pages.join(format!("{id}.html")));
    }
    let entry = |(id, page): (String, PathBuf)| {
        let gold = golds.get(&id).map_or(GoldSource::Missing, |path| GoldSource::File(path.clone()));
        Entry { id, page, gold, url: None, facts: Facts::default(), comments: None }
    };
    Ok(found.into_iter().map(entry).collect())
}

/// The pages of a folder by id.
pub(super) fn pages(folder: &Path) -> Result<BTreeMap<String, PathBuf>> {
    by_id(folder, PAGE)
}

/// The files of a folder with one of these endings, `.gz` or not, by their name without it.
fn by_id(folder: &Path, endings: &[&str]) -> Result<BTreeMap<String, PathBuf>> {
    let mut files: BTreeMap<String, PathBuf> = BTreeMap::new();
    for path in listing(folder)? {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let plain = name.strip_suffix(".gz").unwrap_or(name);
        let Some((id, ending)) = plain.rsplit_once('.') else { continue };
        if id.is_empty() || !endings.contains(&ending) || !path.is_file() {
            continue;
        }
        if let Some(other) = files.insert(id.to_owned(), path.clone()) {
            return Err(Error::data(
                path.display(),
                format!("two files have the id '{id}', the other is {}", other.display()),
                "remove one of them",
            ));
        }
    }
    Ok(files)
}

/// The first folder in or under `home`, nearest first, then by name, for which `wanted` holds.
pub(super) fn find_folder(home: &Path, wanted: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    let mut queue = VecDeque::from([(home.to_owned(), 0)]);
    while let Some((folder, depth)) = queue.pop_front() {
        if wanted(&folder) {
            return Some(folder);
        }
        if depth < MAX_DEPTH {
            queue.extend(folders(&folder).unwrap_or_default().into_iter().map(|folder| (folder, depth + 1)));
        }
    }
    None
}

/// The folders in a folder, sorted, without hidden ones.
pub(super) fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let visible =
        |path: &PathBuf| path.file_name().is_some_and(|name| !name.as_encoded_bytes().starts_with(b"."));
    Ok(listing(folder)?.into_iter().filter(|path| visible(path) && path.is_dir()).collect())
}

/// What a folder holds, sorted.
fn listing(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|e| Error::io(folder, e))?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()).map_err(|e| Error::io(folder, e)))
        .collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_gzipped_page_cut_at_any_byte_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.html.gz");
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(b"<p>some words, some more words, some words").unwrap();
        let whole = encoder.finish().unwrap();
        for length in 1..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let error = read(&path).unwrap_err();
            assert_eq!(error.exit_code(), 3, "{length} bytes: {error}");
            assert!(error.to_string().contains("1.html.gz"), "{error}");
        }
        fs::write(&path, &whole).unwrap();
        assert_eq!(read(&path).unwrap(), b"<p>some words, some more words, some words");
    }

    #[test]
    fn an_empty_file_is_no_gzip_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.html.gz");
        fs::write(&path, b"").unwrap();
        assert_eq!(read(&path).unwrap_err().exit_code(), 3);
    }

    #[test]
    fn golds_are_read_as_utf_8_and_else_as_windows_1252() {
        assert_eq!(decode("\u{feff}na\u{ef}ve".as_bytes()), "na\u{ef}ve");
        assert_eq!(decode(b"na\xefve \x93quoted\x94"), "na\u{ef}ve \u{201c}quoted\u{201d}");
    }

    #[test]
    fn two_files_of_one_id_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.html"), "").unwrap();
        fs::write(folder.path().join("a.html.gz"), "").unwrap();
        assert!(pages(folder.path()).unwrap_err().to_string().contains("the id 'a'"));
    }
}
