//! `duramen.toml`: the settings of a project, which become the defaults of options.
//!
//! Nothing in it makes the program run another one, since the file may lie in a folder of somebody else: the options that do,
//! such as `--chromium`, are not among its keys.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use toml::de::DeTable;

use crate::error::{Error, Result, did_you_mean};

/// The file's name.
pub const NAME: &str = "duramen.toml";

/// What the value of a key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    /// Texts, which an option has with commas between them.
    List,
    /// A folder, from that of the file.
    Folder,
    /// A model by its name, or by its file from the folder of this one.
    Model,
    /// A URL, or a folder as above.
    Place,
}

/// The options that may be set.
const KEYS: [(&str, Kind); 18] = [
    ("model", Kind::Model),
    ("convention", Kind::Text),
    ("extractor", Kind::Text),
    ("labels", Kind::List),
    ("output-format", Kind::Text),
    ("target-language", Kind::Text),
    ("max-bytes", Kind::Number),
    ("max-nodes", Kind::Number),
    ("max-seconds", Kind::Number),
    ("timeout", Kind::Number),
    ("user-agent", Kind::Text),
    ("threads", Kind::Number),
    ("progress", Kind::Text),
    ("model-dir", Kind::Folder),
    ("data-dir", Kind::Folder),
    ("mirror", Kind::Place),
    ("layout-cache", Kind::Folder),
    ("layout-timeout", Kind::Number),
];

/// The commands whose option of a key's name wants something else: a sampler needs a model without learned weights.
const EXCEPTIONS: [(&str, &str); 1] = [("model", "sample")];

/// An environment variable that stands for an option and is not clap's.
const MODEL_DIR: (&str, &str) = ("model-dir", "DURAMEN_MODEL_DIR");

