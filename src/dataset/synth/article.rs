//! The article of a page: headline, by-line, full text, and what stands between the paragraphs.

use rand::RngExt as _;

use super::boilerplate::advert;
use super::desk::Desk;
use super::naming::Role;
use super::piece::{Element, Piece, el, text};
use super::site::{BodyStyle, Layout};
use super::speech::{Tone, pick};
use crate::label::Label;

/// Splits a passage into text, links and emphasis, at word boundaries.
fn inline(desk: &mut Desk, label: Label, passage: String) -> Vec<Piece> {
    let words: Vec<&str> = passage.split(' ').collect();
    if words.len() < 8 || !desk.chance(0.22) {
        return vec![text(label, passage)];
    }
    let start = desk.rng.random_range(2..words.len() - 4);
    let length = desk.rng.random_range(1..=4);
    let marked = words[start..start + length].join(" ");
    let middle = if desk.chance(0.7) {
        desk.link(label, marked)
    } else {
        el(pick(&mut desk.rng, &["b", "em", "i", "strong"])).text(label, marked)
    };
    vec![
        text(label, format!("{} ", words[..start].join(" "))),
        middle.into(),
        text(label, format!(" {}", words[start + length..].join(" "))),
    ]
}

/// The headline in the site's element.
pub(super) fn headline(desk: &Desk, title: &str) -> Piece {
    let headline = desk.site.part(desk.site.headline, Role::Headline);
    match desk.site.headline {
        "font" => headline.attr("size", "+2").with(el("b").text(Label::Headline, title)).into(),
        _ => headline.text(Label::Headline, title).into(),
    }
}

/// By-line and date, as one line or several elements.
pub(super) fn byline(desk: &mut Desk) -> Piece {
    let phrases = &desk.site.language.phrases;
    let author = format!("{} {}", phrases.by, desk.speech.person(&mut desk.rng));
    let date = desk.speech.date(&mut desk.rng);
    let tag =
        if desk.site.layout == Layout::Tables { "font" } else { pick(&mut desk.rng, &["div", "p", "div"]) };
    let line = desk.site.part(tag, Role::Byline);
    let label = Label::Supplemental;
    match desk.rng.random_range(0..4) {
        0 => line.text(label, format!("{author} | {date}")).into(),
        1 => line.text(label, date).into(),
        2 => {
            let updated = format!(" {}: {date}, {}", phrases.updated, desk.speech.time(&mut desk.rng));
            line.with(desk.link(label, author)).with(el("span").text(label, updated)).into()
        }
        _ => line.with(el("span").text(label, author)).with(text(label, format!(" – {date}"))).into(),
    }
}

/// The sentence under the headline that sums the article up.
pub(super) fn deck(desk: &mut Desk) -> Piece {
    let summary = desk.passage(Tone::Article, 1, 2);
    let tag = pick(&mut desk.rng, &["p", "h2", "div"]);
    desk.site.part(tag, Role::Deck).text(Label::Supplemental, summary).into()
}

/// A picture with its caption and credit.
pub(super) fn figure(desk: &mut Desk) -> Piece {
    let label = Label::Supplemental;
    let caption =
        if desk.chance(0.5) { desk.passage(Tone::Article, 1, 1) } else { desk.speech.title(&mut desk.rng) };
    let credit = format!("{}: {}", desk.site.language.phrases.photo, desk.speech.person(&mut desk.rng));
    let source = format!("/img/{}.jpg", desk.rng.random_range(100..9_999));
    let image = el("img").attr("src", source).attr("alt", "").attr("width", "300");
    let site = desk.site;
    if site.layout == Layout::Tables {
        let row = |cell: Element| el("tr").with(cell);
        let small = el("font").attr("size", "1").text(label, format!("{caption} ({credit})"));
        let rows = el("tbody").with(row(el("td").with(image))).with(row(el("td").with(small)));
        return el("table").attr("align", "right").attr("width", "200").with(rows).into();
    }
    let credit = el("small").text(label, format!(" {credit}"));
    let caption_tag = if site.semantic("figure") == "figure" { "figcaption" } else { "p" };
    let caption = site.part(caption_tag, Role::Caption).text(label, caption).with(credit);
    site.part(site.semantic("figure"), Role::Figure).with(image).with(caption).into()
}

/// A box of facts beside the text.
fn facts(desk: &mut Desk) -> Piece {
    let label = Label::Supplemental;
    let site = desk.site;
    let mut list = el("ul");
    for _ in 0..desk.rng.random_range(2..=5) {
        let fact = if desk.chance(0.6) {
            desk.speech.title(&mut desk.rng)
        } else {
            desk.passage(Tone::Article, 1, 1)
        };
        list = list.with(el("li").text(label, fact));
    }
    let title = el(pick(&mut desk.rng, &["h3", "h4", "strong"])).text(label, site.language.phrases.facts);
    site.part(site.semantic("aside"), Role::Facts).with(title).with(list).into()
}

