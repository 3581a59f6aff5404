//! The templates: where a site puts its navigation, its columns, its article and its footer.

use rand::RngExt as _;

use super::article;
use super::boilerplate;
use super::comments;
use super::desk::Desk;
use super::naming::Role;
use super::piece::{Element, Piece, el, is_inline, text};
use super::site::Layout;
use super::speech::{Tone, pick};
use crate::label::Label;

/// The children of `<body>`.
pub(super) fn body(desk: &mut Desk, title: &str) -> Vec<Piece> {
    let mut before: Vec<Piece> = Vec::new();
    before.extend(boilerplate::consent(desk));
    let header = boilerplate::header(desk);
    let navigation = boilerplate::navigation(desk);
    let left = column(desk, desk.site.left_column, 1, 2);
    let main = match desk.site.layout {
        Layout::Forum => thread(desk, title),
        _ => article(desk, title),
    };
    let right = column(desk, desk.site.right_column, 1, 4);
    let footer = boilerplate::footer(desk);
    let slots = Slots { header, navigation, left, main, right, footer };
    before.extend(match desk.site.layout {
        Layout::Tables => tables(desk, slots),
        Layout::Semantic => semantic(desk, slots),
        Layout::Grid => grid(desk, slots),
        Layout::Managed => managed(desk, slots),
        Layout::Divisions | Layout::Blog | Layout::Forum => divisions(desk, slots),
    });
    before
}

/// The parts of a page before a template orders them.
struct Slots {
    header: Piece,
    navigation: Piece,
    left: Vec<Piece>,
    main: Vec<Piece>,
    right: Vec<Piece>,
    footer: Piece,
}

fn column(desk: &mut Desk, wanted: bool, least: usize, most: usize) -> Vec<Piece> {
    if !wanted {
        return Vec::new();
    }
    let boxes = desk.rng.random_range(least..=most);
    boilerplate::column(desk, boxes)
}

/// How long the article is: most are middling, some a few lines, some very long.
fn paragraphs(desk: &mut Desk) -> usize {
    match desk.rng.random_range(0..10) {
        0 | 1 => desk.rng.random_range(2..=5),
        2..=7 => desk.rng.random_range(7..=15),
        _ => desk.rng.random_range(16..=26),
    }
}

/// Adds a piece that is to stand on a line of its own.
fn line(parent: Element, piece: Piece) -> Element {
    match &piece {
        Piece::Element(element) if is_inline(element.tag) => parent.with(piece).with(el("br")),
        _ => parent.with(piece),
    }
}

fn article(desk: &mut Desk, title: &str) -> Vec<Piece> {
    let site = desk.site;
    let mut main = Vec::new();
    if site.breadcrumb {
        main.push(boilerplate::breadcrumb(desk, title));
    }
    let tag = if site.layout == Layout::Tables { "div" } else { site.semantic("article") };
    let mut story = site.part(tag, Role::Article);
    let byline_first = desk.chance(0.15);
    if byline_first {
        story = line(line(story, article::byline(desk)), article::headline(desk, title));
    } else {
        story = line(story, article::headline(desk, title));
        if site.deck {
            story = story.with(article::deck(desk));
        }
        story = line(story, article::byline(desk));
    }
    if site.share_above {
        story = story.with(boilerplate::share(desk));
    }
    if desk.chance(0.5) {
        story = story.with(article::figure(desk));
    }
    let length = paragraphs(desk);
    story = story.with(article::body(desk, length));
    if site.related && desk.chance(0.8) {
        story = story.with(article::related(desk));
    }
    if site.tags {
        story = story.with(boilerplate::tags(desk));
    }
    if !site.share_above {
        story = story.with(boilerplate::share(desk));
    }
    main.push(story.into());
    if site.comments {
        main.push(comments::section(desk));
    }
    if site.river {
        main.push(boilerplate::teasers(desk, site.language.phrases.more_news, true));
    }
    main
}

/// A forum thread: the opening post is the full text, the replies are comments.
fn thread(desk: &mut Desk, title: &str) -> Vec<Piece> {
    let mut main = vec![boilerplate::breadcrumb(desk, title), article::headline(desk, title)];
    let length = desk.rng.random_range(4..=12);
    let opening = article::body(desk, length);
    let first = comments::forum_row(desk, Label::Supplemental, vec![opening]);
    let rows = el("tbody").with(first).with_all(comments::forum_replies(desk));
    main.push(el("table").attr("width", "100%").attr("border", "1").with(rows).into());
    main
}

fn cell(width: &str, children: Vec<Piece>) -> Element {
    el("td").attr("width", width).attr("valign", "top").with_all(children)
}

