//! `Rules`: entities by case, position and lists of names.
//!
//! A name is a run of capitalised words with nothing but a space between them; particles ("van", "de", "of") may stand inside. It is
//! told what it is by, in this order: a title before it or a given name at its start (person), the whole run among the places,
//! a word that ends or begins names of organisations or places, an acronym (organisation), a preposition of place before it.
//! A run without any such evidence is no entity, unless it is the surname or the first word of one that the texts name in full.
//!
//! The first word of a sentence is capitalised anyway: alone it is a name only if the texts have it capitalised elsewhere and
//! nowhere in small letters. Where case carries no meaning (German nouns, headlines in capitals) single words need a list. In scripts without
//! case nothing is found.

use std::collections::HashSet;

use super::gazetteer::{
    GAZETTEER, begins_organization, ends_organization, ends_place, is_place_preposition, is_title,
};
use super::{EntityKind, EntityRecognizer, Mention};
use crate::error::PageProblem;

/// The recogniser by rules. Linear in the text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules;

/// Words in small letters that may stand inside a name.
const PARTICLES: [&str; 22] = [
    "of", "for", "the", "de", "la", "le", "del", "della", "di", "da", "dos", "do", "du", "van", "von", "der",
    "den", "ter", "bin", "ibn", "al", "el",
];

/// Languages that capitalise every noun.
const CAPITAL_NOUNS: [&str; 2] = ["de", "lb"];

/// The most words of a name: longer runs are headlines.
const MOST_WORDS: usize = 7;

impl EntityRecognizer for Rules {
    fn mentions(&self, texts: &[&str], language: Option<&str>) -> Result<Vec<Vec<Mention>>, PageProblem> {
        let nouns_are_capital = language.is_some_and(|code| CAPITAL_NOUNS.contains(&code));
        let tokens: Vec<Vec<Token>> = texts.iter().map(|text| tokens(text)).collect();
        let cases = Cases::collect(&tokens);
        let runs: Vec<Vec<Run>> =
            tokens.iter().map(|tokens| runs(tokens, &cases, nouns_are_capital)).collect();
        let known = KnownNames::collect(&runs);
        let mention = |run: &Run| match run.kind {
            Some(kind) => Some(Mention { kind, name: run.words.join(" ") }),
            None => known.mention(&run.words),
        };
        Ok(runs.iter().map(|runs| runs.iter().filter_map(mention).collect()).collect())
    }
}

/// A word of a text.
struct Token {
    /// As it stands there, without a possessive "'s".
    word: String,
    /// In small letters.
    small: String,
    /// Whether its first letter is a capital.
    is_capital: bool,
    /// Whether it is two capitals or more and nothing else.
    is_acronym: bool,
    /// Whether nothing but a space stands between it and the word before.
    follows: bool,
    /// Whether it begins a sentence or a line.
    begins_sentence: bool,
}

/// The words of a text. A point within or behind single letters ("U.S.", "F.") belongs to the word.
fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut chars = text.char_indices().peekable();
    // What stands between the last word and the next one.
    let (mut follows, mut begins_sentence) = (false, true);
    while let Some((start, c)) = chars.next() {
        if !c.is_alphanumeric() {
            match c {
                '.' | '!' | '?' | '\n' | '\r' | ':' | ';' | '…' | '•' | '|' | '。' => {
                    begins_sentence = true;
                    follows = false;
                }
                c if c.is_whitespace() => {}
                // An opening quotation mark may stand before a sentence.
                '"' | '“' | '”' | '„' | '«' | '»' | '‘' | '\'' => {
                    begins_sentence |= !follows;
                    follows = false;
                }
                _ => follows = false,
            }
            continue;
        }
        let mut end = start + c.len_utf8();
        while let Some(&(at, c)) = chars.peek() {
            let joins = matches!(c, '\'' | '’' | '-' | '&')
                && text[at + c.len_utf8()..].chars().next().is_some_and(char::is_alphanumeric);
            let is_initial = c == '.' && is_initials(&text[start..at]);
            if !c.is_alphanumeric() && !joins && !is_initial {
                break;
            }
            end = at + c.len_utf8();
            chars.next();
        }
        let word = text[start..end].trim_end_matches("'s").trim_end_matches("’s");
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        let is_acronym =
            letters >= 2 && !word.chars().any(char::is_lowercase) && word.chars().any(char::is_uppercase);
        tokens.push(Token {
            word: word.to_owned(),
            small: word.to_lowercase(),
            is_capital: word.chars().next().is_some_and(char::is_uppercase),
            is_acronym,
            follows,
            begins_sentence,
        });
        (follows, begins_sentence) = (true, false);
    }
    tokens
}

