//! Lines over a number, with bands of uncertainty: convergence by sweeps, learning curves, sensitivity.

use super::axes::{self, Axis, Plane};
use crate::error::Result;
use crate::report::canvas::{Anchor, Canvas};
use crate::report::figure::{Figure, unfit};
use crate::report::style::{self, GRAY};

/// Lines with optional bands, named at their right ends. Of more than four lines the first and the one with the highest mean
/// have bands alone: more of them, on each other, cannot be told apart.
#[derive(Debug, Clone, PartialEq)]
pub struct LinesWithBand {
    /// The title.
    pub title: String,
    /// A line below the title. May be empty.
    pub subtitle: String,
    /// The name and unit of the horizontal axis.
    pub x_label: String,
    /// Whether the horizontal axis is logarithmic; then every x is above 0.
    pub log_x: bool,
    /// Whether the line of equal x and y is drawn behind the others.
    pub diagonal: bool,
    /// The name and unit of the vertical axis.
    pub y_label: String,
    /// Whether the vertical axis is logarithmic; then every y is above 0.
    pub log_y: bool,
    /// The lines; their order gives their colors.
    pub series: Vec<BandSeries>,
}

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub struct BandSeries {
    /// The name as shown.
    pub name: String,
    /// The points by ascending x, at least one.
    pub points: Vec<BandPoint>,
}

/// One point of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BandPoint {
    /// The horizontal coordinate.
    pub x: f64,
    /// The vertical coordinate.
    pub y: f64,
    /// The lower and upper bound of the band here, if any.
    pub band: Option<(f64, f64)>,
}

const WIDTH: u32 = 960;
const PLOT_HEIGHT: f64 = 400.0;
/// So many lines at most have bands all.
const BANDED: usize = 4;
/// Up to this many points a line has markers.
const MARKED: usize = 25;

impl LinesWithBand {
    /// Whether each line has a band.
    fn with_band(&self) -> Vec<bool> {
        if self.series.len() <= BANDED {
            return vec![true; self.series.len()];
        }
        let mean =
            |series: &BandSeries| series.points.iter().map(|p| p.y).sum::<f64>() / series.points.len() as f64;
        let means: Vec<f64> = self.series.iter().map(mean).collect();
        // Of equals the first.
        let best = (0..means.len()).rev().max_by(|&a, &b| means[a].total_cmp(&means[b]));
        (0..means.len()).map(|index| index == 0 || Some(index) == best).collect()
    }

    /// What is drawn.
    fn all_y(&self) -> impl Iterator<Item = f64> {
        let lines = self.series.iter().zip(self.with_band());
        lines.flat_map(|(series, has_band)| {
            series.points.iter().flat_map(move |p| {
                let band = p.band.filter(|_| has_band);
                [Some(p.y), band.map(|b| b.0), band.map(|b| b.1)].into_iter().flatten()
            })
        })
    }

    fn all_x(&self) -> impl Iterator<Item = f64> {
        self.series.iter().flat_map(|series| &series.points).map(|p| p.x)
    }

    fn plane(&self, top: f64, right: f64) -> Plane {
        let (x0, x1) = range(self.all_x());
        let (y0, y1) = range(self.all_y());
        let x =
            if self.log_x { Axis::log(&self.x_label, x0, x1) } else { Axis::linear(&self.x_label, x0, x1) };
        // A line from .95 to .97 is seen as such; one from .1 to .9 starts at 0.
        let low = if y0 > 0.0 && y0 < 0.35 * y1 { 0.0 } else { y0 };
        let y = match self.log_y {
            true => Axis::log(&self.y_label, y0, y1),
            false => Axis::widened(&self.y_label, low, y1, 5.0),
        };
        Plane { left: 88.0, top, right, bottom: top + PLOT_HEIGHT, x, y }
    }
}

impl Figure for LinesWithBand {
    fn title(&self) -> &str {
        &self.title
    }

    fn size(&self) -> (u32, u32) {
        let heading = axes::heading_height(WIDTH, &self.title, &self.subtitle);
        (WIDTH, (heading + PLOT_HEIGHT + 70.0) as u32)
    }

    fn check(&self) -> Result<()> {
        if self.series.is_empty() {
            return Err(unfit(&self.title, "no lines", "give at least one"));
        }
        if let Some(series) = self.series.iter().find(|series| series.points.is_empty()) {
            return Err(unfit(&self.title, format!("line '{}' has no points", series.name), "leave it out"));
        }
        if let Some(value) = self.all_x().chain(self.all_y()).find(|value| !value.is_finite()) {
            return Err(unfit(&self.title, format!("a coordinate is {value}"), "leave such points out"));
        }
        if let Some(x) = self.all_x().find(|&x| self.log_x && x <= 0.0) {
            return Err(unfit(&self.title, format!("x = {x} on a logarithmic axis"), "give only x above 0"));
        }
        if let Some(y) = self.all_y().find(|&y| self.log_y && y <= 0.0) {
            return Err(unfit(&self.title, format!("y = {y} on a logarithmic axis"), "give only y above 0"));
        }
        Ok(())
    }

