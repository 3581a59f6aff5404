//! Gold labels have no way into what a model sees: features and extractions are functions of the original page.

use duramen::dataset::synth::{SynthConfig, generate};
use duramen::dataset::transfer::transfer_labels;
use duramen::dom::{Limits, NodeKind};
use duramen::error::PageProblem;
use duramen::extract::Extractor;
use duramen::extract::hmt::{Hmt, Inference};
use duramen::extract::registry::{self, Parameters};
use duramen::features::catalogue;
use duramen::features::{FeatureMatrix, FeatureSpec};
use duramen::inference::GibbsConfig;
use duramen::layout::{EngineId, Layout, LayoutBuilder, LayoutEngine, LayoutInput, Picture, Rect};
use duramen::model::{Model, ModelConfig, Observation};
use duramen::page::Page;
use duramen::view::{PageView, View};

fn page(html: &[u8]) -> Page {
    Page::parse("page", None, html, None, &Limits::default()).unwrap()
}

/// A layout engine that gives every element one box.
struct Blank(EngineId);

impl Blank {
    fn new() -> Blank {
        Blank(EngineId { name: "blank".to_owned(), version: "1".to_owned() })
    }
}

impl LayoutEngine for Blank {
    fn id(&self) -> &EngineId {
        &self.0
    }

    fn layout(&self, page: &LayoutInput<'_>) -> Result<Layout, PageProblem> {
        let mut builder = LayoutBuilder::new(self.0.clone(), page.dom.len());
        for id in page.dom.ids().filter(|&id| page.dom.kind(id) == NodeKind::Element) {
            builder.set_rect(id, Rect { x: 1.0, y: 2.0, width: 3.0, height: 4.0 });
        }
        Ok(builder.finish())
    }

    fn picture(&self, _page: &LayoutInput<'_>) -> Result<Picture, PageProblem> {
        Err(PageProblem::Failed("draws nothing".to_owned()))
    }
}

#[test]
fn what_a_model_observes_is_made_of_a_page_alone() {
    // These compile as long as no gold is among the arguments.
    let _: fn(&Model, &Page) -> Result<Observation, PageProblem> = Model::observation;
    type Computed = fn(&Page, &PageView, &[&'static FeatureSpec], Option<&Layout>) -> FeatureMatrix;
    let _: Computed = FeatureMatrix::new;
    // A layout is made of the tree, the bytes it was parsed from and its address.
    let _: fn(&Blank, &LayoutInput<'_>) -> Result<Layout, PageProblem> = Blank::layout;
    type Extracted = Result<duramen::extract::Extraction, duramen::extract::ExtractError>;
    let _: fn(&Hmt, &[&Page]) -> Vec<Extracted> = <Hmt as Extractor>::extract_site;
}

#[test]
fn features_are_the_same_whether_or_not_labels_were_moved_to_the_page() {
    let all: Vec<&'static FeatureSpec> = catalogue::all().filter(|feature| !feature.needs_score).collect();
    for synth in generate(&SynthConfig { sites: 7, pages_per_site: 1, ..SynthConfig::default() }).unwrap() {
        let (untouched, labelled) = (page(&synth.original), page(&synth.original));
        assert!(
            transfer_labels(labelled.dom(), &synth.annotated).unwrap().gold.total()[1..].iter().sum::<u64>()
                > 0
        );
        assert_eq!(untouched.dom().digest(), labelled.dom().digest());
        for view in [View::Dom, View::Blocks] {
            let features = |page: &Page| {
                let view = PageView::new(page, view);
                let layout = Blank::new().layout(&page.layout_input()).unwrap();
                format!("{:?}", FeatureMatrix::new(page, &view, &all, Some(&layout)))
            };
            assert_eq!(features(&untouched), features(&labelled), "{}", synth.id);
        }
    }
}

#[test]
fn extractions_are_the_same_whether_or_not_labels_were_moved_to_the_page() {
    let pages = generate(&SynthConfig { sites: 7, pages_per_site: 1, ..SynthConfig::default() }).unwrap();
    let mut extractors: Vec<Box<dyn Extractor>> =
        registry::list().map(|info| registry::build(info.id, &Parameters::new()).unwrap()).collect();
    // A model that was trained on these very labels, which is where they could come from.
    for config in [ModelConfig::thesis(), ModelConfig::blocks()] {
        let mut model = Model::new(config).unwrap();
        for synth in &pages {
            let page = page(&synth.original);
            let gold = transfer_labels(page.dom(), &synth.annotated).unwrap().gold;
            model.observe(&page, |id| gold.counts(id), "synth").unwrap();
        }
        let gibbs = Inference::Gibbs(GibbsConfig { sweeps: 3, burn_in: 1, ..GibbsConfig::default() });
        extractors.push(Box::new(Hmt::new("gibbs", model.clone(), gibbs).unwrap()));
        extractors.push(Box::new(Hmt::new("exact", model, Inference::Exact).unwrap()));
    }
    for synth in &pages {
        let (untouched, labelled) = (page(&synth.original), page(&synth.original));
        transfer_labels(labelled.dom(), &synth.annotated).unwrap();
        let (untouched, labelled) = ([&untouched], [&labelled]);
        for extractor in &extractors {
            let same = extractor.extract_site(&untouched) == extractor.extract_site(&labelled);
            assert!(same, "{} on {}", extractor.id(), synth.id);
        }
    }
}
