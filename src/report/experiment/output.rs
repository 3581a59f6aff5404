//! `Output`: where a run's tables and figures go, into files and the report at once.

use std::path::Path;

use crate::error::Result;
use crate::files::write_whole;
use crate::report::{Figure, Report, Section, Table};

/// A folder of files and the report that shows them.
pub(super) struct Output<'a> {
    pub(super) folder: &'a Path,
    pub(super) report: Report,
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
        figure.save(&self.folder.join("figures").join(name))?;
        self.last().figure(figure, caption)?;
        Ok(())
    }
}

pub(super) fn write_table(folder: &Path, name: &str, table: &Table) -> Result<()> {
    let folder = folder.join("tables");
    write_whole(&folder.join(format!("{name}.csv")), table.to_csv()?.as_bytes())?;
    write_whole(&folder.join(format!("{name}.md")), table.to_markdown().as_bytes())
}
