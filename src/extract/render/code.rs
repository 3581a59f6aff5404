//! Code as sites show it: its language by the classes in use, and line numbers, which are no part of it.

use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;

/// How far above a `<pre>` its language may be stated.
const LEVELS: usize = 8;

/// Names of languages that stand alone in a class, as `<pre class="python">`. Any name may follow `language-`.
const LANGUAGES: &[&str] = &[
    "asm",
    "awk",
    "bash",
    "basic",
    "c",
    "clojure",
    "cmake",
    "cobol",
    "coffeescript",
    "console",
    "cpp",
    "cs",
    "csharp",
    "css",
    "dart",
    "diff",
    "docker",
    "dockerfile",
    "elixir",
    "elm",
    "erlang",
    "fortran",
    "fsharp",
    "glsl",
    "go",
    "golang",
    "graphql",
    "groovy",
    "haskell",
    "html",
    "http",
    "ini",
    "java",
    "javascript",
    "js",
    "json",
    "jsx",
    "julia",
    "kotlin",
    "latex",
    "less",
    "lisp",
    "lua",
    "makefile",
    "markdown",
    "matlab",
    "mysql",
    "nginx",
    "nix",
    "objc",
    "objectivec",
    "ocaml",
    "pascal",
    "perl",
    "php",
    "postgresql",
    "powershell",
    "prolog",
    "protobuf",
    "python",
    "python3",
    "r",
    "ruby",
    "rust",
    "sass",
    "scala",
    "scheme",
    "scss",
    "sh",
    "shell",
    "solidity",
    "sql",
    "svelte",
    "swift",
    "tcl",
    "terraform",
    "tex",
    "toml",
    "ts",
    "tsx",
    "typescript",
    "vb",
    "verilog",
    "vhdl",
    "vim",
    "vue",
    "wasm",
    "xml",
    "yaml",
    "yml",
    "zig",
    "zsh",
];

/// What stands where a language would, and is none.
const NO_LANGUAGE: &[&str] = &[
    "",
    "auto",
    "block",
    "code",
    "container",
    "content",
    "default",
    "line",
    "lines",
    "no-highlight",
    "nohighlight",
    "none",
    "notranslate",
    "plain",
    "plaintext",
    "raw",
    "source",
    "text",
    "tooltip",
    "txt",
    "undefined",
    "unknown",
    "wrapper",
];

/// Classes of line numbers; a page has them for other things too, so that their text must be numbers.
const LINE_NUMBERS: &[&str] = &[
    "blob-num",
    "code-lineno",
    "gutter",
    "hljs-ln-n",
    "hljs-ln-numbers",
    "line-number",
    "line-numbers",
    "line-numbers-rows",
    "line-numbers-wrapper",
    "linenodiv",
    "linenos",
    "lineno",
    "linenumber",
    "linenumbers",
    "ln",
    "lnt",
    "lntd",
    "react-syntax-highlighter-line-number",
    "rouge-gutter",
];

/// Classes of an element that is one line of code, whatever element it is.
const LINES: &[&str] = &["code-line", "codeline", "ec-line", "line", "token-line", "view-line"];

/// The language of a `<pre>`, as the page names it, in small letters: on the element, on the first elements inside, or on one
/// around it, by the conventions of highlight.js, Prism, Shiki, Pygments, Sphinx, Rouge, Chroma, pandoc, GitHub, SyntaxHighlighter, org-mode
/// and rustdoc.
pub(super) fn language(dom: &Dom, pre: NodeId) -> Option<String> {
    let first_element = |id| dom.children(id).find(|&child| dom.kind(child) == NodeKind::Element);
    let inside = std::iter::successors(first_element(pre), |&id| first_element(id)).take(2);
    let inside = inside.filter(|&id| matches!(dom.tag(id), Tag::CODE | Tag::PRE));
    let own = std::iter::once(pre).chain(inside).find_map(|id| stated(dom, id, true));
    let around = dom.ancestors(pre).take(LEVELS);
    let around =
        around.take_while(|&id| !matches!(dom.tag(id), Tag::ARTICLE | Tag::MAIN | Tag::BODY | Tag::LI));
    own.or_else(|| around.into_iter().find_map(|id| stated(dom, id, dom.tag(id) == Tag::FIGURE)))
}

