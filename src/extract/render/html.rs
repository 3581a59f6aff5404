//! Events as clean HTML: elements with a meaning, hardly any attributes, everything escaped.

use super::document::{Align, Container, Event, Inline, Leaf, LeafKind, Style, is_bare_paragraph};
use crate::dom::serialize::{escape, escape_into};
use crate::extract::metadata::{Field, Metadata};
use crate::page_work::check_time;

/// What the head of a standalone document says.
#[derive(Debug, Clone, Copy, Default)]
pub struct DocumentHead<'a> {
    /// The title; the standard asks for one, and without it the document is titled "Untitled".
    pub title: Option<&'a str>,
    /// The language, as a BCP 47 tag.
    pub language: Option<&'a str>,
    /// The author.
    pub author: Option<&'a str>,
    /// The date of publication, ISO 8601.
    pub date: Option<&'a str>,
    /// What the page is about, in a sentence or two.
    pub description: Option<&'a str>,
    /// The address of the original page.
    pub url: Option<&'a str>,
}

impl<'a> From<&'a Metadata> for DocumentHead<'a> {
    fn from(metadata: &'a Metadata) -> Self {
        let value = |field: &'a Option<Field>| field.as_ref().map(|field| field.value.as_str());
        DocumentHead {
            title: value(&metadata.title),
            language: value(&metadata.language),
            author: value(&metadata.author),
            date: value(&metadata.date),
            description: value(&metadata.description),
            url: value(&metadata.canonical),
        }
    }
}

/// A standalone document around the content of an article.
pub(super) fn wrap(article: &str, head: &DocumentHead<'_>) -> String {
    let mut html = "<!DOCTYPE html>\n<html".to_owned();
    if let Some(language) = head.language {
        html.push_str(&format!(" lang=\"{}\"", escape(language)));
    }
    html.push_str(">\n<head>\n<meta charset=\"utf-8\">\n");
    html.push_str(&format!("<title>{}</title>\n", escape(head.title.unwrap_or("Untitled"))));
    for (name, value) in
        [("author", head.author), ("dcterms.date", head.date), ("description", head.description)]
    {
        if let Some(value) = value {
            html.push_str(&format!("<meta name=\"{name}\" content=\"{}\">\n", escape(value)));
        }
    }
    if let Some(url) = head.url {
        html.push_str(&format!("<link rel=\"canonical\" href=\"{}\">\n", escape(url)));
    }
    html.push_str("</head>\n<body>\n<article>\n");
    html.push_str(article);
    html.push_str("</article>\n</body>\n</html>\n");
    html
}

pub(super) fn write(events: &[Event]) -> String {
    let mut html = String::new();
    let mut open: Vec<&'static str> = Vec::new();
    for (index, event) in events.iter().enumerate() {
        check_time();
        match event {
            Event::Enter(container) => {
                let name = element(container, open.last().copied());
                html.push('<');
                html.push_str(name);
                match *container {
                    Container::Quote(Some(callout)) => {
                        html.push_str(&format!(" class=\"{}\"", callout.name().to_ascii_lowercase()));
                    }
                    Container::Note(ref label) => {
                        html.push_str(&format!(" id=\"fn-{}\" role=\"doc-footnote\"", escape(label)));
                    }
                    Container::List { start: Some(start) } if start != 1 => {
                        html.push_str(&format!(" start=\"{start}\""));
                    }
                    Container::Cell { columns, rows, align, .. } => {
                        if let Some(align) = align {
                            let align = match align {
                                Align::Left => "left",
                                Align::Center => "center",
                                Align::Right => "right",
                            };
                            html.push_str(&format!(" style=\"text-align: {align}\""));
                        }
                        for (name, span) in [("colspan", columns), ("rowspan", rows)] {
                            if span > 1 {
                                html.push_str(&format!(" {name}=\"{span}\""));
                            }
                        }
                    }
                    _ => {}
                }
                html.push('>');
                if !matches!(events.get(index + 1), Some(Event::Leave)) && !holds_one_line(events, index + 1)
                {
                    html.push('\n');
                }
                open.push(name);
            }
            Event::Leave => {
                html.push_str(&format!("</{}>\n", open.pop().unwrap_or_default()));
            }
            Event::Leaf(leaf) => write_leaf(&mut html, leaf, holds_one_line(events, index)),
        }
    }
    html
}

