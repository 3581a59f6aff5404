//! The list of extractors: what each is, what it needs, its parameters, and how to build it from a table.

use super::Extractor;
use super::hmt::{self, Hmt, Inference};
use super::trivial::{Everything, MoreThanKWords, Nothing, Unit};
use crate::error::{Error, Result, did_you_mean};
use crate::inference::GibbsConfig;
use crate::model::Model;

/// Parameters as they stand in an experiment's file or on the command line, by name.
pub type Parameters = toml::Table;

/// One entry of [`list()`].
#[derive(Debug, Clone, Copy)]
pub struct ExtractorInfo {
    /// The name used on the command line and in results.
    pub id: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// The work that describes it.
    pub reference: &'static str,
    /// What it needs that a page may come without, such as a layout or a feed; empty if any page will do.
    pub needs: &'static [&'static str],
    /// Its parameters.
    pub parameters: &'static [Parameter],
    build: fn(&Values<'_>) -> Result<Box<dyn Extractor>>,
}

/// A parameter of an extractor.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name in a table of parameters.
    pub name: &'static str,
    /// Its type, range and default.
    pub range: Range,
    /// What it does, with its unit.
    pub what: &'static str,
}

/// The values that a parameter may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// Whole numbers.
    Integer {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
        /// Where none is given.
        default: i64,
    },
    /// Real numbers; whole ones are taken too.
    Number {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
        /// Where none is given.
        default: f64,
    },
    /// One of several names.
    Choice {
        /// The names.
        options: &'static [&'static str],
        /// Where none is given.
        default: &'static str,
    },
    /// Any text, such as a path.
    Text {
        /// Where none is given.
        default: &'static str,
    },
    /// True or false.
    Flag {
        /// Where none is given.
        default: bool,
    },
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Range::Integer { min, max, default } => {
                write!(f, "a whole number from {min} to {max}, default {default}")
            }
            Range::Number { min, max, default } => {
                write!(f, "a number from {min} to {max}, default {default}")
            }
            Range::Choice { options, default } => {
                write!(f, "one of {}, default {default}", options.join(", "))
            }
            Range::Text { default: "" } => f.write_str("a text, default none"),
            Range::Text { default } => write!(f, "a text, default {default}"),
            Range::Flag { default } => write!(f, "true or false, default {default}"),
        }
    }
}

impl Range {
    fn default(&self) -> toml::Value {
        match *self {
            Range::Integer { default, .. } => default.into(),
            Range::Number { default, .. } => default.into(),
            Range::Choice { default, .. } | Range::Text { default } => default.into(),
            Range::Flag { default } => default.into(),
        }
    }

    /// The value in the range's own type, if it is within the range.
    fn accept(&self, value: &toml::Value) -> Option<toml::Value> {
        match (self, value) {
            (Range::Integer { min, max, .. }, toml::Value::Integer(given)) => {
                (min..=max).contains(&given).then(|| value.clone())
            }
            (Range::Number { min, max, .. }, toml::Value::Float(given)) => {
                (min..=max).contains(&given).then(|| value.clone())
            }
            (Range::Number { min, max, .. }, &toml::Value::Integer(given)) => {
                let given = given as f64;
                (*min..=*max).contains(&given).then(|| given.into())
            }
            (Range::Choice { options, .. }, toml::Value::String(given)) => {
                options.contains(&given.as_str()).then(|| value.clone())
            }
            (Range::Text { .. }, toml::Value::String(_)) | (Range::Flag { .. }, toml::Value::Boolean(_)) => {
                Some(value.clone())
            }
            _ => None,
        }
    }
}

/// Checked parameters: every one that the extractor declares, the default where none was given.
#[derive(Debug)]
struct Values<'a> {
    parameters: &'a [Parameter],
    values: Vec<toml::Value>,
}

impl<'a> Values<'a> {
    fn check(id: &str, parameters: &'a [Parameter], given: &Parameters) -> Result<Self> {
        for name in given.keys() {
            if !parameters.iter().any(|parameter| parameter.name == name) {
                let remedy = match parameters {
                    [] => "it has none; remove it".to_owned(),
                    _ => did_you_mean(name, parameters.iter().map(|parameter| parameter.name)),
                };
                return Err(Error::usage(format!("extractor '{id}' has no parameter '{name}'"), remedy));
            }
        }
        let values = parameters.iter().map(|parameter| match given.get(parameter.name) {
            None => Ok(parameter.range.default()),
            Some(value) => parameter.range.accept(value).ok_or_else(|| {
                Error::usage(
                    format!("parameter '{}' of extractor '{id}' cannot be {value}", parameter.name),
                    format!("it is {}", parameter.range),
                )
            }),
        });
        Ok(Values { parameters, values: values.collect::<Result<_>>()? })
    }

