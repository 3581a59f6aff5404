//! Posterior predictive intervals: which statistics of the pages lie outside what the model makes.

use super::axes::{self, Axis, Plane};
use crate::error::Result;
use crate::report::canvas::{Anchor, Canvas};
use crate::report::diagnosis::{PredictiveResults, PredictiveRow};
use crate::report::figure::{Figure, unfit};
use crate::report::style::{self, GRAY, GRID, INK, Marker, SeriesStyle};

/// For each statistic the 90 % interval of the replicates (bar) and the pages themselves (point), in standard deviations
/// of the replicates from their mean.
///
/// A filled point is within what the model makes; a cross is not; a triangle stands at the edge for one farther off.
#[derive(Debug, Clone, PartialEq)]
pub struct PredictiveIntervals<'a> {
    /// The title.
    pub title: String,
    /// A line below the title. May be empty.
    pub subtitle: String,
    /// The statistics, drawn from the top.
    pub rows: Vec<&'a PredictiveRow>,
}

const WIDTH: u32 = 960;
const ROW: f64 = 21.0;
/// The largest deviation that is drawn in its place.
const EDGE: f64 = 6.0;
/// How many statistics are drawn at most.
const MAX_ROWS: usize = 60;

impl<'a> PredictiveIntervals<'a> {
    /// The figure of the worst statistics that have a p-value.
    pub fn new(results: &'a PredictiveResults) -> Self {
        let defined = results.rows.iter().filter(|row| row.deviation().is_some() && row.p_value.is_some());
        let rows: Vec<_> = defined.clone().take(MAX_ROWS).collect();
        let others = defined.count() - rows.len();
        let others = if others > 0 { format!("; {others} others are within") } else { String::new() };
        PredictiveIntervals {
            title: "Statistics of the pages and of pages that the model draws".to_owned(),
            subtitle: format!(
                "Bar: 90 % of {} replicates; point: the pages, crossed where p is below {} or above {}{others}",
                axes::number(results.replicates as f64, 0),
                PredictiveRow::EXTREME,
                1.0 - PredictiveRow::EXTREME
            ),
            rows,
        }
    }
}

impl Figure for PredictiveIntervals<'_> {
    fn title(&self) -> &str {
        &self.title
    }

    fn size(&self) -> (u32, u32) {
        let heading = axes::heading_height(WIDTH, &self.title, &self.subtitle);
        (WIDTH, (heading + 26.0 + ROW * self.rows.len() as f64 + 66.0) as u32)
    }

    fn check(&self) -> Result<()> {
        match self.rows.is_empty() {
            true => Err(unfit(&self.title, "no statistics", "give at least one that has a p-value")),
            false => Ok(()),
        }
    }

    fn draw(&self, canvas: &mut Canvas) {
        let top = axes::heading(canvas, WIDTH, &self.title, &self.subtitle) + 26.0;
        let names: Vec<String> =
            self.rows.iter().map(|row| format!("{}: {}", row.feature, row.statistic)).collect();
        let widths = names.iter().map(|name| axes::NAME.bold().width(name));
        let name_width = widths.fold(90.0, f64::max).min(330.0);
        let room = EDGE + 0.5;
        let ticks = [-6, -4, -2, 0, 2, 4, 6].map(|tick| (f64::from(tick), axes::number(f64::from(tick), 0)));
        let plane = Plane {
            left: axes::MARGIN + name_width + 18.0,
            top,
            right: f64::from(WIDTH) - axes::MARGIN - 84.0,
            bottom: top + ROW * self.rows.len() as f64,
            x: Axis::with_ticks(
                "Standard deviations of the replicates from their mean",
                -room,
                room,
                ticks.into(),
            ),
            y: Axis::with_ticks("", 0.0, self.rows.len() as f64, Vec::new()),
        };
        plane.draw(canvas);
        let p_right = f64::from(WIDTH) - axes::MARGIN;
        canvas.text("p", (p_right, top - 14.0), Anchor::End, axes::SMALL);
        for (i, (row, name)) in self.rows.iter().zip(&names).enumerate() {
            let y = top + ROW * (i as f64 + 0.5);
            if i % 5 == 0 {
                let line = y - ROW / 2.0;
                canvas.line(&[(axes::MARGIN, line), (p_right, line)], GRID, 1.0, &[]);
            }
            let missed = row.is_reproduced() == Some(false);
            let font = if missed { axes::NAME.bold() } else { axes::NAME };
            canvas.text(&font.fit(name, name_width), (axes::MARGIN, y), Anchor::Start, font);
            let p = row.p_value.unwrap_or(f64::NAN);
            canvas.text(&format!("{p:.4}"), (p_right, y), Anchor::End, font);
            draw_row(canvas, &plane, y, row, missed);
        }
    }
}

fn draw_row(canvas: &mut Canvas, plane: &Plane, y: f64, row: &PredictiveRow, missed: bool) {
    let across = |deviation: f64| plane.at(deviation.clamp(-EDGE, EDGE), 0.0).0;
    let (mean, sd) = (row.mean.unwrap_or(0.0), row.sd.unwrap_or(0.0));
    let end = |q: f64| if sd > 0.0 { across((q - mean) / sd) } else { across(0.0) };
    let (from, to) = (end(row.q5.unwrap_or(mean)), end(row.q95.unwrap_or(mean)));
    canvas.rect((from - 1.0, y - 3.5), (to + 1.0, y + 3.5), style::faint(GRAY, 0.35));
    canvas.line(&[(across(0.0), y - 5.0), (across(0.0), y + 5.0)], INK, 1.2, &[]);
    let deviation = row.deviation().unwrap_or(0.0);
    let (ours, other) = (style::system(0), style::system(1));
    let x = across(deviation);
    if deviation.abs() > EDGE {
        let outward = 9.0 * deviation.signum();
        canvas.polygon(&[(x + outward, y), (x, y - 5.0), (x, y + 5.0)], other.color);
    } else if missed {
        canvas.marker((x, y), 4.0, SeriesStyle { marker: Marker::Cross, ..other });
    } else {
        canvas.marker((x, y), 4.0, SeriesStyle { marker: Marker::Circle, ..ours });
    }
}
