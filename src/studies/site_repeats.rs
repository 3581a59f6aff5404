//! What dropping the text that sites repeat costs and gains: how much of the dropped text stands in the references, and F1 before and
//! after.
//!
//! Blocks are counted over all pages that the corpus has of a site, as `duramen site-repeats` counts them. What the system keeps of a page is dropped where
//! it is repeated, for each pair of bounds. A dropped block stands in the reference if its words stand there in one run,
//! which short blocks may do by chance: the share is no less than what is wrongly dropped.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::dataset::labelled::{LabelledCorpus, LabelledPage, PageGold};
use crate::error::{Error, Result};
use crate::eval::word_and_character_f1;
use crate::eval::word_f1::words_and_characters;
use crate::extract::Extractor;
use crate::extract::render::{Kept, RenderOptions, Selection, to_text};
use crate::extract::repeats::{PageBlocks, RepeatBounds, RepeatCounter, TextBlock, text_blocks};
use crate::harness::config::Experiment;
use crate::harness::systems;
use crate::index::NodeId;
use crate::label::LabelSet;
use crate::studies::study::{Context, Study};
use crate::tokens;

/// The table `[site-repeats]` of an experiment: its systems, none of which it trains, on all pages of its corpora.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SiteRepeatsStudy {
    /// Least numbers of pages, 2 and up each. Default 2, 3, 5 and 8.
    pub min_pages: Vec<u64>,
    /// Least shares of a site's pages, from 0 to 1. Default 0, 0.25, 0.5 and 0.75.
    pub min_shares: Vec<f64>,
}

impl Default for SiteRepeatsStudy {
    fn default() -> Self {
        SiteRepeatsStudy { min_pages: vec![2, 3, 5, 8], min_shares: vec![0.0, 0.25, 0.5, 0.75] }
    }
}

impl SiteRepeatsStudy {
    /// The pairs of bounds: for each number of pages every share.
    pub fn bounds(&self) -> Vec<RepeatBounds> {
        let of_pages = |&pages| self.min_shares.iter().map(move |&share| RepeatBounds { pages, share });
        self.min_pages.iter().flat_map(of_pages).collect()
    }
}

/// What dropping comes to on a page of a site of which the corpus has at least the lowest number of pages that is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageDrops {
    /// The corpus, by its name in the experiment.
    pub corpus: String,
    /// The system.
    pub system: String,
    /// The page's id.
    pub page: String,
    /// Its host.
    pub host: String,
    /// Words that the system keeps.
    pub kept_words: u64,
    /// F1 of the kept text.
    pub f1: f64,
    /// In the order of [`SiteRepeatsStudy::bounds`].
    pub drops: Vec<Dropped>,
}

/// What is dropped of a page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Dropped {
    /// Words of the dropped blocks.
    pub words: u64,
    /// Words of those of them that stand in the reference.
    pub words_in_reference: u64,
    /// F1 of the text that is left.
    pub f1: f64,
}

impl Study for SiteRepeatsStudy {
    const KEY: &'static str = "site-repeats";
    const RESULTS: &'static str = "site_repeats";
    type Results = Vec<PageDrops>;

    fn check(&self, experiment: &Experiment) -> Result<()> {
        if self.min_pages.is_empty() || self.min_shares.is_empty() {
            return Err(Error::usage(
                "site-repeats: min-pages or min-shares is empty",
                "give one or more of each",
            ));
        }
        self.bounds().iter().try_for_each(RepeatBounds::check)?;
        match experiment.all_systems().into_iter().find(systems::is_trained) {
            Some(system) => Err(Error::usage(
                format!("site-repeats: the run trains system '{}'", system.id),
                "give it a model, such as parameters = { model = \"web\" }",
            )),
            None => Ok(()),
        }
    }

    fn run(&self, context: &Context<'_>) -> Result<Vec<PageDrops>> {
        let systems = context.experiment.all_systems();
        context.progress.stage("repeated text", context.corpora.len() * systems.len());
        let mut found = Vec::new();
        for (name, corpus) in context.corpora {
            for system in &systems {
                if context.stop.load(Ordering::Relaxed) {
                    return Err(Error::Interrupted);
                }
                let extractor = systems::build(system, None, context.experiment.seed)?;
                found.extend(self.of_corpus(name, corpus, &system.id, &*extractor)?);
                context.progress.step();
            }
        }
        Ok(found)
    }
}

/// A page with what a system keeps of it.
struct Extracted<'a> {
    labelled: &'a LabelledPage,
    kept: Kept,
    blocks: Vec<TextBlock>,
}

