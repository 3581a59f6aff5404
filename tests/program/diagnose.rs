//! `duramen diagnose` on stores of draws that converged, did not, or are damaged.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use duramen::draws::{Array, Coordinate, Group, InferenceData};
use duramen::rng;
use rand::RngExt;

const CHAINS: usize = 4;
const DRAWS: usize = 500;
const STATES: [&str; 2] = ["full-text", "comments"];

/// A folder as `duramen sample -o` leaves it.
struct Place {
    folder: tempfile::TempDir,
}

struct Ended {
    code: i32,
    out: String,
    err: String,
}

/// What is written into the store besides independent draws.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// One chain of one parameter stands elsewhere.
    Shifted,
    /// One draw is NaN.
    Holed,
}

/// Independent uniform draws of a 2 x 2 array, of a constant, of states, and of `lp`.
fn draws(fault: Fault, chains: usize) -> InferenceData {
    let mut random = rng::stream(1, "test", &[]);
    let mut uniform = |n: usize| (0..n).map(|_| random.random::<f64>()).collect::<Vec<f64>>();
    let mut transition = uniform(chains * DRAWS * 4);
    if fault == Fault::Shifted {
        // Place [comments, full-text] of the last chain.
        let last = (chains - 1) * DRAWS * 4;
        transition[last..].iter_mut().skip(2).step_by(4).for_each(|value| *value += 0.5);
    }
    if fault == Fault::Holed {
        transition[7 * 4] = f64::NAN;
    }
    let names = || Coordinate::Names(STATES.map(str::to_owned).to_vec());
    let mut posterior = Group::new();
    let dims = ["chain", "draw", "parent", "state"];
    posterior.insert("transition", Array::new(dims, [chains, DRAWS, 2, 2], transition).unwrap()).unwrap();
    posterior.insert_coordinate("parent", names()).unwrap();
    posterior.insert_coordinate("state", names()).unwrap();
    let still = vec![0.25; chains * DRAWS];
    posterior.insert("root", Array::new(["chain", "draw"], [chains, DRAWS], still).unwrap()).unwrap();
    let states = vec![1u8; chains * DRAWS * 3];
    posterior
        .insert("states", Array::new(["chain", "draw", "node"], [chains, DRAWS, 3], states).unwrap())
        .unwrap();
    let mut stats = Group::new();
    let lp = uniform(chains * DRAWS).into_iter().map(|x| x - 12_345.0).collect::<Vec<f64>>();
    stats.insert("lp", Array::new(["chain", "draw"], [chains, DRAWS], lp).unwrap()).unwrap();
    let moved = vec![1.0; chains * DRAWS];
    stats.insert("moved", Array::new(["chain", "draw"], [chains, DRAWS], moved).unwrap()).unwrap();
    let mut data = InferenceData::new();
    for (name, group) in [("posterior", &mut posterior), ("sample_stats", &mut stats)] {
        group.number_draws(chains, DRAWS).unwrap();
        data.insert(name, group.clone()).unwrap();
    }
    data.set_attribute("seed", 7);
    data
}

/// Two statistics of replicated pages: one that the pages have too, one of which they have far more.
fn with_replicates(mut data: InferenceData) -> InferenceData {
    let mut random = rng::stream(2, "test", &[]);
    let values: Vec<f64> = (0..CHAINS * DRAWS * 2).map(|_| random.random()).collect();
    let names = || Coordinate::Names(vec!["mean".into(), "maximum".into()]);
    let mut replicated = Group::new();
    let array = Array::new(["chain", "draw", "count_statistic"], [CHAINS, DRAWS, 2], values).unwrap();
    replicated.insert("full_stops_statistics", array).unwrap();
    replicated.insert_coordinate("count_statistic", names()).unwrap();
    let mut observed = Group::new();
    let array = Array::new(["count_statistic"], [2], vec![0.5, 40.0]).unwrap();
    observed.insert("full_stops_statistics", array).unwrap();
    observed.insert_coordinate("count_statistic", names()).unwrap();
    data.insert("posterior_predictive", replicated).unwrap();
    data.insert("observed_data", observed).unwrap();
    data
}

