//! The site of a page: the registered domain of its URL.

/// The host of a page whose URL is not known. All such pages count as one site, since they might be.
pub const UNKNOWN: &str = "unknown";

/// Whether a page's host says of what site it is: not [`UNKNOWN`], nor that of a page that counts as a site of its own.
pub fn is_known(host: &str) -> bool {
    host != UNKNOWN && !host.strip_prefix(UNKNOWN).is_some_and(|rest| rest.starts_with(':'))
}

/// The registered domain of a URL by the Public Suffix List, in lower case: `bbc.co.uk` for
/// `http://news.bbc.co.uk:80/2/hi`. A host that has none (an IP address, a bare name) is returned itself; a text
/// that is no URL with a host gives `None`. A missing scheme is taken to be http.
///
/// Private suffixes of the list count, so two blogs of one blog host are two sites.
///
/// # Examples
/// ```
/// use duramen::host::registered_domain;
/// assert_eq!(registered_domain("http://News.BBC.co.uk:80/2/hi").as_deref(), Some("bbc.co.uk"));
/// assert_eq!(registered_domain("http://a.blogspot.com/").as_deref(), Some("a.blogspot.com"));
/// assert_eq!(registered_domain("http://127.0.0.1/x").as_deref(), Some("127.0.0.1"));
/// assert_eq!(registered_domain("mailto:a@b.org"), None);
/// ```
pub fn registered_domain(url: &str) -> Option<String> {
    let url = url.trim();
    let parsed = match url::Url::parse(url) {
        Ok(parsed) if parsed.has_host() => parsed,
        // `example.org:80/x` parses as a URL of the scheme `example.org`.
        Ok(parsed) if !parsed.scheme().contains('.') => return None,
        _ if url.contains("://") || url.starts_with(['/', '?', '#', '.']) => return None,
        _ => url::Url::parse(&format!("http://{url}")).ok()?,
    };
    match parsed.host()? {
        url::Host::Domain(host) => {
            let host = host.trim_end_matches('.').to_ascii_lowercase();
            let domain = psl::domain_str(&host).unwrap_or(&host);
            (!domain.is_empty()).then(|| domain.to_owned())
        }
        address => Some(address.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_paths_and_capitals_do_not_change_the_site() {
        for url in [
            "https://www.example.co.uk",
            "example.co.uk:80/a b",
            " HTTP://EXAMPLE.CO.UK./?q=http://other.org ",
        ] {
            assert_eq!(registered_domain(url).as_deref(), Some("example.co.uk"), "{url}");
        }
    }

    #[test]
    fn what_has_no_registered_domain_stands_for_itself() {
        assert_eq!(registered_domain("http://localhost:8080/").as_deref(), Some("localhost"));
        assert_eq!(registered_domain("http://co.uk/").as_deref(), Some("co.uk"));
        assert_eq!(registered_domain("http://[::1]/").as_deref(), Some("[::1]"));
    }

    #[test]
    fn a_host_is_known_unless_it_stands_for_that_it_is_not() {
        assert!(is_known("unknown.org") && is_known("a.org"));
        assert!(!is_known(UNKNOWN) && !is_known("unknown:page"));
    }

    #[test]
    fn what_is_no_url_has_no_site() {
        for text in ["", "   ", "/sites", "#top", "javascript:void(0)", "data:text/html,x", "http://"] {
            assert_eq!(registered_domain(text), None, "{text}");
        }
    }
}
