//! `duramen extractors`: what there is to extract with.

use clap::Args;

use crate::cli::outcome::Outcome;
use crate::cli::output::print;
use crate::error::Result;
use crate::extract::registry;

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  duramen extractors")]
pub struct Options {}

pub fn run(_options: &Options) -> Result<Outcome> {
    let mut text = String::new();
    for info in registry::list() {
        text += &format!("{}\n    {}\n    from: {}\n", info.id, info.summary, info.reference);
        if !info.needs.is_empty() {
            text += &format!("    needs: {}\n", info.needs.join(", "));
        }
        for parameter in info.parameters {
            text += &format!("    --set {}: {}; {}\n", parameter.name, parameter.what, parameter.range);
        }
    }
    print(&text)?;
    Ok(Outcome::Done)
}
