//! Where readers' comments stand on a page whose reference text leaves them out.

use std::collections::BTreeMap;

use crate::alignment::{Found, find_text};
use crate::dom::{Dom, Tag};
use crate::error::PageProblem;
use crate::features::names_comments;
use crate::index::NodeId;
use crate::tokens;

/// An element is a place of comments only with a text of so many tokens: a link to comments, or their number, has fewer.
const LONG_TEXT: u32 = 10;

/// The text nodes of readers' comments, in document order; `found` is where the reference text stands.
///
/// Where the corpus keeps `comments` apart they are where those stand. Elsewhere they are the text of elements whose class or
/// id is named after comments, if none of it is in the reference text (on a forum readers' posts are the content) and some of
/// it is long, without the forms inside. So comments on pages that do not name them are missing.
///
/// # Errors
/// As [`find_text`].
pub(super) fn find_comments(
    dom: &Dom,
    comments: Option<&str>,
    found: &Found,
) -> Result<Vec<NodeId>, PageProblem> {
    let is_outside = |id: NodeId| found.counts(id).0 == 0;
    if let Some(comments) = comments {
        let comments = find_text(dom, comments)?;
        let is_comment = |id: &NodeId| {
            let (inside, all) = comments.counts(*id);
            inside > 0 && 2 * inside >= all && is_outside(*id)
        };
        return Ok(dom.shown_texts().filter(is_comment).collect());
    }
    let areas_around = |id: NodeId| dom.ancestors(id).filter(|&above| names_comments(dom, above));
    // Of each element so named, whether some of its text is in the reference, and whether some is long.
    let mut areas: BTreeMap<NodeId, (bool, bool)> = BTreeMap::new();
    for id in dom.shown_texts() {
        let (is_inside, is_long) = (!is_outside(id), tokens::count(dom.text(id)) >= LONG_TEXT);
        for area in areas_around(id) {
            let seen = areas.entry(area).or_default();
            *seen = (seen.0 | is_inside, seen.1 | is_long);
        }
    }
    let is_of_form = |id: NodeId| {
        dom.ancestors(id).any(|above| matches!(dom.tag(above), Tag::LABEL | Tag::BUTTON | Tag::TEXTAREA))
            || dom.ancestors(id).find(|&above| dom.tag(above) == Tag::FORM).is_some_and(|form| {
                // Some pages are one form.
                areas_around(id).any(|area| area < form) || names_comments(dom, form)
            })
    };
    let is_comment = |id: &NodeId| areas_around(*id).any(|area| areas[&area] == (false, true));
    Ok(dom.shown_texts().filter(is_comment).filter(|&id| !is_of_form(id)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;

    /// The texts of comments on a page whose reference is `text`.
    fn comments(html: &str, text: &str, apart: Option<&str>) -> Vec<String> {
        let dom = Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap();
        let found = find_text(&dom, text).unwrap();
        let comments = find_comments(&dom, apart, &found).unwrap();
        comments.iter().map(|&id| dom.text(id).to_owned()).collect()
    }

    const SAID: &str = "It was the oldest oak of all, my father planted it.";

    #[test]
    fn comments_stand_where_the_corpus_has_them_and_else_where_names_are() {
        let html = format!(
            "<body class=no-comments><p>An oak fell.<a class=comment-link>1 comment</a><div class=responsive><p>The mill has a new roof, and so has the barn beside it.\
             </div><div id=comments><h3>1 comment</h3><p>{SAID}<form><p>Write here what you think of it, in a few words of \
             your own.</form></div>"
        );
        assert_eq!(comments(&html, "An oak fell.", None), ["1 comment", SAID]);
        assert_eq!(comments(&html, "An oak fell.", Some(SAID)), [SAID]);
        assert!(comments(&html, "An oak fell.", Some("")).is_empty());
    }

    #[test]
    fn posts_that_are_the_reference_are_no_comments_and_a_page_may_be_one_form() {
        let html = format!("<form><p>An oak fell.<div id=comments><p>{SAID}<p>Thank you.</div></form>");
        assert_eq!(comments(&html, "An oak fell.", None), [SAID, "Thank you."]);
        assert!(comments(&html, &format!("An oak fell.\n{SAID}"), None).is_empty());
    }
}
