//! What several integration tests need.

use std::path::PathBuf;

/// The folder of reference values and corpora beside the repository: `$DURAMEN_SHARED`, else `../shared`.
pub fn shared() -> Option<PathBuf> {
    let folder = std::env::var_os("DURAMEN_SHARED").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"));
    folder.is_dir().then_some(folder)
}
