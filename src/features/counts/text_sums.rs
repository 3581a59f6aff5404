//! `TextSums`, the characters and words of the texts of a page by what they are.

use super::base::BaseCounts;
use super::walk::DomWalk;
use crate::characters;
use crate::view::PageView;

/// What a text may end with.
pub const ENDINGS: &[&str] = &["nothing", "full stop", "colon", "comma", "digit", "letter", "other"];

/// Counts of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
    #[inline(always)]
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
    pub fn new(base: &BaseCounts<'_>, walk: &DomWalk<'_>) -> Self {
        let dom = base.page.dom();
        let mut sums = vec![TextSums::default()];
        let mut sum = TextSums::default();
        for (i, (&id, &[_, in_control])) in base.view.texts.iter().zip(&walk.texts).enumerate() {
            let mut own = characters(dom.text(id));
            own.words = base.words_of_text(i);
            own.control_words = if in_control { own.words } else { 0 };
            sum = sum.zip(own, |a, b| a + b);
            sums.push(sum);
        }
        PageTexts { sums }
    }

    /// Counts of the text of a node and all below.
    #[inline(always)]
    pub fn of(&self, view: &PageView, v: u32) -> TextSums {
        let texts = &view.nodes[v as usize].texts;
        self.sums[texts.end as usize].zip(self.sums[texts.start as usize], |end, start| end - start)
    }
}

/// Counts of the characters of one text; `words` and `control_words` are the caller's.
fn characters(text: &str) -> TextSums {
    let mut sums = TextSums::default();
    let mut word_begins = true;
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
        let (ascii, others) = rest.split_at(end);
        sums.add_ascii(ascii.as_bytes(), &mut word_begins);
        let mut others = others.chars();
        rest = "";
        while let Some(c) = others.next() {
            sums.add_character(c, &mut word_begins);
            if others.as_str().starts_with(|c: char| c.is_ascii()) {
                rest = others.as_str();
                break;
            }
        }
    }
    sums
}

/// So many bytes a byte of a sum of [`KINDS`] can count.
const CHUNK: usize = 255;

// Where in the numbers of [`KINDS`] what is counted.
const CHARACTERS: u32 = 0;
const LETTERS: u32 = 8;
const DIGITS: u32 = 16;
const UPPER_CASE: u32 = 24;
const FULL_STOPS: u32 = 32;
const COMMAS: u32 = 40;
const SPACES: u32 = 48;

/// What each character of ASCII is, a byte for each kind that is counted: a sum of these counts all of them at once. Texts of
/// pages are short, so that this is faster than a pass with wide registers for each kind.
static KINDS: [u64; 128] = {
    let mut kinds = [0; 128];
    let mut i = 0;
    while i < 128 {
        let byte = i as u8;
        kinds[i] = ((!is_ascii_space(byte)) as u64) << CHARACTERS
            | (byte.is_ascii_alphabetic() as u64) << LETTERS
            | (byte.is_ascii_digit() as u64) << DIGITS
            | (byte.is_ascii_uppercase() as u64) << UPPER_CASE
            | (matches!(byte, b'.' | b'!' | b'?') as u64) << FULL_STOPS
            | (matches!(byte, b',' | b';' | b':') as u64) << COMMAS
            | (is_ascii_space(byte) as u64) << SPACES;
        i += 1;
    }
    kinds
};

const fn is_ascii_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\x0b'
}

impl TextSums {
    /// Adds a run of ASCII, without a branch for each character.
    fn add_ascii(&mut self, run: &[u8], word_begins: &mut bool) {
        let mut before = u64::from(*word_begins) << SPACES;
        for chunk in run.chunks(CHUNK) {
            let (mut counts, mut capitals) = (0, 0);
            for &byte in chunk {
                let kind = KINDS[usize::from(byte & 0x7f)];
                counts += kind;
                capitals += before >> SPACES & kind >> UPPER_CASE & 1;
                before = kind;
            }
            let count = |place: u32| (counts >> place & 0xff) as u32;
            self.characters += count(CHARACTERS);
            self.letters += count(LETTERS);
            self.digits += count(DIGITS);
            self.capitals += capitals as u32;
            self.upper_case += count(UPPER_CASE);
            self.full_stops += count(FULL_STOPS);
            self.commas += count(COMMAS);
        }
        *word_begins = before >> SPACES & 1 == 1;
    }

    /// Adds any character.
    fn add_character(&mut self, c: char, word_begins: &mut bool) {
        let kind = characters::kind(c);
        if kind & characters::WHITE_SPACE != 0 {
            *word_begins = true;
            return;
        }
        self.characters += 1;
        match c {
            '.' | '!' | '?' | '。' | '！' | '？' | '।' => self.full_stops += 1,
            ',' | ';' | ':' | '、' | '，' => self.commas += 1,
            _ if kind & characters::NUMERIC != 0 => self.digits += 1,
            _ if kind & characters::ALPHABETIC != 0 => {
                self.letters += 1;
                if kind & characters::UPPER_CASE != 0 {
                    self.upper_case += 1;
                    self.capitals += u32::from(*word_begins);
                }
            }
            _ => {}
        }
        *word_begins = false;
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn characters_are_counted_by_what_they_are() {
        let sums = characters("An Oak, 20 m. Ötzi: YES!");
        let found = [sums.characters, sums.letters, sums.digits, sums.capitals, sums.upper_case];
        assert_eq!(found, [19, 13, 2, 4, 6]);
        assert_eq!([sums.full_stops, sums.commas], [2, 2]);
    }

    proptest! {
        #[test]
        fn runs_of_ascii_are_counted_as_their_characters(text in "([ -~\\t\\n\\x0b\\x0c\\r\\x1c]{0,20}\\PC{0,2}){0,6}") {
            let mut expected = TextSums::default();
            let mut word_begins = true;
            text.chars().for_each(|c| expected.add_character(c, &mut word_begins));
            prop_assert_eq!(characters(&text), expected);
        }
    }
}
