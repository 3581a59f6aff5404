//! `BoostedScores`, learned features: what boosted trees over all features say for content and for each label, as
//! logarithms of odds.
//!
//! The tree's own features are independent given the state; a page's features are not. Boosted trees look at all of them
//! together, and at the words of classes and text through their counts, and give each leaf the logarithm of its odds to
//! be content (or a headline, full text, ...). In the hidden Markov tree such a number is one more feature: binned,
//! counted and weighted as any other, so that states, transitions, sets of labels and calibration stay those of the tree.
//!
//! The score of a page that trees were grown on says more than that of another page, so the scores that the tree is
//! trained with come from trees that have not seen the page's site ([`crate::training`]).
//!
//! Reference: Friedman 2001, "Greedy function approximation: a gradient boosting machine"; for scores from other folds
//! Wolpert 1992, "Stacked generalization".

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::boosted_config::BoostedConfig;
use super::layer::{Layer, SHOWN, percent};
use super::page_type::{ByType, PageType, PageTypeProbabilities, PageTypes};
use super::token_counts::TokenCounts;
use super::token_table::TokenTable;
use crate::boosting::BoostedTrees;
use crate::convention::{Convention, LEVELS};
use crate::error::{Error, Result};
use crate::features::catalogue::SCORES;
use crate::features::hash;
use crate::features::measures::Measures;
use crate::features::spec::FeatureSpec;
use crate::features::{PageTerms, TokenLists};
use crate::model::config::ModelConfig;
use crate::view::{NONE, Tree};

/// Columns that come from words: [`BoostedScores::token_columns`].
pub const TOKEN_COLUMNS: [&str; 8] = [
    "classes",
    "parent-classes",
    "path-classes",
    "least-classes",
    "most-classes",
    "text-words",
    "text-words-sum",
    "heading-words",
];

/// What the score of a page is made from, before anything is learned.
#[derive(Debug, Clone)]
pub struct ScoreInputs {
    /// The inputs, \[feature\]\[leaf\].
    pub columns: Vec<Vec<u32>>,
    /// The tokens of the classes of each node.
    pub classes: TokenLists,
    /// The words of each leaf.
    pub words: TokenLists,
    /// The heading before each node, or the node itself.
    headings: Vec<Option<u32>>,
    /// Words of each node and all below.
    pub n_words: Vec<u32>,
    /// What the type of the page is told by, if it is to be told.
    pub terms: Option<PageTerms>,
}

impl ScoreInputs {
    /// Of a page, from the page alone; what its type is told by only `with_page_type`.
    pub fn new(measures: &Measures<'_>, inputs: &[&'static FeatureSpec], with_page_type: bool) -> Self {
        let nodes = 0..measures.view().tree.len() as u32;
        let classes = TokenLists::from_classes(measures);
        ScoreInputs {
            columns: measures.of_leaves(inputs),
            terms: with_page_type.then(|| PageTerms::new(measures, &classes)),
            classes,
            words: TokenLists::from_words(measures),
            headings: nodes.clone().map(|v| measures.last_heading(v)).collect(),
            n_words: nodes.map(|v| measures.words_of(v)).collect(),
        }
    }
}

/// Learned scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoostedScores {
    /// Of the tokens of classes at and above a leaf.
    classes: TokenCounts,
    /// Of the words of a leaf.
    words: TokenCounts,
    /// How the type of a page is told, if that was learned.
    #[serde(default, rename = "page-types", skip_serializing_if = "Option::is_none")]
    page_types: Option<PageTypes>,
    /// Whether trees look at the convention.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    conventions: bool,
    /// The trees of each score by its id.
    trees: BTreeMap<String, BoostedTrees>,
}

/// What is the same for all nodes of a page, and does not come from its [`ScoreInputs`].
#[derive(Debug, Clone, Copy, Default)]
pub struct OfPage {
    /// The type of the page, if the scores depend on it.
    pub page_type: Option<PageType>,
    /// What is to be included.
    pub convention: Convention,
}

/// The scores of a page.
#[derive(Debug, Clone, Default)]
pub struct PageScores {
    /// \[score\]\[node\] in half nats, none of what was not learned, given the most probable type or the one that a corpus states.
    pub values: Vec<Vec<u32>>,
    /// P(type), if the model tells types.
    pub page_type: Option<PageTypeProbabilities>,
    /// The scores given each type that the page may well be of, with its probability; none where that is one alone, that of
    /// `values`.
    pub by_type: ByType<Vec<Vec<u32>>>,
}

/// A type that is less probable is not looked at.
const LEAST_PROBABILITY: f64 = 0.2;

