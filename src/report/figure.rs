//! What every figure can do: draw itself once, for SVG and PNG alike, and be saved as either.

use std::path::{Path, PathBuf};

use plotters::prelude::{BitMapBackend, DrawingBackend, SVGBackend};

use super::bitmap::encode;
use super::canvas::{Canvas, Letters, SCALE};
use crate::error::{Error, Result};
use crate::files::write_whole;

/// Device pixels of the PNG to a logical pixel: sharp on dense screens and in print.
const PNG_SCALE: u32 = 2;

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
    fn draw<DB: DrawingBackend>(&self, canvas: &mut Canvas<'_, DB>);

    /// The figure as one `<svg>` element.
    ///
    /// # Errors
    /// As [`Figure::check`].
    fn svg(&self) -> Result<String> {
        self.check()?;
        let (width, height) = self.size();
        let mut svg = String::new();
        let mut backend = SVGBackend::with_string(&mut svg, (width * SCALE as u32, height * SCALE as u32));
        let mut canvas = Canvas::new(&mut backend, Letters::AsText);
        self.draw(&mut canvas);
        canvas.finish().map_err(|problem| self.broken(problem))?;
        drop(backend);
        // The drawing is SCALE times as large as it shall be shown: the view box says so.
        let head_end = svg.find('>').map_or(0, |at| at + 1);
        let head = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {} {}\" \
             role=\"img\" aria-label=\"{}\">",
            width * SCALE as u32,
            height * SCALE as u32,
            super::html::escape(self.title()),
        );
        svg.replace_range(..head_end, &head);
        Ok(svg)
    }

    /// The figure as a PNG file, two device pixels to a logical pixel.
    ///
    /// # Errors
    /// As [`Figure::check`].
    fn png(&self) -> Result<Vec<u8>> {
        self.check()?;
        let (width, height) = self.size();
        let (full_width, full_height) = (width * SCALE as u32, height * SCALE as u32);
        let mut pixels = vec![255; full_width as usize * full_height as usize * 3];
        let mut backend = BitMapBackend::with_buffer(&mut pixels, (full_width, full_height));
        let mut canvas = Canvas::new(&mut backend, Letters::AsPixels);
        self.draw(&mut canvas);
        canvas.finish().map_err(|problem| self.broken(problem))?;
        drop(backend);
        let block = SCALE as usize / PNG_SCALE as usize;
        let smooth = averaged(&pixels, full_width as usize, block);
        encode(&smooth, width * PNG_SCALE, height * PNG_SCALE, png::ColorType::Rgb)
            .map_err(|error| self.broken(error.to_string()))
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

    /// The error of a drawing that failed although its data are fine.
    #[doc(hidden)]
    fn broken(&self, problem: String) -> Error {
        Error::data(format!("figure '{}'", self.title()), problem, "report this as a fault of Duramen")
    }
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

/// The image with each square of `block` by `block` pixels averaged to one, which smooths every edge.
fn averaged(pixels: &[u8], width: usize, block: usize) -> Vec<u8> {
    let n = (block * block) as u32;
    let mut smooth = Vec::with_capacity(pixels.len() / (block * block));
    for rows in pixels.chunks_exact(width * 3 * block) {
        for x in 0..width / block {
            for channel in 0..3 {
                let at = |dx: usize, dy: usize| u32::from(rows[(dy * width + x * block + dx) * 3 + channel]);
                let sum: u32 = (0..block).flat_map(|dy| (0..block).map(move |dx| at(dx, dy))).sum();
                smooth.push(((sum + n / 2) / n) as u8);
            }
        }
    }
    smooth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averaging_takes_the_mean_of_each_square() {
        // Two squares of 2 x 2 gray pixels side by side.
        let row = |values: [u8; 4]| values.iter().flat_map(|&v| [v; 3]).collect::<Vec<u8>>();
        let pixels = [row([0, 100, 8, 8]), row([100, 201, 8, 8])].concat();
        assert_eq!(averaged(&pixels, 4, 2), [100, 100, 100, 8, 8, 8]);
    }
}
