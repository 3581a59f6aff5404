//! `Sheet`, a page as the list of its text blocks: what a person or a language model reads in place of the page.

use sha2::{Digest, Sha256};

use crate::characters::folded;
use crate::dom::blocks::Block;
use crate::dom::{Dom, Tag};
use crate::index::NodeId;
use crate::page::Page;
use crate::store::hex;
use crate::tokens;

/// A longer text is cut: so many of its first characters are shown, and of its last.
const FIRST_CHARS: usize = 160;
const LAST_CHARS: usize = 40;
/// Blocks of at most so many words that look alike stand in one line, if there are at least so many.
const SHORT_WORDS: u32 = 6;
const ALIKE: usize = 3;
/// Of a run the texts are shown up to so many characters.
const RUN_CHARS: usize = 160;
/// Characters of an id with classes.
const NAME_CHARS: usize = 48;

/// The sheet of a page.
///
/// The first line names it, `sheet DIGEST`, and the answer begins with the same; then the page's name, address and title; then a
/// line for each text block, or for a run of alike blocks:
///
/// ```text
/// [from-to L] parent>tag {#id.class < #id.class} (words) text
/// ```
///
/// `L`: all text of the block is a link; `hidden`: the page does not show it; `{...}`, the id and the classes of the element and of
/// the next above that has any, is left out where it is the same as in the line before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// What names this sheet: of everything below its first line.
    pub digest: String,
    /// The sheet.
    pub text: String,
    /// How many blocks it has, numbered from 1.
    pub blocks: usize,
}

/// What a line says of a block beside its text.
#[derive(Debug, PartialEq, Eq)]
struct Looks {
    path: String,
    names: String,
    is_link: bool,
    is_hidden: bool,
}

impl Sheet {
    /// The sheet of a page.
    pub fn new(page: &Page) -> Sheet {
        let dom = page.dom();
        let blocks: Vec<&Block> = page.blocks().leaves().collect();
        let texts: Vec<String> = blocks.iter().map(|block| page.blocks().text(dom, block)).collect();
        let words: Vec<u32> = texts.iter().map(|text| tokens::count(text)).collect();
        let looks: Vec<Looks> = blocks.iter().map(|block| looks(page, block)).collect();
        let mut body = format!("page {}\n", page.id());
        body += &page.url().map_or(String::new(), |url| format!("address {url}\n"));
        let title = dom.ids().find(|&id| dom.tag(id) == Tag::TITLE && dom.is_html_element(id));
        if let Some(title) = title.map(|title| folded(&dom.text_content(title))).filter(|t| !t.is_empty()) {
            body += &format!("title {}\n", shortened(&title));
        }
        let mut names = "";
        let mut next = 0;
        while next < blocks.len() {
            let is_alike = |&other: &usize| looks[other] == looks[next] && words[other] <= SHORT_WORDS;
            let alike = (next..blocks.len()).take_while(is_alike).count();
            let end = next + if alike >= ALIKE { alike } else { 1 };
            let Looks { path, names: own, is_link, is_hidden } = &looks[next];
            let range = if end == next + 1 { format!("{end}") } else { format!("{}-{end}", next + 1) };
            let link = if *is_link { " L" } else { "" };
            let hidden = if *is_hidden { " hidden" } else { "" };
            let named = if own == names { String::new() } else { format!(" {{{own}}}") };
            let n: u32 = words[next..end].iter().sum();
            let text = run(&texts[next..end]);
            body += &format!("[{range}{link}{hidden}] {path}{named} ({n}) {text}\n");
            names = own;
            next = end;
        }
        let digest = hex(&Sha256::digest(&body)[..4]);
        Sheet { text: format!("sheet {digest}\n{body}"), digest, blocks: blocks.len() }
    }
}

/// What a sheet says of a block beside its text.
pub(super) fn looks_of(page: &Page, block: &Block) -> String {
    let Looks { path, names, .. } = looks(page, block);
    if names.is_empty() { path } else { format!("{path} {{{names}}}") }
}