impl Place {
    fn empty() -> Place {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    fn with(data: &InferenceData) -> Place {
        let place = Place::empty();
        data.write_zarr(&place.path("draws/draws.zarr")).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        let mut command = Command::new(env!("CARGO_BIN_EXE_duramen"));
        let output =
            command.current_dir(self.folder.path()).arg("diagnose").args(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ended { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Ended {
    #[track_caller]
    fn says(&self, code: i32, words: &[&str]) {
        let all = format!("exit code {}\n{}\n{}", self.code, self.out, self.err);
        assert_eq!(self.code, code, "{all}");
        for word in words {
            assert!(all.contains(word), "no '{word}' in\n{all}");
        }
    }
}

fn is_figure(path: &Path) -> bool {
    path.with_extension("svg").is_file() && !path.with_extension("png").exists()
}

#[test]
fn good_chains_pass_and_leave_table_figures_and_report() {
    let place = Place::with(&draws(Fault::None, CHAINS));
    let ended = place.run(&["draws", "--strict"]);
    ended.says(0, &["all of 5 parameters that move have converged", "1 of 6 parameters are constant"]);
    assert!(ended.out.starts_with("| parameter "), "{}", ended.out);
    for name in ["transition[full-text, comments]", "lp", "root"] {
        assert!(ended.out.contains(&format!("| {name} ")), "{}", ended.out);
    }
    assert!(!ended.out.contains("states") && !ended.out.contains("moved"), "{}", ended.out);

    let csv = place.read("draws/diagnostics.csv");
    let head =
        "parameter,mean,sd,median,q5,q95,mcse_mean,mcse_sd,ess_bulk,ess_tail,r_hat,geweke_z,verdict,notes";
    assert_eq!(csv.lines().next(), Some(head));
    assert_eq!(csv.lines().count(), 7);
    assert!(csv.contains("\n\"transition[comments, full-text]\","), "{csv}");
    let constant = csv.lines().last().unwrap();
    assert!(constant.starts_with("root,0.25,0,0.25,0.25,0.25,,,,,,,constant,"), "{constant}");
    assert!(constant.contains("every draw of every chain is 0.25"), "{constant}");

    for figure in ["lp", "worst-1", "worst-4"] {
        for kind in ["trace", "ranks", "autocorrelation", "running-mean"] {
            assert!(is_figure(&place.path(&format!("draws/figures/{figure}-{kind}"))), "{figure}-{kind}");
        }
    }
    let report = place.read("draws/report.html");
    for words in
        ["All of 6 parameters have converged", "Trace of lp", "seed: 7", "every draw of every chain is 0.25"]
    {
        assert!(report.contains(words), "{words}");
    }
    let first = &report[..report.find("<details>").unwrap()];
    assert!(first.contains("<p>The chains have converged, in all 6 parameters; nearest to the limits is "));
    assert!(
        first.contains("Trace of lp") && first.contains("Ranks of lp"),
        "the worst quantity of the pages is drawn first"
    );
    // Everything again is the same bytes.
    let before = (place.read("draws/report.html"), csv);
    place.run(&["draws", "--threads", "1"]).says(0, &[]);
    assert!(before == (place.read("draws/report.html"), place.read("draws/diagnostics.csv")));
}

#[test]
fn a_chain_that_stands_elsewhere_is_first_and_strict_ends_with_five() {
    let place = Place::with(&draws(Fault::Shifted, CHAINS));
    let ended = place.run(&["draws", "--strict"]);
    ended.says(
        5,
        &[
            "draws: 1 of 6 parameters have not converged",
            "the worst is transition[comments, full-text]: R-hat 1.",
            "--kernel",
        ],
    );
    assert!(ended.out.lines().nth(2).unwrap().starts_with("| lp "), "{}", ended.out);
    let first = ended.out.lines().nth(3).unwrap();
    assert!(first.starts_with("| transition[comments, full-text]") && first.contains("| R-hat"), "{first}");
    let report = place.read("draws/report.html");
    assert!(report.contains("1 of 6 parameters have NOT converged"));
    assert!(report.contains(
        "<p>The chains have not converged: 1 of 6 parameters miss their limits, the worst is transition[comments, full-text] (R-hat 1."
    ));
    assert!(report.contains("All quantities of the pages have converged. What to do: sample again with"));
    assert!(report.find("Trace of transition[comments, full-text]") < report.find("<details>"));
    // Without --strict it is said, and no failure.
    place.run(&["draws"]).says(0, &["1 of 6 parameters have not converged"]);
    // Other limits, other verdicts.
    place.run(&["draws", "--strict", "--max-rhat", "3", "--min-ess", "2"]).says(0, &["have converged"]);
    place.run(&["draws", "--strict", "--var", "lp", "root"]).says(0, &["all of 1 parameters"]);
    place.run(&["draws", "--strict", "--var", "lp", "--min-ess", "1e6"]).says(5, &["ESS at least 1000000"]);
}

/// Four chains of pages with ten nodes, of which chains 2 and 3 call comments what the others call full text.
#[test]
fn labels_that_chains_have_exchanged_are_named_and_no_sweeps_advised() {
    let mut random = rng::stream(4, "test", &[]);
    let (mut shares, mut probabilities) = (Vec::new(), Vec::new());
    for chain in 0..CHAINS {
        let name = |p: f64| if chain < 2 { [p, 1.0 - p] } else { [1.0 - p, p] };
        (0..DRAWS).for_each(|_| shares.extend(name(0.7 + 0.1 * random.random::<f64>())));
        (0..10).for_each(|node| probabilities.extend(name(if node < 7 { 0.95 } else { 0.1 })));
    }
    let names = || Coordinate::Names(STATES.map(str::to_owned).to_vec());
    let mut data = draws(Fault::None, CHAINS);
    let mut posterior = Group::new();
    let array = Array::new(["chain", "draw", "state"], [CHAINS, DRAWS, 2], shares).unwrap();
    posterior.insert("state_share", array).unwrap();
    posterior.insert_coordinate("state", names()).unwrap();
    posterior.number_draws(CHAINS, DRAWS).unwrap();
    data.insert("posterior", posterior).unwrap();
    Place::with(&data).run(&["draws", "--strict"]).says(5, &["times the sweeps"]);
    let mut nodes = Group::new();
    let array = Array::new(["chain", "node", "state"], [CHAINS, 10, 2], probabilities).unwrap();
    nodes.insert("state_probability", array).unwrap();
    nodes.insert_coordinate("state", names()).unwrap();
    data.insert("node_data", nodes).unwrap();
    let place = Place::with(&data);
    let ended = place.run(&["draws", "--strict"]);
    ended.says(5, &["chains have exchanged the labels full-text, comments", "--states LIST"]);
    assert!(!ended.err.contains("times the sweeps"), "{}", ended.err);
    assert!(place.read("draws/report.html").contains("renamed to those of the first"));
}

#[test]
fn what_has_no_value_fails_unless_nothing_ever_moved() {
    let place = Place::with(&draws(Fault::Holed, CHAINS));
    place.run(&["draws", "--strict"]).says(
        5,
        &[
            "transition[full-text, full-text]: draw 7 of chain 0 is not a finite number",
            "undefined (not-finite)",
            "report it",
        ],
    );
    let place = Place::with(&draws(Fault::None, 1));
    place.run(&["draws", "--strict"]).says(5, &["too few chains: 1", "with four chains (--chains 4)"]);
    // A single chain that never moves may be stuck.
    place.run(&["draws", "--strict", "--var", "root"]).says(5, &["too few chains: 1"]);
}

#[test]
fn variables_are_named_as_in_the_table_and_slips_are_met_with_the_nearest() {
    let place = Place::with(&draws(Fault::None, CHAINS));
    let ended = place.run(&["draws", "--var", "transition[comments, full-text]", "moved", "-o", "out"]);
    ended.says(0, &[]);
    assert_eq!(place.read("out/diagnostics.csv").lines().count(), 3);
    assert!(!place.path("draws/report.html").exists());
    place
        .run(&["draws", "--var", "transitoin"])
        .says(2, &["no draws of 'transitoin'", "did you mean 'transition'?"]);
    place
        .run(&["draws", "--var", "transition[coments, full-text]"])
        .says(2, &["did you mean 'transition[comments, full-text]'?"]);
    place.run(&["draws", "--max-rhat", "1"]).says(2, &["max-rhat is 1", "default is 1.01"]);
    place.run(&["draws", "--min-ess=-3"]).says(2, &["min-ess is -3", "default is 400"]);
}

#[test]
fn only_the_worst_twenty_are_printed_and_all_are_in_the_table() {
    let mut random = rng::stream(3, "test", &[]);
    let values: Vec<f64> = (0..2 * 60 * 30).map(|_| random.random()).collect();
    let mut posterior = Group::new();
    posterior.insert("theta", Array::new(["chain", "draw", "place"], [2, 60, 30], values).unwrap()).unwrap();
    let mut data = InferenceData::new();
    data.insert("posterior", posterior).unwrap();
    let place = Place::with(&data);
    let ended = place.run(&["draws"]);
    ended.says(0, &["10 more in ", "diagnostics.csv"]);
    assert_eq!(ended.out.matches("| theta[").count(), 20);
    assert_eq!(place.read("draws/diagnostics.csv").lines().count(), 31);
}

#[test]
fn statistics_that_the_model_does_not_make_are_marked() {
    let place = Place::with(&with_replicates(draws(Fault::None, CHAINS)));
    let ended = place.run(&["draws", "--ppc"]);
    ended
        .says(0, &["| full-stops | maximum ", "NOT reproduced", "1 of 2 statistics are marked", "by chance"]);
    let csv = place.read("draws/predictive-check.csv");
    assert_eq!(csv.lines().next(), Some("feature,statistic,observed,replicated,q5,q95,p,verdict"));
    let worst = csv.lines().nth(1).unwrap();
    assert!(worst.starts_with("full-stops,maximum,40,0.") && worst.ends_with(",0,NOT reproduced"), "{worst}");
    assert!(csv.lines().nth(2).unwrap().ends_with(",reproduced"));
    assert!(is_figure(&place.path("draws/figures/predictive-check")));
    assert!(place.read("draws/report.html").contains("Posterior predictive check"));
    let place = Place::with(&draws(Fault::None, CHAINS));
    place.run(&["draws", "--ppc"]).says(3, &["no group 'posterior_predictive'", "duramen sample"]);
}

#[test]
fn folders_without_draws_and_damaged_stores_are_named_with_the_remedy() {
    let place = Place::with(&draws(Fault::None, CHAINS));
    place.run(&["nowhere"]).says(3, &["nowhere: there is no such folder", "duramen sample"]);
    std::fs::create_dir_all(place.path("bare")).unwrap();
    place.run(&["bare"]).says(3, &["bare: holds no draws: draws.zarr is missing", "duramen sample"]);
    std::fs::create_dir_all(place.path("bare/checkpoint")).unwrap();
    place.run(&["bare"]).says(3, &["the chains are not finished", "same command"]);
    // The store itself will do.
    place.run(&["draws/draws.zarr", "-o", "out"]).says(0, &["have converged"]);

    let chunk = std::fs::read_dir(place.path("draws/draws.zarr/sample_stats/lp/c/0")).unwrap();
    let chunk = chunk.map(|entry| entry.unwrap().path()).find(|path| path.is_file()).unwrap();
    let whole = std::fs::read(&chunk).unwrap();
    std::fs::write(&chunk, &whole[..whole.len() / 2]).unwrap();
    place.run(&["draws"]).says(3, &["sample_stats/lp/c/0", "duramen sample"]);
    std::fs::remove_file(&chunk).unwrap();
    place.run(&["draws"]).says(3, &["sample_stats/lp/c/0", "is missing", "duramen sample"]);
    let metadata = place.path("draws/draws.zarr/posterior/root/zarr.json");
    std::fs::write(&metadata, "{").unwrap();
    place.run(&["draws"]).says(3, &["posterior/root", "duramen sample"]);

    let mut none = InferenceData::new();
    none.insert("posterior", Group::new()).unwrap();
    Place::with(&none).run(&["draws"]).says(3, &["no draws of parameters"]);
}

#[test]
fn help_has_an_example_and_the_defaults() {
    let ended = Place::empty().run(&["--help"]);
    ended.says(0, &["duramen diagnose draws --strict", "[default: 1.01]", "[default: 400]", "exit code 5"]);
    let all = Command::new(env!("CARGO_BIN_EXE_duramen")).arg("--help").output().unwrap();
    assert!(String::from_utf8(all.stdout).unwrap().contains("diagnose"));
}
