//! Arrays and coordinates of a zarr v3 store: metadata, codecs, values.

use std::fs;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::chunks::{chunk_shape, chunks, is_in_order};
use super::{damaged, read_metadata, write, write_metadata};
use crate::draws::{Array, Attributes, Coordinate, Values};
use crate::error::{Error, Result};

/// Of the compression: zstd's own default.
const LEVEL: i32 = 3;

/// The metadata of an array, as far as they are written here.
#[derive(Serialize, Deserialize)]
struct ArrayMetadata {
    zarr_format: u32,
    node_type: String,
    shape: Vec<usize>,
    data_type: String,
    chunk_grid: Extension,
    chunk_key_encoding: Extension,
    fill_value: Value,
    codecs: Vec<Extension>,
    #[serde(default)]
    attributes: Attributes,
    dimension_names: Vec<String>,
}

/// A name with settings: the specification's form of everything that may be extended.
#[derive(Serialize, Deserialize)]
struct Extension {
    name: String,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    configuration: Value,
}

impl ArrayMetadata {
    fn new(
        data_type: &str,
        dims: &[String],
        shape: &[usize],
        chunk_shape: Vec<usize>,
        fill_value: Value,
    ) -> Self {
        ArrayMetadata {
            zarr_format: 3,
            node_type: "array".to_owned(),
            shape: shape.to_vec(),
            data_type: data_type.to_owned(),
            chunk_grid: extension("regular", json!({ "chunk_shape": chunk_shape })),
            chunk_key_encoding: extension("default", json!({ "separator": "/" })),
            fill_value,
            codecs: codecs(data_type),
            attributes: Attributes::new(),
            dimension_names: dims.to_vec(),
        }
    }
}

fn extension(name: &str, configuration: Value) -> Extension {
    Extension { name: name.to_owned(), configuration }
}

fn codecs(data_type: &str) -> Vec<Extension> {
    let to_bytes = match data_type {
        "string" => extension("vlen-utf8", Value::Null),
        "uint8" => extension("bytes", Value::Null),
        _ => extension("bytes", json!({ "endian": "little" })),
    };
    vec![to_bytes, extension("zstd", json!({ "level": LEVEL, "checksum": false }))]
}

/// Writes an array and gives its metadata.
pub(super) fn write_array(folder: &Path, array: &Array) -> Result<Value> {
    let shape = array.shape();
    let (data_type, fill_value, size) = match array.values() {
        Values::F64(_) => ("float64", json!("NaN"), 8),
        Values::I64(_) => ("int64", json!(0), 8),
        Values::U8(_) => ("uint8", json!(0), 1),
    };
    let chunk_shape = chunk_shape(shape, size);
    let chunk_size: usize = chunk_shape.iter().product();
    for (key, range) in chunks(shape, &chunk_shape) {
        let missing = chunk_size - range.len();
        let bytes: Vec<u8> = match array.values() {
            Values::F64(values) => values[range]
                .iter()
                .chain(std::iter::repeat_n(&f64::NAN, missing))
                .flat_map(|x| x.to_le_bytes())
                .collect(),
            Values::I64(values) => values[range]
                .iter()
                .chain(std::iter::repeat_n(&0, missing))
                .flat_map(|x| x.to_le_bytes())
                .collect(),
            Values::U8(values) => {
                values[range].iter().copied().chain(std::iter::repeat_n(0, missing)).collect()
            }
        };
        write_chunk(&folder.join(key), &bytes)?;
    }
    let mut metadata = ArrayMetadata::new(data_type, array.dims(), shape, chunk_shape, fill_value);
    metadata.attributes = array.attributes().clone();
    write_metadata(folder, &metadata)
}

/// Writes the labels of a dimension and gives the metadata.
pub(super) fn write_coordinate(folder: &Path, dim: &str, coordinate: &Coordinate) -> Result<Value> {
    let length = coordinate.len();
    let array = |values: Values| Array::new([dim], [length], values);
    match coordinate {
        Coordinate::Integers(values) => write_array(folder, &array(values.clone().into())?),
        Coordinate::Names(names) => {
            let text = |n: usize| u32::try_from(n).map_err(|_| damaged(folder, "names of 4 GiB"));
            let mut bytes = text(length)?.to_le_bytes().to_vec();
            for name in names {
                bytes.extend(text(name.len())?.to_le_bytes());
                bytes.extend(name.as_bytes());
            }
            if length > 0 {
                write_chunk(&folder.join("c/0"), &bytes)?;
            }
            let chunk_shape = vec![length.max(1)];
            let metadata = ArrayMetadata::new("string", &[dim.to_owned()], &[length], chunk_shape, json!(""));
            write_metadata(folder, &metadata)
        }
    }
}

fn write_chunk(path: &Path, bytes: &[u8]) -> Result<()> {
    let packed = zstd::bulk::compress(bytes, LEVEL).map_err(|error| Error::io(path, error))?;
    write(path, &packed)
}

/// What a folder with an array holds.
pub(super) enum Stored {
    Array(Array),
    Coordinate(Coordinate),
}

