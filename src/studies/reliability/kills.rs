//! Commands that are killed (SIGKILL) at random moments and started again: in the end there is what an undisturbed run writes, and
//! nothing else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::dataset::synth::{SynthConfig, generate};
use crate::error::{Error, Result};
use crate::harness::journal::{Entry, key_of};
use crate::rng::stream;

/// A run that goes on is killed so often before it may end.
const IN_A_ROW: u32 = 4;

/// A command that is killed.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// Its arguments; `OUT` is the folder that it writes into, `ROOT` that of the project.
    arguments: &'static str,
    /// Files that say how long the run took: only their names are compared.
    holds_time: &'static [&'static str],
}

/// The commands.
pub const CASES: &[Case] = &[
    case("extract of a folder", "extract --input-dir pages -d OUT --skip-existing --threads 2"),
    case(
        "extract of an archive to JSON lines",
        "extract pages.warc.gz -d OUT --skip-existing --part-pages 20 --threads 2 --output-format jsonl",
    ),
    #[cfg(feature = "parquet")]
    case(
        "extract of an archive to Parquet",
        "extract pages.warc.gz -d OUT --skip-existing --part-pages 20 --threads 2 --output-format parquet",
    ),
    case("train", "train --dataset synth --max-pages 40 -o OUT/model.json"),
    case("sample", "sample page.html -o OUT --chains 2 --sweeps 3000 --burn-in 1000 --seed 1"),
    case("annotate, sheets of pages", "annotate --sheets pages -o OUT"),
    case("model fetch", "model fetch news --from ROOT/models"),
    case("data fetch", "data fetch read --mirror ROOT/datasets --data-dir OUT"),
    Case {
        name: "run of an experiment",
        arguments: "run experiment -o OUT",
        holds_time: &["run.json", "report.html", "tables/time.csv", "tables/time.md"],
    },
];

const fn case(name: &'static str, arguments: &'static str) -> Case {
    Case { name, arguments, holds_time: &[] }
}

const EXPERIMENT: &str = r#"
title = "Killed"
question = "Does a run go on?"
dataset = "synth"
metrics = ["words"]
synth = { sites = 6, pages_per_site = 3 }
systems = [
  { id = "blocks", extractor = "hmt", model = "blocks" },
  { id = "more-than-10-words", extractor = "more-than-10-words" },
]
[[splits]]
kind = "folds-by-host"
id = "folds"
folds = 3
"#;

/// What came of killing a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Killed {
    /// The name of the case.
    pub case: String,
    /// How often it was killed before it had ended by itself.
    pub kills: u32,
    /// How often it was then let run to its end.
    pub ends: u32,
    /// Files that an undisturbed run writes.
    pub files: usize,
    /// After which runs which files were missing, too many or of other bytes; and runs that failed.
    pub found: Vec<String>,
}

impl Killed {
    pub(super) fn key_of(case: &str) -> String {
        key_of(&["killed", case])
    }
}

impl Entry for Killed {
    fn key(&self) -> String {
        Killed::key_of(&self.case)
    }
}

/// Where commands run: a folder of pages, an archive and an experiment.
pub struct Workplace {
    program: PathBuf,
    folder: PathBuf,
    root: PathBuf,
}

