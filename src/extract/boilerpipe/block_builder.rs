//! `build`, the page as Boilerpipe's content handler cuts it into blocks.

use super::block::{Counts, Document, TextBlock};
use super::tokenizer::tokens;
use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;
use crate::page_work::check_time;

/// The tokens that stand for the start and the end of a link in the text that is counted.
const LINK_START: &str = "$\u{e00a}<";
const LINK_END: &str = ">\u{e00a}$";
/// The length of a line in characters.
const LINE_LENGTH: usize = 80;

/// The blocks and the title of a page, not classified.
///
/// The tree is walked as a SAX parser would report it; a text node is one event.
pub(super) fn build(dom: &Dom) -> Document {
    let mut handler = Handler::default();
    let mut open: Vec<(Action, NodeId)> = Vec::new();
    for id in dom.ids().skip(1) {
        check_time();
        while let Some(&(action, end)) = open.last()
            && end <= id
        {
            handler.end(action);
            open.pop();
        }
        match dom.kind(id) {
            NodeKind::Text => handler.characters(dom.text(id), id),
            NodeKind::Element => {
                let action = Action::from_element(dom, id);
                handler.start(action, tag_of(dom, id) == Tag::TITLE);
                open.push((action, dom.subtree_end(id)));
            }
            NodeKind::Document => {}
        }
    }
    while let Some((action, _)) = open.pop() {
        handler.end(action);
    }
    handler.flush_block();
    Document { title: handler.title, blocks: handler.blocks }
}

/// What an element does, by its name: the default map of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    /// Its text is left out.
    Ignore,
    /// A link.
    Anchor,
    Body,
    /// Part of the text around it.
    Inline,
    /// The same, and parts words.
    InlineSpaced,
    /// Begins a block and ends it.
    Block,
}

impl Action {
    fn from_element(dom: &Dom, id: NodeId) -> Action {
        match tag_of(dom, id) {
            Tag::STYLE | Tag::SCRIPT | Tag::OPTION | Tag::OBJECT | Tag::EMBED | Tag::LINK | Tag::NOSCRIPT => {
                Action::Ignore
            }
            Tag::A => Action::Anchor,
            Tag::BODY => Action::Body,
            Tag::STRIKE
            | Tag::U
            | Tag::B
            | Tag::I
            | Tag::EM
            | Tag::STRONG
            | Tag::SPAN
            | Tag::SUP
            | Tag::CODE
            | Tag::TT
            | Tag::SUB
            | Tag::VAR
            | Tag::FONT => Action::Inline,
            Tag::ABBR | Tag::ACRONYM => Action::InlineSpaced,
            Tag::OTHER if dom.name(id) == "applet" => Action::Ignore,
            _ => Action::Block,
        }
    }
}

/// The tag by its name alone: the original's parser knows no SVG.
fn tag_of(dom: &Dom, id: NodeId) -> Tag {
    match dom.tag(id) {
        Tag::OTHER => Tag::from_name(dom.name(id)),
        tag => tag,
    }
}

/// The state between two events.
#[derive(Default)]
struct Handler {
    title: Option<String>,
    blocks: Vec<TextBlock>,
    /// The text of the block to come.
    text: String,
    /// The same with the marks of links, to be counted.
    marked: String,
    nodes: Vec<NodeId>,
    in_body: u32,
    in_anchor: i32,
    in_ignored: u32,
    ended_blank: bool,
    /// Whether the block ends before the next text.
    flush: bool,
    /// Whether the last start tag was that of a title.
    after_title_tag: bool,
    /// Whether the last block ended inside a link.
    in_anchor_text: bool,
}

impl Handler {
    fn start(&mut self, action: Action, is_title: bool) {
        match action {
            Action::Ignore => self.in_ignored += 1,
            Action::Anchor => {
                self.in_anchor += 1;
                if self.in_anchor > 1 {
                    self.end_anchor();
                }
                self.mark(LINK_START);
            }
            Action::Body => {
                self.flush_block();
                self.in_body += 1;
            }
            Action::InlineSpaced => self.add_blank(),
            Action::Inline | Action::Block => {}
        }
        self.flush |= matches!(action, Action::Ignore | Action::Block);
        self.after_title_tag = is_title;
    }

