//! Events as XML: the elements of trafilatura's XML, and TEI, the field's standard for texts (Text Encoding Initiative, P5).

use std::fmt::Write;

use super::document::{Container, Event, Inline, Leaf, LeafKind, Style, is_bare_paragraph};
use super::html::DocumentHead;
use crate::page_work::check_time;

/// The elements that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Those of trafilatura's XML.
    Plain,
    /// Those of TEI P5.
    Tei,
}

/// A document with its metadata.
pub(super) fn document(events: &[Event], head: &DocumentHead<'_>, dialect: Dialect) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    match dialect {
        Dialect::Plain => {
            xml.push_str("<doc");
            for (name, value) in [
                ("title", head.title),
                ("author", head.author),
                ("date", head.date),
                ("source", head.url),
                ("description", head.description),
                ("language", head.language),
            ] {
                if let Some(value) = value {
                    _ = write!(xml, " {name}=\"{}\"", escape(value));
                }
            }
            xml.push_str(">\n<main>\n");
            body(&mut xml, events, dialect);
            xml.push_str("</main>\n</doc>\n");
        }
        Dialect::Tei => {
            tei_header(&mut xml, head);
            xml.push_str("<text>\n<body>\n<div type=\"entry\">\n");
            body(&mut xml, events, dialect);
            // A division of nothing is not allowed.
            if events.is_empty() {
                xml.push_str("<p/>\n");
            }
            xml.push_str("</div>\n</body>\n</text>\n</TEI>\n");
        }
    }
    xml
}

fn tei_header(xml: &mut String, head: &DocumentHead<'_>) {
    let title = escape(head.title.unwrap_or("Untitled"));
    let author = head.author.map_or(String::new(), |author| format!("<author>{}</author>\n", escape(author)));
    let date = head.date.map_or(String::new(), |date| format!("<date>{}</date>\n", escape(date)));
    let source = head.url.map_or(String::new(), |url| format!("<ptr target=\"{}\"/>\n", address(url)));
    _ = write!(
        xml,
        "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\">\n<teiHeader>\n<fileDesc>\n\
         <titleStmt>\n<title type=\"main\">{title}</title>\n{author}</titleStmt>\n\
         <publicationStmt>\n<p>Extracted from a web page</p>\n</publicationStmt>\n\
         <sourceDesc>\n<bibl>\n<title>{title}</title>\n{author}{date}{source}</bibl>\n</sourceDesc>\n</fileDesc>\n\
         <encodingDesc>\n<appInfo>\n<application ident=\"duramen\" version=\"{}\">\n<label>Duramen</label>\n\
         </application>\n</appInfo>\n</encodingDesc>\n",
        env!("CARGO_PKG_VERSION")
    );
    if head.description.is_some() || head.language.is_some() {
        xml.push_str("<profileDesc>\n");
        if let Some(description) = head.description {
            _ = writeln!(xml, "<abstract>\n<p>{}</p>\n</abstract>", escape(description));
        }
        if let Some(language) = head.language {
            let language = escape(language);
            _ = writeln!(
                xml,
                "<langUsage>\n<language ident=\"{language}\">{language}</language>\n</langUsage>"
            );
        }
        xml.push_str("</profileDesc>\n");
    }
    xml.push_str("</teiHeader>\n");
}

/// The element of each leaf of a caption, in a note and in anything else; a caption itself has none.
const IN_NOTE: &str = "label";
const IN_OTHER: &str = "head";

fn body(xml: &mut String, events: &[Event], dialect: Dialect) {
    let mut open: Vec<&'static str> = Vec::new();
    for (index, event) in events.iter().enumerate() {
        check_time();
        match event {
            // A caption is a heading of what holds it for each leaf; no heading stands in a note.
            Event::Enter(Container::Caption) => {
                open.push(if open.last() == Some(&"note") { IN_NOTE } else { IN_OTHER });
            }
            Event::Enter(container) => {
                let (name, attributes) = element(container, dialect);
                _ = write!(xml, "<{name}{attributes}>");
                if !matches!(events.get(index + 1), Some(Event::Leave)) && !is_bare(events, index + 1) {
                    xml.push('\n');
                }
                open.push(name);
            }
            Event::Leave => match open.pop() {
                None | Some(IN_NOTE | IN_OTHER) => {}
                Some(name) => _ = writeln!(xml, "</{name}>"),
            },
            Event::Leaf(leaf) => {
                let caption = open.last().copied().filter(|name| matches!(*name, IN_NOTE | IN_OTHER));
                write_leaf(xml, leaf, caption, is_bare(events, index), dialect);
            }
        }
    }
}

/// Whether the event is a leaf that stands in its item or cell without an element of its own.
fn is_bare(events: &[Event], index: usize) -> bool {
    use Container::{Cell, Definition, Item, Term};
    is_bare_paragraph(events, index, |container| matches!(container, Item | Term | Definition | Cell { .. }))
}

