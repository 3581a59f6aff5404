//! `PagesToSample`, pages as chains run over them: what a model sees of each, the states of its nodes, and their names.

use crate::error::{Error, PageProblem, Result};
use crate::inference::gibbs::{SampledPage, SampledStates};
use crate::model::{Model, NodeLabels, Observation};
use crate::page::Page;

/// A page with what a model sees of it.
#[derive(Debug)]
pub struct ObservedPage {
    page: Page,
    observation: Observation,
}

impl ObservedPage {
    /// What a model sees of a page, which has been laid out if the model reads layouts.
    ///
    /// # Errors
    /// [`Error::Page`] for a page without text, or one that the model cannot see.
    pub fn new(model: &Model, page: Page) -> Result<Self> {
        let observation = model.observation(&page).map_err(|problem| Error::page(page.id(), problem))?;
        match observation.view.texts.is_empty() {
            true => Err(Error::page(page.id(), PageProblem::Empty)),
            false => Ok(ObservedPage { page, observation }),
        }
    }
}

/// Pages to sample.
pub struct PagesToSample<'a> {
    /// The pages, for [`Sampler::new`](crate::inference::gibbs::Sampler::new).
    pub pages: Vec<SampledPage<'a>>,
    /// Their names.
    pub names: Vec<String>,
    /// The XPaths of all nodes, with the page's name before them where there are several.
    pub nodes: Vec<String>,
    /// How many text nodes have labels.
    pub labelled: usize,
    /// The states left out since the model has no counts of them, if none were asked for.
    pub left_out: Vec<&'static str>,
}

impl<'a> PagesToSample<'a> {
    /// Pages with what is known of their nodes, which may be in `states`.
    ///
    /// # Errors
    /// As [`SampledStates::set`], [`NodeLabels::permitted`] and [`SampledPage::within`].
    pub fn new(
        model: &Model,
        observed: &'a [ObservedPage],
        labels: Option<&NodeLabels>,
        states: &SampledStates,
    ) -> Result<Self> {
        let space = model.config().states;
        let set = states.set(model, labels)?;
        let left_out = match states {
            SampledStates::Counted => (0..space.len()).filter(|&state| !set.contains(state)).collect(),
            _ => Vec::new(),
        };
        let mut labelled = 0;
        let pages = observed.iter().map(|ObservedPage { page, observation }| {
            let digest = page.dom().digest().as_u64();
            let tree = &observation.view.tree;
            let mut sampled = SampledPage::unlabelled(model, tree, &observation.features, digest);
            let words =
                |(v, node)| if tree.is_leaf(v) { observation.view.words_of(node).iter().sum() } else { 0 };
            sampled.words = (0..).zip(&observation.view.nodes).map(words).collect();
            if let Some(labels) = labels {
                let (permitted, count) = labels.permitted(page, &observation.view, space)?;
                sampled.permitted = permitted;
                labelled += count;
            }
            sampled.within(model, set)
        });
        let pages = pages.collect::<Result<_>>()?;
        let node_name = |page: &Page, id| match observed.len() {
            1 => page.dom().xpath(id),
            _ => format!("{} {}", page.id(), page.dom().xpath(id)),
        };
        let nodes = observed.iter().flat_map(|ObservedPage { page, observation }| {
            observation.view.nodes.iter().map(move |node| node_name(page, node.node))
        });
        Ok(PagesToSample {
            pages,
            names: observed.iter().map(|observed| observed.page.id().to_owned()).collect(),
            nodes: nodes.collect(),
            labelled,
            left_out: left_out.into_iter().map(|state| space.name(state)).collect(),
        })
    }

    /// Says which states were left out, if some were; `all` is what samples them too.
    pub fn tell_left_out(&self, all: &str) -> Option<String> {
        let names = self.left_out.join(", ");
        let n = self.left_out.len();
        (n > 0)
            .then(|| format!("{n} states without labelled pages left out: {names}; {all} samples them too"))
    }
}
