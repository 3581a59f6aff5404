//! `Scene` and `Place`: what the features of pictures are computed from, of a page and of one picture.

use std::collections::{HashMap, HashSet};

use url::Url;

use super::names::{NAMES, names_in};
use super::stated::{StatedImages, Statement};
use super::{Picture, key};
use crate::dom::{Dom, NodeKind, Tag};
use crate::extract::Extraction;
use crate::extract::address::Base;
use crate::features::hash::{self, Hashed};
use crate::index::NodeId;
use crate::label::LabelSet;
use crate::page::Page;
use crate::tokens;

/// Levels above a picture that are looked at one by one.
pub(super) const LEVELS: usize = 5;
/// Levels above a picture whose classes are looked at.
const CLASS_LEVELS: usize = 7;
/// Words of a text from which it counts as running text.
const RUNNING_WORDS: u32 = 5;

/// Pictures in places of the same tags and classes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Alike {
    pub pictures: u32,
    /// The mean P(content) of the running text before each.
    pub text_before: f32,
    /// The share of those in a link.
    pub linked: f32,
    /// The share of the article's expected words between the first and the last.
    pub spread: f32,
}

/// What is computed once for a page.
pub(super) struct Scene<'a> {
    pub page: &'a Page,
    pub dom: &'a Dom,
    pub base: Base,
    /// The files that the page states.
    files: Vec<(Statement, File)>,
    pub host: Option<String>,
    /// Sums over the nodes before each: shown words, words in links, expected words of the article.
    words: Vec<f32>,
    link_words: Vec<f32>,
    content_words: Vec<f32>,
    /// Running text in document order: node, probability of being content, words.
    texts: Vec<(NodeId, f32, u32)>,
    /// Indices into `texts` of the first and the last of the article.
    first_content: Option<usize>,
    last_content: Option<usize>,
    pub heading: Option<NodeId>,
    pub title_words: HashSet<u64, Hashed>,
    /// The words of the article that a picture's texts have too.
    pub text_words: HashSet<u64, Hashed>,
    /// The caption of each picture's figure.
    pub captions: Vec<Option<String>>,
    /// How many pictures stand in places of the same tags and classes.
    places: HashMap<u64, Alike>,
    /// How many links have an address, as it is written.
    targets: HashMap<&'a str, u32>,
    /// How many pictures have an address in the same folder.
    folders: HashMap<String, u32>,
    /// How many pictures have the same stated size.
    sizes: HashMap<(u32, u32), u32>,
    pub pictures: usize,
}

