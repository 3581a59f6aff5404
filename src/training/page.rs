//! `TrainingPage`: a labelled page with what is known of its text.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::alignment::{Found, find_headline, find_text};
use crate::convention::Convention;
use crate::dataset::TextGold;
use crate::dataset::labelled::{LabelledCorpus, LabelledPage, PageGold};
use crate::dataset::transfer::GoldTokens;
use crate::dom::digest::hex;
use crate::dom::{Dom, Tag};
use crate::error::{Error, PageProblem, Result};
use crate::extract::metadata::Metadata;
use crate::features::hash::Hashed;
use crate::features::is_linked_data;
use crate::index::NodeId;
use crate::label::{Label, LabelSet};
use crate::model::{Model, Observation, PermittedStates, StateSpace, TargetStates, TextGoldLabels};
use crate::page::Page;
use crate::progress::Progress;
use crate::view::PageView;

/// A page to train on.
#[derive(Clone)]
pub struct TrainingPage<'a> {
    /// The page with its gold.
    pub labelled: &'a LabelledPage,
    /// Where it came from: the corpus with its checksum.
    pub source: String,
    /// What its corpus states that references include.
    pub convention: Convention,
    /// What is known of its text.
    pub(super) reference: Reference<'a>,
}

/// What is known of the text of a page.
#[derive(Clone)]
pub(super) enum Reference<'a> {
    Labels(Cow<'a, GoldTokens>),
    Text {
        /// Where the gold stands on the page, and its headline wherever that stands.
        article: Found,
        /// The text nodes of the headline.
        headline: Vec<NodeId>,
    },
}

impl Reference<'_> {
    /// Whether the gold was found on the page: else text that was not found would pass for not content.
    pub(super) fn is_trusted(&self) -> bool {
        match self {
            Reference::Labels(_) => true,
            Reference::Text { article, .. } => article.is_trusted(),
        }
    }

    /// The tokens of a text node that are of these labels, and all, if that is known. A reference text tells the article
    /// from the rest and nothing else.
    pub(super) fn counts(&self, id: NodeId, labels: LabelSet) -> Option<(u32, u32)> {
        match self {
            Reference::Labels(gold) => {
                let counts = gold.counts(id);
                Some((labels.iter().map(|label| counts[label.index()]).sum(), counts.iter().sum()))
            }
            Reference::Text { article, .. } => (labels == LabelSet::ARTICLE).then(|| article.counts(id)),
        }
    }

    /// Whether most tokens of some text are of these labels, if that is known.
    pub(super) fn is_of(&self, texts: &[NodeId], labels: LabelSet) -> Option<bool> {
        let (inside, all) = texts.iter().try_fold((0, 0), |sum: (u32, u32), &id| {
            let (inside, all) = self.counts(id, labels)?;
            Some((sum.0 + inside, sum.1 + all))
        })?;
        (all > 0).then_some(2 * inside >= all)
    }
}

impl<'a> TrainingPage<'a> {
    /// A page of a corpus that states no convention. A reference text is looked for on the page.
    ///
    /// # Errors
    /// As [`find_text`].
    pub fn new(labelled: &'a LabelledPage, source: &str) -> Result<Self, PageProblem> {
        let reference = match &labelled.gold {
            PageGold::Tokens(gold) => Reference::Labels(Cow::Borrowed(gold)),
            PageGold::Text(gold) => {
                let (article, headline) = find_article(&labelled.page, gold)?;
                Reference::Text { article, headline }
            }
        };
        Ok(TrainingPage { labelled, source: source.to_owned(), convention: Convention::default(), reference })
    }

    /// The pages of a corpus, and those that could not be aligned with the reason.
    pub fn from_corpus(
        corpus: &'a LabelledCorpus,
        progress: &dyn Progress,
    ) -> (Vec<Self>, Vec<(String, String)>) {
        let all: Vec<usize> = (0..corpus.pages.len()).collect();
        Self::from_pages(corpus, &all, progress)
    }

