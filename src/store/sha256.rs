//! SHA-256 of files and readers, written in hex.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

/// Bytes in lower-case hex, as checksums are written.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Size and SHA-256 of a file.
pub(crate) fn sha256_of_file(path: &Path) -> io::Result<(u64, String)> {
    sha256_of(&mut File::open(path)?, &mut |_| true).map(|sum| sum.expect("nobody asked to stop"))
}

/// Length and SHA-256 of what a reader still holds; `None` if `go_on`, told the bytes so far, says no.
pub(crate) fn sha256_of(
    reader: &mut dyn Read,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> io::Result<Option<(u64, String)>> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut length = 0;
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(Some((length, hex(&hash.finalize())))),
            Ok(n) => {
                hash.update(&buffer[..n]);
                length += n as u64;
                if !go_on(length) {
                    return Ok(None);
                }
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

/// Whether a text is a SHA-256 in lower-case hex.
pub(crate) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_sha_256() {
        let (length, sum) = sha256_of(&mut &b"abc"[..], &mut |_| true).unwrap().unwrap();
        assert_eq!(length, 3);
        assert_eq!(sum, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
