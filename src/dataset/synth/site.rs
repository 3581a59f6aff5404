//! A site: what its pages share. Language, layout, names, encoding, fixed texts and habits.

use rand::RngExt as _;

use super::charset::{self, Declared};
use super::config::SynthConfig;
use super::language::{self, Language};
use super::naming::{Manner, Naming, Role};
use super::piece::{Element, el};
use super::speech::{Speech, Tone, capitalize, pick};
use crate::rng::{self, Rng};

/// How the pages of a site are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Nested tables and font elements.
    Tables,
    /// Floating divisions.
    Divisions,
    /// HTML5 elements that say what they are.
    Semantic,
    /// Rows and columns of a grid framework.
    Grid,
    /// Deeply nested blocks of a content management system.
    Managed,
    /// A weblog: one post, its comments, a sidebar.
    Blog,
    /// A forum: an opening post and replies.
    Forum,
}

/// How a site separates the paragraphs of an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyStyle {
    Paragraphs,
    /// Text with `<br><br>` between paragraphs.
    Breaks,
    Divisions,
}

/// White space between the elements of the original page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spacing {
    Dense,
    Lines,
    Indented,
}

/// What the pages of one site have in common.
pub(super) struct Site {
    pub language: &'static Language,
    pub layout: Layout,
    pub naming: Naming,
    pub charset: Declared,
    pub name: String,
    pub host: String,
    pub body: BodyStyle,
    pub spacing: Spacing,
    pub headline: &'static str,
    /// Upper-case tags and attributes without quotes, legal and old.
    pub old_fashioned: bool,
    /// `&eacute;` rather than `é`.
    pub named_entities: bool,
    /// Whether the site's readers may comment.
    pub comments: bool,
    pub sections: Vec<String>,
    pub actions: Vec<&'static str>,
    pub slogan: String,
    pub copyright: String,
    pub consent: Option<String>,
    pub newsletter: Option<String>,
    /// A sentence or two for each section, shown in the navigation of some sites.
    pub blurbs: Option<Vec<String>>,
    /// Habits that are on or off for the whole site.
    pub breadcrumb: bool,
    pub related: bool,
    pub left_column: bool,
    pub right_column: bool,
    pub share_above: bool,
    pub tags: bool,
    pub deck: bool,
    pub river: bool,
}

const LAYOUTS: [Layout; 7] = [
    Layout::Tables,
    Layout::Divisions,
    Layout::Semantic,
    Layout::Managed,
    Layout::Grid,
    Layout::Blog,
    Layout::Forum,
];

impl Site {
    /// The site with this number: depends on the configuration's seed and shares and the number alone.
    pub fn new(config: &SynthConfig, number: u64) -> Site {
        let rng = &mut rng::stream(config.seed, "synth", &[number]);
        let turn = rng::stream(config.seed, "synth-layouts", &[]).random_range(0..LAYOUTS.len());
        // Layouts take turns, so that few sites already show most of them; every second forum gives way to a news site.
        let mut layout = LAYOUTS[(number as usize % LAYOUTS.len() + turn) % LAYOUTS.len()];
        if layout == Layout::Forum && number / LAYOUTS.len() as u64 % 2 == 1 {
            layout = Layout::Divisions;
        }
        let language = language::draw(rng);
        let speech = Speech::new(language, rng);
        let name = site_name(&speech, rng);
        let host = format!("{}{}.example", pick(rng, &["www.", "www.", "news.", ""]), host_name(rng));
        Site {
            language,
            layout,
            naming: Naming::draw(rng, manners(layout)),
            charset: charset::draw(rng, language.code, config.misdeclared_share),
            body: body_style(layout, rng),
            spacing: pick(rng, &[Spacing::Dense, Spacing::Lines, Spacing::Lines, Spacing::Indented]),
            headline: headline_tag(layout, rng),
            old_fashioned: layout == Layout::Tables && rng.random_bool(0.6),
            named_entities: rng.random_bool(0.3),
            comments: matches!(layout, Layout::Blog | Layout::Forum) || rng.random_bool(0.4),
            sections: some(rng, &language.sections, 8),
            actions: some(rng, &language.actions, 5),
            slogan: speech.passage(rng, Tone::Advert, 1),
            copyright: copyright(&speech, &name, rng),
            consent: rng.random_bool(0.3).then(|| speech_passage(&speech, rng, Tone::Legal, 1..=2)),
            newsletter: rng.random_bool(0.3).then(|| speech_passage(&speech, rng, Tone::Advert, 1..=2)),
            blurbs: rng
                .random_bool(0.2)
                .then(|| (0..6).map(|_| speech.passage(rng, Tone::Advert, 1)).collect()),
            breadcrumb: rng.random_bool(0.45),
            related: rng.random_bool(0.55),
            left_column: rng.random_bool(0.5),
            right_column: rng.random_bool(0.75),
            share_above: rng.random_bool(0.5),
            tags: rng.random_bool(0.35),
            deck: rng.random_bool(0.35),
            river: rng.random_bool(0.3),
            name,
            host,
        }
    }

