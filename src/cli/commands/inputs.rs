//! Pages named on the command line: files, folders, standard input, addresses.

use std::io::{BufRead, IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use super::web_page::{self, WebOptions};
use crate::cli::config_file::is_from_file;
use crate::cli::progress::Printer;
use crate::dom::Limits;
use crate::error::{Error, PageProblem, Result, nearest};
use crate::page::{self, Page};
use crate::plural::plural;

/// Bounds on one page.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Bounds on a page")]
pub struct Bounds {
    /// Largest page in bytes
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_bytes)]
    max_bytes: usize,
    /// Maximum nodes of a page
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_nodes)]
    max_nodes: usize,
    /// Maximum seconds for a page
    #[arg(skip)]
    max_seconds: Option<u64>,
    /// How pages are loaded from the web
    #[arg(skip)]
    web: WebOptions,
    /// Whether pages keep the bytes they were made from, for extractors that read them
    #[arg(skip)]
    pub keep_source: bool,
}

/// The time of one page.
#[derive(Debug, Clone, Args)]
pub struct PageTime {
    /// Most seconds that a page may take, from loading to writing [default: no bound]
    ///
    /// A page that takes longer is a failed page with the status `timeout`, and the others go on. The clock is read between steps of
    /// the work, so a page may take a little longer. Which pages fail then depends on the machine.
    #[arg(long, value_name = "SECONDS", help_heading = "Bounds on a page")]
    max_seconds: Option<u64>,
}

impl Bounds {
    /// Those of the parser.
    pub fn limits(&self) -> Limits {
        Limits { max_bytes: self.max_bytes, max_nodes: self.max_nodes, max_seconds: self.max_seconds }
    }

    /// The same for pages of commands that load them from the web too.
    ///
    /// # Errors
    /// [`Error::Usage`] for an option of loading where no page is loaded.
    pub fn loading(&self, web: &WebOptions, sources: &[Source]) -> Result<Bounds> {
        let is_web = sources.iter().any(|source| matches!(source, Source::Url(_)));
        if !is_web && web.private_addresses {
            return Err(Error::usage(
                "--private-addresses has no effect: no page is loaded from the web",
                "leave it out",
            ));
        }
        if let Some(seconds) = web.timeout
            && !is_web
            && !is_from_file("timeout")
        {
            return Err(Error::usage(
                format!("--timeout {seconds} has no effect: no page is loaded from the web"),
                "leave it out; a layout engine is bounded by --layout-timeout, the extractor command by --set timeout=SECONDS",
            ));
        }
        if web.agent.user_agent.is_some() && !is_web && !is_from_file("user-agent") {
            return Err(Error::usage(
                "--user-agent has no effect: no page is loaded from the web",
                "leave it out",
            ));
        }
        Ok(Bounds { web: web.clone(), ..self.clone() })
    }

    /// The same for pages that may take so long.
    pub fn within(&self, time: &PageTime) -> Bounds {
        Bounds { max_seconds: time.max_seconds, ..self.clone() }
    }

    /// The same for pages that keep their bytes, or do not.
    pub fn keeping_source(&self, keep_source: bool) -> Bounds {
        Bounds { keep_source, ..self.clone() }
    }
}

/// Where one page comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file, and its path below the folder that was asked for.
    File { path: PathBuf, name: PathBuf },
    /// Standard input.
    Stdin,
    /// An address.
    Url(String),
}

impl Source {
    /// A file by its own name.
    pub fn file(path: &Path) -> Source {
        if path == Path::new("-") {
            return Source::Stdin;
        }
        let name = path.file_name().map_or_else(|| path.to_owned(), PathBuf::from);
        Source::File { path: path.to_owned(), name }
    }

    /// The one page of a command that takes a file or an address, as clap sees to it.
    pub fn one(file: Option<&Path>, url: Option<&str>) -> Source {
        match (file, url) {
            (Some(path), _) => Source::file(path),
            (None, Some(url)) => Source::Url(url.to_owned()),
            (None, None) => unreachable!("clap asks for one of the two"),
        }
    }

    /// The page's name in outputs and errors.
    pub fn id(&self) -> String {
        match self {
            Source::File { path, .. } => path.display().to_string(),
            Source::Stdin => "standard input".to_owned(),
            Source::Url(url) => url.clone(),
        }
    }

    /// Whether it is a web archive: a file by its name, standard input by its first bytes, which are not taken from it.
    pub fn is_archive(&self) -> bool {
        const STARTS: [&[u8]; 4] = [b"WARC/", &GZIP, &[0x28, 0xb5, 0x2f, 0xfd], &[0x5d, 0x2a, 0x4d, 0x18]];
        match self {
            Source::File { path, .. } => is_archive(path),
            Source::Stdin => {
                let mut input = std::io::stdin().lock();
                let start = input.fill_buf().unwrap_or_default();
                STARTS.iter().any(|magic| start.starts_with(magic))
            }
            Source::Url(_) => false,
        }
    }

    /// Where its output goes below an output folder, with `extension`.
    pub fn output_name(&self, extension: &str) -> PathBuf {
        match self {
            Source::File { name, .. } => {
                let text = name.to_string_lossy();
                let stem = text.strip_suffix(".gz").unwrap_or(&text);
                let stem =
                    [".html", ".htm", ".xhtml"].iter().find_map(|end| stem.strip_suffix(end)).unwrap_or(stem);
                PathBuf::from(format!("{stem}.{extension}"))
            }
            Source::Stdin => PathBuf::from(format!("stdin.{extension}")),
            Source::Url(url) => {
                let name: String = url
                    .trim_start_matches("https://")
                    .trim_start_matches("http://")
                    .chars()
                    .map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' })
                    .take(150)
                    .collect();
                PathBuf::from(format!("{name}.{extension}"))
            }
        }
    }

