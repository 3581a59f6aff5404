//! `Columns`, the values of features by row: what trees are learned from.

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
