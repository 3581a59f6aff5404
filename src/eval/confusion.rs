//! Counts of tokens or nodes by gold and predicted label, and the scores of the thesis's views on them.

use std::iter::Sum;
use std::ops::AddAssign;

use ndarray::{ArrayView2, aview2};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, did_you_mean};
use crate::label::{Label, LabelSet};

/// How many tokens (or nodes) of each gold label were given each label.
///
/// Confusions add up exactly: the pooled counts of a corpus are the sum over its documents.
///
/// # Examples
/// ```
/// use duramen::{Confusion, EvaluationView, Label};
///
/// let mut tokens = Confusion::default();
/// tokens.add(Label::FullText, Label::FullText, 300);
/// tokens.add(Label::Comments, Label::FullText, 100);
/// assert_eq!(tokens.scores(EvaluationView::MainText).precision, 0.75);
/// assert_eq!(tokens.scores(EvaluationView::Content).precision, 1.0);
/// assert_eq!(tokens.view().shape(), [Label::COUNT, Label::COUNT]);
/// assert_eq!(tokens.view()[[Label::Comments.index(), Label::FullText.index()]], 100);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Confusion {
    counts: [[u64; Label::COUNT]; Label::COUNT],
}

/// What is scored: the thesis's "complete analysis" and "only main text", and coarser questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvaluationView {
    /// The exact type among the five content types.
    Complete,
    /// [`LabelSet::MAIN_TEXT`] against the rest.
    MainText,
    /// [`LabelSet::CONTENT`] against the rest.
    Content,
    /// [`LabelSet::ARTICLE`] against the rest.
    Article,
}

/// Precision, recall and F1 with the counts behind them.
///
/// Conventions: where nothing is gold and nothing predicted, all three are 1; where only one of the two is
/// empty, all three are 0. F1 is 2 TP / (support + predicted), the harmonic mean of precision and recall.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Of what was predicted, the share that is right (0 to 1).
    pub precision: f64,
    /// Of what is gold, the share that was found (0 to 1).
    pub recall: f64,
    /// The harmonic mean of precision and recall (0 to 1).
    pub f1: f64,
    /// How many are gold.
    pub support: u64,
    /// How many were predicted.
    pub predicted: u64,
}

impl EvaluationView {
    /// All views, from the finest.
    pub const ALL: [EvaluationView; 4] = [
        EvaluationView::Complete,
        EvaluationView::MainText,
        EvaluationView::Content,
        EvaluationView::Article,
    ];

    /// The view's name as written in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            EvaluationView::Complete => "complete",
            EvaluationView::MainText => "main-text",
            EvaluationView::Content => "content",
            EvaluationView::Article => "article",
        }
    }

    /// The labels that count as relevant.
    pub fn relevant(self) -> LabelSet {
        match self {
            EvaluationView::Complete | EvaluationView::Content => LabelSet::CONTENT,
            EvaluationView::MainText => LabelSet::MAIN_TEXT,
            EvaluationView::Article => LabelSet::ARTICLE,
        }
    }
}

impl std::fmt::Display for EvaluationView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for EvaluationView {
    type Err = Error;
    fn from_str(name: &str) -> Result<EvaluationView> {
        EvaluationView::ALL.into_iter().find(|view| view.name() == name).ok_or_else(|| {
            Error::usage(
                format!("unknown view '{name}'"),
                did_you_mean(name, EvaluationView::ALL.map(EvaluationView::name)),
            )
        })
    }
}

impl Scores {
    /// The scores of `true_positives` among `support` gold and `predicted` predicted items.
    pub fn from_counts(true_positives: u64, support: u64, predicted: u64) -> Scores {
        let share = |whole: u64| match (support, predicted) {
            (0, 0) => 1.0,
            (0, _) | (_, 0) => 0.0,
            _ => true_positives as f64 / whole as f64,
        };
        Scores {
            precision: share(predicted),
            recall: share(support),
            f1: if support + predicted == 0 {
                1.0
            } else {
                2.0 * true_positives as f64 / (support + predicted) as f64
            },
            support,
            predicted,
        }
    }
}