    /// The same of some pages, by their indices.
    pub fn from_pages(
        corpus: &'a LabelledCorpus,
        pages: &[usize],
        progress: &dyn Progress,
    ) -> (Vec<Self>, Vec<(String, String)>) {
        progress.stage("aligning", pages.len());
        let source = corpus.source();
        let read = |&index: &usize| {
            let page = &corpus.pages[index];
            let made = TrainingPage::new(page, &source);
            progress.step();
            let made = made.map(|page| TrainingPage { convention: corpus.convention, ..page });
            made.map_err(|problem| (page.page.id().to_owned(), problem.to_string()))
        };
        let made: Vec<_> = pages.par_iter().map(read).collect();
        let (mut pages, mut left_out) = (Vec::new(), Vec::new());
        for page in made {
            match page {
                Ok(page) => pages.push(page),
                Err(reason) => left_out.push(reason),
            }
        }
        (pages, left_out)
    }

    /// The same with its labels read by [`Convention::ARTICLE`]: of supplemental text captions are in, whatever else, such as
    /// the author's name and the date, is not content.
    pub(super) fn read_as_article(mut self) -> Self {
        if let Reference::Labels(gold) = &mut self.reference {
            let dom = self.labelled.page.dom();
            let is_out = |id| !is_of_figure(dom, id);
            *gold = Cow::Owned(gold.relabelled(Label::Supplemental, Label::NotContent, is_out));
        }
        self
    }

    /// Whether the labels of its text are known.
    pub(super) fn is_labelled(&self) -> bool {
        matches!(self.reference, Reference::Labels(_))
    }

    /// The states of the page's nodes, if they are known. A reference text alone does not tell labels apart; with
    /// `text_as_labels` text in it is full text, and headings that show its title are the headline, in the gold or not.
    pub(super) fn states(
        &self,
        observation: &Observation,
        space: StateSpace,
        text_as_labels: bool,
    ) -> Option<TargetStates> {
        let tokens: Box<dyn Fn(NodeId) -> [u32; Label::COUNT]> = match &self.reference {
            Reference::Labels(gold) => Box::new(|id| gold.counts(id)),
            Reference::Text { article, headline } if text_as_labels && self.reference.is_trusted() => {
                Box::new(|id| {
                    let (inside, all) = article.counts(id);
                    let is_headline = headline.binary_search(&id).is_ok();
                    let label = if is_headline { Label::Headline } else { Label::FullText };
                    let mut counts = [0; Label::COUNT];
                    counts[label.index()] = inside;
                    counts[Label::NotContent.index()] = all - inside;
                    counts
                })
            }
            Reference::Text { .. } => return None,
        };
        Some(TargetStates::from_tokens(&observation.view, space, tokens))
    }

    /// The states that the page's gold permits.
    pub(super) fn permitted(
        &self,
        observation: &Observation,
        space: StateSpace,
        labels: &TextGoldLabels,
        text_as_labels: bool,
    ) -> Result<PermittedStates> {
        if let Some(states) = self.states(observation, space, text_as_labels) {
            return Ok(PermittedStates::from_states(&states));
        }
        match &self.reference {
            Reference::Text { article, .. } => permitted(&observation.view, space, labels, article),
            Reference::Labels(_) => unreachable!("the states of labelled pages are known"),
        }
    }
}

/// Gives back the memory of what no model of text blocks is trained on: style sheets, and scripts without linked data. They are a
/// third of what the pages of `web` take. Pages keep their nodes and attributes; their digests are others, and they cannot be laid
/// out any more.
pub fn strip_for_training(corpus: &mut LabelledCorpus) {
    let of_page = |page: &mut LabelledPage| page.page.retain_texts(|dom, text| !is_code(dom, text));
    corpus.pages.par_iter_mut().for_each(of_page);
}

/// Whether a text is a style sheet, or a script without linked data.
fn is_code(dom: &Dom, text: NodeId) -> bool {
    dom.parent(text).is_some_and(|around| match dom.tag(around) {
        Tag::STYLE => true,
        Tag::SCRIPT => !is_linked_data(dom, around),
        _ => false,
    })
}

