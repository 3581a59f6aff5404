//! `Site`, what the pages of one site add to a general model: what its templates hold in each of their places.
//!
//! A general model knows what content looks like anywhere. Of one site more can be known: the same path of tags and the same
//! classes mean the same thing on all its pages. A site's tables say of each such key what its leaves were, by the general
//! model's own posterior or, better, by labels. The posterior q of a leaf is then pooled with the shares pi of its keys,
//!
//! ln q'(label) = (1 - z) ln q(label) + z ln pi(label) + constant,   z = n / (n + m),
//!
//! averaged over [`SITE_FEATURES`]: n is how much was seen of the key, m the strength of the general model as a prior. A prior that is
//! the same for all leaves of a key, centred on the general model and overruled as evidence grows: what the one leaf shows
//! counts for less the more the others agree. Multiplying shares and posterior as if they were independent would count the
//! same evidence twice: it was tried, and made the probabilities useless.
//!
//! References: Bühlmann 1967, "Experience rating and credibility" (z); Genest & Zidek 1986, "Combining probability
//! distributions" (the logarithmic pool).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::layer::Layer;
use crate::dom::Dom;
use crate::error::{Error, Result};
use crate::features::hash;
use crate::features::signature::{element_of, signature};
use crate::index::NodeMap;
use crate::label::Label;
use crate::model::config::ModelConfig;
use crate::page::Page;
use crate::plural::plural;
use crate::view::PageView;

/// The keys of a leaf: its path of tags; its signature (tag and classes, with those of its parent); both.
pub const SITE_FEATURES: [&str; 3] = ["path", "signature", "path-and-signature"];
/// Shares are at least this much, as far as a logarithm asks for.
const LEAST_SHARE: f64 = 1e-9;

/// How a site's tables weigh against the general model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct SitePrior {
    /// m, the strength of the prior from the general model, in leaves. Range above 0 to 1e6, default 5.
    pub strength: f64,
    /// What a leaf with a label counts for, where one without counts for 1. Range 1 to 1e6, default 50.
    pub label_weight: f64,
}

impl Default for SitePrior {
    fn default() -> Self {
        SitePrior { strength: 5.0, label_weight: 50.0 }
    }
}

impl SitePrior {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`Error::Usage`] with the setting, its range and its default.
    pub fn check(&self) -> Result<()> {
        let settings = [
            ("strength", self.strength, self.strength > 0.0, "above 0", 5),
            ("label-weight", self.label_weight, self.label_weight >= 1.0, "at least 1", 50),
        ];
        match settings.into_iter().find(|&(_, value, is_enough, ..)| !is_enough || value > 1e6) {
            Some((name, value, _, least, default)) => Err(Error::usage(
                format!("the site's {name} is {value}"),
                format!("it must be {least} and at most 1000000; the default is {default}"),
            )),
            None => Ok(()),
        }
    }
}

/// Weights of a key's leaves by label.
type ByLabel = [f64; Label::COUNT];

/// The tables of a site.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Site {
    prior: SitePrior,
    /// Pages seen, and those of them of which labels are known.
    pages: u64,
    labelled: u64,
    /// For each of [`SITE_FEATURES`].
    tables: [BTreeMap<u64, ByLabel>; SITE_FEATURES.len()],
}

impl Site {
    /// A site of which nothing was seen.
    ///
    /// # Errors
    /// As [`SitePrior::check`].
    pub fn new(prior: SitePrior) -> Result<Self> {
        prior.check()?;
        Ok(Site { prior, ..Site::default() })
    }

    /// Pages seen, and those of them of which labels are known.
    pub fn pages(&self) -> (u64, u64) {
        (self.pages, self.labelled)
    }

    /// Adds a page with P(state) of its nodes, \[node\]\[state\] of `k` states, given its labels if they are known.
    pub fn observe(&mut self, page: &Page, view: &PageView, posterior: &[f64], k: usize, is_labelled: bool) {
        self.pages += 1;
        self.labelled += u64::from(is_labelled);
        let weight = if is_labelled { self.prior.label_weight } else { 1.0 };
        for (v, keys) in keys(page.dom(), view) {
            let labels = &posterior[v * k..][..Label::COUNT];
            for (table, key) in self.tables.iter_mut().zip(keys) {
                let of_key = table.entry(key).or_default();
                of_key.iter_mut().zip(labels).for_each(|(sum, p)| *sum += weight * p);
            }
        }
    }