/// The language that one element states; with `may_stand_alone` a known name is enough.
fn stated(dom: &Dom, id: NodeId, may_stand_alone: bool) -> Option<String> {
    let attribute = |name: &&str| dom.attribute(id, name).and_then(name_of);
    let stated = ["data-lang", "data-language", "data-enlighter-language"].iter().find_map(attribute);
    if stated.is_some() {
        return stated;
    }
    let mut after: Option<&str> = None;
    let mut alone = None;
    for class in dom.classes(id) {
        let prefixed =
            ["language-", "lang-", "highlight-source-", "highlight-text-", "highlight-", "src-", "brush:"]
                .iter()
                .find_map(|prefix| class.strip_prefix(prefix));
        // `brush: js` and `sourceCode python` are two words.
        let follows = after
            .take()
            .is_some_and(|before| matches!(before, "brush:" | "sourceCode" | "syntaxhighlighter"));
        let is_known = LANGUAGES.contains(&class.to_ascii_lowercase().as_str());
        match prefixed.and_then(name_of) {
            Some(name) => return Some(name),
            None if follows && name_of(class).is_some() => return name_of(class),
            None if is_known && alone.is_none() => alone = Some(class.to_ascii_lowercase()),
            None => {}
        }
        after = Some(class);
    }
    let by_attribute = || {
        let lang = dom.attribute(id, "lang")?.to_ascii_lowercase();
        (dom.tag(id) == Tag::PRE && LANGUAGES.contains(&lang.as_str())).then_some(lang)
    };
    alone.filter(|_| may_stand_alone).or_else(by_attribute)
}

/// A name of a language in small letters, if it can be one.
fn name_of(name: &str) -> Option<String> {
    let name = name.trim_end_matches([';', ',']).trim().to_ascii_lowercase();
    let is_name = name.len() <= 30 && name.chars().all(|c| c.is_alphanumeric() || "+#.-_".contains(c));
    (is_name && !NO_LANGUAGE.contains(&name.as_str())).then_some(name)
}

/// Whether an element holds line numbers and nothing else; of a `<pre>` what is around it may say so.
pub(super) fn is_line_numbers(dom: &Dom, id: NodeId) -> bool {
    let has_class = |id: NodeId| {
        dom.classes(id).any(|class| LINE_NUMBERS.iter().any(|name| name.eq_ignore_ascii_case(class)))
    };
    let around = dom.ancestors(id).take(if dom.tag(id) == Tag::PRE { 2 } else { 0 });
    let is_named =
        dom.attribute(id, "data-line-number").is_some() || std::iter::once(id).chain(around).any(has_class);
    let is_number = |&id: &NodeId| {
        dom.kind(id) != NodeKind::Text
            || dom.text(id).chars().all(|c| c.is_ascii_digit() || c.is_whitespace())
    };
    is_named && dom.subtree(id).all(|id| is_number(&id))
}

/// Whether an element names the language of the code that follows it, as VitePress has it.
pub(super) fn is_language_label(dom: &Dom, id: NodeId) -> bool {
    let is_named = dom.classes(id).any(|class| class.contains("lang"));
    if !is_named || !matches!(dom.tag(id), Tag::SPAN | Tag::DIV) {
        return false;
    }
    let mut after = std::iter::successors(dom.next_sibling(id), |&id| dom.next_sibling(id)).take(4);
    let says_name = || {
        let texts = dom.subtree(id).filter(|&id| dom.kind(id) == NodeKind::Text);
        let said: String = texts.flat_map(|id| dom.text(id).chars()).take(20).collect();
        LANGUAGES.contains(&said.trim().to_ascii_lowercase().as_str())
    };
    after.any(|id| dom.tag(id) == Tag::PRE) && says_name()
}

