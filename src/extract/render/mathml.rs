//! MathML as TeX, for formulas that state no TeX themselves.

use crate::dom::{Dom, NodeKind};
use crate::index::NodeId;

/// Formulas nested deeper are given as their text: no author writes them.
const MAX_DEPTH: usize = 60;

/// What TeX has a name for, by character.
const SYMBOLS: &[(char, &str)] = &[
    ('\u{ac}', "neg"),
    ('\u{b1}', "pm"),
    ('\u{b7}', "cdot"),
    ('\u{d7}', "times"),
    ('\u{f7}', "div"),
    ('\u{393}', "Gamma"),
    ('\u{394}', "Delta"),
    ('\u{398}', "Theta"),
    ('\u{39b}', "Lambda"),
    ('\u{39e}', "Xi"),
    ('\u{3a0}', "Pi"),
    ('\u{3a3}', "Sigma"),
    ('\u{3a5}', "Upsilon"),
    ('\u{3a6}', "Phi"),
    ('\u{3a8}', "Psi"),
    ('\u{3a9}', "Omega"),
    ('\u{3b1}', "alpha"),
    ('\u{3b2}', "beta"),
    ('\u{3b3}', "gamma"),
    ('\u{3b4}', "delta"),
    ('\u{3b5}', "varepsilon"),
    ('\u{3b6}', "zeta"),
    ('\u{3b7}', "eta"),
    ('\u{3b8}', "theta"),
    ('\u{3b9}', "iota"),
    ('\u{3ba}', "kappa"),
    ('\u{3bb}', "lambda"),
    ('\u{3bc}', "mu"),
    ('\u{3bd}', "nu"),
    ('\u{3be}', "xi"),
    ('\u{3c0}', "pi"),
    ('\u{3c1}', "rho"),
    ('\u{3c2}', "varsigma"),
    ('\u{3c3}', "sigma"),
    ('\u{3c4}', "tau"),
    ('\u{3c5}', "upsilon"),
    ('\u{3c6}', "varphi"),
    ('\u{3c7}', "chi"),
    ('\u{3c8}', "psi"),
    ('\u{3c9}', "omega"),
    ('\u{3d1}', "vartheta"),
    ('\u{3d5}', "phi"),
    ('\u{3f5}', "epsilon"),
    ('\u{2016}', "|"),
    ('\u{2020}', "dagger"),
    ('\u{2026}', "dots"),
    ('\u{2032}', "prime"),
    ('\u{210f}', "hbar"),
    ('\u{2111}', "Im"),
    ('\u{2113}', "ell"),
    ('\u{211c}', "Re"),
    ('\u{2135}', "aleph"),
    ('\u{2190}', "gets"),
    ('\u{2191}', "uparrow"),
    ('\u{2192}', "to"),
    ('\u{2193}', "downarrow"),
    ('\u{2194}', "leftrightarrow"),
    ('\u{21a6}', "mapsto"),
    ('\u{21d0}', "Leftarrow"),
    ('\u{21d2}', "Rightarrow"),
    ('\u{21d4}', "Leftrightarrow"),
    ('\u{2200}', "forall"),
    ('\u{2202}', "partial"),
    ('\u{2203}', "exists"),
    ('\u{2205}', "emptyset"),
    ('\u{2207}', "nabla"),
    ('\u{2208}', "in"),
    ('\u{2209}', "notin"),
    ('\u{220b}', "ni"),
    ('\u{220f}', "prod"),
    ('\u{2211}', "sum"),
    ('\u{2213}', "mp"),
    ('\u{2216}', "setminus"),
    ('\u{2217}', "ast"),
    ('\u{2218}', "circ"),
    ('\u{221a}', "surd"),
    ('\u{221d}', "propto"),
    ('\u{221e}', "infty"),
    ('\u{2220}', "angle"),
    ('\u{2223}', "mid"),
    ('\u{2225}', "parallel"),
    ('\u{2227}', "land"),
    ('\u{2228}', "lor"),
    ('\u{2229}', "cap"),
    ('\u{222a}', "cup"),
    ('\u{222b}', "int"),
    ('\u{222c}', "iint"),
    ('\u{222e}', "oint"),
    ('\u{223c}', "sim"),
    ('\u{2243}', "simeq"),
    ('\u{2245}', "cong"),
    ('\u{2248}', "approx"),
    ('\u{2260}', "ne"),
    ('\u{2261}', "equiv"),
    ('\u{2264}', "le"),
    ('\u{2265}', "ge"),
    ('\u{226a}', "ll"),
    ('\u{226b}', "gg"),
    ('\u{227a}', "prec"),
    ('\u{227b}', "succ"),
    ('\u{2282}', "subset"),
    ('\u{2283}', "supset"),
    ('\u{2286}', "subseteq"),
    ('\u{2287}', "supseteq"),
    ('\u{2295}', "oplus"),
    ('\u{2297}', "otimes"),
    ('\u{22a5}', "perp"),
    ('\u{22c5}', "cdot"),
    ('\u{22ee}', "vdots"),
    ('\u{22ef}', "cdots"),
    ('\u{22f1}', "ddots"),
    ('\u{2308}', "lceil"),
    ('\u{2309}', "rceil"),
    ('\u{230a}', "lfloor"),
    ('\u{230b}', "rfloor"),
    ('\u{27e8}', "langle"),
    ('\u{27e9}', "rangle"),
];

