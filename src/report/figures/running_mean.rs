//! Running means: has the estimate of each chain settled, and where?

use super::axes::{self, Axis, Plane};
use super::chain_parts::{self as parts, WIDTH};
use crate::diagnostics::{Chains, mcse_mean};
use crate::error::Result;
use crate::report::canvas::Canvas;
use crate::report::figure::Figure;
use crate::report::style::{self, GRAY, INK};

/// For each chain the mean of its draws so far; the dashed line is the mean of all draws, the band two standard errors
/// about it, where they are defined.
#[derive(Debug, Clone, PartialEq)]
pub struct RunningMean<'a> {
    /// The title.
    pub title: String,
    /// A line below the title. May be empty.
    pub subtitle: String,
    /// The scalar's name and unit.
    pub quantity: String,
    /// The draws, at least 2 a chain.
    pub chains: &'a Chains<'a>,
}

const PLOT_HEIGHT: f64 = 260.0;

impl Figure for RunningMean<'_> {
    fn title(&self) -> &str {
        &self.title
    }

    fn size(&self) -> (u32, u32) {
        let heading = axes::heading_height(WIDTH, &self.title, &self.subtitle);
        let legend = parts::legend_height(&parts::legend(self.chains));
        (WIDTH, (heading + legend + PLOT_HEIGHT + 66.0) as u32)
    }

    fn check(&self) -> Result<()> {
        parts::check(&self.title, self.chains, 2)
    }

    fn draw(&self, canvas: &mut Canvas) {
        let top = axes::heading(canvas, WIDTH, &self.title, &self.subtitle);
        let top = parts::draw_legend(canvas, top, &parts::legend(self.chains));
        let draws = self.chains.draws();
        // The first few means are single draws, which would set the scale.
        let skipped = draws / 50;
        let means: Vec<Vec<f64>> = self.chains.rows().map(|chain| running_mean(chain, skipped)).collect();
        let mean = self.chains.mean();
        let half = mcse_mean(self.chains).map_or(0.0, |error| 2.0 * error);
        let ends = [mean - half, mean + half];
        let (low, high) = parts::range(means.iter().flatten().copied().chain(ends));
        let (first, last) = (skipped as f64, draws as f64 - 1.0);
        let y = Axis::widened(format!("Mean of {} so far", self.quantity), low, high, 5.0);
        let plane = Plane {
            left: parts::left(&y),
            top,
            right: f64::from(WIDTH) - axes::MARGIN,
            bottom: top + PLOT_HEIGHT,
            x: Axis::linear("Draw", first, last),
            y,
        };
        plane.draw(canvas);
        if half > 0.0 {
            canvas.rect(plane.at(first, ends[0]), plane.at(last, ends[1]), style::faint(GRAY, 0.2));
        }
        canvas.line(&[plane.at(first, mean), plane.at(last, mean)], INK, 1.2, &[5.0, 4.0]);
        for (index, means) in means.iter().enumerate() {
            let line = parts::thinned(means).into_iter().map(|(x, y)| plane.at(first + x, y));
            canvas.line(&line.collect::<Vec<_>>(), parts::chain(index).color, 1.8, &[]);
        }
    }
}

/// The mean of the draws up to each one, from draw `skipped` on.
fn running_mean(chain: &[f64], skipped: usize) -> Vec<f64> {
    let mut sum = 0.0;
    let means = chain.iter().enumerate().map(|(i, value)| {
        sum += value;
        sum / (i + 1) as f64
    });
    means.skip(skipped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_running_mean_is_the_mean() {
        assert_eq!(running_mean(&[1.0, 3.0, 5.0, 7.0], 0), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(running_mean(&[1.0, 3.0, 5.0, 7.0], 2), [3.0, 4.0]);
    }
}
