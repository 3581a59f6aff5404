//! Every kind of column says the same whichever way it is asked.

use super::*;
use crate::view::NONE;

/// A root with four children, the third of which has two.
fn tree() -> Tree {
    Tree::from_parents(vec![NONE, 0, 0, 0, 3, 3, 0])
}

/// A column of each kind over [`tree`].
fn columns() -> [Column; 3] {
    let histograms = Arc::new(TagHistograms::new(&tree(), vec![0, 1, 2, 1, 1, 1, 3]));
    let values = Column::Values(vec![3, 0, 1, 1, 2, 0, 3]);
    [values, Column::ChildTags(histograms.clone()), Column::SiblingTags(histograms)]
}

/// The numbers of each value of each node, \[node\]\[value\].
#[derive(Debug, PartialEq)]
struct Numbers(Vec<[i32; 4]>);

impl Numbers {
    fn none() -> Self {
        Numbers(vec![[0; 4]; 7])
    }
}

impl Tally for Numbers {
    fn node(&mut self, v: u32, value: u32, times: i32) {
        self.0[v as usize][value as usize] += times;
    }

    fn children(&mut self, parent: u32, values: &[(u32, u32)]) {
        for child in tree().children(parent) {
            values.iter().for_each(|&(value, n)| self.node(child, value, n as i32));
        }
    }
}

/// The same, looked up.
struct LookedUp<'a>(Numbers, Option<&'a TagHistograms>);

impl Lookup for LookedUp<'_> {
    fn node(&mut self, v: usize, value: u32, times: f64) {
        self.0.0[v][value as usize] += times as i32;
    }

    fn children(&mut self, v: usize, parent: u32) {
        let histograms = self.1.expect("who looks children up says what they have");
        histograms.children(parent).iter().for_each(|&(value, n)| self.node(v, value, n.into()));
    }
}

#[test]
fn added_up_and_looked_up_the_values_are_those_of_each_node() {
    for column in columns() {
        let mut expected = Numbers::none();
        for v in 0..7 {
            column.for_each(&tree(), v, |value, n| expected.node(v, value, n as i32));
        }
        let mut tallied = Numbers::none();
        column.tally(&tree(), &mut tallied);
        assert_eq!(tallied, expected, "{column:?}");
        let mut looked_up = LookedUp(Numbers::none(), column.children_histograms());
        // In two parts, as blocks of nodes are.
        column.look_up(&tree(), 0..5, &mut looked_up);
        column.look_up(&tree(), 5..7, &mut looked_up);
        assert_eq!(looked_up.0, expected, "{column:?}");
        let mut possible = [false; 4];
        column.for_each_possible(|value| possible[value as usize] = true);
        let occurs = |value: usize| expected.0.iter().any(|numbers| numbers[value] > 0);
        assert!((0..4).all(|value| possible[value] || !occurs(value)), "{column:?}");
    }
}

#[test]
fn siblings_are_the_other_children_of_the_parent() {
    let [values, children, siblings] = columns();
    assert_eq!(values.tags_at(&tree(), 4), [(2, 1)]);
    assert_eq!(children.tags_at(&tree(), 0), [(1, 2), (2, 1), (3, 1)]);
    assert_eq!(siblings.tags_at(&tree(), 1), [(1, 1), (2, 1), (3, 1)]);
    assert_eq!(siblings.tags_at(&tree(), 6), [(1, 2), (2, 1)]);
    assert_eq!(siblings.tags_at(&tree(), 0), []);
    assert_eq!([values.values().is_some(), children.values().is_some()], [true, false]);
}
