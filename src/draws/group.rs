//! `Group`, arrays that share dimensions, with the labels of these.

use std::collections::BTreeMap;

use ndarray::{Array2, Axis, CowArray, Ix3};

use super::array::{Array, Coordinate};
use super::{Attributes, check_name, library};
use crate::error::{Error, Result, did_you_mean};

/// Arrays by name, with the coordinates of their dimensions: what ArviZ calls a group and xarray a data set.
///
/// A dimension has the same length in all arrays of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    arrays: BTreeMap<String, Array>,
    coordinates: BTreeMap<String, Coordinate>,
    attributes: Attributes,
}

/// The draws of one number: one place of an array without its dimensions `chain` and `draw`.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// As ArviZ writes it: the array's name, and in brackets the labels of the place.
    pub label: String,
    /// The draws of each chain. Shape: chains x draws.
    pub chains: Array2<f64>,
}

impl Default for Group {
    fn default() -> Self {
        Self::new()
    }
}

impl Group {
    /// No arrays; the attributes that name this package, which ArviZ's schema has in every group.
    pub fn new() -> Self {
        Group { arrays: BTreeMap::new(), coordinates: BTreeMap::new(), attributes: library() }
    }

    /// Adds an array, in place of one of that name.
    ///
    /// # Errors
    /// [`Error::Usage`] if the name cannot be that of a folder or is a dimension's, or a dimension is longer or shorter
    /// than elsewhere in the group.
    pub fn insert(&mut self, name: &str, array: Array) -> Result<()> {
        check_name("an array", name)?;
        // xarray takes an array named like a dimension for the labels of that dimension.
        let is_dimension = self.length(name).is_some() || array.dims().iter().any(|dim| dim == name);
        let named = array.dims().iter().find(|dim| self.arrays.contains_key(*dim));
        if let Some(name) = named.map(String::as_str).or(is_dimension.then_some(name)) {
            return Err(two_of_one_name(name));
        }
        for (dim, &length) in array.dims().iter().zip(array.shape()) {
            self.check_length(name, dim, length)?;
        }
        self.arrays.insert(name.to_owned(), array);
        Ok(())
    }

    /// Labels the places of dimension `dim`, in place of labels that it had.
    ///
    /// # Errors
    /// As [`Group::insert`].
    pub fn insert_coordinate(&mut self, dim: &str, coordinate: Coordinate) -> Result<()> {
        check_name("a coordinate", dim)?;
        if self.arrays.contains_key(dim) {
            return Err(two_of_one_name(dim));
        }
        self.coordinates.remove(dim);
        self.check_length("the coordinate", dim, coordinate.len())?;
        self.coordinates.insert(dim.to_owned(), coordinate);
        Ok(())
    }

    /// Numbers the dimensions `chain` and `draw` from 0.
    ///
    /// # Errors
    /// As [`Group::insert`].
    pub fn number_draws(&mut self, chains: usize, draws: usize) -> Result<()> {
        self.insert_coordinate("chain", Coordinate::numbers(chains))?;
        self.insert_coordinate("draw", Coordinate::numbers(draws))
    }

    fn check_length(&self, name: &str, dim: &str, length: usize) -> Result<()> {
        match self.length(dim) {
            Some(known) if known != length => Err(Error::usage(
                format!("dimension '{dim}' has length {length} in {name} and {known} elsewhere in the group"),
                "a dimension has one length; give the other another name",
            )),
            _ => Ok(()),
        }
    }

    /// The length of a dimension, if any array or coordinate has it.
    pub fn length(&self, dim: &str) -> Option<usize> {
        let in_arrays = self.arrays.values().flat_map(|array| array.dims().iter().zip(array.shape()));
        let in_coordinates = self.coordinates.get(dim).map(Coordinate::len);
        in_coordinates
            .or_else(|| in_arrays.into_iter().find(|(name, _)| *name == dim).map(|(_, &length)| length))
    }

    /// Sets an attribute of the group.
    pub fn set_attribute(&mut self, name: &str, value: impl Into<serde_json::Value>) {
        self.attributes.insert(name.to_owned(), value.into());
    }

    /// The array of this name.
    pub fn array(&self, name: &str) -> Option<&Array> {
        self.arrays.get(name)
    }

    /// All arrays by name.
    pub fn arrays(&self) -> &BTreeMap<String, Array> {
        &self.arrays
    }

    /// The coordinates by dimension.
    pub fn coordinates(&self) -> &BTreeMap<String, Coordinate> {
        &self.coordinates
    }

