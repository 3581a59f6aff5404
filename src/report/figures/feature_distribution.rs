//! The distribution of one feature given the label: the thesis's figures 3.1-3.14.

use std::collections::BTreeMap;

use super::axes::{self, Axis, Plane, number};
use crate::error::Result;
use crate::label::Label;
use crate::report::canvas::{Anchor, Canvas, Font};
use crate::report::figure::{Figure, unfit};
use crate::report::style::{self, GRID, INK, SeriesStyle};

/// How often a feature takes each value among the nodes of each label.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureDistribution {
    /// The title.
    pub title: String,
    /// A line below the title. May be empty.
    pub subtitle: String,
    /// The feature's name and unit, such as "Words in the node".
    pub feature: String,
    /// What is counted of the nodes of each label: "nodes" themselves, their "children" or "siblings".
    pub counted: String,
    /// The counts.
    pub distribution: Distribution,
}

/// The counts of a feature, `[label][value]`; labels without any node are left out of the figure.
#[derive(Debug, Clone, PartialEq)]
pub enum Distribution {
    /// A count feature in bins 0, 1, 2, 3-4, 5-8, ..., one line a label.
    Counts([BTreeMap<u64, u64>; Label::COUNT]),
    /// A categorical feature: bars for the `top` categories with the largest share in any label, and the rest.
    Categories {
        /// The counts by category.
        counts: [BTreeMap<String, u64>; Label::COUNT],
        /// How many categories are shown, at least 1.
        top: usize,
    },
}

const WIDTH: u32 = 960;
const PLOT_HEIGHT: f64 = 380.0;
const ROW: f64 = 24.0;
const VALUE: Font = Font::new(10.5);

/// Shares (0 to 1) of the bins or categories of each label that has nodes.
struct Shares {
    names: Vec<String>,
    labels: Vec<(Label, u64, Vec<f64>)>,
}

impl Shares {
    fn legend(&self) -> Vec<(String, SeriesStyle)> {
        let name = |label: Label, nodes: u64| format!("{label} ({})", number(nodes as f64, 0));
        self.labels.iter().map(|&(label, nodes, _)| (name(label, nodes), style::label(label))).collect()
    }
}

impl FeatureDistribution {
    fn shares(&self) -> Shares {
        match &self.distribution {
            Distribution::Counts(counts) => {
                let highest = counts.iter().flat_map(|c| c.keys()).max().copied().unwrap_or(0);
                let names = (0..=doubling_bin(highest)).map(doubling_name).collect();
                binned(counts, names, |value| doubling_bin(*value))
            }
            Distribution::Categories { counts, top } => {
                let mut names = top_categories(counts, *top);
                let place: BTreeMap<String, usize> = names.iter().cloned().zip(0..).collect();
                let n = names.len();
                names.push("all others".to_owned());
                let mut shares = binned(counts, names, |name| place.get(name).copied().unwrap_or(n));
                // No bar for others where there are none.
                if shares.labels.iter().all(|(_, _, shares)| shares[n] == 0.0) {
                    shares.names.pop();
                }
                shares
            }
        }
    }

    fn is_categorical(&self) -> bool {
        matches!(self.distribution, Distribution::Categories { .. })
    }

    fn draw_lines(&self, canvas: &mut Canvas, top: f64, shares: &Shares) {
        let right = f64::from(WIDTH) - axes::MARGIN;
        let top =
            axes::legend_rows(canvas, (axes::MARGIN, top), right, &shares.legend(), axes::line_sample) + 8.0;
        let highest = shares.labels.iter().flat_map(|(_, _, s)| s).fold(0.0, |a: f64, &b| a.max(b));
        let ticks = shares.names.iter().enumerate().map(|(i, name)| (i as f64, name.clone())).collect();
        let plane = Plane {
            left: 88.0,
            top,
            right: right - 8.0,
            bottom: top + PLOT_HEIGHT,
            x: Axis::with_ticks(self.feature.as_str(), -0.4, shares.names.len() as f64 - 0.6, ticks),
            y: Axis::widened(format!("% of the label's {}", self.counted), 0.0, 100.0 * highest, 5.0),
        };
        plane.draw(canvas);
        for (label, _, shares) in shares.labels.iter().rev() {
            let look = style::label(*label);
            let line: Vec<_> =
                shares.iter().enumerate().map(|(i, s)| plane.at(i as f64, 100.0 * s)).collect();
            canvas.line(&line, look.color, 2.0, look.dash);
            line.iter().for_each(|&point| canvas.marker(point, 3.8, look));
        }
    }

