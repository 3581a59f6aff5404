//! `Array`, values with a shape and a name for each dimension.

use ndarray::{ArrayD, ArrayViewD, CowArray, IxDyn};

use super::{Attributes, check_name};
use crate::error::{Error, Result};

/// Values with a shape and a name for each dimension, in row-major order (the last dimension runs fastest).
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    dims: Vec<String>,
    shape: Vec<usize>,
    values: Values,
    attributes: Attributes,
}

/// The values of an array.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Numbers; NaN and infinities are kept.
    F64(Vec<f64>),
    /// Whole numbers.
    I64(Vec<i64>),
    /// Small whole numbers such as states.
    U8(Vec<u8>),
}

/// The labels of a dimension's places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Coordinate {
    /// Numbers, such as those of chains and draws.
    Integers(Vec<i64>),
    /// Names, such as those of states.
    Names(Vec<String>),
}

impl Array {
    /// An array with `values` in row-major order.
    ///
    /// # Errors
    /// [`Error::Usage`] if dimensions and shape differ in number, a dimension is named twice or not as a folder can
    /// be, or the number of values is not the product of the shape.
    pub fn new<D: Into<String>>(
        dims: impl IntoIterator<Item = D>,
        shape: impl Into<Vec<usize>>,
        values: impl Into<Values>,
    ) -> Result<Self> {
        let dims: Vec<String> = dims.into_iter().map(Into::into).collect();
        let (shape, values) = (shape.into(), values.into());
        for (i, dim) in dims.iter().enumerate() {
            check_name("a dimension", dim)?;
            if dims[..i].contains(dim) {
                return Err(Error::usage(format!("dimension '{dim}' is named twice"), "name it once"));
            }
        }
        // Lengths of 0 do not undo an overflow: no array has such a shape.
        let size = shape.iter().try_fold(1usize, |size, &length| size.checked_mul(length.max(1)));
        let size = size.filter(|&size| isize::try_from(size).is_ok());
        let size = size.map(|size| if shape.contains(&0) { 0 } else { size });
        if dims.len() != shape.len() || size != Some(values.len()) {
            return Err(Error::usage(
                format!("an array of dimensions {dims:?} and shape {shape:?} with {} values", values.len()),
                "give one length for each dimension, and as many values as their product",
            ));
        }
        Ok(Array { dims, shape, values, attributes: Attributes::new() })
    }

    /// The same with an attribute, such as the unit.
    pub fn with_attribute(mut self, name: &str, value: impl Into<serde_json::Value>) -> Self {
        self.attributes.insert(name.to_owned(), value.into());
        self
    }

    /// The names of the dimensions.
    pub fn dims(&self) -> &[String] {
        &self.dims
    }

    /// The length of each dimension.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The values in row-major order.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The attributes.
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// The values as floating-point numbers: a view of those that are, a copy of whole numbers, exact up to 2^53.
    /// Shape: [`Array::shape`].
    pub fn to_f64(&self) -> CowArray<'_, f64, IxDyn> {
        let fits = "there are as many values as the shape says";
        let copy = |values| ArrayD::from_shape_vec(self.shape.as_slice(), values).expect(fits).into();
        match &self.values {
            Values::F64(values) => ArrayViewD::from_shape(self.shape.as_slice(), values).expect(fits).into(),
            Values::I64(values) => copy(values.iter().map(|&x| x as f64).collect()),
            Values::U8(values) => copy(values.iter().map(|&x| f64::from(x)).collect()),
        }
    }
}

impl Values {
    /// Their number.
    pub fn len(&self) -> usize {
        match self {
            Values::F64(values) => values.len(),
            Values::I64(values) => values.len(),
            Values::U8(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl From<Vec<f64>> for Values {
    fn from(values: Vec<f64>) -> Self {
        Values::F64(values)
    }
}

impl From<Vec<i64>> for Values {
    fn from(values: Vec<i64>) -> Self {
        Values::I64(values)
    }
}

impl From<Vec<u8>> for Values {
    fn from(values: Vec<u8>) -> Self {
        Values::U8(values)
    }
}

impl Coordinate {
    /// 0, 1, ..., `n` - 1: what chains and draws are numbered by.
    pub fn numbers(n: usize) -> Self {
        Coordinate::Integers((0..n as i64).collect())
    }

    /// The number of places.
    pub fn len(&self) -> usize {
        match self {
            Coordinate::Integers(values) => values.len(),
            Coordinate::Names(names) => names.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The label of a place.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn label(&self, place: usize) -> String {
        match self {
            Coordinate::Integers(values) => values[place].to_string(),
            Coordinate::Names(names) => names[place].clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_whose_values_do_not_fill_its_shape_is_refused() {
        let error = Array::new(["chain", "draw"], [2, 3], vec![0.0; 5]).unwrap_err().to_string();
        assert!(error.contains("shape [2, 3] with 5 values"), "{error}");
        assert!(Array::new(["chain"], [2, 3], vec![0.0; 6]).is_err());
        assert!(Array::new(["chain", "chain"], [2, 3], vec![0.0; 6]).is_err());
        assert!(Array::new(["a/b"], [1], vec![0.0]).is_err());
        assert!(Array::new(["a", "b"], [usize::MAX, 2], vec![0.0]).is_err());
        assert!(Array::new(["a", "b"], [0, usize::MAX], Vec::<f64>::new()).is_err());
        assert!(Array::new(["chain", "draw"], [2, 0], Vec::<u8>::new()).is_ok());
        assert!(Array::new(Vec::<String>::new(), [], vec![1i64]).is_ok());
    }
}
