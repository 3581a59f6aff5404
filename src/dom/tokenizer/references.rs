//! Character references (sections 13.2.5.72 to 13.2.5.80).

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// The length of the longest name that is also read without its semicolon, such as `&Aacute`.
const LONGEST_WITHOUT_SEMICOLON: usize = 6;
/// The length of the longest name, that of `&CounterClockwiseContourIntegral;` without the semicolon.
const LONGEST: usize = 31;

/// The one or two characters that a reference stands for.
pub(super) type Characters = std::iter::Chain<std::option::IntoIter<char>, std::option::IntoIter<char>>;

/// Decodes the reference whose text after `&` `rest` begins with: its characters and the bytes it takes of
/// `rest`. `None` where there is no reference, so that `&` is text.
///
/// `rest` need only go as far as the text or the attribute's value does, since what ends them (`<`, a quote, a
/// blank, `>`) ends a reference too.
pub(super) fn decode(rest: &str, in_attribute: bool) -> Option<(Characters, usize)> {
    match rest.as_bytes().first()? {
        b'#' => numeric(rest.as_bytes()),
        byte if byte.is_ascii_alphanumeric() => named(rest, in_attribute),
        _ => None,
    }
}

fn named(rest: &str, in_attribute: bool) -> Option<(Characters, usize)> {
    let bytes = rest.as_bytes();
    let length = bytes.iter().take(LONGEST + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let next = bytes.get(length);
    // A name with its semicolon is the longest that can match: no name holds a semicolon but at its end.
    if next == Some(&b';')
        && let Some(characters) = lookup(&rest[..=length])
    {
        return Some((characters, length + 1));
    }
    if in_attribute {
        // Before `=` or more of a word it is taken for text, as in `?a=1&copy=2`.
        if next == Some(&b'=') || length > LONGEST_WITHOUT_SEMICOLON {
            return None;
        }
        return lookup(&rest[..length]).map(|characters| (characters, length));
    }
    (1..=length.min(LONGEST_WITHOUT_SEMICOLON))
        .rev()
        .find_map(|length| lookup(&rest[..length]).map(|characters| (characters, length)))
}

fn lookup(name: &str) -> Option<Characters> {
    // The table holds the beginnings of names too, with zeros.
    let &(first, second) = NAMED_ENTITIES.get(name).filter(|&&(first, _)| first != 0)?;
    let second = if second == 0 { None } else { char::from_u32(second) };
    Some(char::from_u32(first).into_iter().chain(second))
}

fn numeric(rest: &[u8]) -> Option<(Characters, usize)> {
    let (base, start) = match rest.get(1) {
        Some(b'x' | b'X') => (16, 2),
        _ => (10, 1),
    };
    let mut number = 0u32;
    let mut at = start;
    while let Some(digit) = rest.get(at).and_then(|&byte| char::from(byte).to_digit(base)) {
        // Saturated far above the last character, so that no number comes round to a valid one.
        number = number.saturating_mul(base).saturating_add(digit);
        at += 1;
    }
    if at == start {
        return None;
    }
    if rest.get(at) == Some(&b';') {
        at += 1;
    }
    let character = match number {
        0 => None,
        // What windows-1252 has at these places.
        0x80..=0x9f => C1_REPLACEMENTS[number as usize - 0x80].or(char::from_u32(number)),
        _ => char::from_u32(number),
    };
    Some((Some(character.unwrap_or(char::REPLACEMENT_CHARACTER)).into_iter().chain(None), at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(rest: &str, in_attribute: bool) -> Option<(String, usize)> {
        decode(rest, in_attribute).map(|(characters, length)| (characters.collect(), length))
    }

    #[test]
    fn every_name_is_found_and_the_bounds_hold() {
        let mut names = 0;
        for (&name, &(first, _)) in NAMED_ENTITIES.entries().filter(|(_, characters)| characters.0 != 0) {
            names += 1;
            let (characters, length) = text(name, false).unwrap();
            assert_eq!((characters.chars().next(), length), (char::from_u32(first), name.len()), "{name}");
            match name.strip_suffix(';') {
                Some(name) => assert!(name.len() <= LONGEST, "{name}"),
                None => assert!(name.len() <= LONGEST_WITHOUT_SEMICOLON, "{name}"),
            }
        }
        assert_eq!(names, 2231);
    }

    #[test]
    fn the_longest_name_is_taken() {
        assert_eq!(text("notin;", false), Some(("∉".to_owned(), 6)));
        assert_eq!(text("notit;", false), Some(("¬".to_owned(), 3)));
        assert_eq!(text("fjlig;", false), Some(("fj".to_owned(), 6)));
        assert_eq!(text("noname;", false), None);
    }

    #[test]
    fn a_word_of_an_address_is_no_reference() {
        assert_eq!(text("copy=2", true), None);
        assert_eq!(text("copyright", true), None);
        assert_eq!(text("copy", true), Some(("©".to_owned(), 4)));
        assert_eq!(text("copy;=2", true), Some(("©".to_owned(), 5)));
    }

    #[test]
    fn numbers_outside_unicode_are_replaced() {
        assert_eq!(text("#x41;b", false), Some(("A".to_owned(), 5)));
        assert_eq!(text("#150", false), Some(("–".to_owned(), 4)));
        assert_eq!(text("#129;", false), Some(("\u{81}".to_owned(), 5)));
        for number in ["#0;", "#xD800;", "#x110000;", "#99999999999999999999;"] {
            assert_eq!(text(number, false), Some(("\u{fffd}".to_owned(), number.len())));
        }
        assert_eq!(text("#;", false), None);
        assert_eq!(text("#xg", false), None);
    }
}
