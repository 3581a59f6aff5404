//! The study of the sampler: how far it is from the exact marginals, and when its chains agree.

use crate::error::Result;
use crate::harness::record::RunResults;
use crate::report::experiment::output::Output;
use crate::report::figures::{BandPoint, BandSeries, LinesWithBand};
use crate::report::{Cell, Table};
use crate::studies::convergence::{AGREE_AT, Convergence, Distance, PageConvergence};
use crate::studies::{config_of, results_of};

/// Chains are said to agree below this R-hat (Vehtari et al. 2021).
const RHAT: f64 = 1.01;

/// What stands above the tables.
const INTRODUCTION: &str = "Distance: each number of sweeps is run from a uniform random start and its last third \
    averaged, as in the thesis (30 sweeps, the last 10). It is the total variation between that average and the exact \
    marginals of the same model with its training counts, mean over nodes; 'independent draws' is what as many \
    independent draws from the exact marginals would have. Kernels that let the page teach the parameters have another \
    target, if only slightly: for them some distance stays. Agreement: the largest R-hat, over ln P(z, x) and the share \
    of nodes in each state, of chains from over-dispersed starts, the first half of the sweeps left out.";

/// The section of a run that asked for it.
pub(super) fn write(run: &RunResults, output: &mut Output<'_>) -> Result<()> {
    let Some(config) = config_of::<Convergence>(&run.record.experiment)? else { return Ok(()) };
    let found = results_of::<Convergence>(run)?.unwrap_or_default();
    output.section("Sampler and exact posterior", INTRODUCTION);
    output.table("convergence-distance", distances(&config, &found))?;
    output.table("convergence-sweeps-needed", sweeps_needed(&config, &found))?;
    for (name, figure, caption) in figures(&config, &found) {
        output.figure(&name, &figure, &caption)?;
    }
    Ok(())
}

/// The pages of one model and kernel.
struct Of<'a> {
    model: &'a str,
    kernel: &'a str,
    pages: Vec<&'a PageConvergence>,
}

fn by_kernel(rows: &[PageConvergence]) -> Vec<Of<'_>> {
    let mut all: Vec<Of<'_>> = Vec::new();
    for row in rows {
        match all.iter_mut().find(|of| of.model == row.model && of.kernel == row.kernel) {
            Some(of) => of.pages.push(row),
            None => all.push(Of { model: &row.model, kernel: &row.kernel, pages: vec![row] }),
        }
    }
    all
}

impl Of<'_> {
    /// The pages of a group of sizes, or all.
    fn select_size(&self, size: Option<usize>) -> Vec<&PageConvergence> {
        self.pages.iter().copied().filter(|page| size.is_none_or(|size| page.size == size)).collect()
    }
}

/// The mean over nodes of one number of the distances at index `at`.
fn mean(pages: &[&PageConvergence], at: usize, of: fn(&Distance) -> f64) -> f64 {
    let nodes: usize = pages.iter().map(|page| page.nodes).sum();
    pages.iter().map(|page| of(&page.distances[at]) * page.nodes as f64).sum::<f64>() / nodes.max(1) as f64
}

/// The groups of sizes that have pages, all pages first.
fn sizes(config: &Convergence, of: &Of<'_>) -> Vec<(Option<usize>, String)> {
    let groups = (0..=config.page_sizes.len())
        .filter(|&size| of.pages.iter().any(|page| page.size == size))
        .map(|size| (Some(size), config.size_name(size)));
    std::iter::once((None, "all".to_owned())).chain(groups).collect()
}

/// Distance from the exact marginals.
fn distances(config: &Convergence, rows: &[PageConvergence]) -> Table {
    let columns = [
        "model",
        "kernel",
        "nodes of a page",
        "sweeps",
        "total variation",
        "of independent draws",
        "nodes whose best state differs",
        "pages",
        "nodes",
    ];
    let mut table = Table::new("Distance of averages from the exact marginals", columns);
    for of in by_kernel(rows).iter().filter(|of| !of.pages[0].distances.is_empty()) {
        for (size, name) in sizes(config, of) {
            let pages = of.select_size(size);
            for (at, &sweeps) in config.sweeps.iter().enumerate() {
                table.push([
                    Cell::text(of.model),
                    Cell::text(of.kernel),
                    Cell::text(&name),
                    Cell::Count(sweeps.into()),
                    Cell::number(mean(&pages, at, |d| d.total_variation), 4),
                    Cell::number(mean(&pages, at, |d| d.independent), 4),
                    Cell::number(mean(&pages, at, |d| d.argmax_differs), 4),
                    Cell::Count(pages.len() as u64),
                    Cell::Count(pages.iter().map(|page| page.nodes as u64).sum()),
                ]);
            }
        }
    }
    table
}

/// The first number of sweeps at which a page's chains agree.
fn needed(page: &PageConvergence) -> Option<u32> {
    page.agreements.iter().find(|a| a.rhat.is_some_and(|rhat| rhat < RHAT)).map(|a| a.sweeps)
}

