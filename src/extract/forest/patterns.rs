//! Structural patterns: elements of significant paths, told apart by type and level over the pages of a site
//! (section 3.2), ranked by equation 5 or 7.

use std::collections::HashMap;

use super::measures::{Counts, density, unexpectedness};
use super::signifiers::Signifiers;
use super::terms::PageTerms;
use crate::dom::xpath::XPaths;
use crate::dom::{Dom, NodeKind};
use crate::index::{NodeId, NodeMap};
use crate::page_work::check_time;

/// What makes an element telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Jeffreys' density of signifiers.
    J,
    /// Unexpectedness.
    U,
    /// The informativeness, their product (equation 4).
    JxU,
    /// The share of the page's signifiers, weighted, that stand in the element (equation 6).
    Coverage,
}

/// How patterns are told apart and ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ranking {
    pub measure: Measure,
    /// Whether attributes count in their tolerant form.
    pub tolerant: bool,
    /// Whether the level is a factor of the relevance.
    pub level: bool,
}

/// The pattern of highest relevance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// How many elements stand above its elements: 0 for `<html>`.
    pub level: u32,
    /// Its most telling element on each page that has it: the page's number and the node.
    pub elements: Vec<(usize, NodeId)>,
}

/// The signifiers of each element of a page.
pub(super) struct Significance {
    /// Signifiers and other terms before each node, in document order: those of a subtree are a difference.
    before: Vec<Counts>,
    /// Likewise the significant leaves.
    leaves_before: Vec<u32>,
    /// The signifiers of each node's text as bits, by their places.
    sets: NodeMap<u128>,
}

impl Significance {
    pub fn new(dom: &Dom, terms: &PageTerms, signifiers: &Signifiers) -> Self {
        let places = signifiers.places();
        let mut own = NodeMap::filled(dom.len(), Counts::default());
        let mut sets = NodeMap::filled(dom.len(), 0_u128);
        for (leaf, terms) in terms.leaves() {
            for term in terms {
                match places.get(term) {
                    Some(place) => {
                        own[leaf].signifiers += 1;
                        sets[leaf] |= 1 << place;
                    }
                    None => own[leaf].others += 1,
                }
            }
        }
        for id in dom.ids().rev() {
            if let Some(parent) = dom.parent(id) {
                sets[parent] |= sets[id];
            }
        }
        let (mut before, mut leaves_before) = (vec![Counts::default()], vec![0]);
        let (mut sum, mut leaves) = (Counts::default(), 0);
        for own in own.values() {
            sum.signifiers += own.signifiers;
            sum.others += own.others;
            leaves += u32::from(own.signifiers > 0);
            before.push(sum);
            leaves_before.push(leaves);
        }
        Significance { before, leaves_before, sets }
    }

    /// The significant leaves of a node's subtree: so many significant terminal paths lead through it.
    pub fn paths(&self, dom: &Dom, id: NodeId) -> u32 {
        self.leaves_before[dom.subtree_end(id).index()] - self.leaves_before[id.index()]
    }

    /// The terms of a node's subtree.
    pub fn counts(&self, dom: &Dom, id: NodeId) -> Counts {
        let (first, last) = (self.before[id.index()], self.before[dom.subtree_end(id).index()]);
        Counts { signifiers: last.signifiers - first.signifiers, others: last.others - first.others }
    }

    /// The elements of significant paths: those whose text holds a signifier, in document order.
    pub fn elements<'a>(&'a self, dom: &'a Dom) -> impl Iterator<Item = NodeId> + 'a {
        dom.ids().filter(|&id| dom.kind(id) == NodeKind::Element && self.sets[id] != 0)
    }

    fn score(&self, measure: Measure, dom: &Dom, id: NodeId, signifiers: &Signifiers) -> f64 {
        let counts = || self.counts(dom, id);
        let page = || self.counts(dom, NodeId::ROOT);
        match measure {
            Measure::J => density(counts()),
            Measure::U => unexpectedness(counts(), page()),
            Measure::JxU => density(counts()) * unexpectedness(counts(), page()),
            Measure::Coverage => signifiers.weight(self.sets[id]) / signifiers.len() as f64,
        }
    }
}