    /// Adds the leaves of a page whose texts have one known label, each as a leaf with a label; the page is not counted.
    pub fn observe_known(&mut self, page: &Page, view: &PageView, known: &NodeMap<Option<Label>>) {
        for (v, keys) in keys(page.dom(), view) {
            let Some(label) = view.known_label(&view.nodes[v], known) else { continue };
            for (table, key) in self.tables.iter_mut().zip(keys) {
                table.entry(key).or_default()[label.index()] += self.prior.label_weight;
            }
        }
    }

    /// Pools the posterior of each leaf, \[node\]\[state\] of `k` states, with what is known of its keys. Leaves of
    /// which no key is known and inner nodes keep theirs.
    pub fn pool(&self, page: &Page, view: &PageView, posterior: &mut [f64], k: usize) {
        for (v, keys) in keys(page.dom(), view) {
            let of_keys: [Option<&ByLabel>; SITE_FEATURES.len()] =
                std::array::from_fn(|feature| self.tables[feature].get(&keys[feature]));
            if of_keys.iter().all(Option::is_none) {
                continue;
            }
            let labels = &mut posterior[v * k..][..Label::COUNT];
            let own: [f64; Label::COUNT] = std::array::from_fn(|label| labels[label].max(LEAST_SHARE).ln());
            let mut pooled = own;
            for of_key in of_keys.into_iter().flatten() {
                let n: f64 = of_key.iter().sum();
                let z = n / (n + self.prior.strength) / SITE_FEATURES.len() as f64;
                for ((pooled, own), weight) in pooled.iter_mut().zip(own).zip(of_key) {
                    *pooled += z * ((weight / n).max(LEAST_SHARE).ln() - own);
                }
            }
            let odds = pooled.map(f64::exp);
            let sum: f64 = odds.iter().sum();
            labels.iter_mut().zip(odds).for_each(|(label, odds)| *label = odds / sum);
        }
    }
}

impl Layer for Site {
    fn check(&self, _: &ModelConfig) -> Result<()> {
        self.prior.check()?;
        let is_whole = |weights: &ByLabel| {
            weights.iter().all(|weight| (0.0..1e15).contains(weight)) && weights.iter().sum::<f64>() > 0.0
        };
        match self.tables.iter().flat_map(BTreeMap::values).all(is_whole) {
            true => Ok(()),
            false => Err(Error::usage("the weights of the site's keys are damaged", "adapt the model again")),
        }
    }

    fn line(&self) -> Option<(&'static str, String)> {
        let keys = SITE_FEATURES.iter().zip(&self.tables);
        let keys: Vec<String> =
            keys.map(|(feature, table)| format!("{} of {feature}", table.len())).collect();
        let (pages, labelled) = self.pages();
        Some((
            "site",
            format!("{}, {labelled} with their text; keys: {}", plural(pages, "page"), keys.join(", ")),
        ))
    }
}

/// The place of each leaf with text, as a key: its path of tags, and the tags and classes of its element and of the one above.
pub fn places_of_leaves<'a>(dom: &'a Dom, view: &'a PageView) -> impl Iterator<Item = u64> + 'a {
    keys(dom, view).map(|(_, [.., place])| place)
}

/// The leaves with text and their keys.
fn keys(dom: &Dom, view: &PageView) -> impl Iterator<Item = (usize, [u64; SITE_FEATURES.len()])> {
    // The path of tags from the root to each node, as a number.
    let mut paths: Vec<u64> = Vec::with_capacity(dom.len());
    for id in dom.ids() {
        let above = dom.parent(id).map_or(0, |parent| paths[parent.index()]);
        paths.push(hash::pair(above, dom.tag(id).index() as u64));
    }
    let leaves = view.nodes.iter().enumerate();
    let leaves = leaves.filter(|(v, node)| view.tree.is_leaf(*v as u32) && !node.texts.is_empty());
    leaves.map(move |(v, node)| {
        let element = element_of(dom, node.node);
        let above = dom.parent(element).unwrap_or(element);
        let (path, own) =
            (paths[element.index()], hash::pair(signature(dom, element), signature(dom, above)));
        (v, [path, own, hash::pair(path, own)])
    })
}
