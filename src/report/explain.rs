//! One page with every block colored by label and posterior, the reasons for each, and what is written of it, as one HTML file.
//!
//! The file works from disk and asks nothing of the network: the page's own scripts, styles and images are not
//! in it, its text is escaped, and a content security policy forbids everything but the file's own script. Without
//! JavaScript it is still the colored page with its summary. The same page and model give the same bytes.

mod data;
mod outline;
mod picture;
mod result;
mod summary;
mod units;

use crate::dom::Tag;
use crate::dom::serialize::escape;
use crate::extract::Extraction;
use crate::extract::hmt::Hmt;
use crate::label::LabelSet;
use crate::page::Page;

pub use picture::PagePicture;
use units::Units;

const SHELL: &str = include_str!("explain/page.html");
const STYLE: &str = include_str!("explain/page.css");
const SCRIPT: &str = include_str!("explain/page.js");

/// What the explanation of a page shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExplainOptions<'a> {
    /// Labels that count as kept; text of any other is dimmed and can be hidden. Default
    /// [`LabelSet::CONTENT`].
    pub keep: LabelSet,
    /// The number of blocks with reasons behind them; kept blocks come first. Further ones are colored and
    /// counted, and the summary says how many. Default 5000, about 400 bytes each.
    pub max_details: usize,
    /// The page's picture, shown with the box of every block in the color of its label. Default none.
    pub picture: Option<PagePicture<'a>>,
}

impl Default for ExplainOptions<'_> {
    fn default() -> Self {
        ExplainOptions { keep: LabelSet::CONTENT, max_details: 5000, picture: None }
    }
}

/// The explanation of one page as a self-contained HTML file.
///
/// `extraction` is what `hmt` found on `page`: its labels and posteriors color the text. The reasons are log-odds
/// under exact inference with the same parameters, see [`mod@crate::inference::contributions`]; where `hmt` infers
/// in another way the file says so. `#b12` at the end of the file's address opens it at the twelfth block.
///
/// # Examples
/// ```
/// use duramen::dom::Limits;
/// use duramen::extract::{PageExtractor, hmt::{Hmt, Inference}};
/// use duramen::model::{Model, ModelConfig};
/// use duramen::page::Page;
/// use duramen::report::explain::{ExplainOptions, explain_html};
///
/// let page = Page::parse("a.html", None, b"<h1>A title</h1><p>Some text.", None, &Limits::default())?;
/// let hmt = Hmt::new("untrained", Model::new(ModelConfig::blocks())?, Inference::Exact)?;
/// let extraction = hmt.extract_page(&page).unwrap();
/// let html = explain_html(&page, &hmt, &extraction, &ExplainOptions::default());
/// assert!(html.contains("Some text."));
/// # Ok::<(), duramen::Error>(())
/// ```
///
/// # Panics
/// If the page lacks a layout that the model needs: there is then no extraction either.
pub fn explain_html(page: &Page, hmt: &Hmt, extraction: &Extraction, options: &ExplainOptions<'_>) -> String {
    let exact = hmt.exact(page).expect("the page has what the model needs: there is an extraction");
    let mut units = Units::new(page, &exact.0.view, extraction, options.keep);
    units.choose_detailed(options.max_details);
    let title = page_title(page);
    fill(
        SHELL,
        &[
            ("title", escape(&title)),
            ("style", STYLE.to_owned()),
            ("header", summary::header(page, &title, &units)),
            (
                "picture",
                options
                    .picture
                    .map(|picture| picture::page_picture(page, &units, &picture))
                    .unwrap_or_default(),
            ),
            ("page", outline::page_text(page, &units)),
            ("result", result::result(page, extraction, options.keep)),
            ("summary", summary::summary(page, hmt, extraction, &units)),
            ("data", data::json(page, hmt, &exact, &units, extraction.cutoff)),
            ("script", SCRIPT.to_owned()),
        ],
    )
}

/// The page's own title, or its id where it has none.
fn page_title(page: &Page) -> String {
    let dom = page.dom();
    let title = dom.ids().find(|&id| dom.tag(id) == Tag::TITLE).map(|id| dom.text_content(id));
    let folded = title.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    if folded.is_empty() { page.id().to_owned() } else { folded }
}

/// `template` with each `{{name}}` replaced; what is put in is not looked at again.
fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut parts = template.split("{{");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").expect("the shell closes what it opens");
        let (_, value) =
            values.iter().find(|(known, _)| *known == name).expect("the shell's names are known");
        filled.push_str(value);
        filled.push_str(rest);
    }
    filled
}
