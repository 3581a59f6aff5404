//! What tells a message or an empty shell from a document.

use super::phrases::{has_code, is_loading, is_root, is_stand_in, says_gone};
use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;
use crate::page::Page;
use crate::tokens;

/// The features, in order; each page has a 1 before them, the constant. Words are those that the page shows, texts its text blocks.
pub const FEATURES: [&str; 9] = [
    "ln(1 + words)",
    "ln(1 + words outside links)",
    "title or heading says that the page is not there",
    "text of up to 15 words says so",
    "text of up to 50 words says so",
    "text of up to 50 words names JavaScript",
    "class of what stands in for content",
    "id of an element for a whole page",
    "text says that something is loading",
];

/// The features of a page with the constant.
pub type Values = [f64; FEATURES.len() + 1];

/// Pages of more words are documents: of their texts nothing is read.
const MOST_WORDS: u32 = 1500;
/// The most words of a short text.
const SHORT: u32 = 15;
/// The most words of a text that may be a message.
const MESSAGE: u32 = 50;
/// Longer texts are not read.
const MOST_BYTES: usize = 600;

/// The features of a page. Linear in it.
pub fn values(page: &Page) -> Values {
    let dom = page.dom();
    let mut in_link = dom.covers(dom.ids().filter(|&id| dom.tag(id) == Tag::A));
    let (mut words, mut outside) = (0, 0);
    for &(id, count) in page.shown_words() {
        if !page.is_hidden(id) {
            words += count;
            outside += if in_link(id) { 0 } else { count };
        }
    }
    let mut values = [0.0; FEATURES.len() + 1];
    values[0] = 1.0;
    values[1] = f64::from(words).ln_1p();
    values[2] = f64::from(outside).ln_1p();
    if words <= MOST_WORDS {
        let marks = Marks::of(page);
        let marks = [
            marks.gone_in_heading,
            marks.gone_in_short,
            marks.gone,
            marks.javascript,
            marks.stand_in,
            marks.root,
            marks.loading,
        ];
        values[3..].iter_mut().zip(marks).for_each(|(value, mark)| *value = f64::from(u8::from(mark)));
    }
    values
}

/// What is found in texts and names.
#[derive(Default)]
struct Marks {
    gone_in_heading: bool,
    gone_in_short: bool,
    gone: bool,
    javascript: bool,
    stand_in: bool,
    root: bool,
    loading: bool,
}

impl Marks {
    fn of(page: &Page) -> Marks {
        let dom = page.dom();
        let mut marks = Marks::default();
        for id in dom.ids().filter(|&id| dom.kind(id) == NodeKind::Element) {
            if dom.tag(id) == Tag::TITLE && !marks.gone_in_heading {
                let title = dom.text_content(id).to_lowercase();
                marks.gone_in_heading = says_gone(&title) || has_code(&title);
            }
            marks.root |= dom.attribute(id, "id").is_some_and(is_root);
            let names = ["class", "id"].map(|attribute| dom.attribute(id, attribute));
            marks.stand_in |= !marks.stand_in && names.into_iter().flatten().any(is_stand_in);
        }
        for block in page.blocks().leaves() {
            let texts = page.blocks().texts_of(block);
            let bytes: usize = texts.iter().map(|&id| dom.text(id).len()).sum();
            if bytes > MOST_BYTES || texts.iter().all(|&id| page.is_hidden(id)) {
                continue;
            }
            let text = page.blocks().text(dom, block).to_lowercase();
            let words = tokens::count(&text);
            if words > MESSAGE {
                continue;
            }
            let (text, is_gone) = (text.trim(), says_gone(&text));
            marks.gone |= is_gone;
            marks.gone_in_short |= is_gone && words <= SHORT;
            marks.gone_in_heading |= (is_gone || has_code(text)) && is_in_heading(dom, block.bottom);
            marks.javascript |= text.contains("javascript");
            marks.loading |= words <= SHORT && is_loading(text);
        }
        marks
    }
}

/// Whether an element is or stands in a heading of the first three levels.
fn is_in_heading(dom: &Dom, id: NodeId) -> bool {
    let mut elements = std::iter::once(id).chain(dom.ancestors(id));
    elements.any(|id| dom.tag(id).heading_level().is_some_and(|level| level <= 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the features that are 1, and the words of a page.
    fn marks(html: &str) -> (Vec<usize>, f64) {
        let page = Page::parse("page", None, html.as_bytes(), None, &Default::default()).unwrap();
        let values = values(&page);
        ((3..values.len()).filter(|&i| values[i] == 1.0).map(|i| i - 1).collect(), values[1].exp_m1().round())
    }

    #[test]
    fn what_a_page_says_of_itself_is_found_in_any_case_and_language() {
        assert_eq!(marks("<title>Oops</title><h1>Error 404</h1><p>Try the search."), (vec![2], 5.0));
        assert_eq!(marks("<title>Страница НЕ НАЙДЕНА</title><p>Поиск"), (vec![2], 1.0));
        assert_eq!(marks("<p>The page you requested <b>could not</b> be found."), (vec![3, 4], 8.0));
        assert_eq!(marks("<h2>404 oaks were felled</h2>"), (vec![2], 4.0));
        assert_eq!(marks("<title>Oak</title><p>It cost 404000 in all."), (vec![], 5.0));
        assert_eq!(marks("<p style=display:none>Page not found<p>The oak fell on Monday"), (vec![], 5.0));
    }

    #[test]
    fn shells_are_known_by_their_elements() {
        let shell = "<noscript>You need to enable JavaScript to run this app.</noscript><div id=root class='page-skeleton'></div>";
        assert_eq!(marks(shell), (vec![5, 6, 7], 9.0));
        assert_eq!(marks("<p>Loading..."), (vec![8], 1.0));
    }

    #[test]
    fn long_pages_and_long_texts_are_not_searched() {
        let long = "oak ".repeat(1500);
        assert_eq!(marks(&format!("<h1>Not found</h1><p>{long}")).0, Vec::<usize>::new());
        let text = format!("<p>It was not found {}", "oak ".repeat(60));
        assert_eq!(marks(&text).0, Vec::<usize>::new());
    }
}
