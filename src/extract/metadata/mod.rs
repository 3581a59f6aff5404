//! `Metadata`: title, author, date, language, site, address, description, image, license, sections and keywords as
//! the page states them.
//!
//! Every field of one value notes its source. Nothing here looks at the words of the text, but for the guess of its language and for a date
//! beside the title.

mod date;
mod date_in_text;
mod json_ld;
mod language;
mod license;
mod title;

use std::collections::HashSet;

use serde::Serialize;

use super::address::Base;
use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;
use crate::page::Page;
use json_ld::JsonLd;

pub use date::normalize_date;
pub(super) use title::{forms, letters};

/// A value and where it was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Field {
    /// The value: trimmed, white space folded, at most 1,000 characters.
    pub value: String,
    /// Where it was found.
    pub source: MetadataSource,
}

/// Where a field was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MetadataSource {
    /// A schema.org object in `<script type="application/ld+json">`.
    JsonLd,
    /// `<meta property="og:...">` or `article:...`.
    OpenGraph,
    /// `<meta name="twitter:...">`.
    Twitter,
    /// `<meta name="dc....">` or `dcterms....`.
    DublinCore,
    /// Any other `<meta>`.
    Meta,
    /// schema.org microdata, `itemprop`.
    Microdata,
    /// The `<title>`.
    TitleElement,
    /// The first `<h1>`.
    Heading,
    /// `<time datetime>`.
    TimeElement,
    /// `rel="canonical"` or `rel="author"`.
    Link,
    /// `lang` of the `<html>`.
    HtmlLang,
    /// The page's address.
    Address,
    /// Text beside the title.
    Text,
    /// Data in a script.
    Script,
    /// Guessed from the text, reliably.
    Detected,
    /// Guessed from a text too short or too odd to be sure.
    DetectedUnsurely,
}

/// What a page states about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Metadata {
    /// The title of the article, without the site's name.
    pub title: Option<Field>,
    /// The author; several are joined by commas.
    pub author: Option<Field>,
    /// The date of publication in ISO 8601 ([`normalize_date`]): as the page states it for machines, else as it stands beside the title or in
    /// the data of a script, else when the page was changed last. As it stands where it cannot be read.
    pub date: Option<Field>,
    /// When the page was changed last, in ISO 8601, if the page states that for machines.
    pub date_modified: Option<Field>,
    /// The language, a BCP 47 tag.
    pub language: Option<Field>,
    /// The site's name; its host if it states none.
    pub site: Option<Field>,
    /// The address that the page gives itself.
    pub canonical: Option<Field>,
    /// What the page says it is about.
    pub description: Option<Field>,
    /// The address of the image that the page names for itself, absolute if the page's address is known.
    pub image: Option<Field>,
    /// The license: of Creative Commons its name with its version (`CC BY-SA 4.0`), of others the words of the link
    /// or its address.
    pub license: Option<Field>,
    /// The sections of its site that the page stands in, each once, at most 50.
    pub categories: Vec<String>,
    /// The keywords of the page, each once, at most 50.
    pub tags: Vec<String>,
}

impl Metadata {
    /// Reads the metadata of a page. `text` is the extracted text, from which the language is guessed if the page
    /// declares none.
    ///
    /// Sources are asked in this order: JSON-LD, Open Graph, Twitter, Dublin Core, other `<meta>`, elements of the
    /// page, its address; of dates then the text beside the title and the data of scripts; of images Open Graph and Twitter come first. JSON-LD that is broken, larger than 1 MiB or nested too deeply is passed over.
    ///
    /// # Examples
    /// ```
    /// use duramen::extract::metadata::{Metadata, MetadataSource};
    /// let html = b"<html lang=de_at><title>Eiche | Baumblatt</title><meta property=og:site_name content=Baumblatt>";
    /// let page = duramen::page::Page::parse("p", None, html, None, &Default::default())?;
    /// let metadata = Metadata::read(&page, "");
    /// assert_eq!(metadata.title.unwrap().value, "Eiche");
    /// assert_eq!(metadata.language.unwrap().value, "de-AT");
    /// assert_eq!(metadata.site.unwrap().source, MetadataSource::OpenGraph);
    /// # Ok::<(), duramen::Error>(())
    /// ```
    pub fn read(page: &Page, text: &str) -> Metadata {
        let facts = Facts::read(page);
        let site = facts.site();
        let date_modified = facts.date_modified();
        Metadata {
            title: facts.title(site.as_ref()),
            author: facts.author(),
            date: facts.date(date_modified.as_ref()),
            date_modified,
            language: facts.language(text),
            canonical: facts.canonical(),
            description: facts.description(),
            image: facts.image(),
            license: facts.license(),
            categories: facts.categories(),
            tags: facts.tags(),
            site,
        }
    }
}

