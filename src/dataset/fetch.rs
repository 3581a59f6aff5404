//! Fetching of corpora: checksum first, unpacked aside, renamed at the end, verified later without a network.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::archive::{self, Form};
use super::corpus;
use super::inventory::Inventory;
use super::manifest::{Archive, ArchiveFile, Manifest, Part, Redistribution};
use super::plain_folder::{self, PlainFolder};
use crate::convention::Convention;
use crate::error::{Error, Remedy, Result, Setting};
use crate::files::{Aside, clear_once};
use crate::progress::Progress;
use crate::store::{Mirror, is_sha256, sha256_of, write_error};

/// Where to fetch from, and how strictly. The default takes the manifest's mirrors and pinned checksums.
#[derive(Debug, Clone, Default)]
pub struct FetchOptions {
    /// A folder of archives, or a URL under which they lie, or the plain folder of the corpus's source, such as a clone; `None`: the
    /// manifest's mirrors.
    pub mirror: Option<String>,
    /// The SHA-256 to accept for an archive whose checksum the manifest does not state.
    pub accept_sha256: Option<String>,
    /// What servers are told of who asks; `None`: this program with its version.
    pub user_agent: Option<String>,
    /// Replace what was fetched before.
    pub force: bool,
}

/// Tells how far a fetch or a verification is, and whether it is to go on.
#[derive(Clone, Copy)]
struct Told<'a> {
    progress: &'a dyn Progress,
    stop: &'a AtomicBool,
}

impl Told<'_> {
    /// So many bytes are done; whether to go on.
    fn go_on(&self, bytes: u64) -> bool {
        self.progress.done(bytes);
        !self.stop.load(Ordering::Relaxed)
    }
}

/// What a fetch did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchReport {
    /// The corpus part, such as `wcxb/dev`.
    pub label: String,
    /// Where it lies.
    pub folder: PathBuf,
    /// The archive it was unpacked from.
    pub archive: String,
    /// The archive's SHA-256.
    pub sha256: String,
    /// Number of files.
    pub files: usize,
    /// Bytes of all files.
    pub bytes: u64,
    /// Whether it was there already, so that nothing was done.
    pub already_there: bool,
}

/// What [`verify()`] checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verified {
    /// Of a fetched corpus, its files.
    Files {
        /// The corpus part.
        label: String,
        /// Number of files, all of them as they were fetched.
        files: usize,
        /// Bytes of all files.
        bytes: u64,
    },
    /// Of a corpus in a folder of the user's, its pages with their references.
    Folder {
        /// The corpus part.
        label: String,
        /// Number of pages, all of which can be read.
        pages: usize,
        /// Their [checksum](super::Corpus::checksum).
        checksum: String,
        /// Whether the manifest states it; a bare folder has none to compare with.
        is_stated: bool,
    },
}

/// A corpus part in [`list`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// The corpus part, such as `wcxb/dev`: what [`open`](super::open) and the command line call it.
    pub label: String,
    /// One line on the corpus.
    pub title: String,
    /// Number of pages, bad ones included, where it is known.
    pub pages: Option<usize>,
    /// The licence's name.
    pub licence: String,
    /// Whether the corpus may be passed on.
    pub redistribution: Redistribution,
    /// What its references include, and who made them.
    pub convention: Convention,
    /// Whether the manifest states a checksum of its archive.
    pub pinned: bool,
    /// Where it lies, if it is there.
    pub folder: Option<PathBuf>,
}

/// Every part of every corpus that comes with the program, and whether `data_dir` has it.
///
/// # Errors
/// If a manifest is faulty, which a test excludes.
pub fn list(data_dir: &Path) -> Result<Vec<Status>> {
    let mut found = Vec::new();
    for name in Manifest::names() {
        let manifest = Manifest::find(name)?;
        for part in &manifest.parts {
            let home = manifest.home(part, data_dir);
            let mut files = manifest.archive(part).into_iter().flat_map(|archive| &archive.files);
            found.push(Status {
                label: manifest.label(part),
                title: manifest.title.clone(),
                pages: part.pages,
                licence: manifest.licence.name.clone(),
                redistribution: manifest.licence.redistribution,
                convention: manifest.convention(part),
                pinned: files.any(|file| file.sha256.is_some()),
                folder: manifest.locate(part, &home, data_dir).map(|_| home),
            });
        }
    }
    Ok(found)
}

