//! Documents ordered by score, one line a system: the thesis's figures 1.2, 4.1 and 4.2.

use super::axes::{self, Axis, Plane};
use super::{SystemScores, by_mean, check_scores};
use crate::error::Result;
use crate::report::canvas::{Anchor, Canvas};
use crate::report::figure::Figure;
use crate::report::style;

/// Each system's documents from the highest score to the lowest, ordered for each system by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedScores {
    /// The title.
    pub title: String,
    /// A line below the title: data set, view, token or node level. May be empty.
    pub subtitle: String,
    /// What is scored: "F1", "Precision" or "Recall".
    pub measure: String,
    /// The systems; their order gives their colors.
    pub systems: Vec<SystemScores>,
}

const WIDTH: u32 = 960;
const PLOT_HEIGHT: f64 = 400.0;

impl Figure for RankedScores {
    fn title(&self) -> &str {
        &self.title
    }

    fn size(&self) -> (u32, u32) {
        let legend = 40.0 * self.systems.len() as f64;
        let heading = axes::heading_height(WIDTH, &self.title, &self.subtitle);
        (WIDTH, (heading + PLOT_HEIGHT.max(legend) + 70.0) as u32)
    }

    fn check(&self) -> Result<()> {
        check_scores(&self.title, &self.systems)
    }

    fn draw(&self, canvas: &mut Canvas) {
        let top = axes::heading(canvas, WIDTH, &self.title, &self.subtitle) + 4.0;
        let names = self.systems.iter().map(|system| axes::NAME.bold().width(&system.name));
        let legend_width = names.fold(110.0, f64::max).min(230.0);
        let legend_left = f64::from(WIDTH) - axes::MARGIN - legend_width - axes::SAMPLE_WIDTH - 8.0;
        let longest = self.systems.iter().map(|system| system.values.len()).max().unwrap_or(1);
        let plane = Plane {
            left: 78.0,
            top,
            right: legend_left - 26.0,
            bottom: top + PLOT_HEIGHT,
            x: Axis::linear("Documents, ordered by score for each system", 0.0, longest as f64),
            y: Axis::unit(self.measure.as_str()),
        };
        plane.draw(canvas);
        let order = by_mean(&self.systems);
        // The best is drawn last and so lies on top.
        for &index in order.iter().rev() {
            let mut values = self.systems[index].ascending();
            values.reverse();
            let line: Vec<(f64, f64)> =
                values.iter().enumerate().map(|(rank, &value)| plane.at(rank as f64 + 0.5, value)).collect();
            let look = style::system(index);
            canvas.line(&line, look.color, 2.2, look.dash);
        }
        for (row, &index) in order.iter().enumerate() {
            let system = &self.systems[index];
            let (look, y) = (style::system(index), top + 10.0 + 40.0 * row as f64);
            axes::plain_line_sample(canvas, (legend_left, y), look);
            let left = legend_left + axes::SAMPLE_WIDTH + 8.0;
            let name = axes::NAME.bold();
            canvas.text(&name.fit(&system.name, legend_width), (left, y), Anchor::Start, name);
            let mean = format!("mean {:.3}", system.mean());
            canvas.text(&mean, (left, y + 17.0), Anchor::Start, axes::SMALL);
        }
    }
}
