//! Duramen finds the content of a web page with a Bayesian hidden Markov tree over the DOM, and says how far to trust it.
//!
//! ```
//! let html = b"<!DOCTYPE html><title>The old oak fell</title>
//!     <ul><li><a href='/'>Home</a></li><li><a href='/trees'>Trees</a></li></ul>
//!     <h1>The old oak fell</h1>
//!     <p>The oldest oak of the village fell on Monday night, after a storm that lasted for six hours.</p>
//!     <p>Nobody was hurt, because the green around it had been closed in the evening, the mayor said.</p>";
//! let document = duramen::extract(html)?;
//! assert!(document.text.contains("Nobody was hurt") && !document.text.contains("Trees"), "{}", document.text);
//! assert_eq!(document.title.as_deref(), Some("The old oak fell"));
//!
//! // The F1 to be expected of the text, and P(label) of each of the page's texts.
//! assert!(document.confidence.is_some_and(|f1| f1 > 0.5));
//! let blocks = document.blocks();
//! let home = blocks.iter().find(|block| block.text == "Home").expect("it is shown");
//! assert!(!home.kept && home.posterior.as_ref().is_some_and(|p| p[&duramen::Label::NotContent] > 0.9));
//! # Ok::<(), duramen::Error>(())
//! ```
//!
//! [`extract_with`] takes [`Options`]: another model, the address, what is kept, and how sure a page must be.
//!
//! # Where things are
//!
//! | module | holds |
//! |---|---|
//! | [`dom`], [`view`] | parsing, and the trees that a model runs over |
//! | [`document`] | all that is known of one page, in one call: text, metadata, blocks, images, confidence, status |
//! | [`mod@extract`] | the hidden Markov tree and the other systems behind one trait; text, Markdown, HTML, JSON, CSV of what they find |
//! | [`model`], [`training`] | counts, parameters, the model file; learning one from labelled pages |
//! | [`inference`] | exact marginals, Viterbi, sampling, EM, adaptation to a site |
//! | [`draws`], [`diagnostics`] | what a sampler drew, and whether its chains have converged |
//! | [`features`] | what a model observes of a node |
//! | [`layout`], [`outlier`] | boxes and computed styles of a page; what looks unlike the rest |
//! | [`host`] | the site that an address is of |
//! | [`dataset`], [`eval`], [`scoring`] | corpora with reference texts and labels; how good an extraction is |
//! | `harness`, `studies`, `report` | experiments from an `experiment.toml`; tables, figures and reports |
//!
//! # Cargo features
//!
//! All are on by default. Without any, the library parses, trains, infers and extracts. What each adds is said in `docs/CRATE.md`, the
//! package's page.
//!
//! Imports point along one line and never back:
//!
//! `dom` -> `layout` -> `page` -> `view` -> `alignment` -> `dataset`, `features` -> `model` -> `inference` -> `extract`
//! -> `document` -> `eval` -> `scoring` -> `training` -> `harness` -> `studies` -> `report` -> `cli`.
//!
//! The modules that are not in it are leaves that know none of these; `docs/ARCHITECTURE.md` in the repository states the
//! invariants.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod alignment;
mod convention;
pub mod dataset;
pub mod diagnostics;
pub mod document;
pub mod dom;
pub mod draws;
#[cfg(feature = "article-images")]
pub mod entities;
pub mod eval;
pub mod extract;
pub mod features;
#[cfg(feature = "experiments")]
pub mod harness;
pub mod host;
pub mod inference;
pub mod layout;
pub mod model;
pub mod outlier;
pub mod progress;
#[cfg(any(feature = "explain", feature = "experiments"))]
pub mod report;
pub mod scoring;
#[cfg(feature = "experiments")]
pub mod studies;
pub mod training;
pub mod view;
#[cfg(feature = "warc")]
pub mod warc;

// What users need of these stands at the root.
#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod index;
#[doc(hidden)]
pub mod label;
#[doc(hidden)]
pub mod page;

// Parts of the above that tests and benchmarks look into, and no interface to build on.
#[doc(hidden)]
pub mod boosting;
#[doc(hidden)]
pub mod dist;
#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod rng;
#[doc(hidden)]
pub mod tokens;

// The program, for `main.rs` alone.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

mod characters;
mod logistic;
mod program;
mod store;

// The example of the package's page runs.
#[cfg(doctest)]
#[doc = include_str!("../docs/CRATE.md")]
struct PackagePage;

#[doc(inline)]
pub use document::{Document, Options, extract, extract_with};
#[doc(inline)]
pub use dom::{Dom, Limits};
#[doc(inline)]
pub use error::{Error, PageProblem, Result};
#[doc(inline)]
pub use extract::hmt::{Hmt, Inference};
#[doc(inline)]
pub use extract::render::Selection;
#[doc(inline)]
pub use extract::{ExtractError, Extraction, Extractor, PageExtractor};
#[doc(inline)]
pub use index::{NodeId, NodeMap};
#[doc(inline)]
pub use label::{Label, LabelSet};
#[doc(inline)]
pub use model::{Model, ModelConfig};
#[doc(inline)]
pub use page::{FeedItem, Page, Source};
