//! The distributions of the thesis's features by label: its figures 3.1 to 3.14.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::harness::record::RunResults;
use crate::report::experiment::output::Output;
use crate::report::figures::{Distribution, FeatureDistribution};
use crate::studies::feature_distributions::{FeatureFigures, LabelHistogram};
use crate::studies::results_of;

/// Categories shown of a categorical feature.
const TOP_CATEGORIES: usize = 12;

/// The section of a run that asked for it.
pub(super) fn write(run: &RunResults, output: &mut Output<'_>) -> Result<()> {
    let histograms = results_of::<FeatureFigures>(run)?.unwrap_or_default();
    if histograms.is_empty() {
        return Ok(());
    }
    output.section(
        "Features by label",
        "As the thesis's figures 3.1 to 3.14, over the DOM tree of all pages; 3.11 to 3.14 if they were laid out.",
    );
    for histogram in &histograms {
        let name = format!("feature-{}-{}", histogram.figure, histogram.id);
        output.figure(&name, &feature(histogram), &format!("The thesis's figure {}.", histogram.figure))?;
    }
    Ok(())
}

/// One of the thesis's figures 3.1 to 3.11.
fn feature(histogram: &LabelHistogram) -> FeatureDistribution {
    let distribution = match &histogram.unit {
        Some(_) => Distribution::Counts(histogram.counts.clone()),
        None => Distribution::Categories {
            counts: histogram.counts.clone().map(|counts| {
                let named = |(value, n)| (histogram.categories[value as usize].clone(), n);
                counts.into_iter().map(named).collect::<BTreeMap<String, u64>>()
            }),
            top: TOP_CATEGORIES,
        },
    };
    let mut name = histogram.name.clone();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    FeatureDistribution {
        title: format!("{name}, by label"),
        subtitle: "DOM tree of all pages".to_owned(),
        counted: match histogram.id.as_str() {
            "child-types" | "child-tags" => "children",
            "sibling-types" | "sibling-tags" => "siblings",
            _ => "nodes",
        }
        .to_owned(),
        feature: match &histogram.unit {
            Some(unit) => format!("{name} [{unit}]"),
            None => name,
        },
        distribution,
    }
}