/// Whether an element is one line of code.
pub(super) fn is_line(dom: &Dom, id: NodeId) -> bool {
    dom.tag(id) == Tag::TR || dom.classes(id).any(|class| LINES.contains(&class))
}

/// Whether an element shows code without a `<pre>`: a table with a row for each line, as GitHub has it, or what SyntaxHighlighter makes.
pub(super) fn shows_code(dom: &Dom, id: NodeId) -> bool {
    match dom.tag(id) {
        Tag::TABLE => is_table_of_lines(dom, id),
        Tag::DIV => dom.classes(id).any(|class| class == "syntaxhighlighter"),
        _ => false,
    }
}

/// Whether a table shows code with a row for each line, as GitHub does.
fn is_table_of_lines(dom: &Dom, table: NodeId) -> bool {
    let mut cells = dom.subtree(table).filter(|&id| dom.tag(id) == Tag::TD);
    cells
        .next()
        .is_some_and(|cell| dom.attribute(cell, "data-line-number").is_some() && is_line_numbers(dom, cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dom(html: &str) -> Dom {
        Dom::parse(html.as_bytes(), None, &Default::default()).unwrap()
    }

    fn find(dom: &Dom, tag: Tag) -> NodeId {
        dom.ids().find(|&id| dom.tag(id) == tag).unwrap()
    }

    #[test]
    fn languages_are_told_by_the_classes_in_use() {
        for (html, language) in [
            ("<pre><code class=language-rust>", "rust"),
            ("<pre><code class='hljs lang-js'>", "js"),
            ("<pre class='hljs python'>", "python"),
            ("<div class='highlight highlight-source-toml'><pre>", "toml"),
            ("<div class='highlight-python3 notranslate'><div class=highlight><pre><span></span>", "python3"),
            (
                "<div class='language-ruby highlighter-rouge'><div class=highlight><pre class=highlight><code>",
                "ruby",
            ),
            ("<div class=highlight><pre class=chroma><code class=language-go data-lang=go>", "go"),
            ("<pre class='brush: c#; notranslate'>", "c#"),
            (
                "<div class=sourceCode><pre class='sourceCode haskell'><code class='sourceCode haskell'>",
                "haskell",
            ),
            ("<div class='src src-elisp'><pre>", "elisp"),
            ("<figure class='highlight yaml'><table><tr><td><pre>", "yaml"),
            ("<pre class='rust rust-example-rendered'><code>", "rust"),
            ("<pre class='astro-code' data-language=TSX><code>", "tsx"),
            ("<pre lang=sql><code>", "sql"),
            ("<div class='syntaxhighlighter java'><pre>", "java"),
        ] {
            let dom = dom(&format!("{html}x"));
            assert_eq!(super::language(&dom, find(&dom, Tag::PRE)).as_deref(), Some(language), "{html}");
        }
        for html in [
            "<pre>",
            "<pre class=language-none>",
            "<div class=highlight-default><pre>",
            "<div class=go><pre>",
        ] {
            let dom = dom(&format!("{html}x"));
            assert_eq!(super::language(&dom, find(&dom, Tag::PRE)), None, "{html}");
        }
    }

    #[test]
    fn line_numbers_are_numbers_alone() {
        let is = |html: &str| {
            let dom = dom(html);
            is_line_numbers(&dom, find(&dom, Tag::SPAN))
        };
        assert!(is("<pre><span class=lineno>12\n13</span>"));
        assert!(is("<pre><span data-line-number=3></span>"));
        assert!(!is("<pre><span class=line-numbers>let x = 3;</span>"));
        assert!(!is("<pre><span>12</span>"));
        let pre = |html: &str| {
            let dom = dom(html);
            is_line_numbers(&dom, find(&dom, Tag::PRE))
        };
        assert!(pre("<table><td class=linenos><div class=linenodiv><pre><span class=normal>1</span>"));
        assert!(!pre("<table><td class=code><div class=linenodiv><pre>x = 1"));
    }
}
