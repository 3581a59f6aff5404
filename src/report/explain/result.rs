//! What is written of the page: the same text that an output in Markdown has, as it reads and as it stands in the file.

use crate::dom::serialize::escape;
use crate::extract::Extraction;
use crate::extract::render::{RenderOptions, Selection, to_html, to_markdown};
use crate::label::LabelSet;
use crate::page::Page;

/// The HTML of the result. The writer of HTML escapes all text and writes no element that loads or runs anything.
pub(super) fn result(page: &Page, extraction: &Extraction, keep: LabelSet) -> String {
    let selection = Selection { labels: keep, ..Selection::default() };
    let kept =
        selection.kept(page, extraction).expect("the extraction is of this page, and no threshold is set");
    let options = RenderOptions::default();
    let markdown = to_markdown(page, &kept, &options);
    if markdown.is_empty() {
        return "<p class=\"soft\">Nothing is kept of this page.</p>\n".to_owned();
    }
    format!(
        "<article class=\"rendered\" dir=\"auto\">\n{}</article>\n<h2>The same as Markdown</h2>\n\
         <pre class=\"markdown\" tabindex=\"0\" dir=\"auto\">{}</pre>\n",
        to_html(page, &kept, &options),
        escape(&markdown)
    )
}
