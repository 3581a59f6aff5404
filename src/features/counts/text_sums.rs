//! `TextSums`, the characters and words of the texts of a page by what they are.

use super::base::BaseCounts;
use crate::dom::Tag;
use crate::view::PageView;

/// What a text may end with.
pub const ENDINGS: &[&str] = &["nothing", "full stop", "colon", "comma", "digit", "letter", "other"];

/// Counts of a text.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextSums {
    pub words: u32,
    pub characters: u32,
    pub letters: u32,
    pub digits: u32,
    /// Words that begin with a capital letter.
    pub capitals: u32,
    pub upper_case: u32,
    /// Full stops, question and exclamation marks.
    pub full_stops: u32,
    pub commas: u32,
    /// Words inside buttons, labels and options.
    pub control_words: u32,
}

impl TextSums {
    fn zip(self, other: TextSums, f: impl Fn(u32, u32) -> u32) -> TextSums {
        TextSums {
            words: f(self.words, other.words),
            characters: f(self.characters, other.characters),
            letters: f(self.letters, other.letters),
            digits: f(self.digits, other.digits),
            capitals: f(self.capitals, other.capitals),
            upper_case: f(self.upper_case, other.upper_case),
            full_stops: f(self.full_stops, other.full_stops),
            commas: f(self.commas, other.commas),
            control_words: f(self.control_words, other.control_words),
        }
    }
}

/// The texts of a page: prefix sums of [`TextSums`].
pub struct PageTexts {
    sums: Vec<TextSums>,
}

impl PageTexts {
    /// Counts all texts of a page.
    pub fn new(base: &BaseCounts<'_>) -> Self {
        let dom = base.page.dom();
        let mut sums = vec![TextSums::default()];
        let mut sum = TextSums::default();
        let is_control = |tag| matches!(tag, Tag::BUTTON | Tag::LABEL | Tag::OPTION | Tag::SELECT);
        let mut in_control = dom.covers(dom.ids().filter(|&id| is_control(dom.tag(id))));
        for (i, &id) in base.view.texts.iter().enumerate() {
            let mut own = characters(dom.text(id));
            own.words = base.words_of_text(i);
            own.control_words = if in_control(id) { own.words } else { 0 };
            sum = sum.zip(own, |a, b| a + b);
            sums.push(sum);
        }
        PageTexts { sums }
    }

    /// Counts of the text of a node and all below.
    pub fn of(&self, view: &PageView, v: u32) -> TextSums {
        let texts = &view.nodes[v as usize].texts;
        self.sums[texts.end as usize].zip(self.sums[texts.start as usize], |end, start| end - start)
    }
}

/// Counts of the characters of one text; `words` and `control_words` are the caller's.
fn characters(text: &str) -> TextSums {
    let mut sums = TextSums::default();
    let mut word_begins = true;
    for c in text.chars() {
        if c.is_whitespace() {
            word_begins = true;
            continue;
        }
        sums.characters += 1;
        match c {
            '.' | '!' | '?' | '。' | '！' | '？' | '।' => sums.full_stops += 1,
            ',' | ';' | ':' | '、' | '，' => sums.commas += 1,
            _ if c.is_numeric() => sums.digits += 1,
            _ if c.is_alphabetic() => {
                sums.letters += 1;
                if c.is_uppercase() {
                    sums.upper_case += 1;
                    sums.capitals += u32::from(word_begins);
                }
            }
            _ => {}
        }
        word_begins = false;
    }
    sums
}

/// What the text of a node ends with, an index of [`ENDINGS`].
pub fn ending(base: &BaseCounts<'_>, v: u32) -> u8 {
    let texts = &base.view.nodes[v as usize].texts;
    match texts.is_empty() {
        true => 0,
        false => ending_of_text(base.page.dom().text(base.view.texts[texts.end as usize - 1])),
    }
}

fn ending_of_text(text: &str) -> u8 {
    match text.trim_end().chars().next_back() {
        None => 0,
        Some('.' | '!' | '?' | '。' | '！' | '？' | '।' | '"' | '”' | '»') => 1,
        Some(':') => 2,
        Some(',' | ';' | '、' | '，') => 3,
        Some(c) if c.is_numeric() => 4,
        Some(c) if c.is_alphabetic() => 5,
        Some(_) => 6,
    }
}
