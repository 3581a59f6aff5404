//! Autocorrelation by lag: how long does a chain remember where it was?

use super::axes::{self, Axis, Plane};
use super::chain_parts::{self as parts, WIDTH};
use crate::diagnostics::{Chains, autocorrelation};
use crate::error::Result;
use crate::report::canvas::Canvas;
use crate::report::figure::Figure;
use crate::report::style::{self, GRAY, SeriesStyle};

/// The autocorrelation of each chain by lag; the band is where 95 % of those of independent draws are.
///
/// A chain that never moves has none, which the legend says.
#[derive(Debug, Clone, PartialEq)]
pub struct Autocorrelation<'a> {
    /// The title.
    pub title: String,
    /// A line below the title. May be empty.
    pub subtitle: String,
    /// The last lag that is drawn, at least 1; the chains may be shorter.
    pub max_lag: usize,
    /// The draws, at least 2 a chain.
    pub chains: &'a Chains<'a>,
}

const PLOT_HEIGHT: f64 = 260.0;

impl Autocorrelation<'_> {
    /// The autocorrelations of the chains that move, with their entry in the legend.
    fn lines(&self) -> Vec<(String, SeriesStyle, Vec<f64>)> {
        let entry = |(index, chain): (usize, &[f64])| {
            let (name, values) = match autocorrelation(chain, self.max_lag) {
                Ok(values) => (format!("chain {index}"), values),
                Err(_) => (format!("chain {index} (constant)"), Vec::new()),
            };
            (name, parts::chain(index), values)
        };
        self.chains.rows().enumerate().map(entry).collect()
    }
}

fn legend(lines: &[(String, SeriesStyle, Vec<f64>)]) -> Vec<(String, SeriesStyle)> {
    lines.iter().map(|(name, style, _)| (name.clone(), *style)).collect()
}

impl Figure for Autocorrelation<'_> {
    fn title(&self) -> &str {
        &self.title
    }

    fn size(&self) -> (u32, u32) {
        let heading = axes::heading_height(WIDTH, &self.title, &self.subtitle);
        (WIDTH, (heading + parts::legend_height(&legend(&self.lines())) + PLOT_HEIGHT + 66.0) as u32)
    }

    fn check(&self) -> Result<()> {
        parts::check(&self.title, self.chains, 2)
    }

    fn draw(&self, canvas: &mut Canvas) {
        let top = axes::heading(canvas, WIDTH, &self.title, &self.subtitle);
        let lines = self.lines();
        let top = parts::draw_legend(canvas, top, &legend(&lines));
        let lowest = lines.iter().flat_map(|(_, _, values)| values).fold(-0.1, |a: f64, &b| a.min(b));
        let last = self.max_lag.min(self.chains.draws() - 1) as f64;
        let y = Axis::widened("Autocorrelation", lowest, 1.0, 8.0);
        let plane = Plane {
            left: parts::left(&y),
            top,
            right: f64::from(WIDTH) - axes::MARGIN,
            bottom: top + PLOT_HEIGHT,
            x: Axis::linear("Lag (draws)", 0.0, last),
            y,
        };
        plane.draw(canvas);
        let half = 1.96 / (self.chains.draws() as f64).sqrt();
        canvas.rect(plane.at(0.0, half), plane.at(last, (-half).max(lowest)), style::faint(GRAY, 0.18));
        canvas.line(&[plane.at(0.0, 0.0), plane.at(last, 0.0)], GRAY, 1.2, &[]);
        for (_, look, values) in &lines {
            let line: Vec<_> = values.iter().enumerate().map(|(lag, &r)| plane.at(lag as f64, r)).collect();
            canvas.line(&line, look.color, 1.6, &[]);
            // Few lags are points; more would be a blot.
            if line.len() <= 60 {
                line.iter().for_each(|&point| canvas.disk(point, 2.2, look.color));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_that_never_moves_is_in_the_legend_and_has_no_line() {
        let values = [1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 1.0, 3.0];
        let (title, subtitle) = ("t".into(), String::new());
        let figure = Autocorrelation { title, subtitle, max_lag: 9, chains: &Chains::new(&values, 2) };
        let lines = figure.lines();
        assert_eq!((lines[0].0.as_str(), lines[0].2.len()), ("chain 0 (constant)", 0));
        assert_eq!((lines[1].0.as_str(), lines[1].2.len()), ("chain 1", 4));
    }
}
