//! The module behind the npm package `duramen`: a model, and what it finds on pages, as JSON.
//!
//! A panic cannot be caught here. It becomes an exception of JavaScript with its message, and `js/duramen.js` makes the instance anew.

mod asked;
mod extracted;

use std::collections::BTreeMap;

use duramen::{Model, Options, extract_with};
use wasm_bindgen::prelude::wasm_bindgen;

use asked::Asked;
use extracted::Extracted;

/// Runs when an instance is made.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// Panics, for the test of what becomes of a panic.
#[wasm_bindgen]
pub fn fail(message: &str) {
    panic!("{message}");
}

/// Finds the content of pages by a model. What is wrong with a call is a text.
#[wasm_bindgen]
pub struct Extractor {
    model: Model,
    /// By the convention that was asked for.
    options: BTreeMap<String, Options>,
}

#[wasm_bindgen]
impl Extractor {
    /// Reads a model file.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &[u8]) -> Result<Extractor, String> {
        let text = std::str::from_utf8(model).map_err(|_| {
            "the model: not a model file: it is not text; give web.json.gz or a file made by `duramen train`"
        })?;
        let model = Model::from_json(text, "the model").map_err(|error| error.to_string())?;
        let mut extractor = Extractor { model, options: BTreeMap::new() };
        extractor.options(asked::CONVENTION)?;
        Ok(extractor)
    }

    /// Extracts a page, as options in JSON say. What is wrong with the page is the status of the result.
    pub fn extract(&mut self, html: &[u8], is_text: bool, options: &str) -> Result<String, String> {
        let asked: Asked = serde_json::from_str(options).map_err(|error| format!("options: {error}"))?;
        let options =
            asked.options(self.options(asked.convention())?, is_text).map_err(|error| error.to_string())?;
        let document = extract_with(html, &options).map_err(|error| error.to_string())?;
        let extracted = Extracted::of(&document, &asked);
        serde_json::to_string(&extracted).map_err(|error| error.to_string())
    }
}

impl Extractor {
    /// The options of a convention, whose tables are made once.
    fn options(&mut self, convention: &str) -> Result<Options, String> {
        if let Some(options) = self.options.get(convention) {
            return Ok(options.clone());
        }
        let made = || match convention {
            // That of the model itself.
            asked::CONVENTION => Options::of_model(self.model.clone()),
            other => Options::of_model(self.model.clone().with_convention(other.parse()?)?),
        };
        let made: Options = made().map_err(|error: duramen::Error| error.to_string())?;
        self.options.insert(convention.to_owned(), made.clone());
        Ok(made)
    }
}