impl<'a> Scene<'a> {
    pub fn new(page: &'a Page, extraction: &Extraction, pictures: &[Picture], stated: &StatedImages) -> Self {
        let dom = page.dom();
        let base = Base::read(page);
        let n = dom.len();
        let (mut words, mut link_words, mut content_words) =
            (vec![0.0; n + 1], vec![0.0; n + 1], vec![0.0; n + 1]);
        let mut texts = Vec::new();
        // Of the article only words that a picture's texts have are looked for.
        let captions: Vec<Option<String>> = pictures.iter().map(|picture| picture.caption(dom)).collect();
        let texts_of_pictures = pictures
            .iter()
            .map(|picture| picture.alt.as_str())
            .chain(captions.iter().flatten().map(String::as_str));
        let wanted: HashSet<u64, Hashed> = texts_of_pictures.flat_map(word_keys).collect();
        let mut text_words: HashSet<u64, Hashed> = HashSet::default();
        let mut link_until = 0;
        let (mut title, mut heading) = (None, None);
        let mut targets: HashMap<&str, u32> = HashMap::new();
        let mut shown = dom.shown_texts().peekable();
        for id in dom.ids() {
            let at = id.index();
            (words[at + 1], link_words[at + 1], content_words[at + 1]) =
                (words[at], link_words[at], content_words[at]);
            match dom.tag(id) {
                Tag::A => {
                    link_until = link_until.max(dom.subtree_end(id).0);
                    if let Some(href) = dom.attribute(id, "href") {
                        *targets.entry(href).or_default() += 1;
                    }
                }
                Tag::TITLE => title = title.or(Some(id)),
                Tag::H1 => heading = heading.or(Some(id)),
                _ => {}
            }
            while shown.next_if(|&other| other < id).is_some() {}
            if shown.peek() != Some(&id) {
                continue;
            }
            let count = tokens::count(dom.text(id));
            if count == 0 {
                continue;
            }
            let probability = match &extraction.posteriors {
                Some(posteriors) => LabelSet::ARTICLE.probability(&posteriors[id]) as f32,
                None => f32::from(u8::from(LabelSet::ARTICLE.contains(extraction.labels[id]))),
            };
            words[at + 1] += count as f32;
            content_words[at + 1] += probability * count as f32;
            if id.0 < link_until {
                link_words[at + 1] += count as f32;
            }
            if count >= RUNNING_WORDS {
                texts.push((id, probability, count));
            }
            if probability >= 0.5 && !wanted.is_empty() {
                text_words.extend(word_keys(dom.text(id)).filter(|word| wanted.contains(word)));
            }
        }
        let mut places: HashMap<u64, (Alike, f32)> = HashMap::new();
        let mut folders: HashMap<String, u32> = HashMap::new();
        let mut sizes: HashMap<(u32, u32), u32> = HashMap::new();
        for picture in pictures {
            let before = texts.partition_point(|&(id, _, _)| id < picture.node).checked_sub(1);
            let passed = content_words[picture.node.index()];
            let (alike, first) =
                places.entry(place_key(dom, picture.node)).or_insert((Alike::default(), passed));
            alike.pictures += 1;
            alike.text_before += before.map_or(0.0, |at| texts[at].1);
            alike.linked += f32::from(u8::from(dom.ancestors(picture.node).any(|id| dom.tag(id) == Tag::A)));
            alike.spread = passed - *first;
            if let Some(url) = picture.url() {
                *folders.entry(folder(url).to_owned()).or_default() += 1;
            }
            *sizes.entry(size_of(picture)).or_default() += 1;
        }
        let all_content = content_words[n].max(1.0);
        let mean = |(key, (alike, _)): (u64, (Alike, f32))| {
            let pictures = alike.pictures as f32;
            let of = Alike {
                text_before: alike.text_before / pictures,
                linked: alike.linked / pictures,
                spread: alike.spread / all_content,
                ..alike
            };
            (key, of)
        };
        let places = places.into_iter().map(mean).collect();
        let content = |&(_, p, _): &(NodeId, f32, u32)| p >= 0.5;
        Scene {
            page,
            dom,
            host: page.url().and_then(host_of),
            base,
            files: stated.iter().map(|image| (image.statement, File::new(&image.key))).collect(),
            words,
            link_words,
            content_words,
            first_content: texts.iter().position(content),
            last_content: texts.iter().rposition(content),
            texts,
            heading,
            title_words: title.map(|id| word_keys(&dom.text_content(id)).collect()).unwrap_or_default(),
            text_words,
            captions,
            places,
            targets,
            folders,
            sizes,
            pictures: pictures.len(),
        }
    }

    fn sum(&self, of: &[f32], id: NodeId) -> f32 {
        of[self.dom.subtree_end(id).index()] - of[id.index()]
    }

    /// Shown words before a node.
    pub fn words_before(&self, id: NodeId) -> f32 {
        self.words[id.index()]
    }

    /// Expected words of the article before a node, and on the page.
    pub fn content_before(&self, id: NodeId) -> (f32, f32) {
        (self.content_words[id.index()], self.content_words[self.dom.len()])
    }
}

/// A link around a picture.
pub(super) struct Link<'a> {
    pub node: NodeId,
    pub href: &'a str,
    pub url: Option<String>,
}

/// One picture of a page.
pub(super) struct Place<'s, 'a> {
    pub scene: &'s Scene<'a>,
    pub picture: &'s Picture,
    /// Its number among the pictures of the page.
    pub number: usize,
    /// The elements above it, the nearest first.
    pub above: Vec<NodeId>,
    pub link: Option<Link<'a>>,
    pub figure: Option<NodeId>,
    pub caption: Option<&'s str>,
    /// The file of each address.
    files: Vec<File>,
    /// Of each of [`NAMES`], how near the nearest class or id is that has it: 0 for none, more for nearer.
    pub classes: [u32; NAMES.len()],
    /// Which of [`NAMES`] stand in the address.
    pub address: [bool; NAMES.len()],
    /// Running text before and after: index into the scene's texts of the next one.
    next_text: usize,
}

