//! The six content types of L3S-GN1 (the thesis's section 3.1), and sets of them.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, did_you_mean};

/// What a piece of a page is. The numbers are those of the L3S annotation (`x-nc-selN`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Label {
    /// Navigation, advertising, legal text: everything that is none of the others.
    NotContent = 0,
    /// The title of the article.
    Headline = 1,
    /// The article's body, the *main text*.
    FullText = 2,
    /// Belongs to the article and is not its body: by-line, date, captions, fact boxes.
    Supplemental = 3,
    /// Links to and teasers of other articles on the subject.
    RelatedContent = 4,
    /// What readers wrote about the article.
    Comments = 5,
}

impl Label {
    /// The number of labels.
    pub const COUNT: usize = 6;

    /// All labels, in the order of their numbers.
    pub const ALL: [Label; Label::COUNT] = [
        Label::NotContent,
        Label::Headline,
        Label::FullText,
        Label::Supplemental,
        Label::RelatedContent,
        Label::Comments,
    ];

    /// The label's number, 0 to 5.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The label with number `index`, if there is one.
    pub fn from_index(index: usize) -> Option<Label> {
        Label::ALL.get(index).copied()
    }

    /// The label's name as written in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Label::NotContent => "not-content",
            Label::Headline => "headline",
            Label::FullText => "full-text",
            Label::Supplemental => "supplemental",
            Label::RelatedContent => "related-content",
            Label::Comments => "comments",
        }
    }

    /// What it is, in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Label::NotContent => "navigation, advertising, legal text: everything that is none of the others",
            Label::Headline => "the title of the article",
            Label::FullText => "the body of the article",
            Label::Supplemental => {
                "belongs to the article and is not its body: by-line, date, captions, fact boxes"
            }
            Label::RelatedContent => "links to and teasers of other articles on the subject",
            Label::Comments => "what readers wrote about the article",
        }
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for Label {
    type Err = Error;
    fn from_str(name: &str) -> Result<Label> {
        Label::ALL.into_iter().find(|label| label.name() == name).ok_or_else(|| {
            Error::usage(format!("unknown label '{name}'"), did_you_mean(name, Label::ALL.map(Label::name)))
        })
    }
}

/// A set of labels: what a view counts as relevant, what an output keeps, what a partial label permits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LabelSet(u8);

impl LabelSet {
    /// Every label.
    pub const ALL: LabelSet = LabelSet((1 << Label::COUNT) - 1);
    /// Everything but [`Label::NotContent`]: the thesis's *content*.
    pub const CONTENT: LabelSet = LabelSet(LabelSet::ALL.0 & !1);
    /// The full text alone: the thesis's *main text*.
    pub const MAIN_TEXT: LabelSet = LabelSet(1 << Label::FullText as u8);
    /// Headline, full text and supplemental: what Boilerpipe's benchmark calls the article.
    pub const ARTICLE: LabelSet =
        LabelSet(1 << Label::Headline as u8 | 1 << Label::FullText as u8 | 1 << Label::Supplemental as u8);

    /// Readers' comments alone.
    pub const COMMENTS: LabelSet = LabelSet(1 << Label::Comments as u8);

    /// The article without its headline.
    pub const ARTICLE_BODY: LabelSet = LabelSet(1 << Label::FullText as u8 | 1 << Label::Supplemental as u8);

    /// Whether `label` is in the set.
    pub fn contains(self, label: Label) -> bool {
        self.0 >> label.index() & 1 == 1
    }

    /// Whether no label is in both sets.
    pub fn is_disjoint(self, other: LabelSet) -> bool {
        self.0 & other.0 == 0
    }

    /// The labels of the set, in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Label> {
        Label::ALL.into_iter().filter(move |&label| self.contains(label))
    }

    /// The probability of the set under that of each label, by its number.
    pub fn probability(self, of_labels: &[f64; Label::COUNT]) -> f64 {
        self.iter().map(|label| of_labels[label.index()]).sum()
    }

    /// Whether the set has no label.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<Label> for LabelSet {
    fn from_iter<I: IntoIterator<Item = Label>>(labels: I) -> Self {
        LabelSet(labels.into_iter().fold(0, |bits, label| bits | 1 << label.index()))
    }
}

impl std::fmt::Display for LabelSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.iter().map(Label::name).collect::<Vec<_>>().join(","))
    }
}
