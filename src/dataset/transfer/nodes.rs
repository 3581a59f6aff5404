//! Labels given by XPath, placed on the text nodes of their page.

use std::collections::HashMap;

use super::GoldTokens;
use crate::dataset::{LabelledNodes, Unlabelled};
use crate::dom::xpath::XPaths;
use crate::dom::{Dom, XPathQuery};
use crate::index::{NodeId, NodeMap};
use crate::label::{Label, LabelSet};
use crate::page::Page;
use crate::tokens;
use crate::view::{PageView, View};

/// What placing the labels of a file on its page gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedLabels {
    /// The labels of the page's tokens.
    pub gold: GoldTokens,
    /// How many shown text nodes with tokens the page has, and how many of them no label is given for: these are not
    /// content.
    pub texts: (u64, u64),
    /// What is wrong, each with file and line: what could not be read of the file, an XPath that is none or selects
    /// nothing, a text that is not the page's, two labels for one node. Then the labels cannot be trusted.
    pub problems: Vec<String>,
}

impl PlacedLabels {
    /// Why the labels cannot be used, with the first of the problems; none if they can.
    pub fn objection(&self, unlabelled: Unlabelled) -> Option<String> {
        let first = self.problems.first().cloned();
        let more = match self.problems.len().saturating_sub(1) {
            0 => String::new(),
            n => format!(" (and {n} more)"),
        };
        let (all, without) = self.texts;
        let refused = (unlabelled == Unlabelled::Refused && without > 0)
            .then(|| format!("{without} of its {all} texts have no label, which its manifest refuses"));
        first.map(|first| first + &more).or(refused)
    }
}

/// Places labels on the text nodes of a page. A label of an element is that of all text in it, unless an element or text
/// further inside has another.
///
/// # Cost
/// Linear in page and labels for paths as [`Dom::xpath`] writes them; any other XPath is evaluated on the page.
///
/// # Examples
/// ```
/// use duramen::dataset::{LabelledNode, LabelledNodes};
/// use duramen::dataset::transfer::place_labels;
/// use duramen::dom::{Dom, Limits};
/// use duramen::Label;
/// let dom = Dom::parse(b"<nav>Home</nav><p>The <b>heart</b> of a tree", None, &Limits::default())?;
/// let node = LabelledNode { line: 1, xpath: "//p".into(), label: Label::FullText, text: None };
/// let placed = place_labels(&dom, &LabelledNodes { nodes: vec![node], ..LabelledNodes::default() });
/// assert_eq!(placed.gold.total(), [1, 0, 5, 0, 0, 0]);
/// assert_eq!((placed.texts, placed.problems), ((4, 1), vec![]));
/// # Ok::<(), duramen::error::PageProblem>(())
/// ```
pub fn place_labels(dom: &Dom, labels: &LabelledNodes) -> PlacedLabels {
    let paths = XPaths::new(dom);
    let texts: HashMap<String, NodeId> = dom.shown_texts().map(|id| (paths.of(id), id)).collect();
    let mut has_text = NodeMap::filled(dom.len(), false);
    for id in dom.shown_texts() {
        std::iter::once(id).chain(dom.ancestors(id)).for_each(|node| has_text[node] = true);
    }
    let mut problems = labels.problems.clone();
    // The label of each node that is selected, with the line that gives it.
    let mut given: NodeMap<Option<(Label, usize)>> = NodeMap::filled(dom.len(), None);
    for node in &labels.nodes {
        let mut fault =
            |problem: String| problems.push(format!("{}, line {}: {problem}", labels.file, node.line));
        let selected = match select(dom, &texts, &node.xpath) {
            Ok(selected) => selected,
            Err(problem) => {
                fault(problem);
                continue;
            }
        };
        if !selected.iter().any(|&id| has_text[id]) {
            fault(match selected.is_empty() {
                true => format!("{} is not on the page", node.xpath),
                false => format!("{} selects no text that the page shows", node.xpath),
            });
            continue;
        }
        if let (Some(text), [only]) = (&node.text, selected.as_slice())
            && letters(text).ne(letters(&dom.text_content(*only)))
        {
            let (is, was) = (excerpt(&dom.text_content(*only)), excerpt(text));
            fault(format!("the text at {} is '{is}', the file has '{was}'", node.xpath));
            continue;
        }
        for id in selected {
            match given[id] {
                Some((label, line)) if label != node.label => {
                    fault(format!("{} is {} here and {label} in line {line}", dom.xpath(id), node.label));
                }
                _ => given[id] = Some((node.label, node.line)),
            }
        }
    }
    // Parents come before their children.
    for id in dom.ids() {
        if let Some(parent) = dom.parent(id) {
            given[id] = given[id].or(given[parent]);
        }
    }
    let mut gold = GoldTokens::default();
    let (mut all, mut without) = (0, 0);
    for id in dom.shown_texts() {
        let n = tokens::count(dom.text(id));
        gold.add(id, given[id].map_or(Label::NotContent, |(label, _)| label), n);
        all += u64::from(n > 0);
        without += u64::from(n > 0 && given[id].is_none());
    }
    PlacedLabels { gold, texts: (all, without), problems }
}

/// The text of a page that has one of `labels`, a line for each block and each line that `<br>` ends: what a text metric
/// takes for its reference.
pub fn labelled_text(page: &Page, gold: &GoldTokens, labels: LabelSet) -> String {
    let dom = page.dom();
    let view = PageView::new(page, View::Blocks);
    let mut lines: Vec<String> = Vec::new();
    for leaf in view.text_leaves() {
        let mut line = String::new();
        let mut last: Option<NodeId> = None;
        for &id in view.texts_of(leaf) {
            let label = gold.label(id);
            let is_wanted = label.is_some_and(|label| labels.contains(label));
            let is_break =
                |before: NodeId| (before.0 + 1..id.0).any(|between| dom.name(NodeId(between)) == "br");
            if (label.is_some() && !is_wanted) || last.is_some_and(is_break) {
                lines.push(std::mem::take(&mut line));
            }
            // Punctuation and white space between wanted words belong to them.
            if is_wanted || (label.is_none() && !line.is_empty()) {
                line.push_str(dom.text(id));
            }
            last = Some(id);
        }
        lines.push(line);
    }
    let folded = lines.iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    folded.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The nodes that an XPath selects, or what is wrong with it.
fn select(dom: &Dom, texts: &HashMap<String, NodeId>, xpath: &str) -> Result<Vec<NodeId>, String> {
    if let Some(id) = texts.get(xpath).copied().or_else(|| dom.at_xpath(xpath)) {
        return Ok(vec![id]);
    }
    let query = XPathQuery::parse(xpath).map_err(|error| error.to_string())?;
    query.select(dom).map_err(|error| error.to_string())
}

/// The letters and digits of a text: what spreadsheets and editors leave alone.
fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric())
}

fn excerpt(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
