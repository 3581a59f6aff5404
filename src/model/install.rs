//! Installing a known model that is not in the program: checksum first, then written whole.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::known::{KnownModel, Origin};
use crate::dom::digest::hex;
use crate::error::{Error, Remedy, Result, Setting};
use crate::files::{Aside, clear_once, write_whole};
use crate::progress::Progress;
use crate::store::Mirror;

/// What an installation did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The model's file.
    pub path: PathBuf,
    /// Whether it was there already, so that nothing was done.
    pub already_there: bool,
}

/// Copies the file of a known model from `from`, a folder or an http(s) URL under which it lies, into `folder`, unless it is
/// there. A server is told of `user_agent`, else of this program. Its SHA-256 must be the one that this program knows.
///
/// # Errors
/// [`Error::Usage`] for a model that is in the program, and for a URL if the program was built without downloads;
/// [`Error::Data`] if `from` does not have the file or has another one, or if another file is in its place and `force` is not
/// set; [`Error::Io`]. In every case what was there stays.
pub fn install(
    known: &KnownModel,
    from: &str,
    user_agent: Option<&str>,
    folder: &Path,
    force: bool,
    progress: &dyn Progress,
) -> Result<Installed> {
    let Origin::Fetched { sha256, bytes } = known.origin else {
        return Err(Error::usage(
            format!("model '{}' is in the program", known.name),
            "name it as a model wherever one is asked for",
        ));
    };
    let name = known.file_name();
    let path = folder.join(&name);
    clear_once(folder);
    if path.exists() {
        let there = std::fs::read(&path).map_err(|error| Error::io(&path, error))?;
        if hex(&Sha256::digest(&there)) == sha256 {
            return Ok(Installed { path, already_there: true });
        }
        if !force {
            let problem = "another file than the model that this program knows by that name";
            return Err(Error::data(
                path.display(),
                problem,
                Remedy::from("move it away, or ").set("overwrite the file", Setting::OverwriteModel),
            ));
        }
    }
    let mirror = Mirror::new(from, user_agent)?;
    let failed = |error| Error::io(folder, error);
    let aside = Aside::within(folder).map_err(failed)?;
    progress.stage_of_bytes(&format!("fetching {name}"), Some(bytes));
    let mut go_on = |done, _| {
        progress.done(done);
        true
    };
    let Some(taken) = mirror.take(&name, aside.path(), &mut go_on)? else {
        return Err(Error::data(
            mirror.place(),
            format!("holds no {name}"),
            "give the folder `models` of a checkout of the repository, or a URL that has its files",
        ));
    };
    let text = std::fs::read(&taken).map_err(|error| Error::io(&taken, error))?;
    let found = hex(&Sha256::digest(&text));
    if found != sha256 {
        return Err(Error::data(
            format!("{name} of {}", mirror.place()),
            format!("its SHA-256 is {found}, not {sha256}"),
            format!("take the file of duramen {}", env!("CARGO_PKG_VERSION")),
        ));
    }
    write_whole(&path, &text)?;
    Ok(Installed { path, already_there: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;

    /// A model whose file is `text`.
    fn known(sha256: &'static str) -> KnownModel {
        let origin = Origin::Fetched { sha256, bytes: 3 };
        KnownModel { name: "test", what: "", licence: "", origin }
    }

    /// The SHA-256 of `abc`.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_model_is_installed_once_and_only_with_its_checksum() {
        let place = tempfile::tempdir().unwrap();
        let (from, to) = (place.path().join("from"), place.path().join("to"));
        let from_name = from.to_str().unwrap();
        let install = |force| install(&known(ABC), from_name, None, &to, force, &Silent);
        assert_eq!(install(false).unwrap_err().exit_code(), 3, "there is no such folder");
        std::fs::create_dir(&from).unwrap();
        let error = install(false).unwrap_err().to_string();
        assert!(error.contains("holds no test.json"), "{error}");
        std::fs::write(from.join("test.json"), "abd").unwrap();
        let error = install(false).unwrap_err().to_string();
        assert!(error.contains("its SHA-256 is") && error.contains(ABC), "{error}");
        assert!(!to.join("test.json").exists());
        std::fs::write(from.join("test.json"), "abc").unwrap();
        let path = to.join("test.json");
        assert_eq!(install(false).unwrap(), Installed { path: path.clone(), already_there: false });
        assert_eq!(install(false).unwrap(), Installed { path: path.clone(), already_there: true });
        std::fs::write(&path, "mine").unwrap();
        let error = install(false).unwrap_err().to_string();
        assert!(error.contains("overwrite the file"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"mine");
        assert!(!install(true).unwrap().already_there);
        assert_eq!(std::fs::read(&path).unwrap(), b"abc");
        assert_eq!(std::fs::read_dir(&to).unwrap().count(), 1, "nothing is left behind");
    }

    #[test]
    fn a_bundled_model_is_not_fetched() {
        let web = KnownModel::find("web").unwrap();
        let error = super::install(web, "models", None, Path::new("nowhere"), false, &Silent).unwrap_err();
        assert!(error.exit_code() == 2 && error.to_string().contains("is in the program"), "{error}");
    }
}