impl<'s, 'a> Place<'s, 'a> {
    pub fn new(scene: &'s Scene<'a>, picture: &'s Picture, number: usize) -> Self {
        let dom = scene.dom;
        let above: Vec<NodeId> = dom.ancestors(picture.node).collect();
        let link = above.iter().copied().find(|&id| dom.tag(id) == Tag::A).and_then(|node| {
            let href = dom.attribute(node, "href")?;
            Some(Link { node, href, url: scene.base.link(href) })
        });
        let figure = above.iter().copied().take(LEVELS).find(|&id| dom.tag(id) == Tag::FIGURE);
        let mut classes = [0; NAMES.len()];
        for (distance, &id) in std::iter::once(&picture.node).chain(&above).take(CLASS_LEVELS).enumerate() {
            for name in ["class", "id"] {
                let Some(value) = dom.attribute(id, name) else { continue };
                for (i, found) in names_in(value).into_iter().enumerate() {
                    if found && classes[i] == 0 {
                        classes[i] = (CLASS_LEVELS - distance) as u32;
                    }
                }
            }
        }
        let mut address = [false; NAMES.len()];
        if let Some(url) = picture.url() {
            let path = url.split_once("//").map_or(url, |(_, rest)| rest);
            address = names_in(path);
        }
        Place {
            scene,
            picture,
            number,
            link,
            caption: scene.captions[number].as_deref().filter(|_| figure.is_some()),
            files: picture.addresses.iter().map(|url| File::new(&key(url))).collect(),
            figure,
            classes,
            address,
            next_text: scene.texts.partition_point(|&(id, _, _)| id < picture.node),
            above,
        }
    }

    pub fn dom(&self) -> &'a Dom {
        self.scene.dom
    }

    /// Whether an element of one of these is above, among the `levels` nearest.
    pub fn is_in(&self, tags: &[Tag], levels: usize) -> bool {
        self.above.iter().take(levels).any(|&id| tags.contains(&self.dom().tag(id)))
    }

    /// Words, share in links and share of the article below the ancestor of a level, from 0.
    pub fn around(&self, level: usize) -> (f32, f32, f32) {
        let Some(&id) = self.above.get(level) else { return (0.0, 0.0, 0.0) };
        let words = self.scene.sum(&self.scene.words, id);
        let share = |sum: f32| if words > 0.0 { sum / words } else { 0.0 };
        let in_links = share(self.scene.sum(&self.scene.link_words, id));
        (words, in_links, share(self.scene.sum(&self.scene.content_words, id)))
    }

    /// P(content) and words of the running text before the picture, or after it.
    pub fn neighbor(&self, after: bool) -> Option<(f32, u32)> {
        let at = if after { self.next_text } else { self.next_text.checked_sub(1)? };
        self.scene.texts.get(at).map(|&(_, p, words)| (p, words))
    }

    /// Words between the picture and the nearest text of the article before or after it.
    pub fn distance_to_content(&self, after: bool) -> Option<f32> {
        let is_content = |&&(_, p, _): &&(NodeId, f32, u32)| p >= 0.5;
        let texts = &self.scene.texts;
        let node = self.picture.node;
        let here = self.scene.words_before(node);
        Some(if after {
            let (id, _, _) = texts[self.next_text..].iter().find(is_content)?;
            self.scene.words_before(*id) - here
        } else {
            let (id, _, _) = texts[..self.next_text].iter().rev().find(is_content)?;
            here - self.scene.words[self.dom().subtree_end(*id).index()]
        })
    }

    /// 0 without an article, 1 before its first text, 2 between, 3 after its last.
    pub fn region(&self) -> u32 {
        match (self.scene.first_content, self.scene.last_content) {
            (Some(first), Some(last)) => match self.next_text {
                next if next <= first => 1,
                next if next <= last => 2,
                _ => 3,
            },
            _ => 0,
        }
    }

    /// The pictures in places of the same tags and classes, with this one.
    pub fn alike(&self) -> Alike {
        self.scene.places[&place_key(self.dom(), self.picture.node)]
    }

    /// Levels up to an element with this share of the article's expected words; 0 for none.
    pub fn levels_to(&self, share: f32) -> u32 {
        let all = self.scene.content_words[self.dom().len()];
        let holds = |&id: &NodeId| all > 0.0 && self.scene.sum(&self.scene.content_words, id) >= share * all;
        self.above.iter().position(holds).map_or(0, |level| (level + 1).min(30) as u32)
    }

    pub fn of_same_size(&self) -> u32 {
        self.scene.sizes[&size_of(self.picture)]
    }

    pub fn in_same_folder(&self) -> u32 {
        self.picture.url().map_or(0, |url| self.scene.folders[folder(url)])
    }

    /// How many links of the page have the address of the picture's link.
    pub fn links_to_target(&self) -> u32 {
        let link = self.link.as_ref().filter(|link| link.url.is_some());
        link.map_or(0, |link| self.scene.targets.get(link.href).copied().unwrap_or(0))
    }

    /// How well the images of a statement fit: 0 there are none, 1 none of them fits, 2 one has the same folder, 3 one has the
    /// same file name but for its size, 4 one is this picture.
    pub fn stated(&self, statement: Statement) -> u32 {
        let mut best = 0;
        for (_, image) in self.scene.files.iter().filter(|(known, _)| *known == statement) {
            best = best.max(self.files.iter().map(|file| file.fit(image)).max().unwrap_or(1));
        }
        best
    }
}

