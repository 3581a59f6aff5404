//! The chunks that an array is cut into, so that each is a run of its values.

use std::ops::Range;

/// The most bytes of a chunk before compression, unless a single number is larger.
const CHUNK_BYTES: usize = 8 << 20;

/// The shape of chunks of at most [`CHUNK_BYTES`] whose numbers stand one after the other in the whole array: 1 along
/// the first dimensions, all along the last ones, and some of the one between.
pub(super) fn chunk_shape(shape: &[usize], size: usize) -> Vec<usize> {
    let mut inner = size;
    let mut chunk: Vec<usize> = shape
        .iter()
        .rev()
        .map(|&length| {
            let along = (CHUNK_BYTES / inner).clamp(1, length.max(1));
            // Once a dimension is cut, those before it are taken one by one.
            inner = if along < length { usize::MAX } else { inner.saturating_mul(along) };
            along
        })
        .collect();
    chunk.reverse();
    chunk
}

/// The dimension that chunks cut: those before it they take one by one, those after it whole.
fn cut(shape: &[usize], chunk_shape: &[usize]) -> usize {
    (0..shape.len()).rev().find(|&i| chunk_shape[i] < shape[i]).unwrap_or(0)
}

/// Whether the numbers of a chunk stand one after the other in the whole array.
pub(super) fn is_in_order(shape: &[usize], chunk_shape: &[usize]) -> bool {
    let cut = cut(shape, chunk_shape);
    let whole = (0..shape.len()).skip(cut + 1).all(|i| chunk_shape[i] == shape[i].max(1));
    chunk_shape.iter().take(cut).all(|&length| length == 1) && whole
}

/// The key of every chunk, with the places of its numbers in the whole array.
pub(super) fn chunks(shape: &[usize], chunk_shape: &[usize]) -> Vec<(String, Range<usize>)> {
    if shape.is_empty() {
        return vec![("c".to_owned(), 0..1)];
    }
    let cut = cut(shape, chunk_shape);
    let inner: usize = shape[cut + 1..].iter().product();
    let outer: usize = shape[..cut].iter().product();
    if outer * inner * shape[cut] == 0 {
        return Vec::new();
    }
    let (length, step) = (shape[cut], chunk_shape[cut]);
    let mut chunks = Vec::new();
    for before in 0..outer {
        let mut rest = before;
        let mut places: Vec<usize> = Vec::new();
        for length in shape[..cut].iter().rev() {
            places.push(rest % length);
            rest /= length;
        }
        places.reverse();
        for block in 0..length.div_ceil(step) {
            let start = (before * length + block * step) * inner;
            let end = (before * length + length.min((block + 1) * step)) * inner;
            let key = places.iter().chain([&block]).chain(std::iter::repeat_n(&0, shape.len() - cut - 1));
            chunks.push((key.fold("c".to_owned(), |key, place| format!("{key}/{place}")), start..end));
        }
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chunks_of_an_array_are_its_values_in_order_and_none_is_too_large() {
        for shape in [vec![], vec![5], vec![4, 1000, 700], vec![3, 2, 3_000_000], vec![2, 0, 3], vec![1, 1]] {
            let chunk = chunk_shape(&shape, 8);
            assert!(is_in_order(&shape, &chunk), "{shape:?} in {chunk:?}");
            assert!(chunk.iter().product::<usize>() * 8 <= CHUNK_BYTES, "{shape:?} in {chunk:?}");
            let mut end = 0;
            for (key, range) in chunks(&shape, &chunk) {
                assert_eq!(range.start, end, "{key}");
                assert_eq!(key.split('/').count(), shape.len() + 1);
                end = range.end;
            }
            assert_eq!(end, shape.iter().product::<usize>());
        }
        assert_eq!(chunk_shape(&[4, 1000, 700], 8), [1, 1000, 700]);
        assert_eq!(chunks(&[2, 5], &[1, 3])[3], ("c/1/1".to_owned(), 8..10));
        assert!(!is_in_order(&[4, 4], &[2, 2]));
    }
}
