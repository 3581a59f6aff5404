//! Reports as one HTML file: what came out first, the rest in sections that open; no network, fit for print.

use std::fmt::Write as _;

use super::figure::Figure;
use super::table::{Cell, Mark, Table, note_number};
use crate::error::Result;

const STYLE: &str = include_str!("html/report.css");
/// Opens the section that a link leads to, and all of them for print. Without it the sections open by hand.
const SCRIPT: &str = include_str!("html/report.js");
/// Texts of cells with at most so many characters are never broken: names of systems, of labels.
const NAME: usize = 34;
/// Figures wider than this many pixels are scrolled.
const WIDE: f64 = 1200.0;

/// A report: what came out, if it is said, and sections, each with an entry in the table of contents. With a lead the sections
/// are folded.
///
/// # Examples
/// ```
/// use duramen::report::{Cell, Report, Table};
///
/// let mut table = Table::new("Pages", ["corpus", "pages"]);
/// table.push([Cell::text("l3s-gn1"), Cell::Count(621)]);
/// let mut report = Report::new("Quickstart");
/// report.lead().text("All pages were read.");
/// report.section("Data").text("What was read.").table(table);
/// assert!(report.to_html().contains("<td class=\"number\">621</td>"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    title: String,
    lead: Option<Section>,
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
        Report { title: title.into(), lead: None, sections: Vec::new() }
    }

    /// What came out: stands above all sections and is never folded.
    pub fn lead(&mut self) -> &mut Section {
        self.lead.get_or_insert_with(|| Section { heading: "Result".to_owned(), blocks: Vec::new() })
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
        let has_contents = self.sections.len() + usize::from(self.lead.is_some()) > 1;
        let body = if has_contents { "<body>" } else { "<body class=\"plain\">" };
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             script-src 'nonce-duramen'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n{body}\n<header><h1>{title}</h1></header>\n"
        );
        if has_contents {
            self.push_contents(&mut html);
        }
        html.push_str("<main>\n");
        if let Some(lead) = &self.lead {
            let _ =
                writeln!(html, "<section class=\"lead\" id=\"result\">\n<h2>{}</h2>", escape(&lead.heading));
            push_blocks(&mut html, &lead.blocks);
            html.push_str("</section>\n");
        }
        let open = if self.lead.is_none() { " open" } else { "" };
        for (i, section) in self.sections.iter().enumerate() {
            let heading = escape(&section.heading);
            // The link leads inside, so that browsers open the section without a script too.
            let _ = writeln!(
                html,
                "<details{open}>\n<summary><h2>{heading}</h2></summary>\n<div class=\"inside\" id=\"s{}\">",
                i + 1
            );
            push_blocks(&mut html, &section.blocks);
            html.push_str("</div>\n</details>\n");
        }
        let _ = write!(html, "</main>\n<script nonce=\"duramen\">\n{SCRIPT}</script>\n</body>\n</html>\n");
        html
    }

    fn push_contents(&self, html: &mut String) {
        html.push_str("<nav aria-label=\"Contents\">\n<ol>\n");
        if let Some(lead) = &self.lead {
            let _ = writeln!(html, "<li><a href=\"#result\">{}</a></li>", escape(&lead.heading));
        }
        for (i, section) in self.sections.iter().enumerate() {
            let _ = writeln!(html, "<li><a href=\"#s{}\">{}</a></li>", i + 1, escape(&section.heading));
        }
        html.push_str("</ol>\n<button type=\"button\" id=\"all\" hidden>Open all</button>\n</nav>\n");
    }
}

