//! JSON-LD: what the schema.org objects of a page say about its article.
//!
//! Reference: JSON-LD 1.1 (W3C 2020) and schema.org, as far as pages use them: objects, arrays, `@graph`, the main
//! entity, references by `@id`. Contexts are not resolved, and lists of other articles are not looked into.

use serde_json::{Map, Value};

use crate::dom::{Dom, Limits};
use crate::index::NodeId;

/// Bytes of one script. serde_json itself refuses values nested deeper than 128 levels.
const MAX_BYTES: usize = 1 << 20;
/// Scripts of one page.
const MAX_SCRIPTS: usize = 64;
/// Objects of one page.
const MAX_OBJECTS: usize = 1000;
/// Authors of one article.
const MAX_AUTHORS: usize = 50;
/// Keywords or sections of one article.
const MAX_TEXTS: usize = 50;
/// Images of one article.
const MAX_IMAGES: usize = 50;

type Object = Map<String, Value>;

/// What the page's article says, or else the page; text with its markup taken off.
#[derive(Debug, Default, PartialEq)]
pub(super) struct JsonLd {
    pub title: Option<String>,
    pub authors: Vec<String>,
    pub date: Option<String>,
    pub modified: Option<String>,
    pub language: Option<String>,
    pub site: Option<String>,
    pub url: Option<String>,
    pub description: Option<String>,
    /// Its name, or its address.
    pub license: Option<String>,
    /// Lists of keywords, as they stand there.
    pub keywords: Vec<String>,
    pub sections: Vec<String>,
    /// Addresses of images, as they stand there.
    pub images: Vec<String>,
}

impl JsonLd {
    /// Reads the scripts of a page; those that are no JSON, or too large, are passed over.
    pub fn read(scripts: &[String]) -> JsonLd {
        let values: Vec<Value> =
            scripts.iter().take(MAX_SCRIPTS).filter_map(|script| parse(script)).collect();
        let objects = objects(&values);
        let mut found = JsonLd::default();
        for object in objects.iter().filter(|object| has_type(object, is_article)).take(1) {
            found.title = first(object, &["headline", "name"]);
            found.fill_from(object, &objects);
        }
        for object in objects.iter().filter(|object| has_type(object, is_work)).take(1) {
            found.title = found.title.or_else(|| first(object, &["headline", "name"]));
            found.fill_from(object, &objects);
        }
        // The name of a mere page is often "Home" or the site's.
        for object in objects.iter().filter(|object| has_type(object, |kind| kind.ends_with("Page"))).take(1)
        {
            found.fill_from(object, &objects);
        }
        let site = objects.iter().find(|object| has_type(object, |kind| kind == "WebSite"));
        found.site = found.site.or_else(|| first(site?, &["name"]));
        found
    }

    /// Takes what is not yet known from one object, but for the title.
    fn fill_from(&mut self, object: &Object, objects: &[&Object]) {
        let fill = |field: &mut Option<String>, keys: &[&str]| {
            if field.is_none() {
                *field = first(object, keys);
            }
        };
        fill(&mut self.date, &["datePublished", "dateCreated", "uploadDate"]);
        fill(&mut self.modified, &["dateModified"]);
        fill(&mut self.language, &["inLanguage"]);
        fill(&mut self.description, &["description"]);
        fill(&mut self.url, &["url"]);
        fill(&mut self.license, &["license"]);
        if self.license.is_none()
            && let Some(license) = object.get("license")
        {
            self.license = addresses(license, objects).into_iter().next();
        }
        for (texts, key) in [(&mut self.keywords, "keywords"), (&mut self.sections, "articleSection")] {
            if texts.is_empty()
                && let Some(value) = object.get(key)
            {
                *texts = several(value).iter().take(MAX_TEXTS).filter_map(text).collect();
            }
        }
        if self.images.is_empty() {
            self.images = ["image", "thumbnailUrl", "primaryImageOfPage"]
                .iter()
                .filter_map(|key| object.get(*key))
                .map(|value| addresses(value, objects))
                .find(|addresses| !addresses.is_empty())
                .unwrap_or_default();
        }
        if self.authors.is_empty() {
            self.authors = ["author", "creator"]
                .iter()
                .filter_map(|key| object.get(*key))
                .map(|value| names(value, objects))
                .find(|names| !names.is_empty())
                .unwrap_or_default();
        }
        if self.site.is_none()
            && let Some(publisher) = object.get("publisher")
        {
            self.site = names(publisher, objects).into_iter().next();
        }
    }
}