/// Fetches the archive of a corpus part into `data_dir`, unless it is there.
///
/// The archive's checksum is compared before anything is unpacked. It is the manifest's; where that has none, the
/// one in `options.accept_sha256`, else the one in the mirror's SHA256SUMS. The archive is unpacked into a hidden
/// folder beside its destination, which is renamed when everything is in it: whoever looks sees all or nothing.
/// Afterwards no network is needed.
///
/// A folder that holds no such archive may hold the files themselves, at most a few folders down. They are copied if their pages and
/// references have the checksum that the manifest states ([`Part::checksum`]).
///
/// # Errors
/// [`Error::Data`] if no mirror has the archive, its checksum is unknown or wrong, it is cut, hostile or not in the
/// manifest's layout, or the disk is full; [`Error::Io`] for other troubles with files; [`Error::Interrupted`] if
/// `stop` is set. In every case nothing is left behind.
pub fn fetch(
    manifest: &Manifest,
    part: &Part,
    data_dir: &Path,
    options: &FetchOptions,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<FetchReport> {
    let told = Told { progress, stop };
    let label = manifest.label(part);
    let Some(archive) = manifest.archive(part) else {
        let remedy = "it is read where it lies; leave `data fetch` out";
        return Err(Error::usage(
            format!("{label} is a folder of one's own: there is nothing to fetch"),
            remedy,
        ));
    };
    let home = manifest.home(part, data_dir);
    let parent = home.parent().unwrap_or(data_dir);
    clear_once(parent);
    let report = |list: &Inventory, already_there| FetchReport {
        label: label.clone(),
        folder: home.clone(),
        archive: list.archive.clone(),
        sha256: list.sha256.clone(),
        files: list.files.len(),
        bytes: list.bytes(),
        already_there,
    };
    let present = present(&label, archive, &home)?;
    if let Some(list) = present.as_ref().filter(|_| !options.force) {
        let mut pins: Vec<&String> = archive.files.iter().filter_map(|file| file.sha256.as_ref()).collect();
        let parts = manifest.parts.iter().filter(|part| archive.parts.contains(&part.name));
        pins.extend(parts.filter_map(|part| part.checksum.as_ref()));
        if pins.is_empty() || pins.contains(&&list.sha256) {
            return Ok(report(list, true));
        }
        let problem = format!("{} was fetched from another archive than the manifest names", home.display());
        return Err(Error::data(&label, problem, Remedy::by("fetch the corpus again", Setting::FetchAgain)));
    }

    let aside = Aside::within(parent).map_err(|e| write_error(parent, e))?;

    let plain = plain_folder(manifest, archive, options, data_dir, told)?;
    // Under its later name, since the name of a folder may say which part it is.
    let unpacked =
        aside.path().join("unpacked").join(home.file_name().expect("a corpus's folder has a name"));
    fs::create_dir_all(&unpacked).map_err(|e| write_error(&unpacked, e))?;
    let mut go_on = |bytes| told.go_on(bytes);
    let list = match plain {
        Some(plain) => {
            progress.stage_of_bytes(&format!("copying {label}"), None);
            let files = plain.copy(&unpacked, &mut go_on)?;
            Inventory { archive: plain_folder::NAME.to_owned(), sha256: plain.checksum, files }
        }
        None => {
            let taken = take(manifest, &label, archive, options, aside.path(), told)?;
            check_sum(&taken, told)?;
            let form =
                Form::from_name(&taken.name).expect("a checked manifest names archives of known forms");
            progress.stage_of_bytes(&format!("unpacking {}", taken.name), None);
            let files = archive::unpack(&taken.path, form, &unpacked, &mut go_on)?;
            Inventory { archive: taken.name, sha256: taken.sha256, files }
        }
    };
    check_layout(manifest, archive, &list.archive, &unpacked, data_dir)?;
    list.write(&unpacked).map_err(|e| write_error(&unpacked, e))?;

    if let Err(e) = aside.put_folder(&unpacked, &home) {
        // Another process may have been first with the same archive.
        if let Some(other) = Inventory::read(&home)?.filter(|other| *other == list) {
            return Ok(report(&other, true));
        }
        return Err(write_error(&home, e));
    }
    Ok(report(&list, false))
}

/// Compares every file of a fetched corpus part with the list written when it was fetched; a corpus in a folder of
/// the user's with the checksum that its manifest states, if it states one.
///
/// # Errors
/// [`Error::Data`] if the part is not there, has no list, or any file is missing or changed (naming up to five);
/// [`Error::Interrupted`] once `stop` is set.
pub fn verify(
    manifest: &Manifest,
    part: &Part,
    data_dir: &Path,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Verified> {
    let label = manifest.label(part);
    let Some(archive) = manifest.archive(part) else { return verify_folder(manifest, part, progress) };
    let home = manifest.home(part, data_dir);
    let Some(list) = present(&label, archive, &home)? else {
        return Err(corpus::not_there(&label, data_dir));
    };
    progress.stage_of_bytes(&format!("checking {label}"), Some(list.bytes()));
    let mut stopped = false;
    let differences = list.differences(&home, &mut |bytes| {
        stopped |= !Told { progress, stop }.go_on(bytes);
        !stopped
    });
    if stopped {
        return Err(Error::Interrupted);
    }
    if differences.is_empty() {
        return Ok(Verified::Files { label, files: list.files.len(), bytes: list.bytes() });
    }
    let shown = differences.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
    let problem = format!("{} of {} files differ: {shown}", differences.len(), list.files.len());
    Err(Error::data(&label, problem, Remedy::by("fetch the corpus again", Setting::FetchAgain)))
}

/// Reads all pages of a corpus that is not fetched, and compares their checksum with the one that is stated.
fn verify_folder(manifest: &Manifest, part: &Part, progress: &dyn Progress) -> Result<Verified> {
    let corpus = corpus::open_part((manifest.clone(), part.clone()), Path::new(""), false)?;
    let label = corpus.label();
    progress.stage(&format!("checking {label}"), 0);
    let checksum = corpus.checksum()?;
    if let Some(stated) = part.checksum.as_ref().filter(|stated| **stated != checksum) {
        let problem =
            format!("its pages have changed: their checksum is {checksum}, the manifest states {stated}");
        return Err(Error::data(
            &label,
            problem,
            "take the pages that belong to the manifest, or state this checksum",
        ));
    }
    Ok(Verified::Folder { label, pages: corpus.len(), checksum, is_stated: part.checksum.is_some() })
}

/// The list of what lies at `home`, `None` if nothing does.
fn present(label: &str, archive: &Archive, home: &Path) -> Result<Option<Inventory>> {
    // In this order: a folder that another process puts there between the two looks has its list.
    let empty = match fs::read_dir(home) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => !home.exists(),
    };
    if empty {
        return Ok(None);
    }
    if let Some(list) = Inventory::read(home)? {
        return Ok(Some(list));
    }
    // A folder of our own name without our list is the user's: never ours to replace.
    let remedy = format!("move it away to have {} unpacked there", archive.files[0].name);
    Err(Error::data(label, format!("{} was not made by 'duramen data fetch'", home.display()), remedy))
}

/// The plain folder of the source, where one is named and no archive is in it.
fn plain_folder(
    manifest: &Manifest,
    archive: &Archive,
    options: &FetchOptions,
    data_dir: &Path,
    told: Told<'_>,
) -> Result<Option<PlainFolder>> {
    let Some(folder) = options.mirror.as_deref().map(Path::new).filter(|folder| folder.is_dir()) else {
        return Ok(None);
    };
    if archive.files.iter().any(|file| folder.join(&file.name).exists()) {
        return Ok(None);
    }
    told.progress.stage("comparing the folder with the manifest", 0);
    PlainFolder::find(manifest, archive, folder, data_dir)
}

/// An archive at hand, and the checksum it must have.
struct Taken {
    name: String,
    path: PathBuf,
    bytes: Option<u64>,
    sha256: String,
}

/// Takes the first form of the archive that the first mirror has.
fn take(
    manifest: &Manifest,
    label: &str,
    archive: &Archive,
    options: &FetchOptions,
    aside: &Path,
    told: Told<'_>,
) -> Result<Taken> {
    let places = options.mirror.as_ref().map_or(manifest.mirrors.as_slice(), std::slice::from_ref);
    let names = archive.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join(" or ");
    for place in places {
        let mirror = Mirror::new(place, options.user_agent.as_deref())?;
        for file in &archive.files {
            let Some(sha256) = expected_sha256(file, options, &mirror)? else {
                // Without a checksum nothing is downloaded; that the mirror lacks the file is no fault yet.
                if matches!(&mirror, Mirror::Folder(folder) if folder.join(&file.name).is_file()) {
                    return Err(no_checksum(file, &mirror));
                }
                continue;
            };
            let mut has_begun = false;
            let mut go_on = |bytes, total: Option<u64>| {
                if !std::mem::replace(&mut has_begun, true) {
                    let total = total.or(file.bytes);
                    told.progress.stage_of_bytes(&format!("downloading {}", file.name), total);
                }
                told.go_on(bytes)
            };
            if let Some(path) = mirror.take(&file.name, aside, &mut go_on)? {
                return Ok(Taken { name: file.name.clone(), path, bytes: file.bytes, sha256 });
            }
        }
        // A URL without listed checksum was not asked for the file: say what is missing rather than that it is not there.
        if let [file, ..] = archive.files.as_slice()
            && mirror.is_url()
            && archive.files.iter().all(|file| file.sha256.is_none())
            && options.accept_sha256.is_none()
        {
            return Err(no_checksum(file, &mirror));
        }
    }
    let problem = match places {
        [] => "no mirror is known".to_owned(),
        places => format!("{} is not in {}", names, places.join(", ")),
    };
    let remedy = Remedy::by("name a mirror", Setting::Mirror).then(format!(
        ", a folder or URL that holds {names}, or the folder of its source: {}",
        manifest.source
    ));
    Err(Error::data(label, problem, remedy))
}

/// The checksum that an archive file must have, from the manifest, the user or the mirror.
fn expected_sha256(file: &ArchiveFile, options: &FetchOptions, mirror: &Mirror) -> Result<Option<String>> {
    let accepted = options.accept_sha256.as_ref().map(|sum| sum.trim().to_ascii_lowercase());
    if let Some(sum) = accepted.as_ref().filter(|sum| !is_sha256(sum)) {
        return Err(Error::usage(format!("'{sum}' is no SHA-256"), "give 64 hex digits"));
    }
    match (&file.sha256, accepted) {
        (Some(pinned), Some(accepted)) if *pinned != accepted => Err(Error::usage(
            format!("the manifest states another checksum of {}: {pinned}", file.name),
            "leave the checksum out; for another release of the corpus write a manifest of your own",
        )),
        (Some(pinned), _) => Ok(Some(pinned.clone())),
        (None, Some(accepted)) => Ok(Some(accepted)),
        (None, None) => mirror.listed_sha256(&file.name),
    }
}

fn no_checksum(file: &ArchiveFile, mirror: &Mirror) -> Error {
    Error::data(
        &file.name,
        format!(
            "its checksum is not known: the manifest has none and no SHA256SUMS in {} lists it",
            mirror.place()
        ),
        Remedy::by("state the checksum to accept", Setting::Checksum),
    )
}

/// Compares the archive's checksum with the expected one.
fn check_sum(taken: &Taken, told: Told<'_>) -> Result<()> {
    let mut file = fs::File::open(&taken.path).map_err(|e| Error::io(&taken.path, e))?;
    let total = file.metadata().ok().map(|data| data.len());
    told.progress.stage_of_bytes(&format!("checking {}", taken.name), total);
    let sum = sha256_of(&mut file, &mut |bytes| told.go_on(bytes)).map_err(|e| Error::io(&taken.path, e))?;
    let (length, sha256) = sum.ok_or(Error::Interrupted)?;
    if sha256 == taken.sha256 {
        return Ok(());
    }
    let cut = match taken.bytes {
        Some(bytes) if length < bytes => format!(" (it is cut: {length} of {bytes} bytes)"),
        _ => String::new(),
    };
    let problem = format!("wrong checksum{cut}: SHA-256 is {sha256}, expected {}", taken.sha256);
    Err(Error::data(&taken.name, problem, "download it again or take it from another mirror"))
}

/// Whether every part that the archive should hold is there and has its pages.
///
/// References to pages of another corpus cannot be counted before those are there.
fn check_layout(
    manifest: &Manifest,
    archive: &Archive,
    name: &str,
    unpacked: &Path,
    data_dir: &Path,
) -> Result<()> {
    if manifest.pairs.pages_of.is_some() && manifest.pages_elsewhere(data_dir)?.is_none() {
        return Ok(());
    }
    for part in manifest.parts.iter().filter(|part| archive.parts.contains(&part.name)) {
        let Some((root, pairs)) = manifest.locate(part, unpacked, data_dir) else {
            let problem = format!("holds no folder in the layout of {}", manifest.label(part));
            return Err(Error::data(name, problem, "take the archive that the manifest describes"));
        };
        let found = manifest.layout.scan(&root, &part.name, &pairs)?.entries.len();
        corpus::check_count(manifest, part, found, name)?;
    }
    Ok(())
}
