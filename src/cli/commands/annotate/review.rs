//! Labels that exist already, the most doubtful first.

use std::collections::BTreeSet;
use std::path::Path;

use super::Options;
use super::pages::free_name;
use crate::annotation::{Answer, PageToLabel, SheetFolder, code_of_label, range, runs};
use crate::cli::commands::corpora::tell_left_out;
use crate::cli::commands::train::{align, read_pages};
use crate::cli::outcome::Outcome;
use crate::cli::progress::Printer;
use crate::cli::remedy::told;
use crate::dataset::labelled::{LabelledCorpus, LabelledPage};
use crate::dom::Limits;
use crate::error::{Error, Result};
use crate::files::write_whole;
use crate::label::Label;
use crate::model::{Model, ModelConfig, PageType};
use crate::plural::plural;
use crate::progress::Progress;
use crate::training::{Doubt, DoubtOfBlock, Learning, TrainingPage, doubts, doubts_in_folds};

/// The table of the pages.
const DOUBTS: &str = "doubts.csv";
/// The folder of the answers that the given labels are.
const GIVEN: &str = "given";
/// Models that are trained, each on the sites of the others' pages; fewer where there are fewer hosts.
const FOLDS: usize = 5;

/// A page whose labels are reviewed.
pub(super) struct Reviewed {
    pub(super) page: PageToLabel,
    pub(super) doubt: Doubt,
    pub(super) kind: Option<PageType>,
    site: String,
}

/// The pages of the corpora, the most doubtful first, of which a table is written; and how many of them cannot be read.
pub(super) fn pages(options: &Options, output: &Path, printer: &Printer) -> Result<(Vec<Reviewed>, usize)> {
    let data_dir = options.data.path()?;
    let mut corpora: Vec<LabelledCorpus> = Vec::new();
    for name in &options.inputs {
        let (corpus, manifest) = read_pages(name, &data_dir, options.max_pages, true, printer)?;
        tell_left_out(name, manifest.as_ref(), &corpus, printer);
        corpora.push(corpus);
    }
    let all: usize = corpora.iter().map(|corpus| corpus.pages.len() + corpus.left_out.len()).sum();
    let pages: Vec<TrainingPage> = corpora.iter().flat_map(|corpus| align(corpus, printer)).collect();
    if pages.is_empty() {
        return Err(Error::data(
            options.inputs.join(", "),
            "no page has labels, or a reference text that was found on it",
            "name a corpus with labels or reference texts, such as l3s-gn1",
        ));
    }
    let doubts = match &options.model {
        Some(name) => doubts(&pages, Model::by_name(name)?, printer),
        None => in_folds(&pages, printer),
    };
    printer.finish();
    let doubts = doubts?;
    let mut names = BTreeSet::new();
    let (mut reviewed, mut failed) = (Vec::new(), 0);
    if doubts.len() < all {
        printer.warn(&format!(
            "{} of {} left out: without labels, or with a reference text of which too little stands on the page",
            all - doubts.len(),
            plural(all, "page"),
        ));
    }
    for doubt in doubts {
        match to_label(pages[doubt.page].labelled, doubt, &mut names, &options.bounds.limits()) {
            Ok(page) => reviewed.push(page),
            Err(error) => {
                failed += 1;
                printer.error(&told(&error));
            }
        }
    }
    std::fs::create_dir_all(output).map_err(|error| Error::io(output, error))?;
    write_whole(&output.join(DOUBTS), table(&reviewed).as_bytes())?;
    Ok((reviewed, failed))
}

/// By models that are trained as the default model is, on the pages of other sites.
fn in_folds(pages: &[TrainingPage], printer: &Printer) -> Result<Vec<Doubt>> {
    let hosts: BTreeSet<&str> = pages.iter().map(|page| page.labelled.host.as_str()).collect();
    if hosts.len() < 2 {
        return Err(Error::usage(
            "all pages are of one site, so that no model can be trained without it",
            "name a model that has not seen it, with --model",
        ));
    }
    let folds = FOLDS.min(hosts.len());
    printer.note(&format!("training {folds} models, each without the sites that it is asked about"));
    doubts_in_folds(pages, &ModelConfig::preset("boosted")?, &Learning::default().settings(), folds, printer)
}

