//! Axes, grid, heading and legends, the same in every figure.

use crate::report::canvas::{Anchor, Canvas, Font};
use crate::report::style::{GRAY, GRID, INK, SeriesStyle};

pub(super) const TITLE: Font = Font::new(17.0).bold();
pub(super) const SUBTITLE: Font = Font::new(12.5).color(GRAY);
pub(super) const AXIS_TITLE: Font = Font::new(12.5);
pub(super) const TICK: Font = Font::new(11.5).color(GRAY);
pub(super) const NAME: Font = Font::new(12.5);
pub(super) const SMALL: Font = Font::new(11.0).color(GRAY);

/// The space left blank round the figure.
pub(super) const MARGIN: f64 = 22.0;

/// One axis: its range, its ticks and its name.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    title: String,
    low: f64,
    high: f64,
    log: bool,
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// 0 to 1 in fifths.
    pub(super) fn unit(title: impl Into<String>) -> Axis {
        let ticks = (0..=5).map(|i| (f64::from(i) / 5.0, format!("{:.1}", f64::from(i) / 5.0))).collect();
        Axis { title: title.into(), low: 0.0, high: 1.0, log: false, ticks }
    }

    /// `low` to `high`, at most some five ticks at round numbers.
    pub(super) fn linear(title: impl Into<String>, low: f64, high: f64) -> Axis {
        let high = if high > low { high } else { low + 1.0 };
        Axis::stepped(title, low, high, round_step((high - low) / 5.0))
    }

    /// `low` to `high`, widened to whole steps of which there are about `steps`.
    pub(super) fn widened(title: impl Into<String>, low: f64, high: f64, steps: f64) -> Axis {
        let high = if high > low { high } else { low + 1.0 };
        let step = round_step((high - low) / steps);
        Axis::stepped(title, (low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step, step)
    }

    fn stepped(title: impl Into<String>, low: f64, high: f64, step: f64) -> Axis {
        let decimals = (0..9).find(|&d| is_whole(step * POWERS[d])).unwrap_or(9);
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        let ticks = (first..=last).map(|i| i as f64 * step).map(|v| (v, number(v, decimals))).collect();
        Axis { title: title.into(), low, high, log: false, ticks }
    }

    /// `low` to `high` (both above 0) by their logarithms, ticks at powers of ten, or 1-2-5 where they are few.
    pub(super) fn log(title: impl Into<String>, low: f64, high: f64) -> Axis {
        let high = if high > low { high } else { low * 10.0 };
        let steps: &[f64] = if high / low < 1000.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let in_range = |v: &f64| *v >= low * (1.0 - 1e-9) && *v <= high * (1.0 + 1e-9);
        let ticks = (-12..=15)
            .flat_map(|power| steps.iter().map(move |step| (step * 10f64.powi(power), power)))
            .filter(|(v, _)| in_range(v))
            .map(|(v, power)| (v, number(v, usize::try_from(-power).unwrap_or(0))))
            .collect();
        Axis { title: title.into(), low, high, log: true, ticks }
    }

    /// Ticks of one's own on a linear axis.
    pub(super) fn with_ticks(
        title: impl Into<String>,
        low: f64,
        high: f64,
        ticks: Vec<(f64, String)>,
    ) -> Axis {
        Axis { title: title.into(), low, high, log: false, ticks }
    }

    /// The width of the widest label of a tick in pixels.
    pub(super) fn label_width(&self) -> f64 {
        self.ticks.iter().map(|(_, label)| TICK.width(label)).fold(0.0, f64::max)
    }

    /// Where `value` lies: 0 at the low end, 1 at the high end.
    fn share(&self, value: f64) -> f64 {
        if self.log {
            (value / self.low).log10() / (self.high / self.low).log10()
        } else {
            (value - self.low) / (self.high - self.low)
        }
    }
}

const POWERS: [f64; 9] = [1.0, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];

/// The plane of two axes between `left`, `top`, `right` and `bottom` (pixels).
#[derive(Debug, Clone)]
pub(super) struct Plane {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
    pub(super) x: Axis,
    pub(super) y: Axis,
}

