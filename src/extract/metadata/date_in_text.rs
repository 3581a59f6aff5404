//! The date of a page that states none for machines: as its text has it beside the title, or the data in its scripts.

use crate::dom::{Dom, Tag};
use crate::features::class_words;
use crate::index::NodeId;

use super::date::{date, normalize_date};

/// Text longer than this does not say when the page was published, but may tell of dates.
const MAX_CHARS: usize = 120;
/// Text of no more says a date and little else.
const SHORT_CHARS: usize = 45;
/// How many texts before and after the title hold its date: where names of classes speak of one, and where they do not.
const NAMED: [usize; 2] = [15, 40];
const UNNAMED: [usize; 2] = [6, 12];
/// Words of classes and ids beside dates.
const NAMES: [&str; 10] =
    ["date", "publish", "posted", "dateline", "byline", "timestamp", "time", "meta", "created", "updated"];
/// Words that a date of publication follows, in small letters.
const LABELS: [&str; 8] = [
    "published",
    "posted",
    "date published",
    "publication date",
    "veröffentlicht",
    "publié",
    "publicado",
    "pubblicato",
];
/// Keys of dates in the data of scripts, the best first.
const KEYS: [&str; 17] = [
    "datePublished",
    "publishedAt",
    "published_at",
    "publishDate",
    "publish_date",
    "publishedDate",
    "publicationDate",
    "publication_date",
    "first_publication_date",
    "date_published",
    "published_on",
    "pubDate",
    "postDate",
    "createdAt",
    "created_at",
    "dateCreated",
    "date",
];
/// No more bytes of scripts are looked at.
const MAX_SCRIPT: usize = 4 << 20;

/// The date beside the title, in ISO 8601. `month_first` tells how `05/06/2024` is read.
pub(super) fn near_title(dom: &Dom, title: Option<NodeId>, month_first: bool) -> Option<String> {
    let texts: Vec<NodeId> = dom.shown_texts().collect();
    // The first text of the title, and the first behind it.
    let start = title.map_or(0, |title| texts.partition_point(|&id| id < title));
    let end = title.map_or(0, |title| texts.partition_point(|&id| id < dom.subtree_end(title)));
    let first = start.saturating_sub(NAMED[0]);
    let dated = |i: usize| {
        let text = dom.text(texts[i]).trim();
        let n = text.chars().take(MAX_CHARS + 1).count();
        let may_say = n <= MAX_CHARS && text.contains(|c: char| c.is_ascii_digit());
        let date = may_say.then(|| find(text, month_first)).flatten()?;
        Some((i, n <= SHORT_CHARS, date))
    };
    let last = (end + NAMED[1]).min(texts.len());
    let found: Vec<(usize, bool, String)> = (first..last).filter_map(dated).collect();
    let distance = |i: usize| if i < start { 2 * (start - i) } else { i.saturating_sub(end) };
    let is_named = |i: usize| is_named(dom, texts[i], 3, &NAMES);
    let is_near = |i: usize| start.saturating_sub(i) <= UNNAMED[0] && i.saturating_sub(end) <= UNNAMED[1];
    let named = found.iter().filter(|(i, ..)| is_named(*i)).min_by_key(|(i, ..)| distance(*i));
    let unnamed = || {
        let near = found.iter().filter(|(i, is_short, _)| *is_short && is_near(*i));
        near.min_by_key(|(i, ..)| distance(*i))
    };
    named.or_else(unnamed).map(|(_, _, date)| date.clone())
}

/// Whether an element near above a text is for times, or has one of the names in its class, id or property.
fn is_named(dom: &Dom, text: NodeId, levels: usize, names: &[&str]) -> bool {
    dom.ancestors(text).take(levels).any(|id| {
        let says = |attribute: &str| {
            dom.attribute(id, attribute).is_some_and(|value| {
                let value = value.to_ascii_lowercase();
                names.iter().any(|name| value.contains(name))
            })
        };
        dom.tag(id) == Tag::TIME || says("class") || says("id") || says("itemprop")
    })
}

