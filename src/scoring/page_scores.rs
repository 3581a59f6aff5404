//! `PageScores`, the scores of one extraction.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::cut_units::CutUnits;
use super::faults::Faults;
use crate::dataset::labelled::GoldText;
use crate::eval::{Calibration, Confusion, MarkdownEdits, ShingleCounts, SnippetScores, TextScores};
use crate::model::PageType;

/// The scores of one extraction: those that the experiment asks for and the page's gold allows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageScores {
    /// Tokens by gold and predicted label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Confusion>,
    /// Text nodes by gold and predicted label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Confusion>,
    /// Bytes of text nodes by gold and predicted label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Confusion>,
    /// The SD paper's region accuracy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region_accuracy: Option<f64>,
    /// P(content) against content, by tokens; of probability models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// The F1 that the system expects of the text; of probability models, with text metrics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The most probable type of the page and its probability; of systems that tell types, where the gold states one of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_type: Option<(PageType, f64)>,
    /// What is given out in part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_units: Option<CutUnits>,
    /// Scores of the extracted text against each gold text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<GoldText, TextResult>,
}

/// Scores of a text against one gold text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TextResult {
    /// Multisets of words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<TextScores>,
    /// Multisets of words, and of characters in scripts without spaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words_and_characters: Option<TextScores>,
    /// Shares of 4-gram shingles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shingles: Option<ShingleCounts>,
    /// Sets of two words in a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bigrams: Option<TextScores>,
    /// rouge-score's rougeLsum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rouge_lsum: Option<TextScores>,
    /// Snippets that must and must not be there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippets: Option<SnippetScores>,
    /// How near the Markdown is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markdown: Option<MarkdownEdits>,
    /// What is wrong, by the kinds of blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faults: Option<Faults>,
}