/// The value of a script, repaired where pages often break it.
fn parse(script: &str) -> Option<Value> {
    if script.len() > MAX_BYTES {
        return None;
    }
    let mut json = script.trim();
    for (open, close) in [("<!--", "-->"), ("//<![CDATA[", "//]]>"), ("<![CDATA[", "]]>")] {
        if let Some(inner) = json.strip_prefix(open) {
            json = inner.trim_end().strip_suffix(close).unwrap_or(inner).trim();
        }
    }
    let json = json.trim_end_matches(';');
    // Line breaks within strings are not JSON, and common.
    serde_json::from_str(json)
        .or_else(|_| serde_json::from_str(&json.replace(|c: char| c.is_control(), " ")))
        .ok()
}

/// The objects that speak of the page: at the top, in `@graph`, and as main entity. In document order.
fn objects(values: &[Value]) -> Vec<&Object> {
    let mut objects = Vec::new();
    let mut pending: Vec<&Value> = values.iter().rev().collect();
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(values) => pending.extend(values.iter().rev()),
            Value::Object(object) if objects.len() < MAX_OBJECTS => {
                objects.push(object);
                pending.extend(
                    ["mainEntityOfPage", "mainEntity", "@graph"].iter().filter_map(|key| object.get(*key)),
                );
            }
            _ => {}
        }
    }
    objects
}

fn has_type(object: &Object, is_wanted: impl Fn(&str) -> bool) -> bool {
    let name = |kind: &Value| {
        kind.as_str().is_some_and(|kind| is_wanted(kind.rsplit(['/', ':']).next().unwrap_or("")))
    };
    match object.get("@type") {
        Some(Value::Array(kinds)) => kinds.iter().any(name),
        Some(kind) => name(kind),
        None => false,
    }
}

/// Article and its subtypes in schema.org, whose names all end in one of these.
fn is_article(kind: &str) -> bool {
    kind.ends_with("Article") || kind.ends_with("Posting") && kind != "JobPosting" || kind == "Report"
}

/// Other works that a page may be about.
fn is_work(kind: &str) -> bool {
    matches!(kind, "CreativeWork" | "Recipe" | "VideoObject" | "Product" | "Event" | "Book")
}

/// The text of the first of `keys` that has one.
fn first(object: &Object, keys: &[&str]) -> Option<String> {
    keys.iter().filter_map(|key| object.get(*key)).find_map(text)
}

/// The text of a value: a string, the first of several, or what an object is called.
fn text(value: &Value) -> Option<String> {
    let mut value = value;
    // An object's name may be an array, whose first may be an object again, and so on; never as deep as this.
    for _ in 0..8 {
        value = match value {
            Value::String(text) => return Some(plain(text)).filter(|text| !text.trim().is_empty()),
            Value::Array(values) => values.first()?,
            Value::Object(object) => {
                ["@value", "alternateName", "name"].iter().find_map(|key| object.get(*key))?
            }
            _ => return None,
        };
    }
    None
}

/// The values of an array, or the one that stands alone.
fn several(value: &Value) -> &[Value] {
    match value {
        Value::Array(values) => values,
        single => std::slice::from_ref(single),
    }
}

/// The names of persons or organizations, each once.
fn names(value: &Value, objects: &[&Object]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for value in several(value).iter().take(MAX_AUTHORS) {
        let name = match value {
            Value::Object(person) => {
                let known = |person: &Object| {
                    first(person, &["name"]).or_else(|| {
                        let parts =
                            ["givenName", "familyName"].iter().filter_map(|key| first(person, &[key]));
                        Some(parts.collect::<Vec<_>>().join(" ")).filter(|name| !name.is_empty())
                    })
                };
                let referred = || {
                    let id = person.get("@id")?.as_str()?;
                    let same = |object: &&&Object| object.get("@id").and_then(Value::as_str) == Some(id);
                    objects.iter().filter(same).find_map(|object| known(object))
                };
                known(person).or_else(referred)
            }
            value => text(value),
        };
        names.extend(name.filter(|name| !name.contains("://") && !names.contains(name)));
    }
    names
}

