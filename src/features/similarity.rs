//! Similarity: words that the node shares with the page's title, with what its metadata says of it, and with its
//! longest text.

use std::collections::HashSet;

use super::hash::{self, Hashed};
use super::measures::Measures;
use super::schema::{DOUBLING, FeatureSpec, PERCENT, count};
use super::text_shape::share;
use crate::dom::{Dom, Tag};

type Words = HashSet<u64, Hashed>;

/// Of one value of a JSON-LD script, so many bytes are read, and of all scripts together at most a hundred times that.
const MAX_VALUE: usize = 6_000;

pub(super) const FEATURES: &[FeatureSpec] = &[
    count("title-share", "share of the title's words in the leaf", "%", PERCENT, |m, v| {
        m.similarity().title_share[v as usize].into()
    }),
    count("title-words", "share of the node's words that stand in the title", "%", PERCENT, |m, v| {
        m.similarity().overlap(m, v, Part::Title)
    }),
    count(
        "description-overlap",
        "share of words that stand in the page's description",
        "%",
        PERCENT,
        |m, v| m.similarity().overlap(m, v, Part::Description),
    ),
    count("description-words", "words that stand in the page's description", "words", DOUBLING, |m, v| {
        m.similarity().sum(m, v, Part::Description)
    }),
    count(
        "linked-data-overlap",
        "share of words that stand in texts of the page's JSON-LD",
        "%",
        PERCENT,
        |m, v| m.similarity().overlap(m, v, Part::LinkedData),
    ),
    count("longest-overlap", "share of words that stand in the page's longest text", "%", PERCENT, |m, v| {
        m.similarity().overlap(m, v, Part::Longest)
    }),
];

/// What a node's words are compared with.
#[derive(Clone, Copy)]
enum Part {
    Title,
    Description,
    LinkedData,
    Longest,
}

/// Words of the page that are compared with its nodes.
pub(super) struct Similarity {
    /// The leaf that repeats the title best; none where no word of it stands on the page.
    pub title_leaf: Option<u32>,
    /// How well it does, in per cent.
    pub title_match: u32,
    /// For each leaf the share of the title's words that it holds, in per cent.
    title_share: Vec<u8>,
    /// Prefix sums over the view's texts, \[part\].
    sums: Vec<[u32; 4]>,
    /// Words of the description and of the linked data, each counted once.
    pub description: u32,
    pub linked_data: u32,
    /// The longest text: the leaf with most words outside links.
    pub longest: Option<u32>,
}

impl Similarity {
    pub fn new(m: &Measures<'_>) -> Self {
        let dom = m.page.dom();
        let view = m.view;
        let keys = m.word_keys();
        let n = view.tree.len();
        let mut parts: [Words; 4] = Default::default();
        read_head(dom, &mut parts);
        // The first of equals.
        let own_words = |v: &u32| (m.words_of(*v) - m.link_words_of(*v), std::cmp::Reverse(*v));
        let longest = m.leaves().iter().max_by_key(own_words);
        parts[Part::Longest as usize] =
            longest.map(|v| keys.of(view, v).iter().copied().collect()).unwrap_or_default();
        let mut sums = Vec::with_capacity(view.texts.len() + 1);
        sums.push([0; 4]);
        let mut sum = [0; 4];
        for text in 0..view.texts.len() {
            for key in keys.of_text(text) {
                for (sum, part) in sum.iter_mut().zip(&parts) {
                    *sum += u32::from(part.contains(key));
                }
            }
            sums.push(sum);
        }
        let mut found = Similarity {
            title_leaf: None,
            title_match: 0,
            title_share: vec![0; n],
            sums,
            description: parts[Part::Description as usize].len() as u32,
            linked_data: parts[Part::LinkedData as usize].len() as u32,
            longest,
        };
        found.find_title(m, &parts[Part::Title as usize]);
        found
    }

    /// The leaf that has most of the title and little else; headings are preferred.
    fn find_title(&mut self, m: &Measures<'_>, title: &Words) {
        if title.is_empty() {
            return;
        }
        let dom = m.page.dom();
        for v in m.leaves().iter() {
            let keys = m.word_keys().of(m.view, v);
            if self.sum(m, v, Part::Title) == 0 {
                continue;
            }
            let words: Words = keys.iter().copied().collect();
            let hits = words.iter().filter(|key| title.contains(key)).count() as u64;
            self.title_share[v as usize] = (100 * hits / title.len() as u64) as u8;
            let tag = dom.tag(m.view.nodes[v as usize].node);
            let preference = match tag {
                Tag::H1 => 195,
                _ if tag.heading_level().is_some() => 150,
                _ => 100,
            };
            let score = preference * hits * hits / (title.len() as u64 * words.len().max(1) as u64);
            if score > u64::from(self.title_match) {
                (self.title_leaf, self.title_match) = (Some(v), score as u32);
            }
        }
    }

    fn sum(&self, m: &Measures<'_>, v: u32, part: Part) -> u32 {
        let texts = &m.view.nodes[v as usize].texts;
        self.sums[texts.end as usize][part as usize] - self.sums[texts.start as usize][part as usize]
    }

    fn overlap(&self, m: &Measures<'_>, v: u32, part: Part) -> u32 {
        share(self.sum(m, v, part), m.word_keys().count(m.view, v))
    }
}

/// Reads title, descriptions and JSON-LD; words of one letter are left out.
fn read_head(dom: &Dom, parts: &mut [Words; 4]) {
    let mut add = |part: Part, text: &str| {
        parts[part as usize].extend(words(text).filter(|word| word.chars().nth(1).is_some()).map(hash::of));
    };
    let mut titled = false;
    let mut budget = 100 * MAX_VALUE;
    for id in dom.ids() {
        match dom.tag(id) {
            Tag::TITLE if !titled => {
                titled = true;
                add(Part::Title, &dom.text_content(id));
            }
            Tag::META => {
                let name = dom.attribute(id, "name").or_else(|| dom.attribute(id, "property"));
                let is_description = |name: &str| {
                    ["description", "og:description", "twitter:description"]
                        .iter()
                        .any(|known| name.eq_ignore_ascii_case(known))
                };
                if name.is_some_and(is_description) {
                    add(Part::Description, dom.attribute(id, "content").unwrap_or_default());
                }
            }
            Tag::SCRIPT if is_linked_data(dom, id) => {
                for text in dom.children(id).map(|child| dom.text(child)) {
                    for value in linked_data_texts(text) {
                        if value.len() > budget {
                            return;
                        }
                        budget -= value.len();
                        add(Part::LinkedData, value);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether a script holds JSON-LD.
pub(super) fn is_linked_data(dom: &Dom, script: crate::index::NodeId) -> bool {
    dom.attribute(script, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("application/ld+json"))
}

/// The values of `description`, `articleBody` and `text` in a JSON text, as written there. Values are looked for and
/// the text is not parsed: many are cut, doubled or not quite JSON, and only their words count.
fn linked_data_texts(json: &str) -> impl Iterator<Item = &str> {
    ["\"description\"", "\"articleBody\"", "\"text\""].into_iter().flat_map(move |key| {
        json.match_indices(key).filter_map(move |(at, _)| {
            let rest =
                json[at + key.len()..].trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
            let rest = &rest[..rest.floor_char_boundary(MAX_VALUE.min(rest.len()))];
            let bytes = rest.as_bytes();
            let end = memchr::memchr_iter(b'"', bytes).find(|&at| at == 0 || bytes[at - 1] != b'\\');
            Some(&rest[..end.unwrap_or(rest.len())])
        })
    })
}

/// The words of a text: runs of letters, digits and underscores.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}
