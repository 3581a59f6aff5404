//! `CommandRecognizer`: any program as a recogniser of entities.
//!
//! The program is kept and asked for one page at a time. For each line `{"language": ..., "texts": [...]}` on standard input (the
//! language, an ISO 639-1 code, may be null) it writes a line `{"entities": [[{"kind": ..., "name": ...}, ...], ...]}` with a list for each
//! text, or `{"error": ...}`. Kinds are `person`, `place` and `organization`, or the labels of spaCy and OntoNotes for them (`PERSON`, `PER`, `GPE`,
//! `LOC`, `FAC`, `ORG`); what has another is left out.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::{EntityKind, EntityRecognizer, Mention};
use crate::error::{Error, PageProblem, Result};
use crate::program::{Program, Workers};

/// A program that recognises entities.
#[derive(Debug)]
pub struct CommandRecognizer {
    program: Program,
    workers: Workers,
}

impl CommandRecognizer {
    /// The program of a command line, which is split into words as a shell does; `timeout` is the time that it may take for a page.
    /// `field` names the setting in errors.
    ///
    /// # Errors
    /// [`Error::Usage`] for an empty line, an open quote and a program that is not there.
    pub fn new(line: &str, timeout: Duration, field: &str) -> Result<Self> {
        let program = Program::parse(line, field, timeout)?;
        let program = program.ok_or_else(|| {
            Error::usage(
                format!("{field} is empty"),
                "give the command line of a program that reads texts and writes their entities, or use the rules",
            )
        })?;
        Ok(CommandRecognizer { program, workers: Workers::default() })
    }
}

#[derive(Deserialize)]
struct Answer {
    entities: Option<Vec<Vec<Entity>>>,
    error: Option<String>,
}

#[derive(Deserialize)]
struct Entity {
    kind: String,
    name: String,
}

impl EntityRecognizer for CommandRecognizer {
    fn mentions(&self, texts: &[&str], language: Option<&str>) -> Result<Vec<Vec<Mention>>, PageProblem> {
        let mut request = json!({ "language": language, "texts": texts }).to_string().into_bytes();
        request.push(b'\n');
        let failed = |problem: String| PageProblem::Failed(format!("the recogniser of entities: {problem}"));
        let answer: Answer = self.workers.ask(&self.program, request, |line| {
            serde_json::from_slice(line)
                .map_err(|error| failed(format!("no answer as it should be: {error}")))
        })?;
        match (answer.entities, answer.error) {
            (_, Some(error)) => Err(failed(error)),
            (Some(entities), None) if entities.len() == texts.len() => Ok(entities
                .into_iter()
                .map(|entities| entities.into_iter().filter_map(mention).collect())
                .collect()),
            (Some(entities), None) => {
                Err(failed(format!("entities of {} texts for {}", entities.len(), texts.len())))
            }
            (None, None) => Err(failed("neither entities nor error".to_owned())),
        }
    }
}

fn mention(entity: Entity) -> Option<Mention> {
    let kind = match entity.kind.to_ascii_lowercase().as_str() {
        "person" | "per" => EntityKind::Person,
        "place" | "gpe" | "loc" | "fac" | "location" => EntityKind::Place,
        "organization" | "organisation" | "org" => EntityKind::Organization,
        _ => return None,
    };
    let name = entity.name.split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then_some(Mention { kind, name })
}
