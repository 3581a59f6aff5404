//! `PredictiveResults`, the posterior predictive check of a store of draws: what pages that the model draws look like.

use crate::diagnostics::{Chains, Diagnostic, quantile};
use crate::draws::{InferenceData, Series};
use crate::error::{Error, Result};

/// The group of statistics of replicated pages, by chain and draw.
const REPLICATED: &str = "posterior_predictive";
/// The group of the same statistics of the pages themselves.
const OBSERVED: &str = "observed_data";
/// What arrays of statistics end in after the name of the feature, such as `full_stops_statistics`.
const SUFFIX: &str = "_statistics";

/// A statistic of a feature beside those of replicated pages.
#[derive(Debug, Clone, PartialEq)]
pub struct PredictiveRow {
    /// The feature: the array's name without `_statistics`, with hyphens.
    pub feature: String,
    /// The statistic: the labels of its place in the array, such as `mean`.
    pub statistic: String,
    /// Of the pages; NaN where it is not defined.
    pub observed: f64,
    /// The mean over replicates.
    pub mean: Diagnostic,
    /// The standard deviation over replicates.
    pub sd: Diagnostic,
    /// The 5 % point of the replicates.
    pub q5: Diagnostic,
    /// Their 95 % point.
    pub q95: Diagnostic,
    /// The share of replicates with more of it than the pages, equal ones counted half: near 0 if the pages have more of
    /// it than the model makes, near 1 if less. Nothing where the pages or a replicate do not have the statistic.
    pub p_value: Option<f64>,
}

/// Every statistic beside its replicates.
#[derive(Debug, Clone, PartialEq)]
pub struct PredictiveResults {
    /// Those with the most extreme p-value first; undefined ones last.
    pub rows: Vec<PredictiveRow>,
    /// The number of replicates.
    pub replicates: usize,
}

impl PredictiveRow {
    /// Below this, or above 1 less it, the model does not reproduce the statistic.
    pub const EXTREME: f64 = 0.005;

    /// Whether the model reproduces the statistic: its p-value is from .005 to .995. Nothing where it is not defined.
    pub fn is_reproduced(&self) -> Option<bool> {
        self.p_value.map(|p| (Self::EXTREME..=1.0 - Self::EXTREME).contains(&p))
    }

    /// How many standard deviations of the replicates the pages are away from their mean.
    pub fn deviation(&self) -> Option<f64> {
        let (mean, sd) = (self.mean.ok()?, self.sd.ok()?);
        match self.observed - mean {
            difference if difference.is_nan() => None,
            0.0 => Some(0.0),
            difference => Some(difference / sd),
        }
    }

    fn new(name: &str, series: &Series, observed: f64) -> PredictiveRow {
        let place = series.label.strip_prefix(name).unwrap_or_default();
        let statistic = place.trim_start_matches('[').trim_end_matches(']').to_owned();
        let feature = name.strip_suffix(SUFFIX).unwrap_or(name).replace('_', "-");
        let chains = Chains::from(series.chains.view());
        let q5 = quantile(&chains, 0.05);
        PredictiveRow {
            feature,
            statistic,
            observed,
            mean: q5.map(|_| chains.mean()),
            sd: q5.map(|_| if chains.values().len() > 1 { chains.variance().sqrt() } else { 0.0 }),
            q5,
            q95: quantile(&chains, 0.95),
            p_value: (q5.is_ok() && observed.is_finite()).then(|| p_value(chains.values(), observed)),
        }
    }
}

/// P(T(x_rep) >= T(x)), equal ones counted half.
fn p_value(replicated: &[f64], observed: f64) -> f64 {
    let share = |x: &f64| if *x > observed { 1.0 } else { 0.5 * f64::from(u8::from(*x == observed)) };
    replicated.iter().map(share).sum::<f64>() / replicated.len() as f64
}

impl PredictiveResults {
    /// Compares every array of group `posterior_predictive` with that of the same name in `observed_data`, which has its
    /// dimensions without chain and draw.
    ///
    /// # Errors
    /// [`Error::Data`] if there are no replicates, or statistics of pages are missing or of another shape.
    pub fn new(data: &InferenceData) -> Result<PredictiveResults> {
        let wrong = |problem: String| {
            Error::data("the store", problem, "draw again with duramen sample, which keeps them")
        };
        let replicated = data.group(REPLICATED).filter(|group| !group.arrays().is_empty());
        let replicated = replicated.ok_or_else(|| wrong(format!("has no group '{REPLICATED}'")))?;
        let mut rows = Vec::new();
        let mut replicates = 0;
        for (name, array) in replicated.arrays() {
            let observed = data.group(OBSERVED).and_then(|group| group.array(name)).ok_or_else(|| {
                wrong(format!("group '{OBSERVED}' has no '{name}', which '{REPLICATED}' has"))
            })?;
            let series = replicated.series(name)?;
            if array.dims()[2..] != *observed.dims() || array.shape()[2..] != *observed.shape() {
                return Err(wrong(format!(
                    "'{name}' has other places in '{OBSERVED}' than in '{REPLICATED}'"
                )));
            }
            replicates = array.shape()[0] * array.shape()[1];
            let pairs = series.iter().zip(observed.to_f64().iter().copied().collect::<Vec<_>>());
            rows.extend(pairs.map(|(series, observed)| PredictiveRow::new(name, series, observed)));
        }
        let surprise = |row: &PredictiveRow| row.p_value.map_or(1.0, |p| p.min(1.0 - p));
        let distance = |row: &PredictiveRow| row.deviation().map_or(0.0, f64::abs);
        rows.sort_by(|a, b| {
            surprise(a).total_cmp(&surprise(b)).then_with(|| distance(b).total_cmp(&distance(a)))
        });
        Ok(PredictiveResults { rows, replicates })
    }

