//! The block that repeats the page's title, which belongs to the article even where the decision leaves it out.

use crate::dom::Tag;
use crate::extract::metadata::{forms, letters};
use crate::page::Page;
use crate::view::{PageView, ViewNode};

/// The leaf to keep besides what the decision keeps, if there is one: of the leaves before the first kept one that repeat the
/// page's title, the one that is most probably content, of equals the last.
///
/// A headline has few words, so that the expected F hardly depends on it, and leaves it out as soon as something speaks
/// against it; that it repeats the title is no feature of the model. A link is an entry of a menu or the site's name, and none
/// is kept so. Nor is there one if nothing is kept, since a page without content has no headline either, or if the kept text
/// has the title already.
pub(super) fn title_block<'v>(
    page: &Page,
    view: &'v PageView,
    is_kept: impl Fn(&ViewNode) -> bool,
    content: impl Fn(&ViewNode) -> f64,
) -> Option<&'v ViewNode> {
    let first = view.text_leaves().position(&is_kept)?;
    let titles = if first == 0 { Vec::new() } else { titles(page) };
    let longest = titles.iter().map(String::len).max()?;
    let is_title = |node: &&ViewNode| {
        let mut text = String::new();
        for &id in view.texts_of(node) {
            text.push_str(&letters(page.dom().text(id)));
            if text.len() > longest {
                return false;
            }
        }
        titles.contains(&text)
    };
    if view.text_leaves().filter(|node| is_kept(node)).any(|node| is_title(&node)) {
        return None;
    }
    let before = view.text_leaves().take(first).filter(|node| !is_link(page, view, node) && is_title(node));
    before.max_by(|a, b| content(a).total_cmp(&content(b)))
}

/// Whether a leaf's first text stands in a link.
fn is_link(page: &Page, view: &PageView, node: &ViewNode) -> bool {
    let dom = page.dom();
    dom.ancestors(view.texts_of(node)[0]).any(|id| dom.tag(id) == Tag::A)
}

/// The titles that the page's head states, as [`forms`] of them.
fn titles(page: &Page) -> Vec<String> {
    let dom = page.dom();
    let head = dom.ids().take_while(|&id| dom.tag(id) != Tag::BODY);
    let stated = head.filter_map(|id| match dom.tag(id) {
        Tag::TITLE => Some(forms(&dom.text_content(id))),
        Tag::META if dom.attribute(id, "property") == Some("og:title") => {
            Some(forms(dom.attribute(id, "content")?))
        }
        _ => None,
    });
    stated.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::View;

    /// The tag and text of the block that is kept besides those of class `k`, of which class `p` is the most probable.
    fn found(html: &str) -> Option<String> {
        let page = Page::parse("p.html", None, html.as_bytes(), None, &Default::default()).unwrap();
        let view = PageView::new(&page, View::Blocks);
        let has = |node: &ViewNode, class: &str| page.dom().attribute(node.node, "class") == Some(class);
        let content = |node: &ViewNode| f64::from(u8::from(has(node, "p")));
        let block = title_block(&page, &view, |node| has(node, "k"), content)?;
        Some(format!("{} {}", page.dom().name(block.node), page.dom().text_content(block.node)))
    }

    #[test]
    fn the_block_that_repeats_the_title_is_found_before_the_text() {
        let title = "<title>The old oak fell | The Oak-Leaf</title>";
        let text = "<p class=k>It fell in the night.</p>";
        let page = |body: &str| found(&format!("{title}<div>The Oak-Leaf</div>{body}"));
        assert_eq!(
            page(&format!("<h2>The old <b>oak</b> fell!</h2>{text}")),
            Some("h2 The old oak fell!".to_owned())
        );
        // One of several: the most probable, or the last.
        let two = |class: &str| format!("<div {class}>The old oak fell</div><h1>The old oak fell</h1>{text}");
        assert_eq!(page(&two("")), Some("h1 The old oak fell".to_owned()));
        assert_eq!(page(&two("class=p")), Some("div The old oak fell".to_owned()));
        // Neither behind the text, nor where the text has it, nor without text, nor the site's name.
        assert_eq!(page(&format!("{text}<h1>The old oak fell</h1>")), None);
        assert_eq!(
            page(&format!("<div>The old oak fell</div><h1 class=k>The old oak fell</h1>{text}")),
            None
        );
        assert_eq!(page(&format!("<h1><a href=/>The old oak fell</a></h1>{text}")), None);
        assert_eq!(page("<h1>The old oak fell</h1>"), None);
        assert_eq!(page(&format!("<h1>Another tree</h1>{text}")), None);
        let stated = format!(
            "<title>News</title><meta property=og:title content='Oak falls'><h1>Oak falls</h1>{text}"
        );
        assert_eq!(found(&stated), Some("h1 Oak falls".to_owned()));
    }
}
