//! `duramen model`: list and fetch models, look at them, add them up, take them apart, recalibrate them, teach them labels.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::corpora;
use super::hmt::SEED;
use super::inputs::at_least_one;
use super::layouts::CorpusOptions;
use super::train::{align, read_corpus};
use super::web_page::AgentOptions;
use crate::cli::data_dir::DataDir;
use crate::cli::outcome::Outcome;
use crate::cli::output::{check_file, print, write};
use crate::cli::progress::Printer;
use crate::dataset::Corpus;
use crate::dataset::labelled::LabelledCorpus;
use crate::error::{Error, Result, did_you_mean};
use crate::eval::Scores;
use crate::extract::hmt::{Hmt, Inference};
use crate::extract::page_faults::Fault;
use crate::files::write_whole;
use crate::model::Model;
use crate::model::install::{Installed, install};
use crate::model::known::{self, KNOWN, KnownModel, Origin};
use crate::model::layers::OfModel;
use crate::model::layers::label_split::{Comments, LabelSplit, Supplemental};
use crate::plural::plural;
use crate::training::{
    self, FaultCounts, ImagePage, ImageSettings, Learnable, LearnedFaults, LearnedSplit, Recalibrated,
    SplitSettings, TrainingPage,
};

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the known models: what each is for, licence, size, and where it is
    #[command(
        after_help = "Example:\n  duramen model list\n\nA model that is not in the program is fetched once: duramen model fetch NAME --from DIR"
    )]
    List,
    /// Fetch a known model that is not in the program: checksum first
    #[command(after_help = "\
Examples:
  duramen model fetch news --from models        in a checkout of the repository
  duramen model fetch news-blocks --from https://example.org/duramen/models
  duramen extract --model news page.html")]
    Fetch(Fetch),
    /// Print a model as tables
    #[command(after_help = "Example:\n  duramen model show web | less")]
    Show(Show),
    /// Add models up: the same as training on all their pages
    #[command(after_help = "Example:\n  duramen model merge monday.json tuesday.json -o both.json")]
    Merge(Merge),
    /// Take a model away from another: the same as never having seen its pages
    #[command(after_help = "Example:\n  duramen model subtract all.json one-site.json -o others.json")]
    Subtract(Subtract),
    /// Learn from pages of a corpus how much of a page belongs to the article there
    #[command(after_help = "\
Example:
  duramen model recalibrate web --dataset cleaneval/dev --data-dir data -o web-cleaneval.json
  duramen model recalibrate web --dataset my-pages -o mine.json      page.txt beside page.html
  duramen extract --model mine.json page.html

Corpora differ in what they keep: captions, lists of links, comments. Two numbers are learned,
which move and stretch the log odds of the article; fifty pages are plenty, and few change little.
Five pages or more are held out in turn (more than 40 in 20 parts): the word F1 of the model as it
is and of the recalibrated one is printed, and the model is written unchanged unless that is better
by a standard error.
What the model knows of content stays as it is, and so does the order of text by probability.
To learn the templates of one site, see `duramen adapt`.")]
    Recalibrate(Recalibrate),
    /// Learn to tell readers' comments from the rest of what is not content
    #[command(after_help = "\
Example:
  duramen model comments web --dataset dragnet --dataset waddle --data-dir data -o web-comments.json
  duramen extract --comments --model web-comments.json page.html

What comments are is known of labelled pages and where a corpus keeps them apart (dragnet),
elsewhere by the names of elements. Nothing that the model says of content changes: what it
classifies as not content is split in two. What it had learned of comments before is replaced.")]
    Comments(FromCorpora),
    /// Learn to tell supplemental text, such as by-lines, from the rest of what is not content
    #[command(after_help = "\
Example:
  duramen model supplemental web --dataset read/first --data-dir data -o web-supplemental.json
  duramen extract --convention read --model web-supplemental.json page.html

What supplemental text is is known of labelled pages alone. It is looked for where the convention
includes by-lines, as everything and that of read do: there it is content. Elsewhere nothing changes.
What the model had learned of it before is replaced.")]
    Supplemental(FromCorpora),
    /// Learn which pictures of a page belong to its article
    #[command(after_help = "\
Example:
  duramen model images --dataset article-images --data-dir data -o images.json
  duramen extract --images --image-model images.json --markdown page.html

The pictures of the corpus are labelled; the text of its pages is found by --model. The default of
`duramen extract --images` was made by this command.")]
    Images(Images),
    /// Learn which pages are messages or empty shells
    #[command(after_help = "\
Example:
  duramen model faults datasets/page-faults.jsonl --data-dir data -o faults.json

