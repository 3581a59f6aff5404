//! Structural context: the elements around a node that name a part of a page, and whether it is hidden.

use crate::features::counts::paths::part;
use crate::features::spec::{category, family, flag};

/// The values of `nearest-part`.
const NEAREST: &[&str] = &[
    "none", "header", "footer", "nav", "aside", "form", "control", "table", "list", "pre", "figure", "quote",
    "article", "main", "dialog",
];
const HIDDEN: &[&str] = &["shown", "hidden", "in noscript", "hidden in noscript"];

family! {
    |m| { let (nodes, around) = (&m.base.view.nodes, &m.walk.around); }
    |v| {
        let around = &around[nodes[v as usize].node.index()];
        let is_in = |part: u16| u32::from(around.parts & part != 0);
    }
    flag("in-header", "inside a header") => is_in(part!("header")),
    flag("in-footer", "inside a footer") => is_in(part!("footer")),
    flag("in-nav", "inside navigation") => is_in(part!("nav")),
    flag("in-aside", "inside an aside") => is_in(part!("aside")),
    flag("in-form", "inside a form") => is_in(part!("form")),
    flag("in-control", "inside a button, label or selection") => is_in(part!("control")),
    flag("in-table", "inside a table") => is_in(part!("table")),
    flag("in-list", "inside a list") => is_in(part!("list")),
    flag("in-pre", "inside code or preformatted text") => is_in(part!("pre")),
    flag("in-figure", "inside a figure") => is_in(part!("figure")),
    flag("in-quote", "inside a block quotation") => is_in(part!("quote")),
    flag("in-article", "inside an article element") => is_in(part!("article")),
    flag("in-main", "inside the main element") => is_in(part!("main")),
    flag("in-dialog", "inside a dialog") => is_in(part!("dialog")),
    category("nearest-part", "nearest element around that names a part of a page, by tag or role", NEAREST) =>
        around.nearest.into(),
    category("hidden", "whether attributes hide the node, or it is for browsers without scripts", HIDDEN) =>
        around.hidden.into(),
}
