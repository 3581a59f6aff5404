//! The attribute `srcset`: addresses of one picture in several sizes, as the HTML standard (4.8.4.2.2) reads it.

/// One of the addresses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candidate<'a> {
    pub address: &'a str,
    /// The width in pixels that its descriptor states.
    pub width: Option<f64>,
    /// The density that its descriptor states; 1 if it states nothing.
    pub density: f64,
}

impl Candidate<'_> {
    /// The higher, the larger the picture: a width is more than any density.
    pub fn rank(&self) -> f64 {
        self.width.unwrap_or_else(|| self.density.min(15.0))
    }
}

/// The addresses in their order. What has a descriptor that cannot be read is left out.
pub(super) fn parse(text: &str) -> Vec<Candidate<'_>> {
    let mut candidates = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            return candidates;
        }
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (address, behind) = rest.split_at(end);
        let (descriptors, behind) = match address.ends_with(',') {
            true => ("", behind),
            false => descriptors(behind),
        };
        rest = behind;
        candidates.extend(candidate(address.trim_end_matches(','), descriptors));
    }
}

/// What stands before the next comma outside of parentheses, and what behind it.
fn descriptors(text: &str) -> (&str, &str) {
    let mut inside = false;
    for (at, c) in text.char_indices() {
        match c {
            '(' => inside = true,
            ')' => inside = false,
            ',' if !inside => return (&text[..at], &text[at + 1..]),
            _ => {}
        }
    }
    (text, "")
}

fn candidate<'a>(address: &'a str, descriptors: &str) -> Option<Candidate<'a>> {
    let (mut width, mut density) = (None, None);
    for descriptor in descriptors.split_ascii_whitespace() {
        let unit = descriptor.chars().next_back()?;
        let number = descriptor[..descriptor.len() - unit.len_utf8()].parse::<f64>().ok();
        let number = number.filter(|number| number.is_finite() && *number >= 0.0)?;
        match unit {
            'w' if number > 0.0 && width.is_none() => width = Some(number),
            'x' if density.is_none() => density = Some(number),
            // The height is allowed for the future and says nothing.
            'h' if number > 0.0 => {}
            _ => return None,
        }
    }
    (width.is_none() || density.is_none()).then_some(Candidate {
        address,
        width,
        density: density.unwrap_or(1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Vec<(&str, f64)> {
        parse(text).into_iter().map(|candidate| (candidate.address, candidate.rank())).collect()
    }

    #[test]
    fn widths_and_densities_are_read() {
        assert_eq!(parsed("a.jpg 300w, b.jpg 2x,c.jpg"), [("a.jpg", 300.0), ("b.jpg", 2.0), ("c.jpg", 1.0)]);
        assert_eq!(
            parsed("a,b.jpg 1x, c.jpg, d.jpg 100w 50h"),
            [("a,b.jpg", 1.0), ("c.jpg", 1.0), ("d.jpg", 100.0)]
        );
    }

    #[test]
    fn what_cannot_be_read_is_left_out() {
        assert_eq!(parsed(""), []);
        assert_eq!(parsed(" , ,, "), []);
        assert_eq!(parsed("a.jpg 3q, b.jpg (x, y) 2x, c.jpg 1w 2x, d.jpg -1w, e.jpg ä"), []);
        assert_eq!(parsed("a.jpg 3q, f.jpg"), [("f.jpg", 1.0)]);
    }
}
