//! Events as Markdown: paragraphs, lists, quotations, tables. What stands in a line is `markdown_inline`'s.

use super::document::{Align, Container, Event, Inline, Leaf, LeafKind, Style, element_at};
use super::html;
use super::markdown_inline::{Place, code_fence, inline};
use super::table::{Grid, TableFormat};
use crate::page_work::check_time;

/// Spans are made up for with empty cells up to this column; a page may state any.
const MAX_SPANNED_COLUMNS: usize = 256;

/// The blanks before the further lines of a note, whatever its label.
const NOTE_INDENT: usize = 4;

pub(super) fn write(events: &[Event], tables: TableFormat) -> String {
    let loose = loose_lists(events);
    let mut writer =
        Writer { out: String::new(), open: Vec::new(), last_list: None, table: None, callout_end: 0 };
    let mut next = 0;
    for (index, (event, loose)) in events.iter().zip(loose).enumerate() {
        check_time();
        if index < next {
            continue;
        }
        match event {
            Event::Enter(Container::Table) if writer.write_table(element_at(events, index), tables) => {
                next = index + element_at(events, index).len();
            }
            Event::Enter(Container::Definitions) => {
                writer
                    .open
                    .push(Open::Definitions { are_read: reads_as_definitions(element_at(events, index)) });
            }
            Event::Enter(container) => writer.enter(container, loose),
            Event::Leave => writer.leave(),
            Event::Leaf(leaf) => writer.leaf(leaf),
        }
    }
    if !writer.out.is_empty() {
        writer.out.push('\n');
    }
    writer.out
}

/// Whether a table can be written with pipes: no cell spans others or holds more than one paragraph.
fn is_simple(table: &[Event]) -> bool {
    let mut leaves = 0;
    table[1..].iter().all(|event| match event {
        Event::Enter(Container::Cell { columns, rows, .. }) => {
            leaves = 0;
            (*columns, *rows) == (1, 1)
        }
        Event::Enter(Container::Row | Container::Caption) | Event::Leave => {
            leaves = 0;
            true
        }
        Event::Enter(_) => false,
        Event::Leaf(leaf) => {
            leaves += 1;
            leaves == 1 && leaf.kind == LeafKind::Paragraph
        }
    })
}

/// Whether a reader of Markdown takes a definition list for one: its terms are text alone, and each definition stands right behind a term or another
/// definition. Elsewhere the colons are text to it.
fn reads_as_definitions(list: &[Event]) -> bool {
    let mut around = Vec::new();
    let mut is_behind_entry = false;
    list.iter().all(|event| {
        let is_child = around.len() == 1;
        let is_in_term = around.get(1) == Some(&&Container::Term);
        match event {
            Event::Enter(container) => {
                around.push(container);
                if is_child {
                    let was_behind_entry = is_behind_entry;
                    is_behind_entry = matches!(container, Container::Term | Container::Definition);
                    return was_behind_entry || *container != Container::Definition;
                }
            }
            Event::Leave => drop(around.pop()),
            Event::Leaf(leaf) => {
                is_behind_entry &= !is_child;
                return !is_in_term || leaf.kind == LeafKind::Paragraph && around.len() == 2;
            }
        }
        true
    })
}

/// For each event that enters a list, whether blank lines part its items: one of them holds several blocks.
fn loose_lists(events: &[Event]) -> Vec<bool> {
    let mut loose = vec![false; events.len()];
    // For each open container, where it was entered, and how many blocks it holds.
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (index, event) in events.iter().enumerate() {
        if let Event::Leave = event {
            open.pop();
            continue;
        }
        if let [.., (list, _), (item, blocks)] = open.as_mut_slice()
            && events[*item] == Event::Enter(Container::Item)
        {
            let is_list = matches!(event, Event::Enter(Container::List { .. }));
            loose[*list] |= *blocks > 0 && !is_list;
            *blocks += 1;
        }
        if let Event::Enter(_) = event {
            open.push((index, 0));
        }
    }
    loose
}

/// What the items of a list begin with; of two lists in a row the second takes another, lest they be one.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mark {
    Bullet(char),
    Number(char),
}

/// An open container as far as it shows in the lines inside.
enum Open {
    Quote {
        used: bool,
    },
    List {
        mark: Mark,
        next: u32,
        loose: bool,
        is_new: bool,
    },
    /// A definition list, and whether a reader of Markdown takes it for one.
    Definitions {
        are_read: bool,
    },
    /// An item, a definition or a note: what it begins with, and the blanks before its further lines.
    Item {
        marker: String,
        indent: usize,
        used: bool,
        is_first: bool,
        loose: bool,
    },
    Table,
    Cell {
        columns: u16,
    },
    Details,
    /// What details are about.
    Summary,
    Other,
}

/// The cells of a table that is open.
#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
    first_row_has_data: bool,
    /// Whether all text of the first row is strong.
    first_row_is_strong: bool,
    /// Of each column, as its first cell that states it.
    alignment: Vec<Option<Align>>,
}

