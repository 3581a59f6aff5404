//! What surrounds an article and is no content: navigation, search, advertising, teasers, notices, footers.

use rand::RngExt as _;

use super::desk::Desk;
use super::naming::Role;
use super::piece::{Element, Piece, el, text};
use super::site::Layout;
use super::speech::{Tone, pick};
use crate::label::Label;

const NOT: Label = Label::NotContent;

/// An advertisement: a picture, a line of text, or a small text that reads like an article.
pub(super) fn advert(desk: &mut Desk) -> Piece {
    let site = desk.site;
    let frame = site.part("div", Role::Advert);
    let image =
        el("img").attr("src", format!("/banner/{}.gif", desk.rng.random_range(1..500))).attr("alt", "");
    match desk.rng.random_range(0..4) {
        0 => frame
            .with(el("small").text(NOT, site.language.phrases.advertisement))
            .with(el("a").attr("href", "/click").with(image))
            .into(),
        1 => frame
            .with(Piece::Code("script", format!("show_ad({});", desk.rng.random_range(1..99))))
            .with(no_script(desk))
            .into(),
        2 => {
            let claim = desk.speech.title(&mut desk.rng);
            frame
                .with(desk.link(NOT, claim))
                .with(el("br"))
                .with(text(NOT, desk.passage(Tone::Advert, 1, 1)))
                .into()
        }
        _ => {
            let copy = desk.passage(Tone::Advert, 1, 2);
            let more = desk.link(NOT, site.language.phrases.read_more);
            frame.with(el("p").text(NOT, copy)).with(more).into()
        }
    }
}

fn no_script(desk: &Desk) -> Piece {
    // Without a block inside, which would end an open paragraph and with it the noscript element.
    el("noscript").text(NOT, desk.site.language.phrases.scripts_off).into()
}

/// Logo, slogan and the links on top.
pub(super) fn header(desk: &mut Desk) -> Piece {
    let site = desk.site;
    let logo = el(pick(&mut desk.rng, &["div", "h1", "p"]))
        .with(el("a").attr("href", "/").text(NOT, site.name.as_str()));
    let mut header = site.part(site.semantic("header"), Role::Header).with(logo);
    if desk.chance(0.5) {
        header = header.with(el("p").text(NOT, site.slogan.as_str()));
    }
    for action in site.actions.iter().take(3) {
        header = header.with(desk.link(NOT, *action)).with(text(NOT, " "));
    }
    header.into()
}

/// The site's sections as a list, or as links in a line; on some sites with a few sentences for each.
pub(super) fn navigation(desk: &mut Desk) -> Piece {
    let site = desk.site;
    let frame = site.part(site.semantic("nav"), Role::Navigation);
    let mut links: Vec<Element> = vec![desk.link(NOT, site.language.phrases.home)];
    for section in &site.sections {
        links.push(desk.link(NOT, section.as_str()));
    }
    if site.layout == Layout::Tables {
        let cells = links.into_iter().map(|link| el("td").attr("nowrap", "nowrap").with(link).into());
        return el("table")
            .attr("width", "100%")
            .with(el("tbody").with(el("tr").with_all(cells.collect::<Vec<_>>())))
            .into();
    }
    let mut list = el("ul");
    for (number, link) in links.into_iter().enumerate() {
        let mut item = el("li").with(link);
        let blurb = site.blurbs.as_ref().and_then(|blurbs| blurbs.get(number.checked_sub(1)?));
        if let Some(blurb) = blurb {
            item = item.with(el("p").text(NOT, blurb.as_str()));
        } else if number % 4 == 3 && site.left_column {
            // A menu that opens under the pointer.
            let entry = desk.speech.key_word(&mut desk.rng);
            item = item.with(
                el("ul").attr("style", "display:none").with(el("li").with(desk.link(NOT, entry))).invisible(),
            );
        }
        list = list.with(item);
    }
    frame.with(list).into()
}

/// The way from the home page to this one.
pub(super) fn breadcrumb(desk: &mut Desk, title: &str) -> Piece {
    let site = desk.site;
    let section = site.sections[desk.rng.random_range(0..site.sections.len())].as_str();
    let mut trail = site.part("div", Role::Breadcrumb).with(desk.link(NOT, site.language.phrases.home));
    trail = trail.with(text(NOT, " » ")).with(desk.link(NOT, section));
    if desk.chance(0.5) { trail.with(text(NOT, format!(" » {title}"))).into() } else { trail.into() }
}

/// A search form, on some sites with a choice of sections.
pub(super) fn search(desk: &mut Desk) -> Piece {
    let site = desk.site;
    let word = site.language.phrases.search;
    let mut form = site.part("form", Role::Search).attr("action", "/search");
    form =
        form.with(el("input").attr("type", "hidden").attr("name", "lang").attr("value", site.language.code));
    form = form.with(el("label").text(NOT, word)).with(el("input").attr("type", "text").attr("name", "q"));
    if desk.chance(0.4) {
        let options = site.sections.iter().map(|section| el("option").text(NOT, section.as_str()).into());
        form = form.with(el("select").attr("name", "s").with_all(options));
    }
    form.with(el("input").attr("type", "submit").attr("value", word)).into()
}

