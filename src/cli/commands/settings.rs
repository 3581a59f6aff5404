//! What is asked of extractors on the command line, as the parameters that they declare.
//!
//! Every option of an extractor is a [`Setting`]: `--precision` is `beta = 0.5`, `--xpath E` is `expression = E`, and
//! `--set NAME=VALUE` is any other. What the chosen extractor does not take is refused here, in one place.

use crate::cli::config_file;
use crate::cli::progress::Printer;
use crate::error::{Error, Result, nearest};
use crate::extract::registry::{self, ExtractorInfo, Parameters, Refused};

/// An option that stands for a parameter of an extractor.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The option as it was typed, such as `--precision` or `--set words=20`.
    option: String,
    /// The parameter.
    name: String,
    value: toml::Value,
    /// Whether it was not given but stands in the file of settings: it goes where it fits, and is refused nowhere.
    is_of_file: bool,
}

impl Setting {
    /// `option` for `name = value`.
    pub fn new(option: impl Into<String>, name: &str, value: impl Into<toml::Value>) -> Setting {
        Setting { option: option.into(), name: name.to_owned(), value: value.into(), is_of_file: false }
    }

    /// `--NAME VALUE` for an option whose default the file of settings may state.
    pub fn of_option(name: &str, value: &str) -> Setting {
        let option = config_file::named(name, format!("--{name} {value}"));
        Setting { is_of_file: config_file::is_from_file(name), ..Setting::new(option, name, value) }
    }

    /// What `--set` says: `NAME=VALUE`. A value that is no number or truth value is a word.
    ///
    /// # Errors
    /// [`Error::Usage`] without a name or an equals sign.
    pub fn parse(text: &str) -> Result<Setting> {
        let Some((name, value)) = text.split_once('=').filter(|(name, _)| !name.trim().is_empty()) else {
            return Err(Error::usage(format!("--set {text}"), "write NAME=VALUE, such as --set words=20"));
        };
        let value = toml::from_str::<toml::Table>(&format!("value = {value}"))
            .ok()
            .and_then(|mut table| table.remove("value"))
            .unwrap_or_else(|| toml::Value::String(value.to_owned()));
        Ok(Setting::new(format!("--set {text}"), name.trim(), value))
    }

    fn is_taken_by(&self, info: &ExtractorInfo) -> bool {
        info.parameters.iter().any(|parameter| parameter.name == self.name)
    }
}

/// The parameters of each extractor in `ids`. A setting goes to every one of them that takes it; which do not is said.
///
/// # Errors
/// [`Error::Usage`] for an unknown extractor, a setting that none of them takes, that is given twice, that is out of
/// range, or that has no effect beside the others.
pub fn parameters_of(ids: &[&str], settings: &[Setting], printer: &Printer) -> Result<Vec<Parameters>> {
    let infos: Vec<&ExtractorInfo> = ids.iter().map(|id| registry::info(id)).collect::<Result<_>>()?;
    let is_given = |name: &str| settings.iter().any(|other| other.name == name && !other.is_of_file);
    let settings: Vec<Setting> =
        settings.iter().filter(|setting| !setting.is_of_file || !is_given(&setting.name)).cloned().collect();
    for (number, setting) in settings.iter().enumerate().filter(|(_, setting)| !setting.is_of_file) {
        if let Some(other) = settings[..number].iter().find(|other| other.name == setting.name) {
            let what = format!("{} and {} both set {}", other.option, setting.option, setting.name);
            return Err(Error::usage(what, "leave one of them out"));
        }
        let without: Vec<&str> =
            infos.iter().filter(|info| !setting.is_taken_by(info)).map(|info| info.id).collect();
        if without.len() == infos.len() {
            return Err(not_taken(setting, &infos));
        }
        if !without.is_empty() {
            printer.warn(&format!("{} is not for {}", setting.option, without.join(", ")));
        }
    }
    infos.into_iter().map(|info| parameters_of_one(info, &settings)).collect()
}

