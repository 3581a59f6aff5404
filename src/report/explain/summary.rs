//! The file's header and summary: what page and model, words of each label, how sure, where least.

use std::fmt::{self, Write as _};

use super::outline::snippet;
use super::units::{SURE, Unit, Units};
use crate::dom::serialize::escape;
use crate::extract::hmt::{Hmt, Inference};
use crate::extract::render::{Selection, confidence};
use crate::extract::{Extraction, PageExtractor};
use crate::features::measures::Measures;
use crate::label::Label;
use crate::model::PageType;
use crate::page::Page;
use crate::plural::plural;
use crate::view::{PageView, View};

/// How many of the least certain blocks are listed.
const LISTED: usize = 10;
/// How many terms are listed that speak for a type of page.
const TERMS: usize = 8;

/// Title, address, and the legend with the words of each label.
pub(super) fn header(page: &Page, title: &str, units: &Units) -> String {
    let mut html = format!("<h1 dir=\"auto\">{}</h1>\n", escape(title));
    let address = page.url().unwrap_or(page.id());
    if address != title {
        let _ = writeln!(html, "<p class=\"address\">{}</p>", escape(address));
    }
    let all = units.words(|_| true);
    let of_label = Label::ALL.map(|label| units.words(|unit| unit.label == label));
    // Kept labels first, the largest part in front.
    let mut order = Label::ALL;
    order.sort_by_key(|&label| (!units.keep.contains(label), std::cmp::Reverse(of_label[label.index()])));
    html.push_str("<div class=\"words\" aria-hidden=\"true\">");
    for label in order.into_iter().filter(|label| of_label[label.index()] > 0) {
        let words = of_label[label.index()];
        let _ = write!(html, "<i class=\"l{}\" style=\"flex-grow:{words}\"></i>", label.index());
    }
    html.push_str("</div>\n<ul class=\"legend\">\n");
    for label in order {
        let words = of_label[label.index()];
        let class = match units.keep.contains(label) {
            _ if words == 0 => "none",
            true => "kept",
            false => "out",
        };
        let _ = writeln!(
            html,
            "<li class=\"l{} {class}\" title=\"{}\"><i></i>{label} <b>{}</b> <small>{}</small></li>",
            label.index(),
            escape(label.meaning()),
            count(words, "word"),
            share(words, all)
        );
    }
    html.push_str("</ul>\n");
    html
}