/// The options of the command that is run whose values are those of the file.
static IN_EFFECT: OnceLock<(PathBuf, Vec<&'static str>)> = OnceLock::new();

/// Whether an option was not given and has its value from the file: then it need have no effect.
pub fn is_from_file(option: &str) -> bool {
    IN_EFFECT.get().is_some_and(|(_, options)| options.contains(&option))
}

/// How an option is called in an error: as it was given, or as the file sets it.
pub fn named(option: &str, given: String) -> String {
    match IN_EFFECT.get().filter(|(_, options)| options.contains(&option)) {
        Some((path, _)) => format!("{option} in {}", path.display()),
        None => given,
    }
}

/// A file that was read.
#[derive(Debug)]
pub struct ConfigFile {
    pub path: PathBuf,
    entries: Vec<Entry>,
}

/// One setting.
#[derive(Debug)]
struct Entry {
    key: &'static str,
    line: usize,
    /// As it would be typed.
    value: String,
}

/// The file in a folder or the nearest one above it, as far as the home folder.
pub fn find(start: &Path, home: Option<&Path>) -> Option<PathBuf> {
    for folder in start.ancestors() {
        let path = folder.join(NAME);
        if path.is_file() {
            return Some(path);
        }
        if home == Some(folder) {
            break;
        }
    }
    None
}

impl ConfigFile {
    /// Reads a file, and checks its values as those of options.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Usage`] that names file, line and key.
    pub fn read(path: &Path, program: &Command) -> Result<ConfigFile> {
        let text = std::fs::read_to_string(path).map_err(|error| Error::io(path, error))?;
        Self::parse(path, &text, program)
    }

    fn parse(path: &Path, text: &str, program: &Command) -> Result<ConfigFile> {
        let wrong = |error: &toml::de::Error| {
            Error::from_toml(path.display(), error, "`duramen config --no-config-file`")
        };
        let values: toml::Table = toml::from_str(text).map_err(|error| wrong(&error))?;
        let spans = DeTable::parse(text).map_err(|error| wrong(&error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut entries = Vec::new();
        for key in spans.get_ref().keys() {
            let line = 1 + text[..key.span().start].matches('\n').count();
            let subject = format!("{}, line {line}", path.display());
            let name = key.get_ref().as_ref();
            let Some(&(key, kind)) = KEYS.iter().find(|(known, _)| *known == name) else {
                let known = KEYS.iter().map(|(known, _)| *known);
                return Err(Error::usage(
                    format!("{subject}: there is no setting '{name}'"),
                    did_you_mean(name, known),
                ));
            };
            let value = kind.typed(&values[name], folder).ok_or_else(|| {
                Error::usage(format!("{subject}: {name} is {}", values[name]), kind.how_to_write())
            })?;
            check(program, key, &value)
                .map_err(|remedy| Error::usage(format!("{subject}: {name} is {}", values[name]), remedy))?;
            entries.push(Entry { key, line, value });
        }
        entries.sort_by_key(|entry| entry.line);
        Ok(ConfigFile { path: path.to_owned(), entries })
    }

    /// The program with the settings as the defaults of its options.
    pub fn as_defaults(&self, program: Command) -> Command {
        let name = program.get_name().to_owned();
        let program = program.mut_args(|arg| match self.setting_of(&arg, &name) {
            Some(entry) => arg.default_value(entry.value.clone()),
            None => arg,
        });
        program.mut_subcommands(|command| self.as_defaults(command))
    }

    fn setting_of(&self, arg: &Arg, command: &str) -> Option<&Entry> {
        let long = arg.get_long().filter(|_| !arg.is_required_set())?;
        let entry = self.entries.iter().find(|entry| entry.key == long)?;
        (!EXCEPTIONS.contains(&(long, command)) && variable_in_place(long).is_none()).then_some(entry)
    }

    /// Takes note of the options that have their values from here.
    pub fn is_in_effect(&self, matches: &ArgMatches) {
        let mut matches = matches;
        while let Some((_, below)) = matches.subcommand() {
            matches = below;
        }
        let is_default = |key: &str| {
            let id = key.replace('-', "_");
            matches.try_contains_id(&id).is_ok_and(|is_there| is_there)
                && matches.value_source(&id) == Some(ValueSource::DefaultValue)
        };
        let keys = self.entries.iter().map(|entry| entry.key).filter(|key| is_default(key)).collect();
        IN_EFFECT.set((self.path.clone(), keys)).expect("it is set here and nowhere else");
    }
}

impl Kind {
    /// A value as it would be typed; none of another kind.
    fn typed(self, value: &toml::Value, folder: &Path) -> Option<String> {
        let from_here = |text: &str| folder.join(text).to_str().map(str::to_owned);
        match (self, value) {
            (Kind::Number, toml::Value::Integer(number)) => Some(number.to_string()),
            (Kind::List, toml::Value::Array(items)) => {
                let items: Option<Vec<&str>> = items.iter().map(toml::Value::as_str).collect();
                Some(items?.join(","))
            }
            (Kind::Folder, toml::Value::String(text)) => from_here(text),
            (Kind::Model, toml::Value::String(text)) if text.contains(['/', '.']) => from_here(text),
            (Kind::Place, toml::Value::String(text)) if !text.contains("://") => from_here(text),
            (Kind::Text | Kind::List | Kind::Model | Kind::Place, toml::Value::String(text)) => {
                Some(text.clone())
            }
            _ => None,
        }
    }

    fn how_to_write(self) -> &'static str {
        match self {
            Kind::Number => "write a whole number",
            Kind::List => "write a list of texts, such as [\"headline\", \"full-text\"]",
            _ => "write a text in quotes",
        }
    }

    /// What was typed, as the file has it.
    fn written(self, typed: &str) -> String {
        let text = |text: &str| toml::Value::from(text).to_string();
        match self {
            Kind::Number => typed.to_owned(),
            Kind::List => {
                let items: Vec<String> = typed.split(',').map(text).collect();
                format!("[{}]", items.join(", "))
            }
            _ => text(typed),
        }
    }
}

/// Whether an option takes a value; what it asks for if not.
fn check(program: &Command, key: &str, value: &str) -> std::result::Result<(), String> {
    let option = option(program, key).expect("every key is an option, as a test sees");
    let line = Command::new(NAME).no_binary_name(true).arg(option.clone());
    let Err(error) = line.try_get_matches_from([format!("--{key}={value}")]) else { return Ok(()) };
    Err(match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(names)) if !names.is_empty() => {
            did_you_mean(value, names.iter().map(String::as_str))
        }
        _ => match std::error::Error::source(&error) {
            Some(reason) => reason.to_string(),
            None => format!("see `duramen config --no-config-file` for {key}"),
        },
    })
}