/// The first date in a text, in ISO 8601; of `05/06/2024` the day is first.
pub(super) fn date_in(text: &str) -> Option<String> {
    normalize_date(text).or_else(|| date_in_text::find(text, false))
}

/// The addresses of images that the page's article states in JSON-LD, as they stand there.
pub(super) fn json_ld_images(page: &Page) -> Vec<String> {
    let dom = page.dom();
    let scripts = dom.ids().filter(|&id| dom.tag(id) == Tag::SCRIPT && is_json_ld(dom, id));
    let scripts: Vec<String> = scripts.map(|id| dom.text_content(id)).collect();
    if scripts.is_empty() { Vec::new() } else { JsonLd::read(&scripts).images }
}

/// What one pass over the page gathers.
struct Facts<'a> {
    page: &'a Page,
    dom: &'a Dom,
    json_ld: JsonLd,
    /// Keys (lower case) and contents of `<meta>`.
    metas: Vec<(String, &'a str)>,
    title: Option<NodeId>,
    first_heading: Option<NodeId>,
    html: Option<NodeId>,
    times: Vec<NodeId>,
    /// Elements with `rel` (links of either kind) and elements with `itemprop`.
    links: Vec<NodeId>,
    properties: Vec<NodeId>,
    /// Links to licenses of Creative Commons.
    commons: Vec<NodeId>,
    base: Base,
}

impl<'a> Facts<'a> {
    fn read(page: &'a Page) -> Self {
        let dom = page.dom();
        let mut facts = Facts {
            page,
            dom,
            json_ld: JsonLd::default(),
            metas: Vec::new(),
            title: None,
            first_heading: None,
            html: None,
            times: Vec::new(),
            links: Vec::new(),
            properties: Vec::new(),
            commons: Vec::new(),
            base: Base::read(page),
        };
        let mut scripts = Vec::new();
        for id in dom.ids().filter(|&id| dom.kind(id) == NodeKind::Element && dom.is_html_element(id)) {
            match dom.tag(id) {
                Tag::META => facts.add_meta(id),
                Tag::TITLE => facts.title = facts.title.or(Some(id)),
                Tag::H1 => facts.first_heading = facts.first_heading.or(Some(id)),
                Tag::HTML => facts.html = facts.html.or(Some(id)),
                Tag::TIME => facts.times.push(id),
                Tag::A if is_commons(dom, id) => facts.commons.push(id),
                Tag::SCRIPT if is_json_ld(dom, id) => scripts.push(dom.text_content(id)),
                _ => {}
            }
            if dom.attribute(id, "rel").is_some() {
                facts.links.push(id);
            }
            if dom.attribute(id, "itemprop").is_some() {
                facts.properties.push(id);
            }
        }
        facts.json_ld = JsonLd::read(&scripts);
        facts
    }

    fn add_meta(&mut self, id: NodeId) {
        let Some(content) = self.dom.attribute(id, "content") else { return };
        for name in ["name", "property", "http-equiv", "itemprop"] {
            if let Some(key) = self.dom.attribute(id, name) {
                self.metas.push((key.trim().to_ascii_lowercase(), content));
            }
        }
    }

    /// The first usable content of the first of `keys` that has one.
    fn meta(&self, keys: &[&str]) -> Option<Field> {
        keys.iter().find_map(|key| {
            let contents = self.metas.iter().filter(|(known, _)| known == key);
            contents.filter_map(|(_, content)| field(content, source_of(key))).next()
        })
    }

    fn title(&self, site: Option<&Field>) -> Option<Field> {
        let stated = self.json_ld.title.as_deref().and_then(|title| field(title, MetadataSource::JsonLd));
        let meta =
            || self.meta(&["og:title", "twitter:title", "dc.title", "dcterms.title", "citation_title"]);
        let heading =
            self.first_heading.and_then(|id| field(&self.dom.text_content(id), MetadataSource::Heading));
        let element =
            || self.title.and_then(|id| field(&self.dom.text_content(id), MetadataSource::TitleElement));
        let mut title = stated.or_else(meta).or_else(element).or_else(|| heading.clone())?;
        let known = title::KnownNames {
            heading: heading.as_ref().map(|field| field.value.as_str()),
            site: site.map(|field| field.value.as_str()),
            host: self.host(),
        };
        title.value = title::without_site(&title.value, &known);
        Some(title)
    }

