//! The pages of a set, what of them is content by the gold, and what an extractor finds.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{PageSet, Together};
use crate::alignment::find_text;
use crate::dataset::labelled::{LabelledCorpus, LabelledPage, PageGold};
use crate::error::{Error, Result};
use crate::extract::visual_outlier::{Entities, RankedNode};
use crate::extract::{ExtractError, Extraction, Extractor};
use crate::host;
use crate::index::{NodeId, NodeMap};
use crate::label::Label;
use crate::page::Page;

/// A page and what of it is content.
struct StudyPage<'a> {
    page: &'a Page,
    /// For text nodes with a token, whether most of them are content.
    is_content: NodeMap<Option<bool>>,
}

/// The pages of a set in groups that are ranked together.
pub(super) struct StudyPages<'a> {
    groups: Vec<Vec<StudyPage<'a>>>,
    without_layout: u64,
}

/// What an extractor found.
pub(super) struct Extracted {
    /// The nodes of each group.
    pub groups: Vec<ExtractedGroup>,
    /// Bytes of content on the pages, extracted or not.
    pub content_bytes: u64,
    pub pages: u64,
    pub without_layout: u64,
    pub refused: u64,
}

/// Nodes that are ranked together.
pub(super) struct ExtractedGroup {
    pub entities: Entities,
    /// Size and truth of each entity.
    pub nodes: Vec<RankedNode>,
}

fn bytes(page: &Page, node: NodeId) -> u64 {
    page.dom().text(node).trim().len() as u64
}

impl<'a> StudyPages<'a> {
    pub fn select(corpus: &'a LabelledCorpus, set: &PageSet, engine: &str) -> Result<StudyPages<'a>> {
        let is_of_type = |page: &&LabelledPage| {
            set.page_types.is_empty() || page.page_type.as_ref().is_some_and(|of| set.page_types.contains(of))
        };
        let all: Vec<&LabelledPage> = corpus.pages.iter().filter(is_of_type).collect();
        let with_layout: Vec<&LabelledPage> =
            all.iter().copied().filter(|page| page.page.layout(engine).is_some()).collect();
        let without_layout = (all.len() - with_layout.len()) as u64;
        let mut groups: BTreeMap<&str, Vec<&LabelledPage>> = BTreeMap::new();
        for page in with_layout {
            match set.together {
                Together::Corpus => groups.entry("").or_default().push(page),
                // Pages without an address are no site.
                Together::Site if page.host != host::UNKNOWN => {
                    groups.entry(&page.site).or_default().push(page);
                }
                Together::Site => {}
            }
        }
        if set.together == Together::Site {
            groups.retain(|_, pages| pages.len() > 1);
        }
        if groups.is_empty() {
            return Err(Error::data(
                &corpus.label,
                format!("no page of set '{}' with a layout by '{engine}'", set.name()),
                "read the corpus with layouts, and give a type and sites that it has",
            ));
        }
        let groups = groups
            .into_values()
            .map(|pages| pages.into_par_iter().map(StudyPage::from_page).collect::<Result<Vec<_>>>())
            .collect::<Result<Vec<_>>>()?;
        Ok(StudyPages { groups, without_layout })
    }

    /// Extracts every page, and looks up what of the result is content. `engine` is that of [`StudyPages::select`].
    pub fn extract(&self, extractor: &dyn Extractor, engine: &str) -> Extracted {
        let pages = || self.groups.iter().flatten();
        let mut extracted = Extracted {
            groups: Vec::new(),
            content_bytes: pages().map(StudyPage::content_bytes).sum(),
            pages: pages().count() as u64,
            without_layout: self.without_layout,
            refused: 0,
        };
        for group in &self.groups {
            let mut entities = Entities::default();
            for (number, (page, extraction)) in group.iter().zip(extract(group, extractor)).enumerate() {
                let (Ok(extraction), Some(layout)) = (extraction, page.page.layout(engine)) else {
                    extracted.refused += 1;
                    continue;
                };
                let has_tokens = |id: NodeId| page.is_content[id].is_some();
                entities.add(number, page.page, layout, |id| extraction.labels[id], has_tokens);
            }
            let node = |entity: &crate::extract::visual_outlier::Entity| RankedNode {
                bytes: bytes(group[entity.page].page, entity.node),
                is_content: group[entity.page].is_content[entity.node] == Some(true),
            };
            let nodes = entities.nodes.iter().map(node).collect();
            extracted.groups.push(ExtractedGroup { entities, nodes });
        }
        extracted
    }
}

fn extract(group: &[StudyPage<'_>], extractor: &dyn Extractor) -> Vec<Result<Extraction, ExtractError>> {
    if extractor.reads_whole_sites() {
        return extractor.extract_site(&group.iter().map(|page| page.page).collect::<Vec<_>>());
    }
    group.par_iter().flat_map_iter(|page| extractor.extract_site(&[page.page])).collect()
}

impl<'a> StudyPage<'a> {
    fn from_page(labelled: &'a LabelledPage) -> Result<StudyPage<'a>> {
        let page = &labelled.page;
        let mut is_content = NodeMap::filled(page.dom().len(), None);
        match &labelled.gold {
            PageGold::Tokens(gold) => {
                for id in page.dom().shown_texts() {
                    is_content[id] = gold.label(id).map(|label| label != Label::NotContent);
                }
            }
            PageGold::Text(gold) => {
                let found =
                    find_text(page.dom(), &gold.text).map_err(|problem| Error::page(page.id(), problem))?;
                let labels = found.labels();
                for id in page.dom().shown_texts().filter(|&id| found.counts(id).1 > 0) {
                    is_content[id] = Some(labels[id] != Label::NotContent);
                }
            }
        }
        Ok(StudyPage { page, is_content })
    }

    fn content_bytes(&self) -> u64 {
        let content = self.is_content.iter().filter(|(_, is_content)| **is_content == Some(true));
        content.map(|(id, _)| bytes(self.page, id)).sum()
    }
}
