//! Draws as nested JSON in the layout of ArviZ's `InferenceData.to_json`: read by `arviz.from_json`.
//!
//! ```text
//! {
//!   "attrs": {...},                                   attributes of the whole
//!   "coords": {"state": ["full-text", ...], ...},     of all groups; `chain` and `draw` are numbered from 0
//!   "dims": {"theta": ["state"], ...},                of all groups, without `chain` and `draw`
//!   "posterior": {"theta": [[[...]]], ...},           nested lists [chain][draw][state]
//!   "posterior_attrs": {...},
//!   "observed_data": {"words": [...], ...},           no chains and draws in groups whose name ends with "_data"
//!   ...
//! }
//! ```
//!
//! JSON knows no NaN and no infinities: all of them are `null`. NumPy makes an array with `null` one of objects, which
//! `.astype(float)` makes numbers again. The zarr store keeps them as they are, and the attributes of arrays, which this
//! layout has no place for.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use serde::{Serialize, Serializer};

use super::{Array, Attributes, Coordinate, Group, InferenceData, Values};
use crate::error::{Error, Result};
use crate::files;

impl InferenceData {
    /// Writes nested JSON, for `arviz.from_json`, to a file, atomically.
    ///
    /// # Errors
    /// As [`InferenceData::to_json`].
    pub fn write_json(&self, path: &Path) -> Result<()> {
        let mut bytes = Vec::new();
        self.to_json(&mut bytes)?;
        files::write_whole(path, &bytes)
    }

    /// Writes nested JSON, for `arviz.from_json`. NaN and infinities become `null`; attributes of arrays and labels of
    /// chains and draws are left out, since ArviZ's layout has no place for them.
    ///
    /// # Errors
    /// [`Error::Usage`] where the layout cannot hold the data: two groups have different coordinates for a dimension or
    /// different dimensions for a name, or the arrays of a group (but those whose name ends with `_data`) do not begin
    /// with the dimensions `chain` and `draw`. [`Error::Io`].
    pub fn to_json(&self, mut writer: impl Write) -> Result<()> {
        let json = self.layout()?;
        serde_json::to_writer(&mut writer, &json)
            .map_err(std::io::Error::from)
            .and_then(|()| writer.write_all(b"\n"))
            .map_err(|error| Error::io("draws as JSON", error))
    }

    fn layout(&self) -> Result<BTreeMap<String, Part<'_>>> {
        let mut coords: BTreeMap<&str, &Coordinate> = BTreeMap::new();
        let mut dims: BTreeMap<&str, &[String]> = BTreeMap::new();
        let mut parts = BTreeMap::new();
        for (group_name, group) in self.groups() {
            for (name, array) in group.arrays() {
                let own = own_dims(group_name, name, array)?;
                if *dims.entry(name).or_insert(own) != own {
                    return Err(ambiguous(format!("arrays named '{name}' have different dimensions")));
                }
            }
            for (dim, coordinate) in group.coordinates() {
                let is_numbered = matches!(dim.as_str(), "chain" | "draw");
                if !is_numbered && *coords.entry(dim).or_insert(coordinate) != coordinate {
                    return Err(ambiguous(format!("dimension '{dim}' has different labels")));
                }
            }
            parts.insert(group_name.clone(), Part::Arrays(group));
            parts.insert(format!("{group_name}_attrs"), Part::Attributes(group.attributes()));
        }
        dims.retain(|_, dims| !dims.is_empty());
        parts.insert("coords".to_owned(), Part::Coordinates(coords));
        parts.insert("dims".to_owned(), Part::Dims(dims));
        parts.insert("attrs".to_owned(), Part::Attributes(self.attributes()));
        Ok(parts)
    }
}

fn ambiguous(what: String) -> Error {
    Error::usage(
        format!("{what} in two groups, which ArviZ's JSON cannot hold"),
        "give one of them another name, or write a zarr store",
    )
}

