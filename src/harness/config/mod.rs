//! `experiment.toml`: what an experiment asks, its data, splits and systems.

use std::marker::PhantomData;
use std::path::PathBuf;

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::dataset::synth::SynthConfig;
use crate::error::{Error, Result, did_you_mean};
use crate::layout;
use crate::scoring::Metric;

mod effect;
mod left_out;
mod published;
mod split;
mod study_tables;
mod sweep;
mod system;

pub use left_out::CorporaLeftOut;
pub use published::{Published, PublishedRow};
pub use split::Split;
pub use study_tables::{Setting, StudyTables};
pub use sweep::{MAX_PAGES_OF_SITE, Sweep, text};
pub use system::{Adapt, InferenceChoice, ModelChoice, Reduced, System};

/// The name of the corpus of pages of our own.
pub const SYNTH: &str = "synth";

/// An experiment. [`crate::studies::parse`] reads one, and refuses unknown keys with the nearest name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Experiment {
    /// One line.
    pub title: String,
    /// What the experiment is to find out.
    pub question: String,
    /// The seed of splits, samplers and bootstrap. Default 1.
    #[serde(default = "one")]
    pub seed: u64,
    /// A corpus by name, `corpus/part`, by a manifest or a folder relative to the experiment's, or `synth` for pages of
    /// our own: that of every split that names none.
    pub dataset: String,
    /// The size of the synthetic corpus, for `dataset = "synth"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub synth: Option<SynthConfig>,
    /// Use only the first so many pages of each corpus. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_pages: Option<usize>,
    /// Which pages train and which test. Default: those of `corpora-left-out`.
    #[serde(default)]
    pub splits: Vec<Split>,
    /// Corpora that are tested in turn by what was trained on the others: once read, they are the last of `splits`.
    #[serde(default, skip_serializing)]
    pub corpora_left_out: Option<CorporaLeftOut>,
    /// The systems compared.
    pub systems: Vec<System>,
    /// What is measured. Default: tokens, nodes and words.
    #[serde(default = "usual_metrics")]
    pub metrics: Vec<Metric>,
    /// The figures of each split. Default: all that its metrics allow.
    #[serde(default = "all_plots")]
    pub plots: Vec<Plot>,
    /// Systems at several values of a parameter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sweeps: Vec<Sweep>,
    /// What the paper published, to stand beside: from `published.toml` in the experiment's folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<Published>,
    /// The studies that are asked for, by their keys: see [`crate::studies`].
    #[serde(flatten)]
    pub studies: StudyTables,
    /// The engine (`blitz`, `chromium`) that lays out every page, beside those that the systems ask for themselves; with
    /// `feature-figures` the thesis's figures 3.11-3.14 are drawn too. Default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<String>,
    /// The folder of its file, which manifests and folders of corpora are relative to. Default: the current one.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// A kind of figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plot {
    /// Each system's pages ordered by their score, as the thesis draws them.
    Ranked,
    /// The distribution over pages with its box, systems side by side.
    Distribution,
    /// Precision, recall and F1 of each label.
    Labels,
    /// How often tokens are content where a system says so.
    Reliability,
}

fn usual_metrics() -> Vec<Metric> {
    vec![Metric::Tokens, Metric::Nodes, Metric::Words]
}

fn all_plots() -> Vec<Plot> {
    vec![Plot::Ranked, Plot::Distribution, Plot::Labels, Plot::Reliability]
}

fn one() -> u64 {
    1
}

impl Experiment {
    /// Its keys in a file, beside those of studies.
    pub const KEYS: [&str; 14] = [
        "title",
        "question",
        "seed",
        "dataset",
        "synth",
        "max-pages",
        "splits",
        "corpora-left-out",
        "systems",
        "metrics",
        "plots",
        "sweeps",
        "published",
        "layout",
    ];

    /// Puts what `corpora-left-out` stands for among the splits.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the corpus and says what to write.
    pub fn expand(&mut self) -> Result<()> {
        if let Some(left_out) = self.corpora_left_out.take() {
            self.splits.extend(left_out.splits()?);
        }
        Ok(())
    }

    /// Checks all but the studies.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the key or value and says what to write.
    pub fn check(&self) -> Result<()> {
        if self.splits.is_empty() {
            return Err(Error::usage("no [[splits]]", "add one with kind = \"folds-by-host\" or \"random\""));
        }
        if self.systems.is_empty() {
            return Err(Error::usage("no [[systems]]", "add one with id and extractor"));
        }
        unique("split", self.splits.iter().map(Split::id))?;
        unique("system", self.systems.iter().map(|system| system.id.as_str()))?;
        self.splits.iter().try_for_each(Split::check)?;
        for system in &self.systems {
            crate::harness::systems::check(system)?;
            if crate::harness::systems::is_trained(system)
                && let Some(split) = self.splits.iter().find(|split| !split.trains())
            {
                return Err(Error::usage(
                    format!(
                        "system '{}' is trained, and in split '{}' no page trains",
                        system.id,
                        split.id()
                    ),
                    "use kind = \"folds-by-host\", \"random\" or \"trained-elsewhere\"",
                ));
            }
        }
        unique("sweep", self.sweeps.iter().map(|sweep| sweep.id.as_str()))?;
        self.sweeps.iter().try_for_each(|sweep| sweep.check(&self.systems))?;
        self.check_published()?;
        if self.synth.is_some() != self.datasets().contains(&SYNTH) {
            return Err(Error::usage(
                "[synth] goes with dataset = \"synth\" and only with it",
                "add or remove the table [synth]",
            ));
        }
        self.check_adapted()?;
        effect::check(self)?;
        self.layout.as_deref().map_or(Ok(()), layout::check_name)?;
        Ok(())
    }
}

