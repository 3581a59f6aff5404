//! Layout: where each element of a page stands on the screen, and its computed style, by one of several engines.
//!
//! A [`LayoutEngine`] takes a frozen [`Dom`] and gives a [`Layout`] for it: boxes and styles by [`NodeId`]. Engines differ,
//! so a layout names the one that made it, and models and results carry that name on.

#[cfg(feature = "blitz")]
pub mod blitz;
#[cfg(any(feature = "blitz", feature = "chromium"))]
pub mod cache;
#[cfg(feature = "chromium")]
pub mod chromium;
pub mod engines;
mod properties;

use serde::{Deserialize, Serialize};

use crate::dom::{Dom, NodeKind};
use crate::error::{Error, PageProblem, Result, did_you_mean};
use crate::index::{NodeId, NodeMap};

pub use engines::Engines;
pub use properties::{PROPERTIES, Property};

/// The names of the engines.
pub const ENGINES: [&str; 2] = ["blitz", "chromium"];
/// Whether there is an engine of this name.
///
/// # Errors
/// [`Error::Usage`] with the nearest name.
pub fn check_name(name: &str) -> Result<()> {
    match ENGINES.contains(&name) {
        true => Ok(()),
        false => Err(Error::usage(format!("unknown layout engine '{name}'"), did_you_mean(name, ENGINES))),
    }
}

/// The width of the window that pages are laid out for, in CSS pixels: that of the thesis (figure 3.13).
pub const VIEWPORT_WIDTH: u32 = 1366;
/// The height of that window in CSS pixels. Pages are laid out whole, however long; it matters to what is sized by the window.
pub const VIEWPORT_HEIGHT: u32 = 768;

/// The height in pixels at which the picture of a very long page ends.
pub const MAX_PICTURE_HEIGHT: u32 = 16_384;

/// A layout engine: lays out pages one at a time, from any thread.
pub trait LayoutEngine: Send + Sync {
    /// What makes the layouts.
    fn id(&self) -> &EngineId;

    /// Lays out a page.
    ///
    /// # Errors
    /// [`PageProblem`]: the engine crashed, hung or cannot take the page. The next page is not touched by that.
    fn layout(&self, page: &LayoutInput<'_>) -> Result<Layout, PageProblem>;

    /// Lays out a page and draws it.
    ///
    /// # Errors
    /// As [`LayoutEngine::layout`].
    fn picture(&self, page: &LayoutInput<'_>) -> Result<Picture, PageProblem>;
}

/// A page as it looks.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Boxes and styles of what is drawn. An engine may draw some boxes smaller than it lays them out.
    pub layout: Layout,
    /// The drawn page as PNG, a pixel for a CSS pixel, from the top left corner. It may end above the page's end, at
    /// [`MAX_PICTURE_HEIGHT`].
    pub png: Vec<u8>,
}

/// What is laid out.
#[derive(Debug, Clone, Copy)]
pub struct LayoutInput<'a> {
    /// The frozen tree: the layout's nodes are this tree's.
    pub dom: &'a Dom,
    /// The bytes that it was parsed from, if they were kept. An engine with a parser of its own takes them; without them it
    /// takes the tree written as HTML, which a parser may read otherwise on broken pages.
    pub bytes: Option<&'a [u8]>,
    /// The page's address, if known.
    pub url: Option<&'a str>,
}

/// Which engine in which version.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EngineId {
    /// The name used on the command line, in models and in results: `blitz` or `chromium`.
    pub name: String,
    /// The version of what computes boxes and styles.
    pub version: String,
}

impl std::fmt::Display for EngineId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

/// The border box of an element in CSS pixels, from the top left corner of the page.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Rect {
    /// From the left edge of the page. Negative where the element begins outside.
    pub x: f32,
    /// From the top of the page. Negative where the element begins outside.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

/// Boxes and computed styles of the elements of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    engine: EngineId,
    boxes: NodeMap<Option<Rect>>,
    /// Index in `styles` for each node; `NO_STYLE` for what is no element.
    style_of: NodeMap<u32>,
    /// Distinct rows of [`Property::COUNT`] values, one row after another, each value an index in `values`.
    styles: Vec<u32>,
    values: Vec<Box<str>>,
}

const NO_STYLE: u32 = u32::MAX;

impl Layout {
    /// What made it.
    pub fn engine(&self) -> &EngineId {
        &self.engine
    }

    /// The number of nodes of the tree that it belongs to.
    pub fn len(&self) -> usize {
        self.boxes.len()
    }

    /// Whether the tree has no nodes.
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// The border box of an element that has one; none for text, and for what is not rendered (`display: none`).
    pub fn rect(&self, id: NodeId) -> Option<Rect> {
        self.boxes[id]
    }

    /// The computed value of a property of an element, as `getComputedStyle` writes it: `rgb(0, 0, 0)`, `16px`, `400`.
    /// None for text, and for elements that the engine gives no style.
    pub fn style(&self, id: NodeId, property: Property) -> Option<&str> {
        let row = self.style_row(self.style_number(id)?);
        Some(&self.values[row[property.index()] as usize])
    }

    /// The number of an element's style: elements of the same number have the same values throughout.
    pub fn style_number(&self, id: NodeId) -> Option<u32> {
        Some(self.style_of[id]).filter(|&number| number != NO_STYLE)
    }

