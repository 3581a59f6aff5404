//! `Tree`: the splits of one regression tree in the order in which it grew, and how rows find their leaves.

use serde::{Deserialize, Serialize};

/// The most leaves of a tree.
pub(super) const MOST_LEAVES: usize = 256;

/// A regression tree.
///
/// It grows from one leaf, number 0. Split i parts the leaf `leaf[i]`: rows whose feature is above the cut move to a new
/// leaf, number i + 1, the others stay. So a tree cannot be built wrong, and rows find their leaves without a branch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tree {
    /// The leaf that each split divides.
    #[serde(with = "numbers")]
    pub leaf: Vec<u32>,
    /// The feature of each split.
    #[serde(with = "numbers")]
    pub feature: Vec<u32>,
    /// The largest value that stays, of each split.
    #[serde(with = "numbers")]
    pub cut: Vec<u32>,
    /// The value of each leaf: one more than splits.
    #[serde(with = "numbers")]
    pub value: Vec<f32>,
}

/// Numbers of 4 bytes: a list in a text; in a packed model one run of bytes, the least first, since reading them one by one was a
/// fifth of a one-page run.
mod numbers {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub trait Number: Copy + Serialize {
        fn to_bytes(self) -> [u8; 4];
        fn from_bytes(bytes: [u8; 4]) -> Self;
    }

    impl Number for u32 {
        fn to_bytes(self) -> [u8; 4] {
            self.to_le_bytes()
        }

        fn from_bytes(bytes: [u8; 4]) -> Self {
            u32::from_le_bytes(bytes)
        }
    }

    impl Number for f32 {
        fn to_bytes(self) -> [u8; 4] {
            self.to_le_bytes()
        }

        fn from_bytes(bytes: [u8; 4]) -> Self {
            f32::from_le_bytes(bytes)
        }
    }

    pub fn serialize<T: Number, S: Serializer>(numbers: &Vec<T>, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => numbers.serialize(serializer),
            false => {
                let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_bytes()).collect();
                serializer.serialize_bytes(&bytes)
            }
        }
    }

    pub fn deserialize<'de, T: Number + Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        if deserializer.is_human_readable() {
            return Vec::deserialize(deserializer);
        }
        // Only models in the program are packed, and they are read where they lie.
        let bytes = <&[u8]>::deserialize(deserializer)?;
        match bytes.as_chunks() {
            (numbers, []) => Ok(numbers.iter().map(|&bytes| T::from_bytes(bytes)).collect()),
            _ => Err(D::Error::invalid_length(bytes.len(), &"numbers of 4 bytes")),
        }
    }
}

impl Tree {
    /// What is wrong with a tree that was read, over so many features; none if it is whole.
    pub fn fault(&self, features: usize) -> Option<String> {
        let splits = self.leaf.len();
        if self.feature.len() != splits || self.cut.len() != splits || self.value.len() != splits + 1 {
            return Some(format!(
                "{splits} leaves split, {} features, {} cuts and {} values are no tree",
                self.feature.len(),
                self.cut.len(),
                self.value.len()
            ));
        }
        if self.value.len() > MOST_LEAVES {
            return Some(format!("{} leaves, the most are {MOST_LEAVES}", self.value.len()));
        }
        if let Some((i, leaf)) = self.leaf.iter().enumerate().find(|&(i, &leaf)| leaf as usize > i) {
            return Some(format!("split {i} splits leaf {leaf}, which is not there yet"));
        }
        if let Some(feature) = self.feature.iter().find(|&&feature| feature as usize >= features) {
            return Some(format!("a split by feature {feature}, and there are {features}"));
        }
        self.value.iter().find(|value| !value.is_finite()).map(|value| format!("a leaf's value is {value}"))
    }
}

/// Lets rows that are in the leaves `leaves` pass a split, all at once: those in the leaf `split` whose value is above
/// the cut move to the leaf `new`. Fastest where leaves and values are as wide, and narrow.
#[inline(always)]
pub(super) fn pass<L: Copy + PartialEq, T: Copy + PartialOrd, const ROWS: usize>(
    leaves: &mut [L; ROWS],
    values: &[T; ROWS],
    split: L,
    cut: T,
    new: L,
) {
    for (leaf, &value) in leaves.iter_mut().zip(values) {
        *leaf = if (*leaf == split) & (value > cut) { new } else { *leaf };
    }
}
