//! `Columns`, the values of features by row: what trees are learned from; `PackedColumn`, one that is kept for later.

use std::borrow::Cow;

/// The values of some features, a column each. Those of a `Vec` are there as a whole; others may be made when they are asked
/// for, so that those of a large training set need not lie in memory all at once.
pub trait Columns: Sync {
    /// The number of features.
    fn count(&self) -> usize;

    /// The number of values of a feature.
    fn rows(&self, column: usize) -> usize;

    /// The value of each row. Asked for once for each feature, by many threads.
    fn values(&self, column: usize) -> Cow<'_, [u32]>;
}

impl<V: AsRef<[u32]> + Sync> Columns for Vec<V> {
    fn count(&self) -> usize {
        self.len()
    }

    fn rows(&self, column: usize) -> usize {
        self[column].as_ref().len()
    }

    fn values(&self, column: usize) -> Cow<'_, [u32]> {
        Cow::Borrowed(self[column].as_ref())
    }
}

/// The values of a feature in one, two or four bytes each, as the largest needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackedColumn {
    /// The largest is below 2^8.
    U8(Box<[u8]>),
    /// The largest is below 2^16.
    U16(Box<[u16]>),
    /// All others.
    U32(Box<[u32]>),
}

impl PackedColumn {
    /// Of a row.
    pub fn get(&self, row: usize) -> u32 {
        match self {
            PackedColumn::U8(values) => values[row].into(),
            PackedColumn::U16(values) => values[row].into(),
            PackedColumn::U32(values) => values[row],
        }
    }

    /// Of all rows.
    pub fn unpack(&self) -> Vec<u32> {
        match self {
            PackedColumn::U8(values) => values.iter().map(|&value| value.into()).collect(),
            PackedColumn::U16(values) => values.iter().map(|&value| value.into()).collect(),
            PackedColumn::U32(values) => values.to_vec(),
        }
    }
}

impl From<Vec<u32>> for PackedColumn {
    fn from(values: Vec<u32>) -> Self {
        let largest = values.iter().copied().max().unwrap_or(0);
        if largest <= u8::MAX.into() {
            PackedColumn::U8(values.iter().map(|&value| value as u8).collect())
        } else if largest <= u16::MAX.into() {
            PackedColumn::U16(values.iter().map(|&value| value as u16).collect())
        } else {
            PackedColumn::U32(values.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_column_has_the_same_values_in_as_few_bytes_as_they_need() {
        for (largest, bytes) in [(0, 1), (255, 1), (256, 2), (65_535, 2), (65_536, 4), (u32::MAX, 4)] {
            let values = vec![0, largest, 1.min(largest)];
            let packed = PackedColumn::from(values.clone());
            let size = match &packed {
                PackedColumn::U8(values) => size_of_val(&values[0]),
                PackedColumn::U16(values) => size_of_val(&values[0]),
                PackedColumn::U32(values) => size_of_val(&values[0]),
            };
            assert_eq!((packed.unpack(), size), (values.clone(), bytes));
            assert_eq!((0..3).map(|row| packed.get(row)).collect::<Vec<_>>(), values);
        }
        assert!(PackedColumn::from(Vec::new()).unpack().is_empty());
    }
}
