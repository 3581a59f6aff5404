//! One page: its address, its tree, and the two files made from it.

use rand::RngExt as _;

use super::config::SynthConfig;
use super::damage::Damage;
use super::desk::Desk;
use super::piece::{Piece, Step, Walk};
use super::site::{Layout, Site};
use super::speech::{Speech, Tone, pick};
use super::{annotated, layout, original};
use crate::label::Label;
use crate::rng::{self, Rng};

/// A generated page with its annotation and the truth about it.
#[derive(Debug, Clone, PartialEq)]
pub struct SynthPage {
    /// A random identifier in the form of a UUID; the page's file name without `.html`.
    pub id: String,
    /// The page's address, on a host under `.example`.
    pub url: String,
    /// The number of its site, from 0.
    pub site: u64,
    /// Its language, as an ISO 639-1 code.
    pub language: &'static str,
    /// The encoding of `original`, by its WHATWG label; `utf-16` has a byte order mark.
    pub encoding: &'static str,
    /// Whether `original` declares no encoding or another one.
    pub misdeclared: bool,
    /// Whether its markup is broken, the title included.
    pub broken: bool,
    /// The page as a server would send it.
    pub original: Vec<u8>,
    /// The page as an assessor's browser would save it, in UTF-8, with spans of class `x-nc-selN`.
    pub annotated: Vec<u8>,
    /// The visible texts of the body in document order, each with its type.
    pub gold: Vec<(Label, String)>,
}

/// The page of this number on the site of this number: depends on nothing but these and the configuration's seed
/// and shares.
pub(super) fn generate(config: &SynthConfig, site: &Site, site_number: u64, number: u64) -> SynthPage {
    let mut rng = rng::stream(config.seed, "synth", &[site_number, number]);
    let id = uuid(&mut rng);
    let url = url(site, number, &mut rng);
    let damage = damage(config, &mut rng);
    let speech = Speech::new(site.language, &mut rng);
    let mut desk = Desk { site, speech, rng };
    let title = match desk.rng.random_range(0..12) {
        0 => desk.speech.sentence(&mut desk.rng, Tone::Article),
        1 => desk.speech.key_word(&mut desk.rng),
        _ => desk.speech.title(&mut desk.rng),
    };
    let body = layout::body(&mut desk, &title);
    let source = original::serialize(site, &title, &body, &damage, &mut desk.rng);
    let annotated = annotated::serialize(&title, &body, &mut desk.rng);
    SynthPage {
        id,
        url,
        site: site_number,
        language: site.language.code,
        encoding: site.charset.charset.name(),
        misdeclared: site.charset.misdeclared,
        broken: damage.is_any(),
        original: original::encode(site, &source),
        annotated: annotated.into_bytes(),
        gold: gold(&body),
    }
}

fn damage(config: &SynthConfig, rng: &mut Rng) -> Damage {
    let broken = rng.random_bool(config.broken_share);
    let drawn = Damage::draw(rng);
    let open_title = rng.random_bool(config.open_title_share);
    Damage { open_title, ..if broken { drawn } else { Damage::default() } }
}

/// The visible texts with their types, in document order.
fn gold(body: &[Piece]) -> Vec<(Label, String)> {
    let mut gold = Vec::new();
    let mut walk = Walk::new(body);
    while let Some(step) = walk.next() {
        match step {
            Step::Enter(Piece::Element(element)) if element.invisible => walk.skip_children(),
            Step::Enter(Piece::Text(label, content)) if !content.trim().is_empty() => {
                gold.push((*label, content.clone()))
            }
            _ => {}
        }
    }
    gold
}

/// A random identifier in the form of a UUID, version 4.
fn uuid(rng: &mut Rng) -> String {
    let bits: u128 = rng.random();
    let bits = bits & !(0xF << 76) & !(0x3 << 62) | 0x4 << 76 | 0x2 << 62;
    let hex = format!("{bits:032x}");
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// The page's address, in the form that the site's software makes; its number keeps it apart from the others.
fn url(site: &Site, number: u64, rng: &mut Rng) -> String {
    let host = &site.host;
    let section = pick(rng, &["news", "world", "sport", "local", "culture"]);
    let (year, month, day) = (rng.random_range(2007..2025), rng.random_range(1..13), rng.random_range(1..29));
    match site.layout {
        Layout::Tables => format!("http://{host}/{section}/{year}{month:02}{day:02}_{number}.html"),
        Layout::Managed => format!("http://{host}/node/{}", 1_000 + number),
        Layout::Forum => format!("http://{host}/viewtopic.php?f=2&t={}", 100 + number),
        Layout::Blog => format!("http://{host}/{year}/{month:02}/{section}-{number}/"),
        _ => format!("https://{host}/{section}/{year}/{month:02}/{day:02}/story-{number}.html"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_has_the_form_of_a_uuid() {
        let id = uuid(&mut rng::stream(0, "test", &[]));
        let lengths: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!(&id[14..15], "4");
        assert!("89ab".contains(&id[19..20]));
    }
}
