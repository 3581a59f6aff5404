//! A subtree back to HTML, as the standard's serialization algorithm writes it.

use super::arena::{Dom, NodeKind};
use super::tag::Tag;
use crate::index::NodeId;

impl Dom {
    /// The HTML of a node and its subtree; for the document node, of the whole page (without doctype).
    ///
    /// # Examples
    /// ```
    /// use duramen::{Dom, Limits};
    /// let dom = Dom::parse(b"<body><p class=a>x &lt; y<br>", None, &Limits::default())?;
    /// let body = dom.at_xpath("/html[1]/body[1]").unwrap();
    /// assert_eq!(dom.to_html(body), r#"<body><p class="a">x &lt; y<br></p></body>"#);
    /// # Ok::<(), duramen::PageProblem>(())
    /// ```
    pub fn to_html(&self, id: NodeId) -> String {
        let text = |html: &mut String, node: NodeId| {
            let raw = self.parent(node).is_some_and(|parent| {
                self.is_html_element(parent)
                    && matches!(
                        self.tag(parent),
                        Tag::SCRIPT | Tag::STYLE | Tag::IFRAME | Tag::NOEMBED | Tag::NOFRAMES
                    )
            });
            if raw {
                html.push_str(self.text(node));
            } else {
                escape_into(html, self.text(node));
            }
        };
        let start = |html: &mut String, node: NodeId| {
            html.push('<');
            html.push_str(self.name(node));
            for (name, value) in self.attributes(node) {
                html.push(' ');
                html.push_str(name);
                html.push_str("=\"");
                escape_into(html, value);
                html.push('"');
            }
            html.push('>');
            true
        };
        let mut html = String::new();
        self.write_html(id, &mut html, start, text);
        html
    }

    /// Writes a subtree: `start` writes the start tag of an element, or says that the element is left out with all that is in it, and
    /// `text` writes a text.
    pub fn write_html(
        &self,
        id: NodeId,
        html: &mut String,
        start: impl Fn(&mut String, NodeId) -> bool,
        text: impl Fn(&mut String, NodeId),
    ) {
        let mut open: Vec<NodeId> = Vec::new();
        let mut next = id.index();
        let end = self.subtree_end(id).index();
        while next < end {
            let node = NodeId::from_index(next);
            next += 1;
            while let Some(&top) = open.last()
                && !self.is_in_subtree(node, top)
            {
                close(self, html, top);
                open.pop();
            }
            match self.kind(node) {
                NodeKind::Document => {}
                NodeKind::Text => text(html, node),
                NodeKind::Element if !start(html, node) => next = self.subtree_end(node).index(),
                NodeKind::Element if self.tag(node).is_void() => {}
                NodeKind::Element => open.push(node),
            }
        }
        while let Some(top) = open.pop() {
            close(self, html, top);
        }
    }
}

fn close(dom: &Dom, html: &mut String, id: NodeId) {
    html.push_str("</");
    html.push_str(dom.name(id));
    html.push('>');
}

/// Appends `text` with the characters that HTML gives a meaning written as references.
pub fn escape_into(html: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\u{a0}' => html.push_str("&nbsp;"),
            _ => html.push(c),
        }
    }
}

/// `text` as it must stand in HTML, in element content and in double-quoted attributes alike.
pub fn escape(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    escape_into(&mut html, text);
    html
}
