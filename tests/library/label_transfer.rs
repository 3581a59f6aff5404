//! Gold labels arrive on the original page whatever annotating did to it, and nothing else does.

use std::time::{Duration, Instant};

use duramen::dataset::transfer::{Transfer, gold_text, transfer_labels};
use duramen::dom::{Dom, Limits};
use duramen::error::PageProblem;
use duramen::{Label, LabelSet, NodeId};
use proptest::prelude::*;

fn parse(html: &str) -> Dom {
    Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap()
}

fn transfer(original: &str, annotated: &str) -> Transfer {
    transfer_labels(&parse(original), annotated.as_bytes()).unwrap()
}

/// The shown text nodes of the original, trimmed, with the numbers of their labels.
fn labels(original: &str, annotated: &str) -> Vec<(String, usize)> {
    let dom = parse(original);
    let gold = transfer_labels(&dom, annotated.as_bytes()).unwrap().gold;
    dom.shown_texts()
        .filter_map(|id| gold.label(id).map(|label| (dom.text(id).trim().to_owned(), label.index())))
        .collect()
}

fn expect(original: &str, annotated: &str, wanted: &[(&str, usize)]) {
    let wanted: Vec<_> = wanted.iter().map(|&(text, label)| (text.to_owned(), label)).collect();
    assert_eq!(labels(original, annotated), wanted);
}

#[test]
fn the_innermost_span_wins_and_text_outside_any_is_not_content() {
    expect(
        "<nav>Home</nav><h1>Trees live</h1><p>Oaks and <i>ashes</i> too",
        "Home <span class='x-nc-sel2'><h1><span class='x-nc-sel0'><span class='x-nc-sel1'>Trees live</span></span></h1>
         <p>Oaks and <i class='wide x-nc-sel3'>ashes</i> too</p></span>",
        &[("Home", 0), ("Trees live", 1), ("Oaks and", 2), ("ashes", 3), ("too", 2)],
    );
}

#[test]
fn the_gold_text_has_the_words_of_its_labels_and_parts_them_at_blocks_alone() {
    let annotated =
        b"<title>t</title><div class=x-nc-sel2>one<ul><li>two<li><b>th</b>ree</ul><script>s</script>\
        <span class=x-nc-sel1>fo</span>ur<span class=x-nc-sel5>five</span>six<br>seven</div>eight";
    let text = |labels: LabelSet| gold_text(annotated, labels).unwrap();
    assert_eq!(text(LabelSet::ARTICLE), "one\ntwo\nthree\nfour\nsix\nseven");
    assert_eq!(text(LabelSet::MAIN_TEXT), "one\ntwo\nthree\nur\nsix\nseven");
    assert_eq!(text([Label::Comments, Label::NotContent].into_iter().collect()), "five\neight");
    assert_eq!(text(LabelSet::from_iter([])), "");
    assert_eq!(gold_text(b"", LabelSet::ALL), Err(PageProblem::Empty));
}

#[test]
fn labels_on_other_elements_count() {
    expect(
        "<div>A remark<ul><li>first</ul></div><div>end",
        "<div class='x x-nc-sel5'>A remark<ul class='x-nc-sel4'><li>first</li></ul></div><div>end</div>",
        &[("A remark", 5), ("first", 4), ("end", 0)],
    );
}

#[test]
fn a_word_split_by_a_span_takes_the_label_of_its_first_part() {
    let annotated =
        "<p><span class='x-nc-sel1'>Heart</span><span class='x-nc-sel2'>wood is dead wood</span></p>";
    let moved = transfer("<p>Heartwood is dead wood", annotated);
    assert_eq!(moved.gold.total(), [0, 1, 3, 0, 0, 0]);
    assert_eq!(moved.share(), 1.0);
}

#[test]
fn characters_lost_to_question_marks_do_no_harm() {
    let original =
        "<p>\u{201c}Caf\u{e9}s don\u{2019}t close\u{201d}, he\u{a0}said \u{2013} na\u{ef}vely<p>Menu";
    let annotated = "<p><span class='x-nc-sel2'>?Caf?s don?t close?, he?said ? na?vely</span></p><p>Menu</p>";
    let moved = transfer(original, annotated);
    assert_eq!(moved.gold.total(), [1, 0, 6, 0, 0, 0]);
    assert_eq!(moved.share(), 1.0);
}

