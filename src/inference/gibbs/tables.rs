//! `Tables`, the counts that a chain changes: those of training, and on top those of the pages' present states.
//!
//! With the parameters integrated out all that a chain knows of them is here. Counts are whole numbers (or training's
//! fractions, multiples of a power of two) in doubles, so that adding and taking away leaves no trace of rounding;
//! priors are added where a probability is asked for.

use rand_distr::{Distribution, Gamma};
use statrs::function::beta::ln_beta;
use statrs::function::gamma::ln_gamma;

use super::pages::{PageData, Values, sibling_tags};
use super::settings::GibbsConfig;
use crate::dist::{BetaGeometric, GeometricStatistic};
use crate::model::counts::FeatureCounts;
use crate::model::parameters::FeatureParameters;
use crate::model::{Model, Parameters, TransitionKind};
use crate::rng::Rng;
use crate::view::NONE;

/// Rows of counts, each with a symmetric Dirichlet prior.
#[derive(Clone)]
pub(super) struct DirichletRows {
    gamma: f64,
    /// gamma times the number of categories.
    total_gamma: f64,
    row_stride: usize,
    category_stride: usize,
    /// The rows that a state can lead to.
    rows: Vec<u32>,
    /// The categories that occur on the pages. All others are as one, by the Dirichlet's aggregation.
    live: Vec<u32>,
    /// The number of the others.
    others: usize,
    base: Vec<f64>,
    base_totals: Vec<f64>,
    counts: Vec<f64>,
    totals: Vec<f64>,
}

/// How the cells of [`DirichletRows`] lie.
#[derive(Clone, Copy)]
enum Layout {
    /// \[row\]\[category\]
    RowMajor,
    /// \[category\]\[row\]
    CategoryMajor,
}

impl DirichletRows {
    fn new(
        gamma: f64,
        counts: impl Iterator<Item = f64>,
        categories: usize,
        layout: Layout,
        rows: Vec<u32>,
        live: Vec<u32>,
    ) -> Self {
        let base: Vec<f64> = counts.collect();
        let number = base.len() / categories.max(1);
        let (row_stride, category_stride) = match layout {
            Layout::RowMajor => (categories, 1),
            Layout::CategoryMajor => (1, number),
        };
        let total = |row: usize| (0..categories).map(|c| base[row * row_stride + c * category_stride]).sum();
        let base_totals: Vec<f64> = (0..number).map(total).collect();
        DirichletRows {
            gamma,
            total_gamma: gamma * categories as f64,
            row_stride,
            category_stride,
            others: categories - live.len(),
            rows,
            live,
            counts: base.clone(),
            totals: base_totals.clone(),
            base,
            base_totals,
        }
    }

    fn cell(&self, row: usize, category: usize) -> usize {
        row * self.row_stride + category * self.category_stride
    }

    pub fn add(&mut self, row: usize, category: usize, n: f64) {
        let cell = self.cell(row, category);
        self.counts[cell] += n;
        self.totals[row] += n;
    }

    /// The predictive probability of a category.
    pub fn p(&self, row: usize, category: usize) -> f64 {
        (self.gamma + self.counts[self.cell(row, category)]) / (self.total_gamma + self.totals[row])
    }

    /// ln of the predictive probability of seeing a category `n` times in a given order.
    pub fn ln_rising(&self, row: usize, category: usize, n: f64) -> f64 {
        ln_rising(self.gamma + self.counts[self.cell(row, category)], n)
    }

    /// What [`DirichletRows::ln_rising`] of all categories is divided by, for `n` in all.
    pub fn ln_rising_total(&self, row: usize, n: f64) -> f64 {
        ln_rising(self.total_gamma + self.totals[row], n)
    }

    /// Multiplies `numerators` and `denominators` by those of the predictive probability of one category in rows
    /// from `first` on. For [`Layout::CategoryMajor`], where they lie side by side.
    pub fn multiply_p(
        &self,
        first: usize,
        category: usize,
        numerators: &mut [f64],
        denominators: &mut [f64],
    ) {
        let start = category * self.category_stride + first;
        for (w, c) in numerators.iter_mut().zip(&self.counts[start..]) {
            *w *= self.gamma + c;
        }
        for (w, total) in denominators.iter_mut().zip(&self.totals[first..]) {
            *w *= self.total_gamma + total;
        }
    }

