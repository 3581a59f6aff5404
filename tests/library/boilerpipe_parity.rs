//! Boilerpipe in Rust does what the Java original does, block for block, on every original of L3S-GN1.
//!
//! `tests/references/boilerpipe.csv.zst` says what the original does; `scripts/boilerpipe_reference.sh` makes it.

use crate::support;
use crate::support::boilerpipe::{self as reference, Block, EXTRACTORS};
use duramen::dataset::transfer::gold_text;
use duramen::dataset::{self, Document, Gold};
use duramen::dom::Limits;
use duramen::extract::boilerpipe::blocks;
use duramen::extract::registry::{self, Parameters};
use duramen::extract::{Extraction, Extractor};
use duramen::page::Page;
use duramen::{Label, LabelSet};

const N: usize = EXTRACTORS.len();

/// Pages of which the original's parser loses nearly everything: after `<!<`, and in an `<embed>` without end tag.
const LOST_BY_THE_ORIGINAL: [&str; 2] =
    ["710140ea-f7ed-4c61-b35c-989ad4006505", "b7350689-bad9-4119-931e-f89b8f72dbac"];

fn extract(extractor: &dyn Extractor, page: &Page) -> Extraction {
    extractor.extract_site(&[page]).pop().unwrap().unwrap()
}

/// What our extractors make of a page.
fn ours(extractors: &[Box<dyn Extractor>], document: &Document) -> reference::Page {
    let page = Page::parse(&document.id, None, &document.html, None, &Limits::default()).unwrap();
    let extractions: Vec<Extraction> =
        extractors.iter().map(|extractor| extract(&**extractor, &page)).collect();
    let Gold::Annotated(annotated) = &document.gold else { panic!("{}: no gold", document.id) };
    let gold = gold_text(annotated, LabelSet::ARTICLE).unwrap();
    let f1 = |extraction: &Extraction| duramen::eval::word_f1(extraction.text.as_deref().unwrap(), &gold).f1;
    let blocks = blocks(page.dom()).into_iter().map(|block| {
        let is_content = |e: &Extraction| block.nodes.iter().any(|&node| e.labels[node] != Label::NotContent);
        let content = extractions.iter().enumerate().map(|(i, e)| u8::from(is_content(e)) << i).sum();
        Block { hash: reference::hash(&block.text), words: block.words, content }
    });
    reference::Page {
        id: document.id.clone(),
        f1: extractions.iter().map(f1).collect::<Vec<_>>().try_into().unwrap(),
        blocks: blocks.collect(),
    }
}

/// Words by whether both have the same flag, for each extractor, and words in blocks that only one of them has; where
/// one has more words than the other these count as differing.
#[derive(Debug, Default, Clone, Copy)]
struct Agreement {
    words: u64,
    same: [u64; N],
    other_blocks: u64,
}

/// Compares the blocks along a longest common subsequence. In the gaps between equal blocks words are compared by
/// their place in the gap, as far as both sides have words.
fn compare(original: &[Block], ours: &[Block]) -> Agreement {
    let mut agreement = Agreement::default();
    let (mut i, mut j) = (0, 0);
    for (to_i, to_j) in common(original, ours).into_iter().chain([(original.len(), ours.len())]) {
        gap(&original[i..to_i], &ours[j..to_j], &mut agreement);
        (i, j) = (to_i, to_j);
        if i < original.len() {
            gap(&original[i..=i], &ours[j..=j], &mut agreement);
            agreement.other_blocks -= u64::from(original[i].words);
            (i, j) = (i + 1, j + 1);
        }
    }
    agreement
}

fn gap(original: &[Block], ours: &[Block], agreement: &mut Agreement) {
    let flags = |blocks: &[Block]| -> Vec<u8> {
        blocks.iter().flat_map(|block| std::iter::repeat_n(block.content, block.words as usize)).collect()
    };
    let (original, ours) = (flags(original), flags(ours));
    let longer = original.len().max(ours.len()) as u64;
    agreement.words += longer;
    agreement.other_blocks += longer;
    for (a, b) in original.iter().zip(&ours) {
        for (i, same) in agreement.same.iter_mut().enumerate() {
            *same += u64::from((a ^ b) >> i & 1 == 0);
        }
    }
}

