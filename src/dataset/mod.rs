//! Corpora of labelled pages: manifests, fetching, reading, splits by host.
//!
//! A corpus is described by a [`Manifest`], [fetched](fetch()) once into a data folder or lying in a folder of the user's,
//! and read with [`open()`]. Pages that a manifest lists as bad are left out unless [asked for](Corpus::with_bad_pages).
//! What [`open()`] takes, [`resolve()`] tells; what is in a corpus, [`CorpusCheck`].

mod archive;
mod check;
mod corpus;
mod document;
mod fetch;
mod image_gold;
mod inventory;
mod label_report;
pub mod labelled;
mod manifest;
mod manifest_keys;
mod overlap;
mod pairs;
mod plain_folder;
mod readers;
mod resolve;
mod same;
pub mod split;
pub mod synth;
pub mod transfer;
#[cfg(feature = "datasets")]
mod unpack;

pub use check::{CorpusCheck, Duplicate, FoundShares, Host, LabelCounts};
pub use corpus::{Corpus, checksum_of, open, open_from, open_pages};
pub use document::{Document, Gold, LabelledNode, LabelledNodes, Misfit, TextGold};
pub use fetch::{FetchOptions, FetchReport, Status, Verified, fetch, list, verify};
pub use image_gold::{GoldPicture, ImageGold};
pub use label_report::{LISTED_BELOW, LabelReport};
pub use manifest::{
    Archive, ArchiveFile, BadPage, Licence, Manifest, Part, PartialLabels, Redistribution, Rule,
};
pub use overlap::{Overlap, SharedHost, SharedPage, overlaps};
pub use pairs::{HostRule, Pairs, ReferenceKind, TitlePlace, UnknownHosts, Unlabelled};
pub use readers::CorpusLayout;
pub use resolve::{resolve, resolve_convention, resolve_from, state_convention};
pub use same::{Mark, Same};
