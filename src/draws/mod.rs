//! Draws of a sampler and what belongs to them, kept as ArviZ's `InferenceData`: groups of named arrays.
//!
//! | module | holds |
//! |---|---|
//! | [`group`] | [`Group`]: the arrays of one group with the coordinates of their dimensions |
//! | [`array`](mod@array) | [`Array`]: values with named dimensions |
//! | `zarr` | the store: `InferenceData::write_zarr`, `InferenceData::read_zarr`; not there without Cargo features |
//! | `json` | nested JSON: [`InferenceData::write_json`] |
//!
//! A leaf of the package: it knows arrays, not what they are of. The layout follows ArviZ's schema for
//! `InferenceData`: `posterior`, `sample_stats`, `observed_data`, `posterior_predictive`, `warmup_posterior` and so on;
//! arrays of draws have the dimensions `chain` and `draw` first.

pub mod array;
pub mod group;
mod json;
#[cfg(feature = "zstd")]
mod zarr;

use std::collections::BTreeMap;

pub use array::{Array, Coordinate, Values};
pub use group::{Group, Series};

use crate::error::{Error, Result};

/// Attributes of a store, a group or an array: names with JSON values.
pub type Attributes = BTreeMap<String, serde_json::Value>;

/// Groups of arrays by name, with attributes of the whole: a sampler's result as ArviZ knows it.
///
/// # Examples
/// ```
/// use duramen::draws::{Array, Coordinate, Group, InferenceData};
/// let mut posterior = Group::new();
/// posterior.insert_coordinate("tag", Coordinate::Names(vec!["p".into(), "div".into()]))?;
/// posterior.insert("theta", Array::new(["chain", "draw", "tag"], [1, 2, 2], vec![0.1, 0.9, 0.2, 0.8])?)?;
/// let mut data = InferenceData::new();
/// data.set_attribute("seed", 1);
/// data.insert("posterior", posterior)?;
/// let series = data.group("posterior").unwrap().series("theta")?;
/// assert_eq!((series[1].label.as_str(), &series[1].chains), ("theta[div]", &ndarray::array![[0.9, 0.8]]));
/// # Ok::<(), duramen::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct InferenceData {
    groups: BTreeMap<String, Group>,
    attributes: Attributes,
}

impl Default for InferenceData {
    fn default() -> Self {
        Self::new()
    }
}

impl InferenceData {
    /// No groups; the attributes `inference_library` and `inference_library_version`, which name this package.
    pub fn new() -> Self {
        InferenceData { groups: BTreeMap::new(), attributes: library() }
    }

    /// Adds a group, in place of one of that name.
    ///
    /// # Errors
    /// [`Error::Usage`] if the name cannot be that of a folder: letters, digits, `_`, `-` and `.` can.
    pub fn insert(&mut self, name: &str, group: Group) -> Result<()> {
        check_name("group", name)?;
        self.groups.insert(name.to_owned(), group);
        Ok(())
    }

    /// The group of this name.
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.get(name)
    }

    /// All groups by name.
    pub fn groups(&self) -> &BTreeMap<String, Group> {
        &self.groups
    }

    /// Sets an attribute of the whole, such as the seed, settings or digests of data.
    pub fn set_attribute(&mut self, name: &str, value: impl Into<serde_json::Value>) {
        self.attributes.insert(name.to_owned(), value.into());
    }

    /// The attributes of the whole.
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }
}

/// The attributes that name this package. When something was made is not among them: equal draws make equal files.
fn library() -> Attributes {
    let attributes =
        [("inference_library", "duramen"), ("inference_library_version", env!("CARGO_PKG_VERSION"))];
    attributes.map(|(name, value)| (name.to_owned(), value.into())).into()
}

/// Refuses a name that cannot be that of a folder everywhere, or that zarr keeps for itself.
fn check_name(what: &str, name: &str) -> Result<()> {
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let kept = name.starts_with('.') || name.starts_with("__") || name == "zarr.json";
    if name.is_empty() || kept || !name.chars().all(known) {
        return Err(Error::usage(
            format!("{what} is named '{name}'"),
            "names are of ASCII letters, digits, '_', '-' and '.', and do not begin with '.' or '__'",
        ));
    }
    Ok(())
}
