//! The hidden Markov tree: states, configuration, counts, parameters, the file format.
//!
//! Let v run over the nodes of a view in document order, pa(v) be the parent, ps(v) the previous sibling, z_v the
//! hidden state and x_v the features. The model is
//!
//! P(z, x | theta) = prod_v A\[z_pa(v), z_ps(v)\]\[z_v\] * prod_f p_f(x_vf | z_v, phi_f)
//!
//! with Dirichlet priors on the rows of A and on categorical features and Beta priors on geometric ones. All that
//! is learned is [`Counts`]; posterior = prior + counts. See `docs/MODEL.md`.

pub mod config;
pub mod counts;
pub mod decision;
mod draw_features;
mod emission;
pub(crate) mod feature_tally;
pub mod format;
mod hmt;
pub mod install;
pub mod known;
pub mod layers;
pub mod node_labels;
pub mod parameters;
pub mod prior_strength;
pub(crate) mod sealed;
pub mod show;
pub mod states;
pub mod text_gold;

pub use config::{Family, FeatureUse, ModelConfig, Priors, TransitionKind};
pub use counts::Counts;
pub use decision::Decision;
pub use hmt::{Model, Observation};
pub use layers::boosted_config::BoostedConfig;
pub use layers::boosted_scores::{BoostedScores, ScoreInputs};
pub use layers::label_split::{CommentSplit, SupplementalSplit};
pub use layers::page_confidence::PageConfidence;
pub use layers::page_type::{ByType, PageType, PageTypeProbabilities, PageTypes};
pub use layers::page_type_decision::PageTypeDecision;
pub use layers::recalibration::Recalibration;
pub use layers::site::{Site, SitePrior, places_of_leaves};
pub use layers::token_counts::TokenCounts;
pub use layers::weights::{Refinement, TransitionExponents, Weights};
pub use layers::{Layer, Layers};
pub use node_labels::NodeLabels;
pub(crate) use parameters::category;
pub use parameters::{Parameters, Transition};
pub use prior_strength::empirical_priors;
pub use states::{PermittedStates, StateSet, StateSpace, TargetStates};
pub use text_gold::TextGoldLabels;
