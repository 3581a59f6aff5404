//! Reports as one HTML file: text, tables and inline figures; no network, no script, fit for print.

use std::fmt::Write as _;

use super::figure::Figure;
use super::table::{Cell, Table, note_number};
use crate::error::Result;

/// A report in sections, each with an entry in the table of contents.
///
/// # Examples
/// ```
/// use duramen::report::{Cell, Report, Table};
///
/// let mut table = Table::new("Pages", ["corpus", "pages"]);
/// table.push([Cell::text("l3s-gn1"), Cell::Count(621)]);
/// let mut report = Report::new("Quickstart");
/// report.section("Data").text("What was read.").table(table);
/// assert!(report.to_html().contains("<td class=\"number\">621</td>"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    title: String,
    sections: Vec<Section>,
}

/// A heading and what follows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    heading: String,
    blocks: Vec<Block>,
}

#[derive(Debug, Clone, PartialEq)]
enum Block {
    Text(String),
    Table(Table),
    Figure { svg: String, caption: String },
}

impl Report {
    /// An empty report.
    pub fn new(title: impl Into<String>) -> Report {
        Report { title: title.into(), sections: Vec::new() }
    }

    /// Adds a section and returns it to be filled.
    pub fn section(&mut self, heading: impl Into<String>) -> &mut Section {
        self.sections.push(Section { heading: heading.into(), blocks: Vec::new() });
        let last = self.sections.len() - 1;
        &mut self.sections[last]
    }

    /// The section begun last.
    pub fn last_section(&mut self) -> Option<&mut Section> {
        self.sections.last_mut()
    }

    /// The whole file.
    pub fn to_html(&self) -> String {
        let title = escape(&self.title);
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header><h1>{title}</h1></header>\n"
        );
        if self.sections.len() > 1 {
            html.push_str("<nav aria-label=\"Contents\">\n<ol>\n");
            for (i, section) in self.sections.iter().enumerate() {
                let _ = writeln!(html, "<li><a href=\"#s{}\">{}</a></li>", i + 1, escape(&section.heading));
            }
            html.push_str("</ol>\n</nav>\n");
        }
        html.push_str("<main>\n");
        for (i, section) in self.sections.iter().enumerate() {
            let _ = writeln!(html, "<section id=\"s{}\">\n<h2>{}</h2>", i + 1, escape(&section.heading));
            for block in &section.blocks {
                match block {
                    Block::Text(text) => push_text(&mut html, text),
                    Block::Table(table) => push_table(&mut html, table),
                    Block::Figure { svg, caption } => {
                        let _ = writeln!(html, "<figure>\n{}", svg.trim_end());
                        if !caption.is_empty() {
                            let _ = writeln!(html, "<figcaption>{}</figcaption>", escape(caption));
                        }
                        html.push_str("</figure>\n");
                    }
                }
            }
            html.push_str("</section>\n");
        }
        html.push_str("</main>\n</body>\n</html>\n");
        html
    }
}

impl Section {
    /// Adds plain text: paragraphs are separated by blank lines, and a paragraph whose every line begins with
    /// "- " is a list. Nothing else is marked up.
    pub fn text(&mut self, text: impl Into<String>) -> &mut Section {
        self.blocks.push(Block::Text(text.into()));
        self
    }

    /// Adds a table with its title as the caption.
    pub fn table(&mut self, table: Table) -> &mut Section {
        self.blocks.push(Block::Table(table));
        self
    }

    /// Adds a figure with a caption, which may be empty.
    ///
    /// # Errors
    /// As [`Figure::check`].
    pub fn figure(&mut self, figure: &impl Figure, caption: impl Into<String>) -> Result<&mut Section> {
        self.blocks.push(Block::Figure { svg: figure.svg()?, caption: caption.into() });
        Ok(self)
    }
}

fn push_text(html: &mut String, text: &str) {
    let text = text.replace("\r\n", "\n");
    for paragraph in text.split("\n\n").map(str::trim).filter(|p| !p.is_empty()) {
        let items: Option<Vec<&str>> = paragraph.lines().map(|line| line.trim().strip_prefix("- ")).collect();
        match items {
            Some(items) => {
                html.push_str("<ul>\n");
                items.iter().for_each(|item| {
                    let _ = writeln!(html, "<li>{}</li>", escape(item));
                });
                html.push_str("</ul>\n");
            }
            None => {
                let _ = writeln!(html, "<p>{}</p>", escape(paragraph));
            }
        }
    }
}

