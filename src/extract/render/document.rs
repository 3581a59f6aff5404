//! The kept content of a page as a flat list of events: what every output format is written from.

use super::callout::Callout;

/// How much the events tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// Kept text alone, for plain text.
    Text,
    /// What the other formats can say besides: formulas, callouts, footnotes, tasks, languages. What is no text of the article but for the
    /// hand, as permalinks, is left out.
    Structure,
}

/// An element that holds other content.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Container {
    /// A list; the number of its first item if it is ordered.
    List {
        start: Option<u32>,
    },
    /// An item; its parent is always a list.
    Item,
    /// A quotation, or a callout of some kind.
    Quote(Option<Callout>),
    /// A footnote with its label.
    Note(String),
    /// A data table: only captions, then rows of cells. A cell holds at most one paragraph, of a table with header cells any blocks
    /// where the events tell [structure](Detail::Structure).
    Table,
    Row,
    Cell {
        header: bool,
        columns: u16,
        rows: u16,
        align: Option<Align>,
    },
    /// Of a table, a figure or details.
    Caption,
    Figure,
    /// What a reader opens; the caption says what it is.
    Details,
    Definitions,
    Term,
    Definition,
}

/// Where the text of a cell stands, as the page states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Center,
    Right,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Event {
    Enter(Container),
    Leave,
    Leaf(Leaf),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum LeafKind {
    Paragraph,
    /// Level 1 to 6.
    Heading(u8),
    /// White space as it stands, in one [`Inline::Text`].
    Preformatted,
    /// A formula on lines of its own: one [`Inline::Formula`].
    Formula,
    /// A line across, between other blocks; nothing stands in it.
    Break,
}

/// A run of inline content that is never empty, but in a break.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Leaf {
    pub kind: LeafKind,
    /// Whether a browser puts a margin around it.
    pub spaced: bool,
    /// Of preformatted text, as the page names it.
    pub language: Option<String>,
    pub inlines: Vec<Inline>,
}

/// Inline content. `Open` and `Close` nest, and something stands between them; text has its white space folded,
/// and none stands at the ends of a leaf, beside a break or just inside a style.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Inline {
    Text(String),
    Break,
    Image {
        src: String,
        alt: String,
    },
    /// TeX without delimiters.
    Formula(String),
    /// A reference to a [`Container::Note`].
    Reference(String),
    /// Whether the task of an item is done.
    Task(bool),
    Open(Style),
    Close(Style),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Style {
    Strong,
    Emphasis,
    Strike,
    Code,
    Sub,
    Sup,
    Quotation,
    Link(String),
}

/// Whether the event at `index` is a paragraph that is all its container holds, and that container one that takes text.
pub(super) fn is_bare_paragraph(
    events: &[Event],
    index: usize,
    takes_text: impl Fn(&Container) -> bool,
) -> bool {
    let is_paragraph = matches!(&events[index], Event::Leaf(leaf) if leaf.kind == LeafKind::Paragraph);
    let around = index.checked_sub(1).map(|before| &events[before]);
    is_paragraph
        && matches!(around, Some(Event::Enter(container)) if takes_text(container))
        && matches!(events.get(index + 1), Some(Event::Leave))
}

/// The events of what is entered at `index`, to where it is left; of a leaf itself.
pub(super) fn element_at(events: &[Event], index: usize) -> &[Event] {
    let mut depth = 0;
    let length = events[index..].iter().position(|event| {
        match event {
            Event::Enter(_) => depth += 1,
            Event::Leave => depth -= 1,
            Event::Leaf(_) => {}
        }
        depth == 0
    });
    &events[index..length.map_or(events.len(), |length| index + length + 1)]
}