fn parameters_of_one(info: &ExtractorInfo, settings: &[Setting]) -> Result<Parameters> {
    let taken = settings.iter().filter(|setting| setting.is_taken_by(info));
    let table: Parameters = taken.map(|setting| (setting.name.clone(), setting.value.clone())).collect();
    registry::check(info, &table).map_err(|Refused { parameter, what, remedy }| {
        match settings.iter().find(|setting| setting.name == parameter) {
            Some(setting) => Error::usage(format!("{}: {what}", setting.option), remedy),
            None => Error::usage(what, remedy),
        }
    })?;
    Ok(table)
}

/// The error of a setting that none of the chosen extractors takes.
fn not_taken(setting: &Setting, chosen: &[&ExtractorInfo]) -> Error {
    let is_named = setting.option.starts_with("--set ");
    let ids: Vec<&str> = chosen.iter().map(|info| info.id).collect();
    let what = format!("{} is not for extractor {}", setting.option, ids.join(" or "));
    let own = || chosen.iter().flat_map(|info| info.parameters).map(|parameter| parameter.name);
    let takers: Vec<&str> =
        registry::list().filter(|info| setting.is_taken_by(info)).map(|info| info.id).collect();
    let remedy = match nearest(&setting.name, own()).filter(|_| is_named) {
        Some(name) => format!("did you mean --set {name}?"),
        None if takers.is_empty() && setting.name == "threshold" => {
            "write --threshold P for the least probability of what is kept".to_owned()
        }
        None if takers.is_empty() => "see `duramen extractors` for the parameters of each".to_owned(),
        None => format!("leave it out, or use an extractor that takes it: --extractor {}", takers.join(", ")),
    };
    Error::usage(what, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::progress::Shown;

    fn parameters(ids: &[&str], settings: &[Setting]) -> Result<Vec<Parameters>, String> {
        parameters_of(ids, settings, &Printer::new(true, 0, Shown::None)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_value_is_a_number_a_truth_value_or_a_word() {
        let value = |text: &str| Setting::parse(text).unwrap().value;
        assert_eq!(value("words=20"), toml::Value::Integer(20));
        assert_eq!(value("level = false"), toml::Value::Boolean(false));
        assert_eq!(value("expression=//h1[a='b']"), toml::Value::String("//h1[a='b']".to_owned()));
        assert!(Setting::parse("words").is_err() && Setting::parse("=3").is_err());
    }

    #[test]
    fn a_setting_goes_to_the_extractors_that_take_it_and_to_one_at_least() {
        let words = || Setting::parse("words=3").unwrap();
        let tables = parameters(&["everything", "more-than-10-words"], &[words()]).unwrap();
        assert!(tables[0].is_empty() && tables[1]["words"].as_integer() == Some(3));
        let error = parameters(&["everything"], &[words()]).unwrap_err();
        assert!(error.contains("--set words=3 is not for extractor everything"), "{error}");
        assert!(error.contains("more-than-10-words, more-than-10-words-nodes"), "{error}");
        let error = parameters(&["more-than-10-words"], &[Setting::parse("word=3").unwrap()]).unwrap_err();
        assert!(error.ends_with("did you mean --set words?"), "{error}");
        let error = parameters(&["more-than-10-words"], &[words(), words()]).unwrap_err();
        assert!(error.contains("both set words"), "{error}");
    }

    #[test]
    fn a_setting_of_the_file_goes_where_it_fits_and_gives_way_to_what_is_given() {
        let of_file = |words: i64| Setting {
            is_of_file: true,
            ..Setting::new("words in duramen.toml", "words", words)
        };
        let words = |settings: &[Setting]| {
            let tables = parameters(&["everything", "more-than-10-words"], settings).unwrap();
            (tables[0].len(), tables[1].get("words").and_then(toml::Value::as_integer))
        };
        assert_eq!(words(&[of_file(4)]), (0, Some(4)));
        assert_eq!(words(&[of_file(4), Setting::parse("words=3").unwrap()]), (0, Some(3)));
        assert!(parameters(&["everything"], &[of_file(4)]).unwrap()[0].is_empty());
        let error = parameters(&["more-than-10-words"], &[of_file(-1)]).unwrap_err();
        assert!(error.starts_with("words in duramen.toml: "), "{error}");
    }
}
