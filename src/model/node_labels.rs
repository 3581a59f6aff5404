//! `NodeLabels`, what is known of some nodes of a page: a file of XPaths with the states that they permit.
//!
//! JSON Lines, one label a line:
//!
//! ```json
//! {"page": "story.html", "xpath": "//h1", "states": ["headline"]}
//! {"xpath": "//div[@class='body']//p", "states": ["full-text", "supplemental"]}
//! ```
//! All text inside the selected nodes is labelled. A line without `page` is for every page that it selects something on.

use serde::Deserialize;

use super::states::{PermittedStates, StateSet, StateSpace};
use crate::dom::XPathQuery;
use crate::error::{Error, Result, did_you_mean};
use crate::page::Page;
use crate::view::PageView;

/// Labels of nodes, by page and XPath.
#[derive(Debug, Clone, Default)]
pub struct NodeLabels {
    subject: String,
    lines: Vec<Line>,
}

#[derive(Debug, Clone)]
struct Line {
    number: usize,
    page: Option<String>,
    xpath: XPathQuery,
    states: StateSet,
    names: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineFields {
    page: Option<String>,
    xpath: String,
    states: Vec<String>,
}

impl NodeLabels {
    /// Reads the lines; `subject` names the file in errors.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the line and what is wrong with it: no JSON, an unknown field or state, an XPath that
    /// cannot be read, an empty set.
    pub fn parse(text: &str, subject: &str, space: StateSpace) -> Result<Self> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let lines = lines.map(|(index, line)| {
            parse_line(line, index + 1, space).map_err(|error| match error {
                Error::Usage { what, remedy } => {
                    Error::usage(format!("{subject}, line {}: {what}", index + 1), remedy)
                }
                other => other,
            })
        });
        Ok(NodeLabels { subject: subject.to_owned(), lines: lines.collect::<Result<_>>()? })
    }

    /// All states that some line names.
    pub fn states(&self) -> StateSet {
        self.lines.iter().fold(StateSet::first(0), |all, line| all.or(line.states))
    }

    /// The states that the nodes of a page may have, and how many of its text nodes are labelled. Where several lines
    /// say something of one node, what all of them permit.
    ///
    /// # Errors
    /// [`Error::Usage`] for two lines that permit nothing together, and for a line that names this page and selects no
    /// text of it.
    pub fn permitted(
        &self,
        page: &Page,
        view: &PageView,
        space: StateSpace,
    ) -> Result<(PermittedStates, usize)> {
        let at = |line: &Line| format!("{}, line {}: {}", self.subject, line.number, line.xpath.as_str());
        let mut labels = vec![StateSet::first(space.len()); view.tree.len()];
        let mut labelled = vec![false; view.tree.len()];
        for line in &self.lines {
            if line.page.as_ref().is_some_and(|name| !names_page(name, page.id())) {
                continue;
            }
            let selected = line.xpath.select(page.dom())?;
            let mut inside = page.dom().covers(selected.into_iter());
            let mut found = false;
            for (v, node) in view.nodes.iter().enumerate().filter(|&(v, _)| view.tree.is_leaf(v as u32)) {
                let texts = view.texts_of(node);
                // A run of inline text is labelled where all of it is.
                if texts.is_empty() || !texts.iter().all(|&text| inside(text)) {
                    continue;
                }
                (found, labelled[v]) = (true, true);
                labels[v] = labels[v].and(line.states);
                if labels[v].and(StateSet::first(space.permitted(true))).is_empty() {
                    let id = view.nodes[v].node;
                    return Err(Error::usage(
                        format!("{}: nothing is left permitted at {}", at(line), page.dom().xpath(id)),
                        format!(
                            "labels of one node must have a state in common that text can have; this line permits {}",
                            line.names.join(", ")
                        ),
                    ));
                }
            }
            if !found && line.page.is_some() {
                return Err(Error::usage(
                    format!("{}: no text of {} is selected", at(line), page.id()),
                    "write an XPath of elements or text that the page has",
                ));
            }
        }
        let count = labelled.iter().filter(|&&labelled| labelled).count();
        Ok((PermittedStates::new(&view.tree, space, &labels)?, count))
    }
}

