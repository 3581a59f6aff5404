//! The features of pictures: what tells an image of the article from the others of a page, as whole numbers.

use super::Picture;
use super::names::NAMES;
use super::place::{LEVELS, Place, Scene, host_of, is_hidden, word_keys};
use super::stated::{StatedImages, Statement};
use crate::dom::Tag;
use crate::extract::Extraction;
use crate::page::Page;

/// A feature of a picture.
pub struct PictureFeature {
    /// Its name in model files.
    pub id: &'static str,
    /// What it is, with its unit.
    pub what: &'static str,
    value: fn(&Place<'_, '_>) -> u32,
}

/// Every feature; a new one is one entry.
pub const FEATURES: &[PictureFeature] = &[
    feature(
        "og-image",
        "how well og:image fits: 0 none stated, 1 other, 2 same folder, 3 same name, 4 the same",
        |p| p.stated(Statement::OpenGraph),
    ),
    feature("twitter-image", "the same of twitter:image", |p| p.stated(Statement::Twitter)),
    feature("image-src", "the same of link rel=image_src", |p| p.stated(Statement::ImageSource)),
    feature("json-ld-image", "the same of the article's image in JSON-LD", |p| p.stated(Statement::JsonLd)),
    feature("thumbnail", "the same of other statements", |p| p.stated(Statement::Other)),
    feature("figure", "whether a figure is near above, 2 with a caption", |p| {
        match (&p.figure, &p.caption) {
            (None, _) => 0,
            (Some(_), None) => 1,
            (Some(_), Some(_)) => 2,
        }
    }),
    feature("caption-words", "words of the figure's caption", |p| {
        p.caption.map_or(0, crate::tokens::count).min(100)
    }),
    feature("picture-element", "whether it is of a picture element or amp-img", |p| {
        u32::from(p.is_in(&[Tag::PICTURE], 2) || p.dom().name(p.picture.node) == "amp-img")
    }),
    feature("in-aside", "whether an aside is above", |p| in_any(p, &[Tag::ASIDE])),
    feature("in-nav", "whether a nav is above", |p| in_any(p, &[Tag::NAV])),
    feature("in-footer", "whether a footer is above", |p| in_any(p, &[Tag::FOOTER])),
    feature("in-header", "whether a header is above", |p| in_any(p, &[Tag::HEADER])),
    feature("in-main", "whether a main or article is above", |p| in_any(p, &[Tag::MAIN, Tag::ARTICLE])),
    feature("articles-above", "articles above, at most 3", |p| {
        p.above.iter().filter(|&&id| p.dom().tag(id) == Tag::ARTICLE).count().min(3) as u32
    }),
    feature("in-list", "how near a list item is above, more for nearer", |p| {
        near(p, &[Tag::LI, Tag::DT, Tag::DD])
    }),
    feature("in-table", "how near a table cell is above, more for nearer", |p| near(p, &[Tag::TD, Tag::TH])),
    feature("in-paragraph", "how near a paragraph is above, more for nearer", |p| near(p, &[Tag::P])),
    feature("in-heading", "whether a heading is near above", |p| {
        u32::from(p.above.iter().take(4).any(|&id| p.dom().tag(id).heading_level().is_some()))
    }),
    feature("in-form", "whether a form or button is above", |p| in_any(p, &[Tag::FORM, Tag::BUTTON])),
    feature("hidden", "whether an element above is hidden by attribute or style", |p| {
        u32::from(is_hidden(p.dom(), &p.above))
    }),
    feature("depth", "elements above", |p| p.above.len().min(60) as u32),
    feature("width", "stated width in pixels, 0 for none", |p| size(p.picture.width)),
    feature("height", "stated height in pixels, 0 for none", |p| size(p.picture.height)),
    feature("least-side", "the smaller stated side in pixels, 0 for none", |p| {
        let (w, h) = (p.picture.width, p.picture.height);
        size(match (w, h) {
            (Some(w), Some(h)) => Some(w.min(h)),
            (w, h) => w.or(h),
        })
    }),
    feature("aspect", "width to height in 16ths, 0 if not stated", |p| {
        match (p.picture.width, p.picture.height) {
            (Some(w), Some(h)) if h > 0 => (16 * w / h).clamp(1, 320),
            _ => 0,
        }
    }),
    feature("size-in-address", "the smaller number of a size in the address, 0 for none", |p| {
        p.picture.addresses.iter().filter_map(|url| size_in(url)).max().unwrap_or(0).min(2000)
    }),
    feature("addresses", "addresses, at most 12", |p| p.picture.addresses.len().min(12) as u32),
    feature("copies", "other elements of the same picture, at most 5", |p| {
        p.picture.copies.len().min(5) as u32
    }),
    feature("lazy", "the sum of 1 for a data- attribute, 2 for srcset or sizes, 4 for loading", |p| {
        let own = p.dom().attributes(p.picture.node);
        let names = own.map(|(name, _)| name);
        names.fold(0, |found, name| match name {
            name if name.starts_with("data-") => found | 1,
            "srcset" | "sizes" => found | 2,
            "loading" => found | 4,
            _ => found,
        })
    }),
    feature(
        "type",
        "of the file: 0 unknown, 1 jpeg, 2 png, 3 gif, 4 svg, 5 webp or avif, 6 a script, 7 none",
        |p| {
            let Some(url) = p.picture.url() else { return 7 };
            let path = url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
            match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
                "jpg" | "jpeg" | "jpe" => 1,
                "png" => 2,
                "gif" => 3,
                "svg" => 4,
                "webp" | "avif" => 5,
                "php" | "asp" | "aspx" | "cgi" | "js" => 6,
                _ => 0,
            }
        },
    ),
    feature("name-length", "characters of the file's name", |p| file_name(p).len().min(100) as u32),
    feature("name-digits", "tenths of digits in the file's name", |p| {
        let name = file_name(p);
        let digits = name.bytes().filter(u8::is_ascii_digit).count();
        (10 * digits / name.len().max(1)) as u32
    }),
    feature("query", "characters of the address's query, 0 for none", |p| {
        p.picture
            .url()
            .and_then(|url| url.split_once('?'))
            .map_or(0, |(_, query)| query.len().min(200) as u32)
    }),
    feature("host", "of the address: 0 unknown, 1 the page's, 2 the same end, 3 another", |p| {
        match (&p.scene.host, p.picture.url().and_then(host_of)) {
            (Some(own), Some(host)) if *own == host => 1,
            (Some(own), Some(host)) => {
                let end = |host: &str| host.rsplitn(3, '.').take(2).collect::<Vec<_>>().join(".");
                if end(own) == end(&host) { 2 } else { 3 }
            }
            _ => 0,
        }
    }),
    feature(
        "link",
        "around it: 0 none, 1 to an image, 2 on this page or by script, 3 same host, 4 another",
        |p| {
            let Some(link) = &p.link else { return 0 };
            let Some(url) = &link.url else { return 2 };
            let path = url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
            if [".jpg", ".jpeg", ".png", ".gif", ".webp"].iter().any(|end| path.ends_with(end)) {
                return 1;
            }
            let here = p.scene.page.url().and_then(|own| own.split('#').next());
            if here.is_some_and(|own| url.split('#').next() == Some(own)) {
                return 2;
            }
            match (&p.scene.host, host_of(url)) {
                (Some(own), Some(host)) if *own == host => 3,
                (Some(_), Some(_)) => 4,
                _ => {
                    if link.href.contains("//") {
                        4
                    } else {
                        3
                    }
                }
            }
        },
    ),
    feature("link-words", "words of the link around it", |p| {
        p.link.as_ref().map_or(0, |link| crate::tokens::count(&p.dom().text_content(link.node)).min(100))
    }),
    feature("links-to-target", "links of the page that lead where its link leads", |p| {
        p.links_to_target().min(10)
    }),
    feature("text-before", "20ths of P(content) of the text before it, 0 for none", |p| {
        p20(p.neighbor(false))
    }),
    feature("text-after", "20ths of P(content) of the text after it, 0 for none", |p| p20(p.neighbor(true))),
    feature("words-before", "words of the text before it", |p| {
        p.neighbor(false).map_or(0, |(_, words)| words.min(200))
    }),
    feature("words-after", "words of the text after it", |p| {
        p.neighbor(true).map_or(0, |(_, words)| words.min(200))
    }),
    feature("from-content", "words since the article's text before it, 500 for none", |p| {
        capped(p.distance_to_content(false))
    }),
    feature("to-content", "words until the article's text after it, 500 for none", |p| {
        capped(p.distance_to_content(true))
    }),
    feature("region", "0 no article, 1 before it, 2 between its texts, 3 after it", |p| p.region()),
    feature("content-passed", "20ths of the article's expected words before it", |p| {
        let (before, all) = p.scene.content_before(p.picture.node);
        if all > 0.0 { (20.0 * before / all).round() as u32 } else { 0 }
    }),
    feature("content", "expected words of the article, at most 2,000", |p| {
        (p.scene.content_before(p.picture.node).1 as u32).min(2000)
    }),
    feature("page-passed", "words of the page before it, at most 5,000", |p| {
        (p.scene.words_before(p.picture.node) as u32).min(5000)
    }),
    feature("from-heading", "words since the first h1, 1000 before it or without", |p| {
        match p.scene.heading {
            Some(heading) if heading < p.picture.node => {
                let words = p.scene.words_before(p.picture.node) - p.scene.words_before(heading);
                (words as u32).min(999)
            }
            _ => 1000,
        }
    }),
    feature("words-1", "words in the element above, at most 500", |p| words_at(p, 0)),
    feature("words-2", "words in the second element above", |p| words_at(p, 1)),
    feature("words-3", "words in the third element above", |p| words_at(p, 2)),
    feature("words-4", "words in the fourth element above", |p| words_at(p, 3)),
    feature("links-1", "20ths of words in links in the element above", |p| links_at(p, 0)),
    feature("links-2", "20ths of words in links in the second element above", |p| links_at(p, 1)),
    feature("links-3", "20ths of words in links in the third element above", |p| links_at(p, 2)),
    feature("links-4", "20ths of words in links in the fourth element above", |p| links_at(p, 3)),
    feature("content-1", "20ths of the article in the words of the element above", |p| content_at(p, 0)),
    feature("content-2", "20ths of the article in the second element above", |p| content_at(p, 1)),
    feature("content-3", "20ths of the article in the third element above", |p| content_at(p, 2)),
    feature("content-4", "20ths of the article in the fourth element above", |p| content_at(p, 3)),
    feature("content-5", "20ths of the article in the fifth element above", |p| content_at(p, LEVELS - 1)),
    feature(
        "levels-to-tenth",
        "levels up to an element with a tenth of the article's expected words, 0 for none",
        |p| p.levels_to(0.1),
    ),
    feature(
        "levels-to-half",
        "levels up to an element with half of the article's expected words, 0 for none",
        |p| p.levels_to(0.5),
    ),
    feature("alike-text", "20ths of the mean P(content) of the texts before pictures in places alike", |p| {
        (20.0 * p.alike().text_before).round() as u32
    }),
    feature("alike-links", "20ths of those pictures that link to pages, not to images", |p| {
        (20.0 * p.alike().linked).round() as u32
    }),
    feature("alike-spread", "20ths of the article between the first and the last of them", |p| {
        (20.0 * p.alike().spread).round() as u32
    }),
    feature("alt-words", "words of the alternative text, at most 30", |p| {
        crate::tokens::count(&p.picture.alt).min(30)
    }),
    feature("has-alt", "whether there is an alternative text, 2 if it is empty", |p| {
        match p.dom().attribute(p.picture.node, "alt") {
            None => 0,
            Some(alt) if alt.trim().is_empty() => 2,
            Some(_) => 1,
        }
    }),
    feature("alt-in-title", "words of the alternative text that the page's title has", |p| {
        word_keys(&p.picture.alt).filter(|word| p.scene.title_words.contains(word)).count().min(10) as u32
    }),
    feature("alt-in-text", "20ths of the alternative text's words that the article has", |p| {
        share_in(&p.picture.alt, p)
    }),
    feature("caption-in-text", "20ths of the caption's words that the article has", |p| {
        share_in(p.caption.unwrap_or_default(), p)
    }),
    feature("places-alike", "pictures in places of the same tags and classes, at most 30", |p| {
        p.alike().pictures.min(30)
    }),
    feature("sizes-alike", "pictures of the same stated size, at most 30", |p| p.of_same_size().min(30)),
    feature("in-folder", "pictures whose files lie in the same folder, at most 30", |p| {
        p.in_same_folder().min(30)
    }),
    feature("pictures", "pictures of the page, at most 200", |p| p.scene.pictures.min(200) as u32),
    feature("number", "its number among them, at most 100", |p| p.number.min(100) as u32),
    feature("class-elsewhere", NAMES[0].0, |p| p.classes[0]),
    feature("class-person", NAMES[1].0, |p| p.classes[1]),
    feature("class-advertising", NAMES[2].0, |p| p.classes[2]),
    feature("class-interface", NAMES[3].0, |p| p.classes[3]),
    feature("class-measuring", NAMES[4].0, |p| p.classes[4]),
    feature("class-figure", NAMES[5].0, |p| p.classes[5]),
    feature("class-leading", NAMES[6].0, |p| p.classes[6]),
    feature("class-article", NAMES[7].0, |p| p.classes[7]),
    feature("address-elsewhere", NAMES[0].0, |p| p.address[0].into()),
    feature("address-person", NAMES[1].0, |p| p.address[1].into()),
    feature("address-advertising", NAMES[2].0, |p| p.address[2].into()),
    feature("address-interface", NAMES[3].0, |p| p.address[3].into()),
    feature("address-measuring", NAMES[4].0, |p| p.address[4].into()),
    feature("address-figure", NAMES[5].0, |p| p.address[5].into()),
    feature("address-leading", NAMES[6].0, |p| p.address[6].into()),
    feature("address-article", NAMES[7].0, |p| p.address[7].into()),
];