impl BoostedScores {
    /// Scores of trees over the inputs of `config`, [`TOKEN_COLUMNS`] after them, then the types of pages and the
    /// convention, with their [numbers](SCORES).
    ///
    /// # Errors
    /// [`Error::Usage`] if trees look at another number of features.
    pub fn new(
        config: &BoostedConfig,
        classes: TokenCounts,
        words: TokenCounts,
        page_types: Option<PageTypes>,
        conventions: bool,
        trees: impl IntoIterator<Item = (usize, BoostedTrees)>,
    ) -> Result<Self> {
        let trees = trees.into_iter().map(|(score, trees)| (SCORES[score].0.to_owned(), trees));
        let scores = BoostedScores { classes, words, page_types, conventions, trees: trees.collect() };
        scores.check_inputs(config)?;
        Ok(scores)
    }

    fn check_inputs(&self, config: &BoostedConfig) -> Result<()> {
        self.page_types.as_ref().map_or(Ok(()), PageTypes::check)?;
        let of_page_type = if self.page_types.is_some() { PageType::COUNT } else { 0 };
        let of_convention = if self.conventions { LEVELS } else { 0 };
        let wanted = config.inputs.len() + TOKEN_COLUMNS.len() + of_page_type + of_convention;
        if let Some((id, trees)) = self.trees.iter().find(|(_, trees)| trees.features() != wanted) {
            return Err(Error::usage(
                format!("{id}: boosted trees over {} features for {wanted} inputs", trees.features()),
                "train the model again",
            ));
        }
        Ok(())
    }

    /// P(type) of a page, if that was learned.
    pub fn page_type(&self, inputs: &ScoreInputs) -> Option<PageTypeProbabilities> {
        let page_types = self.page_types.as_ref()?;
        Some(page_types.probabilities(inputs.terms.as_ref()?))
    }

    /// The terms of a page that speak for one type rather than another, if types were learned: see [`PageTypes::evidence`].
    pub fn page_type_evidence(
        &self,
        measures: &Measures<'_>,
        page_type: PageType,
        other: PageType,
    ) -> Vec<(&str, f32)> {
        let terms = || PageTerms::new(measures, &TokenLists::from_classes(measures));
        let page_types = self.page_types.as_ref();
        page_types.map_or(Vec::new(), |page_types| page_types.evidence(&terms(), page_type, other))
    }

    /// Whether the scores tell the type of a page.
    pub fn tells_page_type(&self) -> bool {
        self.page_types.is_some()
    }

    /// Whether the trees look at the convention.
    pub fn reads_convention(&self) -> bool {
        self.conventions
    }

    /// The scores of a page, and given each type that is not improbable by `probabilities`.
    pub fn of_page(
        &self,
        tree: &Tree,
        inputs: &ScoreInputs,
        of_page: OfPage,
        probabilities: Option<PageTypeProbabilities>,
    ) -> PageScores {
        let tokens = self.tokens(tree, inputs);
        let given = |page_type| -> Vec<Vec<u32>> {
            let ln_odds = self.ln_odds_by(tree, inputs, &tokens, &OfPage { page_type, ..of_page });
            ln_odds.iter().map(|of_score| of_score.iter().map(|&odds| half_nats(odds)).collect()).collect()
        };
        let values = given(of_page.page_type);
        let likely = probabilities.map_or_else(Vec::new, |p| PageType::likely(&p, LEAST_PROBABILITY));
        let is_own = |page_type: PageType| Some(page_type) == of_page.page_type;
        let of_type =
            |(p, page_type)| (p, if is_own(page_type) { values.clone() } else { given(Some(page_type)) });
        let by_type = match likely[..] {
            [] => Vec::new(),
            [(_, only)] if is_own(only) => Vec::new(),
            _ => likely.into_iter().map(of_type).collect(),
        };
        PageScores { values, page_type: probabilities, by_type }
    }

    /// The values that are the same for all nodes of a page: for each type whether the page is of it, then the
    /// [levels](Convention::levels) of the convention if `conventions`.
    pub fn page_values(of_page: &OfPage, conventions: bool) -> Vec<u32> {
        let is_of = |own: PageType| PageType::ALL.map(|page_type| u32::from(page_type == own));
        let types = of_page.page_type.map(is_of).into_iter().flatten();
        let levels = of_page.convention.levels();
        types.chain(levels.into_iter().filter(|_| conventions)).collect()
    }

    /// The trees of each score by its id.
    #[cfg(test)]
    pub(crate) fn trees(&self) -> &BTreeMap<String, BoostedTrees> {
        &self.trees
    }

