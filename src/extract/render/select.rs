//! `Selection`: which text nodes an output keeps, by label or by posterior.

use crate::error::{Error, Result};
use crate::extract::Extraction;
use crate::extract::pictures::Picture;
use crate::index::{NodeId, NodeMap};
use crate::label::{Label, LabelSet};
use crate::page::Page;

/// What an output keeps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Selection {
    /// The labels wanted. Default: the article ([`LabelSet::ARTICLE`]).
    pub labels: LabelSet,
    /// If given, from 0 to 1: a text node is kept if the posterior of the wanted labels adds up to at least this,
    /// whatever its own label. Default: none, the label decides.
    pub threshold: Option<f64>,
    /// Whether text that the page [hides](Page::hidden_texts) from its readers is kept as any other. Default false: it never is.
    pub hidden: bool,
}

impl Default for Selection {
    fn default() -> Self {
        Selection { labels: LabelSet::ARTICLE, threshold: None, hidden: false }
    }
}

impl Selection {
    /// Readers' comments alone, of extractors that [tell](crate::extract::Extractor::tells_comments) them.
    pub const COMMENTS: Selection = Selection { labels: LabelSet::COMMENTS, threshold: None, hidden: false };

    /// The same with readers' comments.
    ///
    /// # Examples
    /// ```
    /// use duramen::{Hmt, Inference, Model, Page, PageExtractor, RenderOptions, Selection, to_text};
    ///
    /// let said = "I drive past there every day, and my father always said that it would come down one day.";
    /// let story = "The old oak at the mill fell in the night, and nobody heard it. It had stood there for 300 years.";
    /// let article = format!("<article><h1>Oak falls</h1><p>{story}<p>{story}</article>");
    /// let html = format!("{article}<div id=comments><h3>1 comment</h3><p>{said}</div>");
    /// let page = Page::parse("oak.html", None, html.as_bytes(), None, &Default::default())?;
    /// let extraction = Hmt::new("web", Model::by_name("web")?, Inference::Exact)?.extract_page(&page).unwrap();
    /// let text = |selection: Selection| {
    ///     Ok::<_, duramen::Error>(to_text(&page, &selection.kept(&page, &extraction)?, &RenderOptions::default()))
    /// };
    /// assert!(!text(Selection::default())?.contains(said));
    /// assert!(text(Selection::default().with_comments())?.contains(said));
    /// assert!(text(Selection::COMMENTS)?.contains(said) && !text(Selection::COMMENTS)?.contains(story));
    /// # Ok::<(), duramen::Error>(())
    /// ```
    pub fn with_comments(self) -> Selection {
        Selection { labels: self.labels.iter().chain([Label::Comments]).collect(), ..self }
    }

    /// The text nodes that are kept, of those that the page shows and, but for [`Selection::hidden`], does not hide.
    ///
    /// # Errors
    /// - [`Error::Usage`] for a threshold outside 0 to 1, and for one on an extraction without posteriors: those
    ///   of an extractor that is no probability model cannot be made up.
    /// - [`Error::Data`] for an extraction of another parse, with more or fewer nodes.
    pub fn kept(&self, page: &Page, extraction: &Extraction) -> Result<Kept> {
        let dom = page.dom();
        let nodes = extraction.labels.len();
        if nodes != dom.len() {
            return Err(Error::data(
                page.id(),
                format!("the extraction is of {nodes} nodes and the page has {}", dom.len()),
                "extract this page again",
            ));
        }
        let mut kept = NodeMap::filled(dom.len(), false);
        match self.threshold {
            None => {
                for id in dom.shown_texts() {
                    kept[id] = self.labels.contains(extraction.labels[id]);
                }
            }
            Some(threshold) if !(0.0..=1.0).contains(&threshold) => {
                return Err(Error::usage(
                    format!("the threshold cannot be {threshold}"),
                    "it is a probability from 0 to 1",
                ));
            }
            Some(threshold) => {
                let Some(posteriors) = &extraction.posteriors else {
                    return Err(Error::usage(
                        "a threshold is given, and the extractor gives no posteriors",
                        "leave the threshold out, or use an extractor that is a probability model",
                    ));
                };
                for id in dom.shown_texts() {
                    kept[id] = self.mass(&posteriors[id]) >= threshold;
                }
            }
        }
        if !self.hidden {
            page.hidden_texts().iter().for_each(|&id| kept[id] = false);
        }
        let images = extraction.images.as_ref();
        let images = images.map(|images| images.images.iter().map(|image| image.picture.clone()).collect());
        Ok(Kept { texts: kept, images })
    }

    /// Whether it is the article that is kept, with its headline or without.
    pub(super) fn is_article(&self) -> bool {
        self.threshold.is_none() && [LabelSet::ARTICLE, LabelSet::ARTICLE_BODY].contains(&self.labels)
    }

