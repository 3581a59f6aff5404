//! `DomWalk`, what one walk over the DOM of a page finds: what its elements are called, what stands around each node, and what
//! speaks of the page as a whole.

use super::class_hints::is_unlikely;
use super::class_names::{ClassNames, Names};
use super::elements::{Elements, PageElements};
use super::linked_data::is_linked_data;
use super::paths::{hides_by_style, part, part_of, part_of_role, region_of};
use crate::dom::{NodeKind, Tag};
use crate::index::NodeId;
use crate::page::Page;
use crate::view::{NONE, PageView};

/// What stands around a node of the DOM, itself included.
#[derive(Debug, Clone, Copy, Default)]
pub struct Around {
    /// The parts of a page that the node is or is inside of, by bit.
    pub parts: u16,
    /// Elements around the node.
    pub depth: u16,
    /// The number from 1 of the nearest part.
    pub nearest: u8,
    /// Whether attributes hide it (1), and whether it is for browsers without scripts (2).
    pub hidden: u8,
    /// The [hint](super::class_hints::HINTS) of the nearest name.
    pub hint: u8,
    /// The hint of its own names.
    pub own_hint: u8,
    /// The nearest [region](super::paths::REGIONS).
    pub region: u8,
    /// Elements up to the nearest whose name speaks of something else than content, that included; 0 for none.
    pub unlikely_levels: u16,
    /// Elements named after readers' comments.
    pub comments: Area,
}

/// The elements around a node that have certain names.
#[derive(Debug, Clone, Copy)]
pub struct Area {
    /// Elements up to the nearest, that included; 0 for none.
    pub levels: u32,
    /// The outermost, or [`NONE`].
    pub outermost: u32,
}

impl Default for Area {
    fn default() -> Self {
        Area { levels: 0, outermost: NONE }
    }
}

impl Area {
    /// That of a child, which may be named so itself.
    fn below(self, id: NodeId, is_named: bool) -> Area {
        match is_named {
            true if self.outermost == NONE => Area { levels: 1, outermost: id.0 },
            true => Area { levels: 1, ..self },
            false => Area { levels: self.levels + u32::from(self.levels > 0), ..self },
        }
    }
}

/// What the walk finds.
pub struct DomWalk<'a> {
    /// The names of elements.
    pub names: ClassNames<'a>,
    /// For each node of the DOM.
    pub around: Vec<Around>,
    pub elements: PageElements,
    /// For each text of the view whether it is in a link, and whether in a control.
    pub texts: Vec<[bool; 2]>,
    /// What may speak of the page as a whole: html, body, title, meta, link and scripts of JSON-LD.
    pub head: Vec<NodeId>,
    /// Elements that are named after comments.
    pub comment_areas: u32,
    pub articles: u32,
    pub has_main: bool,
    pub h1: u32,
    pub tables: u32,
    pub pre: u32,
}

/// What an attribute says of an element, by its name.
#[derive(Clone, Copy)]
enum Says {
    Nothing,
    /// Its class or id.
    Class,
    /// Another name.
    Name,
    Role,
    Modal,
    Hidden,
    AriaHidden,
    Style,
    Address,
}

impl Says {
    fn of(name: &str) -> Says {
        match name {
            "id" | "class" => Says::Class,
            "itemprop" | "itemtype" | "data-testid" | "data-component" => Says::Name,
            "role" => Says::Role,
            "aria-modal" => Says::Modal,
            "hidden" => Says::Hidden,
            "aria-hidden" => Says::AriaHidden,
            "style" => Says::Style,
            "href" => Says::Address,
            _ => Says::Nothing,
        }
    }
}

