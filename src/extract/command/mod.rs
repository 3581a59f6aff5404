//! Any program as an extractor: pages go to its standard input, texts come back on its standard output.
//!
//! # Protocols
//! - `html`: a process a page. The page comes on standard input, the text is all of standard output.
//! - `files`: a process for the pages of a call. Standard input has the path of a file a line; for each page, in
//!   any order, the program writes a line of JSON, `{"path": ..., "text": ...}` or `{"path": ..., "error": ...}`.
//!   `"id"` with the name of the file without its extension may stand for `"path"`.
//! - `json-lines`: processes that are kept. For each line `{"id": ..., "url": ..., "html": ...}` (the address may
//!   be null) the program writes a line `{"id": ..., "text": ...}` or `{"id": ..., "error": ...}` at once. Pages are
//!   spread over as many processes as there are threads; a program must not carry anything from page to page.
//!
//! A line may have `"images"` besides, the addresses of the article's images, and `"lead"`, that of the image that stands for the
//! page.
//!
//! A program runs without a shell, in a process group of its own, which is killed as a whole when its time is up.
//! Standard error is read and forgotten but for its last line, which names a failure.
//!
//! The labels are those of the text nodes where the text was found (`find_text`); text metrics take the text as
//! the program gave it.

mod answer;
mod files;

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::time::Duration;

use rayon::prelude::*;
use serde_json::json;

use super::pictures::Picture;
use super::registry::{ExtractorInfo, Parameter, Range, Values};
use super::{ArticleImage, ExtractError, Extraction, Extractor, LeadImage, PageImages};
use crate::alignment::find_text;
use crate::alignment::pictures::{PictureIndex, address_key};
use crate::dom::encoding;
use crate::error::{Error, PageProblem, Result};
use crate::page::{Page, Source};
use crate::program::{Program, Workers};
use answer::{Answer, Found};

const PROGRAM: Parameter = Parameter::new(
    "program",
    Range::Text { default: "" },
    "the command line of the program: words as in a shell, quotes too, but no shell runs it",
);
const INPUT: Parameter = Parameter::new(
    "input",
    Range::Choice { options: &["html", "files", "json-lines"], default: "html" },
    "how the program takes pages: html (one on standard input), files (paths, a line each) or json-lines",
);
const ENCODING: Parameter = Parameter::new(
    "encoding",
    Range::Choice { options: &["utf-8", "original"], default: "utf-8" },
    "the bytes that the program gets: the decoded page in UTF-8, or the bytes as they came",
);
const TIMEOUT: Parameter = Parameter::new(
    "timeout",
    Range::Number { min: 0.1, max: 86_400.0, default: 30.0 },
    "seconds that the program may take for a page",
);
const VERSION: Parameter = Parameter::new(
    "version",
    Range::Text { default: "" },
    "the command line whose first line of output is the version; by default the program's with --version",
);

/// What is missing without a program.
const NEEDS_PROGRAM: &str = "a program";
/// What is missing where a page was made without its bytes.
const NEEDS_SOURCE: &str = "the page's source";

pub(super) const ENTRIES: &[ExtractorInfo] = &[ExtractorInfo {
    id: "command",
    summary: "runs any program: pages to its standard input, texts from its standard output",
    reference: "the program's own",
    needs: &[NEEDS_PROGRAM, NEEDS_SOURCE],
    parameters: &[PROGRAM, INPUT, ENCODING, TIMEOUT, VERSION],
    reads_source: true,
    build: |values| Ok(Box::new(Command::new(values)?)),
}];

/// How a program takes its pages.
#[derive(Debug)]
enum Input {
    Html,
    Files,
    JsonLines(Workers),
}

/// A program as an extractor.
#[derive(Debug)]
struct Command {
    /// None until a program is named.
    program: Option<Program>,
    input: Input,
    /// Whether the program gets the bytes as they came.
    original: bool,
    version_program: Option<Program>,
    version: OnceLock<String>,
}

impl Command {
    /// # Errors
    /// [`Error::Usage`] for a command line with an open quote, a program that is not there, and bytes as they came
    /// asked for in JSON.
    fn new(values: &Values<'_>) -> Result<Self> {
        let seconds = values.get(TIMEOUT.name).as_float().expect("checked to be a number");
        let timeout = Duration::from_secs_f64(seconds);
        let program = Program::parse(values.text(PROGRAM.name), &field(PROGRAM), timeout)?;
        let version_program = match values.text(VERSION.name) {
            "" => program.as_ref().map(|program| program.with_argument("--version")),
            line => Program::parse(line, &field(VERSION), timeout)?,
        };
        let original = values.text(ENCODING.name) == "original";
        let input = match values.text(INPUT.name) {
            "html" => Input::Html,
            "files" => Input::Files,
            _ if original => {
                return Err(Error::usage(
                    "parameter 'encoding' of extractor 'command' cannot be \"original\" with input \"json-lines\"",
                    "JSON is UTF-8: leave it out, or choose input \"html\" or \"files\"",
                ));
            }
            _ => Input::JsonLines(Workers::default()),
        };
        Ok(Command { program, input, original, version_program, version: OnceLock::new() })
    }