impl Plane {
    /// The pixel of a data point.
    pub(super) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let across = self.left + self.x.share(x) * (self.right - self.left);
        (across, self.bottom - self.y.share(y) * (self.bottom - self.top))
    }

    /// Grid, ticks, tick labels and titles.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        for (value, label) in &self.y.ticks {
            let (_, y) = self.at(self.x.low, *value);
            canvas.line(&[(self.left, y), (self.right, y)], GRID, 1.0, &[]);
            canvas.text(label, (self.left - 8.0, y), Anchor::End, TICK);
        }
        // Labels that would touch their left neighbor are left out; their grid line stays.
        let mut free_from = f64::NEG_INFINITY;
        for (value, label) in &self.x.ticks {
            let (x, _) = self.at(*value, self.y.low);
            canvas.line(&[(x, self.top), (x, self.bottom)], GRID, 1.0, &[]);
            let half = TICK.width(label) / 2.0;
            if x - half > free_from {
                canvas.text(label, (x, self.bottom + 14.0), Anchor::Middle, TICK);
                free_from = x + half + 6.0;
            }
        }
        canvas.line(&[(self.left, self.bottom), (self.right, self.bottom)], INK, 1.2, &[]);
        let middle = (self.left + self.right) / 2.0;
        canvas.text(&self.x.title, (middle, self.bottom + 36.0), Anchor::Middle, AXIS_TITLE);
        let beside = (self.left - 22.0 - self.y.label_width(), (self.top + self.bottom) / 2.0);
        canvas.text(&self.y.title, beside, Anchor::Middle, AXIS_TITLE.upward());
    }
}

/// Title and subtitle at the upper left; returns the first free y below. [`heading_height`] knows it before.
pub(super) fn heading(canvas: &mut Canvas, width: u32, title: &str, subtitle: &str) -> f64 {
    let mut y = MARGIN + 8.0;
    for line in TITLE.wrap(title, inner_width(width)) {
        canvas.text(&line, (MARGIN, y), Anchor::Start, TITLE);
        y += 23.0;
    }
    for line in SUBTITLE.wrap(subtitle, inner_width(width)) {
        canvas.text(&line, (MARGIN, y), Anchor::Start, SUBTITLE);
        y += 18.0;
    }
    y + 6.0
}

/// A legend in one or more rows from (`left`, `top`); returns the first free y below.
pub(super) fn legend_rows(
    canvas: &mut Canvas,
    (left, top): (f64, f64),
    right: f64,
    entries: &[(String, SeriesStyle)],
    sample: fn(&mut Canvas, (f64, f64), SeriesStyle),
) -> f64 {
    for ((name, style), (x, y)) in entries.iter().zip(legend_places(right - left, entries)) {
        let (x, y) = (left + x, top + y);
        sample(canvas, (x, y), *style);
        canvas.text(name, (x + SAMPLE_WIDTH + 7.0, y), Anchor::Start, NAME);
    }
    top + legend_height(right - left, entries)
}

/// How many pixels [`legend_rows`] takes.
pub(super) fn legend_height(width: f64, entries: &[(String, SeriesStyle)]) -> f64 {
    legend_places(width, entries).last().map_or(0.0, |(_, y)| y + 16.0)
}

/// Where the entries of a legend begin, from its upper left corner: columns in as few rows as fit.
fn legend_places(width: f64, entries: &[(String, SeriesStyle)]) -> Vec<(f64, f64)> {
    let widths: Vec<f64> =
        entries.iter().map(|(name, _)| SAMPLE_WIDTH + 7.0 + NAME.width(name) + 20.0).collect();
    let mut rows = 1;
    loop {
        let columns = entries.len().div_ceil(rows).max(1);
        let column_width = |c: usize| widths.iter().skip(c).step_by(columns).fold(0.0, |a: f64, &b| a.max(b));
        let starts: Vec<f64> =
            (0..columns).scan(0.0, |x, c| Some(std::mem::replace(x, *x + column_width(c)))).collect();
        let end = starts[columns - 1] + column_width(columns - 1) - 20.0;
        if end <= width || columns == 1 {
            return (0..entries.len())
                .map(|i| (starts[i % columns], 6.0 + 20.0 * (i / columns) as f64))
                .collect();
        }
        rows += 1;
    }
}

