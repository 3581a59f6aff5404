//! The manifest of a corpus: where it comes from, under which licence, its checksums, its layout and its bad pages.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::manifest_keys::unknown_key;
use super::pairs::{Pairs, TitlePlace};
use super::readers::CorpusLayout;
use crate::convention::{Convention, Inclusion};
use crate::error::{Error, Result, did_you_mean};
use crate::store::is_sha256;

/// The manifests that come with the program, by name.
const EMBEDDED: [(&str, &str); 24] = [
    ("article-extraction-benchmark", include_str!("../../datasets/article-extraction-benchmark.toml")),
    ("article-images", include_str!("../../datasets/article-images.toml")),
    ("big9", include_str!("../../datasets/big9.toml")),
    ("blocks152", include_str!("../../datasets/blocks152.toml")),
    ("cleaneval", include_str!("../../datasets/cleaneval.toml")),
    ("cleanportaleval", include_str!("../../datasets/cleanportaleval.toml")),
    ("dragnet", include_str!("../../datasets/dragnet.toml")),
    ("fundus", include_str!("../../datasets/fundus.toml")),
    ("krdwrd-canola", include_str!("../../datasets/krdwrd-canola.toml")),
    ("l3s-gn1", include_str!("../../datasets/l3s-gn1.toml")),
    ("llm-webkit", include_str!("../../datasets/llm-webkit.toml")),
    ("newspaper3k", include_str!("../../datasets/newspaper3k.toml")),
    ("omnivore", include_str!("../../datasets/omnivore.toml")),
    ("postlight", include_str!("../../datasets/postlight.toml")),
    ("read", include_str!("../../datasets/read.toml")),
    ("schema-org", include_str!("../../datasets/schema-org.toml")),
    ("site-rules", include_str!("../../datasets/site-rules.toml")),
    ("terms", include_str!("../../datasets/terms.toml")),
    ("unlabelled", include_str!("../../datasets/unlabelled.toml")),
    ("waddle", include_str!("../../datasets/waddle.toml")),
    ("wcxb", include_str!("../../datasets/wcxb.toml")),
    ("wcxb-read", include_str!("../../datasets/wcxb-read.toml")),
    ("webforum52", include_str!("../../datasets/webforum52.toml")),
    ("wwwxmu", include_str!("../../datasets/wwwxmu.toml")),
];

/// What is known of a corpus, read from a file of `datasets/` or of the user's own.
///
/// A corpus is fetched from its archives into the data folder, or lies in a folder of the user's: a manifest names either
/// `[[archive]]` or `folder`. With a folder only `folder` itself must be stated.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Manifest {
    /// Kebab-case name; also the corpus's folder in the data folder. Default with `folder`: the manifest's file name.
    #[serde(default)]
    pub name: String,
    /// One line for people.
    #[serde(default)]
    pub title: String,
    /// Where its makers publish it.
    #[serde(default)]
    pub source: String,
    /// How its files lie, that is, which reader reads it. Default: pairs.
    #[serde(default)]
    pub layout: CorpusLayout,
    /// The folder of a corpus that is not fetched, relative to the manifest.
    #[serde(default)]
    pub folder: Option<PathBuf>,
    /// How pages and references are paired, in the layout pairs.
    #[serde(default)]
    pub pairs: Pairs,
    /// Its annotation convention in words: what counts as content, and who said so.
    #[serde(default)]
    pub annotation: String,
    /// What its references include, and who made them.
    #[serde(default)]
    pub convention: Convention,
    /// Folders or URLs that hold the archives, tried in order when no mirror is given.
    #[serde(default)]
    pub mirrors: Vec<String>,
    /// What to cite when publishing.
    #[serde(default)]
    pub citation: String,
    /// What is known of it, and what is not.
    #[serde(default)]
    pub notes: Vec<String>,
    /// The terms of use.
    #[serde(default)]
    pub licence: Licence,
    /// The type of all its pages, such as `article` or `forum`, but of those of which the corpus says another. Default: not stated.
    #[serde(default)]
    pub page_type: Option<String>,
    /// Registered domains that belong to another one's site, as `other = site`.
    #[serde(default)]
    pub same_site: BTreeMap<String, String>,
    /// The parts; the first is the one meant when none is named. Default with `folder`: all its pages.
    #[serde(default, rename = "part")]
    pub parts: Vec<Part>,
    /// The archives.
    #[serde(default, rename = "archive")]
    pub archives: Vec<Archive>,
    /// Pages left out by a rule.
    #[serde(default, rename = "bad_pages")]
    bad_groups: Vec<BadGroup>,
    /// Pages of which under 97 % of the annotated tokens find their node, with the reason; most are used all the
    /// same.
    #[serde(default)]
    pub partial_labels: Vec<PartialLabels>,
}

