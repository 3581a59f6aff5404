//! A number with its noun: "1 page", "2 pages".

use std::fmt::Display;

/// `n` and `noun`, which takes an s unless there is one.
pub(crate) fn plural<N: Display + PartialEq + From<u8>>(n: N, noun: &str) -> String {
    let s = if n == N::from(1) { "" } else { "s" };
    format!("{n} {noun}{s}")
}

#[cfg(test)]
mod tests {
    use super::plural;

    #[test]
    fn only_one_is_singular() {
        assert_eq!([0, 1, 2].map(|n| plural(n, "page")), ["0 pages", "1 page", "2 pages"]);
        assert_eq!(plural(1_usize, "repeated block"), "1 repeated block");
    }
}
