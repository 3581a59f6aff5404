//! `default_data_dir`, where data lies that nobody has named a folder for.

use std::path::PathBuf;

use etcetera::BaseStrategy;

use crate::error::{Error, Remedy, Result, Setting};

/// The data folder when none is named: `DURAMEN_DATA_DIR`, else `duramen` in the platform's folder for data.
///
/// # Errors
/// [`Error::Usage`] if neither is known.
pub fn default_data_dir() -> Result<PathBuf> {
    match std::env::var_os("DURAMEN_DATA_DIR").filter(|folder| !folder.is_empty()) {
        Some(folder) => Ok(folder.into()),
        None => etcetera::choose_base_strategy().map(|platform| platform.data_dir().join("duramen")).map_err(
            |e| {
                Error::usage(
                    format!("no data folder: {e}"),
                    Remedy::by("name the data folder", Setting::DataFolder).then(", or set DURAMEN_DATA_DIR"),
                )
            },
        ),
    }
}
