//! What a model is made of: view, states, transitions, features with their families, priors.

use serde::{Deserialize, Serialize};

use super::decision::Decision;
use super::layers::boosted_config::BoostedConfig;
use super::states::StateSpace;
use crate::dist::{BetaGeometric, DirichletCategorical};
use crate::error::{Error, Result, did_you_mean};
use crate::features::catalogue;
use crate::features::spec::{FeatureSpec, Kind};
use crate::layout;
use crate::view::View;

/// The configuration of a model. Two models can be merged if theirs are equal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModelConfig {
    /// The tree the model is over.
    pub view: View,
    /// The hidden states.
    pub states: StateSpace,
    /// What a node's state depends on.
    pub transition: TransitionKind,
    /// Whether the labels of all siblings are a feature of a node, as in the thesis (its feature 6). This breaks
    /// the tree: exact inference leaves the term out and only Gibbs sampling has it.
    pub sibling_types: bool,
    /// Whether the types of all children are an emission of their parent, over and above the transitions (the
    /// thesis's feature 3 taken as it is written). The product is then no longer normalized: exact inference leaves
    /// the term out and only Gibbs sampling has it. Default no.
    #[serde(default, skip_serializing_if = "is_false")]
    pub child_types: bool,
    /// Whether inner nodes have emission tables of their own: what 500 words mean of a paragraph and of a whole
    /// column are two things.
    pub inner_tables: bool,
    /// The observed features and the distribution of each.
    pub features: Vec<FeatureUse>,
    /// The engine whose layouts the features of the page as it looks are read off (`blitz`, `chromium`); goes with such
    /// features and only with them. Engines differ: a model is trained and used with the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<String>,
    /// What features such as `content-score` are learned from; goes with such features and only with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boosted: Option<BoostedConfig>,
    /// How labels are chosen where nothing else is asked for. Default the most probable ones.
    #[serde(default, skip_serializing_if = "is_default")]
    pub decision: Decision,
    /// The priors.
    #[serde(default)]
    pub priors: Priors,
}

fn is_default(decision: &Decision) -> bool {
    *decision == Decision::default()
}

fn is_false(value: &bool) -> bool {
    !value
}

/// What the transition to a node's state is conditioned on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TransitionKind {
    /// The parent's state: the thesis's tree.
    Parent,
    /// The parent's state and that of the previous sibling, with a symbol for the first child.
    ParentAndPreviousSibling,
}

/// The distribution of a count feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Geometric with a Beta prior: the thesis's choice. For counts only.
    BetaGeometric,
    /// Categorical with a Dirichlet prior: over categories, or over a count's bins.
    DirichletCategorical,
}

/// One feature of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeatureUse {
    /// Its id in the [catalogue].
    pub id: String,
    /// Its distribution.
    pub family: Family,
}

/// The priors of a model; all defaults are the thesis's "uninformed" ones.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
#[derive(Default)]
pub struct Priors {
    /// Of each row of the transitions.
    pub transition: DirichletCategorical,
    /// Of each categorical feature.
    pub categorical: DirichletCategorical,
    /// Of each geometric feature.
    pub geometric: BetaGeometric,
}

/// What the boosted model's tree looks at besides the features of `blocks`.
const BOOSTED_FEATURES: &[&str] = &[
    "content-score",
    "headline-score",
    "full-text-score",
    "supplemental-score",
    "related-content-score",
    "comments-score",
    "inline-tag",
    "title-words",
    "position",
    "heading-level",
    "leaves-since-heading",
    "leaves-since-title",
    "content-main-levels",
    "parent-long-text",
    "parent-link-density",
    "nearest-part",
    "pair-count",
    "text-count",
    "word-length",
    "capitals",
    "digits",
    "commas",
    "ending",
    "previous-leaf-tag",
    "wide-link-density",
];

/// The name of the words of classes and text among the families of features.
const WORDS: &str = "words";
/// The name of the probabilities of the types of pages among them.
const PAGE_TYPES: &str = "page types";
/// The name of the conventions of corpora among them.
const CONVENTIONS: &str = "conventions";

impl ModelConfig {
    /// The thesis's model as written: DOM tree, six states, parent-only transitions, labels of all siblings, its
    /// features 1-11 with Beta-geometric counts.
    pub fn thesis() -> Self {
        ModelConfig {
            view: View::Dom,
            states: StateSpace::Labels,
            transition: TransitionKind::Parent,
            sibling_types: true,
            child_types: false,
            inner_tables: false,
            features: catalogue::all()
                .filter(|feature| feature.thesis.is_some() && !feature.needs_layout)
                .map(|feature| FeatureUse {
                    id: feature.id.to_owned(),
                    family: match feature.kind {
                        Kind::Count { .. } => Family::BetaGeometric,
                        _ => Family::DirichletCategorical,
                    },
                })
                .collect(),
            layout: None,
            boosted: None,
            decision: Decision::MostProbable,
            priors: Priors::default(),
        }
    }