/// The letters of the longest name: `leftrightarrow`.
const LONGEST_NAME: usize = 14;

/// Functions that TeX sets upright.
const FUNCTIONS: &[&str] = &[
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "det", "dim", "exp", "gcd", "inf", "ker",
    "lim", "ln", "log", "max", "min", "sin", "sinh", "sup", "tan", "tanh",
];

/// The TeX of a MathML element: of what TeX has no form for, the text.
pub(super) fn to_tex(dom: &Dom, id: NodeId) -> String {
    element(dom, id, 0)
}

fn element(dom: &Dom, id: NodeId, depth: usize) -> String {
    if depth > MAX_DEPTH {
        return symbols(dom.text_content(id).trim());
    }
    let children: Vec<NodeId> =
        dom.children(id).filter(|&child| dom.kind(child) == NodeKind::Element).collect();
    let child = |i: usize| children.get(i).map_or(String::new(), |&child| element(dom, child, depth + 1));
    let group = |i: usize| format!("{{{}}}", child(i));
    // What an index stands at: a letter, or a group.
    let base = |i: usize| {
        let base = child(i);
        if base.chars().count() == 1 || is_command(&base) { base } else { format!("{{{base}}}") }
    };
    let row = || join(children.iter().map(|&child| element(dom, child, depth + 1)));
    let text = || dom.text_content(id).trim().to_owned();
    match dom.name(id) {
        "mi" => identifier(&text(), dom.attribute(id, "mathvariant")),
        "mn" => text(),
        "mo" => operator(&text()),
        "mtext" | "ms" if text().is_empty() => " ".to_owned(),
        "mtext" | "ms" => format!("\\text{{{}}}", dom.text_content(id)),
        "mspace" => "\\ ".to_owned(),
        "mfrac" => format!("\\frac{}{}", group(0), group(1)),
        "msqrt" => format!("\\sqrt{{{}}}", row()),
        "mroot" => format!("\\sqrt[{}]{}", child(1), group(0)),
        "msub" | "munder" => format!("{}_{}", base(0), group(1)),
        "msup" => format!("{}^{}", base(0), group(1)),
        "mover" => {
            // Written once: twice at each level of a nest doubles with its depth.
            let above = child(1);
            match accent(&above) {
                Some(accent) => format!("{accent}{}", group(0)),
                None => format!("{}^{{{above}}}", base(0)),
            }
        }
        "msubsup" | "munderover" => format!("{}_{}^{}", base(0), group(1), group(2)),
        "mfenced" => {
            let mark = |name, other: &str| dom.attribute(id, name).map_or(other.to_owned(), operator);
            let inside: Vec<String> = (0..children.len()).map(child).collect();
            format!("{}{}{}", mark("open", "("), inside.join(", "), mark("close", ")"))
        }
        "mtable" => {
            let rows: Vec<String> = (0..children.len()).map(child).collect();
            format!("\\begin{{matrix}}{}\\end{{matrix}}", rows.join(" \\\\ "))
        }
        "mtr" | "mlabeledtr" => (0..children.len()).map(child).collect::<Vec<_>>().join(" & "),
        "semantics" => child(0),
        "annotation" | "annotation-xml" | "mphantom" | "none" | "mprescripts" => String::new(),
        _ if children.is_empty() => symbols(&text()),
        _ => row(),
    }
}

/// Pieces of TeX in a row; a blank ends a command before a letter.
fn join(pieces: impl Iterator<Item = String>) -> String {
    let mut tex = String::new();
    for piece in pieces {
        if is_command_at_end(&tex) && piece.starts_with(|c: char| c.is_ascii_alphabetic()) {
            tex.push(' ');
        }
        tex.push_str(&piece);
    }
    tex
}

fn is_command(tex: &str) -> bool {
    tex.strip_prefix('\\')
        .is_some_and(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic()))
}

