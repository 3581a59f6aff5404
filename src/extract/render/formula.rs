//! Formulas as pages hold them, given back as TeX: MathML, KaTeX, MathJax, Wikipedia's images, and text between dollar signs.

use super::mathml;
use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;

/// A formula of a page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Formula {
    /// Its TeX, without delimiters; its text where nothing tells the TeX.
    pub tex: String,
    /// Whether it stands on lines of its own.
    pub display: bool,
}

/// The formula that an element is, with all that is inside it. What repeats one that stands beside it, as MathJax's preview does,
/// is a formula without TeX.
pub(super) fn formula(dom: &Dom, id: NodeId) -> Option<Formula> {
    if !may_be_formula(dom, id) {
        return None;
    }
    let has_class = |name: &str| dom.classes(id).any(|class| class == name);
    let display_attribute = || {
        let value = dom.attribute(id, "display").or(dom.attribute(id, "mode"));
        value.is_some_and(|value| matches!(value, "block" | "display" | "true"))
    };
    let made = |tex: String, display| Some(Formula { tex: clean(&tex), display });
    match (dom.tag(id), dom.name(id)) {
        (Tag::MATH, _) => made(of_math(dom, id), display_attribute()),
        (Tag::SCRIPT, _) => {
            let kind = dom.attribute(id, "type").filter(|kind| kind.starts_with("math/tex"))?;
            made(dom.text_content(id), kind.contains("mode=display"))
        }
        (Tag::IMG, _) => {
            let source = dom.attribute(id, "src").unwrap_or("");
            let is_formula =
                ["latex", "tex", "math", "mwe-math-fallback-image-inline"].into_iter().any(has_class)
                    || ["/latex.codecogs.com/", "/math/render/", "/chart.googleapis.com/chart?cht=tx"]
                        .iter()
                        .any(|part| source.contains(part));
            let alt = dom.attribute(id, "alt").filter(|alt| !alt.trim().is_empty() && is_formula)?;
            made(alt.to_owned(), false)
        }
        (_, "mjx-container") => made(inside(dom, id)?, display_attribute()),
        _ if has_class("katex-display") => made(inside(dom, id)?, true),
        _ if has_class("katex") => made(inside(dom, id)?, false),
        _ if has_class("mwe-math-element") => {
            let display = dom.classes(id).any(|class| class.contains("display") || class.contains("block"))
                || dom
                    .subtree(id)
                    .any(|id| dom.tag(id) == Tag::MATH && dom.attribute(id, "display") == Some("block"));
            made(inside(dom, id)?, display)
        }
        _ if ["MathJax", "MathJax_Display", "MathJax_SVG", "MathJax_Preview", "MathJax_CHTML"]
            .into_iter()
            .any(has_class) =>
        {
            let after = std::iter::successors(dom.next_sibling(id), |&id| dom.next_sibling(id)).take(4);
            let script = after.into_iter().find(|&sibling| {
                dom.kind(sibling) == NodeKind::Element
                    && !dom.classes(sibling).any(|class| class.starts_with("MathJax"))
            });
            let is_repeated = script.is_some_and(|script| {
                dom.attribute(script, "type").is_some_and(|kind| kind.starts_with("math/tex"))
            });
            if is_repeated || has_class("MathJax_Preview") {
                return made(String::new(), false);
            }
            made(inside(dom, id)?, has_class("MathJax_Display"))
        }
        _ => None,
    }
}

/// What one look tells of nearly all elements that are none.
pub(super) fn may_be_formula(dom: &Dom, id: NodeId) -> bool {
    let class = dom.attribute(id, "class").unwrap_or("");
    matches!(dom.tag(id), Tag::MATH | Tag::SCRIPT | Tag::IMG)
        || dom.name(id) == "mjx-container"
        || ["katex", "mwe-math", "MathJax"].iter().any(|name| class.contains(name))
}

/// The TeX of a formula that a program has drawn, by what it left of it inside the element.
fn inside(dom: &Dom, id: NodeId) -> Option<String> {
    let of_math = || dom.subtree(id).find(|&id| dom.tag(id) == Tag::MATH).map(|math| of_math(dom, math));
    let of_attribute = || {
        let markup = dom.subtree(id).find_map(|id| dom.attribute(id, "data-mathml"))?;
        let dom = Dom::parse(markup.as_bytes(), Some("utf-8"), &Default::default()).ok()?;
        let math = dom.ids().find(|&id| dom.tag(id) == Tag::MATH)?;
        Some(self::of_math(&dom, math))
    };
    let of_image = || {
        let image = dom.subtree(id).find(|&id| dom.tag(id) == Tag::IMG)?;
        dom.attribute(image, "alt").map(str::to_owned)
    };
    let of_text = || Some(dom.text_content(id));
    let is_some = |tex: &String| !tex.trim().is_empty();
    of_math()
        .filter(is_some)
        .or_else(|| of_attribute().filter(is_some))
        .or_else(of_image)
        .or_else(of_text)
        .filter(is_some)
}

