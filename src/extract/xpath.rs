//! `xpath`: keeps what an XPath selects, so that a wrapper found on some pages can be applied to others.

use super::registry::{ExtractorInfo, Parameter, Range};
use super::{ExtractError, Extraction, PageExtractor};
use crate::dom::XPathQuery;
use crate::error::{PageProblem, Result};
use crate::page::Page;

/// The id of the extractor.
pub const ID: &str = "xpath";

const EXPRESSION: Parameter = Parameter::new(
    "expression",
    Range::Text { default: "" },
    "the XPath 1.0 expression of the nodes to keep, such as //div[@id='content']",
);

const NEED: &str = "an XPath expression";

pub(super) const ENTRIES: &[ExtractorInfo] = &[ExtractorInfo {
    id: ID,
    summary: "keeps the text of what an XPath selects, such as a wrapper that forest found",
    reference: "XPath 1.0 (W3C 1999)",
    needs: &[NEED],
    parameters: &[EXPRESSION],
    reads_source: false,
    build: |values| {
        Ok(Box::new(match values.text(EXPRESSION.name) {
            "" => XPathExtractor { query: None },
            expression => XPathExtractor::new(expression)?,
        }))
    },
}];

/// Keeps the shown text of the elements and text nodes that an expression selects as full text.
#[derive(Debug, Clone)]
pub struct XPathExtractor {
    query: Option<XPathQuery>,
}

impl XPathExtractor {
    /// Keeps what `expression` selects.
    ///
    /// # Errors
    /// As [`XPathQuery::parse`].
    pub fn new(expression: &str) -> Result<Self> {
        Ok(XPathExtractor { query: Some(XPathQuery::parse(expression)?) })
    }
}

impl PageExtractor for XPathExtractor {
    fn id(&self) -> &str {
        ID
    }

    fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError> {
        extract(self.query.as_ref().ok_or(ExtractError::MissingInput(NEED))?, page)
    }
}

/// What a query selects on a page, with the query as wrapper.
pub(super) fn extract(query: &XPathQuery, page: &Page) -> Result<Extraction, ExtractError> {
    let nodes = query.select(page.dom()).map_err(|error| PageProblem::Failed(error.to_string()))?;
    let dom = page.dom();
    let mut is_selected = dom.covers(nodes.into_iter());
    let mut extraction = Extraction::from_full_text(dom, dom.shown_texts().filter(|&text| is_selected(text)));
    extraction.wrapper = Some(query.as_str().to_owned());
    Ok(extraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::registry::{self, Parameters};
    use crate::label::Label;

    fn kept(expression: &str) -> Vec<String> {
        let html = "<title>t</title><div><p>a<p>b<b>c</b></div><p>d<script>e</script>";
        let page = Page::parse("test", None, html.as_bytes(), None, &Default::default()).unwrap();
        let extraction = XPathExtractor::new(expression).unwrap().extract_page(&page).unwrap();
        assert_eq!(extraction.wrapper.as_deref(), Some(expression));
        let dom = page.dom();
        dom.shown_texts()
            .filter(|&id| extraction.labels[id] == Label::FullText)
            .map(|id| dom.text(id).to_owned())
            .collect()
    }

    #[test]
    fn the_shown_text_of_what_is_selected_is_kept_once() {
        assert_eq!(kept("//p"), ["a", "b", "c", "d"]);
        assert_eq!(kept("//div | //b | //p[2]"), ["a", "b", "c"]);
        assert_eq!(kept("//b/text() | /html/body/p"), ["c", "d"]);
        assert_eq!(kept("/"), ["a", "b", "c", "d"]);
        assert!(kept("//title | //script | //nothing | //@class").is_empty());
    }

    #[test]
    fn an_expression_that_cannot_be_read_is_refused_before_any_page() {
        let parameters: Parameters = "expression = \"//p[\"".parse().unwrap();
        let error = registry::build(ID, &parameters).err().unwrap().to_string();
        assert!(error.starts_with("the XPath '//p[' cannot be read at character 5"), "{error}");
    }
}
