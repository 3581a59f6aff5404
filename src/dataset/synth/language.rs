//! What a language needs for sentences and for the boilerplate of a page: short word lists of our own, in `words`.

use std::sync::LazyLock;

use rand::RngExt as _;
use serde::Deserialize;

use crate::rng::Rng;

/// The words of one language: common function words, a few content words, and syllables to invent more.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Language {
    /// ISO 639-1 code, as in `<html lang>`.
    pub code: &'static str,
    /// The share of the sites in this language, in percent.
    share: u32,
    /// Whether words are separated by spaces.
    pub spaced: bool,
    /// Whether nouns begin with a capital.
    pub capital_nouns: bool,
    pub determiners: Vec<&'static str>,
    /// Prepositions; in Japanese the particles that follow a noun.
    pub prepositions: Vec<&'static str>,
    pub conjunctions: Vec<&'static str>,
    pub pronouns: Vec<&'static str>,
    pub nouns: Vec<&'static str>,
    pub verbs: Vec<&'static str>,
    pub adjectives: Vec<&'static str>,
    pub adverbs: Vec<&'static str>,
    pub onsets: Vec<&'static str>,
    pub vowels: Vec<&'static str>,
    pub endings: Vec<&'static str>,
    pub first_names: Vec<&'static str>,
    /// Names of a site's sections, for its navigation.
    pub sections: Vec<&'static str>,
    /// Short commands and links of a page: print, send, log in.
    pub actions: Vec<&'static str>,
    /// Nouns of terms of use and privacy notices.
    pub legal: Vec<&'static str>,
    /// How readers open a comment.
    pub colloquial: Vec<&'static str>,
    pub months: [&'static str; 12],
    pub phrases: Phrases,
}

/// Fixed phrases of a page's boilerplate.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Phrases {
    pub home: &'static str,
    pub by: &'static str,
    pub photo: &'static str,
    pub updated: &'static str,
    pub said: &'static str,
    pub search: &'static str,
    pub read_more: &'static str,
    pub related: &'static str,
    pub most_read: &'static str,
    pub more_news: &'static str,
    pub comments: &'static str,
    pub write_comment: &'static str,
    pub reply: &'static str,
    pub report: &'static str,
    pub facts: &'static str,
    pub tags: &'static str,
    pub advertisement: &'static str,
    pub newsletter: &'static str,
    pub accept: &'static str,
    pub settings: &'static str,
    pub rights: &'static str,
    pub back: &'static str,
    pub scripts_off: &'static str,
}

/// The languages, English first.
static LANGUAGES: LazyLock<[Language; 8]> = LazyLock::new(|| {
    [
        include_str!("words/en.toml"),
        include_str!("words/de.toml"),
        include_str!("words/fr.toml"),
        include_str!("words/es.toml"),
        include_str!("words/sv.toml"),
        include_str!("words/ru.toml"),
        include_str!("words/el.toml"),
        include_str!("words/ja.toml"),
    ]
    .map(|words| {
        toml::from_str(words).unwrap_or_else(|error| panic!("word list of a language: {error}\n{words}"))
    })
});

/// A language drawn by its share of the sites.
pub(super) fn draw(rng: &mut Rng) -> &'static Language {
    let mut rest = rng.random_range(0..LANGUAGES.iter().map(|language| language.share).sum());
    for language in LANGUAGES.iter() {
        if rest < language.share {
            return language;
        }
        rest -= language.share;
    }
    english()
}

/// English, in which every site's host name and class names are written.
pub(super) fn english() -> &'static Language {
    &LANGUAGES[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_language_has_an_empty_list_codes_differ_and_shares_are_percent() {
        let mut codes: Vec<&str> = LANGUAGES.iter().map(|language| language.code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), LANGUAGES.len());
        assert_eq!(LANGUAGES.iter().map(|language| language.share).sum::<u32>(), 100);
        for language in LANGUAGES.iter() {
            for list in [
                &language.prepositions,
                &language.conjunctions,
                &language.pronouns,
                &language.nouns,
                &language.verbs,
                &language.adjectives,
                &language.adverbs,
                &language.onsets,
                &language.vowels,
                &language.endings,
                &language.first_names,
                &language.sections,
                &language.actions,
                &language.legal,
                &language.colloquial,
            ] {
                assert!(list.len() >= 4, "{}: {list:?}", language.code);
            }
            assert_eq!(language.spaced, !language.determiners.is_empty(), "{}", language.code);
        }
    }
}
