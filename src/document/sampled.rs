//! `SampledPosteriors`, what chains found of pages, as an extractor.

use std::collections::HashMap;
use std::path::Path;

use crate::draws::{Coordinate, InferenceData};
use crate::error::{Error, PageProblem, Result};
use crate::extract::hmt::posteriors_of_nodes;
use crate::extract::{ExtractError, Extraction, PageExtractor};
use crate::label::Label;
use crate::page::Page;
use crate::view::{PageView, View};

/// P(label) of each node of the pages that chains ran over: the share of draws in each state, the mean over chains. As an extractor it
/// knows these pages alone, by the digest of their tree, and gives each node its most probable label.
#[derive(Debug)]
pub struct SampledPosteriors {
    /// By the digest of a page, the posteriors of the nodes of its view \[node\]\[label\].
    pages: HashMap<String, Vec<f64>>,
}

impl SampledPosteriors {
    /// Reads the zarr store of a run.
    ///
    /// # Errors
    /// As [`InferenceData::read_zarr`]; [`Error::Data`] of draws without probabilities of states, or of another kind of model.
    pub fn read(store: &Path) -> Result<Self> {
        let data = InferenceData::read_zarr(store)?;
        let missing = |what: &str| Error::data(store.display(), format!("no {what}"), "name draws of pages");
        let names = |key: &str| -> Result<Vec<String>> {
            let value = data.attributes().get(key).cloned().unwrap_or_default();
            serde_json::from_value(value).map_err(|_| missing(key))
        };
        let (pages, digests) = (names("pages")?, names("page_digests")?);
        let group = data.group("node_data").ok_or_else(|| missing("node_data"))?;
        let coordinate = |dim| match group.coordinates().get(dim) {
            Some(Coordinate::Names(names)) => Ok(names.as_slice()),
            _ => Err(missing(dim)),
        };
        let (nodes, states) = (coordinate("node")?, coordinate("state")?);
        let shares = group.array("state_probability").ok_or_else(|| missing("state_probability"))?;
        let &[chains, _, _] = shares.shape() else { return Err(missing("state_probability")) };
        let shares: Vec<f64> = shares.to_f64().iter().copied().collect();
        let places = Label::ALL.map(|label| states.iter().position(|state| state == label.name()));
        let p = |node: usize, place: Option<usize>| {
            let Some(place) = place else { return 0.0 };
            let of_chain = |chain: usize| shares[(chain * nodes.len() + node) * states.len() + place];
            (0..chains).map(of_chain).sum::<f64>() / chains as f64
        };
        let mut rows = (0..nodes.len()).map(|node| places.map(|place| p(node, place)));
        let mut found = HashMap::new();
        let mut next = 0;
        for (page, digest) in pages.iter().zip(digests) {
            // Of several pages a node has the name of its own before its XPath.
            let is_of_page =
                |node: &&String| node.strip_prefix(page).is_some_and(|path| path.starts_with(" /"));
            let count = match pages.len() {
                1 => nodes.len(),
                _ => nodes[next..].iter().take_while(is_of_page).count(),
            };
            next += count;
            found.insert(digest, rows.by_ref().take(count).flatten().collect());
        }
        Ok(SampledPosteriors { pages: found })
    }

    fn extraction(&self, page: &Page) -> std::result::Result<Extraction, PageProblem> {
        let digest = format!("{:016x}", page.dom().digest().as_u64());
        let rows = self.pages.get(&digest).ok_or_else(|| {
            PageProblem::Failed("no chain ran over the page as it is now; sample it, or leave it out".into())
        })?;
        let has_rows = |view: &PageView| view.nodes.len() * Label::COUNT == rows.len();
        let mut views = [View::Blocks, View::Dom].into_iter().map(|view| PageView::new(page, view));
        let view = views.find(has_rows).ok_or_else(|| {
            PageProblem::Failed("the chains ran over another tree of the page; sample it again".into())
        })?;
        Ok(Extraction::from_posteriors(posteriors_of_nodes(page, &view, rows, Label::COUNT, Label::ALL)))
    }
}

impl PageExtractor for SampledPosteriors {
    fn id(&self) -> &str {
        "sample"
    }

    fn extract_page(&self, page: &Page) -> std::result::Result<Extraction, ExtractError> {
        Ok(self.extraction(page)?)
    }
}