/// The dimensions of an array that the layout names: all but chain and draw.
fn own_dims<'a>(group: &str, name: &str, array: &'a Array) -> Result<&'a [String]> {
    match array.dims() {
        dims if group.ends_with("_data") => Ok(dims),
        [chain, draw, own @ ..] if chain == "chain" && draw == "draw" => Ok(own),
        dims => Err(Error::usage(
            format!("array '{name}' of group '{group}' has dimensions {dims:?}"),
            "in ArviZ's JSON they begin with 'chain' and 'draw', but in groups whose name ends with '_data'",
        )),
    }
}

/// What stands under one key.
#[derive(Serialize)]
#[serde(untagged)]
enum Part<'a> {
    Attributes(&'a Attributes),
    Coordinates(BTreeMap<&'a str, &'a Coordinate>),
    Dims(BTreeMap<&'a str, &'a [String]>),
    #[serde(serialize_with = "arrays")]
    Arrays(&'a Group),
}

fn arrays<S: Serializer>(group: &Group, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(
        group
            .arrays()
            .iter()
            .map(|(name, array)| (name, Nested { shape: array.shape(), values: array.values(), start: 0 })),
    )
}

impl Serialize for Coordinate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Coordinate::Integers(values) => values.serialize(serializer),
            Coordinate::Names(names) => names.serialize(serializer),
        }
    }
}

/// The values from `start` on in lists of this shape.
struct Nested<'a> {
    shape: &'a [usize],
    values: &'a Values,
    start: usize,
}

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Nested { shape, values, start } = *self;
        let Some((&length, shape)) = shape.split_first() else {
            // serde_json writes what is not finite as null.
            return match values {
                Values::F64(values) => values[start].serialize(serializer),
                Values::I64(values) => values[start].serialize(serializer),
                Values::U8(values) => values[start].serialize(serializer),
            };
        };
        let step: usize = shape.iter().product();
        serializer.collect_seq((0..length).map(|i| Nested { shape, values, start: start + i * step }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(data: &InferenceData) -> Result<serde_json::Value> {
        let mut bytes = Vec::new();
        data.to_json(&mut bytes)?;
        Ok(serde_json::from_slice(&bytes).unwrap())
    }

    #[test]
    fn the_layout_is_that_of_arviz_and_what_is_not_finite_is_null() {
        let mut posterior = Group::new();
        posterior.number_draws(1, 2).unwrap();
        posterior.insert_coordinate("state", Coordinate::Names(vec!["a".into(), "b".into()])).unwrap();
        let theta = vec![0.5, f64::NAN, f64::INFINITY, 1.0];
        posterior.insert("theta", Array::new(["chain", "draw", "state"], [1, 2, 2], theta).unwrap()).unwrap();
        let mut observed = Group::new();
        observed.insert("words", Array::new(["node"], [3], vec![4i64, 0, 9]).unwrap()).unwrap();
        observed.set_attribute("page", "p");
        let mut data = InferenceData::new();
        data.insert("posterior", posterior).unwrap();
        data.insert("observed_data", observed).unwrap();
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            json(&data).unwrap(),
            serde_json::json!({
                "attrs": {"inference_library": "duramen", "inference_library_version": version},
                "coords": {"state": ["a", "b"]},
                "dims": {"theta": ["state"], "words": ["node"]},
                "posterior": {"theta": [[[0.5, null], [null, 1.0]]]},
                "posterior_attrs": {"inference_library": "duramen", "inference_library_version": version},
                "observed_data": {"words": [4, 0, 9]},
                "observed_data_attrs":
                    {"inference_library": "duramen", "inference_library_version": version, "page": "p"},
            })
        );
    }

    #[test]
    fn what_the_layout_cannot_hold_is_refused() {
        let group = |dims: [&str; 3]| {
            let mut group = Group::new();
            group.insert("x", Array::new(dims, [1, 1, 2], vec![0u8; 2]).unwrap()).unwrap();
            group
        };
        let mut data = InferenceData::new();
        data.insert("posterior", group(["chain", "draw", "a"])).unwrap();
        assert!(json(&data).is_ok());
        data.insert("sample_stats", group(["chain", "draw", "b"])).unwrap();
        assert!(json(&data).unwrap_err().to_string().contains("'x' have different dimensions"));
        data.insert("sample_stats", group(["draw", "chain", "a"])).unwrap();
        assert!(json(&data).unwrap_err().to_string().contains("begin with 'chain' and 'draw'"));
    }
}
