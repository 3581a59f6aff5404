//! Computed values as `getComputedStyle` writes them.

use std::collections::HashMap;

use blitz_dom::css_property_is_supported;

use crate::error::RenderError;
use crate::replay::Replayed;
use crate::tree::{Content, Tree};

/// Whether the engine knows all of these properties.
pub(crate) fn check_properties(properties: &[&str]) -> Result<(), RenderError> {
    match properties.iter().find(|name| !css_property_is_supported(name)) {
        Some(name) => Err(RenderError::UnknownProperty((*name).to_owned())),
        None => Ok(()),
    }
}

/// The number of the style of each node, and the styles.
pub(crate) fn styles(
    replayed: &Replayed,
    tree: &Tree,
    properties: &[&str],
) -> (Vec<Option<u32>>, Vec<Vec<String>>) {
    let mut numbers: HashMap<Vec<String>, u32> = HashMap::new();
    let mut styles = Vec::new();
    let mut style_of = Vec::with_capacity(tree.nodes.len());
    for (node, &id) in tree.nodes.iter().zip(&replayed.ids) {
        if !matches!(node.content, Content::Element { .. }) {
            style_of.push(None);
            continue;
        }
        let row: Vec<String> =
            properties.iter().map(|name| replayed.document.resolved_style_value(id, name)).collect();
        let number = *numbers.entry(row).or_insert_with_key(|row| {
            styles.push(row.clone());
            (styles.len() - 1) as u32
        });
        style_of.push(Some(number));
    }
    (style_of, styles)
}
