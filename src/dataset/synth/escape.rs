//! Characters as HTML writes them: references for markup, and for letters on sites that prefer them.

/// Letters and signs that old sites write by name.
const NAMED: [(char, &str); 38] = [
    ('é', "eacute"),
    ('è', "egrave"),
    ('ê', "ecirc"),
    ('à', "agrave"),
    ('á', "aacute"),
    ('â', "acirc"),
    ('å', "aring"),
    ('ä', "auml"),
    ('ç', "ccedil"),
    ('í', "iacute"),
    ('ñ', "ntilde"),
    ('ó', "oacute"),
    ('ô', "ocirc"),
    ('ö', "ouml"),
    ('ú', "uacute"),
    ('û', "ucirc"),
    ('ü', "uuml"),
    ('ß', "szlig"),
    ('É', "Eacute"),
    ('Å', "Aring"),
    ('Ä', "Auml"),
    ('Ö', "Ouml"),
    ('Ü', "Uuml"),
    ('Í', "Iacute"),
    ('Ó', "Oacute"),
    ('¿', "iquest"),
    ('©', "copy"),
    ('«', "laquo"),
    ('»', "raquo"),
    ('“', "ldquo"),
    ('”', "rdquo"),
    ('„', "bdquo"),
    ('’', "rsquo"),
    ('–', "ndash"),
    ('—', "mdash"),
    ('…', "hellip"),
    ('·', "middot"),
    ('ï', "iuml"),
];

/// Appends `text` with `&`, `<`, `>` and the no-break space as references, and letters by name if `named`.
pub(super) fn push_text(out: &mut String, text: &str, named: bool) {
    for character in text.chars() {
        let reference = match character {
            '&' => Some("amp"),
            '<' => Some("lt"),
            '>' => Some("gt"),
            '\u{A0}' => Some("nbsp"),
            _ if named => NAMED.iter().find(|(letter, _)| *letter == character).map(|(_, name)| *name),
            _ => None,
        };
        match reference {
            Some(name) => out.extend(["&", name, ";"]),
            None => out.push(character),
        }
    }
}

/// Appends ` name="value"`, without quotes if `bare` and the value allows it.
pub(super) fn push_attribute(out: &mut String, name: &str, value: &str, bare: bool) {
    out.extend([" ", name, "="]);
    if bare
        && !value.is_empty()
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.%".contains(&byte))
    {
        out.push_str(value);
    } else {
        out.push('"');
        out.push_str(&value.replace('&', "&amp;").replace('"', "&quot;"));
        out.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped_and_letters_are_named_on_demand() {
        let mut out = String::new();
        push_text(&mut out, "a<b & é\u{A0}", false);
        push_text(&mut out, "é", true);
        assert_eq!(out, "a&lt;b &amp; é&nbsp;&eacute;");
    }

    #[test]
    fn quotes_are_left_out_only_where_the_value_allows_it() {
        let mut out = String::new();
        push_attribute(&mut out, "width", "100%", true);
        push_attribute(&mut out, "style", "float:left; \"x\"", true);
        assert_eq!(out, " width=100% style=\"float:left; &quot;x&quot;\"");
    }
}