    fn author(&self) -> Option<Field> {
        const KEYS: [&str; 8] = [
            "article:author",
            "author",
            "dc.creator",
            "dcterms.creator",
            "citation_author",
            "parsely-author",
            "sailthru.author",
            "byl",
        ];
        let meta = || {
            KEYS.iter().find_map(|key| {
                let contents = self.metas.iter().filter(|(known, _)| known == key);
                authors(contents.map(|&(_, name)| name), source_of(key))
            })
        };
        let property = || {
            let id = self.property("author")?;
            let name = self.properties.iter().copied().find(|&name| {
                name != id && self.dom.is_in_subtree(name, id) && self.has_token(name, "itemprop", "name")
            });
            authors([self.dom.text_content(name.unwrap_or(id)).as_str()], MetadataSource::Microdata)
        };
        let link = || {
            let mut names = self.links_of("author").map(|id| self.dom.text_content(id));
            names.find_map(|name| authors([name.as_str()], MetadataSource::Link))
        };
        authors(self.json_ld.authors.iter().map(String::as_str), MetadataSource::JsonLd)
            .or_else(meta)
            .or_else(property)
            .or_else(link)
    }

    fn date(&self, modified: Option<&Field>) -> Option<Field> {
        let mut found: Vec<Field> = Vec::new();
        found.extend(self.json_ld.date.as_deref().and_then(|date| field(date, MetadataSource::JsonLd)));
        const KEYS: [&str; 20] = [
            "article:published_time",
            "og:published_time",
            "datepublished",
            "dc.date.issued",
            "dcterms.issued",
            "dc.date.created",
            "dcterms.created",
            "dc.date",
            "dcterms.date",
            "citation_publication_date",
            "citation_date",
            "parsely-pub-date",
            "sailthru.date",
            "publishdate",
            "pubdate",
            "publish-date",
            "published",
            "published-date",
            "date",
            "ms.date",
        ];
        found.extend(KEYS.iter().filter_map(|key| self.meta(&[key])));
        found.extend(self.date_property("datepublished"));
        let times = self.times.iter().filter_map(|&id| self.dom.attribute(id, "datetime"));
        found.extend(times.filter_map(|date| field(date, MetadataSource::TimeElement)).take(1));
        if let Some(date) = self.page.url().and_then(date::date_in_address) {
            found.push(Field { value: date, source: MetadataSource::Address });
        }
        let of_source = |date: Option<String>, source| date.map(|value| Field { value, source });
        let near_title = || {
            let date = date_in_text::near_title(self.dom, self.first_heading, self.writes_month_first());
            of_source(date, MetadataSource::Text)
        };
        let marked = || {
            let date = date_in_text::marked(self.dom, self.first_heading, self.writes_month_first());
            of_source(date, MetadataSource::Text)
        };
        self.readable(&found)
            .or_else(near_title)
            .or_else(marked)
            .or_else(|| of_source(date_in_text::in_scripts(self.dom), MetadataSource::Script))
            // When the page was changed last is better than nothing.
            .or_else(|| modified.cloned())
            .or_else(|| found.into_iter().next())
    }

    fn date_modified(&self) -> Option<Field> {
        const KEYS: [&str; 6] = [
            "article:modified_time",
            "og:updated_time",
            "datemodified",
            "dcterms.modified",
            "dc.date.modified",
            "last-modified",
        ];
        let json_ld = self.json_ld.modified.as_deref();
        let mut found: Vec<Field> =
            json_ld.and_then(|date| field(date, MetadataSource::JsonLd)).into_iter().collect();
        found.extend(KEYS.iter().filter_map(|key| self.meta(&[key])));
        found.extend(self.date_property("datemodified"));
        self.readable(&found)
    }

    /// A date that microdata state.
    fn date_property(&self, name: &str) -> Option<Field> {
        let id = self.property(name)?;
        let machine = self.dom.attribute(id, "datetime").or(self.dom.attribute(id, "content"));
        let date = machine.map_or_else(|| self.dom.text_content(id), str::to_owned);
        field(&date, MetadataSource::Microdata)
    }

    /// The first that can be read as a date, in ISO 8601.
    fn readable(&self, fields: &[Field]) -> Option<Field> {
        fields.iter().find_map(|field| {
            let in_text = || date_in_text::find(&field.value, self.writes_month_first());
            let date = normalize_date(&field.value).or_else(in_text)?;
            Some(Field { value: date, source: field.source })
        })
    }

