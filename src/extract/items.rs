//! The repeated parts of a page: products of a shop, entries of a listing, posts of a thread.
//!
//! A run is made of elements of one name and class in parents of one name and class. That run is taken which holds most of the kept text
//! in parts that each have what an item has, a heading, a link or a date; of a run around another the inner one, if it
//! splits the same text into more items.

use std::collections::BTreeMap;

use serde::Serialize;

use super::address::Base;
use super::metadata::{date_in, normalize_date};
use super::render::Kept;
use crate::characters::folded;
use crate::dom::{Dom, NodeKind, Tag};
use crate::index::{NodeId, NodeMap};
use crate::model::PageType;
use crate::page::Page;
use crate::view::{PageView, View, ViewNode};

/// One of the repeated parts of a page; what is not found is not there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct PageItem {
    /// Its heading, or the words of its link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The address that it leads to, absolute if the page's is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Who wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Its date in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Its price, as it stands there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<String>,
    /// The kept text, a line for each block.
    pub text: String,
}

/// The least items of a run.
const LEAST_ITEMS: usize = 3;
/// The least posts of a thread.
const LEAST_POSTS: usize = 2;
/// The share of the kept words that stands in the items, at least.
const LEAST_SHARE: f64 = 0.4;
/// The share of the elements of a run that have what an item has, at least.
const LEAST_LIKENESS: f64 = 0.6;
/// An inner run has at least this share of the words of the outer one.
const INNER_SHARE: f64 = 0.8;
/// Text that is longer says more than a date, a price or a name.
const MAX_CHARS: usize = 60;
/// A title is no longer.
const MAX_TITLE: usize = 300;
/// Words of classes and ids of those who write.
const AUTHORS: [&str; 8] =
    ["author", "username", "byline", "poster", "nickname", "postauthor", "user", "postername"];
/// What prices have before or behind their number.
const CURRENCIES: [&str; 16] =
    ["$", "€", "£", "¥", "₹", "₽", "₩", "₺", "zł", "kr", "Kč", "CHF", "EUR", "USD", "GBP", "руб"];

/// What an element says by its name and classes; those with digits are of it alone.
type Kind<'a> = (Tag, &'a str);

/// Elements of one kind in parents of one kind.
#[derive(Debug, Default)]
struct Run {
    items: Vec<NodeId>,
    /// Of all items.
    words: u64,
    /// How many have a heading, a link or a date.
    alike: usize,
}

/// The items of a page of this type, in page order; none of types that have none, and none where nothing repeats. Linear in the page.
pub fn items(page: &Page, kept: &Kept, page_type: PageType) -> Vec<PageItem> {
    let least = match page_type {
        PageType::Forum => LEAST_POSTS,
        PageType::Collection | PageType::Listing | PageType::HomePage | PageType::Recipe => LEAST_ITEMS,
        _ => return Vec::new(),
    };
    let dom = page.dom();
    let (words, has_sign) = below(page, kept);
    let all = words[NodeId(0)];
    let mut runs: BTreeMap<(Kind<'_>, Kind<'_>), Run> = BTreeMap::new();
    for id in dom.ids().filter(|&id| dom.kind(id) == NodeKind::Element && words[id] > 0) {
        let Some(parent) = dom.parent(id) else { continue };
        let run = runs.entry((kind(dom, parent), kind(dom, id))).or_default();
        run.items.push(id);
        run.words += words[id];
        run.alike += usize::from(has_sign[id]);
    }
    let is_run = |run: &Run| {
        run.items.len() >= least
            && run.words as f64 >= LEAST_SHARE * all as f64
            && run.alike as f64 >= LEAST_LIKENESS * run.items.len() as f64
            // Elements of a kind that stand in one another are no items.
            && run.items.windows(2).all(|pair| !dom.is_in_subtree(pair[1], pair[0]))
    };
    let runs: Vec<Run> = runs.into_values().filter(is_run).collect();
    let weight = |run: &Run| run.words as f64 * run.alike as f64 / run.items.len() as f64;
    let outer_first = |a: &&Run, b: &&Run| weight(a).total_cmp(&weight(b)).then(b.items[0].cmp(&a.items[0]));
    let Some(mut best) = runs.iter().max_by(outer_first) else { return Vec::new() };
    while let Some(inner) = runs.iter().find(|run| splits(dom, run, best)) {
        best = inner;
    }
    let base = Base::read(page);
    let view = PageView::new(page, View::Blocks);
    let leaves: Vec<&ViewNode> = view.text_leaves().collect();
    let item =
        |&id: &NodeId| item(&Reader { dom, kept, base: &base, view: &view, leaves: &leaves, page_type }, id);
    best.items.iter().map(item).collect()
}

