//! Alignment of two unit sequences: unique n-grams as anchors, exact dynamic programming between them.
//!
//! The anchors are those of patience diff (B. Cohen, bazaar, 2006), with n-grams instead of lines. Time is
//! bounded whatever the texts hold: [`MAX_DEPTH`] rounds of anchoring, each O(n log n), and blocks of at most
//! [`MAX_CELLS`] cells.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use super::units::Text;

/// No partner.
pub(crate) const NONE: u32 = u32::MAX;

/// The largest block, in pairs of units, that is aligned exactly.
const MAX_CELLS: usize = 1 << 20;
/// How often a block is divided at its anchors before it is left alone.
const MAX_DEPTH: u32 = 12;
/// The lengths of anchors, tried in order.
const ANCHORS: [usize; 4] = [8, 4, 2, 1];
/// How many units at either end of the agreement of two blocks may agree by chance.
const DOUBTFUL: usize = 16;
/// The shortest run of units that is recognized out of its place.
const MOVED: usize = 4;
/// The most units that one word is looked for in.
const MAX_SPLIT: usize = 8;
/// The most units of a gap that are searched for split words.
const MAX_GAP: usize = 64;

/// Finds the units that stand for each other.
pub(crate) fn align(original: &Text<'_>, annotated: &Text<'_>) -> Links {
    let mut links = Links {
        of_original: vec![NONE; original.keys.len()],
        of_annotated: vec![NONE; annotated.keys.len()],
    };
    in_order(&original.keys, &annotated.keys, &mut links);
    split_words(original, annotated, &mut links);
    moved_runs(&original.keys, &annotated.keys, &mut links);
    moved_pieces(original, annotated, &mut links);
    links
}

/// Partners in both directions. Where a word is split in one text, several units have the same partner.
pub(crate) struct Links {
    /// For each unit of the original its annotated unit, or [`NONE`].
    pub(crate) of_original: Vec<u32>,
    /// For each annotated unit its unit of the original, or [`NONE`].
    pub(crate) of_annotated: Vec<u32>,
}

impl Links {
    fn link(&mut self, a: usize, b: usize) {
        self.of_original[a] = b as u32;
        self.of_annotated[b] = a as u32;
    }
}

/// Links equal units that stand in the same order in both texts.
fn in_order(a: &[u32], b: &[u32], links: &mut Links) {
    let mut trace = Vec::new();
    let mut blocks = vec![(0..a.len(), 0..b.len(), 0)];
    while let Some((mut x, mut y, depth)) = blocks.pop() {
        if x.is_empty() || y.is_empty() {
            continue;
        }
        if x.len().saturating_mul(y.len()) <= MAX_CELLS {
            exact(a, b, &x, &y, &mut trace, links);
            continue;
        }
        // Equal ends: how far the texts agree by chance past their true parting is left to the exact alignment.
        let start = std::iter::zip(&a[x.clone()], &b[y.clone()]).take_while(|(k, l)| k == l).count();
        for _ in DOUBTFUL..start {
            links.link(x.start, y.start);
            (x.start, y.start) = (x.start + 1, y.start + 1);
        }
        let rest = (&a[x.clone()], &b[y.clone()]);
        let end =
            std::iter::zip(rest.0.iter().rev(), rest.1.iter().rev()).take_while(|(k, l)| k == l).count();
        for _ in DOUBTFUL..end {
            (x.end, y.end) = (x.end - 1, y.end - 1);
            links.link(x.end, y.end);
        }
        if start.max(end) > DOUBTFUL {
            blocks.push((x, y, depth));
            continue;
        }
        if depth == MAX_DEPTH {
            continue;
        }
        let mut anchors = ANCHORS.iter().map(|&n| anchors(&a[x.clone()], &b[y.clone()], n));
        if let Some(anchors) = anchors.find(|anchors| !anchors.is_empty()) {
            let (mut from_x, mut from_y) = (x.start, y.start);
            for (i, j) in anchors {
                let (i, j) = (x.start + i, y.start + j);
                links.link(i, j);
                blocks.push((from_x..i, from_y..j, depth + 1));
                (from_x, from_y) = (i + 1, j + 1);
            }
            blocks.push((from_x..x.end, from_y..y.end, depth + 1));
        }
    }
}

