//! `DirichletRows`, rows of counts of categories that change one by one, with the probabilities integrated out.

use rand::Rng;

use super::dirichlet_categorical::{DirichletCategorical, draw_gamma};
use super::special::ln_rising;

/// Rows of counts, each with a symmetric Dirichlet prior.
///
/// Counts are whole numbers (or fractions that are multiples of a power of two) in doubles, so that adding and taking
/// away leaves no trace of rounding; the prior is added where a probability is asked for.
#[derive(Debug, Clone)]
pub struct DirichletRows {
    gamma: f64,
    /// gamma times the number of categories.
    total_gamma: f64,
    row_stride: usize,
    category_stride: usize,
    /// The rows that are in use.
    rows: Vec<u32>,
    /// The categories that occur in what is added. All others are as one, by the Dirichlet's aggregation.
    live: Vec<u32>,
    /// The number of the others.
    others: usize,
    base: Vec<f64>,
    base_totals: Vec<f64>,
    counts: Vec<f64>,
    totals: Vec<f64>,
}

/// How the cells of [`DirichletRows`] lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellOrder {
    /// \[row\]\[category\]
    RowMajor,
    /// \[category\]\[row\]
    CategoryMajor,
}

impl DirichletRows {
    /// Rows with the counts that are there at first, in `order`.
    ///
    /// `rows` are the rows and `live` the categories that will be asked for or added to.
    ///
    /// # Panics
    /// If a row or a category is beyond the counts.
    pub fn new(
        prior: DirichletCategorical,
        counts: impl Iterator<Item = f64>,
        categories: usize,
        order: CellOrder,
        rows: Vec<u32>,
        live: Vec<u32>,
    ) -> Self {
        let gamma = prior.gamma;
        let base: Vec<f64> = counts.collect();
        let number = base.len() / categories.max(1);
        let (row_stride, category_stride) = match order {
            CellOrder::RowMajor => (categories, 1),
            CellOrder::CategoryMajor => (1, number),
        };
        let total = |row: usize| (0..categories).map(|c| base[row * row_stride + c * category_stride]).sum();
        let base_totals: Vec<f64> = (0..number).map(total).collect();
        DirichletRows {
            gamma,
            total_gamma: gamma * categories as f64,
            row_stride,
            category_stride,
            others: categories - live.len(),
            rows,
            live,
            counts: base.clone(),
            totals: base_totals.clone(),
            base,
            base_totals,
        }
    }

    #[inline]
    fn cell(&self, row: usize, category: usize) -> usize {
        row * self.row_stride + category * self.category_stride
    }

    /// Adds `n` observations of a category to a row; takes them away where `n` is negative.
    #[inline]
    pub fn add(&mut self, row: usize, category: usize, n: f64) {
        let cell = self.cell(row, category);
        self.counts[cell] += n;
        self.totals[row] += n;
    }

    /// The predictive probability of a category.
    #[inline]
    pub fn p(&self, row: usize, category: usize) -> f64 {
        (self.gamma + self.counts[self.cell(row, category)]) / (self.total_gamma + self.totals[row])
    }

    /// ln of the predictive probability of seeing a category `n` times in a given order.
    #[inline]
    pub fn ln_rising(&self, row: usize, category: usize, n: f64) -> f64 {
        ln_rising(self.gamma + self.counts[self.cell(row, category)], n)
    }

    /// What [`DirichletRows::ln_rising`] of all categories is divided by, for `n` in all.
    #[inline]
    pub fn ln_rising_total(&self, row: usize, n: f64) -> f64 {
        ln_rising(self.total_gamma + self.totals[row], n)
    }

    /// Multiplies `numerators` and `denominators` by those of the predictive probability of one category in rows
    /// from `first` on. For [`CellOrder::CategoryMajor`], where they lie side by side.
    #[inline]
    pub fn multiply_p(
        &self,
        first: usize,
        category: usize,
        numerators: &mut [f64],
        denominators: &mut [f64],
    ) {
        let start = category * self.category_stride + first;
        for (w, c) in numerators.iter_mut().zip(&self.counts[start..]) {
            *w *= self.gamma + c;
        }
        for (w, total) in denominators.iter_mut().zip(&self.totals[first..]) {
            *w *= self.total_gamma + total;
        }
    }

    /// Goes back to the counts that were there at first.
    pub fn reset(&mut self) {
        self.counts.copy_from_slice(&self.base);
        self.totals.copy_from_slice(&self.base_totals);
    }

    /// ln P(what was added | what was there at first), with the probabilities integrated out.
    pub fn ln_evidence(&self) -> f64 {
        let mut ln = 0.0;
        for &row in &self.rows {
            let row = row as usize;
            let added = self.totals[row] - self.base_totals[row];
            if added == 0.0 {
                continue;
            }
            ln -= ln_rising(self.total_gamma + self.base_totals[row], added);
            for &category in &self.live {
                let cell = self.cell(row, category as usize);
                let added = self.counts[cell] - self.base[cell];
                if added != 0.0 {
                    ln += ln_rising(self.gamma + self.base[cell], added);
                }
            }
        }
        ln
    }