/// The date that a page marks anywhere as that of its publication, by a word before it or the name of its element, in ISO 8601; none where it
/// marks several. Dates in areas that are named for reviews are of what a reader wrote, unless the title stands there too.
pub(super) fn marked(dom: &Dom, title: Option<NodeId>, month_first: bool) -> Option<String> {
    let is_of_reviews = |id: NodeId| {
        class_words(dom, id).any(|word| word.to_ascii_lowercase().contains("review"))
            && title.is_none_or(|title| !dom.is_in_subtree(title, id))
    };
    let mut only: Option<String> = None;
    let mut is_after_label = false;
    let texts = dom.shown_texts().map(|id| (id, dom.text(id).trim())).filter(|(_, text)| !text.is_empty());
    for (id, text) in texts {
        let is_short = text.chars().nth(SHORT_CHARS).is_none();
        let small = if is_short { text.to_lowercase() } else { String::new() };
        let is_labelled = LABELS.iter().any(|label| small.starts_with(label));
        let may_say = is_short && text.contains(|c: char| c.is_ascii_digit());
        let date = may_say.then(|| find(text, month_first)).flatten();
        let is_marked =
            is_labelled || is_after_label || date.is_some() && is_named(dom, id, 2, &["date", "publish"]);
        // Few texts get so far.
        if is_marked && dom.ancestors(id).any(is_of_reviews) {
            continue;
        }
        is_after_label = is_labelled && date.is_none();
        if let Some(date) = date.filter(|_| is_marked) {
            if only.as_ref().is_some_and(|only| *only != date) {
                return None;
            }
            only = Some(date);
        }
    }
    only
}

/// The date in the data of a page's scripts, in ISO 8601.
pub(super) fn in_scripts(dom: &Dom) -> Option<String> {
    let scripts = dom.ids().filter(|&id| dom.tag(id) == Tag::SCRIPT);
    let texts = scripts.flat_map(|id| dom.children(id)).map(|id| dom.text(id));
    let mut bytes = 0;
    let is_among_first = |text: &&str| {
        bytes += text.len();
        bytes <= MAX_SCRIPT
    };
    let texts: Vec<&str> = texts.take_while(is_among_first).collect();
    KEYS.iter().find_map(|key| {
        texts.iter().find_map(|text| text.match_indices(key).find_map(|(at, _)| value(text, at, key)))
    })
}

/// The date behind a key of JSON, in a string of JSON too, or of JavaScript.
fn value(text: &str, at: usize, key: &str) -> Option<String> {
    let is_whole = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let rest = text[at + key.len()..].trim_start_matches(['\\', '"', '\'']).trim_start();
    let rest = rest.strip_prefix(':')?.trim_start().trim_start_matches('\\');
    let rest = rest.strip_prefix(['"', '\''])?;
    let end = rest.char_indices().take(41).find(|(_, c)| matches!(c, '"' | '\'' | '\\'))?.0;
    is_whole.then(|| normalize_date(&rest[..end])).flatten().filter(|date| date.len() >= 10)
}

/// The first date in a text for readers, with day, month and year, in ISO 8601; `05/06/2024` is in May with `month_first`, else in June.
pub(super) fn find(text: &str, month_first: bool) -> Option<String> {
    let mut before = ' ';
    text.char_indices().find_map(|(at, c)| {
        let begins = c.is_alphanumeric() && !before.is_alphanumeric();
        before = c;
        let rest = &text[at..];
        let read = || match c.is_ascii_digit() {
            true => of_numbers(rest, month_first).or_else(|| day_first(rest)),
            false => of_month(rest),
        };
        begins.then(read).flatten()
    })
}

/// A number of some digits, and what follows it.
fn number(text: &str, digits: std::ops::RangeInclusive<usize>) -> Option<(u32, &str)> {
    let end = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    digits.contains(&end).then(|| Some((text[..end].parse().ok()?, &text[end..]))).flatten()
}

fn iso(year: u32, month: u32, day: u32) -> Option<String> {
    (1990..=2099).contains(&year).then(|| date(year, month, day)).flatten()
}

/// `2024-05-17`, `2024年5月17日`, `17.05.2024`, `05/17/2024`.
fn of_numbers(text: &str, month_first: bool) -> Option<String> {
    let (first, rest) = number(text, 1..=4)?;
    let separator = rest.chars().next()?;
    let rest = &rest[separator.len_utf8()..];
    let (second, rest) = number(rest, 1..=2)?;
    let next = rest.chars().next()?;
    if !(separator == next && matches!(separator, '-' | '/' | '.') || (separator, next) == ('年', '月')) {
        return None;
    }
    let (third, rest) = number(&rest[next.len_utf8()..], 1..=4)?;
    // A number of more parts is none.
    if rest.strip_prefix(next).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        return None;
    }
    match (first, third) {
        (1000.., 0..=31) => iso(first, second, third),
        (1..=31, 1000..) => {
            let is_month_first = second > 12 || first <= 12 && separator == '/' && month_first;
            let (month, day) = if is_month_first { (first, second) } else { (second, first) };
            iso(third, month, day)
        }
        _ => None,
    }
}

