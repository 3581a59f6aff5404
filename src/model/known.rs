//! The models that are known by name: those in the program, and those that are fetched. Their cards: `models/README.md`.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::Model;
use crate::error::{Error, Remedy, Result, Setting, did_you_mean};
use crate::store::default_data_dir;

/// A model that is known by name.
#[derive(Debug, Clone, Copy)]
pub struct KnownModel {
    /// Its name on the command line and in experiments.
    pub name: &'static str,
    /// What it is for.
    pub what: &'static str,
    /// The licence of the data that it was trained on, and what that asks for.
    pub licence: &'static str,
    /// Where its file is.
    pub origin: Origin,
}

/// Where the file of a known model is.
#[derive(Debug, Clone, Copy)]
pub enum Origin {
    /// In the program, [packed](super::format#packed).
    Bundled(&'static [u8]),
    /// In the [`folder`] of models once it was [installed](super::install::install).
    Fetched {
        /// The SHA-256 of the file, in hex.
        sha256: &'static str,
        /// Its size in bytes.
        bytes: u64,
    },
}

const WCXB: &str = "CC-BY-4.0: name the source, WCXB (Foley 2025), \
                    github.com/Murrough-Foley/web-content-extraction-benchmark";
const WEB_LICENCE: &str = "trained on WCXB (CC-BY-4.0: name the source, Foley 2025, \
                      github.com/Murrough-Foley/web-content-extraction-benchmark), five collections under MIT and Apache-2.0 that \
                      `duramen data list` names, and 2,920 pages labelled by reading (CC0-1.0)";
const L3S_GN1: &str = "trained on L3S-GN1: research use only, not transferable; a publication cites \
                       Kohlschuetter, Fankhauser, Nejdl, WSDM 2010";

/// The models, the default first.
pub const KNOWN: [KnownModel; 4] = [
    KnownModel {
        name: "web",
        what: "any page of the web; the default",
        licence: WEB_LICENCE,
        origin: Origin::Bundled(include_bytes!("../../models/web.packed")),
    },
    KnownModel {
        name: "web-blocks",
        what: "counts of pages of today's web alone, to sample from and to start EM",
        licence: WCXB,
        origin: Origin::Bundled(include_bytes!("../../models/web-blocks.packed")),
    },
    KnownModel {
        name: "news",
        what: "news articles in all six labels; for research",
        licence: L3S_GN1,
        origin: Origin::Fetched {
            sha256: "50d7851554fece91fd8672086344db43f8cbf5991dc026b27c61cabf11dead5c",
            bytes: 685_563,
        },
    },
    KnownModel {
        name: "news-blocks",
        what: "counts of news articles alone, to sample from and to start EM; for research",
        licence: L3S_GN1,
        origin: Origin::Fetched {
            sha256: "11094e71e0ae73be22819eb3f90f96a874a1dc7fcb9e1a72b7fce51b242995e7",
            bytes: 9_837,
        },
    },
];

impl KnownModel {
    /// The known model of this name.
    ///
    /// # Errors
    /// [`Error::Usage`] with the nearest name.
    pub fn find(name: &str) -> Result<&'static KnownModel> {
        KNOWN.iter().find(|known| known.name == name).ok_or_else(|| {
            let names = KNOWN.iter().map(|known| known.name);
            Error::usage(format!("no known model '{name}'"), did_you_mean(name, names))
        })
    }

    /// The name of its file.
    pub fn file_name(&self) -> String {
        format!("{}.json", self.name)
    }

    /// The size of its file in bytes, or of its packed form in the program.
    pub fn bytes(&self) -> u64 {
        match self.origin {
            Origin::Bundled(packed) => packed.len() as u64,
            Origin::Fetched { bytes, .. } => bytes,
        }
    }

    /// Reads it, if need be from `folder`.
    fn load(&self, folder: impl FnOnce() -> Result<PathBuf>) -> Result<Model> {
        if let Origin::Bundled(packed) = self.origin {
            return Model::from_packed(packed, self.name);
        }
        let folder = folder()?;
        let path = folder.join(self.file_name());
        if !path.exists() {
            return Err(Error::data(
                format!("model '{}'", self.name),
                format!("not in {}", folder.display()),
                Remedy::from(format!("run: duramen model fetch {}, ", self.name))
                    .set("from the folder models of a checkout of the repository", Setting::ModelFolder),
            ));
        }
        Model::load(&path)
    }
}