/// The number of sweeps after which the chains of a share of the pages agree.
fn needed_for(pages: &[&PageConvergence], share: f64) -> Cell {
    let mut all: Vec<u32> = pages.iter().map(|page| needed(page).unwrap_or(u32::MAX)).collect();
    all.sort_unstable();
    let at = ((share * all.len() as f64).ceil() as usize).clamp(1, all.len()) - 1;
    match all[at] {
        u32::MAX => {
            let most = pages[0].agreements.last().map_or(0, |a| a.sweeps);
            Cell::text(format!("above {most}"))
        }
        sweeps => Cell::Count(sweeps.into()),
    }
}

/// How many sweeps kernels need until their chains agree.
fn sweeps_needed(config: &Convergence, rows: &[PageConvergence]) -> Table {
    let columns = [
        "model",
        "kernel",
        "nodes of a page",
        "for half of the pages",
        "for 90 % of the pages",
        "pages that agree at the end",
        "pages",
    ];
    let mut table = Table::new("Sweeps until R-hat is below 1.01", columns);
    for of in &by_kernel(rows) {
        for (size, name) in sizes(config, of) {
            let pages = of.select_size(size);
            let agree = pages.iter().filter(|page| needed(page).is_some()).count();
            table.push([
                Cell::text(of.model),
                Cell::text(of.kernel),
                Cell::text(&name),
                needed_for(&pages, 0.5),
                needed_for(&pages, 0.9),
                Cell::number(agree as f64 / pages.len() as f64, 3),
                Cell::Count(pages.len() as u64),
            ]);
        }
    }
    table
}

/// Names, figures and captions: for each model distance by kernel, distance by size under the thesis's kernel, and the
/// share of pages whose chains agree.
fn figures(config: &Convergence, rows: &[PageConvergence]) -> Vec<(String, LinesWithBand, String)> {
    let all = by_kernel(rows);
    let mut figures = Vec::new();
    for model in &config.models {
        let of_model: Vec<&Of<'_>> = all.iter().filter(|of| of.model == model.id).collect();
        let exact: Vec<&&Of<'_>> = of_model.iter().filter(|of| !of.pages[0].distances.is_empty()).collect();
        let line = |name: &str, pages: &[&PageConvergence], of: fn(&Distance) -> f64| BandSeries {
            name: name.to_owned(),
            points: (config.sweeps.iter().enumerate())
                .map(|(at, &sweeps)| BandPoint { x: sweeps.into(), y: mean(pages, at, of), band: None })
                .collect(),
        };
        let distance = |title: String, series: Vec<BandSeries>| {
            LinesWithBand {
            title,
            subtitle: "total variation distance of a node's state, mean over nodes; the last third of the sweeps averaged"
                .to_owned(),
            x_label: "sweeps".to_owned(),
            log_x: true,
            diagonal: false,
            y_label: "total variation".to_owned(),
            log_y: false,
            series,
        }
        };
        if let Some(first) = exact.first() {
            let mut series: Vec<BandSeries> =
                exact.iter().map(|of| line(of.kernel, &of.pages, |d| d.total_variation)).collect();
            series.push(line("independent draws", &first.pages, |d| d.independent));
            let figure = distance(format!("Kernels against the exact posterior: {}", model.id), series);
            let caption = format!("Distance by number of sweeps, model {}.", model.id);
            figures.push((format!("distance-{}", model.id), figure, caption));

            let by_size = sizes(config, first).into_iter().skip(1);
            let series: Vec<BandSeries> = by_size
                .map(|(size, name)| {
                    line(&format!("{name} nodes"), &first.select_size(size), |d| d.total_variation)
                })
                .collect();
            let title = format!("{} by size of the page: {}", first.kernel, model.id);
            let caption =
                format!("Distance of kernel {} by the page's nodes, model {}.", first.kernel, model.id);
            figures.push((format!("distance-by-size-{}", model.id), distance(title, series), caption));
        }
        let series = of_model.iter().map(|of| BandSeries {
            name: of.kernel.to_owned(),
            points: (0..of.pages[0].agreements.len())
                .map(|at| {
                    let agree = of.pages.iter().filter(|page| {
                        page.agreements[..=at].iter().any(|a| a.rhat.is_some_and(|rhat| rhat < RHAT))
                    });
                    let y = agree.count() as f64 / of.pages.len() as f64;
                    BandPoint { x: AGREE_AT[at].into(), y, band: None }
                })
                .collect(),
        });
        let figure = LinesWithBand {
            title: format!("Pages whose chains agree: {}", model.id),
            subtitle: format!(
                "share of pages for which the largest R-hat of ln P(z, x) and of the shares of the states was below {RHAT}, \
                 {} chains from over-dispersed starts",
                config.chains
            ),
            x_label: "sweeps".to_owned(),
            log_x: true,
            diagonal: false,
            y_label: "share of pages".to_owned(),
            log_y: false,
            series: series.collect(),
        };
        let caption = format!("Agreement by number of sweeps, model {}.", model.id);
        figures.push((format!("agreement-{}", model.id), figure, caption));
    }
    figures
}
