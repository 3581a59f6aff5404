//! The models that come with the program, so that `extract` works at once; their cards are in `models/README.md`.

use std::path::Path;

use super::Model;
use crate::error::{Error, Result, did_you_mean};

/// A model that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct BundledModel {
    /// Its name on the command line and in experiments.
    pub name: &'static str,
    /// What it is for.
    pub what: &'static str,
    file: &'static str,
}

/// The models, the default first.
pub const BUNDLED: [BundledModel; 4] = [
    BundledModel {
        name: "web",
        what: "any page of today's web; the default",
        file: include_str!("../../models/web.json"),
    },
    BundledModel {
        name: "news",
        what: "news articles in all six roles; for research",
        file: include_str!("../../models/news.json"),
    },
    BundledModel {
        name: "roles",
        what: "any page in all six roles, learned from web and news together; for research",
        file: include_str!("../../models/roles.json"),
    },
    BundledModel {
        name: "news-blocks",
        what: "counts of news articles alone, to sample from and to start EM; for research",
        file: include_str!("../../models/news-blocks.json"),
    },
];

impl Model {
    /// The default model that comes with the program.
    ///
    /// # Errors
    /// None in a released program: a test reads it.
    pub fn bundled() -> Result<Model> {
        Model::from_json(BUNDLED[0].file, BUNDLED[0].name)
    }

    /// A model by its name among the [bundled](BUNDLED), or by its file's path.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is neither; as [`Model::load`].
    pub fn by_name(name: &str) -> Result<Model> {
        if let Some(bundled) = BUNDLED.iter().find(|bundled| bundled.name == name) {
            return Model::from_json(bundled.file, name);
        }
        // What looks like a file is one that is missing.
        if !Path::new(name).exists() && !name.contains(['.', '/', '\\']) {
            let names = BUNDLED.iter().map(|bundled| bundled.name);
            return Err(Error::usage(
                format!("no model '{name}': neither a file nor one that comes with the program"),
                did_you_mean(name, names),
            ));
        }
        Model::load(name.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelConfig;

    #[test]
    fn the_bundled_models_are_whole_and_trained() {
        let expected = [("boosted", 1400), ("boosted", 600), ("boosted", 2000), ("blocks", 600)];
        for (bundled, (config, pages)) in BUNDLED.iter().zip(expected) {
            let model = Model::by_name(bundled.name).unwrap();
            assert!(model.pages() > pages, "{}", bundled.name);
            assert_eq!(model.weights().is_some(), config == "boosted");
            assert_eq!(model.page_confidence().is_some(), config == "boosted");
            assert_eq!(model.config().decision, ModelConfig::preset(config).unwrap().decision);
            assert_eq!(model.to_json(), bundled.file, "{}", bundled.name);
        }
        assert_eq!(Model::bundled().unwrap().config().scores().len(), 1);
        for name in ["news", "roles"] {
            assert_eq!(Model::by_name(name).unwrap().config().scores().len(), 6);
        }
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_nearest() {
        let error = Model::by_name("webb").unwrap_err().to_string();
        assert!(error.contains("no model 'webb'") && error.contains("web"), "{error}");
    }
}
