//! The children of one node as a chain: each depends on the parent and on the sibling before.
//!
//! With R_i(a, s) the probability of all that children i, i + 1, ... say, given the parent's state a and the state s of
//! the child before i,
//!
//! R_i(a, s) = sum_z A\[a, s\]\[z\] b_i(z) R_i+1(a, z),
//!
//! from the last child to the first, for all a and s at once.

use super::lanes::{Lanes, any, assembled, parts, plus, times};
use super::rows::{BLOCK, Block, Rows};
use super::upward::{Message, SMALL};
use crate::view::{NONE, Tree};

/// The states of leaves, where of eight states the last two are for inner nodes only.
const FEW: usize = 6;

/// The children of a node and the messages along them; and on a stack those of nodes before, for the way down, which
/// meets the nodes in the opposite order.
#[derive(Debug, Clone, Default)]
pub(super) struct SiblingChain<const P: usize> {
    /// The children in order.
    pub children: Vec<u32>,
    /// R_i+1 of each child i, a block for each four states of the parent; the last child first.
    messages: Vec<Block<P>>,
    /// Children i whose R_i was multiplied by powers of two, and the exponents of these.
    rescaled: Vec<(u32, Lanes<P>)>,
    /// The number of these that are of nodes before.
    rescaled_before: usize,
}

impl<const P: usize> SiblingChain<P> {
    /// Blocks of a message.
    pub(super) const BLOCKS: usize = P / BLOCK;

    /// Forgets all messages and makes room for those to so many nodes.
    pub(super) fn clear(&mut self, nodes: usize) {
        self.messages.clear();
        self.messages.reserve(nodes * Self::BLOCKS);
        self.rescaled.clear();
    }

    /// Makes the children of `v` those that everything is about.
    #[inline(always)]
    pub(super) fn list(&mut self, tree: &Tree, v: u32) {
        self.children.clear();
        let mut child = tree.first_child(v);
        while child != NONE {
            self.children.push(child);
            child = tree.next_sibling(child);
        }
    }

    /// Puts the messages along the children on the stack; gives that to the parent.
    #[inline(always)]
    pub(super) fn upward(&mut self, rows: &Rows<P>, weights: &[Lanes<P>], ln_scale: &[f64]) -> Message<P> {
        self.rescaled_before = self.rescaled.len();
        let mut exponent = times(rows.exponents, [self.children.len() as f64; P]);
        let mut ln_total = 0.0;
        let mut top = self.messages.len();
        self.messages.reserve(self.children.len() * Self::BLOCKS);
        for _ in 0..Self::BLOCKS {
            self.messages.push([[1.0; BLOCK]; P]);
        }
        for i in (1..self.children.len()).rev() {
            let child = self.children[i];
            let own = weights[child as usize];
            ln_total += ln_scale[child as usize];
            let before = &weights[self.children[i - 1] as usize];
            let mut is_small = false;
            for block in 0..Self::BLOCKS {
                let mut next = self.messages[top + block];
                scale(&mut next, own);
                let message = mix_of(&rows.up[block], &next, few(before), few(&own));
                // One state of the sibling before stands for all: what is rescaled too often is still right.
                is_small |= any(message[0], |x| x < SMALL);
                self.messages.push(message);
            }
            top += Self::BLOCKS;
            if is_small {
                self.rescale(child, &mut exponent);
            }
        }
        let first = self.children[0] as usize;
        Message { mantissa: self.join_all(rows, weights), exponent, ln_scale: ln_total + ln_scale[first] }
    }

    /// The mantissas of what all children together say, from the messages on the stack.
    #[inline(always)]
    pub(super) fn join_all(&self, rows: &Rows<P>, weights: &[Lanes<P>]) -> Lanes<P> {
        let mut mantissa = [0.0; P];
        for (block, start) in rows.start.iter().enumerate() {
            let mut next = *self.message(0, block);
            scale(&mut next, weights[self.children[0] as usize]);
            let mut sum = times(next[0], start[0]);
            for z in 1..P {
                sum = plus(sum, times(next[z], start[z]));
            }
            mantissa[block * BLOCK..][..BLOCK].copy_from_slice(&sum);
        }
        mantissa
    }

