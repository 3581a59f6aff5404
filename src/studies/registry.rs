//! The list of studies.

use serde_json::value::RawValue;

use super::active_learning::ActiveLearning;
use super::article_images::ArticleImagesStudy;
use super::convergence::Convergence;
use super::engines::EngineStudy;
use super::feature_distributions::FeatureFigures;
use super::reliability::Reliability;
use super::sd::SdStudy;
use super::site_repeats::SiteRepeatsStudy;
use super::study::{Context, Study, config_of};
use super::visual_outlier::VisualOutlierStudy;
use crate::error::Result;
use crate::harness::config::{Experiment, Setting, table_of};

/// A study as the list knows it.
pub struct StudyKind {
    /// Its key in `experiment.toml`.
    pub key: &'static str,
    /// The name of its results.
    pub results: &'static str,
    /// Reads its value from the text of an experiment, with defaults for what is left out; none if the key is not there
    /// and need not be.
    pub(super) read: fn(&str) -> Result<Option<Setting>, toml::de::Error>,
    /// What an experiment asks of it, with the paper's numbers in the text of a `published.toml`; none if it has a place for
    /// none.
    pub(super) publish: fn(&Setting, &str) -> Result<Option<Setting>, toml::de::Error>,
    /// Checks it, if the experiment asks for it.
    pub(super) check: fn(&Experiment) -> Result<()>,
    /// The layout engines that it needs, if the experiment asks for it.
    pub(super) layouts: fn(&Experiment) -> Result<Vec<String>>,
    /// Makes it, if the experiment asks for it.
    pub(super) run: fn(&Context<'_>) -> Result<Option<Box<RawValue>>>,
}

/// Every study, in the order in which they are made; a new one is one line here.
pub const KINDS: &[StudyKind] = &[
    StudyKind::of::<Convergence>(),
    StudyKind::of::<SdStudy>(),
    StudyKind::of::<VisualOutlierStudy>(),
    StudyKind::of::<EngineStudy>(),
    StudyKind::of::<ArticleImagesStudy>(),
    StudyKind::of::<ActiveLearning>(),
    StudyKind::of::<SiteRepeatsStudy>(),
    StudyKind::of::<Reliability>(),
    StudyKind::of::<FeatureFigures>(),
];

impl StudyKind {
    const fn of<S: Study>() -> StudyKind {
        StudyKind {
            key: S::KEY,
            results: S::RESULTS,
            read: |text| {
                let study: Option<S> = table_of(text, S::KEY)?;
                Ok(study.or_else(S::left_out).map(|study| Setting::of(&study)))
            },
            publish: |setting, text| {
                let study: S = setting.read().expect("it was read as this study");
                Ok(study.with_published(text)?.map(|study| Setting::of(&study)))
            },
            check: |experiment| match config_of::<S>(experiment)? {
                Some(study) => study.check(experiment),
                None => Ok(()),
            },
            layouts: |experiment| {
                Ok(config_of::<S>(experiment)?.map_or_else(Vec::new, |study| study.layouts()))
            },
            run: |context| {
                let Some(study) = config_of::<S>(context.experiment)? else { return Ok(None) };
                let results = study.run(context)?;
                let json = serde_json::value::to_raw_value(&results);
                Ok(Some(json.expect("results have no keys that are not text")))
            },
        }
    }
}