/// The longest increasing chain of n-grams that stand exactly once in either text, as positions.
fn anchors(a: &[u32], b: &[u32], n: usize) -> Vec<(usize, usize)> {
    let (in_a, in_b) = (single_grams(a, n), single_grams(b, n));
    let pairs: Vec<(usize, usize)> = a
        .windows(n)
        .enumerate()
        .filter(|(i, gram)| in_a[gram] == Some(*i))
        .filter_map(|(i, gram)| Some((i, (*in_b.get(gram)?)?)))
        .collect();
    increasing(&pairs)
}

/// The position of every n-gram that stands once in the text; none for the others.
fn single_grams(text: &[u32], n: usize) -> HashMap<&[u32], Option<usize>> {
    let mut grams = HashMap::with_capacity(text.len());
    for (at, gram) in text.windows(n).enumerate() {
        grams.entry(gram).and_modify(|place| *place = None).or_insert(Some(at));
    }
    grams
}

/// The longest subsequence of `pairs` (sorted by the first number, second numbers distinct) that increases.
fn increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // tails[k]: the pair that ends the chain of length k + 1 with the smallest second number.
    let mut tails: Vec<usize> = Vec::new();
    let mut before = vec![usize::MAX; pairs.len()];
    for (at, &(_, j)) in pairs.iter().enumerate() {
        let length = tails.partition_point(|&tail| pairs[tail].1 < j);
        if length > 0 {
            before[at] = tails[length - 1];
        }
        match tails.get_mut(length) {
            Some(tail) => *tail = at,
            None => tails.push(at),
        }
    }
    let mut chain: Vec<_> =
        std::iter::successors(tails.last().copied(), |&at| Some(before[at]).filter(|&at| at != usize::MAX))
            .map(|at| pairs[at])
            .collect();
    chain.reverse();
    chain
}

/// Aligns one block so that most units are linked, and among such alignments one with few breaks.
///
/// Blocks lie between links, so a run that goes on at the block's corners has no break there.
fn exact(a: &[u32], b: &[u32], x: &Range<usize>, y: &Range<usize>, trace: &mut Vec<u8>, links: &mut Links) {
    const LEFT: u8 = 1;
    const LINK: u8 = 2;
    const RUN_ON: u8 = 4;
    /// A link is worth three breaks: of equally good alignments the one that keeps sentences together wins.
    const SCORE: u32 = 3;
    let width = y.len();
    trace.clear();
    trace.resize(x.len() * width, 0);
    // Best score of the prefixes so far, and best score if their last units are linked; 0 is "they are not".
    let (mut best, mut linked) = (vec![1u32; width + 1], vec![0u32; width + 1]);
    linked[0] = 1;
    for (row, i) in x.clone().enumerate() {
        let (mut best_diagonal, mut linked_diagonal) = (best[0], linked[0]);
        linked[0] = 0;
        for (column, j) in y.clone().enumerate() {
            let (up, left) = (best[column + 1], best[column]);
            let cell = &mut trace[row * width + column];
            let mut here = up;
            if left > up {
                (here, *cell) = (left, LEFT);
            }
            let mut link = 0;
            if a[i] == b[j] {
                link = best_diagonal + SCORE;
                if linked_diagonal > 0 && linked_diagonal + SCORE + 1 >= link {
                    link = linked_diagonal + SCORE + 1;
                    *cell |= RUN_ON;
                }
                if link >= here {
                    here = link;
                    *cell |= LINK;
                }
            }
            (best_diagonal, linked_diagonal) = (up, linked[column + 1]);
            (best[column + 1], linked[column + 1]) = (here, link);
        }
    }
    let mut must_link = linked[width] > 0 && linked[width] + 1 >= best[width];
    let (mut row, mut column) = (x.len(), width);
    while row > 0 && column > 0 {
        let cell = trace[(row - 1) * width + column - 1];
        if must_link || cell & LINK != 0 {
            (row, column) = (row - 1, column - 1);
            links.link(x.start + row, y.start + column);
            must_link = cell & RUN_ON != 0;
        } else if cell & LEFT != 0 {
            column -= 1;
        } else {
            row -= 1;
        }
    }
}

