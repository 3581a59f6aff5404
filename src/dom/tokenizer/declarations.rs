//! What begins with `<!`: comments, doctypes and CDATA sections (sections 13.2.5.41 to 13.2.5.71).

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Doctype, Token, TokenSink};
use memchr::{memchr, memchr_iter, memmem};

use super::{Nul, Tokenizer, is_space};

impl<S: TokenSink> Tokenizer<'_, S> {
    /// The markup declaration open state, with `<!` before `start`.
    pub(super) fn declaration(&mut self, start: usize) {
        let rest = &self.bytes[start..];
        if rest.starts_with(b"--") {
            self.comment(start + "--".len());
        } else if begins_with_word(rest, "doctype") {
            self.at = start + "doctype".len();
            let doctype = self.doctype();
            self.give(Token::DoctypeToken(doctype));
        } else if rest.starts_with(b"[CDATA[")
            && self.sink.adjusted_current_node_present_but_not_in_html_namespace()
        {
            self.cdata(start + "[CDATA[".len());
        } else {
            self.bogus_comment(start);
        }
    }

    fn comment(&mut self, start: usize) {
        let rest = &self.bytes[start..];
        let closed = memchr_iter(b'>', rest).find_map(|end| Some((comment_text(&rest[..end])?, end + 1)));
        let (text, length) = closed.unwrap_or_else(|| {
            let cut = ["--!", "--", "-"].iter().find_map(|cut| rest.strip_suffix(cut.as_bytes()));
            (cut.unwrap_or(rest), rest.len())
        });
        self.at = start + length;
        let text = self.without_nul(start, start + text.len());
        self.give(Token::CommentToken(text));
    }

    /// A comment that ends at the next `>`, whose text begins at `start`.
    pub(super) fn bogus_comment(&mut self, start: usize) {
        let end = self.find(b'>', start);
        self.at = self.bytes.len().min(end + 1);
        let text = self.without_nul(start, end);
        self.give(Token::CommentToken(text));
    }

    fn cdata(&mut self, start: usize) {
        let length = memmem::find(&self.bytes[start..], b"]]>");
        let end = length.map_or(self.bytes.len(), |length| start + length);
        self.at = start;
        if start == end {
            self.give(Token::CharacterTokens(StrTendril::new()));
        }
        self.text(end, false, Nul::Token);
        self.at = self.bytes.len().min(end + "]]>".len());
    }

    /// The doctype whose keyword ends at the reading position, which is then after it.
    fn doctype(&mut self) -> Doctype {
        self.skip_spaces();
        let start = self.at;
        self.at = self.position(start, |byte| is_space(byte) || byte == b'>').unwrap_or(self.bytes.len());
        let mut doctype = Doctype { force_quirks: true, ..Doctype::default() };
        if start < self.at {
            let mut name = self.without_nul(start, self.at);
            name.make_ascii_lowercase();
            doctype.name = Some(name);
            doctype.force_quirks = !self.identifiers(&mut doctype);
        }
        self.at = self.bytes.len().min(self.find(b'>', self.at) + 1);
        doctype
    }

    /// Reads the identifiers after a doctype's name; whether they are as they should be, other than for what
    /// stands between the last of them and `>`.
    fn identifiers(&mut self, doctype: &mut Doctype) -> bool {
        self.skip_spaces();
        let rest = &self.bytes[self.at..];
        let public = begins_with_word(rest, "public");
        if !public && !begins_with_word(rest, "system") {
            return rest.starts_with(b">");
        }
        self.at += "public".len();
        let mut closed;
        if public {
            (doctype.public_id, closed) = self.identifier();
            if doctype.public_id.is_some() && closed {
                self.skip_spaces();
                if self.bytes.get(self.at) == Some(&b'>') {
                    return true;
                }
                (doctype.system_id, closed) = self.identifier();
            }
        } else {
            (doctype.system_id, closed) = self.identifier();
        }
        self.skip_spaces();
        closed && self.at < self.bytes.len()
    }

    /// The quoted identifier at the reading position, if there is one, and whether its second quote is there
    /// before `>`.
    fn identifier(&mut self) -> (Option<StrTendril>, bool) {
        self.skip_spaces();
        let Some(&quote @ (b'"' | b'\'')) = self.bytes.get(self.at) else { return (None, false) };
        let start = self.at + 1;
        let end = self.position(start, |byte| byte == quote || byte == b'>').unwrap_or(self.bytes.len());
        let closed = self.bytes.get(end) == Some(&quote);
        self.at = end + usize::from(closed);
        (Some(self.without_nul(start, end)), closed)
    }

    fn skip_spaces(&mut self) {
        self.at = self.position(self.at, |byte| !is_space(byte)).unwrap_or(self.bytes.len());
    }

    /// The position of a byte from `from` on, or the end of the page.
    fn find(&self, byte: u8, from: usize) -> usize {
        memchr(byte, &self.bytes[from..]).map_or(self.bytes.len(), |offset| from + offset)
    }
}

/// What a `>` makes the text of a comment, if it closes it after the bytes `before`.
fn comment_text(before: &[u8]) -> Option<&[u8]> {
    if before.is_empty() || before == b"-" {
        return Some(b"");
    }
    before.strip_suffix(b"--").or_else(|| before.strip_suffix(b"--!"))
}

/// Whether text begins with a word of lower-case letters, in any case.
fn begins_with_word(text: &[u8], word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}
