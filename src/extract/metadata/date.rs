//! Dates as pages write them for machines, normalized to ISO 8601.

/// The date in ISO 8601: `2024-05-17`, or with a time `2024-05-17T09:30:00+02:00`; none if it cannot be read.
///
/// Read are ISO 8601 (basic or extended, also year or year and month alone), the same with slashes, RFC 2822, the
/// English forms that programs write (`May 17, 2024`, `Fri May 17 2024 09:30:00 GMT+0200`), and `17.05.2024`. A
/// numeric date with slashes is read only where day and month cannot be mistaken for each other. A time without a
/// zone stays without; no zone is ever assumed.
///
/// # Examples
/// ```
/// use duramen::extract::metadata::normalize_date;
/// assert_eq!(normalize_date("Fri, 17 May 2024 09:30:00 GMT").unwrap(), "2024-05-17T09:30:00Z");
/// assert_eq!(normalize_date("20240517").unwrap(), "2024-05-17");
/// assert_eq!(normalize_date("05/06/2024"), None);
/// ```
pub fn normalize_date(text: &str) -> Option<String> {
    let text = text.trim();
    // The longest form is about 70 characters; what is longer is no date.
    if text.len() > 100 || !text.is_ascii() {
        return None;
    }
    let (date, rest) = numeric(text).or_else(|| with_month_name(text))?;
    Some(match time(rest) {
        Some(time) if date.matches('-').count() == 2 => format!("{date}T{time}"),
        _ => date,
    })
}

/// The date in a path such as `/2024/05/17/storm.html` or `/2024-05-17-storm`.
pub(super) fn date_in_address(url: &str) -> Option<String> {
    let with_dashes = || {
        let mut parts = url.split(['/', '?', '#']).skip(3).filter_map(|part| part.get(..10));
        parts.find_map(|start| normalize_date(start).filter(|date| date == start))
    };
    date_of_folders(url).or_else(with_dashes)
}

fn date_of_folders(url: &str) -> Option<String> {
    let parts: Vec<&str> = url.split(['/', '?', '#']).collect();
    parts.windows(3).find_map(|window| match window {
        [year, month, day]
            if year.len() == 4 && (1..=2).contains(&month.len()) && (1..=2).contains(&day.len()) =>
        {
            date(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
        }
        _ => None,
    })
}

/// A date of numbers at the start of `text`, and what follows it.
fn numeric(text: &str) -> Option<(String, &str)> {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let first = digits(text);
    let (head, rest) = text.split_at(first);
    let number = |text: &str| text.parse::<u32>().ok();
    match first {
        8 => Some((date(number(&head[..4])?, number(&head[4..6])?, number(&head[6..])?)?, rest)),
        4 => {
            let year = number(head).filter(|year| (1000..=2999).contains(year))?;
            let Some(separator @ ('-' | '/' | '.')) = rest.chars().next() else {
                return rest.is_empty().then(|| (format!("{year:04}"), rest));
            };
            let (month, rest) = rest[1..].split_at(digits(&rest[1..]));
            let Some(rest) = rest.strip_prefix(separator) else {
                let month = number(month).filter(|month| (1..=12).contains(month))?;
                return rest.is_empty().then(|| (format!("{year:04}-{month:02}"), rest));
            };
            let (day, rest) = rest.split_at(digits(rest));
            Some((date(year, number(month)?, number(day)?)?, rest))
        }
        1 | 2 => {
            let separator = rest.chars().next().filter(|c| matches!(c, '.' | '/' | '-'))?;
            let mut parts = rest[1..].splitn(2, separator);
            let (second, rest) = (parts.next()?, parts.next()?);
            let (year, rest) = rest.split_at(digits(rest));
            let (first, second) = (number(head)?, number(second)?);
            let year = number(year).filter(|_| year.len() == 4)?;
            // With dots the day always comes first; with slashes only a number above 12 tells.
            let (day, month) = match separator {
                '.' => (first, second),
                _ if first > 12 => (first, second),
                _ if second > 12 || first == second => (second, first),
                _ => return None,
            };
            Some((date(year, month, day)?, rest))
        }
        _ => None,
    }
}

/// A date with an English month name, in any order that programs write, and what follows it.
fn with_month_name(text: &str) -> Option<(String, &str)> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let (mut year, mut month, mut day) = (None, None, None);
    let mut rest = text;
    while year.is_none() || month.is_none() || day.is_none() {
        rest = rest.trim_start_matches([' ', ',', '-', '.']);
        let end = rest.find([' ', ',', '-', '.']).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if word.is_empty() {
            return None;
        }
        let number = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        if number.is_empty() {
            let name = word.to_ascii_lowercase();
            let found = MONTHS.iter().position(|month| name.starts_with(month));
            month = month.or(found.map(|index| index as u32 + 1));
        } else if number.len() == 4 && number == word {
            year = Some(number.parse().ok()?);
        } else if number.len() <= 2 && day.is_none() {
            day = Some(number.parse().ok()?);
        } else {
            return None;
        }
        rest = after;
    }
    Some((date(year?, month?, day?)?, rest))
}

