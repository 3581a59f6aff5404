//! Every kind of figure is drawn: the same bytes each time, well-formed, and refused where there is nothing to draw.

use std::collections::BTreeMap;

use duramen::Label;
use duramen::diagnostics::Chains;
use duramen::eval::{Calibration, Confusion};
use duramen::report::Figure;
use duramen::report::diagnosis::{PredictiveResults, PredictiveRow};
use duramen::report::figures::{
    Autocorrelation, BandPoint, BandSeries, Distribution, FeatureDistribution, LabelBars, LinesWithBand,
    PredictiveIntervals, RankBars, RankedScores, Reliability, RunningMean, ScoreDistribution, SystemScores,
    Trace,
};

const NAME: &str = "R&D <best> \"model\"";

fn scores(values: &[f64]) -> Vec<SystemScores> {
    let system = |name: &str, values: &[f64]| SystemScores { name: name.into(), values: values.to_vec() };
    vec![system(NAME, values), system("everything", &[0.5, 0.1, 1.0])]
}

fn ranked(values: &[f64]) -> RankedScores {
    let (title, subtitle) = ("Ranked & <ordered>".into(), String::new());
    RankedScores { title, subtitle, measure: "F1".into(), systems: scores(values) }
}

fn distribution(values: &[f64]) -> ScoreDistribution {
    let (title, subtitle) = ("Distribution".into(), "Two systems".into());
    ScoreDistribution { title, subtitle, measure: "F1".into(), systems: scores(values) }
}

fn bars() -> LabelBars {
    let mut counts = Confusion::default();
    counts.add(Label::FullText, Label::FullText, 80);
    counts.add(Label::Headline, Label::FullText, 3);
    let (title, subtitle, unit) = ("Labels".into(), String::new(), "tokens".into());
    LabelBars { title, subtitle, unit, systems: vec![(NAME.into(), counts)] }
}

fn feature(distribution: Distribution) -> FeatureDistribution {
    let (title, subtitle, feature) = ("Feature".into(), String::new(), "Words".into());
    FeatureDistribution { title, subtitle, feature, counted: "nodes".into(), distribution }
}

fn counts<V: Ord + Clone>(values: &[V]) -> [BTreeMap<V, u64>; 6] {
    Label::ALL.map(|label| values.iter().cloned().zip(1 + label.index() as u64..).collect())
}

fn reliability() -> Reliability {
    let mut calibration = Calibration::default();
    calibration.add(0.2, false, 5).unwrap();
    calibration.add(0.9, true, 7).unwrap();
    let (title, subtitle) = ("Reliability".into(), String::new());
    let (event, unit) = ("content".into(), "tokens".into());
    Reliability { title, subtitle, event, unit, systems: vec![(NAME.into(), calibration)] }
}

fn lines(xs: &[f64], log_x: bool) -> LinesWithBand {
    let points = xs.iter().map(|&x| BandPoint { x, y: 0.5, band: Some((0.4, 0.6)) }).collect();
    LinesWithBand {
        title: "Lines".into(),
        subtitle: String::new(),
        x_label: "Sweeps".into(),
        log_x,
        diagonal: false,
        y_label: "F1".into(),
        log_y: false,
        series: vec![BandSeries { name: NAME.into(), points }],
    }
}

/// Each figure of chains as SVG, checked.
fn of_chains(chains: &Chains<'_>) -> [String; 4] {
    let subtitle = String::new();
    let trace = Trace { title: "Trace".into(), subtitle: subtitle.clone(), quantity: NAME.into(), chains };
    let ranks = RankBars { title: "Ranks".into(), subtitle: subtitle.clone(), chains };
    let title = "Autocorrelation".into();
    let correlation = Autocorrelation { title, subtitle: subtitle.clone(), max_lag: 40, chains };
    let mean = RunningMean { title: "Mean".into(), subtitle, quantity: NAME.into(), chains };
    [drawn(&trace), drawn(&ranks), drawn(&correlation), drawn(&mean)]
}

/// The figure's SVG and PNG, each made twice and checked.
fn drawn(figure: &impl Figure) -> String {
    let (svg, png) = (figure.svg().unwrap(), figure.png().unwrap());
    assert_eq!(svg, figure.svg().unwrap());
    assert_eq!(png, figure.png().unwrap());
    assert_well_formed(&svg);
    let (width, height) = figure.size();
    let big_endian = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!((big_endian(16), big_endian(20)), (2 * width, 2 * height));
    svg
}

/// Tags nest and close, attributes are quoted, and no bare ampersand stands anywhere.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(!text.contains('>'), "{text}");
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else {
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            if !tag.ends_with('/') {
                open.push(tag.split_whitespace().next().unwrap());
            }
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty() && rest.trim().is_empty());
    for (at, _) in svg.match_indices('&') {
        let entity = &svg[at..svg.len().min(at + 6)];
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#39;"];
        assert!(known.iter().any(|known| entity.starts_with(known)), "{entity}");
    }
}

#[test]
fn every_kind_of_figure_is_drawn_well_formed_and_with_the_same_bytes_each_time() {
    let values = [1.0, 0.0, 0.7, 0.71, 0.93];
    assert!(drawn(&ranked(&values)).contains("R&amp;D &lt;best&gt;"));
    assert!(drawn(&distribution(&values)).contains("median"));
    assert!(drawn(&bars()).contains("supplemental"));
    drawn(&feature(Distribution::Counts(counts(&[0, 1, 7, 900]))));
    let tags = ["p", "a", "<b>"].map(str::to_owned);
    assert!(
        drawn(&feature(Distribution::Categories { counts: counts(&tags), top: 2 })).contains("all others")
    );
    assert!(drawn(&reliability()).contains("ECE"));
    drawn(&lines(&[1.0, 10.0, 10_000.0], true));
    drawn(&lines(&[0.0, 1.0], false));
}

