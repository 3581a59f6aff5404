//! Dates and times in the texts of a page, which stand beside comments.

use super::base::BaseCounts;
use super::leaves::Leaves;
use super::text_sums::PageTexts;

/// The dates and times in the leaves before each, and on the whole page.
pub fn time_sums(base: &BaseCounts<'_>, leaves: &Leaves, texts: &PageTexts) -> Vec<u32> {
    let (dom, view) = (base.page.dom(), base.view);
    let mut sum = 0;
    let of_leaf = |v: u32| {
        if texts.of(view, v).digits > 0 {
            let texts = view.texts_of(&view.nodes[v as usize]);
            sum += texts.iter().map(|&id| count_times(dom.text(id))).sum::<u32>();
        }
        sum
    };
    std::iter::once(0).chain(leaves.iter().map(of_leaf)).collect()
}

/// Runs of digits with a sign of dates or times between two digits, as `12:30`, `2012-01-06` or `6.1.12`, and years.
fn count_times(text: &str) -> u32 {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b':' | b'/' | b'-' | b'.');
    let mut rest = text.as_bytes();
    let mut times = 0;
    while let Some(first) = rest.iter().position(u8::is_ascii_digit) {
        rest = &rest[first..];
        let (run, behind) = rest.split_at(rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len()));
        rest = behind;
        let last = run.iter().rposition(u8::is_ascii_digit).unwrap_or(0);
        let run = &run[..=last];
        let digits = run.iter().filter(|byte| byte.is_ascii_digit()).count();
        let signs = run.len() - digits;
        let is_year = digits == 4 && signs == 0 && (run.starts_with(b"19") || run.starts_with(b"20"));
        let has_colon = run.contains(&b':');
        let is_clock = has_colon && digits <= 6 && signs <= 2;
        let is_date = signs == 2 && (4..=8).contains(&digits) && !has_colon;
        times += u32::from(is_year || is_clock || is_date);
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_times_and_years_are_counted() {
        for (text, times) in [
            ("6 January 2012 at 12:30", 2),
            ("2012-01-06, 6.1.12 and 06/01/2012", 3),
            ("1234 pages, 3.5 of 10:1:2:3", 0),
            ("in 1850 and 10-12", 0),
        ] {
            assert_eq!(count_times(text), times, "{text}");
        }
    }
}
