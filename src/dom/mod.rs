//! A page as a tree: decoding, WHATWG parsing, the frozen arena, text blocks, XPath, serialization.
//!
//! [`Dom::parse`] is the way in. The tree is [frozen](arena::Dom): ids are preorder indices and never change, so
//! that labels, posteriors and layouts can be kept beside it and name the parse they belong to by its digest.

pub mod arena;
pub mod blocks;
mod declared_encoding;
pub mod digest;
pub mod encoding;
mod guard;
pub mod parse;
pub mod serialize;
mod sink;
pub mod tag;
#[cfg(all(test, feature = "datasets"))]
mod tests;
pub(crate) mod tokenizer;
pub mod traverse;
pub mod xpath;
pub mod xpath_query;

pub use arena::{Dom, NodeKind};
pub use blocks::{BlockKind, BlockTree, joined};
pub use parse::Limits;
pub use tag::Tag;
#[cfg(any(test, feature = "internals"))]
pub use tokenizer::reference as reference_tokenizer;
pub use xpath_query::XPathQuery;
