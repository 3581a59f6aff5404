//! `Sums`: gradients, second derivatives and number of rows, added up exactly, and what a split of them gains.

use std::ops::{AddAssign, Sub, SubAssign};

/// A row that a tree is grown from, with its derivatives as multiples of [`Units`].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry {
    pub row: u32,
    pub gradient: i32,
    pub hessian: u32,
}

/// Sums over rows. All are whole numbers, so that the order of adding does not matter and differences are exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sums {
    gradient: i64,
    /// The number of rows, above [`Units::count_shift`], and the sum of the second derivatives: one addition for both.
    count_and_hessian: u64,
}

impl AddAssign for Sums {
    fn add_assign(&mut self, other: Sums) {
        self.gradient += other.gradient;
        self.count_and_hessian += other.count_and_hessian;
    }
}

impl SubAssign for Sums {
    fn sub_assign(&mut self, other: Sums) {
        self.gradient -= other.gradient;
        self.count_and_hessian -= other.count_and_hessian;
    }
}

impl Sub for Sums {
    type Output = Sums;

    fn sub(mut self, other: Sums) -> Sums {
        self -= other;
        self
    }
}

/// What derivatives are multiples of: powers of two, as small as the sums over the rows allow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Units {
    gradient: f64,
    hessian: f64,
    count_shift: u32,
}

impl Units {
    /// The most rows: with them a second derivative still has 16 bits, with a million 24.
    pub const MOST_ROWS: usize = (1 << 24) - 1;

    /// Units for so many rows (1 to [`Units::MOST_ROWS`]) whose derivatives are so large at most.
    pub fn new(rows: usize, largest_gradient: f64, largest_hessian: f64) -> Units {
        let count_bits = usize::BITS - rows.leading_zeros();
        // The sum of the second derivatives fills at most the bits below the count.
        let hessian_bits = (64 - 2 * count_bits).min(30);
        Units {
            gradient: unit(largest_gradient, 30),
            hessian: unit(largest_hessian, hessian_bits),
            count_shift: 64 - count_bits,
        }
    }

    /// A row's derivatives in these units.
    pub fn entry(&self, row: u32, gradient: f64, hessian: f64) -> Entry {
        Entry {
            row,
            gradient: (gradient / self.gradient).round() as i32,
            hessian: (hessian / self.hessian).round() as u32,
        }
    }

    /// What one row adds to the sums.
    #[inline(always)]
    pub fn sums(&self, entry: Entry) -> Sums {
        Sums {
            gradient: i64::from(entry.gradient),
            count_and_hessian: (1 << self.count_shift) + u64::from(entry.hessian),
        }
    }

    /// The number of rows in sums.
    pub fn count(&self, sums: Sums) -> u64 {
        sums.count_and_hessian >> self.count_shift
    }

    fn gradient(&self, sums: Sums) -> f64 {
        sums.gradient as f64 * self.gradient
    }

    fn hessian(&self, sums: Sums) -> f64 {
        (sums.count_and_hessian & ((1 << self.count_shift) - 1)) as f64 * self.hessian
    }
}

/// The smallest power of two of which `largest` is at most 2^bits - 1 times; 1 if `largest` is 0.
fn unit(largest: f64, bits: u32) -> f64 {
    if largest == 0.0 {
        return 1.0;
    }
    let most = ((1_u64 << bits) - 1) as f64;
    let mut exponent = (largest / most).log2().ceil().max(SMALLEST_EXPONENT) as i32;
    // The logarithm may be rounded down to a whole number.
    if largest / power_of_two(exponent) > most {
        exponent += 1;
    }
    power_of_two(exponent)
}

/// That of the smallest positive number.
const SMALLEST_EXPONENT: f64 = -1074.0;

/// 2^exponent, exactly. Of `powi` alone the compiler may make 1 / 2^-exponent, which is 0 for the smallest.
fn power_of_two(exponent: i32) -> f64 {
    let half = exponent / 2;
    2f64.powi(half) * 2f64.powi(exponent - half)
}

/// A split's gain below this share of what its sides reach is rounding.
const LEAST_SHARE_OF_GAIN: f64 = 1e-10;

/// What splits must keep to, and how they are valued.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub units: Units,
    pub min_rows: u64,
    pub l2: f64,
}

impl Rule {
    /// Twice the loss that the best constant takes away, to second order: G^2 / (H + l2).
    ///
    /// None where the sum of second derivatives is 0 and `l2` too: no constant is best.
    fn reached(&self, sums: Sums) -> Option<f64> {
        let gradient = self.units.gradient(sums);
        let divisor = self.units.hessian(sums) + self.l2;
        (divisor > 0.0).then(|| gradient * gradient / divisor)
    }

