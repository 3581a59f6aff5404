//! Precision, recall and F1 of each label, one bar a system.

use super::axes::{self, number};
use crate::error::Result;
use crate::eval::{Confusion, Scores};
use crate::label::Label;
use crate::report::canvas::{Anchor, Canvas, Font};
use crate::report::figure::{Figure, unfit};
use crate::report::style::{self, GRID, INK, PAPER};

/// Three panels (precision, recall, F1) with a group of bars for each label, from pooled counts.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelBars {
    /// The title.
    pub title: String,
    /// A line below the title. May be empty.
    pub subtitle: String,
    /// What is counted: "tokens" or "nodes".
    pub unit: String,
    /// The systems' names and counts; their order gives their colors.
    pub systems: Vec<(String, Confusion)>,
}

const WIDTH: u32 = 960;
const BAR: f64 = 14.0;
const GAP: f64 = 18.0;
const VALUE: Font = Font::new(10.5);

impl LabelBars {
    fn group_height(&self) -> f64 {
        // Two lines of text stand beside each group.
        (BAR * self.systems.len() as f64).max(30.0) + GAP
    }

    fn legend(&self) -> Vec<(String, style::SeriesStyle)> {
        self.systems.iter().enumerate().map(|(i, (name, _))| (name.clone(), style::system(i))).collect()
    }
}

impl Figure for LabelBars {
    fn title(&self) -> &str {
        &self.title
    }

    fn size(&self) -> (u32, u32) {
        let heading = axes::heading_height(WIDTH, &self.title, &self.subtitle);
        let legend = axes::legend_height(axes::inner_width(WIDTH), &self.legend());
        (WIDTH, (heading + legend + 40.0 + 6.0 * self.group_height() + 40.0) as u32)
    }

    fn check(&self) -> Result<()> {
        if self.systems.is_empty() {
            return Err(unfit(&self.title, "no systems", "give at least one"));
        }
        Ok(())
    }

    fn draw(&self, canvas: &mut Canvas) {
        let y = axes::heading(canvas, WIDTH, &self.title, &self.subtitle);
        let right = f64::from(WIDTH) - axes::MARGIN;
        let y = axes::legend_rows(canvas, (axes::MARGIN, y), right, &self.legend(), axes::bar_sample);
        let (top, group) = (y + 30.0, self.group_height());
        let bottom = top + group * Label::COUNT as f64;
        let left = 168.0;
        let panel = (right - left - 24.0) / 3.0;
        let value = |scores: &Scores, p: usize| [scores.precision, scores.recall, scores.f1][p];
        for (p, measure) in ["Precision", "Recall", "F1"].into_iter().enumerate() {
            let from = left + (panel + 12.0) * p as f64;
            // Space for the number behind the longest bar.
            let across = |v: f64| from + v * (panel - 40.0);
            canvas.text(measure, (from, top - 16.0), Anchor::Start, axes::AXIS_TITLE.bold());
            for tick in [0.0, 0.5, 1.0] {
                canvas.line(&[(across(tick), top - 4.0), (across(tick), bottom)], GRID, 1.0, &[]);
                canvas.text(&number(tick, 1), (across(tick), bottom + 13.0), Anchor::Middle, axes::TICK);
            }
            for (l, label) in Label::ALL.into_iter().enumerate() {
                let start = top + group * l as f64 + (group - BAR * self.systems.len() as f64) / 2.0;
                for (s, (_, confusion)) in self.systems.iter().enumerate() {
                    let scores = confusion.label_scores(label);
                    let bar = start + BAR * s as f64;
                    if scores.support == 0 && scores.predicted == 0 {
                        canvas.text("n/a", (across(0.0) + 4.0, bar + BAR / 2.0), Anchor::Start, VALUE);
                        continue;
                    }
                    let end = across(value(&scores, p));
                    canvas.rect((across(0.0), bar + 1.0), (end, bar + BAR - 1.0), style::system(s).color);
                    let text = number(value(&scores, p), 3);
                    // The number stands clear of the grid.
                    canvas.rect((end, bar + 1.0), (end + 6.0 + VALUE.width(&text), bar + BAR - 1.0), PAPER);
                    canvas.text(&text, (end + 4.0, bar + BAR / 2.0), Anchor::Start, VALUE);
                }
            }
            canvas.line(&[(from, top - 4.0), (from, bottom)], INK, 1.2, &[]);
        }
        for (l, label) in Label::ALL.into_iter().enumerate() {
            let middle = top + group * (l as f64 + 0.5);
            if l > 0 {
                let y = top + group * l as f64;
                canvas.line(&[(axes::MARGIN, y), (right, y)], GRID, 1.0, &[]);
            }
            canvas.text(label.name(), (axes::MARGIN, middle - 8.0), Anchor::Start, axes::NAME.bold());
            let support = self.systems.first().map_or(0, |(_, c)| c.label_scores(label).support);
            let support = format!("{} {}", number(support as f64, 0), self.unit);
            canvas.text(&support, (axes::MARGIN, middle + 9.0), Anchor::Start, axes::SMALL);
        }
    }
}
