//! The reference of the test of parity with Boilerpipe: what the original makes of each page, without its text.

use std::io::{Read, Write};

/// The extractors in the order of the flags.
pub const EXTRACTORS: [&str; 8] = [
    "boilerpipe-article",
    "boilerpipe-default",
    "boilerpipe-article-sentences",
    "boilerpipe-largest-content",
    "boilerpipe-canola",
    "boilerpipe-num-words-rules",
    "boilerpipe-keep-everything",
    "boilerpipe-keep-everything-with-min-k-words",
];

/// What an original does with one page.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub id: String,
    /// The word F1 of each extractor's text against headline, full text and supplemental.
    pub f1: [f64; EXTRACTORS.len()],
    pub blocks: Vec<Block>,
}

/// One of the blocks that a page is cut into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// Of its text without white space.
    pub hash: u16,
    pub words: u32,
    /// Bit i: whether it is content to extractor i.
    pub content: u8,
}

/// FNV-1a of the text without white space, folded to 16 bits.
pub fn hash(text: &str) -> u16 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        hash = (hash ^ u64::from(c)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48) as u16
}

/// A row for each page: its id, the eight F1, and its blocks as `hash:words:content`, numbers in hexadecimal.
pub fn write(pages: &[Page]) -> Vec<u8> {
    let mut text = format!("page,{},blocks\n", EXTRACTORS.join(","));
    for page in pages {
        let f1 = page.f1.map(|f1| format!("{f1:.5}")).join(",");
        let blocks = page.blocks.iter().map(|b| format!("{:04x}:{:x}:{:02x}", b.hash, b.words, b.content));
        text += &format!("{},{f1},{}\n", page.id, blocks.collect::<Vec<_>>().join(" "));
    }
    let mut encoder = zstd::Encoder::new(Vec::new(), 19).unwrap();
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// Reads what [`write`] wrote.
pub fn read(bytes: &[u8]) -> Vec<Page> {
    let mut text = String::new();
    zstd::Decoder::new(bytes).unwrap().read_to_string(&mut text).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next().unwrap(), format!("page,{},blocks", EXTRACTORS.join(",")));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let [id, f1 @ .., blocks] = fields.as_slice() else { panic!("a row of no fields") };
            let blocks = blocks.split(' ').filter(|block| !block.is_empty()).map(|block| {
                let numbers: Vec<u32> =
                    block.split(':').map(|n| u32::from_str_radix(n, 16).unwrap()).collect();
                Block { hash: numbers[0] as u16, words: numbers[1], content: numbers[2] as u8 }
            });
            Page {
                id: (*id).to_owned(),
                f1: f1.iter().map(|f1| f1.parse().unwrap()).collect::<Vec<f64>>().try_into().unwrap(),
                blocks: blocks.collect(),
            }
        })
        .collect()
}