impl SiteRepeatsStudy {
    fn of_corpus(
        &self,
        name: &str,
        corpus: &LabelledCorpus,
        system: &str,
        extractor: &dyn Extractor,
    ) -> Result<Vec<PageDrops>> {
        let pages = corpus.pages.par_iter().filter_map(|labelled| Extracted::new(labelled, extractor));
        let pages: Vec<Extracted<'_>> = pages.collect();
        let bounds = self.bounds();
        let least = bounds.iter().map(|bounds| bounds.pages).min().expect("there is one");
        let mut counter = RepeatCounter::new(RepeatBounds { pages: least, share: 0.0 })?;
        for page in &pages {
            let texts = page.blocks.iter().map(|block| (block.text.clone(), block.is_kept));
            counter.add(PageBlocks::from_texts(&page.labelled.site, page.labelled.page.url(), texts));
        }
        // Of each site its pages, and of each repeated text how many of them have it.
        let repeats: HashMap<String, (u64, HashMap<String, u64>)> = counter
            .finish()
            .into_iter()
            .filter(|site| site.pages >= least)
            .map(|site| {
                let blocks = site.blocks.into_iter().map(|block| (block.text, block.pages));
                (site.site, (site.pages, blocks.collect()))
            })
            .collect();
        let of_page = |page: &Extracted<'_>| {
            let (all, repeated) = repeats.get(&page.labelled.site)?;
            let reference = &page.labelled.gold_texts.first()?.1;
            let f1 = page.f1_without(&[], reference);
            let run = run_of(reference);
            let kept = || page.blocks.iter().filter(|block| block.is_kept);
            let words = |block: &TextBlock| u64::from(tokens::count(&block.text));
            let drops = bounds.iter().map(|bounds| {
                let is_dropped = |block: &&TextBlock| {
                    repeated.get(&block.text).is_some_and(|&pages| bounds.holds(pages, *all))
                };
                let dropped: Vec<&TextBlock> = kept().filter(is_dropped).collect();
                let in_reference = dropped.iter().filter(|block| run.contains(&run_of(&block.text)));
                Dropped {
                    words: dropped.iter().map(|block| words(block)).sum(),
                    words_in_reference: in_reference.map(|block| words(block)).sum(),
                    f1: if dropped.is_empty() { f1 } else { page.f1_without(&dropped, reference) },
                }
            });
            Some(PageDrops {
                corpus: name.to_owned(),
                system: system.to_owned(),
                page: page.labelled.page.id().to_owned(),
                host: page.labelled.host.clone(),
                kept_words: kept().map(words).sum(),
                f1,
                drops: drops.collect(),
            })
        };
        Ok(pages.par_iter().filter_map(of_page).collect())
    }
}

impl<'a> Extracted<'a> {
    /// None of a page that cannot be extracted. Of a page whose title stands apart from its reference the headline is not kept.
    fn new(labelled: &'a LabelledPage, extractor: &dyn Extractor) -> Option<Self> {
        let page = &labelled.page;
        let extraction = extractor.extract_site(&[page]).pop()?.ok()?;
        let labels = match &labelled.gold {
            PageGold::Text(gold) => gold.labels(),
            PageGold::Tokens(_) => LabelSet::ARTICLE,
        };
        // As text is scored elsewhere: of systems that give labels alone all that they label counts.
        let selection = Selection { labels, threshold: None, hidden: extraction.posteriors.is_none() };
        let kept = selection.kept(page, &extraction).ok()?;
        Some(Extracted { labelled, blocks: text_blocks(page, &kept), kept })
    }

    /// F1 of the text without some of its blocks.
    fn f1_without(&self, dropped: &[&TextBlock], reference: &str) -> f64 {
        let mut kept = self.kept.clone();
        let dropped: Vec<NodeId> = dropped.iter().flat_map(|block| block.nodes.iter().copied()).collect();
        kept.retain(|id| !dropped.contains(&id));
        word_and_character_f1(&to_text(&self.labelled.page, &kept, &RenderOptions::default()), reference).f1
    }
}

/// The words of a text in lower case, each between blanks, so that a run of words is a part of the text.
fn run_of(text: &str) -> String {
    let text = text.to_lowercase();
    words_and_characters(&text).fold(" ".to_owned(), |run, word| run + word + " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::registry::{self, Parameters};
    use crate::page::Page;

    /// Three pages of a site that all say "Read more", which the reference of the second has too, and one of another site.
    fn corpus() -> LabelledCorpus {
        let page = |url: &str, text: &str, reference: &str| {
            let html = format!("<p>{text}<p>Read more");
            let page = Page::parse(url, Some(url.to_owned()), html.as_bytes(), None, &Default::default());
            (page.unwrap(), reference.to_owned())
        };
        let pages = vec![
            page("https://a.example/1", "one two", "One two."),
            page("https://a.example/2", "three four", "Three four, read more!"),
            page("https://a.example/3", "five six", "five six"),
            page("https://b.example/1", "seven", "seven"),
        ];
        LabelledCorpus::from_texts("made", pages)
    }

    #[test]
    fn what_is_dropped_is_counted_and_held_against_the_references() {
        let study = SiteRepeatsStudy { min_pages: vec![2, 4], min_shares: vec![1.0] };
        let everything = registry::build("everything", &Parameters::new()).unwrap();
        let found = study.of_corpus("made", &corpus(), "everything", &*everything).unwrap();
        assert_eq!(found.len(), 3, "a site with one page has nothing that is repeated");
        let dropped: Vec<[u64; 2]> =
            found.iter().map(|page| [page.drops[0].words, page.drops[0].words_in_reference]).collect();
        assert_eq!(dropped, [[2, 0], [2, 2], [2, 0]]);
        assert!(found.iter().all(|page| page.kept_words == 4 && page.drops[1].words == 0));
        assert_eq!((found[0].f1, found[0].drops[0].f1), (2.0 / 3.0, 1.0));
        assert_eq!((found[1].f1, found[1].drops[0].f1, found[1].drops[1].f1), (1.0, 2.0 / 3.0, 1.0));
    }

    #[test]
    fn the_words_of_a_block_must_stand_in_one_run() {
        let reference = run_of("Read more, or less.");
        assert!(reference.contains(&run_of("read MORE")) && reference.contains(&run_of("or")));
        assert!(!reference.contains(&run_of("read less")) && !reference.contains(&run_of("rea")));
    }
}