/// Pages of which nothing is known.
#[derive(Debug)]
pub struct UnlabelledPages {
    /// The pages.
    pub pages: Vec<Page>,
    /// Where they came from, for the model's record.
    pub source: String,
}

impl UnlabelledPages {
    /// Pages under a source of their own: `unlabelled@` and a checksum over their parsed trees, in any order.
    pub fn new(pages: Vec<Page>) -> Self {
        let mut digests: Vec<String> = pages.par_iter().map(|page| page.dom().digest().to_string()).collect();
        digests.sort_unstable();
        let source = format!("unlabelled@{}", hex(&Sha256::digest(digests.join("\n"))));
        UnlabelledPages { pages, source }
    }
}

/// How far the reference texts of some pages were found on them.
#[derive(Debug, Default, PartialEq)]
pub struct TextGoldReport {
    /// Tokens of all golds that were found on their pages, and of all golds; zeros where no gold is text.
    pub tokens: (u64, u64),
    /// The pages below [`TRUSTED_SHARE`](crate::alignment::TRUSTED_SHARE) with their share, none for a gold
    /// without tokens.
    pub listed: Vec<(String, Option<f64>)>,
}

impl TextGoldReport {
    /// The report on these pages.
    pub fn new(pages: &[TrainingPage<'_>]) -> Self {
        let mut report = TextGoldReport::default();
        for page in pages {
            let Reference::Text { article, .. } = &page.reference else { continue };
            let (found, all) = article.text_tokens();
            report.tokens.0 += found;
            report.tokens.1 += all;
            if !article.is_trusted() {
                report.listed.push((page.labelled.page.id().to_owned(), article.share()));
            }
        }
        report
    }
}

/// Whether a text stands in a figure, or in a caption by its element or the class of one around it.
fn is_of_figure(dom: &Dom, text: NodeId) -> bool {
    let mut around = std::iter::successors(dom.parent(text), |&id| dom.parent(id));
    around.any(|id| {
        let class = dom.attribute(id, "class");
        matches!(dom.name(id), "figure" | "figcaption" | "caption")
            || class.is_some_and(|class| class.to_ascii_lowercase().contains("caption"))
    })
}

/// What a reference text permits on a page where it was found so far: anything where it was not.
///
/// # Errors
/// As [`PermittedStates::from_text_gold`].
fn permitted(
    view: &PageView,
    space: StateSpace,
    labels: &TextGoldLabels,
    found: &Found,
) -> Result<PermittedStates> {
    match found.is_trusted() {
        true => PermittedStates::from_text_gold(view, space, labels, |id| found.counts(id)),
        false => Ok(PermittedStates::all(&view.tree, space)),
    }
}

/// The states that the gold of a page permits, for a model that was trained on other pages: what a site is adapted with.
///
/// # Errors
/// [`Error::Page`] if a reference text cannot be aligned.
pub fn permitted_states(
    page: &LabelledPage,
    observation: &Observation,
    model: &Model,
) -> Result<PermittedStates> {
    let named = |problem| Error::page(page.page.id(), problem);
    let page = TrainingPage::new(page, "").map_err(named)?;
    page.permitted(observation, model.config().states, &TextGoldLabels::default(), false)
}

/// Where the article of a gold stands on a page: its text, and wherever that stands the headline, whose text nodes are
/// given besides. The title is the one that the gold states, and where that is none, or no heading shows it, the one that
/// the page states: else headings would be content by one corpus and not by another.
fn find_article(page: &Page, gold: &TextGold) -> Result<(Found, Vec<NodeId>), PageProblem> {
    let dom = page.dom();
    let found = find_text(dom, &gold.text)?;
    let mut headline = gold.title.as_deref().map(|title| find_headline(dom, title)).unwrap_or_default();
    if headline.is_empty()
        && let Some(title) = Metadata::read(page, "").title
    {
        headline = find_headline(dom, &title.value);
    }
    Ok((found.including(&headline), headline))
}

/// The keys that pages of so many hosts have; `keys` gives those of a page by its number.
pub(super) fn keys_of_hosts<K: Iterator<Item = u64>>(
    pages: &[TrainingPage<'_>],
    hosts: usize,
    keys: impl Fn(usize) -> K,
) -> HashSet<u64, Hashed> {
    let mut of_hosts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, page) in pages.iter().enumerate() {
        of_hosts.entry(&page.labelled.host).or_default().push(i);
    }
    let mut counts: HashMap<u64, usize, Hashed> = HashMap::default();
    for of_host in of_hosts.into_values() {
        let own: HashSet<u64, Hashed> = of_host.into_iter().flat_map(&keys).collect();
        own.into_iter().for_each(|key| *counts.entry(key).or_default() += 1);
    }
    counts.retain(|_, n| *n >= hosts);
    counts.into_keys().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::transfer::place_labels;
    use crate::dataset::{LabelledNode, LabelledNodes};

    #[test]
    fn read_as_an_article_labels_leave_out_supplemental_text_that_is_no_caption() {
        let html = "<i>By Ann, 3 May</i><p>An oak fell</p><figure><i>The old oak</i></figure>\
                    <div class=Photo-Caption><i>At noon</i></div><b>Menu</b>";
        let page = Page::parse("oak.html", None, html.as_bytes(), None, &Default::default()).unwrap();
        let nodes = [("//i", Label::Supplemental), ("//p", Label::FullText)]
            .map(|(xpath, label)| LabelledNode { line: 1, xpath: xpath.to_owned(), label, text: None });
        let labels = LabelledNodes { nodes: nodes.to_vec(), ..LabelledNodes::default() };
        let gold = place_labels(page.dom(), &labels).gold;
        let page = LabelledPage::from_tokens(page, gold);
        let of_texts = |page: &TrainingPage<'_>| -> Vec<(u32, u32)> {
            let texts = page.labelled.page.dom().shown_texts();
            texts.map(|id| page.reference.counts(id, LabelSet::ARTICLE).unwrap()).collect()
        };
        let page = TrainingPage::new(&page, "").unwrap();
        assert_eq!(of_texts(&page), [(4, 4), (3, 3), (3, 3), (2, 2), (0, 1)]);
        assert_eq!(of_texts(&page.read_as_article()), [(0, 4), (3, 3), (3, 3), (2, 2), (0, 1)]);
    }