    /// Writes ln of the posterior means into `ln`, laid out as the counts are.
    pub fn write_ln_means(&self, ln: &mut [f64]) {
        for &row in &self.rows {
            let row = row as usize;
            let ln_total = (self.total_gamma + self.totals[row]).ln();
            for &category in &self.live {
                let cell = self.cell(row, category as usize);
                ln[cell] = (self.gamma + self.counts[cell]).ln() - ln_total;
            }
        }
    }

    /// Writes ln of a draw from the posterior into `ln`. Of the categories that are not live only the sum is
    /// drawn, and not written.
    pub fn write_ln_draw<R: Rng + ?Sized>(&self, rng: &mut R, ln: &mut [f64]) {
        for &row in &self.rows {
            let row = row as usize;
            let mut total = 0.0;
            let mut shape_of_others = self.totals[row] + self.gamma * self.others as f64;
            for &category in &self.live {
                let cell = self.cell(row, category as usize);
                shape_of_others -= self.counts[cell];
                let value = draw_gamma(self.gamma + self.counts[cell], rng);
                ln[cell] = value;
                total += value;
            }
            if self.others > 0 {
                total += draw_gamma(shape_of_others, rng);
            }
            let ln_total = total.ln();
            for &category in &self.live {
                let cell = self.cell(row, category as usize);
                ln[cell] = ln[cell].ln() - ln_total;
            }
        }
    }

    /// Whether something was counted in a row at first.
    pub fn is_counted(&self, row: usize) -> bool {
        self.base_totals[row] > 0.0
    }

    /// The rows and categories that are in use.
    pub fn in_use(&self) -> (&[u32], &[u32]) {
        (&self.rows, &self.live)
    }

    /// Whether there are categories that are not live.
    pub fn has_others(&self) -> bool {
        self.others > 0
    }

    /// The place of a probability in what is drawn.
    pub fn place(&self, row: u32, category: u32) -> usize {
        self.cell(row as usize, category as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRIOR: DirichletCategorical = DirichletCategorical { gamma: 0.3 };

    /// Two rows of three categories, in which 4, 0, 9 and 1, 2, 0 were counted at first.
    fn rows(order: CellOrder, live: Vec<u32>) -> DirichletRows {
        let counts = match order {
            CellOrder::RowMajor => [4.0, 0.0, 9.0, 1.0, 2.0, 0.0],
            CellOrder::CategoryMajor => [4.0, 1.0, 0.0, 2.0, 9.0, 0.0],
        };
        DirichletRows::new(PRIOR, counts.into_iter(), 3, order, vec![0, 1], live)
    }

    #[test]
    fn evidence_and_predictive_are_those_of_the_single_distribution() {
        for order in [CellOrder::RowMajor, CellOrder::CategoryMajor] {
            let mut rows = rows(order, vec![0, 1, 2]);
            let expected: Vec<f64> = PRIOR.ln_predictive([1.0, 2.0, 0.0].into_iter()).collect();
            for (category, ln_p) in expected.into_iter().enumerate() {
                assert!((rows.p(1, category).ln() - ln_p).abs() < 1e-12, "{order:?} {category}");
            }
            rows.add(0, 1, 2.0);
            rows.add(0, 2, 40.0);
            rows.add(1, 0, 3.0);
            let ln_evidence =
                |before: &[f64], after: &[f64]| PRIOR.ln_evidence(after) - PRIOR.ln_evidence(before);
            let expected = ln_evidence(&[4.0, 0.0, 9.0], &[4.0, 2.0, 49.0])
                + ln_evidence(&[1.0, 2.0, 0.0], &[4.0, 2.0, 0.0]);
            assert!((rows.ln_evidence() - expected).abs() < 1e-9, "{order:?}");
            rows.reset();
            assert_eq!(rows.ln_evidence(), 0.0);
        }
    }

    #[test]
    fn products_of_probabilities_are_those_of_each_row() {
        let rows = rows(CellOrder::CategoryMajor, vec![0, 1, 2]);
        let (mut above, mut below) = ([1.0; 2], [1.0; 2]);
        rows.multiply_p(0, 2, &mut above, &mut below);
        for row in 0..2 {
            assert!((above[row] / below[row] - rows.p(row, 2)).abs() < 1e-15, "{row}");
        }
    }

    #[test]
    fn draws_have_the_posterior_mean_whether_or_not_a_category_is_live() {
        let mut rng = crate::rng::stream(1, "test", &[]);
        for live in [vec![0, 1, 2], vec![0]] {
            let rows = rows(CellOrder::RowMajor, live.clone());
            assert_eq!(rows.has_others(), live.len() < 3);
            let n = 20_000;
            let (mut mean, mut means) = ([0.0; 6], [0.0; 6]);
            for _ in 0..n {
                let mut ln = [f64::NAN; 6];
                rows.write_ln_draw(&mut rng, &mut ln);
                mean.iter_mut().zip(ln).for_each(|(sum, ln)| *sum += ln.exp() / f64::from(n));
            }
            rows.write_ln_means(&mut means);
            for (row, category) in [(0, 0), (1, 0)] {
                let place = rows.place(row, category);
                // sd of each component is below .3; five standard errors: false alarm once in 1.7 million seeds.
                let error = (mean[place] - means[place].exp()).abs();
                assert!(error < 5.0 * 0.3 / f64::from(n).sqrt(), "{live:?} {row}: {error}");
            }
        }
    }
}
