//! Sentences: words drawn by a grammar of clauses, about a topic, in the tone of an article, a contract, an
//! advertisement or a reader.

use rand::RngExt as _;
use rand::seq::IndexedRandom as _;

use super::language::Language;
use crate::rng::{self, Rng};

/// Who is speaking: the tone decides words, person and punctuation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// An article: third person, names, now and then a quotation.
    Article,
    /// Terms of use, consent, copyright.
    Legal,
    /// Advertising, newsletters, what a site says of itself.
    Advert,
    /// A reader: first person, careless punctuation.
    Reader,
}

/// Speaks one language about one topic.
pub(super) struct Speech {
    pub language: &'static Language,
    /// Words that come back all over the page.
    topic: Vec<String>,
    /// People and places of the page.
    names: Vec<String>,
}

/// One of `items`.
pub(super) fn pick<T: Copy>(rng: &mut Rng, items: &[T]) -> T {
    *items.choose(rng).expect("the generator's word lists are not empty")
}

/// The word with its first letter in upper case.
pub(super) fn capitalize(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A rank in `0..count`, rank r about as likely as 1 / (r + 1) (Zipf's law): every power of two alike, and evenly
/// within it. In whole numbers, since a logarithm's last bit differs by platform.
fn zipf(rng: &mut Rng, count: u64) -> u64 {
    let power = rng.random_range(0..count.ilog2() + 1);
    let first = 1 << power;
    rng.random_range(first..(2 * first).min(count + 1)) - 1
}

/// The invented word of a rank: the same in every page of the language, so that words come back as in real text.
fn invented(language: &Language, rank: u64) -> String {
    let rng = &mut rng::stream(rank, language.code, &[]);
    let syllables = if rank < 60 { 1 } else { rng.random_range(1..=2) };
    let mut word = String::new();
    for _ in 0..syllables {
        word.push_str(pick(rng, &language.onsets));
        word.push_str(pick(rng, &language.vowels));
    }
    word.push_str(pick(rng, &language.endings));
    word
}

impl Speech {
    /// A voice with a topic and a cast of its own.
    pub fn new(language: &'static Language, rng: &mut Rng) -> Speech {
        let mut speech = Speech { language, topic: Vec::new(), names: Vec::new() };
        speech.topic = (0..8).map(|_| speech.content_word(rng)).collect();
        speech.names = (0..5).map(|_| speech.surname(rng)).collect();
        speech
    }

    /// A content word of the language: one of the list, or an invented one.
    fn content_word(&self, rng: &mut Rng) -> String {
        let language = self.language;
        if rng.random_bool(0.5) {
            language.nouns[zipf(rng, language.nouns.len() as u64) as usize].to_owned()
        } else {
            invented(language, zipf(rng, 3_000))
        }
    }

    /// An invented name of a person or place.
    pub fn surname(&self, rng: &mut Rng) -> String {
        capitalize(&invented(self.language, rng.random_range(100..20_000)))
    }

    /// A person: first name and surname, often one already met on the page.
    pub fn person(&self, rng: &mut Rng) -> String {
        let surname = match self.names.choose(rng) {
            Some(known) if rng.random_bool(0.6) => known.clone(),
            _ => self.surname(rng),
        };
        if self.language.spaced {
            format!("{} {surname}", pick(rng, &self.language.first_names))
        } else {
            format!("{surname}{}", pick(rng, &self.language.first_names))
        }
    }

    fn noun(&self, rng: &mut Rng, tone: Tone) -> String {
        let word = match tone {
            Tone::Legal if rng.random_bool(0.6) => Some(pick(rng, &self.language.legal).to_owned()),
            Tone::Article | Tone::Reader if rng.random_bool(0.3) => self.topic.choose(rng).cloned(),
            _ => None,
        };
        let word = word.unwrap_or_else(|| self.content_word(rng));
        if self.language.capital_nouns { capitalize(&word) } else { word }
    }

    fn noun_phrase(&self, rng: &mut Rng, tone: Tone, words: &mut Vec<String>) {
        match rng.random_range(0..10) {
            0 | 1 if tone != Tone::Legal => words.push(pick(rng, &self.language.pronouns).to_owned()),
            2 if tone == Tone::Article => words.push(self.person(rng)),
            3 if tone == Tone::Article => words.push(rng.random_range(2..4_000).to_string()),
            _ => {
                if let Some(determiner) = self.language.determiners.choose(rng) {
                    words.push((*determiner).to_owned());
                }
                if rng.random_bool(0.35) {
                    words.push(pick(rng, &self.language.adjectives).to_owned());
                }
                words.push(self.noun(rng, tone));
            }
        }
    }

    fn particle(&self, rng: &mut Rng) -> String {
        pick(rng, &self.language.prepositions).to_owned()
    }

    /// One clause, without capital or full stop.
    fn clause(&self, rng: &mut Rng, tone: Tone, words: &mut Vec<String>) {
        let phrases = rng.random_range(1..=3);
        self.noun_phrase(rng, tone, words);
        if !self.language.spaced {
            // Particles follow their noun and the verb comes last.
            for _ in 0..phrases {
                words.push(self.particle(rng));
                self.noun_phrase(rng, tone, words);
            }
            words.push(self.particle(rng));
            words.push(pick(rng, &self.language.verbs).to_owned());
            return;
        }
        if rng.random_bool(0.2) {
            words.push(pick(rng, &self.language.adverbs).to_owned());
        }
        words.push(pick(rng, &self.language.verbs).to_owned());
        if rng.random_bool(0.8) {
            self.noun_phrase(rng, tone, words);
        }
        for _ in 1..phrases {
            words.push(self.particle(rng));
            self.noun_phrase(rng, tone, words);
        }
    }

    /// Joins words as the language does.
    pub fn join(&self, words: &[String]) -> String {
        words.join(if self.language.spaced { " " } else { "" })
    }

    fn mark(&self, latin: &'static str, wide: &'static str) -> &'static str {
        if self.language.spaced { latin } else { wide }
    }

    /// One sentence with its full stop.
    pub fn sentence(&self, rng: &mut Rng, tone: Tone) -> String {
        let mut words = Vec::new();
        if tone == Tone::Reader && rng.random_bool(0.4) {
            words.push(pick(rng, &self.language.colloquial).to_owned());
        }
        self.clause(rng, tone, &mut words);
        let longer = match tone {
            Tone::Legal => 0.65,
            Tone::Article => 0.5,
            Tone::Advert | Tone::Reader => 0.4,
        };
        while words.len() < 40 && rng.random_bool(longer) {
            if let Some(last) = words.last_mut() {
                last.push_str(self.mark(",", "、"));
            }
            words.push(pick(rng, &self.language.conjunctions).to_owned());
            self.clause(rng, tone, &mut words);
        }
        let sentence = capitalize(&self.join(&words));
        match (tone, rng.random_range(0..10)) {
            (Tone::Article, 0) => self.quotation(rng, &sentence),
            (Tone::Advert, 0..=3) | (Tone::Reader, 0) => sentence + self.mark("!", "！"),
            (Tone::Reader, 1) => sentence + self.mark("...", "…"),
            (Tone::Reader, 2) => sentence.to_lowercase() + self.mark(".", "。"),
            (Tone::Article | Tone::Reader, 3) => sentence + self.mark("?", "？"),
            _ => sentence + self.mark(".", "。"),
        }
    }

    fn quotation(&self, rng: &mut Rng, sentence: &str) -> String {
        let said = self.language.phrases.said;
        if self.language.spaced {
            format!("“{sentence}”, {said} {}.", self.person(rng))
        } else {
            format!("{}は「{sentence}」{said}。", self.person(rng))
        }
    }

    /// Several sentences.
    pub fn passage(&self, rng: &mut Rng, tone: Tone, sentences: usize) -> String {
        let all: Vec<String> = (0..sentences).map(|_| self.sentence(rng, tone)).collect();
        self.join(&all)
    }

    /// A few words without a verb's clause around them: a title, a caption, the text of a link.
    pub fn title(&self, rng: &mut Rng) -> String {
        let mut words = Vec::new();
        self.noun_phrase(rng, Tone::Article, &mut words);
        if rng.random_bool(0.7) {
            words.push(pick(rng, &self.language.verbs).to_owned());
        }
        if self.language.spaced {
            words.push(self.particle(rng));
        }
        self.noun_phrase(rng, Tone::Article, &mut words);
        capitalize(&self.join(&words))
    }

    /// A key word: a noun of the topic.
    pub fn key_word(&self, rng: &mut Rng) -> String {
        self.noun(rng, Tone::Article)
    }

    /// A date, as the site writes dates.
    pub fn date(&self, rng: &mut Rng) -> String {
        let (day, year) = (rng.random_range(1..=28), rng.random_range(2006..=2024));
        let month = pick(rng, &self.language.months);
        match self.language.code {
            "en" => format!("{month} {day}, {year}"),
            "de" => format!("{day}. {month} {year}"),
            "es" => format!("{day} de {month} de {year}"),
            "ja" => format!("{year}年{month}{day}日"),
            _ => format!("{day} {month} {year}"),
        }
    }

    /// A time of day.
    pub fn time(&self, rng: &mut Rng) -> String {
        format!("{}:{:02}", rng.random_range(0..24), rng.random_range(0..60))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::synth::language;

    #[test]
    fn an_invented_word_depends_on_language_and_rank_alone() {
        let english = language::english();
        assert_eq!(invented(english, 700), invented(english, 700));
        let distinct: std::collections::BTreeSet<String> =
            (0..200).map(|rank| invented(english, rank)).collect();
        assert!(distinct.len() > 120, "{}", distinct.len());
    }

    #[test]
    fn low_ranks_are_drawn_more_often_than_high_ones() {
        let mut rng = rng::stream(1, "test", &[]);
        let ranks: Vec<u64> = (0..2_000).map(|_| zipf(&mut rng, 1_000)).collect();
        assert!(ranks.iter().all(|&rank| rank < 1_000));
        let low = ranks.iter().filter(|&&rank| rank < 31).count();
        assert!((800..1_200).contains(&low), "{low}");
    }
}
