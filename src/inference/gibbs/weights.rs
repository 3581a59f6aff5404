//! `Weights` of a node's states while they are put together.

use crate::dist::DirichletRows;

/// The most states of any state space.
pub(super) const MAX_STATES: usize = 16;

/// Weights of a node's states while they are put together: above / below * exp(ln).
pub(super) struct Weights {
    pub above: [f64; MAX_STATES],
    pub below: [f64; MAX_STATES],
    pub ln: [f64; MAX_STATES],
}

impl Weights {
    pub fn new() -> Self {
        Weights { above: [1.0; MAX_STATES], below: [1.0; MAX_STATES], ln: [0.0; MAX_STATES] }
    }

    /// Moves everything into the logarithms.
    pub fn rescale(&mut self) {
        for ((ln, above), below) in self.ln.iter_mut().zip(&mut self.above).zip(&mut self.below) {
            *ln += (*above / *below).ln();
            (*above, *below) = (1.0, 1.0);
        }
    }

    /// The probability of categories that are drawn independently, and in no order of their own. `for_each` gives the
    /// categories with their numbers.
    pub fn add_independent(
        &mut self,
        k: usize,
        rows: &DirichletRows,
        first: usize,
        for_each: impl FnOnce(&mut dyn FnMut(u32, u32)),
    ) {
        let mut total = 0.0;
        for_each(&mut |category, n| {
            for (state, ln) in self.ln[..k].iter_mut().enumerate() {
                *ln += rows.ln_rising(first + state, category as usize, n.into());
            }
            total += f64::from(n);
        });
        if total > 0.0 {
            for (state, ln) in self.ln[..k].iter_mut().enumerate() {
                *ln -= rows.ln_rising_total(first + state, total);
            }
        }
    }
}
