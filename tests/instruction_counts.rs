//! The instructions that the kernels of inference take for a node, against those committed in `results/speed`.
//!
//! Unlike time they do not depend on what else the machine does. The test runs itself under valgrind; where there is
//! none, or the processor has no AVX2, nothing is compared. The counts are those of one compiler: after a new one, or a
//! change for the better, write what the test prints to the file.

#[path = "../benches/support/made.rs"]
#[allow(dead_code, reason = "the benchmarks use pages that this does not")]
mod made;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;

use duramen::inference::gibbs::{GibbsConfig, ParameterUse, SampledPage, Sampler};
use duramen::inference::upward_downward::{posteriors, transition_marginals};
use duramen::inference::viterbi::viterbi;
use duramen::inference::{Exact, JointDraw};
use duramen::rng;

/// Set for the run under valgrind.
const UNDER_VALGRIND: &str = "DURAMEN_COUNT_INSTRUCTIONS";
/// How many more than committed are a regression: compilers and C libraries differ by a few per cent.
const TOLERANCE: f64 = 1.15;
/// Nodes of the pages; the larger one shows that the cost is linear.
const SIZES: [usize; 2] = [1_000, 50_000];

/// What is counted: valgrind collects in this function only, and writes down its counts at its end.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
    // Without anything after it the call would be a jump, and this function would have no end.
    black_box(0);
}

/// Runs every kernel once and gives their names with the number of nodes, in order.
fn run_all(measure: bool) -> Vec<(String, usize)> {
    let mut kernels = Vec::new();
    for (states, model) in [("6 states, parent", made::six()), ("8 states, previous sibling", made::eight())]
    {
        let parameters = model.parameters();
        let transition = &parameters.transition;
        let exact = Exact::new(&model, &parameters);
        for n in SIZES {
            let page = made::page(&model, n);
            let tree = &page.view.tree;
            let ln_emission = model.ln_emission(&parameters, &page);
            let mut draw = JointDraw::new();
            let (mut states_drawn, mut rng) = (vec![0; n], rng::stream(1, "count", &[]));
            let pages = [SampledPage::unlabelled(&model, tree, &page.features, 1)];
            let settings = GibbsConfig { parameters: ParameterUse::Fixed, ..GibbsConfig::default() };
            let sampler = Sampler::new(&model, &pages, &settings).unwrap();
            let mut chain = sampler.chain(0);
            chain.sweep();
            let mut kernel = |name: &str, work: &mut dyn FnMut()| {
                if measure {
                    measured(work);
                }
                kernels.push((format!("{states}: {name}, {n} nodes"), n));
            };
            kernel("features to posteriors", &mut || drop(black_box(exact.posteriors(&page))));
            kernel("features to log emissions", &mut || {
                drop(black_box(model.ln_emission(&parameters, &page)));
            });
            kernel("log emissions to posteriors", &mut || {
                drop(black_box(posteriors(tree, &ln_emission, transition)));
            });
            kernel("joints with parent and sibling", &mut || {
                let mut sum = 0.0;
                transition_marginals(tree, &ln_emission, transition, |_, _, _, p| sum += p[0]);
                black_box(sum);
            });
            kernel("most probable states", &mut || drop(black_box(viterbi(tree, &ln_emission, transition))));
            kernel("joint draw", &mut || {
                draw.draw(tree, &ln_emission, transition, &mut rng, &mut states_drawn);
            });
            kernel("single-site Gibbs sweep", &mut || chain.sweep());
        }
    }
    kernels
}

/// The instructions of each kernel for a node, if they can be counted here.
fn count() -> Option<BTreeMap<String, f64>> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("counts");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=*instruction_counts::measured*"])
        .arg("--dump-after=*instruction_counts::measured*")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "kernels_take_no_more_instructions_than_committed"])
        .env(UNDER_VALGRIND, "1")
        .output()
        .ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let totals = (1..).map_while(|part| {
        let text = std::fs::read_to_string(format!("{}.{part}", out.display())).ok()?;
        let total = text.lines().find_map(|line| line.strip_prefix("totals: "))?;
        Some(total.trim().parse::<f64>().unwrap())
    });
    let kernels = run_all(false);
    let counts: Vec<f64> = totals.filter(|&total| total > 0.0).collect();
    assert_eq!(counts.len(), kernels.len(), "one count for each kernel");
    Some(kernels.into_iter().zip(counts).map(|((name, n), count)| (name, count / n as f64)).collect())
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

#[test]
fn kernels_take_no_more_instructions_than_committed() {
    if std::env::var_os(UNDER_VALGRIND).is_some() {
        run_all(true);
        return;
    }
    let Some(counts) = has_avx2().then(count).flatten() else {
        println!("nothing is compared without valgrind and AVX2");
        return;
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/speed/instructions.csv");
    let committed = std::fs::read_to_string(path).unwrap();
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    let mut missing: BTreeMap<&str, f64> =
        counts.iter().map(|(name, &count)| (name.as_str(), count)).collect();
    let mut slower = Vec::new();
    let mut reader = csv::Reader::from_reader(committed.as_bytes());
    for row in reader.records() {
        let row = row.unwrap();
        if &row[1] == profile
            && let Some(count) = missing.remove(&row[0])
            && count > row[2].parse::<f64>().unwrap() * TOLERANCE
        {
            slower.push(format!("{}: {count:.0} instructions a node, {} committed", &row[0], &row[2]));
        }
    }
    for (name, count) in &counts {
        println!("\"{name}\",{profile},{count:.0}");
    }
    assert!(slower.is_empty(), "{}", slower.join("\n"));
    assert!(missing.is_empty(), "not in results/speed/instructions.csv: {missing:?}");
}