    /// Whether the page's readers write the month before the day: it is in English, and of no other country than the United States.
    fn writes_month_first(&self) -> bool {
        let lang = self.html.and_then(|id| self.dom.attribute(id, "lang"));
        lang.is_some_and(|lang| matches!(lang.to_ascii_lowercase().as_str(), "en" | "en-us" | "en_us"))
    }

    fn language(&self, text: &str) -> Option<Field> {
        let html = self
            .html
            .and_then(|id| self.dom.attribute(id, "lang").or_else(|| self.dom.attribute(id, "xml:lang")));
        let declared = html.and_then(|tag| language::normalize(tag, MetadataSource::HtmlLang));
        let meta = || {
            ["content-language", "og:locale", "dc.language", "dcterms.language", "language"]
                .iter()
                .filter_map(|key| self.meta(&[key]))
                .find_map(|field| language::normalize(&field.value, field.source))
        };
        let stated = || {
            self.json_ld.language.as_deref().and_then(|tag| language::normalize(tag, MetadataSource::JsonLd))
        };
        declared.or_else(meta).or_else(stated).or_else(|| language::detect(text))
    }

    fn site(&self) -> Option<Field> {
        let stated = self.json_ld.site.as_deref().and_then(|site| field(site, MetadataSource::JsonLd));
        self.meta(&["og:site_name"])
            .or(stated)
            .or_else(|| self.meta(&["application-name", "dc.publisher", "dcterms.publisher"]))
            .or_else(|| Some(Field { value: self.host()?, source: MetadataSource::Address }))
    }

    /// The host of the page's address, or of the one it gives itself, without `www.`.
    fn host(&self) -> Option<String> {
        let stated = || self.canonical().map(|field| field.value);
        let url = url::Url::parse(&self.page.url().map(str::to_owned).or_else(stated)?).ok()?;
        let host = url.host_str()?;
        Some(host.strip_prefix("www.").unwrap_or(host).to_owned())
    }

    fn canonical(&self) -> Option<Field> {
        let absolute = |address: &str, source| {
            let value = self.base.resource(address).filter(|address| address.contains("://"))?;
            Some(Field { value, source })
        };
        self.links_of("canonical")
            .filter_map(|id| self.dom.attribute(id, "href"))
            .find_map(|href| absolute(href, MetadataSource::Link))
            .or_else(|| self.meta(&["og:url"]).and_then(|field| absolute(&field.value, field.source)))
            .or_else(|| self.json_ld.url.as_deref().and_then(|url| absolute(url, MetadataSource::JsonLd)))
    }

    fn description(&self) -> Option<Field> {
        let stated = self.json_ld.description.as_deref().and_then(|text| field(text, MetadataSource::JsonLd));
        stated.or_else(|| {
            self.meta(&[
                "og:description",
                "twitter:description",
                "dc.description",
                "dcterms.description",
                "description",
            ])
        })
    }

    fn image(&self) -> Option<Field> {
        const KEYS: [&str; 5] =
            ["og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"];
        let absolute = |address: &str, source| Some(Field { value: self.base.resource(address)?, source });
        let meta = |key: &&str| self.meta(&[key]).and_then(|field| absolute(&field.value, field.source));
        let stated =
            || self.json_ld.images.iter().find_map(|address| absolute(address, MetadataSource::JsonLd));
        KEYS.iter().find_map(meta).or_else(stated)
    }

    /// What the page states; else the license of Creative Commons that its footer links to. Links elsewhere are
    /// mostly those of single images.
    fn license(&self) -> Option<Field> {
        let named = |text: &str, source| {
            field(&license::creative_commons(text).unwrap_or_else(|| text.to_owned()), source)
        };
        let stated =
            self.json_ld.license.as_deref().and_then(|license| named(license, MetadataSource::JsonLd));
        let of_link = |id: NodeId| {
            let address = self.dom.attribute(id, "href")?;
            let words = || field(&self.dom.text_content(id), MetadataSource::Link);
            match license::creative_commons(address) {
                Some(name) => field(&name, MetadataSource::Link),
                None => words().or_else(|| field(&self.base.resource(address)?, MetadataSource::Link)),
            }
        };
        let in_footer = |&id: &NodeId| {
            let names = |id, name| self.dom.attribute(id, name).unwrap_or_default().to_ascii_lowercase();
            self.dom.ancestors(id).any(|above| {
                self.dom.tag(above) == Tag::FOOTER
                    || ["class", "id"].iter().any(|name| names(above, name).contains("footer"))
            })
        };
        stated
            .or_else(|| self.links_of("license").find_map(of_link))
            .or_else(|| {
                let meta = self.meta(&["dcterms.license", "dc.rights.license"])?;
                named(&meta.value, meta.source)
            })
            .or_else(|| self.commons.iter().copied().filter(in_footer).find_map(of_link))
    }