#[test]
fn every_figure_of_chains_names_them_and_keeps_within_bounds_when_they_are_many_and_long() {
    let wave = |i: usize| ((i * 7919) % 101) as f64;
    let short = of_chains(&Chains::new((0..30).map(wave).collect::<Vec<_>>(), 3));
    assert!(short.iter().all(|svg| svg.contains("chain 2") && !svg.contains("chain 3")));
    assert!(short[0].contains("R&amp;D &lt;best&gt;"));
    let many = of_chains(&Chains::new((0..90_000).map(wave).collect::<Vec<_>>(), 9));
    for svg in many {
        assert!(svg.contains("chain 8"));
        assert!(svg.len() < 600_000, "{}", svg.len());
    }
}

#[test]
fn statistics_far_from_their_replicates_are_drawn_within_the_figure() {
    let row = |statistic: &str, observed: f64, sd: f64, p: f64| PredictiveRow {
        feature: NAME.into(),
        statistic: statistic.into(),
        observed,
        mean: Ok(1.0),
        sd: Ok(sd),
        q5: Ok(1.0 - sd),
        q95: Ok(1.0 + sd),
        p_value: Some(p),
    };
    let near = row("mean", 1.5, 1.0, 0.3);
    // All replicates are the same, and the pages are not.
    let other = row("maximum", 9.0, 0.0, 0.0);
    let undefined = PredictiveRow { observed: f64::NAN, p_value: None, ..near.clone() };
    let results = PredictiveResults { rows: vec![other, near, undefined.clone()], replicates: 10 };
    let svg = drawn(&PredictiveIntervals::new(&results));
    assert!(svg.contains("maximum") && svg.contains("0.3000") && !svg.contains("NaN"));
    let none = PredictiveResults { rows: vec![undefined], replicates: 10 };
    assert!(PredictiveIntervals::new(&none).svg().unwrap_err().to_string().contains("no statistics"));
}

#[test]
fn chains_that_stand_still_or_are_far_from_zero_are_drawn_too() {
    let [.., correlation, _] = of_chains(&Chains::new(&[2.0; 8], 2));
    assert!(correlation.contains("chain 1 (constant)"));
    of_chains(&Chains::new(&[1e-9, 2e-9, 1e-9, 3e-9], 1));
    of_chains(&Chains::new(&[-1e9, -1e9 + 1.0, -1e9, -1e9 + 3.0], 1));
}

#[test]
fn the_smallest_data_are_drawn_too() {
    drawn(&ranked(&[0.0]));
    drawn(&distribution(&[1.0]));
    drawn(&lines(&[3.0], false));
    drawn(&lines(&[3.0], true));
    drawn(&feature(Distribution::Counts(counts(&[0]))));
}

#[test]
fn the_mean_in_the_legend_is_that_of_the_values() {
    assert!(drawn(&ranked(&[0.25, 0.5])).contains("mean 0.375"));
}

#[test]
fn the_order_of_documents_does_not_change_a_figure() {
    let values = [0.1, 0.9, 0.3, 0.7, 0.2];
    let mut backwards = values;
    backwards.reverse();
    assert_eq!(ranked(&values).svg().unwrap(), ranked(&backwards).svg().unwrap());
    assert_eq!(distribution(&values).svg().unwrap(), distribution(&backwards).svg().unwrap());
}

#[test]
fn a_figure_without_data_or_with_scores_that_are_none_is_refused_with_its_name() {
    let refused = |figure: &dyn Fn() -> duramen::Result<String>, word: &str| {
        let message = figure().unwrap_err().to_string();
        assert!(message.contains("figure '") && message.contains(word), "{message}");
    };
    refused(&|| ranked(&[]).svg(), "no scores");
    refused(&|| ranked(&[f64::NAN]).svg(), "NaN");
    refused(&|| distribution(&[1.5]).svg(), "1.5");
    refused(&|| RankedScores { systems: vec![], ..ranked(&[]) }.svg(), "no systems");
    refused(&|| LabelBars { systems: vec![], ..bars() }.svg(), "no systems");
    refused(&|| feature(Distribution::Counts(Default::default())).svg(), "no nodes");
    refused(&|| lines(&[], false).svg(), "no points");
    refused(&|| lines(&[0.0], true).svg(), "logarithmic");
    let subtitle = String::new();
    let one = Chains::new(&[1.0], 1);
    refused(
        &|| Trace { title: "t".into(), subtitle: subtitle.clone(), quantity: "q".into(), chains: &one }.svg(),
        "1 draws",
    );
    let holed = Chains::new(&[1.0, 2.0, f64::NAN, 3.0], 1);
    refused(&|| RankBars { title: "t".into(), subtitle: subtitle.clone(), chains: &holed }.svg(), "NaN");
    let empty = Reliability { systems: vec![("a".into(), Calibration::default())], ..reliability() };
    refused(&|| empty.svg(), "no probabilities");
}

#[test]
fn a_figure_is_saved_under_its_whole_name_and_nothing_is_left_beside() {
    let folder = tempfile::tempdir().unwrap();
    let stem = folder.path().join("new/thesis-4.1");
    ranked(&[0.5]).save_svg(&stem).unwrap();
    ranked(&[0.5]).save_png(&stem).unwrap();
    let mut names: Vec<_> = std::fs::read_dir(folder.path().join("new"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["thesis-4.1.png", "thesis-4.1.svg"]);
}

#[test]
fn a_figure_that_cannot_be_written_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let message = ranked(&[0.5]).save_svg(&file.join("figure")).unwrap_err().to_string();
    assert!(message.contains("figure.svg"), "{message}");
}