    /// The probability that a node has one of the wanted labels.
    pub(crate) fn mass(&self, posterior: &[f64; Label::COUNT]) -> f64 {
        self.labels.probability(posterior)
    }
}

/// What is kept: for every node, whether it is a kept text node, and the images. Only text that the page shows is ever kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    texts: NodeMap<bool>,
    /// The images of an extractor that tells them from others, in document order.
    images: Option<Vec<Picture>>,
}

impl Kept {
    /// All shown text of a page.
    pub fn everything(page: &Page) -> Kept {
        let mut kept = NodeMap::filled(page.dom().len(), false);
        for id in page.dom().shown_texts() {
            kept[id] = true;
        }
        Kept { texts: kept, images: None }
    }

    /// Keeps of the kept text nodes only those for which `is_kept` is true.
    pub fn retain(&mut self, mut is_kept: impl FnMut(NodeId) -> bool) {
        for index in 0..self.texts.len() {
            let id = NodeId::from_index(index);
            self.texts[id] = self.texts[id] && is_kept(id);
        }
    }

    /// Keeps one more text node that the page shows.
    pub(super) fn add(&mut self, id: NodeId) {
        self.texts[id] = true;
    }

    /// Whether the node is a kept text node.
    pub fn contains(&self, id: NodeId) -> bool {
        self.texts[id]
    }

    /// The images that the extractor holds for part of the content; none if it does not tell.
    pub(super) fn images(&self) -> Option<&[Picture]> {
        self.images.as_deref()
    }

    /// The kept text nodes, in document order.
    pub fn iter(&self) -> impl Iterator<Item = NodeId> {
        self.texts.iter().filter(|&(_, &kept)| kept).map(|(id, _)| id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        Page::parse("p.html", None, b"<title>t</title><h1>a</h1><p>b<p>c", None, &Default::default()).unwrap()
    }

    fn texts(page: &Page, kept: &Kept) -> String {
        kept.iter().map(|id| page.dom().text(id)).collect()
    }

    #[test]
    fn labels_decide_and_hidden_text_is_never_kept() {
        let page = page();
        let extraction = Extraction::from_labels(NodeMap::filled(page.dom().len(), Label::Comments));
        let comments = Selection { labels: [Label::Comments].into_iter().collect(), ..Selection::default() };
        assert_eq!(texts(&page, &comments.kept(&page, &extraction).unwrap()), "abc");
        assert_eq!(texts(&page, &Selection::default().kept(&page, &extraction).unwrap()), "");
    }

    #[test]
    fn what_is_kept_can_be_cut_down_and_never_grows() {
        let page = page();
        let extraction = Extraction::from_labels(NodeMap::filled(page.dom().len(), Label::FullText));
        let mut kept = Selection::default().kept(&page, &extraction).unwrap();
        kept.retain(|id| page.dom().text(id) != "b");
        assert_eq!(texts(&page, &kept), "ac");
        kept.retain(|_| true);
        assert_eq!(texts(&page, &kept), "ac");
    }

    #[test]
    fn a_threshold_adds_up_the_posteriors_of_the_wanted_labels() {
        let page = page();
        let n = page.dom().len();
        let posteriors = (0..n).map(|i| {
            let wanted = i as f64 / (n - 1) as f64;
            [1.0 - wanted, wanted / 2.0, wanted / 4.0, wanted / 4.0, 0.0, 0.0]
        });
        let extraction = Extraction::from_posteriors(posteriors.collect());
        let at = |threshold| {
            let selection = Selection { threshold: Some(threshold), ..Selection::default() };
            selection.kept(&page, &extraction).map(|kept| texts(&page, &kept))
        };
        assert_eq!(at(0.0).unwrap(), "abc");
        assert_eq!(at(0.75).unwrap(), "bc");
        assert_eq!(at(1.0).unwrap(), "c");
        assert!(at(f64::NAN).is_err() && at(1.5).is_err());
    }

    #[test]
    fn a_threshold_without_posteriors_and_a_foreign_extraction_are_named_errors() {
        let page = page();
        let labels = Extraction::from_labels(NodeMap::filled(page.dom().len(), Label::FullText));
        let selection = Selection { threshold: Some(0.5), ..Selection::default() };
        let error = selection.kept(&page, &labels).unwrap_err().to_string();
        assert!(error.contains("gives no posteriors; leave the threshold out"), "{error}");
        let foreign = Extraction::from_labels(NodeMap::filled(3, Label::FullText));
        let error = Selection::default().kept(&page, &foreign).unwrap_err().to_string();
        assert!(error.starts_with("p.html: the extraction is of 3 nodes"), "{error}");
    }
}
