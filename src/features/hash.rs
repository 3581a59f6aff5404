//! Numbers for words: the same on every machine and in every version, since models hold them.

use std::hash::{BuildHasherDefault, Hasher};

use crate::characters;

/// The key of a word, whatever its case: FNV-1a over its lower-case characters.
pub(crate) fn hash_word(word: &str) -> u64 {
    match word.is_ascii() {
        true => hash_ascii(word.as_bytes()),
        false => word.chars().fold(OFFSET_BASIS, |key, c| characters::fold_lower(c, key, add)),
    }
}

/// The same of an ASCII word.
pub(crate) fn hash_ascii(word: &[u8]) -> u64 {
    word.iter().map(|byte| byte.to_ascii_lowercase().into()).fold(OFFSET_BASIS, add)
}

/// The key of no character.
pub(crate) const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// The key with one more character, in lower case.
pub(crate) fn add(hash: u64, c: u32) -> u64 {
    (hash ^ u64::from(c)).wrapping_mul(0x100_0000_01b3)
}

/// A key of two keys, in this order.
pub(crate) fn pair(first: u64, second: u64) -> u64 {
    first.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ second
}

/// For maps whose keys are such numbers: they are spread already.
pub(crate) type Hashed = BuildHasherDefault<Spread>;

/// A key as its own hash, with its high bits mixed in.
#[derive(Default)]
pub(crate) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = pair(self.0, byte.into());
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key ^ (key >> 29);
    }
}