/// The TeX of a `<math>`: its annotation, its alternative text, else what its elements say.
fn of_math(dom: &Dom, math: NodeId) -> String {
    let is_annotation = |&id: &NodeId| {
        dom.name(id) == "annotation"
            && dom.attribute(id, "encoding").is_some_and(|encoding| encoding.contains("tex"))
    };
    let annotation = || dom.subtree(math).find(is_annotation).map(|id| dom.text_content(id));
    let stated = annotation().or_else(|| dom.attribute(math, "alttext").map(str::to_owned));
    stated.filter(|tex| !tex.trim().is_empty()).unwrap_or_else(|| mathml::to_tex(dom, math))
}

/// TeX in one line, without what programs put around it, or into the text beside an image.
fn clean(tex: &str) -> String {
    let tex = tex.replace("<br />", " ").replace("<br/>", " ").replace("<br>", " ");
    let mut tex = tex.split_whitespace().collect::<Vec<_>>().join(" ");
    for [start, end] in [["\\(", "\\)"], ["\\[", "\\]"], ["$$", "$$"], ["$", "$"]] {
        if let Some(inner) = tex.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)) {
            tex = inner.trim().to_owned();
        }
    }
    // Wikipedia's.
    for style in ["\\displaystyle", "\\textstyle"] {
        let inner = tex.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).map(str::trim);
        if let Some(inner) =
            inner.and_then(|inner| inner.strip_prefix(style)).filter(|inner| is_balanced(inner))
        {
            tex = inner.trim().to_owned();
        }
    }
    tex
}

/// Whether no brace closes that was not opened.
fn is_balanced(tex: &str) -> bool {
    let mut depth = 0i32;
    tex.bytes().all(|byte| {
        depth += i32::from(byte == b'{') - i32::from(byte == b'}');
        depth >= 0
    })
}

/// Whether a page draws TeX that stands in its text.
pub(super) fn draws_tex(dom: &Dom) -> bool {
    dom.ids().filter(|&id| dom.tag(id) == Tag::SCRIPT || dom.tag(id) == Tag::LINK).any(|id| {
        let address = dom.attribute(id, "src").or(dom.attribute(id, "href")).unwrap_or("");
        let is_named =
            |text: &str| ["mathjax", "MathJax", "katex", "KaTeX"].iter().any(|name| text.contains(name));
        is_named(address) || dom.children(id).any(|text| is_named(dom.text(text)))
    })
}

/// Text without the groups that Stack Exchange puts around each post, lest one's macros reach another.
pub(super) fn without_groups(text: &str) -> std::borrow::Cow<'_, str> {
    match text.contains("group$") {
        true => text.replace("$\\begingroup$", "").replace("$\\endgroup$", "").into(),
        false => text.into(),
    }
}

/// A piece of text that may hold TeX.
#[derive(Debug, PartialEq)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    Formula(Formula),
}

/// Text with the formulas in it, between `\\(` and `\\)` or `\\[` and `\\]`, and between dollar signs if `with_dollars`. Linear.
pub(super) fn pieces(text: &str, with_dollars: bool) -> Vec<Piece<'_>> {
    const DELIMITERS: [(&str, &str, bool); 4] =
        [("\\(", "\\)", false), ("\\[", "\\]", true), ("$$", "$$", true), ("$", "$", false)];
    let delimiters = if with_dollars { &DELIMITERS[..] } else { &DELIMITERS[..2] };
    let (mut pieces, mut from, mut at) = (Vec::new(), 0, 0);
    // Where no end of a kind is left, none is looked for again.
    let mut ends = [true; 4];
    while let Some(next) = text[at..].find(['\\', '$']) {
        at += next;
        // A dollar sign that is one.
        if with_dollars && text[at..].starts_with("\\$") {
            if from < at {
                pieces.push(Piece::Text(&text[from..at]));
            }
            (from, at) = (at + 1, at + 2);
            continue;
        }
        let found = delimiters.iter().enumerate().find_map(|(kind, &(start, end, display))| {
            let inner_at = at + text[at..].strip_prefix(start).map(|_| start.len())?;
            let length = ends[kind].then(|| find_unescaped(&text[inner_at..], end)).flatten();
            ends[kind] = length.is_some();
            let length = length?;
            let inner = &text[inner_at..inner_at + length];
            let after = text[inner_at + length + end.len()..].chars().next();
            let is_formula = match start {
                "$" => is_between_dollars(inner, after),
                _ => !inner.trim().is_empty(),
            };
            is_formula.then(|| (inner, display, inner_at + length + end.len()))
        });
        match found {
            Some((inner, display, end)) => {
                if from < at {
                    pieces.push(Piece::Text(&text[from..at]));
                }
                pieces.push(Piece::Formula(Formula { tex: clean(inner), display }));
                (from, at) = (end, end);
            }
            None => at += 1,
        }
    }
    if from < text.len() {
        pieces.push(Piece::Text(&text[from..]));
    }
    pieces
}

