//! A page of the study as boxes: its text and its pictures, kept and not.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::systems::Labelled;
use crate::dom::{Limits, Tag};
use crate::extract::pictures::ImageModel;
use crate::index::NodeId;
use crate::label::LabelSet;
use crate::layout::{LayoutEngine, Rect};
use crate::page::Page;

/// A page as boxes, in pixels of its layout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoxedPage {
    /// The page.
    pub name: String,
    /// The page's width.
    pub width: f32,
    /// The height of what is shown.
    pub height: f32,
    /// Blocks of text, and whether each is kept.
    pub texts: Vec<(Rect, bool)>,
    /// Pictures: the box, whether it was taken, and whether it should be, if that is known.
    pub pictures: Vec<(Rect, bool, Option<bool>)>,
}

/// The longest part of a page that is drawn, in pixels.
const LONGEST: f32 = 6000.0;

impl Labelled {
    /// The page as boxes, with the images that a model takes; nothing if it cannot be laid out.
    pub(super) fn boxed(&self, engine: &dyn LayoutEngine, model: &ImageModel) -> Option<BoxedPage> {
        let Labelled { page, extraction, seen } = self;
        let dom = page.dom();
        let taken: BTreeSet<NodeId> =
            seen.images(model).images.iter().map(|image| image.picture.node).collect();
        let bytes = &page.source()?.bytes;
        let mut laid_out =
            Page::parse(page.id(), page.url().map(str::to_owned), bytes, None, &Limits::default()).ok()?;
        laid_out.lay_out(engine).ok()?;
        let layout = laid_out.layout(engine.id().name.as_str())?;
        let mut texts = Vec::new();
        let mut last = None;
        for id in dom.shown_texts() {
            let block = dom.ancestors(id).find(|&above| dom.tag(above).is_block());
            let Some(rect) = block.filter(|_| block != last).and_then(|block| layout.rect(block)) else {
                continue;
            };
            last = block;
            if rect.height < 400.0 {
                texts.push((rect, LabelSet::ARTICLE.contains(extraction.labels[id])));
            }
        }
        let pictures: Vec<(Rect, bool, Option<bool>)> = seen
            .pictures()
            .filter_map(|(picture, number)| {
                let right = number.and_then(|number| seen.gold.pictures[number].is_of_article);
                Some((layout.rect(picture.node)?, taken.contains(&picture.node), right))
            })
            .collect();
        let lowest = pictures.iter().map(|(rect, _, _)| rect.y + rect.height + 200.0).fold(600.0, f32::max);
        let width = layout.rect(dom.ids().find(|&id| dom.tag(id) == Tag::BODY)?)?.width;
        (width > 0.0).then(|| BoxedPage {
            name: page.id().to_owned(),
            width,
            height: lowest.min(LONGEST),
            texts,
            pictures,
        })
    }
}
