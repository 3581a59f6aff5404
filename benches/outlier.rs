//! Criterion benchmarks of the outlier detectors on made-up rows as of computed styles and on rows without structure.
//!
//! `cargo bench --bench outlier` runs them. Quote medians of a machine with no other work only.

use std::hint::black_box;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use duramen::outlier::{Bins, Distance, FewRows, Hbos, Knn};
use ndarray::ArrayView2;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The numbers of neighbors of the paper on visual outliers.
const K: [usize; 5] = [10, 50, 100, 200, 500];

/// Rows of `kinds` distinct styles: half of the columns 0 or 1, half pixels and colors, mostly 0. The first kinds are most
/// frequent.
fn styles(rows: usize, columns: usize, kinds: usize) -> Vec<f64> {
    let mut source = ChaCha8Rng::seed_from_u64(1);
    let mut value = |column: usize| match column < columns / 2 {
        true => f64::from(source.random_range(0..2)),
        false if source.random_range(0.0..1.0) < 0.7 => 0.0,
        false => f64::from(source.random_range(0..256)),
    };
    let all: Vec<Vec<f64>> = (0..kinds).map(|_| (0..columns).map(&mut value).collect()).collect();
    let mut source = ChaCha8Rng::seed_from_u64(2);
    (0..rows)
        .flat_map(|_| all[(source.random_range(0.0_f64..1.0).powi(3) * kinds as f64) as usize].clone())
        .collect()
}

/// Distinct rows without any structure to make use of.
fn noise(rows: usize, columns: usize) -> Vec<f64> {
    let mut source = ChaCha8Rng::seed_from_u64(3);
    (0..rows * columns).map(|_| (0..12).map(|_| source.random_range(-0.5..0.5)).sum()).collect()
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("outlier");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    let knn = Knn { k: K.to_vec(), distance: Distance::Mean, few_rows: FewRows::Refuse };
    for (name, values, columns) in [
        ("100,000 styles of 5,000 kinds, 105 columns", styles(100_000, 105, 5_000), 105),
        ("10,000 rows without structure, 20 columns", noise(10_000, 20), 20),
    ] {
        let rows = ArrayView2::from_shape((values.len() / columns, columns), &values).expect("whole rows");
        group.throughput(Throughput::Elements(rows.nrows() as u64));
        group.bench_function(format!("10 to 500 nearest/{name}"), |b| b.iter(|| black_box(knn.fit(rows))));
        for (bins, what) in
            [(Bins::Static(10), "10 bins"), (Bins::Auto, "auto"), (Bins::Dynamic(None), "dynamic")]
        {
            let hbos = Hbos { bins, ..Hbos::default() };
            group.bench_function(format!("HBOS, {what}/{name}"), |b| b.iter(|| black_box(hbos.fit(rows))));
        }
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