impl Workplace {
    /// Makes the workplace in an empty folder. `root` is the folder of the project, of whose models and labels some commands fetch.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn new(program: &Path, folder: &Path, root: &Path) -> Result<Workplace> {
        let place =
            Workplace { program: program.to_owned(), folder: folder.to_owned(), root: root.to_owned() };
        let pages = generate(&SynthConfig { sites: 40, pages_per_site: 4, ..SynthConfig::default() })?;
        for page in &pages {
            place.write(&format!("pages/{}.html", page.id.replace('/', "-")), &page.original)?;
        }
        place.write("page.html", &pages[0].original)?;
        place.write("experiment/experiment.toml", EXPERIMENT.as_bytes())?;
        match place.run("data warc synth -o pages.warc.gz", "")? {
            made if made.status.success() => Ok(place),
            failed => Err(Error::data(
                "data warc synth",
                String::from_utf8_lossy(&failed.stderr),
                "run it by hand to see why it fails",
            )),
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.folder.join(name);
        let written =
            path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, bytes));
        written.map_err(|error| Error::io(&path, error))
    }

    fn command(&self, arguments: &str, out: &str) -> Command {
        let root = self.root.display().to_string();
        let words = arguments.split_whitespace().map(|word| word.replace("OUT", out).replace("ROOT", &root));
        let mut command = Command::new(&self.program);
        command.current_dir(&self.folder).args(words);
        command.env_remove("DURAMEN_DATA_DIR").env("DURAMEN_MODEL_DIR", self.folder.join(out));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn run(&self, arguments: &str, out: &str) -> Result<Output> {
        let mut command = self.command(arguments, out);
        command.stderr(Stdio::piped()).output().map_err(|error| Error::io(&self.program, error))
    }

    /// Kills the command of a case so often, in rounds of at most four kills and a run to the end, and compares what each round leaves
    /// with what an undisturbed run wrote.
    ///
    /// # Errors
    /// [`Error::Data`] if the undisturbed run fails or is too short to be killed, [`Error::Io`].
    pub fn kill(&self, case: &Case, kills: u32, seed: u64) -> Result<Killed> {
        let unstarted = |error| Error::io(&self.program, error);
        let refused = |problem: String| Error::data(case.name, problem, "run the command by hand to see why");
        // Cases may run side by side.
        let [whole_out, killed_out] =
            ["whole", "killed"].map(|run| format!("{run}-{}", case.name.replace([' ', ','], "-")));
        let start = Instant::now();
        let whole = self.run(case.arguments, &whole_out)?;
        let mut longest = start.elapsed();
        if !whole.status.success() {
            return Err(refused(String::from_utf8_lossy(&whole.stderr).into_owned()));
        }
        let expected = self.files(&whole_out, case)?;
        let mut killed = Killed {
            case: case.name.to_owned(),
            kills: 0,
            ends: 0,
            files: expected.len(),
            found: Vec::new(),
        };
        let mut random = stream(seed, case.name, &[]);
        while killed.kills < kills {
            if killed.ends >= 20 * kills {
                return Err(refused(format!(
                    "it ends before it is killed: {} of {kills} kills",
                    killed.kills
                )));
            }
            for _ in 0..IN_A_ROW.min(kills - killed.kills) {
                let mut child = self.command(case.arguments, &killed_out).spawn().map_err(unstarted)?;
                let moment = Instant::now() + longest.mul_f64(random.random());
                // One that has ended cannot be killed, and is not waited for.
                while Instant::now() < moment && child.try_wait().map_err(unstarted)?.is_none() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                let ended = child.kill().and_then(|()| child.wait()).map_err(unstarted)?;
                let is_killed = !ended.success();
                killed.kills += u32::from(is_killed);
                // What goes on has less to do, and the machine more or less: one run of ten ends before its moment.
                longest = longest.mul_f64(if is_killed { 1.01 } else { 0.9 });
            }
            killed.ends += 1;
            let ended = self.run(case.arguments, &killed_out)?;
            if !ended.status.success() {
                killed.found.push(format!("run {}: {}", killed.ends, String::from_utf8_lossy(&ended.stderr)));
            }
            let found = self.files(&killed_out, case)?;
            let names = expected.keys().chain(found.keys().filter(|name| !expected.contains_key(*name)));
            let other: Vec<&str> =
                names.filter(|name| expected.get(*name) != found.get(*name)).map(String::as_str).collect();
            if !other.is_empty() {
                killed.found.push(format!("run {}: {}", killed.ends, other.join(", ")));
            }
            self.remove(&killed_out)?;
        }
        self.remove(&whole_out)?;
        Ok(killed)
    }

    fn remove(&self, out: &str) -> Result<()> {
        let path = self.folder.join(out);
        std::fs::remove_dir_all(&path).map_err(|error| Error::io(path, error))
    }

    /// What a run wrote: names, and bytes of the files that do not hold the time.
    fn files(&self, out: &str, case: &Case) -> Result<BTreeMap<String, Vec<u8>>> {
        let root = self.folder.join(out);
        let mut files = BTreeMap::new();
        let mut pending = vec![root.clone()];
        while let Some(folder) = pending.pop() {
            for entry in std::fs::read_dir(&folder).map_err(|error| Error::io(&folder, error))? {
                let path = entry.map_err(|error| Error::io(&folder, error))?.path();
                if path.is_dir() {
                    pending.push(path);
                    continue;
                }
                let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
                let bytes = match case.holds_time.contains(&&*name) {
                    true => Vec::new(),
                    false => std::fs::read(&path).map_err(|error| Error::io(&path, error))?,
                };
                files.insert(name, bytes);
            }
        }
        Ok(files)
    }
}