impl Experiment {
    /// The systems, with the variants that sweeps add.
    pub fn all_systems(&self) -> Vec<System> {
        let mut systems = self.systems.clone();
        for sweep in &self.sweeps {
            for (_, variant) in sweep.variants(&self.systems) {
                if !systems.iter().any(|known| known.id == variant.id) {
                    systems.push(variant);
                }
            }
        }
        systems
    }

    /// The corpus that a split tests.
    pub fn dataset_of<'a>(&'a self, split: &'a Split) -> &'a str {
        split.own_dataset().unwrap_or(&self.dataset)
    }

    /// Every corpus that is tested or trains, once, in the splits' order.
    pub fn datasets(&self) -> Vec<&str> {
        let of_splits = self.splits.iter().flat_map(|split| {
            let also = split.also().iter().chain(split.without()).map(String::as_str);
            [Some(self.dataset_of(split)), split.train()].into_iter().flatten().chain(also)
        });
        let recalibrate = self.systems.iter().filter_map(|system| system.recalibrate.as_deref());
        let mut names: Vec<&str> = Vec::new();
        for name in of_splits.chain(recalibrate) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Whether what systems adapt to is given.
    fn check_adapted(&self) -> Result<()> {
        for system in &self.systems {
            let labelled = system.adapt.unwrap_or_default().labelled_pages;
            let is_given = |split: &Split| matches!(split, Split::Sites { given, .. } if *given >= labelled);
            if let Some(split) = self.splits.iter().find(|split| labelled > 0 && !is_given(split)) {
                return Err(Error::usage(
                    format!(
                        "system '{}': labelled-pages is {labelled}, and split '{}' gives fewer",
                        system.id,
                        split.id()
                    ),
                    "write kind = \"sites\" with given = N for the split, or less for labelled-pages",
                ));
            }
        }
        Ok(())
    }

    fn check_published(&self) -> Result<()> {
        if let Some(table) = self.published.iter().find(|table| table.rows.is_empty()) {
            return Err(Error::usage(
                format!("published '{}': no rows", table.source),
                "give one or more, with name and published",
            ));
        }
        for row in self.published.iter().flat_map(|table| &table.rows) {
            if !(0.0..=1.0).contains(&row.published) {
                return Err(Error::usage(
                    format!("published '{}': {} is no share", row.name, row.published),
                    "write a number from 0 to 1, such as 0.93 for 93 %",
                ));
            }
            let unknown = |kind: &str, id: &str, known: Vec<&str>| {
                let what = format!("published '{}': no {kind} '{id}'", row.name);
                Err(Error::usage(what, did_you_mean(id, known)))
            };
            if let Some(id) = &row.system
                && !self.systems.iter().any(|system| system.id == *id)
            {
                return unknown("system", id, self.systems.iter().map(|s| s.id.as_str()).collect());
            }
            if let Some(id) = &row.split
                && !self.splits.iter().any(|split| split.id() == id)
            {
                return unknown("split", id, self.splits.iter().map(Split::id).collect());
            }
            if row.system.is_some() != row.score.is_some() {
                return Err(Error::usage(
                    format!("published '{}': system without score, or score without system", row.name),
                    "give both, or neither where there is no counterpart",
                ));
            }
        }
        Ok(())
    }
}

fn unique<'a>(what: &str, ids: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut known: Vec<&str> = Vec::new();
    for id in ids {
        let is_name = !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        if !is_name {
            return Err(Error::usage(format!("{what} id '{id}'"), "use letters, digits, '-', '_' and '.'"));
        }
        if known.contains(&id) {
            return Err(Error::usage(
                format!("two {what}s have the id '{id}'"),
                "give each an id of its own",
            ));
        }
        known.push(id);
    }
    Ok(())
}

/// The value under one key of a TOML text, if it is there; the others are not looked at. Errors name the line.
///
/// # Errors
/// For what is not TOML, and a value of another kind.
pub fn table_of<T: DeserializeOwned>(text: &str, key: &str) -> Result<Option<T>, toml::de::Error> {
    struct Only<'a, T>(&'a str, PhantomData<T>);
    impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Only<'_, T> {
        type Value = Option<T>;
        fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
            deserializer.deserialize_map(self)
        }
    }
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Only<'_, T> {
        type Value = Option<T>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a table")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<T>, A::Error> {
            let mut found = None;
            while let Some(key) = map.next_key::<String>()? {
                match key == self.0 {
                    true => found = Some(map.next_value()?),
                    false => drop(map.next_value::<IgnoredAny>()?),
                }
            }
            Ok(found)
        }
    }
    Only(key, PhantomData).deserialize(toml::Deserializer::parse(text)?)
}
