//! Tables with typed cells, written as CSV at full precision and as Markdown rounded for readers.

use crate::error::{Error, Result};
use crate::eval::{Estimate, Interval};

/// A table: every row has one cell for each column.
///
/// # Examples
/// ```
/// use duramen::report::{Cell, Table};
///
/// let mut table = Table::new("Main text, tokens", ["system", "F1"]);
/// table.push([Cell::text("everything"), Cell::number(0.66842, 3)]);
/// table.push([Cell::text("visual"), Cell::missing("no layout")]);
/// assert!(table.to_markdown().contains("| everything |   0.668 |"));
/// assert_eq!(table.to_csv()?, "system,F1,notes\neverything,0.66842,\nvisual,,F1: no layout\n");
/// # Ok::<(), duramen::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    title: String,
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
    /// (row, column) and what is to be seen of the cell.
    marks: Vec<(usize, usize, Mark)>,
}

/// What a report in HTML shows of a cell beside its number. Neither CSV nor Markdown has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The best of its column: bold.
    Best,
    /// Not told apart from the best: ≈ stands behind it.
    Level,
}

/// Which numbers of a column are best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Best {
    /// The highest: F1, precision.
    Highest,
    /// The lowest: an error, a rank.
    Lowest,
}

/// One cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Any text.
    Text(String),
    /// A whole number.
    Count(u64),
    /// A finite number, shown with this many decimals.
    Number {
        /// The number.
        value: f64,
        /// Decimals in Markdown.
        decimals: usize,
    },
    /// A score with its interval.
    Score {
        /// The score.
        value: f64,
        /// The interval, if there is one.
        interval: Option<Interval>,
        /// Decimals in Markdown.
        decimals: usize,
    },
    /// No value, and why.
    Missing(String),
}

impl Cell {
    /// A text.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// A number shown with `decimals` decimals; a missing cell where it is not finite.
    pub fn number(value: f64, decimals: usize) -> Cell {
        if value.is_finite() {
            Cell::Number { value, decimals }
        } else {
            Cell::missing("not a finite number")
        }
    }

    /// A score with its interval, shown with `decimals` decimals.
    pub fn score(estimate: &Estimate, decimals: usize) -> Cell {
        Cell::Score { value: estimate.value, interval: estimate.interval, decimals }
    }

    /// No value, because of `reason`.
    pub fn missing(reason: impl Into<String>) -> Cell {
        Cell::Missing(reason.into())
    }

    /// The number of the cell, with the decimals that are shown.
    fn value(&self) -> Option<(f64, usize)> {
        match *self {
            Cell::Count(count) => Some((count as f64, 0)),
            Cell::Number { value, decimals } | Cell::Score { value, decimals, .. } => Some((value, decimals)),
            Cell::Text(_) | Cell::Missing(_) => None,
        }
    }

    /// Whether the cell is set to the right.
    pub(super) fn is_numeric(&self) -> bool {
        !matches!(self, Cell::Text(_))
    }

    /// The cell as shown to readers; a missing one is "n/a".
    pub(super) fn shown(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Number { value, decimals } | Cell::Score { value, interval: None, decimals } => {
                rounded(*value, *decimals)
            }
            Cell::Score { value, interval: Some(Interval { low, high }), decimals } => {
                let d = *decimals;
                format!("{} [{}, {}]", rounded(*value, d), rounded(*low, d), rounded(*high, d))
            }
            Cell::Missing(_) => "n/a".to_owned(),
        }
    }
}

