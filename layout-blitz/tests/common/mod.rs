//! Builds pages for the tests without a parser.
#![allow(dead_code)]

use duramen_layout_blitz::{Content, Node, Quirks, Rendering, Tree, Viewport, render};

/// An element or a text, with what is in it.
pub enum Item {
    Element(&'static str, Vec<(&'static str, String)>, Vec<Item>),
    Text(String),
}

/// An element: its attributes as `id=x class=y`, split at spaces, or one attribute with spaces after `style=`.
pub fn el(name: &'static str, attributes: &[(&'static str, &str)], children: Vec<Item>) -> Item {
    Item::Element(name, attributes.iter().map(|&(name, value)| (name, value.to_owned())).collect(), children)
}

pub fn text(text: &str) -> Item {
    Item::Text(text.to_owned())
}

/// A `div` with an id and a style.
pub fn div(id: &str, style: &str, children: Vec<Item>) -> Item {
    el("div", &[("id", id), ("style", style)], children)
}

/// A page with a style sheet.
pub fn page(quirks: Quirks, css: &str, body: Vec<Item>) -> Tree {
    let head = el("head", &[], vec![el("style", &[], vec![text(css)])]);
    let html = el("html", &[], vec![head, el("body", &[("id", "body")], body)]);
    let mut tree = Tree { quirks, nodes: vec![Node { parent: 0, content: Content::Document }] };
    add(&mut tree, 0, html);
    tree
}

fn add(tree: &mut Tree, parent: u32, item: Item) {
    let index = tree.nodes.len() as u32;
    match item {
        Item::Text(text) => tree.nodes.push(Node { parent, content: Content::Text(text) }),
        Item::Element(name, attributes, children) => {
            let attributes = attributes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            let content = Content::Element { name: name.to_owned(), html: true, attributes };
            tree.nodes.push(Node { parent, content });
            children.into_iter().for_each(|child| add(tree, index, child));
        }
    }
}

/// A tree of elements given one after another with their parents' indices; the body is node 2.
pub struct Flat(pub Tree);

impl Flat {
    pub fn new(css: &str) -> Flat {
        let mut flat =
            Flat(Tree { quirks: Quirks::No, nodes: vec![Node { parent: 0, content: Content::Document }] });
        flat.element(0, "html", &[]);
        flat.element(1, "body", &[]);
        let style = flat.element(2, "style", &[]);
        flat.text(style, css);
        flat
    }

    pub fn element(&mut self, parent: u32, name: &str, attributes: &[(&str, &str)]) -> u32 {
        let attributes =
            attributes.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        self.0.nodes.push(Node {
            parent,
            content: Content::Element { name: name.to_owned(), html: true, attributes },
        });
        self.0.nodes.len() as u32 - 1
    }

    pub fn text(&mut self, parent: u32, text: &str) {
        self.0.nodes.push(Node { parent, content: Content::Text(text.to_owned()) });
    }
}

/// A laid out page that is asked by id.
pub struct Laid {
    pub tree: Tree,
    pub rendering: Rendering,
    pub properties: Vec<&'static str>,
}

pub fn lay_out(tree: Tree, properties: &'static [&'static str]) -> Laid {
    let rendering = render(tree.clone(), Viewport { width: 1000, height: 800 }, properties).unwrap();
    Laid { tree, rendering, properties: properties.to_vec() }
}

impl Laid {
    pub fn index(&self, id: &str) -> usize {
        let has_id = |content: &Content| match content {
            Content::Element { attributes, .. } => {
                attributes.iter().any(|(name, value)| name == "id" && value == id)
            }
            _ => false,
        };
        self.tree.nodes.iter().position(|node| has_id(&node.content)).expect(id)
    }

    /// Left, top, width and height in whole pixels.
    pub fn rect(&self, id: &str) -> [i32; 4] {
        self.rendering.boxes[self.index(id)].expect(id).map(|x| x.round() as i32)
    }

    pub fn has_box(&self, id: &str) -> bool {
        self.rendering.boxes[self.index(id)].is_some()
    }

    pub fn style(&self, id: &str, property: &str) -> &str {
        let column = self.properties.iter().position(|&name| name == property).expect(property);
        let number = self.rendering.style_of[self.index(id)].expect(id);
        &self.rendering.styles[number as usize][column]
    }
}
