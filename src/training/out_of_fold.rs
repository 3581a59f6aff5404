//! `OutOfFold`, what is learned once without each fold of the pages and once of all of them.
//!
//! A page's score that something else learns from must come from what has not seen its site: of the fold's own, which
//! was learned from the other folds.

use std::iter;

use rayon::prelude::*;

use crate::error::Result;

/// The folds of pages.
#[derive(Debug, Clone, Copy)]
pub struct Folds<'a> {
    /// The fold of each page.
    of_pages: &'a [usize],
    n: usize,
}

/// What was learned.
#[derive(Debug)]
pub struct OutOfFold<T> {
    /// For each fold, from the pages of the others; of a single fold, from all.
    pub of_folds: Vec<T>,
    /// From all pages.
    pub of_all: T,
}

impl<'a> Folds<'a> {
    /// `n` folds, at least one, from the fold of each page, 0 to n - 1.
    pub fn new(of_pages: &'a [usize], n: usize) -> Self {
        Folds { of_pages, n: n.max(1) }
    }

    /// As many folds as the highest number among the pages says.
    pub fn of(of_pages: &'a [usize]) -> Self {
        Folds::new(of_pages, of_pages.iter().max().map_or(1, |last| last + 1))
    }

    /// How many folds there are.
    pub fn count(self) -> usize {
        self.n
    }

    /// The numbers of the pages of a fold.
    pub fn pages(self, fold: usize) -> impl Iterator<Item = usize> + Send + 'a {
        (0..self.of_pages.len()).filter(move |&page| self.of_pages[page] == fold)
    }

    /// The numbers of the pages that what is learned without a fold may see: of all pages without any.
    pub fn seen(self, left_out: Option<usize>) -> impl Iterator<Item = usize> + 'a {
        (0..self.of_pages.len()).filter(move |&page| Some(self.of_pages[page]) != left_out)
    }

    /// Learns without each fold, then from all, one after the other: for what needs much memory or is parallel within.
    /// `learn` hears the fold that is left out, whose pages it must not look at.
    ///
    /// # Errors
    /// The first of `learn`.
    pub fn learn<T>(self, learn: impl FnMut(Option<usize>) -> Result<T>) -> Result<OutOfFold<T>> {
        Self::finish(self.left_out().map(learn).collect())
    }

    /// As [`Folds::learn`], all at the same time.
    ///
    /// # Errors
    /// The first of `learn`.
    pub fn learn_at_once<T: Send>(
        self,
        learn: impl Fn(Option<usize>) -> Result<T> + Sync + Send,
    ) -> Result<OutOfFold<T>> {
        let left_out: Vec<Option<usize>> = self.left_out().collect();
        Self::finish(left_out.into_par_iter().map(learn).collect())
    }

    fn left_out(self) -> impl Iterator<Item = Option<usize>> {
        (0..self.n).map(move |fold| (self.n > 1).then_some(fold)).chain(iter::once(None))
    }

    fn finish<T>(learned: Result<Vec<T>>) -> Result<OutOfFold<T>> {
        let mut of_folds = learned?;
        let of_all = of_folds.pop().expect("one more than folds");
        Ok(OutOfFold { of_folds, of_all })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_learned_for_a_fold_has_not_seen_its_pages() {
        let folds = Folds::of(&[0, 2, 0, 1]);
        let seen = |left_out| Ok(folds.seen(left_out).collect::<Vec<_>>());
        let learned = folds.learn(seen).unwrap();
        assert_eq!(learned.of_folds, [vec![1, 3], vec![0, 1, 2], vec![0, 2, 3]]);
        assert_eq!(learned.of_all, [0, 1, 2, 3]);
        let at_once = folds.learn_at_once(seen).unwrap();
        assert_eq!((at_once.of_folds, at_once.of_all), (learned.of_folds, learned.of_all));
        // A fold without pages is one too, and of a single fold nothing is left out.
        assert_eq!(Folds::new(&[0, 1], 3).learn(seen).unwrap().of_folds.len(), 3);
        let single = Folds::of(&[0, 0]);
        let learned = single.learn(|left_out| Ok(single.seen(left_out).count())).unwrap();
        assert_eq!((learned.of_folds, learned.of_all), (vec![2], 2));
    }
}
