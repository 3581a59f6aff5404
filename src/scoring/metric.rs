//! `Metric`, what is measured of an extraction.

use serde::{Deserialize, Serialize};

/// What is measured of an extraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// Tokens of shown text, each with its label; needs a gold of labels.
    Tokens,
    /// Shown text nodes with a token; needs a gold of labels.
    Nodes,
    /// Bytes of the shown text nodes; needs a gold of labels.
    Bytes,
    /// The thesis's and L3S's regions: characters found of each (Pappas et al. 2012, equation 4); needs a gold of
    /// labels.
    RegionAccuracy,
    /// Multisets of words (WCXB).
    Words,
    /// Multisets of words, and of characters in scripts without spaces between words.
    WordsAndCharacters,
    /// Multisets of four words in a row (article-extraction-benchmark).
    Shingles,
    /// Sets of two words in a row (Oita & Senellart 2012).
    Bigrams,
    /// Longest common subsequences of lines (rouge-score's rougeLsum).
    RougeLsum,
    /// Snippets that must and must not be there (WCXB); needs a corpus that lists them.
    Snippets,
    /// Edit similarity of the Markdown (WebMainBench's `text_edit`); with the four below of a gold of Markdown.
    TextEdit,
    /// Edit similarity of the code in the Markdown (`code_edit`).
    CodeEdit,
    /// Edit similarity of the formulas in the Markdown (`formula_edit`).
    FormulaEdit,
    /// Edit similarity of the tables in the Markdown (`table_edit`).
    TableEdit,
    /// Similarity by tree edits of the tables in the Markdown (TEDS).
    Teds,
    /// Words wrongly kept and missed, by the kinds of their blocks: what [`Faults`](super::Faults) has.
    Faults,
    /// Code, tables, lists and such given out in part: what [`CutUnits`](super::CutUnits) has.
    CutUnits,
}

impl Metric {
    /// All of them.
    pub const ALL: [Metric; 17] = [
        Metric::Tokens,
        Metric::Nodes,
        Metric::Bytes,
        Metric::RegionAccuracy,
        Metric::Words,
        Metric::WordsAndCharacters,
        Metric::Shingles,
        Metric::Bigrams,
        Metric::RougeLsum,
        Metric::Snippets,
        Metric::TextEdit,
        Metric::CodeEdit,
        Metric::FormulaEdit,
        Metric::TableEdit,
        Metric::Teds,
        Metric::Faults,
        Metric::CutUnits,
    ];

    /// Those of Markdown.
    pub const OF_MARKDOWN: [Metric; 5] =
        [Metric::TextEdit, Metric::CodeEdit, Metric::FormulaEdit, Metric::TableEdit, Metric::Teds];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Tokens => "tokens",
            Metric::Nodes => "nodes",
            Metric::Bytes => "bytes",
            Metric::RegionAccuracy => "region-accuracy",
            Metric::Words => "words",
            Metric::WordsAndCharacters => "words-and-characters",
            Metric::Shingles => "shingles",
            Metric::Bigrams => "bigrams",
            Metric::RougeLsum => "rouge-lsum",
            Metric::Snippets => "snippets",
            Metric::TextEdit => "text-edit",
            Metric::CodeEdit => "code-edit",
            Metric::FormulaEdit => "formula-edit",
            Metric::TableEdit => "table-edit",
            Metric::Teds => "teds",
            Metric::Faults => "faults",
            Metric::CutUnits => "cut-units",
        }
    }

    /// Whether it counts labels of nodes, and not words of a text.
    pub fn is_of_labels(self) -> bool {
        matches!(self, Metric::Tokens | Metric::Nodes | Metric::Bytes | Metric::RegionAccuracy)
    }
}
