//! `Monitor`, what of a chain is written down after a sweep that is kept: a row of numbers with their names.
//!
//! - `lp`, `moved` (share of nodes whose state changed), `accepted` (share of pages whose proposal was accepted);
//! - `state_share`: the share of nodes in each state; `kept_words`: the share of words in headline, full text and
//!   supplemental, if the words of all pages are known;
//! - the parameters: `transition`, `root` (the state of the root), `sibling_types`, `child_types` and `emission_*`;
//! - `features`, the log-likelihood of each page, where [`GibbsConfig::has_likelihood`](super::GibbsConfig::has_likelihood).
//!
//! Of a categorical feature the categories that are on the pages have a column each, and all others one together: what
//! the pages say nothing of is known from training alone, and the sum of its probabilities is a Dirichlet's too.
//!
//! Parameters of a state that no node may have are not written down: no draw of states enters them, so that their draws
//! are independent ones from what training alone says.

use super::chain::{Chain, Sampler};
use super::pages::PageData;
use super::prior_only::prior_only;
use super::settings::{Kernel, ParameterUse};
use super::tables::FeatureTable;
use crate::dist::DirichletRows;
use crate::label::{Label, LabelSet};
use crate::model::parameters::FeatureParameters;
use crate::model::{Parameters, StateSet, TransitionKind};

/// One array of what is written down: its name, and its dimensions with the names of their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Dimensions, without chain and draw.
    pub dims: Vec<(String, Vec<String>)>,
    /// What it is.
    pub group: VariableGroup,
}

/// What a variable is, by the group of ArviZ that it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableGroup {
    /// `posterior`: a parameter or a function of the states.
    Posterior,
    /// `sample_stats`: a statistic of the sampler.
    SampleStats,
    /// `log_likelihood`: of each page.
    LogLikelihood,
}

