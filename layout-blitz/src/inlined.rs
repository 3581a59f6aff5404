//! The size of an image that an address holds itself (`data:image/gif;base64,...`).

/// How many characters of the data are looked at.
const MAX_LOOK: usize = 200_000;

/// Width and height in pixels of a GIF, PNG, JPEG or SVG image in a `data:` address; none if it is none, or not clear.
pub(crate) fn size(address: &str) -> Option<(f32, f32)> {
    let rest =
        address.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("data:")).map(|_| &address[5..])?;
    let (head, data) = rest.split_once(',')?;
    let data = &data[..data.floor_char_boundary(MAX_LOOK)];
    let bytes =
        if head.trim_end().to_ascii_lowercase().ends_with("base64") { base64(data) } else { percent(data) };
    let (width, height) = if head.to_ascii_lowercase().starts_with("image/svg") {
        drawing(&String::from_utf8_lossy(&bytes))?
    } else {
        bitmap(&bytes)?
    };
    let sensible = |x: f32| (1.0..100_000.0).contains(&x);
    (sensible(width) && sensible(height)).then_some((width, height))
}

fn bitmap(bytes: &[u8]) -> Option<(f32, f32)> {
    let big = |at: usize| Some(f32::from(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?)));
    let little = |at: usize| Some(f32::from(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)));
    if bytes.starts_with(b"GIF8") {
        return Some((little(6)?, little(8)?));
    }
    if bytes.starts_with(b"\x89PNG") {
        return Some((big(18)?, big(22)?));
    }
    if !bytes.starts_with(b"\xff\xd8") {
        return None;
    }
    // The segments of a JPEG file up to the one that begins a frame.
    let mut at = 2;
    loop {
        match bytes.get(at..at + 2)? {
            [0xff, 0xc0..=0xcf] if !matches!(bytes[at + 1], 0xc4 | 0xc8 | 0xcc) => {
                return Some((big(at + 7)?, big(at + 5)?));
            }
            [0xff, _] => at += 2 + big(at + 2)? as usize,
            _ => return None,
        }
    }
}

/// The size of an SVG drawing by its attributes, else by its coordinates.
fn drawing(text: &str) -> Option<(f32, f32)> {
    let tag = &text[text.find("<svg")?..];
    let tag = &tag[..tag.find('>').unwrap_or(tag.len())];
    let value = |name: &str| {
        let start = tag.find(&format!(" {name}="))? + name.len() + 2;
        let quote = tag[start..].chars().next()?;
        let end = tag[start + quote.len_utf8()..].find(quote)?;
        Some(&tag[start + quote.len_utf8()..start + quote.len_utf8() + end])
    };
    let number = |text: &str| text.trim().trim_end_matches("px").parse::<f32>().ok();
    if let (Some(width), Some(height)) = (value("width").and_then(number), value("height").and_then(number)) {
        return Some((width, height));
    }
    let mut numbers = value("viewBox")?.split([' ', ',']).filter(|part| !part.is_empty()).map(number);
    Some((numbers.nth(2)??, numbers.next()??))
}

fn base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for c in text.bytes() {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => continue,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

fn percent(text: &str) -> Vec<u8> {
    let text = text.as_bytes();
    let mut bytes = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let digit = |at: usize| text.get(at).and_then(|&c| (c as char).to_digit(16));
        match (text[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                bytes.push(byte);
                at += 1;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_from_the_heads_of_images() {
        let gif = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
        assert_eq!(size(gif), Some((1.0, 1.0)));
        assert_eq!(size("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAUCAYAAAC"), Some((10.0, 20.0)));
        let svg =
            "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 300 200'%3E%3C/svg%3E";
        assert_eq!(size(svg), Some((300.0, 200.0)));
        assert_eq!(size("DATA:image/svg+xml;utf8,<svg width=\"40px\" height='30'>"), Some((40.0, 30.0)));
        let jpeg = "data:image/jpeg;base64,/9j/4AAQSkZJRgABAQAAAQABAAD/wAARCAAHAAkDASIA";
        assert_eq!(size(jpeg), Some((9.0, 7.0)));
    }

    #[test]
    fn what_is_no_image_has_no_size() {
        for address in [
            "",
            "a.png",
            "data:",
            "data:,",
            "data:image/png;base64,iVBO",
            "data:image/jpeg;base64,/9j/",
            "d\u{e9}ta:,",
        ] {
            assert_eq!(size(address), None, "{address}");
        }
    }
}