    /// The default of `train`, and that of the model `web-blocks`: block tree, *mixed* inner states, previous sibling, binned features.
    pub fn blocks() -> Self {
        let features = ["tag", "words", "full-stops", "link-density", "main-relation", "class-hint"];
        ModelConfig {
            view: View::Blocks,
            states: StateSpace::LabelsAndMixed,
            transition: TransitionKind::ParentAndPreviousSibling,
            sibling_types: false,
            child_types: false,
            inner_tables: true,
            features: features
                .map(|id| FeatureUse { id: id.to_owned(), family: Family::DirichletCategorical })
                .to_vec(),
            layout: None,
            boosted: None,
            decision: Decision::MostProbable,
            priors: Priors::default(),
        }
    }

    /// That of the default model `web`: the block tree with more features, among them scores of boosted trees over all of them.
    pub fn boosted() -> Self {
        let mut config = Self::blocks();
        config.features.extend(
            BOOSTED_FEATURES
                .iter()
                .map(|&id| FeatureUse { id: id.to_owned(), family: Family::DirichletCategorical }),
        );
        config.boosted = Some(BoostedConfig::default());
        config.decision = Decision::EXPECTED_F1;
        config
    }

    /// The configuration with the thesis's features 12-15, read off the layouts of an engine: geometric where its counts
    /// are, otherwise binned.
    pub fn with_layout(mut self, engine: &str) -> Self {
        let family = match self.features.iter().any(|feature| feature.family == Family::BetaGeometric) {
            true => Family::BetaGeometric,
            false => Family::DirichletCategorical,
        };
        let visual = catalogue::all().filter(|feature| feature.needs_layout);
        self.features.extend(visual.map(|feature| FeatureUse { id: feature.id.to_owned(), family }));
        self.layout = Some(engine.to_owned());
        self
    }

    /// The configuration without the features of these [families](catalogue::FAMILIES), its own and those that boosted scores
    /// look at; `words` are the counts of words of classes and text that the latter look at besides, `page types` the
    /// probabilities of the types of pages, `conventions` what corpora include.
    ///
    /// # Errors
    /// [`Error::Usage`] for another name, with the nearest.
    pub fn without_families(mut self, without: &[String]) -> Result<Self> {
        for name in without {
            const OTHERS: [&str; 3] = [WORDS, PAGE_TYPES, CONVENTIONS];
            if OTHERS.contains(&name.as_str()) {
                if let Some(boosted) = &mut self.boosted {
                    boosted.conventions &= name != CONVENTIONS;
                    boosted.words &= name != WORDS;
                    boosted.page_types &= name != PAGE_TYPES;
                }
                continue;
            }
            let Some(family) = catalogue::FAMILIES.iter().find(|family| family.name == name) else {
                let names = catalogue::FAMILIES.iter().map(|family| family.name).chain(OTHERS);
                return Err(Error::usage(
                    format!("unknown family of features '{name}'"),
                    did_you_mean(name, names),
                ));
            };
            let is_of_family = |id: &str| family.features.iter().any(|feature| feature.id == id);
            self.features.retain(|feature| !is_of_family(&feature.id));
            if let Some(boosted) = &mut self.boosted {
                boosted.inputs.retain(|id| !is_of_family(id));
            }
        }
        Ok(self)
    }

    /// The configuration that a TOML text states, checked; `subject` names it in errors.
    ///
    /// # Errors
    /// [`Error::Usage`] with the line and key that no configuration has, or as [`ModelConfig::check`].
    pub fn from_toml(text: &str, subject: &str) -> Result<Self> {
        let config: ModelConfig =
            toml::from_str(text).map_err(|error| Error::from_toml(subject, &error, "docs/MODEL.md"))?;
        config.check()?;
        Ok(config)
    }

    /// The preset with this name, `thesis`, `blocks` or `boosted`; with `+blitz` or `+chromium` after it, [with the features of that
    /// engine's layouts](ModelConfig::with_layout).
    ///
    /// # Errors
    /// [`Error::Usage`] for another name, with the nearest.
    pub fn preset(name: &str) -> Result<Self> {
        let (preset, engine) = match name.split_once('+') {
            Some((preset, engine)) => (preset, Some(engine)),
            None => (name, None),
        };
        let config = match preset {
            "thesis" => Self::thesis(),
            "blocks" => Self::blocks(),
            "boosted" => Self::boosted(),
            _ => {
                return Err(Error::usage(
                    format!("unknown model configuration '{name}'"),
                    did_you_mean(preset, Self::PRESETS.iter().copied()),
                ));
            }
        };
        match engine {
            None => Ok(config),
            Some(engine) => {
                layout::check_name(engine)?;
                Ok(config.with_layout(engine))
            }
        }
    }

    /// The [scores](catalogue::SCORES) that are features, by number.
    pub(crate) fn scores(&self) -> Vec<usize> {
        let listed = |id: &str| self.features.iter().any(|feature| feature.id == id);
        (0..catalogue::SCORES.len()).filter(|&score| listed(catalogue::SCORES[score].0)).collect()
    }

    /// The number of columns of an emission table: one for each state, and with tables of their own for inner
    /// nodes as many again.
    pub(crate) fn emission_width(&self) -> usize {
        self.states.len() * if self.inner_tables { 2 } else { 1 }
    }