/// A sentence of the text, repeated in large letters.
fn pull_quote(desk: &mut Desk) -> Piece {
    let quote = format!("„{}“", desk.speech.title(&mut desk.rng));
    let tag = pick(&mut desk.rng, &["blockquote", "div", "aside"]);
    desk.site.part(tag, Role::Quote).text(Label::Supplemental, quote).into()
}

/// A small table that belongs to the text.
fn figures(desk: &mut Desk) -> Piece {
    let label = Label::FullText;
    let mut body = el("tbody");
    for _ in 0..desk.rng.random_range(2..=5) {
        let number = desk.rng.random_range(1..10_000).to_string();
        let key = desk.speech.key_word(&mut desk.rng);
        body = body.with(el("tr").with(el("td").text(label, key)).with(el("td").text(label, number)));
    }
    el("table").attr("border", "1").with(body).into()
}

fn list(desk: &mut Desk) -> Piece {
    let mut list = el(pick(&mut desk.rng, &["ul", "ul", "ol"]));
    for _ in 0..desk.rng.random_range(2..=5) {
        let item = if desk.chance(0.5) {
            desk.speech.title(&mut desk.rng)
        } else {
            desk.passage(Tone::Article, 1, 1)
        };
        list = list.with(el("li").text(Label::FullText, item));
    }
    list.into()
}

fn subhead(desk: &mut Desk) -> Piece {
    let title = desk.speech.title(&mut desk.rng);
    let tag = match desk.site.body {
        BodyStyle::Breaks => "b",
        _ => pick(&mut desk.rng, &["h2", "h3", "h4", "p"]),
    };
    match tag {
        "p" => el("p").with(el("strong").text(Label::FullText, title)).into(),
        _ => el(tag).text(Label::FullText, title).into(),
    }
}

/// Links to articles on the same subject.
pub(super) fn related(desk: &mut Desk) -> Piece {
    let label = Label::RelatedContent;
    let site = desk.site;
    let title = el(pick(&mut desk.rng, &["h3", "h4", "b", "div"])).text(label, site.language.phrases.related);
    let with_summary = desk.chance(0.25);
    let mut list = el("ul");
    for _ in 0..desk.rng.random_range(2..=6) {
        let name = desk.speech.title(&mut desk.rng);
        let mut item = el("li").with(desk.link(label, name));
        if with_summary {
            item = item.with(el("p").text(label, desk.passage(Tone::Article, 1, 1)));
        } else if desk.chance(0.2) {
            item = item.with(text(label, format!(" ({})", desk.speech.date(&mut desk.rng))));
        }
        list = list.with(item);
    }
    site.part(site.semantic("aside"), Role::Related).with(title).with(list).into()
}

/// What may stand between two paragraphs.
fn insertion(desk: &mut Desk) -> Option<Piece> {
    match desk.rng.random_range(0..100) {
        0..7 => Some(subhead(desk)),
        7..11 => Some(figure(desk)),
        11..13 => Some(pull_quote(desk)),
        13..15 => Some(facts(desk)),
        15..20 => Some(advert(desk)),
        20..24 => Some(list(desk)),
        24..25 => Some(figures(desk)),
        25..27 if desk.site.related => Some(related(desk)),
        _ => None,
    }
}

/// The text of one paragraph: mostly a few sentences, sometimes a few words.
fn paragraph(desk: &mut Desk) -> Vec<Piece> {
    let passage = match desk.rng.random_range(0..10) {
        0 => desk.speech.title(&mut desk.rng),
        1 => desk.passage(Tone::Article, 1, 1),
        2..=5 => desk.passage(Tone::Article, 1, 3),
        _ => desk.passage(Tone::Article, 2, 5),
    };
    inline(desk, Label::FullText, passage)
}

/// The full text in the site's style, with insertions between its paragraphs.
pub(super) fn body(desk: &mut Desk, paragraphs: usize) -> Piece {
    let style = desk.site.body;
    let old = desk.site.layout == Layout::Tables && style == BodyStyle::Breaks;
    let tag = if old && desk.chance(0.5) { "span" } else { "div" };
    let mut body = desk.site.part(tag, Role::Body);
    if desk.chance(0.25) {
        let place = desk.speech.surname(&mut desk.rng).to_uppercase();
        body = body.with(el("b").text(Label::FullText, format!("{place} – ")));
    }
    for number in 0..paragraphs {
        let content = paragraph(desk);
        body = match style {
            BodyStyle::Paragraphs => body.with(el("p").with_all(content)),
            BodyStyle::Divisions => body.with(el("div").with_all(content)),
            BodyStyle::Breaks => body.with_all(content).with(el("br")).with(el("br")),
        };
        // Blocks do not stand within a line of text.
        if number + 1 < paragraphs
            && tag != "span"
            && let Some(piece) = insertion(desk)
        {
            body = body.with(piece);
            if style == BodyStyle::Breaks {
                body = body.with(el("br"));
            }
        }
    }
    body.into()
}
