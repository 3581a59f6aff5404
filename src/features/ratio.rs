//! Shares in per cent and quotients, as the features write them: whole numbers, rounded up.

/// The share in per cent, rounded up: 0 means none, 1 more than none, 100 more than 99 %; 0 of 0 is 0.
pub fn share(part: u32, whole: u32) -> u32 {
    ratio(100 * u64::from(part), whole)
}

/// A quotient, rounded up; by nothing 0.
pub fn ratio(part: u64, whole: u32) -> u32 {
    u32::try_from(part.div_ceil(u64::from(whole).max(1))).unwrap_or(u32::MAX)
}