    /// R_i+1 of child i of the node whose messages are on top of the stack.
    #[inline(always)]
    pub(super) fn message(&self, i: usize, block: usize) -> &Block<P> {
        &self.messages[self.messages.len() - (i + 1) * Self::BLOCKS + block]
    }

    /// Takes back what [`Chain::upward`] put on the stack.
    #[inline(always)]
    pub(super) fn forget(&mut self) {
        self.drop_messages();
        self.rescaled.truncate(self.rescaled_before);
    }

    /// Takes the messages of the children off the stack.
    #[inline(always)]
    pub(super) fn drop_messages(&mut self) {
        self.messages.truncate(self.messages.len() - self.children.len() * Self::BLOCKS);
    }

    /// The exponents of the powers of two that R_i was multiplied by, if it was; to be asked for each child but the
    /// first in order.
    #[inline(always)]
    pub(super) fn take_rescaled(&mut self, child: u32) -> Option<Lanes<P>> {
        match self.rescaled.last() {
            Some(&(of, powers)) if of == child => {
                self.rescaled.pop();
                Some(powers)
            }
            _ => None,
        }
    }

    /// Takes a power of two out of the last message for each state of the parent for which all of it is small.
    #[cold]
    #[inline(never)]
    fn rescale(&mut self, child: u32, exponent: &mut Lanes<P>) {
        let mut powers = [0.0; P];
        let start = self.messages.len() - Self::BLOCKS;
        for (block, message) in self.messages[start..].iter_mut().enumerate() {
            for lane in 0..BLOCK {
                let max = message.iter().map(|lanes| lanes[lane]).fold(0.0, f64::max);
                if max > 0.0 && max < SMALL {
                    let (_, [power]) = parts([max]);
                    powers[block * BLOCK + lane] = power;
                    for lanes in message.iter_mut() {
                        [lanes[lane]] = assembled([lanes[lane]], [-power]);
                    }
                }
            }
        }
        if powers != [0.0; P] {
            *exponent = plus(*exponent, powers);
            self.rescaled.push((child, powers));
        }
    }
}

/// Multiplies a message by the weights of the states.
#[inline(always)]
pub(super) fn scale<const P: usize>(message: &mut Block<P>, weights: Lanes<P>) {
    for (lanes, weight) in message.iter_mut().zip(weights) {
        *lanes = times(*lanes, [weight; BLOCK]);
    }
}

/// Whether a node has none of the states that leaves do not have. Sums may then leave these out, which changes no bit
/// of the others.
#[inline(always)]
pub(super) fn few<const P: usize>(weights: &Lanes<P>) -> bool {
    P > FEW && weights[FEW..].iter().all(|&weight| weight == 0.0)
}

/// The choice of sums by whether the states that are left, and those that are summed over, are few.
#[inline(always)]
pub(super) fn mix_of<const P: usize>(
    table: &[Block<P>; P],
    x: &Block<P>,
    few_left: bool,
    few_summed: bool,
) -> Block<P> {
    match (few_left, few_summed) {
        (true, true) => mix::<P, FEW, FEW>(table, x),
        (true, false) => mix::<P, FEW, P>(table, x),
        (false, true) => mix::<P, P, FEW>(table, x),
        (false, false) => mix::<P, P, P>(table, x),
    }
}

/// sum over j < J of x\[j\] table\[j\]\[i\] for i < I, each lane by itself; 0 from I on.
#[inline(always)]
fn mix<const P: usize, const I: usize, const J: usize>(table: &[Block<P>; P], x: &Block<P>) -> Block<P> {
    let mut result = [[0.0; BLOCK]; P];
    for i in 0..I {
        let mut sum = times(x[0], table[0][i]);
        for j in 1..J {
            sum = plus(sum, times(x[j], table[j][i]));
        }
        result[i] = sum;
    }
    result
}
