//! Boxes and computed styles of a frozen tree without a browser, by Blitz: styles by stylo, boxes by taffy, lines by parley.
//!
//! This crate knows nothing of Duramen: a [`Tree`] goes in, a [`Rendering`] comes out, node for node.
//!
//! ```
//! use duramen_layout_blitz::{Content, Node, Quirks, Tree, Viewport, render};
//!
//! let element = |name: &str| Content::Element { name: name.to_owned(), html: true, attributes: vec![] };
//! let contents = [Content::Document, element("html"), element("body"), element("p"), Content::Text("Oak".to_owned())];
//! let nodes = (0u32..).zip(contents).map(|(i, content)| Node { parent: i.saturating_sub(1), content }).collect();
//! let tree = Tree { quirks: Quirks::No, nodes };
//! let rendering = render(tree, Viewport::default(), &["color", "font-size"]).unwrap();
//! let [x, y, width, _] = rendering.boxes[3].unwrap();
//! assert_eq!((x, y, width), (8.0, 16.0, 1350.0));
//! assert_eq!(rendering.styles[rendering.style_of[3].unwrap() as usize], ["rgb(0, 0, 0)", "16px"]);
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod boxes;
mod css;
mod error;
mod fonts;
mod guard;
mod hints;
mod inlined;
mod metrics;
mod picture;
mod replaced;
mod replay;
mod replayed;
mod styles;
mod tree;

use replaced::Drawings;

pub use error::RenderError;
pub use tree::{Content, Node, Quirks, Rendering, Tree, Viewport};

/// Lays out a page.
///
/// `properties` are names of CSS properties; each distinct style of the rendering has their values in that order. Nothing
/// is fetched: remote sheets, images, fonts and frames are as if the network were down. The result depends on the tree,
/// the viewport and [`version`] alone.
///
/// # Errors
/// [`RenderError`]: a property that is not known, a tree that is none or too large, or a crash of the engine. There is no
/// limit of time: a caller who needs one runs this in a process that it can kill.
pub fn render(
    tree: Tree,
    viewport: Viewport,
    properties: &'static [&'static str],
) -> Result<Rendering, RenderError> {
    styles::check_properties(properties)?;
    replay::check(&tree)?;
    guard::run(move || {
        let replayed = replay::replay(&tree, viewport, Drawings::Filling);
        rendering(replayed, &tree, properties)
    })
}

/// Lays out a page and draws it: backgrounds, borders, lines of text, and crossed frames for images. One pixel is one CSS
/// pixel; the picture is as wide as the viewport and as high as the page, but not higher than `max_height`. It is PNG.
///
/// The boxes are those of what is drawn: drawings (`svg`) without a size of their own are as large as icons there, where [`render`]
/// has them as wide as what is around them.
///
/// # Errors
/// As [`render`], and [`RenderError::NoPicture`] if the picture cannot be written.
pub fn picture(
    tree: Tree,
    viewport: Viewport,
    properties: &'static [&'static str],
    max_height: u32,
) -> Result<(Rendering, Vec<u8>), RenderError> {
    styles::check_properties(properties)?;
    replay::check(&tree)?;
    guard::run(move || {
        let replayed = replay::replay(&tree, viewport, Drawings::Small);
        let png = picture::draw(&replayed.document, viewport, max_height);
        png.map(|png| (rendering(replayed, &tree, properties), png))
    })?
}

fn rendering(mut replayed: replayed::Replayed, tree: &Tree, properties: &[&str]) -> Rendering {
    let boxes = boxes::boxes(&replayed, tree);
    let (style_of, styles) = styles::styles(&mut replayed, tree, properties);
    Rendering { boxes, style_of, styles, notes: replayed.notes }
}

/// The version of what computes boxes and styles: that of blitz-dom, and after the plus sign this adapter's revision,
/// which is raised by one with every change that may move a box or change a value.
pub fn version() -> String {
    "0.3.0-beta.4+3".to_owned()
}