/// Whether a run splits the items of another into more.
fn splits(dom: &Dom, inner: &Run, outer: &Run) -> bool {
    let is_inside = |&id: &NodeId| {
        let before = outer.items.partition_point(|&item| item <= id);
        before > 0 && outer.items[before - 1] != id && dom.is_in_subtree(id, outer.items[before - 1])
    };
    inner.items.len() >= 2 * outer.items.len()
        && inner.words as f64 >= INNER_SHARE * outer.words as f64
        && inner.items.iter().all(is_inside)
}

/// For each node, the kept words below it, and whether a heading, a link or a date is among what stands there.
fn below(page: &Page, kept: &Kept) -> (NodeMap<u64>, NodeMap<bool>) {
    let dom = page.dom();
    let mut words = NodeMap::filled(dom.len(), 0);
    let mut has_sign = NodeMap::filled(dom.len(), false);
    for &(id, n) in page.shown_words().iter().filter(|(id, _)| kept.contains(*id)) {
        words[id] = u64::from(n);
    }
    for id in dom.ids().rev() {
        let tag = dom.tag(id);
        has_sign[id] |= tag.heading_level().is_some() || matches!(tag, Tag::A | Tag::TIME);
        let Some(parent) = dom.parent(id) else { continue };
        (words[parent], has_sign[parent]) = (words[parent] + words[id], has_sign[parent] || has_sign[id]);
    }
    (words, has_sign)
}

fn kind(dom: &Dom, id: NodeId) -> Kind<'_> {
    (dom.tag(id), dom.classes(id).find(|class| !has_digit(class)).unwrap_or_default())
}

/// What an item is read from.
struct Reader<'a> {
    dom: &'a Dom,
    kept: &'a Kept,
    base: &'a Base,
    view: &'a PageView,
    leaves: &'a [&'a ViewNode],
    page_type: PageType,
}

fn item(reader: &Reader<'_>, id: NodeId) -> PageItem {
    let Reader { dom, base, page_type, .. } = *reader;
    let elements = || dom.subtree(id).filter(|&id| dom.kind(id) == NodeKind::Element);
    let text = |id: NodeId| Some(folded(&dom.text_content(id))).filter(|text| !text.is_empty());
    let title_of = |id: NodeId| text(id).filter(|text| text.chars().count() <= MAX_TITLE);
    let heading =
        elements().filter(|&id| dom.tag(id).heading_level().is_some()).find(|&id| title_of(id).is_some());
    // The link with most words; what a post links to is no title of it.
    let links = || elements().filter(|&id| dom.tag(id) == Tag::A && dom.attribute(id, "href").is_some());
    let named = links().filter_map(|link| Some((title_of(link)?.chars().count(), link)));
    let longest = named.reduce(|best, link| if link.0 > best.0 { link } else { best }).map(|(_, link)| link);
    let longest = longest.filter(|_| page_type != PageType::Forum);
    let title = heading.or(longest);
    let around = |title: NodeId| {
        let inside = links().find(|&link| dom.is_in_subtree(link, title) || dom.is_in_subtree(title, link));
        inside.or_else(|| dom.ancestors(title).find(|&above| dom.tag(above) == Tag::A))
    };
    let link = title.and_then(around).or(longest);
    let url = link.and_then(|link| base.link(dom.attribute(link, "href")?));
    let short = || {
        let texts = dom.subtree(id).filter(|&id| dom.is_visible_text(id)).map(|id| dom.text(id).trim());
        texts.filter(|text| text.chars().nth(MAX_CHARS).is_none())
    };
    let stated = elements().filter(|&id| dom.tag(id) == Tag::TIME).find_map(|id| {
        let machine = dom.attribute(id, "datetime").and_then(normalize_date);
        machine.or_else(|| date_in(&dom.text_content(id)))
    });
    let price = elements().find(|&id| is_property(dom, id, "price")).and_then(|id| {
        text(id).or_else(|| dom.attribute(id, "content").map(str::to_owned)).filter(|price| has_digit(price))
    });
    let author = elements().find(|&id| {
        let is_named = || {
            ["class", "id"].iter().any(|name| {
                let names = dom.attribute(id, name).unwrap_or_default().to_ascii_lowercase();
                names.split(|c: char| !c.is_ascii_alphanumeric()).any(|name| AUTHORS.contains(&name))
            })
        };
        let rel = || dom.attribute(id, "rel").is_some_and(|rel| rel.eq_ignore_ascii_case("author"));
        let is_short = || text(id).is_some_and(|text| text.chars().nth(MAX_CHARS).is_none());
        (is_property(dom, id, "author") || rel() || is_named()) && is_short()
    });
    PageItem {
        title: title.and_then(title_of),
        url,
        author: author
            .and_then(text)
            .map(|name| name.strip_prefix("by ").map_or(name.clone(), str::to_owned)),
        date: stated.or_else(|| short().find_map(date_in)),
        price: price.or_else(|| short().find(|text| is_price(text)).map(folded)),
        text: kept_text(reader, id),
    }
}