/// The most relevant pattern of a site's pages; none if no page has a signifier.
///
/// The relevance is that of equations 5 and 7: the sum over pages of the measure of the pattern's most telling element
/// (the first of equals), times the number p of significant terminal paths that lead through the pattern's elements,
/// times the level. Of patterns with equal relevance the deeper wins, then the one that was met first.
pub(super) fn best_pattern(pages: &[(&Dom, &PageTerms, &Signifiers)], ranking: Ranking) -> Option<Pattern> {
    let mut numbers: HashMap<(u32, ElementType), usize> = HashMap::new();
    let mut candidates: Vec<Candidate> = Vec::new();
    for (page, &(dom, terms, signifiers)) in pages.iter().enumerate() {
        let significance = Significance::new(dom, terms, signifiers);
        let levels = levels(dom);
        let digests = path_digests(dom);
        for id in significance.elements(dom) {
            check_time();
            let level = levels[id];
            let element_type = ElementType::from_element(dom, id, &digests, ranking.tolerant);
            let number = *numbers.entry((level, element_type)).or_insert_with(|| {
                candidates.push(Candidate { level, paths: 0, best: Vec::new() });
                candidates.len() - 1
            });
            candidates[number].paths += significance.paths(dom, id);
            let measure = significance.score(ranking.measure, dom, id, signifiers);
            candidates[number].add(Best { page, element: id, measure });
        }
    }
    let order = |a: &Candidate, b: &Candidate| {
        a.relevance(ranking.level).total_cmp(&b.relevance(ranking.level)).then(a.level.cmp(&b.level))
    };
    // Of equals max_by gives the last.
    candidates.into_iter().rev().max_by(order).map(|candidate| Pattern {
        level: candidate.level,
        elements: candidate.best.iter().map(|best| (best.page, best.element)).collect(),
    })
}

/// A pattern with what its relevance is made of.
struct Candidate {
    level: u32,
    /// The number of significant terminal paths through its elements.
    paths: u32,
    /// Its most telling element on each page, in the order of the pages.
    best: Vec<Best>,
}

struct Best {
    page: usize,
    element: NodeId,
    measure: f64,
}

impl Candidate {
    fn add(&mut self, found: Best) {
        match self.best.last_mut().filter(|known| known.page == found.page) {
            None => self.best.push(found),
            Some(known) if known.measure < found.measure => *known = found,
            Some(_) => {}
        }
    }

    fn relevance(&self, with_level: bool) -> f64 {
        let level = if with_level { f64::from(self.level) } else { 1.0 };
        self.best.iter().map(|best| best.measure).sum::<f64>() * f64::from(self.paths) * level
    }
}

/// What tells elements apart (definition 2).
#[derive(Debug, PartialEq, Eq, Hash)]
enum ElementType {
    /// The name and the attributes, sorted by name.
    Attributes(String, Vec<(String, String)>),
    /// A digest of the path of an element without attributes.
    Path(u64),
}

impl ElementType {
    fn from_element(dom: &Dom, id: NodeId, paths: &NodeMap<u64>, tolerant: bool) -> Self {
        let value = |value| if tolerant { tolerant_form(value) } else { str::to_owned(value) };
        let mut attributes: Vec<(String, String)> =
            dom.attributes(id).map(|(name, known)| (name.to_owned(), value(known))).collect();
        if attributes.is_empty() {
            return ElementType::Path(paths[id]);
        }
        attributes.sort_unstable();
        ElementType::Attributes(dom.name(id).to_owned(), attributes)
    }
}

/// The first token of an attribute's value, without digits.
pub(super) fn tolerant_form(value: &str) -> String {
    let token = value.split_ascii_whitespace().next().unwrap_or_default();
    token.chars().filter(|c| !c.is_ascii_digit()).collect()
}

fn levels(dom: &Dom) -> NodeMap<u32> {
    let mut levels = NodeMap::filled(dom.len(), 0);
    for id in dom.ids() {
        if let Some(parent) = dom.parent(id).filter(|&parent| dom.kind(parent) == NodeKind::Element) {
            levels[id] = levels[parent] + 1;
        }
    }
    levels
}