    fn end(&mut self, action: Action) {
        match action {
            Action::Ignore => self.in_ignored -= 1,
            Action::Anchor => self.end_anchor(),
            Action::Body => {
                self.flush_block();
                self.in_body -= 1;
            }
            Action::InlineSpaced => self.add_blank(),
            Action::Inline | Action::Block => {}
        }
        self.flush |= matches!(action, Action::Ignore | Action::Block);
        // The flag stays up until text comes, as in the original.
        if self.flush {
            self.flush_block();
        }
    }

    /// A link inside a link ends twice: the count is then one too low, and no later link of the page is seen to end.
    /// So it is in the original.
    fn end_anchor(&mut self) {
        self.in_anchor -= 1;
        if self.in_anchor == 0 {
            self.mark(LINK_END);
        }
    }

    fn mark(&mut self, mark: &str) {
        if self.in_ignored == 0 {
            self.add_blank();
            self.marked.push_str(mark);
            self.marked.push(' ');
        }
    }

    fn add_blank(&mut self) {
        if !self.ended_blank {
            self.push(" ");
        }
        self.ended_blank = true;
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.marked.push_str(text);
    }

    fn characters(&mut self, text: &str, node: NodeId) {
        if self.flush {
            self.flush_block();
            self.flush = false;
        }
        if self.in_ignored > 0 || text.is_empty() {
            return;
        }
        let inner = text.trim_matches(is_java_white_space);
        if inner.is_empty() {
            self.add_blank();
            return;
        }
        if text.starts_with(is_java_white_space) && !self.ended_blank {
            self.push(" ");
        }
        for (i, part) in inner.split(is_java_white_space).enumerate() {
            if i > 0 {
                self.push(" ");
            }
            self.push(part);
        }
        self.ended_blank = text.ends_with(is_java_white_space);
        if self.ended_blank {
            self.push(" ");
        }
        self.nodes.push(node);
    }

    fn flush_block(&mut self) {
        if self.in_body == 0 {
            let title = java_trim(&self.marked);
            if self.after_title_tag && !title.is_empty() {
                self.title = Some(title.to_owned());
            }
            self.clear();
            return;
        }
        if self.marked.is_empty() {
            return;
        }
        if self.marked.len() == 1 && self.ended_blank {
            self.clear();
            return;
        }
        // A block of nothing but the marks of links waits for its text.
        let Some(counts) = count(&self.marked, &mut self.in_anchor_text) else { return };
        let text = java_trim(&self.text).to_owned();
        let nodes = std::mem::take(&mut self.nodes);
        self.blocks.push(TextBlock::new(text, nodes, counts, self.blocks.len()));
        self.clear();
    }

    fn clear(&mut self) {
        self.text.clear();
        self.marked.clear();
        // The original keeps no text outside the body, but its list of text elements; ours has no use for them.
        self.nodes.clear();
    }
}

/// The counts of a block's text; none if it holds no token but marks.
fn count(marked: &str, in_anchor: &mut bool) -> Option<Counts> {
    let mut counts = Counts::default();
    let (mut any, mut words_in_line) = (false, 0);
    // The length of the line with a blank after each word; the last one does not count.
    let mut line_length = 0;
    tokens(marked, |token, is_word| match token {
        LINK_START => *in_anchor = true,
        LINK_END => *in_anchor = false,
        _ => {
            any = true;
            if !is_word {
                return;
            }
            counts.words += 1;
            words_in_line += 1;
            counts.anchor_words += u32::from(*in_anchor);
            // Java's length, in units of UTF-16.
            let length = token.chars().map(char::len_utf16).sum::<usize>();
            line_length += length + 1;
            if line_length - 1 > LINE_LENGTH {
                counts.wrapped_lines += 1;
                line_length = length + 1;
                words_in_line = 1;
            }
        }
    });
    counts.wrapped_words = counts.words;
    if counts.wrapped_lines == 0 {
        counts.wrapped_lines = 1;
    } else {
        counts.wrapped_words -= words_in_line;
    }
    any.then_some(counts)
}

