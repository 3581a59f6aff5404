//! Draws as a zarr v3 store in ArviZ's layout, written and read: a folder that xarray, zarr-python and ArviZ open.
//!
//! The root is a group with the attributes of the whole, below it each group with its arrays; a coordinate is an array
//! of one dimension of its own name. Numbers are little-endian, names the type `string` (codec `vlen-utf8`), both
//! compressed with zstd. In Python:
//!
//! ```text
//! tree = xarray.open_datatree("draws", engine="zarr")
//! data = arviz.InferenceData.from_datatree(tree)      # ArviZ 0.23; later versions take the tree itself
//! ```
//!
//! References: the Zarr core specification, version 3; the registered codecs `bytes`, `vlen-utf8` and `zstd`; the
//! InferenceData schema of ArviZ. What is written here is a small part of the specification; the library for all of it
//! (zarrs 0.23, without its defaults) needs 48 more packages and doubled the time of a build.

mod arrays;
mod chunks;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::arrays::{Stored, read_array, write_array, write_coordinate};
use super::{Attributes, Group, InferenceData};
use crate::error::{Error, Result};
use crate::files;

/// The metadata of a group or array: a file of this name in its folder.
const METADATA: &str = "zarr.json";

/// The metadata of a group.
#[derive(Serialize, Deserialize)]
struct GroupMetadata {
    zarr_format: u32,
    node_type: String,
    #[serde(default)]
    attributes: Attributes,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    consolidated_metadata: Option<Consolidated>,
}

/// The metadata of all that is below a group, so that it is opened by reading one file: an agreement of zarr-python and
/// xarray, which warn where it is missing. Not read here.
#[derive(Serialize)]
struct Consolidated {
    kind: &'static str,
    must_understand: bool,
    metadata: BTreeMap<String, Value>,
}

impl InferenceData {
    /// Writes a zarr v3 store, a folder: whole, or not there. A store that was there is replaced.
    ///
    /// Equal data make equal files.
    ///
    /// # Errors
    /// [`Error::Usage`] if `path` is there and no zarr store; [`Error::Io`].
    pub fn write_zarr(&self, path: &Path) -> Result<()> {
        if path.exists() && !path.join(METADATA).is_file() {
            return Err(Error::usage(
                format!("{} is there and is no zarr store", path.display()),
                "name a folder that is not there, or a store to replace",
            ));
        }
        files::write_whole_folder(path, |folder| self.write_into(folder))
    }

    fn write_into(&self, folder: &Path) -> Result<()> {
        let mut all = BTreeMap::new();
        for (group_name, group) in self.groups() {
            let folder = folder.join(group_name);
            let mut below = BTreeMap::new();
            for (name, array) in group.arrays() {
                below.insert(name.clone(), write_array(&folder.join(name), array)?);
            }
            for (dim, coordinate) in group.coordinates() {
                below.insert(dim.clone(), write_coordinate(&folder.join(dim), dim, coordinate)?);
            }
            all.extend(
                below.iter().map(|(name, metadata)| (format!("{group_name}/{name}"), metadata.clone())),
            );
            let metadata = write_group_metadata(&folder, group.attributes(), below)?;
            all.insert(group_name.clone(), metadata);
        }
        write_group_metadata(folder, self.attributes(), all).map(drop)
    }

    /// Reads the attributes of a store alone.
    ///
    /// # Errors
    /// As [`InferenceData::read_zarr`].
    pub fn read_attributes(path: &Path) -> Result<Attributes> {
        if !path.join(METADATA).is_file() {
            return Err(Error::data(
                path.display(),
                "is no zarr v3 store",
                format!("name a folder with {METADATA}, as `duramen sample` writes it"),
            ));
        }
        read_group_metadata(path)
    }

    /// Reads a store that [`InferenceData::write_zarr`] wrote.
    ///
    /// # Errors
    /// [`Error::Data`] if there is no store, or it is damaged or written by another program in another way;
    /// [`Error::Io`].
    pub fn read_zarr(path: &Path) -> Result<Self> {
        let mut data = InferenceData::new();
        data.attributes = Self::read_attributes(path)?;
        for (name, folder) in folders(path)? {
            let mut group = Group::new();
            for (name, value) in read_group_metadata(&folder)? {
                group.set_attribute(&name, value);
            }
            for (name, folder) in folders(&folder)? {
                let added = match read_array(&folder, &name)? {
                    Stored::Array(array) => group.insert(&name, array),
                    Stored::Coordinate(coordinate) => group.insert_coordinate(&name, coordinate),
                };
                added.map_err(|error| damaged(&folder, error.to_string()))?;
            }
            data.insert(&name, group).map_err(|error| damaged(&folder, error.to_string()))?;
        }
        Ok(data)
    }
}

/// The folders in a folder, by name.
fn folders(path: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(path).map_err(|error| Error::io(path, error))? {
        let entry = entry.map_err(|error| Error::io(path, error))?.path();
        if let (true, Some(name)) = (entry.join(METADATA).is_file(), entry.file_name()) {
            folders.push((name.to_string_lossy().into_owned(), entry));
        }
    }
    folders.sort();
    Ok(folders)
}

fn damaged(path: &Path, problem: impl Into<String>) -> Error {
    Error::data(path.display(), problem, "write the store again with `duramen sample`")
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().expect("files are in a folder");
    fs::create_dir_all(folder).and_then(|()| fs::write(path, bytes)).map_err(|error| Error::io(path, error))
}

/// Writes metadata and gives them back as JSON.
fn write_metadata(folder: &Path, metadata: &impl Serialize) -> Result<Value> {
    let json = serde_json::to_value(metadata).expect("metadata are JSON");
    write(&folder.join(METADATA), format!("{json:#}\n").as_bytes())?;
    Ok(json)
}

fn read_metadata<T: for<'a> Deserialize<'a>>(folder: &Path) -> Result<T> {
    let path = folder.join(METADATA);
    let text = fs::read(&path).map_err(|error| Error::io(&path, error))?;
    serde_json::from_slice(&text).map_err(|error| damaged(&path, error.to_string()))
}

/// Writes the metadata of a group with those of all `below`, and gives them back without.
fn write_group_metadata(
    folder: &Path,
    attributes: &Attributes,
    below: BTreeMap<String, Value>,
) -> Result<Value> {
    let consolidated = Consolidated { kind: "inline", must_understand: false, metadata: below };
    let metadata = GroupMetadata {
        zarr_format: 3,
        node_type: "group".to_owned(),
        attributes: attributes.clone(),
        consolidated_metadata: Some(consolidated),
    };
    let mut json = write_metadata(folder, &metadata)?;
    json["consolidated_metadata"]["metadata"] = serde_json::json!({});
    Ok(json)
}

fn read_group_metadata(folder: &Path) -> Result<Attributes> {
    let metadata: GroupMetadata = read_metadata(folder)?;
    if metadata.zarr_format != 3 || metadata.node_type != "group" {
        return Err(damaged(folder, "is no group of zarr version 3"));
    }
    Ok(metadata.attributes)
}

#[cfg(test)]
mod tests;