impl<'a> DomWalk<'a> {
    /// Walks over a page. A parent comes before its children. Linear in the DOM and its attributes.
    pub fn new(page: &'a Page, view: &PageView) -> Self {
        let dom = page.dom();
        let says: Vec<Says> = dom.attribute_names().map(Says::of).collect();
        let mut walk = DomWalk {
            names: ClassNames::new(dom.len()),
            around: Vec::with_capacity(dom.len()),
            elements: PageElements::new(dom.len()),
            texts: Vec::with_capacity(view.texts.len()),
            head: Vec::new(),
            comment_areas: 0,
            articles: 0,
            has_main: false,
            h1: 0,
            tables: 0,
            pre: 0,
        };
        let mut sum = Elements::default();
        // Where the link entered last ends, and the last control.
        let (mut link_end, mut control_end) = (NodeId::ROOT, NodeId::ROOT);
        for id in dom.ids() {
            let mut own = match dom.parent(id) {
                Some(parent) => walk.around[parent.index()],
                None => Around::default(),
            };
            own.depth = own.depth.saturating_add(u16::from(id != NodeId::ROOT));
            let mut names = Names::default();
            match dom.kind(id) {
                NodeKind::Text if view.texts.get(walk.texts.len()) == Some(&id) => {
                    walk.texts.push([id < link_end, id < control_end]);
                }
                NodeKind::Element => {
                    let tag = dom.tag(id);
                    sum.add(tag);
                    walk.count(tag);
                    let (mut parts, mut is_link) = (part_of(tag), false);
                    own.hidden |= if tag == Tag::NOSCRIPT { 2 } else { 0 };
                    own.region = region_of(tag).unwrap_or(own.region);
                    for (name, value) in dom.numbered_attributes(id) {
                        match says[name as usize] {
                            Says::Nothing => {}
                            Says::Class => names.add(walk.names.add(value)),
                            Says::Name => _ = walk.names.add(value),
                            Says::Role => {
                                parts |= part_of_role(value);
                                walk.has_main |= value == "main";
                                walk.names.add(value);
                            }
                            Says::Modal => parts |= part!("dialog"),
                            Says::Hidden => own.hidden |= 1,
                            Says::AriaHidden => own.hidden |= u8::from(value == "true"),
                            Says::Style => own.hidden |= u8::from(hides_by_style(value)),
                            Says::Address => is_link = tag == Tag::A,
                        }
                    }
                    if parts != 0 {
                        own.parts |= parts;
                        own.nearest = parts.trailing_zeros() as u8 + 1;
                    }
                    if is_link {
                        link_end = dom.subtree_end(id);
                    }
                    match tag {
                        Tag::BUTTON | Tag::LABEL | Tag::OPTION | Tag::SELECT => {
                            control_end = control_end.max(dom.subtree_end(id));
                        }
                        Tag::HTML | Tag::BODY => {
                            // What is named so as a whole is not where readers write.
                            names.comments = false;
                            walk.head.push(id);
                        }
                        Tag::TITLE | Tag::META | Tag::LINK => walk.head.push(id),
                        Tag::SCRIPT if is_linked_data(dom, id) => walk.head.push(id),
                        _ => {}
                    }
                }
                _ => {}
            }
            walk.comment_areas += u32::from(names.comments);
            own.own_hint = names.hint;
            own.hint = if names.hint > 0 { names.hint } else { own.hint };
            own.unlikely_levels = match own.unlikely_levels {
                _ if is_unlikely(names.hint) && !matches!(dom.tag(id), Tag::HTML | Tag::BODY) => 1,
                0 => 0,
                levels => levels.saturating_add(1),
            };
            own.comments = own.comments.below(id, names.comments);
            walk.around.push(own);
            walk.elements.push(sum);
            walk.names.end_node();
        }
        walk
    }

    fn count(&mut self, tag: Tag) {
        match tag {
            Tag::ARTICLE => self.articles += 1,
            Tag::MAIN => self.has_main = true,
            Tag::H1 => self.h1 += 1,
            Tag::TABLE => self.tables += 1,
            Tag::PRE => self.pre += 1,
            _ => {}
        }
    }
}