    #[test]
    fn a_heading_with_the_pages_own_title_is_the_headline_where_the_gold_states_none() {
        let html = "<title>The oak fell | Wood News</title><h1>The oak fell</h1><p>Nobody was hurt.<h2>More news</h2>";
        let headline_of = |text: &str, title: Option<&str>| {
            let page = Page::parse("oak.html", None, html.as_bytes(), None, &Default::default());
            let mut page = LabelledPage::from_text(page.unwrap(), text.to_owned());
            let PageGold::Text(gold) = &mut page.gold else { unreachable!("the gold is text") };
            gold.title = title.map(str::to_owned);
            let page = TrainingPage::new(&page, "").unwrap();
            let Reference::Text { article, headline } = &page.reference else {
                unreachable!("the gold is text")
            };
            let dom = page.labelled.page.dom();
            let counts: Vec<(u32, u32)> = dom.shown_texts().map(|id| article.counts(id)).collect();
            (headline.iter().map(|&id| dom.text(id).to_owned()).collect::<Vec<_>>(), counts)
        };
        let expected = (vec!["The oak fell".to_owned()], vec![(3, 3), (3, 3), (0, 2)]);
        assert_eq!(headline_of("Nobody was hurt.", None), expected);
        assert_eq!(headline_of("The oak fell\nNobody was hurt.", None), expected);
        // A stated title that no heading shows.
        assert_eq!(headline_of("Nobody was hurt.", Some("An oak")), expected);
        // A stated title goes before the page's.
        let stated = headline_of("Nobody was hurt.", Some("More news"));
        assert_eq!(stated.0, ["More news"]);
    }
}
