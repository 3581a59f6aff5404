//! The option `--data-dir`.

use std::path::PathBuf;

use clap::Args;

use crate::error::Result;

/// Where corpora are.
#[derive(Debug, Clone, Args)]
pub(super) struct DataDir {
    /// Folder of fetched corpora [default: duramen in the platform's folder for data]
    // Under no heading that stands before it.
    #[arg(long, value_name = "DIR", env = "DURAMEN_DATA_DIR", help_heading = None::<&str>)]
    data_dir: Option<PathBuf>,
}

impl DataDir {
    pub(super) fn path(&self) -> Result<PathBuf> {
        match &self.data_dir {
            Some(folder) => Ok(folder.clone()),
            None => crate::store::default_data_dir(),
        }
    }
}