    fn draw_bars(&self, canvas: &mut Canvas, top: f64, shares: &Shares) {
        let top = top + 42.0;
        let bottom = top + ROW * shares.names.len() as f64;
        let name_width =
            shares.names.iter().map(|name| axes::NAME.width(name)).fold(60.0, f64::max).min(170.0);
        let left = axes::MARGIN + name_width + 14.0;
        let right = f64::from(WIDTH) - axes::MARGIN;
        let panel = (right - left) / shares.labels.len() as f64;
        let highest = shares.labels.iter().flat_map(|(_, _, s)| s).fold(0.0, |a: f64, &b| a.max(b)).max(1e-9);
        for (row, name) in shares.names.iter().enumerate() {
            let y = top + ROW * row as f64;
            canvas.line(&[(axes::MARGIN, y), (right, y)], GRID, 1.0, &[]);
            canvas.text(
                &axes::NAME.fit(name, name_width),
                (left - 12.0, y + ROW / 2.0),
                Anchor::End,
                axes::NAME,
            );
        }
        for (p, (label, nodes, shares)) in shares.labels.iter().enumerate() {
            let from = left + panel * p as f64;
            let look = style::label(*label);
            canvas.marker((from + 4.0, top - 30.0), 4.0, look);
            let font = axes::NAME.bold();
            canvas.text(
                &font.fit(label.name(), panel - 18.0),
                (from + 14.0, top - 30.0),
                Anchor::Start,
                font,
            );
            let nodes = format!("{} {}", number(*nodes as f64, 0), self.counted);
            canvas.text(&nodes, (from, top - 12.0), Anchor::Start, axes::SMALL);
            for (row, share) in shares.iter().enumerate() {
                let y = top + ROW * row as f64;
                let end = from + share / highest * (panel - 42.0);
                canvas.rect((from, y + 4.0), (end, y + ROW - 4.0), look.color);
                canvas.text(&percent(*share), (end + 4.0, y + ROW / 2.0), Anchor::Start, VALUE);
            }
            canvas.line(&[(from, top), (from, bottom)], INK, 1.2, &[]);
        }
        let title = format!("{}: % of the label's {}", self.feature, self.counted);
        canvas.text(&title, ((left + right) / 2.0, bottom + 20.0), Anchor::Middle, axes::AXIS_TITLE);
    }
}

impl Figure for FeatureDistribution {
    fn title(&self) -> &str {
        &self.title
    }

    fn size(&self) -> (u32, u32) {
        let heading = axes::heading_height(WIDTH, &self.title, &self.subtitle);
        let drawn = if self.is_categorical() {
            42.0 + ROW * self.shares().names.len() as f64 + 44.0
        } else {
            axes::legend_height(axes::inner_width(WIDTH), &self.shares().legend()) + PLOT_HEIGHT + 76.0
        };
        (WIDTH, (heading + drawn) as u32)
    }

    fn check(&self) -> Result<()> {
        if self.shares().labels.is_empty() {
            return Err(unfit(&self.title, "no nodes", "count the feature on at least one page"));
        }
        Ok(())
    }

    fn draw(&self, canvas: &mut Canvas) {
        let top = axes::heading(canvas, WIDTH, &self.title, &self.subtitle);
        let shares = self.shares();
        if self.is_categorical() {
            self.draw_bars(canvas, top, &shares);
        } else {
            self.draw_lines(canvas, top, &shares);
        }
    }
}

