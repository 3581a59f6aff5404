//! The kept content of a page as a flat list of events: what every output format is written from.

/// An element that holds other content.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Container {
    /// A list; the number of its first item if it is ordered.
    List {
        start: Option<u32>,
    },
    /// An item; its parent is always a list.
    Item,
    Quote,
    /// A data table: only captions, then rows, of cells of at most one paragraph.
    Table,
    Row,
    Cell {
        header: bool,
        columns: u16,
        rows: u16,
    },
    /// Of a table or a figure.
    Caption,
    Figure,
    Definitions,
    Term,
    Definition,
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
}

/// A run of inline content that is never empty.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Leaf {
    pub kind: LeafKind,
    /// Whether a browser puts a margin around it.
    pub spaced: bool,
    pub inlines: Vec<Inline>,
}

/// Inline content. `Open` and `Close` nest, and something stands between them; text has its white space folded,
/// and none stands at the ends of a leaf, beside a break or just inside a style.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Inline {
    Text(String),
    Break,
    Image { src: String, alt: String },
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

/// Whether the leaf at `index` is all that its container holds.
pub(super) fn is_only_content(events: &[Event], index: usize) -> bool {
    index > 0
        && matches!(events[index - 1], Event::Enter(_))
        && matches!(events.get(index + 1), Some(Event::Leave))
}
