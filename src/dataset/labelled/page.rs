//! `LabelledPage`: a parsed original with its gold.

use super::gold_text::GoldText;
use crate::dataset::TextGold;
use crate::dataset::same::{self, Mark};
use crate::dataset::transfer::GoldTokens;
use crate::host;
use crate::page::Page;

/// A page with its gold and the host it came from.
#[derive(Debug)]
pub struct LabelledPage {
    /// The original page.
    pub page: Page,
    /// Its registered domain: what folds are grouped by.
    pub host: String,
    /// The pages of one site may share a template, and are given together to an extractor that reads sites.
    pub site: String,
    /// What of it is content.
    pub gold: PageGold,
    /// The texts that text metrics take for gold.
    pub gold_texts: Vec<(GoldText, String)>,
}

impl LabelledPage {
    /// By what another page is told to be the same as this one: the words that it shows, its address.
    pub fn marks(&self) -> Vec<Mark> {
        same::of_page(self.page.dom(), self.page.url())
    }

    /// A page with its text.
    pub fn from_text(page: Page, text: String) -> Self {
        let host = page.url().and_then(host::registered_domain).unwrap_or_else(|| host::UNKNOWN.to_owned());
        let gold_texts = vec![(GoldText::Text, text.clone())];
        let gold = PageGold::Text(TextGold { text, ..TextGold::default() });
        LabelledPage { page, site: host.clone(), host, gold, gold_texts }
    }
}

/// The gold of a page, on the nodes of the original.
#[derive(Debug)]
pub enum PageGold {
    /// How many tokens of each label stand in each text node.
    Tokens(GoldTokens),
    /// The content as text, with what else the corpus tells.
    Text(TextGold),
}
