//! `Remedy`, what to do about an error: words, and the settings that they speak of, for which each face has its own option.

use std::fmt;

/// A setting or command that fixes something. The library names none of its faces' options: the command line writes
/// its own behind the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Setting {
    /// The bounds on the size of a page.
    Limits,
    /// The time that a page may take.
    Timeout,
    /// The engine that lays pages out.
    Layout,
    /// The path of the browser.
    Browser,
    /// Fetching a corpus again in place of the one that is there.
    FetchAgain,
    /// The folder of corpora.
    DataFolder,
    /// Where a corpus is fetched from.
    Mirror,
    /// The checksum of an archive that no one else states.
    Checksum,
    /// A model as its counts are, without learned weights.
    Generative,
    /// Draws in place of those that are there.
    OverwriteDraws,
    /// A model file in place of the one that is there.
    OverwriteModel,
    /// The folder that models are fetched from.
    ModelFolder,
    /// The number of chains.
    Chains,
    /// Whether weights are learned.
    Weights,
    /// The number of iterations of EM.
    Em,
    /// The number of sweeps, and of those of the burn-in.
    Sweeps,
    /// The states that nodes may have.
    States,
    /// Whether parameters are drawn.
    Parameters,
    /// The kernel, and whether parameters are drawn.
    Kernel,
    /// Writing the labels of nodes as JSON.
    NodesAsJson,
    /// A parameter of an extractor, by name.
    Parameter(&'static str),
}

/// What to do about an error.
///
/// # Examples
/// ```
/// use duramen::error::{Remedy, Setting};
///
/// let remedy = Remedy::from("free space, or ").set("choose another data folder", Setting::DataFolder);
/// assert_eq!(remedy.to_string(), "free space, or choose another data folder");
/// assert_eq!(remedy.with(|_| "--data-dir"), "free space, or choose another data folder (--data-dir)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Remedy {
    words: String,
    /// Where the words of each setting end, in bytes.
    settings: Vec<(usize, Setting)>,
}

impl Remedy {
    /// These words, which speak of a setting.
    pub fn by(words: impl AsRef<str>, setting: Setting) -> Self {
        Remedy::default().set(words, setting)
    }

    /// Adds words that speak of a setting.
    #[must_use]
    pub fn set(self, words: impl AsRef<str>, setting: Setting) -> Self {
        let mut remedy = self.then(words);
        remedy.settings.push((remedy.words.len(), setting));
        remedy
    }

    /// Adds words.
    #[must_use]
    pub fn then(mut self, words: impl AsRef<str>) -> Self {
        self.words += words.as_ref();
        self
    }

    /// The words with the option of each setting behind what speaks of it, in brackets.
    pub fn with(&self, option: impl Fn(Setting) -> &'static str) -> String {
        let mut text = self.words.clone();
        for &(end, setting) in self.settings.iter().rev() {
            text.insert_str(end, &format!(" ({})", option(setting)));
        }
        text
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl From<String> for Remedy {
    fn from(words: String) -> Self {
        Remedy { words, settings: Vec::new() }
    }
}

impl From<&str> for Remedy {
    fn from(words: &str) -> Self {
        Remedy::from(words.to_owned())
    }
}
