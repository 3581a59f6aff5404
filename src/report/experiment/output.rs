//! `Output`: where a run's tables and figures go, into files and the report at once.

use std::path::Path;

use crate::error::{Error, Result, did_you_mean};
use crate::files::write_whole;
use crate::report::{Figure, Report, Section, Table};

/// A folder of files and the report that shows them.
pub(super) struct Output<'a> {
    pub(super) folder: &'a Path,
    pub(super) report: Report,
    /// The figures that are written as PNG too.
    pub(super) png: &'a [String],
    /// The figures that were drawn.
    pub(super) figures: Vec<String>,
    /// The figure that the report leads with; it stands in no other section.
    pub(super) lead_figure: Option<String>,
}

impl Output<'_> {
    pub(super) fn section(&mut self, heading: &str, text: &str) {
        self.report.section(heading).text(text);
    }

    pub(super) fn last(&mut self) -> &mut Section {
        self.report.last_section().expect("a section was begun")
    }

    pub(super) fn table(&mut self, name: &str, table: Table) -> Result<()> {
        write_table(self.folder, name, &table)?;
        self.last().table(table);
        Ok(())
    }

    pub(super) fn figure(&mut self, name: &str, figure: &impl Figure, caption: &str) -> Result<()> {
        let stem = self.folder.join("figures").join(name);
        figure.save_svg(&stem)?;
        if self.png.iter().any(|wanted| wanted == name) {
            figure.save_png(&stem)?;
        }
        self.figures.push(name.to_owned());
        let is_lead = self.lead_figure.as_deref() == Some(name);
        let section = if is_lead { self.report.lead() } else { self.last() };
        section.figure(figure, caption)?;
        Ok(())
    }

    /// Whether each figure that was to be a PNG is there.
    pub(super) fn check_png(&self) -> Result<()> {
        match self.png.iter().find(|name| !self.figures.contains(name)) {
            Some(name) => Err(Error::usage(
                format!("the run has no figure '{name}' to write as PNG"),
                did_you_mean(name, self.figures.iter().map(String::as_str)),
            )),
            None => Ok(()),
        }
    }
}

pub(super) fn write_table(folder: &Path, name: &str, table: &Table) -> Result<()> {
    let folder = folder.join("tables");
    write_whole(&folder.join(format!("{name}.csv")), table.to_csv()?.as_bytes())?;
    write_whole(&folder.join(format!("{name}.md")), table.to_markdown().as_bytes())
}
