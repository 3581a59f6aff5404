//! The layouts of labelled pages: each page laid out once by each engine.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::corpus::LabelledCorpus;
use crate::error::PageProblem;
use crate::layout::{EngineId, LayoutEngine};
use crate::progress::Progress;

/// How the pages of a corpus were laid out by one engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayoutRecord {
    /// The engine.
    pub engine: EngineId,
    /// The pages that have a layout.
    pub pages: usize,
    /// The pages that could not be laid out, with the reason. To a system that needs the layout they are not applicable.
    pub failures: Vec<(String, String)>,
}

impl LabelledCorpus {
    /// Lays out every page in parallel and keeps how that went; pages that cannot be laid out stay as they are, and are
    /// told of.
    pub fn lay_out(&mut self, engine: &dyn LayoutEngine, progress: &dyn Progress) {
        progress.stage(&format!("laying out {} by {}", self.label, engine.id().name), self.pages.len());
        let failed: Vec<Option<PageProblem>> = self
            .pages
            .par_iter_mut()
            .map(|page| {
                let problem = page.page.lay_out(engine).err();
                progress.step();
                problem
            })
            .collect();
        let failures: Vec<(String, String)> = self
            .pages
            .iter()
            .zip(failed)
            .filter_map(|(page, problem)| Some((page.page.id().to_owned(), problem?.to_string())))
            .collect();
        for (page, problem) in &failures {
            progress.note(&format!("{page}: not laid out by {}: {problem}", engine.id().name));
        }
        let pages = self.pages.len() - failures.len();
        self.layouts.push(LayoutRecord { engine: engine.id().clone(), pages, failures });
    }
}
