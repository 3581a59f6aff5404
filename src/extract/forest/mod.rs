//! FOREST (Oita & Senellart 2012): a wrapper for the pages of a site, found by the terms that a page is about.
//!
//! M. Oita, P. Senellart: *FOREST: Focused Object Retrieval by Exploiting Significant Tag Paths*, 2012,
//! <https://hal.science/hal-00747816>; with its baselines coverage ([`Measure::Coverage`]), [`SigFeed`] and [`Description`].
//!
//! A page's *signifiers* are a few terms of its text, or of the feed item that leads to it. Text nodes that hold one
//! are significant, and so are all elements above them. Elements of one type (name and attributes) at one level form
//! a *structural pattern*; the pattern whose elements are most telling on most pages is the site's wrapper, an XPath,
//! and the content of each page is what it selects there.
//!
//! What the paper leaves open, and what is done here:
//! - *Terms* (section 3.1) are words in lower case, without the stop words of the page's language (Stopwords ISO),
//!   stemmed (Snowball); where there is no list or stemmer for a language, words stay as they are. x, y, X and Y
//!   count these terms. Text that is never shown (`<title>`, scripts) and that of `<noscript>` has none.
//! - *tf-idf* is the number of times on the page times ln(pages / pages with the term); on a single page the second
//!   factor is 1. A term that every page has is no signifier. Ties: the more frequent, then the first on the page.
//! - *Signifiers from a feed* are the k most frequent terms of title and description, ties in their order. A page
//!   without feed item (see [`super::feed`]) lends its own title and meta description.
//! - *Sample pages* are cut into groups of equal size (within one) of at most `pages` pages, in their order, and each
//!   group gets a wrapper of its own: so every page is a sample page, as in the paper, and the curve of its figure 5
//!   is that of `pages`. The default is 10, the usual number of items of a feed and where the curve is flat.
//! - *dfs index*: real pages have no such attribute, and an index over all nodes fits one page only. An element
//!   without attributes is known by its path of positions instead, and elements of one type and level by their
//!   position among each other.
//! - *Occurrences* p in equation 5 are significant terminal paths, as the text before it says and as figure 3 counts
//!   them (its numbers of one level add up to those of the level above), not documents, as the text after it says. So
//!   a block with many significant leaves outweighs a headline with one; counted by documents, J alone would choose
//!   headlines, which the paper does not report. The sum runs over documents, for which I is defined; on each the
//!   pattern's most telling element counts.
//! - *Logarithm* in equation 3: see [`unexpectedness`]. *Ties* of relevance: the deeper pattern, then the first met.
//! - *Coverage* (equation 6) sums each signifier once, with its tf-idf relative to the page's highest.
//! - *Pages without signifiers* (all pages of the group are equal, or no text) add nothing to the ranking; the wrapper is
//!   applied to them all the same. If no page of a group has any, nothing is kept.

mod description;
mod measures;
mod patterns;
mod sigfeed;
mod signifiers;
mod terms;
mod wrapper;

pub use description::Description;
pub use measures::{Counts, density, unexpectedness};
pub use patterns::Measure;
pub use sigfeed::SigFeed;
pub use signifiers::SignifierSource;

use super::registry::{ExtractorInfo, Parameter, Range, Values};
use super::{ExtractError, Extraction, Extractor, xpath};
use crate::dom::{Dom, XPathQuery};
use crate::error::PageProblem;
use crate::page::Page;
use patterns::{Ranking, best_pattern};
use signifiers::MAX_SIGNIFIERS;
use terms::{PageTerms, Vocabulary};

const REFERENCE: &str = "Oita & Senellart 2012, FOREST";

const K: Parameter = Parameter::new(
    "k",
    Range::Integer { min: 1, max: MAX_SIGNIFIERS as i64, default: 10 },
    "the number of signifiers of a page",
);
const SIGNIFIERS: Parameter = Parameter::new(
    "signifiers",
    Range::Choice { options: &["tf-idf", "feed"], default: "tf-idf" },
    "where they come from: terms rare on the site, or the feed item (else title and meta description)",
);
const PAGES: Parameter = Parameter::new(
    "pages",
    Range::Integer { min: 1, max: 100, default: 10 },
    "the most pages of a site that share a wrapper; larger sites are cut into groups of equal size",
);
const MEASURE: Parameter = Parameter::new(
    "measure",
    Range::Choice { options: &["J", "U", "JxU"], default: "JxU" },
    "what makes an element telling: density of signifiers, unexpectedness, or their product",
);
const TOLERANT: Parameter = Parameter::new(
    "tolerant",
    Range::Flag { default: true },
    "compare attributes by the first token of their value without digits",
);
const LEVEL: Parameter =
    Parameter::new("level", Range::Flag { default: true }, "favor elements deep in the tree");

