//! Text out of labels, in one place for every extractor: which text nodes are kept, and how they are written.
//!
//! A [`Selection`] says which labels (or how much posterior) are wanted and makes [`Kept`] of a page and its
//! extraction. [`RenderOptions`] change how the kept text is written and never what is kept.
//!
//! The page is turned once into a flat list of events (private `document`: containers, and leaves of inline
//! text), which each format then writes. A leaf is a leaf of the [`BlockTree`](crate::dom::BlockTree), cut down to
//! the kept text; an element is written only if it holds kept text (or a kept image). Nothing here recurses.

mod build;
mod callout;
mod code;
mod columns;
mod document;
mod fingerprint;
mod formula;
mod furniture;
mod html;
mod images;
mod inline;
mod markdown;
mod markdown_inline;
mod mathml;
mod mojibake;
mod notes;
mod records;
mod script_text;
mod select;
mod structure;
mod table;
mod tabs;
mod text;
mod xml;
mod yaml;

pub use columns::{COLUMNS, CSV_COLUMNS, ColumnValue};
pub use fingerprint::fingerprint;
pub use html::DocumentHead;
pub use images::{ImageRecord, LeadImageRecord, image_records, lead_image_record};
pub use records::{Archived, NodeRecord, RenderedPage, confidence, node_records};
pub use select::{Kept, Selection};
pub use table::TableFormat;

use crate::page::Page;
use document::Detail;

/// How kept text is written. No option changes which text is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderOptions {
    /// Write links in all formats but plain text; otherwise their text alone. Default false.
    ///
    /// Addresses are made absolute where the page's address is known; only http, https, ftp, mailto and tel are
    /// written, and none that leads to another place on the same page.
    pub links: bool,
    /// Write images in all formats but plain text. Default false.
    ///
    /// The images are those that the extractor holds for part of the content. Of an extractor that does not tell, an image is
    /// kept if the shown text just before or just after it is, unless it is stated to be at most 2 pixels wide or high.
    pub images: bool,
    /// Write data tables as tables; otherwise their cells are paragraphs. Default true.
    ///
    /// A data table has two rows with kept text, one of them with two such cells, and never more than one
    /// paragraph in a cell; with header cells it may hold anything, but in plain text. Any other table lays out the page, and
    /// its cells are always paragraphs.
    pub tables: bool,
    /// How Markdown has data tables. Default with pipes.
    pub table_format: TableFormat,
}

impl Default for RenderOptions {
    fn default() -> Self {
        RenderOptions { links: false, images: false, tables: true, table_format: TableFormat::Gfm }
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
    let options = RenderOptions { links: false, images: false, ..*options };
    text::write(&build::document(page, kept, &options, Detail::Text))
}

/// The kept text as CommonMark with GitHub's tables, strike-through, tasks, callouts, footnotes and formulas.
///
/// Characters that Markdown would read as marks are escaped; formulas, as TeX between dollar signs, never. Where CommonMark cannot express an emphasis
/// (one that ends inside a word after punctuation), it is left out. Subscripts and superscripts are written as HTML, and so is a table in which a
/// cell spans others or holds more than a paragraph. Any other table without header cells has its first row as header if all of it is bold, else an empty
/// one. Terms of a definition list stand before lines that begin with `: `, as in PHP Markdown Extra. Code has the language that the page names, and no line numbers.
///
/// Notes that the kept text refers to are written although they may not be kept themselves.
///
/// # Examples
/// ```
/// use duramen::{Kept, Page, RenderOptions, to_markdown};
/// let html = b"<p>A pendulum: <math><mi>T</mi><mo>=</mo><mn>2</mn><mi>\xcf\x80</mi></math></p><pre><code class=language-sh>ls</code></pre>";
/// let page = Page::parse("p", None, html, Some("utf-8"), &Default::default())?;
/// let markdown = to_markdown(&page, &Kept::everything(&page), &RenderOptions::default());
/// assert_eq!(markdown, "A pendulum: $T=2\\pi$\n\n```sh\nls\n```\n");
/// # Ok::<(), duramen::Error>(())
/// ```
pub fn to_markdown(page: &Page, kept: &Kept, options: &RenderOptions) -> String {
    markdown::write(&build::document(page, kept, options, Detail::Structure), options.table_format)
}

/// The kept text as clean HTML: the content of an `<article>`, without it.
///
/// Only elements with a meaning are written; everything is escaped. Attributes are `href`, `src`, `alt`, `start`, `colspan` and `rowspan`, the `class`
/// of code (`language-...`), of formulas (`math`, TeX between `\(` and `\)`, `\[` and `\]`) and of callouts, and what makes notes and boxes of tasks.
pub fn to_html(page: &Page, kept: &Kept, options: &RenderOptions) -> String {
    html::write(&build::document(page, kept, options, Detail::Structure))
}

/// The kept text as a complete HTML document with title and metadata, valid by itself.
pub fn to_html_document(
    page: &Page,
    kept: &Kept,
    options: &RenderOptions,
    head: &DocumentHead<'_>,
) -> String {
    html::wrap(&to_html(page, kept, options), head)
}

/// The kept content as JSON: an array of blocks in page order, each an object with its `type`.
///
/// Blocks that hold others (`list`, `item`, `quote`, `callout`, `note`, `table`, `row`, `cell`, `caption`, `figure`, `definitions`, `term`,
/// `definition`) have them as `blocks`. The others (`paragraph`, `heading`, `code`, `formula`, `break`) have their `text`, of formulas the
/// `tex`, and where more than text stands in them `inlines`.
///
/// # Examples
/// ```
/// use duramen::{Kept, Page, RenderOptions};
/// use duramen::extract::render::to_structure;
/// let html = b"<h1>Oak</h1><ul><li>a <b>tree</b></ul>";
/// let page = Page::parse("p", None, html, None, &Default::default())?;
/// let blocks = to_structure(&page, &Kept::everything(&page), &RenderOptions::default());
/// assert_eq!(blocks[0], serde_json::json!({"type": "heading", "level": 1, "text": "Oak"}));
/// assert_eq!(blocks[1]["blocks"][0]["blocks"][0]["inlines"][1]["type"], "strong");
/// # Ok::<(), duramen::Error>(())
/// ```
pub fn to_structure(page: &Page, kept: &Kept, options: &RenderOptions) -> serde_json::Value {
    structure::write(&build::document(page, kept, options, Detail::Structure))
}

/// The kept text as a document of XML, with the elements that trafilatura has in its own: `head`, `p`, `list`, `quote`, `code`, `table`,
/// `hi`, `ref`, `graphic` in `main` of a `doc`, whose attributes are the metadata.
pub fn to_xml(page: &Page, kept: &Kept, options: &RenderOptions, head: &DocumentHead<'_>) -> String {
    xml::document(&build::document(page, kept, options, Detail::Structure), head, xml::Dialect::Plain)
}

/// The kept text as a document of TEI P5, with the metadata in its header: what corpora of linguistics and the humanities are made of.
///
/// Headings are `ab` of type `header` with their level in `rend`, since a page's headings need not nest as divisions do; code
/// is `code` with its language, callouts and footnotes are `note`.
pub fn to_tei(page: &Page, kept: &Kept, options: &RenderOptions, head: &DocumentHead<'_>) -> String {
    xml::document(&build::document(page, kept, options, Detail::Structure), head, xml::Dialect::Tei)
}
