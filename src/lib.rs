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
//! # What is here
//!
//! | to | take |
//! |---|---|
//! | have it all in one call | [`extract()`], [`extract_with`] with [`Options`]: a [`Document`] has text, metadata, blocks, images, confidence, status |
//! | read a page | [`Page`], with its tree, [`Dom`] |
//! | load, keep or combine models | [`Model`] |
//! | find the content | [`Hmt`], a [`PageExtractor`]: an [`Extraction`] has a [`Label`] and probabilities for every node |
//! | write it | [`Selection`], [`to_text`], [`to_markdown`], [`to_html`]; [`confidence`] |
//! | find text that a site repeats, and drop it | [`RepeatCounter`] counts [`PageBlocks`] and gives [`Repeats`]; [`RepeatList`] in [`Options`] |
//! | train a model | [`LabelledCorpus`], [`TrainingPage`], [`Trainer`] |
//! | sample states and parameters | [`SampledPage`], [`Sampler`], [`run_chains`] |
//! | ask whether chains have converged | [`Chains`], [`Summary`] |
//! | score an extraction | [`Confusion`], [`Calibration`], [`word_f1`] |
//! | lay a page out | [`Engines`], a [`Layout`] for a [`Page`] |
//!
//! Everything else is private. Imports point along one line and never back:
//!
//! `dom` -> `layout` -> `page` -> `view` -> `alignment` -> `dataset`, `features` -> `model` -> `inference` -> `extract`
//! -> `document` -> `eval` -> `scoring` -> `training` -> `annotation` -> `harness` -> `studies` -> `report` -> `cli`.
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
    pub mod annotation;
    pub mod boosting;
    pub mod characters;
    #[cfg(feature = "cli")]
    pub mod cli;
    pub mod convention;
    pub mod dataset;
    pub mod diagnostics;
    pub mod dist;
    pub mod document;
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
    pub mod page_work;
    pub mod plural;
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

pub use dataset::labelled::{LabelledCorpus, LabelledPage, PageGold};
pub use dataset::synth::SynthConfig;
pub use diagnostics::{Chains, Summary, Undefined, ess_bulk, ess_tail, rhat};
pub use document::{
    CountTokens, Document, Images, JsonParts, Options, TokenBudget, csv_header, extract, extract_with,
};
pub use dom::{Dom, Limits, NodeKind, Tag, XPathQuery};
pub use error::{Error, PageProblem, Result};
pub use eval::word_f1::{TextScores, word_f1};
pub use eval::{Calibration, Confusion, EvaluationView};
pub use extract::hmt::{Hmt, Inference};
pub use extract::page_faults::Fault;
pub use extract::pictures::ImageModel;
pub use extract::render::{
    ImageRecord, Kept, LeadImageRecord, NodeRecord, RenderOptions, RenderedPage, Selection, confidence,
    to_html, to_markdown, to_text,
};
pub use extract::repeats::{
    PageBlocks, PagesRead, RepeatBounds, RepeatCounter, RepeatList, RepeatedBlock, Repeats, SiteRepeats,
};
pub use extract::{ExtractError, Extraction, Extractor, PageExtractor};
pub use index::{NodeId, NodeMap};
pub use inference::gibbs::{
    GibbsConfig, Kernel, ParameterUse, Run, RunConfig, SampledPage, Sampler, Start, SweepObserver,
    run as run_chains,
};
pub use label::{Label, LabelSet};
pub use layout::{Engines, Layout, LayoutEngine};
pub use model::{
    Family, FeatureUse, Model, ModelConfig, Observation, PermittedStates, Priors, StateSet, StateSpace,
    TransitionKind,
};
pub use page::{FeedItem, Page, Source};
pub use progress::{Progress, Silent};
pub use training::{Learning, Trained, Trainer, TrainingPage, TrainingSettings};

// The example of the package's page runs.
#[cfg(doctest)]
#[doc = include_str!("../docs/CRATE.md")]
struct PackagePage;
