//! `TokenTable`, the words of a vocabulary with what speaks for each score in one run of bytes, which is read where it lies: the
//! tables of the models in the program are never copied.
//!
//! Numbers, the least byte first: a head of five of 4 bytes (words, scores, slots, bytes of a count, bytes of all names); slots of
//! an open hash table (4 bytes: the number of a word from 1, or 0), keys (8), what each word says for each score (4,
//! \[word\]\[score\]), counts (0 bytes without any; 4, or 8 where one needs them, \[word\]\[score\]\[side\]), where each name
//! ends (4), names. All words have names or none has.

use std::borrow::Cow;
use std::iter;
use std::ops::Range;

use super::token_counts::Sides;
use crate::error::{Error, Result};

/// Numbers of 4 bytes before everything else.
const HEAD: usize = 5;

/// The words of a vocabulary.
#[derive(Debug, Clone)]
pub struct TokenTable {
    bytes: Cow<'static, [u8]>,
    scores: usize,
    /// The number of slots less 1; a power of two.
    mask: usize,
    count_bytes: usize,
    // Where the parts begin; slots begin behind the head.
    keys: usize,
    values: usize,
    counts: Range<usize>,
    ends: Range<usize>,
}

impl PartialEq for TokenTable {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for TokenTable {}

impl Default for TokenTable {
    fn default() -> Self {
        TokenTable::new(&[], &[])
    }
}

impl TokenTable {
    /// A table of words by their keys, with what each says, \[word\]\[score\]; of two words with one key the last counts.
    pub fn new(keys: &[u64], values: &[f32]) -> Self {
        TokenTable::named(keys, values, iter::empty(), iter::empty())
    }

    /// The same with names in the order of the keys, and counts, \[word\]\[score\]\[side\], or none.
    pub fn named<'a>(
        keys: &[u64],
        values: &[f32],
        names: impl Iterator<Item = &'a str> + Clone,
        counts: impl Iterator<Item = u64> + Clone,
    ) -> Self {
        let scores = values.len().checked_div(keys.len()).unwrap_or(0);
        let n_slots = (2 * keys.len()).next_power_of_two();
        let mut slots = vec![0u32; n_slots];
        for (&key, number) in keys.iter().zip(1..) {
            let is_own = |slot: u32| slot == 0 || keys[slot as usize - 1] == key;
            let mut slot = home(key, n_slots - 1);
            while !is_own(slots[slot]) {
                slot = (slot + 1) & (n_slots - 1);
            }
            slots[slot] = number;
        }
        let count_bytes = match counts.clone().max() {
            None => 0,
            Some(most) if u32::try_from(most).is_ok() => 4,
            Some(_) => 8,
        };
        let mut bytes = Vec::new();
        let of_names = names.clone().map(str::len).sum();
        for number in [keys.len(), scores, n_slots, count_bytes, of_names] {
            bytes.extend((number as u32).to_le_bytes());
        }
        slots.iter().for_each(|slot| bytes.extend(slot.to_le_bytes()));
        keys.iter().for_each(|key| bytes.extend(key.to_le_bytes()));
        values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        counts.for_each(|count| bytes.extend(&count.to_le_bytes()[..count_bytes]));
        let mut end = 0u32;
        for name in names.clone() {
            end += name.len() as u32;
            bytes.extend(end.to_le_bytes());
        }
        names.for_each(|name| bytes.extend(name.as_bytes()));
        TokenTable::from_bytes(Cow::Owned(bytes)).expect("they were just written")
    }

    /// Reads a table where it lies.
    ///
    /// # Errors
    /// [`Error::Model`] for bytes that no table has: what lies in a table is not checked.
    pub fn from_bytes(bytes: Cow<'static, [u8]>) -> Result<Self> {
        let damaged =
            || Error::model("a table of words", "its length is not that of its parts", "pack it again");
        let head = bytes.first_chunk::<{ 4 * HEAD }>().ok_or_else(damaged)?.as_chunks::<4>().0;
        let head: [u32; HEAD] = std::array::from_fn(|i| u32::from_le_bytes(head[i]));
        let [n, scores, slots, count_bytes, names] = head.map(|number| number as usize);
        let keys = 4 * (HEAD + slots);
        let values = keys + 8 * n;
        let counts = values + 4 * n * scores;
        let ends = counts + 2 * n * scores * count_bytes;
        let end = ends + if names > 0 { 4 * n } else { 0 };
        let is_fit =
            end + names == bytes.len() && slots.is_power_of_two() && matches!(count_bytes, 0 | 4 | 8);
        is_fit
            .then_some(TokenTable {
                scores,
                mask: slots.wrapping_sub(1),
                count_bytes,
                keys,
                values,
                counts: counts..ends,
                ends: ends..end,
                bytes,
            })
            .ok_or_else(damaged)
    }