    /// The values of a style by its number, in the order of [`PROPERTIES`].
    ///
    /// # Panics
    /// If there is no such style.
    pub fn style_values(&self, number: u32) -> [&str; Property::COUNT] {
        let row = self.style_row(number);
        std::array::from_fn(|i| &*self.values[row[i] as usize])
    }

    fn style_row(&self, number: u32) -> &[u32] {
        &self.styles[number as usize * Property::COUNT..][..Property::COUNT]
    }

    /// Whether it fits a tree: a node for a node, boxes and styles for elements only, no number outside.
    ///
    /// # Errors
    /// [`PageProblem::Failed`] with what does not fit. A layout read from a file is checked so.
    pub fn check(&self, dom: &Dom) -> Result<(), PageProblem> {
        let fail = |what: &str| Err(PageProblem::Failed(format!("the layout does not fit the page: {what}")));
        if self.boxes.len() != dom.len() || self.style_of.len() != dom.len() {
            return fail("another number of nodes");
        }
        if !self.styles.len().is_multiple_of(Property::COUNT) {
            return fail("a style cut short");
        }
        let styles = self.styles.len() / Property::COUNT;
        for id in dom.ids() {
            let element = dom.kind(id) == NodeKind::Element;
            if !element && (self.boxes[id].is_some() || self.style_of[id] != NO_STYLE) {
                return fail("a box or a style of what is no element");
            }
            if self.style_number(id).is_some_and(|number| number as usize >= styles) {
                return fail("a style that is not there");
            }
        }
        if self.styles.iter().any(|&value| value as usize >= self.values.len()) {
            return fail("a value that is not there");
        }
        Ok(())
    }
}

/// Makes a [`Layout`] node by node; equal styles and values are kept once.
#[derive(Debug)]
pub struct LayoutBuilder {
    layout: Layout,
    known_styles: std::collections::HashMap<[u32; Property::COUNT], u32>,
    known_values: std::collections::HashMap<Box<str>, u32>,
}

impl LayoutBuilder {
    /// A layout of `nodes` nodes without boxes and styles.
    pub fn new(engine: EngineId, nodes: usize) -> Self {
        LayoutBuilder {
            layout: Layout {
                engine,
                boxes: NodeMap::filled(nodes, None),
                style_of: NodeMap::filled(nodes, NO_STYLE),
                styles: Vec::new(),
                values: Vec::new(),
            },
            known_styles: Default::default(),
            known_values: Default::default(),
        }
    }

    /// Gives an element its box, in hundredths of a pixel: finer differences are those of floating point. A box that is
    /// not a number anywhere is none.
    pub fn set_rect(&mut self, id: NodeId, rect: Rect) {
        let round = |x: f32| (x * 100.0).round() / 100.0;
        let rect =
            Rect { x: round(rect.x), y: round(rect.y), width: round(rect.width), height: round(rect.height) };
        let finite = [rect.x, rect.y, rect.width, rect.height].iter().all(|x| x.is_finite());
        self.layout.boxes[id] = finite.then_some(rect);
    }

    /// Gives an element its style, in the order of [`PROPERTIES`].
    pub fn set_style(&mut self, id: NodeId, values: [&str; Property::COUNT]) {
        let row = values.map(|value| match self.known_values.get(value) {
            Some(&index) => index,
            None => {
                let index = self.layout.values.len() as u32;
                self.layout.values.push(value.into());
                self.known_values.insert(value.into(), index);
                index
            }
        });
        let styles = &mut self.layout.styles;
        self.layout.style_of[id] = *self.known_styles.entry(row).or_insert_with(|| {
            styles.extend(row);
            (styles.len() / Property::COUNT - 1) as u32
        });
    }

    /// The layout.
    pub fn finish(self) -> Layout {
        self.layout
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;

    fn engine() -> EngineId {
        EngineId { name: "test".to_owned(), version: "1".to_owned() }
    }

    #[test]
    fn equal_styles_are_kept_once_and_boxes_are_rounded() {
        let dom = Dom::parse(b"<p>a<p>b", None, &Limits::default()).unwrap();
        let paragraphs: Vec<NodeId> = dom.ids().filter(|&id| dom.name(id) == "p").collect();
        let mut builder = LayoutBuilder::new(engine(), dom.len());
        let mut values = ["0px"; Property::COUNT];
        builder.set_style(paragraphs[0], values);
        builder.set_style(paragraphs[1], values);
        values[Property::named("color").unwrap().index()] = "rgb(0, 0, 0)";
        builder.set_style(NodeId(1), values);
        builder.set_rect(paragraphs[0], Rect { x: 8.004, y: 1.0, width: 3.0, height: 2.0 });
        builder.set_rect(paragraphs[1], Rect { x: f32::NAN, ..Rect::default() });
        let layout = builder.finish();
        layout.check(&dom).unwrap();
        assert_eq!(layout.style_number(paragraphs[0]), layout.style_number(paragraphs[1]));
        assert_eq!(layout.style(NodeId(1), Property::named("color").unwrap()), Some("rgb(0, 0, 0)"));
        assert_eq!(layout.style(paragraphs[0], Property::named("color").unwrap()), Some("0px"));
        assert_eq!(layout.rect(paragraphs[0]).unwrap().x, 8.0);
        assert_eq!(layout.rect(paragraphs[1]), None);
        let other = Dom::parse(b"<p>a<p>b<p>c", None, &Limits::default()).unwrap();
        assert!(layout.check(&other).is_err());
    }
}
