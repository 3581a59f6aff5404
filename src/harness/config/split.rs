//! `[[splits]]`: which pages train and which test.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// How pages are divided into training and test pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, tag = "kind", rename_all = "kebab-case")]
pub enum Split {
    /// Each page is tested once, by what was trained on the other folds; no host is in two folds.
    #[serde(rename_all = "kebab-case")]
    FoldsByHost {
        /// The split's name in tables.
        id: String,
        /// The corpus, if it is not the experiment's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dataset: Option<String>,
        /// Number of folds. Range 2 and up, default 5.
        #[serde(default = "five")]
        folds: usize,
        /// Corpora that train as well in every fold, but for their pages of the fold's hosts.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<String>,
    },
    /// Pages are divided at random, again and again, as in the thesis; pages of one host may be on both sides.
    #[serde(rename_all = "kebab-case")]
    Random {
        /// The split's name in tables.
        id: String,
        /// The corpus, if it is not the experiment's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dataset: Option<String>,
        /// Share of the pages that train. Range above 0 to below 1, default 0.5.
        #[serde(default = "half")]
        train_share: f64,
        /// Number of divisions. Range 1 and up, default 10.
        #[serde(default = "ten")]
        repeats: usize,
    },
    /// Every page is tested once, by what was trained on the pages of another corpus whose host is not tested.
    #[serde(rename_all = "kebab-case")]
    TrainedElsewhere {
        /// The split's name in tables.
        id: String,
        /// The corpus that is tested, if it is not the experiment's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dataset: Option<String>,
        /// The corpus that trains.
        train: String,
        /// Corpora that train as well, but for their pages of tested hosts.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<String>,
        /// Corpora that are left out as a whole: no page of a host of theirs trains, as none of a tested host does. Splits
        /// that leave the same out one after another share what is learned.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        without: Vec<String>,
        /// Number of folds by host that the corpus is tested in, so that systems can be recalibrated on the others. Range 2
        /// and up, default all pages at once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        folds: Option<usize>,
    },
    /// Sites with several pages, to see what adapting to a site gains: the first pages of each are given to systems that
    /// adapt, the next are tested, by what was trained on another corpus. Pages without an address are of no
    /// site.
    #[serde(rename_all = "kebab-case")]
    Sites {
        /// The split's name in tables.
        id: String,
        /// The corpus that is tested, if it is not the experiment's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dataset: Option<String>,
        /// The corpus that trains; of its pages those of tested sites do not.
        train: String,
        /// Pages of each site that are given. Default 4.
        #[serde(default = "four")]
        given: usize,
        /// Pages of a site that are tested, at least; sites with fewer are left out. Range 1 and up, default 2.
        #[serde(default = "two")]
        least_tests: usize,
        /// And at most. Default 20.
        #[serde(default = "twenty")]
        most_tests: usize,
    },
    /// Every page is tested once and none trains: for extractors that are not trained here.
    AllPages {
        /// The split's name in tables.
        id: String,
        /// The corpus, if it is not the experiment's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dataset: Option<String>,
    },
}

fn five() -> usize {
    5
}
fn two() -> usize {
    2
}
fn four() -> usize {
    4
}
fn twenty() -> usize {
    20
}
fn half() -> f64 {
    0.5
}
fn ten() -> usize {
    10
}

impl Split {
    /// The split's name in tables.
    pub fn id(&self) -> &str {
        match self {
            Split::FoldsByHost { id, .. }
            | Split::Random { id, .. }
            | Split::TrainedElsewhere { id, .. }
            | Split::Sites { id, .. }
            | Split::AllPages { id, .. } => id,
        }
    }

    /// The corpus that is tested, if the split names one.
    pub fn own_dataset(&self) -> Option<&str> {
        match self {
            Split::FoldsByHost { dataset, .. }
            | Split::Random { dataset, .. }
            | Split::TrainedElsewhere { dataset, .. }
            | Split::Sites { dataset, .. }
            | Split::AllPages { dataset, .. } => dataset.as_deref(),
        }
    }

    /// The corpus that trains, if it is another than the one that is tested.
    pub fn train(&self) -> Option<&str> {
        match self {
            Split::TrainedElsewhere { train, .. } | Split::Sites { train, .. } => Some(train),
            _ => None,
        }
    }

    /// The corpora that train besides the first.
    pub fn also(&self) -> &[String] {
        match self {
            Split::FoldsByHost { also, .. } | Split::TrainedElsewhere { also, .. } => also,
            _ => &[],
        }
    }

    /// The corpora that are left out of the training besides the one that is tested.
    pub fn without(&self) -> &[String] {
        match self {
            Split::TrainedElsewhere { without, .. } => without,
            _ => &[],
        }
    }

    /// Whether any page trains.
    pub fn trains(&self) -> bool {
        !matches!(self, Split::AllPages { .. })
    }

    /// The split in words.
    pub fn describe(&self) -> String {
        match self {
            Split::FoldsByHost { folds, also, .. } => {
                format!("{folds} folds grouped by host, each page tested once{}", and(also))
            }
            Split::Random { train_share, repeats, .. } => {
                format!("{repeats} random divisions, {:.0} % of the pages train", train_share * 100.0)
            }
            Split::TrainedElsewhere { train, also, without, folds, .. } => {
                let folds = folds.map_or(String::new(), |folds| format!(" in {folds} folds grouped by host"));
                let all: Vec<&str> = std::iter::once(train).chain(also).map(String::as_str).collect();
                let without = match without.as_slice() {
                    [] => String::new(),
                    corpora => format!(" and those of {}", corpora.join(", ")),
                };
                format!(
                    "every page tested once{folds}, what is trained is trained on {} without the tested hosts{without}",
                    all.join(" and ")
                )
            }
            Split::Sites { train, given, least_tests, .. } => format!(
                "sites with {} pages or more, of which the first {given} are not tested but given to what adapts; what is \
                 trained is trained on {train} without the tested hosts",
                given + least_tests
            ),
            Split::AllPages { .. } => "every page tested once, none trains".to_owned(),
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        match self {
            Split::FoldsByHost { id, folds, .. } if *folds < 2 => {
                Err(Error::usage(format!("split '{id}': folds is {folds}"), "2 and up; the default is 5"))
            }
            Split::TrainedElsewhere { id, folds: Some(folds), .. } if *folds < 2 => Err(Error::usage(
                format!("split '{id}': folds is {folds}"),
                "2 and up, or leave it out to test all pages at once",
            )),
            Split::Random { id, train_share, .. } if !(*train_share > 0.0 && *train_share < 1.0) => {
                Err(Error::usage(
                    format!("split '{id}': train-share is {train_share}"),
                    "above 0 and below 1; the default is 0.5",
                ))
            }
            Split::Random { id, repeats: 0, .. } => {
                Err(Error::usage(format!("split '{id}': repeats is 0"), "1 and up; the default is 10"))
            }
            Split::Sites { id, least_tests, most_tests, .. }
                if *least_tests == 0 || most_tests < least_tests =>
            {
                Err(Error::usage(
                    format!("split '{id}': least-tests is {least_tests} and most-tests {most_tests}"),
                    "1 and up, and at least as many; the defaults are 2 and 20",
                ))
            }
            _ => Ok(()),
        }
    }
}

/// What a split says of further corpora.
fn and(also: &[String]) -> String {
    match also {
        [] => String::new(),
        also => format!(", and {} train as well, without the tested hosts", also.join(" and ")),
    }
}
