//! `place`, where a name stands in a list, found as the program is compiled.

/// The place of a name in a list. To be asked for in `const { }`, where a name that is not in the list is an error of the
/// compiler.
pub(super) const fn place(names: &[&str], name: &str) -> usize {
    let mut i = 0;
    while i < names.len() {
        if equal(names[i].as_bytes(), name.as_bytes()) {
            return i;
        }
        i += 1;
    }
    panic!("the name is not in the list")
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