impl Confusion {
    /// Counts `weight` more items whose label is `gold` and which were called `predicted`.
    pub fn add(&mut self, gold: Label, predicted: Label, weight: u64) {
        self.counts[gold.index()][predicted.index()] += weight;
    }

    /// How many items of label `gold` were called `predicted`.
    pub fn get(&self, gold: Label, predicted: Label) -> u64 {
        self.counts[gold.index()][predicted.index()]
    }

    /// How many items there are.
    pub fn total(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// All counts by [`Label::index`]. Shape: labels of the gold x labels predicted, 6 x 6.
    pub fn view(&self) -> ArrayView2<'_, u64> {
        aview2(&self.counts)
    }

    /// The share of items with exactly the right label, over all six; 1 where there are no items.
    pub fn accuracy(&self) -> f64 {
        match self.total() {
            0 => 1.0,
            total => self.exact(LabelSet::ALL) as f64 / total as f64,
        }
    }

    /// The scores of the pooled counts in `view`.
    ///
    /// [`EvaluationView::Complete`] is the micro average over the content types: true is an item of a content type that
    /// was given exactly this type; what was given any content type counts as predicted, what is of any
    /// content type as gold. The other views ask only whether an item is in [`EvaluationView::relevant`].
    pub fn scores(&self, view: EvaluationView) -> Scores {
        match view {
            EvaluationView::Complete => {
                let content = LabelSet::CONTENT;
                let gold = self.sum(content, LabelSet::ALL);
                Scores::from_counts(self.exact(content), gold, self.sum(LabelSet::ALL, content))
            }
            EvaluationView::MainText | EvaluationView::Content | EvaluationView::Article => {
                self.scores_of(view.relevant())
            }
        }
    }

    /// The scores of one label against the other five.
    pub fn label_scores(&self, label: Label) -> Scores {
        self.scores_of(LabelSet::from_iter([label]))
    }

    /// The scores of a set of labels against the rest.
    fn scores_of(&self, relevant: LabelSet) -> Scores {
        Scores::from_counts(
            self.sum(relevant, relevant),
            self.sum(relevant, LabelSet::ALL),
            self.sum(LabelSet::ALL, relevant),
        )
    }

    fn sum(&self, gold: LabelSet, predicted: LabelSet) -> u64 {
        gold.iter().flat_map(|g| predicted.iter().map(move |p| self.get(g, p))).sum()
    }

    fn exact(&self, labels: LabelSet) -> u64 {
        labels.iter().map(|label| self.get(label, label)).sum()
    }
}

impl AddAssign for Confusion {
    fn add_assign(&mut self, other: Confusion) {
        for (row, others) in self.counts.iter_mut().zip(other.counts) {
            for (count, more) in row.iter_mut().zip(others) {
                *count += more;
            }
        }
    }
}

impl AddAssign<&Confusion> for Confusion {
    fn add_assign(&mut self, other: &Confusion) {
        *self += *other;
    }
}

impl Sum for Confusion {
    fn sum<I: Iterator<Item = Confusion>>(confusions: I) -> Confusion {
        confusions.fold(Confusion::default(), |mut total, more| {
            total += more;
            total
        })
    }
}

impl<'a> Sum<&'a Confusion> for Confusion {
    fn sum<I: Iterator<Item = &'a Confusion>>(confusions: I) -> Confusion {
        confusions.copied().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 100 tokens: 40 full text right, 10 full text missed, 5 full text called comments, 20 comments called
    /// full text, 25 navigation right.
    fn example() -> Confusion {
        let mut tokens = Confusion::default();
        tokens.add(Label::FullText, Label::FullText, 40);
        tokens.add(Label::FullText, Label::NotContent, 10);
        tokens.add(Label::FullText, Label::Comments, 5);
        tokens.add(Label::Comments, Label::FullText, 20);
        tokens.add(Label::NotContent, Label::NotContent, 25);
        tokens
    }

    #[test]
    fn the_complete_view_counts_a_wrong_content_type_against_precision_and_recall() {
        let scores = example().scores(EvaluationView::Complete);
        assert_eq!((scores.support, scores.predicted), (75, 65));
        assert_eq!(scores.precision, 40.0 / 65.0);
        assert_eq!(scores.recall, 40.0 / 75.0);
        assert_eq!(scores.f1, 80.0 / 140.0);
        assert_eq!(example().accuracy(), 0.65);
    }

