//! From a page and its kept text nodes to events: one walk over the page, and one over the events it made.

mod containers;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use containers::{Open, without_layout_tables};

use super::callout::is_bare_title;
use super::code::{is_language_label, is_line, is_line_numbers, language, shows_code};
use super::document::{Container, Detail, Event, Inline, Leaf, LeafKind, Style};
use super::formula::{Formula, Piece, draws_tex, formula, may_be_formula, pieces, without_groups};
use super::furniture::{is_furniture, shows, visible};
use super::images::kept_pictures;
use super::inline::Run;
use super::notes::Notes;
use super::tabs::Tabs;
use super::{Kept, RenderOptions};
use crate::dom::{Dom, NodeKind, Tag};
use crate::extract::address::Base;
use crate::extract::pictures::Picture;
use crate::index::{NodeId, NodeMap};
use crate::page::Page;
use crate::page_work::check_time;

/// The events of the kept text of a page. Linear in the page.
pub(super) fn document(page: &Page, kept: &Kept, options: &RenderOptions, detail: Detail) -> Vec<Event> {
    let mut builder = Builder::new(page, kept, options, detail);
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
    /// Whether it is a part of a heading.
    in_heading: bool,
    /// Whether it opened a style.
    style: bool,
    /// How many containers were open before it opened one.
    container: Option<usize>,
    /// Whether it is a line of code, and the bytes of the code before it.
    line: Option<usize>,
    /// The kind and spacing of leaves outside it.
    outer: (LeafKind, bool),
}

struct Builder<'a> {
    dom: &'a Dom,
    kept: Cow<'a, Kept>,
    /// Whether structure is told.
    rich: bool,
    /// Whether the page draws TeX between dollar signs, once that was asked for.
    draws_tex: Option<bool>,
    notes: Notes,
    tabs: Tabs,
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
    /// The element of the preformatted text.
    pre: NodeId,
    /// Whether a line of code ended without a line break.
    line_due: bool,
    /// Whether the last shown text was kept.
    last_is_kept: bool,
    /// Whether a line across stands before what comes next.
    break_due: bool,
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
    /// The first shown text from here on is kept.
    before_kept: bool,
}

impl<'a> Builder<'a> {
    fn new(page: &'a Page, kept: &'a Kept, options: &'a RenderOptions, detail: Detail) -> Self {
        let pictures = if options.images { kept_pictures(page, kept) } else { Vec::new() };
        let rich = detail == Detail::Structure;
        let mut kept = Cow::Borrowed(kept);
        let notes = if rich { Notes::find(page.dom(), &kept) } else { Notes::default() };
        if !notes.definitions.is_empty() {
            notes.keep(page.dom(), kept.to_mut());
        }
        let tabs = if rich { Tabs::find(page.dom(), &kept) } else { Tabs::default() };
        if !tabs.is_empty() {
            tabs.leave_out(page.dom(), kept.to_mut());
        }
        let images = pictures.into_iter().map(|picture| (picture.node, picture)).collect();
        Builder {
            dom: page.dom(),
            rich,
            draws_tex: None,
            notes,
            tabs,
            options,
            facts: facts(page.dom(), &kept, &images),
            kept,
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
            pre: NodeId(0),
            line_due: false,
            last_is_kept: false,
            break_due: false,
        }
    }

