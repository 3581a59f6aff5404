//! `Similarity`, words that nodes share with the page's title, with what its metadata says of it, and with its longest
//! text.

use std::collections::{HashMap, HashSet};

use super::base::BaseCounts;
use super::leaves::Leaves;
use super::linked_data;
use super::word_keys::{WordKeys, words};
use crate::dom::{Dom, Tag};
use crate::features::hash::{self, Hashed};
use crate::index::NodeId;
use crate::view::PageView;

type Words = HashSet<u64, Hashed>;

/// What a node's words are compared with.
#[derive(Clone, Copy)]
pub enum Part {
    Title,
    Description,
    LinkedData,
    Longest,
}

/// Words of the page that are compared with its nodes.
pub struct Similarity {
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
    /// Compares the words of a page.
    pub fn new(base: &BaseCounts<'_>, leaves: &Leaves, keys: &WordKeys, head: &[NodeId]) -> Self {
        let dom = base.page.dom();
        let view = base.view;
        let n = view.tree.len();
        let mut parts: [Words; 4] = Default::default();
        read_head(dom, head, &mut parts);
        // The first of equals.
        let own_words = |v: &u32| (base.words_of(*v) - base.link_words_of(*v), std::cmp::Reverse(*v));
        let longest = leaves.iter().max_by_key(own_words);
        parts[Part::Longest as usize] =
            longest.map(|v| keys.of(view, v).iter().copied().collect()).unwrap_or_default();
        let mut sums = Vec::with_capacity(view.texts.len() + 1);
        sums.push([0; 4]);
        let mut sum = [0; 4];
        // Of each word a bit for each part that it stands in.
        let mut parts_of: HashMap<u64, u8, Hashed> = HashMap::default();
        for (i, part) in parts.iter().enumerate() {
            part.iter().for_each(|&key| *parts_of.entry(key).or_default() |= 1 << i);
        }
        // A bit for each key by which it may be among these: most words are not, and are not looked up.
        let mut bits = [0u64; 64];
        let bit = |key: u64| (key as usize % 64, key >> 6 & 63);
        parts_of.keys().map(|&key| bit(key)).for_each(|(i, at)| bits[i] |= 1 << at);
        let may_be_known = |key: &&u64| bits[bit(**key).0] >> bit(**key).1 & 1 == 1;
        for text in 0..view.texts.len() {
            for parts in keys.text_words(text).iter().filter(may_be_known).filter_map(|key| parts_of.get(key))
            {
                sum.iter_mut().enumerate().for_each(|(i, sum)| *sum += u32::from(parts >> i & 1));
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
        found.find_title(base, leaves, keys, &parts[Part::Title as usize]);
        found
    }

    /// The leaf that has most of the title and little else; headings are preferred.
    fn find_title(&mut self, base: &BaseCounts<'_>, leaves: &Leaves, keys: &WordKeys, title: &Words) {
        if title.is_empty() {
            return;
        }
        let dom = base.page.dom();
        for v in leaves.iter() {
            let keys = keys.of(base.view, v);
            if self.sums(base.view, v)[Part::Title as usize] == 0 {
                continue;
            }
            let words: Words = keys.iter().copied().collect();
            let hits = words.iter().filter(|key| title.contains(key)).count() as u64;
            self.title_share[v as usize] = (100 * hits / title.len() as u64) as u8;
            let tag = dom.tag(base.view.nodes[v as usize].node);
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

    /// The words of a node and all below that stand in each part.
    pub fn sums(&self, view: &PageView, v: u32) -> [u32; 4] {
        let texts = &view.nodes[v as usize].texts;
        let (start, end) = (self.sums[texts.start as usize], self.sums[texts.end as usize]);
        std::array::from_fn(|part| end[part] - start[part])
    }

    /// Of a leaf the share of the title's words that it holds, in per cent.
    pub fn title_share(&self, v: u32) -> u32 {
        self.title_share[v as usize].into()
    }
}

/// Reads title, descriptions and JSON-LD; words of one letter are left out.
fn read_head(dom: &Dom, head: &[NodeId], parts: &mut [Words; 4]) {
    let mut add = |part: Part, text: &str| {
        parts[part as usize]
            .extend(words(text).filter(|word| word.chars().nth(1).is_some()).map(hash::hash_word));
    };
    let mut titled = false;
    let mut budget = 100 * linked_data::MAX_VALUE;
    for &id in head {
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
            Tag::SCRIPT => {
                for text in dom.children(id).map(|child| dom.text(child)) {
                    for value in linked_data::texts(text) {
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
