//! A data table as rows of plain text, and the ways to write it besides a table of Markdown.

use super::document::{Container, Event, element_at};
use super::text::plain;

/// How Markdown has data tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TableFormat {
    /// With pipes, as GitHub reads them; as HTML where cells span others or hold more than a paragraph. The default.
    #[default]
    Gfm,
    /// As HTML, which can say all of it.
    Html,
    /// As a block of code with lines of comma-separated values.
    Csv,
    /// As a list with an item for each row, `column: value; column: value`.
    Records,
}

/// No table is taken for wider or higher than this, whatever spans a page states.
const MAX_SPAN: usize = 256;

/// A table as rows of plain text. A cell that spans others has its text in each.
#[derive(Debug, PartialEq)]
pub(super) struct Grid {
    pub caption: Option<String>,
    /// The rows at the top whose cells are all header cells.
    header: Vec<Vec<String>>,
    rows: Vec<Vec<String>>,
    /// Whether each of them begins with a header cell.
    rows_are_headed: bool,
}

impl Grid {
    /// The table that these events enter and leave.
    pub fn of(table: &[Event]) -> Grid {
        let mut grid = Grid { caption: None, header: Vec::new(), rows: Vec::new(), rows_are_headed: true };
        // Of each column the text that reaches down into the rows that come, and into how many.
        let mut above: Vec<(String, usize)> = Vec::new();
        for part in parts(table) {
            if part[0] == Event::Enter(Container::Caption) {
                grid.caption.get_or_insert(text(part));
                continue;
            }
            let (mut row, mut is_header) = (Vec::new(), true);
            for cell in parts(part) {
                let Event::Enter(Container::Cell { header, columns, rows, .. }) = cell[0] else { continue };
                is_header &= header;
                reach_down(&mut above, &mut row);
                let span = |n: u16| usize::from(n).clamp(1, MAX_SPAN);
                for _ in 0..span(columns) {
                    above.resize(above.len().max(row.len() + 1), (String::new(), 0));
                    above[row.len()] = (text(cell), span(rows) - 1);
                    row.push(text(cell));
                }
            }
            reach_down(&mut above, &mut row);
            if is_header && grid.rows.is_empty() {
                grid.header.push(row);
                continue;
            }
            let is_headed = matches!(part[1], Event::Enter(Container::Cell { header: true, .. }));
            grid.rows_are_headed &= is_headed;
            grid.rows.push(row);
        }
        if grid.rows.is_empty() {
            std::mem::swap(&mut grid.header, &mut grid.rows);
        }
        grid
    }

    /// Lines of comma-separated values, the header first.
    pub fn csv(&self) -> String {
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        for row in self.header.iter().chain(&self.rows) {
            writer.write_record(row).expect("a vector takes all that is written");
        }
        let bytes = writer.into_inner().expect("a vector takes all that is written");
        String::from_utf8(bytes).expect("what was written is text").trim_end().to_owned()
    }

    /// For each row a line with the names and values of its cells; of a header of several rows the name of a column is made of all.
    /// Without a header, and where a column has no name, the value alone; a header cell at the beginning of the row then names the others.
    pub fn records(&self) -> Vec<String> {
        let name = |column: usize| {
            let names = self.header.iter().filter_map(|row| row.get(column));
            let mut names: Vec<&str> = names.map(String::as_str).filter(|name| !name.is_empty()).collect();
            names.dedup();
            names.join(" ")
        };
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let names: Vec<String> = (0..columns).map(name).collect();
        let cell = |(name, value): (&String, &String)| match &**name {
            "" => value.clone(),
            name => format!("{name}: {value}"),
        };
        let is_named_by_row = self.header.is_empty() && self.rows_are_headed;
        let record = |row: &Vec<String>| {
            let known = names.iter().zip(row).filter(|(_, value)| !value.is_empty());
            let cells: Vec<String> = known.map(cell).collect();
            match &cells[..] {
                [head, others @ ..] if is_named_by_row && !others.is_empty() => {
                    format!("{head}: {}", others.join("; "))
                }
                cells => cells.join("; "),
            }
        };
        self.rows.iter().map(record).filter(|record| !record.is_empty()).collect()
    }
}

/// The parts that an element's events hold, each from where it is entered to where it is left.
fn parts(element: &[Event]) -> impl Iterator<Item = &[Event]> {
    let mut next = 1;
    std::iter::from_fn(move || {
        let is_inside = next + 1 < element.len();
        let part = is_inside.then(|| element_at(element, next))?;
        next += part.len();
        Some(part)
    })
}

/// The text of all leaves, with blanks between them.
fn text(events: &[Event]) -> String {
    let leaf = |event: &Event| match event {
        Event::Leaf(leaf) => Some(plain(&leaf.inlines, ' ')),
        _ => None,
    };
    events.iter().filter_map(leaf).collect::<Vec<_>>().join(" ")
}

/// Puts the texts that reach down from above at the end of a row, up to the next column that is free.
fn reach_down(above: &mut [(String, usize)], row: &mut Vec<String>) {
    while let Some((text, rows)) = above.get_mut(row.len()).filter(|(_, rows)| *rows > 0) {
        *rows -= 1;
        row.push(text.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::render::build::document;
    use crate::extract::render::document::Detail;
    use crate::extract::render::{Kept, RenderOptions};
    use crate::page::Page;

    fn grid(table: &str) -> Grid {
        let page = Page::parse("p", None, table.as_bytes(), Some("utf-8"), &Default::default()).unwrap();
        Grid::of(&document(&page, &Kept::everything(&page), &RenderOptions::default(), Detail::Structure))
    }

    #[test]
    fn a_table_is_lines_of_values_and_records() {
        let trees = grid(
            "<table><caption>Trees</caption><tr><th>Tree<th>Height<th>Note<tr><td>Oak<td>30 m<td>old, \"great\"\
             <tr><td>Ash<td>25 m<td></table>",
        );
        assert_eq!(trees.caption.as_deref(), Some("Trees"));
        assert_eq!(trees.csv(), "Tree,Height,Note\nOak,30 m,\"old, \"\"great\"\"\"\nAsh,25 m,");
        assert_eq!(
            trees.records(),
            ["Tree: Oak; Height: 30 m; Note: old, \"great\"", "Tree: Ash; Height: 25 m"]
        );
    }

    #[test]
    fn a_cell_that_spans_others_has_its_text_in_each() {
        let spans = grid(
            "<table><tr><th rowspan=2>Tree<th colspan=2>Height<tr><th>least<th>most\
             <tr><td rowspan=2>Oak<td>20<td>30<tr><td colspan=2><p>none</p><p>yet</table>",
        );
        assert_eq!(spans.csv(), "Tree,Height,Height\nTree,least,most\nOak,20,30\nOak,none yet,none yet");
        assert_eq!(
            spans.records(),
            [
                "Tree: Oak; Height least: 20; Height most: 30",
                "Tree: Oak; Height least: none yet; Height most: none yet"
            ]
        );
    }

    #[test]
    fn rows_without_a_header_are_values() {
        assert_eq!(grid("<table><tr><td>a<td>b<tr><td>c<td>d</table>").records(), ["a; b", "c; d"]);
        assert_eq!(grid("<table><tr><th>a<th>b<tr><th>c<th>d</table>").csv(), "a,b\nc,d");
        assert_eq!(
            grid("<table><tr><th>a<td>b<td>c<tr><th>d<td>e<td>f</table>").records(),
            ["a: b; c", "d: e; f"]
        );
    }
}
