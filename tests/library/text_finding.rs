//! The text that a program made of a page is found on the page, wherever it put it.

use std::time::{Duration, Instant};

use duramen::Label;
use duramen::alignment::{Found, find_text};
use duramen::dom::{Dom, Limits};
use duramen::error::PageProblem;
use proptest::prelude::*;

fn parse(html: &str) -> Dom {
    Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap()
}

fn find(dom: &Dom, text: &str) -> Found {
    find_text(dom, text).unwrap()
}

/// The shown text nodes, trimmed, that are full text.
fn kept(html: &str, text: &str) -> Vec<String> {
    let dom = parse(html);
    let labels = find(&dom, text).labels();
    assert_eq!(labels.len(), dom.len());
    dom.shown_texts()
        .filter(|&id| labels[id] == Label::FullText)
        .map(|id| dom.text(id).trim().to_owned())
        .collect()
}

#[test]
fn what_the_text_has_is_full_text_and_the_rest_is_not() {
    let html =
        "<nav>Home <a>News</a></nav><h1>Old oak falls</h1><p>It fell <i>last night</i>, they say.<p>Print";
    let article = ["Old oak falls", "It fell", "last night", ", they say."];
    assert_eq!(kept(html, "Old oak falls\n\nIt fell last night, they say."), article);
    assert!(kept(html, "").is_empty());
    assert!(kept(html, "nothing of the kind").is_empty());
}

#[test]
fn text_in_another_order_is_found() {
    let html = "<p>first words of the page<p>second piece in the middle<p>third and last part here";
    let text = "third and last part here\nsecond piece in the middle\nfirst words of the page";
    assert_eq!(kept(html, text).len(), 3);
}

#[test]
fn half_of_a_node_is_enough_and_less_is_not() {
    assert_eq!(kept("<p>one two three four", "one two").len(), 1);
    assert!(kept("<p>one two three four five", "one two").is_empty());
}

#[test]
fn what_stands_once_in_the_text_is_found_in_one_place() {
    let html = "<li>Old oak falls<p>x y<h1>Old oak falls</h1><p>It fell last night.";
    assert_eq!(kept(html, "Old oak falls\nIt fell last night."), ["Old oak falls", "It fell last night."]);
    assert_eq!(kept(html, "Old oak falls\nx y\nOld oak falls\n").len(), 3);
}

#[test]
fn markup_of_the_text_and_lost_characters_do_no_harm() {
    let html = "<h2>Caf\u{e9}s don\u{2019}t close</h2><p>see <a href=x>our site</a>";
    assert_eq!(kept(html, "## Caf?s don?t close\n\n- see [our site](http://x.example/)").len(), 3);
}

#[test]
fn the_share_says_how_much_of_the_text_is_on_the_page() {
    let dom = parse("<script>oak</script><p>ash and elm");
    assert_eq!(find(&dom, "ash and oak oak").share(), Some(0.5));
    assert_eq!(find(&dom, " - ").share(), None);
    for id in dom.ids().filter(|&id| dom.text(id) != "ash and elm") {
        assert_eq!(find(&dom, "oak").counts(id), (0, 0), "node {id}");
    }
}

proptest! {
    #[test]
    fn nodes_of_words_of_their_own_are_found_in_any_order(
        parts in prop::collection::vec((4usize..9, any::<bool>()), 1..40),
        seed in any::<u64>(),
    ) {
        let words = |part: usize, n: usize| (0..n).map(|i| format!("w{part}x{i}")).collect::<Vec<_>>().join(" ");
        let html: String =
            parts.iter().enumerate().map(|(at, &(n, _))| format!("<p>{}</p>", words(at, n))).collect();
        let mut lines: Vec<(u64, String)> = parts
            .iter()
            .enumerate()
            .filter(|(_, (_, taken))| *taken)
            .map(|(at, &(n, _))| ((at as u64 + 1).wrapping_mul(seed | 1), words(at, n)))
            .collect();
        lines.sort();
        let text: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
        let dom = parse(&html);
        let found = find(&dom, &text.join("\n"));
        for (id, &(n, taken)) in dom.shown_texts().zip(&parts) {
            prop_assert_eq!(found.counts(id), (if taken { n as u32 } else { 0 }, n as u32));
        }
        prop_assert!(found.share().is_none_or(|share| share == 1.0));
    }

    #[test]
    fn all_of_a_text_taken_from_the_page_in_order_is_found(
        parts in prop::collection::vec((prop::collection::vec("[a-d]", 1..8), any::<bool>()), 1..60),
    ) {
        let html: String = parts.iter().map(|(words, _)| format!("<p>{}</p>", words.join(" "))).collect();
        let taken = parts.iter().filter(|(_, taken)| *taken);
        let text: Vec<String> = taken.map(|(words, _)| words.join(" ")).collect();
        let dom = parse(&html);
        let found = find(&dom, &text.join("\n"));
        prop_assert!(found.share().is_none_or(|share| share == 1.0));
        let on_page: u64 = dom.shown_texts().map(|id| u64::from(found.counts(id).0)).sum();
        let in_text = text.iter().map(|line| line.split(' ').count() as u64).sum::<u64>();
        prop_assert_eq!(on_page, in_text);
    }

    #[test]
    fn no_node_has_more_found_tokens_than_tokens(
        html in "(<[a-z]{1,6}>|[ a-e?é'-]{1,8}|</[a-z]{1,6}>){0,40}", text in "[ a-e?é'\n-]{0,60}",
    ) {
        let dom = parse(&format!("<p>{html}"));
        let found = find(&dom, &text);
        for id in dom.shown_texts() {
            let (some, all) = found.counts(id);
            prop_assert!(some <= all);
            prop_assert_eq!(all, duramen::tokens::count(dom.text(id)));
        }
    }
}

#[test]
fn long_texts_end_in_seconds_and_longer_ones_are_refused() {
    let same = "oak ".repeat(100_000);
    let mixed: String = (0..100_000_u64).map(|i| format!("w{} ", i * i % 9973)).collect();
    for (page, text) in [(&same, &mixed), (&mixed, &same), (&mixed, &mixed), (&same, &same)] {
        let start = Instant::now();
        let found = find(&parse(&format!("<p>{page}")), text);
        assert_eq!(found.share(), Some(if page == text { 1.0 } else { 0.0 }));
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }
    let problem = find_text(&parse("<p>oak"), &"oak ".repeat(1 << 21)).unwrap_err();
    assert!(matches!(problem, PageProblem::TooLarge { limit: 1_048_576, .. }), "{problem}");
}
