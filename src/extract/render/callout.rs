//! Callouts: notes, tips and warnings that generators of documentation set apart from the text.

use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;

/// The kinds that GitHub's Markdown has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Callout {
    Note,
    Tip,
    Important,
    Warning,
    Caution,
}

impl Callout {
    /// The name in Markdown, in capitals.
    pub fn name(self) -> &'static str {
        match self {
            Callout::Note => "NOTE",
            Callout::Tip => "TIP",
            Callout::Important => "IMPORTANT",
            Callout::Warning => "WARNING",
            Callout::Caution => "CAUTION",
        }
    }

    fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "note" | "info" | "information" | "abstract" | "summary" | "seealso" | "secondary"
            | "primary" | "question" | "example" | "quote" | "default" => Callout::Note,
            "tip" | "hint" | "success" | "check" | "done" => Callout::Tip,
            "important" => Callout::Important,
            "warning" | "attention" | "todo" | "experimental" => Callout::Warning,
            "caution" | "danger" | "error" | "bug" | "failure" | "deprecated" => Callout::Caution,
            _ => return None,
        })
    }
}

/// Classes of callouts; the kind is another class, or what follows a dash. GitHub, Docusaurus, MkDocs and Sphinx, VitePress, VuePress, Starlight,
/// Quarto and Obsidian, MDN, Bootstrap, Hugo, Asciidoctor.
const CLASSES: &[&str] = &[
    "admonition",
    "admonitionblock",
    "alert",
    "aside",
    "book-hint",
    "callout",
    "custom-block",
    "custom-container",
    "hint",
    "hint-container",
    "markdown-alert",
    "notecard",
    "notices",
    "starlight-aside",
    "theme-admonition",
];

/// The kind of callout that an element is.
pub(super) fn callout(dom: &Dom, id: NodeId) -> Option<Callout> {
    let base = |class: &str| {
        let is_base = |&&known: &&&str| {
            class.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        CLASSES.iter().filter(is_base).max_by_key(|known| known.len()).copied()
    };
    let is_callout = dom.classes(id).any(|class| CLASSES.contains(&class));
    if !is_callout {
        return of_pandoc(dom, id);
    }
    let of_class = |class: &str| {
        let kind = base(class).map_or(class, |base| class[base.len()..].trim_start_matches('-'));
        Callout::of_word(&kind.to_ascii_lowercase())
    };
    let stated =
        dom.attribute(id, "data-callout").and_then(|kind| Callout::of_word(&kind.to_ascii_lowercase()));
    stated.or_else(|| dom.classes(id).find_map(of_class))
}

/// As pandoc writes those of GitHub: the kind alone is its class, and a title comes first.
fn of_pandoc(dom: &Dom, id: NodeId) -> Option<Callout> {
    let kind = dom.attribute(id, "class").filter(|_| dom.tag(id) == Tag::DIV)?;
    let kinds = ["note", "tip", "important", "warning", "caution"];
    let is_kind = kinds.contains(&kind.trim());
    let first = || dom.children(id).find(|&id| dom.kind(id) == NodeKind::Element);
    let is_titled = || first().is_some_and(|first| dom.attribute(first, "class") == Some("title"));
    (is_kind && is_titled()).then(|| Callout::of_word(kind.trim())).flatten()
}

/// Whether an element is the title of a callout and says no more than its kind.
pub(super) fn is_bare_title(dom: &Dom, id: NodeId) -> bool {
    let class = dom.attribute(id, "class").unwrap_or("");
    let is_title = class.contains("itle") || class.contains("eading");
    // Asciidoctor's stands in a table.
    let is_in_callout = || dom.ancestors(id).take(6).any(|id| callout(dom, id).is_some());
    if !is_title || !is_in_callout() {
        return false;
    }
    let texts = dom.subtree(id).filter(|&id| dom.kind(id) == NodeKind::Text && dom.is_visible_text(id));
    // A title that is longer says more.
    let said: String =
        texts.flat_map(|id| dom.text(id).chars()).filter(|c| c.is_alphanumeric()).take(20).collect();
    Callout::of_word(&said.to_lowercase()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_callouts_of_generators_are_known() {
        for (class, expected) in [
            ("markdown-alert markdown-alert-important", Some(Callout::Important)),
            ("theme-admonition theme-admonition-tip admonition_x alert alert--success", Some(Callout::Tip)),
            ("admonition warning", Some(Callout::Warning)),
            ("admonition seealso", Some(Callout::Note)),
            ("custom-block danger", Some(Callout::Caution)),
            ("starlight-aside starlight-aside--note", Some(Callout::Note)),
            ("notecard warning", Some(Callout::Warning)),
            ("alert alert-info", Some(Callout::Note)),
            ("admonitionblock caution", Some(Callout::Caution)),
            ("callout callout-style-default callout-caution", Some(Callout::Caution)),
            ("alert", None),
            ("warning", None),
        ] {
            let html = format!("<div class='{class}'>x</div>");
            let dom = Dom::parse(html.as_bytes(), None, &Default::default()).unwrap();
            assert_eq!(dom.ids().find_map(|id| callout(&dom, id)), expected, "{class}");
        }
        let pandoc = "<div class=tip><div class=title><p>Tip</p></div><p>x</p></div>";
        let dom = Dom::parse(pandoc.as_bytes(), None, &Default::default()).unwrap();
        assert_eq!(dom.ids().find_map(|id| callout(&dom, id)), Some(Callout::Tip));
        assert_eq!(dom.ids().filter(|&id| is_bare_title(&dom, id)).count(), 1);
        let html = "<div class='admonition note'><p class=admonition-title>Note</p><p class=title>Two oaks</p></div>";
        let dom = Dom::parse(html.as_bytes(), None, &Default::default()).unwrap();
        assert_eq!(dom.ids().filter(|&id| is_bare_title(&dom, id)).count(), 1);
    }
}