fn element(container: &Container, dialect: Dialect) -> (&'static str, String) {
    let tei = dialect == Dialect::Tei;
    match container {
        Container::List { start } => {
            let kind = if start.is_some() { "ol" } else { "ul" };
            let from =
                start.filter(|&start| start != 1).map_or(String::new(), |start| format!(" n=\"{start}\""));
            ("list", format!(" rend=\"{kind}\"{from}"))
        }
        Container::Item => ("item", String::new()),
        Container::Quote(None) => ("quote", String::new()),
        Container::Quote(Some(callout)) => {
            let kind = callout.name().to_ascii_lowercase();
            match tei {
                true => ("note", format!(" type=\"callout\" subtype=\"{kind}\"")),
                false => ("quote", format!(" rend=\"{kind}\"")),
            }
        }
        Container::Note(label) => {
            let label = escape(label);
            match tei {
                true => ("note", format!(" xml:id=\"note-{label}\" n=\"{label}\" place=\"bottom\"")),
                false => ("note", format!(" id=\"note-{label}\"")),
            }
        }
        Container::Table => ("table", String::new()),
        Container::Row => ("row", String::new()),
        Container::Cell { header, columns, rows, .. } => {
            let mut attributes = String::new();
            if *header {
                attributes.push_str(if tei { " role=\"label\"" } else { " role=\"head\"" });
            }
            for (name, span) in [("cols", columns), ("rows", rows)] {
                if *span > 1 {
                    _ = write!(attributes, " {name}=\"{span}\"");
                }
            }
            ("cell", attributes)
        }
        Container::Figure => ("figure", String::new()),
        // No paragraph may follow a division in TEI.
        Container::Details if tei => ("note", " type=\"details\"".to_owned()),
        Container::Details => ("div", " rend=\"details\"".to_owned()),
        Container::Definitions => ("list", " rend=\"dl\"".to_owned()),
        Container::Term => ("item", " rend=\"dt\"".to_owned()),
        Container::Definition => ("item", " rend=\"dd\"".to_owned()),
        Container::Caption => ("head", String::new()),
    }
}

fn write_leaf(xml: &mut String, leaf: &Leaf, caption: Option<&str>, is_bare: bool, dialect: Dialect) {
    let tei = dialect == Dialect::Tei;
    let language = leaf.language.as_ref().map_or(String::new(), |language| {
        format!(" {}=\"{}\"", if tei { "lang" } else { "rend" }, escape(language))
    });
    let (start, end) = match leaf.kind {
        LeafKind::Break if tei => ("<milestone unit=\"section\" rend=\"line\"/>".to_owned(), ""),
        LeafKind::Break => return,
        _ if caption == Some(IN_NOTE) => ("<label>".to_owned(), "</label>"),
        _ if caption.is_some() => ("<head>".to_owned(), "</head>"),
        LeafKind::Paragraph if is_bare => (String::new(), ""),
        LeafKind::Paragraph => ("<p>".to_owned(), "</p>"),
        LeafKind::Heading(level) if tei => (format!("<ab type=\"header\" rend=\"h{level}\">"), "</ab>"),
        LeafKind::Heading(level) => (format!("<head rend=\"h{level}\">"), "</head>"),
        LeafKind::Preformatted if tei => {
            (format!("<ab type=\"code\"><code{language} xml:space=\"preserve\">"), "</code></ab>")
        }
        LeafKind::Preformatted => (format!("<code{language}>"), "</code>"),
        LeafKind::Formula => ("<p>".to_owned(), "</p>"),
    };
    xml.push_str(&start);
    write_inlines(xml, &leaf.inlines, dialect);
    xml.push_str(end);
    if !is_bare {
        xml.push('\n');
    }
}

fn write_inlines(xml: &mut String, inlines: &[Inline], dialect: Dialect) {
    let tei = dialect == Dialect::Tei;
    for inline in inlines {
        _ = match inline {
            Inline::Text(text) => write!(xml, "{}", escape(text)),
            Inline::Break => write!(xml, "<lb/>"),
            Inline::Formula(tex) => write!(xml, "<formula notation=\"TeX\">{}</formula>", escape(tex)),
            Inline::Reference(label) => {
                let label = escape(label);
                write!(xml, "<ref type=\"note\" target=\"#note-{label}\">{label}</ref>")
            }
            Inline::Task(done) => write!(xml, "{}", if *done { "[x]" } else { "[ ]" }),
            Inline::Image { src, alt } if tei && alt.is_empty() => {
                write!(xml, "<graphic url=\"{}\"/>", address(src))
            }
            Inline::Image { src, alt } if tei => {
                write!(xml, "<graphic url=\"{}\"><desc>{}</desc></graphic>", address(src), escape(alt))
            }
            Inline::Image { src, alt } => {
                write!(xml, "<graphic src=\"{}\" alt=\"{}\"/>", escape(src), escape(alt))
            }
            Inline::Open(Style::Link(target)) => write!(xml, "<ref target=\"{}\">", address(target)),
            Inline::Open(style) => {
                let (name, rend) = inline_element(style, dialect);
                match rend {
                    "" => write!(xml, "<{name}>"),
                    rend => write!(xml, "<{name} rend=\"{rend}\">"),
                }
            }
            Inline::Close(style) => write!(xml, "</{}>", inline_element(style, dialect).0),
        };
    }
}

/// The element of a style, and how it is rendered.
fn inline_element(style: &Style, dialect: Dialect) -> (&'static str, &'static str) {
    let tei = dialect == Dialect::Tei;
    match style {
        Style::Strong if tei => ("hi", "bold"),
        Style::Strong => ("hi", "#b"),
        Style::Emphasis if tei => ("hi", "italic"),
        Style::Emphasis => ("hi", "#i"),
        Style::Strike if tei => ("del", "overstrike"),
        Style::Strike => ("del", ""),
        Style::Code => ("code", ""),
        Style::Sub if tei => ("hi", "sub"),
        Style::Sub => ("hi", "#sub"),
        Style::Sup if tei => ("hi", "sup"),
        Style::Sup => ("hi", "#sup"),
        Style::Quotation => ("q", ""),
        Style::Link(_) => ("ref", ""),
    }
}

/// An address without what no address may hold in XML Schema's `anyURI` as TEI has it: blanks.
fn address(url: &str) -> String {
    escape(url).replace(char::is_whitespace, "%20")
}

/// Text as XML 1.0 can hold it: its marks escaped, control characters left out.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' => escaped.push(c),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            _ => escaped.push(c),
        }
    }
    escaped
}
