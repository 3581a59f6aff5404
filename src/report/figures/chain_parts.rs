//! What the figures of Markov chains share: colors, legend, range, refusals.

use super::axes::{self, Axis};
use crate::diagnostics::Chains;
use crate::error::Result;
use crate::report::canvas::Canvas;
use crate::report::figure::unfit;
use crate::report::style::{self, SeriesStyle};

pub(super) const WIDTH: u32 = 960;
/// Where a plane with this vertical axis begins, so that its labels have room.
pub(super) fn left(y: &Axis) -> f64 {
    (axes::MARGIN + 30.0 + y.label_width()).max(84.0)
}

/// The style of a chain: its color, solid, because dashes of noise cannot be told apart.
pub(super) fn chain(index: usize) -> SeriesStyle {
    SeriesStyle { dash: &[], ..style::system(index) }
}

/// A legend's entries: the chains by number from 0, as in ArviZ.
pub(super) fn legend(chains: &Chains<'_>) -> Vec<(String, SeriesStyle)> {
    (0..chains.chains()).map(|c| (format!("chain {c}"), chain(c))).collect()
}

/// Draws the legend; returns the first free y below.
pub(super) fn draw_legend(canvas: &mut Canvas, top: f64, entries: &[(String, SeriesStyle)]) -> f64 {
    let right = f64::from(WIDTH) - axes::MARGIN;
    axes::legend_rows(canvas, (axes::MARGIN, top), right, entries, axes::plain_line_sample) + 8.0
}

/// How many pixels [`draw_legend`] takes.
pub(super) fn legend_height(entries: &[(String, SeriesStyle)]) -> f64 {
    axes::legend_height(axes::inner_width(WIDTH), entries) + 8.0
}

/// Refuses chains with fewer than `needed` draws, and those with a draw that cannot be drawn.
pub(super) fn check(title: &str, chains: &Chains<'_>, needed: usize) -> Result<()> {
    let draws = chains.draws();
    if draws < needed {
        return Err(unfit(title, format!("{draws} draws"), &format!("give at least {needed} a chain")));
    }
    match chains.values().iter().find(|value| !value.is_finite()) {
        Some(value) => Err(unfit(title, format!("a draw is {value}"), "draw chains of finite numbers only")),
        None => Ok(()),
    }
}

/// The least and the greatest value; a little room about a single one.
pub(super) fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .into_iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low < high {
        return (low, high);
    }
    let room = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
    (low - room, high + room)
}

/// The points (place, value) of a line of at most some 1,600: where there are more, the least and the greatest of each
/// stretch, so that no excursion is lost.
pub(super) fn thinned(values: &[f64]) -> Vec<(f64, f64)> {
    const STRETCHES: usize = 800;
    if values.len() <= 2 * STRETCHES {
        return values.iter().enumerate().map(|(i, &v)| (i as f64, v)).collect();
    }
    let mut points = Vec::with_capacity(2 * STRETCHES);
    for s in 0..STRETCHES {
        let (from, to) = (s * values.len() / STRETCHES, (s + 1) * values.len() / STRETCHES);
        let by_value = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
        let least = (from..to).min_by(by_value).unwrap_or(from);
        let greatest = (from..to).max_by(by_value).unwrap_or(from);
        let mut both = [least, greatest];
        both.sort_unstable();
        points.extend(both.map(|i| (i as f64, values[i])));
    }
    points.dedup();
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_keeps_its_excursions() {
        let mut values = vec![0.0; 100_000];
        (values[12_345], values[12_346]) = (9.0, -9.0);
        let points = thinned(&values);
        assert!(points.len() <= 1600);
        let at = points.iter().position(|&(x, v)| (x, v) == (12_345.0, 9.0)).unwrap();
        assert_eq!(points[at + 1], (12_346.0, -9.0));
        assert!(points.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(thinned(&[5.0, 6.0]), [(0.0, 5.0), (1.0, 6.0)]);
    }

    #[test]
    fn one_value_has_room_about_it() {
        assert_eq!(range([2.0, 2.0]), (1.8, 2.2));
        assert_eq!(range([0.0]), (-1.0, 1.0));
        assert_eq!(range([3.0, -1.0]), (-1.0, 3.0));
    }
}
