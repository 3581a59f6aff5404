//! What forms of archives there are.

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
    _archive: &std::path::Path,
    _form: Form,
    _target: &std::path::Path,
    _go_on: &mut dyn FnMut(u64) -> bool,
) -> crate::error::Result<std::collections::BTreeMap<String, super::inventory::FileRecord>> {
    Err(crate::error::Error::built_without("datasets", "unpacks archives"))
}
