//! The SD algorithm of Pappas, Katsimpras & Stamatatos (2012): regions by density, and the type of the page.
//!
//! N. Pappas, G. Katsimpras, E. Stamatatos, "Extracting Informative Textual Parts from Web Pages Containing
//! User-Generated Content", i-KNOW 2012. A page's nodes are merged into regions (sections 3.1 and 3.3, steps 1 to 4),
//! the regions nearly as dense as the densest are candidates (steps 5 and 6), and from them follow the article, its
//! comments, and whether the page is an [article, an article with comments, or of multiple areas](SdPageType) (step 7).
//! Linear in the page.
//!
//! # What the paper leaves open
//!
//! The authors' program of a later day (github.com/nik0spapp/sdalg) differs from the paper in many rules; it is
//! followed only where the paper is silent.
//!
//! - **Densities count a node's own text**, not that of nodes inside it. Otherwise `<body>` were always the densest
//!   region and the nearest to the root, so the article of every page.
//! - **Inline elements** (what is no block by a browser's default style) are part of the node around them, as the
//!   authors' program dissolves `a`, `b`, `i`, `em`, `strong` and the like: a link is no noise within its sentence.
//! - **Characters** are Unicode scalar values, with runs of white space as one and none at a node's ends.
//! - **Strong tags**: to table, tr, div, ul (printed "ui") and tbody, "etc." adds what organizes likewise: html, body,
//!   thead, tfoot, ol, dl, menu, dir, form, fieldset and HTML5's sections. All others are **weak**, td and li too: the
//!   paper names td, and an item is to its list what a cell is to its row.
//! - **Invisible** is what an inline style or the attribute `hidden` hides, with all inside. Embedded rules are not
//!   read: without the external style sheets they would be half of a cascade.
//! - **The ancestor title** of a region is the last heading with text before the region's own text, or the heading
//!   in which this text stands. Its level is that of the nearest element that holds both: the heading itself may stand
//!   in a box of its own.
//! - **The article** is the one candidate that is at once nearest to the root and nearest to its title. Where these
//!   are two different candidates, or none has a title, none is found: else "article region found" would say no more
//!   than that there is a candidate, and T1 = 100 could not favor multiple areas as figure 4 shows. Nor is one found
//!   where several are both: they are peers, and the posts of a discussion, which are, could not be multiple areas at
//!   T1 = 40 to 60, where figure 4 has all types alike. A single candidate is the article with or without title
//!   (figure 1).
//! - **Comments** are looked for among all other regions, not among candidates alone: with T1 = 0 there is a single
//!   candidate, and figure 4 has articles with comments found best there. Keywords are looked for in the text of a
//!   region and in class and id of its element and of the weak elements inside; any case, within words too.
//! - **A common parent** with the article is the same parent or a common ancestor below `<body>`, which every two
//!   regions share.
//! - **Regions grouped by class** (step 6) are one group if their class attributes are equal and not empty. A group
//!   in which one region is a comment is comments: that is the only use a group can have in step 7.
//! - **"All candidates in same level"** asks for two candidates at least, or a single one would always be.
//! - **A page without regions** is of multiple areas, none of them, as the discussion of figure 5 says.
//! - **Areas** are the candidates.

mod decide;
mod learn;
mod regions;
mod tree;

use serde::{Deserialize, Serialize};

pub use learn::{MAX_T1, Outcome, Sweep, learn};
pub use regions::{distance_from_max, title_difference};
pub use tree::{AncestorTitle, SdTree, characters};

use super::registry::{ExtractorInfo, Parameter, Range, Values};
use super::{ExtractError, Extraction, PageExtractor};
use crate::error::PageProblem;
use crate::index::{NodeId, NodeMap};
use crate::label::Label;
use crate::page::Page;
use decide::decide;
use regions::Candidate;

/// The extractor's name on the command line and in experiments.
pub const ID: &str = "sd";

/// T1 where none is learned: the middle of the range 40 to 60 in which the three types do equally well (figure 4).
const DEFAULT_T1: f64 = 50.0;
/// The paper's T2 (section 5.2).
const DEFAULT_T2: u64 = 20;

pub(super) const ENTRIES: &[ExtractorInfo] = &[ExtractorInfo {
    id: ID,
    summary: "regions by text density, with the type of the page: article, with comments, or multiple areas",
    reference: "Pappas, Katsimpras & Stamatatos 2012, the SD algorithm",
    needs: &[],
    parameters: &[
        Parameter::new(
            "t1",
            Range::Number { min: 0.0, max: 100.0, default: DEFAULT_T1 },
            "how far below the densest region a candidate may be, in percent of its density",
        ),
        Parameter::new(
            "t2",
            Range::Integer { min: 0, max: 1_000_000, default: DEFAULT_T2 as i64 },
            "the number of characters that a node must exceed not to be noise",
        ),
    ],
    reads_source: false,
    build: |values: &Values<'_>| {
        let t1 = values.get("t1").as_float().unwrap_or(DEFAULT_T1);
        Ok(Box::new(Sd::new(Thresholds { t1, t2: values.small("t2").into() })))
    },
}];

/// The two thresholds of the algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Thresholds {
    /// The greatest distance from the densest region (equation 1) of a candidate: percent, 0 to 100. Default 50.
    pub t1: f64,
    /// The density that a node must exceed: characters, 0 and up. Default 20.
    pub t2: u64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds { t1: DEFAULT_T1, t2: DEFAULT_T2 }
    }
}

