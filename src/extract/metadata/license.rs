//! The names of licenses by their addresses.

/// The usual name of a Creative Commons license of which this is the address, such as `CC BY-SA 4.0`.
pub(super) fn creative_commons(address: &str) -> Option<String> {
    let address = address.to_ascii_lowercase();
    let (_, path) = address.split_once("creativecommons.org/")?;
    let mut parts = path.split(['/', '?', '#']);
    let name = match (parts.next()?, parts.next()?) {
        ("licenses", code @ ("by" | "by-sa" | "by-nc" | "by-nd" | "by-nc-sa" | "by-nc-nd")) => {
            format!("CC {}", code.to_ascii_uppercase())
        }
        ("publicdomain", "zero") => "CC0".to_owned(),
        ("publicdomain", "mark") => "Public Domain Mark".to_owned(),
        _ => return None,
    };
    let is_version = |part: &&str| part.starts_with(|c: char| c.is_ascii_digit()) && part.len() < 8;
    Some(match parts.next().filter(is_version) {
        Some(version) => format!("{name} {version}"),
        None => name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licenses_are_named_and_other_pages_are_not() {
        let named = |path: &str| creative_commons(&format!("https://creativecommons.org/{path}"));
        assert_eq!(named("licenses/by-sa/4.0/deed.de").as_deref(), Some("CC BY-SA 4.0"));
        assert_eq!(named("licenses/BY").as_deref(), Some("CC BY"));
        assert_eq!(named("publicdomain/zero/1.0/").as_deref(), Some("CC0 1.0"));
        assert_eq!(named("publicdomain/mark/1.0/").as_deref(), Some("Public Domain Mark 1.0"));
        assert_eq!(named("about"), None);
        assert_eq!(named("licenses/sampling/1.0"), None);
        assert_eq!(creative_commons("https://a.example/licenses/by/4.0"), None);
    }
}