    /// Reads and parses the page.
    ///
    /// # Errors
    /// [`Error::Page`] that names the page and what is wrong with it.
    pub fn read(&self, url: Option<&str>, bounds: &Bounds) -> Result<Page> {
        let limits = &bounds.limits();
        let (bytes, charset, address) = match self {
            Source::File { path, .. } => (read_file(path, limits)?, None, url.map(str::to_owned)),
            Source::Stdin => {
                let mut bytes = Vec::new();
                let most = limits.max_bytes as u64 + 1;
                std::io::stdin()
                    .lock()
                    .take(most)
                    .read_to_end(&mut bytes)
                    .map_err(|e| self.failed(e.to_string()))?;
                (bytes, None, url.map(str::to_owned))
            }
            Source::Url(address) => web_page::download(address, limits, &bounds.web)?,
        };
        let page = Page::parse(self.id(), address, &bytes, charset.as_deref(), limits)?;
        Ok(if bounds.keep_source {
            page.with_source(page::Source { bytes, http_charset: charset })
        } else {
            page
        })
    }

    fn failed(&self, problem: String) -> Error {
        Error::page(self.id(), PageProblem::Failed(problem))
    }
}

/// What every gzip file begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The bytes of a file, unpacked if they are those of a gzip file; never more than the limit and one.
pub fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>> {
    let failed = |problem: std::io::Error| {
        Error::page(path.display(), PageProblem::Failed(unreadable(path, &problem)))
    };
    if path.is_dir() {
        return Err(failed(std::io::ErrorKind::IsADirectory.into()));
    }
    let mut file = std::io::BufReader::new(std::fs::File::open(path).map_err(failed)?);
    let most = limits.max_bytes as u64 + 1;
    let mut bytes = Vec::new();
    if file.fill_buf().map_err(failed)?.starts_with(&GZIP) {
        let unpacked = flate2::bufread::MultiGzDecoder::new(file).take(most).read_to_end(&mut bytes);
        unpacked.map_err(|problem| {
            let text = format!("the gzip file is cut or damaged ({problem}); fetch or pack it again");
            Error::page(path.display(), PageProblem::Failed(text))
        })?;
    } else {
        file.take(most).read_to_end(&mut bytes).map_err(failed)?;
    }
    Ok(bytes)
}

/// What is said of a page or an archive that cannot be opened or read.
pub fn unreadable(path: &Path, problem: &std::io::Error) -> String {
    match problem.kind() {
        std::io::ErrorKind::NotFound => not_found(path),
        std::io::ErrorKind::IsADirectory => "is a folder; read it with --input-dir".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied; see who may read it".to_owned(),
        _ => problem.to_string(),
    }
}

/// What is said of a file that is not there: that it is an address, or the file with the nearest name.
fn not_found(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.contains("://") || text.starts_with("www.") {
        return "there is no such file; it looks like an address, which is given with --URL".to_owned();
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return format!("there is no such file, and no folder {}", folder.display());
    }
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    names.sort();
    let given = path.file_name().unwrap_or_default().to_string_lossy();
    match nearest(&given, names.iter().map(String::as_str)) {
        Some(name) => format!("there is no such file; did you mean {}?", path.with_file_name(name).display()),
        None => "there is no such file".to_owned(),
    }
}

/// The pages of a folder and the folders below: `.html`, `.htm`, `.xhtml`, each also with `.gz`; sorted by path. How many
/// other files there are is said.
///
/// # Errors
/// [`Error::Io`] if the folder cannot be read, [`Error::Usage`] if it holds no page.
pub fn list_folder(folder: &Path, is_wanted: fn(&Path) -> bool, printer: &Printer) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    let mut others = 0;
    let mut pending = vec![folder.to_owned()];
    while let Some(current) = pending.pop() {
        for entry in std::fs::read_dir(&current).map_err(|error| Error::io(&current, error))? {
            let entry = entry.map_err(|error| Error::io(&current, error))?;
            let path = entry.path();
            // Links to folders are not followed: they could lead in a circle.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                pending.push(path);
            } else if is_wanted(&path) {
                let name = path.strip_prefix(folder).unwrap_or(&path).to_owned();
                sources.push(Source::File { path, name });
            } else {
                others += 1;
            }
        }
    }
    if sources.is_empty() {
        return Err(Error::usage(
            format!("{} holds no page", folder.display()),
            "pages are files that end in .html, .htm or .xhtml, or in one of these and .gz",
        ));
    }
    if others > 0 {
        printer.detail(&format!(
            "{}: {} not read: no name that ends in .html, .htm or .xhtml",
            folder.display(),
            plural(others, "file"),
        ));
    }
    sources.sort_by_key(Source::id);
    Ok(sources)
}

/// Whether a file is a page, by its name.
pub fn is_page(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    [".html", ".htm", ".xhtml"].iter().any(|end| name.ends_with(end))
}

/// Whether a file is a page or a web archive, by its name.
pub fn is_page_or_archive(path: &Path) -> bool {
    is_page(path) || is_archive(path)
}

/// Whether a file is a web archive, by its name.
pub fn is_archive(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    [".warc", ".warc.gz", ".warc.zst"].iter().any(|end| name.ends_with(end))
}

/// The addresses of a list, one a line; empty lines and those that begin with `#` are skipped.
///
/// # Errors
/// [`Error::Io`].
pub fn read_list(path: &Path) -> Result<Vec<Source>> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::io(path, error))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(|line| Source::Url(line.to_owned())).collect())
}

/// Whether something is piped in.
pub fn stdin_is_piped() -> bool {
    !std::io::stdin().is_terminal()
}

/// A number of pages: 1 and up.
pub fn at_least_one(text: &str) -> std::result::Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "a whole number, 1 and up".to_owned())
}
