//! `description`: what the feed says of a page, taken for its content.

use crate::characters::folded;
use crate::extract::metadata::Metadata;
use crate::extract::{ExtractError, Extraction, PageExtractor};
use crate::page::{FeedItem, Page};
use crate::tokens;

pub(super) const NEED: &str = "a feed item or a meta description";

/// Gives title and description of the page's feed item, a line each, as its text; of a page without feed item its own
/// title and meta description, if it has that.
///
/// The text is the feed's and stands in [`Extraction::text`]. As labels, a text node of the page is full text if it is
/// the title, or has at least three [tokens] and stands in the description.
#[derive(Debug, Clone, Copy, Default)]
pub struct Description;

impl PageExtractor for Description {
    fn id(&self) -> &str {
        "description"
    }

    fn reads_feed(&self) -> bool {
        true
    }

    fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError> {
        let item = page.feed_item().cloned().or_else(|| own_words(page));
        let FeedItem { title, description } = item.ok_or(ExtractError::MissingInput(NEED))?;
        let (title, description) = (folded(&title), folded(&description));
        let dom = page.dom();
        let is_stated = |text: &str| {
            let text = folded(text);
            text == title || tokens::count(&text) >= 3 && description.contains(&text)
        };
        let mut extraction =
            Extraction::from_full_text(dom, dom.shown_texts().filter(|&id| is_stated(dom.text(id))));
        let lines = [title, description].into_iter().filter(|line| !line.is_empty());
        extraction.text = Some(lines.map(|line| line + "\n").collect());
        Ok(extraction)
    }
}

/// What the page says of itself, if it has a description.
fn own_words(page: &Page) -> Option<FeedItem> {
    let metadata = Metadata::read(page, "");
    let description = metadata.description?.value;
    Some(FeedItem { title: metadata.title.map(|field| field.value).unwrap_or_default(), description })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Label;

    const HTML: &str = "<title>Beech</title><meta name=description content='On a beech. It is  old.'>\
                        <h1>Beech</h1><p>It is\nold.</p><p>is old.</p><p>It grew.</p>";

    fn page(html: &str) -> Page {
        Page::parse("p", None, html.as_bytes(), None, &Default::default()).unwrap()
    }

    #[test]
    fn the_words_of_the_feed_come_before_those_of_the_page() {
        let own = page(HTML);
        let extraction = Description.extract_page(&own).unwrap();
        assert_eq!(extraction.text.as_deref(), Some("Beech\nOn a beech. It is old.\n"));
        let dom = own.dom();
        let texts = dom.shown_texts().filter(|&id| extraction.labels[id] == Label::FullText);
        assert_eq!(texts.map(|id| dom.text(id)).collect::<Vec<_>>(), ["Beech", "It is\nold."]);
        let item = FeedItem { title: String::new(), description: "Old  trees".to_owned() };
        let fed = Description.extract_page(&page(HTML).with_feed_item(item)).unwrap();
        assert_eq!(fed.text.as_deref(), Some("Old trees\n"));
    }

    #[test]
    fn a_title_alone_is_no_description() {
        let error = Description.extract_page(&page("<title>t</title><p>x")).unwrap_err();
        assert_eq!(error, ExtractError::MissingInput("a feed item or a meta description"));
    }
}
