//! The tree of a generated page: elements, labelled text, and what no reader sees.

use crate::label::Label;

/// A node of a page before it is written as HTML.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    Element(Element),
    /// Text with its type.
    Text(Label, String),
    /// A script or style element with its content: in the original page only.
    Code(&'static str, String),
}

/// An element of a generated page.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub tag: &'static str,
    pub attrs: Vec<(&'static str, String)>,
    pub children: Vec<Piece>,
    /// Not shown by a browser: the annotation keeps the element without its content.
    pub invisible: bool,
}

/// An element without attributes or children.
pub(super) fn el(tag: &'static str) -> Element {
    Element { tag, attrs: Vec::new(), children: Vec::new(), invisible: tag == "noscript" }
}

/// A text.
pub(super) fn text(label: Label, text: impl Into<String>) -> Piece {
    Piece::Text(label, text.into())
}

impl Element {
    pub fn attr(mut self, name: &'static str, value: impl Into<String>) -> Element {
        self.attrs.push((name, value.into()));
        self
    }

    pub fn attrs(mut self, attrs: impl IntoIterator<Item = (&'static str, String)>) -> Element {
        self.attrs.extend(attrs);
        self
    }

    /// Adds one child.
    pub fn with(mut self, child: impl Into<Piece>) -> Element {
        self.children.push(child.into());
        self
    }

    /// Adds children.
    pub fn with_all(mut self, children: impl IntoIterator<Item = Piece>) -> Element {
        self.children.extend(children);
        self
    }

    /// Adds a text.
    pub fn text(self, label: Label, content: impl Into<String>) -> Element {
        self.with(text(label, content))
    }

    pub fn invisible(mut self) -> Element {
        self.invisible = true;
        self
    }
}

impl From<Element> for Piece {
    fn from(element: Element) -> Piece {
        Piece::Element(element)
    }
}

/// Whether the element has no end tag.
pub(super) fn is_void(tag: &str) -> bool {
    matches!(tag, "br" | "hr" | "img" | "input" | "link" | "meta")
}

/// Whether the element stands within a line of text, so that white space around it would show.
pub(super) fn is_inline(tag: &str) -> bool {
    matches!(
        tag,
        "a" | "abbr"
            | "b"
            | "cite"
            | "em"
            | "font"
            | "i"
            | "small"
            | "span"
            | "strong"
            | "time"
            | "u"
            | "label"
    )
}

/// A step of a walk in document order.
pub(super) enum Step<'a> {
    /// A leaf, or the start of an element.
    Enter(&'a Piece),
    /// The end of an element that is not void.
    Leave(&'a Element),
}

/// The steps of a walk over `roots`: iterative, in document order.
pub(super) struct Walk<'a> {
    stack: Vec<Step<'a>>,
}

impl<'a> Walk<'a> {
    pub fn new(roots: &'a [Piece]) -> Walk<'a> {
        Walk { stack: roots.iter().rev().map(Step::Enter).collect() }
    }

    /// Leaves out the children of the element that was entered last.
    pub fn skip_children(&mut self) {
        while matches!(self.stack.last(), Some(Step::Enter(_))) {
            self.stack.pop();
        }
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = Step<'a>;

    fn next(&mut self) -> Option<Step<'a>> {
        let step = self.stack.pop()?;
        if let Step::Enter(Piece::Element(element)) = step
            && !is_void(element.tag)
        {
            self.stack.push(Step::Leave(element));
            self.stack.extend(element.children.iter().rev().map(Step::Enter));
        }
        Some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_enters_and_leaves_in_document_order() {
        let roots =
            [el("div").with(el("p").text(Label::FullText, "a")).with(el("br")).into(), el("ul").into()];
        let order: Vec<String> = Walk::new(&roots)
            .map(|step| match step {
                Step::Enter(Piece::Element(element)) => element.tag.to_owned(),
                Step::Enter(Piece::Text(_, text)) => text.clone(),
                Step::Enter(_) => "?".to_owned(),
                Step::Leave(element) => format!("/{}", element.tag),
            })
            .collect();
        assert_eq!(order, ["div", "p", "a", "/p", "br", "/div", "ul", "/ul"]);
    }

    #[test]
    fn children_can_be_skipped() {
        let roots = [el("div").with(el("p").text(Label::FullText, "a")).into(), el("ul").into()];
        let mut walk = Walk::new(&roots);
        walk.next();
        walk.skip_children();
        assert!(matches!(walk.next(), Some(Step::Leave(element)) if element.tag == "div"));
        assert!(matches!(walk.next(), Some(Step::Enter(Piece::Element(element))) if element.tag == "ul"));
    }
}