static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// The folder of fetched models: what [`set_folder`] said, else `DURAMEN_MODEL_DIR`, else `models` in the
/// [data folder](default_data_dir).
///
/// # Errors
/// [`Error::Usage`] if none of these is known.
pub fn folder() -> Result<PathBuf> {
    let named = std::env::var_os("DURAMEN_MODEL_DIR").filter(|folder| !folder.is_empty());
    match FOLDER.get().cloned().or(named.map(PathBuf::from)) {
        Some(folder) => Ok(folder),
        None => default_data_dir().map(|data| data.join("models")),
    }
}

/// Sets the folder of fetched models for the whole process: once, before the first model is read.
///
/// # Errors
/// [`Error::Usage`] if it was set before.
pub fn set_folder(folder: &Path) -> Result<()> {
    FOLDER.set(folder.to_owned()).map_err(|_| {
        Error::usage(
            "the folder of models is set for the second time",
            "set it once, when the program starts",
        )
    })
}

impl Model {
    /// The default model, which is in the program.
    ///
    /// # Errors
    /// None in a released program: a test reads it.
    pub fn bundled() -> Result<Model> {
        KNOWN[0].load(folder)
    }

    /// A model by its name among the [known](KNOWN), or by its file's path. What is not in the program is looked for in
    /// the [`folder`] of models.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is neither; [`Error::Data`], with the command that fetches it, for a known model that is
    /// not there; as [`Model::load`].
    pub fn by_name(name: &str) -> Result<Model> {
        match KnownModel::find(name) {
            Ok(known) => known.load(folder),
            // What looks like a file is one that is missing.
            Err(unknown) if !Path::new(name).exists() && !name.contains(['.', '/', '\\']) => {
                let Error::Usage { remedy, .. } = unknown else { return Err(unknown) };
                Err(Error::usage(format!("no model '{name}': neither a file nor a known name"), remedy))
            }
            Err(_) => Model::load(name.as_ref()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelConfig;

    #[test]
    fn the_bundled_models_are_whole_and_trained() {
        let bundled = KNOWN.iter().filter(|known| matches!(known.origin, Origin::Bundled(_)));
        let bundled: Vec<&str> = bundled.map(|known| known.name).collect();
        assert_eq!(bundled, ["web", "web-blocks"]);
        for (name, config) in bundled.into_iter().zip(["boosted", "blocks"]) {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(name);
            let file = Model::load(&path.with_extension("json")).unwrap();
            let packed = path.with_extension("packed");
            if std::env::var_os("DURAMEN_PACK_MODELS").is_some() {
                // Whoever compiles next has it in the program.
                std::fs::write(&packed, file.to_packed()).unwrap();
                continue;
            }
            let remedy = "run this test with DURAMEN_PACK_MODELS=1 to write it";
            assert!(std::fs::read(packed).unwrap() == file.to_packed(), "{name}.packed: {remedy}");
            let model = Model::by_name(name).unwrap();
            assert_eq!(model, file);
            assert_eq!(model.to_json(), file.to_json(), "{name}");
            assert!(model.pages() > 1400, "{name}");
            assert_eq!(model.layers().weights.is_some(), config == "boosted");
            assert_eq!(model.layers().page_confidence.is_some(), config == "boosted");
            assert_eq!(model.config().decision, ModelConfig::preset(config).unwrap().decision);
        }
        assert_eq!(Model::bundled().unwrap().config().scores().len(), 6);
    }

    #[test]
    fn a_fetched_model_is_read_from_its_folder_or_the_command_that_fetches_it_is_given() {
        let folder = tempfile::tempdir().unwrap();
        let at = || Ok(folder.path().to_owned());
        let known = KnownModel::find("news-blocks").unwrap();
        let error = known.load(at).unwrap_err();
        assert_eq!(error.exit_code(), 3);
        assert!(error.to_string().contains("run: duramen model fetch news-blocks"), "{error}");
        let model = Model::by_name("web-blocks").unwrap();
        std::fs::write(folder.path().join("news-blocks.json"), model.to_json()).unwrap();
        assert_eq!(known.load(at).unwrap(), model);
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_nearest() {
        let error = Model::by_name("webb").unwrap_err().to_string();
        assert!(error.contains("no model 'webb'") && error.contains("'web'"), "{error}");
    }
}