const fn feature(id: &'static str, what: &'static str, value: fn(&Place<'_, '_>) -> u32) -> PictureFeature {
    PictureFeature { id, what, value }
}

/// The features of the pictures of a page, \[feature\]\[picture\], as an extraction of its text says. Linear in the page.
pub fn columns(
    page: &Page,
    extraction: &Extraction,
    pictures: &[Picture],
    stated: &StatedImages,
) -> Vec<Vec<u32>> {
    if pictures.is_empty() {
        return vec![Vec::new(); FEATURES.len()];
    }
    let scene = Scene::new(page, extraction, pictures, stated);
    let mut columns = vec![Vec::with_capacity(pictures.len()); FEATURES.len()];
    for (number, picture) in pictures.iter().enumerate() {
        let place = Place::new(&scene, picture, number);
        for (column, feature) in columns.iter_mut().zip(FEATURES) {
            column.push((feature.value)(&place));
        }
    }
    columns
}

fn in_any(place: &Place<'_, '_>, tags: &[Tag]) -> u32 {
    u32::from(place.is_in(tags, usize::MAX))
}

fn near(place: &Place<'_, '_>, tags: &[Tag]) -> u32 {
    const FAR: usize = 8;
    let found = place.above.iter().take(FAR).position(|&id| tags.contains(&place.dom().tag(id)));
    found.map_or(0, |level| (FAR - level) as u32)
}

