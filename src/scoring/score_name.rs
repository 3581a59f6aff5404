//! The names of scores: `METRIC/GOLD/MEASURE`, such as `tokens/main-text/f1` or `words/article/recall`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::metric::Metric;
use super::page_scores::PageScores;
use crate::dataset::labelled::GoldText;
use crate::error::{Error, Result, did_you_mean};
use crate::eval::{EvaluationView, TextScores};

/// What of a score is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// Precision.
    Precision,
    /// Recall.
    Recall,
    /// Their harmonic mean.
    F1,
    /// The share that has exactly its label.
    Accuracy,
    /// How near it is, 0 to 1.
    Similarity,
}

impl Measure {
    const ALL: [Measure; 5] =
        [Measure::Precision, Measure::Recall, Measure::F1, Measure::Accuracy, Measure::Similarity];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Precision => "precision",
            Measure::Recall => "recall",
            Measure::F1 => "f1",
            Measure::Accuracy => "accuracy",
            Measure::Similarity => "similarity",
        }
    }

    fn of(self, scores: &TextScores) -> Option<f64> {
        match self {
            Measure::Precision => Some(scores.precision),
            Measure::Recall => Some(scores.recall),
            Measure::F1 => Some(scores.f1),
            Measure::Accuracy | Measure::Similarity => None,
        }
    }
}

/// What a score is taken against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Against {
    Labels(EvaluationView),
    Text(GoldText),
    Nothing,
}

/// The name of one number of a page's result.
///
/// # Examples
/// ```
/// use duramen::scoring::ScoreName;
/// let name: ScoreName = "tokens/main-text/f1".parse()?;
/// assert_eq!(name.to_string(), "tokens/main-text/f1");
/// assert_eq!("words/article".parse::<ScoreName>()?.to_string(), "words/article/f1");
/// let error = "tokens/man-text/f1".parse::<ScoreName>().unwrap_err().to_string();
/// assert!(error.contains("did you mean 'main-text'?"), "{error}");
/// # Ok::<(), duramen::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ScoreName {
    metric: Metric,
    against: Against,
    measure: Measure,
}

impl ScoreName {
    /// A score of labels: tokens, nodes or bytes.
    pub fn from_labels(metric: Metric, view: EvaluationView, measure: Measure) -> ScoreName {
        ScoreName { metric, against: Against::Labels(view), measure }
    }

    /// A score of text.
    pub fn from_text(metric: Metric, gold: GoldText, measure: Measure) -> ScoreName {
        ScoreName { metric, against: Against::Text(gold), measure }
    }

    /// The one number that stands for a metric of text: F1, of Markdown the similarity.
    pub fn main_of_text(metric: Metric, gold: GoldText) -> ScoreName {
        let is_of_markdown = Metric::OF_MARKDOWN.contains(&metric);
        ScoreName::from_text(metric, gold, if is_of_markdown { Measure::Similarity } else { Measure::F1 })
    }

    /// The SD paper's region accuracy.
    pub fn region_accuracy() -> ScoreName {
        ScoreName { metric: Metric::RegionAccuracy, against: Against::Nothing, measure: Measure::Accuracy }
    }

    /// Another measure of the same.
    pub fn with(self, measure: Measure) -> ScoreName {
        ScoreName { measure, ..self }
    }

    /// The metric.
    pub fn metric(self) -> Metric {
        self.metric
    }

    /// What of it is looked at.
    pub fn measure(self) -> Measure {
        self.measure
    }

