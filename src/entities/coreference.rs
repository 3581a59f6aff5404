//! `Frequencies`: how often a text names each entity, whatever it calls it.

use std::collections::{BTreeMap, BTreeSet};

use super::{EntityKind, Mention};

/// How often each entity is named in one text. Names of one entity are one: a person by the surname or by a given name that the
/// texts have with a surname, an organisation by the first word of its name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frequencies(BTreeMap<(EntityKind, String), u32>);

impl Frequencies {
    /// The frequencies of several texts, in their order, that are compared: names are matched over all of them.
    pub fn count_texts(texts: &[Vec<Mention>]) -> Vec<Frequencies> {
        let names = || texts.iter().flatten().map(|mention| (mention.kind, words(&mention.name)));
        // The surname of each given name, where it is one person's.
        let mut surnames: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (kind, words) in names().filter(|(_, words)| words.len() > 1) {
            if kind == EntityKind::Person {
                surnames.entry(words[0].clone()).or_default().insert(words[words.len() - 1].clone());
            }
        }
        let key = |kind: EntityKind, words: &[String]| match kind {
            EntityKind::Person => {
                let name = &words[words.len() - 1];
                match surnames.get(name).filter(|surnames| words.len() == 1 && surnames.len() == 1) {
                    Some(surname) => surname.iter().next().cloned().unwrap_or_default(),
                    None => name.clone(),
                }
            }
            EntityKind::Organization => match ARTICLES_AND_KINDS.contains(&words[0].as_str()) {
                true => words.join(" "),
                false => words[0].clone(),
            },
            EntityKind::Place => match words.join(" ").as_str() {
                "us" | "usa" | "united states of america" | "america" => "united states".to_owned(),
                "uk" | "great britain" | "britain" => "united kingdom".to_owned(),
                place => place.to_owned(),
            },
        };
        texts
            .iter()
            .map(|mentions| {
                let mut counts = BTreeMap::new();
                for mention in mentions {
                    let words = words(&mention.name);
                    if !words.is_empty() {
                        *counts.entry((mention.kind, key(mention.kind, &words))).or_default() += 1;
                    }
                }
                Frequencies(counts)
            })
            .collect()
    }

    /// The number of mentions.
    pub fn total(&self) -> u32 {
        self.0.values().sum()
    }

    /// Whether `other` names an entity that is named `least` times or more here.
    pub fn shares_frequent(&self, other: &Frequencies, least: u32) -> bool {
        self.0.iter().any(|(entity, &count)| count >= least && other.0.contains_key(entity))
    }

    /// The cosine of the angle between the two distributions of frequencies, 0 to 1; 0 if one of them names nobody.
    ///
    /// Source: Joshi & Liu 2009, section 4.4. Normalising the frequencies does not change it.
    pub fn cosine(&self, other: &Frequencies) -> f64 {
        let square = |all: &Frequencies| all.0.values().map(|&count| f64::from(count).powi(2)).sum::<f64>();
        let product: f64 = self
            .0
            .iter()
            .filter_map(|(entity, &count)| Some(f64::from(count) * f64::from(*other.0.get(entity)?)))
            .sum();
        let norm = (square(self) * square(other)).sqrt();
        if norm > 0.0 { product / norm } else { 0.0 }
    }
}

/// Words that begin names of several organisations.
const ARTICLES_AND_KINDS: [&str; 16] = [
    "the",
    "university",
    "department",
    "ministry",
    "bank",
    "institute",
    "school",
    "college",
    "house",
    "office",
    "bureau",
    "court",
    "council",
    "new",
    "united",
    "national",
];

/// The words of a name, in small letters, without points.
fn words(name: &str) -> Vec<String> {
    name.split_whitespace()
        .map(|word| word.to_lowercase().replace('.', ""))
        .filter(|word| !word.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mention(kind: EntityKind, name: &str) -> Mention {
        Mention { kind, name: name.to_owned() }
    }

    #[test]
    fn names_of_one_entity_are_counted_together() {
        use EntityKind::{Organization, Person, Place};
        let article = vec![
            mention(Person, "Barack Obama"),
            mention(Person, "Obama"),
            mention(Person, "Barack"),
            mention(Place, "U.S."),
            mention(Place, "United States"),
            mention(Organization, "Acme Widgets Inc."),
        ];
        let caption = vec![mention(Person, "Mr Obama"), mention(Organization, "Acme")];
        let [article, caption] = &Frequencies::count_texts(&[article, caption])[..] else { panic!() };
        assert_eq!(article.0.values().copied().collect::<Vec<_>>(), [3, 2, 1]);
        assert!(article.shares_frequent(caption, 3) && !article.shares_frequent(caption, 4));
        assert_eq!((article.total(), caption.total()), (6, 2));
        // (3 x 1 + 1 x 1) / (sqrt(9 + 4 + 1) sqrt(2))
        assert!((article.cosine(caption) - 4.0 / 28f64.sqrt()).abs() < 1e-12);
        assert!((article.cosine(article) - 1.0).abs() < 1e-12);
        assert_eq!(article.cosine(&Frequencies::default()), 0.0);
    }
}