    /// The statistics that the model does not reproduce.
    pub fn not_reproduced(&self) -> impl Iterator<Item = &PredictiveRow> {
        self.rows.iter().filter(|row| row.is_reproduced() == Some(false))
    }

    /// What is to be kept in mind: how many statistics are marked by chance.
    pub fn caveat(&self) -> String {
        let defined = self.rows.iter().filter(|row| row.p_value.is_some()).count();
        // Of R replicates none is beyond the pages in 2 of R + 1 cases, which few replicates cannot undercut.
        let by_chance = f64::max(2.0 * PredictiveRow::EXTREME, 2.0 / (self.replicates as f64 + 1.0));
        format!(
            "{} of {defined} statistics are marked (p below {} or above {}). {defined} are looked at, so that about {:.1} \
             would be marked by chance if p-values were uniform; where the draws have seen the same pages they are drawn \
             towards 1/2, and fewer are. Statistics of one feature are not independent of each other. The mark says that \
             the model does not make such pages, not that it labels them wrongly.",
            self.not_reproduced().count(),
            PredictiveRow::EXTREME,
            1.0 - PredictiveRow::EXTREME,
            defined as f64 * by_chance,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::{Array, Coordinate, Group};

    /// 2 chains of 100 draws of two statistics: 0, 1, ..., 199 and always 3.
    fn store(observed: [f64; 2]) -> InferenceData {
        let values: Vec<f64> = (0..200).flat_map(|i| [f64::from(i), 3.0]).collect();
        let names = || Coordinate::Names(vec!["mean".into(), "share of zeros".into()]);
        let mut replicated = Group::new();
        let array = Array::new(["chain", "draw", "count_statistic"], [2, 100, 2], values).unwrap();
        replicated.insert_coordinate("count_statistic", names()).unwrap();
        replicated.insert("full_stops_statistics", array).unwrap();
        let mut of_pages = Group::new();
        let array = Array::new(["count_statistic"], [2], observed.to_vec()).unwrap();
        of_pages.insert("full_stops_statistics", array).unwrap();
        of_pages.insert("full_stops", Array::new(["node"], [3], vec![1i64, 2, 3]).unwrap()).unwrap();
        let mut data = InferenceData::new();
        data.insert(REPLICATED, replicated).unwrap();
        data.insert(OBSERVED, of_pages).unwrap();
        data
    }

    #[test]
    fn equal_replicates_are_counted_half_and_extremes_are_marked() {
        let results = PredictiveResults::new(&store([199.0, 3.0])).unwrap();
        assert_eq!(results.replicates, 200);
        let first = &results.rows[0];
        assert_eq!((first.feature.as_str(), first.statistic.as_str()), ("full-stops", "mean"));
        assert_eq!(first.p_value, Some(0.5 / 200.0));
        assert_eq!(first.is_reproduced(), Some(false));
        assert_eq!(first.mean, Ok(99.5));
        assert!((first.q5.unwrap() - 9.95).abs() < 1e-9);
        let second = &results.rows[1];
        assert_eq!((second.statistic.as_str(), second.p_value), ("share of zeros", Some(0.5)));
        assert_eq!((second.is_reproduced(), second.deviation()), (Some(true), Some(0.0)));
        assert!(results.caveat().starts_with("1 of 2 statistics are marked"), "{}", results.caveat());
        assert!(results.caveat().contains("about 0.0 would"), "{}", results.caveat());
        let few = PredictiveResults { replicates: 3, ..results };
        assert!(few.caveat().contains("about 1.0 would"), "{}", few.caveat());
    }

    #[test]
    fn a_statistic_that_the_pages_do_not_have_is_not_judged() {
        let results = PredictiveResults::new(&store([100.2, f64::NAN])).unwrap();
        assert_eq!(results.rows[0].is_reproduced(), Some(true));
        assert_eq!(results.rows[1].is_reproduced(), None);
        assert_eq!(results.rows[1].deviation(), None);
        assert_eq!(results.not_reproduced().count(), 0);
    }

    #[test]
    fn a_store_without_replicates_or_with_others_is_refused() {
        let refused = |data: &InferenceData| PredictiveResults::new(data).unwrap_err().to_string();
        assert!(refused(&InferenceData::new()).contains("no group 'posterior_predictive'"));
        let mut data = store([0.0, 0.0]);
        data.insert(OBSERVED, Group::new()).unwrap();
        assert!(refused(&data).contains("has no 'full_stops_statistics'"));
        let mut of_pages = Group::new();
        let array = Array::new(["count_statistic"], [3], vec![0.0; 3]).unwrap();
        of_pages.insert("full_stops_statistics", array).unwrap();
        data.insert(OBSERVED, of_pages).unwrap();
        assert!(refused(&data).contains("other places"));
    }
}
