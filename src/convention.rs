//! `Convention`, what the references of a corpus include besides the running text, and how they were made.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, did_you_mean};

/// What the references of a corpus include besides the running text, and how they were made: the table `[convention]` of
/// its manifest. Corpora differ in it, so a figure on one says little about another without it.
///
/// What a manifest does not state is `None`: nobody has looked, or the corpus has too few pages that could tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Convention {
    /// The headline of the article.
    pub headline: Option<Inclusion>,
    /// Captions of pictures.
    pub captions: Option<Inclusion>,
    /// The author's name and the date.
    pub byline: Option<Inclusion>,
    /// Comments by readers.
    pub comments: Option<Inclusion>,
    /// Lists of links, such as menus and tags.
    pub links: Option<Inclusion>,
    /// Titles and first lines of other articles.
    pub teasers: Option<Inclusion>,
    /// Who made the references.
    pub reference: Option<ReferenceMaker>,
}

/// The keys of the table `[convention]`.
pub(crate) const KEYS: &[&str] =
    &["headline", "captions", "byline", "comments", "links", "teasers", "reference"];

/// Whether references take a kind of text in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Inclusion {
    /// They include it.
    In,
    /// They leave it out.
    Out,
    /// Those of some pages or sites include it, those of others do not.
    Some,
}

/// Who made the references of a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReferenceMaker {
    /// People, page by page.
    Hand,
    /// A program, a rule for a whole site, or the page's own markup; people may have looked at what came out.
    Tool,
}

impl Inclusion {
    /// The name in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Inclusion::In => "in",
            Inclusion::Out => "out",
            Inclusion::Some => "some",
        }
    }
}

impl ReferenceMaker {
    /// The name in manifests.
    pub fn name(self) -> &'static str {
        match self {
            ReferenceMaker::Hand => "hand",
            ReferenceMaker::Tool => "tool",
        }
    }
}

/// How many [`Convention::levels`] there are.
pub const LEVELS: usize = 7;

impl Convention {
    /// What is extracted by default: the running text of an article as people would keep it, with the captions that some
    /// keep. The headline is found besides, as a label of its own.
    pub const ARTICLE: Convention = Convention {
        headline: Some(Inclusion::Out),
        captions: Some(Inclusion::Some),
        byline: Some(Inclusion::Out),
        comments: Some(Inclusion::Out),
        links: Some(Inclusion::Out),
        teasers: Some(Inclusion::Out),
        reference: Some(ReferenceMaker::Hand),
    };

    /// Everything that some corpus includes.
    pub const EVERYTHING: Convention = Convention {
        headline: Some(Inclusion::In),
        captions: Some(Inclusion::In),
        byline: Some(Inclusion::In),
        comments: Some(Inclusion::In),
        links: Some(Inclusion::In),
        teasers: Some(Inclusion::In),
        reference: Some(ReferenceMaker::Hand),
    };

    /// The convention as numbers, in the order of the fields: 0 for what is left out, 2 for what is included, 1 for what some
    /// pages have or nobody has looked at; of the reference 0 by hand, 2 by a tool.
    pub fn levels(&self) -> [u32; LEVELS] {
        let Convention { headline, captions, byline, comments, links, teasers, reference } = *self;
        let level = |included: Option<Inclusion>| match included {
            Some(Inclusion::Out) => 0,
            Some(Inclusion::Some) | None => 1,
            Some(Inclusion::In) => 2,
        };
        let of_reference = match reference {
            Some(ReferenceMaker::Hand) => 0,
            None => 1,
            Some(ReferenceMaker::Tool) => 2,
        };
        let [headline, captions, byline, comments, links, teasers] =
            [headline, captions, byline, comments, links, teasers].map(level);
        [headline, captions, byline, comments, links, teasers, of_reference]
    }

    /// What is stated, as pairs of key and value in the order of the fields.
    pub fn stated(&self) -> Vec<(&'static str, &'static str)> {
        let Convention { headline, captions, byline, comments, links, teasers, reference } = *self;
        let values =
            [headline, captions, byline, comments, links, teasers].map(|value| value.map(Inclusion::name));
        let values = values.into_iter().chain([reference.map(ReferenceMaker::name)]);
        KEYS.iter().copied().zip(values).filter_map(|(key, value)| Some((key, value?))).collect()
    }

    /// This convention, and where it states nothing the other.
    pub(crate) fn or(self, other: Convention) -> Convention {
        Convention {
            headline: self.headline.or(other.headline),
            captions: self.captions.or(other.captions),
            byline: self.byline.or(other.byline),
            comments: self.comments.or(other.comments),
            links: self.links.or(other.links),
            teasers: self.teasers.or(other.teasers),
            reference: self.reference.or(other.reference),
        }
    }
}

/// One line: `headline in, captions out, reference by hand`; `not stated` if nothing is.
impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |(key, value)| match key {
            "reference" => format!("reference by {value}"),
            _ => format!("{key} {value}"),
        };
        let all: Vec<String> = self.stated().into_iter().map(one).collect();
        f.write_str(if all.is_empty() { "not stated" } else { "" })?;
        f.write_str(&all.join(", "))
    }
}

/// `article`, `everything`, or what [`Display`](fmt::Display) writes. Conventions of corpora have names besides:
/// [`resolve_convention`](crate::dataset::resolve_convention).
impl FromStr for Convention {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let names = ["article", "everything"];
        let unknown = || Error::usage(format!("no convention is called '{name}'"), did_you_mean(name, names));
        match name {
            "article" => return Ok(Convention::ARTICLE),
            "everything" => return Ok(Convention::EVERYTHING),
            "not stated" => return Ok(Convention::default()),
            _ => {}
        }
        let mut stated = toml::Table::new();
        for part in name.split(", ") {
            let (key, value) =
                part.split_once(' ').filter(|(key, _)| KEYS.contains(key)).ok_or_else(unknown)?;
            stated.insert(key.to_owned(), value.trim_start_matches("by ").into());
        }
        stated.try_into().map_err(|_| unknown())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_convention_is_read_shown_and_completed() {
        let all: Convention = toml::from_str(
            "headline = 'in'\ncaptions = 'out'\nbyline = 'some'\ncomments = 'out'\nlinks = 'out'\nteasers = 'some'\n\
             reference = 'hand'",
        )
        .unwrap();
        assert_eq!(
            all.to_string(),
            "headline in, captions out, byline some, comments out, links out, teasers some, reference by hand"
        );
        assert_eq!(all.stated().iter().map(|(key, _)| *key).collect::<Vec<_>>(), KEYS);
        let part: Convention = toml::from_str("captions = 'in'").unwrap();
        assert_eq!(part.stated(), [("captions", "in")]);
        let both = part.or(all);
        assert_eq!((both.captions, both.headline), (Some(Inclusion::In), Some(Inclusion::In)));
        assert_eq!(Convention::default().to_string(), "not stated");
        for convention in [all, part, both, Convention::default(), Convention::EVERYTHING] {
            assert_eq!(convention.to_string().parse::<Convention>().unwrap(), convention);
        }
        for wrong in ["articel", "headline in, captions", "headline yes", "footer in", ""] {
            let error = wrong.parse::<Convention>().unwrap_err().to_string();
            assert!(error.contains(&format!("no convention is called '{wrong}'")), "{error}");
        }
        assert_eq!(all.levels(), [2, 0, 1, 0, 0, 1, 0]);
        assert_eq!(Convention::default().levels(), [1; LEVELS]);
        assert!(toml::from_str::<Convention>("captions = 'yes'").unwrap_err().to_string().contains("`in`"));
    }
}
