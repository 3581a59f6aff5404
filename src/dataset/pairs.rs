//! `Pairs`, what a manifest states of the layout `pairs`: where pages and references lie, titles, labels and hosts.

use serde::Deserialize;

use crate::error::did_you_mean;
use crate::host;

/// How a corpus in the layout `pairs` is read: the table `[pairs]` of its manifest. A bare folder has the defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Pairs {
    /// The folder of the pages below the corpus's folder. Default: that folder itself.
    pub pages: Option<String>,
    /// The corpus whose pages these are, of a corpus that has references alone. Default: none.
    pub pages_of: Option<String>,
    /// The folder of the reference texts or labels, with the pages' names. Default: beside the pages.
    pub references: Option<String>,
    /// The folder of texts that readers' comments on the pages have, with the pages' names. They are known apart from the
    /// reference. Default: none.
    pub comments: Option<String>,
    /// What is read where a page has both a reference text and a file of labels. Default: such a page is refused.
    pub read: Option<ReferenceKind>,
    /// One file of labels for all pages, as `duramen extract --nodes` writes it for several pages. Default: none; in
    /// a bare folder `labels.jsonl`, `labels.json` or `labels.csv`, if that is there.
    pub labels: Option<String>,
    /// A file of addresses and other facts of the pages, JSON lines or CSV. Default: none; in a bare folder `urls.csv`
    /// or `pages.jsonl`, if that is there.
    pub index: Option<String>,
    /// Whether the headline is part of the reference texts. A page's `title_in_text` in the index goes before. Default: what
    /// the corpus's [`Convention`](crate::convention::Convention) states; else what the line's `title_in_gold` says, which is measured;
    /// else it is part of them.
    pub title: Option<TitlePlace>,
    /// What text without a label is. Default: not content.
    pub unlabelled: Unlabelled,
    /// How the host of a page is known. Default: by its address.
    pub hosts: HostRule,
    /// What pages are whose host is not known. Default: of one site.
    pub unknown_hosts: UnknownHosts,
}

/// The keys of the table `[pairs]`.
pub(super) const KEYS: &[&str] = &[
    "pages",
    "pages_of",
    "references",
    "comments",
    "read",
    "labels",
    "index",
    "title",
    "unlabelled",
    "hosts",
    "unknown_hosts",
];

/// What says what of a page is content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReferenceKind {
    /// Its text, in `page.txt`.
    Texts,
    /// Labels of its nodes, in `page.jsonl`, `page.json` or `page.csv`.
    Labels,
    /// Nothing: the corpus has pages alone, and every page is one of it.
    Nothing,
}

/// Where the reference of an article has the headline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TitlePlace {
    /// In the reference text, where the page shows one.
    InText,
    /// Apart from the text, or nowhere.
    Apart,
}

/// What shown text is that no label is given for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unlabelled {
    /// Not content: whoever labels the content need not label the rest.
    #[default]
    NotContent,
    /// A fault: a page with text that has no label is left out. For files in which all text was labelled.
    Refused,
}

/// What pages are whose host is not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownHosts {
    /// Of one site, as far as anybody knows: they are never split between training and test.
    #[default]
    OneSite,
    /// Of a site each, which the manifest's author vouches for.
    SeparateSites,
}

/// How the host of a page is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum HostRule {
    /// The index's `url`, else its `host`, else the `url` of the page's labels, else the canonical link of the page, else the
    /// first folder that is named as a domain is (`example.org/story.html`), else the host of the page's base, of its other
    /// statements or of half of its links.
    #[default]
    Address,
    /// The first folder below that of the pages, whatever its name.
    Folder,
    /// What stands in the page's name, with its folders, between `before` and the first `after` behind it.
    Name {
        /// Text before the host.
        before: String,
        /// Text after the host; empty: up to the end.
        after: String,
    },
}

impl TryFrom<String> for HostRule {
    type Error = String;
    fn try_from(text: String) -> Result<HostRule, String> {
        match (text.as_str(), text.split_once("{host}")) {
            ("address", _) => Ok(HostRule::Address),
            ("folder", _) => Ok(HostRule::Folder),
            (_, Some((before, after))) => {
                let (before, after) = (before.to_owned(), after.trim_end_matches('*').to_owned());
                Ok(HostRule::Name { before, after })
            }
            _ => Err(format!(
                "hosts = \"{text}\": {} or a pattern of the page's name such as \"{{host}}_*\"",
                did_you_mean(&text, ["address", "folder"])
            )),
        }
    }
}

impl HostRule {
    /// The host that the name of a page gives under this rule.
    pub(super) fn host_in(&self, id: &str) -> Option<String> {
        match self {
            HostRule::Address => {
                let (folder, _) = id.split_once('/')?;
                is_domain(folder).then(|| host_of_name(folder))
            }
            HostRule::Folder => id.split_once('/').map(|(folder, _)| host_of_name(folder)),
            HostRule::Name { before, after } => {
                let rest = id.strip_prefix(before.as_str())?;
                let end = if after.is_empty() { rest.len() } else { rest.find(after.as_str())? };
                (end > 0).then(|| host_of_name(&rest[..end]))
            }
        }
    }
}

/// Whether a name ends in a public suffix of the list, with something before it.
fn is_domain(name: &str) -> bool {
    psl::domain(name.as_bytes()).is_some_and(|domain| domain.suffix().is_known())
}

/// The registered domain of a host's name; a name that is none stands for itself, in lower case.
pub(super) fn host_of_name(name: &str) -> String {
    let name = name.trim().to_lowercase();
    match is_domain(&name) {
        true => host::registered_domain(&name).unwrap_or(name),
        false => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> HostRule {
        HostRule::try_from(text.to_owned()).unwrap()
    }

    #[test]
    fn folders_and_names_give_hosts() {
        for (of, id, expected) in [
            ("address", "News.example.co.uk/a/story", Some("example.co.uk")),
            ("address", "drafts/story", None),
            ("address", "notes.old/story", None),
            ("address", "story", None),
            ("folder", "Drafts/a/story", Some("drafts")),
            ("folder", "story", None),
            ("{host}_*", "bbc.co.uk_news_04", Some("bbc.co.uk")),
            ("{host}_", "story", None),
            ("set/{host}-", "set/Planet-12", Some("planet")),
            ("{host}", "one", Some("one")),
        ] {
            assert_eq!(rule(of).host_in(id).as_deref(), expected, "{of} of {id}");
        }
    }

    #[test]
    fn another_rule_is_refused_with_what_there_is() {
        let error = HostRule::try_from("adress".to_owned()).unwrap_err();
        assert!(error.contains("did you mean 'address'?") && error.contains("{host}_*"), "{error}");
    }
}
