//! Corpora as a person names them: by name, manifest or folder, with what is taken for granted and left out told of.

use std::collections::BTreeSet;
use std::path::Path;

use crate::cli::progress::Printer;
use crate::dataset::labelled::LabelledCorpus;
use crate::dataset::{self, Corpus, CorpusLayout, Manifest, Pairs};
use crate::error::Result;
use crate::plural::plural;

/// How many reasons are reported before it is left to `duramen data check`.
const MOST_TOLD: usize = 5;

/// Opens a corpus, as [`dataset::open`]. Of a bare folder it is told how it is read.
pub fn open(name: &str, data_dir: &Path, printer: &Printer) -> Result<Corpus> {
    let corpus = dataset::open(name, data_dir)?;
    tell_defaults(name, corpus.manifest(), printer);
    Ok(corpus)
}

/// Says how a bare folder is read.
pub fn tell_defaults(name: &str, manifest: &Manifest, printer: &Printer) {
    if manifest.folder.is_none() || name.contains(".toml") {
        return;
    }
    let how = match (manifest.layout, &manifest.pairs) {
        (CorpusLayout::Pairs, Pairs { pages: Some(pages), references: Some(references), .. }) => {
            format!("pages in {pages}, references in {references}")
        }
        (CorpusLayout::Pairs, _) => "references beside the pages".to_owned(),
        (layout, _) => format!("in the layout {}", layout.name()),
    };
    let defaults = match manifest.layout {
        CorpusLayout::Pairs => {
            "headlines are part of the texts, text without a label is not content, pages whose address is not known are \
             one site; a manifest may state it otherwise, see datasets/README.md"
        }
        _ => "",
    };
    printer.warn(&format!("{name}: a folder without manifest, {how}"));
    if !defaults.is_empty() {
        printer.detail(&format!("{name}: {defaults}"));
    }
}

/// Says how many pages there are, and what was left out: of a corpus of the user's own with the first reasons.
pub fn tell_left_out(name: &str, manifest: Option<&Manifest>, corpus: &LabelledCorpus, printer: &Printer) {
    let is_own = manifest.is_some_and(|manifest| manifest.folder.is_some());
    for (number, (page, reason)) in corpus.left_out.iter().enumerate() {
        let line = format!("left out {page}: {reason}");
        match is_own && number < MOST_TOLD {
            true => printer.warn(&line),
            false => printer.detail(&line),
        }
    }
    let (n, left_out) = (corpus.pages.len(), corpus.left_out.len());
    let more = if is_own && left_out > MOST_TOLD {
        format!(" (`duramen data check {name}` lists them)")
    } else {
        String::new()
    };
    printer.warn(&format!("{}: {}, {left_out} left out{more}", corpus.label, plural(n, "page")));
    let hosts: BTreeSet<&str> = corpus.pages.iter().map(|page| page.host.as_str()).collect();
    if is_own && n > 1 && hosts.len() == 1 {
        printer.warn(&format!(
            "{}: all pages are of one site as far as is known, so no folds can be made of them, and a model learns no weights \
             from them alone; state their addresses or hosts, see datasets/README.md",
            corpus.label
        ));
    }
}
