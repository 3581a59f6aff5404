//! How near Markdown is to a reference: the edit similarities of WebMainBench, and TEDS of its tables.
//!
//! # References
//! Edit similarities: WebMainBench (package `webmainbench` 0.1.0), `text_edit`, `code_edit`, `formula_edit` and `table_edit` without language
//! models: one minus the Levenshtein distance of characters over the length of the longer. TEDS: X. Zhong, E. ShafieiBavani, A. Jimeno
//! Yepes, Image-based table recognition: data, model, and evaluation, ECCV 2020, section 5.

use serde::{Deserialize, Serialize};

use super::tree_edit::{Ordered, tree_edit_distance};
use crate::characters::folded;
use crate::dom::{Dom, Limits, NodeKind, Tag};
use crate::index::NodeId;

/// Similarities of Markdown with its reference, from 0 to 1; none of what neither has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct MarkdownEdits {
    /// Of the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<f64>,
    /// Of the lines of code between fences or indented, one block after another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<f64>,
    /// Of the TeX between `$$`, `\[`, `$` and `\(`, a formula a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<f64>,
    /// Of the tables, those with pipes as HTML.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<f64>,
    /// The similarity by tree edits of the tables in order, a table that only one of them has being 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teds: Option<f64>,
}

/// The similarities of Markdown with a reference.
///
/// # Cost
/// Time is the product of the numbers of characters: 5,000 by 5,000 take some 30 ms. Of tables with `n` cells each `n * n`.
///
/// # Examples
/// ```
/// let edits = duramen::eval::markdown_edits("Oak is $x^2$.\n", "Oak is $x^3$.\n");
/// assert_eq!(edits.formula, Some(1.0 - 1.0 / 3.0));
/// assert!(edits.text > Some(0.9) && edits.code.is_none() && edits.teds.is_none());
/// ```
pub fn markdown_edits(predicted: &str, reference: &str) -> MarkdownEdits {
    let similarity = |predicted: &str, reference: &str| {
        let is_there = !(predicted.is_empty() && reference.is_empty());
        is_there.then(|| strsim::normalized_levenshtein(predicted, reference))
    };
    let of_lines = |of: fn(&str) -> Vec<String>| {
        let [predicted, reference] = [predicted, reference].map(|text| of(text).join("\n"));
        similarity(&predicted, &reference)
    };
    let [in_predicted, in_reference] = [predicted, reference].map(tables);
    MarkdownEdits {
        text: similarity(predicted, reference),
        code: of_lines(code),
        formula: of_lines(formulas),
        table: similarity(&as_html(&in_predicted.join("\n")), &as_html(&in_reference.join("\n"))),
        teds: teds(&in_predicted, &in_reference),
    }
}

/// The blocks of code between fences, then those of indented lines.
fn code(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    for block in fenced(text) {
        // The first line has the language, the last the fence.
        let lines: Vec<&str> = block.split('\n').collect();
        let lines = lines.get(1..lines.len() - 1).unwrap_or_default().join("\n");
        blocks.extend(Some(lines).filter(|lines| !lines.is_empty()));
    }
    blocks.extend(indented(text));
    blocks
}

/// What stands between three backticks and the next three, with both.
fn fenced(text: &str) -> Vec<&str> {
    const FENCE: &str = "```";
    let (mut blocks, mut rest) = (Vec::new(), text);
    while let Some(start) = rest.find(FENCE) {
        let Some(length) = rest[start + FENCE.len()..].find(FENCE) else { break };
        let end = start + length + 2 * FENCE.len();
        blocks.push(&rest[start..end]);
        rest = &rest[end..];
    }
    blocks
}

/// Blocks of two lines and more that begin with four blanks or a tab, with blank lines around them, and are neither lists nor amounts.
fn indented(text: &str) -> Vec<String> {
    let is_indented = |line: &str| line.starts_with("    ") || line.starts_with('\t');
    let lines: Vec<&str> = text.split('\n').collect();
    let (mut blocks, mut at) = (Vec::new(), 1);
    while at < lines.len() {
        let run = lines[at..].iter().take_while(|line| is_indented(line)).count();
        let ends = lines.get(at + run).is_none_or(|line| line.trim().is_empty());
        // Not the first line of the text, since a break stands before the blank one.
        let begins = at >= 2 && lines[at - 1].trim().is_empty();
        if run < 2 || !ends || !begins {
            at += run.max(1);
            continue;
        }
        let block = &lines[at..at + run];
        at += run;
        let written = || block.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
        if written().count() < 2 || written().any(is_list_or_amount) {
            continue;
        }
        let without =
            |line: &&str| line.strip_prefix("    ").or(line.strip_prefix('\t')).unwrap_or(line).to_owned();
        let kept: Vec<String> = block.iter().filter(|line| !line.trim().is_empty()).map(without).collect();
        blocks.push(kept.join("\n"));
    }
    blocks
}

