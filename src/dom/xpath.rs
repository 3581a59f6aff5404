//! The XPath of a node: the absolute path of child steps that selects it and nothing else.

use std::borrow::Cow;
use std::collections::HashMap;

use super::arena::{Dom, NodeKind};
use crate::index::{NodeId, NodeMap};

impl Dom {
    /// The path of a node as browsers' developer tools write it: `/html[1]/body[1]/div[2]/text()[1]`.
    ///
    /// Every step carries its position among siblings of the same name. Elements outside the HTML namespace, and
    /// those whose names no XPath may hold (`o:p`), are written `*[name()='svg']`. It is an XPath 1.0 that
    /// [`XPathQuery`](super::XPathQuery) takes. Cost: linear in depth times siblings.
    pub fn xpath(&self, id: NodeId) -> String {
        let mut steps: Vec<String> = Vec::new();
        let mut current = id;
        while let Some(parent) = self.parent(current) {
            let same = |&sibling: &NodeId| {
                self.kind(sibling) == self.kind(current)
                    && self.name(sibling) == self.name(current)
                    && (self.kind(current) == NodeKind::Text
                        || self.is_html_element(sibling) == self.is_html_element(current))
            };
            let position = std::iter::successors(Some(current), |&node| self.previous_sibling(node))
                .filter(same)
                .count();
            steps.push(self.step(current, position));
            current = parent;
        }
        if steps.is_empty() {
            return "/".to_owned();
        }
        steps.iter().rev().map(String::as_str).collect()
    }

    /// The step that selects a node among its siblings by its position among those of its name.
    fn step(&self, id: NodeId, position: usize) -> String {
        match self.kind(id) {
            NodeKind::Text => format!("/text()[{position}]"),
            _ => format!("/{}[{position}]", self.element_test(id)),
        }
    }

    /// What selects an element by its name.
    fn element_test(&self, id: NodeId) -> Cow<'_, str> {
        let name = self.name(id);
        if self.is_html_element(id) && is_plain_name(name) {
            return Cow::Borrowed(name);
        }
        Cow::Owned(format!("*[name()={}]", literal(name)))
    }

    /// The node that an absolute path of the form written by [`Dom::xpath`] selects, if there is one.
    pub fn at_xpath(&self, path: &str) -> Option<NodeId> {
        if path == "/" {
            return Some(NodeId::ROOT);
        }
        let mut current = NodeId::ROOT;
        for step in path.strip_prefix('/')?.split('/') {
            let (name, position) = step.strip_suffix(']')?.rsplit_once('[')?;
            let position: usize = position.parse().ok()?;
            let selects = |&child: &NodeId| match self.kind(child) {
                NodeKind::Text => name == "text()",
                _ => self.element_test(child) == name,
            };
            current = self.children(current).filter(selects).nth(position.checked_sub(1)?)?;
        }
        Some(current)
    }
}

/// Whether a name of an element or attribute may stand in an XPath as it is: HTML allows nearly everything.
pub fn is_plain_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// A text in the quotes of XPath 1.0, which knows no escapes: one that holds both kinds of quotes is put together.
///
/// # Examples
/// ```
/// use duramen::dom::xpath::literal;
/// assert_eq!(literal("it's"), "\"it's\"");
/// assert_eq!(literal("\"it's\""), "concat('\"it', \"'\", 's\"')");
/// ```
pub fn literal(text: &str) -> String {
    match (text.contains('\''), text.contains('"')) {
        (false, _) => format!("'{text}'"),
        (true, false) => format!("\"{text}\""),
        (true, true) => {
            let parts: Vec<String> = text.split('\'').map(|part| format!("'{part}'")).collect();
            format!("concat({})", parts.join(", \"'\", "))
        }
    }
}

/// The paths of many nodes of a page: [`Dom::xpath`] counts siblings anew for each node, which takes the square of
/// their number for all of them.
pub struct XPaths<'a> {
    dom: &'a Dom,
    /// For each node its position among siblings of its name.
    positions: NodeMap<usize>,
}

impl<'a> XPaths<'a> {
    /// Counts the siblings of a page once. Linear in the page.
    pub fn new(dom: &'a Dom) -> Self {
        let mut positions = NodeMap::filled(dom.len(), 0);
        for parent in dom.ids() {
            let mut seen: HashMap<(bool, &str), usize> = HashMap::new();
            for child in dom.children(parent) {
                let position = seen.entry((dom.is_html_element(child), dom.name(child))).or_default();
                *position += 1;
                positions[child] = *position;
            }
        }
        XPaths { dom, positions }
    }

    /// The position of a node among its siblings of the same name, from 1; 0 for the document node.
    pub fn position(&self, id: NodeId) -> usize {
        self.positions[id]
    }

    /// The path of a node, as [`Dom::xpath`] writes it. Linear in its depth.
    pub fn of(&self, id: NodeId) -> String {
        let mut path: Vec<NodeId> = std::iter::once(id).chain(self.dom.ancestors(id)).collect();
        path.pop();
        if path.is_empty() {
            return "/".to_owned();
        }
        path.into_iter().rev().map(|node| self.dom.step(node, self.positions[node])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::XPaths;
    use crate::dom::{Dom, Limits, XPathQuery};
    use crate::index::NodeId;

    #[test]
    fn every_node_is_found_at_its_own_path() {
        let html = "<title>t</title><div>a<p>b<!-- c -->d<p>e</p></div><div><svg><title>f</title><a>g</a></svg>\
                    <x-y>h</x-y><o:p>i</o:p><o:p>j</o:p><a'\"b[]>k</a'\"b[]><é>l";
        let dom = Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap();
        for id in dom.ids() {
            assert_eq!(dom.at_xpath(&dom.xpath(id)), Some(id), "{}", dom.xpath(id));
            assert_eq!(XPaths::new(&dom).of(id), dom.xpath(id));
            assert_eq!(XPathQuery::parse(&dom.xpath(id)).unwrap().select(&dom).unwrap(), [id]);
        }
    }

    #[test]
    fn paths_read_as_in_a_browser() {
        let dom = Dom::parse(b"<div></div><div><p>x", None, &Limits::default()).unwrap();
        let text = dom.ids().last().unwrap();
        assert_eq!(dom.xpath(text), "/html[1]/body[1]/div[2]/p[1]/text()[1]");
        assert_eq!(dom.xpath(NodeId::ROOT), "/");
        assert_eq!(dom.at_xpath("/html[1]/body[1]/div[3]"), None);
        assert_eq!(dom.at_xpath("div"), None);
    }
}