/// Where `end` stands in TeX, but after a backslash of its own.
fn find_unescaped(tex: &str, end: &str) -> Option<usize> {
    tex.match_indices(end).map(|(at, _)| at).find(|&at| !tex[..at].ends_with('\\'))
}

/// Whether what stands between two dollar signs is TeX and not an amount of money.
fn is_between_dollars(inner: &str, after: Option<char>) -> bool {
    let is_tight = !inner.starts_with(char::is_whitespace) && !inner.ends_with(char::is_whitespace);
    let says_tex = inner.contains(['\\', '^', '_', '{', '=', '<', '>', '+'])
        || inner.chars().count() <= 3 && inner.contains(char::is_alphabetic);
    is_tight
        && !inner.is_empty()
        && inner.len() <= 1000
        && says_tex
        && !after.is_some_and(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(html: &str) -> Option<(String, bool)> {
        let dom = Dom::parse(html.as_bytes(), None, &Default::default()).unwrap();
        dom.ids().find_map(|id| formula(&dom, id)).map(|formula| (formula.tex, formula.display))
    }

    #[test]
    fn formulas_are_found_in_what_programs_write() {
        let annotation = "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'> x^2 </annotation></semantics></math>";
        for (html, tex, display) in [
            (annotation, "x^2", false),
            ("<math display=block alttext='\\frac{1}{2}'><mn>1</mn></math>", "\\frac{1}{2}", true),
            ("<math><msup><mi>a</mi><mn>2</mn></msup></math>", "a^{2}", false),
            ("<script type='math/tex; mode=display'>E = mc^2</script>", "E = mc^2", true),
            (
                &format!(
                    "<span class=katex><span class=katex-mathml>{annotation}</span><span aria-hidden=true>x2</span></span>"
                ),
                "x^2",
                false,
            ),
            (&format!("<span class=katex-display><span class=katex>{annotation}</span></span>"), "x^2", true),
            ("<span class=mwe-math-element><img alt='{\\displaystyle a_{1}}'></span>", "a_{1}", false),
            (
                "<mjx-container display=true><mjx-math>x</mjx-math><mjx-assistive-mml><math><mi>\u{3b1}</mi></math></mjx-assistive-mml></mjx-container>",
                "\\alpha",
                true,
            ),
            ("<span class=MathJax data-mathml='<math><mi>y</mi></math>'>y</span>", "y", false),
            ("<img class=latex alt='\\pi'>", "\\pi", false),
            ("<img src='https://latex.codecogs.com/svg?x' alt=x>", "x", false),
            ("<img src='//i0.wp.com/latex.codecogs.com/gif.latex?y' alt=y>", "y", false),
        ] {
            assert_eq!(first(html), Some((tex.to_owned(), display)), "{html}");
        }
        let drawn = "<span class=MathJax_Preview>x</span><span class=MathJax>x</span><script type='math/tex'>x_0</script>";
        assert_eq!(first(drawn), Some((String::new(), false)));
        assert_eq!(first("<p><img alt=Oak><span>x</span>"), None);
        assert_eq!(first("<img src='https://not-latex.codecogs.com.example/logo.png' alt=Logo>"), None);
    }

    #[test]
    fn tex_in_text_is_told_from_money() {
        let written = |text, dollars| {
            let piece = |piece: Piece<'_>| match piece {
                Piece::Text(text) => text.to_owned(),
                Piece::Formula(Formula { tex, display }) => format!("<{tex}|{display}>"),
            };
            pieces(text, dollars).into_iter().map(piece).collect::<String>()
        };
        assert_eq!(
            written("so $x_1$ and $$a+b$$ or \\(y\\)", true),
            "so <x_1|false> and <a+b|true> or <y|false>"
        );
        assert_eq!(written("from $5 to $10, \\$ and $", true), "from $5 to $10, $ and $");
        assert_eq!(written("$a = \\$5$ and \\$6", true), "<a = \\$5|false> and $6");
        assert_eq!(without_groups("$\\begingroup$ An oak"), " An oak");
        assert_eq!(written("$x$ \\[y\\] \\( ", false), "$x$ <y|true> \\( ");
    }
}