/// The shares of `names.len()` bins, where `bin` says in which a value falls.
fn binned<V>(
    counts: &[BTreeMap<V, u64>; Label::COUNT],
    names: Vec<String>,
    bin: impl Fn(&V) -> usize,
) -> Shares {
    let labels = Label::ALL.into_iter().zip(counts).filter_map(|(label, counts)| {
        let total: u64 = counts.values().sum();
        let mut bins = vec![0_u64; names.len()];
        counts.iter().for_each(|(value, count)| bins[bin(value)] += count);
        let shares = bins.into_iter().map(|count| count as f64 / total as f64).collect();
        (total > 0).then_some((label, total, shares))
    });
    Shares { labels: labels.collect(), names }
}

/// The categories with the largest share in any label, largest first, equal ones by name.
fn top_categories(counts: &[BTreeMap<String, u64>; Label::COUNT], top: usize) -> Vec<String> {
    let mut best: BTreeMap<&str, f64> = BTreeMap::new();
    for counts in counts {
        let total = counts.values().sum::<u64>().max(1) as f64;
        for (name, &count) in counts {
            let share = best.entry(name).or_default();
            *share = share.max(count as f64 / total);
        }
    }
    let mut names: Vec<(&str, f64)> = best.into_iter().collect();
    names.sort_by(|a, b| b.1.total_cmp(&a.1));
    names.into_iter().take(top.max(1)).map(|(name, _)| name.to_owned()).collect()
}

/// The bin of a count: 0, 1 and 2 alone, then 3-4, 5-8, 9-16, ...
fn doubling_bin(value: u64) -> usize {
    match value {
        0 | 1 => value as usize,
        _ => 1 + (u64::BITS - (value - 1).leading_zeros()) as usize,
    }
}

/// The name of a bin of [`doubling_bin`].
fn doubling_name(bin: usize) -> String {
    match bin {
        0..=2 => bin.to_string(),
        _ => format!(
            "{}–{}",
            number(((1_u64 << (bin - 2)) + 1) as f64, 0),
            number(2f64.powi(bin as i32 - 1), 0)
        ),
    }
}

/// A share in percent: "37 %", "4.2 %", "<0.1 %", or nothing where it is 0.
fn percent(share: f64) -> String {
    match share * 100.0 {
        0.0 => String::new(),
        p if p < 0.1 => "<0.1".to_owned(),
        p if p < 9.95 => number(p, 1),
        p => number(p, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_fall_into_bins_that_double() {
        let names: Vec<String> =
            [0, 1, 2, 3, 4, 5, 8, 9, 16, 17].map(|v| doubling_name(doubling_bin(v))).into();
        assert_eq!(names, ["0", "1", "2", "3–4", "3–4", "5–8", "5–8", "9–16", "9–16", "17–32"]);
        assert_eq!(doubling_name(doubling_bin(1024)), "513–1,024");
        assert_eq!(doubling_bin(u64::MAX), 65);
    }

    #[test]
    fn a_category_rare_overall_and_common_in_one_label_is_shown() {
        let mut counts: [BTreeMap<String, u64>; Label::COUNT] = Default::default();
        counts[0] = [("div".to_owned(), 900), ("a".to_owned(), 100)].into();
        counts[1] = [("h1".to_owned(), 3), ("a".to_owned(), 1)].into();
        assert_eq!(top_categories(&counts, 2), ["div", "h1"]);
        let figure = FeatureDistribution {
            title: "t".into(),
            subtitle: String::new(),
            counted: "nodes".into(),
            feature: "tag".into(),
            distribution: Distribution::Categories { counts, top: 2 },
        };
        let shares = figure.shares();
        assert_eq!(shares.names, ["div", "h1", "all others"]);
        assert_eq!(shares.labels[1], (Label::Headline, 4, vec![0.0, 0.75, 0.25]));
        assert_eq!(shares.labels.len(), 2);
    }

    #[test]
    fn shares_are_written_with_the_digits_they_deserve() {
        assert_eq!([0.0, 0.0004, 0.042, 0.371, 1.0].map(percent), ["", "<0.1", "4.2", "37", "100"]);
    }
}
