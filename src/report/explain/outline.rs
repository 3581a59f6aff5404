//! The page's text in its block structure: nested blocks, headings, lists, links that lead nowhere.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::units::{Unit, Units, text_between, texts_of};
use crate::characters::folded;
use crate::dom::serialize::{escape, escape_into};
use crate::dom::{BlockKind, Dom, NodeKind, Tag};
use crate::index::NodeId;
use crate::page::Page;

/// Levels of nesting that are shown; blocks deeper down stand at the last one. Browsers nest 512 deep at most.
const MAX_DEPTH: usize = 12;
/// An inner block of at least this many leaves ...
const ROW_LEAVES: u32 = 3;
/// ... with at most this many words each on average (a menu) is set in rows instead of lines.
const ROW_WORDS: u32 = 4;

/// How text is set, inherited downwards.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Look {
    /// The link that it stands in.
    link: Option<NodeId>,
    strong: bool,
    emphasis: bool,
    code: bool,
    preformatted: bool,
    /// 1 to 6; 0 outside of headings.
    heading: u8,
}

/// The HTML of all shown text. Linear in the page.
pub(super) fn page_text(page: &Page, units: &Units) -> String {
    let looks = looks(page.dom());
    let numbers = item_numbers(page.dom());
    let shapes = shapes(page, units, &looks);
    let blocks = page.blocks().blocks();
    let mut html = String::new();
    // Open inner blocks: number, and whether a tag was written for it.
    let mut open: Vec<(u32, bool)> = Vec::new();
    let mut depth = 0;
    for (index, block) in blocks.iter().enumerate() {
        while let Some(&(top, is_written)) = open.last()
            && Some(top) != block.parent
        {
            close(&mut html, is_written, &mut depth);
            open.pop();
        }
        match block.kind {
            BlockKind::Leaf => write_leaf(&mut html, page, units, index, &looks, &numbers),
            BlockKind::Inner => {
                let is_written = depth < MAX_DEPTH;
                if is_written {
                    let shape = &shapes[index];
                    let row = if shape.is_row() { " row" } else { "" };
                    let removed = if shape.is_kept { "" } else { " removed" };
                    let item = item(page.dom(), block.top, block.bottom);
                    let (class, number) =
                        item.map_or(Default::default(), |item| (" li", number_attribute(&numbers, item)));
                    let _ = writeln!(html, "<div class=\"n{row}{class}{removed}\"{number}>");
                    depth += 1;
                }
                open.push((index as u32, is_written));
            }
        }
    }
    for (_, is_written) in open.into_iter().rev() {
        close(&mut html, is_written, &mut depth);
    }
    html
}

fn close(html: &mut String, is_written: bool, depth: &mut usize) {
    if is_written {
        html.push_str("</div>\n");
        *depth -= 1;
    }
}

/// How the text below each node is set.
fn looks(dom: &Dom) -> Vec<Look> {
    let mut looks = vec![Look::default(); dom.len()];
    for id in dom.ids() {
        let mut look = dom.parent(id).map_or(Look::default(), |parent| looks[parent.index()]);
        let tag = dom.tag(id);
        if dom.kind(id) == NodeKind::Element {
            if tag == Tag::A && dom.attribute(id, "href").is_some() {
                look.link = Some(id);
            }
            look.strong |= matches!(tag, Tag::B | Tag::STRONG);
            look.emphasis |= matches!(tag, Tag::I | Tag::EM | Tag::CITE | Tag::DFN | Tag::VAR);
            look.code |= matches!(tag, Tag::CODE | Tag::KBD | Tag::SAMP | Tag::TT);
            look.preformatted |= tag == Tag::PRE;
            look.heading = tag.heading_level().unwrap_or(look.heading);
        }
        looks[id.index()] = look;
    }
    looks
}

/// What an inner block holds.
#[derive(Debug, Clone, Copy, Default)]
struct Shape {
    leaves: u32,
    words: u32,
    /// Whether anything in it cannot stand in a row: an inner block, a heading, preformatted text.
    is_mixed: bool,
    /// Whether any of its text is kept.
    is_kept: bool,
}