pub(super) const ENTRIES: &[ExtractorInfo] = &[
    ExtractorInfo {
        id: "forest",
        summary: "finds the XPath of a site's articles by the terms its pages are about",
        reference: REFERENCE,
        needs: &[],
        parameters: &[SIGNIFIERS, K, MEASURE, PAGES, TOLERANT, LEVEL],
        reads_source: false,
        build: |values| {
            let measure = match values.text(MEASURE.name) {
                "J" => Measure::J,
                "U" => Measure::U,
                _ => Measure::JxU,
            };
            let (tolerant, level) = (values.flag(TOLERANT.name), values.flag(LEVEL.name));
            Ok(Box::new(Forest::new(ForestConfig { measure, tolerant, level, ..config(values) })))
        },
    },
    ExtractorInfo {
        id: "coverage",
        summary: "finds the deepest element type of a site that holds most of a page's telling terms",
        reference: "baseline of Oita & Senellart 2012, section 3.5; a variant of SLCA (Sun, Chan & Goenka 2007)",
        needs: &[],
        parameters: &[SIGNIFIERS, K, PAGES],
        reads_source: false,
        build: |values| {
            Ok(Box::new(Forest::new(ForestConfig { measure: Measure::Coverage, ..config(values) })))
        },
    },
    ExtractorInfo {
        id: "sigfeed",
        summary: "keeps the div with most terms of the feed item, else of title and meta description",
        reference: "Oita & Senellart 2010, Archiving Data Objects using Web Feeds, as Oita & Senellart 2012 describe it",
        needs: &[],
        parameters: &[K],
        reads_source: false,
        build: |values| Ok(Box::new(SigFeed::new(values.small(K.name)))),
    },
    ExtractorInfo {
        id: "description",
        summary: "gives title and description of the feed item, else of the page, as its text",
        reference: "baseline of Oita & Senellart 2012, section 4",
        needs: &[description::NEED],
        parameters: &[],
        reads_source: false,
        build: |_| Ok(Box::new(Description)),
    },
];

/// The parameters that forest and coverage share.
fn config(values: &Values<'_>) -> ForestConfig {
    ForestConfig {
        signifiers: match values.text(SIGNIFIERS.name) {
            "feed" => SignifierSource::Feed,
            _ => SignifierSource::TfIdf,
        },
        k: values.small(K.name),
        pages: values.small(PAGES.name),
        ..ForestConfig::default()
    }
}

/// How a wrapper is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForestConfig {
    /// Where signifiers come from. Default tf-idf.
    pub signifiers: SignifierSource,
    /// The number of signifiers of a page, from 1 to 100; less and more are cut to that. Default 10.
    pub k: u32,
    /// What makes an element telling; [`Measure::Coverage`] makes it the baseline coverage. Default J x U.
    pub measure: Measure,
    /// The most pages that share a wrapper, at least 1. Default 10.
    pub pages: u32,
    /// Whether attributes count by the first token of their value without digits (definition 2). Default true.
    pub tolerant: bool,
    /// Whether the level is a factor of the relevance (equation 5). Default true.
    pub level: bool,
}

impl Default for ForestConfig {
    fn default() -> Self {
        ForestConfig {
            signifiers: SignifierSource::TfIdf,
            k: 10,
            measure: Measure::JxU,
            pages: 10,
            tolerant: true,
            level: true,
        }
    }
}

/// Finds the wrapper of a site's pages and keeps what it selects on each.
///
/// # Examples
/// ```
/// use duramen::extract::{Extractor, forest::{Forest, ForestConfig}};
/// use duramen::page::Page;
/// let page = |text: &str| {
///     let html = format!("<html lang=en><body><div class=menu>Trees, shrubs, flowers, herbs, mosses, ferns</div>\
///                         <div class=story-1><h1>{text}</h1><p>{text}, {text}.</div>");
///     Page::parse("page", None, html.as_bytes(), None, &Default::default())
/// };
/// let site = [page("An oak fell")?, page("Beech nuts ripen")?];
/// let found = Forest::new(ForestConfig::default()).extract_site(&[&site[0], &site[1]]);
/// let wrapper = found[0].as_ref().unwrap().wrapper.as_deref().unwrap();
/// assert!(wrapper.contains("= 'story-' and count(ancestor::*) = 2"), "{wrapper}");
/// # Ok::<(), duramen::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Forest {
    config: ForestConfig,
}

impl Forest {
    /// With these settings.
    pub fn new(config: ForestConfig) -> Self {
        let (k, pages) = (config.k.clamp(1, MAX_SIGNIFIERS), config.pages.max(1));
        Forest { config: ForestConfig { k, pages, ..config } }
    }