fn size(pixels: Option<u32>) -> u32 {
    pixels.map_or(0, |pixels| pixels.clamp(1, 2000))
}

/// The smaller side of a size such as `600x400` in an address, or what `w=600`, `width=600` state.
fn size_in(url: &str) -> Option<u32> {
    let bytes = url.as_bytes();
    let mut best = None;
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let end = bytes[at..].iter().position(|byte| !byte.is_ascii_digit()).map_or(bytes.len(), |n| at + n);
        let number = |from: usize, to: usize| url.get(from..to)?.parse::<u32>().ok().filter(|&n| n >= 8);
        if bytes.get(end).is_some_and(|byte| byte.eq_ignore_ascii_case(&b'x')) {
            let rest = end + 1;
            let stop = bytes[rest..]
                .iter()
                .position(|byte| !byte.is_ascii_digit())
                .map_or(bytes.len(), |n| rest + n);
            if let (Some(w), Some(h)) = (number(at, end), number(rest, stop)) {
                best = best.max(Some(w.min(h)));
            }
            at = stop.max(end + 1);
            continue;
        }
        let before = &url.as_bytes()[..at];
        if [&b"w="[..], b"width=", b"w_", b"/w"].iter().any(|name| before.ends_with(name)) {
            best = best.max(number(at, end));
        }
        at = end;
    }
    best
}

