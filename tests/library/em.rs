//! EM: its objective never falls, it finds the parameters that made pages, and its bytes depend on the pages alone.

use crate::support::{self, StepCount};
use duramen::alignment::find_text;
use duramen::dataset;
use duramen::dataset::labelled::{LabelledCorpus, PageGold};
use duramen::dataset::synth::SynthConfig;
use duramen::features::{Column, FeatureMatrix};
use duramen::inference::em::learn;
use duramen::inference::{EmConfig, ExpectedCounts, PartialPage};
use duramen::model::counts::{Counts, FRACTION_BITS, FeatureCounts};
use duramen::model::{
    Family, FeatureUse, Model, ModelConfig, Parameters, PermittedStates, Priors, StateSet, StateSpace,
    TargetStates, TextGoldLabels, TransitionKind,
};
use duramen::progress::Silent;
use duramen::rng::{self, Rng};
use duramen::training::{TextGoldReport, Trainer, TrainingPage, TrainingSettings, UnlabelledPages};
use duramen::view::{NONE, Tree, View};
use duramen::{Label, LabelSet};
use rand::RngExt;

/// Six states, a category and two counts, one geometric and one in bins.
fn config(transition: TransitionKind) -> ModelConfig {
    let features = [
        ("region", Family::DirichletCategorical),
        ("words", Family::BetaGeometric),
        ("full-stops", Family::DirichletCategorical),
    ];
    ModelConfig {
        view: View::Blocks,
        states: StateSpace::Labels,
        transition,
        sibling_types: false,
        child_types: false,
        inner_tables: false,
        features: features.map(|(id, family)| FeatureUse { id: id.to_owned(), family }).to_vec(),
        layout: None,
        boosted: None,
        decision: Default::default(),
        priors: Priors::default(),
    }
}

/// What made the pages: the probabilities of states and of the features' values.
struct Truth {
    transition: TransitionKind,
    /// \[parent or root\]\[previous or none\], each a distribution of states.
    rows: Vec<Vec<Vec<f64>>>,
    /// Of the category, by state.
    category: Vec<Vec<f64>>,
    /// p of the geometric count, by state.
    p: Vec<f64>,
    /// Of the binned count from 0, by state.
    binned: Vec<Vec<f64>>,
}

const K: usize = Label::COUNT;