/// Links words that one text splits and the other does not: runs of units in the same gap between links that
/// spell the same.
fn split_words(original: &Text<'_>, annotated: &Text<'_>, links: &mut Links) {
    for (x, y) in gaps(links) {
        let (mut i, mut from) = (x.start, y.start);
        while i < x.end.min(x.start + MAX_GAP) {
            let run = (from..y.end.min(y.start + MAX_GAP)).find_map(|j| {
                same_spelling(&original.words[i..x.end], &annotated.words[j..y.end]).map(|(p, q)| (j, p, q))
            });
            let Some((j, p, q)) = run else {
                i += 1;
                continue;
            };
            for k in 0..p {
                links.of_original[i + k] = (j + k.min(q - 1)) as u32;
            }
            for k in 0..q {
                links.of_annotated[j + k] = (i + k.min(p - 1)) as u32;
            }
            (i, from) = (i + p, j + q);
        }
    }
}

/// The gaps between links in order, as long as both texts have units there.
fn gaps(links: &Links) -> Vec<(Range<usize>, Range<usize>)> {
    let (a, b) = (&links.of_original, &links.of_annotated);
    let (mut i, mut j) = (0, 0);
    let mut gaps = Vec::new();
    while i < a.len() || j < b.len() {
        let (from_i, from_j) = (i, j);
        while a.get(i) == Some(&NONE) {
            i += 1;
        }
        while b.get(j) == Some(&NONE) {
            j += 1;
        }
        if from_i < i && from_j < j {
            gaps.push((from_i..i, from_j..j));
        }
        (i, j) = (i + 1, j + 1);
    }
    gaps
}

/// How many units at the beginning of either text spell the same, put together.
fn same_spelling(a: &[&str], b: &[&str]) -> Option<(usize, usize)> {
    let (mut p, mut q) = (1, 1);
    let (mut rest_a, mut rest_b) = (*a.first()?, *b.first()?);
    loop {
        let common = rest_a.len().min(rest_b.len());
        if rest_a.as_bytes()[..common] != rest_b.as_bytes()[..common] {
            return None;
        }
        if rest_a.len() == rest_b.len() {
            return Some((p, q));
        }
        if rest_a.len() == common {
            (rest_a, rest_b) = (a.get(p).filter(|_| p < MAX_SPLIT)?, rest_b.get(common..)?);
            p += 1;
        } else {
            (rest_a, rest_b) = (rest_a.get(common..)?, b.get(q).filter(|_| q < MAX_SPLIT)?);
            q += 1;
        }
    }
}

/// Links runs of at least [`MOVED`] units that stand in another place, such as what was foster-parented.
fn moved_runs(a: &[u32], b: &[u32], links: &mut Links) {
    let free =
        |of: &[u32], at: usize| at + MOVED <= of.len() && of[at..at + MOVED].iter().all(|&l| l == NONE);
    let mut places: HashMap<&[u32], VecDeque<usize>> = HashMap::new();
    for i in (0..a.len()).filter(|&i| free(&links.of_original, i)) {
        places.entry(&a[i..i + MOVED]).or_default().push_back(i);
    }
    let mut j = 0;
    while j < b.len() {
        let place = free(&links.of_annotated, j).then(|| places.get_mut(&b[j..j + MOVED])).flatten();
        let Some(mut i) = place.and_then(|place| {
            // Each place is taken out once, whether it is still free or not: linear in all.
            std::iter::from_fn(|| place.pop_front()).find(|&i| free(&links.of_original, i))
        }) else {
            j += 1;
            continue;
        };
        while i < a.len()
            && j < b.len()
            && a[i] == b[j]
            && links.of_original[i] == NONE
            && links.of_annotated[j] == NONE
        {
            links.link(i, j);
            (i, j) = (i + 1, j + 1);
        }
    }
}