/// `Character.isWhitespace`: no blank that forbids a line break, and the separators of ASCII.
fn is_java_white_space(c: char) -> bool {
    match c {
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{85}' => false,
        '\u{1c}'..='\u{1f}' => true,
        _ => c.is_whitespace(),
    }
}

/// `String.trim`: everything up to the blank goes.
pub(super) fn java_trim(text: &str) -> &str {
    text.trim_matches(|c| c <= ' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;

    fn document(html: &str) -> Document {
        build(&Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap())
    }

    fn texts(html: &str) -> Vec<String> {
        document(html).blocks.iter().map(|block| block.text().into_owned()).collect()
    }

    #[test]
    fn elements_part_blocks_unless_they_are_inline() {
        assert_eq!(
            texts("<p>a <b>b</b><i>c</i> <span>d</span><div>e</div>f<br>g<q>h</q>"),
            ["a bc d", "e", "f", "g", "h"]
        );
        assert_eq!(texts("a<abbr>b</abbr>c<a href=x>d</a>e"), ["a b c d e"]);
    }

    #[test]
    fn text_of_scripts_options_and_objects_is_left_out_and_parts_blocks() {
        assert_eq!(
            texts(
                "a<script>s</script>b<select><option>o</select>c<object>d<p>e</object><noscript>n</noscript>f"
            ),
            ["a", "b", "c", "f"]
        );
    }

    #[test]
    fn the_title_is_kept_apart_from_the_text() {
        let document = document("<title> A\n title </title><p>text");
        assert_eq!(document.title.as_deref(), Some("A  title"));
        assert_eq!(document.blocks.len(), 1);
        assert_eq!(super::build(&Dom::parse(b"x", None, &Limits::default()).unwrap()).title, None);
    }

    #[test]
    fn white_space_is_blanks_and_a_no_break_space_is_none() {
        assert_eq!(texts("<p> a\n\tb <b> c</b>\u{a0}"), ["a  b c\u{a0}"]);
        assert_eq!(texts("<p>\u{a0}</p> <p> \n </p>"), ["\u{a0}"]);
    }

    #[test]
    fn words_in_links_are_counted_and_a_link_may_go_over_blocks() {
        let counts = |html: &str| -> Vec<(u32, u32)> {
            document(html).blocks.iter().map(|block| (block.words, block.anchor_words)).collect()
        };
        assert_eq!(counts("one <a>two three</a> four"), [(4, 2)]);
        assert_eq!(counts("<a><div>one</div><div>two</div>three</a> four"), [(1, 1), (1, 1), (2, 1)]);
        // A link in a link: no later link is seen to end.
        assert_eq!(
            counts("<a>x<object></object><table><td><a>y</a></table></a><p><a>one</a> two"),
            [(1, 1), (1, 1), (2, 2)]
        );
    }

    #[test]
    fn text_density_is_words_by_full_lines_of_80_characters() {
        let density = |words: usize| document(&"abcdefghi ".repeat(words)).blocks[0].text_density;
        // Eight words of nine letters with the blanks between them are 79 characters.
        assert_eq!(
            [density(8), density(9), density(16), density(17), density(18)],
            [8.0, 8.0, 8.0, 8.0, 8.0]
        );
        assert_eq!(density(5), 5.0);
        let uneven = "a ".repeat(40) + &"b".repeat(80) + " c";
        assert_eq!(document(&uneven).blocks[0].text_density, 41.0 / 2.0);
    }

    #[test]
    fn a_block_knows_its_text_nodes() {
        let html = "<p>a <b>b</b> <i> </i>c<p>d";
        let dom = Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap();
        let nodes = |i: usize| -> Vec<&str> {
            build(&dom).blocks[i].lines[0].nodes.iter().map(|&id| dom.text(id)).collect()
        };
        assert_eq!(nodes(0), ["a ", "b", "c"]);
        assert_eq!(nodes(1), ["d"]);
    }

    #[test]
    fn a_page_without_body_text_has_no_blocks() {
        for html in ["", " ", "<!-- c -->", "<title>t</title>", "<frameset><noframes>n</noframes></frameset>"]
        {
            let html = format!("<!doctype html>{html}");
            assert!(texts(&html).is_empty(), "{html}");
        }
    }
}
