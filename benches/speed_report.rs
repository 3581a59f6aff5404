//! What results/speed holds: the time of each step of an extraction beside html5ever into a plain arena and beside other
//! extractors on the same pages, by the size of the page, and of the kernels of inference. Markdown tables and a figure.
//!
//!     cargo bench --bench speed_report [-- [--out FOLDER] [--kernels]]
//!
//! takes some ten minutes; of the kernels alone one. Every page is measured several times, and each time all steps, the baseline and the other
//! extractors one after the other, so that what else the machine does hits them alike; of each page and step the median
//! counts. CPU time of one thread; freeing what was made is part of a step. Without the archives of the corpora it measures
//! synthetic pages alone, and of other extractors those that experiments/peers/install.sh has installed.

#[path = "support/made.rs"]
mod made;
mod support;

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;

use cpu_time::ThreadTime;
use duramen::dataset::synth::{self, SynthConfig};
use duramen::dom::{Dom, Limits};
use duramen::extract::PageExtractor;
use duramen::extract::hmt::Hmt;
use duramen::extract::render::{RenderOptions, Selection, to_text};
use duramen::inference::Exact;
use duramen::inference::gibbs::{self, Chain, GibbsConfig, ParameterUse, SampledPage, Sampler};
use duramen::report::Figure;
use duramen::report::figures::{BandPoint, BandSeries, LinesWithBand};
use support::peers::Peer;
use support::{Pages, Sample, arena};

/// How often each page is measured.
const ROUNDS: usize = 15;
/// How often by each of the other extractors, some of which take a hundred times as long.
const PEER_ROUNDS: usize = 5;

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
/// The place of the whole extraction among them.
const WHOLE: usize = 6;

/// What one page took.
struct PageTimes {
    bytes: usize,
    nodes: usize,
    /// Seconds of each of the [`STEPS`].
    steps: [f64; STEPS.len()],
    /// Seconds of each of the other extractors; none where it failed.
    peers: Vec<Option<f64>>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let (out, kernels_alone) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => (None, false),
        ["--kernels"] => (None, true),
        ["--out", folder] => (Some(PathBuf::from(folder)), false),
        ["--out", folder, "--kernels"] => (Some(PathBuf::from(folder)), true),
        _ => panic!("usage: cargo bench --bench speed_report [-- [--out FOLDER] [--kernels]]"),
    };
    let mut texts = vec![("kernels", kernels_table())];
    let mut figures = Vec::new();
    if !kernels_alone {
        let hmts = [support::hmt(), support::counted()];
        let mut peers = support::peers::installed();
        let corpora: Vec<(&str, Vec<PageTimes>)> = support::corpora(&hmts[0])
            .into_iter()
            .map(|Pages { name, pages }| (name, measure(&pages, &hmts, &mut peers)))
            .collect();
        if let Some((_, pages)) = corpora.iter().find(|(name, _)| *name == "wcxb/dev") {
            figures.push(("cost-by-size", cost_by_size(pages, &peers)));
        }
        texts.extend([("steps", steps_table(&corpora, &peers)), ("size", linear_table(&hmts[0]))]);
    }
    for (name, text) in texts {
        println!("{text}");
        if let Some(out) = &out {
            fs::create_dir_all(out.join("tables")).expect("a folder that can be written");
            fs::write(out.join("tables").join(name).with_extension("md"), text).expect("a file");
        }
    }
    for (name, figure) in figures {
        if let Some(out) = &out {
            figure.save_svg(&out.join("figures").join(name)).expect("a figure");
        }
    }
}

