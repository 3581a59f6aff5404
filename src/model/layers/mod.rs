//! `Layers`, what a model has learned beyond its counts: one file a layer, with what it shows of itself.

use serde::{Deserialize, Serialize};

pub mod boosted_config;
pub mod boosted_scores;
pub mod label_split;
mod layer;
pub mod page_confidence;
pub mod page_type;
pub mod page_type_decision;
pub mod recalibration;
pub mod site;
pub mod term_weights;
pub mod token_counts;
pub(crate) mod token_table;
pub mod weights;

use boosted_scores::BoostedScores;
use label_split::{CommentSplit, SupplementalSplit};
pub use layer::Layer;
pub(super) use layer::{SHOWN, percent};
use page_confidence::PageConfidence;
use page_type_decision::PageTypeDecision;
use recalibration::Recalibration;
use site::Site;
use weights::Weights;

/// A layer that [`Layers`] has a place for.
pub trait OfModel: Layer + Sized {
    /// The layer, if it was learned.
    fn of(layers: &Layers) -> Option<&Self>;

    /// Puts a layer in its place, or none, and takes out those that were learned over it as it was.
    fn put(layers: &mut Layers, layer: Option<Self>);
}

/// Defines [`Layers`]: of each layer its field, its type, and what goes when it changes.
macro_rules! layers {
    ($($(#[$doc:meta])* $field:ident: $Layer:ty, without [$($over:ident),*];)*) => {
        /// What a model has learned beyond its counts, in the order in which it is learned; saved as it is, in a model file
        /// beside what was counted.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        pub struct Layers<Beside = ()> {
            #[serde(flatten)]
            beside: Beside,
            $($(#[$doc])* #[serde(default, skip_serializing_if = "Option::is_none")] pub $field: Option<$Layer>,)*
        }

        impl<Beside> Layers<Beside> {
            /// Those that were learned.
            pub fn iter(&self) -> impl Iterator<Item = &dyn Layer> {
                let all = [$(self.$field.as_ref().map(|layer| layer as &dyn Layer)),*];
                all.into_iter().flatten()
            }

            /// The layers beside something else, and what they stood beside.
            pub(super) fn put_beside<Other>(self, beside: Other) -> (Layers<Other>, Beside) {
                (Layers { beside, $($field: self.$field,)* }, self.beside)
            }

            /// What the layers stand beside.
            pub(super) fn beside(&self) -> &Beside {
                &self.beside
            }
        }

        $(impl OfModel for $Layer {
            fn of(layers: &Layers) -> Option<&Self> {
                layers.$field.as_ref()
            }

            fn put(layers: &mut Layers, layer: Option<Self>) {
                layers.$field = layer;
                $(layers.$over = None;)*
            }
        })*
    };
}

layers! {
    /// The learned scores that are features.
    scores: BoostedScores, without [weights, recalibration, page_type_decision, page_confidence];
    /// Weights over the tables that the counts give.
    weights: Weights, without [recalibration, page_type_decision, page_confidence];
    /// Where a corpus draws the line: over the posteriors of inference, and over the site's. With its own line a corpus
    /// says itself how much is to be kept, on pages of any type.
    recalibration: Recalibration, without [page_type_decision, page_confidence];
    /// How much recall weighs on pages of each type: part of the model's own decision.
    page_type_decision: PageTypeDecision, without [page_confidence];
    /// How far the F1 that a page's posterior expects can be believed: for the article under the model's own decision.
    page_confidence: PageConfidence, without [];
    /// How supplemental text is told from the rest of what is not content: applied first, and only where the convention includes
    /// by-lines.
    supplemental_split: SupplementalSplit, without [];
    /// How readers' comments are told from the rest of what is not content: applied last, which changes nothing of what is
    /// content.
    comment_split: CommentSplit, without [];
    /// What the model was adapted to: over the posteriors of inference.
    site: Site, without [];
}
