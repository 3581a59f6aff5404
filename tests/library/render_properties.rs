//! Properties of rendering over generated pages: no word is lost, doubled or joined, whatever the options.

use duramen::extract::Extraction;
use duramen::extract::render::{Kept, RenderOptions, Selection, to_html, to_markdown, to_text};
use duramen::{Label, NodeMap};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::fuzz::reading_back::{all_options, blocks, page, read_markdown, without_white_space, words_of};

/// Words, many of them marks of Markdown or HTML.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z]{1,6}",
        1 => prop::sample::select(vec![
            "*", "**", "_", "#", "##", "1.", "2)", "-", "+", "&gt;", "&lt;b&gt;", "&lt;", "&amp;amp;", "&amp;", "|",
            "~~", "[", "]", "[a](b)", "!", "\\", "`", "``", "---", "===", "snake_case", "_em_", "*em*", "\"q\"",
            "(p)", "東京", "x#", "https://a.example/b_c", "&nbsp;", "e\u{301}", "«", "\u{ad}", "&copy;", ":--", "<wbr>",
        ])
        .prop_map(str::to_owned),
    ]
}

fn words() -> impl Strategy<Value = String> {
    prop::collection::vec((word(), prop::sample::select(vec![" ", "\n  ", "", " "])), 0..4)
        .prop_map(|words| words.into_iter().map(|(word, blank)| word + blank).collect())
}

/// A tree of elements as HTML, well formed or not.
fn html() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        6 => words(),
        1 => Just("<br>".to_owned()),
        1 => Just("<hr>".to_owned()),
        1 => Just("<img src=i.png alt='an image'>".to_owned()),
        1 => Just("<script>code</script>".to_owned()),
        1 => Just("<select><option>o</select>".to_owned()),
    ];
    leaf.prop_recursive(6, 60, 5, |inner| {
        let elements = vec![
            "p",
            "div",
            "b",
            "strong",
            "i",
            "em",
            "a href=/x?y=(z)&copy=1",
            "a href=javascript:x",
            "span",
            "code",
            "s",
            "sub",
            "q",
            "ul",
            "ol",
            "ol start=7",
            "li",
            "li",
            "li",
            "blockquote",
            "h1",
            "h3",
            "pre",
            "table",
            "tr",
            "tr",
            "td",
            "td",
            "th colspan=3",
            "caption",
            "figure",
            "figcaption",
            "details",
            "summary",
            "dl",
            "dt",
            "dd",
            "section",
            "label",
            "x-y",
            "form",
            "center",
        ];
        let inside = prop::collection::vec(inner, 0..5).prop_map(|parts| parts.concat());
        (prop::sample::select(elements), inside, prop::bool::weighted(0.9)).prop_map(
            |(element, inside, is_closed)| {
                let name = element.split(' ').next().unwrap_or(element);
                let end = if is_closed { format!("</{name}>") } else { String::new() };
                format!("<{element}>{inside}{end}")
            },
        )
    })
}

fn pages() -> impl Strategy<Value = String> {
    prop::collection::vec(html(), 1..5).prop_map(|parts| format!("<body>{}", parts.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_261_121),
        ..ProptestConfig::default()
    })]

    #[test]
    fn with_everything_kept_each_shown_word_is_there_once_and_in_order(html in pages()) {
        let page = page(&html);
        let shown: Vec<String> = blocks(&page).iter().flat_map(|block| words_of(block)).collect();
        for options in all_options() {
            let text = to_text(&page, &Kept::everything(&page), &options);
            prop_assert_eq!(words_of(&text), shown.clone(), "{}", text);
        }
    }

    #[test]
    fn plain_text_is_tidy(html in pages()) {
        let page = page(&html);
        let text = to_text(&page, &Kept::everything(&page), &RenderOptions::default());
        prop_assert!(text.is_empty() || text.ends_with('\n') && !text.ends_with("\n\n"), "{:?}", text);
        prop_assert!(!text.starts_with('\n'));
        for line in text.lines() {
            prop_assert_eq!(line.trim_end(), line);
        }
        if !page.dom().ids().any(|id| page.dom().name(id) == "pre") {
            prop_assert!(!text.contains("\n\n\n"), "{:?}", text);
        }
    }

    #[test]
    fn markdown_read_back_is_the_text_of_the_page(html in pages()) {
        let page = page(&html);
        let shown = without_white_space(&blocks(&page).concat());
        for options in all_options() {
            let markdown = to_markdown(&page, &Kept::everything(&page), &options);
            prop_assert_eq!(without_white_space(&read_markdown(&markdown)), shown.clone(), "{}", markdown);
        }
    }

    #[test]
    fn html_parsed_again_shows_the_same_words(source in pages()) {
        let this = page(&source);
        let shown: Vec<String> = blocks(&this).iter().flat_map(|block| words_of(&block.replace('\u{ad}', ""))).collect();
        for options in all_options() {
            let html = to_html(&this, &Kept::everything(&this), &options);
            let again = page(&format!("<!DOCTYPE html><body>{html}"));
            let words: Vec<String> = blocks(&again).iter().flat_map(|block| words_of(block)).collect();
            prop_assert_eq!(words, shown.clone(), "{}", html);
            let twice = to_html(&again, &Kept::everything(&again), &options);
            prop_assert_eq!(&twice, &html, "rendering what was rendered changes nothing");
        }
    }

    #[test]
    fn only_kept_words_are_written_and_all_of_them(html in pages(), bits in any::<u64>()) {
        let page = page(&html);
        let mut labels = NodeMap::filled(page.dom().len(), Label::NotContent);
        for (i, id) in page.dom().shown_texts().enumerate() {
            if bits >> (i % 64) & 1 == 1 {
                labels[id] = Label::FullText;
            }
        }
        let kept = Selection::default().kept(&page, &Extraction::from_labels(labels)).unwrap();
        let wanted: String = kept.iter().map(|id| page.dom().text(id)).collect();
        for options in all_options() {
            let text = to_text(&page, &kept, &options);
            let text: String = text.lines().map(|line| line.trim_start().trim_start_matches("- ")).collect();
            // Marks of items look like hyphens of the page; leave out both.
            let plain = |text: &str| without_white_space(text).replace('-', "");
            prop_assert_eq!(plain(&text), plain(&wanted));
            let markdown = to_markdown(&page, &kept, &options);
            prop_assert_eq!(plain(&read_markdown(&markdown)), plain(&wanted), "{}", markdown);
        }
    }
}