/// The file that an address names.
struct File {
    key: String,
    stem: String,
}

impl File {
    fn new(key: &str) -> File {
        File { key: key.to_owned(), stem: stem(key) }
    }

    fn fit(&self, stated: &File) -> u32 {
        if self.key == stated.key {
            return 4;
        }
        if self.stem.len() >= 6 && self.stem == stated.stem {
            return 3;
        }
        let (own, other) = (folder(&self.key), folder(&stated.key));
        if own == other && !own.is_empty() { 2 } else { 1 }
    }
}

/// A file's name without extension and without what only tells its size.
fn stem(key: &str) -> String {
    let name = key.split('?').next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_ascii_lowercase();
    let is_size = |part: &str| {
        part.split('x').all(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
            && part.contains('x')
            || ["large", "small", "medium", "thumb", "thumbnail", "full", "scaled", "jumbo", "superjumbo"]
                .contains(&part)
    };
    let mut name = name.as_str();
    while let Some((rest, part)) = name.rsplit_once(['-', '_']) {
        if !is_size(part) {
            break;
        }
        name = rest;
    }
    name.to_owned()
}

fn folder(url: &str) -> &str {
    url.split('?').next().unwrap_or_default().rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn host_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str()?;
    Some(host.strip_prefix("www.").unwrap_or(host).to_owned())
}

fn size_of(picture: &Picture) -> (u32, u32) {
    (picture.width.unwrap_or(0), picture.height.unwrap_or(0))
}

/// The tags and classes of the four elements above a picture, as one number.
fn place_key(dom: &Dom, node: NodeId) -> u64 {
    dom.ancestors(node).take(4).fold(0, |sum, id| {
        let own = hash::hash_word(dom.name(id));
        let class = dom.attribute(id, "class").map_or(0, hash::hash_word);
        hash::pair(hash::pair(sum, own), class)
    })
}

/// The words of a text as numbers, those of one letter left out.
pub(super) fn word_keys(text: &str) -> impl Iterator<Item = u64> {
    tokens::iter(text)
        .map(|token| token.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|token| token.chars().nth(1).is_some())
        .map(hash::hash_word)
}

/// Whether an element above a picture hides it from the text: `display: none` or `hidden`.
pub(super) fn is_hidden(dom: &Dom, above: &[NodeId]) -> bool {
    above.iter().any(|&id| {
        dom.kind(id) == NodeKind::Element
            && (dom.attribute(id, "hidden").is_some()
                || dom.attribute(id, "style").is_some_and(|style| {
                    style.to_ascii_lowercase().replace(' ', "").contains("display:none")
                }))
    })
}
