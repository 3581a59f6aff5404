//! The tables of a diagnosis.

use super::criteria::Verdict;
use super::parameters::{Diagnosis, Parameter};
use super::predictive::PredictiveResults;
use crate::diagnostics::Diagnostic;
use crate::report::{Cell, Table};

impl Diagnosis {
    /// The first `limit` parameters but those of the prior alone, in the columns that a terminal has room for.
    pub fn short_table(&self, limit: usize) -> Table {
        let title = "lp and shares of states, then parameters, farthest from convergence first";
        let columns =
            ["parameter", "mean", "sd", "mcse", "ess_bulk", "ess_tail", "r_hat", "geweke_z", "verdict"];
        let mut table = Table::new(title, columns);
        let shown = self.parameters.iter().filter(|parameter| parameter.verdict != Verdict::PriorOnly);
        for parameter in shown.take(limit) {
            let s = &parameter.summary;
            let decimals = decimals(parameter);
            table.push([
                Cell::text(&parameter.name),
                cell(s.mean, decimals),
                cell(s.sd, decimals),
                cell(s.mcse_mean, decimals),
                cell(s.ess_bulk, 0),
                cell(s.ess_tail, 0),
                cell(s.r_hat, 3),
                cell(s.geweke_z, 2),
                Cell::text(parameter.verdict.to_string()),
            ]);
        }
        table
    }

    /// The first `limit` parameters in full.
    pub fn table(&self, limit: usize) -> Table {
        let title = "lp and shares of states, then parameters, farthest from convergence first";
        let columns = [
            "parameter",
            "mean",
            "sd",
            "median",
            "q5",
            "q95",
            "mcse_mean",
            "mcse_sd",
            "ess_bulk",
            "ess_tail",
            "r_hat",
            "geweke_z",
            "verdict",
        ];
        let mut table = Table::new(title, columns);
        for parameter in self.parameters.iter().take(limit) {
            let s = &parameter.summary;
            let decimals = decimals(parameter);
            table.push([
                Cell::text(&parameter.name),
                cell(s.mean, decimals),
                cell(s.sd, decimals),
                cell(s.median, decimals),
                cell(s.q5, decimals),
                cell(s.q95, decimals),
                cell(s.mcse_mean, decimals),
                cell(s.mcse_sd, decimals),
                cell(s.ess_bulk, 0),
                cell(s.ess_tail, 0),
                cell(s.r_hat, 3),
                cell(s.geweke_z, 2),
                Cell::text(parameter.verdict.to_string()),
            ]);
        }
        table
    }
}

impl PredictiveResults {
    /// The `limit` statistics that the model reproduces worst.
    pub fn table(&self, limit: usize) -> Table {
        let unobserved = || Cell::missing("the pages or replicates do not have it");
        let columns = ["feature", "statistic", "observed", "replicated", "q5", "q95", "p", "verdict"];
        let mut table = Table::new("Statistics of the pages beside those of replicated pages", columns);
        for row in self.rows.iter().take(limit) {
            let decimals = decimals_of(row.sd.unwrap_or(0.0).max(row.observed.abs() / 1e3));
            let verdict = match row.is_reproduced() {
                Some(true) => "reproduced",
                Some(false) => "NOT reproduced",
                None => "undefined",
            };
            table.push([
                Cell::text(&row.feature),
                Cell::text(&row.statistic),
                if row.observed.is_finite() { Cell::number(row.observed, decimals) } else { unobserved() },
                cell(row.mean, decimals),
                cell(row.q5, decimals),
                cell(row.q95, decimals),
                row.p_value.map_or_else(unobserved, |p| Cell::number(p, 4)),
                Cell::text(verdict),
            ]);
        }
        table
    }
}

/// A value, or "n/a" with the reason.
fn cell(value: Diagnostic, decimals: usize) -> Cell {
    match value {
        Ok(value) if value.is_infinite() => {
            Cell::missing("infinite: no chain moves, each keeps to a value of its own")
        }
        Ok(value) => Cell::number(value, decimals),
        Err(reason) => Cell::missing(reason.to_string()),
    }
}

/// Decimals that show the standard error of the mean where chains mix well.
fn decimals(parameter: &Parameter) -> usize {
    decimals_of(parameter.summary.sd.unwrap_or(0.0))
}

/// Decimals that show four digits of a number of this size; three of none.
fn decimals_of(size: f64) -> usize {
    match size {
        0.0 => 3,
        _ => (3.0 - size.log10().floor()).clamp(0.0, 9.0) as usize,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_decimals_of_their_spread() {
        assert_eq!([0.0, 1.0, 0.012, 140.0, 1e7, 1e-12].map(decimals_of), [3, 3, 5, 1, 0, 9]);
    }

    #[test]
    fn what_is_infinite_or_undefined_is_not_available_with_its_reason() {
        use crate::diagnostics::Undefined;
        assert!(
            matches!(cell(Ok(f64::INFINITY), 3), Cell::Missing(reason) if reason.contains("no chain moves"))
        );
        let constant = Err(Undefined::Constant { value: 2.0 });
        assert!(matches!(cell(constant, 3), Cell::Missing(reason) if reason.starts_with("constant")));
    }
}
