//! `Answer`, what was read on a sheet: a label for each block, and the kind of the page.

use crate::characters::folded;
use crate::error::did_you_mean;
use crate::label::Label;
use crate::model::PageType;

use super::Sheet;

/// The letters that stand for labels in an answer.
const CODES: [(char, Label); Label::COUNT] = [
    ('H', Label::Headline),
    ('C', Label::FullText),
    ('S', Label::Supplemental),
    ('R', Label::RelatedContent),
    ('K', Label::Comments),
    ('B', Label::NotContent),
];

/// The letter of a label.
pub fn code_of_label(label: Label) -> char {
    CODES.iter().find(|(_, other)| *other == label).map(|(code, _)| *code).expect("every label has a letter")
}

/// The label of a letter.
pub fn label_of_code(code: char) -> Option<Label> {
    CODES.iter().find(|(other, _)| *other == code).map(|(_, label)| *label)
}

/// An answer to a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The label of each block; what was not named is not content.
    pub labels: Vec<Label>,
    /// What the page is as a whole, if that was said.
    pub kind: Option<PageType>,
    /// Whether the reader doubts that another would answer the same.
    pub is_doubtful: bool,
    /// What else the reader wrote.
    pub note: Option<String>,
}

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there, and what to write.
    pub problem: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl Answer {
    /// Reads an answer:
    ///
    /// ```text
    /// sheet 5d41402a
    /// H 10; C 12-40, 43; S 41; K 60-92; kind article; doubt; note the list below the text may be advertising
    /// ```
    ///
    /// Its first line is that of the sheet. Then come labels, by letter or by name, with the numbers of their blocks, parted by
    /// commas, semicolons or line ends, and in any order `kind`, `doubt` and `note`; a note goes to the end of its line. Lines
    /// of a fence (three backquotes) are passed over, since language models write them.
    ///
    /// # Errors
    /// All [`Fault`]s: no or another sheet's digest, a block that is not there or that is named twice, what is no label, kind or
    /// number.
    pub fn read(text: &str, sheet: &Sheet) -> Result<Answer, Vec<Fault>> {
        let mut reader = Reader {
            blocks: vec![None; sheet.blocks],
            answer: Answer { labels: Vec::new(), kind: None, is_doubtful: false, note: None },
            faults: Vec::new(),
            line: 0,
            label: None,
        };
        let mut is_named = false;
        for (index, line) in text.lines().enumerate() {
            reader.line = index + 1;
            let line = line.trim();
            if line.is_empty() || line.starts_with("```") {
                continue;
            }
            if !is_named {
                is_named = true;
                reader.sheet(line, sheet);
                continue;
            }
            reader.items(line);
        }
        if !is_named {
            reader.fault(format!("the answer is empty; begin it with: sheet {}", sheet.digest));
        }
        let Reader { blocks, mut answer, faults, .. } = reader;
        if !faults.is_empty() {
            return Err(faults);
        }
        let label = |named: Option<(Label, usize)>| named.map_or(Label::NotContent, |(label, _)| label);
        answer.labels = blocks.into_iter().map(label).collect();
        Ok(answer)
    }

    /// The answer as [`Answer::read`] takes it.
    pub fn text(&self, sheet: &Sheet) -> String {
        let mut text = format!("sheet {}\n", sheet.digest);
        for (code, label) in CODES.into_iter().filter(|(_, label)| *label != Label::NotContent) {
            let of_label = runs(&self.labels).filter(|(_, other)| *other == label);
            let ranges: Vec<String> = of_label.map(|(blocks, _)| range(blocks)).collect();
            if !ranges.is_empty() {
                text += &format!("{code} {}\n", ranges.join(", "));
            }
        }
        text += &self.kind.map_or(String::new(), |kind| format!("kind {}\n", kind.name()));
        text += if self.is_doubtful { "doubt\n" } else { "" };
        text += &self.note.as_ref().map_or(String::new(), |note| format!("note {}\n", folded(note)));
        text
    }
}