    /// All tables of words, in the order of a packed model.
    pub(crate) fn tables_mut(&mut self) -> impl Iterator<Item = &mut TokenTable> {
        let page_types = self.page_types.iter_mut().map(PageTypes::table_mut);
        [self.classes.table_mut(), self.words.table_mut()].into_iter().chain(page_types)
    }

    /// What the words of each leaf say for the first `scores` counted, \[score\]\[column\]\[leaf\]: means (and one sum) of the
    /// logarithms of the odds of its words, in 64ths of a nat above -16. Of the classes those of the node, of its parent, of
    /// the whole path to the root, and the least and the greatest along it; of the text those of the leaf and of the heading
    /// before it.
    pub fn token_columns(
        classes: &TokenCounts,
        words: &TokenCounts,
        scores: usize,
        tree: &Tree,
        inputs: &ScoreInputs,
    ) -> Vec<Vec<Vec<u32>>> {
        /// A number for each score.
        type Of = [f32; SCORES.len()];
        const ZERO: Of = [0.0; SCORES.len()];
        /// Of the path from the root to a node.
        #[derive(Clone, Copy)]
        struct Path {
            own: Of,
            sum: Of,
            tokens: u32,
            least: Of,
            most: Of,
        }
        let mean = |sum: Of, count: u32| if count == 0 { ZERO } else { sum.map(|sum| sum / count as f32) };
        let both = |a: Of, b: Of, f: fn(f32, f32) -> f32| -> Of { std::array::from_fn(|i| f(a[i], b[i])) };
        let mut columns = vec![vec![Vec::new(); TOKEN_COLUMNS.len()]; scores];
        let mut paths: Vec<Path> = Vec::with_capacity(tree.len());
        let mut texts: Vec<Of> = Vec::with_capacity(tree.len());
        for v in 0..tree.len() as u32 {
            let mut sum = ZERO;
            let tokens = classes.sums(inputs.classes.of(v), &mut sum);
            let own = mean(sum, tokens);
            let above = match tree.parent(v) {
                NONE => Path { own: ZERO, sum: ZERO, tokens: 0, least: own, most: own },
                parent => paths[parent as usize],
            };
            let path = Path {
                own,
                sum: both(above.sum, sum, |a, b| a + b),
                tokens: above.tokens + tokens,
                least: both(above.least, own, f32::min),
                most: both(above.most, own, f32::max),
            };
            paths.push(path);
            let tokens = words.sums(inputs.words.of(v), &mut sum);
            let text = mean(sum, tokens);
            texts.push(text);
            if !tree.is_leaf(v) {
                continue;
            }
            let heading = inputs.headings[v as usize].filter(|&heading| heading < v);
            let values: [Of; TOKEN_COLUMNS.len()] = [
                own,
                above.own,
                mean(path.sum, path.tokens),
                path.least,
                path.most,
                text,
                sum.map(|sum| sum / 8.0),
                heading.map_or(ZERO, |heading| texts[heading as usize]),
            ];
            for (score, columns) in columns.iter_mut().enumerate() {
                for (column, values) in columns.iter_mut().zip(values) {
                    column.push(in_64ths(values[score]));
                }
            }
        }
        columns
    }

    /// The logarithms of the odds of each node, \[score\]\[node\], none of what was not learned, given the type
    /// of the page and the convention: of a leaf what the trees say, of an inner node the mean probability of its leaves, by words.
    pub fn ln_odds(&self, tree: &Tree, inputs: &ScoreInputs, of_page: &OfPage) -> Vec<Vec<f64>> {
        self.ln_odds_by(tree, inputs, &self.tokens(tree, inputs), of_page)
    }

    /// The [`BoostedScores::token_columns`] of a page by the words of these scores.
    fn tokens(&self, tree: &Tree, inputs: &ScoreInputs) -> Vec<Vec<Vec<u32>>> {
        Self::token_columns(&self.classes, &self.words, self.trees.len(), tree, inputs)
    }

    fn ln_odds_by(
        &self,
        tree: &Tree,
        inputs: &ScoreInputs,
        tokens: &[Vec<Vec<u32>>],
        of_page: &OfPage,
    ) -> Vec<Vec<f64>> {
        let leaves: Vec<u32> = (0..tree.len() as u32).filter(|&v| tree.is_leaf(v)).collect();
        let of_page = Self::page_values(of_page, self.conventions);
        let of_page: Vec<Vec<u32>> = of_page.into_iter().map(|value| vec![value; leaves.len()]).collect();
        let mut tokens = tokens.iter();
        let of_score = |(id, _): &(&str, _)| {
            let Some(trees) = self.trees.get(*id) else { return Vec::new() };
            let tokens = tokens.next().expect("columns for each score that was learned");
            let columns: Vec<&[u32]> =
                inputs.columns.iter().chain(tokens).chain(&of_page).map(Vec::as_slice).collect();
            let scores = trees.score_all(&columns).expect("as many columns as features, of one length");
            spread(tree, &leaves, &scores, &inputs.n_words)
        };
        SCORES.iter().map(of_score).collect()
    }
}