/// Whether a word is single capitals with points between them, so that a point behind it belongs to it.
fn is_initials(word: &str) -> bool {
    word.split('.').all(|part| part.chars().count() <= 1 && part.chars().all(char::is_uppercase))
}

/// How the texts write their words.
struct Cases {
    /// Words that stand somewhere in small letters.
    small: HashSet<String>,
    /// Words that stand somewhere within a sentence with a capital.
    capital: HashSet<String>,
}

impl Cases {
    fn collect(texts: &[Vec<Token>]) -> Self {
        let mut cases = Cases { small: HashSet::new(), capital: HashSet::new() };
        for tokens in texts.iter().filter(|tokens| has_case(tokens)) {
            for token in tokens {
                match token.is_capital {
                    false => cases.small.insert(token.small.clone()),
                    true if !token.begins_sentence => cases.capital.insert(token.small.clone()),
                    true => false,
                };
            }
        }
        cases
    }
}

/// Whether case carries meaning in a text: it has small letters, and less than six words in ten begin with a capital unless it is so
/// short that all may be names.
fn has_case(tokens: &[Token]) -> bool {
    let words = tokens.iter().filter(|token| token.word.chars().any(char::is_alphabetic)).count();
    let capital = tokens.iter().filter(|token| token.is_capital).count();
    tokens.iter().any(|token| token.word.chars().any(char::is_lowercase))
        && (words <= SHORT || capital * 10 < words * 6)
}

/// The most words of a text that may be nothing but names.
const SHORT: usize = 12;

/// A run of words that may be a name.
struct Run {
    words: Vec<String>,
    /// What it is by its own evidence.
    kind: Option<EntityKind>,
}

fn runs(tokens: &[Token], cases: &Cases, nouns_are_capital: bool) -> Vec<Run> {
    let has_case = has_case(tokens);
    let mut runs = Vec::new();
    let mut start = 0;
    while start < tokens.len() {
        if !tokens[start].is_capital {
            start += 1;
            continue;
        }
        let end = end_of_run(tokens, start);
        // A title, and what stands before it, are no part of the name behind.
        let mut first = start;
        while first < end {
            let title = (first..end).find(|&i| is_title(tokens[i].small.trim_end_matches('.')));
            let stop = title.unwrap_or(end);
            if stop > first {
                let run = &tokens[first..stop];
                let before = first.checked_sub(1).map(|i| &tokens[i]);
                runs.extend(name(run, before, cases, has_case, nouns_are_capital));
            }
            first = stop + 1;
        }
        start = end;
    }
    runs
}

/// Where the run ends that begins at `start`: after its last capitalised word.
fn end_of_run(tokens: &[Token], start: usize) -> usize {
    let mut end = start + 1;
    let mut next = end;
    while next < tokens.len() && tokens[next].follows {
        if tokens[next].is_capital {
            end = next + 1;
        } else if !PARTICLES.contains(&tokens[next].small.as_str()) || next + 1 - end > 2 {
            break;
        }
        next += 1;
    }
    end
}

/// The name that a run is, if it is one.
fn name<'a>(
    mut run: &'a [Token],
    mut before: Option<&'a Token>,
    cases: &Cases,
    has_case: bool,
    nouns_are_capital: bool,
) -> Option<Run> {
    let is_listed = |token: &Token| GAZETTEER.is_given_name(&token.small) || GAZETTEER.is_place(&token.small);
    // The first word of a sentence, unless it is known to be a name.
    if run[0].begins_sentence && !is_listed(&run[0]) {
        let is_name = cases.capital.contains(&run[0].small) && !cases.small.contains(&run[0].small);
        let is_common = cases.small.contains(&run[0].small);
        if (run.len() == 1 && !is_name) || is_common {
            before = run.first();
            run = &run[1..];
            while run.first().is_some_and(|token| !token.is_capital) {
                before = run.first();
                run = &run[1..];
            }
        }
    }
    if run.is_empty() || run.len() > MOST_WORDS {
        return None;
    }
    let follows_title = before
        .is_some_and(|token| token.is_capital && is_title(token.small.trim_end_matches('.')))
        && run[0].follows;
    let words: Vec<String> = run.iter().map(|token| token.word.clone()).collect();
    let whole = run.iter().map(|token| token.small.as_str()).collect::<Vec<_>>().join(" ");
    let (first, last) = (&run[0].small, &run[run.len() - 1].small);
    let last = last.trim_end_matches('.');
    let many = run.len() > 1;
    let has_of = run.iter().any(|token| token.small == "of" || token.small == "for");
    let trusts_case = has_case && !nouns_are_capital;
    let kind = if follows_title {
        Some(EntityKind::Person)
    } else if GAZETTEER.is_place(&whole) {
        Some(EntityKind::Place)
    } else if has_case && (many && ends_organization(last) || has_of && begins_organization(first)) {
        Some(EntityKind::Organization)
    } else if has_case && many && ends_place(last) {
        Some(EntityKind::Place)
    } else if GAZETTEER.is_given_name(first) && (many || trusts_case) && !has_of {
        Some(EntityKind::Person)
    } else if !many && run[0].is_acronym && has_case && run[0].word.chars().count() <= 6 {
        Some(EntityKind::Organization)
    } else if trusts_case
        && run.len() <= 2
        && run[0].follows
        && before.is_some_and(|token| is_place_preposition(&token.small))
    {
        Some(EntityKind::Place)
    } else {
        None
    };
    Some(Run { words, kind })
}

