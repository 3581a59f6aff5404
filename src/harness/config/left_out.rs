//! `[corpora-left-out]`: corpora that are tested in turn by what was trained on the others.

use serde::Deserialize;

use super::Split;
use crate::error::{Error, Result};

/// Corpora of which each is tested by what was trained on the others: short for a split of kind `trained-elsewhere` for each,
/// named for its corpus without the part.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CorporaLeftOut {
    /// Corpora that train, each but when it is tested. Two and up.
    pub train: Vec<String>,
    /// Groups of them: when one of a group is tested, all of it are left out. Default none.
    #[serde(default)]
    pub together: Vec<Vec<String>>,
    /// Corpora that are tested and never train. They are left out together. Default none.
    #[serde(default)]
    pub never_train: Vec<String>,
}

impl CorporaLeftOut {
    /// The splits, in the order of `train` and then of `never-train`.
    ///
    /// # Errors
    /// [`Error::Usage`] if `together` holds what does not train, `never-train` what trains, or nothing is left to train on.
    pub(crate) fn splits(&self) -> Result<Vec<Split>> {
        let wrong =
            |what: String, remedy: &str| Err(Error::usage(format!("corpora-left-out: {what}"), remedy));
        if let Some(other) = self.together.iter().flatten().find(|corpus| !self.train.contains(corpus)) {
            return wrong(format!("'{other}' of together does not train"), "add it to train, or remove it");
        }
        if let Some(corpus) = self.never_train.iter().find(|corpus| self.train.contains(corpus)) {
            return wrong(format!("'{corpus}' of never-train trains"), "remove it from one of the two");
        }
        let mut splits = Vec::new();
        for tested in self.train.iter().chain(&self.never_train) {
            let mut groups = self.together.iter().chain([&self.never_train]);
            let without = groups.find(|group| group.contains(tested)).map_or(&[][..], Vec::as_slice);
            let mut others =
                self.train.iter().filter(|corpus| *corpus != tested && !without.contains(corpus));
            let Some(train) = others.next().cloned() else {
                return wrong(format!("nothing trains where '{tested}' is tested"), "add corpora to train");
            };
            splits.push(Split::TrainedElsewhere {
                id: tested.split('/').next().unwrap_or(tested).to_owned(),
                dataset: Some(tested.clone()),
                train,
                also: others.cloned().collect(),
                without: without.to_vec(),
                folds: None,
            });
        }
        Ok(splits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn each_corpus_is_tested_by_what_was_trained_on_the_others() {
        let left_out = CorporaLeftOut {
            train: names(&["a/dev", "b", "c", "d"]),
            together: vec![names(&["c", "d"])],
            never_train: names(&["e/all"]),
        };
        let split =
            |id: &str, dataset: &str, train: &str, also: &[&str], without: &[&str]| Split::TrainedElsewhere {
                id: id.to_owned(),
                dataset: Some(dataset.to_owned()),
                train: train.to_owned(),
                also: names(also),
                without: names(without),
                folds: None,
            };
        assert_eq!(
            left_out.splits().unwrap(),
            [
                split("a", "a/dev", "b", &["c", "d"], &[]),
                split("b", "b", "a/dev", &["c", "d"], &[]),
                split("c", "c", "a/dev", &["b"], &["c", "d"]),
                split("d", "d", "a/dev", &["b"], &["c", "d"]),
                split("e", "e/all", "a/dev", &["b", "c", "d"], &["e/all"]),
            ]
        );
    }

    #[test]
    fn what_cannot_be_left_out_so_is_refused() {
        let error = |train: &[&str], together: &[&str], never: &[&str]| {
            let never_train = names(never);
            let left_out =
                CorporaLeftOut { train: names(train), together: vec![names(together)], never_train };
            left_out.splits().unwrap_err().to_string()
        };
        assert!(error(&["a"], &[], &[]).contains("nothing trains where 'a' is tested"));
        assert!(error(&["a", "b"], &["a", "b"], &[]).contains("nothing trains where 'a'"));
        assert!(error(&["a", "b"], &["c"], &[]).contains("'c' of together does not train"));
        assert!(error(&["a", "b"], &[], &["b"]).contains("'b' of never-train trains"));
    }
}
