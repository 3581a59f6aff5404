//! How far two layout engines agree, page by page: boxes, reading order, computed styles.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::study::{Context, Study};
use crate::dataset::labelled::LabelledPage;
use crate::diagnostics::ranks;
use crate::dom::Dom;
use crate::error::{Error, Result};
use crate::harness::config::Experiment;
use crate::index::NodeId;
use crate::layout::{self, Layout, PROPERTIES, Rect};

/// Edges and widths that differ by less are taken as equal: the paper's screen is 1,366 pixels wide.
const PIXELS: f32 = 5.0;
/// Distances from the top that differ by less than this share of the page's height are taken as equal.
const SHARE_OF_PAGE: f32 = 0.1;

/// The table `[engine-study]` of an experiment: two engines that are compared on every corpus of the experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EngineStudy {
    /// The engine that is judged.
    pub engine: String,
    /// The engine that it is held against.
    pub reference: String,
}

impl EngineStudy {
    /// The engines.
    pub fn engines(&self) -> [&str; 2] {
        [&self.engine, &self.reference]
    }
}

impl Study for EngineStudy {
    const KEY: &'static str = "engine-study";
    const RESULTS: &'static str = "engine_study";
    type Results = Vec<PageAgreement>;

    fn check(&self, _: &Experiment) -> Result<()> {
        layout::check_name(&self.engine)?;
        layout::check_name(&self.reference)?;
        if self.engine == self.reference {
            return Err(Error::usage(
                format!("engine-study compares {} with itself", self.engine),
                "name two engines",
            ));
        }
        Ok(())
    }

    fn layouts(&self) -> Vec<String> {
        self.engines().map(str::to_owned).into()
    }

    /// The agreement on every page that both engines laid out, in the order of corpora and pages.
    fn run(&self, context: &Context<'_>) -> Result<Vec<PageAgreement>> {
        let mut agreements = Vec::new();
        for (corpus, labelled) in context.corpora {
            let agreement = |page: &LabelledPage| {
                let layouts = self.engines().map(|engine| page.page.layout(engine));
                let [Some(engine), Some(reference)] = layouts else { return None };
                Some(PageAgreement {
                    corpus: corpus.clone(),
                    page: page.page.id().to_owned(),
                    host: page.host.clone(),
                    of: Agreement::new(page.page.dom(), engine, reference),
                })
            };
            agreements.par_extend(labelled.pages.par_iter().filter_map(agreement));
        }
        Ok(agreements)
    }
}

/// The agreement of two engines on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageAgreement {
    /// The corpus, by its name in the experiment.
    pub corpus: String,
    /// The page's id.
    pub page: String,
    /// Its host.
    pub host: String,
    /// The agreement.
    #[serde(flatten)]
    pub of: Agreement,
}

/// Shares of the elements of a page on which two engines agree.
///
/// Geometry is of elements that hold text themselves and that both engines show: with a box of some width and height.
/// Those are the elements that a reader sees; boxes around them repeat what is said of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// Elements that hold text and are shown by the reference.
    pub shown: u64,
    /// Those of them that the engine shows too.
    pub shown_by_both: u64,
    /// Share of those whose widths differ by less than five pixels. None on a page without any.
    pub width: Option<f64>,
    /// Share whose left edges do.
    pub x: Option<f64>,
    /// Share whose heights do.
    pub height: Option<f64>,
    /// Share whose distances from the top differ by less than a tenth of the reference's page.
    pub y: Option<f64>,
    /// Spearman's rank correlation of the distances from the top: whether both read in one order. None where one engine has
    /// all at one height.
    pub spearman_y: Option<f64>,
    /// For each of [`PROPERTIES`] the share of elements with a style in both whose values are the same.
    pub styles: Option<Vec<f64>>,
}

impl Agreement {
    /// The agreement of `engine` with `reference` on a page. Sorts its elements.
    pub fn new(dom: &Dom, engine: &Layout, reference: &Layout) -> Agreement {
        let holds_text: Vec<NodeId> = {
            let mut parents: Vec<NodeId> = dom.shown_texts().filter_map(|text| dom.parent(text)).collect();
            parents.sort_unstable();
            parents.dedup();
            parents
        };
        let shown =
            |layout: &Layout, id| layout.rect(id).filter(|rect| rect.width > 0.0 && rect.height > 0.0);
        let by_reference: Vec<(NodeId, Rect)> =
            holds_text.iter().filter_map(|&id| Some((id, shown(reference, id)?))).collect();
        let pairs: Vec<(Rect, Rect)> =
            by_reference.iter().filter_map(|&(id, theirs)| Some((shown(engine, id)?, theirs))).collect();
        let page_height = dom
            .ids()
            .filter_map(|id| reference.rect(id))
            .map(|rect| rect.y + rect.height)
            .fold(1.0f32, f32::max);
        let share = |agree: &dyn Fn(&(Rect, Rect)) -> bool| {
            let n = pairs.iter().filter(|pair| agree(pair)).count();
            (!pairs.is_empty()).then(|| n as f64 / pairs.len() as f64)
        };
        let near = |a: f32, b: f32| (a - b).abs() < PIXELS;
        let (ours, theirs): (Vec<f32>, Vec<f32>) = pairs.iter().map(|(a, b)| (a.y, b.y)).unzip();
        Agreement {
            shown: by_reference.len() as u64,
            shown_by_both: pairs.len() as u64,
            width: share(&|(a, b)| near(a.width, b.width)),
            x: share(&|(a, b)| near(a.x, b.x)),
            height: share(&|(a, b)| near(a.height, b.height)),
            y: share(&|(a, b)| (a.y - b.y).abs() < SHARE_OF_PAGE * page_height),
            spearman_y: spearman(&ours, &theirs),
            styles: styles(dom, engine, reference),
        }
    }
}