#[test]
fn other_scripts_are_aligned_by_whole_tokens() {
    expect(
        "<p>Домой<p>Сердце дерева бьётся<p>東京の木",
        "<p>Домой</p><p class='x-nc-sel2'>Сердце дерева бьётся</p><p class='x-nc-sel3'>東京の木</p>",
        &[("Домой", 0), ("Сердце дерева бьётся", 2), ("東京の木", 3)],
    );
}

#[test]
fn spans_in_a_table_stay_where_they_stand() {
    expect(
        "<table><tr><td>left one<td>right two</table>after",
        "<table><tbody><tr><span class='x-nc-sel4'><td>left one</td></span>
         <span class='x-nc-sel2'><td>right two</td></span></tr></tbody></table>after",
        &[("left one", 4), ("right two", 2), ("after", 0)],
    );
}

#[test]
fn text_that_the_parser_moved_out_of_a_table_is_found() {
    expect(
        "<table><tr><td>cell with some words</td></tr>stray words in a table</table>",
        "<table><tbody><tr><td class='x-nc-sel2'>cell with some words</td></tr>
         <span class='x-nc-sel3'>stray words in a table</span></tbody></table>",
        &[("stray words in a table", 3), ("cell with some words", 2)],
    );
}

#[test]
fn a_headline_repeated_in_the_navigation_keeps_two_labels() {
    let both =
        [("Old oak falls", 0), ("Sport", 0), ("Old oak falls", 1), ("It fell.", 2), ("Old oak falls", 0)];
    expect(
        "<ul><li>Old oak falls<li>Sport</ul><h1>Old oak falls</h1><p>It fell.<p>Old oak falls",
        "<ul><li>Old oak falls</li><li>Sport</li></ul><h1><span class='x-nc-sel1'>Old oak falls</span></h1>
         <p><span class='x-nc-sel2'>It fell.</span></p><p>Old oak falls</p>",
        &both,
    );
    // Where the annotation lacks one, the neighbors decide.
    expect(
        "<ul><li>Old oak falls<li>Sport</ul><h1>Old oak falls</h1><p>It fell.",
        "<h1><span class='x-nc-sel1'>Old oak falls</span></h1><p><span class='x-nc-sel2'>It fell.</span></p>",
        &[("Old oak falls", 0), ("Sport", 0), ("Old oak falls", 1), ("It fell.", 2)],
    );
}

#[test]
fn text_of_one_side_alone_is_not_content_or_lost() {
    let annotated = "<p class='x-nc-sel2'>Only here now. Shared words stand in both.</p>";
    let moved = transfer("<p>Shared words stand in both.<noscript>Scripts are off</noscript>", annotated);
    assert_eq!(moved.gold.total(), [3, 0, 5, 0, 0, 0]);
    assert_eq!((moved.annotated_tokens(), moved.matched_tokens(), moved.unannotated_tokens), (8, 5, 3));
    assert_eq!(moved.by_label[2], (8, 5));
    assert_eq!((moved.lost.len(), &*moved.lost[0].excerpt, moved.lost[0].tokens), (1, "Only here now", 3));
}

#[test]
fn comments_and_line_breaks_part_text_on_both_sides() {
    expect(
        "<p>one two<!-- <b>x</b> -->three<br>four &amp; five&nbsp;six",
        "<p><span class='x-nc-sel2'>one two</span><!-- y --><span class='x-nc-sel3'>three</span><br>
         <span class='x-nc-sel2'>four &amp; five&nbsp;six</span></p>",
        &[("one two", 2), ("three", 3), ("four & five\u{a0}six", 2)],
    );
}

#[test]
fn text_that_no_reader_sees_is_no_token_on_either_side() {
    let hidden = "<title>Old oak</title><style>b {}</style><script>var oak = '<b>'</script>
        <select><option>oak</select><textarea>oak</textarea><iframe>oak</iframe>";
    let moved = transfer(&format!("{hidden}<p>oak"), &format!("{hidden}<p class='x-nc-sel2'>oak</p>"));
    assert_eq!((moved.annotated_tokens(), moved.matched_tokens()), (1, 1));
    assert_eq!(moved.gold.total(), [0, 0, 1, 0, 0, 0]);
}

