//! Text out of labels, in one place for every extractor: which text nodes are kept, and how they are written.
//!
//! A [`Selection`] says which labels (or how much posterior) are wanted and makes [`Kept`] of a page and its
//! extraction. [`RenderOptions`] change how the kept text is written and never what is kept.
//!
//! The page is turned once into a flat list of events (private `document`: containers, and leaves of inline
//! text), which each format then writes. A leaf is a leaf of the [`BlockTree`](crate::dom::BlockTree), cut down to
//! the kept text; an element is written only if it holds kept text (or a kept image). Nothing here recurses.

mod build;
mod columns;
mod document;
mod fingerprint;
mod html;
mod images;
mod inline;
mod markdown;
mod markdown_inline;
mod mojibake;
mod records;
mod select;
mod text;
mod yaml;

pub use columns::{COLUMNS, CSV_COLUMNS, ColumnValue};
pub use fingerprint::fingerprint;
pub use html::HtmlHead;
pub use images::{ImageRecord, LeadImageRecord, image_records, lead_image_record};
pub use records::{Archived, NodeRecord, RenderedPage, confidence, node_records};
pub use select::{Kept, Selection};

use crate::page::Page;

/// How kept text is written. No option changes which text is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderOptions {
    /// Write links in Markdown and HTML; otherwise their text alone. Default false.
    ///
    /// Addresses are made absolute where the page's address is known; only http, https, ftp, mailto and tel are
    /// written, and none that leads to another place on the same page.
    pub links: bool,
    /// Write images in Markdown and HTML. Default false.
    ///
    /// The images are those that the extractor holds for part of the content. Of an extractor that does not tell, an image is
    /// kept if the shown text just before or just after it is, unless it is stated to be at most 2 pixels wide or high.
    pub images: bool,
    /// Write data tables as tables; otherwise their cells are paragraphs. Default true.
    ///
    /// A data table has two rows with kept text, one of them with two such cells, and never more than one
    /// paragraph in a cell. Any other table lays out the page, and its cells are always paragraphs.
    pub tables: bool,
}

impl Default for RenderOptions {
    fn default() -> Self {
        RenderOptions { links: false, images: false, tables: true }
    }
}

/// The kept text as plain text.
///
/// Each leaf of the block tree is a line; `<br>` ends a line, two of them a paragraph; `<pre>` is written as it
/// stands. A blank line separates paragraphs (`<p>`), headings, lists, quotations and tables from what is around them,
/// as their margins do in a browser, and nothing else. List items begin with `- `, items of inner lists two blanks
/// further in. Cells of a data table are split by a tab, as in a browser's `innerText`; no other line holds a tab
/// outside `<pre>`. White space is folded, no line ends in a blank, two blank lines never follow each other outside
/// `<pre>`. Ends in a line break, or is empty.
///
/// Links and images are not written, whatever the options say, so that only `tables` changes anything, and that
/// only in white space.
///
/// # Examples
/// ```
/// use duramen::{Kept, Page, RenderOptions, to_text};
/// let html = b"<h1>Oak</h1><ul><li>leaf<li>bark</ul><table><tr><td>a<td>1<tr><td>b<td>2</table>";
/// let page = Page::parse("p", None, html, None, &Default::default())?;
/// let text = to_text(&page, &Kept::everything(&page), &RenderOptions::default());
/// assert_eq!(text, "Oak\n\n- leaf\n- bark\n\na\t1\nb\t2\n");
/// # Ok::<(), duramen::Error>(())
/// ```
pub fn to_text(page: &Page, kept: &Kept, options: &RenderOptions) -> String {
    text::write(&build::document(page, kept, &RenderOptions { links: false, images: false, ..*options }))
}

/// The kept text as CommonMark with GitHub's tables and strike-through.
///
/// Characters that Markdown would read as marks are escaped. Where CommonMark cannot express an emphasis (one that
/// ends inside a word after punctuation), it is left out. Subscripts and superscripts are written as HTML. A table
/// without header cells gets an empty header row; cells that span columns are followed by empty ones; spanned rows
/// are not made up for.
pub fn to_markdown(page: &Page, kept: &Kept, options: &RenderOptions) -> String {
    markdown::write(&build::document(page, kept, options))
}

/// The kept text as clean HTML: the content of an `<article>`, without it.
///
/// Only elements with a meaning are written, with no attributes but `href`, `src`, `alt`, `start`, `colspan` and
/// `rowspan`; everything is escaped.
pub fn to_html(page: &Page, kept: &Kept, options: &RenderOptions) -> String {
    html::write(&build::document(page, kept, options))
}

/// The kept text as a complete HTML document with title and metadata, valid by itself.
pub fn to_html_document(page: &Page, kept: &Kept, options: &RenderOptions, head: &HtmlHead<'_>) -> String {
    html::wrap(&to_html(page, kept, options), head)
}