/// Print, send, share.
pub(super) fn share(desk: &mut Desk) -> Piece {
    let site = desk.site;
    let mut tools = site.part("div", Role::Share);
    for action in site.actions.iter().rev().take(4) {
        tools = tools.with(desk.link(NOT, *action)).with(text(NOT, " | "));
    }
    tools.into()
}

/// Key words as links.
pub(super) fn tags(desk: &mut Desk) -> Piece {
    let site = desk.site;
    let mut tags = site.part("p", Role::Tags).text(NOT, format!("{}: ", site.language.phrases.tags));
    for _ in 0..desk.rng.random_range(2..=6) {
        let word = desk.speech.key_word(&mut desk.rng);
        tags = tags.with(desk.link(NOT, word)).with(text(NOT, ", "));
    }
    tags.into()
}

/// Titles of other articles; `summaries` adds a sentence or two to each.
pub(super) fn teasers(desk: &mut Desk, heading: &str, summaries: bool) -> Piece {
    let site = desk.site;
    let mut frame = site.part(site.semantic("section"), Role::Teasers);
    frame = frame.with(el(pick(&mut desk.rng, &["h3", "h4", "b"])).text(NOT, heading));
    if summaries {
        for _ in 0..desk.rng.random_range(2..=3) {
            let title = desk.speech.title(&mut desk.rng);
            let mut teaser = el("div").with(el("h4").with(desk.link(NOT, title)));
            teaser = teaser.with(el("p").text(NOT, desk.passage(Tone::Article, 1, 2)));
            if desk.chance(0.5) {
                teaser = teaser.with(desk.link(NOT, site.language.phrases.read_more));
            }
            frame = frame.with(teaser);
        }
        return frame.into();
    }
    let mut list = el(pick(&mut desk.rng, &["ul", "ul", "ol"]));
    for _ in 0..desk.rng.random_range(5..=14) {
        let title = desk.speech.title(&mut desk.rng);
        list = list.with(el("li").with(desk.link(NOT, title)));
    }
    frame.with(list).into()
}

/// The invitation to a newsletter, if the site has one.
pub(super) fn newsletter(desk: &Desk) -> Option<Piece> {
    let site = desk.site;
    let offer = site.newsletter.as_deref()?;
    let title = site.language.phrases.newsletter;
    let form =
        el("form").attr("action", "/letter").with(el("input").attr("type", "text").attr("name", "mail"));
    let frame =
        site.part("div", Role::Newsletter).with(el("h4").text(NOT, title)).with(el("p").text(NOT, offer));
    Some(frame.with(form).into())
}

/// The question for consent, if the site asks it; sometimes hidden until a script shows it.
pub(super) fn consent(desk: &mut Desk) -> Option<Piece> {
    let site = desk.site;
    let question = site.consent.as_deref()?;
    let phrases = &site.language.phrases;
    let mut banner = site.part("div", Role::Consent).with(el("p").text(NOT, question));
    banner =
        banner.with(el("button").text(NOT, phrases.accept)).with(el("button").text(NOT, phrases.settings));
    if desk.chance(0.25) {
        banner = banner.attr("style", "display: none").invisible();
    }
    Some(banner.into())
}

/// The links and notices at the foot of the page.
pub(super) fn footer(desk: &mut Desk) -> Piece {
    let site = desk.site;
    let mut links = el("p");
    for action in &site.actions {
        links = links.with(desk.link(NOT, *action)).with(text(NOT, " | "));
    }
    let mut footer = site.part(site.semantic("footer"), Role::Footer).with(links);
    if desk.chance(0.3) {
        footer = footer.with(desk.link(NOT, site.language.phrases.back));
    }
    if desk.chance(0.25) {
        footer = footer.with(no_script(desk));
    }
    footer.with(el("p").with(el("small").text(NOT, site.copyright.as_str()))).into()
}

/// A bare list of short links: places, services, partners.
fn links(desk: &mut Desk) -> Piece {
    let mut list = el("ul");
    for _ in 0..desk.rng.random_range(8..=25) {
        let word = desk.speech.key_word(&mut desk.rng);
        list = list.with(el("li").with(desk.link(NOT, word)));
    }
    list.into()
}

/// A column of boxes beside the article.
pub(super) fn column(desk: &mut Desk, boxes: usize) -> Vec<Piece> {
    let phrases = &desk.site.language.phrases;
    let mut column = Vec::new();
    for _ in 0..boxes {
        match desk.rng.random_range(0..8) {
            0 => column.push(advert(desk)),
            1 => column.push(teasers(desk, phrases.most_read, false)),
            2 => column.push(teasers(desk, phrases.more_news, true)),
            3 => column.extend(newsletter(desk)),
            4 | 5 => column.push(teasers(desk, phrases.more_news, false)),
            6 => column.push(links(desk)),
            _ => {
                let about = desk.passage(Tone::Advert, 1, 3);
                column.push(
                    el("div")
                        .with(el("h4").text(NOT, desk.site.name.as_str()))
                        .with(el("p").text(NOT, about))
                        .into(),
                );
            }
        }
    }
    column
}
