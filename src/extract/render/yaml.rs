//! Texts as values of YAML, for the front matter of Markdown and text.

/// A text as a scalar that every YAML parser reads as this text: plain where nothing in it has another meaning, else in double
/// quotes.
pub(super) fn scalar(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            _ if !is_printable(c) => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => quoted.push(c),
        }
    }
    quoted + "\""
}

/// Whether a text may stand without quotes. One that begins with a letter is no number, date or sign of YAML; `yes`, `no`, `on`,
/// `off`, `y` and `n` are truth values in YAML 1.1, which many parsers follow.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"];
    let ends_key = |(at, _)| text[at + 1..].chars().next().is_none_or(char::is_whitespace);
    text.starts_with(char::is_alphabetic)
        && !text.ends_with(char::is_whitespace)
        && text.chars().all(is_printable)
        && !WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
        && !text.match_indices(':').any(ends_key)
        && !text.match_indices('#').any(|(at, _)| text[..at].ends_with(char::is_whitespace))
}

/// Whether a character may stand as it is in a line of YAML.
fn is_printable(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use saphyr::{LoadableYamlNode, Yaml};

    /// What a parser reads of `title: <scalar>`.
    fn read(text: &str) -> String {
        let yaml = format!("title: {}\nurl: x\n", scalar(text));
        let documents = Yaml::load_from_str(&yaml).unwrap_or_else(|error| panic!("{yaml}: {error}"));
        documents[0]["title"].as_str().unwrap_or_else(|| panic!("{yaml}: no text")).to_owned()
    }

    #[test]
    fn a_parser_reads_what_was_written() {
        let texts = [
            "Cats: a \"short\" history",
            "Oak",
            "Issue #1",
            "Sharp # comment",
            "- item",
            "* star",
            "&a",
            "!tag",
            "%TAG",
            "@at",
            "`tick`",
            "'a'",
            "[a]",
            "{a: b}",
            "| bar",
            "> fold",
            "? key",
            ": colon",
            "ends:",
            "yes",
            "No",
            "off",
            "null",
            "~",
            "2026-03-14",
            "12",
            "1e3",
            "0x1f",
            ".5",
            ".inf",
            "back\\slash: x",
            "true",
            "\u{7f}\u{feff}",
            "https://a.example/b#c",
            "東京: 地図",
        ];
        for text in texts {
            assert_eq!(read(text), text);
        }
        // Older parsers have more words and dates: these are quoted.
        assert_eq!(
            ["yes", "2026-03-14", "Oak", "C# 5"].map(scalar),
            ["\"yes\"", "\"2026-03-14\"", "Oak", "C# 5"]
        );
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text in "\\PC{1,30}") {
            prop_assert_eq!(read(&text), text);
        }
    }
}
