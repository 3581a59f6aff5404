//! Sets the advance widths and the line height of a TrueType font.

use std::collections::HashMap;

/// Advance widths in 1/2048 em by character.
pub(crate) type Widths = HashMap<char, u16>;

/// What a line of a font measures, in 1/2048 em, and what its other glyphs are scaled by in width.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Face {
    ascent: i16,
    descent: i16,
    gap: i16,
    /// The height of the letter x.
    x_height: i16,
    /// The factor for glyphs without a width of their own.
    others: f32,
}

impl Face {
    pub(crate) const ARIAL: Face =
        Face { ascent: 1854, descent: -434, gap: 67, x_height: 1062, others: 0.88 };
    pub(crate) const TIMES: Face = Face { ascent: 1825, descent: -443, gap: 87, x_height: 916, others: 0.85 };
    pub(crate) const COURIER: Face =
        Face { ascent: 1705, descent: -615, gap: 0, x_height: 1082, others: 0.9968 };
}

/// The widths of a section of `advances.txt`; none for a name that has no section.
pub(crate) fn widths(section: &str) -> Widths {
    let mut widths = Widths::new();
    let mut inside = false;
    for line in include_str!("advances.txt").lines() {
        if let Some(name) = line.strip_prefix("= ") {
            inside = name == section;
        } else if inside {
            let mut fields = line.split(' ');
            let first = fields.next().and_then(|field| u32::from_str_radix(field, 16).ok()).unwrap_or(0);
            let numbers = fields.skip(1).filter_map(|field| field.parse::<u16>().ok());
            let known = (first..).zip(numbers).filter(|&(_, width)| width > 0);
            widths.extend(known.filter_map(|(code, width)| Some((char::from_u32(code)?, width))));
        }
    }
    let sum = |text: &str| text.chars().map(|c| widths.get(&c).copied().unwrap_or(0)).sum::<u16>();
    let ligatures = [
        ('\u{fb00}', "ff"),
        ('\u{fb01}', "fi"),
        ('\u{fb02}', "fl"),
        ('\u{fb03}', "ffi"),
        ('\u{fb04}', "ffl"),
    ];
    let ligatures: Vec<(char, u16)> =
        ligatures.iter().map(|&(c, text)| (c, sum(text))).filter(|l| l.1 > 0).collect();
    widths.extend(ligatures);
    widths
}

/// A copy of a font of 2048 units to the em with other widths and lines, and without kerning. What the file lacks is left.
pub(crate) fn patched(font: &[u8], face: Face, widths: &Widths) -> Vec<u8> {
    let mut out = Font(font.to_vec());
    if let Some(hhea) = out.table(b"hhea") {
        for (offset, value) in [(4, face.ascent), (6, face.descent), (8, face.gap)] {
            out.put(hhea + offset, value as u16);
        }
    }
    if let Some(os2) = out.table(b"OS/2") {
        let descent = face.descent.unsigned_abs();
        let typographic = [(68, face.ascent as u16), (70, face.descent as u16), (72, face.gap as u16)];
        let windows = [(74, face.ascent as u16), (76, descent), (86, face.x_height as u16)];
        for (offset, value) in typographic.into_iter().chain(windows) {
            out.put(os2 + offset, value);
        }
    }
    set_widths(&mut out, face, widths);
    // A table of another name is not found; the order of the names stays.
    out.rename(b"GPOS", b"GPOZ");
    out.rename(b"kern", b"kerz");
    out.0
}

fn set_widths(font: &mut Font, face: Face, widths: &Widths) {
    let (Some(hhea), Some(hmtx)) = (font.table(b"hhea"), font.table(b"hmtx")) else { return };
    let count = font.get(hhea + 34).unwrap_or(0);
    let glyphs = font.glyphs();
    let own: HashMap<u16, u16> =
        widths.iter().filter_map(|(&c, &width)| Some((*glyphs.get(&(c as u32))?, width))).collect();
    for glyph in 0..count {
        let at = hmtx + 4 * usize::from(glyph);
        let old = font.get(at).unwrap_or(0);
        let scaled = (f32::from(old) * face.others).round() as u16;
        font.put(at, own.get(&glyph).copied().unwrap_or(scaled));
    }
}

/// The bytes of a TrueType font; numbers in it are big-endian.
struct Font(Vec<u8>);

impl Font {
    fn get(&self, at: usize) -> Option<u16> {
        Some(u16::from_be_bytes(self.0.get(at..at + 2)?.try_into().ok()?))
    }

    fn get_long(&self, at: usize) -> Option<u32> {
        Some(u32::from_be_bytes(self.0.get(at..at + 4)?.try_into().ok()?))
    }

    fn put(&mut self, at: usize, value: u16) {
        if let Some(place) = self.0.get_mut(at..at + 2) {
            place.copy_from_slice(&value.to_be_bytes());
        }
    }

    /// Where the entry of a table stands in the directory.
    fn entry(&self, name: &[u8; 4]) -> Option<usize> {
        let count = usize::from(self.get(4)?);
        (0..count).map(|i| 12 + 16 * i).find(|&at| self.0.get(at..at + 4) == Some(name))
    }

    fn table(&self, name: &[u8; 4]) -> Option<usize> {
        Some(self.get_long(self.entry(name)? + 8)? as usize)
    }

    fn rename(&mut self, name: &[u8; 4], to: &[u8; 4]) {
        if let Some(at) = self.entry(name) {
            self.0[at..at + 4].copy_from_slice(to);
        }
    }

    /// The glyphs of the characters of the basic plane, from the character map in format 4.
    fn glyphs(&self) -> HashMap<u32, u16> {
        let mut glyphs = HashMap::new();
        let Some(cmap) = self.table(b"cmap") else { return glyphs };
        let maps = usize::from(self.get(cmap + 2).unwrap_or(0));
        let map = (0..maps).filter_map(|i| Some(cmap + self.get_long(cmap + 4 + 8 * i + 4)? as usize));
        let Some(map) = map.into_iter().find(|&at| self.get(at) == Some(4)) else { return glyphs };
        let segments = usize::from(self.get(map + 6).unwrap_or(0)) / 2;
        let number = |array: usize, i: usize| {
            self.get(map + 14 + 2 * (array * segments + i) + 2 * usize::from(array > 0))
        };
        for i in 0..segments {
            let (Some(last), Some(first)) = (number(0, i), number(1, i)) else { continue };
            let (Some(delta), Some(offset)) = (number(2, i), number(3, i)) else { continue };
            for code in first..=last.min(0xfffe) {
                let glyph = if offset == 0 {
                    Some(code.wrapping_add(delta))
                } else {
                    let place = map
                        + 16
                        + 2 * (3 * segments + i)
                        + usize::from(offset)
                        + 2 * usize::from(code - first);
                    self.get(place).filter(|&glyph| glyph != 0).map(|glyph| glyph.wrapping_add(delta))
                };
                if let Some(glyph) = glyph.filter(|&glyph| glyph != 0) {
                    glyphs.insert(u32::from(code), glyph);
                }
            }
        }
        glyphs
    }
}
