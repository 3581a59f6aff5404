//! From a page and its kept text nodes to events: one walk over the page, and one over the events it made.

use std::collections::{BTreeSet, HashMap};

use super::document::{Container, Event, Inline, Leaf, LeafKind, Style};
use super::images::kept_pictures;
use super::inline::Run;
use super::{Kept, RenderOptions};
use crate::dom::{Dom, NodeKind, Tag};
use crate::extract::address::Base;
use crate::extract::pictures::Picture;
use crate::index::{NodeId, NodeMap};
use crate::page::Page;

/// Containers deeper than this are not written as such, so that no line is mostly indentation.
const MAX_CONTAINERS: usize = 48;

/// The events of the kept text of a page. Linear in the page.
pub(super) fn document(page: &Page, kept: &Kept, options: &RenderOptions) -> Vec<Event> {
    let mut builder = Builder::new(page, kept, options);
    builder.walk();
    without_layout_tables(builder.events, &builder.layout_tables)
}

/// An element that is open while the page is walked.
struct Frame {
    end: u32,
    /// Whether it parts runs of text, as in the block tree.
    parts: bool,
    /// Whether it ends a line of preformatted text.
    ends_line: bool,
    /// Whether it opened a style.
    style: bool,
    /// How many containers were open before it opened one.
    container: Option<usize>,
    /// The kind and spacing of leaves outside it.
    outer: (LeafKind, bool),
}

/// A container that is open.
struct Open {
    container: Container,
    /// Whether the page has no element for it: an item around what stands in a list outside of items.
    implicit: bool,
    /// Where it was entered.
    event: usize,
    /// Of a cell its leaves, of a row its cells with content, of a table its rows.
    content: u32,
    /// Of a table: one row has two cells with content.
    wide: bool,
    /// Of a table: nothing has been seen that a data table does not hold.
    is_data: bool,
}

struct Builder<'a> {
    dom: &'a Dom,
    kept: &'a Kept,
    options: &'a RenderOptions,
    base: Base,
    images: HashMap<NodeId, Picture>,
    facts: NodeMap<Facts>,
    events: Vec<Event>,
    /// Where tables were entered that turned out to lay out the page.
    layout_tables: BTreeSet<usize>,
    frames: Vec<Frame>,
    containers: Vec<Open>,
    run: Run,
    kind: LeafKind,
    spaced: bool,
    /// Whether the leaf before was ended by two line breaks.
    separated: bool,
}

/// What the first pass finds out about a node.
#[derive(Debug, Clone, Copy, Default)]
struct Facts {
    /// It holds kept text or a kept image.
    holds: bool,
    /// It is a block element or stands around one.
    parts: bool,
    /// It is an image that is kept.
    image: bool,
}

impl<'a> Builder<'a> {
    fn new(page: &'a Page, kept: &'a Kept, options: &'a RenderOptions) -> Self {
        let pictures = if options.images { kept_pictures(page, kept) } else { Vec::new() };
        let images = pictures.into_iter().map(|picture| (picture.node, picture)).collect();
        Builder {
            dom: page.dom(),
            kept,
            options,
            facts: facts(page.dom(), kept, &images),
            images,
            base: Base::read(page),
            events: Vec::new(),
            layout_tables: BTreeSet::new(),
            frames: Vec::new(),
            containers: Vec::new(),
            run: Run::new(),
            kind: LeafKind::Paragraph,
            spaced: false,
            separated: false,
        }
    }

    fn walk(&mut self) {
        let mut next = 1u32;
        while (next as usize) < self.dom.len() {
            let id = NodeId(next);
            while self.frames.last().is_some_and(|frame| frame.end <= next) {
                self.leave();
            }
            next += 1;
            match self.dom.kind(id) {
                NodeKind::Text => self.text(id),
                NodeKind::Element if self.dom.tag(id).hides_text() => {
                    if self.dom.tag(id).is_block() {
                        self.end_leaf();
                    }
                    next = self.dom.subtree_end(id).0;
                }
                _ => self.enter(id),
            }
        }
        while !self.frames.is_empty() {
            self.leave();
        }
        self.end_leaf();
        self.close_containers(0);
    }

    fn text(&mut self, id: NodeId) {
        let text = self.dom.text(id);
        let preformatted = self.kind == LeafKind::Preformatted;
        match (self.kept.contains(id), preformatted) {
            (true, true) => self.run.raw(text),
            (true, false) => {
                self.part_paragraph();
                self.run.text(text);
            }
            // What is left out, or is blank, still parts the words around it.
            (false, true) if !self.dom.is_visible_text(id) => self.run.raw(text),
            (false, true) => self.run.raw(if text.contains('\n') { "\n" } else { " " }),
            (false, false) => self.run.blank(),
        }
    }