impl Table {
    /// An empty table.
    pub fn new<C: Into<String>>(title: impl Into<String>, columns: impl IntoIterator<Item = C>) -> Table {
        Table {
            title: title.into(),
            columns: columns.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// Marks a cell for reports in HTML. The first mark of a cell counts.
    pub fn mark(&mut self, row: usize, column: usize, mark: Mark) {
        self.marks.push((row, column, mark));
    }

    /// Marks the best cells of a column, all that are shown with the same number. None where there is nothing to compare: fewer than
    /// two numbers, or all of them the same.
    pub fn mark_best(&mut self, column: usize, best: Best) {
        let shown = |row: &Vec<Cell>| row[column].value().map(|(value, decimals)| rounded(value, decimals));
        let values = || self.rows.iter().filter_map(|row| row[column].value());
        let extreme = match best {
            Best::Highest => values().max_by(|a, b| a.0.total_cmp(&b.0)),
            Best::Lowest => values().min_by(|a, b| a.0.total_cmp(&b.0)),
        };
        let Some(extreme) = extreme.map(|(value, decimals)| rounded(value, decimals)) else { return };
        let is_best: Vec<bool> = self.rows.iter().map(|row| shown(row).as_ref() == Some(&extreme)).collect();
        if is_best.iter().filter(|is_best| **is_best).count() < values().count() {
            let rows = is_best.iter().enumerate().filter(|(_, is_best)| **is_best);
            let marks: Vec<_> = rows.map(|(row, _)| (row, column, Mark::Best)).collect();
            self.marks.extend(marks);
        }
    }

    /// The mark of a cell.
    #[cfg_attr(not(feature = "experiments"), expect(dead_code, reason = "reports show marks"))]
    pub(super) fn mark_of(&self, row: usize, column: usize) -> Option<Mark> {
        self.marks.iter().find(|(r, c, _)| (*r, *c) == (row, column)).map(|(.., mark)| *mark)
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it has not one cell for each column.
    pub fn push(&mut self, row: impl IntoIterator<Item = Cell>) {
        let row: Vec<Cell> = row.into_iter().collect();
        assert_eq!(
            row.len(),
            self.columns.len(),
            "a row of table '{}' has a cell for each column",
            self.title
        );
        self.rows.push(row);
    }

    /// The title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The rows.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The table as CSV, numbers with the fewest digits that read back as the same number.
    ///
    /// A column with intervals has two more beside it, `NAME_low` and `NAME_high`. A missing value is an empty
    /// field, and its reason stands in a last column, `notes`, which is there only when needed.
    ///
    /// # Errors
    /// [`Error::Data`] where the CSV writer fails, which it has no reason to.
    pub fn to_csv(&self) -> Result<String> {
        let failed = |error: String| {
            Error::data(format!("table '{}'", self.title), error, "report this as a fault of Duramen")
        };
        let with_interval: Vec<bool> = (0..self.columns.len())
            .map(|c| self.rows.iter().any(|row| matches!(row[c], Cell::Score { interval: Some(_), .. })))
            .collect();
        let with_notes = self.rows.iter().flatten().any(|cell| matches!(cell, Cell::Missing(_)));
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut head = Vec::new();
        for (name, &interval) in self.columns.iter().zip(&with_interval) {
            head.push(name.clone());
            if interval {
                head.extend([format!("{name}_low"), format!("{name}_high")]);
            }
        }
        head.extend(with_notes.then(|| "notes".to_owned()));
        writer.write_record(&head).map_err(|error| failed(error.to_string()))?;
        for row in &self.rows {
            let mut fields = Vec::new();
            let mut notes = Vec::new();
            for ((cell, name), &interval) in row.iter().zip(&self.columns).zip(&with_interval) {
                let mut ends = None;
                fields.push(match cell {
                    Cell::Text(text) => text.clone(),
                    Cell::Count(count) => count.to_string(),
                    Cell::Number { value, .. } => exact(*value),
                    Cell::Score { value, interval, .. } => {
                        ends = *interval;
                        exact(*value)
                    }
                    Cell::Missing(reason) => {
                        notes.push(format!("{name}: {reason}"));
                        String::new()
                    }
                });
                if interval {
                    let field = |end: Option<f64>| end.map(exact).unwrap_or_default();
                    fields.extend([field(ends.map(|i| i.low)), field(ends.map(|i| i.high))]);
                }
            }
            fields.extend(with_notes.then(|| notes.join("; ")));
            writer.write_record(&fields).map_err(|error| failed(error.to_string()))?;
        }
        let bytes = writer.into_inner().map_err(|error| failed(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
    }

    /// The table as Markdown, aligned for reading as plain text too: numbers rounded and set to the right,
    /// each "n/a" with the number of its reason below the table. The title is not part of it.
    pub fn to_markdown(&self) -> String {
        let mut reasons: Vec<&str> = Vec::new();
        let mut lines: Vec<Vec<String>> = vec![self.columns.iter().map(|name| escaped(name)).collect()];
        for row in &self.rows {
            let cells = row.iter().map(|cell| match cell {
                Cell::Missing(reason) => format!("n/a [{}]", note_number(&mut reasons, reason)),
                _ => escaped(&cell.shown()),
            });
            lines.push(cells.collect());
        }
        let width = |c: usize| lines.iter().map(|line| line[c].chars().count()).max().unwrap_or(0).max(3);
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let right: Vec<bool> = (0..self.columns.len()).map(|c| self.is_numeric(c)).collect();
        let mut markdown = String::new();
        for (l, line) in lines.iter().enumerate() {
            for ((cell, &width), &right) in line.iter().zip(&widths).zip(&right) {
                let cell = if right { format!("| {cell:>width$} ") } else { format!("| {cell:<width$} ") };
                markdown.push_str(&cell);
            }
            markdown.push_str("|\n");
            if l == 0 {
                for (&width, &right) in widths.iter().zip(&right) {
                    let rule = "-".repeat(width - usize::from(right));
                    markdown.push_str(&if right { format!("| {rule}: ") } else { format!("| {rule} ") });
                }
                markdown.push_str("|\n");
            }
        }
        for (i, reason) in reasons.iter().enumerate() {
            let gap = if i == 0 { "\n" } else { "" };
            markdown.push_str(&format!("{gap}- [{}] {}\n", i + 1, escaped(reason)));
        }
        markdown
    }

    /// Whether a column holds numbers only, missing ones included.
    pub(super) fn is_numeric(&self, column: usize) -> bool {
        !self.rows.is_empty() && self.rows.iter().all(|row| row[column].is_numeric())
    }
}

/// The number of `reason` among the notes, from 1; a new one is added.
pub(super) fn note_number<'a>(reasons: &mut Vec<&'a str>, reason: &'a str) -> usize {
    let known = reasons.iter().position(|r| *r == reason);
    known.unwrap_or_else(|| {
        reasons.push(reason);
        reasons.len() - 1
    }) + 1
}

/// A number with `decimals` decimals and never a negative zero.
fn rounded(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| c == '0' || c == '.') => digits.to_owned(),
        _ => text,
    }
}

/// The fewest digits that read back as the same number; never a negative zero.
fn exact(value: f64) -> String {
    format!("{}", value + 0.0)
}

/// A text that cannot end a Markdown cell or line.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '|' => safe.push_str("\\|"),
            '\n' | '\r' => safe.push(' '),
            _ => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Table {
        let mut table = Table::new("Main text", ["system", "F1", "pages", "seconds"]);
        let interval = Some(Interval { low: 0.93, high: 0.9512345 });
        table.push([
            Cell::text("hmt"),
            Cell::Score { value: 0.9402, interval, decimals: 3 },
            Cell::Count(621),
            Cell::number(1.0 / 3.0, 2),
        ]);
        table.push([
            Cell::text("a|b, \"c\""),
            Cell::Score { value: 0.5, interval: None, decimals: 3 },
            Cell::Count(7),
            Cell::missing("not timed"),
        ]);
        table
    }

    #[test]
    fn csv_has_full_precision_columns_for_intervals_and_reasons_in_notes() {
        assert_eq!(
            example().to_csv().unwrap(),
            "system,F1,F1_low,F1_high,pages,seconds,notes\n\
             hmt,0.9402,0.93,0.9512345,621,0.3333333333333333,\n\
             \"a|b, \"\"c\"\"\",0.5,,,7,,seconds: not timed\n"
        );
    }

    #[test]
    fn markdown_is_rounded_and_aligned_with_notes_below() {
        insta::assert_snapshot!(example().to_markdown(), @r#"
        | system    |                   F1 | pages | seconds |
        | --------- | -------------------: | ----: | ------: |
        | hmt       | 0.940 [0.930, 0.951] |   621 |    0.33 |
        | a\|b, "c" |                0.500 |     7 | n/a [1] |

        - [1] not timed
        "#);
    }

    #[test]
    fn a_reason_given_twice_is_noted_once() {
        let mut table = Table::new("t", ["a", "b"]);
        table.push([Cell::missing("no layout"), Cell::missing("no feed")]);
        table.push([Cell::missing("no layout"), Cell::Count(1)]);
        let markdown = table.to_markdown();
        assert_eq!(markdown.matches("no layout").count(), 1);
        assert_eq!(markdown.matches("n/a [1]").count(), 2);
    }

    #[test]
    fn the_best_of_a_column_are_those_that_look_so() {
        let of = |values: &[f64], best| {
            let mut table = Table::new("t", ["F1"]);
            values.iter().for_each(|&value| table.push([Cell::number(value, 2)]));
            table.push([Cell::missing("n/a")]);
            table.mark_best(0, best);
            (0..values.len() + 1).filter(|&row| table.mark_of(row, 0) == Some(Mark::Best)).collect::<Vec<_>>()
        };
        assert_eq!(of(&[0.5, 0.901, 0.899], Best::Highest), [1, 2]);
        assert_eq!(of(&[0.5, 0.901, 0.899], Best::Lowest), [0]);
        assert!(of(&[0.5], Best::Highest).is_empty() && of(&[0.5, 0.5], Best::Highest).is_empty());
    }

    #[test]
    fn there_is_no_negative_zero_and_no_infinite_number() {
        assert_eq!(Cell::number(-0.0001, 2).shown(), "0.00");
        assert_eq!(exact(-0.0), "0");
        assert_eq!(Cell::number(f64::NAN, 2), Cell::missing("not a finite number"));
    }

    #[test]
    #[should_panic(expected = "a cell for each column")]
    fn a_row_of_the_wrong_length_is_a_fault_of_the_program() {
        Table::new("t", ["a", "b"]).push([Cell::Count(1)]);
    }
}