    /// The attributes of the group.
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// The draws of an array: a view of numbers, a copy of whole ones. Shape: chains x draws x variables, the
    /// variables being the places of all other dimensions in row-major order.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such array, with the nearest, or its first dimensions are not `chain` and `draw`.
    ///
    /// # Examples
    /// ```
    /// use duramen::draws::{Array, Group};
    /// use ndarray::{ArrayView3, Axis, array};
    ///
    /// let mut posterior = Group::new();
    /// let theta = vec![0.1, 0.9, 0.3, 0.7, 0.2, 0.8, 0.4, 0.6];
    /// posterior.insert("theta", Array::new(["chain", "draw", "tag"], [2, 2, 2], theta)?)?;
    /// let draws = posterior.draws("theta")?;
    /// let draws: ArrayView3<f64> = draws.view();
    /// assert_eq!(draws[[1, 0, 1]], 0.8);
    /// assert_eq!(draws.index_axis(Axis(2), 0), array![[0.1, 0.3], [0.2, 0.4]]);
    /// # Ok::<(), duramen::Error>(())
    /// ```
    pub fn draws(&self, name: &str) -> Result<CowArray<'_, f64, Ix3>> {
        let array = self.named(name)?;
        match (array.dims(), array.shape()) {
            ([chain, draw, ..], &[chains, draws, ref places @ ..]) if chain == "chain" && draw == "draw" => {
                let shape = (chains, draws, places.iter().product());
                Ok(array.to_f64().into_shape_with_order(shape).expect("the shape has as many values"))
            }
            (dims, _) => Err(Error::usage(
                format!("array '{name}' has dimensions {dims:?}"),
                "arrays of draws have the dimensions 'chain' and 'draw' first",
            )),
        }
    }

    /// The draws of every number of an array, in row-major order.
    ///
    /// # Errors
    /// As [`Group::draws`].
    pub fn series(&self, name: &str) -> Result<Vec<Series>> {
        let draws = self.draws(name)?;
        let array = self.named(name)?;
        let (dims, places) = (&array.dims()[2..], &array.shape()[2..]);
        let series = |place| Series {
            label: self.label(name, dims, places, place),
            chains: draws.index_axis(Axis(2), place).to_owned(),
        };
        Ok((0..draws.dim().2).map(series).collect())
    }

    fn named(&self, name: &str) -> Result<&Array> {
        self.arrays.get(name).ok_or_else(|| {
            let known = self.arrays.keys().map(String::as_str);
            Error::usage(format!("no array is named '{name}'"), did_you_mean(name, known))
        })
    }

    /// The name of a place as ArviZ writes it: `theta[full-text, p]`; by number where a dimension has no labels.
    fn label(&self, name: &str, dims: &[String], shape: &[usize], place: usize) -> String {
        let mut rest = place;
        let mut labels: Vec<String> = Vec::new();
        for (dim, length) in dims.iter().zip(shape).rev() {
            let at = rest % length;
            rest /= length;
            labels.push(self.coordinates.get(dim).map_or_else(|| at.to_string(), |known| known.label(at)));
        }
        labels.reverse();
        if labels.is_empty() { name.to_owned() } else { format!("{name}[{}]", labels.join(", ")) }
    }
}

fn two_of_one_name(name: &str) -> Error {
    Error::usage(format!("an array and a dimension are named '{name}'"), "give one of them another name")
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn series_are_named_as_arviz_names_them_and_run_along_the_draws() {
        let mut group = Group::new();
        group.insert_coordinate("tag", Coordinate::Names(vec!["p".into(), "td".into()])).unwrap();
        let values: Vec<i64> = (0..24).collect();
        group
            .insert("a", Array::new(["chain", "draw", "tag", "bin"], [2, 3, 2, 2], values).unwrap())
            .unwrap();
        group.insert("b", Array::new(["chain", "draw"], [2, 3], vec![1u8, 2, 3, 4, 5, 6]).unwrap()).unwrap();
        let series = group.series("a").unwrap();
        assert_eq!(
            series.iter().map(|s| s.label.as_str()).collect::<Vec<_>>(),
            ["a[p, 0]", "a[p, 1]", "a[td, 0]", "a[td, 1]"]
        );
        assert_eq!(series[2].chains, array![[2.0, 6.0, 10.0], [14.0, 18.0, 22.0]]);
        assert_eq!(
            group.series("b").unwrap()[0],
            Series { label: "b".into(), chains: array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] }
        );
        assert!(group.series("aa").unwrap_err().to_string().contains("did you mean 'a'"));
    }

    #[test]
    fn a_dimension_has_one_length_in_a_group() {
        let mut group = Group::new();
        group.number_draws(2, 3).unwrap();
        let error =
            group.insert("x", Array::new(["chain", "draw"], [2, 4], vec![0.0; 8]).unwrap()).unwrap_err();
        assert!(error.to_string().contains("length 4 in x and 3 elsewhere"), "{error}");
        for name in ["chain", "x"] {
            let array = Array::new(["x"], [2], vec![0.0; 2]).unwrap();
            assert!(
                group
                    .insert(name, array)
                    .unwrap_err()
                    .to_string()
                    .contains("array and a dimension are named")
            );
        }
        group.insert("y", Array::new(["node"], [4], vec![0.0; 4]).unwrap()).unwrap();
        assert!(group.insert_coordinate("node", Coordinate::numbers(5)).is_err());
        assert!(group.series("y").is_err());
    }
}
