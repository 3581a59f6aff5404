//! Tables in README and docs are those of the results and model files that they name.
//!
//! A table stands between `<!-- table: NAME -->` and `<!-- end of table -->`. With `DURAMEN_UPDATE_DOCS=1` the tables are
//! written anew; else a table that differs fails the test.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use duramen::model::known::{KNOWN, Origin};
use duramen::model::{Decision, Model, ModelConfig, TransitionKind};
use duramen::view::View;

use crate::worked_example;

/// A CSV file of results: the value of each system and column.
struct Results {
    file: PathBuf,
    rows: BTreeMap<String, BTreeMap<String, String>>,
}

impl Results {
    fn read(file: &str) -> Results {
        Results::by(file, "system")
    }

    /// The rows by what stands in a column.
    fn by(file: &str, key: &str) -> Results {
        let file = root().join("results").join(file);
        let mut reader = csv::Reader::from_path(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let rows = reader.deserialize::<BTreeMap<String, String>>();
        let rows = rows.map(|row| row.map(|row| (row[key].clone(), row))).collect::<Result<_, _>>();
        Results { rows: rows.unwrap_or_else(|e| panic!("{}: {e}", file.display())), file }
    }

    fn value(&self, system: &str, column: &str) -> f64 {
        let cell = self.rows.get(system).and_then(|row| row.get(column));
        let cell = cell.unwrap_or_else(|| panic!("{}: no '{column}' of '{system}'", self.file.display()));
        cell.parse()
            .unwrap_or_else(|_| panic!("{}: '{column}' of '{system}' is '{cell}'", self.file.display()))
    }

    /// The value as `.888`.
    fn plain(&self, system: &str, column: &str) -> String {
        three_digits(self.value(system, column))
    }

    /// The value with its interval, as `.888 [.875, .901]`.
    fn with_interval(&self, system: &str, column: &str) -> String {
        let [low, high] = ["low", "high"].map(|end| self.plain(system, &format!("{column}_{end}")));
        format!("{} [{low}, {high}]", self.plain(system, column))
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn three_digits(value: f64) -> String {
    let text = format!("{value:.3}");
    text.strip_prefix('0').map_or(text.clone(), str::to_owned)
}

/// A Markdown table; the largest of the values of each column is bold.
fn table(head: &[&str], rows: &[(String, Vec<(f64, String)>)]) -> String {
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for (name, cells) in rows {
        write!(text, "| {name} |").unwrap();
        for (column, (value, shown)) in cells.iter().enumerate() {
            let largest = rows.iter().map(|(_, cells)| cells[column].0).fold(f64::NEG_INFINITY, f64::max);
            // What is shown alike is marked alike.
            match three_digits(*value) == three_digits(largest) {
                true => write!(text, " {} |", bold(shown)).unwrap(),
                false => write!(text, " {shown} |").unwrap(),
            }
        }
        text.push('\n');
    }
    text
}

fn bold(shown: &str) -> String {
    let (value, interval) = shown.split_once(' ').map_or((shown, ""), |(value, rest)| (value, rest));
    format!("**{value}** {interval}").trim_end().to_owned()
}

/// The systems of README's tables: as results have them, and as readers know them. `more data` is of `licences`.
const ACROSS: [(&str, &str); 9] = [
    ("web", "Duramen"),
    ("more data", "with more data"),
    ("trafilatura", "trafilatura"),
    ("readability.js", "Readability.js"),
    ("readability-lxml", "readability-lxml"),
    ("dom_smoothie", "dom_smoothie"),
    ("defuddle", "defuddle"),
    ("rs-trafilatura", "rs-trafilatura"),
    ("resiliparse", "resiliparse"),
];

/// A Markdown table of those systems; the largest of each row is bold, and what is shown alike is marked alike.
fn across(first: &str, rows: &[(String, Vec<(f64, String)>)]) -> String {
    let names = ACROSS.map(|(_, name)| name).join(" | ");
    let mut text = format!("| {first} | {names} |\n|---|{}\n", "---|".repeat(ACROSS.len()));
    for (name, cells) in rows {
        let largest = cells.iter().map(|(value, _)| three_digits(*value)).max().unwrap();
        let cells = cells.iter().map(|(value, shown)| match three_digits(*value) == largest {
            true => bold(shown),
            false => shown.clone(),
        });
        writeln!(text, "| {name} | {} |", cells.collect::<Vec<_>>().join(" | ")).unwrap();
    }
    text
}

/// README: the default model's training beside others, each corpus left out of it.
fn across_corpora() -> String {
    let mut scores = Results::read("across-corpora/tables/all-splits.csv");
    let with_more = Results::read("licences/tables/all-splits.csv").rows.remove("web").unwrap();
    scores.rows.insert("more data".to_owned(), with_more);
    let corpora = [
        ("WCXB dev, 1,468 pages of all kinds", "wcxb"),
        ("of them 375, labelled by reading", "wcxb-read"),
        ("read, 2,545 of all kinds, labelled by reading", "read"),
        ("dragnet, 670 blogs and news", "dragnet"),
        ("waddle, 1,061 news in five languages", "waddle"),
        ("KrdWrd Canola, 186 of all kinds", "krdwrd-canola"),
        ("Fundus, 167 news in 19 languages (tool)", "fundus"),
        ("wwwxmu, 194 Chinese news", "wwwxmu"),
        ("postlight, 91 (tool)", "postlight"),
        ("site-rules, 59 (tool)", "site-rules"),
        ("newspaper3k, 78 (tool)", "newspaper3k"),
        ("omnivore, 67 (tool)", "omnivore"),
        ("llm-webkit, 45 (tool)", "llm-webkit"),
        ("schema-org, 104 (tool)", "schema-org"),
        ("WEB-FORUM-52, 59 threads", "webforum52"),
        ("Blocks 152, home pages of 2013", "blocks152"),
        ("L3S-GN1, 620 news", "l3s-gn1"),
        ("CleanEval, 675 of all kinds", "cleaneval"),
        ("CleanPortalEval, 69 news", "cleanportaleval"),
        ("Big9, 359 news", "big9"),
    ];
    let of_corpus = |(name, split): (&str, &str)| {
        let cells = ACROSS.map(|(system, _)| {
            let shown = match system {
                "web" => scores.with_interval(system, split),
                _ => scores.plain(system, split),
            };
            (scores.value(system, split), shown)
        });
        (name.to_owned(), cells.to_vec())
    };
    let mut rows: Vec<_> = corpora.into_iter().map(of_corpus).collect();
    let means = (0..ACROSS.len()).map(|column| {
        let mean = rows.iter().map(|(_, cells)| cells[column].0).sum::<f64>() / rows.len() as f64;
        (mean, three_digits(mean))
    });
    rows.push(("**mean over corpora**".to_owned(), means.collect()));
    across("corpus left out", &rows)
}

/// README: the same by the kind of page, of the corpora left out that state it.
fn across_page_types() -> String {
    let mut scores = Results::by("across-corpora/tables/page-types.csv", "type of page");
    for (page_type, row) in Results::by("licences/tables/page-types.csv", "type of page").rows {
        let with_more = row.into_iter().filter(|(column, _)| column == "web");
        let with_more = with_more.map(|(_, value)| ("more data".to_owned(), value));
        scores.rows.get_mut(&page_type).unwrap().extend(with_more);
    }
    let mut rows: Vec<_> = scores
        .rows
        .keys()
        .map(|page_type| {
            let cells = ACROSS.map(|(system, _)| {
                let shown = match system {
                    "web" => scores.with_interval(page_type, system),
                    _ => scores.plain(page_type, system),
                };
                (scores.value(page_type, system), shown)
            });
            (page_type, scores.value(page_type, "pages"), cells.to_vec())
        })
        .collect();
    rows.sort_by(|(_, a, _), (_, b, _)| b.total_cmp(a));
    let rows: Vec<_> =
        rows.into_iter().map(|(name, pages, cells)| (format!("{name}, {pages} pages"), cells)).collect();
    across("kind of page", &rows)
}

/// The steps from the counted model to the default one.
fn steps() -> String {
    let scores = Results::read("boosted/tables/all-splits.csv");
    let confidence = Results::read("boosted/tables/wcxb-confidence.csv");
    let calibration = Results::read("boosted/tables/wcxb-calibration.csv");
    let rows = [
        ("blocks", "six features, counted"),
        ("blocks-weights", "learned weights"),
        ("features", "25 features, counted"),
        ("features-weights", "learned weights"),
        ("boosted-generative", "scores of boosted trees among the features, counted"),
        ("boosted-weights", "learned weights"),
        ("boosted", "the text with the largest expected F1 (the default)"),
    ]
    .map(|(id, name)| {
        let mut cells: Vec<(f64, String)> = ["l3s-gn1", "wcxb", "cleaneval"]
            .map(|column| (scores.value(id, column), scores.with_interval(id, column)))
            .to_vec();
        // The smallest is the best.
        cells.push((-calibration.value(id, "ECE"), calibration.plain(id, "ECE")));
        cells.push((-confidence.value(id, "error"), confidence.plain(id, "error")));
        (name.to_owned(), cells)
    });
    table(&["", "L3S-GN1", "WCXB dev", "CleanEval", "ECE, WCXB", "confidence off by, WCXB"], &rows)
}

/// The thesis's model and others at token level.
fn thesis() -> String {
    let scores = Results::read("thesis/tables/folds-token.csv");
    let rows = [
        ("everything", "everything"),
        ("more-than-10-words", "more than 10 words"),
        ("hmt-thesis-gibbs", "thesis's model, Gibbs, 30 sweeps (`hmt-thesis-gibbs`)"),
        ("hmt-thesis-gibbs-drawn", "the same, parameters drawn (`hmt-thesis-gibbs-drawn`)"),
        ("hmt-thesis-exact", "thesis's model, exact (`hmt-thesis-exact`)"),
        ("hmt-blocks", "block tree, binned counts, mixed states (`hmt-blocks`: the model `news-blocks`)"),
        ("boilerpipe-article", "Boilerpipe's ArticleExtractor (developed on these pages)"),
    ]
    .map(|(id, name)| {
        let cells = ["main-text", "content", "complete"];
        (
            name.to_owned(),
            cells.map(|column| (scores.value(id, column), scores.with_interval(id, column))).to_vec(),
        )
    });
    table(&["system", "main text", "content", "exact label"], &rows)
}

/// The systems of the papers on all corpora.
fn systems() -> String {
    let scores = Results::read("extractors/tables/all-splits.csv");
    let columns = [
        "l3s-gn1",
        "wcxb-dev",
        "cleaneval-final",
        "cleanportaleval",
        "big9-2005",
        "big9-2009",
        "big9-2013",
        "big9-2017",
    ];
    let ids = [
        "hmt",
        "boilerpipe-article",
        "sd",
        "article-images",
        "forest-tf-idf",
        "more-than-10-words",
        "everything",
    ];
    let rows = ids.map(|id| {
        (
            format!("`{id}`"),
            columns.map(|column| (scores.value(id, column), scores.plain(id, column))).to_vec(),
        )
    });
    let head = [
        "system",
        "L3S-GN1",
        "WCXB dev",
        "CleanEval",
        "CleanPortalEval",
        "Big9 2005",
        "2009",
        "2013",
        "2017",
    ];
    table(&head, &rows)
}

/// The models of the folder `models`, as their files have them.
fn models() -> String {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("models"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    assert!(files.len() >= 2, "the models are not where they should be");
    let mut text = "| model | features | scores of boosted trees | states | weights | decision | pages | trained on | file |\n\
                    |---|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for file in files {
        let model = Model::load(&file).unwrap();
        let config = model.config();
        let decision = match config.decision {
            Decision::MostProbable => "most probable label".to_owned(),
            Decision::ExpectedF { beta } => format!("largest expected F{beta}"),
            Decision::Threshold { probability } => format!("probability of at least {probability}"),
        };
        let sources: Vec<&str> = model
            .sources()
            .keys()
            .map(|source| source.split_once('@').map_or(&**source, |(name, _)| name))
            .collect();
        writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {decision} | {} | {} | {:.0} kB |",
            file.file_stem().unwrap().to_string_lossy(),
            config.features.len(),
            model.specs().iter().filter(|feature| feature.needs_score).count(),
            config.states.len(),
            if model.layers().weights.is_some() { "yes" } else { "no" },
            with_commas(model.pages()),
            sources.join(", "),
            std::fs::metadata(&file).unwrap().len() as f64 / 1000.0,
        )
        .unwrap();
    }
    text
}

/// What the configurations that have a name are made of.
fn configurations() -> String {
    let mut text = "| configuration | tree | states | a state depends on | features | input features of the boosted trees |\n\
                    |---|---|---|---|---|---|\n"
        .to_owned();
    for name in ["thesis", "blocks", "boosted"] {
        let config = ModelConfig::preset(name).unwrap();
        let view = match config.view {
            View::Dom => "DOM tree",
            View::Blocks => "block tree",
        };
        let transition = match config.transition {
            TransitionKind::Parent => "its parent's",
            TransitionKind::ParentAndPreviousSibling => "its parent's and its previous sibling's",
        };
        let inputs =
            config.boosted.as_ref().map_or("none".to_owned(), |boosted| boosted.inputs.len().to_string());
        let states = config.states.len();
        writeln!(
            text,
            "| `{name}` | {view} | {states} | {transition} | {} | {inputs} |",
            config.features.len()
        )
        .unwrap();
    }
    text
}

/// The scores of the models' configurations, on pages of hosts that they were not trained on.
fn scores() -> String {
    let row = |corpus: &str, model: &str, experiment: &str, system: &str, split: &str| {
        let read = |table: &str| Results::read(&format!("{experiment}/tables/{table}.csv"));
        let f1 = read("all-splits").with_interval(system, split);
        let ece = read(&format!("{split}-calibration")).plain(system, "ECE");
        let error = read(&format!("{split}-confidence")).plain(system, "error");
        format!("| {corpus} | {model} | {f1} | {ece} | {error} |\n")
    };
    let mut text = "| corpus | configuration and training data | word F1 of the text | ECE | confidence off by |\n|---|---|---|---|---|\n"
        .to_owned();
    for (corpus, model, experiment, split) in [
        ("WCXB dev, 1,468 pages", "`web`'s, in folds", "boosted", "wcxb"),
        ("CleanEval final, 675 pages", "`web`'s", "boosted", "cleaneval"),
        ("CleanPortalEval, 69 pages", "`web`'s", "boosted", "cleanportaleval"),
        ("Big9, 359 pages", "`web`'s", "boosted", "big9"),
        ("L3S-GN1, 620 pages", "`news`'s, in folds", "boosted", "l3s-gn1"),
    ] {
        text.push_str(&row(corpus, model, experiment, "boosted", split));
    }
    text
}

fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The Cargo features with the comments that stand above them in Cargo.toml.
fn cargo_features() -> String {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, section) = text.split_once("[features]\n").unwrap();
    let mut table = "| feature | what it adds |\n|---|---|\n".to_owned();
    let mut comment = "";
    for line in section.lines().take_while(|line| !line.starts_with('[')) {
        match (line.strip_prefix("# "), line.split_once(" = ")) {
            (Some(said), _) => comment = said.trim_end_matches('.'),
            (None, Some((name, _))) if !matches!(name, "default" | "internals") => {
                assert!(!comment.is_empty(), "the feature {name} has no comment");
                writeln!(table, "| `{name}` | {} |", std::mem::take(&mut comment)).unwrap();
            }
            _ => {}
        }
    }
    table
}

/// The corpora that the models of the package were trained on, by licence, and what the models' own notices say.
fn licences() -> String {
    let licences: BTreeMap<String, String> = duramen::dataset::list(Path::new("nowhere"))
        .unwrap()
        .into_iter()
        .map(|status| (status.label, status.licence))
        .collect();
    let mut text = "| model | trained on | what its notice says |\n|---|---|---|\n".to_owned();
    for known in KNOWN.iter().filter(|known| matches!(known.origin, Origin::Bundled(_))) {
        let model = Model::by_name(known.name).unwrap();
        let mut by_licence: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for source in model.sources().keys() {
            let name = source.split_once('@').map_or(&**source, |(name, _)| name);
            by_licence.entry(&licences[name]).or_default().push(name);
        }
        let by_licence =
            by_licence.iter().map(|(licence, names)| format!("{} ({licence})", names.join(", ")));
        let by_licence: Vec<String> = by_licence.collect();
        writeln!(text, "| `{}` | {} | {} |", known.name, by_licence.join(", "), known.licence).unwrap();
    }
    text
}

/// What is kept of the corpora left out from a bound of the confidence up, and how good it is.
fn kept_by_confidence() -> String {
    let file = root().join("results/across-corpora/tables/kept-by-confidence.csv");
    let mut reader = csv::Reader::from_path(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let mut text =
        "| `--min-confidence` | pages kept | expected F1 | F1 | lowest corpus |\n|---|---|---|---|---|\n"
            .to_owned();
    for row in reader.deserialize::<BTreeMap<String, String>>() {
        let row = row.unwrap();
        if row["system"] != "web" {
            continue;
        }
        let number = |column: &str| three_digits(row[column].parse().unwrap());
        writeln!(
            text,
            "| {} | {:.0} % | {} | {} [{}, {}] | {} {} |",
            row["least confidence"],
            100.0 * row["share of pages kept"].parse::<f64>().unwrap(),
            number("expected F1"),
            number("F1"),
            number("F1_low"),
            number("F1_high"),
            row["lowest split"],
            number("its F1"),
        )
        .unwrap();
    }
    text
}

/// A table by name, and what makes it.
type Made = (&'static str, fn() -> String);

/// The files with their tables.
const FILES: [(&str, &[Made]); 5] = [
    ("README.md", &[("across-corpora", across_corpora), ("page-types", across_page_types)]),
    ("docs/CRATE.md", &[("features", cargo_features), ("licences", licences)]),
    (
        "docs/RESULTS.md",
        &[
            ("steps", steps),
            ("kept-by-confidence", kept_by_confidence),
            ("thesis", thesis),
            ("systems", systems),
        ],
    ),
    ("docs/MODEL.md", &[("configurations", configurations), ("worked-example", worked_example::text)]),
    ("models/README.md", &[("models", models), ("scores", scores)]),
];

/// The text with the table between its marks replaced; none if there is no such table.
fn with_table(text: &str, name: &str, table: &str) -> Option<String> {
    let begin = text.find(&format!("<!-- table: {name}"))?;
    let begin = begin + text[begin..].find("-->\n")? + "-->\n".len();
    let end = begin + text[begin..].find("<!-- end of table -->")?;
    Some(format!("{}{table}{}", &text[..begin], &text[end..]))
}

#[test]
fn tables_in_the_documentation_are_those_of_results_and_models() {
    let update = std::env::var("DURAMEN_UPDATE_DOCS").is_ok_and(|value| value == "1");
    let mut wrong = Vec::new();
    for (file, tables) in FILES {
        let path = root().join(file);
        let before = std::fs::read_to_string(&path).unwrap();
        assert_eq!(
            before.matches("<!-- table: ").count(),
            tables.len(),
            "{file} has the tables of this test"
        );
        let mut text = before.clone();
        for (name, made) in tables {
            let with =
                with_table(&text, name, &made()).unwrap_or_else(|| panic!("{file} has no table '{name}'"));
            if with != text {
                wrong.push(format!("{file}: table '{name}'"));
            }
            text = with;
        }
        if update && text != before {
            std::fs::write(&path, text).unwrap();
        }
    }
    assert!(
        update || wrong.is_empty(),
        "{}: not what results and models say; write them anew with DURAMEN_UPDATE_DOCS=1 cargo test --test library \
         tables_in_the_documentation",
        wrong.join(", ")
    );
}

#[test]
fn a_table_is_replaced_between_its_marks_alone() {
    let text = "a\n<!-- table: x, from results -->\nold\n<!-- end of table -->\nb\n<!-- table: y -->\n<!-- end of table -->\n";
    let with = with_table(text, "x", "new\n").unwrap();
    assert_eq!(with, text.replace("old", "new"));
    assert_eq!(with_table(text, "z", "new\n"), None);
    assert_eq!((three_digits(0.8876), with_commas(1446)), (".888".to_owned(), "1,446".to_owned()));
}