    /// The value of a declared parameter; asking for another is a fault of the entry's `build`.
    fn get(&self, name: &str) -> &toml::Value {
        let index = self.parameters.iter().position(|parameter| parameter.name == name);
        &self.values[index.expect("an extractor asks only for parameters it declares")]
    }

    fn integer(&self, name: &str) -> i64 {
        self.get(name).as_integer().expect("checked against an integer range")
    }

    fn text(&self, name: &str) -> &str {
        self.get(name).as_str().expect("checked to be a text or a choice")
    }

    /// A value whose range holds small whole numbers only.
    fn small(&self, name: &str) -> u32 {
        u32::try_from(self.integer(name)).expect("the range holds small whole numbers")
    }
}

const WORDS: Parameter = Parameter {
    name: "words",
    range: Range::Integer { min: 0, max: 10_000, default: 10 },
    what: "the number of words that a unit must exceed to be kept",
};

/// A parameter of the hidden Markov tree's sampler.
const fn sampler(name: &'static str, min: i64, default: i64, what: &'static str) -> Parameter {
    Parameter { name, range: Range::Integer { min, max: 1_000_000_000, default }, what }
}

/// Every extractor; a new one is one entry here.
const LIST: &[ExtractorInfo] = &[
    ExtractorInfo {
        id: hmt::ID,
        summary: "the Bayesian hidden Markov tree, with a probability for every node",
        reference: "Langkilde 2015; docs/MODEL.md",
        needs: &[],
        parameters: &[
            Parameter {
                name: "model",
                range: Range::Text { default: "bundled" },
                what: "model file made by `duramen train`, or `bundled`",
            },
            Parameter {
                name: "inference",
                range: Range::Choice { options: &["exact", "viterbi", "gibbs"], default: "exact" },
                what: "how states are inferred",
            },
            sampler("sweeps", 1, 30, "sweeps of the Gibbs sampler"),
            sampler("burn-in", 0, 20, "sweeps at the beginning that are not averaged"),
            sampler("chains", 1, 1, "chains that are averaged together"),
            sampler("seed", 0, 1, "seed of the sampler"),
        ],
        build: build_hmt,
    },
    ExtractorInfo {
        id: "everything",
        summary: "keeps all shown text: recall 1, and the precision of doing nothing",
        reference: "baseline; Boilerpipe's KeepEverythingExtractor (Kohlschütter et al. 2010)",
        needs: &[],
        parameters: &[],
        build: |_| Ok(Box::new(Everything)),
    },
    ExtractorInfo {
        id: "nothing",
        summary: "keeps no text: what an empty output scores",
        reference: "baseline",
        needs: &[],
        parameters: &[],
        build: |_| Ok(Box::new(Nothing)),
    },
    ExtractorInfo {
        id: "more-than-10-words",
        summary: "keeps every text block (run of inline text) of more than 10 words",
        reference: "baseline of the thesis; Boilerpipe's KeepEverythingWithMinKWordsExtractor is its relative",
        needs: &[],
        parameters: &[WORDS],
        build: |values| Ok(Box::new(MoreThanKWords::new(words(values), Unit::Block))),
    },
    ExtractorInfo {
        id: "more-than-10-words-nodes",
        summary: "keeps every text node of the DOM of more than 10 words",
        reference: "baseline of the thesis, on its own nodes",
        needs: &[],
        parameters: &[WORDS],
        build: |values| Ok(Box::new(MoreThanKWords::new(words(values), Unit::TextNode))),
    },
];

fn words(values: &Values<'_>) -> u32 {
    values.small(WORDS.name)
}

