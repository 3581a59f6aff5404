//! Logistic regression: the logistic function, its logarithm, and Newton's method.

/// 1 / (1 + e^-x): the probability of log odds, 0 to 1.
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// ln(1 + e^x) without overflow: minus the logarithm of [`sigmoid`] of -x.
pub fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// The log odds of a probability, which is taken for `least` (above 0) away from 0 and 1.
pub fn logit(probability: f64, least: f64) -> f64 {
    let p = probability.clamp(least, 1.0 - least);
    (p / (1.0 - p)).ln()
}

/// How long Newton's method goes on.
#[derive(Debug, Clone, Copy)]
pub struct Newton {
    /// The most steps.
    pub steps: u32,
    /// How often a step is tried: whole, halved, and so on.
    pub tries: u32,
    /// A halved step whose parts are all smaller than this is not tried.
    pub least_step: f64,
}

impl Newton {
    /// The maximum of a concave function from a start; `step` gives the whole step of Newton's method at a point. A step that
    /// does not gain is halved.
    pub fn maximum<const N: usize>(
        self,
        start: [f64; N],
        value: impl Fn([f64; N]) -> f64,
        step: impl Fn([f64; N]) -> [f64; N],
    ) -> [f64; N] {
        let (mut at, mut best) = (start, value(start));
        for _ in 0..self.steps {
            let whole = step(at);
            let halved =
                (0..self.tries).map(|halvings| whole.map(|part| part * 0.5f64.powi(halvings as i32)));
            let large = halved.enumerate().take_while(|(halvings, step)| {
                *halvings == 0 || !step.iter().all(|part| part.abs() < self.least_step)
            });
            let mut tried = large.map(|(_, step)| {
                let next: [f64; N] = std::array::from_fn(|i| at[i] + step[i]);
                (next, value(next))
            });
            match tried.find(|(_, value)| *value > best) {
                Some(better) => (at, best) = better,
                None => break,
            }
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_are_each_other_s_inverse_and_logarithm() {
        for p in [1e-6, 0.2, 0.5, 0.9] {
            assert!((sigmoid(logit(p, 1e-9)) - p).abs() < 1e-12);
            assert!((softplus(logit(p, 1e-9)) + (1.0 - p).ln()).abs() < 1e-12);
        }
        assert_eq!((softplus(1e4), softplus(-1e4), sigmoid(-1e4)), (1e4, 0.0, 0.0));
        assert!(logit(0.0, 1e-9).is_finite() && logit(1.0, 1e-9).is_finite());
    }

    #[test]
    fn a_step_that_goes_too_far_is_halved() {
        let newton = Newton { steps: 100, tries: 60, least_step: 1e-12 };
        // ln cosh is so flat away from 0 that whole steps of Newton's method leave it.
        let [found] =
            newton.maximum([3.0], |[x]: [f64; 1]| -x.cosh().ln(), |[x]| [-x.tanh() * x.cosh().powi(2)]);
        assert!(found.abs() < 1e-6, "{found}");
        let stays = newton.maximum([1.0], |_| f64::NAN, |_| [f64::NAN]);
        assert_eq!(stays, [1.0]);
    }
}