/// Links whole pieces that stand in another place and have no links yet, however short.
fn moved_pieces(original: &Text<'_>, annotated: &Text<'_>, links: &mut Links) {
    let mut places: HashMap<&[u32], VecDeque<usize>> = HashMap::new();
    for range in original.pieces().filter(|range| links.of_original[range.clone()].iter().all(|&l| l == NONE))
    {
        places.entry(&original.keys[range.clone()]).or_default().push_back(range.start);
    }
    for range in annotated.pieces() {
        if links.of_annotated[range.clone()].iter().all(|&l| l == NONE)
            && let Some(start) = places.get_mut(&annotated.keys[range.clone()]).and_then(VecDeque::pop_front)
        {
            for (at, j) in range.enumerate() {
                links.link(start + at, j);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::units::Vocabulary;

    /// The links of the annotated units; pieces are split by bars.
    fn links(original: &str, annotated: &str) -> Vec<Option<u32>> {
        let mut vocabulary = Vocabulary::default();
        let original = Text::new(original.split('|'), &mut vocabulary);
        let annotated = Text::new(annotated.split('|'), &mut vocabulary);
        align(&original, &annotated)
            .of_annotated
            .into_iter()
            .map(|l| Some(l).filter(|&l| l != NONE))
            .collect()
    }

    #[test]
    fn the_longest_increasing_chain_is_found() {
        assert_eq!(increasing(&[(0, 5), (1, 1), (2, 2), (3, 0), (4, 3)]), [(1, 1), (2, 2), (4, 3)]);
        assert!(increasing(&[]).is_empty());
    }

    #[test]
    fn a_sentence_is_kept_together_where_its_beginning_stands_twice() {
        let original = "a b c | d e f x y | d e f g h";
        assert_eq!(links(original, "a b c | d e f g h")[3..], [8, 9, 10, 11, 12].map(Some));
        assert_eq!(links("d e f g h | x y g h z", "d e f g h"), [0, 1, 2, 3, 4].map(Some));
    }

    #[test]
    fn a_word_split_on_one_side_is_found() {
        assert_eq!(links("one wonderful tree", "one won|der|ful tree"), [0, 1, 1, 1, 2].map(Some));
        assert_eq!(links("one won|derful tree", "one wonderful tree"), [0, 1, 3].map(Some));
        assert_eq!(links("one ab|c tree", "one a|bd tree"), [Some(0), None, None, Some(3)]);
    }

    #[test]
    fn a_run_in_another_place_is_found_and_a_single_word_only_as_a_whole_piece() {
        let moved = links("m n o p|a b c d e f|x", "a b c d e f|m n o p|x");
        assert_eq!(moved, [4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 10].map(Some));
        assert_eq!(links("m|a b c", "a b c|m")[3], Some(0));
        assert_eq!(links("m n|a b c", "a b c|m")[3], None);
    }

    #[test]
    fn equal_ends_of_long_texts_are_linked_to_the_last_unit() {
        let text = "a ".repeat(2000);
        let linked = links(&text, &format!("{text} b"));
        assert!((0..2000).all(|at| linked[at as usize] == Some(at)));
        assert_eq!(linked[2000], None);
    }

    #[test]
    fn nothing_is_linked_twice() {
        let mut links = links("a b c d", "a b c d|a b c d");
        links.sort();
        assert_eq!(links, [None, None, None, None, Some(0), Some(1), Some(2), Some(3)]);
    }
}