    fn categories(&self) -> Vec<String> {
        let stated = distinct(self.json_ld.sections.iter().map(String::as_str));
        if stated.is_empty() {
            self.metas_of(&["article:section", "parsely-section", "section"])
        } else {
            stated
        }
    }

    fn tags(&self) -> Vec<String> {
        let stated = distinct(self.json_ld.keywords.iter().flat_map(|list| list.split(LIST_SIGNS)));
        if stated.is_empty() {
            self.metas_of(&["article:tag", "keywords", "news_keywords", "parsely-tags", "citation_keywords"])
        } else {
            stated
        }
    }

    /// What the first of `keys` lists that lists anything, over all its `<meta>`.
    fn metas_of(&self, keys: &[&str]) -> Vec<String> {
        let of_key = |key: &&str| {
            let contents = self.metas.iter().filter(|(known, _)| known == key);
            distinct(contents.flat_map(|(_, content)| content.split(LIST_SIGNS)))
        };
        keys.iter().map(of_key).find(|values| !values.is_empty()).unwrap_or_default()
    }

    /// The links of a kind.
    fn links_of(&self, rel: &str) -> impl Iterator<Item = NodeId> {
        self.links.iter().copied().filter(move |&id| self.has_token(id, "rel", rel))
    }

    /// The first element with a schema.org property.
    fn property(&self, name: &str) -> Option<NodeId> {
        self.properties.iter().copied().find(|&id| self.has_token(id, "itemprop", name))
    }

    /// Whether a space-separated attribute holds `token`, whatever its case.
    fn has_token(&self, id: NodeId, attribute: &str, token: &str) -> bool {
        let value = self.dom.attribute(id, attribute).unwrap_or_default();
        value.split_ascii_whitespace().any(|known| known.eq_ignore_ascii_case(token))
    }
}

/// The distinct names among `names`, joined by commas; addresses and account names are none.
fn authors<'n>(names: impl IntoIterator<Item = &'n str>, source: MetadataSource) -> Option<Field> {
    const MAX_AUTHORS: usize = 50;
    const MAX_CHARS: usize = 200;
    let mut distinct: Vec<&str> = Vec::new();
    for name in names.into_iter().map(str::trim) {
        let is_name = !name.is_empty()
            && !name.contains("://")
            && !name.starts_with('@')
            && name.chars().nth(MAX_CHARS).is_none();
        if is_name && !distinct.contains(&name) {
            distinct.push(name);
        }
        if distinct.len() == MAX_AUTHORS {
            break;
        }
    }
    field(&distinct.join(", "), source)
}

/// What parts the values of a list.
const LIST_SIGNS: [char; 4] = [',', ';', '，', '、'];

/// Values as they are first written, each once whatever its case; what is longer than a keyword can be is left out.
fn distinct<'n>(values: impl Iterator<Item = &'n str>) -> Vec<String> {
    const MAX: usize = 50;
    const MAX_CHARS: usize = 200;
    let (mut distinct, mut seen) = (Vec::new(), HashSet::new());
    for value in values.filter_map(|value| field(value, MetadataSource::Meta)).map(|field| field.value) {
        if value.chars().nth(MAX_CHARS).is_none() && seen.insert(value.to_lowercase()) {
            distinct.push(value);
        }
        if distinct.len() == MAX {
            break;
        }
    }
    distinct
}

fn is_commons(dom: &Dom, link: NodeId) -> bool {
    dom.attribute(link, "href").is_some_and(|address| address.contains("creativecommons.org/"))
}

fn is_json_ld(dom: &Dom, script: NodeId) -> bool {
    let kind = dom.attribute(script, "type").unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/ld+json"))
}

fn source_of(key: &str) -> MetadataSource {
    match key.split([':', '.']).next() {
        Some("og" | "article") => MetadataSource::OpenGraph,
        Some("twitter") => MetadataSource::Twitter,
        Some("dc" | "dcterms") => MetadataSource::DublinCore,
        _ => MetadataSource::Meta,
    }
}

/// A field of what is left of `text` when it is cleaned; none if nothing is.
fn field(text: &str, source: MetadataSource) -> Option<Field> {
    const MAX_CHARS: usize = 1000;
    let mut value = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = value.char_indices().nth(MAX_CHARS) {
        value.truncate(end);
    }
    (!value.is_empty()).then_some(Field { value, source })
}