impl Variable {
    /// How many numbers it has.
    pub fn len(&self) -> usize {
        self.dims.iter().map(|(_, names)| names.len()).product()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Reads the numbers of a chain.
pub struct Monitor {
    variables: Vec<Variable>,
    width: usize,
    parameters: bool,
    likelihood: bool,
    used: UsedStates,
    /// The words of all pages, if they are known.
    words: Option<u64>,
}

/// The states that nodes of the pages may have.
#[derive(Clone, Copy)]
pub(super) struct UsedStates {
    pub leaf: StateSet,
    pub inner: StateSet,
}

impl UsedStates {
    fn new(sampler: &Sampler<'_>) -> Self {
        let none = StateSet::first(0);
        let mut used = UsedStates { leaf: none, inner: none };
        for page in sampler.page_data() {
            for v in 0..page.tree.len() as u32 {
                let set = if page.tree.is_leaf(v) { &mut used.leaf } else { &mut used.inner };
                *set = set.or(page.permitted.at(v));
            }
        }
        used
    }

    /// Those of any node.
    pub fn any(self) -> StateSet {
        self.leaf.or(self.inner)
    }

    /// Whether a node can be in a column of the emission tables.
    pub fn has_column(self, column: u32, k: usize, inner_tables: bool) -> bool {
        let column = column as usize;
        match inner_tables {
            true if column < k => self.leaf.contains(column),
            true => self.inner.contains(column - k),
            false => self.any().contains(column),
        }
    }
}

/// The name of the column of all categories that are on no page.
const OTHERS: &str = "(others)";

impl Monitor {
    /// What there is to write down of the chains of a sampler.
    pub fn new(sampler: &Sampler<'_>) -> Monitor {
        let config = sampler.model().config();
        let settings = sampler.settings();
        let k = config.states.len();
        let states: Vec<String> = (0..k).map(|state| config.states.name(state).to_owned()).collect();
        let dim = |name: &str, places: &[String]| (name.to_owned(), places.to_vec());
        let of = |group: VariableGroup, name: &str, dims: Vec<(String, Vec<String>)>| Variable {
            name: name.to_owned(),
            dims,
            group,
        };
        let statistic = |name: &str| of(VariableGroup::SampleStats, name, Vec::new());
        let variable = |name: &str, dims| of(VariableGroup::Posterior, name, dims);
        let mut variables = vec![statistic("lp"), statistic("moved")];
        if settings.kernel == Kernel::Blocked && settings.parameters == ParameterUse::Collapsed {
            variables.push(statistic("accepted"));
        }
        variables.push(variable("state_share", vec![dim("state", &states)]));
        let words = total_words(sampler);
        if words.is_some() {
            variables.push(variable("kept_words", Vec::new()));
        }
        let parameters = settings.parameters != ParameterUse::Fixed;
        let used = UsedStates::new(sampler);
        if parameters {
            let names = |set: StateSet| set.iter().map(|state| states[state].clone()).collect::<Vec<_>>();
            let mut rows = vec![dim("parent", &names(used.inner))];
            if config.transition == TransitionKind::ParentAndPreviousSibling {
                let previous: Vec<String> =
                    names(used.any()).into_iter().chain(["start".to_owned()]).collect();
                rows.push(dim("previous_sibling", &previous));
            }
            rows.push(dim("state", &states));
            variables.push(variable("transition", rows));
            variables.push(variable("root", vec![dim("state", &states)]));
            let pairs = |other: &str| vec![dim("state", &states), dim(other, &states)];
            let tables = sampler.tables();
            if tables.siblings.is_some() {
                variables.push(variable("sibling_types", pairs("sibling_state")));
            }
            if tables.children.is_some() {
                variables.push(variable("child_types", pairs("child_state")));
            }
            for (table, spec) in tables.features.iter().zip(sampler.model().specs()) {
                let id = spec.id.replace('-', "_");
                let columns = table.columns().iter();
                let columns = columns.filter(|&&column| used.has_column(column, k, config.inner_tables));
                let columns = columns.map(|&column| {
                    let state = &states[column as usize % k];
                    match config.inner_tables {
                        true if (column as usize) < k => format!("leaf {state}"),
                        true => format!("inner {state}"),
                        false => state.clone(),
                    }
                });
                let mut dims = vec![("node_state".to_owned(), columns.collect())];
                if let FeatureTable::Dirichlet(rows) = table {
                    let (_, live) = rows.in_use();
                    let names = live.iter().map(|&category| spec.kind.category_name(category as usize));
                    let others = rows.has_others().then(|| OTHERS.to_owned());
                    dims.push((format!("{id}_value"), names.chain(others).collect()));
                }
                variables.push(variable(&format!("emission_{id}"), dims));
            }
        }
        let likelihood = settings.has_likelihood(config);
        if likelihood {
            let pages = (0..sampler.pages()).map(|page| page.to_string()).collect();
            variables.push(of(VariableGroup::LogLikelihood, "features", vec![("page".to_owned(), pages)]));
        }
        let width = variables.iter().map(Variable::len).sum();
        Monitor { variables, width, parameters, likelihood, used, words }
    }

    /// The arrays, in the order of their numbers in a row.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The states that nodes of the pages may have.
    pub fn states(&self) -> StateSet {
        self.used.any()
    }

    /// Of each parameter, which are the last variables of the posterior, whether it is of the prior alone: given the states that some
    /// draw has each node in.
    pub(super) fn prior_only(&self, sampler: &Sampler<'_>, seen: &[StateSet]) -> Vec<bool> {
        if self.parameters { prior_only(sampler, self.used, seen) } else { Vec::new() }
    }

    /// The numbers in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Appends a row: the numbers of a chain after its last sweep.
    pub fn write(&self, chain: &mut Chain<'_, '_>, row: &mut Vec<f64>) {
        let end = row.len() + self.width;
        let moved = chain.moved();
        let nodes = chain.sampler().nodes().max(1) as f64;
        row.push(chain.ln_joint());
        row.push(moved.nodes as f64 / nodes);
        let settings = *chain.sampler().settings();
        if settings.kernel == Kernel::Blocked && settings.parameters == ParameterUse::Collapsed {
            row.push(moved.accepted as f64 / chain.sampler().pages().max(1) as f64);
        }
        let states: Vec<&[u8]> = (0..chain.sampler().pages()).map(|page| chain.states(page)).collect();
        self.write_states(chain.sampler(), &states, row);
        if self.parameters {
            let sampler = chain.sampler();
            write_parameters(sampler, self.used, chain.parameters(), row);
        }
        if self.likelihood {
            row.extend(chain.ln_likelihoods());
        }
        assert_eq!(row.len(), end, "every number has its name");
    }
    /// Whether there is a likelihood of pages.
    pub(super) fn has_likelihood(&self) -> bool {
        self.likelihood
    }

    /// Appends the part of a row that is the posterior's, of any states of all pages and parameters.
    pub(super) fn write_draw(
        &self,
        sampler: &Sampler<'_>,
        states: &[&[u8]],
        parameters: &Parameters,
        row: &mut Vec<f64>,
    ) {
        self.write_states(sampler, states, row);
        if self.parameters {
            write_parameters(sampler, self.used, parameters, row);
        }
    }

    fn write_states(&self, sampler: &Sampler<'_>, states: &[&[u8]], row: &mut Vec<f64>) {
        let nodes = sampler.nodes().max(1) as f64;
        let mut in_state = vec![0u64; sampler.tables().k];
        states.iter().copied().flatten().for_each(|&state| in_state[usize::from(state)] += 1);
        row.extend(in_state.iter().map(|&n| n as f64 / nodes));
        if let Some(words) = self.words {
            row.push(kept_words(sampler, states) as f64 / words as f64);
        }
    }
}

/// The words of all pages, if they are known of each and there are some.
fn total_words(sampler: &Sampler<'_>) -> Option<u64> {
    let of_page = |page: &PageData<'_>| page.words.iter().copied().map(u64::from).sum::<u64>();
    let are_known = sampler.page_data().all(|page| page.words.len() == page.tree.len());
    let total: u64 = sampler.page_data().map(of_page).sum();
    (are_known && total > 0).then_some(total)
}

/// The words that are in a state of the article.
fn kept_words(sampler: &Sampler<'_>, states: &[&[u8]]) -> u64 {
    let is_kept =
        |state: u8| Label::from_index(state.into()).is_some_and(|label| LabelSet::ARTICLE.contains(label));
    let pages = sampler.page_data().zip(states);
    pages
        .flat_map(|(page, &states)| page.words.iter().zip(states))
        .filter(|&(_, &state)| is_kept(state))
        .map(|(&words, _)| u64::from(words))
        .sum()
}

fn write_parameters(sampler: &Sampler<'_>, used: UsedStates, parameters: &Parameters, row: &mut Vec<f64>) {
    let tables = sampler.tables();
    let k = tables.k;
    let probabilities = |ln: &[f64]| ln.iter().map(|ln| ln.exp()).collect::<Vec<f64>>();
    let transition = &parameters.transition;
    for a in used.inner.iter() {
        match transition.kind {
            TransitionKind::Parent => row.extend(probabilities(transition.row(a, k))),
            TransitionKind::ParentAndPreviousSibling => {
                used.any().iter().chain([k]).for_each(|s| row.extend(probabilities(transition.row(a, s))));
            }
        }
    }
    row.extend(probabilities(transition.row(k, k)));
    if tables.siblings.is_some() {
        row.extend(probabilities(&parameters.ln_sibling));
    }
    if tables.children.is_some() {
        row.extend(probabilities(&parameters.ln_child));
    }
    let inner_tables = sampler.model().config().inner_tables;
    let is_used = |column: &u32| used.has_column(*column, k, inner_tables);
    for (table, feature) in tables.features.iter().zip(&parameters.features) {
        let columns = table.columns().iter().filter(|column| is_used(column)).map(|&column| column as usize);
        match (table, feature) {
            (FeatureTable::Dirichlet(rows), FeatureParameters::Categorical(ln)) => {
                write_categories(rows, is_used, ln, row);
            }
            (_, FeatureParameters::GeometricDrawn(drawn)) => {
                row.extend(columns.map(|column| drawn[column].0.exp()));
            }
            (_, FeatureParameters::GeometricPredictive(posteriors)) => {
                row.extend(columns.map(|column| posteriors[column].mean()));
            }
            _ => unreachable!("tables and parameters are of one configuration"),
        }
    }
}

fn write_categories(rows: &DirichletRows, is_used: impl Fn(&u32) -> bool, ln: &[f64], row: &mut Vec<f64>) {
    let (columns, live) = rows.in_use();
    for &column in columns.iter().filter(|column| is_used(column)) {
        let mut others = 1.0;
        for &category in live {
            let p = ln[rows.place(column, category)].exp();
            others -= p;
            row.push(p);
        }
        if rows.has_others() {
            // Rounding may leave less than nothing.
            row.push(f64::max(others, 0.0));
        }
    }
}