impl Shape {
    fn is_row(&self) -> bool {
        !self.is_mixed && self.leaves >= ROW_LEAVES && self.words <= ROW_WORDS * self.leaves
    }
}

fn shapes(page: &Page, units: &Units, looks: &[Look]) -> Vec<Shape> {
    let blocks = page.blocks().blocks();
    let mut shapes = vec![Shape::default(); blocks.len()];
    for (index, block) in blocks.iter().enumerate().rev() {
        let is_leaf = block.kind == BlockKind::Leaf;
        let of_block = units.block_units(index);
        shapes[index].is_kept |= of_block.iter().any(|unit| unit.kept);
        let Shape { is_kept, .. } = shapes[index];
        if let Some(parent) = block.parent {
            let look = looks[block.bottom.index()];
            let above = &mut shapes[parent as usize];
            above.is_kept |= is_kept;
            above.is_mixed |= !is_leaf || look.heading > 0 || look.preformatted;
            above.leaves += 1;
            above.words = of_block.iter().fold(above.words, |sum, unit| sum.saturating_add(unit.words));
        }
    }
    shapes
}

/// The list item in the chain of only children from `top` to `bottom`.
fn item(dom: &Dom, top: NodeId, bottom: NodeId) -> Option<NodeId> {
    std::iter::once(bottom)
        .chain(dom.ancestors(bottom))
        .take_while(|&id| id >= top)
        .find(|&id| matches!(dom.tag(id), Tag::LI | Tag::DD))
}

/// The numbers of the items of ordered lists, but for lists that count down.
fn item_numbers(dom: &Dom) -> HashMap<NodeId, i32> {
    let stated = |id: NodeId, name: &str| dom.attribute(id, name)?.trim().parse::<i32>().ok();
    let mut next: HashMap<NodeId, i32> = HashMap::new();
    let mut numbers = HashMap::new();
    for id in dom.ids().filter(|&id| dom.tag(id) == Tag::LI) {
        let Some(list) = dom.parent(id).filter(|&list| dom.tag(list) == Tag::OL) else { continue };
        if dom.attribute(list, "reversed").is_none() {
            let next = next.entry(list).or_insert_with(|| stated(list, "start").unwrap_or(1));
            let number = stated(id, "value").unwrap_or(*next);
            *next = number.saturating_add(1);
            numbers.insert(id, number);
        }
    }
    numbers
}

/// The attribute that the number of an item is drawn from; empty for one without.
fn number_attribute(numbers: &HashMap<NodeId, i32>, item: NodeId) -> String {
    numbers.get(&item).map_or_else(String::new, |number| format!(" data-n=\"{number}.\""))
}

fn write_leaf(
    html: &mut String,
    page: &Page,
    units: &Units,
    index: usize,
    looks: &[Look],
    numbers: &HashMap<NodeId, i32>,
) {
    let block = &page.blocks().blocks()[index];
    let look = looks[block.bottom.index()];
    let of_block = units.block_units(index);
    let mut classes = String::from("b");
    let mut number = String::new();
    if look.heading > 0 {
        let _ = write!(classes, " h{}", look.heading);
    } else if let Some(item) = item(page.dom(), block.top, block.bottom) {
        classes.push_str(" li");
        number = number_attribute(numbers, item);
    }
    if look.preformatted {
        classes.push_str(" pre");
    }
    if !of_block.iter().any(|unit| unit.kept) {
        classes.push_str(" removed");
    }
    let first = units.of_block[index].start as usize + 1;
    let mut run = Run { dom: page.dom(), looks, last: None, blank: false, keep: look.preformatted };
    if let [unit] = of_block {
        let _ = write!(html, "<div dir=\"auto\"{number} class=\"{classes} {}", unit_attributes(unit, first));
        run.write(html, texts_of(page, unit), "");
    } else {
        let _ = write!(html, "<div dir=\"auto\"{number} class=\"{classes}\">");
        for (at, unit) in of_block.iter().enumerate() {
            let removed = if unit.kept { "" } else { "removed " };
            let open = format!("<span class=\"{removed}{}", unit_attributes(unit, first + at));
            run.write(html, texts_of(page, unit), &open);
            html.push_str("</span>");
        }
    }
    html.push_str("</div>\n");
}

