//! The digest of a parse: names the exact tree that node ids, labels and posteriors belong to.

use sha2::{Digest, Sha256};

use super::arena::{Dom, NodeKind};
pub(crate) use crate::store::hex;

/// The SHA-256 of a frozen tree: kinds, names, parents, texts, attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParseDigest([u8; 32]);

impl ParseDigest {
    /// The first eight bytes as a number: the page's index in random streams.
    pub fn as_u64(&self) -> u64 {
        u64::from_le_bytes(self.0[..8].try_into().expect("a digest has 32 bytes"))
    }
}

impl std::fmt::Display for ParseDigest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl Dom {
    /// The digest of this parse. Linear in the page.
    pub fn digest(&self) -> ParseDigest {
        let mut hash = Sha256::new();
        hash.update(b"duramen-parse-1");
        for id in self.ids() {
            let node = self.node(id);
            hash.update(node.parent.to_le_bytes());
            hash.update([node.kind as u8, u8::from(node.flag)]);
            let mut field = |value: &str| {
                hash.update((value.len() as u32).to_le_bytes());
                hash.update(value.as_bytes());
            };
            match node.kind {
                NodeKind::Text => field(self.text(id)),
                _ => {
                    field(self.name(id));
                    for (name, value) in self.attributes(id) {
                        field(name);
                        field(value);
                    }
                }
            }
        }
        ParseDigest(hash.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use crate::dom::{Dom, Limits};

    #[test]
    fn the_digest_names_the_tree_and_not_the_bytes() {
        let digest = |html: &str| Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap().digest();
        assert_eq!(digest("<p>a</p>"), digest("<P>a"));
        assert_ne!(digest("<p>a"), digest("<p>b"));
        assert_ne!(digest("<p class=x>a"), digest("<p id=x>a"));
        assert_ne!(digest("<b><i></i></b>"), digest("<b></b><i></i>"));
    }
}
