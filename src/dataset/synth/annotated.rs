//! The page as the assessors' browser saved it: clean, without scripts, every text in a span that says its type.

use rand::RngExt as _;

use super::escape::{push_attribute, push_text};
use super::piece::{Element, Piece, Step, Walk, is_inline, is_void};
use super::speech::pick;
use crate::label::Label;
use crate::rng::Rng;

/// The style sheet that the annotation tool adds.
const STYLE: &str = "<style type=\"text/css\">
.x-nc-sel1 { background-color: #b0e0b0 }
.x-nc-sel2 { background-color: #f0f0a0 }
.x-nc-sel3 { background-color: #e0b0e0 }
.x-nc-sel4 { background-color: #f0c890 }
.x-nc-sel5 { background-color: #a0e0e0 }
</style>
";

/// The annotated page, in UTF-8.
pub(super) fn serialize(title: &str, body: &[Piece], rng: &mut Rng) -> String {
    let mut out = format!("<html><head>\n{STYLE}<title>\n");
    push_text(&mut out, title, false);
    out.push_str("\n</title>\n</head><body");
    out.push_str(if rng.random_bool(0.1) { " class=\"x-nc-linearized\">\n" } else { ">\n" });
    let mut writer = Writer { out, rng, labelled: None, spanless: false };
    let mut walk = Walk::new(body);
    while let Some(step) = walk.next() {
        match step {
            Step::Enter(Piece::Element(element)) => {
                writer.start(element);
                if element.invisible {
                    walk.skip_children();
                }
            }
            Step::Enter(Piece::Text(label, content)) => writer.text(*label, content),
            Step::Enter(Piece::Code(..)) => {}
            Step::Leave(element) => writer.end(element),
        }
    }
    writer.out.push_str("</body></html>\n");
    writer.out
}

struct Writer<'a> {
    out: String,
    rng: &'a mut Rng,
    /// The element that carries the type of its texts itself.
    labelled: Option<*const Element>,
    /// Inside an element that may hold no spans.
    spanless: bool,
}

impl Writer<'_> {
    fn start(&mut self, element: &Element) {
        if !is_inline(element.tag) && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.out.extend(["<", element.tag]);
        let mut classes: Vec<String> = Vec::new();
        let hidden_input = element.attrs.iter().any(|(name, value)| *name == "type" && value == "hidden");
        if element.invisible || hidden_input {
            classes.push("x-nc-invisible".to_owned());
        } else if let Some(label) = sole_label(element)
            && self.rng.random_bool(0.02)
        {
            classes.push(class(label));
            self.labelled = Some(element);
        }
        for (name, value) in &element.attrs {
            match *name {
                "class" => classes.insert(0, value.clone()),
                "href" => push_attribute(&mut self.out, name, "javascript:void(0)", false),
                "action" => push_attribute(&mut self.out, name, "javascript:void(0)", false),
                _ => push_attribute(&mut self.out, name, value, false),
            }
        }
        if !classes.is_empty() {
            push_attribute(&mut self.out, "class", &classes.join(" "), false);
        }
        self.out.push('>');
        if matches!(element.tag, "option" | "select") {
            self.spanless = true;
        }
        if is_void(element.tag) {
            self.out.push('\n');
        }
    }

    fn end(&mut self, element: &Element) {
        self.out.extend(["</", element.tag, ">"]);
        if !is_inline(element.tag) {
            self.out.push('\n');
        }
        if self.labelled == Some(std::ptr::from_ref(element)) {
            self.labelled = None;
        }
        if element.tag == "select" {
            self.spanless = false;
        }
    }

    fn text(&mut self, label: Label, content: &str) {
        let bare = self.spanless
            || self.labelled.is_some()
            || content.trim().is_empty()
            || (label == Label::NotContent && self.rng.random_bool(0.3));
        // Assessors marked a region first and corrected it afterwards: the innermost span is right.
        let spans: Vec<Label> = match self.rng.random_range(0..100) {
            _ if bare => Vec::new(),
            0..8 => vec![label, label],
            8 => vec![Label::NotContent, label],
            9 => vec![pick(self.rng, &Label::ALL), label],
            _ => vec![label],
        };
        for &span in &spans {
            self.out.push_str(&format!("<span class=\"{}\">", class(span)));
        }
        push_text(&mut self.out, content, false);
        for _ in &spans {
            self.out.push_str("</span>");
        }
    }
}

/// The class of a type's span.
fn class(label: Label) -> String {
    format!("x-nc-sel{}", label.index())
}

/// The type of a paragraph, item or cell that holds text of one type and no further blocks.
fn sole_label(element: &Element) -> Option<Label> {
    if !matches!(element.tag, "p" | "li" | "div" | "td") {
        return None;
    }
    let mut sole = None;
    for child in &element.children {
        match child {
            Piece::Text(label, content) if sole.is_none_or(|known| known == *label) => {
                if !content.trim().is_empty() {
                    sole = Some(*label);
                }
            }
            _ => return None,
        }
    }
    sole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::synth::piece::el;
    use crate::rng;

    fn annotate(piece: Element) -> String {
        serialize("t", &[piece.into()], &mut rng::stream(2, "test", &[]))
    }

    #[test]
    fn links_are_disarmed_and_scripts_are_gone() {
        let link = el("a").attr("href", "/secret").text(Label::FullText, "word");
        let page = annotate(el("div").with(link).with(Piece::Code("script", "run()".to_owned())));
        assert!(page.contains("href=\"javascript:void(0)\""), "{page}");
        assert!(!page.contains("secret") && !page.contains("script>"), "{page}");
        assert!(page.contains("x-nc-sel2\">word</span>"), "{page}");
    }

    #[test]
    fn an_invisible_element_is_marked_and_loses_its_content() {
        let page = annotate(el("div").with(el("input").attr("type", "hidden")));
        assert!(page.contains("<input type=\"hidden\" class=\"x-nc-invisible\">"), "{page}");
        let page = annotate(el("div").text(Label::NotContent, "gone").invisible());
        assert!(page.contains("<div class=\"x-nc-invisible\"></div>") && !page.contains("gone"), "{page}");
    }
}
