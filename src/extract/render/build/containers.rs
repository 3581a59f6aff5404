//! Containers: what element asks for one, where it can stand, and which tables only lay out the page.

use std::collections::BTreeSet;

use super::Builder;
use crate::dom::Tag;
use crate::extract::render::callout::callout;
use crate::extract::render::document::{Align, Container, Event, Leaf, LeafKind};
use crate::index::NodeId;

/// Containers deeper than this are not written as such, so that no line is mostly indentation.
const MAX_CONTAINERS: usize = 48;

/// A container that is open.
pub(super) struct Open {
    pub(super) container: Container,
    /// Whether the page has no element for it: an item around what stands in a list outside of items.
    implicit: bool,
    /// Where it was entered.
    event: usize,
    /// Of a cell its leaves, of a row its cells with content, of a table its rows.
    pub(super) content: u32,
    /// Of a table: one row has two cells with content. Of a definition list: a term.
    wide: bool,
    /// Of a table: nothing has been seen that a data table does not hold.
    is_data: bool,
    /// Of a table: it has header cells.
    has_header: bool,
    /// Of a table: a cell holds more than a paragraph.
    has_blocks: bool,
}

impl Builder<'_> {
    /// Where a cell's text stands, as an attribute or its style states.
    fn alignment(&self, cell: NodeId) -> Option<Align> {
        let styled = || {
            let (_, value) = self.dom.attribute(cell, "style")?.split_once("text-align")?;
            value.trim_start_matches([':', ' ']).split(|c: char| !c.is_ascii_alphabetic()).next()
        };
        // As Sphinx and Bootstrap name it.
        let named = || self.dom.classes(cell).find_map(|class| class.strip_prefix("text-"));
        match self.dom.attribute(cell, "align").or_else(styled).or_else(named)?.to_ascii_lowercase().as_str()
        {
            "left" | "start" => Some(Align::Left),
            "center" => Some(Align::Center),
            "right" | "end" => Some(Align::Right),
            _ => None,
        }
    }

    /// Whether a definition list has terms that are written; they may stand in groups.
    fn has_terms(&self, list: NodeId) -> bool {
        let is_term = |id| self.dom.tag(id) == Tag::DT && self.facts[id].holds;
        self.dom
            .children(list)
            .any(|id| is_term(id) || self.dom.tag(id) == Tag::DIV && self.dom.children(id).any(is_term))
    }

    /// The container that an element asks for.
    pub(super) fn container(&self, id: NodeId, tag: Tag) -> Option<Container> {
        let number = |name| self.dom.attribute(id, name).and_then(|value| value.trim().parse::<u32>().ok());
        let span = |name| number(name).map_or(1, |n| n.clamp(1, 100) as u16);
        if self.rich {
            if let Some(label) = self.notes.definitions.get(&id) {
                return Some(Container::Note(label.clone()));
            }
            let is_note = |child| self.notes.definitions.contains_key(&child);
            if !self.notes.definitions.is_empty()
                && matches!(tag, Tag::OL | Tag::UL | Tag::DL)
                && self.dom.children(id).any(is_note)
            {
                return None;
            }
            // As Wikipedia indents formulas.
            if tag == Tag::DL && !self.has_terms(id) {
                return None;
            }
            if let Some(kind) = callout(self.dom, id) {
                return Some(Container::Quote(Some(kind)));
            }
        }
        Some(match tag {
            Tag::UL | Tag::MENU | Tag::DIR => Container::List { start: None },
            Tag::OL => Container::List { start: Some(number("start").unwrap_or(1).min(99_999_999)) },
            Tag::LI => Container::Item,
            Tag::BLOCKQUOTE => Container::Quote(None),
            Tag::TABLE => Container::Table,
            Tag::TR => Container::Row,
            Tag::TD | Tag::TH => {
                let (columns, rows) = (span("colspan"), span("rowspan"));
                Container::Cell { header: tag == Tag::TH, columns, rows, align: self.alignment(id) }
            }
            Tag::CAPTION | Tag::FIGCAPTION => Container::Caption,
            Tag::FIGURE => Container::Figure,
            Tag::DETAILS if self.rich => Container::Details,
            Tag::SUMMARY if self.rich => Container::Caption,
            Tag::DL => Container::Definitions,
            Tag::DT => Container::Term,
            Tag::DD => Container::Definition,
            _ => return None,
        })
    }

    /// Opens a container where it can stand; anywhere else its content is written without it.
    pub(super) fn open_container(&mut self, container: Container) -> bool {
        if container == Container::Item && self.containers.last().is_some_and(|top| top.implicit) {
            self.close_containers(self.containers.len() - 1);
        }
        let top = self.containers.last().map(|top| &top.container);
        let fits = match container {
            Container::Item => matches!(top, Some(Container::List { .. })),
            Container::Row => top == Some(&Container::Table),
            Container::Cell { .. } => top == Some(&Container::Row),
            Container::Caption => {
                matches!(top, Some(Container::Table | Container::Figure | Container::Details))
            }
            Container::Term => top == Some(&Container::Definitions),
            Container::Definition => {
                let has_term = self.containers.last().is_some_and(|list| list.wide) || !self.rich;
                top == Some(&Container::Definitions) && has_term
            }
            _ => self.containers.len() < MAX_CONTAINERS,
        };
        if !fits {
            return false;
        }
        if container == Container::Caption
            && let Some(table) = self.containers.last_mut()
            && table.content > 0
        {
            table.is_data = false;
        }
        self.prepare(Some(&container));
        self.push_container(container, false);
        true
    }

    fn push_container(&mut self, container: Container, implicit: bool) {
        let event = self.events.len();
        self.events.push(Event::Enter(container.clone()));
        let is_data = self.options.tables;
        if container == Container::Term
            && let Some(list) = self.containers.last_mut()
        {
            list.wide = true;
        }
        if matches!(container, Container::Cell { header: true, columns: 1, rows: 1, .. })
            && let Some(table) = self.open_table()
        {
            table.has_header = true;
        }
        let (wide, has_header, has_blocks) = (false, false, false);
        self.containers.push(Open {
            container,
            implicit,
            event,
            content: 0,
            wide,
            is_data,
            has_header,
            has_blocks,
        });
    }

    /// Writes the line across that is due before a leaf or container, between blocks alone; notes stand apart without one.
    fn write_break(&mut self, new: Option<&Container>) {
        use Container::{Definition, Details, Item, Note, Quote};
        let is_due = std::mem::take(&mut self.break_due);
        let around = self.containers.last().map(|open| &open.container);
        let stands_in_flow = matches!(around, None | Some(Quote(_) | Item | Note(_) | Definition | Details));
        let is_before_notes = matches!(new, Some(Note(_)));
        if is_due
            && stands_in_flow
            && !is_before_notes
            && matches!(self.events.last(), Some(Event::Leaf(_) | Event::Leave))
        {
            let leaf = Leaf { kind: LeafKind::Break, spaced: true, language: None, inlines: Vec::new() };
            self.events.push(Event::Leaf(leaf));
        }
    }

    /// Makes room for a leaf or container in whatever is open: an item in a list; no data table around what no
    /// data table holds.
    pub(super) fn prepare(&mut self, new: Option<&Container>) {
        self.write_break(new);
        match (self.containers.last().map(|top| &top.container), new) {
            (Some(Container::List { .. }), Some(Container::Item)) => {}
            (Some(Container::List { .. }), _) => self.open_implicit_item(new),
            (Some(Container::Table), Some(Container::Row | Container::Caption)) => {}
            (Some(Container::Row), Some(Container::Cell { .. })) => {}
            (Some(Container::Table | Container::Row), _) => self.not_a_data_table(),
            (Some(Container::Cell { .. }), Some(_)) => self.cell_holds_blocks(),
            _ => {}
        }
    }

    /// Opens an item around what stands in a list without one. A list right after an item belongs into that item,
    /// which is opened again.
    fn open_implicit_item(&mut self, new: Option<&Container>) {
        let again = matches!(new, Some(Container::List { .. })) && self.events.last() == Some(&Event::Leave);
        self.push_container(Container::Item, true);
        if again {
            // Its own start, and the end of the item before.
            self.events.truncate(self.events.len() - 2);
        }
    }

    fn open_table(&mut self) -> Option<&mut Open> {
        self.containers.iter_mut().rev().find(|open| open.container == Container::Table)
    }

    fn not_a_data_table(&mut self) {
        if let Some(table) = self.open_table() {
            table.is_data = false;
        }
    }

    pub(super) fn cell_holds_blocks(&mut self) {
        let rich = self.rich;
        if let Some(table) = self.open_table() {
            table.has_blocks = true;
            table.is_data &= rich;
        }
    }

    /// Closes containers until `outside` are left.
    pub(super) fn close_containers(&mut self, outside: usize) {
        while self.containers.len() > outside {
            let Some(closed) = self.containers.pop() else { return };
            let content = closed.content;
            self.break_due = false;
            self.events.push(Event::Leave);
            let outer = self.containers.last_mut();
            match (closed.container, outer) {
                (Container::Cell { .. }, Some(row)) => row.content += u32::from(content > 0),
                (Container::Row, Some(table)) => {
                    table.content += 1;
                    table.wide |= content > 1;
                }
                (Container::Table, _)
                    if !(closed.is_data
                        && closed.wide
                        && content > 1
                        && (closed.has_header || !closed.has_blocks)) =>
                {
                    self.layout_tables.insert(closed.event);
                }
                _ => {}
            }
        }
    }
}

/// The events without the tables that lay out the page, nor their rows, cells and captions.
pub(super) fn without_layout_tables(events: Vec<Event>, layout_tables: &BTreeSet<usize>) -> Vec<Event> {
    let mut written = Vec::with_capacity(events.len());
    // For each open container, whether it is written, and whether the table parts right below it are.
    let mut open: Vec<(bool, bool)> = Vec::new();
    for (index, event) in events.into_iter().enumerate() {
        match &event {
            Event::Leaf(_) => written.push(event),
            Event::Leave => {
                if open.pop().is_some_and(|(is_written, _)| is_written) {
                    written.push(event);
                }
            }
            Event::Enter(container) => {
                let parts_are_written = open.last().is_none_or(|&(_, parts)| parts);
                let (is_written, parts) = match container {
                    Container::Table if layout_tables.contains(&index) => (false, false),
                    Container::Row if !parts_are_written => (false, false),
                    Container::Cell { .. } | Container::Caption if !parts_are_written => (false, true),
                    _ => (true, true),
                };
                open.push((is_written, parts));
                if is_written {
                    written.push(event);
                }
            }
        }
    }
    written
}