/// For each node a digest of its path ([`Dom::xpath`]): deep trees have paths as long as themselves.
fn path_digests(dom: &Dom) -> NodeMap<u64> {
    let paths = XPaths::new(dom);
    let mut digests = NodeMap::filled(dom.len(), FNV_OFFSET);
    for id in dom.ids() {
        let mut digest = dom.parent(id).map_or(FNV_OFFSET, |parent| digests[parent]);
        for byte in dom.name(id).bytes().chain([0]).chain(paths.position(id).to_le_bytes()) {
            digest = (digest ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
        }
        digests[id] = digest;
    }
    digests
}

/// The constants of the hash FNV-1a with 64 bits.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x100_0000_01b3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::forest::signifiers::{SignifierSource, find_signifiers};
    use crate::extract::forest::terms::Vocabulary;
    use crate::page::Page;

    const RANKING: Ranking = Ranking { measure: Measure::JxU, tolerant: true, level: true };

    /// The best pattern of pages with these bodies: its level, and each element as page, name and id.
    fn best(ranking: Ranking, bodies: &[&str]) -> Option<(u32, String)> {
        let page = |body: &&str| {
            let html = format!("<html lang=qq><body>{body}");
            Page::parse("p", None, html.as_bytes(), None, &Default::default()).unwrap()
        };
        let pages: Vec<Page> = bodies.iter().map(page).collect();
        let mut vocabulary = Vocabulary::default();
        let terms: Vec<PageTerms> = pages.iter().map(|page| PageTerms::new(page, &mut vocabulary)).collect();
        let signifiers = find_signifiers(SignifierSource::TfIdf, 10, &terms, &vocabulary);
        let site: Vec<_> =
            pages.iter().zip(&terms).zip(&signifiers).map(|((page, t), s)| (page.dom(), t, s)).collect();
        let found = best_pattern(&site, ranking)?;
        let name = |&(page, id): &(usize, NodeId)| {
            let dom = pages[page].dom();
            format!("{page}:{}#{}", dom.name(id), dom.attribute(id, "id").unwrap_or_default())
        };
        Some((found.level, found.elements.iter().map(name).collect::<Vec<_>>().join(" ")))
    }

    /// A page with a menu of what all pages have and an article of its own words.
    fn article(id: &str, class: &str, words: [&str; 3]) -> String {
        let [a, b, c] = words;
        format!(
            "<div class=menu>home news home news about</div>\
             <div class='{class}' id={id}><h1>{a}</h1><p>{a} news {b} {b}<p>home {b} {a} {c}</div>"
        )
    }

    #[test]
    fn the_block_of_the_words_of_each_page_wins() {
        let pages =
            [article("", "story", ["oak", "bark", "leaf"]), article("", "story", ["ash", "root", "bud"])];
        let found = best(RANKING, &[&pages[0], &pages[1]]);
        assert_eq!(found, Some((2, "0:div# 1:div#".to_owned())));
    }

    #[test]
    fn the_tolerant_form_joins_elements_that_numbers_part() {
        assert_eq!(tolerant_form("post wrapper-02"), "post");
        assert_eq!(tolerant_form(" wrapper-02 x"), "wrapper-");
        assert_eq!(tolerant_form("42"), "");
        let pages = [
            article("p1", "story n1", ["oak", "bark", "leaf"]),
            article("p2", "story n2", ["ash", "root", "bud"]),
        ];
        let bodies = [pages[0].as_str(), pages[1].as_str()];
        assert_eq!(best(RANKING, &bodies), Some((2, "0:div#p1 1:div#p2".to_owned())));
        // Told apart, no article is on two pages; the body is.
        let strict = best(Ranking { tolerant: false, ..RANKING }, &bodies).unwrap();
        assert!(!strict.1.contains("p1 1:div#p2"), "{strict:?}");
    }

    #[test]
    fn of_several_elements_of_a_pattern_the_most_telling_stands_for_it() {
        let with_teaser =
            |body: &str, word: &str| format!("<div class=story>{word} home news home news</div>{body}");
        let pages = [
            with_teaser(&article("", "story", ["oak", "bark", "leaf"]), "leaf"),
            with_teaser(&article("", "story", ["ash", "root", "bud"]), "bud"),
        ];
        let found = best(RANKING, &[&pages[0], &pages[1]]).unwrap();
        assert_eq!(found.0, 2);
        assert_eq!(found.1.matches("div").count(), 2);
    }

    #[test]
    fn the_level_decides_between_blocks_of_equal_text_and_ties_go_to_the_deeper() {
        let pages: Vec<String> = [["oak", "bark", "leaf"], ["ash", "root", "bud"]]
            .map(|words| format!("<div id=a><div id=b>{}</div></div>", article("", "story", words)))
            .into();
        let bodies = [pages[0].as_str(), pages[1].as_str()];
        for level in [true, false] {
            let found = best(Ranking { level, measure: Measure::Coverage, ..RANKING }, &bodies);
            // The article holds every signifier, and so do all blocks around it.
            assert_eq!(found, Some((4, "0:div# 1:div#".to_owned())), "{level}");
        }
    }

    #[test]
    fn pages_without_signifiers_have_no_pattern() {
        assert_eq!(best(RANKING, &[]), None);
        assert_eq!(best(RANKING, &["", " <script>oak</script>"]), None);
        assert_eq!(best(RANKING, &["<p>oak", "<p>oak"]), None, "equal pages");
        // One page that differs is enough.
        assert!(best(RANKING, &["<p>oak", "<p>oak", "<p>oak ash"]).is_some());
    }

    #[test]
    fn counts_paths_and_sets_are_those_of_the_subtree() {
        let html = "<html lang=qq><body><div>oak x<b>y</b></div><p>oak ash</p>";
        let page = Page::parse("p", None, html.as_bytes(), None, &Default::default()).unwrap();
        let mut vocabulary = Vocabulary::default();
        let terms = [PageTerms::new(&page, &mut vocabulary)];
        let signifiers = find_signifiers(SignifierSource::TfIdf, 1, &terms, &vocabulary);
        let (dom, s) = (page.dom(), Significance::new(page.dom(), &terms[0], &signifiers[0]));
        assert_eq!(s.counts(dom, NodeId::ROOT), Counts { signifiers: 2, others: 3 });
        assert_eq!(s.paths(dom, NodeId::ROOT), 2);
        let names: Vec<&str> = s.elements(dom).map(|id| dom.name(id)).collect();
        assert_eq!(names, ["html", "body", "div", "p"], "b has no signifier");
    }
}
