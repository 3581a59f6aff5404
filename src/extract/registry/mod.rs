//! The list of extractors: what each is, what it needs, its parameters, and how to build it from a table.

use super::Extractor;
#[cfg(feature = "article-images")]
use super::article_images;
#[cfg(feature = "forest")]
use super::forest;
use super::{boilerpipe, command, hmt, sd, trivial, visual_outlier, xpath};
use crate::error::{Error, Result, did_you_mean};

mod entry;
mod parameters;

pub use entry::ExtractorInfo;
pub(super) use parameters::Values;
pub use parameters::{OnlyWith, Parameter, Parameters, Range, Refused};

/// The entries of each family of extractors stand with its code; a new family is one line here.
const FAMILIES: &[&[ExtractorInfo]] = &[
    hmt::ENTRIES,
    boilerpipe::ENTRIES,
    command::ENTRIES,
    sd::ENTRIES,
    #[cfg(feature = "forest")]
    forest::ENTRIES,
    #[cfg(feature = "article-images")]
    article_images::ENTRIES,
    xpath::ENTRIES,
    visual_outlier::ENTRIES,
    trivial::ENTRIES,
];

/// Every extractor there is.
pub fn list() -> impl Iterator<Item = &'static ExtractorInfo> + Clone {
    FAMILIES.iter().copied().flatten()
}

/// The entry of an extractor.
///
/// # Errors
/// [`Error::Usage`] with the nearest name if there is no such extractor.
pub fn info(id: &str) -> Result<&'static ExtractorInfo> {
    list().find(|info| info.id == id).ok_or_else(|| {
        Error::usage(format!("unknown extractor '{id}'"), did_you_mean(id, list().map(|info| info.id)))
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
    (info.build)(&Values::check(id, info.parameters, parameters).map_err(Refused::into_error)?)
}

/// Checks parameters without building the extractor: that it has each, that the value is in range, and that it has an
/// effect beside the others.
///
/// # Errors
/// [`Refused`] for the first that does not fit.
pub fn check(info: &ExtractorInfo, parameters: &Parameters) -> Result<(), Refused> {
    Values::check(info.id, info.parameters, parameters).map(|_| ())
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
    fn a_parameter_that_has_no_effect_beside_the_others_is_refused() {
        assert_eq!(
            error("hmt", "sweeps = 5"),
            "parameter 'sweeps' of extractor 'hmt' has no effect while inference is exact; leave it out, or set \
             inference to gibbs"
        );
        assert!(
            error("hmt", "beta = 2\ndecision = \"most-probable\"")
                .contains("has no effect while decision is")
        );
        assert!(
            error("hmt", "beta = 2\nprobability = 0.5")
                .contains("'probability' of extractor 'hmt' has no effect")
        );
        assert!(error("visual-outlier", "bins = 5").contains("set detector to hbos or hbos-dynamic"));
        assert!(error("hmt", "beta = 2\ninference = \"viterbi\"").contains("probabilities are 0 or 1"));
        assert!(error("hmt", "generative = true\nmodel = \"web-blocks\"").contains("no learned weights"));
        assert!(error("hmt", "layout = \"blitz\"").contains("no feature of the layout"));
        build("hmt", &parameters("beta = 2")).unwrap();
        build("hmt", &parameters("probability = 0.2\ndecision = \"threshold\"")).unwrap();
    }

    #[test]
    fn a_model_that_is_no_file_takes_all_parameters_but_the_model() {
        let of = |text: &str| hmt::from_model(crate::model::Model::bundled().unwrap(), &parameters(text));
        assert_eq!(
            of("convention = \"everything\"").unwrap().model().convention(),
            crate::convention::Convention::EVERYTHING
        );
        let error = of("model = \"web\"").unwrap_err().to_string();
        assert_eq!(error, "parameter 'model' has no effect beside a model; leave it out");
        assert!(of("betta = 2").unwrap_err().to_string().contains("did you mean 'beta'"));
    }

    #[test]
    fn every_condition_names_a_choice_of_its_own_extractor() {
        for info in list() {
            for with in info.parameters.iter().filter_map(|parameter| parameter.only_with) {
                let other = info.parameters.iter().find(|other| other.name == with.parameter).unwrap();
                let Range::Choice { options, .. } = other.range else {
                    panic!("{} is no choice", other.name)
                };
                assert!(!with.values.is_empty() && with.values.iter().all(|value| options.contains(value)));
            }
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
        for parameter in list().flat_map(|info| info.parameters) {
            assert!(parameter.range.accept(&parameter.range.default()).is_some(), "{}", parameter.name);
        }
    }
}
