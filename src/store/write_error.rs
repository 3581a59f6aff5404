//! `write_error`, how a full disk is told of.

use std::io;
use std::path::Path;

use crate::error::{Error, Remedy, Setting};

/// The error of a failed write: a full disk is told as such, with what to do.
pub(crate) fn write_error(path: &Path, e: io::Error) -> Error {
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
