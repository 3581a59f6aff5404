//! Traces: the draws of each chain in their order, and how they are distributed.

use super::axes::{self, Axis, Plane};
use super::chain_parts::{self as parts, WIDTH};
use crate::diagnostics::{Chains, quantile_of_sorted};
use crate::error::Result;
use crate::report::canvas::{Anchor, Canvas};
use crate::report::figure::Figure;
use crate::report::style::{self, INK};

/// The draws of one scalar: a line for each chain, and beside it the density of each.
///
/// Chains that have converged lie on each other and look like noise without drift.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace<'a> {
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
const DENSITY_WIDTH: f64 = 130.0;
/// Points of a density's curve.
const STEPS: usize = 120;

impl Figure for Trace<'_> {
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
        let (low, high) = parts::range(self.chains.values().iter().copied());
        let right = f64::from(WIDTH) - axes::MARGIN;
        let y = Axis::widened(&self.quantity, low, high, 5.0);
        let plane = Plane {
            left: parts::left(&y),
            top,
            right: right - DENSITY_WIDTH - 16.0,
            bottom: top + PLOT_HEIGHT,
            x: Axis::linear("Draw", 0.0, self.chains.draws() as f64 - 1.0),
            y,
        };
        plane.draw(canvas);
        for (index, chain) in self.chains.rows().enumerate() {
            let line: Vec<_> = parts::thinned(chain).into_iter().map(|(x, y)| plane.at(x, y)).collect();
            canvas.line(&line, parts::chain(index).color, if line.len() > 300 { 0.75 } else { 1.2 }, &[]);
        }
        self.draw_densities(canvas, &plane, (right - DENSITY_WIDTH, right), (low, high));
    }
}

impl Trace<'_> {
    fn draw_densities(
        &self,
        canvas: &mut Canvas,
        plane: &Plane,
        (left, right): (f64, f64),
        (low, high): (f64, f64),
    ) {
        let places: Vec<f64> = (0..=STEPS).map(|i| low + (high - low) * i as f64 / STEPS as f64).collect();
        let half_width = half_width(&self.chains.sorted()).max(2.0 * (high - low) / STEPS as f64);
        let densities: Vec<Vec<f64>> =
            self.chains.rows().map(|chain| density(chain, &places, half_width)).collect();
        let highest = densities.iter().flatten().fold(0.0, |a: f64, &b| a.max(b));
        let outlines: Vec<Vec<(f64, f64)>> = densities
            .iter()
            .map(|density| {
                let point = |(&y, d): (&f64, &f64)| (left + d / highest * (right - left), plane.at(0.0, y).1);
                places.iter().zip(density).map(point).collect()
            })
            .collect();
        for (index, outline) in outlines.iter().enumerate() {
            let mut area = vec![(left, outline[0].1)];
            area.extend(outline);
            area.push((left, outline[STEPS].1));
            canvas.polygon(&area, style::faint(parts::chain(index).color, 0.12));
        }
        for (index, outline) in outlines.iter().enumerate() {
            canvas.line(outline, parts::chain(index).color, 1.6, &[]);
        }
        canvas.line(&[(left, plane.top), (left, plane.bottom)], INK, 1.2, &[]);
        canvas.text("Density", ((left + right) / 2.0, plane.bottom + 36.0), Anchor::Middle, axes::AXIS_TITLE);
    }
}

/// Half the width of the triangular kernel: Silverman's rule for the pooled draws, in a spread that no outlier widens.
fn half_width(sorted: &[f64]) -> f64 {
    let quarters = quantile_of_sorted(sorted, 0.75) - quantile_of_sorted(sorted, 0.25);
    // A normal's standard deviation from its quartiles; a triangle is as wide as a normal kernel at the root of 6.
    0.9 * quarters / 1.34 * 6f64.sqrt() * (sorted.len() as f64).powf(-0.2)
}

/// The density of `values` at `places`, up to a factor.
fn density(values: &[f64], places: &[f64], half_width: f64) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    places
        .iter()
        .map(|&place| {
            let from = sorted.partition_point(|&v| v < place - half_width);
            let near = sorted[from..].iter().take_while(|&&v| v < place + half_width);
            near.map(|v| 1.0 - (v - place).abs() / half_width).sum()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_density_is_a_triangle_about_each_value() {
        assert_eq!(density(&[1.0, 1.0, 3.0], &[0.0, 0.5, 1.0, 2.0, 3.0], 1.0), [0.0, 1.0, 2.0, 0.0, 1.0]);
    }

    #[test]
    fn an_outlier_does_not_widen_the_kernel() {
        let mut values: Vec<f64> = (0..100).map(f64::from).collect();
        let before = half_width(&values);
        values[99] = 1e9;
        assert_eq!(half_width(&values), before);
    }
}
