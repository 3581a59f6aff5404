//! Where a text that a program gave out stands on its page: found tokens by text node.

use super::align::{self, NONE};
use super::check_length;
use super::units::{Text, Vocabulary};
use crate::dom::Dom;
use crate::error::PageProblem;
use crate::index::{NodeId, NodeMap};
use crate::label::Label;
use crate::tokens;

/// Of the tokens of a reference text, the share that must be found on the page. A page with less is listed, and is
/// learned from as one without labels: text that was not found would pass for not content.
pub const TRUSTED_SHARE: f64 = 0.9;

/// How many [tokens](crate::tokens) of each shown text node of a page stand in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The nodes of the page.
    nodes: usize,
    /// The shown texts in order, each with the tokens that were found and all of its tokens.
    tokens: Vec<(NodeId, (u32, u32))>,
    /// Of the text, the tokens that were found on the page and all of its tokens.
    of_text: (u64, u64),
}

impl Found {
    /// How many tokens of a text node were found, and how many it has; zeros for elements and for text that is not
    /// shown.
    pub fn counts(&self, id: NodeId) -> (u32, u32) {
        self.place(id).map_or((0, 0), |place| self.tokens[place].1)
    }

    fn place(&self, id: NodeId) -> Option<usize> {
        self.tokens.binary_search_by_key(&id, |&(node, _)| node).ok()
    }

    /// How many of the text's tokens were found on the page, and how many it has.
    pub fn text_tokens(&self) -> (u64, u64) {
        self.of_text
    }

    /// The share of the text's tokens that were found on the page, 0 to 1; none for a text without tokens. A low
    /// share says that the program wrote what is not on the page, or that the page was decoded otherwise.
    pub fn share(&self) -> Option<f64> {
        let (found, all) = self.of_text;
        (all > 0).then(|| found as f64 / all as f64)
    }

    /// Whether so much of the text was found on its page that what was not found there is not content: [`TRUSTED_SHARE`] of
    /// its tokens or more.
    pub fn is_trusted(&self) -> bool {
        let (found, all) = self.of_text;
        all > 0 && found as f64 >= TRUSTED_SHARE * all as f64
    }

    /// The same, as if all tokens of these text nodes had been found.
    pub fn including(mut self, texts: &[NodeId]) -> Self {
        for &id in texts {
            if let Some(place) = self.place(id) {
                let (found, all) = &mut self.tokens[place].1;
                *found = *all;
            }
        }
        self
    }

    /// The labels of text nodes: full text where at least half of a node's tokens were found, else not content.
    pub fn labels(&self) -> NodeMap<Label> {
        let mut labels = NodeMap::filled(self.nodes, Label::NotContent);
        for &(id, (found, all)) in &self.tokens {
            if all > 0 && 2 * u64::from(found) >= u64::from(all) {
                labels[id] = Label::FullText;
            }
        }
        labels
    }
}

/// Finds a text on a page.
///
/// The text is aligned with the shown text of the page in order, as [`transfer_labels`](crate::dataset::transfer::transfer_labels)
/// aligns an annotated file; then what is left, runs of four words and whole lines, is looked for in other
/// places. Each token of the text stands for at most one place on the page: of a headline that the page shows
/// twice and the text has once, one is found. A token is found if each of its units (runs of ASCII letters and
/// digits) is.
///
/// # Errors
/// [`PageProblem::TooLarge`] if the page or the text has more than 1,048,576 tokens.
///
/// # Cost
/// As [`transfer_labels`](crate::dataset::transfer::transfer_labels): some ms for an ordinary page.
///
/// # Examples
/// ```
/// use duramen::alignment::find_text;
/// use duramen::dom::{Dom, Limits};
/// let dom = Dom::parse(b"<nav>Home</nav><p>The <b>heart</b> of a tree<p>Print", None, &Limits::default())?;
/// let found = find_text(&dom, "The heart of a tree\n")?;
/// let counts: Vec<_> = dom.shown_texts().map(|id| found.counts(id)).collect();
/// assert_eq!(counts, [(0, 1), (1, 1), (1, 1), (3, 3), (0, 1)]);
/// assert_eq!(found.share(), Some(1.0));
/// # Ok::<(), duramen::error::PageProblem>(())
/// ```
pub fn find_text(dom: &Dom, text: &str) -> Result<Found, PageProblem> {
    let nodes: Vec<NodeId> = dom.shown_texts().collect();
    let mut vocabulary = Vocabulary::default();
    let page = Text::new(nodes.iter().map(|&id| dom.text(id)), &mut vocabulary);
    let given = Text::new(text.lines(), &mut vocabulary);
    check_length(&page, &given)?;
    let links = align::align(&page, &given);
    let mut tokens: Vec<(NodeId, (u32, u32))> = nodes.into_iter().map(|id| (id, (0, 0))).collect();
    for (token, units) in page.tokens().enumerate() {
        let (found, all) = &mut tokens[page.piece[token] as usize].1;
        *all += 1;
        *found += u32::from(is_linked(&links.of_original[units]));
    }
    let (mut found, mut all) = (0, 0);
    for units in given.tokens() {
        all += 1;
        found += u64::from(is_linked(&links.of_annotated[units]));
    }
    Ok(Found { nodes: dom.len(), tokens, of_text: (found, all) })
}

/// The text nodes of the headings (`h1` to `h6`) that show a title, token by token and in any case: the headline of an
/// article whose gold states its title. Empty for a title without tokens.
///
/// # Examples
/// ```
/// use duramen::alignment::find_headline;
/// use duramen::dom::{Dom, Limits};
/// let page = b"<title>A tree</title><p>A tree<h1>A <b>Tree</b></h1><h2>A tree, again</h2>";
/// let dom = Dom::parse(page, None, &Limits::default())?;
/// let texts: Vec<_> = find_headline(&dom, "A tree").into_iter().map(|id| dom.text(id)).collect();
/// assert_eq!(texts, ["A ", "Tree"]);
/// assert_eq!(find_headline(&dom, " \u{2013} "), []);
/// # Ok::<(), duramen::error::PageProblem>(())
/// ```
pub fn find_headline(dom: &Dom, title: &str) -> Vec<NodeId> {
    let heading = |id| dom.ancestors(id).find(|&above| dom.tag(above).heading_level().is_some());
    let tokens_of = |text: &str| tokens::iter(text).map(str::to_lowercase).collect::<Vec<_>>();
    let title = tokens_of(title);
    if title.is_empty() {
        return Vec::new();
    }
    let texts: Vec<(NodeId, NodeId)> = dom.shown_texts().filter_map(|id| Some((heading(id)?, id))).collect();
    let shows_title = |texts: &&[(NodeId, NodeId)]| {
        texts.iter().flat_map(|&(_, id)| tokens_of(dom.text(id))).eq(title.iter().cloned())
    };
    texts.chunk_by(|a, b| a.0 == b.0).filter(shows_title).flatten().map(|&(_, id)| id).collect()
}

fn is_linked(partners: &[u32]) -> bool {
    partners.iter().all(|&partner| partner != NONE)
}
