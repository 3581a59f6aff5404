//! Tables and figures of studies: a section of the report for each that a run made.

mod active_learning;
pub mod article_images;
mod convergence;
pub mod engines;
mod feature_distributions;
mod reliability;
pub mod sd;
pub mod site_repeats;
pub mod visual_outlier;

use super::output::Output;
use crate::error::Result;
use crate::harness::record::RunResults;

/// Writes the section of one study, if the run made it.
type Section = fn(&RunResults, &mut Output<'_>) -> Result<()>;

/// The sections, in the report's order; that of a new study is one line here.
const SECTIONS: [Section; 9] = [
    active_learning::write,
    article_images::write,
    sd::write,
    engines::write,
    visual_outlier::write,
    convergence::write,
    feature_distributions::write,
    site_repeats::write,
    reliability::write,
];

/// Writes the sections of all studies that a run made.
pub(super) fn write(run: &RunResults, output: &mut Output<'_>) -> Result<()> {
    SECTIONS.iter().try_for_each(|section| section(run, output))
}
