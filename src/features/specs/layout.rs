//! The page as it looks: offsets and sizes of boxes, in whole pixels (the thesis's features 12-15).

use crate::dom::NodeKind;
use crate::features::bins::Bins;
use crate::features::measures::Measures;
use crate::features::spec::{FeatureSpec, count, family};
use crate::layout::Rect;

/// Bins of lengths on the screen, finest where columns differ; what has no box has length 0.
const PIXELS: Bins = Bins::new(&[
    0, 1, 20, 40, 80, 120, 160, 200, 250, 300, 350, 400, 500, 600, 700, 800, 900, 1000, 1200, 1400, 2000,
    3000, 5000, 10_000,
]);

family! {
    |m| {}
    |v| {
        let rect = rect(m, v);
    }
    visual("top-offset", "offset from the top of the page", 12) => pixels(rect.y),
    visual("left-offset", "offset from the left edge of the page", 13) => pixels(rect.x),
    visual("width", "width on the screen", 14) => pixels(rect.width),
    visual("height", "height on the screen", 15) => pixels(rect.height),
}

/// A feature of the page as it looks, with its number in the thesis.
const fn visual(id: &'static str, name: &'static str, thesis: u8) -> FeatureSpec {
    FeatureSpec { needs_layout: true, ..count(id, name, "px", PIXELS).of_thesis(thesis) }
}

/// The box of a node: an element's own, a text's that of the element it stands in. What is not rendered has an empty
/// box at the origin.
fn rect(measures: &Measures<'_>, v: u32) -> Rect {
    let layout = measures.layout.expect("a feature of the layout is computed with a layout");
    let dom = measures.base.page.dom();
    let node = measures.base.view.nodes[v as usize].node;
    let element = match dom.kind(node) {
        NodeKind::Text => dom.parent(node).unwrap_or(node),
        _ => node,
    };
    layout.rect(element).unwrap_or_default()
}

/// What begins outside the page, left or above, begins at its edge.
fn pixels(length: f32) -> u32 {
    length.round().max(0.0) as u32
}

#[cfg(test)]
mod tests {
    use crate::dom::Limits;
    use crate::features::{Column, FeatureMatrix, catalogue};
    use crate::layout::{EngineId, LayoutBuilder, Rect};
    use crate::page::Page;
    use crate::view::{PageView, View};

    #[test]
    fn text_has_the_box_of_its_element_and_what_is_not_rendered_has_none() {
        let page = Page::parse("test", None, b"<p>a<b>c</b></p>", None, &Limits::default()).unwrap();
        let dom = page.dom();
        let engine = EngineId { name: "test".to_owned(), version: "1".to_owned() };
        let mut builder = LayoutBuilder::new(engine, dom.len());
        let p = dom.ids().find(|&id| dom.name(id) == "p").unwrap();
        builder.set_rect(p, Rect { x: -3.0, y: 16.4, width: 1350.0, height: 20.5 });
        let layout = builder.finish();
        let view = PageView::new(&page, View::Dom);
        let specs = ["top-offset", "left-offset", "width", "height"].map(|id| catalogue::find(id).unwrap());
        let features = FeatureMatrix::new(&page, &view, &specs, Some(&layout));
        let values: Vec<Vec<u32>> = features
            .columns
            .iter()
            .map(|column| match column {
                Column::Values(values) => values.clone(),
                _ => unreachable!("all four are counts"),
            })
            .collect();
        // html, head, body, p, its text, b, its text
        assert_eq!(values[0], [0, 0, 0, 16, 16, 0, 0]);
        assert_eq!(values[1], [0; 7]);
        assert_eq!(values[2], [0, 0, 0, 1350, 1350, 0, 0]);
        assert_eq!(values[3], [0, 0, 0, 21, 21, 0, 0]);
    }
}