fn styles(dom: &Dom, engine: &Layout, reference: &Layout) -> Option<Vec<f64>> {
    let mut equal = [0u64; PROPERTIES.len()];
    let mut elements = 0u64;
    for id in dom.ids() {
        let (Some(a), Some(b)) = (engine.style_number(id), reference.style_number(id)) else { continue };
        elements += 1;
        for ((equal, a), b) in equal.iter_mut().zip(engine.style_values(a)).zip(reference.style_values(b)) {
            *equal += u64::from(a == b);
        }
    }
    (elements > 0).then(|| equal.iter().map(|&n| n as f64 / elements as f64).collect())
}

/// Spearman's rank correlation, equal values at the mean of their ranks; none for fewer than two values or where one side
/// is constant.
fn spearman(a: &[f32], b: &[f32]) -> Option<f64> {
    let ranks = |values: &[f32]| ranks(&values.iter().copied().map(f64::from).collect::<Vec<f64>>());
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 + 1.0) / 2.0;
    let sum = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    let scale = (sum(&a, &a) * sum(&b, &b)).sqrt();
    (scale > 0.0).then(|| sum(&a, &b) / scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;
    use crate::layout::{EngineId, LayoutBuilder, Property};

    #[test]
    fn spearman_is_that_of_the_textbook() {
        // Ranks 1, 2.5, 2.5, 4 against 1, 3, 2, 4: by hand 4.5 / sqrt(4.5 * 5).
        let rho = spearman(&[1.0, 2.0, 2.0, 9.0], &[0.1, 0.7, 0.5, 0.9]).unwrap();
        assert!((rho - 4.5 / (4.5f64 * 5.0).sqrt()).abs() < 1e-12, "{rho}");
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), Some(-1.0));
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(spearman(&[], &[]), None);
    }

    #[test]
    fn what_one_engine_alone_shows_is_counted_and_not_compared() {
        let dom =
            Dom::parse(b"<p>a</p><p>b</p><p>c</p><div><p>d</p></div>", None, &Limits::default()).unwrap();
        let paragraphs: Vec<NodeId> = dom.ids().filter(|&id| dom.name(id) == "p").collect();
        let layout = |name: &str, boxes: &[(usize, [f32; 4])], color: &str| {
            let engine = EngineId { name: name.to_owned(), version: "1".to_owned() };
            let mut builder = LayoutBuilder::new(engine, dom.len());
            for &(i, [x, y, width, height]) in boxes {
                builder.set_rect(paragraphs[i], Rect { x, y, width, height });
                let mut values = ["none"; Property::COUNT];
                values[Property::named("color").unwrap().index()] = color;
                builder.set_style(paragraphs[i], values);
            }
            builder.finish()
        };
        let reference = layout(
            "reference",
            &[
                (0, [0.0, 0.0, 100.0, 10.0]),
                (1, [0.0, 10.0, 100.0, 10.0]),
                (2, [0.0, 90.0, 100.0, 10.0]),
                (3, [0.0, 50.0, 100.0, 0.0]),
            ],
            "red",
        );
        let engine =
            layout("engine", &[(0, [0.0, 0.0, 103.0, 10.0]), (1, [50.0, 30.0, 100.0, 17.0])], "blue");
        let agreement = Agreement::new(&dom, &engine, &reference);
        assert_eq!((agreement.shown, agreement.shown_by_both), (3, 2));
        assert_eq!(agreement.width, Some(1.0));
        assert_eq!((agreement.x, agreement.height), (Some(0.5), Some(0.5)));
        assert_eq!(agreement.y, Some(0.5), "20 of 100 pixels are more than a tenth");
        assert_eq!(agreement.spearman_y, Some(1.0));
        let styles = agreement.styles.unwrap();
        assert_eq!(styles[Property::named("color").unwrap().index()], 0.0);
        assert_eq!(styles[Property::named("display").unwrap().index()], 1.0);
    }
}