    /// What the program gets of a page.
    fn bytes(&self, source: &Source) -> Result<Vec<u8>, PageProblem> {
        if self.original {
            return Ok(source.bytes.clone());
        }
        Ok(decoded(source)?.into_bytes())
    }

    fn texts(&self, program: &Program, pages: &[(&Page, &Source)]) -> Vec<Result<Found, PageProblem>> {
        match &self.input {
            Input::Html => pages
                .par_iter()
                .map(|(_, source)| {
                    let text = String::from_utf8(program.run(self.bytes(source)?)?).map_err(not_utf8)?;
                    Ok(Found::from(text))
                })
                .collect(),
            Input::JsonLines(workers) => pages
                .par_iter()
                .map(|(page, source)| ask(workers, program, page, &decoded(source)?))
                .collect(),
            Input::Files => {
                let contents: Vec<_> = pages.iter().map(|(_, source)| self.bytes(source)).collect();
                files::texts(program, &contents)
            }
        }
    }
}

impl Extractor for Command {
    fn id(&self) -> &str {
        "command"
    }

    fn extract_site(&self, pages: &[&Page]) -> Vec<Result<Extraction, ExtractError>> {
        let missing = |what| pages.iter().map(|_| Err(ExtractError::MissingInput(what))).collect();
        let Some(program) = &self.program else { return missing(NEEDS_PROGRAM) };
        let known: Vec<(&Page, &Source)> =
            pages.iter().filter_map(|&page| Some((page, page.source()?))).collect();
        let mut texts = self.texts(program, &known).into_iter();
        let mut extractions = Vec::with_capacity(pages.len());
        for page in pages {
            extractions.push(match page.source() {
                None => Err(ExtractError::MissingInput(NEEDS_SOURCE)),
                Some(_) => texts
                    .next()
                    .expect("a text for each page with a source")
                    .and_then(|found| extraction(page, found))
                    .map_err(ExtractError::Page),
            });
        }
        extractions
    }

    /// With `files` a program may look at all the pages of a call.
    fn reads_whole_sites(&self) -> bool {
        matches!(self.input, Input::Files)
    }

    fn version(&self) -> String {
        let ask = || match &self.version_program {
            None => "no program".to_owned(),
            Some(program) => program.first_line().unwrap_or_else(|problem| format!("unknown: {problem}")),
        };
        self.version.get_or_init(ask).clone()
    }
}

/// A parameter as an error names it.
fn field(parameter: Parameter) -> String {
    format!("parameter '{}' of extractor 'command'", parameter.name)
}

/// Asks a program that is kept for the text of a page.
fn ask(workers: &Workers, program: &Program, page: &Page, html: &str) -> Result<Found, PageProblem> {
    let mut request = json!({ "id": page.id(), "url": page.url(), "html": html }).to_string().into_bytes();
    request.push(b'\n');
    workers.ask(program, request, |line| Answer::parse(line)?.check_page(page.id()))?.found()
}

/// The page in UTF-8. What it declares of its encoding stays as it is.
fn decoded(source: &Source) -> Result<String, PageProblem> {
    encoding::decode(&source.bytes, source.http_charset.as_deref()).map(|(text, _)| text.into_owned())
}

fn extraction(page: &Page, found: Found) -> Result<Extraction, PageProblem> {
    let labels = find_text(page.dom(), &found.text)?.labels();
    let mut extraction = Extraction::from_text_labels(page.dom(), labels);
    if found.images.is_some() || found.lead.is_some() {
        extraction.images = Some(page_images(page, &found));
    }
    extraction.text = Some(found.text);
    Ok(extraction)
}

/// The pictures of the page that the program's addresses name; addresses of no picture are left out.
fn page_images(page: &Page, found: &Found) -> PageImages {
    let pictures = Picture::on_page(page);
    let keys = |picture: &Picture| -> Vec<String> {
        picture.addresses.iter().filter_map(|url| address_key(url, page.url())).collect()
    };
    let known: Vec<Vec<String>> = pictures.iter().map(keys).collect();
    let index = PictureIndex::new(&known, page.url());
    let numbers: BTreeSet<usize> =
        found.images.iter().flatten().filter_map(|address| index.find(address)).collect();
    let image = |number: usize| ArticleImage { picture: pictures[number].clone(), probability: None };
    let lead = found.lead.as_ref().map(|url| LeadImage {
        url: url.clone(),
        node: index.find(url).map(|number| pictures[number].node),
        probability: None,
    });
    PageImages { images: numbers.into_iter().map(image).collect(), lead }
}

fn not_utf8<E>(_: E) -> PageProblem {
    PageProblem::Failed("the program's output is not UTF-8".to_owned())
}
