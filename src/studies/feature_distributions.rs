//! How the thesis's features are distributed among the nodes of each label (its figures 3.1-3.14).

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::study::{Context, Study};
use crate::dataset::labelled::{LabelledCorpus, PageGold};
use crate::error::Result;
use crate::features::catalogue;
use crate::features::{FeatureMatrix, FeatureSpec};
use crate::harness::config::Experiment;
use crate::label::Label;
use crate::model::{StateSpace, TargetStates};
use crate::view::{NONE, PageView, View};

/// The key `feature-figures` of an experiment: whether to plot the distributions of the thesis's features per label over the
/// corpus of its first split, with `layout` those of the page as it looks too. Default no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FeatureFigures(pub bool);

impl Study for FeatureFigures {
    const KEY: &'static str = "feature-figures";
    const RESULTS: &'static str = "distributions";
    type Results = Vec<LabelHistogram>;

    fn check(&self, _: &Experiment) -> Result<()> {
        Ok(())
    }

    fn is_asked(&self) -> bool {
        self.0
    }

    fn left_out() -> Option<Self> {
        Some(FeatureFigures(false))
    }

    fn run(&self, context: &Context<'_>) -> Result<Vec<LabelHistogram>> {
        let corpus = &context.corpora[&context.parts[0].dataset];
        Ok(count_corpus(corpus, context.experiment.layout.as_deref()))
    }
}

/// How often each value of one feature occurs among the nodes of each label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LabelHistogram {
    /// The feature's id; `parent-type`, `child-types` and `sibling-types` for the three that are hidden states.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The number of the thesis's figure.
    pub figure: String,
    /// The unit of a count; none for categories.
    pub unit: Option<String>,
    /// \[label\]: number of nodes (or of children or siblings) by value, a count or a category's number.
    pub counts: [BTreeMap<u64, u64>; Label::COUNT],
    /// The names of categories, by number; empty for counts.
    pub categories: Vec<String>,
}

/// The figure of each of the thesis's features: its list in section 3.2.
const FIGURES: [(&str, &str); 15] = [
    ("tag", "3.1"),
    ("children", "3.2"),
    ("child-types", "3.3"),
    ("child-tags", "3.4"),
    ("siblings", "3.5"),
    ("sibling-types", "3.6"),
    ("sibling-tags", "3.7"),
    ("parent-type", "3.8"),
    ("parent-tag", "3.9"),
    ("words", "3.10"),
    ("full-stops", "3.10b"),
    ("top-offset", "3.11"),
    ("left-offset", "3.12"),
    ("width", "3.13"),
    ("height", "3.14"),
];

/// The distributions over all pages with labels, in the order of the thesis's figures. The DOM tree, six states. Those of
/// the page as it looks are there if an engine is named, over the pages that it laid out.
pub fn count_corpus(corpus: &LabelledCorpus, engine: Option<&str>) -> Vec<LabelHistogram> {
    let is_asked = |feature: &&FeatureSpec| engine.is_some() || !feature.needs_layout;
    let specs: Vec<&'static FeatureSpec> =
        catalogue::all().filter(|feature| feature.thesis.is_some()).filter(is_asked).collect();
    let is_hidden = |id: &str| catalogue::find(id).is_none();
    let empty = || FIGURES.map(|_| [(); Label::COUNT].map(|()| BTreeMap::new()));
    type Sums = [[BTreeMap<u64, u64>; Label::COUNT]; FIGURES.len()];
    let sums: Sums = corpus
        .pages
        .par_iter()
        .fold(empty, |mut sums, page| {
            let layout = engine.and_then(|engine| page.page.layout(engine));
            if let PageGold::Tokens(gold) = &page.gold
                && (engine.is_none() || layout.is_some())
            {
                let view = PageView::new(&page.page, View::Dom);
                let features = FeatureMatrix::new(&page.page, &view, &specs, layout);
                let states = TargetStates::from_tokens(&view, StateSpace::Labels, |id| gold.counts(id));
                for ((id, _), sums) in FIGURES.iter().zip(&mut sums) {
                    if !is_hidden(id) && !specs.iter().any(|spec| spec.id == *id) {
                        continue;
                    }
                    count(id, &specs, &features, &view, states.as_slice(), sums);
                }
            }
            sums
        })
        .reduce(empty, |mut a, b| {
            for (a, b) in a.iter_mut().flatten().zip(b.iter().flatten()) {
                b.iter().for_each(|(value, n)| *a.entry(*value).or_default() += n);
            }
            a
        });
    FIGURES
        .iter()
        .zip(sums)
        .filter(|((id, _), _)| is_hidden(id) || specs.iter().any(|spec| spec.id == *id))
        .map(|(&(id, figure), counts)| {
            let spec = specs.iter().find(|spec| spec.id == id);
            let (name, unit, categories) = match spec {
                Some(spec) => {
                    let kind = &spec.kind;
                    let categories = match kind.unit() {
                        Some(_) => Vec::new(),
                        None => (0..kind.categories()).map(|i| kind.category_name(i)).collect(),
                    };
                    (spec.name, kind.unit(), categories)
                }
                None => {
                    let name = match id {
                        "child-types" => "labels of children",
                        "sibling-types" => "types of siblings",
                        _ => "type of parent",
                    };
                    (name, None, Label::ALL.map(|label| label.name().to_owned()).to_vec())
                }
            };
            LabelHistogram {
                id: id.to_owned(),
                name: name.to_owned(),
                figure: figure.to_owned(),
                unit: unit.map(str::to_owned),
                counts,
                categories,
            }
        })
        .collect()
}

fn count(
    id: &str,
    specs: &[&'static FeatureSpec],
    features: &FeatureMatrix,
    view: &PageView,
    states: &[u8],
    sums: &mut [BTreeMap<u64, u64>; Label::COUNT],
) {
    let tree = &view.tree;
    let mut add = |v: u32, value: u32, n: u32| {
        if n > 0 {
            *sums[states[v as usize] as usize].entry(u64::from(value)).or_default() += u64::from(n);
        }
    };
    let column = specs.iter().position(|spec| spec.id == id).map(|index| &features.columns[index]);
    let state = |v: u32| u32::from(states[v as usize]);
    for v in 0..tree.len() as u32 {
        match column {
            Some(column) => column.for_each(tree, v, |value, n| add(v, value, n)),
            None if id == "child-types" => tree.children(v).for_each(|child| add(v, state(child), 1)),
            None if id == "parent-type" => {
                if tree.parent(v) != NONE {
                    add(v, state(tree.parent(v)), 1);
                }
            }
            // Types of siblings: all children of one parent at once, below.
            None => {
                let mut types = [0u32; Label::COUNT];
                tree.children(v).for_each(|child| types[state(child) as usize] += 1);
                for child in tree.children(v) {
                    for (label, &n) in types.iter().enumerate() {
                        add(child, label as u32, n - u32::from(label as u32 == state(child)));
                    }
                }
            }
        }
    }
}
