//! The parameters of an extractor: names, ranges, defaults, and the check of a table against them.

use crate::error::{Error, Remedy, Result, Setting, did_you_mean};

/// Parameters as they stand in an experiment's file or on the command line, by name.
pub type Parameters = toml::Table;

/// A parameter of an extractor.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name in a table of parameters.
    pub name: &'static str,
    /// Its type, range and default.
    pub range: Range,
    /// What it does, with its unit.
    pub what: &'static str,
    /// The values of another parameter with which alone it has an effect; none if it always has one.
    pub only_with: Option<OnlyWith>,
}

impl Parameter {
    /// A parameter that always has an effect.
    pub const fn new(name: &'static str, range: Range, what: &'static str) -> Parameter {
        Parameter { name, range, what, only_with: None }
    }
}

/// The values of a parameter without which another has no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnlyWith {
    /// The other parameter, which is a [`Range::Choice`].
    pub parameter: &'static str,
    /// Its values with which this one has an effect.
    pub values: &'static [&'static str],
    /// Whether giving this parameter chooses the first of the values where the other is not given.
    pub implied: bool,
}

/// Why a table of parameters does not fit an extractor.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// The parameter that was given.
    pub parameter: String,
    /// What is wrong, with the extractor's name.
    pub what: String,
    /// What to write instead.
    pub remedy: Remedy,
}

impl Refused {
    /// The same as an error of the library.
    pub(crate) fn into_error(self) -> Error {
        Error::usage(self.what, self.remedy.to_string())
    }
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
    pub(super) fn default(&self) -> toml::Value {
        match *self {
            Range::Integer { default, .. } => default.into(),
            Range::Number { default, .. } => default.into(),
            Range::Choice { default, .. } | Range::Text { default } => default.into(),
            Range::Flag { default } => default.into(),
        }
    }

    /// The value in the range's own type, if it is within the range.
    pub(super) fn accept(&self, value: &toml::Value) -> Option<toml::Value> {
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
pub(crate) struct Values<'a> {
    parameters: &'a [Parameter],
    values: Vec<toml::Value>,
}

impl<'a> Values<'a> {
    pub(crate) fn check(id: &str, parameters: &'a [Parameter], given: &Parameters) -> Result<Self, Refused> {
        let refused =
            |name: &str, what: String, remedy: Remedy| Refused { parameter: name.to_owned(), what, remedy };
        for name in given.keys() {
            if !parameters.iter().any(|parameter| parameter.name == name) {
                let remedy = match parameters {
                    [] => "it has none; remove it".to_owned(),
                    _ => did_you_mean(name, parameters.iter().map(|parameter| parameter.name)),
                };
                return Err(refused(
                    name,
                    format!("extractor '{id}' has no parameter '{name}'"),
                    remedy.into(),
                ));
            }
        }
        let value = |parameter: &Parameter| match given.get(parameter.name) {
            None => {
                Ok(implied(parameters, parameter.name, given).unwrap_or_else(|| parameter.range.default()))
            }
            Some(value) => parameter.range.accept(value).ok_or_else(|| {
                let what = format!("parameter '{}' of extractor '{id}' cannot be {value}", parameter.name);
                refused(parameter.name, what, format!("it is {}", parameter.range).into())
            }),
        };
        let values = Values { parameters, values: parameters.iter().map(value).collect::<Result<_, _>>()? };
        for parameter in parameters.iter().filter(|parameter| given.contains_key(parameter.name)) {
            if let Some(with) = &parameter.only_with
                && !with.values.contains(&values.text(with.parameter))
            {
                let (name, found) = (parameter.name, values.text(with.parameter));
                let what = format!(
                    "parameter '{name}' of extractor '{id}' has no effect while {} is {found}",
                    with.parameter
                );
                let other = format!("set {} to {}", with.parameter, with.values.join(" or "));
                let remedy = Remedy::from("leave it out, or ").set(other, Setting::Parameter(with.parameter));
                return Err(refused(name, what, remedy));
            }
        }
        Ok(values)
    }

    /// The value of a declared parameter; asking for another is a fault of the entry's `build`.
    pub(crate) fn get(&self, name: &str) -> &toml::Value {
        let index = self.parameters.iter().position(|parameter| parameter.name == name);
        &self.values[index.expect("an extractor asks only for parameters it declares")]
    }

    pub(crate) fn integer(&self, name: &str) -> i64 {
        self.get(name).as_integer().expect("checked against an integer range")
    }

    pub(crate) fn number(&self, name: &str) -> f64 {
        self.get(name).as_float().expect("checked against a range of numbers")
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.get(name).as_bool().expect("checked to be a flag")
    }

    pub(crate) fn text(&self, name: &str) -> &str {
        self.get(name).as_str().expect("checked to be a text or a choice")
    }

    /// A value whose range holds small whole numbers only.
    pub(crate) fn small(&self, name: &str) -> u32 {
        u32::try_from(self.integer(name)).expect("the range holds small whole numbers")
    }
}

/// The value of a parameter that is not given itself, where one that goes with a certain value is.
fn implied(parameters: &[Parameter], name: &str, given: &Parameters) -> Option<toml::Value> {
    let mut others = parameters.iter().filter(|other| given.contains_key(other.name));
    let with =
        others.find_map(|other| other.only_with.filter(|with| with.implied && with.parameter == name))?;
    with.values.first().map(|&value| value.into())
}
