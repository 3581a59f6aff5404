//! A model as tables that a person reads.

use std::fmt::Write;

use super::config::TransitionKind;
use super::counts::FeatureCounts;
use super::hmt::Model;
use super::layers::{Layer, SHOWN, percent};
use crate::dist::GeometricStatistic;
use crate::plural::plural;

impl Model {
    /// The model as text: configuration, sources, transitions, and each feature's distribution by state.
    ///
    /// Probabilities are posterior means in per cent; a dot stands for less than 0.05 %.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let config = self.config();
        let _ = writeln!(text, "view          {:?}", config.view);
        let _ = writeln!(text, "transition    {:?}", config.transition);
        let _ = writeln!(text, "sibling types {}", if config.sibling_types { "yes" } else { "no" });
        let _ = writeln!(
            text,
            "priors        transition {}, categorical {}, geometric Beta({}, {})",
            config.priors.transition.gamma,
            config.priors.categorical.gamma,
            config.priors.geometric.alpha,
            config.priors.geometric.beta
        );
        if config.inner_tables {
            let _ = writeln!(
                text,
                "columns       state* is the state at an inner node, which has tables of its own"
            );
        }
        let _ = writeln!(text, "pages         {}, nodes {}", self.pages(), self.counts().nodes);
        for (source, pages) in self.sources() {
            let _ = writeln!(text, "source        {source}: {}", plural(*pages, "page"));
        }
        for (name, line) in self.layers().iter().filter_map(Layer::line) {
            let _ = writeln!(text, "{name:<13} {line}");
        }
        self.layers().iter().for_each(|layer| text += &layer.details(config));
        self.write_transitions(&mut text);
        for feature in 0..self.counts().features.len() {
            self.write_feature(&mut text, feature);
        }
        text
    }

    fn write_transitions(&self, text: &mut String) {
        let parameters = self.generative_parameters();
        let states = self.config().states;
        let k = states.len();
        let name = |state: usize, none: &'static str| if state == k { none } else { states.name(state) };
        let _ = writeln!(
            text,
            "\nTransitions, % of nodes in each state, by state of the parent and previous sibling"
        );
        let mut header = vec!["parent".to_owned(), "previous".to_owned(), "seen".to_owned()];
        header.extend((0..k).map(|state| states.name(state).to_owned()));
        let mut rows = vec![header];
        for parent in 0..=k {
            for previous in 0..=k {
                let start = (parent * (k + 1) + previous) * k;
                let seen = sum(&mut self.counts().transitions[start..start + k].iter());
                if seen == 0 {
                    continue;
                }
                let previous_name = match self.config().transition {
                    TransitionKind::Parent => "any",
                    TransitionKind::ParentAndPreviousSibling => name(previous, "(first)"),
                };
                let mut row =
                    vec![name(parent, "(root)").to_owned(), previous_name.to_owned(), self.amount(seen)];
                row.extend(parameters.transition.row(parent, previous).iter().map(|ln| percent(ln.exp())));
                rows.push(row);
            }
        }
        write_rows(text, &rows);
    }

    fn write_feature(&self, text: &mut String, index: usize) {
        let spec = self.specs()[index];
        let states = self.config().states;
        let k = self.config().emission_width();
        let number = spec.thesis.map(|n| format!(" (the thesis's feature {n})")).unwrap_or_default();
        let exponents =
            self.layers().weights.as_ref().map(|weights| match weights.features[index].as_slice() {
                [leaf, inner] => format!(", exponent {leaf:.3}, of inner nodes {inner:.3}"),
                all => format!(", exponent {:.3}", all[0]),
            });
        let _ = writeln!(text, "\n{}: {}{number}{}", spec.id, spec.name, exponents.unwrap_or_default());
        let unit = self.counts().unit();
        let nodes = |column: usize| match &self.counts().features[index] {
            FeatureCounts::Geometric(statistics) => statistics[column].n.into(),
            FeatureCounts::Categorical(counts) => sum(&mut counts.iter().skip(column).step_by(k)),
        };
        // A column that counts nothing (leaves are never mixed) is the prior and not worth its room.
        let columns: Vec<usize> = (0..k).filter(|&column| nodes(column) > 0).collect();
        let mut header = vec![String::new()];
        header.extend(columns.iter().map(|&column| match column.checked_sub(states.len()) {
            None => states.name(column).to_owned(),
            Some(state) => format!("{}*", states.name(state)),
        }));
        let mut rows = vec![header];
        let mut row = |name: String, value: &dyn Fn(usize) -> String| {
            rows.push(std::iter::once(name).chain(columns.iter().map(|&column| value(column))).collect());
        };
        match &self.counts().features[index] {
            FeatureCounts::Geometric(statistics) => {
                let prior = self.config().priors.geometric;
                row("nodes".to_owned(), &|column| self.amount(statistics[column].n.into()));
                row("mean".to_owned(), &|column| {
                    format!("{:.2}", statistics[column].sum as f64 / statistics[column].n as f64)
                });
                row("p".to_owned(), &|column| {
                    let GeometricStatistic { n, sum } = statistics[column];
                    format!("{:.4}", prior.posterior(n as f64 * unit, sum as f64 * unit).mean())
                });
            }
            FeatureCounts::Categorical(counts) => {
                let gamma = self.config().priors.categorical.gamma;
                let categories = counts.len() / k;
                let mut order: Vec<usize> = (0..categories).collect();
                if categories > SHOWN + 5 {
                    let of_all = |category: usize| sum(&mut counts[category * k..(category + 1) * k].iter());
                    order.sort_by_key(|&category| std::cmp::Reverse(of_all(category)));
                    order.truncate(SHOWN);
                }
                for &category in &order {
                    row(spec.kind.category_name(category), &|column| {
                        let count = counts[category * k + column] as f64 * unit;
                        let total = nodes(column) as f64 * unit;
                        percent((count + gamma) / (total + gamma * categories as f64))
                    });
                }
                if order.len() < categories {
                    rows.push(vec![format!("({} more)", categories - order.len())]);
                }
            }
        }
        write_rows(text, &rows);
    }

    /// A number of the counts as a person reads it: expected ones with a decimal.
    fn amount(&self, number: u128) -> String {
        match self.counts().fraction_bits {
            0 => number.to_string(),
            _ => format!("{:.1}", number as f64 * self.counts().unit()),
        }
    }
}

/// The sum of numbers each of which may be near the limit.
fn sum(numbers: &mut dyn Iterator<Item = &u64>) -> u128 {
    numbers.map(|&number| u128::from(number)).sum()
}

/// Writes rows with the first column to the left and the others to the right.
fn write_rows(text: &mut String, rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|c| c.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let is_name = cell.chars().next().is_some_and(|c| c.is_alphabetic() || c == '(') && column < 2;
            let _ = if is_name || column == 0 {
                write!(line, "  {cell:<width$}")
            } else {
                write!(line, "  {cell:>width$}")
            };
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
}