/// The addresses of one image (or license) or several: strings, or what objects state, those referred to by `@id` too.
fn addresses(value: &Value, objects: &[&Object]) -> Vec<String> {
    let of_object = |image: &Object| {
        ["contentUrl", "url"].iter().find_map(|key| Some(image.get(*key)?.as_str()?.to_owned()))
    };
    let address = |value: &Value| match value {
        Value::String(address) => Some(address.clone()),
        Value::Object(image) => of_object(image).or_else(|| {
            let id = image.get("@id")?.as_str()?;
            let same = |object: &&&Object| object.get("@id").and_then(Value::as_str) == Some(id);
            objects.iter().filter(same).find_map(|object| of_object(object))
        }),
        _ => None,
    };
    several(value).iter().take(MAX_IMAGES).filter_map(address).collect()
}

/// Text without the markup and character references that pages leave in their JSON.
fn plain(text: &str) -> String {
    if !text.contains(['<', '&']) {
        return text.to_owned();
    }
    match Dom::parse(text.as_bytes(), Some("utf-8"), &Limits::default()) {
        Ok(dom) => dom.text_content(NodeId::ROOT),
        Err(_) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(script: &str) -> JsonLd {
        JsonLd::read(&[script.to_owned()])
    }

    #[test]
    fn an_article_in_a_graph_is_found_with_its_references() {
        let found = read(
            r##"{"@context": "https://schema.org", "@graph": [
                {"@type": "WebSite", "@id": "#site", "name": "Oak Leaf"},
                {"@type": "Person", "@id": "#jane", "name": "Jane Doe"},
                {"@type": "WebPage", "name": "Storm - Oak Leaf", "inLanguage": {"@type": "Language", "alternateName": "en"}},
                {"@type": ["Thing", "NewsArticle"], "headline": "Storm &amp; <b>calm</b>", "author": [{"@id": "#jane"}, "Jim Roe"],
                 "datePublished": "2024-05-01", "publisher": {"@type": "Organization", "name": "Leaf Ltd"}}
            ]}"##,
        );
        assert_eq!(found.title.as_deref(), Some("Storm & calm"));
        assert_eq!(found.authors, ["Jane Doe", "Jim Roe"]);
        assert_eq!(found.language.as_deref(), Some("en"));
        assert_eq!(found.site.as_deref(), Some("Leaf Ltd"));
    }

    #[test]
    fn keywords_sections_and_license_stand_alone_or_in_arrays() {
        let found = read(
            r#"{"@type": "NewsArticle", "keywords": ["oak", {"@type": "DefinedTerm", "name": "storm"}],
                "articleSection": "Trees", "license": {"@type": "CreativeWork", "url": "https://a.example/l"}}"#,
        );
        assert_eq!(
            (found.keywords, found.sections),
            (vec!["oak".into(), "storm".into()], vec!["Trees".into()])
        );
        assert_eq!(found.license.as_deref(), Some("https://a.example/l"));
    }

    #[test]
    fn common_breakages_are_mended_and_others_passed_over() {
        assert_eq!(read("<!-- {\"@type\":\"Article\",\"headline\":\"a\nb\"} -->;").title, None);
        assert_eq!(
            read("<!-- {\"@type\":\"Article\",\"headline\":\"a\nb\"} -->").title.as_deref(),
            Some("a b")
        );
        assert_eq!(
            read("//<![CDATA[\n{\"@type\":\"Article\",\"headline\":\"a\"};\n//]]>").title.as_deref(),
            Some("a")
        );
        for broken in
            ["", "{", "[]", "null", "{\"@type\":\"Article\",\"headline\":", "{\"@type\":{}}", "\u{0}"]
        {
            assert_eq!(read(broken), JsonLd::default(), "{broken}");
        }
    }

    #[test]
    fn hostile_scripts_are_bounded() {
        let deep = "[".repeat(200_000) + &"]".repeat(200_000);
        assert_eq!(read(&deep), JsonLd::default());
        let large = format!("{{\"@type\":\"Article\",\"headline\":\"{}\"}}", "x".repeat(MAX_BYTES));
        assert_eq!(read(&large), JsonLd::default());
        let many = format!("[{}]", vec!["{\"@type\":\"Person\"}"; 50_000].join(","));
        assert_eq!(read(&many), JsonLd::default());
    }

    #[test]
    fn articles_in_lists_are_not_the_page() {
        let list = r#"{"@type":"ItemList","itemListElement":[{"@type":"NewsArticle","headline":"another"}]}"#;
        assert_eq!(read(list), JsonLd::default());
    }
}
