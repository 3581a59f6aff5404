//! The one error type of the library: what failed, on which file, page or field, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

mod remedy;

pub use remedy::{Remedy, Setting};

/// A result whose error is [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can go wrong through input, settings or the machine.
///
/// A fault of the program itself is a panic, never one of these.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Reading or writing a file failed.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A flag, parameter or configuration field is out of its range or misspelt.
    #[error("{what}; {remedy}")]
    Usage {
        /// What is wrong, naming the flag or field and the value given.
        what: String,
        /// What to write instead: the range, the default, the nearest name.
        remedy: Remedy,
    },
    /// Data are missing, cut, or differ from their checksum.
    #[error("{subject}: {problem}; {remedy}")]
    Data {
        /// The corpus, archive or file.
        subject: String,
        /// What is wrong with it.
        problem: String,
        /// The command or action that fixes it.
        remedy: Remedy,
    },
    /// A page cannot be processed.
    #[error("{page}: {problem}")]
    Page {
        /// The page's file name, URL or id.
        page: String,
        /// Why.
        problem: PageProblem,
    },
    /// A model file is damaged, newer than this program, or does not fit its use.
    #[error("{subject}: {problem}; {remedy}")]
    Model {
        /// The model file.
        subject: String,
        /// What is wrong with it.
        problem: String,
        /// What to do.
        remedy: Remedy,
    },
    /// Chains do not agree, or not enough was drawn.
    #[error("{subject}: {problem}; {remedy}")]
    NotConverged {
        /// The draws.
        subject: String,
        /// What is wrong with them.
        problem: String,
        /// What to do.
        remedy: Remedy,
    },
    /// The user interrupted the run; what was finished is kept.
    #[error("interrupted; finished work is kept, run the same command again to go on")]
    Interrupted,
}

/// Why a page cannot be processed; its name is the page's status in every output.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PageProblem {
    /// The page has no bytes, or no text outside scripts and styles.
    #[error("the page holds no text")]
    Empty,
    /// The page is larger than the stated limit.
    #[error("{what} is {found} or more, the limit is {limit}; {}", self.remedy())]
    TooLarge {
        /// What was measured, such as "size in bytes".
        what: &'static str,
        /// The measure where counting stopped: what is read no further may be larger.
        found: u64,
        /// Its limit.
        limit: u64,
    },
    /// The page took longer than the stated limit.
    #[error("not finished after {seconds} s; {}", self.remedy())]
    Timeout {
        /// The limit in seconds.
        seconds: u64,
    },
    /// The bytes are not a page.
    #[error("not an HTML page: {0}")]
    NotHtml(String),
    /// The page was not laid out by the engine that is asked for.
    #[error("not laid out by {engine}, which is needed here; {}", self.remedy())]
    NoLayout {
        /// The engine's name.
        engine: String,
    },
    /// Anything else, such as a file that could not be read.
    #[error("{0}")]
    Failed(String),
}

impl PageProblem {
    /// What to do about it; no words where nothing is known to help.
    pub fn remedy(&self) -> Remedy {
        match self {
            PageProblem::TooLarge { .. } => Remedy::by("raise the limit", Setting::Limits),
            PageProblem::Timeout { .. } => Remedy::by("allow more time", Setting::Timeout),
            PageProblem::NoLayout { engine } => {
                Remedy::by(format!("lay it out by {engine}"), Setting::Layout)
            }
            PageProblem::Empty | PageProblem::NotHtml(_) | PageProblem::Failed(_) => Remedy::default(),
        }
    }

    /// The status word of a page in outputs: `empty`, `too-large`, `timeout` or `error`.
    pub fn status(&self) -> &'static str {
        match self {
            PageProblem::Empty => "empty",
            PageProblem::TooLarge { .. } => "too-large",
            PageProblem::Timeout { .. } => "timeout",
            PageProblem::NotHtml(_) | PageProblem::NoLayout { .. } | PageProblem::Failed(_) => "error",
        }
    }
}

impl Error {
    /// An [`Error::Io`] on `path`.
    pub fn io(path: impl AsRef<Path>, source: io::Error) -> Self {
        Error::Io { path: path.as_ref().to_owned(), source }
    }

