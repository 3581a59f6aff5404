//! `Run`, the inline content of one leaf while it is gathered: white space folded, styles nested.

use super::document::{Inline, Style};

/// White space that is due before the next text.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Gap {
    None,
    Blank,
    Breaks(u32),
}

/// The inline content since the last block boundary, and the styles that are open across leaves.
#[derive(Debug)]
pub(super) struct Run {
    inlines: Vec<Inline>,
    styles: Vec<Style>,
    gap: Gap,
    has_content: bool,
    /// The bytes of text that was appended as it stands.
    raw_bytes: usize,
}

impl Run {
    pub fn new() -> Self {
        Run { inlines: Vec::new(), styles: Vec::new(), gap: Gap::None, has_content: false, raw_bytes: 0 }
    }

    /// Opens a style; false if one of its kind is open, and nothing is to be closed.
    pub fn open(&mut self, style: Style) -> bool {
        let kind = std::mem::discriminant(&style);
        if self.styles.iter().any(|open| std::mem::discriminant(open) == kind) {
            return false;
        }
        self.inlines.push(Inline::Open(style.clone()));
        self.styles.push(style);
        true
    }

    /// Closes the style opened last.
    pub fn close(&mut self) {
        if let Some(style) = self.styles.pop() {
            self.inlines.push(Inline::Close(style));
        }
    }

    pub fn blank(&mut self) {
        if self.gap == Gap::None {
            self.gap = Gap::Blank;
        }
    }

    pub fn line_break(&mut self) {
        self.gap = match self.gap {
            Gap::Breaks(n) => Gap::Breaks(n.saturating_add(1)),
            _ => Gap::Breaks(1),
        };
    }

    /// Whether the next text begins a new paragraph: two line breaks stand before it.
    pub fn is_separated(&self) -> bool {
        self.has_content && matches!(self.gap, Gap::Breaks(2..))
    }

    /// Appends text, its white space folded.
    pub fn text(&mut self, text: &str) {
        for c in text.chars() {
            if c.is_whitespace() {
                self.blank();
            } else {
                self.fill_gap();
                self.push(c);
            }
        }
    }

    /// Appends text as it stands.
    pub fn raw(&mut self, text: &str) {
        self.has_content = true;
        self.raw_bytes += text.len();
        match self.inlines.last_mut() {
            Some(Inline::Text(last)) => last.push_str(text),
            _ => self.inlines.push(Inline::Text(text.to_owned())),
        }
    }

    /// Ends a line of preformatted text.
    pub fn end_line(&mut self) {
        let text = self.inlines.iter().rev().find_map(|inline| match inline {
            Inline::Text(text) => Some(text),
            _ => None,
        });
        if text.is_some_and(|text| !text.ends_with('\n')) {
            self.raw("\n");
        }
    }

    pub fn raw_bytes(&self) -> usize {
        self.raw_bytes
    }

    /// Whether nothing stands in the leaf yet.
    pub fn is_empty(&self) -> bool {
        !self.has_content
    }

    /// Appends what is neither text nor a style.
    pub fn piece(&mut self, piece: Inline) {
        self.fill_gap();
        self.inlines.push(piece);
        self.has_content = true;
    }

    /// Puts the box of a task where the leaf begins, before the styles that are open: within one it is text to a reader of Markdown. One without text behind
    /// it would be text too; so it is no content by itself.
    pub fn task(&mut self, is_done: bool) {
        if !matches!(self.inlines.first(), Some(Inline::Task(_))) {
            self.inlines.splice(..0, [Inline::Task(is_done), Inline::Text(" ".to_owned())]);
        }
    }

    pub fn image(&mut self, src: String, alt: String) {
        self.piece(Inline::Image { src, alt });
    }

    /// Ends the leaf: its content if it has any. Styles stay open for the next one.
    pub fn take(&mut self) -> Option<Vec<Inline>> {
        self.gap = Gap::None;
        self.raw_bytes = 0;
        let mut inlines = std::mem::take(&mut self.inlines);
        inlines.extend(self.styles.iter().rev().cloned().map(Inline::Close));
        self.inlines.extend(self.styles.iter().cloned().map(Inline::Open));
        std::mem::take(&mut self.has_content).then(|| tidy(inlines))
    }