Each line of the labels names a corpus, a page of it and its fault. The other pages of these corpora
are taken for documents. Faults of fewer than 15 pages are not learned. Prints how well the others are
told on hosts that were left out. The model in the program was made by this command.")]
    Faults(Faults),
}

#[derive(Debug, Args)]
pub struct Recalibrate {
    /// Write the recalibrated model even if its text is no better, for probabilities that fit the corpus
    #[arg(long)]
    always: bool,
    #[command(flatten)]
    from: FromCorpora,
}

#[derive(Debug, Args)]
pub struct Images {
    /// Corpus: a name such as l3s-gn1, wcxb/dev or synth, a manifest, or a folder of pages with their references
    ///
    /// Its pictures must be labelled, as those of article-images are.
    #[arg(long, value_name = "NAME|FILE|FOLDER")]
    dataset: String,
    /// Model: web, or another of `duramen model list`, or a model file
    ///
    /// It finds the text of the pages.
    #[arg(short, long, value_name = "NAME|FILE", default_value = "web")]
    model: String,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    data: DataDir,
}

#[derive(Debug, Args)]
pub struct Faults {
    /// Labels of pages, a JSON object a line: corpus, page, fault, and doubt where the reader had one
    #[arg(value_name = "LABELS")]
    labels: PathBuf,
    /// Corpus: a name such as l3s-gn1, wcxb/dev or synth, a manifest, or a folder of pages with their references
    /// [default: all that the labels name]
    ///
    /// May be given several times.
    #[arg(long, value_name = "NAME|FILE|FOLDER")]
    dataset: Vec<String>,
    #[arg(long, value_name = "N", default_value_t = 1, help = SEED)]
    seed: u64,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    data: DataDir,
}

#[derive(Debug, Args)]
pub struct Fetch {
    /// Known models, such as news
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,
    /// Folder that holds the models' files, or URL under which they lie
    #[arg(long, value_name = "DIR|URL")]
    from: String,
    /// Fetch again, and replace what is there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    agent: AgentOptions,
}

#[derive(Debug, Args)]
pub struct Show {
    /// Model: web, or another of `duramen model list`, or a model file
    #[arg(value_name = "NAME|FILE")]
    model: String,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Merge {
    /// Model files of one configuration
    #[arg(required = true, num_args = 2.., value_name = "MODEL")]
    models: Vec<String>,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Debug, Args)]
