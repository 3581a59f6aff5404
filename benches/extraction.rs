//! Criterion benchmarks of each step of an extraction, beside html5ever into a plain arena on the same pages.
//!
//! `cargo bench --bench extraction` runs them; throughput is bytes a second for what reads the page, nodes a
//! second for inference. The ratios that are quoted come from `cargo bench --bench speed_report`.

mod support;

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use duramen::dom::{Dom, Limits};
use duramen::extract::PageExtractor;
use duramen::extract::render::{RenderOptions, Selection, to_text};
use duramen::inference::gibbs::{self, GibbsConfig};
use duramen::model::Observation;
use duramen::page::Page;
use support::arena;

fn bench(criterion: &mut Criterion) {
    let (hmt, counted) = (support::hmt(), support::counted());
    for support::Pages { name, pages } in support::corpora(&hmt) {
        let mut group = criterion.benchmark_group(name);
        group.sampling_mode(SamplingMode::Flat).sample_size(10).warm_up_time(Duration::from_secs(1));
        let bytes = pages.iter().map(|sample| sample.bytes.len() as u64).sum();
        group.throughput(Throughput::Bytes(bytes));
        group.bench_function("html5ever", |b| {
            b.iter(|| pages.iter().for_each(|s| drop(black_box(arena::parse(&s.bytes, s.encoding)))));
        });
        group.bench_function("parse", |b| {
            b.iter(|| {
                for sample in &pages {
                    drop(black_box(Dom::parse(&sample.bytes, None, &Limits::default())));
                }
            });
        });
        group.bench_function("whole extraction", |b| {
            b.iter(|| pages.iter().for_each(|sample| drop(black_box(sample.extract(&hmt)))));
        });

        // A page makes its block tree once, so a fresh one is parsed, untimed, for every pass.
        let parsed = || pages.iter().map(support::Sample::page).collect::<Vec<Page>>();
        group.bench_function("features", |b| {
            b.iter_batched(
                parsed,
                |parsed| {
                    for page in &parsed {
                        black_box(hmt.model().observation(page).unwrap());
                    }
                    parsed
                },
                BatchSize::PerIteration,
            );
        });
        let parsed = parsed();
        let kept: Vec<_> = parsed
            .iter()
            .map(|page| {
                let extraction = hmt.extract_page(page).expect("an extraction");
                Selection::default().kept(page, &extraction).expect("an extraction of this page")
            })
            .collect();
        group.bench_function("rendering", |b| {
            b.iter(|| {
                for (page, kept) in parsed.iter().zip(&kept) {
                    black_box(to_text(page, kept, &RenderOptions::default()));
                }
            });
        });

        let observations: Vec<Observation> =
            parsed.iter().map(|page| hmt.model().observation(page).unwrap()).collect();
        group.throughput(Throughput::Elements(observations.iter().map(|o| o.view.tree.len() as u64).sum()));
        group.bench_function("exact inference", |b| {
            b.iter(|| {
                for observation in &observations {
                    black_box(hmt.exact_posteriors(observation));
                }
            });
        });
        // One sweep from a random start, parameters from the training counts included.
        let config = GibbsConfig { sweeps: 1, burn_in: 0, ..GibbsConfig::default() };
        let model = counted.model();
        let observations: Vec<Observation> =
            parsed.iter().map(|page| model.observation(page).unwrap()).collect();
        group.bench_function("Gibbs sweep", |b| {
            b.iter(|| {
                for observation in &observations {
                    let (tree, features) = (&observation.view.tree, &observation.features);
                    let sampled = gibbs::SampledPage::unlabelled(model, tree, features, 0);
                    black_box(gibbs::average(model, sampled, &config, |_, _, _| ()).expect("valid settings"));
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
