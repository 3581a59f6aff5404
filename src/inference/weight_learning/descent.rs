//! `descend`, Adam over batches of pages with early stopping.

use rand::seq::SliceRandom;

use super::objective::{derive_stage, gradient, loss};
use super::{Epoch, Stage, WeightLearning, WeightPage, numbers, rounded, with_numbers};
use crate::error::Result;
use crate::model::{Model, Weights};
use crate::rng::stream;

/// What is learned from.
pub(super) struct Descent<'a> {
    /// The model without weights.
    pub model: &'a Model,
    pub pages: &'a [&'a WeightPage],
    pub held_out: &'a [&'a WeightPage],
    pub settings: &'a WeightLearning,
}

/// The weights of the lowest loss of held-out pages that a stage comes to from `start`.
pub(super) fn descend(
    problem: &Descent<'_>,
    stage: Stage,
    start: &Weights,
    observe: &mut impl FnMut(Epoch),
) -> Result<Weights> {
    let Descent { model, pages, held_out, settings } = *problem;
    let (mut rate, epochs) = match stage {
        Stage::Exponents => (settings.exponent_rate, settings.exponent_epochs),
        Stage::Refinement => (settings.refinement_rate, settings.refinement_epochs),
    };
    let under = |weights: &Weights| model.clone().with_layer(weights.clone());
    let held_out_loss = |weights: &Weights| Ok(loss(&under(weights)?, held_out, settings));
    let mut best = start.clone();
    let mut lowest = held_out_loss(&best)?;
    observe(Epoch { stage, number: 0, loss: None, held_out: lowest, rate });
    let mut x = numbers(&best, stage);
    let mut adam = Adam::new(x.len());
    let mut without_gain = 0;
    let mut order: Vec<&WeightPage> = pages.to_vec();
    for number in 1..=epochs {
        order.shuffle(&mut stream(settings.seed, "weight-learning", &[stage as u64, number.into()]));
        let mut sum = 0.0;
        for batch in order.chunks(settings.batch as usize) {
            let weights = with_numbers(&best, stage, &x);
            let gradient = gradient(&under(&weights)?, batch, settings);
            sum += gradient.loss * batch.len() as f64;
            adam.step(&mut x, &derive_stage(&gradient, model, &weights, stage, settings), rate);
            keep_in_range(&mut x, stage);
        }
        // What is kept is what was scored: rounded numbers.
        let weights = with_numbers(&best, stage, &rounded(&x, stage));
        let held_out = held_out_loss(&weights)?;
        observe(Epoch { stage, number, loss: Some(sum / pages.len() as f64), held_out, rate });
        if held_out < lowest {
            (best, lowest, without_gain) = (weights, held_out, 0);
            continue;
        }
        without_gain += 1;
        if without_gain == settings.patience {
            break;
        }
        rate /= 2.0;
        x = numbers(&best, stage);
        adam = Adam::new(x.len());
    }
    Ok(best)
}

/// Exponents are not negative; what is added to a table, in nats, is far from where it would rule out a state.
fn keep_in_range(x: &mut [f64], stage: Stage) {
    let (low, high) = match stage {
        Stage::Exponents => (0.0, 10.0),
        Stage::Refinement => (-20.0, 20.0),
    };
    x.iter_mut().for_each(|x| *x = x.clamp(low, high));
}

/// Adam with its usual constants.
struct Adam {
    steps: i32,
    /// The running means of the derivatives and of their squares.
    means: Vec<(f64, f64)>,
}

impl Adam {
    fn new(n: usize) -> Self {
        Adam { steps: 0, means: vec![(0.0, 0.0); n] }
    }

    fn step(&mut self, x: &mut [f64], gradient: &[f64], rate: f64) {
        const DECAY: (f64, f64) = (0.9, 0.999);
        const SMALL: f64 = 1e-8;
        self.steps += 1;
        let (start, start_of_squares) = (1.0 - DECAY.0.powi(self.steps), 1.0 - DECAY.1.powi(self.steps));
        for ((x, &g), (mean, square)) in x.iter_mut().zip(gradient).zip(&mut self.means) {
            *mean = DECAY.0 * *mean + (1.0 - DECAY.0) * g;
            *square = DECAY.1 * *square + (1.0 - DECAY.1) * g * g;
            *x -= rate * (*mean / start) / ((*square / start_of_squares).sqrt() + SMALL);
        }
    }
}
