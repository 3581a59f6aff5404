//! Draws of the rows and features that a tree is learned from.

use rand::RngExt;

use crate::rng::Rng;

/// The rows of a training set, or its groups of rows, to draw from.
pub(super) struct RowDraws {
    rows: usize,
    /// The number of each row's group, if rows are drawn by group.
    groups: Option<Vec<u32>>,
    units: usize,
    share: f64,
}

impl RowDraws {
    pub fn new(rows: usize, groups: Option<&[u32]>, share: f64) -> RowDraws {
        let Some(groups) = groups else { return RowDraws { rows, groups: None, units: rows, share } };
        let mut names = groups.to_vec();
        names.sort_unstable();
        names.dedup();
        let number = |name: &u32| names.partition_point(|known| known < name) as u32;
        RowDraws { rows, groups: Some(groups.iter().map(number).collect()), units: names.len(), share }
    }

    /// The rows of one tree, ascending.
    pub fn draw(&self, rng: &mut Rng) -> Vec<u32> {
        let drawn = draw(self.units, self.share, rng);
        match &self.groups {
            None => drawn,
            Some(_) if drawn.len() == self.units => (0..self.rows as u32).collect(),
            Some(groups) => {
                let mut is_drawn = vec![false; self.units];
                drawn.iter().for_each(|&group| is_drawn[group as usize] = true);
                (0..self.rows as u32).filter(|&row| is_drawn[groups[row as usize] as usize]).collect()
            }
        }
    }
}

/// A share of the numbers below `n` without replacement, ascending: the nearest whole number of them, at least one (none if
/// `n` is 0). Selection sampling: Knuth, The Art of Computer Programming, volume 2, section 3.4.2, algorithm S.
pub(super) fn draw(n: usize, share: f64, rng: &mut Rng) -> Vec<u32> {
    let wanted = ((n as f64 * share).round() as usize).max(1).min(n);
    let mut drawn = Vec::with_capacity(wanted);
    for i in 0..n {
        let left = wanted - drawn.len();
        if left == n - i || ((n - i) as f64) * rng.random::<f64>() < left as f64 {
            drawn.push(i as u32);
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::stream;

    #[test]
    fn as_many_are_drawn_as_asked_for_each_as_often_as_others() {
        let mut rng = stream(1, "test", &[]);
        let mut times = [0; 10];
        for _ in 0..10_000 {
            let drawn = draw(10, 0.3, &mut rng);
            assert!(drawn.len() == 3 && drawn.is_sorted_by(|a, b| a < b));
            drawn.iter().for_each(|&i| times[i as usize] += 1);
        }
        assert!(times.iter().all(|&times| (2800..3200).contains(&times)), "{times:?}");
        assert_eq!(draw(4, 1.0, &mut rng), [0, 1, 2, 3]);
        assert_eq!(draw(5, 0.01, &mut rng).len(), 1);
        assert!(draw(0, 0.5, &mut rng).is_empty());
    }

    #[test]
    fn groups_are_drawn_whole() {
        let groups: Vec<u32> = (0..100).map(|row| 1_000_000 * (row * 7 % 10)).collect();
        let rows = RowDraws::new(100, Some(&groups), 0.4).draw(&mut stream(2, "test", &[]));
        let mut drawn: Vec<u32> = rows.iter().map(|&row| groups[row as usize]).collect();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!((rows.len(), drawn.len()), (40, 4));
    }
}