fn is_list_or_amount(line: &str) -> bool {
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_item = |rest: &str| rest.starts_with(char::is_whitespace);
    let is_listed = line.strip_prefix(['-', '•', '*']).is_some_and(is_item)
        || after_number.len() < line.len() && after_number.strip_prefix('.').is_some_and(is_item);
    let has_amount = line
        .match_indices('$')
        .any(|(at, _)| line[at + 1..].starts_with(|c: char| c.is_ascii_digit() || c == ','));
    let lower = line.to_lowercase();
    let mut words = lower.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    is_listed || has_amount || words.any(|word| matches!(word, "million" | "billion" | "thousand"))
}

/// The text without code between fences, and without code in lines.
fn without_code(text: &str) -> String {
    let mut without = text.to_owned();
    for block in fenced(text) {
        without = without.replacen(block, "", 1);
    }
    let (mut out, mut rest) = (String::new(), &*without);
    while let Some((before, after)) = rest.split_once('`') {
        let Some((_, behind)) = after.split_once('`') else { break };
        out.push_str(before);
        rest = behind;
    }
    out + rest
}

/// The formulas between `$$`, then those between `\[` and `\]`, `$`, `\(` and `\)`.
fn formulas(text: &str) -> Vec<String> {
    let text = without_code(text);
    let delimiters = [("$$", "$$"), ("\\[", "\\]"), ("$", "$"), ("\\(", "\\)")];
    let of = |(open, close)| between(&text, open, close);
    let found = delimiters.into_iter().flat_map(of).map(str::trim).filter(|tex| !tex.is_empty());
    found.map(str::to_owned).collect()
}

/// What stands between two delimiters, neither of them behind a backslash.
fn between<'t>(text: &'t str, open: &str, close: &str) -> Vec<&'t str> {
    let next = |from: usize, delimiter: &str| {
        let mut from = from;
        loop {
            let at = from + text[from..].find(delimiter)?;
            if !text[..at].ends_with('\\') {
                return Some(at);
            }
            // Delimiters are ASCII.
            from = at + 1;
        }
    };
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(start) = next(from, open).map(|at| at + open.len()) {
        let Some(end) = next(start, close) else { break };
        found.push(&text[start..end]);
        from = end + close.len();
    }
    found
}

/// The tables of HTML that stand in no other, then those with pipes.
fn tables(text: &str) -> Vec<String> {
    let plain = without_code(text);
    let lower = plain.to_ascii_lowercase();
    let (mut tables, mut from) = (Vec::new(), 0);
    while let Some(start) = lower[from..].find("<table").map(|at| from + at) {
        let (mut depth, mut at) = (0, start);
        let end = loop {
            let [open, close] =
                ["<table", "</table>"].map(|tag| lower[at..].find(tag).map(|found| at + found));
            match (open, close) {
                (Some(open), Some(close)) if open < close => (depth, at) = (depth + 1, open + 1),
                (_, Some(close)) if depth <= 1 => break close + "</table>".len(),
                (_, Some(close)) => (depth, at) = (depth - 1, close + 1),
                _ => break lower.len(),
            }
        };
        tables.push(plain[start..end].to_owned());
        from = end;
    }
    let lines: Vec<&str> = text.split('\n').collect();
    for run in lines.split(|line| !line.contains('|')) {
        if run.len() >= 2 && is_line_of_marks(run[1]) {
            tables.push(run.join("\n"));
        }
    }
    tables
}

/// Whether all cells of a line are empty or dashes, with colons at their ends.
fn is_line_of_marks(line: &str) -> bool {
    line.split('|').map(str::trim).filter(|cell| !cell.is_empty()).all(|cell| {
        let dashes = cell.strip_prefix(':').unwrap_or(cell);
        let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
        dashes.len() >= 3 && dashes.chars().all(|c| c == '-')
    })
}

/// Tables as HTML, as WebMainBench makes it: all lines with pipes become one table, whose first row is its header.
fn as_html(tables: &str) -> String {
    if tables.is_empty() || tables.to_lowercase().contains("<table") {
        return tables.to_owned();
    }
    let lines = tables.split('\n').map(str::trim).filter(|line| line.contains('|'));
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '|' | '-' | ':');
    let mut html = "<table>".to_owned();
    for (row, line) in lines.filter(|line| !line.chars().all(is_mark)).enumerate() {
        let tag = if row == 0 { "th" } else { "td" };
        let cells: Vec<&str> = line.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
        if !cells.is_empty() {
            let cells: String = cells.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect();
            html.push_str(&format!("<tr>{cells}</tr>"));
        }
    }
    html + "</table>"
}

/// The mean over the tables in order; a table that only one side has is 0.
fn teds(predicted: &[String], reference: &[String]) -> Option<f64> {
    let n = predicted.len().max(reference.len());
    let of_pair = |(predicted, reference): (&String, &String)| {
        let [predicted, reference] = [predicted, reference].map(|table| tree_of(table));
        let distance = tree_edit_distance(&predicted, &reference, &rename);
        1.0 - distance / predicted.len().max(reference.len()) as f64
    };
    (n > 0).then(|| predicted.iter().zip(reference).map(of_pair).sum::<f64>() / n as f64)
}

