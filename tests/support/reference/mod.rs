//! The model written down a second time, as plainly as can be, and what follows from it by summing over all states:
//! what samplers are checked against. Nothing here looks at the counts, tables or kernels of the package.

#![allow(dead_code, reason = "each test file uses its own part")]

pub mod enumeration;
pub mod factors;
pub mod forward;

pub mod training;
pub mod verdict;
