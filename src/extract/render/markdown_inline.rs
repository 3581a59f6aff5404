//! Inline content as Markdown: emphasis where CommonMark can express it, code spans, links, images, escaping.

use super::document::{Inline, Style};

/// Where inline content stands: it decides about line breaks and what must be escaped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    Paragraph,
    Heading,
    Cell,
}

/// A piece of a line: text, or a mark of emphasis that may yet be dropped.
enum Piece {
    Text(String),
    Mark { marks: &'static str, opens: bool },
    Dropped,
}

pub(super) fn inline(inlines: &[Inline], place: Place) -> String {
    let mut pieces = pieces(inlines, place);
    drop_unreadable_marks(&mut pieces);
    let mut text = String::new();
    for piece in &pieces {
        match piece {
            Piece::Text(piece) => {
                // An exclamation mark before a link would make an image of it.
                if piece == "[" && text.ends_with('!') {
                    text.insert(text.len() - 1, '\\');
                }
                text.push_str(piece);
            }
            Piece::Mark { marks, .. } => text.push_str(marks),
            Piece::Dropped => {}
        }
    }
    match place {
        Place::Paragraph => text.split('\n').map(escape_line_start).collect::<Vec<_>>().join("\n"),
        // Number signs at the end would be taken for the heading's end.
        Place::Heading if text.ends_with('#') => {
            text.insert(text.len() - 1, '\\');
            text
        }
        Place::Heading => text,
        Place::Cell => text.replace('|', "\\|"),
    }
}

fn pieces(inlines: &[Inline], place: Place) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut code: Option<String> = None;
    for inline in inlines {
        if let Some(span) = &mut code {
            // No marks are read within a code span; an image splits it.
            match inline {
                Inline::Text(text) => span.push_str(text),
                Inline::Break => span.push(' '),
                Inline::Formula(tex) => span.push_str(tex),
                Inline::Reference(_) | Inline::Task(_) => {}
                Inline::Close(Style::Code) | Inline::Image { .. } => {
                    let span = std::mem::take(span);
                    if !span.trim().is_empty() {
                        pieces.push(Piece::Text(code_span(&span)));
                    }
                }
                Inline::Open(_) | Inline::Close(_) => {}
            }
            match inline {
                Inline::Close(Style::Code) => code = None,
                Inline::Image { src, alt } => pieces.push(image(src, alt)),
                _ => {}
            }
            continue;
        }
        pieces.push(match inline {
            Inline::Text(text) => Piece::Text(escape(text)),
            Inline::Break => Piece::Text(
                match place {
                    Place::Paragraph => "\\\n",
                    Place::Cell => "<br>",
                    Place::Heading => " ",
                }
                .to_owned(),
            ),
            // Before a bar a backslash would make another sign of it.
            Inline::Formula(tex) if place == Place::Cell => {
                Piece::Text(format!("${}$", tex.replace('|', "\\vert ")))
            }
            Inline::Formula(tex) => Piece::Text(format!("${tex}$")),
            Inline::Reference(label) => Piece::Text(format!("[^{label}]")),
            Inline::Task(done) => Piece::Text(if *done { "[x]" } else { "[ ]" }.to_owned()),
            Inline::Image { src, alt } => image(src, alt),
            Inline::Open(Style::Code) => {
                code = Some(String::new());
                continue;
            }
            Inline::Open(style) => opening(style),
            Inline::Close(style) => closing(style),
        });
    }
    pieces
}

fn image(src: &str, alt: &str) -> Piece {
    Piece::Text(format!("![{}]({})", escape(alt), destination(src)))
}

fn opening(style: &Style) -> Piece {
    match style {
        Style::Link(_) => Piece::Text("[".to_owned()),
        Style::Sub => Piece::Text("<sub>".to_owned()),
        Style::Sup => Piece::Text("<sup>".to_owned()),
        _ => mark(style, true),
    }
}

fn closing(style: &Style) -> Piece {
    match style {
        Style::Link(address) => Piece::Text(format!("]({})", destination(address))),
        Style::Sub => Piece::Text("</sub>".to_owned()),
        Style::Sup => Piece::Text("</sup>".to_owned()),
        _ => mark(style, false),
    }
}

fn mark(style: &Style, opens: bool) -> Piece {
    match style {
        Style::Strong => Piece::Mark { marks: "**", opens },
        Style::Emphasis => Piece::Mark { marks: "*", opens },
        Style::Strike => Piece::Mark { marks: "~~", opens },
        _ => Piece::Dropped,
    }
}

/// Drops the marks that CommonMark would not read as they are meant (its rules of left- and right-flanking runs):
/// they would stand in the text as asterisks.
fn drop_unreadable_marks(pieces: &mut [Piece]) {
    let mut open: Vec<usize> = Vec::new();
    for at in 0..pieces.len() {
        let Piece::Mark { marks, opens } = pieces[at] else { continue };
        if opens {
            open.push(at);
            continue;
        }
        let Some(start) = open.pop() else { continue };
        let (before, inside, after) = (&pieces[..start], &pieces[start + 1..at], &pieces[at + 1..]);
        let opens_well = flanks(first_inside(inside.iter(), marks, false), last_outside(before));
        let closes_well = flanks(first_inside(inside.iter().rev(), marks, true), first_outside(after));
        // A run of marks that both closes and opens is read in ways that depend on its length.
        let left = before.iter().rev().find(|piece| !matches!(piece, Piece::Dropped));
        let touches = matches!(left, Some(Piece::Mark { opens: false, .. }));
        if touches || !opens_well || !closes_well {
            pieces[start] = Piece::Dropped;
            pieces[at] = Piece::Dropped;
        }
    }
}