    fn enter(&mut self, id: NodeId) {
        let tag = self.dom.tag(id);
        let facts = self.facts[id];
        match tag {
            Tag::BR if self.kind == LeafKind::Preformatted => self.run.raw("\n"),
            Tag::BR => self.run.line_break(),
            Tag::HR => self.end_leaf(),
            _ if facts.image => self.image(id),
            _ => {}
        }
        let outer = (self.kind, self.spaced);
        let container = match self.container(id, tag) {
            Some(container) if facts.holds || matches!(container, Container::Cell { .. }) => Some(container),
            _ => None,
        };
        // A block element within `<pre>`, such as one around each line of code, ends the line and not the leaf.
        let ends_line = self.kind == LeafKind::Preformatted
            && container.is_none()
            && tag.heading_level().is_none()
            && facts.parts;
        let parts = facts.parts && !ends_line;
        if parts {
            self.end_leaf();
        } else if ends_line {
            self.run.end_line();
        }
        if let Some(level) = tag.heading_level() {
            (self.kind, self.spaced) = (LeafKind::Heading(level), true);
        } else if tag == Tag::PRE {
            (self.kind, self.spaced) = (LeafKind::Preformatted, true);
        } else if tag == Tag::P {
            self.spaced = true;
        } else if parts && self.kind == LeafKind::Paragraph {
            self.spaced = false;
        }
        let outside = self.containers.len();
        let container = container.filter(|container| self.open_container(container.clone())).map(|_| outside);
        let style = facts.holds && self.style(id, tag).is_some_and(|style| self.run.open(style));
        let end = self.dom.subtree_end(id).0;
        self.frames.push(Frame { end, parts, ends_line, style, container, outer });
    }

    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        if frame.parts {
            self.end_leaf();
        } else if frame.ends_line {
            self.run.end_line();
        }
        if frame.style {
            self.run.close();
        }
        (self.kind, self.spaced) = frame.outer;
        if let Some(outside) = frame.container {
            self.close_containers(outside);
        }
    }

    fn image(&mut self, id: NodeId) {
        let Some(picture) = self.images.remove(&id) else { return };
        if let Some(url) = picture.url() {
            self.part_paragraph();
            self.run.image(url.to_owned(), picture.alt);
        }
    }

    /// Ends the paragraph before new content if two line breaks stand between.
    fn part_paragraph(&mut self) {
        if self.run.is_separated() && self.kind == LeafKind::Paragraph {
            self.end_leaf();
            self.separated = true;
        }
    }

    fn end_leaf(&mut self) {
        let separated = std::mem::take(&mut self.separated);
        let Some(mut inlines) = self.run.take() else { return };
        if self.kind == LeafKind::Preformatted {
            match preformatted(&inlines) {
                Some(text) => inlines = vec![Inline::Text(text)],
                None => return,
            }
        }
        self.prepare(None);
        if let Some(cell) = self.containers.last_mut()
            && matches!(cell.container, Container::Cell { .. })
        {
            cell.content += 1;
            if cell.content > 1 || self.kind != LeafKind::Paragraph {
                self.not_a_data_table();
            }
        }
        let spaced = self.spaced || separated;
        self.events.push(Event::Leaf(Leaf { kind: self.kind, spaced, inlines }));
    }

    /// The container that an element asks for.
    fn container(&self, id: NodeId, tag: Tag) -> Option<Container> {
        let number = |name| self.dom.attribute(id, name).and_then(|value| value.trim().parse::<u32>().ok());
        let span = |name| number(name).map_or(1, |n| n.clamp(1, 100) as u16);
        Some(match tag {
            Tag::UL | Tag::MENU | Tag::DIR => Container::List { start: None },
            Tag::OL => Container::List { start: Some(number("start").unwrap_or(1).min(99_999_999)) },
            Tag::LI => Container::Item,
            Tag::BLOCKQUOTE => Container::Quote,
            Tag::TABLE => Container::Table,
            Tag::TR => Container::Row,
            Tag::TD | Tag::TH => {
                Container::Cell { header: tag == Tag::TH, columns: span("colspan"), rows: span("rowspan") }
            }
            Tag::CAPTION | Tag::FIGCAPTION => Container::Caption,
            Tag::FIGURE => Container::Figure,
            Tag::DL => Container::Definitions,
            Tag::DT => Container::Term,
            Tag::DD => Container::Definition,
            _ => return None,
        })
    }

    /// Opens a container where it can stand; anywhere else its content is written without it.
    fn open_container(&mut self, container: Container) -> bool {
        if container == Container::Item && self.containers.last().is_some_and(|top| top.implicit) {
            self.close_containers(self.containers.len() - 1);
        }
        let top = self.containers.last().map(|top| &top.container);
        let fits = match container {
            Container::Item => matches!(top, Some(Container::List { .. })),
            Container::Row => top == Some(&Container::Table),
            Container::Cell { .. } => top == Some(&Container::Row),
            Container::Caption => matches!(top, Some(Container::Table | Container::Figure)),
            Container::Term | Container::Definition => top == Some(&Container::Definitions),
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
        self.containers.push(Open { container, implicit, event, content: 0, wide: false, is_data });
    }

    /// Makes room for a leaf or container in whatever is open: an item in a list; no data table around what no
    /// data table holds.
    fn prepare(&mut self, new: Option<&Container>) {
        match (self.containers.last().map(|top| &top.container), new) {
            (Some(Container::List { .. }), Some(Container::Item)) => {}
            (Some(Container::List { .. }), _) => self.open_implicit_item(new),
            (Some(Container::Table), Some(Container::Row | Container::Caption)) => {}
            (Some(Container::Row), Some(Container::Cell { .. })) => {}
            (Some(Container::Table | Container::Row), _) => self.not_a_data_table(),
            (Some(Container::Cell { .. }), Some(_)) => self.not_a_data_table(),
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

    fn not_a_data_table(&mut self) {
        let mut inner_to_outer = self.containers.iter_mut().rev();
        if let Some(table) = inner_to_outer.find(|open| open.container == Container::Table) {
            table.is_data = false;
        }
    }

    /// Closes containers until `outside` are left.
    fn close_containers(&mut self, outside: usize) {
        while self.containers.len() > outside {
            let Some(closed) = self.containers.pop() else { return };
            let content = closed.content;
            self.events.push(Event::Leave);
            let outer = self.containers.last_mut();
            match (closed.container, outer) {
                (Container::Cell { .. }, Some(row)) => row.content += u32::from(content > 0),
                (Container::Row, Some(table)) => {
                    table.content += 1;
                    table.wide |= content > 1;
                }
                (Container::Table, _) if !(closed.is_data && closed.wide && content > 1) => {
                    self.layout_tables.insert(closed.event);
                }
                _ => {}
            }
        }
    }

    fn style(&self, id: NodeId, tag: Tag) -> Option<Style> {
        Some(match tag {
            Tag::B | Tag::STRONG => Style::Strong,
            Tag::I | Tag::EM | Tag::CITE | Tag::DFN | Tag::VAR => Style::Emphasis,
            Tag::S | Tag::STRIKE | Tag::DEL => Style::Strike,
            Tag::CODE | Tag::TT | Tag::KBD | Tag::SAMP => Style::Code,
            Tag::SUB => Style::Sub,
            Tag::SUP => Style::Sup,
            Tag::Q => Style::Quotation,
            Tag::A if self.options.links => {
                Style::Link(self.dom.attribute(id, "href").and_then(|href| self.base.link(href))?)
            }
            _ => return None,
        })
    }
}

/// The events without the tables that lay out the page, nor their rows, cells and captions.
fn without_layout_tables(events: Vec<Event>, layout_tables: &BTreeSet<usize>) -> Vec<Event> {
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

/// The first pass: which nodes hold kept content, which part runs, which images are kept.
fn facts(dom: &Dom, kept: &Kept, images: &HashMap<NodeId, Picture>) -> NodeMap<Facts> {
    let mut facts = NodeMap::filled(dom.len(), Facts::default());
    for &id in images.keys() {
        facts[id] = Facts { image: true, holds: true, parts: false };
    }
    for id in dom.ids().rev() {
        let tag = dom.tag(id);
        facts[id].holds |= kept.contains(id);
        facts[id].parts |=
            dom.kind(id) == NodeKind::Element && tag.is_block() && tag != Tag::HR && !tag.hides_text();
        let Facts { holds, parts, .. } = facts[id];
        if let Some(parent) = dom.parent(id) {
            facts[parent].holds |= holds;
            facts[parent].parts |= parts;
        }
    }
    facts
}

/// The text of a `<pre>` without blanks at the ends of lines and empty lines at its own ends.
fn preformatted(inlines: &[Inline]) -> Option<String> {
    let texts = inlines.iter().filter_map(|inline| match inline {
        Inline::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let text: String = texts.collect();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let first = lines.iter().position(|line| !line.is_empty())?;
    let last = lines.iter().rposition(|line| !line.is_empty())?;
    Some(lines[first..=last].join("\n"))
}
