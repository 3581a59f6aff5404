//! The similarity hash of a text.

use crate::characters;
use crate::features::hash::{OFFSET_BASIS, add};
use crate::tokens;

/// Words that are hashed together.
const RUN: usize = 3;

/// A similarity hash (simhash, Charikar 2002) of a text: texts that share most runs of three words differ in few of its 64 bits,
/// texts that share none in about 32. None of a text without words.
///
/// Words are [`tokens`]; their letters and digits count, whatever their case. A text of fewer words than three is
/// one run. The hash needs nothing but the text, so that it is the same on every machine and in every process.
///
/// # Examples
/// ```
/// use duramen::extract::render::fingerprint;
/// let text = "The oldest oak of the village fell on Monday night after a storm that lasted for six hours";
/// let (one, other) = (fingerprint(text).unwrap(), fingerprint(&text.replace("six", "seven")).unwrap());
/// assert!((one ^ other).count_ones() < 20);
/// assert_eq!(fingerprint("Oak."), fingerprint("oak"));
/// assert_eq!(fingerprint("–"), None);
/// ```
pub fn fingerprint(text: &str) -> Option<u64> {
    let words: Vec<u64> = tokens::iter(text).map(word_hash).collect();
    if words.is_empty() {
        return None;
    }
    // How many runs have each bit, as binary numbers that lie across the words of `digits`: one addition counts 64 bits.
    let mut digits: Vec<u64> = Vec::new();
    let runs = words.windows(RUN.min(words.len()));
    let n = runs.len() as u64;
    for run in runs {
        let mut carry = run.iter().fold(0, |hash, &word| mixed(hash ^ word));
        for digit in &mut digits {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
            if carry == 0 {
                break;
            }
        }
        if carry != 0 {
            digits.push(carry);
        }
    }
    let count =
        |bit: u32| digits.iter().enumerate().map(|(power, digit)| (digit >> bit & 1) << power).sum::<u64>();
    Some((0..u64::BITS).filter(|&bit| 2 * count(bit) > n).fold(0, |hash, bit| hash | 1 << bit))
}

/// FNV-1a over the letters and digits in lower case.
fn word_hash(word: &str) -> u64 {
    let letters = word.chars().filter(|&c| characters::is_alphanumeric(c));
    letters.fold(OFFSET_BASIS, |hash, c| characters::fold_lower(c, hash, add))
}

/// The finalizer of SplitMix64: each bit of the answer depends on all of the number.
fn mixed(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbered words, so that texts share what their numbers share.
    fn text(numbers: std::ops::Range<u32>) -> String {
        numbers.map(|number| format!("word{number} ")).collect()
    }

    fn distance(one: &str, other: &str) -> u32 {
        (fingerprint(one).unwrap() ^ fingerprint(other).unwrap()).count_ones()
    }

    #[test]
    fn the_distance_grows_with_what_is_not_shared() {
        let whole = text(0..1000);
        assert_eq!(distance(&whole, &whole.to_uppercase().replace(' ', ",\n")), 0);
        let near = distance(&whole, &text(0..990));
        let half = distance(&whole, &text(500..1500));
        let far = distance(&whole, &text(5000..6000));
        assert!(near <= 6 && near < half && half < far && (20..45).contains(&far), "{near} {half} {far}");
    }

    #[test]
    fn the_hash_of_a_text_stays_what_it_is() {
        // Hashes are kept by those who compare pages across versions: a change here breaks them.
        assert_eq!(format!("{:016x}", fingerprint("The old oak fell.").unwrap()), "1c21188228298012");
        assert_eq!(fingerprint("Oak"), fingerprint(" oak! "));
        assert_eq!(fingerprint(" … "), None);
    }
}