/// The first option of a long name in the program and its commands.
fn option<'a>(program: &'a Command, key: &str) -> Option<&'a Arg> {
    let is_asked =
        |arg: &&Arg| arg.get_long() == Some(key) && !EXCEPTIONS.contains(&(key, program.get_name()));
    let own = program.get_arguments().find(is_asked);
    own.or_else(|| program.get_subcommands().find_map(|command| option(command, key)))
}

/// The environment variable that is set in place of an option, if it is not clap's.
fn variable_in_place(option: &str) -> Option<(String, String)> {
    let (of, name) = MODEL_DIR;
    let value = std::env::var(name).ok().filter(|value| of == option && !value.is_empty())?;
    Some((name.to_owned(), value))
}

/// Every setting with the value that it has here and where it comes from, as the file is written. `typed` are the options of the
/// command that asks.
pub fn in_effect(program: &Command, file: Option<&ConfigFile>, typed: &ArgMatches) -> String {
    let lines = KEYS.map(|(key, kind)| {
        let option = option(program, key).expect("every key is an option, as a test sees");
        let id = option.get_id().as_str();
        let is_typed = typed.try_contains_id(id).is_ok_and(|is_there| is_there)
            && typed.value_source(id) == Some(ValueSource::CommandLine);
        let by_option = || {
            let value = is_typed.then(|| typed.get_raw(id))??.next()?;
            Some((value.to_string_lossy().into_owned(), "option".to_owned()))
        };
        let by_variable = || {
            let clap = option.get_env().and_then(|name| {
                let value = std::env::var(name).ok().filter(|value| !value.is_empty())?;
                Some((name.to_string_lossy().into_owned(), value))
            });
            let (name, value) = clap.or_else(|| variable_in_place(key))?;
            Some((value, format!("environment variable {name}")))
        };
        let by_file = || {
            let entry = file?.entries.iter().find(|entry| entry.key == key)?;
            Some((entry.value.clone(), format!("line {}", entry.line)))
        };
        let by_default = || {
            let value = option.get_default_values().first()?.to_string_lossy().into_owned();
            Some((value, "default".to_owned()))
        };
        match by_option().or_else(by_variable).or_else(by_file).or_else(by_default) {
            Some((value, source)) => (format!("{key} = {}", kind.written(&value)), source),
            // Commented out: a value of this kind does not say what happens without one.
            None => (format!("# {key}"), without_value(option)),
        }
    });
    let width = lines.iter().map(|(setting, _)| setting.chars().count()).max().unwrap_or(0);
    let line = |(setting, source): &(String, String)| format!("{setting:width$}  # {source}\n");
    lines.iter().map(line).collect()
}

