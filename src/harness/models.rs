//! `Models`, the models that a run trains: each trainer once, and what was learned on the training pages at hand.

use super::config::System;
use super::corpora::Corpora;
use super::plan::Part;
use super::systems;
use crate::dataset::labelled::{LabelledCorpus, LabelledPage};
use crate::dataset::resolve_convention;
use crate::error::Result;
use crate::model::{Model, ModelConfig, Weights};
use crate::progress::{Progress, Silent};
use crate::training::{self, Learning, Trainer, TrainingPage, TrainingSettings};

/// The models of a run. Systems that differ in their decision or in having weights share what was learned, and so do parts
/// in a row with the same training pages; counts of a page are shared by all parts.
pub struct Models<'a> {
    corpora: &'a Corpora,
    trainers: Vec<Trainer<'a>>,
    /// The corpora whose pages a trainer has counted, by its place and the corpus's name.
    counted: Vec<(usize, String)>,
    learned: Vec<(ModelConfig, Learning, Model)>,
    trained_on: Vec<(String, Vec<usize>)>,
}

impl<'a> Models<'a> {
    /// No models yet.
    pub fn new(corpora: &'a Corpora) -> Self {
        let (trainers, counted, learned, trained_on) = Default::default();
        Models { corpora, trainers, counted, learned, trained_on }
    }

    /// Counts the pages of a corpus for a system that only counts.
    ///
    /// # Errors
    /// As [`Trainer::count_ahead`].
    pub fn count_ahead(&mut self, system: &System, dataset: &str, progress: &dyn Progress) -> Result<()> {
        let Some(config) = systems::model_config(system)? else { return Ok(()) };
        if systems::learning(system)?.is_some() {
            return Ok(());
        }
        let place = self.trainer(config, TrainingSettings::default())?;
        if self.counted.iter().any(|(of, name)| *of == place && name == dataset) {
            return Ok(());
        }
        let pages: Vec<&LabelledPage> = self.corpora[dataset].pages.iter().collect();
        self.trainers[place].count_ahead(&pages, progress)?;
        self.counted.push((place, dataset.to_owned()));
        Ok(())
    }

    /// The model of a system, trained on the training pages of a part, and recalibrated if that is asked for; none for a
    /// system that is not trained.
    ///
    /// # Errors
    /// As [`Trainer::train`] and [`training::recalibrate`].
    pub fn train(&mut self, system: &System, part: &Part, progress: &dyn Progress) -> Result<Option<Model>> {
        let Some(config) = systems::model_config(system)? else { return Ok(None) };
        let model = match systems::learning(system)? {
            Some(learning) => self.learn(system, config, learning, part, progress)?,
            None => {
                // Sums of what was counted ahead: nothing to wait for.
                let pages = self.training_pages(part, &Silent);
                match pages.is_empty() {
                    // Where no page trains, a site that is adapted to may still teach a model of priors alone.
                    true => Model::new(config)?,
                    false => {
                        let place = self.trainer(config, TrainingSettings::default())?;
                        self.trainers[place].train(pages, &[], &Silent)?.model
                    }
                }
            }
        };
        let model = match system.convention.as_deref() {
            None => model,
            Some(systems::TESTED) => model.with_convention(self.corpora[&part.dataset].convention)?,
            Some(name) => model.with_convention(resolve_convention(name)?)?,
        };
        let Some(dataset) = &system.recalibrate else { return Ok(Some(model)) };
        let pages = align(&self.corpora[dataset], &part.apart(dataset, self.corpora), progress);
        let recalibrated = training::recalibrate(&model, &pages, progress)?;
        progress.stage(&format!("extracting with {}", system.id), part.tests.len());
        Ok(Some(recalibrated.model))
    }

    fn learn(
        &mut self,
        system: &System,
        config: ModelConfig,
        learning: Learning,
        part: &Part,
        progress: &dyn Progress,
    ) -> Result<Model> {
        if self.trained_on != part.training {
            self.learned.clear();
            self.trained_on.clone_from(&part.training);
        }
        // A model without weights is one with them less these.
        let with_weights = Learning { weights: true, ..learning.clone() };
        for (_, by, model) in self.learned.iter().filter(|(of, ..)| *of == config) {
            if *by == learning {
                return Ok(model.clone());
            }
            if *by == with_weights {
                return Ok(model.clone().without_layer::<Weights>());
            }
        }
        let place = self.trainer(config.clone(), learning.settings())?;
        let pages = self.training_pages(part, progress);
        let model = self.trainers[place].train(pages, &[], progress)?.model;
        progress.stage(&format!("extracting with {}", system.id), part.tests.len());
        self.learned.push((config, learning, model.clone()));
        Ok(model)
    }

    /// The place of the trainer of these models.
    fn trainer(&mut self, config: ModelConfig, settings: TrainingSettings) -> Result<usize> {
        let is_it = |trainer: &Trainer<'_>| *trainer.config() == config && *trainer.settings() == settings;
        if let Some(place) = self.trainers.iter().position(is_it) {
            return Ok(place);
        }
        self.trainers.push(Trainer::new(config, settings)?);
        Ok(self.trainers.len() - 1)
    }

    fn training_pages(&self, part: &Part, progress: &dyn Progress) -> Vec<TrainingPage<'a>> {
        let corpora = part.training.iter();
        corpora.flat_map(|(dataset, trains)| align(&self.corpora[dataset], trains, progress)).collect()
    }
}

/// Pages of a corpus to train on, less those that cannot be aligned.
fn align<'a>(corpus: &'a LabelledCorpus, pages: &[usize], progress: &dyn Progress) -> Vec<TrainingPage<'a>> {
    let (aligned, left_out) = TrainingPage::from_pages(corpus, pages, progress);
    for (page, problem) in left_out {
        progress.note(&format!("not learned from {page}: {problem}"));
    }
    aligned
}
