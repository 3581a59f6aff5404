//! Makes a Blitz document of a [`Tree`], node for node, and resolves its styles and its layout.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use blitz_dom::node::Attribute;
use blitz_dom::{
    BaseDocument, DEFAULT_CSS, DocumentConfig, LocalName, NodeId, QualName, UserAgentStylesheet, ns,
};
use blitz_traits::shell::{ColorScheme, Viewport as Window};

use style::stylesheets::Origin;

use crate::error::RenderError;
use crate::hints::{self, Hints};
use crate::replaced::Drawings;
use crate::replayed::Replayed;
use crate::tree::{Content, Quirks, Tree, Viewport};
use crate::{css, fonts, replaced};

/// The most nodes that are taken.
const MAX_NODES: usize = 1_000_000;

/// The deepest that nodes are nested, as in Chromium's parser. What is deeper hangs on the ancestor at that depth.
const MAX_DEPTH: u32 = 512;

/// The most elements of one id that keep it.
const MAX_SAME_ID: u32 = 1000;

/// Whether the nodes are a tree in document order, and not too many.
pub(crate) fn check(tree: &Tree) -> Result<(), RenderError> {
    if tree.nodes.len() > MAX_NODES {
        return Err(RenderError::TooManyNodes { nodes: tree.nodes.len(), limit: MAX_NODES });
    }
    if tree.nodes.is_empty() {
        return Err(RenderError::NotATree("there is no node".to_owned()));
    }
    let fail = |i: usize, why: &str| Err(RenderError::NotATree(format!("node {i} {why}")));
    for (i, node) in tree.nodes.iter().enumerate() {
        let is_document = matches!(node.content, Content::Document);
        if is_document != (i == 0) {
            return fail(i, if i == 0 { "is not the document" } else { "is a second document" });
        }
        if i > 0 && node.parent as usize >= i {
            return fail(i, "stands before its parent");
        }
        if i > 0 && matches!(tree.nodes[node.parent as usize].content, Content::Text(_)) {
            return fail(i, "is a child of text");
        }
    }
    Ok(())
}

/// Replays a checked tree and lays it out.
pub(crate) fn replay(tree: &Tree, viewport: Viewport, drawings: Drawings) -> Replayed {
    let config = DocumentConfig {
        viewport: Some(Window::new(viewport.width, viewport.height, 1.0, ColorScheme::Light)),
        font_ctx: Some(fonts::context()),
        ua_stylesheets: defaults(tree.quirks),
        base_url: Some(css::BASE_URL.to_owned()),
        ..DocumentConfig::default()
    };
    let mut document = BaseDocument::new(config);
    let mut notes = Vec::new();
    let hints = hints::hints(tree);
    let ids = build(&mut document, tree, &hints);
    css::add_sheets(&mut document, tree, &ids, &mut notes);
    let sheet = css::sheet(&document, Quirks::No, &hints.sheet, "", Origin::User);
    let holder =
        document.mutate().create_element(QualName::new(None, ns!(html), LocalName::from("style")), vec![]);
    document.add_stylesheet_for_node(sheet, holder);
    replaced::size_images(&mut document, tree, &ids, drawings);
    document.resolve(0.0);
    Replayed { document, ids, notes }
}

/// The sheets of the browser itself.
fn defaults(quirks: Quirks) -> Vec<UserAgentStylesheet> {
    static STANDARD: LazyLock<[UserAgentStylesheet; 3]> = LazyLock::new(|| {
        // Important declarations of the browser could not be overridden to see the styles of what is hidden.
        let blitz = DEFAULT_CSS.replace("!important", "").replace("! important", "");
        [&blitz, include_str!("chromium.css"), include_str!("quirks.css")].map(UserAgentStylesheet::parse)
    });
    let count = if quirks == Quirks::Full { 3 } else { 2 };
    STANDARD[..count].to_vec()
}