fn tables(desk: &mut Desk, slots: Slots) -> Vec<Piece> {
    let frame =
        |row: Element| el("table").attr("width", "100%").attr("border", "0").with(el("tbody").with(row));
    let banner = boilerplate::advert(desk);
    let top = el("tr").with(cell("30%", vec![slots.header])).with(cell("70%", vec![banner]));
    let mut middle = el("tr");
    if !slots.left.is_empty() {
        middle = middle.with(cell("150", slots.left));
    }
    middle = middle.with(cell("500", slots.main));
    if !slots.right.is_empty() {
        middle = middle.with(cell("180", slots.right));
    }
    vec![
        frame(top).into(),
        slots.navigation,
        boilerplate::search(desk),
        frame(middle).into(),
        el("hr").into(),
        el("center").with(slots.footer).into(),
    ]
}

fn divisions(desk: &mut Desk, slots: Slots) -> Vec<Piece> {
    let site = desk.site;
    let mut page = site.part("div", Role::Page).with(slots.header);
    // Some sites give their links last in the source and move them up by style.
    let links_last = site.breadcrumb && !site.left_column;
    let navigation = el("div").with(slots.navigation).with(boilerplate::search(desk));
    let (above, below) = if links_last { (None, Some(navigation)) } else { (Some(navigation), None) };
    page = page.with_all(above.map(Piece::from));
    if !slots.left.is_empty() {
        page = page.with(el("div").attr("style", "float:left").with_all(slots.left));
    }
    page = page.with(site.part("div", Role::Content).with_all(slots.main));
    if !slots.right.is_empty() {
        page = page.with(site.part("div", Role::Sidebar).with_all(slots.right));
    }
    vec![page.with_all(below.map(Piece::from)).with(slots.footer).into()]
}

fn semantic(desk: &mut Desk, slots: Slots) -> Vec<Piece> {
    let site = desk.site;
    let main = site.part("main", Role::Content).with_all(slots.left).with_all(slots.main);
    let mut page = vec![slots.header, slots.navigation, main.into()];
    if !slots.right.is_empty() {
        page.push(site.part("aside", Role::Sidebar).with_all(slots.right).into());
    }
    page.push(slots.footer);
    page
}

fn grid(desk: &mut Desk, slots: Slots) -> Vec<Piece> {
    let site = desk.site;
    let mut row = el("div").attr("class", "row");
    let width = if slots.right.is_empty() { "col-md-12" } else { "col-md-8" };
    let mut main = el("div").attr("class", width);
    if desk.chance(0.5) {
        main = main.with(
            el("div")
                .attr("class", "alert alert-info")
                .text(Label::NotContent, desk.passage(Tone::Advert, 1, 2)),
        );
    }
    row = row.with(main.with_all(slots.main));
    if !slots.right.is_empty() {
        let cards = slots.right.into_iter().map(|card| el("div").attr("class", "card").with(card).into());
        row = row.with(el("div").attr("class", "col-md-4").with_all(cards));
    }
    let teasers = slots.left;
    let container = el("div").attr("class", "container").with(row).with_all(teasers);
    let top = el("div").attr("class", "navbar").with(slots.navigation).with(boilerplate::search(desk));
    vec![slots.header, top.into(), site.part("div", Role::Page).with(container).into(), slots.footer]
}

fn managed(desk: &mut Desk, slots: Slots) -> Vec<Piece> {
    let site = desk.site;
    // Every block stands in several divisions that only the system knows the reason of.
    let block = |number: u32, inside: Vec<Piece>| {
        let inner = el("div").attr("class", "content").with_all(inside);
        let id = format!("block-{number}");
        Piece::from(
            el("div")
                .attr("id", id)
                .attr("class", "block")
                .with(el("div").attr("class", "inner").with(inner)),
        )
    };
    let number = desk.rng.random_range(1..40);
    let tools = boilerplate::search(desk);
    let mut region = site.part("div", Role::Page);
    region =
        region.with(block(number, vec![slots.header])).with(block(number + 1, vec![slots.navigation, tools]));
    let mut columns = el("div").attr("class", "columns");
    for (place, slot) in [slots.left, slots.main, slots.right].into_iter().enumerate() {
        if !slot.is_empty() {
            let role = if place == 1 { Role::Content } else { Role::Sidebar };
            columns = columns.with(site.part("div", role).with(block(number + 2 + place as u32, slot)));
        }
    }
    let note = pick(&mut desk.rng, &["", "© ", "» "]);
    let last = text(Label::NotContent, format!("{note}{}", site.name));
    vec![region.with(columns).with(block(number + 9, vec![slots.footer, last])).into()]
}