    fn reset(&mut self) {
        self.counts.copy_from_slice(&self.base);
        self.totals.copy_from_slice(&self.base_totals);
    }

    /// ln P(what the pages added | what was there), with the probabilities integrated out.
    fn ln_evidence(&self) -> f64 {
        let mut ln = 0.0;
        for &row in &self.rows {
            let row = row as usize;
            let added = self.totals[row] - self.base_totals[row];
            if added == 0.0 {
                continue;
            }
            ln -= ln_rising(self.total_gamma + self.base_totals[row], added);
            for &category in &self.live {
                let cell = self.cell(row, category as usize);
                let added = self.counts[cell] - self.base[cell];
                if added != 0.0 {
                    ln += ln_rising(self.gamma + self.base[cell], added);
                }
            }
        }
        ln
    }

    /// Writes ln of the posterior means into `ln`, laid out as the counts are.
    fn take_means(&self, ln: &mut [f64]) {
        for &row in &self.rows {
            let row = row as usize;
            let ln_total = (self.total_gamma + self.totals[row]).ln();
            for &category in &self.live {
                let cell = self.cell(row, category as usize);
                ln[cell] = (self.gamma + self.counts[cell]).ln() - ln_total;
            }
        }
    }

    /// Writes ln of a draw from the posterior into `ln`. Of the categories that are not on the pages only the sum is
    /// drawn, and not written.
    fn draw(&self, rng: &mut Rng, ln: &mut [f64]) {
        for &row in &self.rows {
            let row = row as usize;
            let mut draw = |shape: f64| -> f64 {
                let gamma = Gamma::new(shape, 1.0).expect("prior and counts are positive");
                // A Gamma of tiny shape underflows to 0, which would forbid the category for good.
                gamma.sample(rng).max(f64::MIN_POSITIVE)
            };
            let mut total = 0.0;
            let mut shape_of_others = self.totals[row] + self.gamma * self.others as f64;
            for &category in &self.live {
                let cell = self.cell(row, category as usize);
                shape_of_others -= self.counts[cell];
                let value = draw(self.gamma + self.counts[cell]);
                ln[cell] = value;
                total += value;
            }
            if self.others > 0 {
                total += draw(shape_of_others);
            }
            let ln_total = total.ln();
            for &category in &self.live {
                let cell = self.cell(row, category as usize);
                ln[cell] = ln[cell].ln() - ln_total;
            }
        }
    }

    /// The rows and categories that are in use.
    pub fn in_use(&self) -> (&[u32], &[u32]) {
        (&self.rows, &self.live)
    }

    /// Whether there are categories that are not on the pages.
    pub fn has_others(&self) -> bool {
        self.others > 0
    }

    /// The place of a probability in what is drawn.
    pub fn place(&self, row: u32, category: u32) -> usize {
        self.cell(row as usize, category as usize)
    }
}

/// ln of x (x + 1) ... (x + n - 1).
pub(super) fn ln_rising(x: f64, n: f64) -> f64 {
    if n <= 16.0 && n.fract() == 0.0 {
        let mut product = 1.0;
        let mut i = 0.0;
        while i < n {
            product *= x + i;
            i += 1.0;
        }
        return product.ln();
    }
    ln_gamma(x + n) - ln_gamma(x)
}

/// The Beta posteriors of a geometric feature, one for each column.
#[derive(Clone)]
pub(super) struct BetaColumns {
    prior: BetaGeometric,
    columns: Vec<u32>,
    base: Vec<[f64; 2]>,
    /// Number of nodes and sum of the count.
    counts: Vec<[f64; 2]>,
}

impl BetaColumns {
    fn posterior(&self, column: usize) -> BetaGeometric {
        let [n, sum] = self.counts[column];
        BetaGeometric { alpha: self.prior.alpha + n, beta: self.prior.beta + sum }
    }

    fn ln_evidence(&self) -> f64 {
        self.base.iter().zip(&self.counts).filter(|(base, counts)| base != counts).fold(
            0.0,
            |ln, (base, counts)| {
                let BetaGeometric { alpha, beta } = self.prior;
                ln + ln_beta(alpha + counts[0], beta + counts[1]) - ln_beta(alpha + base[0], beta + base[1])
            },
        )
    }