struct Writer {
    out: String,
    open: Vec<Open>,
    /// The mark of the list that ended last, and the length of the output then.
    last_list: Option<(Mark, usize)>,
    table: Option<Table>,
    /// The length of the output where the name of a callout was written last.
    callout_end: usize,
}

impl Writer {
    fn enter(&mut self, container: &Container, loose: bool) {
        let open = match *container {
            Container::Quote(Some(callout)) => {
                self.open.push(Open::Quote { used: false });
                self.block(&format!("[!{}]", callout.name()));
                self.callout_end = self.out.len();
                return;
            }
            Container::Quote(None) => Open::Quote { used: false },
            Container::Note(ref label) => {
                let marker = format!("[^{label}]: ");
                Open::Item { marker, indent: NOTE_INDENT, used: false, is_first: true, loose: true }
            }
            // As PHP Markdown Extra and pandoc have it.
            Container::Definition
                if matches!(self.open.last(), Some(Open::Definitions { are_read: true })) =>
            {
                let marker = ": ".to_owned();
                Open::Item { indent: marker.len(), marker, used: false, is_first: false, loose: false }
            }
            Container::List { start } => {
                Open::List { mark: self.mark(start.is_some()), next: start.unwrap_or(1), loose, is_new: true }
            }
            Container::Item => {
                self.last_list = None;
                self.item()
            }
            Container::Table => {
                self.table = Some(Table { first_row_is_strong: true, ..Table::default() });
                Open::Table
            }
            Container::Row => {
                self.table.get_or_insert_default().rows.push(Vec::new());
                Open::Other
            }
            Container::Cell { header, columns, align, .. } => {
                let table = self.table.get_or_insert_default();
                table.first_row_has_data |= table.rows.len() == 1 && !header;
                if let Some(row) = table.rows.last_mut() {
                    let column = row.len();
                    row.push(String::new());
                    table.alignment.resize(table.alignment.len().max(column + 1), None);
                    table.alignment[column] = table.alignment[column].or(align);
                }
                Open::Cell { columns }
            }
            Container::Details => Open::Details,
            Container::Caption if matches!(self.open.last(), Some(Open::Details)) => Open::Summary,
            _ => Open::Other,
        };
        self.open.push(open);
    }

    fn mark(&self, is_ordered: bool) -> Mark {
        let last = self.last_list.filter(|&(_, end)| end == self.out.len()).map(|(mark, _)| mark);
        match is_ordered {
            false if last == Some(Mark::Bullet('-')) => Mark::Bullet('*'),
            false => Mark::Bullet('-'),
            true if last == Some(Mark::Number('.')) => Mark::Number(')'),
            true => Mark::Number('.'),
        }
    }

    fn item(&mut self) -> Open {
        let Some(Open::List { mark, next, loose, is_new }) = self.open.last_mut() else { return Open::Other };
        let marker = match mark {
            Mark::Bullet(bullet) => format!("{bullet} "),
            Mark::Number(end) => format!("{next}{end} "),
        };
        *next += 1;
        let is_first = std::mem::take(is_new);
        Open::Item { indent: marker.len(), marker, used: false, is_first, loose: *loose }
    }

    fn leave(&mut self) {
        match self.open.pop() {
            Some(Open::List { mark, .. }) => self.last_list = Some((mark, self.out.len())),
            Some(Open::Cell { columns }) => {
                if let Some(row) = self.table.as_mut().and_then(|table| table.rows.last_mut()) {
                    let end = (row.len() + usize::from(columns) - 1).min(MAX_SPANNED_COLUMNS.max(row.len()));
                    row.resize(end, String::new());
                }
            }
            Some(Open::Table) => {
                let table = self.table.take().unwrap_or_default();
                self.block(&table.lines());
            }
            _ => {}
        }
    }

    /// Writes a table, unless it is to be written with pipes.
    fn write_table(&mut self, table: &[Event], format: TableFormat) -> bool {
        match format {
            TableFormat::Gfm if is_simple(table) => return false,
            TableFormat::Gfm | TableFormat::Html => {
                // A blank line would end it.
                let lines = html::write(table).trim_end().replace("\n\n", "\n&#10;");
                self.block(&lines.replace("\n\n", "\n&#10;"));
            }
            TableFormat::Csv | TableFormat::Records => {
                let grid = Grid::of(table);
                if let Some(caption) = &grid.caption {
                    self.block(&inline(&[Inline::Text(caption.clone())], Place::Paragraph));
                }
                if format == TableFormat::Csv {
                    self.code(&grid.csv(), "csv");
                    return true;
                }
                self.enter(&Container::List { start: None }, false);
                for record in grid.records() {
                    self.enter(&Container::Item, false);
                    self.block(&inline(&[Inline::Text(record)], Place::Paragraph));
                    self.leave();
                }
                self.leave();
            }
        }
        true
    }

    fn code(&mut self, text: &str, language: &str) {
        let fence = code_fence(text, 3);
        self.block(&format!("{fence}{language}\n{text}\n{fence}"));
    }