/// The runs of equal values, with the numbers of the first and last block, from 1.
pub fn runs<T: Copy + PartialEq>(values: &[T]) -> impl Iterator<Item = ([usize; 2], T)> {
    let mut end = 0;
    values.chunk_by(|a, b| a == b).map(move |run| {
        let start = end + 1;
        end += run.len();
        ([start, end], run[0])
    })
}

/// Blocks as an answer names them.
pub fn range([from, to]: [usize; 2]) -> String {
    if from == to { from.to_string() } else { format!("{from}-{to}") }
}

struct Reader {
    /// The label of each block, and the line that names it.
    blocks: Vec<Option<(Label, usize)>>,
    answer: Answer,
    faults: Vec<Fault>,
    line: usize,
    /// The label that the next numbers have.
    label: Option<Label>,
}

impl Reader {
    fn fault(&mut self, problem: String) {
        self.faults.push(Fault { line: self.line, problem });
    }

    fn sheet(&mut self, line: &str, sheet: &Sheet) {
        let digest = &sheet.digest;
        match line.strip_prefix("sheet ").map(|rest| rest.split_whitespace().next().unwrap_or_default()) {
            Some(named) if named == digest => {}
            Some(named) => self.fault(format!("answers sheet {named}, and this page's sheet is {digest}")),
            None => self.fault(format!("begin the answer with the first line of the sheet: sheet {digest}")),
        }
    }

    fn items(&mut self, line: &str) {
        let mut rest = line;
        while !rest.is_empty() {
            let item = rest.split([',', ';']).next().unwrap_or_default();
            let next = rest.get(item.len() + 1..).unwrap_or_default();
            let mut words = item.split_whitespace();
            match words.next() {
                None => {}
                Some("note") => {
                    let note = folded(&rest.trim_start()["note".len()..]);
                    self.answer.note = Some(note).filter(|note| !note.is_empty());
                    return;
                }
                Some("doubt") => self.answer.is_doubtful = true,
                Some("kind") => self.kind(&words.collect::<Vec<_>>().join(" ")),
                Some(first) => {
                    let numbers = if first.starts_with(|c: char| c.is_ascii_digit()) {
                        item
                    } else {
                        self.label = self.label(first);
                        item.trim_start()[first.len()..].trim()
                    };
                    match self.label {
                        Some(label) => self.ranges(label, numbers),
                        // Its label is none, which was told.
                        None if self.faults.last().is_some_and(|fault| fault.line == self.line) => {}
                        None => self.fault(format!("'{numbers}' has no label; write C {numbers}")),
                    }
                }
            }
            rest = next;
        }
    }

    fn kind(&mut self, name: &str) {
        let kind = PageType::ALL.into_iter().find(|kind| kind.name() == name);
        // The names that the labels by reading have.
        match kind
            .or_else(|| matches!(name, "homepage" | "profile").then(|| PageType::stated(name)).flatten())
        {
            Some(kind) => self.answer.kind = Some(kind),
            None => self.fault(format!(
                "unknown kind '{name}'; {}",
                did_you_mean(name, PageType::ALL.map(PageType::name))
            )),
        }
    }

    fn label(&mut self, word: &str) -> Option<Label> {
        let mut letters = word.chars();
        let code = letters.next().filter(|_| letters.next().is_none()).and_then(label_of_code);
        let label = code.or_else(|| word.parse().ok());
        if label.is_none() {
            let known = did_you_mean(word, Label::ALL.map(Label::name));
            self.fault(format!(
                "'{word}' is no label; write one of H, C, S, R, K and B, kind, doubt or note ({known})"
            ));
        }
        label
    }

