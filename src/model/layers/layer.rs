//! `Layer`, how what was learned beyond counts is checked and shown.

use crate::error::Result;
use crate::model::config::ModelConfig;

/// Entries shown of a long list, the most important first.
pub(crate) const SHOWN: usize = 15;

/// A part of a model that was learned beyond its counts.
pub trait Layer {
    /// Checks what was learned, or read from a file, for models of a configuration.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) that names what is damaged or does not fit. Default: nothing can be.
    fn check(&self, _: &ModelConfig) -> Result<()> {
        Ok(())
    }

    /// A name and what a person reads of the layer in one line. Default none.
    fn line(&self) -> Option<(&'static str, String)> {
        None
    }

    /// What a person reads of it besides, of a checked model. Default nothing.
    fn details(&self, _: &ModelConfig) -> String {
        String::new()
    }
}

/// A probability in per cent; a dot stands for less than 0.05 %.
pub(crate) fn percent(p: f64) -> String {
    if p < 0.0005 { ".".to_owned() } else { format!("{:.1}", p * 100.0) }
}