    /// The best constant to second order, -G / (H + l2); 0 where none is best.
    pub fn constant(&self, sums: Sums) -> f64 {
        let divisor = self.units.hessian(sums) + self.l2;
        if divisor > 0.0 { -self.units.gradient(sums) / divisor } else { 0.0 }
    }

    /// The best cut of a feature: the first bins stand left of it. Of equal ones the smallest.
    pub fn best_cut(&self, bins: &[Sums], all: Sums) -> Option<Cut> {
        let before = self.reached(all)?;
        let mut best: Option<Cut> = None;
        let mut left = Sums::default();
        for (bin, &sums) in bins.iter().enumerate().take(bins.len() - 1) {
            left += sums;
            let right = all - left;
            if self.units.count(left) < self.min_rows {
                continue;
            }
            if self.units.count(right) < self.min_rows {
                break;
            }
            let (Some(on_left), Some(on_right)) = (self.reached(left), self.reached(right)) else { continue };
            let after = on_left + on_right;
            let gain = after - before;
            if gain > after * LEAST_SHARE_OF_GAIN && best.is_none_or(|best| gain > best.gain) {
                best = Some(Cut { bin: bin as u8, gain, left });
            }
        }
        best
    }
}

/// A cut of a feature's bins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    /// The last bin on the left.
    pub bin: u8,
    /// GL^2 / (HL + l2) + GR^2 / (HR + l2) - G^2 / (H + l2).
    pub gain: f64,
    /// The sums on the left.
    pub left: Sums,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_the_most_rows_do_not_run_over() {
        for rows in [1, 2, 3, 1000, 320_000, Units::MOST_ROWS] {
            let units = Units::new(rows, 1.0, 0.25);
            let one = units.sums(units.entry(0, -1.0, 0.25));
            let all = Sums {
                gradient: one.gradient * rows as i64,
                count_and_hessian: one.count_and_hessian.checked_mul(rows as u64).unwrap(),
            };
            assert_eq!(units.count(all), rows as u64);
            assert_eq!(units.gradient(all), -(rows as f64));
            assert_eq!(units.hessian(all), 0.25 * rows as f64);
        }
    }

    #[test]
    fn units_are_small_whatever_the_magnitude() {
        for largest in [1e-300, 1e-45, 0.1, 1.0, 7.0, 1e30, f64::from(f32::MAX)] {
            let multiple = largest / unit(largest, 30);
            assert!(multiple <= ((1 << 30) - 1) as f64 && multiple > f64::from(1 << 28), "{largest}");
        }
        assert_eq!(unit(0.0, 30), 1.0);
        assert_eq!(unit(f64::from_bits(1), 30), f64::from_bits(1));
        for exponent in [-1074, -1027, -1022, -30, -1, 0, 1, 52, 1023] {
            assert_eq!(power_of_two(exponent).log2(), f64::from(exponent));
        }
    }

    #[test]
    fn a_cut_gains_what_the_formula_says() {
        let units = Units::new(4, 1.0, 1.0);
        let rule = Rule { units, min_rows: 1, l2: 1.0 };
        let row = |gradient, hessian| units.sums(units.entry(0, gradient, hessian));
        let bins = [row(-1.0, 0.5), row(-0.5, 0.5), row(0.75, 1.0), row(1.0, 0.5)];
        let mut all = Sums::default();
        bins.iter().for_each(|&bin| all += bin);
        let cut = rule.best_cut(&bins, all).unwrap();
        let gain = 1.5_f64.powi(2) / 2.0 + 1.75_f64.powi(2) / 2.5 - 0.25_f64.powi(2) / 3.5;
        assert_eq!(cut.bin, 1);
        assert!((cut.gain - gain).abs() < 1e-7, "{} {gain}", cut.gain);
        assert!((rule.constant(cut.left) - 0.75).abs() < 1e-8);
        assert!(Rule { min_rows: 3, ..rule }.best_cut(&bins, all).is_none());
    }

    #[test]
    fn rows_that_are_alike_are_not_split() {
        let units = Units::new(30, 0.3, 0.21);
        let row = units.sums(units.entry(0, 0.3, 0.21));
        let mut all = Sums::default();
        (0..30).for_each(|_| all += row);
        for l2 in [0.0, 5.0] {
            assert!(Rule { units, min_rows: 1, l2 }.best_cut(&[row; 30], all).is_none());
        }
    }
}