#[test]
fn elements_and_hidden_text_have_no_label() {
    let dom = parse("<title>Oak</title><p>oak");
    let gold = transfer_labels(&dom, b"<p class='x-nc-sel2'>oak</p>").unwrap().gold;
    for id in dom.ids() {
        let shown = dom.text(id) == "oak";
        assert_eq!(gold.label(id), shown.then_some(Label::FullText), "node {id}");
        assert_eq!(gold.counts(id).iter().sum::<u32>(), u32::from(shown));
    }
}

#[test]
fn an_annotation_without_text_is_a_named_problem() {
    let dom = parse("<p>oak");
    assert_eq!(transfer_labels(&dom, b"").unwrap_err(), PageProblem::Empty);
    assert_eq!(transfer_labels(&dom, b"<p> - </p><script>x</script>").unwrap_err(), PageProblem::Empty);
    assert!(matches!(transfer_labels(&dom, &[0; 4000]).unwrap_err(), PageProblem::NotHtml(_)));
}

#[test]
fn an_original_without_text_takes_no_label() {
    let moved = transfer("<frameset><frame src=a></frameset>", "<p class='x-nc-sel2'>four words of text</p>");
    assert_eq!((moved.share(), moved.gold.total()), (0.0, [0; Label::COUNT]));
}

/// The promise of the data: no feature reads an annotated file. Features are computed on a `Dom`; what an
/// annotated file gives is no `Dom`, and its markup changes nothing but labels.
#[test]
fn an_annotated_file_gives_labels_and_nothing_else() {
    let dom = parse("<div id=a class=story><p>Oaks live long.</div><p>Menu");
    let before = dom.digest();
    let plain = transfer_labels(&dom, b"<p class='x-nc-sel2'>Oaks live long.</p><p>Menu</p>").unwrap();
    let decorated = transfer_labels(
        &dom,
        b"<style>.x-nc-sel2 { color: red }</style><article id=b class='x-nc-linearized promo' x-nc-extra=1>
          <table><tr><td><h1 class='x-nc-sel2 lead' role=main>Oaks live long.</h1></table></article>
          <script>leak()</script><aside>Menu</aside>",
    )
    .unwrap();
    assert_eq!(plain, decorated);
    assert_eq!(dom.digest(), before);
    assert!(plain.gold.iter().all(|(id, _)| dom.is_visible_text(id)));
}

#[test]
fn only_the_datasets_know_the_marks_of_an_annotation() {
    let is_code_with_marks = |line: &str| line.contains("x-nc-") && !line.trim_start().starts_with("//");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut knowing) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && std::fs::read_to_string(&path).unwrap().lines().any(is_code_with_marks)
            {
                knowing.push(path.strip_prefix(&root).unwrap().to_owned());
            }
        }
    }
    assert!(!knowing.is_empty());
    let strangers: Vec<_> = knowing.iter().filter(|path| !path.starts_with("dataset")).collect();
    assert!(strangers.is_empty(), "these files know how L3S-GN1 marks its labels: {strangers:?}");
    let reader = std::fs::read_to_string(root.join("dataset/transfer/annotation.rs")).unwrap();
    assert!(!reader.contains("Dom::"), "an annotated file is never made into a tree");
}

/// Words of a small vocabulary, so that everything stands in many places; some lose characters when annotated.
const WORDS: [(&str, &str); 8] = [
    ("oak", "oak"),
    ("ash", "ash"),
    ("caf\u{e9}", "caf?"),
    ("the", "the"),
    ("it\u{2019}s", "it?s"),
    ("\u{201c}elm", "?elm"),
    ("of", "of"),
    ("2026", "2026"),
];

#[derive(Debug, Clone)]
struct Part {
    label: usize,
    words: Vec<usize>,
    tag: &'static str,
    /// A label that an outer span states and an inner one overrules.
    outer: usize,
    /// Text that the annotation lacks.
    hidden: bool,
}

fn part() -> impl Strategy<Value = Part> {
    let tags = prop::sample::select(vec!["p", "div", "li", "b", "section"]);
    (0..Label::COUNT, prop::collection::vec(0..WORDS.len(), 1..12), tags, 0..Label::COUNT, any::<bool>())
        .prop_map(|(label, words, tag, outer, hidden)| Part { label, words, tag, outer, hidden })
}