    /// The number, if it was measured on this page.
    pub fn of(self, scores: &PageScores) -> Option<f64> {
        let of_confusion = |counts: &crate::eval::Confusion, view: EvaluationView| {
            let of_view = counts.scores(view);
            Some(match self.measure {
                Measure::Precision => of_view.precision,
                Measure::Recall => of_view.recall,
                Measure::F1 => of_view.f1,
                Measure::Accuracy => counts.accuracy(),
                Measure::Similarity => return None,
            })
        };
        match (self.metric, self.against) {
            (Metric::Tokens, Against::Labels(view)) => of_confusion(scores.tokens.as_ref()?, view),
            (Metric::Nodes, Against::Labels(view)) => of_confusion(scores.nodes.as_ref()?, view),
            (Metric::Bytes, Against::Labels(view)) => of_confusion(scores.bytes.as_ref()?, view),
            (Metric::RegionAccuracy, _) => scores.region_accuracy,
            (metric, Against::Text(gold)) => {
                let text = scores.texts.get(&gold)?;
                match metric {
                    Metric::Words => self.measure.of(text.words.as_ref()?),
                    Metric::WordsAndCharacters => self.measure.of(text.words_and_characters.as_ref()?),
                    Metric::Bigrams => self.measure.of(text.bigrams.as_ref()?),
                    Metric::RougeLsum => self.measure.of(text.rouge_lsum.as_ref()?),
                    Metric::Shingles => {
                        let counts = text.shingles.as_ref()?;
                        let (precision, recall) = (counts.precision(), counts.recall());
                        let sum = precision + recall;
                        let f1 = if sum == 0.0 { 0.0 } else { 2.0 * precision * recall / sum };
                        self.measure.of(&TextScores { precision, recall, f1 })
                    }
                    Metric::Snippets => match self.measure {
                        Measure::Recall => text.snippets.as_ref()?.with,
                        Measure::Precision => text.snippets.as_ref()?.without,
                        Measure::F1 | Measure::Accuracy | Measure::Similarity => None,
                    },
                    Metric::TextEdit => text.markdown.as_ref()?.text,
                    Metric::CodeEdit => text.markdown.as_ref()?.code,
                    Metric::FormulaEdit => text.markdown.as_ref()?.formula,
                    Metric::TableEdit => text.markdown.as_ref()?.table,
                    Metric::Teds => text.markdown.as_ref()?.teds,
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Says in words what the number is.
    pub fn describe(self) -> String {
        let measure = match self.measure {
            Measure::F1 => "F1",
            other => other.name(),
        };
        let of = format!("{measure} of {}", self.metric.name());
        match self.against {
            Against::Labels(EvaluationView::Complete) => format!("{of}, exact type"),
            Against::Labels(EvaluationView::MainText) => {
                format!("{of}, main text (full text) against the rest")
            }
            Against::Labels(EvaluationView::Content) => format!("{of}, content against not content"),
            Against::Labels(EvaluationView::Article) => {
                format!("{of}, headline, full text and supplemental against the rest")
            }
            Against::Text(GoldText::Text) => format!("{of}, gold: the corpus's text"),
            Against::Text(gold) => format!("{of}, gold: {}", gold.name()),
            Against::Nothing => "region accuracy".to_owned(),
        }
    }
}

impl fmt::Display for ScoreName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.against {
            Against::Labels(view) => {
                write!(f, "{}/{}/{}", self.metric.name(), view.name(), self.measure.name())
            }
            Against::Text(gold) => {
                write!(f, "{}/{}/{}", self.metric.name(), gold.name(), self.measure.name())
            }
            Against::Nothing => f.write_str(self.metric.name()),
        }
    }
}

impl FromStr for ScoreName {
    type Err = Error;

    fn from_str(name: &str) -> Result<ScoreName> {
        let unknown = |what: &str, given: &str, known: &[&str]| {
            Error::usage(
                format!("score '{name}': unknown {what} '{given}'"),
                did_you_mean(given, known.iter().copied()),
            )
        };
        let mut parts = name.split('/');
        let metric = parts.next().unwrap_or_default();
        let metric = Metric::ALL
            .into_iter()
            .find(|known| known.name() == metric)
            .ok_or_else(|| unknown("metric", metric, &Metric::ALL.map(Metric::name)))?;
        if metric == Metric::RegionAccuracy {
            return match parts.next() {
                None => Ok(ScoreName::region_accuracy()),
                Some(_) => Err(Error::usage(format!("score '{name}'"), "write region-accuracy alone")),
            };
        }
        let gold = parts.next().unwrap_or_default();
        let against = if metric.is_of_labels() {
            let views = [
                EvaluationView::Complete,
                EvaluationView::MainText,
                EvaluationView::Content,
                EvaluationView::Article,
            ];
            let view = views.into_iter().find(|view| view.name() == gold);
            Against::Labels(view.ok_or_else(|| unknown("view", gold, &views.map(EvaluationView::name)))?)
        } else {
            let all = [GoldText::Text, GoldText::Article, GoldText::HeadlineFullText, GoldText::FullText];
            let text = all.into_iter().find(|known| known.name() == gold);
            Against::Text(text.ok_or_else(|| unknown("gold", gold, &all.map(GoldText::name)))?)
        };
        let is_of_markdown = Metric::OF_MARKDOWN.contains(&metric);
        let measure = parts.next().unwrap_or(if is_of_markdown { "similarity" } else { "f1" });
        let measure = Measure::ALL
            .into_iter()
            .find(|known| known.name() == measure)
            .ok_or_else(|| unknown("measure", measure, &Measure::ALL.map(Measure::name)))?;
        let fits = match measure {
            Measure::Accuracy => metric.is_of_labels(),
            measure => (measure == Measure::Similarity) == is_of_markdown,
        };
        if parts.next().is_some() || !fits {
            return Err(Error::usage(
                format!("score '{name}'"),
                "write METRIC/GOLD/MEASURE, such as tokens/main-text/f1 or words/text/recall",
            ));
        }
        Ok(ScoreName { metric, against, measure })
    }
}

impl TryFrom<String> for ScoreName {
    type Error = Error;
    fn try_from(name: String) -> Result<ScoreName> {
        name.parse()
    }
}

impl From<ScoreName> for String {
    fn from(name: ScoreName) -> String {
        name.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_comes_back_as_it_was_written() {
        for name in [
            "tokens/complete/accuracy",
            "nodes/content/precision",
            "bytes/article/recall",
            "region-accuracy",
            "words/headline-full-text/f1",
            "shingles/text/f1",
            "snippets/text/recall",
            "teds/text/similarity",
        ] {
            assert_eq!(name.parse::<ScoreName>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_nearest() {
        let error = |name: &str| name.parse::<ScoreName>().unwrap_err().to_string();
        assert!(error("token/content").contains("did you mean 'tokens'?"));
        assert!(error("words/articel/f1").contains("did you mean 'article'?"));
        assert!(error("words/text/f2").contains("did you mean 'f1'?"));
        assert!(error("words/text/accuracy").contains("METRIC/GOLD/MEASURE"));
        assert!(error("teds/text/f1").contains("METRIC/GOLD/MEASURE"));
        assert!(error("words/text/similarity").contains("METRIC/GOLD/MEASURE"));
        assert!(error("region-accuracy/x").contains("alone"));
    }
}