    #[test]
    fn the_main_text_view_sees_full_text_alone() {
        let scores = example().scores(EvaluationView::MainText);
        assert_eq!((scores.support, scores.predicted), (55, 60));
        assert_eq!(scores.precision, 40.0 / 60.0);
        assert_eq!(scores.recall, 40.0 / 55.0);
    }

    #[test]
    fn the_content_view_forgives_a_wrong_content_type_and_the_article_view_does_not_forgive_comments() {
        assert_eq!(example().scores(EvaluationView::Content), Scores::from_counts(65, 75, 65));
        assert_eq!(example().scores(EvaluationView::Article), Scores::from_counts(40, 55, 60));
    }

    #[test]
    fn a_headline_called_full_text_is_right_in_the_article_view_only() {
        let mut tokens = Confusion::default();
        tokens.add(Label::Headline, Label::FullText, 3);
        assert_eq!(tokens.scores(EvaluationView::Article).f1, 1.0);
        assert_eq!(tokens.scores(EvaluationView::Complete).f1, 0.0);
        assert_eq!(tokens.scores(EvaluationView::MainText).f1, 0.0);
    }

    #[test]
    fn nothing_gold_and_nothing_predicted_scores_one_and_one_of_them_empty_scores_zero() {
        let ones = Scores { precision: 1.0, recall: 1.0, f1: 1.0, support: 0, predicted: 0 };
        assert_eq!(Confusion::default().scores(EvaluationView::Complete), ones);
        assert_eq!(Confusion::default().accuracy(), 1.0);
        assert_eq!(Confusion::default().label_scores(Label::Headline), ones);
        let missed = Scores::from_counts(0, 7, 0);
        assert_eq!((missed.precision, missed.recall, missed.f1), (0.0, 0.0, 0.0));
        let invented = Scores::from_counts(0, 0, 7);
        assert_eq!((invented.precision, invented.recall, invented.f1), (0.0, 0.0, 0.0));
    }

    #[test]
    fn a_view_is_read_by_its_name_and_a_slip_is_answered_with_the_nearest() {
        for view in EvaluationView::ALL {
            assert_eq!(view.name().parse::<EvaluationView>().unwrap(), view);
        }
        let error = "main-txt".parse::<EvaluationView>().unwrap_err().to_string();
        assert!(error.contains("did you mean 'main-text'?"), "{error}");
    }

    fn any_confusion() -> impl Strategy<Value = Confusion> {
        prop::array::uniform6(prop::array::uniform6(0u64..50)).prop_map(|counts| Confusion { counts })
    }

    proptest! {
        #[test]
        fn changing_gold_and_predicted_round_changes_precision_and_recall_round(c in any_confusion()) {
            let mut transposed = Confusion::default();
            for ((predicted, gold), &count) in c.view().indexed_iter() {
                transposed.add(Label::ALL[gold], Label::ALL[predicted], count);
            }
            prop_assert!(transposed.view() == c.view().t());
            for view in EvaluationView::ALL {
                let (one, other) = (c.scores(view), transposed.scores(view));
                prop_assert_eq!((one.precision, one.recall), (other.recall, other.precision));
                prop_assert_eq!(one.f1, other.f1);
            }
        }

        #[test]
        fn f1_is_the_harmonic_mean_and_lies_between_precision_and_recall(c in any_confusion()) {
            for view in EvaluationView::ALL {
                let Scores { precision: p, recall: r, f1, .. } = c.scores(view);
                prop_assert!(f1 <= p.max(r) + 1e-12 && f1 >= p.min(r) - 1e-12);
                prop_assert!(p + r == 0.0 || (f1 - 2.0 * p * r / (p + r)).abs() < 1e-12);
            }
        }

        #[test]
        fn the_support_of_a_sum_is_the_sum_of_supports(a in any_confusion(), b in any_confusion()) {
            let sum: Confusion = [a, b].iter().sum();
            prop_assert_eq!(sum.total(), a.total() + b.total());
            for label in Label::ALL {
                let parts = a.label_scores(label).support + b.label_scores(label).support;
                prop_assert_eq!(sum.label_scores(label).support, parts);
            }
        }
    }
}
