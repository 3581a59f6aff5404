//! `FaultModel`: how probable it is that a page is no document, but a message that there is none, or a shell that a script fills.
//!
//! Servers send both as if all were well. Each fault is a logistic regression over nine [features] of the page, which no extractor
//! is needed for.

pub mod features;
mod phrases;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::logistic::sigmoid;
use crate::model::sealed::Sealed;
use crate::page::Page;
use features::{FEATURES, Values};

const SEALED: Sealed = Sealed {
    format: "duramen-faults",
    name: "a model of faulty pages",
    newest: 1,
    remedy: "train it again with `duramen model faults`, or fetch an undamaged copy",
};

/// The file of the model in the program.
const BUNDLED: &str = include_str!("../../../models/faults/web.json");

/// The probability from which on tables name a fault.
pub const THRESHOLD: f64 = 0.5;

/// What a page is in place of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// A message that what was asked for is not there: not found, removed, moved, or out of order.
    NotFound,
    /// A frame whose text a script fills in, without that text.
    ScriptShell,
}

impl Fault {
    /// All, in order.
    pub const ALL: [Fault; 2] = [Fault::NotFound, Fault::ScriptShell];

    /// The name in outputs and in labels.
    pub fn name(self) -> &'static str {
        match self {
            Fault::NotFound => "not-found",
            Fault::ScriptShell => "script-shell",
        }
    }

    /// The fault of a name.
    pub fn from_name(name: &str) -> Option<Fault> {
        Fault::ALL.into_iter().find(|fault| fault.name() == name)
    }
}

/// A learned model of faulty pages.
///
/// # Examples
/// ```
/// use duramen::extract::page_faults::{Fault, FaultModel};
/// use duramen::page::Page;
///
/// let html = b"<title>Oak Press</title><noscript>You need to enable JavaScript.</noscript><div id=root></div>";
/// let page = Page::parse("oak", None, html, None, &Default::default())?;
/// let faults = FaultModel::bundled().probabilities(&page);
/// assert!(faults[&Fault::ScriptShell] > 0.5);
/// # Ok::<(), duramen::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultModel {
    /// The names of the features, in order.
    features: Vec<String>,
    /// Pages by source, such as a data set with its checksum.
    sources: BTreeMap<String, u64>,
    /// For each fault the pages that have it, and its weights: the constant, then the features.
    faults: BTreeMap<Fault, FaultWeights>,
}

/// What is learned of one fault.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultWeights {
    /// Pages that have it.
    pub pages: u64,
    /// The constant, then the features' weights.
    pub weights: Values,
}

impl FaultWeights {
    /// The probability of the fault on a page of these features.
    pub fn probability(&self, values: &Values) -> f64 {
        sigmoid(self.weights.iter().zip(values).map(|(weight, value)| weight * value).sum())
    }
}

impl FaultModel {
    /// A model of what was learned.
    pub fn new(sources: BTreeMap<String, u64>, faults: BTreeMap<Fault, FaultWeights>) -> FaultModel {
        FaultModel { features: FEATURES.map(str::to_owned).to_vec(), sources, faults }
    }

    /// The model in the program; its card is in `models/README.md`. Read when first asked for.
    pub fn bundled() -> &'static FaultModel {
        static MODEL: OnceLock<FaultModel> = OnceLock::new();
        MODEL.get_or_init(|| {
            FaultModel::from_json(BUNDLED, "the default model of faulty pages").expect("it is tested")
        })
    }

    /// The model file's text. Equal models give equal bytes.
    pub fn to_json(&self) -> String {
        SEALED.write(1, self)
    }

    /// Reads a model file's text; `subject` names it in errors.
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model) for what is no such file, is of a newer version, was damaged, or looks at other features
    /// than this program computes.
    pub fn from_json(text: &str, subject: &str) -> Result<FaultModel> {
        let (_, body) = SEALED.read(text, subject)?;
        let model: FaultModel =
            serde_json::from_str(body).map_err(|error| SEALED.damaged(subject, error.to_string()))?;
        let is_finite = |of: &FaultWeights| of.weights.iter().all(|weight| weight.is_finite());
        if model.features != FEATURES {
            return Err(
                SEALED.damaged(subject, "it looks at other features of pages than this program computes")
            );
        }
        if model.faults.is_empty() {
            return Err(SEALED.damaged(subject, "it tells no fault"));
        }
        if !model.faults.values().all(is_finite) {
            return Err(SEALED.damaged(subject, "a weight is not a number"));
        }
        Ok(model)
    }

    /// P(fault) of a page for each fault that was learned, each for itself. Linear in the page.
    pub fn probabilities(&self, page: &Page) -> BTreeMap<Fault, f64> {
        let values = features::values(page);
        self.faults.iter().map(|(&fault, of)| (fault, of.probability(&values))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_it_was_written_and_damage_is_noticed() {
        let of = |constant: f64| {
            let mut weights = [0.25; FEATURES.len() + 1];
            weights[0] = constant;
            FaultWeights { pages: 20, weights }
        };
        let faults = Fault::ALL.into_iter().zip([of(-3.0), of(-2.0)]).collect();
        let model = FaultModel::new([("wood@12".to_owned(), 40)].into(), faults);
        assert_eq!(FaultModel::from_json(&model.to_json(), "m").unwrap(), model);
        let damaged = model.to_json().replace("-3.0", "3.0");
        assert!(FaultModel::from_json(&damaged, "m.json").unwrap_err().to_string().contains("m.json"));
        let mut fewer = model.clone();
        fewer.faults.clear();
        assert!(FaultModel::from_json(&fewer.to_json(), "m").unwrap_err().to_string().contains("no fault"));
    }

    #[test]
    fn names_are_those_of_outputs() {
        for fault in Fault::ALL {
            assert_eq!(serde_json::to_value(fault).unwrap(), fault.name());
            assert_eq!(Fault::from_name(fault.name()), Some(fault));
        }
        assert_eq!(Fault::from_name("none"), None);
    }

    #[test]
    fn the_model_in_the_program_tells_shells_from_documents() {
        let text =
            "The oldest oak of the village fell on Monday night, after a storm that had lasted for hours. ";
        let article = format!("<title>Oak</title><h1>Oak</h1><p>{}", text.repeat(12));
        let short = format!("<title>Oak</title><h1>Oak</h1><p>{}", text.repeat(3));
        let shell = "<title>Oak shop</title><noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>";
        for (html, is_shell) in [(&*article, false), (&*short, false), (shell, true)] {
            let page = Page::parse("page", None, html.as_bytes(), None, &Default::default()).unwrap();
            let p = FaultModel::bundled().probabilities(&page)[&Fault::ScriptShell];
            assert_eq!(p >= THRESHOLD, is_shell, "{html}: {p}");
        }
    }
}