/// Numbers, and the blocks with the most words in doubt.
pub(super) fn summary(page: &Page, hmt: &Hmt, extraction: &Extraction, units: &Units) -> String {
    let all = units.words(|_| true);
    let kept = units.words(|unit| unit.kept);
    let sure = units.words(|unit| !unit.is_unsure());
    let mean = units.all.iter().map(|unit| unit.certainty() * f64::from(unit.words)).sum::<f64>();
    let in_doubt: f64 = units.all.iter().map(doubt).sum();
    let mut html = String::from("<h2>How sure</h2>\n<dl>\n");
    let mut row = |name: &str, value: String, note: &str| {
        let note = if note.is_empty() { String::new() } else { format!(" <small>{note}</small>") };
        let _ = writeln!(html, "<dt>{name}</dt><dd>{value}{note}</dd>");
    };
    row("Kept", count(kept, "word"), &format!("{} of {}", share(kept, all), count(all, "word")));
    if let Some(cutoff) = extraction.cutoff {
        row(
            "Threshold",
            format!("{:.1} %", 100.0 * cutoff),
            "text is kept from this P(kept) on, on this page",
        );
    }
    let selection = Selection { labels: units.keep, ..Selection::default() };
    let expected = |kept| confidence(page, extraction, &selection, &kept);
    if let Some(f1) = selection.kept(page, extraction).ok().and_then(expected) {
        row("Expected F1", format!("{f1:.3}"), "of the words kept");
    }
    if let Some(kinds) = &extraction.page_type {
        let kinds = PageType::by_probability(kinds);
        let others: Vec<String> =
            kinds[1..3].iter().map(|(kind, p)| format!("{} {}", kind.name(), percent(*p))).collect();
        row("Page type", format!("{} {}", kinds[0].0.name(), percent(kinds[0].1)), &others.join(", "));
    }
    row("Sure", share(sure, all), &format!("of words, posterior {SURE} or more"));
    if all > 0 {
        row("Mean posterior", format!("{:.3}", mean / all as f64), "of the label, over words");
    }
    row("In doubt", format!("{in_doubt:.1} words"), "expected to have another label");
    html.push_str("</dl>\n");

    let mut doubtful: Vec<(usize, &Unit)> =
        units.all.iter().enumerate().filter(|(_, unit)| unit.is_unsure() && unit.words > 0).collect();
    doubtful.sort_by(|(_, a), (_, b)| doubt(b).total_cmp(&doubt(a)));
    html.push_str("<h2>Most words in doubt</h2>\n");
    if doubtful.is_empty() {
        let _ = writeln!(html, "<p class=\"soft\">None: every block has a posterior of {SURE} or more.</p>");
    } else {
        html.push_str(
            "<p class=\"soft\">Blocks by their words times the probability that the label is another.</p>\n\
             <ol class=\"doubtful\">\n",
        );
        for &(index, unit) in doubtful.iter().take(LISTED) {
            let _ = writeln!(
                html,
                "<li><a href=\"#b{}\" class=\"l{}\"><i></i><span dir=\"auto\">{}</span> \
                 <small>{} {}, {:.1} of {} in doubt</small></a></li>",
                index + 1,
                unit.label.index(),
                snippet(page, unit),
                unit.label,
                percent(unit.certainty()),
                doubt(unit),
                count(u64::from(unit.words), "word"),
            );
        }
        html.push_str("</ol>\n");
        if doubtful.len() > LISTED {
            let _ = writeln!(
                html,
                "<p class=\"soft\">and {} with fewer words in doubt.</p>",
                count((doubtful.len() - LISTED) as u64, "block")
            );
        }
    }
    html.push_str(&page_type(page, hmt, extraction));
    html.push_str(&model(hmt, units));
    html.push_str(&meanings());
    html
}

/// Why the page is of its most probable type rather than of the second.
fn page_type(page: &Page, hmt: &Hmt, extraction: &Extraction) -> String {
    let scores = hmt.model().layers().scores.as_ref();
    let Some((scores, probabilities)) = scores.zip(extraction.page_type.as_ref()) else {
        return String::new();
    };
    let [(first, _), (second, _), ..] = PageType::by_probability(probabilities)[..] else {
        return String::new();
    };
    let view = PageView::new(page, hmt.model().config().view);
    let evidence = scores.page_type_evidence(&Measures::new(page, &view, None), first, second);
    let listed = |terms: &mut dyn Iterator<Item = &(&str, f32)>| -> String {
        let terms = terms
            .take(TERMS)
            .map(|(term, nats)| format!("{} <small>{:.2}</small>", escape(term), nats.abs()));
        terms.collect::<Vec<_>>().join(", ")
    };
    let [own, other] = [first, second].map(PageType::name);
    let mut html = format!("<details>\n<summary>Why {own} rather than {other}</summary>\n<dl>\n");
    let sides = [
        (own, listed(&mut evidence.iter().filter(|(_, nats)| *nats > 0.0))),
        (other, listed(&mut evidence.iter().rev().filter(|(_, nats)| *nats < 0.0))),
    ];
    for (name, terms) in sides.iter().filter(|(_, terms)| !terms.is_empty()) {
        let _ = writeln!(html, "<dt>For {name}</dt><dd dir=\"auto\">{terms}</dd>");
    }
    html.push_str(
        "</dl>\n<p class=\"soft\">How much each adds to the log-odds: words of the page's text, of its classes and of what it states, \
         its elements and its counts.</p>\n</details>\n",
    );
    html
}

