//! Bins of counts: fixed edges, so that the tables of any two models have one shape.

/// Bins of a count by their lower edges: bin `i` holds `edges[i] <= x < edges[i + 1]`, the last everything above.
///
/// The edges are part of the catalogue and never learned: counts in them add up over any set of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bins {
    edges: &'static [u32],
    /// The bins of the counts below its length, which most are.
    small: [u8; 64],
}

impl Bins {
    /// Bins with the given lower edges, of which the first must be 0 and each larger than the one before.
    pub const fn new(edges: &'static [u32]) -> Bins {
        assert!(!edges.is_empty() && edges[0] == 0, "the first bin starts at 0");
        let mut i = 1;
        while i < edges.len() {
            assert!(edges[i - 1] < edges[i], "edges rise");
            i += 1;
        }
        assert!(edges.len() <= 256, "bins have numbers of one byte");
        let mut small = [0; 64];
        let (mut x, mut bin) = (0, 0);
        while x < small.len() {
            if bin + 1 < edges.len() && edges[bin + 1] as usize <= x {
                bin += 1;
            }
            small[x] = bin as u8;
            x += 1;
        }
        Bins { edges, small }
    }

    /// The number of bins.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Never: there is at least one bin.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The bin of a count.
    pub fn bin(&self, x: u32) -> u32 {
        match self.small.get(x as usize) {
            Some(&bin) => bin.into(),
            None => (self.edges.partition_point(|&edge| edge <= x) - 1) as u32,
        }
    }

    /// The bin of each count up to the last edge; larger counts are in the last one's.
    pub fn table(&self) -> Vec<u16> {
        (0..=self.edges[self.edges.len() - 1]).map(|x| self.bin(x) as u16).collect()
    }

    /// The smallest count in a bin.
    pub fn smallest(&self, bin: usize) -> u32 {
        self.edges[bin]
    }

    /// The name of a bin: `0`, `4-7`, `256+`.
    pub fn name(&self, bin: usize) -> String {
        let low = self.edges[bin];
        match self.edges.get(bin + 1) {
            Some(&next) if next == low + 1 => low.to_string(),
            Some(&next) => format!("{low}-{}", next - 1),
            None => format!("{low}+"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_is_in_the_bin_that_its_name_says() {
        let bins = Bins::new(&[0, 1, 2, 4, 8]);
        let names: Vec<String> =
            [0, 1, 3, 4, 7, 8, u32::MAX].map(|x| bins.name(bins.bin(x) as usize)).to_vec();
        assert_eq!(names, ["0", "1", "2-3", "4-7", "4-7", "8+", "8+"]);
        let wide = Bins::new(&[0, 1, 62, 63, 64, 100]);
        assert_eq!([0, 1, 61, 62, 63, 64, 99, 100, 101].map(|x| wide.bin(x)), [0, 1, 1, 2, 3, 4, 4, 5, 5]);
        assert_eq!(bins.table(), [0, 1, 2, 2, 3, 3, 3, 3, 4]);
        assert!((0..bins.len()).all(|bin| bins.bin(bins.smallest(bin)) as usize == bin));
    }
}
