//! `PictureIndex`, how addresses find the picture of a page that they mean.

use std::collections::{BTreeMap, BTreeSet};

use percent_encoding::percent_decode_str;
use url::Url;

/// Endings of the files of images.
const ENDINGS: [&str; 8] = ["jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "bmp"];

/// File names so usual that they tell nothing.
const USUAL: [&str; 22] = [
    "image",
    "img",
    "photo",
    "picture",
    "default",
    "index",
    "large",
    "small",
    "original",
    "file",
    "logo",
    "icon",
    "blank",
    "pixel",
    "spacer",
    "placeholder",
    "image-1",
    "hero",
    "cover",
    "main",
    "0",
    "00",
];

/// What the addresses of one file share: host and path in lower-case host and decoded path, and the query of what is no file of an
/// image. None for data and for what is no address.
pub fn address_key(address: &str, base: Option<&str>) -> Option<String> {
    let address = address.trim();
    if address.is_empty() || ["data:", "blob:", "about:"].iter().any(|scheme| address.starts_with(scheme)) {
        return None;
    }
    let absolute = match base.and_then(|base| Url::parse(base).ok()) {
        Some(base) => base.join(address).ok()?.to_string(),
        None => address.to_owned(),
    };
    let rest = absolute.split_once("//").map_or(absolute.as_str(), |(_, rest)| rest);
    let rest = rest.split('#').next().unwrap_or_default();
    let (place, query) = rest.split_once('?').map_or((rest, ""), |(place, query)| (place, query));
    let (host, path) = match place.find('/') {
        Some(at) => place.split_at(at),
        None => (place, ""),
    };
    let host = host.to_lowercase();
    let host = if ["fakehost", "localhost"].contains(&host.as_str()) { "" } else { &host };
    let mut decoded = percent_decode_str(path).decode_utf8_lossy().into_owned();
    while decoded.contains("//") {
        decoded = decoded.replace("//", "/");
    }
    let is_file = decoded.rsplit_once('.').is_some_and(|(_, end)| {
        ENDINGS.contains(&end.to_ascii_lowercase().as_str()) || end.eq_ignore_ascii_case("jfif")
    });
    let query = if is_file || query.is_empty() {
        String::new()
    } else {
        format!("?{}", percent_decode_str(query).decode_utf8_lossy())
    };
    Some(format!("{host}{decoded}{query}"))
}

/// The file's name without its ending and without what tells its size; none of what has none.
pub fn file_stem(key: &str) -> Option<String> {
    let name = key.split('?').next()?.trim_end_matches('/').rsplit('/').next()?.to_lowercase();
    let stem = match name.rsplit_once('.') {
        Some((stem, end)) if ENDINGS.contains(&end) => stem,
        _ => &name,
    };
    let stem = match stem.rsplit_once(['-', '_']) {
        Some((rest, size)) if is_size(size) => rest,
        _ => stem,
    };
    let stem = match stem.rsplit_once(['-', '_']) {
        Some((rest, size)) if is_size_word(size) => rest,
        _ => stem,
    };
    (!stem.is_empty()).then(|| stem.to_owned())
}

fn is_size(part: &str) -> bool {
    let is_number = |n: &str| (2..=4).contains(&n.len()) && n.bytes().all(|byte| byte.is_ascii_digit());
    part.split_once('x').is_some_and(|(w, h)| is_number(w) && is_number(h))
}

fn is_size_word(part: &str) -> bool {
    let words = [
        "articlelarge",
        "superjumbo",
        "jumbo",
        "largehorizontal",
        "large",
        "medium",
        "small",
        "full",
        "scaled",
    ];
    words.contains(&part) || part.starts_with("master") || part.starts_with("thumb")
}

/// Finds the picture that an address means.
#[derive(Debug)]
pub struct PictureIndex<'a, T> {
    base: Option<&'a str>,
    by_key: BTreeMap<&'a str, usize>,
    by_stem: BTreeMap<String, BTreeSet<usize>>,
    pictures: &'a [T],
}

impl<'a, T: AsRef<[String]>> PictureIndex<'a, T> {
    /// Of the pictures of a page, each by the [keys](address_key) of its addresses; `base` is the page's address.
    pub fn new(pictures: &'a [T], base: Option<&'a str>) -> Self {
        let mut by_key = BTreeMap::new();
        let mut by_stem: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for (number, picture) in pictures.iter().enumerate() {
            for key in picture.as_ref() {
                by_key.entry(key.as_str()).or_insert(number);
                if let Some(stem) = file_stem(key).filter(|stem| tells(stem)) {
                    by_stem.entry(stem).or_default().insert(number);
                }
            }
        }
        PictureIndex { base, by_key, by_stem, pictures }
    }