/// `17 May 2024`, `17. Mai 2024`, `17 de mayo de 2024`, `17th of May, 2024`.
fn day_first(text: &str) -> Option<String> {
    let (day, rest) = number(text, 1..=2)?;
    let rest =
        ["st", "nd", "rd", "th", "er", "º"].iter().find_map(|end| rest.strip_prefix(end)).unwrap_or(rest);
    let (month, rest) = month(between(rest)?)?;
    let (year, _) = number(between(rest)?, 4..=4)?;
    iso(year, month, day)
}

/// `May 17, 2024`, `Sept. 17th 2024`.
fn of_month(text: &str) -> Option<String> {
    let (month, rest) = month(text)?;
    let (day, rest) = number(between(rest)?, 1..=2)?;
    let rest = ["st", "nd", "rd", "th"].iter().find_map(|end| rest.strip_prefix(end)).unwrap_or(rest);
    let (year, _) = number(between(rest)?, 4..=4)?;
    iso(year, month, day)
}

/// What follows the signs and the small words between the parts of a date; there must be one.
fn between(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches([' ', '\u{a0}', '\n', '\t', '\r', '.', ',', '-', '/']);
    let words = ["of ", "de ", "del "];
    let rest = words.iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest).trim_start();
    (rest.len() < text.len()).then_some(rest)
}

