//! Diagnostics of chains are those of ArviZ, and of R's posterior and coda, on the same chains.

use std::collections::BTreeMap;

use duramen::diagnostics::{
    Chains, Diagnostic, Summary, Undefined, autocorrelation, ess_bulk, ess_mean, ess_quantile, ess_sd,
    ess_tail, geweke, hdi, largest_rhat, mcse_mean, mcse_quantile, mcse_sd, quantile, rhat, rhat_bulk,
    rhat_folded,
};
use serde::Deserialize;

/// What two values may differ by, as a share of the larger (of 1 where both are below it).
const TOLERANCE: f64 = 1e-6;

#[derive(Deserialize)]
struct File<C> {
    /// The versions of what computed the values.
    by: String,
    cases: Vec<C>,
}

/// A case of `scripts/arviz_reference.py`.
#[derive(Deserialize)]
struct Case {
    name: String,
    chains: Vec<Vec<Number>>,
    arviz: Arviz,
}

#[derive(Deserialize)]
struct Arviz {
    autocorrelation: Vec<Vec<Number>>,
    #[serde(rename = "hdi_0.94")]
    hdi_94: [Number; 2],
    #[serde(rename = "hdi_0.5")]
    hdi_50: [Number; 2],
    #[serde(flatten)]
    values: BTreeMap<String, Number>,
}

/// A case of `scripts/posterior_reference.R`.
#[derive(Deserialize)]
struct RCase {
    name: String,
    posterior: BTreeMap<String, Number>,
    coda: Coda,
}

#[derive(Deserialize)]
struct Coda {
    geweke: Vec<Number>,
}

/// A number as the references write it: NaN as null, infinities as text.
#[derive(Deserialize, Clone, Copy)]
#[serde(from = "Option<Written>")]
struct Number(f64);

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(f64),
    Text(String),
}

impl From<Option<Written>> for Number {
    fn from(written: Option<Written>) -> Self {
        Number(match written {
            None => f64::NAN,
            Some(Written::Number(value)) => value,
            Some(Written::Text(text)) => text.parse().unwrap(),
        })
    }
}

fn read<C: for<'a> Deserialize<'a>>(name: &str) -> File<C> {
    let path = format!("{}/tests/references/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn arviz() -> File<Case> {
    read("chain_diagnostics.json")
}

fn chains_of(case: &Case) -> Chains<'static> {
    Chains::new(case.chains.iter().flatten().map(|number| number.0).collect::<Vec<f64>>(), case.chains.len())
}

fn is_near(ours: f64, theirs: f64) -> bool {
    (ours - theirs).abs() <= TOLERANCE * 1f64.max(theirs.abs())
        || ours == theirs
        || ours.is_nan() && theirs.is_nan()
}

fn ours(name: &str, chains: &Chains<'_>) -> Diagnostic {
    match name {
        "rhat" => rhat(chains),
        "rhat_bulk" => rhat_bulk(chains),
        "rhat_folded" => rhat_folded(chains),
        "ess_bulk" => ess_bulk(chains),
        "ess_tail" => ess_tail(chains),
        "ess_mean" => ess_mean(chains),
        "ess_sd" => ess_sd(chains),
        "ess_median" => ess_quantile(chains, 0.5),
        "ess_q10" => ess_quantile(chains, 0.1),
        "mcse_mean" => mcse_mean(chains),
        "mcse_sd" => mcse_sd(chains),
        "mcse_median" => mcse_quantile(chains, 0.5),
        "mcse_q10" => mcse_quantile(chains, 0.1),
        "median" => quantile(chains, 0.5),
        "q5" => quantile(chains, 0.05),
        "q95" => quantile(chains, 0.95),
        "mean" => Summary::new(chains).mean,
        "sd" => Summary::new(chains).sd,
        other => panic!("a diagnostic that we do not have: {other}"),
    }
}

/// Whether the chains have diagnostics, which for some ArviZ gives a number and we a reason.
fn is_plain(chains: &Chains<'_>) -> bool {
    ess_mean(chains).is_ok()
}