/// The entities that the texts name in full, by the words that may stand for them.
struct KnownNames {
    surnames: HashSet<String>,
    organizations: HashSet<String>,
}

impl KnownNames {
    fn collect(texts: &[Vec<Run>]) -> Self {
        let mut known = KnownNames { surnames: HashSet::new(), organizations: HashSet::new() };
        for run in texts.iter().flatten() {
            match run.kind {
                Some(EntityKind::Person) => {
                    known.surnames.extend(run.words.last().map(|word| word.to_lowercase()));
                }
                Some(EntityKind::Organization) if run.words.len() > 1 => {
                    known.organizations.extend(run.words.first().map(|word| word.to_lowercase()));
                }
                _ => {}
            }
        }
        known
    }

    /// What a run without evidence of its own mentions. Before a surname the first word of a sentence may stand.
    fn mention(&self, words: &[String]) -> Option<Mention> {
        let last = words.last()?;
        let small = last.to_lowercase();
        if self.surnames.contains(&small) {
            Some(Mention { kind: EntityKind::Person, name: last.clone() })
        } else if words.len() == 1 && self.organizations.contains(&small) {
            Some(Mention { kind: EntityKind::Organization, name: last.clone() })
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[&str], language: Option<&str>) -> Vec<Vec<String>> {
        let mentions = Rules.mentions(texts, language).unwrap();
        let shown = |mention: &Mention| format!("{}: {}", mention.kind.name(), mention.name);
        mentions.iter().map(|mentions| mentions.iter().map(shown).collect()).collect()
    }

    fn of(text: &str) -> Vec<String> {
        found(&[text], Some("en")).remove(0)
    }

    #[test]
    fn people_places_and_organisations_are_told_apart() {
        assert_eq!(
            of(
                "On Monday President Obama met Angela Merkel in Berlin. The minister left for France with John F. Kennedy's son."
            ),
            [
                "person: Obama",
                "person: Angela Merkel",
                "place: Berlin",
                "place: France",
                "person: John F. Kennedy"
            ]
        );
        assert_eq!(
            of(
                "He works for Acme Widgets Inc., studied at the University of Toronto and joined NATO near Mount Royal Park."
            ),
            [
                "organization: Acme Widgets Inc",
                "organization: University of Toronto",
                "organization: NATO",
                "place: Mount Royal Park"
            ]
        );
    }

    #[test]
    fn the_first_word_of_a_sentence_alone_is_no_name() {
        assert_eq!(of("Trees fell. Nobody saw it. Storms came."), Vec::<String>::new());
        assert_eq!(
            of("The University of Toronto closed. Then the rain stopped."),
            ["organization: University of Toronto"]
        );
        assert_eq!(of("France won."), ["place: France"]);
    }

    #[test]
    fn a_surname_stands_for_the_person_whom_another_text_names_in_full() {
        let texts = ["Senator Maria Lindqvist spoke. Later Lindqvist left.", "Lindqvist at the gate"];
        assert_eq!(
            found(&texts, Some("en")),
            [vec!["person: Maria Lindqvist", "person: Lindqvist"], vec!["person: Lindqvist"]]
        );
    }

    #[test]
    fn case_is_not_believed_where_it_means_nothing() {
        assert_eq!(
            of("BREAKING NEWS: STORM HITS THE TOWN AND THE OAK OF THE GREEN FELL"),
            Vec::<String>::new()
        );
        let german = found(
            &["Der Bürgermeister sah in Hoffnung den Baum. Angela Merkel kam nach Berlin."],
            Some("de"),
        );
        assert_eq!(german, [vec!["person: Angela Merkel", "place: Berlin"]]);
    }

    #[test]
    fn empty_and_caseless_texts_name_nobody() {
        assert_eq!(found(&["", "   ", "东京的天气很好"], None), [const { Vec::<String>::new() }; 3]);
    }
}
