//! Structural context: the elements around a node that name a part of a page, and whether it is hidden.

use crate::features::counts::paths::bit;
use crate::features::spec::{FeatureSpec, category, flag};

/// The values of `nearest-part`.
const NEAREST: &[&str] = &[
    "none", "header", "footer", "nav", "aside", "form", "control", "table", "list", "pre", "figure", "quote",
    "article", "main", "dialog",
];
const HIDDEN: &[&str] = &["shown", "hidden", "in noscript", "hidden in noscript"];

macro_rules! inside {
    ($($id:literal $part:literal $name:literal,)*) => {
        &[
            $(flag!($id, $name, |m, v| u32::from(m.paths().parts(m.base.view.nodes[v as usize].node) & const { bit($part) } != 0)),)*
            category!("nearest-part", "nearest element around that names a part of a page, by tag or role", NEAREST,
                |m, v| m.paths().nearest(m.base.view.nodes[v as usize].node)),
            category!("hidden", "whether attributes hide the node, or it is for browsers without scripts", HIDDEN,
                |m, v| m.paths().hidden(m.base.view.nodes[v as usize].node)),
        ]
    };
}

pub const FEATURES: &[FeatureSpec] = inside![
    "in-header" "header" "inside a header",
    "in-footer" "footer" "inside a footer",
    "in-nav" "nav" "inside navigation",
    "in-aside" "aside" "inside an aside",
    "in-form" "form" "inside a form",
    "in-control" "control" "inside a button, label or selection",
    "in-table" "table" "inside a table",
    "in-list" "list" "inside a list",
    "in-pre" "pre" "inside code or preformatted text",
    "in-figure" "figure" "inside a figure",
    "in-quote" "quote" "inside a block quotation",
    "in-article" "article" "inside an article element",
    "in-main" "main" "inside the main element",
    "in-dialog" "dialog" "inside a dialog",
];
