//! The wrapper of a site: the XPath of its best pattern.

use std::collections::BTreeSet;

use super::patterns::{Pattern, tolerant_form};
use crate::dom::xpath::{is_plain_name, literal};
use crate::dom::{Dom, XPathQuery};
use crate::error::Result;

/// The most attributes that a wrapper states, the longest name and value in bytes, and the most positions: beyond
/// these it states less.
const MAX_ATTRIBUTES: usize = 8;
const MAX_LENGTH: usize = 100;
const MAX_POSITIONS: usize = 100;

/// The wrapper of a pattern found on the pages `doms`.
///
/// Elements without attributes are named by their path of positions. Those with attributes are named by name,
/// attributes and level; where more elements of a page answer to that, also by the positions among them that the
/// pattern's elements have, which stand for the paper's dfs indices:
/// `(//div[starts-with(concat(@class, ' '), 'story ') and count(ancestor::*) = 6])[position() = 1 or position() = 2]`.
///
/// # Errors
/// As [`XPathQuery::parse`], for paths longer than it takes.
pub(super) fn wrapper(doms: &[&Dom], pattern: &Pattern, tolerant: bool) -> Result<XPathQuery> {
    let (page, element) = pattern.elements[0];
    if doms[page].attributes(element).next().is_none() {
        return XPathQuery::parse(&doms[page].xpath(element));
    }
    let base = by_attributes(doms, pattern, tolerant);
    let query = XPathQuery::parse(&base)?;
    let (mut positions, mut most) = (BTreeSet::new(), 0);
    for of_page in pattern.elements.chunk_by(|a, b| a.0 == b.0) {
        let found = query.select(doms[of_page[0].0])?;
        most = most.max(found.len());
        positions.extend(of_page.iter().filter_map(|(_, id)| found.binary_search(id).ok()));
    }
    if positions.len() == most || positions.len() > MAX_POSITIONS {
        return Ok(query);
    }
    let positions: Vec<String> =
        positions.iter().map(|place| format!("position() = {}", place + 1)).collect();
    XPathQuery::parse(&format!("({base})[{}]", positions.join(" or ")))
}

/// Every element of the name, attributes and level of a pattern's elements.
fn by_attributes(doms: &[&Dom], pattern: &Pattern, tolerant: bool) -> String {
    let (page, element) = pattern.elements[0];
    let (dom, mut conditions) = (doms[page], Vec::new());
    let name = match dom.name(element) {
        name if is_plain_name(name) => name,
        name => {
            conditions.push(format!("name() = {}", literal(name)));
            "*"
        }
    };
    let mut attributes: Vec<(&str, &str)> =
        dom.attributes(element).filter(|(name, _)| name.len() <= MAX_LENGTH).collect();
    attributes.sort_unstable();
    for (name, value) in attributes.into_iter().take(MAX_ATTRIBUTES) {
        let attribute = match is_plain_name(name) {
            true => format!("@{name}"),
            false => format!("@*[name() = {}]", literal(name)),
        };
        let stated = if tolerant { tolerant_form(value) } else { value.to_owned() };
        conditions.push(if stated.len() > MAX_LENGTH {
            attribute
        } else if !tolerant {
            format!("{attribute} = {}", literal(&stated))
        } else {
            let mut values =
                pattern.elements.iter().map(|&(page, id)| doms[page].attribute(id, name).unwrap_or_default());
            has_tolerant_form(&attribute, &stated, values.all(|value| begins_with_token(value, &stated)))
        });
    }
    conditions.push(format!("count(ancestor::*) = {}", pattern.level));
    format!("//{name}[{}]", conditions.join(" and "))
}

/// That the first token of an attribute is `token` up to digits; or `plainly`, without looking for digits.
fn has_tolerant_form(attribute: &str, token: &str, plainly: bool) -> String {
    if plainly {
        return format!("starts-with(concat({attribute}, ' '), {})", literal(&format!("{token} ")));
    }
    // An attribute that is not there has the empty form too.
    let there = if token.is_empty() { format!("{attribute} and ") } else { String::new() };
    let first = format!("substring-before(concat(normalize-space({attribute}), ' '), ' ')");
    format!("{there}translate({first}, '0123456789', '') = {}", literal(token))
}

/// Whether a value is a token, or begins with it and a space.
fn begins_with_token(value: &str, token: &str) -> bool {
    !token.is_empty()
        && value.strip_prefix(token).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}
