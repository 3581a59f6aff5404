//! How telling an element is, by the signifiers and other terms of its text (section 3.3).

/// How many terms of a text are signifiers and how many are not, counted with multiplicity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// The signifiers: x of an element, X of its page.
    pub signifiers: u32,
    /// The other terms: y of an element, Y of its page.
    pub others: u32,
}

impl Counts {
    fn x(self) -> f64 {
        f64::from(self.signifiers)
    }

    fn y(self) -> f64 {
        f64::from(self.others)
    }
}

/// Jeffreys' statistical density J of signifiers (equation 2), from 0 to 1: the lower end of a 70 % interval around
/// the share of signifiers. 0 for a text without terms.
///
/// # Examples
/// ```
/// use duramen::extract::forest::{Counts, density};
/// let j = |signifiers, others| density(Counts { signifiers, others });
/// assert_eq!((j(1, 0) * 100.0).round(), 32.0);
/// assert!((j(8, 20) - j(3, 5)).abs() < 0.02);
/// assert_eq!(j(0, 5), 0.0);
/// ```
pub fn density(element: Counts) -> f64 {
    let (x, y) = (element.x(), element.y());
    let n = x + y;
    if n == 0.0 {
        return 0.0;
    }
    ((x + 0.5 - ((x + 0.5) * (y + 0.5) / n).sqrt()) / (n + 1.0)).max(0.0)
}

/// The unexpectedness U (equation 3): how much simpler the element's mix of terms is to describe than to draw from
/// the whole page. 0 log 0 is 0.
///
/// The logarithm is the natural one: the paper leaves its base open and speaks of bits, but its two examples, "23
/// bits" and "6 bits", come out with the natural logarithm (22.7 and 5.6) and not with that of base 2 (32.7 and
/// 8.0). The base changes no order of elements.
///
/// # Examples
/// ```
/// use duramen::extract::forest::{Counts, unexpectedness};
/// let page = Counts { signifiers: 20, others: 100 };
/// let u = |signifiers, others| unexpectedness(Counts { signifiers, others }, page).round();
/// assert_eq!((u(10, 26), u(3, 1)), (23.0, 6.0));
/// ```
pub fn unexpectedness(element: Counts, page: Counts) -> f64 {
    let part = |count: f64, all: f64| if count == 0.0 { 0.0 } else { count * all.ln() };
    let (x, y) = (element.x(), element.y());
    (part(x + y, page.x() + page.y()) - part(x, page.x()) - part(y, page.y())).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(signifiers: u32, others: u32) -> Counts {
        Counts { signifiers, others }
    }

    #[test]
    fn many_observations_make_up_for_a_lower_share() {
        let j = |x, y| density(counts(x, y));
        assert!((j(1, 0) - 0.317).abs() < 0.001);
        assert!((j(8, 20) - j(3, 5)).abs() < 0.01, "as close as the paper says");
        assert!(j(1, 0) < j(2, 0) && j(2, 0) < j(20, 0) && j(20, 0) < 1.0);
        assert_eq!(j(0, 0), 0.0);
        assert_eq!(j(0, 200), 0.0, "below 0 it is 0");
    }

    #[test]
    fn unexpectedness_grows_with_the_text_and_with_the_share_of_signifiers() {
        let u = |x, y| unexpectedness(counts(x, y), counts(20, 100));
        assert!((u(10, 26) - 22.66).abs() < 0.01 && (u(3, 1) - 5.56).abs() < 0.01);
        assert!(u(10, 26) < u(11, 26) && u(0, 5) < u(5, 5));
        assert_eq!(u(0, 0), 0.0);
        assert_eq!(unexpectedness(counts(3, 0), counts(3, 0)), 0.0, "a page of signifiers alone");
    }
}
