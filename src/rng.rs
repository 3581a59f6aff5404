//! One seed, many streams: every draw of the program comes from a ChaCha8 stream named by what it is for.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

/// The generator of every stream: portable, counter-based, the same bytes on every platform.
pub type Rng = ChaCha8Rng;

/// The stream of `seed` for `purpose` and its `indices` (chain number, page digest, repetition, ...).
///
/// A stream depends on its name alone, never on the order in which streams are made, so thread count and
/// order of work change nothing.
///
/// # Examples
/// ```
/// use rand::Rng as _;
/// let mut a = duramen::rng::stream(7, "gibbs", &[0, 42]);
/// let mut b = duramen::rng::stream(7, "gibbs", &[0, 42]);
/// assert_eq!(a.next_u64(), b.next_u64());
/// ```
pub fn stream(seed: u64, purpose: &str, indices: &[u64]) -> Rng {
    let mut hash = Sha256::new();
    hash.update(seed.to_le_bytes());
    hash.update((purpose.len() as u64).to_le_bytes());
    hash.update(purpose.as_bytes());
    for index in indices {
        hash.update(index.to_le_bytes());
    }
    Rng::from_seed(hash.finalize().into())
}
