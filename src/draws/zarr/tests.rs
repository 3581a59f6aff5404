//! What a store gives back, and what it says of damage.

use super::*;
use crate::draws::{Array, Coordinate, Values};

fn example() -> InferenceData {
    let mut posterior = Group::new();
    posterior.number_draws(2, 3).unwrap();
    posterior.insert_coordinate("tag", Coordinate::Names(vec!["p".into(), "größe".into()])).unwrap();
    let theta =
        vec![1.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, 7.0, 8.0, 9.0, 10.0, 11.0, 0.1];
    let theta = Array::new(["chain", "draw", "tag"], [2, 3, 2], theta).unwrap().with_attribute("unit", "nat");
    posterior.insert("theta", theta).unwrap();
    posterior
        .insert("states", Array::new(["chain", "draw"], [2, 3], vec![0u8, 1, 255, 3, 4, 5]).unwrap())
        .unwrap();
    posterior.set_attribute("kernel", "collapsed");
    let mut observed = Group::new();
    observed.insert("words", Array::new(["node"], [0], Vec::<i64>::new()).unwrap()).unwrap();
    observed.insert("nodes", Array::new(Vec::<String>::new(), [], vec![i64::MIN]).unwrap()).unwrap();
    observed.insert_coordinate("none", Coordinate::Names(Vec::new())).unwrap();
    let mut data = InferenceData::new();
    data.insert("posterior", posterior).unwrap();
    data.insert("observed_data", observed).unwrap();
    data.set_attribute("seed", u64::MAX);
    data.set_attribute("settings", serde_json::json!({"sweeps": 30, "kernels": ["a", "b"]}));
    data
}

/// Every file below a folder, by its path.
fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            files.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
        }
    }
    files
}

fn bits(array: &Array) -> Vec<u64> {
    array.to_f64().iter().map(|x| x.to_bits()).collect()
}

#[test]
fn what_is_written_is_read_back_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made/draws");
    let data = example();
    data.write_zarr(&path).unwrap();
    let read = InferenceData::read_zarr(&path).unwrap();
    assert_eq!(read.attributes(), data.attributes());
    let (read, data) = (read.groups(), data.groups());
    assert_eq!(read["observed_data"], data["observed_data"]);
    let [theta, written] =
        [&read["posterior"], &data["posterior"]].map(|group| group.array("theta").unwrap());
    assert_eq!(bits(theta), bits(written));
    assert_eq!((theta.dims(), theta.attributes()), (written.dims(), written.attributes()));
    assert_eq!(read["posterior"].array("states"), data["posterior"].array("states"));
    assert_eq!(read["posterior"].coordinates(), data["posterior"].coordinates());
    assert_eq!(read["posterior"].attributes(), data["posterior"].attributes());
}

#[test]
fn an_array_of_many_chunks_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("draws");
    let values: Vec<i64> = (0..2 * 3 * 1_100_001).collect();
    let mut group = Group::new();
    group.insert("x", Array::new(["chain", "draw", "node"], [2, 3, 1_100_001], values).unwrap()).unwrap();
    let mut data = InferenceData::new();
    data.insert("posterior", group).unwrap();
    data.write_zarr(&path).unwrap();
    assert!(path.join("posterior/x/c/1/2/1").is_file());
    assert_eq!(InferenceData::read_zarr(&path).unwrap(), data);
}

#[test]
fn equal_data_make_equal_files_and_a_store_is_replaced_whole() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
    example().write_zarr(&first).unwrap();
    let mut other = Group::new();
    other.insert("old", Array::new(["chain"], [1], vec![0u8]).unwrap()).unwrap();
    let mut data = InferenceData::new();
    data.insert("prior", other).unwrap();
    data.write_zarr(&second).unwrap();
    example().write_zarr(&second).unwrap();
    assert_eq!(files_below(&first), files_below(&second));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left aside");
}

#[test]
fn a_folder_that_is_no_store_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("letter.txt"), "dear").unwrap();
    let error = example().write_zarr(folder.path()).unwrap_err().to_string();
    assert!(error.contains("is there and is no zarr store"), "{error}");
    assert!(folder.path().join("letter.txt").is_file());
}

#[test]
fn damage_is_named_with_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("draws");
    assert!(InferenceData::read_zarr(&path).unwrap_err().to_string().contains("is no zarr v3 store"));
    let theta = "posterior/theta/zarr.json";
    let chunk = "posterior/theta/c/0/0/0";
    let replace = |from: &'static str, to: &'static str| {
        move |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(from, to).into_bytes()
    };
    type Damage = Box<dyn Fn(Vec<u8>) -> Vec<u8>>;
    let damages: Vec<(&str, Damage)> = vec![
        (chunk, Box::new(|bytes| bytes[..bytes.len() / 2].to_vec())),
        (chunk, Box::new(|_| zstd::bulk::compress(&[0; 97], 3).unwrap())),
        (chunk, Box::new(|_| zstd::bulk::compress(&[0; 95], 3).unwrap())),
        ("posterior/tag/c/0", Box::new(|_| zstd::bulk::compress(&[2, 0, 0, 0, 9, 0, 0, 0, 1], 3).unwrap())),
        (theta, Box::new(replace("float64", "float16"))),
        (theta, Box::new(replace("little", "big"))),
        (theta, Box::new(replace("\"draw\"", "\"chain\""))),
        (theta, Box::new(replace("      3,", "      9223372036854775807,"))),
        (theta, Box::new(replace("      3,", "      0,"))),
        (theta, Box::new(|_| b"{}".to_vec())),
        ("zarr.json", Box::new(replace("\"node_type\": \"group\"", "\"node_type\": \"array\""))),
    ];
    for (i, (file, damage)) in damages.into_iter().enumerate() {
        example().write_zarr(&path).unwrap();
        let file = path.join(file);
        let damaged = damage(fs::read(&file).unwrap());
        assert_ne!(fs::read(&file).unwrap(), damaged, "damage {i} changes something");
        fs::write(&file, damaged).unwrap();
        let error = InferenceData::read_zarr(&path).expect_err(&format!("damage {i}"));
        assert!(matches!(error, Error::Data { .. }), "{i}: {error}");
    }
}

#[test]
fn values_keep_their_type() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("draws");
    example().write_zarr(&path).unwrap();
    let read = InferenceData::read_zarr(&path).unwrap();
    assert!(matches!(read.group("posterior").unwrap().array("states").unwrap().values(), Values::U8(_)));
    assert!(matches!(read.group("observed_data").unwrap().array("words").unwrap().values(), Values::I64(_)));
}
