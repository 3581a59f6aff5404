//! Titles without the name of the site that most pages put before or after them.

/// What is known apart from the title.
pub(super) struct KnownNames<'a> {
    pub heading: Option<&'a str>,
    pub site: Option<&'a str>,
    pub host: Option<String>,
}

/// What sites put between a title and their name; always with blanks around.
const SEPARATORS: [&str; 13] =
    [" | ", " - ", " – ", " — ", " : ", " :: ", " » ", " « ", " · ", " • ", " / ", " ‹ ", " › "];

/// The title without the site's name, if it is known to be the site's: the page's heading, the stated name of the
/// site or its host says so. Nothing is cut off on a guess.
pub(super) fn without_site(title: &str, known: &KnownNames<'_>) -> String {
    let is_site = |part: &str| {
        let part = letters(part);
        let is_name = known.site.is_some_and(|site| letters(site) == part);
        let is_host = known.host.as_deref().is_some_and(|host| {
            part.len() > 2 && (letters(host) == part || host.split('.').any(|label| letters(label) == part))
        });
        !part.is_empty() && (is_name || is_host)
    };
    let heading = known.heading.map(letters).filter(|heading| !heading.is_empty());
    for (before, after) in splits(title) {
        for part in [before, after] {
            if heading.as_ref() == Some(&letters(part)) {
                return part.to_owned();
            }
        }
    }
    let mut title = title;
    loop {
        let mut parts = splits(title);
        let Some(&(head, tail)) = parts.first() else { break };
        let Some((before, after)) = parts.pop() else { break };
        title = match () {
            () if is_site(after) && !before.is_empty() => before,
            () if is_site(head) && !tail.is_empty() => tail,
            () => break,
        };
    }
    title.to_owned()
}

/// What stands before and after each separator, in order.
fn splits(title: &str) -> Vec<(&str, &str)> {
    let mut places: Vec<(usize, usize)> =
        SEPARATORS.iter().flat_map(|s| title.match_indices(s).map(|(at, _)| (at, at + s.len()))).collect();
    places.sort_unstable();
    places.into_iter().map(|(start, end)| (title[..start].trim(), title[end..].trim())).collect()
}

/// What a headline may say that repeats a title, as [`letters`]: the title, or a part of it at a separator that has more than
/// half of its letters, so that no site's name is taken for one.
pub(crate) fn forms(title: &str) -> Vec<String> {
    let whole = letters(title);
    let parts = splits(title).into_iter().flat_map(|(before, after)| [letters(before), letters(after)]);
    let mut forms: Vec<String> = parts.filter(|part| 2 * part.len() > whole.len()).collect();
    forms.push(whole);
    forms.retain(|form| !form.is_empty());
    forms
}

/// Letters and digits in lower case: "The Oak-Leaf" and "theoakleaf" are the same name.
pub(crate) fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(title: &str, heading: Option<&str>, site: Option<&str>, host: Option<&str>) -> String {
        without_site(title, &KnownNames { heading, site, host: host.map(str::to_owned) })
    }

    #[test]
    fn the_stated_site_is_cut_off_at_either_end() {
        let site = Some("The Oak-Leaf");
        assert_eq!(cut("Storm fells trees | The Oak-Leaf", None, site, None), "Storm fells trees");
        assert_eq!(cut("The Oak-Leaf - Storm - and calm", None, site, None), "Storm - and calm");
        assert_eq!(cut("Storm – Weather – THE OAK-LEAF", None, site, None), "Storm – Weather");
    }

    #[test]
    fn host_and_heading_tell_the_site_too() {
        assert_eq!(cut("Storm | Oak Leaf", None, None, Some("news.oakleaf.example")), "Storm");
        assert_eq!(cut("Storm | Weather | Anything", Some("Storm"), None, None), "Storm");
        assert_eq!(cut("Storm » Anything", Some(" storm! "), None, None), "Storm");
    }

    #[test]
    fn a_headline_repeats_the_title_or_most_of_it_and_never_the_site() {
        assert_eq!(forms("Storm fells trees | Oak Leaf"), ["stormfellstrees", "stormfellstreesoakleaf"]);
        assert_eq!(
            forms("Oak Leaf - Storm - and calm"),
            ["stormandcalm", "oakleafstorm", "oakleafstormandcalm"]
        );
        assert_eq!(forms(" | "), [""; 0]);
    }

    #[test]
    fn nothing_is_cut_off_on_a_guess() {
        for title in ["Storm | Calm", "Word-for-word", "The Oak-Leaf", " | ", ""] {
            assert_eq!(cut(title, None, Some("The Oak-Leaf"), Some("x.example")), title);
        }
    }
}