/// Reads the array of a folder, which is labels if it has one dimension of its own name.
pub(super) fn read_array(folder: &Path, name: &str) -> Result<Stored> {
    let metadata: ArrayMetadata = read_metadata(folder)?;
    let ArrayMetadata { shape, data_type, dimension_names: dims, .. } = &metadata;
    let of_names = |extensions: &[Extension]| -> Vec<String> {
        extensions.iter().map(|extension| extension.name.clone()).collect()
    };
    let endian = metadata.codecs.first().and_then(|codec| codec.configuration.get("endian"));
    if metadata.zarr_format != 3
        || metadata.node_type != "array"
        || metadata.chunk_grid.name != "regular"
        || metadata.chunk_key_encoding.name != "default"
        || metadata
            .chunk_key_encoding
            .configuration
            .get("separator")
            .is_some_and(|separator| separator != "/")
        || of_names(&metadata.codecs) != of_names(&codecs(data_type))
        || endian.is_some_and(|endian| endian != "little")
    {
        return Err(damaged(folder, "is no array as Duramen writes it"));
    }
    let chunk_shape: Vec<usize> =
        serde_json::from_value(metadata.chunk_grid.configuration["chunk_shape"].clone())
            .map_err(|error| damaged(folder, format!("chunk_shape: {error}")))?;
    let sizes =
        [shape, &chunk_shape].map(|lengths| lengths.iter().try_fold(8usize, |n, &m| n.checked_mul(m)));
    if chunk_shape.len() != shape.len() || chunk_shape.contains(&0) || sizes.contains(&None) {
        return Err(damaged(folder, format!("a shape of {shape:?} in chunks of {chunk_shape:?}")));
    }
    let is_coordinate = *dims == [name];
    let values = match data_type.as_str() {
        "float64" => Values::F64(read_numbers(folder, shape, &chunk_shape, f64::from_le_bytes)?),
        "int64" => Values::I64(read_numbers(folder, shape, &chunk_shape, i64::from_le_bytes)?),
        "uint8" => Values::U8(read_numbers(folder, shape, &chunk_shape, u8::from_le_bytes)?),
        "string" if is_coordinate => return Ok(Stored::Coordinate(read_names(folder, shape[0])?)),
        other => return Err(damaged(folder, format!("values of type {other}"))),
    };
    if let (true, Values::I64(values)) = (is_coordinate, &values) {
        return Ok(Stored::Coordinate(Coordinate::Integers(values.clone())));
    }
    let mut array = Array::new(dims.clone(), shape.clone(), values)
        .map_err(|error| damaged(folder, error.to_string()))?;
    for (name, value) in metadata.attributes {
        array = array.with_attribute(&name, value);
    }
    Ok(Stored::Array(array))
}

fn read_numbers<T, const BYTES: usize>(
    folder: &Path,
    shape: &[usize],
    chunk_shape: &[usize],
    number: impl Fn([u8; BYTES]) -> T,
) -> Result<Vec<T>> {
    if !is_in_order(shape, chunk_shape) {
        return Err(damaged(folder, format!("chunks of {chunk_shape:?}, which Duramen does not write")));
    }
    let size = chunk_shape.iter().product::<usize>() * BYTES;
    let mut values = Vec::new();
    for (key, range) in chunks(shape, chunk_shape) {
        let path = folder.join(key);
        let bytes = read_chunk(&path, size)?;
        if bytes.len() != size {
            return Err(damaged(&path, format!("{} bytes in place of {size}", bytes.len())));
        }
        let (numbers, _) = bytes.as_chunks::<BYTES>();
        values.extend(numbers[..range.len()].iter().map(|&bytes| number(bytes)));
    }
    Ok(values)
}

fn read_names(folder: &Path, length: usize) -> Result<Coordinate> {
    if length == 0 {
        return Ok(Coordinate::Names(Vec::new()));
    }
    let path = folder.join("c/0");
    let bytes = read_chunk(&path, u32::MAX as usize)?;
    let mut rest = bytes.as_slice();
    let mut next = |n: usize| {
        let (taken, left) = rest.split_at_checked(n).ok_or_else(|| damaged(&path, "is cut"))?;
        rest = left;
        Ok(taken)
    };
    let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes")) as usize;
    if number(next(4)?) != length {
        return Err(damaged(&path, format!("does not hold {length} names")));
    }
    let mut names = Vec::new();
    for _ in 0..length {
        let bytes = number(next(4)?);
        let name = std::str::from_utf8(next(bytes)?).map_err(|error| damaged(&path, error.to_string()))?;
        names.push(name.to_owned());
    }
    Ok(Coordinate::Names(names))
}

/// A chunk unpacked: at most one byte more than `size`, so that a damaged one does not fill the memory.
fn read_chunk(path: &Path, size: usize) -> Result<Vec<u8>> {
    let packed = fs::read(path).map_err(|error| Error::io(path, error))?;
    let mut bytes = Vec::new();
    zstd::Decoder::new(packed.as_slice())
        .and_then(|decoder| decoder.take(size as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| damaged(path, error.to_string()))?;
    Ok(bytes)
}