    /// The wrapper of pages that share one; none if no page has a signifier.
    fn wrapper(&self, pages: &[&Page]) -> Result<Option<XPathQuery>, PageProblem> {
        let ForestConfig { signifiers, k, measure, tolerant, level, .. } = self.config;
        let mut vocabulary = Vocabulary::default();
        let terms: Vec<PageTerms> = pages.iter().map(|page| PageTerms::new(page, &mut vocabulary)).collect();
        let signifiers = signifiers::find_signifiers(signifiers, k as usize, &terms, &vocabulary);
        let doms: Vec<&Dom> = pages.iter().map(|page| page.dom()).collect();
        let site: Vec<_> = doms.iter().zip(&terms).zip(&signifiers).map(|((&d, t), s)| (d, t, s)).collect();
        best_pattern(&site, Ranking { measure, tolerant, level })
            .map(|pattern| wrapper::wrapper(&doms, &pattern, tolerant))
            .transpose()
            .map_err(|error| PageProblem::Failed(error.to_string()))
    }
}

impl Extractor for Forest {
    fn id(&self) -> &str {
        if self.config.measure == Measure::Coverage { "coverage" } else { "forest" }
    }

    fn reads_feed(&self) -> bool {
        self.config.signifiers == SignifierSource::Feed
    }

    fn extract_site(&self, pages: &[&Page]) -> Vec<Result<Extraction, ExtractError>> {
        let mut results = Vec::with_capacity(pages.len());
        for group in groups(pages, self.config.pages as usize) {
            let wrapper = self.wrapper(group);
            results.extend(group.iter().map(|page| match &wrapper {
                Ok(Some(wrapper)) => xpath::extract(wrapper, page),
                Ok(None) => Ok(Extraction::from_full_text(page.dom(), std::iter::empty())),
                Err(problem) => Err(problem.clone().into()),
            }));
        }
        results
    }
}

