//! What a language needs for sentences and for the furniture of a page: short word lists of our own.

mod de;
mod el;
mod en;
mod es;
mod fr;
mod ja;
mod ru;
mod sv;

use rand::RngExt as _;

use crate::rng::Rng;

/// The words of one language: common function words, a few content words, and syllables to invent more.
pub(super) struct Language {
    /// ISO 639-1 code, as in `<html lang>`.
    pub code: &'static str,
    /// Whether words are separated by spaces.
    pub spaced: bool,
    /// Whether nouns begin with a capital.
    pub capital_nouns: bool,
    pub determiners: &'static [&'static str],
    /// Prepositions; in Japanese the particles that follow a noun.
    pub prepositions: &'static [&'static str],
    pub conjunctions: &'static [&'static str],
    pub pronouns: &'static [&'static str],
    pub nouns: &'static [&'static str],
    pub verbs: &'static [&'static str],
    pub adjectives: &'static [&'static str],
    pub adverbs: &'static [&'static str],
    pub onsets: &'static [&'static str],
    pub vowels: &'static [&'static str],
    pub endings: &'static [&'static str],
    pub first_names: &'static [&'static str],
    /// Names of a site's sections, for its navigation.
    pub sections: &'static [&'static str],
    /// Short commands and links of a page: print, send, log in.
    pub actions: &'static [&'static str],
    /// Nouns of terms of use and privacy notices.
    pub legal: &'static [&'static str],
    /// How readers open a comment.
    pub colloquial: &'static [&'static str],
    pub months: [&'static str; 12],
    pub phrases: Phrases,
}

/// Fixed phrases of a page's furniture.
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

/// The languages with their share of the sites, in percent.
const SHARES: [(&Language, u32); 8] = [
    (&en::ENGLISH, 40),
    (&de::GERMAN, 14),
    (&fr::FRENCH, 11),
    (&es::SPANISH, 11),
    (&sv::SWEDISH, 10),
    (&ru::RUSSIAN, 7),
    (&el::GREEK, 4),
    (&ja::JAPANESE, 3),
];

/// A language drawn by its share of the sites.
pub(super) fn draw(rng: &mut Rng) -> &'static Language {
    let mut rest = rng.random_range(0..SHARES.iter().map(|(_, share)| share).sum());
    for (language, share) in SHARES {
        if rest < share {
            return language;
        }
        rest -= share;
    }
    &en::ENGLISH
}

/// English, in which every site's host name and class names are written.
pub(super) fn english() -> &'static Language {
    &en::ENGLISH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_language_has_an_empty_list_and_codes_differ() {
        let mut codes: Vec<&str> = SHARES.iter().map(|(language, _)| language.code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), SHARES.len());
        for (language, _) in SHARES {
            for list in [
                language.prepositions,
                language.conjunctions,
                language.pronouns,
                language.nouns,
                language.verbs,
                language.adjectives,
                language.adverbs,
                language.onsets,
                language.vowels,
                language.endings,
                language.first_names,
                language.sections,
                language.actions,
                language.legal,
                language.colloquial,
            ] {
                assert!(list.len() >= 4, "{}: {list:?}", language.code);
            }
            assert_eq!(language.spaced, !language.determiners.is_empty(), "{}", language.code);
        }
    }
}
