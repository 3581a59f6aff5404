//! `Answer`, the line of JSON that a program gives for a page.

use serde::Deserialize;

use super::not_utf8;
use crate::error::{PageProblem, Result};
use crate::program::shortened;

/// What a program found on a page.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) text: String,
    /// The addresses of the article's images, if the program tells.
    pub(super) images: Option<Vec<String>>,
    /// The address of the image that stands for the page, if the program tells.
    pub(super) lead: Option<String>,
}

impl From<String> for Found {
    fn from(text: String) -> Found {
        Found { text, images: None, lead: None }
    }
}

/// A page's text, or why there is none.
#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    /// The page's name, as it was given to the program.
    #[serde(alias = "path")]
    pub(super) id: String,
    text: Option<String>,
    images: Option<Vec<String>>,
    lead: Option<String>,
    error: Option<String>,
}

impl Answer {
    /// Reads a line.
    ///
    /// # Errors
    /// [`PageProblem::Failed`] if it is not UTF-8, not JSON, or names no page.
    pub(super) fn parse(line: &[u8]) -> Result<Answer, PageProblem> {
        let line = std::str::from_utf8(line).map_err(not_utf8)?;
        serde_json::from_str(line).map_err(|error| {
            PageProblem::Failed(format!(
                "the program's answer is not as agreed ({error}): {}",
                shortened(line)
            ))
        })
    }

    /// The answer, if it is for the page `id`.
    ///
    /// # Errors
    /// [`PageProblem::Failed`] if it is for another.
    pub(super) fn check_page(self, id: &str) -> Result<Answer, PageProblem> {
        if self.id == id {
            return Ok(self);
        }
        Err(PageProblem::Failed(format!("the program answered for another page, {:?}", self.id)))
    }

    /// What was found.
    ///
    /// # Errors
    /// [`PageProblem::Failed`] with the error that the program names.
    pub(super) fn found(self) -> Result<Found, PageProblem> {
        match (self.error, self.text) {
            (Some(error), _) => Err(PageProblem::Failed(shortened(&error))),
            (None, Some(text)) => Ok(Found { text, images: self.images, lead: self.lead }),
            (None, None) => {
                Err(PageProblem::Failed("the program's answer has neither text nor error".to_owned()))
            }
        }
    }
}
