//! How a site names the classes of its elements: telling names that differ by site, meaningless ones, or none.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rand::RngExt as _;
use serde::Deserialize;

use super::speech::pick;
use crate::rng::{self, Rng};

/// The parts of a page that may carry a class or an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Role {
    Page,
    Header,
    Navigation,
    Breadcrumb,
    Search,
    Content,
    Article,
    Headline,
    Deck,
    Byline,
    Body,
    Figure,
    Caption,
    Facts,
    Quote,
    Share,
    Tags,
    Related,
    Teasers,
    Sidebar,
    Advert,
    Newsletter,
    Comments,
    Comment,
    CommentMeta,
    Consent,
    Footer,
}

/// A site's way to name its elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// A word that says what the element is, one of several that sites use.
    Telling,
    /// A word and a suffix of the content management system.
    Prefixed,
    /// A name made by a build tool.
    Obscure,
    /// Only a few elements are named, after their looks.
    Looks,
    /// No class at all.
    Absent,
}

/// The names of one site.
#[derive(Debug, Clone)]
pub(super) struct Naming {
    pub manner: Manner,
    /// Tells this site's choices from another's.
    key: u64,
}

/// What sites call each part; some names are shared by content and boilerplate, as on the real web.
static NAMES: LazyLock<BTreeMap<Role, Vec<&'static str>>> = LazyLock::new(|| {
    toml::from_str(include_str!("words/class-names.toml"))
        .unwrap_or_else(|error| panic!("class-names.toml: {error}"))
});

impl Naming {
    /// A site's manner and choice of names.
    pub fn draw(rng: &mut Rng, manners: &[Manner]) -> Naming {
        Naming { manner: pick(rng, manners), key: rng.random() }
    }

    /// The class attribute of a part, if the site gives it one.
    pub fn class(&self, role: Role) -> Option<(&'static str, String)> {
        let rng = &mut rng::stream(self.key, "synth-naming", &[role as u64]);
        let name = pick(rng, &NAMES[&role]);
        let value = match self.manner {
            Manner::Telling => name.to_owned(),
            Manner::Prefixed => format!("{}-{name} clearfix", pick(rng, &["block", "region", "cms", "mod"])),
            Manner::Obscure => {
                format!("{}{:05x}", pick(rng, &["c", "x-", "css-", "s_"]), rng.random_range(0..1 << 20))
            }
            Manner::Looks if rng.random_bool(0.4) => {
                format!("{}{}", pick(rng, &["txt", "bg", "col", "font"]), rng.random_range(1..20))
            }
            Manner::Looks | Manner::Absent => return None,
        };
        let kind = if self.manner == Manner::Telling && rng.random_bool(0.25) && role != Role::Comment {
            "id"
        } else {
            "class"
        };
        Some((kind, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_names() {
        // Keys are parts, and no two are alike: as many as there are parts are all of them.
        assert_eq!(NAMES.len(), Role::Footer as usize + 1);
        assert!(NAMES.values().all(|names| names.len() >= 4));
    }

    #[test]
    fn a_site_names_a_part_always_the_same_and_sites_differ() {
        let mut rng = rng::stream(3, "test", &[]);
        let sites: Vec<Naming> = (0..12).map(|_| Naming::draw(&mut rng, &[Manner::Telling])).collect();
        assert_eq!(sites[0].class(Role::Body), sites[0].class(Role::Body));
        assert!(sites.iter().any(|site| site.class(Role::Body) != sites[0].class(Role::Body)));
        assert_eq!(Naming { manner: Manner::Absent, key: 1 }.class(Role::Body), None);
    }
}