/// Whether a run of marks between two characters is read as belonging to the one inside.
fn flanks(inside: Option<char>, outside: Option<char>) -> bool {
    // What is neither letter nor digit may be punctuation to a reader of Markdown; better to take it for that.
    inside.is_some_and(|inside| {
        let outside_is_free = outside.is_none_or(|c| c.is_whitespace() || c.is_ascii_punctuation());
        inside.is_alphanumeric() || !inside.is_whitespace() && outside_is_free
    })
}

/// The character beside a mark on its inner side; marks of the same character make one run with it.
fn first_inside<'a>(pieces: impl Iterator<Item = &'a Piece>, marks: &str, from_end: bool) -> Option<char> {
    for piece in pieces {
        match piece {
            Piece::Dropped => {}
            Piece::Mark { marks: inner, .. } if inner.chars().next() == marks.chars().next() => {}
            Piece::Mark { marks: inner, .. } => return inner.chars().next(),
            Piece::Text(text) if from_end => return text.chars().next_back(),
            Piece::Text(text) => return text.chars().next(),
        }
    }
    None
}

fn first_outside(pieces: &[Piece]) -> Option<char> {
    pieces.iter().find_map(|piece| match piece {
        Piece::Text(text) => text.chars().next(),
        _ => None,
    })
}

fn last_outside(pieces: &[Piece]) -> Option<char> {
    pieces.iter().rev().find_map(|piece| match piece {
        Piece::Text(text) => text.chars().next_back(),
        _ => None,
    })
}

/// Escapes what Markdown gives a meaning within a line.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let after = rest.chars().next();
        let has_meaning = match c {
            '\\' | '`' | '*' | '[' | ']' | '~' => true,
            '_' => !(before.is_alphanumeric() && after.is_some_and(char::is_alphanumeric)),
            '<' => {
                after.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
                    || may_be_address(rest)
            }
            '&' => may_be_reference(rest),
            _ => false,
        };
        if has_meaning {
            escaped.push('\\');
        }
        escaped.push(c);
        before = c;
    }
    escaped
}

/// Whether a `<` before `rest` may begin an e-mail address that is a link, as in `<4@example.org>`.
fn may_be_address(rest: &str) -> bool {
    may_be_name(rest, |c| c.is_ascii_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c), '@')
}

/// Whether an ampersand before `rest` may begin a character reference such as `&amp;`.
fn may_be_reference(rest: &str) -> bool {
    may_be_name(rest, |c| c.is_ascii_alphanumeric() || c == '#', ';')
}

/// Whether `rest` begins with a name and the character after it, or may do so with what follows `rest`.
fn may_be_name(rest: &str, is_of_name: impl Fn(char) -> bool, end: char) -> bool {
    let after = rest.trim_start_matches(is_of_name);
    after.is_empty() || after.len() < rest.len() && after.starts_with(end)
}

/// Escapes what Markdown gives a meaning at the beginning of a line: headings, items, quotations, underlines.
fn escape_line_start(line: &str) -> String {
    let mut escaped = line.to_owned();
    let is_followed_by_blank = |at: usize| line[at..].chars().next().is_none_or(char::is_whitespace);
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match line.chars().next() {
        // A colon begins a definition.
        Some('#' | '>' | ':') => escaped.insert(0, '\\'),
        Some('-' | '+') if is_followed_by_blank(1) => escaped.insert(0, '\\'),
        // A line of nothing else underlines the line before, or heads a table.
        Some('-' | '=' | '|') if line.chars().all(|c| matches!(c, '-' | '=' | ':' | '|' | ' ')) => {
            escaped.insert(0, '\\');
        }
        Some('0'..='9')
            if digits < 10 && line[digits..].starts_with(['.', ')']) && is_followed_by_blank(digits + 1) =>
        {
            escaped.insert(digits, '\\');
        }
        _ => {}
    }
    escaped
}

/// A run of backticks that does not occur in `text`, at least `min` long.
pub(super) fn code_fence(text: &str, min: usize) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(min.max(longest + 1))
}

fn code_span(text: &str) -> String {
    let fence = code_fence(text, 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// The address of a link, in angle brackets where it holds what would end it.
fn destination(address: &str) -> String {
    let mut written = String::with_capacity(address.len());
    for (at, c) in address.char_indices() {
        match c {
            '\\' => written.push_str("%5C"),
            '<' => written.push_str("%3C"),
            '>' => written.push_str("%3E"),
            '&' if may_be_reference(&address[at + 1..]) => written.push_str("\\&"),
            _ => written.push(c),
        }
    }
    if written.contains(['(', ')', ' ']) { format!("<{written}>") } else { written }
}
