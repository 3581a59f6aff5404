//! Prints the time of each step of an extraction as a ratio to html5ever into a plain arena, as Markdown tables.
//!
//! `cargo bench --bench speed_report` takes a few minutes. Every page is measured several times, and each time all
//! steps and the baseline one after the other, so that what else the machine does hits them alike; of each page and
//! step the median counts. CPU time of one thread; freeing what was made is part of a step.

mod support;

use std::hint::black_box;

use cpu_time::ThreadTime;
use duramen::dom::{Dom, Limits};
use duramen::extract::PageExtractor;
use duramen::extract::hmt::Hmt;
use duramen::extract::render::{RenderOptions, Selection, to_text};
use duramen::inference::gibbs::{self, GibbsConfig};
use support::{Pages, Sample, arena};

/// How often each page is measured.
const ROUNDS: usize = 15;

/// What is measured on every page; the first is the baseline.
const STEPS: [&str; 8] = [
    "html5ever into an arena",
    "parse",
    "features with boosted scores",
    "exact inference",
    "rendering",
    "one Gibbs sweep",
    "whole extraction",
    "whole extraction by news-blocks",
];

fn main() {
    let hmts = [support::hmt(), support::counted()];
    let mut rows: Vec<Vec<String>> = STEPS.iter().map(|step| vec![(*step).to_owned()]).collect();
    let mut head = vec!["step".to_owned()];
    let mut sizes = String::new();
    for Pages { name, pages } in support::corpora(&hmts[0]) {
        let (seconds, nodes) = measure(&pages, &hmts);
        let bytes = pages.iter().map(|sample| sample.bytes.len()).sum::<usize>() as f64;
        head.extend([format!("{name}: ratio"), "ns a byte".to_owned(), "ns a node".to_owned()]);
        for (row, time) in rows.iter_mut().zip(seconds) {
            row.push(format!("{:.2}", time / seconds[0]));
            row.push(format!("{:.2}", time * 1e9 / bytes));
            row.push(format!("{:.0}", time * 1e9 / nodes as f64));
        }
        sizes += &format!("- {name}: {} pages, {:.1} MB, {nodes} blocks\n", pages.len(), bytes / 1e6);
    }
    println!("{sizes}");
    println!("| {} |", head.join(" | "));
    println!("|---{}|", "|---:".repeat(head.len() - 1));
    for row in rows {
        println!("| {} |", row.join(" | "));
    }
}

/// The seconds of each step, summed over the pages, and the number of nodes inferred.
fn measure(pages: &[Sample], hmts: &[Hmt; 2]) -> ([f64; STEPS.len()], usize) {
    let mut total = [0.0; STEPS.len()];
    let mut nodes = 0;
    for sample in pages {
        let mut times = [[0.0; ROUNDS]; STEPS.len()];
        for round in 0..ROUNDS {
            let (of_steps, nodes_of_page) = measure_once(sample, hmts);
            for (times, time) in times.iter_mut().zip(of_steps) {
                times[round] = time;
            }
            if round == 0 {
                nodes += nodes_of_page;
            }
        }
        for (total, times) in total.iter_mut().zip(&mut times) {
            times.sort_by(f64::total_cmp);
            *total += times[ROUNDS / 2];
        }
    }
    (total, nodes)
}

/// By the default model, and by that of counts alone, which is sampled from.
fn measure_once(sample: &Sample, [hmt, counted]: &[Hmt; 2]) -> ([f64; STEPS.len()], usize) {
    let bytes = &sample.bytes;
    let (baseline, ()) = time(|| drop(black_box(arena::parse(bytes, sample.encoding))));
    let (whole, ()) = time(|| drop(black_box(sample.extract(hmt))));
    let (small, ()) = time(|| drop(black_box(sample.extract(counted))));
    let (parse, ()) = time(|| drop(black_box(Dom::parse(bytes, None, &Limits::default()))));
    let page = sample.page();
    let (features, observation) = time(|| hmt.model().observation(&page).unwrap());
    let (exact, ()) = time(|| drop(black_box(hmt.exact_posteriors(&observation))));
    let extraction = hmt.extract_page(&page).expect("an extraction");
    let kept = Selection::default().kept(&page, &extraction).expect("an extraction of this page");
    let (rendering, ()) = time(|| drop(black_box(to_text(&page, &kept, &RenderOptions::default()))));
    let seen = counted.model().observation(&page).expect("no layout is needed");
    let sampled = gibbs::SampledPage::unlabelled(counted.model(), &seen.view.tree, &seen.features, 0);
    let config = GibbsConfig::default();
    let (gibbs, ()) = time(|| {
        drop(black_box(
            gibbs::average(counted.model(), sampled, &config, |_, _, _| ()).expect("valid settings"),
        ))
    });
    let sweep = gibbs / f64::from(config.sweeps);
    ([baseline, parse, features, exact, rendering, sweep, whole, small], observation.view.tree.len())
}

fn time<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = ThreadTime::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}