/// A month by its name in one of the languages of the web's news, and what follows it.
fn month(text: &str) -> Option<(u32, &str)> {
    const NAMES: [&[&str]; 12] = [
        &[
            "january",
            "jan",
            "januar",
            "jänner",
            "janvier",
            "janv",
            "enero",
            "ene",
            "janeiro",
            "gennaio",
            "gen",
            "januari",
            "stycznia",
            "ocak",
            "января",
            "янв",
            "січня",
        ],
        &[
            "february",
            "feb",
            "februar",
            "février",
            "fevrier",
            "févr",
            "fév",
            "febrero",
            "fevereiro",
            "fev",
            "febbraio",
            "februari",
            "lutego",
            "şubat",
            "февраля",
            "фев",
            "лютого",
        ],
        &[
            "march",
            "mar",
            "märz",
            "mrz",
            "mars",
            "marzo",
            "março",
            "maart",
            "mrt",
            "marca",
            "mart",
            "марта",
            "мар",
            "березня",
        ],
        &[
            "april",
            "apr",
            "avril",
            "avr",
            "abril",
            "abr",
            "aprile",
            "kwietnia",
            "nisan",
            "апреля",
            "апр",
            "квітня",
        ],
        &["may", "mai", "mayo", "maio", "maggio", "mag", "mei", "maj", "maja", "mayıs", "мая", "травня"],
        &[
            "june",
            "jun",
            "juni",
            "juin",
            "junio",
            "junho",
            "giugno",
            "giu",
            "czerwca",
            "haziran",
            "июня",
            "июн",
            "червня",
        ],
        &[
            "july",
            "jul",
            "juli",
            "juillet",
            "juil",
            "julio",
            "julho",
            "luglio",
            "lug",
            "lipca",
            "temmuz",
            "июля",
            "июл",
            "липня",
        ],
        &[
            "august",
            "aug",
            "août",
            "aout",
            "agosto",
            "ago",
            "augustus",
            "augusti",
            "sierpnia",
            "ağustos",
            "августа",
            "авг",
            "серпня",
        ],
        &[
            "september",
            "sept",
            "sep",
            "septembre",
            "septiembre",
            "setiembre",
            "setembro",
            "set",
            "settembre",
            "września",
            "eylül",
            "сентября",
            "сен",
            "сент",
            "вересня",
        ],
        &[
            "october",
            "oct",
            "oktober",
            "okt",
            "octobre",
            "octubre",
            "outubro",
            "out",
            "ottobre",
            "ott",
            "października",
            "ekim",
            "октября",
            "окт",
            "жовтня",
        ],
        &[
            "november",
            "nov",
            "novembre",
            "noviembre",
            "novembro",
            "listopada",
            "kasım",
            "ноября",
            "ноя",
            "листопада",
        ],
        &[
            "december",
            "dec",
            "dezember",
            "dez",
            "décembre",
            "decembre",
            "déc",
            "diciembre",
            "dic",
            "dezembro",
            "dicembre",
            "desember",
            "des",
            "grudnia",
            "aralık",
            "декабря",
            "дек",
            "грудня",
        ],
    ];
    let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    // The longest name has 12 letters.
    if text[..end].chars().count() > 12 {
        return None;
    }
    let name = text[..end].to_lowercase();
    let at = NAMES.iter().position(|names| names.contains(&name.as_str()))?;
    Some((at as u32 + 1, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_for_readers_are_read_in_the_languages_of_news() {
        for (text, iso) in [
            ("Last updated: Dec 12, 2025", Some("2025-12-12")),
            ("By Ada Oak - Sept. 1st, 2023 · 4 min", Some("2023-09-01")),
            ("Freitag, 17. Mai 2024, 9:30 Uhr", Some("2024-05-17")),
            ("Publié le 1er août 2024", Some("2024-08-01")),
            ("17 de mayo de 2024", Some("2024-05-17")),
            ("17 мая 2024", Some("2024-05-17")),
            ("2024年5月17日", Some("2024-05-17")),
            ("17.05.2024", Some("2024-05-17")),
            ("on 2024-05-17 10:00", Some("2024-05-17")),
            ("Posted 05/17/2024", Some("2024-05-17")),
            ("17/05/2024", Some("2024-05-17")),
            ("In May 2024", None),
            ("31 June 2024", None),
            ("version 1.2.2024.5", None),
            ("May be 12, 2024 of them", None),
            ("a2024-05-17", None),
            ("12 March 1823", None),
        ] {
            assert_eq!(find(text, false).as_deref(), iso, "{text}");
        }
        assert_eq!(find("05/06/2024", false).as_deref(), Some("2024-06-05"));
        assert_eq!(find("05/06/2024", true).as_deref(), Some("2024-05-06"));
    }

    fn dom(html: &str) -> Dom {
        Dom::parse(html.as_bytes(), Some("utf-8"), &Default::default()).unwrap()
    }

    #[test]
    fn the_date_beside_the_title_is_that_of_the_page() {
        let date = |html: &str| {
            let dom = dom(html);
            near_title(&dom, dom.ids().find(|&id| dom.tag(id) == Tag::H1), false)
        };
        assert_eq!(date("<p>1 May 2024</p><h1>Oak</h1><p>2 May 2024</p>").as_deref(), Some("2024-05-02"));
        assert_eq!(date("<p>1 May 2024</p><h1>Oak</h1><p>An oak.").as_deref(), Some("2024-05-01"));
        let named = "<h1>Oak</h1><p>2 May 2024<p class=post-date>On 3 May 2024";
        assert_eq!(date(named).as_deref(), Some("2024-05-03"));
        // Sentences tell of dates, and what is far off is of something else.
        assert_eq!(date("<h1>Oak</h1><p>It was felled by a storm on the night of 2 May 2024."), None);
        assert_eq!(date(&format!("<h1>Oak</h1>{}<p>2 May 2024", "<p>An oak.".repeat(20))), None);
    }

    #[test]
    fn a_date_that_is_marked_is_that_of_the_page_if_it_is_the_only_one() {
        let date = |html: &str| {
            let dom = dom(html);
            marked(&dom, dom.ids().find(|&id| dom.tag(id) == Tag::H1), true)
        };
        let far = "<p>An oak.".repeat(60);
        assert_eq!(date(&format!("{far}<p>Posted on 2 May 2024")).as_deref(), Some("2024-05-02"));
        assert_eq!(date(&format!("{far}<p>Published</p><p>2 May 2024")).as_deref(), Some("2024-05-02"));
        let named = "<div class=story-date><span>May 2, 2024</span></div>";
        assert_eq!(date(&format!("{named}{far}{named}")).as_deref(), Some("2024-05-02"));
        // Several are those of teasers, and a date alone may be of anything.
        assert_eq!(date("<p>Posted on 2 May 2024<p>Posted on 3 May 2024"), None);
        assert_eq!(date("<p>Published yesterday<p>An oak<p>2 May 2024"), None);
        // What a reader wrote has a date of its own.
        assert_eq!(date(&format!("<h1>Oak</h1><div class=product-reviews>{named}</div>")), None);
        assert_eq!(
            date(&format!("<div class=reviews><h1>Oak</h1>{named}</div>")).as_deref(),
            Some("2024-05-02")
        );
    }

    #[test]
    fn data_of_scripts_has_dates_by_known_keys() {
        for (script, iso) in [
            (r#"{"datePublished":"2024-05-17T09:30:00Z"}"#, Some("2024-05-17T09:30:00Z")),
            (r#"self.push("{\"publishedAt\":\"2024-05-17\"}")"#, Some("2024-05-17")),
            (r#"a={publish_date: '2024-05-17'}"#, Some("2024-05-17")),
            (r#"{"date":"2024-05-16","pubDate":"2024-05-17"}"#, Some("2024-05-17")),
            (r#"{"update":"2024-05-17","date":"soon"}"#, None),
            (r#"{"date":2024}"#, None),
        ] {
            let dom = dom(&format!("<script>{script}</script>"));
            assert_eq!(in_scripts(&dom).as_deref(), iso, "{script}");
        }
    }
}
