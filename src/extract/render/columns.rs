//! The columns of tables of pages, one list for every format.

use super::records::RenderedPage;
use crate::label::Label;

/// What a column holds of a page; nothing where it is not known.
#[derive(Debug, Clone, Copy)]
pub enum ColumnValue {
    /// A text.
    Text(fn(&RenderedPage) -> Option<&str>),
    /// A number.
    Number(fn(&RenderedPage) -> Option<f64>),
    /// A number of words.
    Count(fn(&RenderedPage) -> Option<u64>),
}

/// The columns with their names, in order.
pub const COLUMNS: [(&str, ColumnValue); 22] = [
    ("id", ColumnValue::Text(|page| Some(&page.id))),
    ("url", ColumnValue::Text(|page| page.url.as_deref())),
    ("status", ColumnValue::Text(|page| Some(page.status))),
    ("problem", ColumnValue::Text(|page| page.problem.as_deref())),
    ("title", ColumnValue::Text(|page| page.title.as_deref())),
    ("author", ColumnValue::Text(|page| page.author.as_deref())),
    ("date", ColumnValue::Text(|page| page.date.as_deref())),
    ("date_modified", ColumnValue::Text(|page| page.date_modified.as_deref())),
    ("language", ColumnValue::Text(|page| page.language.as_deref())),
    ("site", ColumnValue::Text(|page| page.site.as_deref())),
    ("description", ColumnValue::Text(|page| page.description.as_deref())),
    ("confidence", ColumnValue::Number(|page| page.confidence)),
    ("page_type", ColumnValue::Text(|page| Some(page.most_probable_type()?.name()))),
    ("page_fault", ColumnValue::Text(|page| Some(page.most_probable_fault()?.name()))),
    ("words_not_content", ColumnValue::Count(|page| page.words.get(&Label::NotContent).copied())),
    ("words_headline", ColumnValue::Count(|page| page.words.get(&Label::Headline).copied())),
    ("words_full_text", ColumnValue::Count(|page| page.words.get(&Label::FullText).copied())),
    ("words_supplemental", ColumnValue::Count(|page| page.words.get(&Label::Supplemental).copied())),
    ("words_related_content", ColumnValue::Count(|page| page.words.get(&Label::RelatedContent).copied())),
    ("words_comments", ColumnValue::Count(|page| page.words.get(&Label::Comments).copied())),
    ("hidden_words", ColumnValue::Count(|page| (!page.words.is_empty()).then_some(page.hidden_words))),
    ("text", ColumnValue::Text(|page| (page.status == "ok").then_some(&*page.text))),
];

/// The names of [`COLUMNS`]; those that begin with `words_` count the words under a label.
pub const CSV_COLUMNS: [&str; COLUMNS.len()] = {
    let mut names = [""; COLUMNS.len()];
    let mut number = 0;
    while number < names.len() {
        names[number] = COLUMNS[number].0;
        number += 1;
    }
    names
};

impl RenderedPage {
    /// The record as the fields of a CSV line, in the order of [`CSV_COLUMNS`]; what is not known is empty.
    pub fn csv_row(&self) -> [String; CSV_COLUMNS.len()] {
        COLUMNS.map(|(_, value)| match value {
            ColumnValue::Text(text) => text(self).unwrap_or_default().to_owned(),
            ColumnValue::Number(number) => number(self).map_or(String::new(), |number| number.to_string()),
            ColumnValue::Count(count) => count(self).map_or(String::new(), |count| count.to_string()),
        })
    }
}
