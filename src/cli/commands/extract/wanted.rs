//! Which pages are wanted, and what of them never is.

use clap::Args;

use crate::document::{self, is_language_code};
use crate::dom::XPathQuery;
use crate::error::Result;

/// Which pages are wanted, and what of them never is.
#[derive(Debug, Clone, Args)]
pub struct WantedOptions {
    /// Withhold the text of pages in another language than this, such as de; their status is `unsure`
    ///
    /// A page whose language is not known is kept. Of a code such as pt-BR what stands before the hyphen counts.
    #[arg(long, value_name = "CODE", value_parser = language)]
    target_language: Option<String>,
    /// Withhold the text of pages without title, date or address; their status is `unsure`
    #[arg(long)]
    only_with_metadata: bool,
    /// Leave out what this XPath 1.0 selects, whatever it is; may be given several times
    #[arg(long, value_name = "EXPR")]
    prune_xpath: Vec<String>,
}

fn language(text: &str) -> std::result::Result<String, String> {
    match is_language_code(text) {
        true => Ok(text.to_owned()),
        false => Err("write the code of a language, such as de or pt-BR".to_owned()),
    }
}

impl WantedOptions {
    /// Asks for it.
    ///
    /// # Errors
    /// As [`XPathQuery::parse`].
    pub fn tell(&self, asked: &mut document::Options) -> Result<()> {
        asked.target_language = self.target_language.clone();
        asked.only_with_metadata = self.only_with_metadata;
        asked.pruned =
            self.prune_xpath.iter().map(|xpath| XPathQuery::parse(xpath)).collect::<Result<_>>()?;
        Ok(())
    }
}