fn file_name<'p>(place: &Place<'p, '_>) -> &'p str {
    let url = place.picture.url().unwrap_or_default();
    url.split(['?', '#']).next().unwrap_or_default().rsplit('/').next().unwrap_or_default()
}

fn p20(neighbor: Option<(f32, u32)>) -> u32 {
    neighbor.map_or(0, |(p, _)| 1 + (20.0 * p).round() as u32)
}

fn capped(words: Option<f32>) -> u32 {
    words.map_or(500, |words| (words as u32).min(499))
}

fn words_at(place: &Place<'_, '_>, level: usize) -> u32 {
    (place.around(level).0 as u32).min(500)
}

fn links_at(place: &Place<'_, '_>, level: usize) -> u32 {
    (20.0 * place.around(level).1).round() as u32
}

fn content_at(place: &Place<'_, '_>, level: usize) -> u32 {
    (20.0 * place.around(level).2).round() as u32
}

/// 20ths of the words of a text that the article has.
fn share_in(text: &str, place: &Place<'_, '_>) -> u32 {
    let (mut all, mut known) = (0u32, 0u32);
    for word in word_keys(text) {
        all += 1;
        known += u32::from(place.scene.text_words.contains(&word));
    }
    (20 * known).checked_div(all).map_or(0, |share| 1 + share)
}