    fn walk(&mut self) {
        let mut next = 1u32;
        while (next as usize) < self.dom.len() {
            check_time();
            let id = NodeId(next);
            while self.frames.last().is_some_and(|frame| frame.end <= next) {
                self.leave();
            }
            next += 1;
            match self.dom.kind(id) {
                NodeKind::Text => self.text(id),
                NodeKind::Element if self.rich && self.stands_apart(id) => next = self.dom.subtree_end(id).0,
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

    /// Writes what is no text, though it may look like some; whether the element was that, with all that is inside.
    fn stands_apart(&mut self, id: NodeId) -> bool {
        let preformatted = self.kind == LeafKind::Preformatted;
        if self.notes.skipped.contains(&id) || is_furniture(self.dom, id) || is_bare_title(self.dom, id) {
            self.run.blank();
            return true;
        }
        if preformatted || self.dom.tag(id) == Tag::TABLE {
            return preformatted && is_line_numbers(self.dom, id);
        }
        let is_of_code = match self.dom.tag(id) {
            Tag::PRE => is_line_numbers(self.dom, id),
            Tag::DIV if is_line_numbers(self.dom, id) => true,
            _ => is_language_label(self.dom, id),
        };
        if is_of_code {
            return true;
        }
        if let Some(label) = self.notes.references.get(&id) {
            self.run.piece(Inline::Reference(label.clone()));
            return true;
        }
        if self.dom.tag(id) == Tag::INPUT {
            self.task(id);
            return true;
        }
        let Some(formula) = formula(self.dom, id) else { return false };
        if self.is_kept_formula(id) {
            self.formula(formula);
        }
        true
    }

    /// Whether a formula is kept: its own text is, the block that it stands in, or the text on both sides.
    fn is_kept_formula(&self, id: NodeId) -> bool {
        let end = self.dom.subtree_end(id);
        let before_kept = end.index() < self.dom.len() && self.facts[end].before_kept;
        let block = self.dom.ancestors(id).find(|&around| self.dom.tag(around).is_block());
        let in_kept_block = block.is_some_and(|block| {
            self.facts[block].holds && !matches!(self.dom.tag(block), Tag::BODY | Tag::DIV)
        });
        self.facts[id].holds || in_kept_block || self.last_is_kept && before_kept
    }

    /// Whether a row that holds no kept text holds a kept formula.
    fn holds_formula(&self, row: NodeId) -> bool {
        let is_kept = |id: NodeId| {
            may_be_formula(self.dom, id) && self.is_kept_formula(id) && formula(self.dom, id).is_some()
        };
        self.rich && self.dom.subtree(row).any(is_kept)
    }

    fn formula(&mut self, Formula { tex, display }: Formula) {
        if tex.is_empty() {
            return;
        }
        let stands_in_paragraph = self.kind == LeafKind::Paragraph
            && !matches!(self.containers.last(), Some(Open { container: Container::Cell { .. }, .. }));
        self.part_paragraph();
        if display && stands_in_paragraph {
            self.end_leaf();
            self.run.piece(Inline::Formula(tex));
            self.end_leaf();
        } else {
            self.run.piece(Inline::Formula(tex));
        }
    }

    /// A box to tick at the beginning of an item, where no heading is around it: in one Markdown knows no tasks.
    fn task(&mut self, id: NodeId) {
        let is_box = self.dom.attribute(id, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"));
        let begins_item = self.events.last() == Some(&Event::Enter(Container::Item));
        if is_box && begins_item && self.kind == LeafKind::Paragraph && self.run.is_empty() {
            self.run.task(self.dom.attribute(id, "checked").is_some());
        }
    }

    /// Writes the name of the tab before its panel.
    fn name_of_tab(&mut self, panel: NodeId) {
        if let Some(name) = self.tabs.name(panel) {
            let opened = self.run.open(Style::Strong);
            self.run.text(name);
            if opened {
                self.run.close();
            }
            self.end_leaf();
        }
    }

    fn rich_text(&mut self, text: &str) {
        let text = visible(text);
        if !text.contains(['\\', '$']) {
            self.run.text(&text);
            return;
        }
        let text = without_groups(&text);
        let with_dollars = *self.draws_tex.get_or_insert_with(|| draws_tex(self.dom));
        for piece in pieces(&text, with_dollars) {
            match piece {
                Piece::Text(text) => self.run.text(text),
                Piece::Formula(formula) => self.formula(formula),
            }
        }
    }

    fn text(&mut self, id: NodeId) {
        let text = self.dom.text(id);
        let preformatted = self.kind == LeafKind::Preformatted;
        if self.dom.is_visible_text(id) {
            self.last_is_kept = self.kept.contains(id);
        }
        if preformatted && text.contains('\n') {
            self.line_due = false;
        }
        match (self.kept.contains(id), preformatted) {
            (true, true) => self.run.raw(text),
            (true, false) => {
                self.part_paragraph();
                match self.rich {
                    true => self.rich_text(text),
                    false => self.run.text(text),
                }
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
            Tag::HR => {
                self.end_leaf();
                self.break_due = self.rich;
            }
            _ if facts.image => self.image(id),
            _ => {}
        }
        let outer = (self.kind, self.spaced);
        let in_code = self.rich && self.kind == LeafKind::Preformatted;
        let container = match self.container(id, tag) {
            _ if in_code => None,
            Some(container) if facts.holds || matches!(container, Container::Cell { .. }) => Some(container),
            Some(Container::Row) if self.holds_formula(id) => Some(Container::Row),
            _ => None,
        };
        // A block element within `<pre>`, such as one around each line of code, ends the line and not the leaf.
        let ends_line = self.kind == LeafKind::Preformatted
            && container.is_none()
            && tag.heading_level().is_none()
            && facts.parts;
        let is_line = in_code && is_line(self.dom, id);
        if is_line && std::mem::take(&mut self.line_due) {
            self.run.end_line();
        }
        // As rustdoc has the bounds of a function.
        let in_heading =
            self.rich && matches!(self.kind, LeafKind::Heading(_)) && facts.parts && tag == Tag::DIV;
        let parts = facts.parts && !ends_line && !in_heading;
        if parts {
            self.end_leaf();
        } else if ends_line {
            self.run.end_line();
        } else if in_heading {
            self.run.blank();
        }
        self.name_of_tab(id);
        if let Some(level) = tag.heading_level() {
            (self.kind, self.spaced) = (LeafKind::Heading(level), true);
        } else if tag == Tag::PRE || self.rich && shows_code(self.dom, id) {
            if self.kind != LeafKind::Preformatted {
                (self.pre, self.line_due) = (id, false);
            }
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
        let line = is_line.then(|| self.run.raw_bytes());
        self.frames.push(Frame { end, parts, ends_line, in_heading, style, container, line, outer });
    }

    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        match frame.line {
            // An empty line.
            Some(before) if frame.ends_line && before == self.run.raw_bytes() => self.run.raw("\n"),
            Some(_) => self.line_due = !frame.ends_line,
            None => {}
        }
        if frame.parts {
            self.end_leaf();
        } else if frame.ends_line {
            self.run.end_line();
        } else if frame.in_heading {
            self.run.blank();
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
        let is_formula =
            self.kind == LeafKind::Paragraph && matches!(inlines.as_slice(), [Inline::Formula(_)]);
        let around = self.containers.last().map(|open| &open.container);
        let kind = match is_formula && !matches!(around, Some(Container::Cell { .. } | Container::Item)) {
            true => LeafKind::Formula,
            false => self.kind,
        };
        self.prepare(None);
        if let Some(cell) = self.containers.last_mut()
            && matches!(cell.container, Container::Cell { .. })
        {
            cell.content += 1;
            if cell.content > 1 || self.kind != LeafKind::Paragraph {
                self.cell_holds_blocks();
            }
        }
        let spaced = self.spaced || separated;
        let is_code = self.rich && self.kind == LeafKind::Preformatted;
        let language = is_code.then(|| language(self.dom, self.pre)).flatten();
        self.events.push(Event::Leaf(Leaf { kind, spaced, language, inlines }));
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

/// The first pass: which nodes hold kept content, which part runs, which images are kept.
fn facts(dom: &Dom, kept: &Kept, images: &HashMap<NodeId, Picture>) -> NodeMap<Facts> {
    let mut facts = NodeMap::filled(dom.len(), Facts::default());
    for &id in images.keys() {
        facts[id] = Facts { image: true, holds: true, ..Facts::default() };
    }
    let mut before_kept = false;
    let mut shown: Vec<NodeId> = dom.shown_texts().collect();
    for id in dom.ids().rev() {
        let tag = dom.tag(id);
        // Text of soft hyphens alone shows nothing.
        facts[id].holds |= kept.contains(id) && shows(dom.text(id));
        if shown.last() == Some(&id) {
            shown.pop();
            before_kept = kept.contains(id);
        }
        facts[id].before_kept = before_kept;
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

/// The text of a `<pre>` without blanks at the ends of lines and empty lines at its own ends. A carriage return, which only a character
/// reference makes, is a blank (CSS Text 3, "White Space Processing").
fn preformatted(inlines: &[Inline]) -> Option<String> {
    let texts = inlines.iter().filter_map(|inline| match inline {
        Inline::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let text = texts.collect::<String>().replace('\r', " ");
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let first = lines.iter().position(|line| !line.is_empty())?;
    let last = lines.iter().rposition(|line| !line.is_empty())?;
    Some(lines[first..=last].join("\n"))
}