    fn leaf(&mut self, leaf: &Leaf) {
        if let Some(table) = &mut self.table
            && let Some(cell) = table.rows.last_mut().and_then(|row| row.last_mut())
        {
            *cell = inline(&leaf.inlines, Place::Cell);
            if table.rows.len() == 1 {
                table.first_row_is_strong &= is_strong(&leaf.inlines);
            }
            return;
        }
        match leaf.kind {
            LeafKind::Paragraph if matches!(self.open.last(), Some(Open::Summary)) => {
                self.block(&inline(&strong(&leaf.inlines), Place::Paragraph));
            }
            LeafKind::Paragraph => self.block(&inline(&leaf.inlines, Place::Paragraph)),
            LeafKind::Heading(level) => {
                let marks = "#".repeat(level.into());
                self.block(&format!("{marks} {}", inline(&leaf.inlines, Place::Heading)));
            }
            LeafKind::Preformatted => {
                let text = match leaf.inlines.as_slice() {
                    [Inline::Text(text)] => text.as_str(),
                    _ => "",
                };
                self.code(text, leaf.language.as_deref().unwrap_or(""));
            }
            LeafKind::Break => self.block("---"),
            LeafKind::Formula => {
                if let [Inline::Formula(tex)] = leaf.inlines.as_slice() {
                    self.block(&format!("$$\n{tex}\n$$"));
                }
            }
        }
    }

    /// Writes the lines of one block, with what the open containers put before each.
    fn block(&mut self, lines: &str) {
        if !self.out.is_empty() {
            let follows_callout = self.out.len() == self.callout_end;
            self.out.push('\n');
            if !follows_callout && !self.follows_tightly() {
                let mut prefix = String::new();
                for open in &self.open {
                    match open {
                        Open::Quote { used: true } => prefix.push_str("> "),
                        Open::Item { used: true, indent, .. } => prefix.push_str(&" ".repeat(*indent)),
                        Open::Quote { .. } | Open::Item { .. } => break,
                        _ => {}
                    }
                }
                self.out.push_str(prefix.trim_end());
                self.out.push('\n');
            }
        }
        for (i, line) in lines.split('\n').enumerate() {
            if i > 0 {
                self.out.push('\n');
            }
            for open in &mut self.open {
                match open {
                    Open::Quote { used } => {
                        *used = true;
                        self.out.push_str("> ");
                    }
                    Open::Item { indent, used: true, .. } => self.out.push_str(&" ".repeat(*indent)),
                    Open::Item { marker, used, .. } => {
                        *used = true;
                        self.out.push_str(marker);
                    }
                    _ => {}
                }
            }
            self.out.push_str(line);
            self.out.truncate(self.out.trim_end_matches(' ').len());
        }
    }

    /// Whether the block that comes now begins an item that no blank line parts from what was written last.
    fn follows_tightly(&self) -> bool {
        let unused =
            |open: &Open| matches!(open, Open::Quote { used: false } | Open::Item { used: false, .. });
        let Some(at) = self.open.iter().position(unused) else { return false };
        match &self.open[at] {
            Open::Item { is_first: false, loose, .. } => !loose,
            // Numbers other than 1 do not end a paragraph.
            Open::Item { marker, .. }
                if marker.starts_with(|c: char| c.is_ascii_digit()) && !is_one(marker) =>
            {
                false
            }
            Open::Item { .. } => {
                let around = self.open[..at]
                    .iter()
                    .rev()
                    .find(|open| matches!(open, Open::Quote { .. } | Open::Item { .. }));
                matches!(around, Some(Open::Item { loose: false, .. }))
            }
            _ => false,
        }
    }
}

fn is_one(marker: &str) -> bool {
    matches!(marker, "1. " | "1) ")
}

impl Table {
    fn lines(mut self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut header = match self.first_row_has_data && !(self.first_row_is_strong && self.rows.len() > 1) {
            true => Vec::new(),
            false => self.rows.remove(0),
        };
        header.resize(columns, String::new());
        let mark = |column: usize| match self.alignment.get(column).copied().flatten() {
            None => " --- |",
            Some(Align::Left) => " :--- |",
            Some(Align::Center) => " :---: |",
            Some(Align::Right) => " ---: |",
        };
        let marks: String = (0..columns).map(mark).collect();
        let mut lines = vec![row(&header), format!("|{marks}")];
        lines.extend(self.rows.iter().map(|cells| row(cells)));
        lines.join("\n")
    }
}

/// All of it strong, once.
fn strong(inlines: &[Inline]) -> Vec<Inline> {
    let marks = [Inline::Open(Style::Strong), Inline::Close(Style::Strong)];
    let others = inlines.iter().filter(|inline| !marks.contains(inline)).cloned();
    let [open, close] = marks.clone();
    std::iter::once(open).chain(others).chain([close]).collect()
}

/// Whether all of a cell is strong.
fn is_strong(inlines: &[Inline]) -> bool {
    matches!(inlines, [Inline::Open(Style::Strong), .., Inline::Close(Style::Strong)])
}

fn row(cells: &[String]) -> String {
    let mut line = "|".to_owned();
    for cell in cells {
        line.push(' ');
        line.push_str(cell);
        line.push_str(if cell.is_empty() { "|" } else { " |" });
    }
    line
}