impl Layer for BoostedScores {
    fn check(&self, config: &ModelConfig) -> Result<()> {
        let Some(boosted) = &config.boosted else {
            return Err(Error::usage(
                "boosted scores for a model without such features",
                "add the feature 'content-score' to the configuration",
            ));
        };
        let mut wanted: Vec<&str> = config.scores().into_iter().map(|score| SCORES[score].0).collect();
        wanted.sort_unstable();
        if !self.trees.keys().eq(wanted.iter()) {
            return Err(Error::usage(
                format!("the features have the scores {}, and there are others", wanted.join(", ")),
                "train the model again",
            ));
        }
        self.check_inputs(boosted)
    }

    /// What the trees look at most, and the words that say most for and against the first score.
    fn details(&self, config: &ModelConfig) -> String {
        let mut text = String::new();
        let inputs = config.boosted.iter().flat_map(|boosted| boosted.inputs.iter().map(String::as_str));
        let inputs: Vec<&str> = inputs.chain(TOKEN_COLUMNS).collect();
        for (id, trees) in &self.trees {
            let all: f64 = trees.gains().iter().sum();
            let mut gains: Vec<(&str, f64)> =
                inputs.iter().copied().zip(trees.gains().iter().copied()).collect();
            gains.sort_by(|a, b| b.1.total_cmp(&a.1));
            let share = |(input, gain): &(&str, f64)| format!("{input} {}", percent(gain / all));
            let shares: Vec<String> = gains.iter().take(SHOWN).map(share).collect();
            let _ = writeln!(text, "\n{id}: {} trees; % of their gain by {}", trees.len(), shares.join(", "));
        }
        let Some(&first) = config.scores().first() else { return text };
        for (kind, tokens) in [("classes", &self.classes), ("text", &self.words)] {
            let of_first = |word: &str| {
                let mut sum = [0.0];
                tokens.sums(&[hash::hash_word(word)], &mut sum);
                sum[0]
            };
            let mut words: Vec<(&str, f32)> = tokens.words().map(|word| (word, of_first(word))).collect();
            words.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
            let names = |words: &mut dyn Iterator<Item = &(&str, f32)>| {
                words.take(SHOWN).map(|(word, _)| *word).collect::<Vec<_>>().join(" ")
            };
            let _ = writeln!(
                text,
                "\nwords of {kind}: {}; most for {}: {}; most against: {}",
                words.len(),
                SCORES[first].0,
                names(&mut words.iter()),
                names(&mut words.iter().rev())
            );
        }
        text
    }
}

/// The scores of all nodes from those of the leaves.
fn spread(tree: &Tree, leaves: &[u32], scores: &[f64], n_words: &[u32]) -> Vec<f64> {
    let n = tree.len();
    let mut ln_odds = vec![0.0; n];
    // Sums of words, and of words times probability.
    let mut sums = vec![(0.0f64, 0.0f64); n];
    for (&v, &score) in leaves.iter().zip(scores) {
        ln_odds[v as usize] = score;
        let words = f64::from(n_words[v as usize]).max(0.01);
        sums[v as usize] = (words, words / (1.0 + (-score).exp()));
    }
    for v in (0..n).rev() {
        let (words, content) = sums[v];
        if !tree.is_leaf(v as u32) {
            let share = (content / words).clamp(1e-6, 1.0 - 1e-6);
            ln_odds[v] = (share / (1.0 - share)).ln();
        }
        let parent = tree.parent(v as u32);
        if parent != NONE {
            let above = &mut sums[parent as usize];
            *above = (above.0 + words, above.1 + content);
        }
    }
    ln_odds
}

/// A logarithm of odds in 64ths of a nat above -16, rounded.
fn in_64ths(ln_odds: f32) -> u32 {
    let scaled = (ln_odds.clamp(-16.0, 16.0) + 16.0) * 64.0;
    let whole = scaled as u32;
    whole + u32::from(scaled - whole as f32 >= 0.5)
}

/// A logarithm of odds in half nats above -7, 0 to 28.
fn half_nats(ln_odds: f64) -> u32 {
    (2.0 * ln_odds + 14.0).round().clamp(0.0, 28.0) as u32
}