/// A node of a table: its element, its spans, and of cells the text.
#[derive(Debug, Clone, PartialEq)]
struct TableNode {
    tag: Tag,
    spans: [u32; 2],
    text: String,
}

/// What it costs to make one node another: cells of the same spans differ by their text.
fn rename(a: &TableNode, b: &TableNode) -> f64 {
    match (a.tag, a.spans) == (b.tag, b.spans) {
        true => 1.0 - strsim::normalized_levenshtein(&a.text, &b.text),
        false => 1.0,
    }
}

/// The tree of a table: rows and their cells, whatever sections they stand in.
fn tree_of(table: &str) -> Ordered<TableNode> {
    let html = if table.to_ascii_lowercase().contains("<table") { table.to_owned() } else { gfm(table) };
    let dom =
        Dom::parse(html.as_bytes(), Some("utf-8"), &Limits::default()).expect("a text is no binary file");
    let mut tree = Ordered::new(TableNode { tag: Tag::TABLE, spans: [1; 2], text: String::new() });
    let span = |id: NodeId, name: &str| dom.attribute(id, name).and_then(|n| n.parse().ok()).unwrap_or(1);
    for row in dom.ids().filter(|&id| dom.tag(id) == Tag::TR) {
        let parent = tree.push(0, TableNode { tag: Tag::TR, spans: [1; 2], text: String::new() });
        let is_cell =
            |id: &NodeId| dom.kind(*id) == NodeKind::Element && matches!(dom.tag(*id), Tag::TD | Tag::TH);
        for cell in dom.children(row).filter(is_cell) {
            let text = folded(&dom.text_content(cell));
            let spans = [span(cell, "colspan"), span(cell, "rowspan")];
            tree.push(parent, TableNode { tag: dom.tag(cell), spans, text });
        }
    }
    tree
}

/// A table with pipes as HTML, cell by cell; pipes behind a backslash are text.
fn gfm(table: &str) -> String {
    let mut html = "<table>".to_owned();
    for (row, line) in table.split('\n').enumerate().filter(|(row, _)| *row != 1) {
        let line = line.trim().replace("\\|", "\u{0}");
        let cells = line.strip_prefix('|').unwrap_or(&line);
        let cells = cells.strip_suffix('|').unwrap_or(cells);
        let tag = if row == 0 { "th" } else { "td" };
        let cell = |cell: &str| {
            format!("<{tag}>{}</{tag}>", crate::dom::serialize::escape(&cell.trim().replace('\u{0}', "|")))
        };
        let cells: Vec<&str> = cells.split('|').collect();
        // An empty header is that of a table that has none.
        if row > 0 || cells.iter().any(|cell| !cell.trim().is_empty()) {
            html.push_str(&format!("<tr>{}</tr>", cells.into_iter().map(cell).collect::<String>()));
        }
    }
    html + "</table>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_where_they_stand() {
        let text = "A $x$ and `$no$`.\n\n```sh\nls $HOME\n```\n\n$$\ny = 2\n$$\n\n    let a = 1;\n    let b = 2;\n\n- \\$5\n";
        assert_eq!(code(text), ["ls $HOME", "let a = 1;\nlet b = 2;"]);
        assert_eq!(formulas(text), ["y = 2", "x"]);
        assert!(tables(text).is_empty());
        let tables = tables(
            "| a | b |\n| --- | :---: |\n| 1 | 2 |\n\n<table><tr><td><table></table></td></tr></table>\n\na | b\n",
        );
        assert_eq!(tables.len(), 2);
        assert_eq!(
            as_html(&tables[1]),
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
        );
    }

    #[test]
    fn tables_that_differ_in_a_cell_lose_what_the_cell_is_of_them() {
        let table = |last: &str| format!("| a | b |\n| --- | --- |\n| 1 | {last} |\n");
        let teds = |a: &str, b: &str| markdown_edits(a, b).teds.unwrap();
        assert_eq!(teds(&table("2"), &table("2")), 1.0);
        // Seven nodes: the table, two rows, four cells.
        assert_eq!(teds(&table("2"), &table("3")), 1.0 - 1.0 / 7.0);
        assert_eq!(teds(&table("23"), &table("24")), 1.0 - 0.5 / 7.0);
        let html = "<table><thead><tr><th>a</th><th>b</th></tr></thead><tr><td>1</td><td>2</td></tr></table>";
        assert_eq!(teds(html, &table("2")), 1.0);
        // A cell that spans two is another.
        let wide = "<table><tr><th>a</th><th>b</th></tr><tr><td colspan=2>1</td></tr></table>";
        assert_eq!(teds(wide, &table("2")), 1.0 - 2.0 / 7.0);
        assert_eq!(teds("", &table("2")), 0.0);
        assert_eq!(markdown_edits("a", "b").teds, None);
    }
}
