//! The edit distance of ordered trees.
//!
//! # References
//! K. Zhang, D. Shasha, Simple fast algorithms for the editing distance between trees and related problems, SIAM Journal on Computing 18 (6),
//! 1989.

/// A tree whose children are in order, node 0 the root.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ordered<T> {
    nodes: Vec<T>,
    children: Vec<Vec<usize>>,
}

impl<T> Ordered<T> {
    pub fn new(root: T) -> Self {
        Ordered { nodes: vec![root], children: vec![Vec::new()] }
    }

    /// Adds a last child; its number.
    pub fn push(&mut self, parent: usize, node: T) -> usize {
        self.nodes.push(node);
        self.children.push(Vec::new());
        self.children[parent].push(self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes in postorder, each with the place of the first leaf below it.
    fn postorder(&self) -> Vec<(usize, usize)> {
        let mut order: Vec<(usize, usize)> = Vec::with_capacity(self.len());
        // Each open node with its next child, and the place of its first leaf.
        let mut open = vec![(0, 0, 0)];
        while let Some((node, next, first)) = open.pop() {
            match self.children[node].get(next) {
                Some(&child) => {
                    open.push((node, next + 1, first));
                    open.push((child, 0, order.len()));
                }
                None => order.push((node, first)),
            }
        }
        order
    }
}

/// The least cost of edits that make one tree the other: 1 to insert or delete a node, `rename` to make a node another.
///
/// # Cost
/// Time `n * m` times the product of the lesser of depth and number of leaves of each; memory `n * m`.
pub(super) fn tree_edit_distance<T>(a: &Ordered<T>, b: &Ordered<T>, rename: &dyn Fn(&T, &T) -> f64) -> f64 {
    let (of_a, of_b) = (a.postorder(), b.postorder());
    let mut distance: Vec<Vec<f64>> = vec![vec![0.0; of_b.len()]; of_a.len()];
    let mut forest: Vec<Vec<f64>> = vec![vec![0.0; of_b.len() + 1]; of_a.len() + 1];
    for i in key_roots(&of_a) {
        for j in key_roots(&of_b) {
            let (first_i, first_j) = (of_a[i].1, of_b[j].1);
            forest[first_i][first_j] = 0.0;
            for x in first_i..=i {
                forest[x + 1][first_j] = forest[x][first_j] + 1.0;
            }
            for y in first_j..=j {
                forest[first_i][y + 1] = forest[first_i][y] + 1.0;
            }
            for x in first_i..=i {
                for y in first_j..=j {
                    let edited = (forest[x][y + 1] + 1.0).min(forest[x + 1][y] + 1.0);
                    let is_tree = of_a[x].1 == first_i && of_b[y].1 == first_j;
                    let kept = match is_tree {
                        true => forest[x][y] + rename(&a.nodes[of_a[x].0], &b.nodes[of_b[y].0]),
                        false => forest[of_a[x].1][of_b[y].1] + distance[x][y],
                    };
                    forest[x + 1][y + 1] = edited.min(kept);
                    if is_tree {
                        distance[x][y] = forest[x + 1][y + 1];
                    }
                }
            }
        }
    }
    distance[of_a.len() - 1][of_b.len() - 1]
}

/// The last node, in postorder, of those that share a first leaf.
fn key_roots(order: &[(usize, usize)]) -> Vec<usize> {
    let mut last = vec![None; order.len()];
    for (place, &(_, first)) in order.iter().enumerate() {
        last[first] = Some(place);
    }
    let mut roots: Vec<usize> = last.into_iter().flatten().collect();
    roots.sort_unstable();
    roots
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A tree from the parents of its nodes; labels are numbers.
    fn tree(nodes: &[(usize, u8)]) -> Ordered<u8> {
        let mut tree = Ordered::new(nodes[0].1);
        for (number, &(parent, label)) in nodes.iter().enumerate().skip(1) {
            tree.push(parent % number, label);
        }
        tree
    }

    fn distance(a: &Ordered<u8>, b: &Ordered<u8>) -> f64 {
        tree_edit_distance(a, b, &|a, b| f64::from(u8::from(a != b)))
    }

    /// The distance by the recursion over forests, from the right.
    fn by_recursion(a: &Ordered<u8>, b: &Ordered<u8>, forest_a: &[usize], forest_b: &[usize]) -> f64 {
        let size = |tree: &Ordered<u8>, forest: &[usize]| {
            let mut open = forest.to_vec();
            let mut n = 0;
            while let Some(node) = open.pop() {
                n += 1;
                open.extend(&tree.children[node]);
            }
            f64::from(n)
        };
        let (Some((&x, rest_a)), Some((&y, rest_b))) = (forest_a.split_last(), forest_b.split_last()) else {
            return size(a, forest_a) + size(b, forest_b);
        };
        let without = |rest: &[usize], children: &[usize]| [rest, children].concat();
        let delete = by_recursion(a, b, &without(rest_a, &a.children[x]), forest_b) + 1.0;
        let insert = by_recursion(a, b, forest_a, &without(rest_b, &b.children[y])) + 1.0;
        let rename = f64::from(u8::from(a.nodes[x] != b.nodes[y]));
        let keep =
            by_recursion(a, b, &a.children[x], &b.children[y]) + by_recursion(a, b, rest_a, rest_b) + rename;
        delete.min(insert).min(keep)
    }

    #[test]
    fn the_example_of_the_paper_is_two_edits_apart() {
        // f(d(a c(b)) e) and f(c(d(a b)) e), figure 4.
        let a = tree(&[(0, b'f'), (0, b'd'), (1, b'a'), (1, b'c'), (3, b'b'), (0, b'e')]);
        let b = tree(&[(0, b'f'), (0, b'c'), (1, b'd'), (2, b'a'), (2, b'b'), (0, b'e')]);
        assert_eq!(distance(&a, &b), 2.0);
    }

    proptest! {
        #[test]
        fn the_distance_is_that_of_the_recursion_and_a_metric(
            nodes in prop::collection::vec(prop::collection::vec((0..6usize, 0..3u8), 1..6), 3)
        ) {
            let trees: Vec<Ordered<u8>> = nodes.iter().map(|nodes| tree(nodes)).collect();
            let [a, b, c] = [&trees[0], &trees[1], &trees[2]];
            prop_assert_eq!(distance(a, b), by_recursion(a, b, &[0], &[0]));
            prop_assert_eq!(distance(a, b), distance(b, a));
            prop_assert_eq!(distance(a, a), 0.0);
            prop_assert!(distance(a, c) <= distance(a, b) + distance(b, c));
        }
    }
}
