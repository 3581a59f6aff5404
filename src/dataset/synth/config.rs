//! How large and how faulty a corpus of our own is.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// How large a corpus is and how faulty.
///
/// | field | range | default |
/// |---|---|---|
/// | `sites` | 1 to 100,000 | 40 |
/// | `pages_per_site` | 1 to 100,000 | 5 |
/// | `seed` | any | 0 |
/// | `sites` x `pages_per_site` | at most 100,000 (a page takes some 30 KB) | 200 |
/// | `broken_share` | 0 to 1 | 0.25 |
/// | `open_title_share` | 0 to 1 | 0.01 |
/// | `misdeclared_share` | 0 to 1 | 0.2 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SynthConfig {
    /// Number of sites, each with a host, a layout and a language of its own.
    pub sites: usize,
    /// Number of pages of each site.
    pub pages_per_site: usize,
    /// The seed; the same one gives the same bytes on every machine.
    pub seed: u64,
    /// Probability that a page has broken markup: missing or misplaced end tags, no `html`, `head` and `body`.
    pub broken_share: f64,
    /// Probability that a page never closes its `<title>` (7 of 621 pages of L3S-GN1 do not).
    pub open_title_share: f64,
    /// Probability that a site declares another encoding than it uses, or none (L3S-GN1: 119 of 621 pages).
    pub misdeclared_share: f64,
}

impl Default for SynthConfig {
    fn default() -> Self {
        SynthConfig {
            sites: 40,
            pages_per_site: 5,
            seed: 0,
            broken_share: 0.25,
            open_title_share: 0.01,
            misdeclared_share: 0.2,
        }
    }
}

impl SynthConfig {
    /// Checks every field against its range.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the first field out of its range.
    pub fn validate(&self) -> Result<()> {
        for (name, value) in [("sites", self.sites), ("pages_per_site", self.pages_per_site)] {
            if !(1..=100_000).contains(&value) {
                return Err(Error::usage(format!("{name} is {value}"), "write a number from 1 to 100000"));
            }
        }
        let pages = self.sites * self.pages_per_site;
        if pages > 100_000 {
            return Err(Error::usage(
                format!("sites x pages_per_site is {pages}"),
                "ask for at most 100000 pages, and write more with other seeds",
            ));
        }
        for (name, value) in [
            ("broken_share", self.broken_share),
            ("open_title_share", self.open_title_share),
            ("misdeclared_share", self.misdeclared_share),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::usage(format!("{name} is {value}"), "write a share from 0 to 1"));
            }
        }
        Ok(())
    }
}
