//! Distributions of a score over documents, side by side: density, box and stragglers.

use super::axes::{self, Axis, Plane};
use super::{SystemScores, by_mean, check_scores};
use crate::diagnostics::quantile_of_sorted;
use crate::error::Result;
use crate::report::canvas::{Anchor, Canvas};
use crate::report::figure::Figure;
use crate::report::style::{self, GRAY, GRID, INK, Marker, PAPER, SeriesStyle};

/// For each system, best mean first: the density of its documents' scores, a box from the first to the third
/// quartile with the median, whiskers from the 5 % to the 95 % point, every document below as a dot, the mean
/// as a diamond.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreDistribution {
    /// The title.
    pub title: String,
    /// A line below the title. May be empty.
    pub subtitle: String,
    /// What is scored: "F1", "Precision" or "Recall".
    pub measure: String,
    /// The systems; their order gives their colors.
    pub systems: Vec<SystemScores>,
}

const WIDTH: u32 = 960;
const ROW: f64 = 72.0;
/// Half the width of the triangular kernel of the density.
const BANDWIDTH: f64 = 0.03;

impl Figure for ScoreDistribution {
    fn title(&self) -> &str {
        &self.title
    }

    fn size(&self) -> (u32, u32) {
        let heading = axes::heading_height(WIDTH, &self.title, &self.subtitle);
        (WIDTH, (heading + 22.0 + ROW * self.systems.len() as f64 + 70.0) as u32)
    }

    fn check(&self) -> Result<()> {
        check_scores(&self.title, &self.systems)
    }

    fn draw(&self, canvas: &mut Canvas) {
        let top = axes::heading(canvas, WIDTH, &self.title, &self.subtitle) + 22.0;
        let name = axes::NAME.bold();
        let widths = self.systems.iter().map(|system| name.width(&system.name));
        let name_width = widths.fold(90.0, f64::max).min(220.0);
        let plane = Plane {
            left: axes::MARGIN + name_width + 18.0,
            top,
            right: f64::from(WIDTH) - axes::MARGIN - 128.0,
            bottom: top + ROW * self.systems.len() as f64,
            x: Axis::unit(format!("{} of a document", self.measure)),
            y: Axis::with_ticks("", 0.0, self.systems.len() as f64, Vec::new()),
        };
        plane.draw(canvas);
        let columns = [(plane.right + 66.0, "mean"), (plane.right + 126.0, "median")];
        for (x, title) in columns {
            canvas.text(title, (x, top - 12.0), Anchor::End, axes::SMALL);
        }
        for (row, index) in by_mean(&self.systems).into_iter().enumerate() {
            let system = &self.systems[index];
            let y = top + ROW * row as f64;
            if row > 0 {
                canvas.line(&[(axes::MARGIN, y), (f64::from(WIDTH) - axes::MARGIN, y)], GRID, 1.0, &[]);
            }
            let middle = y + ROW / 2.0;
            let documents = axes::number(system.values.len() as f64, 0);
            canvas.text(
                &name.fit(&system.name, name_width),
                (axes::MARGIN, middle - 8.0),
                Anchor::Start,
                name,
            );
            canvas.text(
                &format!("{documents} documents"),
                (axes::MARGIN, middle + 9.0),
                Anchor::Start,
                axes::SMALL,
            );
            let values = system.ascending();
            for ((x, _), value) in columns.into_iter().zip([system.mean(), quantile_of_sorted(&values, 0.5)])
            {
                canvas.text(&format!("{value:.3}"), (x, middle), Anchor::End, axes::NAME);
            }
            draw_row(canvas, &plane, y, &values, system.mean(), style::system(index));
        }
    }
}

fn draw_row(canvas: &mut Canvas, plane: &Plane, top: f64, ascending: &[f64], mean: f64, look: SeriesStyle) {
    let across = |value: f64| plane.at(value, 0.0).0;
    let at = |p: f64| quantile_of_sorted(ascending, p);
    let base = top + ROW * 0.58;
    let density = density(ascending);
    let highest = density.iter().fold(0.0, |a: f64, &b| a.max(b));
    let step = |i: usize| across(i as f64 / (density.len() - 1) as f64);
    let ridge = |height: f64| base - height / highest * ROW * 0.5;
    let mut outline: Vec<(f64, f64)> =
        density.iter().enumerate().map(|(i, &d)| (step(i), ridge(d))).collect();
    let rim = outline.clone();
    outline.extend([(across(1.0), base), (across(0.0), base)]);
    canvas.polygon(&outline, style::faint(look.color, 0.28));
    canvas.line(&rim, look.color, 1.4, &[]);

    let y = base + ROW * 0.19;
    for (i, &value) in ascending.iter().take_while(|&&value| value < at(0.05)).enumerate() {
        // Spread over three lanes: stragglers often share a score.
        canvas.disk((across(value), y + (i % 3) as f64 * 3.6 - 3.6), 1.7, style::faint(look.color, 0.75));
    }
    canvas.line(&[(across(at(0.05)), y), (across(at(0.95)), y)], GRAY, 1.4, &[]);
    let (from, to) = (across(at(0.25)), across(at(0.75)));
    // A box of no width would vanish.
    let to = to.max(from + 2.0);
    canvas.rect((from - 1.0, y - 7.0), (to + 1.0, y + 7.0), PAPER);
    canvas.rect((from, y - 6.0), (to, y + 6.0), look.color);
    canvas.line(&[(across(at(0.5)), y - 6.0), (across(at(0.5)), y + 6.0)], PAPER, 2.2, &[]);
    canvas.marker((across(mean), y), 4.2, SeriesStyle { color: INK, marker: Marker::Diamond, ..look });
}

/// The density of `values` at 0, 1/200, ..., 1, up to a factor: a triangular kernel, mirrored at both ends so
/// that nothing leaks out of the range of scores. (No exponential: its last bit differs between platforms.)
fn density(values: &[f64]) -> Vec<f64> {
    let kernel = |distance: f64| (1.0 - distance.abs() / BANDWIDTH).max(0.0);
    (0..=200)
        .map(|i| f64::from(i) / 200.0)
        .map(|x| values.iter().map(|&v| kernel(x - v) + kernel(x + v) + kernel(2.0 - x - v)).sum())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_density_has_the_same_mass_wherever_a_value_lies() {
        let mass = |value: f64| -> f64 {
            let d = density(&[value]);
            // Trapezoid rule.
            d.iter().sum::<f64>() - (d[0] + d[200]) / 2.0
        };
        for value in [0.0, 0.01, 0.99, 1.0] {
            assert!((mass(value) - mass(0.5)).abs() < 1e-9, "{value}");
        }
    }
}