fn push_table(html: &mut String, table: &Table) {
    let class = |column: usize| if table.is_numeric(column) { " class=\"number\"" } else { "" };
    let _ = writeln!(html, "<div class=\"table\">\n<table>\n<caption>{}</caption>", escape(table.title()));
    html.push_str("<thead><tr>");
    for (c, name) in table.columns().iter().enumerate() {
        let _ = write!(html, "<th scope=\"col\"{}>{}</th>", class(c), escape(name));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    let mut reasons = Vec::new();
    for row in table.rows() {
        html.push_str("<tr>");
        for (c, cell) in row.iter().enumerate() {
            let _ = write!(html, "<td{}>{}", class(c), escape(&cell.shown()));
            if let Cell::Missing(reason) = cell {
                let _ = write!(html, "<sup>{}</sup>", note_number(&mut reasons, reason));
            }
            html.push_str("</td>");
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n");
    if !reasons.is_empty() {
        html.push_str("<ol class=\"notes\">\n");
        reasons.iter().for_each(|reason| {
            let _ = writeln!(html, "<li>{}</li>", escape(reason));
        });
        html.push_str("</ol>\n");
    }
    html.push_str("</div>\n");
}

/// `text` such that it stands for itself between tags and in quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(c),
        }
    }
    safe
}

/// Figures keep their white paper in the dark, because their colors are chosen for it.
const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #222; --soft: #666; --line: #ddd; --paper: #fff; --link: #0072b2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e4e4; --soft: #a0a0a0; --line: #3a3a3a; --paper: #161616; --link: #56b4e9; }
}
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 62rem; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
a { color: var(--link); }
nav ol { columns: 18rem auto; padding-left: 1.5rem; margin: 0; }
p, ul { max-width: 44rem; }
.table { overflow-x: auto; margin: 1.25rem 0; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .4rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
td.number, th.number { white-space: nowrap; }
.number { text-align: right; white-space: nowrap; }
.notes { color: var(--soft); font-size: .85rem; }
figure { margin: 1.5rem 0; }
figure svg { display: block; max-width: 100%; height: auto; background: #fff; border-radius: 6px; }
figcaption { color: var(--soft); font-size: .9rem; max-width: 44rem; margin-top: .4rem; }
@media print {
  :root { --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --link: #000; }
  body { font-size: 10.5pt; max-width: none; padding: 0; }
  figure, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
}
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::{RankedScores, SystemScores};

    #[test]
    fn a_tiny_report_is_as_it_was() {
        let mut table = Table::new("Scores", ["system", "F1"]);
        table.push([Cell::text("hmt"), Cell::number(0.9404, 3)]);
        table.push([Cell::text("visual"), Cell::missing("no layout")]);
        let mut report = Report::new("Tiny");
        report.section("Question").text("What is content?\n\n- text\n- not menus");
        report.section("Answer").table(table);
        let html = report.to_html();
        // The style sheet may change without anyone reading this snapshot.
        insta::assert_snapshot!(html.replace(STYLE, "(style)\n"));
    }

    #[test]
    fn no_text_of_a_report_can_become_markup() {
        let evil = "<script>alert('x')</script> & \"y\"";
        let mut table = Table::new(evil, [evil]);
        table.push([Cell::text(evil)]);
        table.push([Cell::missing(evil)]);
        let figure = RankedScores {
            title: evil.into(),
            subtitle: evil.into(),
            measure: evil.into(),
            systems: vec![SystemScores { name: evil.into(), values: vec![0.5] }],
        };
        let mut report = Report::new(evil);
        report.section(evil).text(evil).table(table).figure(&figure, evil).unwrap();
        report.section("another, for the contents");
        let html = report.to_html();
        assert!(!html.contains("<script"));
        assert!(!html.contains("alert('x')"));
        assert!(html.contains("&lt;script&gt;"));
    }

    #[test]
    fn a_report_asks_nothing_of_the_network() {
        let mut report = Report::new("r");
        report.section("s").text("t");
        let html = report.to_html();
        for word in ["http:", "https:", "url(", "@import", "src="] {
            assert!(!html.contains(word), "{word}");
        }
    }
}
