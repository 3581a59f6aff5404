//! The model that comes with the program, so that `extract` works at once.

use super::Model;
use crate::error::Result;

/// Trained on L3S-GN1 by `duramen train --dataset l3s-gn1`; its card is `models/README.md`.
const FILE: &str = include_str!("../../models/l3s-gn1-blocks.json");

impl Model {
    /// The bundled model.
    ///
    /// # Errors
    /// None in a released program: a test reads it.
    pub fn bundled() -> Result<Model> {
        Model::from_json(FILE, "the bundled model")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_model_is_whole_and_trained() {
        let model = Model::bundled().unwrap();
        assert!(model.pages() > 600);
        assert_eq!(*model.config(), crate::model::ModelConfig::blocks());
        assert_eq!(model.to_json(), FILE);
    }
}