    /// The number of the picture: of the same file, else the only one of its path, else of the address within the address, else of
    /// the same file name but for its size, on the same host if there are several.
    pub fn find(&self, address: &str) -> Option<usize> {
        let key = address_key(address, self.base)?;
        if let Some(&found) = self.by_key.get(key.as_str()) {
            return Some(found);
        }
        if let Some((path, _)) = key.split_once('?') {
            let same = self.by_key.iter().filter(|(known, _)| known.split('?').next() == Some(path));
            let found: BTreeSet<usize> = same.map(|(_, &number)| number).collect();
            if found.len() == 1 {
                return found.first().copied();
            }
        }
        if let Some((_, inner)) = key.split_once("http").filter(|(before, _)| !before.is_empty()) {
            let inner = inner.trim_start_matches('s').trim_start_matches(':').trim_start_matches('/');
            let inner = address_key(&format!("http://{inner}"), None)?;
            if let Some(&found) = self.by_key.get(inner.as_str()) {
                return Some(found);
            }
        }
        let stem = file_stem(&key).filter(|stem| tells(stem))?;
        let same = self.by_stem.get(&stem)?;
        let host = key.split('/').next();
        let on_host = same
            .iter()
            .find(|&&number| self.pictures[number].as_ref().iter().any(|key| key.split('/').next() == host));
        on_host.or(same.first()).copied()
    }
}

/// Whether a file's name tells one picture from others.
fn tells(stem: &str) -> bool {
    stem.len() >= 4 && !USUAL.contains(&stem)
}

/// Whether two addresses mean one file.
pub fn is_same_image(a: &str, b: &str, base: Option<&str>) -> bool {
    let (Some(a), Some(b)) = (address_key(a, base), address_key(b, base)) else { return false };
    let stems = || Some((file_stem(&a)?, file_stem(&b)?));
    a == b || stems().is_some_and(|(a, b)| a == b && a.len() >= 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pictures(keys: &[&[&str]]) -> Vec<Vec<String>> {
        keys.iter().map(|keys| keys.iter().map(|key| (*key).to_owned()).collect()).collect()
    }

    #[test]
    fn keys_leave_out_what_differs_between_addresses_of_a_file() {
        let key = |address| address_key(address, Some("http://A.example/x/y.html"));
        assert_eq!(key("b.jpg?w=300").unwrap(), "a.example/x/b.jpg");
        assert_eq!(key("//C.example//d%20e.png").unwrap(), "c.example/d e.png");
        assert_eq!(key("/image?id=3").unwrap(), "a.example/image?id=3");
        assert_eq!(key("data:image/gif;base64,AA"), None);
        assert_eq!(address_key("/z.gif", Some("http://fakehost/x")).unwrap(), "/z.gif");
        assert_eq!(file_stem("a/oak-tree-300x200.jpg").unwrap(), "oak-tree");
        assert_eq!(file_stem("a/oak-articleLarge.jpg").unwrap(), "oak");
    }

    #[test]
    fn an_address_finds_its_picture_by_file_path_proxy_or_name() {
        let all =
            pictures(&[&["a.example/x/oak-tree.jpg", "a.example/x/small/oak.jpg"], &["a.example/i?id=1"]]);
        let index = PictureIndex::new(&all, Some("http://a.example/"));
        assert_eq!(index.find("http://a.example/x/oak-tree.jpg?w=9"), Some(0));
        assert_eq!(index.find("/i?id=2"), Some(1));
        assert_eq!(index.find("https://cdn.example/fit/https://a.example/x/oak-tree.jpg"), Some(0));
        assert_eq!(index.find("https://cdn.example/oak-tree-300x200.jpg"), Some(0));
        assert_eq!(index.find("https://cdn.example/birch-tree.jpg"), None);
        assert!(is_same_image(
            "http://b.example/lighthouse-300x200.jpg",
            "http://c.example/lighthouse.jpg",
            None
        ));
        assert!(!is_same_image("http://b.example/a.jpg", "http://c.example/a.jpg", None));
    }
}
