//! What goes in and what comes out: [`Tree`] and [`Rendering`].

use serde::{Deserialize, Serialize};

/// A parsed page.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Tree {
    /// Whether the page asks for no-quirks, limited-quirks or quirks mode.
    pub quirks: Quirks,
    /// The nodes in document order. The first is the document; every other stands after its parent.
    pub nodes: Vec<Node>,
}

/// How closely the standards are kept to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Quirks {
    /// The standards hold.
    #[default]
    No,
    /// The heights of lines in table cells are those of old browsers.
    Limited,
    /// Much is as in old browsers.
    Full,
}

/// A node of a [`Tree`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Node {
    /// The index of the parent; the document's is 0.
    pub parent: u32,
    /// What the node is.
    pub content: Content,
}

/// What a node is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Content {
    /// The document.
    Document,
    /// An element.
    Element {
        /// Its local name, in lower case if it is HTML.
        name: String,
        /// Whether it is in the HTML namespace, and not in that of SVG or MathML.
        html: bool,
        /// Names and values.
        attributes: Vec<(String, String)>,
    },
    /// Text.
    Text(String),
}

/// The window in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Viewport {
    /// Its width. 1366 by default.
    pub width: u32,
    /// Its height, for what is sized by it; pages are laid out whole. 768 by default.
    pub height: u32,
}

impl Default for Viewport {
    fn default() -> Self {
        Viewport { width: 1366, height: 768 }
    }
}

/// Boxes and computed styles, node for node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rendering {
    /// Border boxes `[x, y, width, height]` in CSS pixels from the top left corner of the page, of elements that have one.
    pub boxes: Vec<Option<[f32; 4]>>,
    /// Index in `styles` of each element; none for other nodes.
    pub style_of: Vec<Option<u32>>,
    /// Distinct styles: a value for each property that was asked for, in that order, as `getComputedStyle` writes it.
    pub styles: Vec<Vec<String>>,
    /// What was left out or cut, in a sentence each. Mostly empty.
    pub notes: Vec<String>,
}