impl Section {
    /// Adds plain text: paragraphs are separated by blank lines, and a paragraph whose every line begins with
    /// "- " is a list. What stands between two backticks is code. Nothing else is marked up.
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

fn push_blocks(html: &mut String, blocks: &[Block]) {
    for block in blocks {
        match block {
            Block::Text(text) => push_text(html, text),
            Block::Table(table) => push_table(html, table),
            Block::Figure { svg, caption } => {
                let class = if is_wide(svg) { " class=\"wide\" tabindex=\"0\"" } else { "" };
                let _ = writeln!(html, "<figure{class}>\n{}", svg.trim_end());
                if !caption.is_empty() {
                    let _ = writeln!(html, "<figcaption>{}</figcaption>", marked_up(caption));
                }
                html.push_str("</figure>\n");
            }
        }
    }
}

/// Whether a drawing would be too small to read if it were as wide as the text: then it is scrolled.
fn is_wide(svg: &str) -> bool {
    let width = svg.split_once(" width=\"").and_then(|(_, rest)| rest.split_once('"')?.0.parse::<f64>().ok());
    width.is_some_and(|width| width > WIDE)
}

fn push_text(html: &mut String, text: &str) {
    let text = text.replace("\r\n", "\n");
    for paragraph in text.split("\n\n").map(str::trim).filter(|p| !p.is_empty()) {
        let items: Option<Vec<&str>> = paragraph.lines().map(|line| line.trim().strip_prefix("- ")).collect();
        match items {
            Some(items) => {
                html.push_str("<ul>\n");
                items.iter().for_each(|item| {
                    let _ = writeln!(html, "<li>{}</li>", marked_up(item));
                });
                html.push_str("</ul>\n");
            }
            None => {
                let _ = writeln!(html, "<p>{}</p>", marked_up(paragraph));
            }
        }
    }
}

/// Escaped, with what stands between two backticks as code; a backtick without another stays.
fn marked_up(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let mut html = String::new();
    for (i, part) in parts.iter().enumerate() {
        let part = escape(part);
        match (i % 2 == 1, i + 1 == parts.len()) {
            (true, false) => {
                let _ = write!(html, "<code>{part}</code>");
            }
            (true, true) => html.extend(["`", &part]),
            (false, _) => html.push_str(&part),
        }
    }
    html
}

fn push_table(html: &mut String, table: &Table) {
    // Whoever has no mouse scrolls it by keys.
    let _ = writeln!(
        html,
        "<div class=\"table\" tabindex=\"0\">\n<table>\n<caption><span>{}</span></caption>",
        marked_up(table.title())
    );
    html.push_str("<thead><tr>");
    for (c, name) in table.columns().iter().enumerate() {
        let class = if table.is_numeric(c) { " class=\"number\"" } else { "" };
        let _ = write!(html, "<th scope=\"col\"{class}>{}</th>", escape(name));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    let mut reasons = Vec::new();
    for (r, row) in table.rows().iter().enumerate() {
        html.push_str("<tr>");
        for (c, cell) in row.iter().enumerate() {
            push_cell(html, table, (r, c), cell);
            if let Cell::Missing(reason) = cell {
                let _ = write!(html, "<sup>{}</sup>", note_number(&mut reasons, reason));
            }
            html.push_str(if is_row_header(table, c) { "</th>" } else { "</td>" });
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

/// Whether the cells of a column name their rows.
fn is_row_header(table: &Table, column: usize) -> bool {
    column == 0 && !table.is_numeric(0)
}

/// A cell but for its end tag.
fn push_cell(html: &mut String, table: &Table, (row, column): (usize, usize), cell: &Cell) {
    let shown = cell.shown();
    let mut classes = match cell {
        _ if table.is_numeric(column) => "number",
        Cell::Text(text) if text.chars().count() > NAME => "long",
        _ => "",
    }
    .to_owned();
    let mark = table.mark_of(row, column);
    if mark == Some(Mark::Best) {
        classes.push_str(" best");
    }
    html.push_str(if is_row_header(table, column) { "<th" } else { "<td" });
    if !classes.is_empty() {
        let _ = write!(html, " class=\"{classes}\"");
    }
    html.push('>');
    match shown.split_once(" [") {
        Some((value, interval)) if matches!(cell, Cell::Score { .. }) => {
            let _ = write!(html, "{value}{} <small>[{interval}</small>", sign(mark));
        }
        _ => {
            let _ = write!(html, "{}{}", escape(&shown), sign(mark));
        }
    }
}

fn sign(mark: Option<Mark>) -> &'static str {
    if mark == Some(Mark::Level) { " \u{2248}" } else { "" }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::{RankedScores, SystemScores};
    use crate::report::table::Best;

    #[test]
    fn a_tiny_report_is_as_it_was() {
        let mut table = Table::new("Scores", ["system", "F1"]);
        table.push([Cell::text("hmt"), Cell::number(0.9404, 3)]);
        table.push([Cell::text("visual"), Cell::missing("no layout")]);
        table.mark_best(1, Best::Highest);
        let mut report = Report::new("Tiny");
        report.lead().text("The tree finds it, by `duramen run`.");
        report.section("Question").text("What is content?\n\n- text\n- not menus");
        report.section("Answer").table(table);
        let html = report.to_html();
        // The style sheet may change without anyone reading this snapshot.
        insta::assert_snapshot!(html.replace(STYLE, "(style)\n").replace(SCRIPT, "(script)\n"));
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
        assert_eq!(html.matches("<script").count(), 1, "our own");
        assert!(!html.contains("alert('x')"));
        assert!(html.contains("&lt;script&gt;"));
    }

    #[test]
    fn sections_are_folded_below_a_lead_and_open_without_one() {
        let mut report = Report::new("r");
        report.section("first").text("a lone ` stays");
        let html = report.to_html();
        assert!(html.contains("<details open>") && html.contains("<p>a lone ` stays</p>"));
        report.lead().text("Nothing differs.");
        let html = report.to_html();
        assert!(!html.contains("<details open>"));
        assert!(html.find("Nothing differs").unwrap() < html.find("<details>").unwrap());
    }

    #[test]
    fn a_report_asks_nothing_of_the_network() {
        let mut report = Report::new("r");
        report.lead().text("u");
        report.section("s").text("t");
        let html = report.to_html();
        for word in ["http:", "https:", "url(", "@import", "src="] {
            assert!(!html.contains(word), "{word}");
        }
    }
}