fn build_hmt(values: &Values<'_>) -> Result<Box<dyn Extractor>> {
    let model = match values.text("model") {
        "bundled" => Model::bundled()?,
        path => Model::load(path.as_ref())?,
    };
    let inference = match values.text("inference") {
        "exact" => Inference::Exact,
        "viterbi" => Inference::Viterbi,
        _ => Inference::Gibbs(GibbsConfig {
            sweeps: values.small("sweeps"),
            burn_in: values.small("burn-in"),
            chains: values.small("chains"),
            seed: values.small("seed").into(),
            ..GibbsConfig::default()
        }),
    };
    Ok(Box::new(Hmt::new(hmt::ID, model, inference)?))
}

/// Every extractor there is.
pub fn list() -> &'static [ExtractorInfo] {
    LIST
}

/// The entry of an extractor.
///
/// # Errors
/// [`Error::Usage`] with the nearest name if there is no such extractor.
pub fn info(id: &str) -> Result<&'static ExtractorInfo> {
    LIST.iter().find(|info| info.id == id).ok_or_else(|| {
        Error::usage(format!("unknown extractor '{id}'"), did_you_mean(id, LIST.iter().map(|info| info.id)))
    })
}

/// Builds an extractor from its name and parameters; those not given take their defaults.
///
/// # Errors
/// [`Error::Usage`] for an unknown extractor or parameter (with the nearest name) and for a value out of range
/// (with range and default); whatever loading the extractor's files may give.
///
/// # Examples
/// ```
/// use duramen::extract::registry::{build, Parameters};
/// assert_eq!(build("more-than-10-words", &Parameters::new())?.id(), "more-than-10-words");
/// let error = build("nothin", &Parameters::new()).err().unwrap();
/// assert_eq!(error.to_string(), "unknown extractor 'nothin'; did you mean 'nothing'?");
/// # Ok::<(), duramen::Error>(())
/// ```
pub fn build(id: &str, parameters: &Parameters) -> Result<Box<dyn Extractor>> {
    let info = info(id)?;
    (info.build)(&Values::check(id, info.parameters, parameters)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(text: &str) -> Parameters {
        text.parse().unwrap()
    }

    fn error(id: &str, text: &str) -> String {
        build(id, &parameters(text)).err().unwrap().to_string()
    }

    #[test]
    fn a_parameter_reaches_the_extractor() {
        assert_eq!(build("more-than-10-words", &parameters("words = 3")).unwrap().id(), "more-than-3-words");
    }

    #[test]
    fn errors_name_the_nearest_name_the_range_and_the_default() {
        assert_eq!(error("everythin", ""), "unknown extractor 'everythin'; did you mean 'everything'?");
        assert_eq!(
            error("more-than-10-words", "word = 3"),
            "extractor 'more-than-10-words' has no parameter 'word'; did you mean 'words'?"
        );
        assert_eq!(
            error("everything", "word = 3"),
            "extractor 'everything' has no parameter 'word'; it has none; remove it"
        );
        for wrong in ["-1", "10001", "2.5", "\"ten\""] {
            assert_eq!(
                error("more-than-10-words", &format!("words = {wrong}")),
                format!(
                    "parameter 'words' of extractor 'more-than-10-words' cannot be {wrong}; \
                     it is a whole number from 0 to 10000, default 10"
                )
            );
        }
    }

    #[test]
    fn every_kind_of_range_takes_its_values_and_refuses_others() {
        let number = Range::Number { min: 0.0, max: 1.0, default: 0.5 };
        let choice = Range::Choice { options: &["gibbs", "exact"], default: "exact" };
        let text = Range::Text { default: "" };
        let flag = Range::Flag { default: true };
        let all = "n = 1\nf = 0.25\nnan = nan\ns = \"gibbs\"\nb = false\n";
        let given = parameters(all);
        let accepted = |range: Range| {
            given
                .iter()
                .filter(|(_, v)| range.accept(v).is_some())
                .map(|(k, _)| k.as_str())
                .collect::<String>()
        };
        assert_eq!(accepted(number), "fn");
        assert_eq!(accepted(choice), "s");
        assert_eq!(accepted(text), "s");
        assert_eq!(accepted(flag), "b");
        assert_eq!(number.accept(&given["n"]), Some(toml::Value::Float(1.0)));
        assert_eq!(choice.to_string(), "one of gibbs, exact, default exact");
    }

    #[test]
    fn every_default_is_within_its_range() {
        for parameter in list().iter().flat_map(|info| info.parameters) {
            assert!(parameter.range.accept(&parameter.range.default()).is_some(), "{}", parameter.name);
        }
    }
}
