//! `duramen layout-worker`: lays out the pages that come on standard input; started by duramen itself.

use crate::cli::outcome::Outcome;
use crate::error::Result;

#[cfg(feature = "blitz")]
pub fn run() -> Result<Outcome> {
    crate::layout::blitz::serve(std::io::stdin().lock(), std::io::stdout().lock())?;
    Ok(Outcome::Done)
}

#[cfg(not(feature = "blitz"))]
pub fn run() -> Result<Outcome> {
    Err(crate::Error::built_without("blitz", "lays pages out without a browser"))
}