    /// All of it.
    #[cfg(test)]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The names in order.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let names = &self.bytes[self.ends.end..];
        let ends = self.bytes[self.ends.clone()].as_chunks().0.iter();
        let ends = ends.map(|end| u32::from_le_bytes(*end) as usize);
        let starts = std::iter::once(0).chain(ends.clone());
        ends.zip(starts).map(|(end, start)| std::str::from_utf8(&names[start..end]).unwrap_or_default())
    }

    /// The names in order, with their counts.
    pub fn counts(&self) -> impl Iterator<Item = (&str, Sides)> {
        let row = (2 * self.scores * self.count_bytes).max(1);
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        let sides = move |row: &[u8]| -> Sides {
            row.chunks(2 * self.count_bytes)
                .map(|both| {
                    let (without, with) = both.split_at(self.count_bytes);
                    [number(without), number(with)]
                })
                .collect()
        };
        self.words().zip(self.bytes[self.counts.clone()].chunks(row).map(sides))
    }

    /// The sums of what the words that are known say for the first scores, each so many times, into `sums`, and how many these
    /// words are. Each is looked up once for all scores.
    pub fn sums(&self, words: impl Iterator<Item = (u64, f32)>, sums: &mut [f32]) -> u32 {
        sums.fill(0.0);
        let mut known = 0;
        for (word, times) in words.filter_map(|(key, times)| Some((self.word(key)?, times))) {
            let row = &self.bytes[self.values + 4 * word * self.scores..][..4 * self.scores];
            for (sum, value) in sums.iter_mut().zip(row.as_chunks().0) {
                *sum += times * f32::from_le_bytes(*value);
            }
            known += 1;
        }
        known
    }

    /// The names in order, with what each says for each score.
    pub fn named_values(&self) -> impl Iterator<Item = (&str, impl Iterator<Item = f32>)> {
        let rows = self.bytes[self.values..self.counts.start].chunks((4 * self.scores).max(1));
        self.words().zip(rows.map(|row| row.as_chunks().0.iter().map(|value| f32::from_le_bytes(*value))))
    }

    /// The name of the word with this key, with what it says for each score.
    pub fn named_word(&self, key: u64) -> Option<(&str, impl Iterator<Item = f32>)> {
        self.named_values().nth(self.word(key)?)
    }

    /// The number of the word with this key.
    fn word(&self, key: u64) -> Option<usize> {
        let mut slot = home(key, self.mask);
        loop {
            let word = self.word_in(slot)?;
            if u64::from_le_bytes(part(&self.bytes, self.keys + 8 * word)) == key {
                return Some(word);
            }
            slot = (slot + 1) & self.mask;
        }
    }

    /// The word whose number is in a slot, none in an empty one.
    fn word_in(&self, slot: usize) -> Option<usize> {
        (u32::from_le_bytes(part(&self.bytes, 4 * (HEAD + slot))) as usize).checked_sub(1)
    }
}

/// The slot where the search for a key begins. The high bits of a key are spread better than its low ones.
fn home(key: u64, mask: usize) -> usize {
    (key ^ (key >> 29)) as usize & mask
}

fn part<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    *bytes[at..].first_chunk().expect("a table of this length")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::features::hash;

    #[test]
    fn what_is_put_in_is_found_again_and_nothing_else() {
        let names: Vec<String> = (0..1000).map(|i| format!("word{i:04}")).collect();
        let sides = |i: u64| vec![[i, 2 * i], [3 * i, u64::from(u32::MAX) * i]];
        for largest in [1, 1000] {
            let counts: BTreeMap<String, Sides> =
                names.iter().cloned().zip(0..).map(|(name, i)| (name, sides(i.min(largest)))).collect();
            let keys: Vec<u64> = names.iter().map(|name| hash::hash_word(name)).collect();
            let values: Vec<f32> = (0..2000u16).map(f32::from).collect();
            let flat = counts.values().flatten().flatten().copied();
            let table = TokenTable::named(&keys, &values, counts.keys().map(String::as_str), flat);
            assert_eq!(table.count_bytes, if largest == 1 { 4 } else { 8 });
            assert!(table.words().eq(names.iter()));
            assert!(table.counts().eq(counts.iter().map(|(name, sides)| (name.as_str(), sides.clone()))));
            let sums = |keys: &[u64]| {
                let mut sums = [1.0; 3];
                (table.sums(once_each(keys), &mut sums), sums)
            };
            assert_eq!(sums(&keys[7..9]), (2, [14.0 + 16.0, 15.0 + 17.0, 0.0]));
            assert_eq!(sums(&[hash::hash_word("another"), keys[3]]), (1, [6.0, 7.0, 0.0]));
            let read = TokenTable::from_bytes(Cow::Owned(table.bytes().to_vec())).unwrap();
            assert_eq!(read, table);
            assert!(TokenTable::from_bytes(Cow::Owned(table.bytes()[1..].to_vec())).is_err());
        }
    }

    #[test]
    fn of_two_words_with_one_key_the_last_counts_and_an_empty_table_knows_nothing() {
        let table = TokenTable::new(&[5, 6, 5], &[1.0, 2.0, 4.0]);
        let mut sums = [1.0];
        assert_eq!((table.sums(once_each(&[5, 6]), &mut sums), sums), (2, [6.0]));
        assert_eq!(table.words().count(), 0);
        assert_eq!((TokenTable::default().sums(once_each(&[0, 1]), &mut sums), sums), (0, [0.0]));
    }

    #[test]
    fn words_may_have_names_without_counts_and_count_several_times() {
        let table =
            TokenTable::named(&[5, 6], &[1.0, 2.0, 3.0, 4.0], ["ash", "oak"].into_iter(), iter::empty());
        let read = TokenTable::from_bytes(Cow::Owned(table.bytes().to_vec())).unwrap();
        let named: Vec<(&str, Vec<f32>)> =
            read.named_values().map(|(name, values)| (name, values.collect())).collect();
        assert_eq!(named, [("ash", vec![1.0, 2.0]), ("oak", vec![3.0, 4.0])]);
        let mut sums = [0.0; 2];
        assert_eq!((read.sums([(6, 0.5), (7, 1.0)].into_iter(), &mut sums), sums), (1, [1.5, 2.0]));
    }

    fn once_each(keys: &[u64]) -> impl Iterator<Item = (u64, f32)> {
        keys.iter().map(|&key| (key, 1.0))
    }
}
