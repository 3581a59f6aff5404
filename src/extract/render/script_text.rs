//! Text that a page has in the data of its scripts and not in its markup: what a script fills in when the page is shown.

use serde_json::Value;

use crate::dom::{Dom, Tag};
use crate::index::NodeId;
use crate::page::Page;
use crate::tokens;

/// A page with as many kept words has its text in its markup.
const FEW_WORDS: u64 = 150;
/// A string of fewer words is no text.
const LEAST_STRING: u32 = 20;
/// A text of fewer words is not missed.
const LEAST_TEXT: u64 = 60;
/// So many characters at the beginning of a string tell whether it stands in the markup.
const BEGINNING: usize = 40;
/// Bytes of one script.
const MAX_BYTES: usize = 8 << 20;

/// Text in the data of scripts.
#[derive(Debug, PartialEq)]
pub(super) struct ScriptText {
    /// Its words.
    words: u64,
    /// Where it stands.
    place: String,
}

impl ScriptText {
    /// The text that the data of a page's scripts have beyond its markup, where it is longer than the kept text, of so many words. Linear in
    /// the page; pages with a text of 150 words are not looked into.
    pub(super) fn of(page: &Page, kept_words: u64) -> Option<ScriptText> {
        if kept_words >= FEW_WORDS {
            return None;
        }
        let dom = page.dom();
        let mut found = ScriptText { words: 0, place: String::new() };
        let mut shown = None;
        let scripts = dom.ids().filter(|&id| dom.tag(id) == Tag::SCRIPT && is_data(dom, id));
        for script in scripts {
            let text = dom.text_content(script);
            let Some(value) = (text.len() <= MAX_BYTES).then(|| serde_json::from_str(&text).ok()).flatten()
            else {
                continue;
            };
            let texts = texts(&value);
            if texts.is_empty() {
                continue;
            }
            let shown = shown.get_or_insert_with(|| {
                letters(page.shown_words().iter().flat_map(|&(id, _)| dom.text(id).chars()))
            });
            let missing = texts.iter().filter(|text| {
                let beginning: String = letters(text.chars()).chars().take(BEGINNING).collect();
                !shown.contains(&beginning)
            });
            let words = missing.map(|text| u64::from(tokens::count(text))).sum();
            if words > found.words {
                found = ScriptText { words, place: place(dom, script) };
            }
        }
        (found.words >= LEAST_TEXT && found.words > 2 * kept_words).then_some(found)
    }

    /// What is said of it.
    pub(super) fn problem(&self) -> String {
        format!(
            "filled in by script: {} holds a text of {} words that the markup does not; let a browser run the scripts first",
            self.place, self.words
        )
    }
}

fn is_data(dom: &Dom, script: NodeId) -> bool {
    let kind = dom.attribute(script, "type").unwrap_or_default().to_ascii_lowercase();
    kind.ends_with("json")
}

fn place(dom: &Dom, script: NodeId) -> String {
    match dom.attribute(script, "id") {
        Some(id) => format!("the script {id}"),
        None if dom.attribute(script, "type").is_some_and(|kind| kind.contains("ld+")) => {
            "JSON-LD".to_owned()
        }
        None => "a script".to_owned(),
    }
}

/// The strings that are text, each once, without their markup.
fn texts(value: &Value) -> Vec<String> {
    let mut texts = Vec::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => texts.extend(plain(text)),
            // The last is taken out first.
            Value::Array(values) => open.extend(values.iter().rev()),
            Value::Object(values) => open.extend(values.values().rev()),
            _ => {}
        }
    }
    let mut seen = std::collections::HashSet::new();
    texts.retain(|text| seen.insert(text.clone()));
    texts
}

/// A string without its markup, if it is a text for readers: words with blanks between them, most of them letters.
fn plain(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut is_tag = false;
    for c in text.chars() {
        match c {
            '<' => is_tag = true,
            '>' if is_tag => {
                is_tag = false;
                plain.push(' ');
            }
            c if !is_tag => plain.push(c),
            _ => {}
        }
    }
    let count = |is: fn(char) -> bool| plain.chars().filter(|&c| is(c)).count();
    let is_prose = 10 * count(|c| c.is_alphabetic() || c.is_whitespace()) >= 9 * count(|_| true);
    (is_prose && tokens::count(&plain) >= LEAST_STRING).then_some(plain)
}

/// Letters and digits alone, in lower case.
fn letters(text: impl Iterator<Item = char>) -> String {
    text.filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORY: &str = "The old oak at the mill fell in the night, and nobody heard it. It had stood there for three hundred years, \
        and the village had its feasts below it. On Monday the council will decide whether a new one is planted at the same place, \
        or whether the square is to be paved at last, as the butcher and the owner of the inn have asked for since the war.";

    fn found(html: &str, kept: u64) -> Option<ScriptText> {
        let page = Page::parse("p", None, html.as_bytes(), Some("utf-8"), &Default::default()).unwrap();
        ScriptText::of(&page, kept)
    }

    #[test]
    fn a_text_in_data_alone_is_filled_in_by_a_script() {
        let data = format!(
            r#"{{"props":{{"body":"<p>{STORY}<\/p>","again":"<p>{STORY}<\/p>","code":"a=b;c(d)"}}}}"#
        );
        let shell = format!("<p>Loading<script id=__NEXT_DATA__ type=application/json>{data}</script>");
        let story = found(&shell, 1).unwrap();
        assert_eq!(
            story,
            ScriptText { words: tokens::count(STORY).into(), place: "the script __NEXT_DATA__".into() }
        );
        let told = format!("script __NEXT_DATA__ holds a text of {} words", tokens::count(STORY));
        assert!(story.problem().contains(&told), "{}", story.problem());
        let stated =
            format!(r#"<p>Loading<script type="application/ld+json">{{"articleBody":"{STORY}"}}</script>"#);
        assert_eq!(found(&stated, 1).unwrap().place, "JSON-LD");
        // What the markup has too is not missed, and neither is what is short beside the text, or no JSON.
        assert_eq!(found(&format!("<p>{}{shell}", STORY.to_uppercase()), 1), None);
        assert_eq!(found(&shell, 40), None);
        assert_eq!(found(&shell, FEW_WORDS), None);
        assert_eq!(found(&shell.replace("props", "props\""), 1), None);
    }
}
