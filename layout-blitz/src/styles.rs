//! Computed values as `getComputedStyle` of Chromium writes them.

use std::collections::HashMap;

use blitz_dom::{BaseDocument, NodeId, RestyleHint, css_property_is_supported};
use style::properties::ComputedValues;
use style::servo_arc::Arc;

use crate::css;
use crate::error::RenderError;
use crate::replay::Replayed;
use crate::tree::{Content, Tree};

/// How often hidden subtrees within hidden subtrees are styled. Deeper ones have no style.
const MAX_HIDDEN_LEVELS: usize = 16;

/// Whether the engine knows all of these properties.
pub(crate) fn check_properties(properties: &[&str]) -> Result<(), RenderError> {
    match properties.iter().find(|name| !css_property_is_supported(name)) {
        Some(name) => Err(RenderError::UnknownProperty((*name).to_owned())),
        None => Ok(()),
    }
}

/// The number of the style of each element, and the styles.
///
/// This ends the use of the document: subtrees that are not displayed, which the engine leaves without a style, are
/// displayed to see what they would have.
pub(crate) fn styles(
    replayed: &mut Replayed,
    tree: &Tree,
    properties: &[&str],
) -> (Vec<Option<u32>>, Vec<Vec<String>>) {
    let mut table = Table { properties, numbers: HashMap::new(), known: HashMap::new(), rows: Vec::new() };
    let mut style_of = vec![None; tree.nodes.len()];
    let elements = || (0..tree.nodes.len()).filter(|&i| matches!(tree.nodes[i].content, Content::Element { .. }));
    let mut missing: Vec<usize> = Vec::new();
    for i in elements() {
        style_of[i] = table.number(&replayed.document, replayed.ids[i]);
        if style_of[i].is_none() {
            missing.push(i);
        }
    }
    for _ in 0..MAX_HIDDEN_LEVELS {
        if missing.is_empty() {
            break;
        }
        for &i in &missing {
            let parent = tree.nodes[i].parent as usize;
            if style_of[parent].is_some() {
                display(&mut replayed.document, tree, parent, replayed.ids[parent]);
            }
        }
        replayed.document.resolve_stylist(0.0);
        let before = missing.len();
        missing.retain(|&i| {
            style_of[i] = table.number(&replayed.document, replayed.ids[i]);
            style_of[i].is_none()
        });
        if missing.len() == before {
            break;
        }
    }
    (style_of, table.rows)
}

/// Has an element displayed by a declaration of its own.
fn display(document: &mut BaseDocument, tree: &Tree, index: usize, id: NodeId) {
    let own = css::attribute(&tree.nodes[index].content, "style").unwrap_or("");
    css::set_style(document, id, tree.quirks, &format!("{own};display:block!important"));
    if let Some(node) = document.get_node_mut(id) {
        node.set_restyle_hint(RestyleHint::RESTYLE_STYLE_ATTRIBUTE);
    }
}

/// The distinct styles.
struct Table<'a> {
    properties: &'a [&'a str],
    numbers: HashMap<Vec<String>, u32>,
    /// By its address a style that is kept alive here, and its number, or its values without those that layout decides.
    known: HashMap<usize, (Arc<ComputedValues>, Known)>,
    rows: Vec<Vec<String>>,
}

enum Known {
    Number(u32),
    /// The values, with the indices of those that layout decides.
    Values(Vec<String>, Vec<usize>),
}

impl Table<'_> {
    /// The number of an element's style; none if the engine has not styled it.
    fn number(&mut self, document: &BaseDocument, id: NodeId) -> Option<u32> {
        let node = document.get_node(id)?;
        let styles: Arc<ComputedValues> = node.primary_styles()?.clone();
        let address = &*styles as *const ComputedValues as usize;
        if let Some((_, known)) = self.known.get(&address) {
            let Known::Values(values, open) = known else {
                let Known::Number(number) = known else { return None };
                return Some(*number);
            };
            let (mut row, open) = (values.clone(), open.clone());
            for index in open {
                row[index] = document.resolved_style_value(id, self.properties[index]);
            }
            return Some(self.intern(row));
        }
        let mut row = Vec::with_capacity(self.properties.len());
        let mut open = Vec::new();
        for (index, name) in self.properties.iter().enumerate() {
            let value = document.resolved_style_value(id, name);
            if depends_on_layout(&styles, name) {
                open.push(index);
            }
            row.push(value);
        }
        let values = if open.is_empty() { None } else { Some((row.clone(), open)) };
        let number = self.intern(row);
        let known = values.map_or(Known::Number(number), |(values, open)| Known::Values(values, open));
        self.known.insert(address, (styles, known));
        Some(number)
    }

    fn intern(&mut self, row: Vec<String>) -> u32 {
        let rows = &mut self.rows;
        *self.numbers.entry(row).or_insert_with_key(|row| {
            rows.push(row.clone());
            (rows.len() - 1) as u32
        })
    }
}

/// Whether the value of a property differs between elements of the same computed values.
fn depends_on_layout(_styles: &ComputedValues, name: &str) -> bool {
    let sized = ["width", "height", "top", "right", "bottom", "left", "inset"];
    let prefixes = ["margin", "padding", "grid", "transform", "perspective", "min-", "max-", "inset"];
    sized.contains(&name) || prefixes.iter().any(|prefix| name.starts_with(prefix))
}
