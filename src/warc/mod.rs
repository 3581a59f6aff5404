//! Web archives (WARC): the pages that a crawl stored, with what the server said of them.
//!
//! An archive is a sequence of records. As a rule each is a gzip member or a zstd frame of its own, so that a reader can start
//! at any of them. [`WarcReader`] splits a file into records, [`RawRecord::page`] reads a record as a page, [`WarcWriter`] writes
//! pages as an archive.
//!
//! Archives are cut and damaged in practice, and nothing of that is passed over in silence:
//!
//! - a record whose block is shorter than its `Content-Length` is damage, also where the file just ends;
//! - after damage reading goes on at the next member, frame or record header, and the place of the damage is told;
//! - what is no page (requests, redirects, images) is counted by its reason.
//!
//! Formats: ISO 28500:2017 (WARC 1.1) and 1.0; gzip by its annex D; zstd by the IIPC's "WARC files and zstd" with its
//! dictionary in a skippable frame.

/// What a record may have above the largest page, in bytes: its headers.
pub const HEADERS: u64 = 1 << 20;

mod read;
mod record;
mod write;

pub use read::{Damage, RawRecord, WarcReader};
pub use record::{NoPage, WarcPage};
pub use write::{EPOCH, WarcWriter};

#[cfg(test)]
mod tests;
