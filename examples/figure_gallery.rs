//! Draws every kind of figure from made-up data, to be looked at: `cargo run --example figure_gallery -- FOLDER`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use duramen::diagnostics::Chains;
use duramen::eval::{Calibration, Confusion};
use duramen::report::diagnosis::{PredictiveResults, PredictiveRow};
use duramen::report::figures::{
    Autocorrelation, BandPoint, BandSeries, Distribution, FeatureDistribution, LabelBars, LinesWithBand,
    PredictiveIntervals, RankBars, RankedScores, Reliability, RunningMean, ScoreDistribution, SystemScores,
    Trace,
};
use duramen::report::{Figure, Report};
use duramen::rng::{Rng, stream};
use duramen::{Label, Result};
use rand::RngExt;

/// Name, quality (higher is better) and share of complete failures of the made-up systems.
const SYSTEMS: [(&str, f64, f64); 6] = [
    ("hmt, block tree", 12.0, 0.01),
    ("hmt, as in the thesis", 2.2, 0.06),
    ("boilerpipe-article", 9.0, 0.03),
    ("more than 10 words", 4.5, 0.01),
    ("everything", 1.6, 0.0),
    ("nothing", 0.0, 1.0),
];

fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("target/figures"), PathBuf::from);
    let mut report = Report::new("Figure gallery");
    let scores = scores();
    for measure in ["F1", "Precision"] {
        let figure = RankedScores {
            title: "Documents ordered by score".into(),
            subtitle: "Made-up data: main text, token level, 621 documents of 408 hosts".into(),
            measure: measure.into(),
            systems: scores.clone(),
        };
        add(&mut report, &folder, &format!("ranked-scores-{}", measure.to_lowercase()), &figure)?;
    }
    let figure = ScoreDistribution {
        title: "Distribution of F1 over documents".into(),
        subtitle: "Made-up data: main text, token level. Box: quartiles and median; whiskers: 5 % to 95 %; \
                   dots: documents below; diamond: mean"
            .into(),
        measure: "F1".into(),
        systems: scores,
    };
    add(&mut report, &folder, "score-distribution", &figure)?;
    for n in [1, 3, 5] {
        let figure = LabelBars {
            title: "Precision, recall and F1 of each label".into(),
            subtitle: "Made-up data: pooled tokens".into(),
            unit: "tokens".into(),
            systems: confusions().into_iter().take(n).collect(),
        };
        add(&mut report, &folder, &format!("label-bars-{n}"), &figure)?;
    }
    add(&mut report, &folder, "feature-tag", &tags())?;
    add(&mut report, &folder, "feature-words", &words())?;
    add(&mut report, &folder, "reliability", &reliability())?;
    add(&mut report, &folder, "lines-with-band", &convergence())?;
    of_chains(&mut report, &folder)?;
    add(&mut report, &folder, "predictive-intervals", &PredictiveIntervals::new(&predictive()))?;
    let path = folder.join("gallery.html");
    std::fs::write(&path, report.to_html()).map_err(|error| duramen::Error::io(&path, error))?;
    println!("{}", path.display());
    Ok(())
}

fn add(report: &mut Report, folder: &Path, name: &str, figure: &impl Figure) -> Result<()> {
    figure.save_svg(&folder.join(name))?;
    figure.save_png(&folder.join(name))?;
    report.section(name).figure(figure, "Made-up data.")?;
    Ok(())
}

fn random(purpose: &str) -> Rng {
    stream(1, purpose, &[])
}

fn scores() -> Vec<SystemScores> {
    let mut random = random("scores");
    let mut score = |quality: f64, failures: f64| -> f64 {
        if random.random::<f64>() < failures { 0.0 } else { random.random::<f64>().powf(1.0 / quality) }
    };
    let system = |&(name, quality, failures): &(&str, f64, f64)| SystemScores {
        name: name.into(),
        values: (0..621).map(|_| score(quality, failures)).collect(),
    };
    SYSTEMS.iter().map(system).collect()
}