/// The pages in as few runs of at most `most` as there can be, the first ones longer by at most one.
fn groups<'a, 'b>(mut pages: &'a [&'b Page], most: usize) -> Vec<&'a [&'b Page]> {
    let mut groups = Vec::new();
    for left in (1..=pages.len().div_ceil(most)).rev() {
        let (group, rest) = pages.split_at(pages.len().div_ceil(left));
        groups.push(group);
        pages = rest;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::registry::{self, Parameters};
    use crate::label::Label;
    use crate::page::FeedItem;

    /// A small site: menu, article in a block whose name varies, footer.
    fn site(articles: &[&str]) -> Vec<Page> {
        let page = |(number, article): (usize, &&str)| {
            let html = format!(
                "<html lang=en><head><title>Wood News</title></head><body><div id=top><ul><li>Home<li>Trees<li>About us</ul>\
                 </div><div id=main><div class='story story-{number}'>{article}</div>\
                 <div class=related>More of trees<ul><li>Home</ul></div></div><div id=foot>Terms of Wood News</div>"
            );
            Page::parse(format!("{number}.html"), None, html.as_bytes(), None, &Default::default()).unwrap()
        };
        articles.iter().enumerate().map(page).collect()
    }

    fn refs(pages: &[Page]) -> Vec<&Page> {
        pages.iter().collect()
    }

    const MENU: &str =
        "Larch, elm, maple, willow, poplar, hazel, alder, birch, yew, rowan, lime, aspen, juniper";

    const ARTICLES: [&str; 4] = [
        "<h1>The oak fell</h1><p>An oak fell in the storm; the oak was old.<p>The mayor mourned the oak and its acorns.",
        "<h1>Beech nuts</h1><p>Beech nuts are ripe, and beech groves are full of jays.<p>Jays eat beech nuts.",
        "<h1>Fir cones</h1><p>Cones of the fir open in dry winds.<p>A squirrel opens cones of fir by itself.",
        "<h1>Ash dieback</h1><p>A fungus kills the ash; dieback of ash began in 1992.<p>Some ash resist the fungus.",
    ];

    fn build(id: &str, parameters: &str) -> Box<dyn Extractor> {
        registry::build(id, &parameters.parse::<Parameters>().unwrap()).unwrap()
    }

    fn kept(page: &Page, result: &Result<Extraction, ExtractError>) -> String {
        let labels = &result.as_ref().unwrap().labels;
        let texts = page.dom().shown_texts().filter(|&id| labels[id] == Label::FullText);
        texts.map(|id| page.dom().text(id)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_articles_of_a_site_are_found_and_the_wrapper_finds_them_again() {
        let pages = site(&ARTICLES);
        for (id, parameters) in [("forest", ""), ("forest", "measure = \"U\""), ("coverage", "")] {
            let results = build(id, parameters).extract_site(&refs(&pages));
            let wrapper = results[0].as_ref().unwrap().wrapper.clone().unwrap();
            assert_eq!(
                wrapper,
                "//div[starts-with(concat(@class, ' '), 'story ') and count(ancestor::*) = 3]"
            );
            for ((page, result), article) in pages.iter().zip(&results).zip(ARTICLES) {
                let text = kept(page, result);
                assert!(text.starts_with(&article[4..10]) && !text.contains("Home"), "{id}: {text}");
                assert_eq!(text.matches('.').count(), 2, "{text}");
            }
            let unseen = site(&["<p>Of yews nothing is known."]).remove(0);
            let again = build("xpath", &format!("expression = {}", toml::Value::String(wrapper)));
            assert_eq!(kept(&unseen, &again.extract_site(&[&unseen])[0]), "Of yews nothing is known.");
        }
    }

    #[test]
    fn signifiers_may_come_from_the_feed() {
        let items = ["The oak fell in a storm", "Beech nuts are ripe", "Fir cones", "Ash dieback"];
        let item = |title: &str| FeedItem { title: title.to_owned(), description: String::new() };
        let pages: Vec<Page> = site(&ARTICLES)
            .into_iter()
            .zip(items)
            .map(|(page, title)| page.with_feed_item(item(title)))
            .collect();
        for page in 0..2 {
            // A single page is enough.
            let results = build("forest", "signifiers = \"feed\"\npages = 1").extract_site(&refs(&pages));
            assert!(kept(&pages[page], &results[page]).starts_with(&ARTICLES[page][4..10]));
        }
    }

    #[test]
    fn a_site_is_cut_into_groups_of_equal_size() {
        let sizes = |n: usize, most| {
            let pages = site(&vec!["x"; n]);
            groups(&refs(&pages), most).iter().map(|group| group.len()).collect::<Vec<_>>()
        };
        assert_eq!(sizes(11, 10), [6, 5]);
        assert_eq!(sizes(30, 10), [10, 10, 10]);
        assert_eq!(sizes(5, 2), [2, 2, 1]);
        assert_eq!(sizes(3, 100), [3]);
        assert!(sizes(0, 10).is_empty());
    }

    #[test]
    fn elements_without_attributes_are_found_by_their_path() {
        let page = |article: &str| {
            let html = format!("<html lang=en><body><div>{MENU}</div><div>{article}</div>");
            Page::parse("p", None, html.as_bytes(), None, &Default::default()).unwrap()
        };
        let pages = ARTICLES.map(page);
        let results = build("forest", "").extract_site(&refs(&pages));
        assert_eq!(results[3].as_ref().unwrap().wrapper.as_deref(), Some("/html[1]/body[1]/div[2]"));
    }

    #[test]
    fn of_equal_elements_the_wrapper_states_the_place() {
        let page = |article: &str| {
            let html =
                format!("<html lang=en><body><div class=box>{MENU}</div><div class=box>{article}</div>");
            Page::parse("p", None, html.as_bytes(), None, &Default::default()).unwrap()
        };
        let pages = ARTICLES.map(page);
        let results = build("forest", "").extract_site(&refs(&pages));
        let wrapper = results[0].as_ref().unwrap().wrapper.as_deref().unwrap();
        assert!(wrapper.starts_with("(//div[") && wrapper.ends_with(")[position() = 2]"), "{wrapper}");
        assert!(kept(&pages[0], &results[0]).starts_with("The oak"));
    }

    #[test]
    fn names_and_values_of_every_kind_make_a_wrapper_that_can_be_read() {
        for tag in [
            "o:p class=\"it's\" id=7",
            "x-y data-é='\"' title=\"a'&quot;b\"",
            "article CLASS='\u{a0}a\n' x\"y=1",
        ] {
            let name = tag.split(' ').next().unwrap();
            let page = |article: &str| {
                let html = format!("<html lang=en><body><p>Home Trees</p><{tag}>{article}</{name}>");
                Page::parse("p", None, html.as_bytes(), None, &Default::default()).unwrap()
            };
            let pages = ARTICLES.map(page);
            for tolerant in [true, false] {
                let results = build("forest", &format!("tolerant = {tolerant}")).extract_site(&refs(&pages));
                assert!(kept(&pages[1], &results[1]).contains("Jays eat"), "{tag}: {:?}", results[1]);
            }
        }
    }

    #[test]
    fn without_signifiers_nothing_is_kept_and_no_wrapper_made_up() {
        for articles in [&["Equal", "Equal"][..], &[]] {
            let pages = site(articles);
            for result in build("forest", "").extract_site(&refs(&pages)) {
                let extraction = result.unwrap();
                assert_eq!(extraction.wrapper, None);
                assert!(extraction.labels.values().iter().all(|&label| label == Label::NotContent));
            }
        }
    }
}
