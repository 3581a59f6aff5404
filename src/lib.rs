//! Duramen finds the content of a web page with a Bayesian hidden Markov tree over the DOM, and says how far to trust it.
//!
//! ```
//! use duramen::{Hmt, Inference, Label, Model, Page, PageExtractor, RenderOptions, Selection, confidence, to_text};
//!
//! let html = b"<!DOCTYPE html><title>The old oak fell</title>
//!     <ul><li><a href='/'>Home</a></li><li><a href='/trees'>Trees</a></li></ul>
//!     <h1>The old oak fell</h1>
//!     <p>The oldest oak of the village fell on Monday night, after a storm that lasted for six hours.</p>
//!     <p>Nobody was hurt, because the green around it had been closed in the evening, the mayor said.</p>";
//! let page = Page::parse("oak.html", None, html, None, &Default::default())?;
//! let hmt = Hmt::new("hmt", Model::bundled()?, Inference::Exact)?;
//! let extraction = hmt.extract_page(&page)?;
//!
//! // The text, and the F1 to be expected of it.
//! let selection = Selection::default();
//! let kept = selection.kept(&page, &extraction)?;
//! let text = to_text(&page, &kept, &RenderOptions::default());
//! assert!(text.contains("Nobody was hurt") && !text.contains("Trees"), "{text}");
//! let f1 = confidence(&page, &extraction, &selection, &kept).expect("a tree gives probabilities");
//! assert!((0.0..=1.0).contains(&f1));
//!
//! // P(label) of every node.
//! let posteriors = extraction.posteriors.expect("a tree gives probabilities");
//! let home = page.dom().shown_texts().find(|&id| page.dom().text(id) == "Home").expect("it is shown");
//! assert!(posteriors[home][Label::NotContent.index()] > 0.9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is here
//!
//! | to | take |
//! |---|---|
//! | read a page | [`Page`], with its tree, [`Dom`] |
//! | load, keep or combine models | [`Model`] |
//! | find the content | [`Hmt`], a [`PageExtractor`]: an [`Extraction`] has a [`Label`] and probabilities for every node |
//! | write it | [`Selection`], [`to_text`], [`to_markdown`], [`to_html`]; [`confidence`] |
//! | train a model | [`LabelledCorpus`], [`TrainingPage`], [`Trainer`] |
//! | sample states and parameters | [`SampledPage`], [`Sampler`], [`run_chains`] |
//! | ask whether chains have converged | [`Chains`], [`Summary`] |
//! | score an extraction | [`Confusion`], [`Calibration`], [`word_f1`] |
//! | lay a page out | [`Engines`], a [`Layout`] for a [`Page`] |
//!
//! Everything else is private. Imports point along one line and never back:
//!
//! `dom` -> `layout` -> `page` -> `view` -> `alignment` -> `dataset`, `features` -> `model` -> `inference` -> `extract`
//! -> `eval` -> `scoring` -> `training` -> `harness` -> `studies` -> `report` -> `cli`.
//!
//! The modules that are not in it are leaves that know none of these; `docs/ARCHITECTURE.md` in the repository states the
//! invariants.
//!
//! # Cargo features
//!
//! All are on by default. Without any, the library parses, trains, infers and extracts. What each adds is said in `docs/CRATE.md`, the
//! package's page.

#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![cfg_attr(
    not(feature = "internals"),
    allow(
        dead_code,
        unused_imports,
        rustdoc::private_intra_doc_links,
        reason = "the Python package and tests use more than the program; links to private modules are plain text"
    )
)]

/// Every module, at the root by the `use` below: so the feature `internals` makes all of them public.
#[path = ""]
mod rooms {
    pub mod alignment;
    pub mod boosting;
    pub mod characters;
    #[cfg(feature = "cli")]
    pub mod cli;
    pub mod convention;
    pub mod dataset;
    pub mod diagnostics;
    pub mod dist;
    pub mod dom;
    pub mod draws;
    #[cfg(feature = "article-images")]
    pub mod entities;
    pub mod error;
    pub mod eval;
    pub mod extract;
    pub mod features;
    pub mod files;
    #[cfg(feature = "experiments")]
    pub mod harness;
    pub mod host;
    pub mod index;
    pub mod inference;
    pub mod label;
    pub mod layout;
    pub mod logistic;
    pub mod model;
    pub mod outlier;
    pub mod page;
    pub mod program;
    pub mod progress;
    #[cfg(any(feature = "explain", feature = "experiments"))]
    pub mod report;
    pub mod rng;
    pub mod scoring;
    pub mod store;
    #[cfg(feature = "experiments")]
    pub mod studies;
    pub mod tokens;
    pub mod training;
    pub mod view;
    #[cfg(feature = "warc")]
    pub mod warc;
}

#[cfg(feature = "internals")]
pub use rooms::*;
#[cfg(not(feature = "internals"))]
use rooms::*;

/// The program, for `main.rs` alone.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use cli::main as program_main;

pub use dataset::labelled::LabelledCorpus;
pub use dataset::synth::SynthConfig;
pub use diagnostics::{Chains, Summary, Undefined, ess_bulk, ess_tail, rhat};
pub use dom::{Dom, Limits, Tag};
pub use error::{Error, PageProblem, Result};
pub use eval::word_f1::{TextScores, word_f1};
pub use eval::{Calibration, Confusion, EvaluationView};
pub use extract::hmt::{Hmt, Inference};
pub use extract::render::{Kept, RenderOptions, Selection, confidence, to_html, to_markdown, to_text};
pub use extract::{ExtractError, Extraction, Extractor, PageExtractor};
pub use index::{NodeId, NodeMap};
pub use inference::gibbs::{GibbsConfig, RunConfig, SampledPage, Sampler, run as run_chains};
pub use label::{Label, LabelSet};
pub use layout::{Engines, Layout, LayoutEngine};
pub use model::{Model, ModelConfig};
pub use page::{FeedItem, Page, Source};
pub use progress::{Progress, Silent};
pub use training::{Learning, Trainer, TrainingPage, TrainingSettings};
