//! Distributions of a score as boxes: a row for each system, a column for each set of documents.

use super::axes::{self, Axis, Plane};
use super::{SystemScores, check_scores};
use crate::diagnostics::quantile_of_sorted;
use crate::error::Result;
use crate::report::canvas::{Anchor, Canvas};
use crate::report::figure::{Figure, unfit};
use crate::report::style::{self, GRAY, GRID, INK, Marker, PAPER, SeriesStyle};

/// Boxes from the first to the third quartile with the median, whiskers from the 5 % to the 95 % point, the mean as a
/// diamond with its value: systems side by side on several corpora.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxGrid {
    /// The title.
    pub title: String,
    /// A line below the title. May be empty.
    pub subtitle: String,
    /// What is scored, such as "word F1".
    pub measure: String,
    /// The systems' names, in the order of the rows.
    pub systems: Vec<String>,
    /// The columns: a name, and the scores of each system that has any there.
    pub columns: Vec<(String, Vec<SystemScores>)>,
}

const COLUMN: f64 = 190.0;
/// Of the column, the room for the mean.
const VALUE: f64 = 42.0;
const GAP: f64 = 20.0;
const ROW: f64 = 30.0;
const HEAD: f64 = 34.0;
/// Below the rows: the ticks and what is scored.
const FOOT: f64 = 64.0;
/// More columns go on below the first ones.
const COLUMNS_ABREAST: usize = 6;

impl BoxGrid {
    fn name_width(&self) -> f64 {
        self.systems.iter().map(|name| axes::NAME.width(name)).fold(90.0, f64::max).min(330.0)
    }

    /// How many columns stand side by side: as equal numbers as can be above each other.
    fn abreast(&self) -> usize {
        let bands = self.columns.len().div_ceil(COLUMNS_ABREAST).max(1);
        self.columns.len().div_ceil(bands).max(1)
    }

    /// The height of the columns that stand side by side.
    fn band_height(&self) -> f64 {
        HEAD + ROW * self.systems.len() as f64 + FOOT
    }

    fn width(&self) -> u32 {
        let columns = self.abreast() as f64;
        (2.0 * axes::MARGIN + self.name_width() + 18.0 + columns * COLUMN + (columns - 1.0) * GAP) as u32
    }
}

impl Figure for BoxGrid {
    fn title(&self) -> &str {
        &self.title
    }

    fn size(&self) -> (u32, u32) {
        let width = self.width();
        let heading = axes::heading_height(width, &self.title, &self.subtitle);
        let bands = self.columns.len().div_ceil(self.abreast());
        (width, (heading + bands as f64 * self.band_height()) as u32)
    }

    fn check(&self) -> Result<()> {
        if self.columns.is_empty() {
            return Err(unfit(&self.title, "no columns", "give at least one"));
        }
        self.columns.iter().try_for_each(|(_, systems)| check_scores(&self.title, systems))
    }

    fn draw(&self, canvas: &mut Canvas) {
        let mut top = axes::heading(canvas, self.width(), &self.title, &self.subtitle);
        for columns in self.columns.chunks(self.abreast()) {
            self.draw_band(canvas, top + HEAD, columns);
            top += self.band_height();
        }
    }
}

impl BoxGrid {
    /// Columns side by side, with the names of the systems before them.
    fn draw_band(&self, canvas: &mut Canvas, top: f64, columns: &[(String, Vec<SystemScores>)]) {
        let left = axes::MARGIN + self.name_width() + 18.0;
        let bottom = top + ROW * self.systems.len() as f64;
        let right = f64::from(self.width()) - axes::MARGIN;
        for (column, (name, systems)) in columns.iter().enumerate() {
            let from = left + column as f64 * (COLUMN + GAP);
            let plane = Plane {
                left: from,
                top,
                right: from + COLUMN - VALUE,
                bottom,
                x: Axis::with_ticks(
                    &self.measure,
                    0.0,
                    1.0,
                    [0.0, 0.5, 1.0].map(|at| (at, format!("{at}"))).to_vec(),
                ),
                y: Axis::with_ticks("", 0.0, self.systems.len() as f64, Vec::new()),
            };
            plane.draw(canvas);
            let font = axes::NAME.bold();
            canvas.text(&font.fit(name, COLUMN), (from, top - 14.0), Anchor::Start, font);
            for (row, system) in self.systems.iter().enumerate() {
                let middle = top + ROW * (row as f64 + 0.5);
                match systems.iter().find(|scores| scores.name == *system) {
                    Some(scores) => draw_box(canvas, &plane, middle, scores, style::system(row)),
                    None => canvas.text("n/a", (from + 6.0, middle), Anchor::Start, axes::SMALL),
                }
            }
        }
        for (row, system) in self.systems.iter().enumerate() {
            let y = top + ROW * row as f64;
            if row > 0 {
                canvas.line(&[(axes::MARGIN, y), (right, y)], GRID, 1.0, &[]);
            }
            let fitted = axes::NAME.fit(system, self.name_width());
            canvas.text(&fitted, (axes::MARGIN, y + ROW / 2.0), Anchor::Start, axes::NAME);
        }
    }
}

fn draw_box(canvas: &mut Canvas, plane: &Plane, y: f64, scores: &SystemScores, look: SeriesStyle) {
    let values = scores.ascending();
    let across = |p: f64| plane.at(quantile_of_sorted(&values, p), 0.0).0;
    canvas.line(&[(across(0.05), y), (across(0.95), y)], GRAY, 1.4, &[]);
    let from = across(0.25);
    // A box of no width would vanish.
    let to = across(0.75).max(from + 2.0);
    canvas.rect((from - 1.0, y - 8.0), (to + 1.0, y + 8.0), PAPER);
    canvas.rect((from, y - 7.0), (to, y + 7.0), style::faint(look.color, 0.75));
    canvas.line(&[(across(0.5), y - 7.0), (across(0.5), y + 7.0)], PAPER, 2.2, &[]);
    let mean = plane.at(scores.mean(), 0.0).0;
    canvas.marker((mean, y), 3.8, SeriesStyle { color: INK, marker: Marker::Diamond, ..look });
    canvas.text(&format!("{:.3}", scores.mean()), (plane.right + VALUE, y), Anchor::End, axes::SMALL);
}
