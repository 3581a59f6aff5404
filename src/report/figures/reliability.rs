//! Reliability diagrams: how often what was said to be likely was so.

use super::axes::{self, Axis, Plane};
use crate::error::Result;
use crate::eval::Calibration;
use crate::report::canvas::{Anchor, Canvas};
use crate::report::figure::{Figure, unfit};
use crate::report::style::{self, GRAY, SeriesStyle};

/// Observed frequency against mean probability for each system, with its calibration error and Brier score,
/// and below how the probabilities are distributed.
#[derive(Debug, Clone, PartialEq)]
pub struct Reliability {
    /// The title.
    pub title: String,
    /// A line below the title. May be empty.
    pub subtitle: String,
    /// What a probability is of: "content", "main text".
    pub event: String,
    /// What is counted: "tokens" or "nodes".
    pub unit: String,
    /// The systems' names and calibrations; their order gives their colors.
    pub systems: Vec<(String, Calibration)>,
}

const WIDTH: u32 = 770;
const SIDE: f64 = 420.0;
const HISTOGRAM: f64 = 110.0;

impl Figure for Reliability {
    fn title(&self) -> &str {
        &self.title
    }

    fn size(&self) -> (u32, u32) {
        let heading = axes::heading_height(WIDTH, &self.title, &self.subtitle);
        let drawn = (SIDE + 34.0 + HISTOGRAM).max(60.0 * self.systems.len() as f64);
        (WIDTH, (heading + drawn + 74.0) as u32)
    }

    fn check(&self) -> Result<()> {
        if self.systems.is_empty() {
            return Err(unfit(&self.title, "no systems", "give at least one"));
        }
        match self.systems.iter().find(|(_, calibration)| calibration.weight() == 0) {
            Some((name, _)) => Err(unfit(
                &self.title,
                format!("system '{name}' has no probabilities"),
                "leave it out and say why",
            )),
            None => Ok(()),
        }
    }

    fn draw(&self, canvas: &mut Canvas) {
        let top = axes::heading(canvas, WIDTH, &self.title, &self.subtitle) + 4.0;
        let curve = Plane {
            left: 86.0,
            top,
            right: 86.0 + SIDE,
            bottom: top + SIDE,
            x: Axis::unit(""),
            y: Axis::unit(format!("Observed share of {}", self.event)),
        };
        curve.draw(canvas);
        canvas.line(&[curve.at(0.0, 0.0), curve.at(1.0, 1.0)], GRAY, 1.2, &[4.0, 4.0]);
        let histogram = self.histogram(curve.bottom + 34.0, curve.left, curve.right);
        histogram.draw(canvas);
        for (index, (_, calibration)) in self.systems.iter().enumerate().rev() {
            let look = style::system(index);
            let bins = calibration.curve();
            let line: Vec<_> = bins.iter().map(|bin| curve.at(bin.mean_probability, bin.frequency)).collect();
            canvas.line(&line, look.color, 2.0, &[]);
            for &point in &line {
                canvas.marker(point, 4.2, look);
            }
            let total = calibration.weight() as f64;
            for bin in &bins {
                let share = 100.0 * bin.weight as f64 / total;
                // Beside one another within the bin, so that no system hides another.
                let slot = (bin.high - bin.low) * 0.86 / self.systems.len() as f64;
                let from = bin.low + (bin.high - bin.low) * 0.07 + slot * index as f64;
                canvas.rect(histogram.at(from, 0.0), histogram.at(from + slot, share), look.color);
            }
        }
        let left = curve.right + 34.0;
        let width = f64::from(WIDTH) - axes::MARGIN - left - axes::SAMPLE_WIDTH - 8.0;
        for (index, (name, calibration)) in self.systems.iter().enumerate() {
            let y = top + 10.0 + 60.0 * index as f64;
            axes::line_sample(canvas, (left, y), SeriesStyle { dash: &[], ..style::system(index) });
            let (x, font) = (left + axes::SAMPLE_WIDTH + 8.0, axes::NAME.bold());
            canvas.text(&font.fit(name, width), (x, y), Anchor::Start, font);
            let errors = [("ECE", calibration.expected_error()), ("Brier", calibration.brier())];
            for (line, (measure, value)) in errors.into_iter().enumerate() {
                let text = format!("{measure} {:.3}", value.unwrap_or(f64::NAN));
                canvas.text(&text, (x, y + 17.0 + 15.0 * line as f64), Anchor::Start, axes::SMALL);
            }
        }
        let weight = axes::number(self.systems[0].1.weight() as f64, 0);
        let note = format!("{weight} {}", self.unit);
        canvas.text(&note, (left, histogram.bottom), Anchor::Start, axes::SMALL);
    }
}

impl Reliability {
    fn histogram(&self, top: f64, left: f64, right: f64) -> Plane {
        let shares = self.systems.iter().flat_map(|(_, calibration)| {
            let total = calibration.weight() as f64;
            calibration.curve().into_iter().map(move |bin| 100.0 * bin.weight as f64 / total)
        });
        let highest = shares.fold(1.0, f64::max);
        Plane {
            left,
            top,
            right,
            bottom: top + HISTOGRAM,
            x: Axis::unit(format!("Probability of {}", self.event)),
            y: Axis::widened(format!("% of {}", self.unit), 0.0, highest, 2.0),
        }
    }
}
