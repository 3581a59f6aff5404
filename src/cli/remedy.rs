//! The options that do what an error of the library asks for: it knows settings, and only the command line knows flags.

use std::io::ErrorKind;

use crate::error::{Error, Remedy, Setting};

/// The option or command that changes a setting.
fn option(setting: Setting) -> &'static str {
    match setting {
        Setting::Limits => "--max-bytes, --max-nodes",
        Setting::Timeout => {
            "--max-seconds; for loading --timeout; for a layout --layout-timeout; for the extractor command --set timeout=SECONDS"
        }
        Setting::Layout => "--layout",
        Setting::Browser => "--chromium PATH",
        Setting::FetchAgain => "duramen data fetch NAME --force",
        Setting::DataFolder => "--data-dir",
        Setting::Mirror => "--mirror",
        Setting::Checksum => "--accept-sha256",
        Setting::Generative => "--generative",
        Setting::OverwriteDraws => "--overwrite",
        Setting::OverwriteModel => "--force",
        Setting::ModelFolder => "--from models",
        Setting::Chains => "--chains 4",
        Setting::Weights => "--weights",
        Setting::Em => "--em N",
        Setting::Sweeps => "--sweeps, --burn-in",
        Setting::States => "--states LIST",
        Setting::Parameters => "--parameters fixed",
        Setting::Kernel => "--kernel, --parameters",
        Setting::NodesAsJson => "--nodes --json",
        Setting::Parameter("inference") => "--inference gibbs",
        Setting::Parameter(_) => "--set NAME=VALUE",
    }
}

/// An error as it is told at the command line, with the options that do what it asks for.
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
        _ => with_options(&error.to_string(), &error.remedy()),
    }
}

/// A text that ends in a remedy, with its options.
pub fn with_options(text: &str, remedy: &Remedy) -> String {
    match text.strip_suffix(&remedy.to_string()) {
        Some(before) => format!("{before}{}", remedy.with(option)),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::PageProblem;

    #[test]
    fn an_option_stands_behind_the_words_that_ask_for_it() {
        let remedy = Remedy::by("fetch the corpus again", Setting::FetchAgain).then(", or correct the file");
        assert_eq!(
            told(&Error::data("corpus", "is damaged", remedy)),
            "corpus: is damaged; fetch the corpus again (duramen data fetch NAME --force), or correct the file"
        );
        let error = Error::page("page.html", PageProblem::NoLayout { engine: "blitz".into() });
        assert!(told(&error).ends_with("; lay it out by blitz (--layout)"), "{}", told(&error));
        let error = Error::io("a/b", std::io::ErrorKind::PermissionDenied.into());
        assert!(told(&error).starts_with("a/b: permission denied; "));
    }
}