/// What an option's help says of its default.
fn without_value(option: &Arg) -> String {
    let help = option.get_help().map(ToString::to_string).unwrap_or_default();
    let default = help.rsplit_once("[default: ").and_then(|(_, end)| end.strip_suffix(']'));
    default.map_or("not set".to_owned(), |default| format!("default: {default}"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    fn parse(text: &str) -> Result<ConfigFile, String> {
        ConfigFile::parse(Path::new("a/duramen.toml"), text, &Cli::command()).map_err(|e| e.to_string())
    }

    #[test]
    fn every_key_is_an_option_that_takes_a_value() {
        let program = Cli::command();
        for (key, _) in KEYS {
            assert!(option(&program, key).is_some_and(|option| option.get_action().takes_values()), "{key}");
        }
    }

    #[test]
    fn a_wrong_setting_is_told_with_its_line() {
        let told = |text: &str| parse(text).unwrap_err();
        assert_eq!(
            told("# mine\nmodle = \"web\""),
            "a/duramen.toml, line 2: there is no setting 'modle'; did you mean 'model'?"
        );
        assert_eq!(
            told("max-bytes = \"big\""),
            "a/duramen.toml, line 1: max-bytes is \"big\"; write a whole number"
        );
        assert_eq!(
            told("output-format = \"jsn\""),
            "a/duramen.toml, line 1: output-format is \"jsn\"; did you mean 'json'?"
        );
        assert_eq!(told("threads = 0"), "a/duramen.toml, line 1: threads is 0; 0 is not in 1..=1024");
        assert!(
            told("labels = [3]").ends_with("write a list of texts, such as [\"headline\", \"full-text\"]")
        );
        assert!(told("target-language = \"german\"").ends_with("such as de or pt-BR"));
        assert!(told("model = ").contains("line 1"), "{}", told("model = "));
    }

    #[test]
    fn paths_are_from_the_folder_of_the_file() {
        let file = parse("model = \"mine.json\"\nextractor = \"hmt\"\nmirror = \"https://a.example/x\"\ndata-dir = \"data\"").unwrap();
        let values: Vec<&str> = file.entries.iter().map(|entry| &*entry.value).collect();
        assert_eq!(values, ["a/mine.json", "hmt", "https://a.example/x", "a/data"]);
        assert_eq!(parse("model = \"news\"").unwrap().entries[0].value, "news");
    }

    #[test]
    fn a_setting_is_a_default_that_an_option_overrides() {
        let file = parse("model = \"news\"\nlabels = [\"headline\", \"comments\"]\nthreads = 3").unwrap();
        let matches =
            |line: &str| file.as_defaults(Cli::command()).try_get_matches_from(line.split(' ')).unwrap();
        let value = |line: &str, id: &str| {
            let matches = matches(line);
            let (_, matches) = matches.subcommand().unwrap();
            let raw = matches.get_raw(id).unwrap();
            raw.map(|raw| raw.to_string_lossy().into_owned()).collect::<Vec<_>>().join("|")
        };
        assert_eq!(value("duramen extract p.html", "model"), "news");
        assert_eq!(value("duramen extract -m web p.html", "model"), "web");
        assert_eq!(value("duramen extract p.html", "threads"), "3");
        assert_eq!(value("duramen --threads 2 extract p.html", "threads"), "2");
        assert_eq!(value("duramen sample p.html -d draws", "model"), "web-blocks");
        assert!(value("duramen extract p.html", "labels").contains("comments"));
    }

    #[test]
    fn the_nearest_file_is_found_and_none_above_the_home_folder() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        let work = home.join("a/b");
        std::fs::create_dir_all(&work).unwrap();
        std::fs::write(folder.path().join(NAME), "").unwrap();
        assert_eq!(find(&work, Some(&home)), None);
        assert_eq!(find(&work, None), Some(folder.path().join(NAME)));
        std::fs::write(home.join(NAME), "").unwrap();
        assert_eq!(find(&work, Some(&home)), Some(home.join(NAME)));
        std::fs::write(home.join("a").join(NAME), "").unwrap();
        assert_eq!(find(&work, Some(&home)), Some(home.join("a").join(NAME)));
    }

    #[test]
    fn the_settings_in_effect_are_a_file_of_settings() {
        let program = Cli::command();
        let matches = Cli::command().try_get_matches_from(["duramen", "--threads", "2", "config"]).unwrap();
        let file = parse("model = \"news\"").unwrap();
        let text = in_effect(&program, Some(&file), matches.subcommand().unwrap().1);
        let line = |key: &str| {
            let line = text.lines().find(|line| line.trim_start_matches("# ").starts_with(key)).unwrap();
            line.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(line("model "), "model = \"news\" # line 1");
        assert_eq!(line("threads"), "threads = 2 # option");
        assert_eq!(line("max-nodes"), "max-nodes = 1000000 # default");
        assert_eq!(line("convention"), "# convention # default: article");
        assert_eq!(
            parse(&text).unwrap().entries.len(),
            text.lines().filter(|line| !line.starts_with('#')).count()
        );
    }
}