fn looks(page: &Page, block: &Block) -> Looks {
    let dom = page.dom();
    let texts = page.blocks().texts_of(block);
    let element = block.bottom;
    let parent = dom.parent(element).map_or("", |parent| dom.name(parent));
    let is_in_link = |&id: &NodeId| dom.ancestors(id).any(|above| dom.tag(above) == Tag::A);
    let named: Vec<String> = std::iter::once(element)
        .chain(dom.ancestors(element))
        .filter_map(|id| names(dom, id))
        .take(2)
        .collect();
    Looks {
        path: if parent.is_empty() {
            dom.name(element).to_owned()
        } else {
            format!("{parent}>{}", dom.name(element))
        },
        names: named.join(" < "),
        is_link: texts.iter().all(is_in_link),
        is_hidden: texts.iter().all(|&id| page.is_hidden(id)),
    }
}

/// An element's id and classes, as selectors write them.
fn names(dom: &Dom, element: NodeId) -> Option<String> {
    let of = |name: &str| dom.attribute(element, name).unwrap_or_default().split_whitespace();
    let ids = of("id").map(|id| format!("#{id}"));
    let names: String = ids.chain(of("class").map(|class| format!(".{class}"))).collect();
    (!names.is_empty()).then(|| cut(&names, NAME_CHARS).map_or(names.clone(), |start| format!("{start}…")))
}

/// The first characters of a longer text.
fn cut(text: &str, chars: usize) -> Option<&str> {
    text.char_indices().nth(chars).map(|(end, _)| &text[..end])
}

fn shortened(text: &str) -> String {
    if cut(text, FIRST_CHARS + LAST_CHARS).is_none() {
        return text.to_owned();
    }
    let first = cut(text, FIRST_CHARS).expect("the text is longer");
    let last = text.char_indices().rev().nth(LAST_CHARS - 1).map_or(0, |(start, _)| start);
    format!("{first} … {}", &text[last..])
}

/// The texts of a line, those in its middle left out where they are many; the last is always shown.
fn run(texts: &[String]) -> String {
    let (last, others) = texts.split_last().expect("a line has blocks");
    let mut line = String::new();
    for (shown, text) in others.iter().enumerate() {
        if line.chars().count() + text.chars().count() > RUN_CHARS {
            line += &format!("… {} more … | ", others.len() - shown);
            break;
        }
        line += &format!("{text} | ");
    }
    line + &shortened(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(html: &str) -> Sheet {
        let url = Some("https://wood.example/oak".to_owned());
        Sheet::new(&Page::parse("oak", url, html.as_bytes(), Some("utf-8"), &Default::default()).unwrap())
    }

    #[test]
    fn a_sheet_lists_the_blocks_of_a_page() {
        let long = "The oldest oak of the village fell on Monday night. ".repeat(6);
        let sheet = sheet(&format!(
            "<title>Oak</title><body class=page>
            <ul id=menu class='top wide'><li><a href=/>Home</a><li><a href=/trees>Trees</a><li><a href=/us>About us</a></ul>
            <h1>The old oak <em>fell</em></h1><p>{long}<p style='display: none'>Not here<p>One<br>Two"
        ));
        let expected = format!(
            "page oak
address https://wood.example/oak
title Oak
[1-3 L] ul>li {{#menu.top.wide < .page}} (4) Home | Trees | About us
[4] body>h1 {{.page}} (4) The old oak fell
[5] body>p (60) {} … oak of the village fell on Monday night.
[6 hidden] body>p (2) Not here
[7] body>p (1) One
[8] body>p (1) Two
",
            &long[..160]
        );
        assert_eq!(sheet.text, format!("sheet {}\n{expected}", sheet.digest));
        assert_eq!(sheet.blocks, 8);
    }

    #[test]
    fn a_long_run_shows_its_first_and_its_last_texts() {
        let items: String = (1..=80).map(|number| format!("<li>item {number}")).collect();
        let sheet = sheet(&format!("<ul>{items}</ul>"));
        let line = sheet.text.lines().last().unwrap();
        assert!(line.starts_with("[1-80] ul>li (160) item 1 | item 2 |"), "{line}");
        assert!(line.ends_with(" | … 62 more … | item 80"), "{line}");
    }

    #[test]
    fn the_digest_is_of_what_is_read() {
        let [one, same, other] = ["<p>a", "<p>a", "<p>b"].map(sheet);
        assert_eq!(one, same);
        assert_ne!(one.digest, other.digest);
    }
}