/// What the labels are.
fn meanings() -> String {
    let mut html = String::from("<details>\n<summary>What the labels are</summary>\n<dl>\n");
    for label in Label::ALL {
        let _ = writeln!(
            html,
            "<dt class=\"l{}\">{label}</dt><dd>{}</dd>",
            label.index(),
            escape(label.meaning())
        );
    }
    html.push_str("</dl>\n</details>\n");
    html
}

fn model(hmt: &Hmt, units: &Units) -> String {
    let config = hmt.model().config();
    let tree = match config.view {
        View::Dom => "DOM tree",
        View::Blocks => "block tree",
    };
    let mut html = String::from("<h2>Model</h2>\n<dl>\n");
    let _ = writeln!(
        html,
        "<dt>Name</dt><dd>{}</dd>\n<dt>Trained on</dt><dd>{}</dd>\n<dt>Tree</dt><dd>{tree}, {} states, {} features</dd>\n\
         <dt>Inference</dt><dd>{}</dd>\n</dl>",
        escape(PageExtractor::id(hmt)),
        count(hmt.model().pages(), "page"),
        config.states.len(),
        config.features.len(),
        inference_name(hmt.inference())
    );
    let mut note = |text: String| {
        let _ = writeln!(html, "<p class=\"soft\">{text}</p>");
    };
    if hmt.inference() != Inference::Exact {
        note("The log-odds of a block come from exact inference with the same parameters.".to_owned());
    }
    if hmt.model().layers().comment_split.is_some() {
        note(
            "Comments are split from what is not content in a second step; their log-odds are those of not content."
                .to_owned(),
        );
    }
    if hmt.model().supplemental_split().is_some() {
        note(
            "Under this convention supplemental text is split from what is not content in a step of its own; the log-odds are those before it."
                .to_owned(),
        );
    }
    if config.sibling_types {
        note(
            "The log-odds leave out the labels of all siblings, which exact inference does not have."
                .to_owned(),
        );
    }
    let without = units.all.iter().filter(|unit| !unit.detailed).count() as u64;
    if without > 0 {
        note(format!("{} without log-odds: the page is very large.", count(without, "block")));
    }
    html
}

/// The expected number of the unit's words that have another label.
fn doubt(unit: &Unit) -> f64 {
    f64::from(unit.words) * (1.0 - unit.certainty())
}

/// `1 word`, `12 345 words`, with thin spaces.
fn count(n: u64, what: &str) -> String {
    plural(Grouped(n), what)
}

/// A number that is written with its thousands apart if they are ten or more.
#[derive(PartialEq)]
struct Grouped(u64);

impl From<u8> for Grouped {
    fn from(n: u8) -> Self {
        Grouped(n.into())
    }
}

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(3) && digits.len() > 4 {
                f.write_char('\u{202f}')?;
            }
            f.write_char(digit)?;
        }
        Ok(())
    }
}

fn share(part: u64, all: u64) -> String {
    if all == 0 { "-".to_owned() } else { percent(part as f64 / all as f64) }
}

/// A share in per cent; never 0 or 100 unless it is.
fn percent(share: f64) -> String {
    match share {
        s if s > 0.0 && s < 0.005 => "&lt;1 %".to_owned(),
        s if s > 0.995 && s < 1.0 => "&gt;99 %".to_owned(),
        s => format!("{:.0} %", s * 100.0),
    }
}

/// How posteriors came about, in words.
pub(super) fn inference_name(inference: Inference) -> String {
    match inference {
        Inference::Exact => "exact marginals".to_owned(),
        Inference::Viterbi => "most probable states of the whole page (posteriors are 0 or 1)".to_owned(),
        Inference::Gibbs(config) => {
            let averaged = (config.sweeps - config.burn_in).div_ceil(config.thin);
            let chains =
                if config.chains == 1 { String::new() } else { format!(", {} chains", config.chains) };
            format!("Gibbs, {} sweeps, {averaged} averaged{chains}", config.sweeps)
        }
    }
}