pub(super) fn date(year: u32, month: u32, day: u32) -> Option<String> {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    ((1000..=2999).contains(&year) && (1..=days).contains(&day))
        .then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// A time of the day at the start of `text`, with its zone if it has one.
fn time(text: &str) -> Option<String> {
    let text = text.trim_start_matches(['T', 't', ' ', ',']);
    let part = |from: usize| {
        let digits = text.get(from..from + 2)?;
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse::<u32>().ok())?
    };
    let (hour, minute) = (part(0)?, part(3)?);
    if text.get(2..3)? != ":" || hour > 23 || minute > 59 {
        return None;
    }
    let (second, rest) = match text.get(5..6) {
        Some(":") => (part(6).filter(|&second| second < 60)?, &text[8..]),
        _ => (0, &text[5..]),
    };
    let rest =
        rest.strip_prefix('.').map_or(rest, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    Some(format!("{hour:02}:{minute:02}:{second:02}{}", zone(rest.trim())))
}

/// A zone as ISO 8601 writes it; empty if there is none that can be read.
fn zone(text: &str) -> String {
    let text = text
        .strip_prefix("GMT")
        .or_else(|| text.strip_prefix("UTC"))
        .map_or(text, |rest| if rest.starts_with(['+', '-']) { rest } else { "Z" });
    let digits: String =
        text.chars().skip(1).take_while(|c| *c != '(' && *c != ' ').filter(|c| *c != ':').collect();
    let is_offset = text.starts_with(['+', '-'])
        && matches!(digits.len(), 2 | 4)
        && digits.bytes().all(|b| b.is_ascii_digit())
        && digits[..2] <= *"14"
        && digits.get(2..).is_none_or(|minutes| minutes < "60");
    match text.chars().next() {
        Some('Z' | 'z') => "Z".to_owned(),
        Some(sign) if is_offset => {
            let minutes = digits.get(2..).filter(|minutes| !minutes.is_empty()).unwrap_or("00");
            format!("{sign}{}:{minutes}", &digits[..2])
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_that_programs_write_are_read() {
        for (text, iso) in [
            ("2024-05-17", "2024-05-17"),
            ("2024-05", "2024-05"),
            ("2024", "2024"),
            ("2024/05/17", "2024-05-17"),
            ("20240517", "2024-05-17"),
            ("2024-05-17T09:30:15Z", "2024-05-17T09:30:15Z"),
            ("2024-05-17 09:30", "2024-05-17T09:30:00"),
            ("2024-05-17T09:30:15.123456+0200", "2024-05-17T09:30:15+02:00"),
            ("2024-05-17T09:30:15-05:30", "2024-05-17T09:30:15-05:30"),
            ("Fri, 17 May 2024 09:30:15 +0000", "2024-05-17T09:30:15+00:00"),
            ("Fri May 17 2024 09:30:15 GMT+0200 (CEST)", "2024-05-17T09:30:15+02:00"),
            ("May 17, 2024", "2024-05-17"),
            ("17th May 2024", "2024-05-17"),
            ("17-May-2024", "2024-05-17"),
            ("17.5.2024", "2024-05-17"),
            ("17/05/2024", "2024-05-17"),
            ("05/17/2024", "2024-05-17"),
            ("05/05/2024 10:00", "2024-05-05T10:00:00"),
            ("2024-02-29", "2024-02-29"),
        ] {
            assert_eq!(normalize_date(text).as_deref(), Some(iso), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_or_two_dates_is_not_read() {
        for text in [
            "",
            "yesterday",
            "2023-02-29",
            "2024-13-01",
            "05/06/2024",
            "17.05.24",
            "1715938215",
            "32 May 2024",
            "May 2024",
            "0000-00-00",
            "2024-5-",
            "17 Mai 2024",
            "十七",
            "9999",
        ] {
            assert_eq!(normalize_date(text), None, "{text}");
        }
    }

    #[test]
    fn a_time_that_cannot_be_leaves_the_date() {
        assert_eq!(normalize_date("2024-05-17T25:00").as_deref(), Some("2024-05-17"));
        assert_eq!(normalize_date("2024-05-17T09:30 CEST").as_deref(), Some("2024-05-17T09:30:00"));
        assert_eq!(normalize_date("2024-05-17T09:30+99:00").as_deref(), Some("2024-05-17T09:30:00"));
    }

    #[test]
    fn an_address_may_hold_the_date() {
        assert_eq!(date_in_address("https://a.example/2024/5/17/storm").as_deref(), Some("2024-05-17"));
        assert_eq!(date_in_address("https://a.example/blog/2024-05-17-storm").as_deref(), Some("2024-05-17"));
        assert_eq!(date_in_address("https://a.example/1234/56/78/"), None);
        assert_eq!(date_in_address("https://a.example/2024-05-1"), None);
    }
}
