//! Labels on the original page: gold labels moved from an annotated file to the text nodes of the page it annotates.
//!
//! L3S-GN1 keeps its labels in files of their own, `annotated/`, each what a browser made of a page: scripts gone,
//! links rewritten, spans nested around every piece of text. **No feature is ever computed on an annotated
//! file**, since its markup gives the labels away. The code makes this impossible rather than forbidden: an
//! annotated file is never parsed into a [`Dom`], and all that leaves this module is counts of labels by
//! [`NodeId`] of the original.
//!
//! The same alignment finds the text that another program made of a page: [`find_text`](crate::alignment::find_text).

mod annotation;
mod gold;
mod nodes;

pub use gold::GoldTokens;
pub use nodes::{PlacedLabels, labelled_text, place_labels};

use crate::alignment::{NONE, Text, Vocabulary, align, check_length};
use crate::dom::Dom;
use crate::error::PageProblem;
use crate::index::NodeId;
use crate::label::{Label, LabelSet};

/// What moving the labels of one page gave.
///
/// A token of the annotated file is *matched* if each of its units (runs of ASCII letters and digits) found the
/// unit of a shown text node that it stands for. All shown tokens of the annotated file are counted, labeled or
/// not; text that either file hides (scripts, styles, form options) is not a token on that side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// The labels of the original's tokens.
    pub gold: GoldTokens,
    /// For each label how many tokens the annotated file has, and how many of them are matched.
    pub by_label: [(u64, u64); Label::COUNT],
    /// Tokens of the original without a counterpart, which are not content.
    pub unannotated_tokens: u64,
    /// The longest runs of annotated tokens without a counterpart, longest first; at most [`Transfer::MAX_LOST`].
    pub lost: Vec<LostRun>,
}

/// A run of annotated tokens that have no counterpart in the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostRun {
    /// The label of its first token.
    pub label: Label,
    /// The number of tokens.
    pub tokens: u64,
    /// Its first tokens, at most 12.
    pub excerpt: String,
}

impl Transfer {
    /// How many lost runs are kept for a report.
    pub const MAX_LOST: usize = 5;

    /// Tokens of the annotated file, labeled or not.
    pub fn annotated_tokens(&self) -> u64 {
        self.by_label.iter().map(|&(annotated, _)| annotated).sum()
    }

    /// How many of them found their node.
    pub fn matched_tokens(&self) -> u64 {
        self.by_label.iter().map(|&(_, matched)| matched).sum()
    }

    /// The share of annotated tokens that found their node, 0 to 1.
    pub fn share(&self) -> f64 {
        self.matched_tokens() as f64 / self.annotated_tokens() as f64
    }
}

/// The text of an annotated file that has one of `labels`, as a text metric wants its reference.
///
/// Pieces stand in file order. A new line begins where a block element or `<br>` ends a line and where other text
/// was left out, so that words do not run together there; inline elements part no words.
///
/// # Errors
/// [`PageProblem`] of the annotated file: no bytes, binary, or too large. A file without text of these labels gives
/// an empty text.
///
/// # Examples
/// ```
/// use duramen::LabelSet;
/// use duramen::dataset::transfer::gold_text;
/// let annotated = br#"<p>Home<p class="x-nc-sel2">Heart<b>wood</b> is<br>dead <i class="x-nc-sel4">more</i>wood"#;
/// assert_eq!(gold_text(annotated, LabelSet::ARTICLE)?, "Heartwood is\ndead \nwood");
/// # Ok::<(), duramen::error::PageProblem>(())
/// ```
pub fn gold_text(annotated: &[u8], labels: LabelSet) -> Result<String, PageProblem> {
    gold_texts(annotated, [labels]).map(|[text]| text)
}

/// The [`gold_text`] of each of several sets of labels; the file is read once.
///
/// # Errors
/// As [`gold_text`].
pub fn gold_texts<const N: usize>(
    annotated: &[u8],
    labels: [LabelSet; N],
) -> Result<[String; N], PageProblem> {
    let pieces = annotation::pieces(annotated)?;
    Ok(labels.map(|labels| text_of(&pieces, labels)))
}

fn text_of(pieces: &[annotation::Piece], labels: LabelSet) -> String {
    let mut text = String::new();
    let mut separated = false;
    for piece in pieces {
        separated |= piece.begins_line;
        if !labels.contains(piece.label) {
            separated = true;
            continue;
        }
        if separated && !text.is_empty() {
            text.push('\n');
        }
        separated = false;
        text.push_str(&piece.text);
    }
    text
}

