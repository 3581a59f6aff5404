//! Makes the reference of the test of parity with Boilerpipe; `scripts/boilerpipe_reference.sh` runs it.
//!
//! `boilerpipe_reference pages DATA FOLDER` writes the originals of L3S-GN1 as UTF-8, decoded as Duramen decodes
//! them. `boilerpipe_reference condense DATA BLOCKS FILE` makes the reference of what the Java program says of them.

#[path = "../tests/support/boilerpipe.rs"]
#[allow(dead_code, reason = "the test reads what is written here")]
mod boilerpipe;

use std::path::Path;

use boilerpipe::{Block, EXTRACTORS, Page};
use duramen::LabelSet;
use duramen::dataset::transfer::gold_text;
use duramen::dataset::{Document, Gold};
use duramen::dom::encoding;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["pages", data, folder] => pages(Path::new(data), Path::new(folder)),
        ["condense", data, blocks, file] => condense(Path::new(data), Path::new(blocks), Path::new(file)),
        _ => Err("usage: boilerpipe_reference pages DATA FOLDER | condense DATA BLOCKS FILE".into()),
    }
}

/// Every original, the bad ones too.
fn documents(data: &Path) -> Result<Vec<Document>, Box<dyn std::error::Error>> {
    let corpus = duramen::dataset::open("l3s-gn1", data)?.with_bad_pages();
    Ok((0..corpus.len()).map(|index| corpus.read(index)).collect::<Result<_, _>>()?)
}

fn pages(data: &Path, folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    for document in documents(data)? {
        let (html, _) = encoding::decode(&document.html, None)?;
        std::fs::write(folder.join(&document.id), &*html)?;
    }
    Ok(())
}

fn condense(data: &Path, blocks: &Path, file: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let documents = documents(data)?;
    let mut pages: Vec<Page> = Vec::new();
    let mut gold = String::new();
    for line in std::fs::read_to_string(blocks)?.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields.as_slice() {
            ["page", id, _] => {
                let document =
                    documents.iter().find(|document| document.id == *id).ok_or("an unknown page")?;
                let Gold::Annotated(annotated) = &document.gold else {
                    return Err("a page without gold".into());
                };
                gold = gold_text(annotated, LabelSet::ARTICLE)?;
                pages.push(Page { id: (*id).to_owned(), f1: [0.0; EXTRACTORS.len()], blocks: Vec::new() });
            }
            ["block", words, _, _, _, content, text] => {
                let content = content.bytes().enumerate().map(|(i, flag)| u8::from(flag == b'1') << i).sum();
                let block = Block { hash: boilerpipe::hash(text), words: words.parse()?, content };
                pages.last_mut().ok_or("a block before any page")?.blocks.push(block);
            }
            ["text", extractor, text] => {
                let known =
                    EXTRACTORS.iter().position(|known| known == extractor).ok_or("an unknown extractor")?;
                let f1 = duramen::eval::word_f1(&text.replace("\\n", "\n"), &gold).f1;
                pages.last_mut().ok_or("a text before any page")?.f1[known] = f1;
            }
            _ => return Err(format!("not a line of the reference: {line}").into()),
        }
    }
    for (i, extractor) in EXTRACTORS.iter().enumerate() {
        let mean = pages.iter().map(|page| page.f1[i]).sum::<f64>() / pages.len() as f64;
        println!("{extractor}: F1 {mean:.4} on {} pages", pages.len());
    }
    Ok(std::fs::write(file, boilerpipe::write(&pages))?)
}
