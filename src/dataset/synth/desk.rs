//! `Desk`, what writes one page.

use rand::RngExt as _;

use super::piece::{Element, el};
use super::site::Site;
use super::speech::{Speech, Tone, pick};
use crate::label::Label;
use crate::rng::Rng;

/// What writes one page: its site, its topic, its random stream.
pub(super) struct Desk<'a> {
    pub site: &'a Site,
    pub speech: Speech,
    pub rng: Rng,
}

impl Desk<'_> {
    /// Whether something with this probability happens.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.rng.random_bool(probability)
    }

    /// A passage of `least` to `most` sentences.
    pub fn passage(&mut self, tone: Tone, least: usize, most: usize) -> String {
        let sentences = self.rng.random_range(least..=most);
        self.speech.passage(&mut self.rng, tone, sentences)
    }

    /// A link.
    pub fn link(&mut self, label: Label, content: impl Into<String>) -> Element {
        let href = format!(
            "/{}/{}",
            pick(&mut self.rng, &["a", "go", "page", "id"]),
            self.rng.random_range(100..99_999)
        );
        el("a").attr("href", href).text(label, content)
    }
}