fn confusions() -> Vec<(String, Confusion)> {
    let support = [610_000, 5_200, 402_000, 31_000, 18_400, 77_000];
    let confusion = |(s, &(name, quality, _)): (usize, &(&str, f64, f64))| {
        let mut counts = Confusion::default();
        for gold in Label::ALL {
            let right = (quality / (quality + 1.0 + gold.index() as f64)).min(0.98);
            let share = |x: f64| (support[gold.index()] as f64 * x) as u64;
            counts.add(gold, gold, share(right));
            let other = Label::ALL[(gold.index() + 1 + s) % Label::COUNT];
            counts.add(gold, other, share((1.0 - right) * 0.4));
            counts.add(gold, Label::NotContent, share((1.0 - right) * 0.6));
        }
        (name.to_owned(), counts)
    };
    SYSTEMS.iter().take(5).enumerate().map(confusion).collect()
}

fn tags() -> FeatureDistribution {
    let shares: [&[(&str, u64)]; 6] = [
        &[
            ("a", 31_000),
            ("div", 22_000),
            ("li", 19_000),
            ("td", 9_000),
            ("span", 8_000),
            ("img", 7_000),
            ("br", 4_000),
        ],
        &[("h1", 420), ("h2", 130), ("div", 60), ("span", 40), ("b", 20)],
        &[
            ("p", 9_000),
            ("a", 1_500),
            ("br", 1_300),
            ("b", 300),
            ("div", 280),
            ("blockquote", 120),
            ("i", 90),
        ],
        &[("div", 900), ("p", 700), ("span", 620), ("a", 400), ("em", 120), ("small", 30), ("address", 3)],
        &[("a", 2_400), ("li", 2_100), ("ul", 300), ("div", 250)],
        &[("p", 1_900), ("div", 1_700), ("span", 600), ("a", 580), ("dd", 300), ("dt", 280), ("cite", 60)],
    ];
    let counts = shares.map(|tags| tags.iter().map(|&(tag, n)| (tag.to_owned(), n)).collect());
    FeatureDistribution {
        title: "HTML tag".into(),
        subtitle: "Made-up data: share of the nodes of each label (the thesis's figure 3.1)".into(),
        counted: "nodes".into(),
        feature: "HTML tag".into(),
        distribution: Distribution::Categories { counts, top: 14 },
    }
}

/// Counts of 20,000 or fewer nodes of each label, whose mean is given.
fn geometric(means: [f64; 6], purpose: &str) -> [BTreeMap<u64, u64>; 6] {
    let mut random = random(purpose);
    means.map(|mean| {
        let mut counts = BTreeMap::new();
        for _ in 0..20_000 / (1 + mean as u64 % 7) {
            let value = -(1.0 - random.random::<f64>()).ln() * mean;
            *counts.entry(value as u64).or_default() += 1;
        }
        counts
    })
}

fn words() -> FeatureDistribution {
    FeatureDistribution {
        title: "Number of words in the node".into(),
        subtitle: "Made-up data (the thesis's figure 3.10); in brackets the number of nodes".into(),
        counted: "nodes".into(),
        feature: "Words in the node".into(),
        distribution: Distribution::Counts(geometric([3.0, 8.0, 60.0, 12.0, 6.0, 45.0], "words")),
    }
}

fn reliability() -> Reliability {
    let mut random = random("reliability");
    let mut system = |name: &str, sharpness: f64| {
        let mut calibration = Calibration::default();
        for _ in 0..20_000 {
            let truth: f64 = random.random();
            let told = truth.powf(sharpness) / (truth.powf(sharpness) + (1.0 - truth).powf(sharpness));
            let outcome = random.random::<f64>() < truth;
            calibration.add(told, outcome, 12).expect("a probability");
        }
        (name.to_owned(), calibration)
    };
    Reliability {
        title: "Reliability of the posterior".into(),
        subtitle: "Made-up data: mean probability against observed share in 15 bins".into(),
        event: "content".into(),
        unit: "tokens".into(),
        systems: vec![system("weights learned", 1.1), system("weights 1", 3.5)],
    }
}