#[test]
fn every_diagnostic_is_that_of_arviz_on_the_same_chains() {
    let mut compared = 0;
    let mut faults = Vec::new();
    for case in &arviz().cases {
        let chains = chains_of(case);
        if !is_plain(&chains) {
            continue;
        }
        for (name, theirs) in &case.arviz.values {
            match (case.name.as_str(), name.as_str()) {
                // Where no chain moves, theirs is 1 over the rounding error of a mean.
                ("each chain constant", "rhat" | "rhat_bulk" | "rhat_folded") => {
                    assert!(theirs.0 > 1e15 && ours(name, &chains) == Ok(f64::INFINITY));
                }
                // The 5 % point is a draw, which by a rounding error ArviZ finds to be above it; R does not (below).
                ("1 by 101" | "one chain of 1001", "ess_tail") => {}
                _ => {
                    compared += 1;
                    let ours = ours(name, &chains);
                    if !is_near(ours.unwrap_or(f64::NAN), theirs.0) {
                        faults.push(format!("{}: {name}: {ours:?}, ArviZ {}", case.name, theirs.0));
                    }
                }
            }
        }
        for (mass, theirs) in [(0.94, case.arviz.hdi_94), (0.5, case.arviz.hdi_50)] {
            let (low, high) = hdi(&chains, mass).unwrap();
            assert!(is_near(low, theirs[0].0) && is_near(high, theirs[1].0), "{}: {low} {high}", case.name);
        }
        for (chain, theirs) in chains.rows().zip(&case.arviz.autocorrelation) {
            let found = autocorrelation(chain, 10);
            let ours = found.unwrap_or_else(|_| vec![f64::NAN; theirs.len()]);
            assert_eq!(ours.len(), theirs.len());
            assert!(ours.iter().zip(theirs).all(|(a, b)| is_near(*a, b.0)), "{}: {ours:?}", case.name);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(compared > 1900, "{compared} values were compared");
}

#[test]
fn chains_without_a_diagnostic_say_why() {
    let cases = arviz().cases;
    let reason = |name: &str| {
        let case = cases.iter().find(|case| case.name == name).unwrap();
        let chains = chains_of(case);
        let reason = ess_bulk(&chains).unwrap_err();
        assert_eq!(rhat(&chains), Err(reason), "{name}");
        assert_eq!(mcse_mean(&chains), Err(reason), "{name}");
        reason
    };
    assert_eq!(reason("all draws equal"), Undefined::Constant { value: 0.5 });
    assert_eq!(reason("moves in the middle only"), Undefined::Constant { value: 0.0 });
    assert_eq!(reason("three draws"), Undefined::TooFewDraws { draws: 3, needed: 4 });
    for name in ["NaN", "infinity", "minus infinity"] {
        assert_eq!(reason(name), Undefined::NonFinite { chain: 1, draw: 17 });
    }
    let one = chains_of(cases.iter().find(|case| case.name == "1 by 20").unwrap());
    assert_eq!(rhat(&one), Err(Undefined::TooFewChains { chains: 1, needed: 2 }));
    assert!(ess_bulk(&one).is_ok());
    let said: Vec<String> =
        ["all draws equal", "three draws", "NaN"].map(|name| reason(name).to_string()).into();
    assert_eq!(
        said,
        [
            "constant: every draw of every chain is 0.5",
            "too few draws: 3 a chain, at least 4 are needed",
            "draw 17 of chain 1 is not a finite number",
        ]
    );
}

#[test]
fn diagnostics_are_those_of_posterior_in_r_where_both_define_them_alike() {
    let cases = arviz().cases;
    let r: File<RCase> = read("chain_diagnostics_r.json");
    let mut compared = 0;
    let mut faults = Vec::new();
    for (case, of_r) in cases.iter().zip(&r.cases) {
        assert_eq!(case.name, of_r.name);
        let chains = chains_of(case);
        // posterior ends the sequence of autocorrelations a pair sooner, which shows in the shortest chains.
        if !is_plain(&chains) || chains.draws() < 12 {
            continue;
        }
        for (name, theirs) in &of_r.posterior {
            let is_other = match name.as_str() {
                // The smaller of those for the draws and their squares.
                "ess_sd" => true,
                // Folded at the median of all draws, the middle ones included; one chain is compared with itself.
                "rhat" => {
                    chains.draws() % 2 == 1 || chains.chains() == 1 || case.name == "each chain constant"
                }
                _ => false,
            };
            // What is constant after folding or comparing has no value there.
            if is_other || theirs.0.is_nan() {
                continue;
            }
            compared += 1;
            let ours = ours(name, &chains);
            if !is_near(ours.unwrap_or(f64::NAN), theirs.0) {
                faults.push(format!("{}: {name}: {ours:?}, {}: {}", case.name, r.by, theirs.0));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(compared > 600, "{compared} values were compared");
}

#[test]
fn geweke_is_that_of_coda_in_r() {
    let r: File<RCase> = read("chain_diagnostics_r.json");
    let mut compared = 0;
    for (case, of_r) in arviz().cases.iter().zip(&r.cases) {
        let chains = chains_of(case);
        if !is_plain(&chains) {
            continue;
        }
        for (chain, theirs) in chains.rows().zip(&of_r.coda.geweke) {
            let ours = geweke(chain);
            assert!(is_near(ours.unwrap_or(f64::NAN), theirs.0), "{}: {ours:?} {}", case.name, theirs.0);
            compared += usize::from(ours.is_ok());
        }
    }
    assert!(compared > 150, "{compared} values were compared");
}

#[test]
fn the_stopping_rule_sees_the_largest_rhat_of_all_series() {
    let cases = arviz().cases;
    let of_500: Vec<&Case> =
        cases.iter().filter(|case| case.chains.len() == 4 && case.chains[0].len() == 500).collect();
    let largest = largest_rhat(of_500.len(), 4, 500, |s, c, d| of_500[s].chains[c][d].0).unwrap();
    let theirs = of_500.iter().map(|case| case.arviz.values["rhat"].0).fold(0.0, f64::max);
    assert!(of_500.len() > 3 && is_near(largest.value, theirs), "{largest:?} {theirs}");
    assert_eq!(of_500[largest.series].name, "one chain wider");
}
