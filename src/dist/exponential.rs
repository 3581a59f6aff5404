//! Exponentials and logarithms of a few numbers at once, with the same bits on every machine.
//!
//! The platform's `exp` and `ln` take one number at a time, and their last bit differs between processors of one family (with
//! and without fused multiply-add). Here they are additions and multiplications in a fixed order, which compilers put into
//! vector registers of any width without changing a bit.

/// 1.5 * 2^52: a number up to 2^51 added to it is rounded to an integer, which stands in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// ln 2 in two parts; the first has so few bits that its product with an exponent is exact (fdlibm, `e_exp.c`).
const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN_2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

/// 2 atanh(s) / s - 2 for |s| up to 0.1716 by powers of s^2 (fdlibm, `e_log.c`), relative error of ln 2^-58.
const LN_POWERS: [f64; 7] = [
    0.6666666666666735,
    0.3999999999940942,
    0.2857142874366239,
    0.22222198432149784,
    0.1818357216161805,
    0.15313837699209373,
    0.14798198605116586,
];

/// (e^r - 1 - r) / r^2 for |r| up to ln 2 / 2 by powers of r: Chebyshev interpolation, relative error of e^r 1.3e-17.
const POWERS: [f64; 10] = [
    0.5000000000000001,
    0.16666666666666669,
    0.04166666666662413,
    0.008333333333330062,
    0.0013888888917213717,
    0.00019841269863053618,
    2.4801521295954376e-5,
    2.7557268459997064e-6,
    2.7620088445409746e-7,
    2.510038549551032e-8,
];

/// e^x of each number up to 709, to two units in the last place; 0 below -708, where only numbers without full
/// precision would be left, and at minus infinity.
///
/// # Examples
/// ```
/// let [a, b] = duramen::dist::exponential::exp([-1.0, f64::NEG_INFINITY]);
/// assert!((a - 0.36787944117144233).abs() < 1e-16);
/// assert_eq!(b, 0.0);
/// ```
#[inline(always)]
pub fn exp<const P: usize>(x: [f64; P]) -> [f64; P] {
    let mut result = x;
    for value in &mut result {
        let x = *value;
        // x = n ln 2 + r.
        let shifted = x * std::f64::consts::LOG2_E + ROUND;
        let n = shifted - ROUND;
        let r = (x - n * LN_2_HIGH) - n * LN_2_LOW;
        let r2 = r * r;
        let c = POWERS;
        let even = c[0] + r2 * (c[2] + r2 * (c[4] + r2 * (c[6] + r2 * c[8])));
        let odd = c[1] + r2 * (c[3] + r2 * (c[5] + r2 * (c[7] + r2 * c[9])));
        let fraction = 1.0 + (r + r2 * (even + r * odd));
        let power = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
        *value = if x < -708.0 { 0.0 } else { fraction * power };
    }
    result
}

/// The natural logarithm of each number, to two units in the last place; minus infinity of 0. For numbers from
/// 2.3e-308 up, which are those with full precision.
///
/// # Examples
/// ```
/// let [a, b] = duramen::dist::exponential::ln([10.0, 0.0]);
/// assert!((a - std::f64::consts::LN_10).abs() < 1e-15);
/// assert_eq!(b, f64::NEG_INFINITY);
/// ```
#[inline(always)]
pub fn ln<const P: usize>(x: [f64; P]) -> [f64; P] {
    /// The bits of the square root of 1/2, from which on a mantissa counts as below 1.
    const ROOT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    let mut result = x;
    for value in &mut result {
        let x = *value;
        // x = 2^n (1 + f), 1 + f between the roots of 1/2 and 2.
        let steps = x.to_bits().wrapping_sub(ROOT_HALF) as i64 >> 52;
        let f = f64::from_bits(x.to_bits().wrapping_sub((steps << 52) as u64)) - 1.0;
        let n = steps as f64;
        let s = f / (2.0 + f);
        let s2 = s * s;
        let c = LN_POWERS;
        let high = c[2] + s2 * (c[3] + s2 * (c[4] + s2 * (c[5] + s2 * c[6])));
        let series = s2 * (c[0] + s2 * (c[1] + s2 * high));
        let half = 0.5 * f * f;
        let ln = n * LN_2_HIGH - ((half - (s * (half + series) + n * LN_2_LOW)) - f);
        *value = if x == 0.0 { f64::NEG_INFINITY } else { ln };
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_platform_to_two_units_in_the_last_place() {
        let mut worst = 0.0f64;
        for i in 1..19_500 {
            let x = (f64::from(i) * 0.0707 - 700.0).exp() * 1.000_123;
            let [value] = ln([x]);
            worst = worst.max((value - x.ln()).abs() / x.ln().abs().max(1e-3));
        }
        assert!(worst < 4.5e-16, "{worst}");
        assert_eq!(ln([1.0, 0.0]), [0.0, f64::NEG_INFINITY]);
    }

    #[test]
    fn exponentials_are_those_of_the_platform_to_two_units_in_the_last_place() {
        let mut worst = 0.0f64;
        for i in -7080..7090 {
            let x = f64::from(i) * 0.1 + 1e-3 / f64::from(i + 8000);
            let [value] = exp([x.clamp(-708.0, 709.0)]);
            worst = worst.max((value / x.clamp(-708.0, 709.0).exp() - 1.0).abs());
        }
        assert!(worst < 4.5e-16, "{worst}");
        assert_eq!(exp([0.0, -708.1, -1e300, f64::NEG_INFINITY]), [1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn lanes_do_not_depend_on_their_number() {
        let x: [f64; 8] = std::array::from_fn(|i| -0.7 * i as f64);
        let all = exp(x);
        for (x, value) in x.into_iter().zip(all) {
            assert_eq!(exp([x])[0].to_bits(), value.to_bits());
        }
    }
}