/// A page whose labels do not all find their node.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PartialLabels {
    /// The page.
    pub id: String,
    /// Why.
    pub reason: String,
}

/// Terms of use of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Licence {
    /// Its name, such as "CC-BY-4.0".
    pub name: String,
    /// Whether the corpus may be passed on.
    pub redistribution: Redistribution,
    /// One line shown whenever the corpus is fetched.
    pub notice: String,
}

/// Whether a corpus may be passed on to others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Redistribution {
    /// The licence allows it.
    Yes,
    /// The licence forbids it.
    No,
    /// Nobody has stated it: treat as forbidden.
    #[default]
    Unknown,
}

/// A named part of a corpus, such as `dev` and `test`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Part {
    /// Its name; `all` where a corpus is not divided.
    pub name: String,
    /// How many pages it has, bad ones included; `None` where it is not known.
    pub pages: Option<usize>,
    /// The checksum of its pages ([`Corpus::checksum`](super::Corpus::checksum)); `None` where it is not stated. A corpus that is not
    /// fetched is compared with it by `duramen data verify`, the plain folder of a source when it is fetched from there.
    #[serde(default)]
    pub checksum: Option<String>,
    /// The folder of the part's references, of a corpus in the layout pairs whose parts are the same pages with other
    /// references. Default: that of the corpus, below a folder of the part's name.
    #[serde(default)]
    pub references: Option<String>,
    /// In what its references differ from the corpus's convention.
    #[serde(default)]
    pub convention: Convention,
}

/// One archive, in one or several alternative forms.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Archive {
    /// The folder under the corpus's own that it is unpacked to; none: the corpus's own folder.
    pub folder: Option<String>,
    /// The parts that it holds.
    pub parts: Vec<String>,
    /// Its forms, any of which will do; the first that a mirror holds is taken.
    pub files: Vec<ArchiveFile>,
}

/// One form of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ArchiveFile {
    /// File name, ending in .tar.gz, .tgz, .tar.xz, .tar.zst or .zip.
    pub name: String,
    /// SHA-256 in lower-case hex; `None` where it is not known.
    pub sha256: Option<String>,
    /// Size in bytes, where it is known.
    pub bytes: Option<u64>,
}

/// The rule by which a page is listed as bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The page has no gold.
    NoGold,
    /// The gold holds no text.
    EmptyGold,
    /// Less than half of the gold's words (as a multiset of lower-case `\w+`, characters of scripts without spaces) stand
    /// in the page's text outside tags, comments, scripts and style sheets.
    GoldNotInPage,
    /// The gold was made from something other than the page as it parses; found by looking, the reason says how.
    GoldNotMatching,
}

/// A page that a corpus leaves out unless asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadPage {
    /// The page.
    pub id: String,
    /// The rule that lists it.
    pub rule: Rule,
    /// The rule's finding on this page.
    pub reason: String,
}

/// Bad pages of one part with one rule and reason.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct BadGroup {
    part: String,
    rule: Rule,
    reason: String,
    ids: Vec<String>,
}

