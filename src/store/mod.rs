//! Where files are kept and got from: the data folder, mirrors and servers, checksums, full disks.

mod data_dir;
#[cfg(feature = "datasets")]
mod download;
mod mirror;
mod sha256;
mod write_error;

pub use data_dir::default_data_dir;
#[cfg(feature = "datasets")]
pub(crate) use download::USER_AGENT;
pub(crate) use mirror::Mirror;
pub(crate) use sha256::{hex, is_sha256, sha256_of, sha256_of_file};
pub(crate) use write_error::write_error;
