//! What forms of archives there are, and how a full disk is told of.

use std::io;
use std::path::Path;

use crate::error::{Error, Remedy, Setting};

/// How an archive is packed, by the ending of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    TarGz,
    TarXz,
    TarZst,
    Zip,
}

impl Form {
    /// The form of an archive of that name; `None` for an ending that is not known.
    pub fn from_name(name: &str) -> Option<Form> {
        let forms = [
            (".tar.gz", Form::TarGz),
            (".tgz", Form::TarGz),
            (".tar.xz", Form::TarXz),
            (".tar.zst", Form::TarZst),
            (".zip", Form::Zip),
        ];
        forms.into_iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, form)| form)
    }
}

#[cfg(feature = "datasets")]
pub(super) use super::unpack::unpack;

/// Says that nothing can be unpacked.
#[cfg(not(feature = "datasets"))]
pub(super) fn unpack(
    _archive: &Path,
    _form: Form,
    _target: &Path,
    _go_on: &mut dyn FnMut(u64) -> bool,
) -> crate::error::Result<std::collections::BTreeMap<String, super::inventory::FileRecord>> {
    Err(Error::built_without("datasets", "unpacks archives"))
}

/// The error of a failed write: a full disk is told as such, with what to do.
pub(super) fn write_error(path: &Path, e: io::Error) -> Error {
    match e.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            Error::data(
                path.display(),
                format!("the disk is full ({e}); nothing was left behind"),
                Remedy::from("free space, or ").set("choose another data folder", Setting::DataFolder),
            )
        }
        _ => Error::io(path, e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_from_other_troubles() {
        let full = write_error(Path::new("x"), io::ErrorKind::StorageFull.into());
        assert!(
            matches!(full, Error::Data { .. }) && full.to_string().contains("the disk is full"),
            "{full}"
        );
        assert!(matches!(
            write_error(Path::new("x"), io::ErrorKind::PermissionDenied.into()),
            Error::Io { .. }
        ));
    }
}