/// Looks no further back than the longest name that is written here, so that a long row takes linear time.
fn is_command_at_end(tex: &str) -> bool {
    let mut last = tex.bytes().rev().take(LONGEST_NAME + 1);
    let before = last.position(|byte| !byte.is_ascii_alphabetic());
    before.is_some_and(|letters| letters > 0 && tex.as_bytes()[tex.len() - letters - 1] == b'\\')
}

fn identifier(name: &str, variant: Option<&str>) -> String {
    if FUNCTIONS.contains(&name) {
        return format!("\\{name}");
    }
    let written = symbols(name);
    match variant {
        Some("bold") => format!("\\mathbf{{{written}}}"),
        Some("double-struck") => format!("\\mathbb{{{written}}}"),
        Some("script") => format!("\\mathcal{{{written}}}"),
        Some("fraktur") => format!("\\mathfrak{{{written}}}"),
        _ if name.chars().filter(char::is_ascii_alphabetic).count() > 1 => format!("\\mathrm{{{written}}}"),
        _ => written,
    }
}

fn operator(text: &str) -> String {
    match text {
        "{" | "}" | "%" | "&" | "#" | "$" | "_" => format!("\\{text}"),
        "\u{2212}" => "-".to_owned(),
        // Function application, invisible times and plus.
        "\u{2061}" | "\u{2062}" | "\u{2063}" | "\u{2064}" => String::new(),
        _ if FUNCTIONS.contains(&text) => format!("\\{text}"),
        _ => symbols(text),
    }
}

/// What a mark above a letter is called.
fn accent(mark: &str) -> Option<&'static str> {
    Some(match mark {
        "^" | "\u{302}" => "\\hat",
        "~" | "\\sim" | "\u{303}" | "\u{2dc}" => "\\tilde",
        "\u{af}" | "\u{203e}" | "_" | "\\_" | "\u{304}" | "-" => "\\overline",
        "\\to" | "\u{20d7}" => "\\vec",
        "." | "\u{2d9}" => "\\dot",
        "\u{a8}" => "\\ddot",
        "\u{23de}" => "\\overbrace",
        _ => return None,
    })
}

/// Text with what TeX has names for by name.
fn symbols(text: &str) -> String {
    let piece = |c: char| match SYMBOLS.binary_search_by_key(&c, |&(known, _)| known) {
        Ok(at) => format!("\\{}", SYMBOLS[at].1),
        Err(_) => c.to_string(),
    };
    join(text.chars().map(piece))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Tag;

    fn tex(inside: &str) -> String {
        let html = format!("<math>{inside}</math>");
        let dom = Dom::parse(html.as_bytes(), None, &Default::default()).unwrap();
        to_tex(&dom, dom.ids().find(|&id| dom.tag(id) == Tag::MATH).unwrap())
    }

    #[test]
    fn symbols_are_in_order() {
        assert!(SYMBOLS.is_sorted_by(|a, b| a.0 < b.0));
        let names = SYMBOLS.iter().map(|(_, name)| *name).chain(FUNCTIONS.iter().copied());
        assert_eq!(names.map(str::len).max(), Some(LONGEST_NAME));
    }

    #[test]
    fn elements_are_written_as_tex() {
        for (mathml, expected) in [
            ("<mfrac><mn>1</mn><mi>n</mi></mfrac>", "\\frac{1}{n}"),
            ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "\\sqrt{x+1}"),
            ("<mroot><mi>x</mi><mn>3</mn></mroot>", "\\sqrt[3]{x}"),
            (
                "<munderover><mo>&sum;</mo><mrow><mi>i</mi><mo>=</mo><mn>0</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
                "\\sum_{i=0}^{n}i",
            ),
            ("<mi>&alpha;</mi><mi>x</mi><mo>&le;</mo><mn>2</mn>", "\\alpha x\\le2"),
            ("<mi>sin</mi><mi>x</mi>", "\\sin x"),
            ("<mover><mi>x</mi><mo>&#xaf;</mo></mover>", "\\overline{x}"),
            ("<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup>", "{(a)}^{2}"),
            ("<mi mathvariant=double-struck>R</mi><mtext> if </mtext>", "\\mathbb{R}\\text{ if }"),
            (
                "<mtable><mtr><mtd>1</mtd><mtd>0</mtd></mtr><mtr><mtd>0</mtd><mtd>1</mtd></mtr></mtable>",
                "\\begin{matrix}1 & 0 \\\\ 0 & 1\\end{matrix}",
            ),
        ] {
            assert_eq!(tex(mathml), expected, "{mathml}");
        }
        assert!(tex(&"<mrow>".repeat(5000)).is_empty());
        let accents = tex(&("<mover><mi>x</mi>".repeat(50) + "<mi>y</mi>"));
        assert!(accents.starts_with("x^{x^{x^{") && accents.contains("x^{y}"), "{accents}");
    }
}
