//! The snippets of the WCXB benchmark: what a text must and must not hold, found as its `evaluate.py` finds them.

use serde::{Deserialize, Serialize};

/// How a text does on the snippets of its page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SnippetScores {
    /// Of the `with` snippets, the share that is in the text (0 to 1, higher is better); none where there are none.
    pub with: Option<f64>,
    /// Of the `without` snippets, the share that is **not** in the text (0 to 1, higher is better); none where there
    /// are none.
    pub without: Option<f64>,
}

/// Looks for the snippets in an extracted text.
///
/// As in the script, a snippet is found if it stands in the text as it is but for upper and lower case: white
/// space counts, so one that crosses a line break of the text is not found.
///
/// The script differs in what it reports: of `without` the share that **is** found (lower is better), which is 1
/// minus the share here, and the share 1 for a page without snippets, which is none here.
///
/// # Examples
/// ```
/// let scores = duramen::eval::snippet_scores("The old tree fell.", &["old TREE", "last night"], &["Sign in"]);
/// assert_eq!((scores.with, scores.without), (Some(0.5), Some(1.0)));
/// ```
pub fn snippet_scores(text: &str, with: &[impl AsRef<str>], without: &[impl AsRef<str>]) -> SnippetScores {
    let text = text.to_lowercase();
    SnippetScores { with: found(&text, with), without: found(&text, without).map(|share| 1.0 - share) }
}

/// The share of the snippets that stand in a lower-cased text.
fn found(text: &str, snippets: &[impl AsRef<str>]) -> Option<f64> {
    let found = snippets.iter().filter(|snippet| text.contains(&snippet.as_ref().to_lowercase())).count();
    (!snippets.is_empty()).then(|| found as f64 / snippets.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [&str; 0] = [];

    #[test]
    fn a_snippet_is_found_whatever_its_case_and_not_across_other_white_space() {
        let text = "Äpfel und BIRNEN\nreifen";
        let with = ["äpfel", "und birnen", "birnen reifen"];
        assert_eq!(snippet_scores(text, &with, &NONE).with, Some(2.0 / 3.0));
    }

    #[test]
    fn an_unwanted_snippet_costs_and_an_empty_text_has_none() {
        assert_eq!(snippet_scores("Log in to read", &NONE, &["log in", "cookies"]).without, Some(0.5));
        let empty = snippet_scores("", &["oak"], &["log in"]);
        assert_eq!((empty.with, empty.without), (Some(0.0), Some(1.0)));
    }

    #[test]
    fn a_page_without_snippets_has_no_share() {
        assert_eq!(snippet_scores("oak", &NONE, &NONE), SnippetScores { with: None, without: None });
    }
}