    /// P(x) with p integrated out: (alpha / (alpha + beta + x)) times the product of (beta + i) / (alpha + beta + i),
    /// i from 0 to x - 1.
    fn ln_predictive(&self, column: usize, x: u32) -> f64 {
        let posterior = self.posterior(column);
        if x > 32 {
            return posterior.ln_predictive(x.into());
        }
        let BetaGeometric { alpha, beta } = posterior;
        let (mut above, mut below) = (alpha, alpha + beta + f64::from(x));
        for i in 0..x {
            above *= beta + f64::from(i);
            below *= alpha + beta + f64::from(i);
            if below > 1e250 {
                above /= below;
                below = 1.0;
            }
        }
        if above < 1e-250 {
            return posterior.ln_predictive(x.into());
        }
        (above / below).ln()
    }
}

/// The table of one feature.
#[derive(Clone)]
pub(super) enum FeatureTable {
    Dirichlet(DirichletRows),
    Beta(BetaColumns),
}

impl FeatureTable {
    /// The columns that a node can be in.
    pub fn columns(&self) -> &[u32] {
        match self {
            FeatureTable::Dirichlet(rows) => &rows.rows,
            FeatureTable::Beta(columns) => &columns.columns,
        }
    }
}

/// All counts that a chain changes.
#[derive(Clone)]
pub(super) struct Tables {
    pub k: usize,
    pub kind: TransitionKind,
    /// Rows are (parent or root) (K + 1) + (previous sibling or start).
    pub transitions: DirichletRows,
    /// Empty unless the types of all siblings are sampled with.
    pub siblings: Option<DirichletRows>,
    /// Empty unless the types of children are sampled with.
    pub children: Option<DirichletRows>,
    pub features: Vec<FeatureTable>,
}