/// The pairs of a longest common subsequence of blocks of equal text.
fn common(a: &[Block], b: &[Block]) -> Vec<(usize, usize)> {
    let equal = |i: usize, j: usize| a[i].hash == b[j].hash && a[i].words == b[j].words;
    let start = (0..a.len().min(b.len())).take_while(|&k| equal(k, k)).count();
    let width = b.len() - start + 1;
    let mut length = vec![0u32; (a.len() - start + 1) * width];
    for i in (start..a.len()).rev() {
        for j in (start..b.len()).rev() {
            let at = (i - start) * width + j - start;
            length[at] =
                if equal(i, j) { length[at + width + 1] + 1 } else { length[at + 1].max(length[at + width]) };
        }
    }
    let mut pairs: Vec<(usize, usize)> = (0..start).map(|k| (k, k)).collect();
    let (mut i, mut j) = (start, start);
    while i < a.len() && j < b.len() {
        let at = (i - start) * width + j - start;
        if equal(i, j) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if length[at + width] >= length[at + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[test]
fn flags_and_scores_on_l3s_gn1_are_those_of_the_original() {
    let Some(data_dir) = support::corpus("l3s-gn1") else { return };
    let corpus = dataset::open("l3s-gn1", &data_dir).unwrap().with_bad_pages();
    let bytes = include_bytes!("../references/boilerpipe.csv.zst");
    let originals = reference::read(bytes);
    assert_eq!(originals.len(), corpus.len());
    let extractors = EXTRACTORS.map(|id| registry::build(id, &Parameters::new()).unwrap());
    let mut total = Agreement::default();
    let (mut f1, mut original_f1) = ([0.0; N], [0.0; N]);
    let mut lost: Vec<&str> = Vec::new();
    for original in &originals {
        let index = corpus.ids().position(|id| id == original.id).unwrap();
        let ours = ours(&extractors, &corpus.read(index).unwrap());
        if 100 * n_words(&original.blocks) < n_words(&ours.blocks) {
            lost.push(&original.id);
            continue;
        }
        let agreement = compare(&original.blocks, &ours.blocks);
        total.words += agreement.words;
        total.other_blocks += agreement.other_blocks;
        let mut differing = [0; N];
        for i in 0..N {
            differing[i] = agreement.words - agreement.same[i];
            total.same[i] += agreement.same[i];
            f1[i] += ours.f1[i];
            original_f1[i] += original.f1[i];
        }
        if agreement.other_blocks > 0 || differing != [0; N] {
            let Agreement { words, other_blocks, .. } = agreement;
            println!(
                "{}: of {words} words {other_blocks} in other blocks, differing flags {differing:?}",
                original.id
            );
        }
    }
    assert_eq!(lost, LOST_BY_THE_ORIGINAL);
    let pages = (originals.len() - lost.len()) as f64;
    println!("{pages} pages, {} words, {} in blocks that only one side has", total.words, total.other_blocks);
    for i in 0..N {
        let same = total.same[i] as f64 / total.words as f64;
        let (f1, original_f1) = (f1[i] / pages, original_f1[i] / pages);
        println!("{}: {:.3} % equal, F1 {f1:.4}, original {original_f1:.4}", EXTRACTORS[i], same * 100.0);
        assert!(same >= 0.995, "{}: {same} of the words have the original's flag", EXTRACTORS[i]);
        assert!((f1 - original_f1).abs() <= 0.002, "{}: {f1} for {original_f1}", EXTRACTORS[i]);
    }
}

fn n_words(blocks: &[Block]) -> u32 {
    blocks.iter().map(|block| block.words).sum()
}