proptest! {
    #[test]
    fn every_label_of_a_random_page_is_recovered(parts in prop::collection::vec(part(), 1..200)) {
        let (mut original, mut annotated) = (String::from("<body>"), String::from("<html><body>\n"));
        for Part { label, words, tag, outer, hidden } in &parts {
            let join = |side: fn(&(&'static str, &'static str)) -> &'static str| {
                words.iter().map(|&word| side(&WORDS[word])).collect::<Vec<_>>().join(" ")
            };
            if *hidden {
                original += "<noscript>hidden text</noscript>";
            }
            original += &format!("<{tag}>{}</{tag}>", join(|word| word.0));
            annotated += &format!(
                "<span class=\"x-nc-sel{outer}\"><{tag}><span class=\"x-nc-sel{label}\">\n{}</span>\n</{tag}></span>",
                join(|word| word.1)
            );
        }
        let dom = parse(&original);
        let moved = transfer_labels(&dom, annotated.as_bytes()).unwrap();
        prop_assert_eq!(moved.share(), 1.0);
        let texts: Vec<NodeId> = dom.shown_texts().filter(|&id| dom.text(id) != "hidden text").collect();
        prop_assert_eq!(texts.len(), parts.len());
        for (&id, part) in texts.iter().zip(&parts) {
            let mut counts = [0; Label::COUNT];
            counts[part.label] = part.words.len() as u32;
            prop_assert_eq!(moved.gold.counts(id), counts, "{}", dom.text(id));
        }
        prop_assert_eq!(moved.gold.total()[0] - moved.unannotated_tokens, moved.by_label[0].0);
    }

    #[test]
    fn every_shown_token_of_any_page_has_one_label(original in "(<[a-z]{1,6}>|[ a-e?é]{1,8}|</[a-z]{1,6}>){0,40}",
            annotated in "(<(p|b) class=x-nc-sel[0-7]>|[ a-e?é]{1,8}|</(p|b)>){0,40}") {
        let dom = parse(&format!("<p>{original}"));
        if let Ok(moved) = transfer_labels(&dom, annotated.as_bytes()) {
            for id in dom.shown_texts() {
                let tokens: u32 = moved.gold.counts(id).iter().sum();
                prop_assert_eq!(tokens, duramen::tokens::count(dom.text(id)));
            }
            prop_assert!(moved.matched_tokens() <= moved.annotated_tokens());
        }
    }
}

/// Text of `n` words drawn by a linear congruential generator from `kinds` kinds.
fn noise(n: u64, kinds: u64, seed: u64) -> String {
    let mut state = seed;
    let mut text = String::new();
    for _ in 0..n {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        text += &format!("w{} ", (state >> 33) % kinds);
    }
    text
}

#[test]
fn texts_of_a_hundred_thousand_tokens_end_in_seconds_whatever_they_hold() {
    let n = 100_000;
    let apart = noise(n, 50_000, 1).replace('w', "v");
    let same = "oak ".repeat(n as usize);
    let texts = [
        (noise(n, 50_000, 2), apart, "nothing in common"),
        (noise(n, 50, 3), noise(n, 50, 4), "a few words in random order"),
        (noise(n, 100_000, 5), noise(n, 100_000, 6), "many words in random order"),
        (same.clone(), same + "ash", "one word again and again"),
    ];
    for (original, annotated, what) in texts {
        let start = Instant::now();
        let moved = transfer(&format!("<p>{original}"), &format!("<p class=x-nc-sel2>{annotated}</p>"));
        assert!(moved.annotated_tokens() >= n);
        assert_eq!(moved.gold.total().iter().sum::<u64>(), n);
        assert!(start.elapsed() < Duration::from_secs(20), "{what}: {:?}", start.elapsed());
    }
}

#[test]
fn hostile_markup_in_an_annotated_file_ends_in_bounded_time() {
    let nested = "<span class=x-nc-sel2>".repeat(300_000) + "oak";
    let stray = "<b>".repeat(100_000) + &"</i>".repeat(300_000) + "oak";
    let attributes: String = (0..300_000).map(|i| format!(" a{i}=1")).collect();
    for annotated in [nested, stray, format!("<p{attributes}>oak</p>")] {
        let start = Instant::now();
        assert_eq!(transfer("<p>oak", &annotated).matched_tokens(), 1);
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }
}
