//! The extraction of a page of which some labels are known: those of an annotator who has marked a part of it.

use super::Hmt;
use crate::error::PageProblem;
use crate::extract::{ExtractError, Extraction};
use crate::index::NodeMap;
use crate::inference::upward_downward::upward_downward;
use crate::label::Label;
use crate::model::{ByType, Observation, PermittedStates, Site, StateSet};
use crate::page::Page;

impl Hmt {
    /// The extraction, by exact inference, of a page that the model has seen, given the labels of some of its shown texts, and what is known
    /// of its site.
    ///
    /// A leaf whose texts have one known label is in that state; P(type) of the page is updated by how probable the labels are given
    /// each. `site` may hold the known leaves of this page too: then what looks like them is taken for the same.
    ///
    /// # Errors
    /// [`PageProblem::Empty`] of a page without text.
    pub fn extraction_given(
        &self,
        page: &Page,
        observation: &Observation,
        site: Option<&Site>,
        known: &NodeMap<Option<Label>>,
    ) -> Result<Extraction, ExtractError> {
        let view = &observation.view;
        if view.texts.is_empty() {
            return Err(PageProblem::Empty.into());
        }
        let is_leaf = |v: usize| view.tree.is_leaf(v as u32);
        let of_node = |(v, node)| is_leaf(v).then(|| view.known_label(node, known)).flatten();
        let known_of_leaves: Vec<Option<Label>> = view.nodes.iter().enumerate().map(of_node).collect();
        if known_of_leaves.iter().all(Option::is_none) {
            return self.extraction_at(page, observation, site);
        }
        let (config, transition) = (self.model.config(), &self.parameters.transition);
        let every = StateSet::first(config.states.len());
        let sets: Vec<StateSet> = known_of_leaves
            .iter()
            .map(|label| label.map_or(every, |label| StateSet::only(label.index())))
            .collect();
        let permitted = PermittedStates::new(&view.tree, config.states, &sets)?;
        let given: Vec<_> = match observation.by_type.is_empty() {
            true => vec![(1.0, &observation.features)],
            false => observation.by_type.iter().map(|(p, features)| (*p, features)).collect(),
        };
        // P(type) has seen the page already: what the labels add is how probable they are given each type.
        let weighed = given.into_iter().map(|(p, features)| {
            let mut ln_emission =
                self.parameters.ln_emission(config, self.model.specs(), &view.tree, features);
            let free = upward_downward(&view.tree, &ln_emission, transition).ln_evidence;
            permitted.restrict(&mut ln_emission);
            let marginals = upward_downward(&view.tree, &ln_emission, transition);
            (p.ln() + marginals.ln_evidence - free, marginals.posterior)
        });
        let weighed: Vec<(f64, Vec<f64>)> = weighed.collect();
        let largest = weighed.iter().fold(f64::NEG_INFINITY, |largest, (ln, _)| largest.max(*ln));
        let sum: f64 = weighed.iter().map(|(ln, _)| (ln - largest).exp()).sum();
        let posteriors: ByType<Vec<f64>> =
            weighed.into_iter().map(|(ln, rows)| ((ln - largest).exp() / sum, rows)).collect();
        let mut extraction = self.extraction(page, observation, posteriors, site)?;
        // What pools, decides for units and splits comments does not know what is known.
        for (id, label) in known.iter().filter_map(|(id, label)| Some((id, (*label)?))) {
            extraction.labels[id] = label;
            if let Some(posteriors) = &mut extraction.posteriors {
                posteriors[id] = Label::ALL.map(|other| f64::from(u8::from(other == label)));
            }
        }
        Ok(extraction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::hmt::Inference;
    use crate::index::NodeId;
    use crate::model::{Model, SitePrior};

    const HTML: &str = "<title>Oak</title><ul class=menu><li><a href=/>Home</a><li><a href=/t>Trees</a></ul><h1>Oak</h1>
        <p>The oldest oak of the village fell on Monday night, and nobody was hurt, since the green was closed.
        <p>It had stood there for four hundred years, as the mayor of the village said to us on Tuesday morning.
        <div class=note>First note of the day, about wood and trees</div><div class=note>Second note, about more of them</div>
        <div class=note>Third note and no more</div>";

    fn hmt() -> Hmt {
        Hmt::new("hmt", Model::by_name("web").unwrap(), Inference::Exact).unwrap()
    }

    fn page() -> Page {
        Page::parse("p", None, HTML.as_bytes(), Some("utf-8"), &Default::default()).unwrap()
    }

    fn text(page: &Page, start: &str) -> NodeId {
        page.dom().shown_texts().find(|&id| page.dom().text(id).trim().starts_with(start)).unwrap()
    }

    #[test]
    fn without_known_labels_it_is_the_extraction() {
        let (hmt, page) = (hmt(), page());
        let observation = hmt.model().observation(&page).unwrap();
        let known = NodeMap::filled(page.dom().len(), None);
        let given = hmt.extraction_given(&page, &observation, None, &known).unwrap();
        assert_eq!(given, hmt.extraction_of(&page, &observation).unwrap());
    }

    #[test]
    fn known_labels_stay_and_say_something_of_the_others() {
        let (hmt, page) = (hmt(), page());
        let observation = hmt.model().observation(&page).unwrap();
        let before = hmt.extraction_of(&page, &observation).unwrap();
        let [first, second, third] = ["First", "Second", "Third"].map(|start| text(&page, start));
        for label in Label::ALL {
            let mut known = NodeMap::filled(page.dom().len(), None);
            known[first] = Some(label);
            let alone = hmt.extraction_given(&page, &observation, None, &known).unwrap();
            assert_eq!(alone.labels[first], label);
            let p = |extraction: &Extraction, id: NodeId| {
                extraction.posteriors.as_ref().unwrap()[id][label.index()]
            };
            assert_eq!(p(&alone, first), 1.0);
            let sum: f64 = alone.posteriors.as_ref().unwrap()[second].iter().sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
            // What looks the same is taken for the same.
            let mut site = Site::new(SitePrior::default()).unwrap();
            site.observe_known(&page, &observation.view, &known);
            let with_site = hmt.extraction_given(&page, &observation, Some(&site), &known).unwrap();
            for id in [second, third] {
                assert!(p(&with_site, id) > p(&before, id).min(0.9), "{label}: {}", p(&with_site, id));
            }
        }
    }
}
