//! Arithmetic on one number for each state, in an order that is the same for vector registers of any width.

/// The states of a row, or of K = 6 and fewer a row with lanes to spare.
pub(super) type Lanes<const P: usize> = [f64; P];

/// What is as good as zero where something is divided by it: no number with full precision is smaller.
pub(super) const TINY: f64 = 1e-300;

/// 2^52; its bits are the exponent field of numbers whose low bits are an integer.
const TWO_52: f64 = 4_503_599_627_370_496.0;

/// `f` of each pair.
#[inline(always)]
pub(super) fn map<const P: usize>(x: Lanes<P>, y: Lanes<P>, f: impl Fn(f64, f64) -> f64) -> Lanes<P> {
    let mut result = x;
    for i in 0..P {
        result[i] = f(x[i], y[i]);
    }
    result
}

/// The products.
#[inline(always)]
pub(super) fn times<const P: usize>(x: Lanes<P>, y: Lanes<P>) -> Lanes<P> {
    map(x, y, |x, y| x * y)
}

/// The sums.
#[inline(always)]
pub(super) fn plus<const P: usize>(x: Lanes<P>, y: Lanes<P>) -> Lanes<P> {
    map(x, y, |x, y| x + y)
}

/// The quotients; where y is as good as zero x is, and so is the quotient.
#[inline(always)]
pub(super) fn shares<const P: usize>(x: Lanes<P>, y: Lanes<P>) -> Lanes<P> {
    map(x, y, |x, y| x / if y > TINY { y } else { TINY })
}

/// sum_j x\[j\] rows\[j\].
#[inline(always)]
pub(super) fn combine<const P: usize>(rows: &[Lanes<P>; P], x: Lanes<P>) -> Lanes<P> {
    let mut sum = times(rows[0], [x[0]; P]);
    for j in 1..P {
        sum = plus(sum, times(rows[j], [x[j]; P]));
    }
    sum
}

/// All lanes folded into one, even and odd ones apart until the end.
#[inline(always)]
fn fold<const P: usize>(x: Lanes<P>, f: impl Fn(f64, f64) -> f64) -> f64 {
    let mut both = [x[0], x[1]];
    for i in (2..P).step_by(2) {
        both = [f(both[0], x[i]), f(both[1], x[i + 1])];
    }
    f(both[0], both[1])
}

/// The sum of all lanes.
#[inline(always)]
pub(super) fn sum<const P: usize>(x: Lanes<P>) -> f64 {
    fold(x, |x, y| x + y)
}

/// The largest lane. (`f64::max` would also look for what is not a number.)
#[inline(always)]
pub(super) fn max<const P: usize>(x: Lanes<P>) -> f64 {
    fold(x, |x, y| if x > y { x } else { y })
}

/// Whether any lane is such a number.
#[inline(always)]
pub(super) fn any<const P: usize>(x: Lanes<P>, is: impl Fn(f64) -> bool) -> bool {
    // All are looked at, so that they are compared together.
    x.into_iter().fold(false, |any, x| any | is(x))
}

/// The lanes scaled to sum 1.
#[inline(always)]
pub(super) fn normalized<const P: usize>(x: Lanes<P>) -> Lanes<P> {
    times(x, [1.0 / sum(x); P])
}

/// Mantissa in \[0.5, 1) and exponent of each number, x = mantissa * 2^exponent; 0 has mantissa 0.
#[inline(always)]
pub(super) fn parts<const P: usize>(x: Lanes<P>) -> (Lanes<P>, Lanes<P>) {
    let (mut mantissa, mut exponent) = (x, x);
    for i in 0..P {
        let bits = x[i].to_bits();
        exponent[i] = f64::from_bits(bits >> 52 | TWO_52.to_bits()) - (TWO_52 + 1022.0);
        let scaled = f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 0x3fe0_0000_0000_0000);
        mantissa[i] = if x[i] == 0.0 { 0.0 } else { scaled };
    }
    (mantissa, exponent)
}

/// mantissa * 2^exponent for integers; 0 where the exponent is below -1000.
#[inline(always)]
pub(super) fn assembled<const P: usize>(mantissa: Lanes<P>, exponent: Lanes<P>) -> Lanes<P> {
    map(mantissa, exponent, |mantissa, exponent| {
        // The integer in the low bits, moved to where a number has its exponent.
        let power = f64::from_bits((exponent + (1.5 * TWO_52 + 1023.0)).to_bits() << 52);
        if exponent < -1000.0 { 0.0 } else { mantissa * power }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mantissa_and_exponent_make_the_number_again() {
        let x = [1.0, 0.75, 3e-200, 7e100, 2.3e-308, 0.5, 123.456, 0.0];
        let (mantissa, exponent) = parts(x);
        for i in 0..7 {
            assert!((0.5..1.0).contains(&mantissa[i]), "{}", x[i]);
            assert_eq!(mantissa[i] * exponent[i].exp2(), x[i]);
        }
        assert_eq!(mantissa[7], 0.0);
        let (mantissa, exponent) = ([0.75, 0.5, 0.9, 0.0], [-3.0, 0.0, -1001.0, -5.0]);
        assert_eq!(assembled(mantissa, exponent), [0.09375, 0.5, 0.0, 0.0]);
    }

    #[test]
    fn folds_take_every_lane() {
        let x = [3.0, -1.0, 7.5, 2.0, 0.0, 4.0];
        assert_eq!((sum(x), max(x)), (15.5, 7.5));
        assert!(any(x, |x| x < 0.0) && !any(x, |x| x < -1.0));
    }
}