fn distribution(n: usize, sharpness: f64, rng: &mut Rng) -> Vec<f64> {
    let weights: Vec<f64> = (0..n).map(|_| (sharpness * rng.random::<f64>()).exp()).collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

fn draw(distribution: &[f64], rng: &mut Rng) -> usize {
    let mut left = rng.random::<f64>();
    for (value, p) in distribution.iter().enumerate() {
        left -= p;
        if left < 0.0 {
            return value;
        }
    }
    distribution.len() - 1
}

impl Truth {
    fn new(transition: TransitionKind, rng: &mut Rng) -> Truth {
        let categories = category_count(transition);
        Truth {
            transition,
            rows: (0..=K).map(|_| (0..=K).map(|_| distribution(K, 4.0, rng)).collect()).collect(),
            category: (0..K).map(|_| distribution(categories, 5.0, rng)).collect(),
            p: (0..K).map(|state| [0.5, 0.05, 0.01, 0.2, 0.1, 0.02][state]).collect(),
            binned: (0..K).map(|_| distribution(5, 5.0, rng)).collect(),
        }
    }

    /// A page of `n` nodes with its states.
    fn page(&self, n: usize, rng: &mut Rng) -> (Tree, FeatureMatrix, Vec<u8>) {
        let mut parents = vec![NONE];
        for _ in 1..n {
            // In preorder the parent of the next node is the last node or one of its ancestors.
            let mut parent = parents.len() as u32 - 1;
            while parents[parent as usize] != NONE && rng.random_bool(0.6) {
                parent = parents[parent as usize];
            }
            parents.push(parent);
        }
        let tree = Tree::from_parents(parents);
        let mut states: Vec<u8> = Vec::new();
        for v in 0..n as u32 {
            let state = |node: u32| if node == NONE { K } else { states[node as usize] as usize };
            let previous = match self.transition {
                TransitionKind::Parent => K,
                TransitionKind::ParentAndPreviousSibling => state(tree.previous_sibling(v)),
            };
            states.push(draw(&self.rows[state(tree.parent(v))][previous], rng) as u8);
        }
        let mut columns = [Vec::new(), Vec::new(), Vec::new()];
        for state in states.iter().map(|&state| state as usize) {
            columns[0].push(draw(&self.category[state], rng) as u32);
            let words = (rng.random::<f64>().ln() / (1.0 - self.p[state]).ln()).floor();
            columns[1].push(words as u32);
            columns[2].push(draw(&self.binned[state], rng) as u32);
        }
        (tree, FeatureMatrix { columns: columns.map(Column::Values).to_vec() }, states)
    }
}

fn category_count(kind: TransitionKind) -> usize {
    Model::new(config(kind)).unwrap().specs()[0].kind.categories()
}

/// Sets of states that hold the true one.
fn sets_around(states: &[u8], how: impl Fn(&mut Rng) -> f64, rng: &mut Rng) -> Vec<StateSet> {
    let set = |&state: &u8| {
        let share = how(rng);
        let others = (0..K).filter(|_| rng.random_bool(share));
        others.map(StateSet::only).fold(StateSet::only(state.into()), StateSet::or)
    };
    states.iter().map(set).collect()
}

fn partial(page: (Tree, FeatureMatrix, Vec<u8>), sets: &[StateSet], source: &str) -> PartialPage {
    let (tree, features, _) = page;
    let permitted = PermittedStates::new(&tree, StateSpace::Labels, sets).unwrap();
    PartialPage { tree, features, permitted, source: source.to_owned() }
}

/// A model of a few labelled pages, and many pages of the same making with partial labels.
fn problem(
    kind: TransitionKind,
    labelled: usize,
    pages: usize,
    seed: u64,
) -> (Truth, Model, Vec<PartialPage>, Model) {
    let mut rng = rng::stream(seed, "em-problem", &[pages as u64]);
    let truth = Truth::new(kind, &mut rng);
    let mut model = Model::new(config(kind)).unwrap();
    let mut complete = model.clone();
    for _ in 0..labelled {
        let (tree, features, states) = truth.page(30, &mut rng);
        let states = TargetStates::new(&tree, StateSpace::Labels, states);
        model.observe_states(&tree, &features, &states, "labelled");
        complete.observe_states(&tree, &features, &states, "labelled");
    }
    let pages = (0..pages)
        .map(|number| {
            let page = truth.page(30, &mut rng);
            let states = TargetStates::new(&page.0, StateSpace::Labels, page.2.clone());
            complete.observe_states(&page.0, &page.1, &states, "labelled");
            // Without labels, with sets, and both.
            let how = |rng: &mut Rng| [1.0, 0.4, rng.random()][number % 3];
            let sets = sets_around(&page.2, how, &mut rng);
            partial(page, &sets, "partial")
        })
        .collect();
    (truth, model, pages, complete)
}

fn unending(iterations: u32) -> EmConfig {
    EmConfig { iterations, tolerance: 0.0 }
}

const KINDS: [TransitionKind; 2] = [TransitionKind::Parent, TransitionKind::ParentAndPreviousSibling];

/// The objectives of EM written out, with a step that may be wrong on purpose.
fn climb(model: &Model, pages: &[PartialPage], steps: u32, step: impl Fn(&mut Counts)) -> Vec<f64> {
    let mut parameters = Parameters::mean(model.config(), model.counts());
    let mut objectives = Vec::new();
    for _ in 0..steps {
        let mut expected = ExpectedCounts::new(model.config()).unwrap();
        pages.iter().for_each(|page| expected.observe(model, &parameters, page));
        objectives.push(parameters.ln_density(model.config(), model.counts()) + expected.ln_evidence());
        let mut counts = model.counts().clone();
        counts.merge(expected.counts()).unwrap();
        step(&mut counts);
        parameters = Parameters::mean(model.config(), &counts);
    }
    objectives
}

/// The largest fall of the objective as a share of its size; 0 or less if it never fell.
fn largest_fall(objectives: &[f64]) -> f64 {
    objectives.windows(2).map(|pair| (pair[0] - pair[1]) / pair[1].abs()).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn the_objective_never_falls_and_a_wrong_step_is_seen() {
    let mut fallen = [0; 2];
    for kind in KINDS {
        for seed in 0..6 {
            let (_, model, pages, _) = problem(kind, 3, 20, seed);
            let told = StepCount::default();
            let em = learn(&model, &model, &pages, &unending(30), &told).unwrap();
            assert_eq!(em.iterations.len(), told.steps());
            let objectives: Vec<f64> = em.iterations.iter().map(|iteration| iteration.objective).collect();
            // What is left to rounding: a unit for each node.
            assert!(largest_fall(&objectives) < 1e-9, "seed {seed}: {objectives:?}");
            let first = objectives.len().min(10);
            let gain = (objectives[first - 1] - objectives[0]) / objectives[0].abs();
            assert!(gain > 0.01, "seed {seed}: {objectives:?}");
            let own = climb(&model, &pages, first as u32, |_| ());
            assert!(own.iter().zip(&objectives).all(|(a, b)| (a - b).abs() < 1e-6 * b.abs()));
            let transposed = |counts: &mut Counts| {
                let before = counts.transitions.clone();
                for (at, count) in counts.transitions.iter_mut().enumerate() {
                    let (parent, previous, state) = (at / K / (K + 1), at / K % (K + 1), at % K);
                    if parent < K {
                        *count = before[(state * (K + 1) + previous) * K + parent];
                    }
                }
            };
            let swapped = |counts: &mut Counts| {
                let FeatureCounts::Geometric(statistics) = &mut counts.features[1] else { panic!("words") };
                statistics.swap(0, 2);
            };
            fallen[0] += u32::from(largest_fall(&climb(&model, &pages, 12, transposed)) > 1e-9);
            fallen[1] += u32::from(largest_fall(&climb(&model, &pages, 12, swapped)) > 1e-9);
        }
    }
    assert!(fallen.iter().all(|&times| times >= 11), "{fallen:?} of 12");
}

/// The root of the mean squared difference of probabilities that at least 200 nodes speak for.
fn distance(truth: &Truth, model: &Model, complete: &Model) -> f64 {
    let parameters = Parameters::mean(model.config(), model.counts());
    let (mut sum, mut n) = (0.0, 0);
    for (a, rows) in truth.rows.iter().enumerate() {
        for (s, row) in rows.iter().enumerate() {
            let start = (a * (K + 1) + s) * K;
            let seen: u64 = complete.counts().transitions[start..start + K].iter().sum();
            if seen < 200 {
                continue;
            }
            for (p, ln) in row.iter().zip(parameters.transition.row(a, s)) {
                sum += (p - ln.exp()).powi(2);
                n += 1;
            }
        }
    }
    assert!(n >= 36, "{n}");
    (sum / f64::from(n)).sqrt()
}

#[test]
fn em_finds_the_parameters_that_made_the_pages() {
    for kind in KINDS {
        let (truth, labelled, pages, complete) = problem(kind, 8, 500, 7);
        let config = EmConfig { iterations: 60, tolerance: 1e-7 };
        let em = learn(&labelled, &labelled, &pages, &config, &Silent).unwrap();
        let [few, learned, all] = [&labelled, &em.model, &complete].map(|m| distance(&truth, m, &complete));
        assert!(learned < 0.03 && learned < few / 2.0, "{few} {learned} {all}");
        assert!(all < learned, "labels of all pages tell more: {all} {learned}");
        let FeatureCounts::Geometric(statistics) = &em.model.counts().features[1] else { panic!("words") };
        for (state, (statistic, p)) in statistics.iter().zip(&truth.p).enumerate() {
            let found = (statistic.n as f64) / (statistic.n + statistic.sum) as f64;
            assert!((found / p).ln().abs() < 0.15, "state {state}: {found}, {p} made the pages");
        }
    }
}

#[test]
fn known_states_give_the_counted_model_in_one_iteration_to_the_byte() {
    let (_, labelled, _, _) = problem(TransitionKind::Parent, 3, 0, 1);
    let mut rng = rng::stream(5, "known", &[]);
    let truth = Truth::new(TransitionKind::Parent, &mut rng);
    let mut counted = labelled.clone();
    let mut pages = Vec::new();
    for _ in 0..10 {
        let page = truth.page(40, &mut rng);
        let states = TargetStates::new(&page.0, StateSpace::Labels, page.2.clone());
        counted.observe_states(&page.0, &page.1, &states, "known");
        let sets: Vec<StateSet> = page.2.iter().map(|&state| StateSet::only(state.into())).collect();
        pages.push(partial(page, &sets, "known"));
    }
    let em = learn(&labelled, &labelled, &pages, &unending(1), &Silent).unwrap();
    assert_eq!(em.model.to_json(), counted.to_json());
    assert!(em.model.to_json().contains("\"version\":1,"));
}

#[test]
fn bytes_are_the_same_at_any_thread_count_and_page_order_and_halves_merge_to_the_whole() {
    for kind in KINDS {
        let (_, labelled, pages, _) = problem(kind, 4, 30, 3);
        let config = EmConfig { iterations: 5, tolerance: 0.0 };
        let whole = learn(&labelled, &labelled, &pages, &config, &Silent).unwrap();
        let mut order = pages.clone();
        order.reverse();
        order.rotate_left(7);
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let again = pool.install(|| learn(&labelled, &labelled, &order, &config, &Silent)).unwrap();
            assert_eq!(again.model.to_json(), whole.model.to_json(), "{threads} threads");
            assert_eq!(again.iterations, whole.iterations);
        }
        let empty = Model::new(labelled.config().clone()).unwrap();
        let one = learn(&labelled, &labelled, &pages, &unending(1), &Silent).unwrap().model;
        let of = |base: &Model, pages: &[PartialPage]| {
            learn(base, &labelled, pages, &unending(1), &Silent).unwrap().model
        };
        let mut merged = of(&labelled, &pages[..13]);
        let half = of(&empty, &pages[13..]);
        let first = merged.clone();
        merged.merge(&half).unwrap();
        assert_eq!(merged.to_json(), one.to_json());
        assert_eq!(merged, one);
        merged.subtract(&half).unwrap();
        assert_eq!(merged.to_json(), first.to_json());
        let mut rest = one.clone();
        rest.subtract(&of(&empty, &pages)).unwrap();
        assert_eq!(rest.to_json(), labelled.to_json(), "without the expected counts all are whole again");
    }
}

#[test]
fn fractional_models_are_saved_read_and_shown_and_older_programs_are_told() {
    let (_, labelled, pages, _) = problem(TransitionKind::Parent, 3, 6, 4);
    let model = learn(&labelled, &labelled, &pages, &unending(3), &Silent).unwrap().model;
    let json = model.to_json();
    assert!(json.contains("\"version\":2,") && json.contains("\"fraction-bits\":24"), "{}", &json[..300]);
    assert!(!labelled.to_json().contains("fraction"));
    let back = Model::from_json(&json, "m").unwrap();
    assert_eq!((&back, back.to_json()), (&model, json.clone()));
    assert_eq!(back.parameters().transition, model.parameters().transition);
    let wrong =
        Model::from_json(&json.replace("\"version\":2", "\"version\":1"), "m").unwrap_err().to_string();
    assert!(wrong.contains("\"version\" does not go with its \"fraction-bits\""), "{wrong}");
    let text = model.to_text();
    assert!(text.contains(&format!("nodes {}", model.counts().nodes)), "{text}");
    // Rows of transitions sum to what their nodes are: a decimal each, and no numbers of units.
    let largest = model.counts().transitions.iter().max().unwrap();
    assert!(*largest > 1 << FRACTION_BITS && !text.contains(&largest.to_string()));
    // A column of expected counts has the same share of nodes and mean as in the counts.
    let FeatureCounts::Geometric(words) = &model.counts().features[1] else { panic!("words") };
    let mean = format!("{:.2}", words[2].sum as f64 / words[2].n as f64);
    assert!(text.contains(&mean), "{mean} in {text}");
    // Counting goes on in the finer unit.
    let mut more = model.clone();
    let mut rng = rng::stream(6, "more", &[]);
    let (tree, features, states) = Truth::new(TransitionKind::Parent, &mut rng).page(30, &mut rng);
    let states = TargetStates::new(&tree, StateSpace::Labels, states);
    more.observe_states(&tree, &features, &states, "more");
    let mut alone = Model::new(model.config().clone()).unwrap();
    alone.observe_states(&tree, &features, &states, "more");
    let mut merged = model.clone();
    merged.merge(&alone).unwrap();
    assert_eq!(more.to_json(), merged.to_json());
    more.subtract(&alone).unwrap();
    assert_eq!(more, model);
}

#[test]
fn wrong_settings_and_starts_are_refused_with_range_default_and_remedy() {
    let (_, labelled, pages, _) = problem(TransitionKind::Parent, 1, 2, 5);
    let empty = Model::new(labelled.config().clone()).unwrap();
    let message = |labelled: &Model, start: &Model, pages: &[PartialPage], config: EmConfig| {
        let error = learn(labelled, start, pages, &config, &Silent).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        error.to_string()
    };
    let usual = EmConfig::default();
    for (iterations, tolerance, said) in [
        (0, 0.0, "iterations of EM is 0; it must be from 1 to 10000; the default is 20"),
        (10_001, 0.0, "10001"),
        (1, 1.0, "the tolerance of EM is 1; it must be at least 0 and below 1"),
        (1, -0.1, "-0.1"),
        (1, f64::NAN, "NaN"),
    ] {
        let said_so = message(&labelled, &labelled, &pages, EmConfig { iterations, tolerance });
        assert!(said_so.contains(said), "{said_so}");
    }
    assert!(message(&empty, &empty, &pages, usual).contains("start from a trained model"));
    assert!(message(&labelled, &labelled, &[], usual).contains("no page to learn from"));
    let other = Model::new(config(KINDS[1])).unwrap();
    assert!(message(&labelled, &other, &pages, usual).contains("another configuration"));
    let thesis = Model::new(ModelConfig::thesis()).unwrap();
    assert!(message(&thesis, &thesis, &pages, usual).contains("sibling-types = false"));
    let mut huge = pages.clone();
    let Column::Values(words) = &mut huge[0].features.columns[1] else { panic!("words") };
    words.fill(u32::MAX);
    huge.resize(60, huge[0].clone());
    assert!(message(&labelled, &labelled, &huge, usual).contains("learn from fewer pages"));
}

#[test]
fn reference_texts_and_unlabelled_pages_are_taken_in_as_far_as_they_are_known() {
    let config = SynthConfig { sites: 6, pages_per_site: 2, seed: 9, ..SynthConfig::default() };
    let mut corpus = LabelledCorpus::synthetic(&config, None, false).unwrap();
    let counted = {
        let pages = TrainingPage::from_corpus(&corpus, &Silent).0;
        trainer(None).count(&pages, &[], &Silent).unwrap()
    };
    assert!(counted.partial.is_empty());
    assert_eq!(counted.model.pages(), 12);
    let mut truth = Vec::new();
    for (number, page) in corpus.pages.iter_mut().enumerate() {
        let (_, article) =
            page.gold_texts.iter().find(|(name, _)| name.labels() == LabelSet::ARTICLE).unwrap();
        let PageGold::Tokens(gold) = &page.gold else { panic!("synth is annotated") };
        let view = counted.model.observation(&page.page).unwrap().view;
        truth.push(TargetStates::from_tokens(&view, StateSpace::LabelsAndMixed, |id| gold.counts(id)));
        let text = if number == 3 { "words that stand nowhere".to_owned() } else { article.clone() };
        page.gold = PageGold::Text(duramen::dataset::TextGold { text, ..Default::default() });
    }
    let (pages, left_out) = TrainingPage::from_corpus(&corpus, &Silent);
    assert!(left_out.is_empty());
    let error = trainer(None).count(&pages, &[], &Silent).unwrap_err();
    for way in ["learn weights too", "learn by EM", "a corpus with labels"] {
        assert!(error.to_string().contains(way), "{error}");
    }
    let report = TextGoldReport::new(&pages);
    let by_em = || trainer(Some(unending(2))).starting_from(counted.model.clone()).unwrap();
    let set = by_em().count(&pages, &[], &Silent).unwrap();
    assert_eq!((set.model.pages(), set.partial.len()), (0, 12));
    assert_eq!(report.listed.len(), 1, "{:?}", report.listed);
    assert_eq!(report.listed[0].0, corpus.pages[3].page.id());
    assert!(report.tokens.0 as f64 > 0.98 * report.tokens.1 as f64, "{:?}", report.tokens);
    let (mut held, mut nodes) = (0, 0);
    for (page, states) in set.partial.iter().zip(&truth) {
        for (v, &state) in states.as_slice().iter().enumerate() {
            held += u32::from(page.permitted.at(v as u32).contains(state.into()));
            nodes += 1;
        }
    }
    assert!(f64::from(held) > 0.98 * f64::from(nodes), "{held} of {nodes} true states permitted");
    let unlabelled = UnlabelledPages::new(corpus.pages.into_iter().map(|page| page.page).collect());
    let of_nothing = by_em().count(&[], &[unlabelled], &Silent).unwrap();
    assert_eq!((of_nothing.model.pages(), of_nothing.partial.len()), (0, 12));
    assert!(of_nothing.partial[11].source.starts_with("unlabelled@"));
    let partial = [set.partial, of_nothing.partial].concat();
    let em = learn(&counted.model, &counted.model, &partial, &unending(2), &Silent).unwrap();
    assert_eq!(em.model.pages(), 36);
}

fn trainer<'a>(em: Option<EmConfig>) -> Trainer<'a> {
    Trainer::new(ModelConfig::blocks(), TrainingSettings { em, ..TrainingSettings::default() }).unwrap()
}

/// How many nodes and tokens of annotated pages keep their true state among those that a reference text permits, which is
/// made of their own labels.
fn true_states_permitted(corpus: &LabelledCorpus, model: &Model) -> (f64, f64) {
    let (mut nodes, mut held, mut tokens, mut tokens_held) = (0.0, 0.0, 0.0, 0.0);
    for page in &corpus.pages {
        let PageGold::Tokens(gold) = &page.gold else { panic!("the corpus is annotated") };
        let (_, article) =
            page.gold_texts.iter().find(|(name, _)| name.labels() == LabelSet::ARTICLE).unwrap();
        let found = find_text(page.page.dom(), article).unwrap();
        let (view, space) = (model.observation(&page.page).unwrap().view, model.config().states);
        let truth = TargetStates::from_tokens(&view, space, |id| gold.counts(id));
        let labels = TextGoldLabels::default();
        let permitted =
            PermittedStates::from_text_gold(&view, space, &labels, |id| found.counts(id)).unwrap();
        for (v, &state) in truth.as_slice().iter().enumerate() {
            let is_held = f64::from(u8::from(permitted.at(v as u32).contains(state.into())));
            nodes += 1.0;
            held += is_held;
            if view.tree.is_leaf(v as u32) {
                let texts = &view.texts[view.nodes[v].texts.start as usize..view.nodes[v].texts.end as usize];
                let n: u32 = texts.iter().map(|&id| found.counts(id).1).sum();
                tokens += f64::from(n);
                tokens_held += f64::from(n) * is_held;
            }
        }
    }
    (held / nodes, tokens_held / tokens)
}

#[test]
fn real_pages_with_labels_and_with_reference_texts_are_learned_from_together() {
    let (Some(l3s), Some(wcxb)) = (support::corpus("l3s-gn1"), support::corpus("wcxb/dev")) else { return };
    let corpora = [("l3s-gn1", &l3s), ("wcxb/dev", &wcxb)].map(|(name, data_dir)| {
        let corpus = dataset::open(name, data_dir).unwrap();
        (name, LabelledCorpus::read(&corpus, Some(40), false, &Silent).unwrap())
    });
    let empty = Model::new(ModelConfig::blocks()).unwrap();
    let mut all_pages = Vec::new();
    for (name, corpus) in &corpora {
        let (pages, left_out) = TrainingPage::from_corpus(corpus, &Silent);
        let report = TextGoldReport::new(&pages);
        let (found, all) = report.tokens;
        if *name == "l3s-gn1" {
            let (nodes, tokens) = true_states_permitted(corpus, &empty);
            println!("true states permitted: {nodes:.4} of nodes, {tokens:.4} of tokens");
            assert!(nodes > 0.995 && tokens > 0.995, "{nodes} {tokens}");
        }
        if *name == "wcxb/dev" {
            assert!(found as f64 > 0.97 * all as f64, "{found} of {all}");
            assert!(report.listed.len() < 5 && left_out.is_empty(), "{report:?} {left_out:?}");
        } else {
            assert_eq!((found, all), (0, 0));
        }
        all_pages.extend(pages);
    }
    let set = trainer(Some(unending(4))).count(&all_pages, &[], &Silent).unwrap();
    let trained = trainer(Some(unending(4))).train(all_pages, &[], &Silent).unwrap();
    let em = trained.em.unwrap();
    assert_eq!(em.model, trained.model);
    let objectives: Vec<f64> = em.iterations.iter().map(|iteration| iteration.objective).collect();
    assert!(largest_fall(&objectives) < 0.0, "{objectives:?}");
    assert_eq!(em.model.pages(), set.model.pages() + set.partial.len() as u64);
}