    fn draw(&self, canvas: &mut Canvas) {
        let top = axes::heading(canvas, WIDTH, &self.title, &self.subtitle) + 4.0;
        let names = self.series.iter().map(|series| axes::NAME.bold().width(&series.name));
        let name_width = names.fold(40.0, f64::max).min(210.0);
        let plane = self.plane(top, f64::from(WIDTH) - axes::MARGIN - name_width - 34.0);
        plane.draw(canvas);
        if self.diagonal {
            let ((x0, x1), (y0, y1)) = (range(self.all_x()), range(self.all_y()));
            let (low, high) = (x0.max(y0), x1.min(y1));
            if low < high {
                canvas.line(&[plane.at(low, low), plane.at(high, high)], GRAY, 1.2, &[4.0, 4.0]);
            }
        }
        for ((index, series), _) in
            self.series.iter().enumerate().zip(self.with_band()).filter(|(_, has_band)| *has_band)
        {
            let banded: Vec<&BandPoint> = series.points.iter().filter(|p| p.band.is_some()).collect();
            let edge = |pick: fn((f64, f64)) -> f64| {
                banded.iter().filter_map(move |p| p.band.map(|band| (p.x, pick(band))))
            };
            let upper = edge(|band| band.1).map(|(x, y)| plane.at(x, y));
            let mut outline: Vec<(f64, f64)> = upper.collect();
            let lower: Vec<(f64, f64)> = edge(|band| band.0).map(|(x, y)| plane.at(x, y)).collect();
            outline.extend(lower.into_iter().rev());
            if banded.len() > 1 {
                canvas.polygon(&outline, style::faint(style::system(index).color, 0.18));
            }
        }
        for (index, series) in self.series.iter().enumerate() {
            let look = style::system(index);
            let line: Vec<_> = series.points.iter().map(|p| plane.at(p.x, p.y)).collect();
            canvas.line(&line, look.color, 2.2, look.dash);
            if line.len() <= MARKED {
                line.iter().for_each(|&point| canvas.marker(point, 4.0, look));
            }
        }
        let ends: Vec<f64> =
            self.series.iter().map(|s| s.points.last().map_or(0.0, |p| plane.at(p.x, p.y).1)).collect();
        for (index, y) in apart(&ends, 17.0, plane.top + 6.0, plane.bottom - 6.0).into_iter().enumerate() {
            let (look, font) = (style::system(index), axes::NAME.bold());
            let x = plane.right + 12.0;
            canvas.line(&[(x, y), (x + 16.0, y)], look.color, 2.4, look.dash);
            let name = font.fit(&self.series[index].name, name_width);
            canvas.text(&name, (x + 22.0, y), Anchor::Start, font);
        }
    }
}

/// The least and the greatest value.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
}

/// `wanted` positions moved as little as needed to stand `gap` apart between `low` and `high`, in the same
/// vertical order.
fn apart(wanted: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let mut placed = vec![0.0; wanted.len()];
    // Downward, then upward from the lower end where they ran out of it.
    let mut free = low;
    for &i in &order {
        placed[i] = f64::max(wanted[i], free);
        free = placed[i] + gap;
    }
    let mut free = high;
    for &i in order.iter().rev() {
        placed[i] = f64::min(placed[i], free);
        free = placed[i] - gap;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_lines_the_first_and_the_best_have_bands() {
        let line = |y: f64| BandSeries {
            name: y.to_string(),
            points: vec![BandPoint { x: 1.0, y, band: Some((0.0, 1.0)) }],
        };
        let figure = |ys: &[f64]| LinesWithBand {
            title: "t".to_owned(),
            subtitle: String::new(),
            x_label: "x".to_owned(),
            log_x: false,
            diagonal: false,
            y_label: "y".to_owned(),
            log_y: false,
            series: ys.iter().map(|&y| line(y)).collect(),
        };
        assert_eq!(figure(&[0.1, 0.2, 0.4, 0.3]).with_band(), [true; 4]);
        assert_eq!(figure(&[0.1, 0.2, 0.4, 0.3, 0.4]).with_band(), [true, false, true, false, false]);
    }

    #[test]
    fn names_that_would_overlap_are_moved_apart_in_their_order() {
        assert_eq!(apart(&[50.0, 52.0, 10.0], 10.0, 0.0, 100.0), [50.0, 60.0, 10.0]);
        assert_eq!(apart(&[99.0, 98.0], 10.0, 0.0, 100.0), [100.0, 90.0]);
    }
}