impl Tables {
    /// The counts of a model, and which of their cells the pages can touch.
    pub fn new(model: &Model, settings: &GibbsConfig, pages: &[PageData<'_>]) -> Tables {
        let (config, counts) = (model.config(), model.counts());
        let k = config.states.len();
        let unit = counts.unit();
        let count =
            |numbers: &[u64]| numbers.iter().map(|&n| n as f64 * unit).collect::<Vec<f64>>().into_iter();
        let states: Vec<u32> = (0..k as u32).collect();
        let rows = |parents: std::ops::Range<usize>| {
            parents.flat_map(|a| match config.transition {
                TransitionKind::Parent => a * (k + 1) + k..(a + 1) * (k + 1),
                TransitionKind::ParentAndPreviousSibling => a * (k + 1)..(a + 1) * (k + 1),
            })
        };
        // The root has no siblings.
        let transition_rows = rows(0..k).chain([k * (k + 1) + k]).map(|row| row as u32).collect();
        let of_states = |numbers: &[u64]| {
            let gamma = config.priors.transition.gamma;
            DirichletRows::new(gamma, count(numbers), k, Layout::RowMajor, states.clone(), states.clone())
        };
        let columns: Vec<u32> = if config.inner_tables {
            (0..config.states.permitted(true)).chain(k..2 * k).map(|column| column as u32).collect()
        } else {
            states.clone()
        };
        let features = counts.features.iter().enumerate().map(|(f, feature)| match feature {
            FeatureCounts::Geometric(statistics) => {
                let base: Vec<[f64; 2]> = statistics
                    .iter()
                    .map(|&GeometricStatistic { n, sum }| [n, sum].map(|x| x as f64 * unit))
                    .collect();
                FeatureTable::Beta(BetaColumns {
                    prior: config.priors.geometric,
                    columns: columns.clone(),
                    counts: base.clone(),
                    base,
                })
            }
            FeatureCounts::Categorical(counts) => {
                let categories = model.specs()[f].kind.categories();
                let mut seen = vec![false; categories];
                pages.iter().for_each(|page| page.values[f].mark_seen(&mut seen));
                let live = (0..categories as u32).filter(|&category| seen[category as usize]).collect();
                let gamma = config.priors.categorical.gamma;
                let layout = Layout::CategoryMajor;
                FeatureTable::Dirichlet(DirichletRows::new(
                    gamma,
                    count(counts),
                    categories,
                    layout,
                    columns.clone(),
                    live,
                ))
            }
        });
        Tables {
            k,
            kind: config.transition,
            transitions: DirichletRows::new(
                config.priors.transition.gamma,
                count(&counts.transitions),
                k,
                Layout::RowMajor,
                transition_rows,
                states.clone(),
            ),
            siblings: settings.uses_sibling_types(config).then(|| of_states(&counts.siblings)),
            children: settings.uses_child_types(config).then(|| of_states(&counts.child_types())),
            features: features.collect(),
        }
    }

    /// Takes all pages away.
    pub fn reset(&mut self) {
        self.transitions.reset();
        self.siblings.iter_mut().chain(&mut self.children).for_each(DirichletRows::reset);
        for feature in &mut self.features {
            match feature {
                FeatureTable::Dirichlet(rows) => rows.reset(),
                FeatureTable::Beta(columns) => columns.counts.copy_from_slice(&columns.base),
            }
        }
    }

    /// Adds `n` times (1 or -1) a page in given states.
    pub fn add_page(&mut self, page: &PageData<'_>, states: &[u8], n: f64) {
        let k = self.k;
        let mut siblings = vec![0.0; k];
        for v in 0..page.tree.len() as u32 {
            let state = states[v as usize] as usize;
            self.transitions.add(self.transition_row(page, states, v), state, n);
            self.add_emissions(page, v, page.column(v, state), n);
            if let Some(children) = &mut self.children
                && v > 0
            {
                children.add(states[page.tree.parent(v) as usize].into(), state, n);
            }
            if let Some(pairs) = &mut self.siblings {
                siblings.fill(0.0);
                page.tree.children(v).for_each(|child| siblings[states[child as usize] as usize] += 1.0);
                for a in 0..k {
                    for b in 0..k {
                        pairs.add(
                            a,
                            b,
                            n * siblings[a] * (siblings[b] - f64::from(u8::from(a == b))).max(0.0),
                        );
                    }
                }
            }
        }
    }

    /// The row of the transition that leads to a node.
    pub fn transition_row(&self, page: &PageData<'_>, states: &[u8], v: u32) -> usize {
        let state = |node: u32| if node == NONE { self.k } else { states[node as usize].into() };
        let previous = match self.kind {
            TransitionKind::Parent => self.k,
            TransitionKind::ParentAndPreviousSibling => state(page.tree.previous_sibling(v)),
        };
        state(page.tree.parent(v)) * (self.k + 1) + previous
    }

    /// Adds `n` times the features of a node to a column.
    pub fn add_emissions(&mut self, page: &PageData<'_>, v: u32, column: usize, n: f64) {
        for (table, values) in self.features.iter_mut().zip(&page.values) {
            match (table, values) {
                (FeatureTable::Dirichlet(rows), Values::Categories(values)) => {
                    rows.add(column, values[v as usize] as usize, n);
                }
                (FeatureTable::Dirichlet(rows), Values::ChildTags(histograms)) => {
                    for &(tag, times) in histograms.children(v) {
                        rows.add(column, tag as usize, n * f64::from(times));
                    }
                }
                (FeatureTable::Dirichlet(rows), Values::SiblingTags(histograms)) => {
                    for (tag, times) in sibling_tags(histograms, page.tree, v) {
                        rows.add(column, tag as usize, n * f64::from(times));
                    }
                }
                (FeatureTable::Beta(columns), Values::Counts(values)) => {
                    columns.counts[column][0] += n;
                    columns.counts[column][1] += n * f64::from(values[v as usize]);
                }
                _ => unreachable!("families and values are of one configuration"),
            }
        }
    }

    /// ln P(features of a node | its column), parameters integrated out, for the columns from `first` on; a part as
    /// a quotient of products and the rest as a logarithm.
    pub fn emission_weights(&self, page: &PageData<'_>, v: u32, weights: &mut Weights) {
        let first = page.column(v, 0);
        let k = self.k;
        for (f, (table, values)) in self.features.iter().zip(&page.values).enumerate() {
            match (table, values) {
                (FeatureTable::Dirichlet(rows), Values::Categories(values)) => {
                    let category = values[v as usize] as usize;
                    rows.multiply_p(first, category, &mut weights.above[..k], &mut weights.below[..k]);
                    // Counts are below 2^53 each: sixteen of them stay within a double.
                    if f % 16 == 15 {
                        weights.rescale();
                    }
                }
                (FeatureTable::Dirichlet(rows), Values::ChildTags(histograms)) => {
                    let tags = histograms.children(v).iter().copied();
                    weights.add_tags(k, rows, first, tags);
                }
                (FeatureTable::Dirichlet(rows), Values::SiblingTags(histograms)) => {
                    weights.add_tags(k, rows, first, sibling_tags(histograms, page.tree, v));
                }
                (FeatureTable::Beta(columns), Values::Counts(values)) => {
                    for (state, ln) in weights.ln[..k].iter_mut().enumerate() {
                        *ln += columns.ln_predictive(first + state, values[v as usize]);
                    }
                }
                _ => unreachable!("families and values are of one configuration"),
            }
        }
    }

    /// ln P(states and features of all pages | training), all parameters integrated out.
    pub fn ln_evidence(&self) -> f64 {
        let rows = [Some(&self.transitions), self.siblings.as_ref(), self.children.as_ref()];
        let structure: f64 = rows.into_iter().flatten().map(DirichletRows::ln_evidence).sum();
        let features = self.features.iter().map(|feature| match feature {
            FeatureTable::Dirichlet(rows) => rows.ln_evidence(),
            FeatureTable::Beta(columns) => columns.ln_evidence(),
        });
        structure + features.sum::<f64>()
    }

    /// Sets `parameters` to the posterior means, or with a stream to a draw from the posterior. Probabilities of
    /// categories that are on no page stay as they were.
    pub fn take_parameters(&self, mut rng: Option<&mut Rng>, parameters: &mut Parameters) {
        let mut take = |rows: &DirichletRows, ln: &mut [f64]| match &mut rng {
            Some(rng) => rows.draw(rng, ln),
            None => rows.take_means(ln),
        };
        take(&self.transitions, &mut parameters.transition.ln);
        if let Some(rows) = &self.siblings {
            take(rows, &mut parameters.ln_sibling);
        }
        if let Some(rows) = &self.children {
            take(rows, &mut parameters.ln_child);
        }
        for (table, feature) in self.features.iter().zip(&mut parameters.features) {
            match table {
                FeatureTable::Dirichlet(rows) => match feature {
                    FeatureParameters::Categorical(ln) => match &mut rng {
                        Some(rng) => rows.draw(rng, ln),
                        None => rows.take_means(ln),
                    },
                    _ => unreachable!("tables and parameters are of one configuration"),
                },
                FeatureTable::Beta(columns) => {
                    let posteriors = (0..columns.counts.len()).map(|column| columns.posterior(column));
                    *feature = match &mut rng {
                        None => FeatureParameters::GeometricPredictive(posteriors.collect()),
                        Some(rng) => FeatureParameters::GeometricDrawn(
                            posteriors
                                .map(|posterior| {
                                    let p = posterior.draw(*rng);
                                    (p.ln(), (-p).ln_1p())
                                })
                                .collect(),
                        ),
                    };
                }
            }
        }
    }
}

/// The most states of any state space.
pub(super) const MAX_STATES: usize = 16;

/// Weights of a node's states while they are put together: above / below * exp(ln).
pub(super) struct Weights {
    pub above: [f64; MAX_STATES],
    pub below: [f64; MAX_STATES],
    pub ln: [f64; MAX_STATES],
}

impl Weights {
    pub fn new() -> Self {
        Weights { above: [1.0; MAX_STATES], below: [1.0; MAX_STATES], ln: [0.0; MAX_STATES] }
    }

    /// Moves everything into the logarithms.
    pub fn rescale(&mut self) {
        for ((ln, above), below) in self.ln.iter_mut().zip(&mut self.above).zip(&mut self.below) {
            *ln += (*above / *below).ln();
            (*above, *below) = (1.0, 1.0);
        }
    }

    /// The probability of tags that are drawn independently, and in no order of their own.
    fn add_tags(
        &mut self,
        k: usize,
        rows: &DirichletRows,
        first: usize,
        tags: impl Iterator<Item = (u32, u32)> + Clone,
    ) {
        for (state, ln) in self.ln[..k].iter_mut().enumerate() {
            let mut total = 0.0;
            for (tag, n) in tags.clone() {
                *ln += rows.ln_rising(first + state, tag as usize, n.into());
                total += f64::from(n);
            }
            if total > 0.0 {
                *ln -= rows.ln_rising_total(first + state, total);
            }
        }
    }
}