/// The rest of a start tag from inside its class attribute on.
fn unit_attributes(unit: &Unit, number: usize) -> String {
    let percent = (unit.certainty() * 100.0).round();
    let unsure = if unit.is_unsure() { " unsure" } else { "" };
    let button = if unit.detailed { " tabindex=\"0\" role=\"button\"" } else { "" };
    format!(
        "u l{}{unsure}\" id=\"b{number}\" style=\"--p:{percent}\" title=\"{} {percent} %\"{button}>",
        unit.label.index(),
        unit.label
    )
}

/// The text of one block as it is written, unit after unit.
struct Run<'a> {
    dom: &'a Dom,
    looks: &'a [Look],
    /// The text node before.
    last: Option<NodeId>,
    /// Whether the text so far ended with white space.
    blank: bool,
    /// Whether white space stays as it is; folded to single blanks otherwise.
    keep: bool,
}

impl Run<'_> {
    /// Writes text nodes in their marks; `open` is put before the first, after the blank that is due.
    fn write(&mut self, html: &mut String, texts: &[NodeId], open: &str) {
        for (at, &id) in texts.iter().enumerate() {
            let text = self.dom.text(id);
            // Blanks stand outside of the marks, so that they are not underlined.
            let is_joined = self.write_blank(html, id);
            if at == 0 {
                html.push_str(open);
            }
            let look = self.looks[id.index()];
            let link = look.link.is_some();
            let marks = [(link, "u"), (look.strong, "b"), (look.emphasis, "i"), (look.code, "code")];
            let marks = || marks.into_iter().filter(|&(is_on, _)| is_on).map(|(_, tag)| tag);
            marks().for_each(|tag| {
                // A style sheet of the page's own would part them, and no text does.
                let class = if tag == "u" && is_joined { " class=\"next\"" } else { "" };
                html.push_str(&format!("<{tag}{class}>"));
            });
            if self.keep {
                escape_into(html, text);
            } else {
                escape_into(html, &folded(text));
            }
            marks().rev().for_each(|tag| html.push_str(&format!("</{tag}>")));
            self.blank = text.ends_with(char::is_whitespace);
            self.last = Some(id);
        }
    }

    /// Writes the white space between the last text node and `id`: none before the first. Whether `id` begins another link right
    /// behind one.
    fn write_blank(&mut self, html: &mut String, id: NodeId) -> bool {
        let Some(last) = self.last else { return false };
        let between = text_between(self.dom, last, id);
        if self.keep {
            html.push_str(&between);
            return false;
        }
        if self.blank || !between.is_empty() || self.dom.text(id).starts_with(char::is_whitespace) {
            html.push(' ');
            return false;
        }
        let [before, link] = [last, id].map(|id| self.looks[id.index()].link);
        before.is_some() && link.is_some() && before != link
    }
}

/// The beginning of a unit's text, folded, cut after some characters, escaped.
pub(super) fn snippet(page: &Page, unit: &Unit) -> String {
    const LENGTH: usize = 70;
    let dom = page.dom();
    let link = |id: NodeId| dom.ancestors(id).find(|&id| dom.tag(id) == Tag::A);
    let mut text = String::new();
    let mut last = None;
    for &id in texts_of(page, unit) {
        if let Some(last) = last {
            let between = text_between(dom, last, id);
            let is_joined =
                between.is_empty() && link(last) != link(id) && link(last).is_some() && link(id).is_some();
            text.push_str(if is_joined { " \u{b7} " } else { &between });
        }
        text.push_str(dom.text(id));
        last = Some(id);
        // More than is shown, after folding.
        if text.len() > 64 * LENGTH {
            break;
        }
    }
    let folded = folded(&text);
    match folded.char_indices().nth(LENGTH) {
        Some((end, _)) => escape(&folded[..end]) + "\u{2026}",
        None => escape(&folded),
    }
}