/// What every page took, the median of the rounds.
fn measure(pages: &[Sample], hmts: &[Hmt; 2], peers: &mut [Peer]) -> Vec<PageTimes> {
    let of_page = |sample: &Sample| {
        let html = sample.decoded();
        let mut steps = [[0.0; ROUNDS]; STEPS.len()];
        let mut of_peers = vec![Some(Vec::new()); peers.len()];
        let mut nodes = 0;
        for round in 0..ROUNDS {
            let (times, nodes_of_page) = measure_once(sample, hmts);
            nodes = nodes_of_page;
            for (steps, time) in steps.iter_mut().zip(times) {
                steps[round] = time;
            }
            if round < PEER_ROUNDS {
                for (peer, times) in peers.iter_mut().zip(&mut of_peers) {
                    match (peer.seconds(&sample.id, &html), times.as_mut()) {
                        (Some(seconds), Some(times)) => times.push(seconds),
                        _ => *times = None,
                    }
                }
            }
        }
        PageTimes {
            bytes: sample.bytes.len(),
            nodes,
            steps: steps.map(|mut times| median(&mut times)),
            peers: of_peers.into_iter().map(|times| times.map(|mut times| median(&mut times))).collect(),
        }
    };
    pages.iter().map(of_page).collect()
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
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

/// Sums over the pages of each corpus as ratios to the baseline. An extractor that failed on a page is compared on the others.
fn steps_table(corpora: &[(&str, Vec<PageTimes>)], peers: &[Peer]) -> String {
    let mut text = String::new();
    let mut head = vec!["step or extractor".to_owned()];
    let mut rows: Vec<Vec<String>> = STEPS.iter().map(|step| vec![(*step).to_owned()]).collect();
    rows.extend(peers.iter().map(|peer| vec![peer.version.clone()]));
    for (name, pages) in corpora {
        let (bytes, nodes) = pages.iter().fold((0, 0), |sum, page| (sum.0 + page.bytes, sum.1 + page.nodes));
        let megabytes = bytes as f64 / 1e6;
        let _ = writeln!(text, "- {name}: {} pages, {megabytes:.1} MB, {nodes} blocks", pages.len());
        head.extend([format!("{name}: ratio"), "ns a byte".to_owned(), "pages a second".to_owned()]);
        for (i, row) in rows.iter_mut().enumerate() {
            let seconds = |page: &PageTimes| match i.checked_sub(STEPS.len()) {
                None => Some(page.steps[i]),
                Some(peer) => page.peers[peer],
            };
            let (mut sum, mut baseline, mut bytes, mut n) = (0.0, 0.0, 0, 0);
            for page in pages {
                if let Some(seconds) = seconds(page) {
                    (sum, baseline) = (sum + seconds, baseline + page.steps[0]);
                    (bytes, n) = (bytes + page.bytes, n + 1);
                }
            }
            let failed =
                if n < pages.len() { format!(" ({} failed)", pages.len() - n) } else { String::new() };
            row.push(format!("{:.2}{failed}", sum / baseline));
            row.push(format!("{:.2}", sum * 1e9 / bytes as f64));
            row.push(format!("{:.0}", f64::from(n as u32) / sum));
        }
    }
    text + "\n" + &markdown(&head, &rows)
}

fn markdown(head: &[String], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n|---{}|\n", head.join(" | "), "|---:".repeat(head.len() - 1));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

/// Milliseconds a page by its size: the mean of tenths of the pages.
fn cost_by_size(pages: &[PageTimes], peers: &[Peer]) -> LinesWithBand {
    let mut pages: Vec<&PageTimes> = pages.iter().collect();
    pages.sort_by_key(|page| page.bytes);
    let series = |name: &str, seconds: &dyn Fn(&PageTimes) -> Option<f64>| {
        let point = |tenth: &[&PageTimes]| {
            let times: Vec<f64> = tenth.iter().filter_map(|page| seconds(page)).collect();
            let bytes = tenth.iter().map(|page| page.bytes).sum::<usize>() as f64;
            let x = bytes / tenth.len() as f64 / 1e3;
            (!times.is_empty()).then(|| BandPoint {
                x,
                y: 1e3 * times.iter().sum::<f64>() / times.len() as f64,
                band: None,
            })
        };
        let points = pages.chunks(pages.len().div_ceil(10)).filter_map(point).collect();
        BandSeries { name: name.to_owned(), points }
    };
    let own = series("Duramen", &|page| Some(page.steps[WHOLE]));
    let baseline = series("html5ever's parse alone", &|page| Some(page.steps[0]));
    let peers = peers.iter().enumerate().map(|(i, peer)| series(&peer.version, &|page| page.peers[i]));
    LinesWithBand {
        title: "What a page costs by its size".to_owned(),
        subtitle: format!("{} pages of WCXB in tenths by size; one thread", pages.len()),
        x_label: "size of the page (KB, mean of a tenth)".to_owned(),
        log_x: true,
        diagonal: false,
        y_label: "CPU time (ms, mean of a tenth)".to_owned(),
        log_y: true,
        series: [own, baseline].into_iter().chain(peers).filter(|series| !series.points.is_empty()).collect(),
    }
}

/// A whole extraction by the number of nodes: synthetic pages put one after another into one.
fn linear_table(hmt: &Hmt) -> String {
    let config = SynthConfig { sites: 1, pages_per_site: 1, ..SynthConfig::default() };
    let page = synth::generate(&config).expect("valid settings").remove(0).original;
    let html = String::from_utf8_lossy(&page);
    let begin = html.find("<body").and_then(|at| html[at..].find('>').map(|end| at + end + 1));
    let (begin, end) = (begin.expect("a body"), html.rfind("</body>").expect("its end"));
    let mut rows = Vec::new();
    for n in [1_000, 10_000, 100_000, 1_000_000] {
        let mut long = html[..begin].to_owned();
        let mut at_once =
            Dom::parse(html[begin..end].as_bytes(), None, &Limits::default()).expect("a page").len();
        at_once = at_once.max(1);
        for _ in 0..(n / at_once).max(1) {
            long += &html[begin..end];
        }
        long += &html[end..];
        let sample = Sample { id: "made".to_owned(), bytes: long.into_bytes(), encoding: encoding_rs::UTF_8 };
        let nodes = sample.page().dom().len();
        let rounds = (1_000_000 / n).clamp(3, 30);
        let mut times: Vec<[f64; 2]> = (0..rounds)
            .map(|_| {
                let (baseline, ()) = time(|| drop(black_box(arena::parse(&sample.bytes, sample.encoding))));
                let (whole, ()) = time(|| drop(black_box(sample.extract(hmt))));
                [baseline, whole]
            })
            .collect();
        let [baseline, whole] = [0, 1].map(|i| {
            times.sort_by(|a, b| a[i].total_cmp(&b[i]));
            times[rounds / 2][i]
        });
        rows.push(vec![
            nodes.to_string(),
            format!("{:.0}", whole * 1e9 / nodes as f64),
            format!("{:.2}", whole / baseline),
        ]);
    }
    markdown(&["nodes of a synthetic page", "ns a node", "ratio to html5ever"].map(str::to_owned), &rows)
}

/// Kernels of inference on a made tree of ten thousand nodes.
fn kernels_table() -> String {
    const NODES: usize = 10_000;
    const TIMES: usize = 51;
    const CHAINS: u32 = 4;
    let mut rows = Vec::new();
    for (name, model) in
        [("6 states by the parent", made::six()), ("8 states, previous sibling", made::eight())]
    {
        let page = made::page(&model, NODES);
        let parameters = model.parameters();
        let exact = Exact::new(&model, &parameters);
        let mut times: Vec<f64> =
            (0..TIMES).map(|_| time(|| drop(black_box(exact.posteriors(&page)))).0).collect();
        let exact = median(&mut times) * 1e9 / NODES as f64;
        let pages = [SampledPage::unlabelled(&model, &page.view.tree, &page.features, 1)];
        let settings = GibbsConfig { parameters: ParameterUse::Fixed, ..GibbsConfig::default() };
        let sampler = Sampler::new(&model, &pages, &settings).expect("valid settings");
        let mut chain = sampler.chain(0);
        let mut times: Vec<f64> = (0..TIMES).map(|_| time(|| chain.sweep()).0).collect();
        let updates = NODES as f64 / median(&mut times) / 1e6;
        let mut chains: Vec<Chain<'_, '_>> = (0..CHAINS).map(|number| sampler.chain(number)).collect();
        let mut chains: Vec<&mut Chain<'_, '_>> = chains.iter_mut().collect();
        let mut times: Vec<f64> = (0..TIMES).map(|_| time(|| Chain::sweep_together(&mut chains)).0).collect();
        let together = f64::from(CHAINS) * NODES as f64 / median(&mut times) / 1e6;
        rows.push(vec![
            name.to_owned(),
            format!("{exact:.0}"),
            format!("{updates:.0}"),
            format!("{together:.0}"),
        ]);
    }
    let head = [
        "model",
        "exact posteriors (ns a node)",
        "single-site Gibbs (million node updates a second)",
        "four chains together",
    ];
    markdown(&head.map(str::to_owned), &rows)
}
