//! Inference on one page: exact marginals and MAP states, and the thesis's Gibbs sampler.
//!
//! | module | gives | cost | leaves out |
//! |---|---|---|---|
//! | [`upward_downward`] | marginals, evidence | O(n K^2), with previous sibling O(n K^3) | labels of all siblings |
//! | [`viterbi`] | the most probable states of the whole tree | the same | the same |
//! | [`joint_draw`] | the states of the whole tree drawn from their posterior | the same | the same |
//! | [`contributions`](mod@contributions) | why a node has its label | O(n K) for each feature | the same |
//! | [`simulate`] | pages made by the model: states, features | O(n K^3) | the same |
//! | [`predictive_check`] | which features of a page the model does not reproduce | O(n F) for each draw | tags of siblings |
//! | [`expected_counts`] | what a page is expected to count | the same, and O(n K) for each feature | nothing: refused |
//! | [`em`] | a model of pages partly labelled | the same, for each page and iteration | the same |
//! | [`weight_learning`] | the weights of a model | three times the marginals, for each page and epoch | the same |
//! | [`gibbs`] | averages over sweeps | O(sweeps n K) | nothing |
//!
//! All take a [`Tree`](crate::view::Tree), log emissions \[node\]\[state\] and log transitions; a state at minus
//! infinity is not permitted at that node.

pub mod contributions;
mod downward;
pub mod em;
pub mod exact;
pub mod expected_counts;
pub mod gibbs;
pub mod joint_draw;
mod lanes;
pub mod predictive_check;
mod rows;
mod sibling_chain;
pub mod simulate;
pub mod site_adaptation;
mod upward;
pub mod upward_downward;
pub mod viterbi;
pub mod weight_learning;

pub use contributions::{LnOdds, NodeContributions, contributions};
pub use em::{Em, EmConfig, EmIteration};
pub use exact::Exact;
pub use expected_counts::{ExpectedCounts, PartialPage};
pub use gibbs::{GibbsConfig, ParameterUse};
pub use joint_draw::{Filtered, JointDraw};
pub use upward_downward::Marginals;
pub use weight_learning::{LearnedWeights, WeightLearning, WeightPage};
