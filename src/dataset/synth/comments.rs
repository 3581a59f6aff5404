//! What readers write: comments under an article and the replies of a forum.

use rand::RngExt as _;

use super::desk::Desk;
use super::naming::Role;
use super::piece::{Element, Piece, el, text};
use super::site::{BodyStyle, Layout};
use super::speech::{Tone, pick};
use crate::label::Label;

/// The form to write a comment.
fn form(desk: &mut Desk) -> Piece {
    let label = Label::NotContent;
    let phrases = &desk.site.language.phrases;
    let rules = desk.passage(Tone::Legal, 1, 1);
    el("form")
        .attr("action", "/comment")
        .attr("method", "post")
        .with(el("h4").text(label, phrases.write_comment))
        .with(el("p").text(label, rules))
        .with(el("textarea").attr("name", "text").attr("rows", "5"))
        .with(el("input").attr("type", "submit").attr("value", phrases.write_comment))
        .into()
}

/// Who wrote it and when.
fn meta(desk: &mut Desk) -> Element {
    let label = Label::Comments;
    let author = desk.speech.person(&mut desk.rng);
    let when = format!("{}, {}", desk.speech.date(&mut desk.rng), desk.speech.time(&mut desk.rng));
    let tag = pick(&mut desk.rng, &["div", "p", "h5"]);
    let meta = desk.site.part(tag, Role::CommentMeta);
    if desk.site.layout == Layout::Blog {
        meta.with(desk.link(label, author)).with(text(label, format!(" {when}")))
    } else {
        meta.with(el("b").text(label, author)).with(text(label, format!(" – {when}")))
    }
}

/// What the reader says: from two words to a lecture.
fn said(desk: &mut Desk) -> Vec<Piece> {
    let label = Label::Comments;
    let paragraphs = pick(&mut desk.rng, &[1, 1, 1, 1, 2, 3]);
    let mut pieces = Vec::new();
    for number in 0..paragraphs {
        let passage = if desk.chance(0.35) {
            format!(
                "{} {}!",
                pick(&mut desk.rng, &desk.site.language.colloquial),
                desk.speech.key_word(&mut desk.rng)
            )
        } else {
            desk.passage(Tone::Reader, 1, 3)
        };
        if desk.site.body == BodyStyle::Breaks {
            if number > 0 {
                pieces.extend([el("br").into(), el("br").into()]);
            }
            pieces.push(text(label, passage));
        } else {
            pieces.push(el("p").text(label, passage).into());
        }
    }
    pieces
}

/// The links under a comment.
fn links(desk: &mut Desk) -> Piece {
    let phrases = &desk.site.language.phrases;
    let reply = desk.link(Label::NotContent, phrases.reply);
    let report = desk.link(Label::NotContent, phrases.report);
    el("div").with(reply).with(text(Label::NotContent, " | ")).with(report).into()
}

fn comment(desk: &mut Desk, tag: &'static str) -> Piece {
    let with_links = desk.chance(0.5);
    let mut comment = desk.site.part(tag, Role::Comment).with(meta(desk)).with_all(said(desk));
    if with_links {
        comment = comment.with(links(desk));
    }
    comment.into()
}

/// The comments of an article, with the form to add one.
pub(super) fn section(desk: &mut Desk) -> Piece {
    let count = pick(&mut desk.rng, &[0, 0, 1, 1, 2, 2, 3, 4, 6, 9]);
    let site = desk.site;
    let title = format!("{} ({count})", site.language.phrases.comments);
    let heading = el(pick(&mut desk.rng, &["h2", "h3", "h4"])).text(Label::NotContent, title);
    let mut section = site.part(site.semantic("section"), Role::Comments).with(heading);
    if site.layout == Layout::Blog {
        let list = (0..count).map(|_| comment(desk, "li")).collect::<Vec<_>>();
        section = section.with(el("ol").with_all(list));
    } else {
        section = section.with_all((0..count).map(|_| comment(desk, "div")).collect::<Vec<_>>());
    }
    section.with(form(desk)).into()
}

/// A post of a forum thread: its author in the left cell, its text in the right one.
pub(super) fn forum_row(desk: &mut Desk, author_label: Label, content: Vec<Piece>) -> Piece {
    let author = desk.speech.person(&mut desk.rng);
    let rank = format!("{}: {}", desk.site.language.phrases.comments, desk.rng.random_range(1..4_000));
    let when = desk.speech.date(&mut desk.rng);
    let profile = el("td")
        .attr("width", "150")
        .attr("valign", "top")
        .with(el("b").text(author_label, author))
        .with(el("br"))
        .with(el("small").text(Label::NotContent, rank));
    let post = desk
        .site
        .part("td", Role::Comment)
        .with(el("div").text(author_label, when))
        .with(el("hr"))
        .with_all(content);
    let foot = links(desk);
    el("tr").with(profile).with(post.with(foot)).into()
}

/// The replies of a forum thread.
pub(super) fn forum_replies(desk: &mut Desk) -> Vec<Piece> {
    let count = desk.rng.random_range(1..=6);
    let mut rows = Vec::new();
    for _ in 0..count {
        let mut content = said(desk);
        if desk.chance(0.3) {
            let quoted = desk.passage(Tone::Reader, 1, 2);
            content.insert(0, el("blockquote").text(Label::Comments, quoted).into());
        }
        if desk.chance(0.4) {
            // A signature: under every post of its author and no part of what was said.
            content.push(el("div").text(Label::NotContent, desk.passage(Tone::Advert, 1, 1)).into());
        }
        rows.push(forum_row(desk, Label::Comments, content));
    }
    rows
}