/// Whether a label's page is this one: by its whole name, or by that of its file.
fn names_page(name: &str, id: &str) -> bool {
    id == name || id.ends_with(name) && id[..id.len() - name.len()].ends_with('/')
}

fn parse_line(text: &str, number: usize, space: StateSpace) -> Result<Line> {
    let fields: LineFields = serde_json::from_str(text).map_err(|error| {
        Error::usage(
            error.to_string(),
            r#"write {"page": "a.html", "xpath": "//h1", "states": ["headline"]}"#,
        )
    })?;
    let known = (0..space.len()).map(|state| space.name(state));
    let mut states: Option<StateSet> = None;
    for name in &fields.states {
        let state = known.clone().position(|state| state == name).ok_or_else(|| {
            Error::usage(format!("unknown state '{name}'"), did_you_mean(name, known.clone()))
        })?;
        states = Some(states.map_or(StateSet::only(state), |set| set.or(StateSet::only(state))));
    }
    let states = states.ok_or_else(|| {
        Error::usage(
            "no state is permitted",
            format!(
                "list one or more of {}; the default, without a label, is all",
                known.collect::<Vec<_>>().join(", ")
            ),
        )
    })?;
    let xpath = XPathQuery::parse(&fields.xpath)?;
    Ok(Line { number, page: fields.page, xpath, states, names: fields.states })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::View;

    fn page() -> (Page, PageView) {
        let html = "<h1>a</h1><div><p>b</p><p>c <i>d</i></p></div>";
        let page = Page::parse("folder/p.html", None, html.as_bytes(), None, &Default::default()).unwrap();
        let view = PageView::new(&page, View::Blocks);
        (page, view)
    }

    fn permitted(lines: &str) -> Result<(PermittedStates, usize)> {
        let (page, view) = page();
        let space = StateSpace::LabelsAndMixed;
        NodeLabels::parse(lines, "labels.jsonl", space)?.permitted(&page, &view, space)
    }

    #[test]
    fn text_inside_the_selected_nodes_is_labelled_and_labels_of_one_node_intersect() {
        let lines = r#"{"xpath": "//h1", "states": ["headline"]}
            {"page": "p.html", "xpath": "//div", "states": ["full-text", "comments"]}
            {"page": "other.html", "xpath": "//nothing", "states": ["comments"]}
            {"xpath": "//p[1]", "states": ["full-text", "headline"]}"#;
        let (permitted, labelled) = permitted(lines).unwrap();
        let (_, view) = page();
        let leaves: Vec<Vec<usize>> = (0..view.tree.len() as u32)
            .filter(|&v| view.tree.is_leaf(v))
            .map(|v| permitted.at(v).iter().collect())
            .collect();
        assert_eq!(leaves, [vec![1], vec![2], vec![2, 5]]);
        assert_eq!(labelled, 3);
        assert_eq!(permitted.at(0).len(), 8, "inner nodes are free");
    }

    #[test]
    fn what_cannot_be_is_refused_with_line_and_remedy() {
        let error = |lines: &str| permitted(lines).unwrap_err().to_string();
        let unknown = error(r#"{"xpath": "//p", "states": ["headlin"]}"#);
        assert!(unknown.contains("labels.jsonl, line 1") && unknown.contains("'headline'"), "{unknown}");
        assert!(error(r#"{"xpath": "//p", "states": []}"#).contains("no state is permitted"));
        let conflict = "{\"xpath\": \"//p\", \"states\": [\"headline\"]}\n{\"xpath\": \"//div\", \"states\": [\"comments\"]}";
        assert!(error(conflict).contains("line 2") && error(conflict).contains("/p"), "{}", error(conflict));
        assert!(error(r#"{"xpath": "//p", "states": ["mixed"]}"#).contains("nothing is left"));
        assert!(
            error(r#"{"page": "p.html", "xpath": "//ul", "states": ["comments"]}"#).contains("no text of")
        );
        assert!(error(r#"{"xpath": "//p["#).contains("line 1"));
        assert!(error(r#"{"xpath": "//p[", "states": ["comments"]}"#).contains("cannot be read"));
    }
}
