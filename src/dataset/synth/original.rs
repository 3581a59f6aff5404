//! The page as its server sent it: a head, scripts, the site's spelling of tags, and the page's faults.

use rand::RngExt as _;

use super::charset::Charset;
use super::damage::{Damage, STRAYS};
use super::escape::{push_attribute, push_text};
use super::piece::{Element, Piece, Step, Walk, is_inline, is_void};
use super::site::{Layout, Site, Spacing};
use super::speech::pick;
use crate::rng::Rng;

/// The text of the original page, before it is encoded.
pub(super) fn serialize(site: &Site, title: &str, body: &[Piece], damage: &Damage, rng: &mut Rng) -> String {
    let mut writer = Writer { site, damage, rng, out: String::new(), depth: 0, hidden: 0 };
    writer.head(title);
    writer.body(body);
    writer.out
}

struct Writer<'a> {
    site: &'a Site,
    damage: &'a Damage,
    rng: &'a mut Rng,
    out: String,
    depth: usize,
    /// Open invisible elements: their markup stays whole, lest they hide the rest of the page.
    hidden: usize,
}

impl Writer<'_> {
    /// The tag's name as the site writes it.
    fn name(&self, tag: &str) -> String {
        if self.site.old_fashioned { tag.to_ascii_uppercase() } else { tag.to_owned() }
    }

    /// A tag of the skeleton, such as `<head>`, unless the page lacks it.
    fn skeleton(&mut self, tag: &str) {
        if !self.damage.bare {
            let line = format!("<{}>\n", self.name(tag));
            self.out.push_str(&line);
        }
    }

    fn head(&mut self, title: &str) {
        let site = self.site;
        self.out.push_str(match site.layout {
            Layout::Tables => {
                pick(self.rng, &["", "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">\n"])
            }
            Layout::Semantic | Layout::Grid => "<!DOCTYPE html>\n",
            _ => {
                "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \
                 \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">\n"
            }
        });
        if self.rng.random_bool(0.5) {
            self.skeleton(&format!("html lang=\"{}\"", site.language.code));
        } else {
            self.skeleton("html");
        }
        self.skeleton("head");
        if let Some(name) = site.charset.name {
            let short = matches!(site.layout, Layout::Semantic | Layout::Grid);
            self.out.push_str(&if short {
                format!("<meta charset=\"{name}\">\n")
            } else {
                format!("<meta http-equiv=\"Content-Type\" content=\"text/html; charset={name}\">\n")
            });
        }
        let tag = self.name("title");
        self.out.push_str(&format!("<{tag}>"));
        if self.damage.open_title {
            // Cut in the middle, as by a lost packet; what follows begins on the next line.
            let length = title.chars().count() / 2;
            let kept: String = title.chars().take(length.max(1)).collect();
            push_text(&mut self.out, kept.trim_end(), site.named_entities);
        } else {
            push_text(&mut self.out, &format!("{title} - {}", site.name), site.named_entities);
            self.out.push_str(&format!("</{tag}>"));
        }
        self.out.push('\n');
        self.out.push_str("<link rel=\"stylesheet\" type=\"text/css\" href=\"/style/site.css\">\n");
        self.out.push_str(
            "<style type=\"text/css\">\n.large { font-size: 120% }\n#top a { color: #336699 }\n</style>\n",
        );
        self.out.push_str(
            "<script type=\"text/javascript\">\nvar start = new Date();\n\
             if (start < 1) { document.write('<p>none<\\/p>'); }\n</script>\n",
        );
        self.skeleton("/head");
        self.skeleton("body");
    }

    fn body(&mut self, body: &[Piece]) {
        // An inline element that is to end after its parent.
        let mut late: Option<&Element> = None;
        for step in Walk::new(body) {
            match step {
                Step::Leave(element) => {
                    let inner = late.take();
                    if is_inline(element.tag)
                        && inner.is_none()
                        && self.hidden == 0
                        && self.rng.random_bool(self.damage.misnested)
                    {
                        late = Some(element);
                        continue;
                    }
                    self.end(element);
                    if let Some(inner) = inner {
                        self.end(inner);
                    }
                }
                Step::Enter(piece) => {
                    if let Some(inner) = late.take() {
                        self.end(inner);
                    }
                    self.enter(piece);
                }
            }
        }
        if let Some(inner) = late {
            self.end(inner);
        }
        self.out.push('\n');
        self.skeleton("/body");
        self.skeleton("/html");
    }

    fn enter(&mut self, piece: &Piece) {
        match piece {
            Piece::Text(_, content) => push_text(&mut self.out, content, self.site.named_entities),
            Piece::Code(tag, code) => self.out.push_str(&format!("<{tag}>{code}</{tag}>")),
            Piece::Element(element) => {
                if !is_inline(element.tag) {
                    self.line(element.tag);
                }
                let name = self.name(element.tag);
                self.out.extend(["<", name.as_str()]);
                for (attribute, value) in &element.attrs {
                    push_attribute(&mut self.out, attribute, value, self.site.old_fashioned);
                }
                self.out.push('>');
                if !is_void(element.tag) {
                    self.depth += 1;
                    self.hidden += usize::from(element.invisible);
                }
            }
        }
    }

    fn end(&mut self, element: &Element) {
        self.depth = self.depth.saturating_sub(1);
        let whole = self.hidden > 0;
        self.hidden -= usize::from(element.invisible);
        if !whole && self.rng.random_bool(self.damage.open(element.tag)) {
            if !is_inline(element.tag) {
                // White space keeps the words apart that the end tag kept apart.
                self.out.push('\n');
            }
        } else {
            let name = self.name(element.tag);
            self.out.extend(["</", name.as_str(), ">"]);
        }
        if is_inline(element.tag) {
            return;
        }
        // Between a table's rows and cells stray tags and scripts could move text.
        let in_table = matches!(element.tag, "td" | "tr" | "tbody" | "option" | "select" | "table");
        if !in_table && !whole && self.rng.random_bool(self.damage.stray) {
            let stray = pick(self.rng, &STRAYS);
            let stray = self.name(stray);
            self.out.extend(["</", stray.as_str(), ">"]);
        }
        if self.rng.random_bool(0.01) {
            self.out.push_str("<!-- end of block -->");
        }
    }

    /// White space before a block, in the site's manner.
    fn line(&mut self, tag: &str) {
        match self.site.spacing {
            // Forms are set in a line, where white space is all that keeps their words apart.
            Spacing::Dense if matches!(tag, "button" | "option" | "select") => self.out.push('\n'),
            Spacing::Dense => {}
            Spacing::Lines => self.out.push('\n'),
            Spacing::Indented => {
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n("  ", self.depth.min(12)));
            }
        }
    }
}

/// The bytes of a page in its site's encoding.
pub(super) fn encode(site: &Site, page: &str) -> Vec<u8> {
    let charset: Charset = site.charset.charset;
    charset.encode(page)
}
