//! Style sheets and style attributes of the page, parsed in its mode and without anything to fetch.

use blitz_dom::{BaseDocument, NodeId};
use cssparser::{Parser, ToCss};
use style::context::QuirksMode;
use style::media_queries::MediaList;
use style::parser::ParserContext;
use style::properties::declaration_block::parse_style_attribute;
use style::servo_arc::Arc;
use style::shared_lock::{Locked, SharedRwLock};
use style::stylesheets::{
    AllowImportRules, CssRule, CssRuleType, CssRules, DocumentStyleSheet, Origin, StyleRule, Stylesheet,
    UrlExtraData,
};
use style_traits::ParsingMode;

use crate::tree::{Content, Quirks, Tree};

/// The most bytes of style sheets that are taken of a page.
const MAX_CSS: usize = 4 << 20;

/// Addresses in sheets are relative to this one, which nothing answers for.
pub(crate) const BASE_URL: &str = "http://page.invalid/";

/// With more children of one element than this, rules that look for siblings one after another are left out: Blitz takes
/// time that grows with the third power of their number.
const MAX_SIBLINGS: u32 = 1000;

/// The most selectors that those of a nested rule may stand for, with what they are nested in written out for each `&`. Stylo tries all of
/// them, and each level may double their number.
const MAX_WRITTEN_OUT: usize = 1000;

/// Adds the sheets of the page's `<style>` elements to their nodes.
pub(crate) fn add_sheets(document: &mut BaseDocument, tree: &Tree, ids: &[NodeId], notes: &mut Vec<String>) {
    let mut texts: std::collections::BTreeMap<usize, String> = Default::default();
    for node in &tree.nodes {
        if let Content::Text(text) = &node.content
            && is_sheet(&tree.nodes[node.parent as usize].content)
        {
            texts.entry(node.parent as usize).or_default().push_str(text);
        }
    }
    let crowded = crowded(tree);
    if crowded && !texts.is_empty() {
        notes.push(format!(
            "an element has more than {MAX_SIBLINGS} children: rules with ~ and :nth-child are left out"
        ));
    }
    let (mut room, mut is_cut) = (MAX_CSS, false);
    for (element, mut text) in texts {
        if text.len() > room {
            notes.push(format!("style sheets are cut at {MAX_CSS} bytes"));
            text.truncate(text.floor_char_boundary(room));
        }
        room -= text.len();
        let media = attribute(&tree.nodes[element].content, "media").unwrap_or("");
        let sheet = sheet(document, tree.quirks, &text, media, Origin::Author);
        let lock = document.guard().clone();
        let rules = sheet.0.contents.read_with(&lock.read()).rules.clone();
        is_cut |= leave_out(&rules, &lock, crowded, None);
        document.add_stylesheet_for_node(sheet, ids[element]);
    }
    if is_cut {
        notes.push(format!("nested rules that stand for more than {MAX_WRITTEN_OUT} selectors are left out"));
    }
}

/// Whether an element has more children than it is good for.
fn crowded(tree: &Tree) -> bool {
    let mut counts = vec![0u32; tree.nodes.len()];
    tree.nodes.iter().any(|node| {
        counts[node.parent as usize] += 1;
        counts[node.parent as usize] > MAX_SIBLINGS
    })
}

/// Removes nested rules that stand for too many selectors, and on a crowded page rules that count or search siblings. `outer` is the number of
/// selectors that `&` stands for, none outside of rules. Whether any of the former was removed.
fn leave_out(
    rules: &Arc<Locked<CssRules>>,
    lock: &SharedRwLock,
    crowded: bool,
    outer: Option<usize>,
) -> bool {
    let list = rules.read_with(&lock.read()).0.clone();
    let mut is_cut = false;
    let mut kept = Vec::with_capacity(list.len());
    for rule in &list {
        let (inner, count) = match rule {
            CssRule::Media(rule) => (Some(rule.rules.clone()), outer),
            CssRule::Supports(rule) => (Some(rule.rules.clone()), outer),
            CssRule::LayerBlock(rule) => (Some(rule.rules.clone()), outer),
            CssRule::Container(rule) => (Some(rule.rules.clone()), outer),
            CssRule::Style(rule) if crowded || outer.is_some() || is_nest(rule, lock) => {
                let guard = lock.read();
                let rule = rule.read_with(&guard);
                let selectors = rule.selectors.to_css_string();
                let searches = [" ~ ", "~ ", ":nth-", "-of-type", ":has("];
                if crowded && searches.iter().any(|part| selectors.contains(part)) {
                    continue;
                }
                let written = selectors.matches('&').count().max(rule.selectors.slice().len());
                let count = outer.unwrap_or(1).saturating_mul(written);
                if outer.is_some() && count > MAX_WRITTEN_OUT {
                    is_cut = true;
                    continue;
                }
                (rule.rules.clone(), Some(count))
            }
            _ => (None, None),
        };
        is_cut |= inner.is_some_and(|inner| leave_out(&inner, lock, crowded, count));
        kept.push(rule.clone());
    }
    if kept.len() < list.len() {
        rules.write_with(&mut lock.write()).0 = kept;
    }
    is_cut
}

/// Whether rules are nested in a rule.
fn is_nest(rule: &Locked<StyleRule>, lock: &SharedRwLock) -> bool {
    rule.read_with(&lock.read()).rules.is_some()
}

/// A sheet for `media`; imports are left out.
pub(crate) fn sheet(
    document: &BaseDocument,
    quirks: Quirks,
    text: &str,
    media: &str,
    origin: Origin,
) -> DocumentStyleSheet {
    let (url, lock) = (url(document), document.guard().clone());
    let mut context = ParserContext::new(
        origin,
        &url,
        None,
        ParsingMode::DEFAULT,
        mode(quirks),
        Default::default(),
        None,
        None,
        Default::default(),
    );
    let media = MediaList::parse(&mut context, &mut Parser::new(media));
    let media = Arc::new(lock.wrap(media));
    let import = AllowImportRules::No;
    let sheet = Stylesheet::from_str(text, url, origin, media, lock, None, None, mode(quirks), import);
    DocumentStyleSheet(Arc::new(sheet))
}

/// Sets the declarations of an element, as its style attribute would.
pub(crate) fn set_style(document: &mut BaseDocument, id: NodeId, quirks: Quirks, text: &str) {
    let block = parse_style_attribute(text, &url(document), None, mode(quirks), CssRuleType::Style);
    let block = Arc::new(document.guard().wrap(block));
    if let Some(element) = document.get_node_mut(id).and_then(|node| node.element_data_mut()) {
        element.style_attribute = Some(block);
    }
}

/// Whether the text of the element is a style sheet in CSS.
pub(crate) fn is_sheet(content: &Content) -> bool {
    let Content::Element { name, .. } = content else { return false };
    let kind = attribute(content, "type").unwrap_or("");
    name == "style" && (kind.is_empty() || kind.eq_ignore_ascii_case("text/css"))
}

/// The value of an element's attribute.
pub(crate) fn attribute<'a>(content: &'a Content, wanted: &str) -> Option<&'a str> {
    let Content::Element { attributes, .. } = content else { return None };
    attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
}

fn url(document: &BaseDocument) -> UrlExtraData {
    UrlExtraData(Arc::new(document.base_url().clone()))
}

fn mode(quirks: Quirks) -> QuirksMode {
    match quirks {
        Quirks::No => QuirksMode::NoQuirks,
        Quirks::Limited => QuirksMode::LimitedQuirks,
        Quirks::Full => QuirksMode::Quirks,
    }
}
