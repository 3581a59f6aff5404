//! `Columns`, the values of features by row: what trees are learned from; `PackedColumns`, some that are kept for later.

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

/// The values of some features, in one, two or four bytes each, as the largest of a feature needs; or one for all rows, if they are
/// the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedColumns {
    rows: usize,
    columns: Box<[PackedColumn]>,
    bytes: Box<[u8]>,
}

/// Where the values of a feature lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PackedColumn {
    start: u32,
    /// The bytes of a value; none if there is one value, in four bytes, for all rows.
    width: u8,
}

impl PackedColumns {
    /// Of these values, \[feature\]\[row\].
    ///
    /// # Panics
    /// If the features have not as many rows.
    pub fn new(columns: &[Vec<u32>]) -> Self {
        let rows = columns.first().map_or(0, Vec::len);
        let mut bytes = Vec::new();
        let pack = |values: &Vec<u32>| {
            assert_eq!(values.len(), rows, "columns of one table");
            let start = bytes.len() as u32;
            let (least, largest) = (values.iter().min(), values.iter().max());
            let width = match largest {
                Some(largest) if least != Some(largest) => match largest {
                    0..=0xff => 1,
                    0x100..=0xffff => 2,
                    _ => 4,
                },
                one => {
                    bytes.extend_from_slice(&one.copied().unwrap_or(0).to_le_bytes());
                    return PackedColumn { start, width: 0 };
                }
            };
            let value = |value: &u32| bytes.extend_from_slice(&value.to_le_bytes()[..usize::from(width)]);
            values.iter().for_each(value);
            PackedColumn { start, width }
        };
        let columns = columns.iter().map(pack).collect();
        PackedColumns { rows, columns, bytes: bytes.into() }
    }

    /// Adds the values of a feature in some rows to `values`.
    pub fn gather(&self, column: usize, rows: impl Iterator<Item = usize>, values: &mut Vec<u32>) {
        let PackedColumn { start, width } = self.columns[column];
        let bytes = &self.bytes[start as usize..];
        match width {
            0 => {
                let one = bytes.first_chunk().map_or(0, |value| u32::from_le_bytes(*value));
                values.extend(rows.map(|_| one));
            }
            1 => values.extend(rows.map(|row| u32::from(bytes[row]))),
            2 => {
                let bytes = bytes.as_chunks().0;
                values.extend(rows.map(|row| u32::from(u16::from_le_bytes(bytes[row]))));
            }
            _ => {
                let bytes = bytes.as_chunks().0;
                values.extend(rows.map(|row| u32::from_le_bytes(bytes[row])));
            }
        }
    }

    /// The values, \[feature\]\[row\].
    pub fn unpack(&self) -> Vec<Vec<u32>> {
        let column = |column| {
            let mut values = Vec::with_capacity(self.rows);
            self.gather(column, 0..self.rows, &mut values);
            values
        };
        (0..self.columns.len()).map(column).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_columns_have_the_same_values_in_as_few_bytes_as_they_need() {
        let largest = [0, 255, 256, 65_535, 65_536, u32::MAX];
        let columns: Vec<Vec<u32>> = largest.iter().map(|&largest| vec![0, largest, largest / 3]).collect();
        let packed = PackedColumns::new(&columns);
        assert_eq!(packed.unpack(), columns);
        assert_eq!(packed.bytes.len(), 4 + 3 * (1 + 2 + 2 + 4 + 4));
        let mut gathered = vec![7];
        packed.gather(3, [2, 1].into_iter(), &mut gathered);
        assert_eq!(gathered, [7, 21_845, 65_535]);
        for columns in [vec![], vec![vec![]; 3]] {
            assert_eq!(PackedColumns::new(&columns).unpack(), columns);
        }
    }
}
