//! Settings of an experiment that nothing would read: refused, so that no key is dropped in silence.

use super::{Experiment, Plot, SYNTH, System, all_plots, usual_metrics};
use crate::dataset::{self, CorpusLayout};
use crate::error::{Error, Result};
use crate::scoring::Metric;
use crate::training::Learning;

/// Whether everything that is set has an effect. What equals its default is not looked at: it need not have been set.
///
/// # Errors
/// [`Error::Usage`] that names the key.
pub(super) fn check(experiment: &Experiment) -> Result<()> {
    if experiment.max_pages == Some(0) {
        return Err(Error::usage("max-pages is 0", "1 and up, or leave it out for all pages"));
    }
    check_metrics(experiment)?;
    check_plots(experiment)?;
    experiment.systems.iter().try_for_each(check_learning)
}

/// Whether some corpus has what each metric needs.
fn check_metrics(experiment: &Experiment) -> Result<()> {
    if experiment.metrics == usual_metrics() {
        return Ok(());
    }
    // `None` for a corpus that is not known, which may have anything.
    let layout = |name: &str| dataset::resolve(name).ok().map(|(manifest, _)| manifest.layout);
    let datasets = experiment.datasets();
    let any = |has: fn(CorpusLayout) -> bool| {
        datasets.iter().any(|&name| name != SYNTH && layout(name).is_none_or(has))
    };
    let has_labels = datasets.contains(&SYNTH)
        || any(|layout| matches!(layout, CorpusLayout::L3sGn1 | CorpusLayout::Pairs));
    let has_snippets = any(|layout| layout == CorpusLayout::Wcxb);
    for metric in &experiment.metrics {
        let (can_be, needs) = match metric {
            Metric::Snippets => (has_snippets, "snippets that must and must not be there (wcxb has them)"),
            metric if metric.is_of_labels() => (has_labels, "labels of nodes (l3s-gn1 and synth have them)"),
            _ => continue,
        };
        if !can_be {
            return Err(Error::usage(
                format!(
                    "metrics: '{}' has no effect: no corpus of this experiment has what it needs",
                    metric.name()
                ),
                format!("remove it, or add a corpus with {needs}"),
            ));
        }
    }
    Ok(())
}

/// Whether the metrics allow each figure that is asked for.
fn check_plots(experiment: &Experiment) -> Result<()> {
    if experiment.plots == all_plots() {
        return Ok(());
    }
    let has = |metrics: &[Metric]| metrics.iter().any(|metric| experiment.metrics.contains(metric));
    for plot in &experiment.plots {
        let needed: &[Metric] = match plot {
            Plot::Distribution => &[
                Metric::Tokens,
                Metric::Words,
                Metric::WordsAndCharacters,
                Metric::Bigrams,
                Metric::TextEdit,
            ],
            Plot::Ranked | Plot::Labels => &[Metric::Tokens],
            // Of pages whose expected F1 is known there is one for every metric.
            Plot::Reliability => continue,
        };
        if !has(needed) {
            let name = toml::Value::try_from(plot).expect("a plot is a name");
            let needed: Vec<&str> = needed.iter().map(|metric| metric.name()).collect();
            return Err(Error::usage(
                format!("plots: {name} has no effect with these metrics"),
                format!("remove it, or add to metrics: {}", needed.join(" or ")),
            ));
        }
    }
    Ok(())
}

fn check_learning(system: &System) -> Result<()> {
    let Some(learning) = system.learning.as_ref().filter(|learning| !learning.weights) else { return Ok(()) };
    let usual = Learning::default();
    let unread = [
        ("weight-learning", learning.weight_learning != usual.weight_learning),
        ("held-out-folds", learning.held_out_folds != usual.held_out_folds),
    ];
    match unread.into_iter().find(|(_, is_set)| *is_set) {
        Some((key, _)) => Err(Error::usage(
            format!("system '{}': learning.{key} has no effect with weights = false", system.id),
            format!("remove {key}, or weights = false"),
        )),
        None => Ok(()),
    }
}
