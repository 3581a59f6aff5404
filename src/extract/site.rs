//! The site of a page: what is extracted together, adapted together and kept on one side of a fold.

use crate::extract::metadata::Metadata;
use crate::host::registered_domain;
use crate::page::Page;

/// The site of a page: the registered domain of the address that it was got from, or else of the one that it states
/// (`rel="canonical"`). None for a page without an address, of which each caller says what it takes that for:
///
/// - `extract` takes all such pages for one site: who gives a folder of saved pages has most often saved one site.
/// - The harness takes each for a site of its own: nothing says that they belong together.
///
/// The registered domain is what folds are grouped by, so that what is measured there holds for `extract`. A corpus may join
/// further domains (`same_site` of its manifest) and part those of different years, whose templates differ; its pages then
/// carry the site that the corpus states.
///
/// # Examples
/// ```
/// use duramen::dom::Limits;
/// use duramen::extract::site::site_of;
/// use duramen::page::Page;
///
/// let page = |url: Option<&str>, html: &str| {
///     Page::parse("p", url.map(str::to_owned), html.as_bytes(), None, &Limits::default())
/// };
/// assert_eq!(site_of(&page(Some("https://news.example.co.uk/1"), "<p>x")?).as_deref(), Some("example.co.uk"));
/// let stated = page(None, "<link rel=canonical href='https://www.example.co.uk/2'><p>x")?;
/// assert_eq!(site_of(&stated).as_deref(), Some("example.co.uk"));
/// assert_eq!(site_of(&page(None, "<p>x")?), None);
/// # Ok::<(), duramen::Error>(())
/// ```
pub fn site_of(page: &Page) -> Option<String> {
    let stated = || Metadata::read(page, "").canonical.map(|field| field.value);
    registered_domain(&page.url().map(str::to_owned).or_else(stated)?)
}