    /// An element that plays `role`, named in the site's manner.
    pub fn part(&self, tag: &'static str, role: Role) -> Element {
        el(tag).attrs(self.naming.class(role))
    }

    /// `modern` on a site that uses HTML5 elements, else a division.
    pub fn semantic(&self, modern: &'static str) -> &'static str {
        if matches!(self.layout, Layout::Semantic | Layout::Grid) { modern } else { "div" }
    }
}

fn speech_passage(
    speech: &Speech,
    rng: &mut Rng,
    tone: Tone,
    sentences: std::ops::RangeInclusive<usize>,
) -> String {
    let sentences = rng.random_range(sentences);
    speech.passage(rng, tone, sentences)
}

/// At least `least` of `all`, in their order.
fn some<T: Copy + Into<R>, R>(rng: &mut Rng, all: &[T], least: usize) -> Vec<R> {
    let wanted = rng.random_range(least..=all.len());
    let mut left = wanted;
    let mut kept = Vec::with_capacity(wanted);
    for (position, &item) in all.iter().enumerate() {
        if rng.random_range(0..all.len() - position) < left {
            kept.push(item.into());
            left -= 1;
        }
    }
    kept
}

fn site_name(speech: &Speech, rng: &mut Rng) -> String {
    let parts = [speech.surname(rng), capitalize(pick(rng, &speech.language.sections))];
    speech.join(&parts)
}

/// A host name in Latin letters, whatever the language.
fn host_name(rng: &mut Rng) -> String {
    let speech = Speech::new(language::english(), rng);
    format!("{}{}", speech.surname(rng), speech.surname(rng)).to_lowercase()
}

fn copyright(speech: &Speech, name: &str, rng: &mut Rng) -> String {
    let sentences = pick(rng, &[0, 0, 0, 1, 1, 3]);
    let year = rng.random_range(2006..2025);
    let notice = format!("© {year} {name}. {}.", speech.language.phrases.rights);
    if sentences == 0 { notice } else { format!("{notice} {}", speech.passage(rng, Tone::Legal, sentences)) }
}

fn manners(layout: Layout) -> &'static [Manner] {
    match layout {
        Layout::Tables => &[Manner::Looks, Manner::Absent, Manner::Looks, Manner::Telling],
        Layout::Managed => &[Manner::Prefixed, Manner::Prefixed, Manner::Obscure],
        Layout::Semantic => &[Manner::Telling, Manner::Obscure, Manner::Absent],
        _ => &[Manner::Telling, Manner::Telling, Manner::Obscure, Manner::Looks],
    }
}

fn body_style(layout: Layout, rng: &mut Rng) -> BodyStyle {
    let breaks = match layout {
        Layout::Tables => 0.6,
        Layout::Forum => 0.5,
        Layout::Divisions => 0.2,
        _ => 0.05,
    };
    if rng.random_bool(breaks) {
        BodyStyle::Breaks
    } else if rng.random_bool(0.12) {
        BodyStyle::Divisions
    } else {
        BodyStyle::Paragraphs
    }
}

fn headline_tag(layout: Layout, rng: &mut Rng) -> &'static str {
    match layout {
        Layout::Tables => pick(rng, &["b", "font", "h2", "span"]),
        Layout::Semantic | Layout::Grid => "h1",
        _ => pick(rng, &["h1", "h1", "h2", "h3", "div"]),
    }
}
