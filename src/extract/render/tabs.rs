//! Tabs: panels of which a page shows one at a time, such as the same command for several systems, and their names.

use std::collections::{HashMap, HashSet};

use super::Kept;
use super::furniture::short_text;
use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;

/// The panels of a page that hold code and kept text, with the names of their tabs.
#[derive(Debug, Default)]
pub(super) struct Tabs {
    /// The name of each panel.
    names: HashMap<NodeId, String>,
    /// The elements that the names stand in.
    labels: HashSet<NodeId>,
}

/// No tab has a longer name, in characters.
const MAX_NAME: usize = 80;

impl Tabs {
    /// Finds them by roles, as Docusaurus, Starlight, Sphinx and Microsoft have them, and by the labels of switches, as MkDocs, VitePress
    /// and sphinx-design do. Linear in the page.
    pub fn find(dom: &Dom, kept: &Kept) -> Tabs {
        let code: Vec<NodeId> = dom.ids().filter(|&id| dom.tag(id) == Tag::PRE).collect();
        let mut tabs = Tabs::default();
        if code.is_empty() {
            return tabs;
        }
        let pairs = [of_roles(dom), of_switches(dom)].concat();
        let kept: Vec<NodeId> = if pairs.is_empty() { Vec::new() } else { kept.iter().collect() };
        for (label, panel) in pairs {
            let holds_one = |ids: &[NodeId]| {
                let next = ids.get(ids.partition_point(|&id| id < panel));
                next.is_some_and(|&id| id < dom.subtree_end(panel))
            };
            if let Some(name) = name(dom, label).filter(|_| holds_one(&code) && holds_one(&kept)) {
                tabs.names.insert(panel, name);
                tabs.labels.insert(label);
            }
        }
        tabs
    }

    /// Takes the tabs themselves out of what is kept: their names stand above the panels.
    pub fn leave_out(&self, dom: &Dom, kept: &mut Kept) {
        let mut labels: Vec<NodeId> = self.labels.iter().copied().collect();
        labels.sort_unstable();
        let mut is_inside = dom.covers(labels.into_iter());
        kept.retain(|id| !is_inside(id));
    }

    /// The name of the tab that opens a panel.
    pub fn name(&self, panel: NodeId) -> Option<&str> {
        self.names.get(&panel).map(String::as_str)
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

fn name(dom: &Dom, label: NodeId) -> Option<String> {
    let name = short_text(dom, label);
    (1..=MAX_NAME).contains(&name.chars().count()).then_some(name)
}

/// Tabs with their panels where a panel names its tab, or as many panels as tabs follow.
fn of_roles(dom: &Dom) -> Vec<(NodeId, NodeId)> {
    let role = |id: NodeId| dom.attribute(id, "role").map(str::trim);
    let is_tab = |id: NodeId| role(id) == Some("tab");
    let both: Vec<NodeId> = dom.ids().filter(|&id| matches!(role(id), Some("tab" | "tabpanel"))).collect();
    let by_id: HashMap<&str, NodeId> = both
        .iter()
        .filter(|&&id| is_tab(id))
        .filter_map(|&id| Some((dom.attribute(id, "id")?.trim(), id)))
        .collect();
    let mut pairs = Vec::new();
    for group in both.chunk_by(|&before, &id| is_tab(before) || !is_tab(id)) {
        let (tabs, panels) = group.split_at(group.partition_point(|&id| is_tab(id)));
        for (i, &panel) in panels.iter().enumerate() {
            let named = dom.attribute(panel, "aria-labelledby").and_then(|id| by_id.get(id.trim()).copied());
            let in_place = (tabs.len() == panels.len()).then(|| tabs[i]);
            pairs.extend(named.or(in_place).map(|tab| (tab, panel)));
        }
    }
    pairs
}

/// Labels of switches with their panels: each right before its own, or all in one element before that of the panels.
fn of_switches(dom: &Dom) -> Vec<(NodeId, NodeId)> {
    let is_element = |&id: &NodeId| dom.kind(id) == NodeKind::Element;
    let elements = |id: NodeId| dom.children(id).filter(is_element);
    let is_label = |&id: &NodeId| dom.tag(id) == Tag::LABEL && dom.attribute(id, "for").is_some();
    let after = |id| std::iter::successors(dom.next_sibling(id), |&id| dom.next_sibling(id)).find(is_element);
    let labels = || dom.ids().filter(is_label);
    let mut seen = HashSet::new();
    let mut pairs = Vec::new();
    for around in labels().filter_map(|label| dom.parent(label)).filter(|&around| seen.insert(around)) {
        let labels = elements(around).filter(is_label);
        if elements(around).all(|id| matches!(dom.tag(id), Tag::LABEL | Tag::INPUT)) {
            let panels = after(around).into_iter().flat_map(elements);
            pairs.extend(labels.zip(panels));
        } else {
            let panel = |label| after(label).filter(|&panel| dom.tag(panel) == Tag::DIV);
            pairs.extend(labels.filter_map(|label| Some((label, panel(label)?))));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;

    /// The names of the panels, and the kept text.
    fn found(html: &str) -> (Vec<String>, String) {
        let page = Page::parse("p.html", None, html.as_bytes(), None, &Default::default()).unwrap();
        let dom = page.dom();
        let mut kept = Kept::everything(&page);
        let tabs = Tabs::find(dom, &kept);
        tabs.leave_out(dom, &mut kept);
        let names = dom.ids().filter_map(|id| tabs.name(id)).map(str::to_owned).collect();
        (names, kept.iter().map(|id| dom.text(id)).collect())
    }

    #[test]
    fn panels_of_code_have_the_names_of_their_tabs() {
        for html in [
            // By place.
            "<ul role=tablist><li role=tab>npm<li role=tab> pnpm </ul><div><div role=tabpanel><pre>a</pre></div>\
             <div role=tabpanel><pre>b</pre></div></div>",
            // By name.
            "<div role=tablist><a role=tab id=one>npm</a><a role=tab id=two>pnpm</a></div><p role=tabpanel></p>\
             <div role=tabpanel aria-labelledby=one><pre>a</pre></div><div role=tabpanel aria-labelledby=two><pre>b</pre></div>",
            // All labels first.
            "<div class=tabbed-set><input type=radio id=x><input type=radio id=y><div><label for=x>npm</label><label for=y>pnpm</label></div>\
             <div><div><pre>a</pre></div><div><pre>b</pre></div></div></div>",
            // Each before its panel.
            "<div class=sd-tab-set><input type=radio id=x><label for=x>npm</label><div><pre>a</pre></div>\
             <input type=radio id=y><label for=y>pnpm</label><div><pre>b</pre></div></div>",
        ] {
            assert_eq!(found(html), (vec!["npm".to_owned(), "pnpm".to_owned()], "ab".to_owned()), "{html}");
        }
    }

    #[test]
    fn labels_of_forms_and_panels_without_code_are_no_tabs_of_code() {
        for html in [
            "<form><label for=q>Search</label><div><input id=q></div></form><pre>x</pre>",
            "<div role=tablist><a role=tab>Search</a></div><div role=tabpanel></div><pre>x</pre>",
            "<div role=tablist><a role=tab>Sea</a><a role=tab>rch</a></div><div role=tabpanel><pre>x</pre></div>",
        ] {
            assert_eq!(found(html), (Vec::new(), "Searchx".to_owned()), "{html}");
        }
    }
}
