//! What can go wrong: [`RenderError`].

use std::fmt;

/// Why a page was not laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenderError {
    /// A property that the engine does not know, by its name.
    UnknownProperty(String),
    /// The nodes are not a tree in document order: which, and why not.
    NotATree(String),
    /// More nodes than are taken.
    TooManyNodes {
        /// How many the tree has.
        nodes: usize,
        /// How many are taken.
        limit: usize,
    },
    /// The engine crashed; with its message.
    Panicked(String),
    /// The operating system gives no thread; with its message.
    NoThread(String),
    /// The picture could not be written; with the reason.
    NoPicture(String),
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenderError::UnknownProperty(name) => {
                write!(f, "the CSS property {name:?} is not known; leave it out")
            }
            RenderError::NotATree(why) => write!(f, "the nodes are not a tree in document order: {why}"),
            RenderError::TooManyNodes { nodes, limit } => {
                write!(f, "the page has {nodes} nodes, and at most {limit} are laid out")
            }
            RenderError::Panicked(message) => write!(f, "the layout engine crashed: {message}"),
            RenderError::NoThread(message) => write!(f, "no thread to lay out the page in: {message}"),
            RenderError::NoPicture(why) => write!(f, "the picture could not be drawn: {why}"),
        }
    }
}

impl std::error::Error for RenderError {}
