//! Criterion benchmarks of the kernels of inference, in nodes a second, by the size of the tree.
//!
//! `cargo bench --bench inference` runs them on made-up trees. Quote medians of a machine with no other work only.

#[path = "support/made.rs"]
mod made;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use duramen::inference::gibbs::{Chain, GibbsConfig, ParameterUse, SampledPage, Sampler};
use duramen::inference::upward_downward::{posteriors, transition_marginals, upward_downward};
use duramen::inference::viterbi::viterbi;
use duramen::inference::{Exact, JointDraw};
use duramen::model::{Model, Observation};
use duramen::rng;

/// Numbers of nodes: the cost must be linear in them.
const SIZES: [usize; 5] = [100, 1_000, 10_000, 100_000, 1_000_000];
/// Nodes where one size is measured.
const SIZE: usize = 10_000;

fn bench(criterion: &mut Criterion) {
    for (name, model) in [("6 states, parent", made::six()), ("8 states, previous sibling", made::eight())] {
        let mut group = criterion.benchmark_group(name);
        group.sampling_mode(SamplingMode::Flat).sample_size(20).warm_up_time(Duration::from_secs(1));
        let parameters = model.parameters();
        let exact = Exact::new(&model, &parameters);
        for n in SIZES {
            let page = made::page(&model, n);
            group.throughput(Throughput::Elements(n as u64));
            group.bench_function(format!("features to posteriors/{n}"), |b| {
                b.iter(|| black_box(exact.posteriors(&page)));
            });
            let ln_emission = model.ln_emission(&parameters, &page);
            group.bench_function(format!("log emissions to posteriors/{n}"), |b| {
                b.iter(|| black_box(posteriors(&page.view.tree, &ln_emission, &parameters.transition)));
            });
        }
        let wide = made::wide_page(&model, SIZE);
        group.throughput(Throughput::Elements(SIZE as u64));
        group.bench_function("features to posteriors/one wide node", |b| {
            b.iter(|| black_box(exact.posteriors(&wide)));
        });
        let page = made::page(&model, SIZE);
        let tree = &page.view.tree;
        let ln_emission = model.ln_emission(&parameters, &page);
        let transition = &parameters.transition;
        group.bench_function("features to log emissions", |b| {
            b.iter(|| black_box(model.ln_emission(&parameters, &page)));
        });
        group.bench_function("marginals", |b| {
            b.iter(|| black_box(upward_downward(tree, &ln_emission, transition)));
        });
        group.bench_function("joints with parent and sibling", |b| {
            b.iter(|| {
                let mut sum = 0.0;
                transition_marginals(tree, &ln_emission, transition, |_, _, _, p| sum += p[0]);
                black_box(sum)
            });
        });
        group.bench_function("most probable states", |b| {
            b.iter(|| black_box(viterbi(tree, &ln_emission, transition)));
        });
        let mut rng = rng::stream(1, "bench", &[]);
        let mut states = vec![0; SIZE];
        let mut joint = JointDraw::new();
        group.bench_function("joint draw", |b| {
            b.iter(|| joint.draw(tree, &ln_emission, transition, &mut rng, &mut states));
        });
        let mut filtered = joint.filter(tree, &ln_emission, transition);
        group.bench_function("joint draw, filtered before", |b| {
            b.iter(|| filtered.draw(&mut rng, &mut states));
        });
        gibbs(&mut group, &model, &page);
        group.finish();
    }
}

/// Sweeps of the single-site kernel with given parameters; throughput is node updates a second.
fn gibbs(
    group: &mut criterion::BenchmarkGroup<'_, criterion::measurement::WallTime>,
    model: &Model,
    page: &Observation,
) {
    let pages = [SampledPage::unlabelled(model, &page.view.tree, &page.features, 1)];
    let settings = GibbsConfig { parameters: ParameterUse::Fixed, ..GibbsConfig::default() };
    let sampler = Sampler::new(model, &pages, &settings).expect("valid settings");
    let mut chain = sampler.chain(0);
    group.bench_function("single-site Gibbs sweep", |b| b.iter(|| chain.sweep()));
    let mut chains: Vec<Chain<'_, '_>> = (0..4).map(|number| sampler.chain(number)).collect();
    let mut chains: Vec<&mut Chain<'_, '_>> = chains.iter_mut().collect();
    group.throughput(Throughput::Elements(4 * SIZE as u64));
    group.bench_function("single-site Gibbs sweep of four chains together", |b| {
        b.iter(|| Chain::sweep_together(&mut chains));
    });
}

criterion_group!(benches, bench);
criterion_main!(benches);
