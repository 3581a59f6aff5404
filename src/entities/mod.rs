//! Named entities: the people, places and organisations that a text names, and how often.
//!
//! The recogniser [`Rules`] works in the manner of ANNIE, the one that ships with GATE (Cunningham et al. 2002) and that Joshi and
//! Liu used (HPL-2009-187, section 4.4): tokens with their case, lists of names ([`gazetteer`]), rules over both, and
//! coreference of names ([`Frequencies`]). Any other may take its place: see
//! [`EntityRecognizer`] and [`CommandRecognizer`].

mod command;
mod coreference;
pub mod gazetteer;
mod rules;

pub use command::CommandRecognizer;
pub use coreference::Frequencies;
pub use rules::Rules;

use crate::error::PageProblem;

/// What an entity is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntityKind {
    /// A person.
    Person,
    /// A country, a city or another place.
    Place,
    /// A company, an authority, a party, a club.
    Organization,
}

impl EntityKind {
    /// The name in files: `person`, `place`, `organization`.
    pub fn name(self) -> &'static str {
        match self {
            EntityKind::Person => "person",
            EntityKind::Place => "place",
            EntityKind::Organization => "organization",
        }
    }
}

/// One place in a text that names an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// What it is.
    pub kind: EntityKind,
    /// The words, one space between them, without a title such as "Mr".
    pub name: String,
}

/// Finds the entities that texts name.
pub trait EntityRecognizer: Send + Sync {
    /// The mentions of each text, in the order of the text. `language` is an ISO 639-1 code of all of them, if it is known.
    ///
    /// # Errors
    /// What a recogniser outside of this program runs into.
    fn mentions(&self, texts: &[&str], language: Option<&str>) -> Result<Vec<Vec<Mention>>, PageProblem>;
}