/// The kept text of an element, a line for each block.
fn kept_text(reader: &Reader<'_>, id: NodeId) -> String {
    let Reader { dom, kept, view, leaves, .. } = *reader;
    let first = leaves.partition_point(|leaf| view.texts_of(leaf)[0] < id);
    let end = dom.subtree_end(id);
    let inside = leaves[first..].iter().take_while(|leaf| view.texts_of(leaf)[0] < end);
    let line = |leaf: &&ViewNode| {
        let texts = view.texts_of(leaf).iter().filter(|&&id| kept.contains(id)).map(|&id| dom.text(id));
        folded(&texts.collect::<String>())
    };
    inside.map(line).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn is_property(dom: &Dom, id: NodeId, name: &str) -> bool {
    let properties = dom.attribute(id, "itemprop").unwrap_or_default();
    properties.split_ascii_whitespace().any(|property| property.eq_ignore_ascii_case(name))
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// Whether a short text is a number with a currency and little else.
fn is_price(text: &str) -> bool {
    let rest = CURRENCIES
        .iter()
        .find(|currency| text.contains(**currency))
        .map(|currency| text.replace(currency, ""));
    rest.is_some_and(|rest| {
        let letters = rest.chars().filter(|c| c.is_alphabetic()).count();
        has_digit(&rest) && letters <= 6
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(html: &str, page_type: PageType) -> Vec<PageItem> {
        let url = Some("https://wood.example/list".to_owned());
        let page = Page::parse("p", url, html.as_bytes(), Some("utf-8"), &Default::default()).unwrap();
        let mut kept = Kept::everything(&page);
        let is_left_out =
            |id: NodeId| page.dom().ancestors(id).any(|above| page.dom().tag(above) == Tag::NAV);
        kept.retain(|id| !is_left_out(id));
        items(&page, &kept, page_type)
    }

    #[test]
    fn products_in_columns_are_the_items_of_a_collection() {
        let card = |n: u32| {
            format!(
                "<div class='card c{n}'><a href=/t/{n}><img></a><h3><a href=/t/{n}>Table {n}</a></h3><p>Made of solid oak.</p>\
                 <span>€ {n}9.90</span></div>"
            )
        };
        let column = |n: u32| format!("<div class=column>{}{}{}</div>", card(n), card(n + 1), card(n + 2));
        let html = format!(
            "<nav><ul><li><a href=/>Home</a><li>b<li>c</ul></nav><main>{}{}{}</main>",
            column(1),
            column(4),
            column(7)
        );
        let items = found(&html, PageType::Collection);
        assert_eq!(items.len(), 9);
        let first = PageItem {
            title: Some("Table 1".to_owned()),
            url: Some("https://wood.example/t/1".to_owned()),
            price: Some("€ 19.90".to_owned()),
            text: "Table 1\nMade of solid oak.\n€ 19.90".to_owned(),
            ..PageItem::default()
        };
        assert_eq!(items[0], first);
        assert_eq!(found(&html, PageType::Article), []);
    }

    #[test]
    fn posts_are_the_items_of_a_forum_and_their_paragraphs_are_not() {
        let post = |name: &str, day: u32| {
            format!(
                "<article id=p{day}><div class=user-name>{name}</div><time datetime=2024-05-{day:02}T10:00>May</time>\
                 <div class=body><p>I saw it fall.<p>It was <a href=/loud>loud</a>.<p>And then?</div></article>"
            )
        };
        let html = format!("<h1>Who saw the oak fall?</h1>{}{}", post("Ash", 17), post("Elm", 18));
        let items = found(&html, PageType::Forum);
        assert_eq!(items.len(), 2);
        let second = PageItem {
            author: Some("Elm".to_owned()),
            date: Some("2024-05-18T10:00:00".to_owned()),
            text: "Elm\nMay\nI saw it fall.\nIt was loud.\nAnd then?".to_owned(),
            ..PageItem::default()
        };
        assert_eq!(items[1], second);
    }

    #[test]
    fn entries_of_a_listing_have_title_address_date_and_author() {
        let entry = |n: u32| {
            format!(
                "<li class=entry><a href=/{n}>The oak of the mill, part {n}</a> <span>17 May 2024</span> <span class=byline>by Ash</span>\
                 <p>Once more it stands.</p></li>"
            )
        };
        let html = format!("<ul>{}{}{}</ul>", entry(1), entry(2), entry(3));
        let items = found(&html, PageType::Listing);
        let last = &items[2];
        assert_eq!(last.title.as_deref(), Some("The oak of the mill, part 3"));
        assert_eq!(last.url.as_deref(), Some("https://wood.example/3"));
        assert_eq!((last.date.as_deref(), last.author.as_deref()), (Some("2024-05-17"), Some("Ash")));
        // Nothing repeats, or what repeats is none of the text.
        assert_eq!(found("<h1>a</h1><p>b</p>", PageType::Listing), []);
        let long = "word ".repeat(200);
        assert_eq!(
            found(&format!("<p>{long}</p><ul>{}{}{}</ul>", entry(1), entry(2), entry(3)), PageType::Listing),
            []
        );
    }
}
