//! `Tag`, the closed vocabulary of HTML element names that features and blocks are stated in.

/// An HTML element name of the closed vocabulary, or [`Tag::OTHER`] for any other element (custom elements,
/// the inside of SVG and MathML), [`Tag::TEXT`] for a text node, [`Tag::DOCUMENT`] for the document node.
///
/// The vocabulary is closed so that a model's tables have one shape and models can be merged; its order is part
/// of the model format and is only ever appended to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub(crate) u8);

macro_rules! tags {
    ($($constant:ident $name:literal,)*) => {
        /// Names by number; the first three are no element names.
        const NAMES: &[&str] = &["#document", "#text", "#other", $($name,)*];

        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { _DOCUMENT, _TEXT, _OTHER, $($constant,)* }

        impl Tag {
            $(#[doc = concat!("`<", $name, ">`")] pub const $constant: Tag = Tag(Number::$constant as u8);)*
        }
    };
}

/// The numbers of the names with each initial, first to one past the last. The names are sorted (a test says so).
const BY_INITIAL: [[u8; 2]; 26] = {
    let mut ranges = [[0; 2]; 26];
    let mut number = 3;
    while number < NAMES.len() {
        let initial = (NAMES[number].as_bytes()[0] - b'a') as usize;
        if ranges[initial][1] == 0 {
            ranges[initial][0] = number as u8;
        }
        ranges[initial][1] = number as u8 + 1;
        number += 1;
    }
    ranges
};

tags! {
    A "a", ABBR "abbr", ACRONYM "acronym", ADDRESS "address", AREA "area", ARTICLE "article", ASIDE "aside",
    AUDIO "audio", B "b", BASE "base", BASEFONT "basefont", BDI "bdi", BDO "bdo", BIG "big",
    BLOCKQUOTE "blockquote", BODY "body", BR "br", BUTTON "button", CANVAS "canvas", CAPTION "caption",
    CENTER "center", CITE "cite", CODE "code", COL "col", COLGROUP "colgroup", DATA "data",
    DATALIST "datalist", DD "dd", DEL "del", DETAILS "details", DFN "dfn", DIALOG "dialog", DIR "dir",
    DIV "div", DL "dl", DT "dt", EM "em", EMBED "embed", FIELDSET "fieldset", FIGCAPTION "figcaption",
    FIGURE "figure", FONT "font", FOOTER "footer", FORM "form", FRAME "frame", FRAMESET "frameset",
    H1 "h1", H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6", HEAD "head", HEADER "header", HGROUP "hgroup",
    HR "hr", HTML "html", I "i", IFRAME "iframe", IMG "img", INPUT "input", INS "ins", KBD "kbd",
    LABEL "label", LEGEND "legend", LI "li", LINK "link", MAIN "main", MAP "map", MARK "mark",
    MARQUEE "marquee", MATH "math", MENU "menu", META "meta", METER "meter", NAV "nav", NOBR "nobr",
    NOEMBED "noembed", NOFRAMES "noframes", NOSCRIPT "noscript", OBJECT "object", OL "ol",
    OPTGROUP "optgroup", OPTION "option", OUTPUT "output", P "p", PARAM "param", PICTURE "picture",
    PRE "pre", PROGRESS "progress", Q "q", RP "rp", RT "rt", RUBY "ruby", S "s", SAMP "samp",
    SCRIPT "script", SEARCH "search", SECTION "section", SELECT "select", SLOT "slot", SMALL "small",
    SOURCE "source", SPAN "span", STRIKE "strike", STRONG "strong", STYLE "style", SUB "sub",
    SUMMARY "summary", SUP "sup", SVG "svg", TABLE "table", TBODY "tbody", TD "td", TEMPLATE "template",
    TEXTAREA "textarea", TFOOT "tfoot", TH "th", THEAD "thead", TIME "time", TITLE "title", TR "tr",
    TRACK "track", TT "tt", U "u", UL "ul", VAR "var", VIDEO "video", WBR "wbr",
}

impl Tag {
    /// The document node.
    pub const DOCUMENT: Tag = Tag(0);
    /// A text node.
    pub const TEXT: Tag = Tag(1);
    /// An element outside the vocabulary.
    pub const OTHER: Tag = Tag(2);
    /// The size of the vocabulary.
    pub const COUNT: usize = NAMES.len();

    /// The tag's number in the vocabulary, below [`Tag::COUNT`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The tag's name; `#text`, `#other` and `#document` for what is no HTML element.
    pub fn name(self) -> &'static str {
        NAMES[self.index()]
    }

    /// The names of the whole vocabulary, in the order of their numbers.
    pub const fn names() -> &'static [&'static str] {
        NAMES
    }

    /// The tag of an HTML element's lower-case local name.
    pub fn from_name(name: &str) -> Tag {
        let initial = name.as_bytes().first().map_or(0, |byte| byte.wrapping_sub(b'a'));
        let Some(&[start, end]) = BY_INITIAL.get(initial as usize) else { return Tag::OTHER };
        let same_initial = &NAMES[start as usize..end as usize];
        same_initial.iter().position(|known| *known == name).map_or(Tag::OTHER, |at| Tag(start + at as u8))
    }

    /// Whether a browser's default style makes the element a block, a table part or a list item, so that it
    /// ends a line of text before and after it.
    pub fn is_block(self) -> bool {
        matches!(
            self,
            Tag::ADDRESS
                | Tag::ARTICLE
                | Tag::ASIDE
                | Tag::BLOCKQUOTE
                | Tag::BODY
                | Tag::BUTTON
                | Tag::CAPTION
                | Tag::CENTER
                | Tag::DD
                | Tag::DETAILS
                | Tag::DIALOG
                | Tag::DIR
                | Tag::DIV
                | Tag::DL
                | Tag::DT
                | Tag::FIELDSET
                | Tag::FIGCAPTION
                | Tag::FIGURE
                | Tag::FOOTER
                | Tag::FORM
                | Tag::FRAMESET
                | Tag::H1
                | Tag::H2
                | Tag::H3
                | Tag::H4
                | Tag::H5
                | Tag::H6
                | Tag::HEADER
                | Tag::HGROUP
                | Tag::HR
                | Tag::HTML
                | Tag::IFRAME
                | Tag::LEGEND
                | Tag::LI
                | Tag::MAIN
                | Tag::MARQUEE
                | Tag::MENU
                | Tag::NAV
                | Tag::NOFRAMES
                | Tag::NOSCRIPT
                | Tag::OBJECT
                | Tag::OL
                | Tag::OPTGROUP
                | Tag::OPTION
                | Tag::P
                | Tag::PRE
                | Tag::SEARCH
                | Tag::SECTION
                | Tag::SELECT
                | Tag::SUMMARY
                | Tag::TABLE
                | Tag::TBODY
                | Tag::TD
                | Tag::TEXTAREA
                | Tag::TFOOT
                | Tag::TH
                | Tag::THEAD
                | Tag::TR
                | Tag::UL
                | Tag::VIDEO
                | Tag::AUDIO
                | Tag::CANVAS
        )
    }

    /// Whether the element has no end tag.
    pub fn is_void(self) -> bool {
        matches!(
            self,
            Tag::AREA
                | Tag::BASE
                | Tag::BASEFONT
                | Tag::BR
                | Tag::COL
                | Tag::EMBED
                | Tag::FRAME
                | Tag::HR
                | Tag::IMG
                | Tag::INPUT
                | Tag::LINK
                | Tag::META
                | Tag::PARAM
                | Tag::SOURCE
                | Tag::TRACK
                | Tag::WBR
        )
    }

    /// Whether the text inside is never shown as text of the page.
    pub fn hides_text(self) -> bool {
        matches!(
            self,
            Tag::HEAD
                | Tag::SCRIPT
                | Tag::STYLE
                | Tag::TEMPLATE
                | Tag::TEXTAREA
                | Tag::SELECT
                | Tag::DATALIST
                | Tag::IFRAME
                | Tag::NOEMBED
                | Tag::NOFRAMES
                | Tag::TITLE
                | Tag::SVG
                | Tag::MATH
                | Tag::AUDIO
                | Tag::VIDEO
                | Tag::CANVAS
        )
    }

    /// Whether the element is a heading, and of which level, 1 to 6.
    pub fn heading_level(self) -> Option<u8> {
        (Tag::H1..=Tag::H6).contains(&self).then(|| self.0 - Tag::H1.0 + 1)
    }
}

impl std::fmt::Display for Tag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_again_under_its_number() {
        for (index, name) in NAMES.iter().enumerate().skip(3) {
            assert_eq!(Tag::from_name(name).index(), index, "{name}");
        }
        assert_eq!(Tag::from_name("x-card"), Tag::OTHER);
        assert_eq!(Tag::from_name("#text"), Tag::OTHER);
    }

    #[test]
    fn a_title_in_the_body_is_not_shown() {
        assert!(Tag::TITLE.hides_text() && Tag::NOFRAMES.hides_text());
        assert!(!Tag::NOSCRIPT.hides_text());
    }

    #[test]
    fn heading_levels_follow_the_names() {
        assert_eq!(Tag::from_name("h1").heading_level(), Some(1));
        assert_eq!(Tag::from_name("h6").heading_level(), Some(6));
        assert_eq!(Tag::HEAD.heading_level(), None);
    }
}
