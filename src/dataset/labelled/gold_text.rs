//! `GoldText`, the texts that a text metric may take for gold.

use serde::{Deserialize, Serialize};

use crate::label::{Label, LabelSet};

/// The text that a text metric takes for gold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GoldText {
    /// The text that the corpus gives.
    Text,
    /// Of an annotated page the headline, full text and supplemental.
    Article,
    /// Of an annotated page the headline and full text.
    HeadlineFullText,
    /// Of an annotated page the full text.
    FullText,
}

impl GoldText {
    /// Those of an annotated page.
    pub const OF_LABELS: [GoldText; 3] = [GoldText::Article, GoldText::HeadlineFullText, GoldText::FullText];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            GoldText::Text => "text",
            GoldText::Article => "article",
            GoldText::HeadlineFullText => "headline-full-text",
            GoldText::FullText => "full-text",
        }
    }

    /// The labels whose text it is; all content for a text that the corpus gives.
    pub fn labels(self) -> LabelSet {
        match self {
            GoldText::Text => LabelSet::CONTENT,
            GoldText::Article => LabelSet::ARTICLE,
            GoldText::HeadlineFullText => [Label::Headline, Label::FullText].into_iter().collect(),
            GoldText::FullText => LabelSet::MAIN_TEXT,
        }
    }
}