/// Moves the labels of an annotated file to the page that it annotates.
///
/// `annotated` holds elements with a class `x-nc-selN`, N the [number of a label](Label::index); the innermost
/// wins, and text outside any is not content. The texts are aligned in order, then what is left is looked for in
/// other places. A token of the original takes the label of most of its aligned units, the first of equally
/// frequent ones; a token without any is not content.
///
/// # Errors
/// [`PageProblem`] of the annotated file: binary, too large, or [`PageProblem::Empty`] if it shows no token;
/// [`PageProblem::TooLarge`] as well if either text has more than 1,048,576 tokens.
///
/// # Cost
/// Some ms for an ordinary page, seconds for two texts of 100,000 tokens whatever they hold.
///
/// # Examples
/// ```
/// use duramen::dataset::transfer::transfer_labels;
/// use duramen::dom::{Dom, Limits};
/// let original = Dom::parse(b"<nav>Home</nav><p>The <b>heart</b> of a tree", None, &Limits::default())?;
/// let transfer = transfer_labels(&original, br#"Home <p><span class="x-nc-sel2">The <b>heart</b> of a tree</span>"#)?;
/// assert_eq!(transfer.gold.total(), [1, 0, 5, 0, 0, 0]);
/// assert_eq!(transfer.share(), 1.0);
/// # Ok::<(), duramen::error::PageProblem>(())
/// ```
pub fn transfer_labels(original: &Dom, annotated: &[u8]) -> Result<Transfer, PageProblem> {
    let pieces = annotation::pieces(annotated)?;
    let nodes: Vec<NodeId> = original.shown_texts().collect();
    let mut vocabulary = Vocabulary::default();
    let page = Text::new(nodes.iter().map(|&id| original.text(id)), &mut vocabulary);
    let labeled = Text::new(pieces.iter().map(|piece| &*piece.text), &mut vocabulary);
    if labeled.piece.is_empty() {
        return Err(PageProblem::Empty);
    }
    check_length(&page, &labeled)?;
    let label_of = |token: u32| pieces[labeled.piece[token as usize] as usize].label;
    let links = align(&page, &labeled);

    let mut gold = GoldTokens::default();
    let mut unannotated_tokens = 0;
    for (token, units) in page.tokens().enumerate() {
        let labels = links.of_original[units].iter().filter(|&&unit| unit != NONE);
        let labels: Vec<Label> = labels.map(|&unit| label_of(labeled.token[unit as usize])).collect();
        unannotated_tokens += u64::from(labels.is_empty());
        gold.add(nodes[page.piece[token] as usize], most_frequent(&labels).unwrap_or(Label::NotContent), 1);
    }

    let matched: Vec<bool> =
        labeled.tokens().map(|units| links.of_annotated[units].iter().all(|&unit| unit != NONE)).collect();
    let mut by_label = [(0, 0); Label::COUNT];
    for (token, &matched) in matched.iter().enumerate() {
        let (all, found) = &mut by_label[label_of(token as u32).index()];
        *all += 1;
        *found += u64::from(matched);
    }
    let lost = lost_runs(&matched, &labeled, label_of);
    Ok(Transfer { gold, by_label, unannotated_tokens, lost })
}

/// The most frequent label, the first of equally frequent ones.
fn most_frequent(labels: &[Label]) -> Option<Label> {
    let count = |label: Label| labels.iter().filter(|&&other| other == label).count();
    labels.iter().copied().rev().max_by_key(|&label| count(label))
}

/// The longest runs of tokens that are not matched.
fn lost_runs(matched: &[bool], text: &Text<'_>, label_of: impl Fn(u32) -> Label) -> Vec<LostRun> {
    let units: Vec<_> = text.tokens().collect();
    let mut runs = Vec::new();
    let mut token = 0;
    while token < matched.len() {
        let tokens = matched[token..].iter().take_while(|&&matched| !matched).count();
        if tokens > 0 {
            runs.push((token, tokens));
        }
        token += tokens.max(1);
    }
    runs.sort_by_key(|&(token, tokens)| (std::cmp::Reverse(tokens), token));
    runs.truncate(Transfer::MAX_LOST);
    let excerpt = |token: usize, tokens: usize| {
        let last = token + tokens.min(12) - 1;
        text.words[units[token].start..units[last].end].join(" ")
    };
    runs.into_iter()
        .map(|(token, tokens)| LostRun {
            label: label_of(token as u32),
            tokens: tokens as u64,
            excerpt: excerpt(token, tokens),
        })
        .collect()
}
