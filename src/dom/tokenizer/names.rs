//! A small cache from the bytes of tag and attribute names to their atoms.

use html5ever::LocalName;

/// Slots of the cache; pages use some fifty names.
const SLOTS: usize = 512;

/// The names met last. Making an atom costs a hash over all static names, and a lock for any other.
pub(super) struct Names {
    slots: Vec<Option<LocalName>>,
    /// The lower-case form of the name that is looked up.
    folded: String,
}

impl Names {
    pub(super) fn new() -> Self {
        Names { slots: vec![None; SLOTS], folded: String::new() }
    }

    /// The atom of a name that is not empty, in lower case and with U+FFFD for U+0000.
    pub(super) fn get(&mut self, name: &str) -> LocalName {
        if name.bytes().any(|byte| byte.is_ascii_uppercase() || byte == 0) {
            self.folded.clear();
            self.folded.extend(name.chars().map(|c| match c {
                '\0' => char::REPLACEMENT_CHARACTER,
                c => c.to_ascii_lowercase(),
            }));
            cached(&mut self.slots, &self.folded)
        } else {
            cached(&mut self.slots, name)
        }
    }
}

fn cached(slots: &mut [Option<LocalName>], name: &str) -> LocalName {
    let bytes = name.as_bytes();
    let length = bytes.len();
    let [first, middle, last] = [bytes[0], bytes[length / 2], bytes[length - 1]].map(usize::from);
    let slot = &mut slots[(first ^ (middle << 2) ^ (last << 4) ^ (length << 3)) % SLOTS];
    match slot {
        Some(known) if **known == *name => known.clone(),
        _ => slot.insert(LocalName::from(name)).clone(),
    }
}