/// Whether the event is a leaf that can stand in its container without an element of its own.
fn holds_one_line(events: &[Event], index: usize) -> bool {
    use Container::{Details, Figure, Note, Quote};
    is_bare_paragraph(events, index, |container| !matches!(container, Quote(_) | Figure | Details | Note(_)))
}

fn element(container: &Container, parent: Option<&str>) -> &'static str {
    match container {
        Container::List { start: None } => "ul",
        Container::List { start: Some(_) } => "ol",
        Container::Item => "li",
        Container::Quote(None) => "blockquote",
        Container::Quote(Some(_)) | Container::Note(_) => "aside",
        Container::Table => "table",
        Container::Row => "tr",
        Container::Cell { header: true, .. } => "th",
        Container::Cell { header: false, .. } => "td",
        Container::Caption if parent == Some("table") => "caption",
        Container::Caption if parent == Some("details") => "summary",
        Container::Caption => "figcaption",
        Container::Figure => "figure",
        Container::Details => "details",
        Container::Definitions => "dl",
        Container::Term => "dt",
        Container::Definition => "dd",
    }
}

fn write_leaf(html: &mut String, leaf: &Leaf, is_bare: bool) {
    let name = match leaf.kind {
        LeafKind::Paragraph if is_bare => "",
        LeafKind::Paragraph => "p",
        LeafKind::Heading(level) => ["h1", "h2", "h3", "h4", "h5", "h6"][usize::from(level.clamp(1, 6)) - 1],
        LeafKind::Preformatted => "pre",
        LeafKind::Break => {
            html.push_str("<hr>\n");
            return;
        }
        LeafKind::Formula => {
            if let [Inline::Formula(tex)] = leaf.inlines.as_slice() {
                html.push_str(&format!("<div class=\"math\">\\[{}\\]</div>\n", escape(tex)));
            }
            return;
        }
    };
    if is_bare {
        write_inlines(html, &leaf.inlines);
        return;
    }
    if let Some(language) = &leaf.language {
        html.push_str(&format!("<pre><code class=\"language-{}\">", escape(language)));
        write_inlines(html, &leaf.inlines);
        html.push_str("</code></pre>\n");
        return;
    }
    html.push_str(&format!("<{name}>"));
    write_inlines(html, &leaf.inlines);
    html.push_str(&format!("</{name}>\n"));
}

fn write_inlines(html: &mut String, inlines: &[Inline]) {
    for inline in inlines {
        match inline {
            Inline::Text(text) => escape_into(html, text),
            Inline::Break => html.push_str("<br>\n"),
            Inline::Formula(tex) => {
                html.push_str(&format!("<span class=\"math\">\\({}\\)</span>", escape(tex)))
            }
            Inline::Reference(label) => {
                html.push_str(&format!("<sup><a href=\"#fn-{0}\">{0}</a></sup>", escape(label)));
            }
            Inline::Task(true) => html.push_str("<input type=\"checkbox\" disabled checked> "),
            Inline::Task(false) => html.push_str("<input type=\"checkbox\" disabled> "),
            Inline::Image { src, alt } => {
                html.push_str(&format!("<img src=\"{}\" alt=\"{}\">", escape(src), escape(alt)));
            }
            Inline::Open(Style::Link(address)) => {
                html.push_str(&format!("<a href=\"{}\">", escape(address)));
            }
            Inline::Open(style) => html.push_str(&format!("<{}>", inline_element(style))),
            Inline::Close(style) => html.push_str(&format!("</{}>", inline_element(style))),
        }
    }
}

fn inline_element(style: &Style) -> &'static str {
    match style {
        Style::Strong => "strong",
        Style::Emphasis => "em",
        Style::Strike => "s",
        Style::Code => "code",
        Style::Sub => "sub",
        Style::Sup => "sup",
        Style::Quotation => "q",
        Style::Link(_) => "a",
    }
}
