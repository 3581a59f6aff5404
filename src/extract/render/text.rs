//! Events as plain text.

use super::document::{Container, Event, Inline, Leaf};
use crate::page_work::check_time;

pub(super) fn write(events: &[Event]) -> String {
    let mut writer = Writer { out: String::new(), open: Vec::new(), margin: false, row: None };
    for event in events {
        check_time();
        match event {
            Event::Enter(container) => writer.enter(container),
            Event::Leave => writer.leave(),
            Event::Leaf(leaf) => writer.leaf(leaf),
        }
    }
    if !writer.out.is_empty() {
        writer.out.push('\n');
    }
    writer.out
}

/// Whether an item has a line of its own yet; those around it that have none do not indent it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Line {
    None,
    Written,
}

struct Writer<'a> {
    out: String,
    open: Vec<(&'a Container, Line)>,
    /// Whether what was written last asks for a blank line after it.
    margin: bool,
    /// The cells of the row that is open.
    row: Option<Vec<String>>,
}

impl<'a> Writer<'a> {
    fn enter(&mut self, container: &'a Container) {
        match container {
            Container::List { .. } | Container::Quote(_) | Container::Table => {
                self.margin |= self.depth() == 0
            }
            Container::Row => self.row = Some(Vec::new()),
            Container::Cell { .. } => self.row.get_or_insert_default().push(String::new()),
            _ => {}
        }
        self.open.push((container, Line::None));
    }

    fn leave(&mut self) {
        match self.open.pop() {
            Some((Container::List { .. } | Container::Quote(_) | Container::Table, _)) => {
                self.margin |= self.depth() == 0;
            }
            Some((Container::Row, _)) => {
                let row = self.row.take().unwrap_or_default().join("\t");
                self.block(&row, false);
            }
            _ => {}
        }
    }

    fn leaf(&mut self, leaf: &Leaf) {
        match &mut self.row {
            Some(row) => {
                if let Some(cell) = row.last_mut() {
                    *cell = plain(&leaf.inlines, ' ');
                }
            }
            None => self.block(&plain(&leaf.inlines, '\n'), leaf.spaced),
        }
    }

    /// The number of items that are open.
    fn depth(&self) -> usize {
        self.open.iter().filter(|(open, _)| **open == Container::Item).count()
    }

    /// Writes lines, with a blank line around them if `spaced`. Within a list there are none.
    fn block(&mut self, lines: &str, spaced: bool) {
        let spaced = spaced && self.depth() == 0;
        if !self.out.is_empty() {
            self.out.push_str(if spaced || self.margin { "\n\n" } else { "\n" });
        }
        self.margin = spaced;
        let mut indent = self.open.iter().filter(|&&(_, line)| line == Line::Written).count();
        let innermost = self.open.iter_mut().rev().find(|(open, _)| **open == Container::Item);
        let mut marker =
            innermost.is_some_and(|(_, line)| std::mem::replace(line, Line::Written) == Line::None);
        for (i, line) in lines.split('\n').enumerate() {
            if i > 0 {
                self.out.push('\n');
            }
            let line = line.trim_end();
            if !line.is_empty() {
                self.out.push_str(&"  ".repeat(indent));
                if std::mem::take(&mut marker) {
                    self.out.push_str("- ");
                    indent += 1;
                }
                self.out.push_str(line);
            }
        }
    }
}

/// The text of inline content.
pub(super) fn plain(inlines: &[Inline], line_break: char) -> String {
    let mut text = String::new();
    for inline in inlines {
        match inline {
            Inline::Text(piece) => text.push_str(piece),
            Inline::Break => text.push(line_break),
            Inline::Formula(tex) => text.push_str(&format!("${tex}$")),
            Inline::Reference(label) => text.push_str(&format!("[^{label}]")),
            _ => {}
        }
    }
    text
}