impl Manifest {
    /// The names of the manifests that come with the program, sorted.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        EMBEDDED.iter().map(|(name, _)| *name)
    }

    /// The manifest of that name, or in that file when `name_or_path` ends in `.toml`.
    ///
    /// # Errors
    /// [`Error::Data`] for an unknown name (with the nearest), a file that cannot be read, or a faulty manifest.
    ///
    /// # Examples
    /// ```
    /// use duramen::dataset::Manifest;
    /// assert_eq!(Manifest::find("wcxb")?.part(None)?.name, "dev");
    /// assert!(Manifest::find("wxcb").unwrap_err().to_string().contains("'wcxb'"));
    /// # Ok::<(), duramen::Error>(())
    /// ```
    pub fn find(name_or_path: &str) -> Result<Manifest> {
        if name_or_path.ends_with(".toml") {
            return Manifest::read(Path::new(name_or_path));
        }
        match EMBEDDED.iter().find(|(name, _)| *name == name_or_path) {
            Some((name, text)) => Manifest::parse(text, &format!("datasets/{name}.toml")),
            None => Err(Error::data(
                name_or_path,
                "no corpus has this name",
                did_you_mean(name_or_path, Manifest::names()),
            )),
        }
    }

    /// The manifest in a file. A `folder` that it names is relative to it.
    ///
    /// # Errors
    /// [`Error::Data`] for a file that cannot be read, or a faulty manifest.
    pub fn read(path: &Path) -> Result<Manifest> {
        let text = fs::read_to_string(path).map_err(|source| {
            let remedy = "give the path of a manifest or the name of a corpus";
            Error::data(path.display(), source.to_string(), remedy)
        })?;
        let mut manifest = Manifest::parse(&text, &path.display().to_string())?;
        if let Some(folder) = &manifest.folder {
            manifest.folder = Some(path.parent().unwrap_or(Path::new("")).join(folder));
        }
        Ok(manifest)
    }

    /// The manifest of a bare folder: its name, and what the layout needs.
    pub(super) fn from_folder(folder: &Path, layout: CorpusLayout, pairs: Pairs) -> Manifest {
        let mut manifest = Manifest {
            name: folder_name(folder),
            title: String::new(),
            source: String::new(),
            layout,
            folder: Some(folder.to_owned()),
            pairs,
            annotation: String::new(),
            convention: Convention::default(),
            mirrors: Vec::new(),
            citation: String::new(),
            notes: Vec::new(),
            licence: Licence::default(),
            page_type: None,
            same_site: BTreeMap::new(),
            parts: Vec::new(),
            archives: Vec::new(),
            bad_groups: Vec::new(),
            partial_labels: Vec::new(),
        };
        manifest.complete("");
        manifest
    }

    /// Puts in what a manifest with a folder need not state.
    fn complete(&mut self, subject: &str) {
        if self.folder.is_none() {
            return;
        }
        if self.name.is_empty() {
            self.name = folder_name(&Path::new(subject).with_extension(""));
        }
        if self.parts.is_empty() {
            self.parts.push(Part { name: "all".to_owned(), ..Part::default() });
        }
        if self.licence.name.is_empty() {
            self.licence.name = "not stated".to_owned();
        }
    }

    /// Reads a manifest from its text; `subject` names it in errors.
    ///
    /// # Errors
    /// [`Error::Data`] for text that is not TOML, an unknown or missing key, or values that contradict each other.
    pub fn parse(text: &str, subject: &str) -> Result<Manifest> {
        let fault = |problem: String, remedy: String| Error::data(subject, problem, remedy);
        let see = match text.contains("[[archive]]") {
            true => "see datasets/wcxb.toml for an example",
            false => "see datasets/README.md for an example",
        };
        let table: toml::Table =
            text.parse().map_err(|e: toml::de::Error| fault(e.to_string().trim().into(), see.into()))?;
        if let Some((key, remedy)) = unknown_key(&table) {
            return Err(fault(format!("unknown key '{key}'"), remedy));
        }
        let mut manifest: Manifest =
            table.try_into().map_err(|e: toml::de::Error| fault(e.to_string().trim().into(), see.into()))?;
        manifest.complete(subject);
        manifest.check().map_err(|problem| fault(problem, see.into()))?;
        Ok(manifest)
    }

    /// The part of that name, or the first.
    ///
    /// # Errors
    /// [`Error::Data`] for an unknown part, with the nearest.
    pub fn part(&self, name: Option<&str>) -> Result<&Part> {
        let Some(name) = name else { return Ok(&self.parts[0]) };
        self.parts.iter().find(|part| part.name == name).ok_or_else(|| {
            Error::data(
                format!("{}/{name}", self.name),
                "the corpus has no such part",
                did_you_mean(name, self.parts.iter().map(|part| part.name.as_str())),
            )
        })
    }

    /// The archive that holds `part`; none of a corpus that is not fetched.
    pub(super) fn archive(&self, part: &Part) -> Option<&Archive> {
        self.archives.iter().find(|archive| archive.parts.contains(&part.name))
    }

    /// The folder that `part` lies in or under: that of its archive under the data folder, or the user's own.
    pub(super) fn home(&self, part: &Part, data_dir: &Path) -> PathBuf {
        if let Some(folder) = &self.folder {
            return folder.clone();
        }
        let home = data_dir.join(&self.name);
        match self.archive(part).and_then(|archive| archive.folder.as_ref()) {
            Some(folder) => home.join(folder),
            None => home,
        }
    }

    /// The folder of the pages, of a corpus that has references alone; `None` if they are not in the data folder.
    ///
    /// # Errors
    /// If no corpus has the name that is stated.
    pub(super) fn pages_elsewhere(&self, data_dir: &Path) -> Result<Option<PathBuf>> {
        let Some(name) = &self.pairs.pages_of else { return Ok(None) };
        let other = Manifest::find(name)?;
        let found = other.locate(&other.parts[0], &other.home(&other.parts[0], data_dir), data_dir);
        Ok(found.map(|(root, pairs)| other.layout.pages(&root, &pairs)))
    }

    /// The folder in or under `home` where the files of `part` begin, with how they are paired; `None` if there is none.
    pub(super) fn locate(&self, part: &Part, home: &Path, data_dir: &Path) -> Option<(PathBuf, Pairs)> {
        let mut pairs = self.pairs.clone();
        if self.pairs.pages_of.is_some() {
            let pages = self.pages_elsewhere(data_dir).ok()??;
            pairs.pages = Some(pages.to_str()?.to_owned());
        }
        // Such parts share one folder.
        let folder = match &part.references {
            Some(_) => "all",
            None => &part.name,
        };
        pairs.references = part.references.clone().or(pairs.references);
        pairs.title = pairs.title.or(match self.convention(part).headline {
            Some(Inclusion::In) => Some(TitlePlace::InText),
            Some(Inclusion::Out) => Some(TitlePlace::Apart),
            Some(Inclusion::Some) | None => None,
        });
        Some((self.layout.locate(home, folder, &pairs)?, pairs))
    }

    /// What the references of `part` take in, and who made them.
    pub fn convention(&self, part: &Part) -> Convention {
        part.convention.or(self.convention)
    }

    /// The name of a corpus part in commands and results: `wcxb/dev`, or `l3s-gn1` where there is one part.
    pub fn label(&self, part: &Part) -> String {
        if self.parts.len() == 1 { self.name.clone() } else { format!("{}/{}", self.name, part.name) }
    }

    /// The pages of `part` listed as bad. The part `all` has those of every part.
    pub fn bad_pages(&self, part: &str) -> Vec<BadPage> {
        let groups = self.bad_groups.iter().filter(|group| part == "all" || group.part == part);
        groups
            .flat_map(|group| {
                let page =
                    |id: &String| BadPage { id: id.clone(), rule: group.rule, reason: group.reason.clone() };
                group.ids.iter().map(page)
            })
            .collect()
    }

    /// What the shape of a manifest cannot express.
    fn check(&self) -> Result<(), String> {
        if self.folder.is_none() {
            let required = [
                ("name", &self.name),
                ("title", &self.title),
                ("source", &self.source),
                ("citation", &self.citation),
                ("licence.name", &self.licence.name),
            ];
            if let Some((key, _)) = required.iter().find(|(_, value)| value.is_empty()) {
                return Err(format!(
                    "no {key}; a corpus in a folder of one's own states folder = \"...\" instead"
                ));
            }
        }
        let safe = |name: &str| {
            !name.is_empty()
                && !name.starts_with('.')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        };
        let mut names = vec![&self.name];
        names.extend(self.parts.iter().map(|part| &part.name));
        names.extend(self.archives.iter().filter_map(|archive| archive.folder.as_ref()));
        names.extend(self.archives.iter().flat_map(|archive| archive.files.iter().map(|file| &file.name)));
        if let Some(name) = names.into_iter().find(|name| !safe(name)) {
            return Err(format!(
                "the name '{name}' has characters other than letters, digits, '-', '_', '.'"
            ));
        }
        if self.folder.is_some() && !self.archives.is_empty() {
            return Err(
                "folder and [[archive]] are both stated: a corpus is fetched or lies in a folder".into()
            );
        }
        if self.layout != CorpusLayout::Pairs && self.pairs != Pairs::default() {
            return Err("[pairs] goes with layout = \"pairs\" only".into());
        }
        if self.layout != CorpusLayout::Pairs && self.parts.iter().any(|part| part.references.is_some()) {
            return Err("references of a [[part]] go with layout = \"pairs\" only".into());
        }
        if let Some(name) = &self.pairs.pages_of {
            if self.pairs.pages.is_some() {
                return Err(
                    "pages and pages_of are both stated: the pages are the corpus's own or another's".into(),
                );
            }
            if !Manifest::names().any(|known| known == name) {
                return Err(format!("pages_of = \"{name}\": {}", did_you_mean(name, Manifest::names())));
            }
        }
        for part in &self.parts {
            if part.checksum.as_ref().is_some_and(|sum| !is_sha256(sum)) {
                return Err(format!("the checksum of part '{}' is not 64 lower-case hex digits", part.name));
            }
        }
        if self.parts.is_empty() {
            return Err("no [[part]]".into());
        }
        for part in self.parts.iter().filter(|_| self.folder.is_none()) {
            if !self.archives.iter().any(|archive| archive.parts.contains(&part.name)) {
                return Err(format!("no [[archive]] has the part '{}'", part.name));
            }
        }
        if self.archives.len() > 1 && self.archives.iter().any(|archive| archive.folder.is_none()) {
            return Err("of several archives each needs its folder".into());
        }
        let known = |part: &String| self.parts.iter().any(|known| known.name == *part);
        let named =
            self.archives.iter().flat_map(|a| &a.parts).chain(self.bad_groups.iter().map(|g| &g.part));
        if let Some(part) = { named }.find(|part| !known(part)) {
            return Err(format!("'{part}' is not the name of a [[part]]"));
        }
        for file in self.archives.iter().flat_map(|archive| &archive.files) {
            if super::archive::Form::from_name(&file.name).is_none() {
                return Err(format!("'{}' is no .tar.gz, .tgz, .tar.xz, .tar.zst or .zip", file.name));
            }
            if file.sha256.as_ref().is_some_and(|sum| !is_sha256(sum)) {
                return Err(format!("the sha256 of '{}' is not 64 lower-case hex digits", file.name));
            }
        }
        Ok(())
    }
}