    /// The first column of an emission table for a node.
    pub(crate) fn emission_offset(&self, is_leaf: bool) -> usize {
        if self.inner_tables && !is_leaf { self.states.len() } else { 0 }
    }

    /// The names that [`ModelConfig::preset`] knows.
    pub const PRESETS: [&'static str; 3] = ["thesis", "blocks", "boosted"];

    /// Checks ranges and names; gives the catalogue entries of the features, in order.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the field, its value and its range.
    pub fn check(&self) -> Result<Vec<&'static FeatureSpec>> {
        for (name, value) in [
            ("priors.transition", self.priors.transition.gamma),
            ("priors.categorical", self.priors.categorical.gamma),
            ("priors.geometric.alpha", self.priors.geometric.alpha),
            ("priors.geometric.beta", self.priors.geometric.beta),
        ] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(Error::usage(
                    format!("{name} is {value}"),
                    "a prior must be larger than 0 and finite; the default is 1",
                ));
            }
        }
        let mut known: Vec<&'static FeatureSpec> = Vec::new();
        for FeatureUse { id, family } in &self.features {
            let feature = catalogue::find(id).ok_or_else(|| {
                Error::usage(format!("unknown feature '{id}'"), did_you_mean(id, catalogue::ids()))
            })?;
            if *family == Family::BetaGeometric && feature.kind.unit().is_none() {
                return Err(Error::usage(
                    format!("feature '{id}' has family beta-geometric and is no count"),
                    "write family = \"dirichlet-categorical\"",
                ));
            }
            if known.iter().any(|other| other.id == feature.id) {
                return Err(Error::usage(format!("feature '{id}' is listed twice"), "list it once"));
            }
            known.push(feature);
        }
        self.decision.check()?;
        if let Some(boosted) = &self.boosted {
            boosted.check()?;
        }
        if self.boosted.is_some() != known.iter().any(|feature| feature.needs_score) {
            return Err(Error::usage(
                "features such as 'content-score' and the table 'boosted' go together, and one is missing",
                "add both or neither; `boosted = {}` takes the defaults",
            ));
        }
        let visual = known.iter().find(|feature| feature.needs_layout);
        match (&self.layout, visual) {
            (Some(engine), Some(_)) => layout::check_name(engine)?,
            (None, None) => {}
            (None, Some(feature)) => {
                return Err(Error::usage(
                    format!("feature '{}' is read off a layout, and layout is not set", feature.id),
                    "write layout = \"blitz\" or layout = \"chromium\"",
                ));
            }
            (Some(engine), None) => {
                return Err(Error::usage(
                    format!("layout is '{engine}', and no feature is read off it"),
                    "remove it, or add top-offset, left-offset, width or height",
                ));
            }
        }
        Ok(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_goes_with_features_of_it_and_only_with_them() {
        let config = ModelConfig::preset("thesis+blitz").unwrap();
        let numbers: Vec<u8> = config.check().unwrap().iter().filter_map(|feature| feature.thesis).collect();
        assert_eq!(numbers, [1, 2, 4, 5, 7, 9, 10, 11, 12, 13, 14, 15]);
        let mut without = config.clone();
        without.layout = None;
        assert!(without.check().unwrap_err().to_string().contains("'top-offset' is read off a layout"));
        let mut alone = ModelConfig::blocks();
        alone.layout = Some("blitz".to_owned());
        assert!(alone.check().unwrap_err().to_string().contains("no feature is read off it"));
        let error = ModelConfig::preset("blocks+blits").unwrap_err().to_string();
        assert_eq!(error, "unknown layout engine 'blits'; did you mean 'blitz'?");
    }

    #[test]
    fn presets_are_valid_and_the_thesis_has_its_eight_observed_features() {
        for name in ModelConfig::PRESETS {
            ModelConfig::preset(name).unwrap().check().unwrap();
        }
        let numbers: Vec<u8> =
            ModelConfig::thesis().check().unwrap().iter().filter_map(|feature| feature.thesis).collect();
        assert_eq!(numbers, [1, 2, 4, 5, 7, 9, 10, 11]);
    }

    #[test]
    fn priors_default_to_one() {
        let text = toml::to_string(&ModelConfig::blocks()).unwrap();
        let (without, _) = text.split_once("[priors").unwrap();
        assert_eq!(toml::from_str::<ModelConfig>(without).unwrap(), ModelConfig::blocks());
    }

    #[test]
    fn wrong_settings_are_refused_with_field_and_remedy() {
        let mut config = ModelConfig::blocks();
        config.priors.geometric.beta = 0.0;
        assert_eq!(
            config.check().unwrap_err().to_string(),
            "priors.geometric.beta is 0; a prior must be larger than 0 and finite; the default is 1"
        );
        let mut config = ModelConfig::blocks();
        config.features[0].id = "wrods".to_owned();
        assert_eq!(config.check().unwrap_err().to_string(), "unknown feature 'wrods'; did you mean 'words'?");
        let mut config = ModelConfig::blocks();
        config.features[0].family = Family::BetaGeometric;
        assert!(config.check().unwrap_err().to_string().contains("is no count"));
    }
}