pub struct Subtract {
    /// Model file
    #[arg(value_name = "MODEL")]
    from: String,
    /// Model file whose pages are in the first
    #[arg(value_name = "PART")]
    part: String,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

// A model, and corpora that it learns something more from; no documentation, which would be the commands' help.
#[derive(Debug, Args)]
pub struct FromCorpora {
    /// Model: web, or another of `duramen model list`, or a model file
    #[arg(value_name = "NAME|FILE")]
    model: String,
    /// Corpus: a name such as l3s-gn1, wcxb/dev or synth, a manifest, or a folder of pages with their references
    ///
    /// May be given several times.
    #[arg(long, required = true, alias = "pages", value_name = "NAME|FILE|FOLDER")]
    dataset: Vec<String>,
    /// Use the first N pages of each corpus only
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    max_pages: Option<usize>,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    corpora: CorpusOptions,
}

pub fn run(command: &Command, printer: &Printer) -> Result<Outcome> {
    match command {
        Command::List => list()?,
        Command::Fetch(options) => fetch(options, printer)?,
        Command::Show(options) => {
            options.output.as_deref().map_or(Ok(()), check_file)?;
            let text = Model::by_name(&options.model)?.to_text();
            match &options.output {
                Some(_) => write(options.output.as_deref(), &text)?,
                None => print(&text)?,
            }
        }
        Command::Merge(options) => {
            check_file(&options.output)?;
            let mut models = options.models.iter();
            let mut sum = Model::by_name(models.next().expect("clap asks for two models"))?;
            for name in models {
                sum.merge(&Model::by_name(name)?)?;
            }
            save(&sum, &options.output, printer)?;
        }
        Command::Subtract(options) => {
            check_file(&options.output)?;
            let mut rest = Model::by_name(&options.from)?;
            rest.subtract(&Model::by_name(&options.part)?)?;
            save(&rest, &options.output, printer)?;
        }
        Command::Comments(options) => {
            check_file(&options.output)?;
            learn_split::<Comments>(options, printer)?;
        }
        Command::Supplemental(options) => {
            check_file(&options.output)?;
            learn_split::<Supplemental>(options, printer)?;
        }
        Command::Images(options) => images(options, printer)?,
        Command::Faults(options) => faults(options, printer)?,
        Command::Recalibrate(options) => {
            check_file(&options.from.output)?;
            recalibrate(&options.from, options.always, printer)?;
        }
    }
    Ok(Outcome::Done)
}

fn list() -> Result<()> {
    let folder = known::folder()?;
    let mut text = String::new();
    for known in &KNOWN {
        let path = folder.join(known.file_name());
        let place = match known.origin {
            Origin::Bundled(_) => "in the program".to_owned(),
            Origin::Fetched { .. } if path.is_file() => path.display().to_string(),
            Origin::Fetched { .. } => {
                format!("not fetched; in a checkout: duramen model fetch {} --from models", known.name)
            }
        };
        text += &format!(
            "{:<12} {:>9} bytes  {}\n{:12} {}\n{:12} {place}\n",
            known.name,
            known.bytes(),
            known.what,
            "",
            known.licence,
            ""
        );
    }
    print(&text)
}

fn fetch(options: &Fetch, printer: &Printer) -> Result<()> {
    let folder = known::folder()?;
    let user_agent = options.agent.user_agent.as_deref();
    for name in &options.names {
        let known = KnownModel::find(name)?;
        let installed = install(known, &options.from, user_agent, &folder, options.force, printer);
        printer.finish();
        let Installed { path, already_there } = installed?;
        let state = if already_there { "was there" } else { "fetched" };
        printer.warn(&format!("licence of {name}: {}", known.licence));
        print(&format!("{name} {state}: {} bytes in {}\n", known.bytes(), path.display()))?;
    }
    Ok(())
}

fn recalibrate(options: &FromCorpora, always: bool, printer: &Printer) -> Result<()> {
    let model = Model::by_name(&options.model)?;
    let corpora = options.read(&model, printer)?;
    let pages: Vec<TrainingPage<'_>> = corpora.iter().flat_map(|corpus| align(corpus, printer)).collect();
    let recalibrated = match always {
        true => training::recalibrate(&model, &pages, printer).map(|recalibrated| (recalibrated, None)),
        false => training::recalibrate_if_better(&model, &pages, printer),
    };
    printer.finish();
    let (Recalibrated { model, before, after }, held_out) = recalibrated?;
    model.save(&options.output)?;
    let path = options.output.display();
    if let Some(held_out) = &held_out {
        printer.warn(&format!("{}: {}", options.model, held_out.describe("recalibrated")));
        if held_out.taken.is_none() {
            printer.warn(&format!(
                "{path}: {} kept as it is: recalibrating makes its text no better; for probabilities that fit the corpus \
                 recalibrate it all the same (--always)",
                options.model
            ));
            return Ok(());
        }
    }
    if let (Some(line), Some(before), Some(after)) =
        (&model.layers().recalibration, before.expected_error(), after.expected_error())
    {
        printer.warn(&format!(
            "{path}: log odds of the article {:.3} + {:.3} x, by pages: {}; expected calibration error on them {before:.3} before, \
             {after:.3} after",
            line.intercept(),
            line.slope(),
            line.sources().values().sum::<u64>()
        ));
    }
    Ok(())
}

fn learn_split<L: Learnable>(options: &FromCorpora, printer: &Printer) -> Result<()>
where
    LabelSplit<L>: OfModel,
{
    let model = Model::by_name(&options.model)?;
    let corpora = options.read(&model, printer)?;
    let pages: Vec<TrainingPage<'_>> = corpora.iter().flat_map(|corpus| align(corpus, printer)).collect();
    let learned = training::learn_split::<L>(&model, &pages, &SplitSettings::of::<L>(), printer);
    printer.finish();
    let LearnedSplit { model, stated, named } = learned?;
    model.save(&options.output)?;
    let path = options.output.display();
    for (counts, how) in [(stated, "the corpus tells"), (named, "names of elements tell")] {
        if counts.pages > 0 {
            let Scores { precision, recall, f1, .. } = counts.scores();
            printer.warn(&format!(
                "{path}: {} of which {how} the {}, {} of them: precision {precision:.3}, recall {recall:.3}, \
                 F1 {f1:.3} in folds by host",
                plural(counts.pages, "page"),
                L::NOUN,
                plural(counts.words, "word"),
            ));
        }
    }
    Ok(())
}

impl FromCorpora {
    /// The corpora, laid out as the model needs them.
    fn read(&self, model: &Model, printer: &Printer) -> Result<Vec<LabelledCorpus>> {
        let engine = model.config().layout.as_deref();
        let engine = engine.map(|name| self.corpora.engines()?.open(name)).transpose()?;
        let data_dir = self.corpora.data.path()?;
        let read = |name: &String| read_corpus(name, &data_dir, self.max_pages, engine.as_deref(), printer);
        self.dataset.iter().map(read).collect()
    }
}

fn images(options: &Images, printer: &Printer) -> Result<()> {
    check_file(&options.output)?;
    let hmt = Hmt::new("hmt", Model::by_name(&options.model)?, Inference::Exact)?;
    let corpus = corpora::open(&options.dataset, &options.data.path()?, printer)?;
    let pages = training::read_image_pages(&corpus, &hmt, printer, |_, _, seen| seen);
    printer.finish();
    let (pages, left_out) = pages?;
    for (page, reason) in &left_out {
        printer.detail(&format!("left out {page}: {reason}"));
    }
    let source = format!("{}@{}", corpus.label(), corpus.checksum()?);
    let sources = [(source, pages.len() as u64)].into();
    let pages: Vec<&ImagePage> = pages.iter().collect();
    let model = training::learn_images(&pages, sources, &ImageSettings::default(), printer);
    printer.finish();
    let model = model?;
    model.save(&options.output)?;
    let [others, of_article] = model.pictures();
    printer.warn(&format!(
        "{}: {}, {} left out; {} of articles and {others} others",
        options.output.display(),
        plural(pages.len(), "page"),
        left_out.len(),
        plural(of_article, "picture"),
    ));
    Ok(())
}

fn faults(options: &Faults, printer: &Printer) -> Result<()> {
    check_file(&options.output)?;
    let text = std::fs::read_to_string(&options.labels).map_err(|error| Error::io(&options.labels, error))?;
    let mut labels = training::read_fault_labels(&text, &options.labels.display().to_string())?;
    if let Some(unknown) =
        options.dataset.iter().find(|name| labels.iter().all(|label| label.corpus != **name))
    {
        return Err(Error::usage(
            format!("{} has no label of corpus '{unknown}'", options.labels.display()),
            did_you_mean(unknown, labels.iter().map(|label| label.corpus.as_str())),
        ));
    }
    if !options.dataset.is_empty() {
        labels.retain(|label| options.dataset.contains(&label.corpus));
    }
    let names: BTreeSet<&str> = labels.iter().map(|label| label.corpus.as_str()).collect();
    let data_dir = options.data.path()?;
    let open = |name| Ok(corpora::open(name, &data_dir, printer)?.with_bad_pages());
    let corpora: Vec<Corpus> = names.into_iter().map(open).collect::<Result<_>>()?;
    let pages = training::read_fault_pages(&corpora, &labels, printer);
    printer.finish();
    let pages = pages?;
    let source =
        |corpus: &Corpus| Ok((format!("{}@{}", corpus.label(), corpus.checksum()?), corpus.len() as u64));
    let sources = corpora.iter().map(source).collect::<Result<_>>()?;
    let LearnedFaults { model, counts } = training::learn_faults(&pages, sources, options.seed)?;
    write_whole(&options.output, model.to_json().as_bytes())?;
    let labelled = pages.iter().filter(|page| page.is_labelled).count();
    let doubtful = pages.iter().filter(|page| page.doubt).count();
    print(&format!(
        "{}, {labelled} labelled, {doubtful} of them doubtful and left out\n\n{}",
        plural(pages.len(), "page"),
        fault_tables(&counts)
    ))
}

/// What was told on hosts that were left out, in Markdown.
fn fault_tables(counts: &[(Fault, FaultCounts)]) -> String {
    let mut text =
        "| fault | pages | hosts | told | right | precision | recall |\n|---|---|---|---|---|---|---|\n"
            .to_owned();
    for (fault, FaultCounts { pages, hosts, told, right, .. }) in counts {
        let share = |of: &u64| *right as f64 / (*of).max(1) as f64;
        text += &format!(
            "| {} | {pages} | {hosts} | {told} | {right} | {:.2} | {:.2} |\n",
            fault.name(),
            share(told),
            share(pages)
        );
    }
    text +=
        "\n| fault | probability from | pages | mean probability | with the fault |\n|---|---|---|---|---|\n";
    for (fault, counts) in counts {
        for (least, pages, mean, right) in &counts.groups {
            text += &format!("| {} | {least} | {pages} | {mean:.4} | {right} |\n", fault.name());
        }
    }
    text
}

fn save(model: &Model, path: &Path, printer: &Printer) -> Result<()> {
    model.save(path)?;
    let (pages, nodes) = (plural(model.pages(), "page"), plural(model.counts().nodes, "node"));
    printer.warn(&format!("{}: {pages}, {nodes}", path.display()));
    Ok(())
}