    fn push(&mut self, c: char) {
        self.has_content = true;
        match self.inlines.last_mut() {
            Some(Inline::Text(last)) => last.push(c),
            _ => self.inlines.push(Inline::Text(c.to_string())),
        }
    }

    /// Writes the white space that is due, outside the styles that have just been opened.
    fn fill_gap(&mut self) {
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        if !self.has_content || gap == Gap::None {
            return;
        }
        let opened = self.inlines.iter().rev().take_while(|inline| matches!(inline, Inline::Open(_))).count();
        let at = self.inlines.len() - opened;
        match (gap, &mut self.inlines[..at]) {
            (Gap::Blank, [.., Inline::Text(last)]) => last.push(' '),
            (Gap::Blank, _) => self.inlines.insert(at, Inline::Text(" ".to_owned())),
            _ => self.inlines.insert(at, Inline::Break),
        }
    }
}

/// Removes styles around nothing, and joins a style that closes with one of its kind that opens right there.
fn tidy(inlines: Vec<Inline>) -> Vec<Inline> {
    let mut tidied: Vec<Inline> = Vec::with_capacity(inlines.len());
    for inline in inlines {
        match (&inline, tidied.last()) {
            (Inline::Close(_), Some(Inline::Open(_))) => {
                tidied.pop();
            }
            (Inline::Open(opening), Some(Inline::Close(closing))) if opening == closing => {
                tidied.pop();
            }
            (Inline::Text(text), Some(Inline::Text(_))) => {
                if let Some(Inline::Text(last)) = tidied.last_mut() {
                    last.push_str(text);
                }
            }
            _ => tidied.push(inline),
        }
    }
    tidied
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(run: &mut Run) -> String {
        let inlines = run.take().unwrap_or_default();
        let piece = |inline: &Inline| match inline {
            Inline::Text(text) => text.clone(),
            Inline::Break => "/".to_owned(),
            Inline::Image { alt, .. } => format!("({alt})"),
            Inline::Formula(_) | Inline::Reference(_) | Inline::Task(_) => {
                unreachable!("none is written here")
            }
            Inline::Open(_) => "<".to_owned(),
            Inline::Close(_) => ">".to_owned(),
        };
        inlines.iter().map(piece).collect()
    }

    #[test]
    fn white_space_is_folded_and_stands_outside_styles() {
        let mut run = Run::new();
        run.text("  a ");
        run.open(Style::Strong);
        run.text("\n b\u{a0}");
        run.close();
        run.text("c ");
        assert_eq!(written(&mut run), "a <b> c");
    }

    #[test]
    fn styles_around_nothing_go_and_neighbors_join() {
        let mut run = Run::new();
        run.open(Style::Strong);
        run.open(Style::Emphasis);
        run.close();
        run.text("a");
        run.close();
        run.open(Style::Strong);
        run.text("b");
        run.close();
        assert_eq!(written(&mut run), "<ab>");
        assert_eq!(run.take(), None);
    }

    #[test]
    fn a_style_goes_on_in_the_next_leaf() {
        let mut run = Run::new();
        assert!(run.open(Style::Strong));
        assert!(!run.open(Style::Strong));
        run.text("a");
        assert_eq!(written(&mut run), "<a>");
        run.text("b");
        run.close();
        assert_eq!(written(&mut run), "<b>");
    }

    #[test]
    fn breaks_at_the_ends_are_dropped_and_two_part_paragraphs() {
        let mut run = Run::new();
        run.line_break();
        run.text("a");
        run.line_break();
        run.text(" b");
        assert!(!run.is_separated());
        run.line_break();
        run.text(" ");
        run.line_break();
        assert!(run.is_separated());
        assert_eq!(written(&mut run), "a/b");
    }
}