/// The width inside the margins of a figure.
pub(super) fn inner_width(width: u32) -> f64 {
    f64::from(width) - 2.0 * MARGIN
}

/// The width of a legend's sample.
pub(super) const SAMPLE_WIDTH: f64 = 28.0;

/// A legend's sample of a line with its marker.
pub(super) fn line_sample(canvas: &mut Canvas, (x, y): (f64, f64), style: SeriesStyle) {
    canvas.line(&[(x, y), (x + SAMPLE_WIDTH, y)], style.color, 2.2, style.dash);
    canvas.marker((x + SAMPLE_WIDTH / 2.0, y), 4.0, style);
}

/// A legend's sample of a line without marker.
pub(super) fn plain_line_sample(canvas: &mut Canvas, (x, y): (f64, f64), style: SeriesStyle) {
    canvas.line(&[(x, y), (x + SAMPLE_WIDTH, y)], style.color, 2.4, style.dash);
}

/// A legend's sample of a bar.
pub(super) fn bar_sample(canvas: &mut Canvas, (x, y): (f64, f64), style: SeriesStyle) {
    canvas.rect((x, y - 6.0), (x + SAMPLE_WIDTH, y + 6.0), style.color);
}

/// How many pixels [`heading`] takes.
pub(super) fn heading_height(width: u32, title: &str, subtitle: &str) -> f64 {
    let inner = inner_width(width);
    let (titles, subtitles) = (TITLE.wrap(title, inner).len(), SUBTITLE.wrap(subtitle, inner).len());
    MARGIN + 14.0 + 23.0 * titles as f64 + 18.0 * subtitles as f64
}

/// The round number (1, 2 or 5 times a power of ten) nearest above `rough`.
fn round_step(rough: f64) -> f64 {
    let magnitude = 10f64.powi(rough.log10().floor() as i32);
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * magnitude >= rough * (1.0 - 1e-9));
    step.unwrap_or(10.0) * magnitude
}

fn is_whole(value: f64) -> bool {
    (value - value.round()).abs() < 1e-6
}

/// A number with thousands separated by commas.
pub(super) fn number(value: f64, decimals: usize) -> String {
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = plain.split_once('.').map_or((plain.as_str(), None), |(w, f)| (w, Some(f)));
    let mut grouped = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let is_zero = plain.chars().all(|c| c == '0' || c == '.');
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    fraction.map_or_else(|| format!("{sign}{grouped}"), |f| format!("{sign}{grouped}.{f}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn ticks_stand_at_round_numbers_within_the_range() {
        assert_eq!(labels(&Axis::linear("", 0.0, 621.0)), ["0", "200", "400", "600"]);
        assert_eq!(labels(&Axis::linear("", 0.9, 1.0)), ["0.90", "0.92", "0.94", "0.96", "0.98", "1.00"]);
        assert_eq!(labels(&Axis::linear("", -0.3, 0.3)), ["−0.2", "0.0", "0.2"]);
    }

    #[test]
    fn an_axis_widened_to_ticks_begins_and_ends_with_one() {
        let axis = Axis::widened("", 3.0, 97.0, 5.0);
        assert_eq!((axis.low, axis.high), (0.0, 100.0));
    }

    #[test]
    fn a_logarithmic_axis_has_ticks_at_powers_of_ten_and_spaces_them_evenly() {
        let axis = Axis::log("", 1.0, 10_000.0);
        assert_eq!(labels(&axis), ["1", "10", "100", "1,000", "10,000"]);
        assert!((axis.share(100.0) - 0.5).abs() < 1e-12);
        assert_eq!(labels(&Axis::log("", 0.01, 0.1)), ["0.01", "0.02", "0.05", "0.1"]);
    }

    #[test]
    fn an_axis_of_one_value_still_has_a_range() {
        assert!(Axis::linear("", 5.0, 5.0).high > 5.0);
        assert!(Axis::log("", 5.0, 5.0).high > 5.0);
    }

    #[test]
    fn numbers_have_thousands_separators_and_no_negative_zero() {
        assert_eq!(number(1234567.0, 0), "1,234,567");
        assert_eq!(number(-1234.5, 1), "−1,234.5");
        assert_eq!(number(-0.0001, 2), "0.00");
    }
}