/// A corpus's name from that of its folder or manifest: what a name may not have becomes `-`.
fn folder_name(path: &Path) -> String {
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = full.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let allowed = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().map(allowed).collect();
    let name = name.trim_matches(['.', '-']);
    if name.is_empty() { "pages".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embedded(name: &str) -> &'static str {
        EMBEDDED.iter().find(|(known, _)| *known == name).unwrap().1
    }

    #[test]
    fn every_embedded_manifest_is_sound_and_bears_its_own_name() {
        for (name, text) in EMBEDDED {
            let manifest = Manifest::parse(text, name).unwrap();
            assert_eq!(manifest.name, name);
            assert!(!manifest.licence.notice.contains('\n'), "{name}: the licence notice is one line");
        }
        assert!(Manifest::names().is_sorted());
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_nearest() {
        let error = Manifest::find("l3s-gn2").unwrap_err();
        assert_eq!(error.exit_code(), 3);
        assert!(error.to_string().contains("did you mean 'l3s-gn1'?"), "{error}");
    }

    #[test]
    fn an_unknown_key_is_refused_with_the_nearest_at_every_depth() {
        for (old, new, path, nearest) in [
            ("title =", "titel =", "titel", "title"),
            ("notice =", "notise =", "licence.notise", "notice"),
            ("pages =", "page =", "part.page", "pages"),
            ("rule =", "role =", "bad_pages.role", "rule"),
            ("sha256 =", "sha265 =", "archive.files.sha265", "sha256"),
        ] {
            let text = embedded("wcxb").replacen(old, new, 1);
            let error = Manifest::parse(&text, "mine.toml").unwrap_err().to_string();
            assert!(error.contains(&format!("'{path}'")), "{error}");
            assert!(error.contains(&format!("did you mean '{nearest}'")), "{error}");
        }
    }

    #[test]
    fn a_manifest_cannot_name_a_folder_outside_the_data_folder() {
        let text = embedded("l3s-gn1").replace("name = \"l3s-gn1\"", "name = \"../l3s-gn1\"");
        assert!(Manifest::parse(&text, "mine.toml").unwrap_err().to_string().contains("'../l3s-gn1'"));
    }

    #[test]
    fn a_part_without_archive_is_refused() {
        let text = embedded("l3s-gn1").replace("parts = [\"all\"]", "parts = []");
        assert!(Manifest::parse(&text, "mine.toml").unwrap_err().to_string().contains("no [[archive]]"));
    }
}
