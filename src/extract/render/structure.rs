//! Events as JSON: the kept content as a tree of blocks.

use serde_json::{Map, Value, json};

use super::document::{Align, Container, Event, Inline, Leaf, LeafKind, Style};
use super::text::plain;
use crate::page_work::check_time;

/// The blocks at the top, each an object with its `type`; those that hold others have them as `blocks`.
pub(super) fn write(events: &[Event]) -> Value {
    // What is open, each with the blocks that it holds.
    let mut open: Vec<(Map<String, Value>, Vec<Value>)> = vec![(Map::new(), Vec::new())];
    for event in events {
        check_time();
        let block = match event {
            Event::Enter(container) => {
                open.push((of_container(container), Vec::new()));
                continue;
            }
            Event::Leave => {
                let (mut block, blocks) = open.pop().expect("what is left was entered");
                block.insert("blocks".to_owned(), blocks.into());
                block
            }
            Event::Leaf(leaf) => of_leaf(leaf),
        };
        open.last_mut().expect("the top is never left").1.push(block.into());
    }
    open.swap_remove(0).1.into()
}

fn block(name: &str) -> Map<String, Value> {
    Map::from_iter([("type".to_owned(), name.into())])
}

fn of_container(container: &Container) -> Map<String, Value> {
    let mut object = block(match container {
        Container::List { .. } => "list",
        Container::Item => "item",
        Container::Quote(Some(_)) => "callout",
        Container::Quote(None) => "quote",
        Container::Note(_) => "note",
        Container::Table => "table",
        Container::Row => "row",
        Container::Cell { .. } => "cell",
        Container::Caption => "caption",
        Container::Figure => "figure",
        Container::Details => "details",
        Container::Definitions => "definitions",
        Container::Term => "term",
        Container::Definition => "definition",
    });
    let mut set = |name: &str, value: Value| object.insert(name.to_owned(), value);
    match *container {
        Container::List { start } => {
            set("ordered", start.is_some().into());
            start.map(|start| set("start", start.into()));
        }
        Container::Quote(Some(callout)) => {
            set("kind", callout.name().to_ascii_lowercase().into());
        }
        Container::Note(ref label) => {
            set("label", label.as_str().into());
        }
        Container::Cell { header, columns, rows, align } => {
            set("header", header.into());
            for (name, span) in [("columns", columns), ("rows", rows)] {
                if span > 1 {
                    set(name, span.into());
                }
            }
            align.map(|align| set("align", name_of(align).into()));
        }
        _ => {}
    }
    object
}

fn name_of(align: Align) -> &'static str {
    match align {
        Align::Left => "left",
        Align::Center => "center",
        Align::Right => "right",
    }
}

/// A leaf has its text as it is read, and as `inlines` what stands in it if that is more than text.
fn of_leaf(leaf: &Leaf) -> Map<String, Value> {
    let mut object = block(match leaf.kind {
        LeafKind::Paragraph => "paragraph",
        LeafKind::Heading(_) => "heading",
        LeafKind::Preformatted => "code",
        LeafKind::Formula => "formula",
        LeafKind::Break => "break",
    });
    let mut set = |name: &str, value: Value| object.insert(name.to_owned(), value);
    if let LeafKind::Heading(level) = leaf.kind {
        set("level", level.into());
    }
    if let Some(language) = &leaf.language {
        set("language", language.as_str().into());
    }
    match &*leaf.inlines {
        [Inline::Formula(tex)] if leaf.kind == LeafKind::Formula => {
            set("tex", tex.as_str().into());
        }
        [] => {}
        inlines => {
            set("text", plain(inlines, '\n').into());
            if !matches!(inlines, [Inline::Text(_)]) {
                set("inlines", of_inlines(inlines));
            }
        }
    }
    object
}

fn of_inlines(inlines: &[Inline]) -> Value {
    let mut open: Vec<(Value, Vec<Value>)> = vec![(Value::Null, Vec::new())];
    for inline in inlines {
        let value = match inline {
            Inline::Open(style) => {
                open.push((of_style(style), Vec::new()));
                continue;
            }
            Inline::Close(_) => {
                let (mut value, inlines) = open.pop().expect("styles nest");
                value["inlines"] = inlines.into();
                value
            }
            Inline::Text(text) => json!({"type": "text", "text": text}),
            Inline::Break => json!({"type": "break"}),
            Inline::Image { src, alt } => json!({"type": "image", "url": src, "alt": alt}),
            Inline::Formula(tex) => json!({"type": "formula", "tex": tex}),
            Inline::Reference(label) => json!({"type": "reference", "label": label}),
            Inline::Task(is_done) => json!({"type": "task", "done": is_done}),
        };
        open.last_mut().expect("the top is never closed").1.push(value);
    }
    open.swap_remove(0).1.into()
}

fn of_style(style: &Style) -> Value {
    match style {
        Style::Link(url) => json!({"type": "link", "url": url}),
        Style::Strong => json!({"type": "strong"}),
        Style::Emphasis => json!({"type": "emphasis"}),
        Style::Strike => json!({"type": "strike"}),
        Style::Code => json!({"type": "code"}),
        Style::Sub => json!({"type": "sub"}),
        Style::Sup => json!({"type": "sup"}),
        Style::Quotation => json!({"type": "quotation"}),
    }
}