fn convergence() -> LinesWithBand {
    let line = |name: &str, start: f64, speed: f64| {
        let sweeps = [1, 2, 5, 10, 20, 30, 50, 100, 200, 500, 1_000, 3_000, 10_000, 30_000];
        let point = |sweeps: i32| {
            let y = 0.94 - (0.94 - start) / (1.0 + speed * f64::from(sweeps));
            let half = 0.05 / (1.0 + speed * f64::from(sweeps)).sqrt();
            BandPoint { x: f64::from(sweeps), y, band: Some((y - half, y + half)) }
        };
        BandSeries { name: name.into(), points: sweeps.into_iter().map(point).collect() }
    };
    let exact = [1.0, 30_000.0].map(|x| BandPoint { x, y: 0.9402, band: None });
    LinesWithBand {
        title: "How many sweeps Gibbs sampling needs".into(),
        subtitle: "Made-up data: mean over documents, band: 95 % interval over hosts".into(),
        x_label: "Sweeps".into(),
        log_x: true,
        diagonal: false,
        y_label: "Main-text F1".into(),
        log_y: false,
        series: vec![
            line("single-site", 0.33, 0.02),
            line("blocked", 0.62, 0.3),
            line("uncollapsed", 0.35, 0.1),
            BandSeries { name: "exact".into(), points: exact.into() },
        ],
    }
}

/// Four chains that move slowly, one of which stands a little aside.
fn of_chains(report: &mut Report, folder: &Path) -> Result<()> {
    let mut random = random("chains");
    let mut values = Vec::new();
    for chain in 0..4 {
        let mut x = 0.0;
        for _ in 0..1000 {
            x = 0.8 * x + random.random::<f64>() - 0.5;
            values.push(x + if chain == 3 { 0.4 } else { 0.0 });
        }
    }
    let chains = &Chains::new(values, 4);
    let subtitle = || "Made-up data: 4 chains of 1,000 draws".to_owned();
    let name = "transition[full-text, start, comments]";
    let title = |what: &str| format!("{what} of {name}");
    let quantity = || "ln odds".to_owned();
    let trace = Trace { title: title("Trace"), subtitle: subtitle(), quantity: quantity(), chains };
    add(report, folder, "trace", &trace)?;
    add(report, folder, "rank-bars", &RankBars { title: title("Ranks"), subtitle: subtitle(), chains })?;
    let title_of_lags = title("Autocorrelation");
    let lags = Autocorrelation { title: title_of_lags, subtitle: subtitle(), max_lag: 50, chains };
    add(report, folder, "autocorrelation", &lags)?;
    let mean =
        RunningMean { title: title("Running mean"), subtitle: subtitle(), quantity: quantity(), chains };
    add(report, folder, "running-mean", &mean)
}

/// Statistics of six features, of which some are not what the model makes.
fn predictive() -> PredictiveResults {
    let statistics = ["mean", "standard deviation", "share of zeros", "maximum", "agreement of siblings"];
    let features = ["words", "links", "full-stops", "tag", "depth"];
    let mut random = random("predictive");
    let mut rows = Vec::new();
    for (f, feature) in features.into_iter().enumerate() {
        for (s, statistic) in statistics.into_iter().enumerate() {
            let deviation = (random.random::<f64>() - 0.5) * [3.0, 4.0, 2.0, 9.0, 20.0][(f + s) % 5];
            let p = 1.0 / (1.0 + (1.7 * deviation).exp());
            rows.push(PredictiveRow {
                feature: feature.into(),
                statistic: statistic.into(),
                observed: 10.0 + deviation,
                mean: Ok(10.0),
                sd: Ok(1.0),
                q5: Ok(8.5),
                q95: Ok(11.6),
                p_value: Some(p),
            });
        }
    }
    let surprise = |row: &PredictiveRow| row.p_value.map_or(1.0, |p| p.min(1.0 - p));
    rows.sort_by(|a, b| surprise(a).total_cmp(&surprise(b)));
    PredictiveResults { rows, replicates: 4_000 }
}
