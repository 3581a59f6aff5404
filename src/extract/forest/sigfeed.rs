//! `sigfeed`: the block of a single page with most terms of its feed item.

use std::collections::HashMap;

use super::signifiers::{SignifierSource, find_signifiers};
use super::terms::{PageTerms, Vocabulary};
use crate::dom::Tag;
use crate::dom::XPathQuery;
use crate::error::PageProblem;
use crate::extract::{ExtractError, Extraction, PageExtractor, xpath};
use crate::index::NodeId;
use crate::page::Page;

/// Keeps the `<div>` that is densest in signifiers of the feed item (else of title and meta description).
///
/// M. Oita, P. Senellart: *Archiving Data Objects using Web Feeds*, IWAW 2010, as their paper of 2012 sums it up:
/// "significant nodes are simply clustered based on their first (i.e., lowest in the hierarchy) div ancestor", and
/// the smallest, lowest such div that is most dense in keywords is the content. Chosen here: the most dense is the one
/// whose own cluster holds most occurrences of signifiers (as a share of its terms, a title in a div of its own would
/// always win); of equals the deepest, then the first. Significant nodes without a div above them have `<body>`. Where
/// no node is significant, nothing is kept.
#[derive(Debug, Clone, Copy)]
pub struct SigFeed {
    k: usize,
}

impl SigFeed {
    /// With at most `k` signifiers, from 1 to 100; more are cut to that.
    pub fn new(k: u32) -> Self {
        SigFeed { k: k.min(super::MAX_SIGNIFIERS) as usize }
    }
}

impl PageExtractor for SigFeed {
    fn id(&self) -> &str {
        "sigfeed"
    }

    fn reads_feed(&self) -> bool {
        true
    }

    fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError> {
        let Some(block) = self.block(page) else {
            return Ok(Extraction::from_full_text(page.dom(), std::iter::empty()));
        };
        let query = XPathQuery::parse(&page.dom().xpath(block))
            .map_err(|error| PageProblem::Failed(error.to_string()))?;
        xpath::extract(&query, page)
    }
}

impl SigFeed {
    fn block(&self, page: &Page) -> Option<NodeId> {
        let dom = page.dom();
        let mut vocabulary = Vocabulary::default();
        let terms = [PageTerms::new(page, &mut vocabulary)];
        let places = find_signifiers(SignifierSource::Feed, self.k, &terms, &vocabulary).remove(0).places();
        let mut clusters: HashMap<NodeId, u32> = HashMap::new();
        for (leaf, terms) in terms[0].leaves() {
            let signifiers = terms.iter().filter(|term| places.contains_key(term)).count() as u32;
            let block = dom.ancestors(leaf).find(|&id| matches!(dom.tag(id), Tag::DIV | Tag::BODY));
            if let Some(block) = block.filter(|_| signifiers > 0) {
                *clusters.entry(block).or_default() += signifiers;
            }
        }
        let depth = |id| dom.ancestors(id).count();
        let most = clusters.values().copied().max()?;
        let densest = clusters.into_iter().filter(|&(_, signifiers)| signifiers == most);
        densest.map(|(block, _)| block).max_by_key(|&block| (depth(block), std::cmp::Reverse(block)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Label;
    use crate::page::FeedItem;

    fn kept(html: &str, item: Option<&str>) -> (String, Option<String>) {
        let mut page = Page::parse("p", None, html.as_bytes(), None, &Default::default()).unwrap();
        if let Some(title) = item {
            page = page.with_feed_item(FeedItem { title: title.to_owned(), description: String::new() });
        }
        let extraction = SigFeed::new(10).extract_page(&page).unwrap();
        let dom = page.dom();
        let texts = dom.shown_texts().filter(|&id| extraction.labels[id] == Label::FullText);
        (texts.map(|id| dom.text(id)).collect::<Vec<_>>().join("|"), extraction.wrapper)
    }

    const HTML: &str = "<html lang=en><title>Beech</title><body><div>Menu oak</div><div><div><h1>Old oak</h1></div>\
                        <p>The oak was an old tree.</p><p>More.</p></div><div>A beech and a beech</div>";

    #[test]
    fn the_div_whose_own_nodes_hold_most_signifiers_is_kept_whole() {
        let (text, wrapper) = kept(HTML, Some("The old oak"));
        // Two divs have two occurrences each; the one of the heading lies deeper.
        assert_eq!((text.as_str(), wrapper.as_deref()), ("Old oak", Some("/html[1]/body[1]/div[2]/div[1]")));
        let (text, _) = kept(HTML, Some("The old oak, a tree"));
        assert_eq!(text, "Old oak|The oak was an old tree.|More.");
    }

    #[test]
    fn without_a_feed_item_the_title_of_the_page_speaks() {
        assert_eq!(kept(HTML, None).0, "A beech and a beech");
    }

    #[test]
    fn without_a_div_the_body_is_kept_and_without_signifiers_nothing() {
        assert_eq!(kept("<html lang=en><p>old oak<p>ash", Some("oak")).0, "old oak|ash");
        assert_eq!(kept(HTML, Some("spruce")), (String::new(), None));
    }
}
