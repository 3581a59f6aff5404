//! Moves the labels of L3S-GN1 to the original pages and reports how many tokens found their node.
//!
//! Usage: `cargo run --example transfer_report -- FOLDER [UUID]`: FOLDER holds `original/` and `annotated/`. With
//! the beginning of a UUID, pages whose name begins so are shown in full.

use std::path::Path;

use duramen::dataset::transfer::{Transfer, transfer_labels};
use duramen::dom::{BlockKind, BlockTree, Dom, Limits};
use duramen::{Label, LabelSet};

struct Page {
    name: String,
    dom: Dom,
    transfer: Transfer,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("the folder with original/ and annotated/");
    let only = arguments.next();
    let folder = Path::new(&folder);
    let mut names: Vec<String> = std::fs::read_dir(folder.join("original"))
        .expect("original/ can be read")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name in UTF-8"))
        .filter(|name| only.as_ref().is_none_or(|only| name.starts_with(only)))
        .collect();
    names.sort();
    let read = |half: &str, name: &str| std::fs::read(folder.join(half).join(name)).expect("a file");
    let pages: Vec<Page> = names
        .into_iter()
        .map(|name| {
            let dom = Dom::parse(&read("original", &name), None, &Limits::default()).expect("a page");
            let transfer = transfer_labels(&dom, &read("annotated", &name)).expect("labels");
            Page { name, dom, transfer }
        })
        .collect();
    print_shares(&pages);
    print_distribution(&pages);
    let under = if only.is_some() { f64::INFINITY } else { 0.97 };
    print_pages(&pages, under);
    print_baselines(&pages);
}

fn print_shares(pages: &[Page]) {
    let mut by_label = [(0, 0); Label::COUNT];
    let mut gold = [0; Label::COUNT];
    for page in pages {
        let total = page.transfer.gold.total();
        for label in Label::ALL.map(Label::index) {
            by_label[label].0 += page.transfer.by_label[label].0;
            by_label[label].1 += page.transfer.by_label[label].1;
            gold[label] += total[label];
        }
    }
    println!("{:16} {:>9} {:>9} {:>8}  tokens of the gold", "label", "annotated", "matched", "share");
    let line = |name: &str, labels: LabelSet| {
        let (mut annotated, mut matched, mut tokens) = (0u64, 0u64, 0u64);
        for label in labels.iter().map(Label::index) {
            annotated += by_label[label].0;
            matched += by_label[label].1;
            tokens += gold[label];
        }
        println!("{name:16} {annotated:9} {matched:9} {:8.5}  {tokens}", matched as f64 / annotated as f64);
    };
    for label in Label::ALL {
        line(label.name(), LabelSet::from_iter([label]));
    }
    line("content", LabelSet::CONTENT);
    line("all", LabelSet::ALL);
    let unannotated: u64 = pages.iter().map(|page| page.transfer.unannotated_tokens).sum();
    println!("tokens of the originals without a counterpart: {unannotated}");
    let nodes = || pages.iter().flat_map(|page| page.transfer.gold.iter());
    let mixed = nodes().filter(|(_, counts)| counts.iter().filter(|&&n| n > 0).count() > 1).count();
    println!("text nodes with tokens: {}, of them with several labels: {mixed}", nodes().count());
}

fn print_distribution(pages: &[Page]) {
    println!("\nshare of a page   pages");
    let bounds = [0.0, 0.5, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 1.0, f64::INFINITY];
    for pair in bounds.windows(2) {
        let within = pages.iter().filter(|page| (pair[0]..pair[1]).contains(&page.transfer.share())).count();
        println!("from {:<10}  {within:6}", pair[0]);
    }
}

fn print_pages(pages: &[Page], under: f64) {
    let mut low: Vec<_> = pages.iter().filter(|page| page.transfer.share() < under).collect();
    low.sort_by(|a, b| a.transfer.share().total_cmp(&b.transfer.share()));
    println!("\npages under {under}: {}", low.len());
    for Page { name, dom, transfer } in low {
        println!(
            "{name} share {:.4} content {:.4} annotated {} original {} without counterpart {} {}",
            transfer.share(),
            transfer.content_share().unwrap_or(f64::NAN),
            transfer.annotated_tokens(),
            transfer.gold.total().iter().sum::<u64>(),
            transfer.unannotated_tokens,
            dom.encoding(),
        );
        for run in &transfer.lost {
            println!("    {:5} {:12} {}", run.tokens, run.label, run.excerpt);
        }
    }
}

/// The trivial extractors, whose scores show whether the gold is sound.
fn print_baselines(pages: &[Page]) {
    println!("\nmean F1 over documents");
    for (name, relevant) in [("main text", LabelSet::MAIN_TEXT), ("content", LabelSet::CONTENT)] {
        let mean = |minimum: u64| {
            pages.iter().map(|page| f1(page, relevant, minimum)).sum::<f64>() / pages.len() as f64
        };
        println!("{name:10} all text {:.4}  blocks of more than 10 tokens {:.4}", mean(0), mean(11));
    }
}

/// The token F1 of keeping every block leaf of at least `minimum` tokens.
fn f1(page: &Page, relevant: LabelSet, minimum: u64) -> f64 {
    let blocks = BlockTree::new(&page.dom);
    let (mut kept, mut hits, mut wanted) = (0, 0, 0);
    for block in blocks.blocks().iter().filter(|block| block.kind == BlockKind::Leaf) {
        let (mut tokens, mut good) = (0, 0);
        for &id in blocks.texts_of(block) {
            let counts = page.transfer.gold.counts(id).map(u64::from);
            tokens += counts.iter().sum::<u64>();
            good += relevant.iter().map(|label| counts[label.index()]).sum::<u64>();
        }
        wanted += good;
        if tokens >= minimum {
            kept += tokens;
            hits += good;
        }
    }
    match kept + wanted {
        0 => 1.0,
        both => 2.0 * hits as f64 / both as f64,
    }
}