/// Builds the tree aside and hangs it on the document at the end, so that the engine processes it once.
fn build(document: &mut BaseDocument, tree: &Tree, hints: &Hints) -> Vec<NodeId> {
    let root = document.root_node().id;
    let mut ids = Vec::with_capacity(tree.nodes.len());
    let mut depths: Vec<u32> = Vec::with_capacity(tree.nodes.len());
    // The node that stands in as a parent of each node's children.
    let mut hosts: Vec<u32> = Vec::with_capacity(tree.nodes.len());
    let mut children: Vec<Vec<NodeId>> = vec![Vec::new(); tree.nodes.len()];
    let repeated = repeated_ids(tree);
    for (i, node) in tree.nodes.iter().enumerate() {
        let parent = if i == 0 { 0 } else { hosts[node.parent as usize] };
        let id = match &node.content {
            Content::Document => root,
            Content::Text(text) => document.create_text_node(text),
            content => {
                element(document, content, tree.quirks, hints.number_of.get(&i), repeated.contains(&i))
            }
        };
        let depth = if i == 0 { 0 } else { depths[parent as usize] + 1 };
        hosts.push(if depth >= MAX_DEPTH { parent } else { i as u32 });
        depths.push(depth);
        // The text of style sheets stays outside, as they are parsed here and not by Blitz.
        if i > 0 && !is_style(&tree.nodes[parent as usize].content) {
            children[parent as usize].push(id);
        }
        ids.push(id);
    }
    let mut mutator = document.mutate();
    for (&id, children) in ids.iter().zip(&children).rev() {
        if !children.is_empty() {
            mutator.append_children(id, children);
        }
    }
    ids
}

/// How many columns or rows a cell or a column spans: at most a hundred, as Blitz counts columns in 16 bits and lays out
/// each of them. Pages that mean more do so to span all that there are.
fn span(value: &str) -> u32 {
    let value = value.trim();
    let end = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
    value[..end.min(8)].parse().unwrap_or(1).clamp(1, 100)
}

fn is_style(content: &Content) -> bool {
    matches!(content, Content::Element { name, .. } if name == "style")
}

/// The elements whose id many before them have already: Blitz keeps the elements of an id in a list that it searches.
fn repeated_ids(tree: &Tree) -> HashSet<usize> {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    let mut repeated = HashSet::new();
    for (i, node) in tree.nodes.iter().enumerate() {
        if let Some(id) = css::attribute(&node.content, "id") {
            let count = counts.entry(id).or_default();
            *count += 1;
            if *count > MAX_SAME_ID {
                repeated.insert(i);
            }
        }
    }
    repeated
}

fn element(
    document: &mut BaseDocument,
    content: &Content,
    quirks: Quirks,
    hint: Option<&usize>,
    repeated: bool,
) -> NodeId {
    let Content::Element { name, html, attributes } = content else { return document.root_node().id };
    let mut kept: Vec<Attribute> = Vec::with_capacity(attributes.len() + 1);
    let mut put = |name: &str, value: &str| {
        kept.push(Attribute {
            name: QualName::new(None, ns!(), LocalName::from(name)),
            value: value.to_owned(),
        });
    };
    for (attribute, value) in attributes {
        match attribute.as_str() {
            // What names something to fetch stays, since selectors ask for it, but is empty.
            "src" | "srcset" | "poster" | "data" => put(attribute, ""),
            "href" if name == "link" => put(attribute, ""),
            "id" if repeated => (),
            "colspan" | "rowspan" | "span" => put(attribute, &span(value).to_string()),
            // A page of its own.
            "srcdoc" => (),
            // Blitz takes it for an alignment of text on any element; see the hints.
            "align" => (),
            _ => put(attribute, value),
        }
    }
    if let Some(number) = hint {
        put(hints::MARK, &number.to_string());
    }
    let namespace = if *html { ns!(html) } else { ns!(svg) };
    let name = QualName::new(None, namespace, LocalName::from(name.as_str()));
    let id = document.mutate().create_element(name, kept);
    if quirks == Quirks::Full
        && let Some(style) = css::attribute(content, "style")
    {
        css::set_style(document, id, quirks, style);
    }
    id
}
