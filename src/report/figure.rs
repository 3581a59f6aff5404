//! What every figure can do: draw itself once, for SVG and PNG alike, and be saved as either.

use std::path::{Path, PathBuf};

use super::canvas::Canvas;
use crate::error::{Error, Result};
use crate::files::write_whole;

/// A figure: data plus the way they are drawn.
///
/// The bytes of [`Figure::svg`] and [`Figure::png`] depend on the data alone, not on the machine: the font is
/// bundled and no clock, thread or system setting enters.
pub trait Figure {
    /// The title, which is also the SVG's description for readers who cannot see it.
    fn title(&self) -> &str;

    /// Width and height in logical pixels.
    fn size(&self) -> (u32, u32);

    /// Whether the data can be drawn.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the figure and what is missing or out of range.
    fn check(&self) -> Result<()>;

    /// Draws the figure.
    fn draw(&self, canvas: &mut Canvas);

    /// The figure as one `<svg>` element.
    ///
    /// # Errors
    /// As [`Figure::check`].
    fn svg(&self) -> Result<String> {
        drawn(self)?.svg(self.title()).map_err(|problem| broken(self, problem))
    }

    /// The figure as a PNG file, two device pixels to a logical pixel.
    ///
    /// # Errors
    /// As [`Figure::check`].
    fn png(&self) -> Result<Vec<u8>> {
        drawn(self)?.png().map_err(|problem| broken(self, problem))
    }

    /// Writes `stem.svg`, making the folder where it is missing. The file is written aside and then renamed.
    ///
    /// # Errors
    /// As [`Figure::check`], and [`Error::Io`] where the file cannot be written.
    fn save_svg(&self, stem: &Path) -> Result<()> {
        write_whole(&with_ending(stem, ".svg"), self.svg()?.as_bytes())
    }

    /// Writes `stem.png`, as [`Figure::save_svg`].
    ///
    /// # Errors
    /// As [`Figure::save_svg`].
    fn save_png(&self, stem: &Path) -> Result<()> {
        write_whole(&with_ending(stem, ".png"), &self.png()?)
    }
}

fn drawn(figure: &(impl Figure + ?Sized)) -> Result<Canvas> {
    figure.check()?;
    let mut canvas = Canvas::new(figure.size());
    figure.draw(&mut canvas);
    Ok(canvas)
}

/// The error of a drawing that failed although its data are fine.
fn broken(figure: &(impl Figure + ?Sized), problem: String) -> Error {
    Error::data(format!("figure '{}'", figure.title()), problem, "report this as a fault of Duramen")
}

/// The path with an ending added: a dot in the name ("thesis-4.1") is part of it, not an extension to replace.
fn with_ending(stem: &Path, ending: &str) -> PathBuf {
    let mut path = stem.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// The error of a figure that cannot be drawn from its data.
pub(super) fn unfit(title: &str, problem: impl std::fmt::Display, remedy: &str) -> Error {
    Error::usage(format!("figure '{title}': {problem}"), remedy)
}