fn to_label(
    labelled: &LabelledPage,
    doubt: Doubt,
    names: &mut BTreeSet<String>,
    limits: &Limits,
) -> Result<Reviewed> {
    let LabelledPage { page, site, page_type, .. } = labelled;
    // A server's charset is in no corpus.
    let source = page.source().expect("it was asked to be kept");
    let name = free_name(page.id(), names);
    names.insert(name.clone());
    let page = PageToLabel::parse(name, page.url().map(str::to_owned), source.bytes.clone(), None, limits)?;
    let kind = page_type.as_deref().and_then(PageType::stated);
    Ok(Reviewed { page, doubt, site: site.clone(), kind })
}

/// The pages as a table, a line each.
fn table(pages: &[Reviewed]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header =
        ["page", "url", "site", "doubt", "words", "doubtful_words", "doubtful_blocks"].map(str::to_owned);
    let rows = pages.iter().map(|Reviewed { page, doubt, site, .. }| {
        let words = |is_counted: fn(&DoubtOfBlock) -> bool| {
            let counted = doubt.blocks.iter().flatten().filter(|block| is_counted(block));
            counted.map(|block| block.words).sum::<u32>().to_string()
        };
        [
            page.page.id().to_owned(),
            page.page.url().unwrap_or_default().to_owned(),
            site.clone(),
            format!("{:.4}", doubt.mean),
            words(|_| true),
            words(DoubtOfBlock::is_doubtful),
            doubtful_blocks(&doubt.blocks),
        ]
    });
    for row in std::iter::once(header).chain(rows) {
        writer.write_record(&row).expect("all rows have as many fields");
    }
    let bytes = writer.into_inner().expect("a vector takes all that is written");
    String::from_utf8(bytes).expect("what was written is text")
}

/// The runs of blocks whose label is improbable, each with the label that is given and that of the model, such as `12-14 B>C`.
fn doubtful_blocks(blocks: &[Option<DoubtOfBlock>]) -> String {
    let labels = |block: &Option<DoubtOfBlock>| {
        let block = block.filter(DoubtOfBlock::is_doubtful)?;
        Some([block.given, block.found].map(code_of_label))
    };
    let labels: Vec<Option<[char; 2]>> = blocks.iter().map(labels).collect();
    let run = |(blocks, labels): ([usize; 2], Option<[char; 2]>)| {
        let [given, found] = labels?;
        Some(format!("{} {given}>{found}", range(blocks)))
    };
    runs(&labels).filter_map(run).collect::<Vec<_>>().join("; ")
}

/// Writes a sheet of each page, and the labels that it has as the answer to it.
pub(super) fn write_sheets(options: &Options, output: &Path, printer: &Printer) -> Result<Outcome> {
    let (pages, failed) = pages(options, output, printer)?;
    let mut sheets = SheetFolder::open(output)?;
    for Reviewed { page, doubt, kind, .. } in &pages {
        let sheet = sheets.put(page)?;
        let label = |block: &Option<DoubtOfBlock>| block.map_or(Label::NotContent, |block| block.given);
        let labels = doubt.blocks.iter().map(label).collect();
        let answer = Answer { labels, kind: *kind, is_doubtful: false, note: None };
        let path = output.join(GIVEN).join(format!("{}.txt", page.page.id()));
        write_whole(&path, answer.text(&sheet).as_bytes())?;
    }
    sheets.finish(0.0, options.seed)?;
    printer.warn(&format!(
        "{}: {}; the most doubtful first in {DOUBTS}, their labels as answers in {GIVEN}",
        output.display(),
        plural(pages.len(), "page"),
    ));
    Ok(if failed == 0 { Outcome::Done } else { Outcome::SomeFailed })
}
