//! The little markup that a reader must understand before a page is parsed: a tag's attributes, character references.

/// The attributes of the first tag called `name` (lower case) for which `pick` gives something, searched in order.
///
/// Sees tags inside comments and scripts too, which is harmless for what readers look for.
pub(super) fn find_in_tags<T>(
    html: &[u8],
    name: &str,
    mut pick: impl FnMut(&[(String, String)]) -> Option<T>,
) -> Option<T> {
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'<', &html[from..]) {
        let start = from + at + 1;
        from = start;
        let Some(head) = html.get(start..start + name.len()) else { break };
        if head.eq_ignore_ascii_case(name.as_bytes()) {
            let (attributes, end) = attributes(html, start + name.len());
            if let Some(found) = pick(&attributes) {
                return Some(found);
            }
            from = end;
        }
    }
    None
}

/// The value of an attribute.
pub(super) fn value<'a>(attributes: &'a [(String, String)], name: &str) -> Option<&'a str> {
    attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

/// The attributes of a tag whose name ends at `at`, and the place after its `>`. Names are in lower case, character
/// references of values decoded, bytes outside UTF-8 replaced.
pub(super) fn attributes(html: &[u8], mut at: usize) -> (Vec<(String, String)>, usize) {
    let text = |range: &[u8]| String::from_utf8_lossy(range).into_owned();
    let skip = |mut at: usize, wanted: &dyn Fn(u8) -> bool| {
        while html.get(at).is_some_and(|&byte| wanted(byte)) {
            at += 1;
        }
        at
    };
    let mut attributes = Vec::new();
    loop {
        at = skip(at, &|byte| byte.is_ascii_whitespace() || byte == b'/');
        match html.get(at) {
            None => return (attributes, at),
            Some(b'>') => return (attributes, at + 1),
            _ => {}
        }
        // An `=` where a name should begin is part of the name.
        let name_end = skip(at + 1, &|byte| !byte.is_ascii_whitespace() && !b"/>=".contains(&byte));
        let name = text(&html[at..name_end]).to_ascii_lowercase();
        at = skip(name_end, &|byte| byte.is_ascii_whitespace());
        let mut value = String::new();
        if html.get(at) == Some(&b'=') {
            at = skip(at + 1, &|byte| byte.is_ascii_whitespace());
            let quote = html.get(at).copied().filter(|byte| b"\"'".contains(byte));
            let start = at + usize::from(quote.is_some());
            at = match quote {
                Some(quote) => skip(start, &|byte| byte != quote),
                None => skip(start, &|byte| !byte.is_ascii_whitespace() && byte != b'>'),
            };
            value = unescape(&text(&html[start.min(html.len())..at]));
            at += usize::from(quote.is_some() && at < html.len());
        }
        attributes.push((name, value));
    }
}

/// Decodes numeric and named character references that end in a semicolon; what is none is left as it stands.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        // The longest name of the standard has 31 letters.
        let end = rest.bytes().take(40).position(|byte| byte == b';');
        match end.and_then(|end| Some((reference(&rest[1..end])?, end))) {
            Some((decoded, end)) => {
                out.push_str(&decoded);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

/// What a character reference, without `&` and `;`, stands for.
fn reference(name: &str) -> Option<String> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        // References to the C1 controls mean Windows-1252, in the HTML Standard as in practice.
        let byte = u8::try_from(code).ok().filter(|byte| (0x80..0xa0).contains(byte));
        return match byte {
            Some(byte) => Some(encoding_rs::WINDOWS_1252.decode_without_bom_handling(&[byte]).0.into_owned()),
            None => char::from_u32(code).map(String::from),
        };
    }
    let &(first, second) = html5ever::data::NAMED_ENTITIES.get(&format!("{name};"))?;
    let decoded: String =
        [first, second].into_iter().filter(|&c| c != 0).filter_map(char::from_u32).collect();
    (!decoded.is_empty()).then_some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_quoted_unquoted_and_bare() {
        let html = b"<LINK a=1 B = 'x > y' c=\"&amp;&#39;\" d / e>rest";
        let (found, end) = attributes(html, 5);
        let expected = [("a", "1"), ("b", "x > y"), ("c", "&'"), ("d", ""), ("e", "")];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(&html[end..], b"rest");
    }

    #[test]
    fn a_tag_cut_anywhere_is_read_to_the_end() {
        let html = b"<link a=1 b = 'x' c=\"y\" =d>";
        for length in 5..html.len() {
            assert!(attributes(&html[..length], 5).1 <= length);
        }
    }

    #[test]
    fn character_references_are_decoded_once_and_others_left() {
        assert_eq!(
            unescape("&amp;lt; &#8217;&#x2019;&rsquo; &#146; a&b &nosuch; &#xd800; &"),
            "&lt; \u{2019}\u{2019}\u{2019} \u{2019} a&b &nosuch; &#xd800; &"
        );
    }

    #[test]
    fn the_first_tag_that_pleases_is_found() {
        let html =
            b"<linkage><link rel=icon href=a><p><LINK rel=canonical href=b><link rel=canonical href=c>";
        let href = find_in_tags(html, "link", |tag| {
            (value(tag, "rel") == Some("canonical")).then(|| value(tag, "href").unwrap().to_owned())
        });
        assert_eq!(href.as_deref(), Some("b"));
        assert_eq!(find_in_tags(b"<", "link", |_| Some(())), None);
    }
}
