//! Texts of JSON-LD, the linked data in the scripts of a page.

use crate::dom::Dom;
use crate::index::NodeId;

/// Of one value of a JSON-LD script, so many bytes are read, and of all scripts together at most a hundred times that.
pub const MAX_VALUE: usize = 6_000;

/// Whether a script holds JSON-LD.
pub fn is_linked_data(dom: &Dom, script: NodeId) -> bool {
    dom.attribute(script, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("application/ld+json"))
}

/// The values of `description`, `articleBody` and `text` in a JSON text, as written there. Values are looked for and
/// the text is not parsed: many are cut, doubled or not quite JSON, and only their words count.
pub fn texts(json: &str) -> impl Iterator<Item = &str> {
    ["\"description\"", "\"articleBody\"", "\"text\""].into_iter().flat_map(move |key| {
        json.match_indices(key).filter_map(move |(at, _)| {
            let rest =
                json[at + key.len()..].trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
            let rest = &rest[..rest.floor_char_boundary(MAX_VALUE.min(rest.len()))];
            let bytes = rest.as_bytes();
            let end = memchr::memchr_iter(b'"', bytes).find(|&at| at == 0 || bytes[at - 1] != b'\\');
            Some(&rest[..end.unwrap_or(rest.len())])
        })
    })
}
