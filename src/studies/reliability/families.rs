//! Families of hostile pages: each repeats one construct as often as is asked.

/// A family of pages.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    before: &'static str,
    /// What is repeated; `#` in it is the number of the repetition.
    unit: &'static str,
    after: &'static str,
}

const fn family(name: &'static str, before: &'static str, unit: &'static str, after: &'static str) -> Family {
    Family { name, before, unit, after }
}

/// A sentence that is taken for content, so that writers have something to write.
const TEXT: &str =
    "<h1>Oak</h1><p>The oldest oak of the village fell on Monday night, after a storm that lasted for hours.";

/// All families: what parsers, features, inference and writers could take more than linear time or memory for.
pub const FAMILIES: &[Family] = &[
    family("nested elements", "", "<div>", TEXT),
    family("nested elements that close", "", "<div><p>word</div></div><div>", TEXT),
    family("nested formatting", "<p>", "<b><i>", TEXT),
    family("formatting elements left open", "", "<p><b><i><a href=x><font>word ", ""),
    family("links left open around blocks", "", "<a><div>word ", ""),
    family("nested lists", "", "<ul><li>word", ""),
    family("nested quotations", "", "<blockquote>", TEXT),
    family("nested details", "", "<details><summary>s</summary>", TEXT),
    family("nested tables", "", "<table><tr><td>", TEXT),
    family("paragraphs in tables", "<table>", "<p>word ", ""),
    family("rows with paragraphs between cells", "<table>", "<tr><p>x<td>y", ""),
    family("rows", "<table>", "<tr><td>a<td>b<td>c", ""),
    family("cells that span all", "<table>", "<tr><td colspan=1000 rowspan=65534>word", ""),
    family("attributes", "<p ", "a#=v# ", ">The oldest oak fell."),
    family("classes", "<p class='", "c# ", "'>The oldest oak fell."),
    family("one block", "<p>", "The oldest oak of the village fell on Monday. ", ""),
    family("one word", "<p>", "x", ""),
    family("one block of Chinese", "<p>", "树木倒下", ""),
    family("words that differ", "<p>", "w# ", ""),
    family("blocks", "", "<p>The oldest oak of the village fell on Monday. ", ""),
    family("blocks of a letter", "", "<p>a", ""),
    family("blocks that differ", "", "<p>w# of k#", ""),
    family("line breaks", "", "word<br>", ""),
    family("links", "", "<a href=/#>word</a> ", ""),
    family("list items", "<ul>", "<li>item word", ""),
    family("definitions", "<dl>", "<dt>term<dd>what it is", ""),
    family("headings", "", "<h2>Part #</h2><p>The oldest oak fell.", ""),
    family(
        "posts",
        "",
        "<div class=post><h3><a href=/#>Post #</a></h3><i>by user#</i><time>2020-01-01</time><p>It fell.</div>",
        "",
    ),
    family("lines of code", "<pre>", "let x = 1;\n", ""),
    family("pieces of code", "<p>", "<code>`</code> and ", ""),
    family("emphasis", "<p>", "<em>a</em><strong>b</strong>", ""),
    family("characters that Markdown escapes", "<p>", "*_`[<\\", ""),
    family("formulas", "<p>", "word <math><mfrac><mi>x</mi><mi>y</mi></mfrac></math> ", ""),
    family("one formula", "<p>word <math>", "<mrow><mi>x</mi><mo>+</mo>", ""),
    family("nested accents", "<p>word <math>", "<mover><mi>x</mi>", ""),
    family("nested fractions", "<p>word <math>", "<mfrac><mi>x</mi>", ""),
    family("letters of a formula", "<p>word <math><mtext>", "x", "</mtext><mi>y</mi></math>"),
    family("nested formulas without TeX", "<p>word ", "<span class=katex>", "</p>"),
    family("formulas without TeX", "<p>word ", "<span class='MathJax mwe-math-element'></span> ", ""),
    family("dollar signs", "<p>", "$x$ and $$ ", ""),
    family(
        "footnotes",
        TEXT,
        "<sup><a href=#f# id=r#>#</a></sup> word <p id=f#>note <a href=#r#>back</a>",
        "",
    ),
    family("references to notes", "<p>word ", "<sup><a href=#n>1</a></sup> ", "<p id=n>note"),
    family("nested superscripts", "<p>word ", "<sup>a", ""),
    family("nested definitions", "", "<dl><dt>term<dd>", "word"),
    family("nested figures", "", "<figure><figcaption>word</figcaption>", TEXT),
    family("nested callouts", "", "<div class=admonition><p class=admonition-title>Note</p><p>word", ""),
    family("callouts", "", "<p><strong>Note:</strong> word", ""),
    family("nested code", "", "<pre><code>x", ""),
    family("names of languages", "", "<div>python</div>", TEXT),
    family("code with names of languages", "", "<div>python</div><pre>x = 1</pre>", ""),
    family(
        "numbers of lines",
        "",
        "<table><tr><td class=gutter><pre>1</pre><td class=code><pre>x</pre></table>",
        "",
    ),
    family("permalinks", "", "<h2 id=s#>Part<a class=headerlink href=#s#>¶</a></h2><p>word", ""),
    family("tasks", "<ul>", "<li><input type=checkbox>word", ""),
    family("tabs", "", "<div role=tab aria-controls=t#>Tab</div><div role=tabpanel id=t#>Words.</div>", ""),
    family("hidden text", "", "<p style='display:none'>word ", TEXT),
    family("labels of parts", "", "<div role=navigation aria-labelledby=l#><i id=l#>word</i></div>", TEXT),
    family("targets of links", "", "<a href=#t#>word</a><p id=t#>word", ""),
    family("style attributes", "<p style='", "color:red;", "'>The oldest oak fell."),
    family("candidates of an image", "<p>word<img srcset='", "a#.png #w, ", "'>"),
    family("images", "", "<img src=a.png alt='A view of the hill'>", TEXT),
    family("comments of the markup", "", "<!-- x -->", TEXT),
    family("scripts", "", "<script>var a='x';</script>", TEXT),
    family(
        "nested JSON-LD",
        "<script type='application/ld+json'>",
        "[",
        "</script><p>The oldest oak fell on Monday.",
    ),
    family(
        "items of JSON-LD",
        "<script type='application/ld+json'>[",
        "{\"@type\":\"Article\",\"headline\":\"x y\"},",
        "1]</script><p>The oldest oak fell.",
    ),
    family(
        "texts of JSON",
        "<script type=application/json>[",
        "\"The oldest oak of the village fell.\",",
        "1]</script>",
    ),
    family("nested microdata", "", "<div itemscope itemtype=http://schema.org/Thing itemprop=about>", TEXT),
    family(
        "microdata",
        "",
        "<div itemscope itemtype=http://schema.org/Person><b itemprop=name>Ann #</b></div>",
        TEXT,
    ),
    family("metadata", "", "<meta property=og:title content=t#><meta name=author content=a#>", TEXT),
    family("dates in a block", "<p>", "March 3, 2020 and ", ""),
    family("authors", "", "<p class=author>By Ann Ash", TEXT),
    family(
        "the title again",
        "<title>The oldest oak of the village</title>",
        "<p>The oldest oak of the village",
        "",
    ),
    family("titles", "", "<h1>The oldest oak #</h1>", TEXT),
    family("dates", "", "<p>posted on March 3, 2020", ""),
    family("character references", "<p>", "&amp;&notin;&#x41; ", ""),
    family("combining characters", "<p>a", "\u{301}", ""),
    family("direction marks", "<p>", "\u{202e}abc\u{202c} ", ""),
    family("wrong decoding", "<p>", "Ã©Ã¼â€™ ", ""),
    family("templates", "", "<template>", TEXT),
    family("options", "<select>", "<option>word", "</select><p>The oldest oak fell on Monday."),
    family("SVG", "<svg>", "<g><text>word</text>", "</svg><p>The oldest oak fell on Monday."),
    family("tag soup", "", "</p><b></div><td></b><i>x</table><li>", TEXT),
    family("unfinished tags", "", "<a <b ", TEXT),
];

impl Family {
    /// The largest page of the family of at most so many bytes; one repetition at least.
    pub fn page(&self, bytes: usize) -> String {
        let mut page = self.before.to_owned();
        for number in 0.. {
            let unit = self.unit.replace('#', &number.to_string());
            if number > 0 && page.len() + unit.len() + self.after.len() > bytes {
                break;
            }
            page += &unit;
        }
        page + self.after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_as_large_as_asked_and_number_what_they_repeat() {
        for family in FAMILIES {
            let page = family.page(10_000);
            assert!((9_500..=10_000).contains(&page.len()), "{}: {}", family.name, page.len());
            assert!(family.page(1).ends_with(family.after), "{}", family.name);
        }
        let attributes = FAMILIES.iter().find(|family| family.name == "attributes").unwrap();
        assert!(attributes.page(1_000).starts_with("<p a0=v0 a1=v1 "));
        let names: std::collections::HashSet<&str> = FAMILIES.iter().map(|family| family.name).collect();
        assert_eq!(names.len(), FAMILIES.len());
    }
}
