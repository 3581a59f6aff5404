//! The options that do what an error of the library asks for: it knows settings, and only the command line knows flags.

use std::io::ErrorKind;

use crate::error::Error;

/// Words of an error of the library, and the option or command that does what they say.
const OPTIONS: &[(&str, &str)] = &[
    ("raise the limit", "--max-bytes, --max-nodes"),
    (
        "allow more time",
        "--timeout; for a layout --layout-timeout; for the extractor command --set timeout=SECONDS",
    ),
    ("lay it out by", "--layout"),
    ("name its path", "--chromium PATH"),
    ("name the path of another browser", "--chromium PATH"),
    ("fetch the corpus again", "duramen data fetch NAME --force"),
    ("choose another data folder", "--data-dir"),
    ("name the data folder", "--data-dir"),
    ("name a mirror", "--mirror"),
    ("state the checksum to accept", "--accept-sha256"),
    ("leave the weights out", "--generative"),
    ("overwrite it", "--overwrite"),
    ("overwrite the file", "--force"),
    ("from the folder models of a checkout of the repository", "--from models"),
    ("as `duramen extract` writes those of nodes", "--nodes --json"),
    ("write nodes as `duramen extract` does", "--nodes --json"),
    ("with four chains", "--chains 4"),
    ("learn weights too", "--weights"),
    ("learn by EM", "--em N"),
    ("sample with fewer states", "--states LIST"),
    ("with parameters fixed", "--parameters fixed"),
    ("and a longer burn-in", "--sweeps, --burn-in"),
    ("with another kernel or treatment of the parameters", "--kernel, --parameters"),
];

/// An error as it is told at the command line.
pub fn told(error: &Error) -> String {
    match error {
        Error::Io { path, source } => {
            let path = path.display();
            match source.kind() {
                ErrorKind::NotFound => format!("{path}: there is no such file or folder"),
                ErrorKind::PermissionDenied => {
                    format!(
                        "{path}: permission denied; see who may read and write there, or name another place"
                    )
                }
                ErrorKind::IsADirectory => format!("{path}: is a folder; name a file"),
                ErrorKind::NotADirectory => format!("{path}: a part of this path is a file and no folder"),
                ErrorKind::InvalidData => format!("{path}: is not text in UTF-8; name another file"),
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                    format!("{path}: the disk is full; free space, or name another place")
                }
                ErrorKind::ReadOnlyFilesystem => {
                    format!("{path}: this disk is read-only; name another place")
                }
                _ => error.to_string(),
            }
        }
        _ => error.to_string(),
    }
}

/// A text with the option behind the words that ask for it.
pub fn with_options(text: &str) -> String {
    let mut text = text.to_owned();
    for (words, option) in OPTIONS {
        if let Some(place) = text.rfind(words) {
            text.insert_str(place + words.len(), &format!(" ({option})"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_stands_behind_the_words_that_ask_for_it() {
        let error = Error::data("corpus", "is damaged", "fetch the corpus again");
        assert_eq!(
            with_options(&told(&error)),
            "corpus: is damaged; fetch the corpus again (duramen data fetch NAME --force)"
        );
        let error = Error::io("a/b", std::io::ErrorKind::PermissionDenied.into());
        assert!(told(&error).starts_with("a/b: permission denied; "));
    }

    #[test]
    fn the_library_says_each_of_these_words() {
        let library = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut texts = String::new();
        let mut pending = vec![library.clone()];
        while let Some(folder) = pending.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && path != library.join("cli") {
                    pending.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    texts += &std::fs::read_to_string(path).unwrap();
                }
            }
        }
        for (words, option) in OPTIONS {
            assert!(texts.contains(words), "nothing says '{words}', which is for {option}");
        }
    }
}