    fn ranges(&mut self, label: Label, numbers: &str) {
        if numbers.is_empty() {
            return self.fault(format!("{label} names no block; write their numbers, such as C 12-40"));
        }
        for range in numbers.split_whitespace() {
            let (first, last) = range.split_once(['-', '–']).unwrap_or((range, range));
            let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) else {
                self.fault(format!("'{range}' is no number of a block, nor two with a hyphen between them"));
                continue;
            };
            let n = self.blocks.len();
            if first == 0 || last > n || first > last {
                let problem = if first > last {
                    "is the wrong way round".to_owned()
                } else {
                    format!("is not there; the sheet has blocks 1 to {n}")
                };
                self.fault(format!("{range} {problem}"));
                continue;
            }
            for block in first..=last {
                if let Some((before, line)) = self.blocks[block - 1].replace((label, self.line)) {
                    self.fault(format!(
                        "block {block} is named twice: {before} on line {line}, {label} here"
                    ));
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        Sheet { digest: "5d41402a".to_owned(), text: String::new(), blocks: 12 }
    }

    fn read(answer: &str) -> Result<Answer, Vec<String>> {
        let named = format!("sheet 5d41402a\n{answer}");
        Answer::read(&named, &sheet()).map_err(|faults| faults.iter().map(Fault::to_string).collect())
    }

    #[test]
    fn an_answer_is_read_as_it_is_written() {
        for text in [
            "",
            "C 1",
            "H 2; C 3-5, 7; S 6; K 9-12; kind article; doubt; note C 1, or not",
            "R 1-12; kind home-page",
        ] {
            let answer = read(text).unwrap();
            let written = answer.text(&sheet());
            assert_eq!(Answer::read(&written, &sheet()).as_ref(), Ok(&answer), "{written}");
        }
        assert_eq!(read("S 6; C 3-5, 7").unwrap().text(&sheet()), "sheet 5d41402a\nC 3-5, 7\nS 6\n");
    }

    fn codes(answer: &Answer) -> String {
        answer.labels.iter().copied().map(code_of_label).collect()
    }

    #[test]
    fn an_answer_is_read_in_any_order() {
        let answer =
            read("H 2; C 4-6, 8 9; S 7; kind forum\nK 11–12\ndoubt\nnote who, and when; is not clear")
                .unwrap();
        assert_eq!(codes(&answer), "BHBCCCSCCBKK");
        assert_eq!((answer.kind, answer.is_doubtful), (Some(PageType::Forum), true));
        assert_eq!(answer.note.as_deref(), Some("who, and when; is not clear"));
        // As language models write, with names in place of letters, and with an old name of a kind.
        let fenced = "```\nsheet 5d41402a oak\n\nfull-text 1-3,\n5\nB 4; kind homepage\n```\n";
        let answer = Answer::read(fenced, &sheet()).unwrap();
        assert_eq!(codes(&answer), "CCCBCBBBBBBB");
        assert_eq!((answer.kind, answer.is_doubtful, answer.note), (Some(PageType::HomePage), false, None));
        // A page may be without content.
        assert_eq!(codes(&read("").unwrap()), "BBBBBBBBBBBB");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (answer, problem) in [
            ("C 1-3\nS 3", "line 3: block 3 is named twice: full-text on line 2, supplemental here"),
            ("C 12-13", "line 2: 12-13 is not there; the sheet has blocks 1 to 12"),
            ("C 0", "line 2: 0 is not there; the sheet has blocks 1 to 12"),
            ("C 5-3", "line 2: 5-3 is the wrong way round"),
            ("C one", "line 2: 'one' is no number of a block, nor two with a hyphen between them"),
            ("C", "line 2: full-text names no block; write their numbers, such as C 12-40"),
            ("3-4", "line 2: '3-4' has no label; write C 3-4"),
            ("kind articel", "line 2: unknown kind 'articel'; did you mean 'article'?"),
        ] {
            assert_eq!(read(answer), Err(vec![problem.to_owned()]), "{answer}");
        }
        let faults = read("X 3, 4\nC 99").unwrap_err();
        assert!(
            faults[0].starts_with("line 2: 'X' is no label; write one of H, C, S, R, K and B"),
            "{faults:?}"
        );
        assert_eq!(faults.len(), 2, "{faults:?}");
        for (answer, problem) in [
            ("", "the answer is empty; begin it with: sheet 5d41402a"),
            ("C 1", "begin the answer with the first line of the sheet: sheet 5d41402a"),
            ("sheet 00000000\nC 1", "answers sheet 00000000, and this page's sheet is 5d41402a"),
        ] {
            let faults = Answer::read(answer, &sheet()).unwrap_err();
            assert_eq!(faults[0].problem, problem);
        }
    }
}