/// The type of a page (section 4.1.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SdPageType {
    /// One article, without comments.
    Article,
    /// An article and comments on it.
    ArticleWithComments,
    /// Several similar regions: a discussion, a list of articles.
    Multiple,
}

impl SdPageType {
    /// All types, in the paper's order.
    pub const ALL: [SdPageType; 3] =
        [SdPageType::Article, SdPageType::ArticleWithComments, SdPageType::Multiple];

    /// The type's name in tables, as the paper has it.
    pub fn name(self) -> &'static str {
        match self {
            SdPageType::Article => "Articles",
            SdPageType::ArticleWithComments => "Articles with Comments",
            SdPageType::Multiple => "Multiple areas",
        }
    }
}

/// What a region of the result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The article.
    Article,
    /// A comment, or several in one region.
    Comment,
    /// One of multiple areas.
    Area,
}

/// A region of the result with its features (section 3.1).
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// The strong element that its nodes merged into.
    pub node: NodeId,
    /// What it is.
    pub role: Role,
    /// Characters of its nodes.
    pub density: u64,
    /// How much smaller it is than the densest region of the page, in percent (equation 1).
    pub distance_from_max: f64,
    /// Its level: the number of elements above it, 0 for `<html>`.
    pub distance_from_root: u32,
    /// Its ancestor title, if there is one.
    pub title: Option<AncestorTitle>,
    /// How many levels the title is away (equation 2).
    pub title_difference: Option<u32>,
    /// The number of child elements of its element.
    pub cardinality: u32,
    /// The class attribute of its element; empty without one.
    pub class: String,
    /// The text nodes of its valid nodes, in document order.
    pub texts: Vec<NodeId>,
}

/// What the algorithm found on a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Segmentation {
    /// The type of the page.
    pub page_type: SdPageType,
    /// The article and its comments, or the areas; the article first, else in document order.
    pub regions: Vec<Region>,
}

/// The SD algorithm with its thresholds.
///
/// # Examples
/// ```
/// use duramen::extract::sd::{SdPageType, Sd, Thresholds};
/// let html = b"<div><h1>The oak</h1><p>A tree that stands for some centuries.</p></div><div>Short, but not noise.</div>";
/// let page = duramen::page::Page::parse("p", None, html, None, &Default::default())?;
/// let segmentation = Sd::new(Thresholds { t1: 10.0, t2: 20 }).segment(&page);
/// assert_eq!(segmentation.page_type, SdPageType::Article);
/// assert_eq!(segmentation.regions[0].density, 38);
/// # Ok::<(), duramen::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Sd {
    thresholds: Thresholds,
}

impl Sd {
    /// The algorithm at these thresholds.
    pub fn new(thresholds: Thresholds) -> Self {
        Sd { thresholds }
    }

    /// The type and regions of a page.
    pub fn segment(&self, page: &Page) -> Segmentation {
        let tree = SdTree::new(page);
        let regions = tree.regions(self.thresholds.t2);
        let decision = decide(&tree, &regions, self.thresholds.t1);
        let mut texts: Vec<Vec<NodeId>> = vec![Vec::new(); tree.roots.len()];
        for node in tree.nodes.iter().filter(|node| node.density > self.thresholds.t2) {
            texts[node.root as usize].extend(&node.texts);
        }
        let mut region = |role: Role, region: &Candidate| {
            let root = &tree.roots[region.root as usize];
            let mut texts = std::mem::take(&mut texts[region.root as usize]);
            texts.sort_unstable();
            Region {
                node: root.element,
                role,
                density: region.density,
                distance_from_max: region.distance_from_max,
                distance_from_root: root.level,
                title: region.title,
                title_difference: tree.title_difference(region),
                cardinality: root.cardinality,
                class: root.class.clone(),
                texts,
            }
        };
        let roles = [
            (Role::Article, decision.article.as_slice()),
            (Role::Comment, &decision.comments),
            (Role::Area, &decision.areas),
        ];
        let chosen = roles.into_iter().flat_map(|(role, of)| of.iter().map(move |&i| (role, i)));
        let regions = chosen.map(|(role, i)| region(role, &regions[i])).collect();
        Segmentation { page_type: decision.page_type, regions }
    }
}

impl PageExtractor for Sd {
    fn id(&self) -> &str {
        ID
    }

    /// Article and areas are full text, comments comments; the title of the article is its headline.
    fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError> {
        let dom = page.dom();
        if dom.shown_texts().next().is_none() {
            return Err(PageProblem::Empty.into());
        }
        let mut labels = NodeMap::filled(dom.len(), Label::NotContent);
        for region in self.segment(page).regions {
            let label = match region.role {
                Role::Article | Role::Area => Label::FullText,
                Role::Comment => Label::Comments,
            };
            region.texts.iter().for_each(|&text| labels[text] = label);
            if let (Role::Article, Some(title)) = (region.role, region.title) {
                let texts = dom.subtree(title.heading).filter(|&id| dom.is_visible_text(id));
                texts.for_each(|id| labels[id] = Label::Headline);
            }
        }
        Ok(Extraction::from_text_labels(dom, labels))
    }
}

#[cfg(test)]
mod tests;