    /// An [`Error::Usage`].
    pub fn usage(what: impl Into<String>, remedy: impl Into<Remedy>) -> Self {
        Error::Usage { what: what.into(), remedy: remedy.into() }
    }

    /// An [`Error::Data`].
    pub fn data(subject: impl ToString, problem: impl Into<String>, remedy: impl Into<Remedy>) -> Self {
        Error::Data { subject: subject.to_string(), problem: problem.into(), remedy: remedy.into() }
    }

    /// An [`Error::Model`].
    pub fn model(subject: impl ToString, problem: impl Into<String>, remedy: impl Into<Remedy>) -> Self {
        Error::Model { subject: subject.to_string(), problem: problem.into(), remedy: remedy.into() }
    }

    /// An [`Error::Page`].
    pub fn page(page: impl ToString, problem: PageProblem) -> Self {
        Error::Page { page: page.to_string(), problem }
    }

    /// What is wrong, for a list in which the page `id` is named already.
    pub(crate) fn reason_for(&self, id: &str) -> String {
        match self {
            Error::Page { page, problem } if page == id => problem.to_string(),
            other => other.to_string(),
        }
    }

    /// An [`Error::Usage`]: what a Cargo feature of this package `does` was asked for, and the program was built without it.
    #[cfg_attr(
        all(feature = "datasets", feature = "chromium", feature = "blitz"),
        allow(dead_code, reason = "nothing is missing")
    )]
    pub(crate) fn built_without(feature: &str, does: &str) -> Self {
        Error::usage(
            format!("this program was built without the feature '{feature}', which {does}"),
            format!("build it with the feature {feature}"),
        )
    }

    /// An [`Error::Usage`] of a TOML text that cannot be read as what it is to be, with line and key; an unknown key or
    /// name is answered with the nearest that is known. `example` is a file that shows how it is written.
    pub fn from_toml(subject: impl std::fmt::Display, error: &toml::de::Error, example: &str) -> Self {
        let message = error.message();
        let mut quoted = message.split('`').skip(1).step_by(2);
        let remedy = match message.starts_with("unknown ") {
            true => {
                let given = quoted.next().unwrap_or_default().to_owned();
                let known: Vec<&str> = quoted.collect();
                did_you_mean(&given, known.iter().copied())
            }
            false => format!("see {example} for an example"),
        };
        Error::usage(format!("{subject}: {}", error.to_string().trim_end()), remedy)
    }

    /// What to do about it, if it says so; no words otherwise.
    pub fn remedy(&self) -> Remedy {
        match self {
            Error::Usage { remedy, .. }
            | Error::Data { remedy, .. }
            | Error::Model { remedy, .. }
            | Error::NotConverged { remedy, .. } => remedy.clone(),
            Error::Page { problem, .. } => problem.remedy(),
            Error::Io { .. } | Error::Interrupted => Remedy::default(),
        }
    }

    /// The process exit code: 1 an input failed, 2 usage, 3 a file, corpus or model is missing, wrong, or cannot be
    /// read or written, 5 not converged, 130 interrupted.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Page { .. } => 1,
            Error::Usage { .. } => 2,
            Error::Io { .. } | Error::Data { .. } | Error::Model { .. } => 3,
            Error::NotConverged { .. } => 5,
            Error::Interrupted => 130,
        }
    }
}

/// Of `known`, the name nearest to `given` by edit distance, if any is near enough to be a slip of the pen.
///
/// # Examples
/// ```
/// assert_eq!(duramen::error::nearest("htm", ["hmt", "forest"]), Some("hmt"));
/// assert_eq!(duramen::error::nearest("qqqqqq", ["hmt", "forest"]), None);
/// ```
pub fn nearest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(given, name), name))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, name)| distance <= 1 + name.len().max(given.len()) / 3)
        .map(|(_, name)| name)
}

/// The remedy for an unknown name: the nearest known one, or the whole list.
pub fn did_you_mean<'a>(given: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(given, known.clone()) {
        Some(name) => format!("did you mean '{name}'?"),
        None => format!("known: {}", known.into_iter().collect::<Vec<_>>().join(", ")),
    }
}
