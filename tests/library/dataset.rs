//! Corpora of our own in every layout, fetched from archives in every form, and everything that can go wrong.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::corpora::{self, Files};
use duramen::Error;
use duramen::dataset::{self, FetchOptions, FetchReport, Gold, Manifest, Rule, Verified};
use duramen::progress::{Progress, Silent};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// A folder of archives and a data folder, both empty at first.
struct Bench {
    mirror: TempDir,
    data: TempDir,
}

impl Bench {
    fn new() -> Bench {
        Bench { mirror: TempDir::new().unwrap(), data: TempDir::new().unwrap() }
    }

    /// Puts an archive into the mirror.
    fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.mirror.path().join(name), bytes).unwrap();
    }

    fn options(&self) -> FetchOptions {
        FetchOptions { mirror: Some(self.mirror.path().to_str().unwrap().into()), ..FetchOptions::default() }
    }

    fn fetch(&self, manifest: &Manifest, options: &FetchOptions) -> duramen::Result<FetchReport> {
        dataset::fetch(
            manifest,
            &manifest.parts[0],
            self.data.path(),
            options,
            &Silent,
            &AtomicBool::new(false),
        )
    }

    /// Everything in the data folder, hidden or not.
    fn left(&self) -> Vec<PathBuf> {
        fs::read_dir(self.data.path()).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    /// Fetches what must fail as bad data and leave nothing; returns the message.
    fn refused(&self, manifest: &Manifest, options: &FetchOptions) -> String {
        let error = self.fetch(manifest, options).unwrap_err();
        assert_eq!(error.exit_code(), 3, "{error}");
        assert_eq!(self.left(), Vec::<PathBuf>::new(), "something was left behind after: {error}");
        error.to_string()
    }
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A manifest of one part and archive, `sum` being its pinned checksum or nothing.
fn manifest(layout: &str, file: &str, sum: Option<&str>) -> Manifest {
    let sum = sum.map_or(String::new(), |sum| format!(", sha256 = \"{sum}\""));
    let text = format!(
        "name = 'ours'\ntitle = 'Ours'\nsource = 'written for the tests'\nlayout = '{layout}'\ncitation = 'none'\n\
         licence = {{ name = 'MIT', redistribution = 'yes', notice = 'Ours.' }}\n\
         [[part]]\nname = 'all'\n\
         [[archive]]\nparts = ['all']\nfiles = [{{ name = '{file}'{sum} }}]\n"
    );
    Manifest::parse(&text, "ours.toml").unwrap()
}

/// The packed files of a small corpus in the layout of L3S-GN1.
fn l3s_archive(form: &str) -> Vec<u8> {
    pack(form, &corpora::l3s_gn1())
}

fn pack(form: &str, files: &Files) -> Vec<u8> {
    if form == "zip" {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (path, bytes) in files {
            zip.start_file(path.as_str(), zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        return zip.finish().unwrap().into_inner();
    }
    let mut tar = tar::Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        // Written past the library, which would refuse the hostile names that we need.
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_cksum();
        tar.append(&header, bytes.as_slice()).unwrap();
    }
    compress(form, &tar.into_inner().unwrap())
}

fn compress(form: &str, bytes: &[u8]) -> Vec<u8> {
    match form {
        "tar.gz" => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        "tar.xz" => {
            let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 6);
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        "tar.zst" => zstd::encode_all(bytes, 3).unwrap(),
        other => panic!("{other}"),
    }
}

/// Writes files under a folder.
fn write(folder: &Path, files: &Files) {
    for (path, bytes) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn every_form_of_archive_is_fetched_verified_and_read() {
    for form in ["tar.gz", "tar.xz", "tar.zst", "zip"] {
        let bench = Bench::new();
        let (name, bytes) = (format!("ours.{form}"), l3s_archive(form));
        bench.put(&name, &bytes);
        let manifest = manifest("l3s-gn1", &name, Some(&sha256(&bytes)));
        let report = bench.fetch(&manifest, &bench.options()).unwrap();
        assert_eq!((report.files, report.already_there), (5, false), "{form}");
        assert_eq!(report.sha256, sha256(&bytes));
        let verified = dataset::verify(
            &manifest,
            &manifest.parts[0],
            bench.data.path(),
            &Silent,
            &AtomicBool::new(false),
        );
        assert!(matches!(verified.unwrap(), Verified::Files { files: 5, .. }));
        assert_eq!(bench.left(), [bench.data.path().join("ours")], "nothing but the corpus");
    }
}

#[test]
fn a_second_fetch_does_nothing_unless_forced() {
    let bench = Bench::new();
    let bytes = l3s_archive("zip");
    bench.put("ours.zip", &bytes);
    let manifest = manifest("l3s-gn1", "ours.zip", Some(&sha256(&bytes)));
    bench.fetch(&manifest, &bench.options()).unwrap();
    let page = bench.data.path().join("ours/L3S/original/a-1.html");
    fs::write(&page, "changed").unwrap();
    // No mirror is asked: what is there is there.
    assert!(bench.fetch(&manifest, &FetchOptions::default()).unwrap().already_there);
    assert_eq!(fs::read(&page).unwrap(), b"changed");
    let forced = FetchOptions { force: true, ..bench.options() };
    assert!(!bench.fetch(&manifest, &forced).unwrap().already_there);
    assert_ne!(fs::read(&page).unwrap(), b"changed");
    assert_eq!(bench.left().len(), 1);
}

#[test]
fn many_fetches_at_once_all_find_the_corpus_whole() {
    let bench = Bench::new();
    let bytes = l3s_archive("tar.zst");
    bench.put("ours.tar.zst", &bytes);
    let manifest = manifest("l3s-gn1", "ours.tar.zst", Some(&sha256(&bytes)));
    std::thread::scope(|scope| {
        let fetches: Vec<_> =
            (0..8).map(|_| scope.spawn(|| bench.fetch(&manifest, &bench.options()))).collect();
        for fetch in fetches {
            assert_eq!(fetch.join().unwrap().unwrap().files, 5);
        }
    });
    assert_eq!(bench.left().len(), 1);
}

#[test]
fn a_failed_forced_fetch_leaves_the_old_data_alone() {
    let bench = Bench::new();
    let bytes = l3s_archive("zip");
    bench.put("ours.zip", &bytes);
    let manifest = manifest("l3s-gn1", "ours.zip", Some(&sha256(&bytes)));
    bench.fetch(&manifest, &bench.options()).unwrap();
    bench.put("ours.zip", &bytes[..bytes.len() / 2]);
    let forced = FetchOptions { force: true, ..bench.options() };
    assert_eq!(bench.fetch(&manifest, &forced).unwrap_err().exit_code(), 3);
    assert!(
        dataset::verify(&manifest, &manifest.parts[0], bench.data.path(), &Silent, &AtomicBool::new(false))
            .is_ok()
    );
    assert_eq!(bench.left().len(), 1);
}

#[test]
fn a_folder_of_the_users_own_is_never_replaced() {
    let bench = Bench::new();
    let bytes = l3s_archive("zip");
    bench.put("ours.zip", &bytes);
    let manifest = manifest("l3s-gn1", "ours.zip", Some(&sha256(&bytes)));
    fs::create_dir(bench.data.path().join("ours")).unwrap();
    fs::write(bench.data.path().join("ours/thesis.txt"), "years of work").unwrap();
    for force in [false, true] {
        let error = bench.fetch(&manifest, &FetchOptions { force, ..bench.options() }).unwrap_err();
        assert!(error.to_string().contains("move it away"), "{error}");
        assert!(bench.data.path().join("ours/thesis.txt").exists());
    }
}

#[test]
fn a_changed_or_missing_file_fails_the_verification_by_name() {
    let bench = Bench::new();
    let bytes = l3s_archive("tar.gz");
    bench.put("ours.tar.gz", &bytes);
    let manifest = manifest("l3s-gn1", "ours.tar.gz", Some(&sha256(&bytes)));
    let verify = || {
        dataset::verify(&manifest, &manifest.parts[0], bench.data.path(), &Silent, &AtomicBool::new(false))
    };
    assert!(verify().unwrap_err().to_string().contains("run: duramen data fetch ours"));
    bench.fetch(&manifest, &bench.options()).unwrap();
    let folder = bench.data.path().join("ours/L3S");
    fs::remove_file(folder.join("url-mapping.txt")).unwrap();
    fs::write(folder.join("original/a-1.html"), "x").unwrap();
    let error = verify().unwrap_err();
    assert_eq!(error.exit_code(), 3);
    let text = error.to_string();
    assert!(
        text.contains("url-mapping.txt is missing") && text.contains("original/a-1.html has 1 bytes"),
        "{text}"
    );
}

#[test]
fn a_wrong_checksum_is_refused_before_anything_is_unpacked() {
    let bench = Bench::new();
    let bytes = l3s_archive("zip");
    bench.put("ours.zip", &bytes);
    let stages = Stages::default();
    let manifest = manifest("l3s-gn1", "ours.zip", Some(&"0".repeat(64)));
    let result = stages.fetch(&bench, &manifest, &bench.options());
    let text = result.unwrap_err().to_string();
    assert!(text.contains("wrong checksum") && text.contains(&sha256(&bytes)), "{text}");
    let heard: Vec<(String, Option<u64>, u64)> = stages.heard.into_inner().unwrap();
    let size = bytes.len() as u64;
    assert_eq!(heard, [("checking ours.zip".to_owned(), Some(size), size)]);
    assert!(bench.left().is_empty());
}

#[test]
fn an_archive_cut_anywhere_is_refused_even_with_a_fitting_checksum() {
    for form in ["tar.gz", "tar.xz", "tar.zst", "zip"] {
        let whole = l3s_archive(form);
        for length in [0, 1, whole.len() / 3, whole.len() / 2, whole.len() - 9, whole.len() - 1] {
            let bench = Bench::new();
            let (name, bytes) = (format!("ours.{form}"), &whole[..length]);
            bench.put(&name, bytes);
            let text = bench.refused(&manifest("l3s-gn1", &name, Some(&sha256(bytes))), &bench.options());
            assert!(text.contains("cut or damaged"), "{form}, {length} bytes: {text}");
        }
    }
}

#[test]
fn a_tar_whose_last_file_is_cut_is_refused() {
    let mut header = tar::Header::new_gnu();
    header.set_path("a.html").unwrap();
    header.set_size(100);
    header.set_cksum();
    let bytes = compress("tar.gz", &[header.as_bytes().as_slice(), &[b'x'; 50]].concat());
    let bench = Bench::new();
    bench.put("ours.tar.gz", &bytes);
    let text = bench.refused(&manifest("l3s-gn1", "ours.tar.gz", Some(&sha256(&bytes))), &bench.options());
    assert!(text.contains("cut or damaged"), "{text}");
}

#[test]
fn an_archive_that_leads_out_of_its_folder_is_refused() {
    for path in ["../evil.html", "/evil.html", "a/../../evil.html", "..\\evil.html", "C:evil.html"] {
        for form in ["tar.gz", "zip"] {
            let bench = Bench::new();
            let mut files = corpora::l3s_gn1();
            files.insert(path.to_owned(), b"evil".to_vec());
            let bytes = pack(form, &files);
            let name = format!("ours.{form}");
            bench.put(&name, &bytes);
            let text = bench.refused(&manifest("l3s-gn1", &name, Some(&sha256(&bytes))), &bench.options());
            assert!(text.contains("evil.html"), "{form} {path}: {text}");
            assert!(!bench.data.path().parent().unwrap().join("evil.html").exists());
        }
    }
}

#[test]
fn links_and_devices_in_an_archive_are_refused() {
    use tar::EntryType;
    for kind in [EntryType::Symlink, EntryType::Link, EntryType::Fifo, EntryType::Char] {
        let mut tar = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_path("link.html").unwrap();
        header.set_link_name("/etc/hostname").unwrap();
        header.set_size(0);
        header.set_cksum();
        tar.append(&header, &b""[..]).unwrap();
        let bytes = compress("tar.gz", &tar.into_inner().unwrap());
        let bench = Bench::new();
        bench.put("ours.tar.gz", &bytes);
        let text =
            bench.refused(&manifest("l3s-gn1", "ours.tar.gz", Some(&sha256(&bytes))), &bench.options());
        assert!(text.contains("neither a file nor a folder"), "{text}");
    }
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.add_symlink("link.html", "/etc/hostname", zip::write::SimpleFileOptions::default()).unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    let bench = Bench::new();
    bench.put("ours.zip", &bytes);
    let text = bench.refused(&manifest("l3s-gn1", "ours.zip", Some(&sha256(&bytes))), &bench.options());
    assert!(text.contains("neither a file nor a folder"), "{text}");
}

#[test]
fn an_archive_of_something_else_is_refused() {
    let bench = Bench::new();
    let bytes = pack("zip", &[("readme.txt".to_owned(), b"hello".to_vec())].into());
    bench.put("ours.zip", &bytes);
    let text = bench.refused(&manifest("l3s-gn1", "ours.zip", Some(&sha256(&bytes))), &bench.options());
    assert!(text.contains("layout"), "{text}");
}

#[test]
fn without_pinned_checksum_the_mirror_must_list_one_or_the_user_accept_one() {
    let bytes = l3s_archive("zip");
    let manifest = manifest("l3s-gn1", "ours.zip", None);
    let bench = Bench::new();
    bench.put("ours.zip", &bytes);
    let text = bench.refused(&manifest, &bench.options());
    assert!(text.contains("state the checksum to accept"), "{text}");
    bench.put("SHA256SUMS", format!("{}  ours.zip\n", "0".repeat(64)).as_bytes());
    assert!(bench.refused(&manifest, &bench.options()).contains("wrong checksum"));
    let accept = FetchOptions { accept_sha256: Some(sha256(&bytes).to_uppercase()), ..bench.options() };
    assert!(bench.fetch(&manifest, &accept).is_ok());
    let bench = Bench::new();
    bench.put("ours.zip", &bytes);
    bench.put("SHA256SUMS", format!("{}  ours.zip\n", sha256(&bytes)).as_bytes());
    assert!(bench.fetch(&manifest, &bench.options()).is_ok());
}

#[test]
fn a_user_cannot_overrule_a_pinned_checksum() {
    let bench = Bench::new();
    bench.put("ours.zip", b"another archive");
    let manifest = manifest("l3s-gn1", "ours.zip", Some(&"0".repeat(64)));
    let accept = FetchOptions { accept_sha256: Some(sha256(b"another archive")), ..bench.options() };
    assert_eq!(bench.fetch(&manifest, &accept).unwrap_err().exit_code(), 2);
    assert!(bench.left().is_empty());
}

#[test]
fn a_mirror_without_the_archive_and_no_mirror_say_where_to_find_it() {
    let bench = Bench::new();
    let manifest = manifest("l3s-gn1", "ours.zip", Some(&"0".repeat(64)));
    let text = bench.refused(&manifest, &bench.options());
    assert!(text.contains("ours.zip is not in") && text.contains("written for the tests"), "{text}");
    let text = bench.refused(&manifest, &FetchOptions::default());
    assert!(text.contains("name a mirror"), "{text}");
}

#[test]
fn an_interrupted_fetch_leaves_nothing() {
    let bytes = l3s_archive("tar.gz");
    let manifest = manifest("l3s-gn1", "ours.tar.gz", Some(&sha256(&bytes)));
    for stop_in in ["checking", "unpacking"] {
        let bench = Bench::new();
        bench.put("ours.tar.gz", &bytes);
        let stages = Stages { stop_in: Some(stop_in), ..Stages::default() };
        let result = stages.fetch(&bench, &manifest, &bench.options());
        assert!(matches!(result, Err(Error::Interrupted)));
        assert!(bench.left().is_empty());
    }
}

/// Hears the stages with their bytes, all and done, and may stop the work in one.
#[derive(Default)]
struct Stages {
    heard: Mutex<Vec<(String, Option<u64>, u64)>>,
    stop_in: Option<&'static str>,
    stop: AtomicBool,
}

impl Stages {
    fn fetch(
        &self,
        bench: &Bench,
        manifest: &Manifest,
        options: &FetchOptions,
    ) -> duramen::Result<FetchReport> {
        dataset::fetch(manifest, &manifest.parts[0], bench.data.path(), options, self, &self.stop)
    }
}

impl Progress for Stages {
    fn stage(&self, name: &str, _steps: usize) {
        self.stage_of_bytes(name, None);
    }
    fn step(&self) {}
    fn note(&self, _text: &str) {}
    fn stage_of_bytes(&self, name: &str, bytes: Option<u64>) {
        self.heard.lock().unwrap().push((name.to_owned(), bytes, 0));
    }
    fn done(&self, done: u64) {
        let mut heard = self.heard.lock().unwrap();
        let (stage, _, of_stage) = heard.last_mut().unwrap();
        *of_stage = done;
        if self.stop_in.is_some_and(|name| stage.starts_with(name)) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Serves what `answer` says for a path, on a port of this machine, for as long as the test runs.
fn serve(answer: impl Fn(&str) -> Vec<u8> + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/archives/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let mut request = Vec::new();
            let mut buffer = [0; 1024];
            while !request.ends_with(b"\r\n\r\n") {
                match stream.read(&mut buffer) {
                    Ok(n) if n > 0 => request.extend(&buffer[..n]),
                    _ => break,
                }
            }
            let request = String::from_utf8_lossy(&request).into_owned();
            let path = request.split(' ').nth(1).unwrap_or("").to_owned();
            let _ = stream.write_all(&answer(&path));
        }
    });
    url
}

fn answer(status: &str, length: usize, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    [head.as_bytes(), body].concat()
}

#[test]
fn an_archive_comes_over_http_with_the_mirrors_checksum() {
    let bytes = l3s_archive("tar.zst");
    let sums = format!("{}  ours.tar.zst\n", sha256(&bytes));
    let (size, served) = (bytes.len() as u64, bytes.clone());
    let url = serve(move |path| match path {
        "/archives/ours.tar.zst" => answer("200 OK", served.len(), &served),
        "/archives/SHA256SUMS" => answer("200 OK", sums.len(), sums.as_bytes()),
        _ => answer("404 Not Found", 0, b""),
    });
    let bench = Bench::new();
    let manifest = manifest("l3s-gn1", "ours.tar.zst", None);
    let options = FetchOptions { mirror: Some(url), ..FetchOptions::default() };
    let stages = Stages::default();
    let report = stages.fetch(&bench, &manifest, &options);
    assert_eq!(report.unwrap().files, 5);
    let heard = stages.heard.into_inner().unwrap();
    assert_eq!(heard[0], ("downloading ours.tar.zst".to_owned(), Some(size), size));
    assert_eq!(bench.left().len(), 1);
}

#[test]
fn server_errors_cut_downloads_and_dead_servers_are_named() {
    let bytes = l3s_archive("zip");
    let manifest = manifest("l3s-gn1", "ours.zip", Some(&sha256(&bytes)));
    let bench = Bench::new();
    let fetch =
        |mirror| bench.refused(&manifest, &FetchOptions { mirror: Some(mirror), ..FetchOptions::default() });
    let text = fetch(serve(|_| answer("503 Service Unavailable", 0, b"")));
    assert!(text.contains("503"), "{text}");
    let text = fetch(serve(|_| answer("404 Not Found", 0, b"")));
    assert!(text.contains("ours.zip is not in"), "{text}");
    let text = fetch(serve(move |_| answer("200 OK", bytes.len(), &bytes[..bytes.len() / 2])));
    assert!(text.contains("ours.zip") && !text.contains("checksum"), "{text}");
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let text = fetch(format!("http://{port}"));
    assert!(text.contains("try again later"), "{text}");
}

#[test]
fn a_mirror_that_lists_no_checksum_is_not_asked_for_an_unpinned_archive() {
    let url = serve(|path| match path {
        "/archives/SHA256SUMS" => answer("404 Not Found", 0, b""),
        _ => panic!("asked for {path}"),
    });
    let bench = Bench::new();
    let options = FetchOptions { mirror: Some(url), ..FetchOptions::default() };
    let text = bench.refused(&manifest("l3s-gn1", "ours.zip", None), &options);
    assert!(text.contains("state the checksum to accept"), "{text}");
}

#[test]
fn missing_data_name_the_command_that_fetches_them() {
    let data = TempDir::new().unwrap();
    let error = dataset::open("wcxb/test", data.path()).unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert!(error.to_string().contains("run: duramen data fetch wcxb/test"), "{error}");
}

#[test]
fn unknown_names_and_parts_are_refused_with_the_nearest() {
    let data = TempDir::new().unwrap();
    for (name, nearest) in [("wcbx", "wcxb"), ("wcxb/tset", "test"), ("cleanportaleva", "cleanportaleval")] {
        let error = dataset::open(name, data.path()).unwrap_err();
        assert_eq!(error.exit_code(), 3);
        assert!(error.to_string().contains(&format!("did you mean '{nearest}'?")), "{error}");
    }
    assert_eq!(dataset::open("no/such.toml", data.path()).unwrap_err().exit_code(), 3);
}

#[test]
fn a_manifest_of_the_users_own_is_opened_by_its_path() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("mine.toml");
    let text = "name = 'mine'\ntitle = 'Mine'\nsource = 'here'\nlayout = 'l3s-gn1'\ncitation = 'none'\n\
        licence = { name = 'MIT', redistribution = 'yes', notice = 'Mine.' }\n\
        [[part]]\nname = 'all'\npages = 2\n[[archive]]\nparts = ['all']\nfiles = [{ name = 'mine.zip' }]\n\
        [[bad_pages]]\npart = 'all'\nrule = 'gold-not-matching'\nreason = 'another page'\nids = ['b-2']\n";
    fs::write(&path, text).unwrap();
    write(&folder.path().join("mine"), &corpora::l3s_gn1());
    let corpus = dataset::open(path.to_str().unwrap(), folder.path()).unwrap();
    assert_eq!(corpus.ids().collect::<Vec<_>>(), ["a-1"]);
    let bad: Vec<_> = corpus.left_out().collect();
    assert_eq!(
        (bad[0].id.as_str(), bad[0].rule, bad[0].reason.as_str()),
        ("b-2", Rule::GoldNotMatching, "another page")
    );
    assert_eq!(corpus.with_bad_pages().ids().collect::<Vec<_>>(), ["a-1", "b-2"]);
    // A page too few: the data are not what the manifest describes.
    fs::remove_file(folder.path().join("mine/L3S/original/b-2.html")).unwrap();
    fs::remove_file(folder.path().join("mine/L3S/annotated/b-2.html")).unwrap();
    let error = dataset::open(path.to_str().unwrap(), folder.path()).unwrap_err();
    assert!(error.to_string().contains("has 1 page there, the manifest states 2"), "{error}");
}

#[test]
fn l3s_pages_come_with_their_annotation_and_host() {
    let data = TempDir::new().unwrap();
    let corpus = open_ours(&data, "l3s-gn1", &corpora::l3s_gn1());
    let page = corpus.read(0).unwrap();
    assert_eq!((page.id.as_str(), page.host.as_str()), ("a-1", "example.co.uk"));
    assert_eq!(page.url.as_deref(), Some("http://news.example.co.uk:80/a?b=c"));
    assert_eq!(page.html, b"<html><p>Caf\xe9</html>");
    assert_eq!(page.gold, Gold::Annotated(b"<html><p><span class=x-nc-sel2>Caf?</span></html>".to_vec()));
    assert_eq!(corpus.read(1).unwrap().host, duramen::host::UNKNOWN);
}

#[test]
fn wcxb_pages_come_with_text_snippets_and_page_type_gzipped_or_not() {
    let data = TempDir::new().unwrap();
    let corpus = open_ours(&data, "wcxb", &corpora::wcxb());
    let page = corpus.read(0).unwrap();
    assert_eq!((page.id.as_str(), page.html.as_slice()), ("0001", &b"<p>One"[..]));
    assert_eq!(page.page_type.as_deref(), Some("forum"));
    let Gold::Text(gold) = page.gold else { panic!("a text gold") };
    assert_eq!(gold.text, "One");
    assert_eq!(
        (gold.title.as_deref(), gold.author, gold.date.as_deref()),
        (Some("T"), None, Some("2026-01-02"))
    );
    assert_eq!((gold.with, gold.without), (vec!["On".to_owned()], vec!["Menu".to_owned()]));
    let second = corpus.read(1).unwrap();
    assert_eq!(
        (second.html.as_slice(), second.host.as_str()),
        (&b"<link rel=canonical href='https://b.org/x'><p>Two"[..], "b.org")
    );
    assert!(matches!(second.gold, Gold::Text(gold) if gold.text.is_empty()));
    assert_eq!(corpus.read(2).unwrap().gold, Gold::Missing);
}

#[test]
fn cleaneval_pages_lose_their_wrapper_and_golds_their_markers() {
    let data = TempDir::new().unwrap();
    let corpus = open_ours(&data, "cleaneval", &corpora::cleaneval());
    let page = corpus.read(0).unwrap();
    assert_eq!((page.html.as_slice(), page.host.as_str()), (&b"\n<html><p>Na\xefve\n"[..], "example.org"));
    let Gold::Text(gold) = page.gold else { panic!("a text gold") };
    assert_eq!(gold.text.split_whitespace().collect::<Vec<_>>(), ["Title", "Na\u{ef}ve"]);
    assert_eq!(corpus.read(1).unwrap().gold, Gold::Missing);
}

#[test]
fn big9_pages_tell_their_site_and_ids_tell_the_year() {
    let data = TempDir::new().unwrap();
    let corpus = open_ours(&data, "big9", &corpora::big9());
    assert_eq!(corpus.ids().collect::<Vec<_>>(), ["2005-story (1)", "2017-story (1)"]);
    assert_eq!(corpus.read(0).unwrap().host, "example.com");
    let page = corpus.read(1).unwrap();
    assert_eq!(page.url.as_deref(), Some("https://news.example.net/a"));
    assert!(matches!(page.gold, Gold::Text(gold) if gold.text == "Text"));
}

#[test]
fn the_article_extraction_benchmark_is_found_in_its_repositorys_folder() {
    let data = TempDir::new().unwrap();
    let corpus = open_ours(&data, "article-extraction-benchmark", &corpora::article_extraction_benchmark());
    let page = corpus.read(0).unwrap();
    assert_eq!(
        (page.id.as_str(), page.host.as_str(), page.html.as_slice()),
        ("0af", "example.org", &b"<p>Body"[..])
    );
    assert!(matches!(page.gold, Gold::Text(gold) if gold.text == "Body"));
}

#[test]
fn a_bad_page_fails_alone() {
    let data = TempDir::new().unwrap();
    let mut files = corpora::wcxb();
    let page = files.get_mut("repository/all/html/0002.html.gz").unwrap();
    page.truncate(page.len() - 3);
    files.insert("repository/all/ground-truth/0003.json".into(), b"{\"ground_truth\": {".to_vec());
    files.insert("repository/all/ground-truth/0004.json".into(), b"{\"ground_truth\": {}}".to_vec());
    let corpus = open_ours(&data, "wcxb", &files);
    assert_eq!(corpus.ids().collect::<Vec<_>>(), ["0001", "0002", "0003", "0004"]);
    assert!(corpus.read(0).is_ok());
    assert!(corpus.read(1).unwrap_err().to_string().contains("0002.html.gz"));
    assert!(corpus.read(2).unwrap_err().to_string().contains("0003"));
    assert!(corpus.read(3).unwrap_err().to_string().contains("0004.html"), "a gold without page");
    assert!(corpus.checksum().is_err());
}

#[test]
fn a_checksum_names_the_bytes_and_not_their_compression() {
    let [plain, gzipped, changed] =
        [TempDir::new().unwrap(), TempDir::new().unwrap(), TempDir::new().unwrap()];
    let mut files = corpora::wcxb();
    let sum = |data: &TempDir, files: &Files| open_ours(data, "wcxb", files).checksum().unwrap();
    let first = sum(&gzipped, &files);
    files.remove("repository/all/html/0002.html.gz");
    files.insert(
        "repository/all/html/0002.html".into(),
        b"<link rel=canonical href='https://b.org/x'><p>Two".to_vec(),
    );
    assert_eq!(sum(&plain, &files), first);
    files.insert("repository/all/html/0002.html".into(), b"<p>Tow".to_vec());
    assert_ne!(sum(&changed, &files), first);
}

#[test]
fn the_list_has_every_corpus_and_says_what_is_there() {
    let data = TempDir::new().unwrap();
    write(&data.path().join("cleaneval/cleaneval"), &corpora::cleaneval_part("dev"));
    let list = dataset::list(data.path()).unwrap();
    let labels: Vec<&str> = list.iter().map(|status| status.label.as_str()).collect();
    for label in
        ["l3s-gn1", "wcxb/dev", "wcxb/test", "cleaneval/final", "big9/all", "article-extraction-benchmark"]
    {
        assert!(labels.contains(&label), "{label} in {labels:?}");
    }
    let there: Vec<&str> = list.iter().filter(|s| s.folder.is_some()).map(|s| s.label.as_str()).collect();
    assert_eq!(there, ["cleaneval/dev"]);
}

/// Opens files of ours, unpacked, in one of the layouts.
fn open_ours(data: &TempDir, layout: &str, files: &Files) -> dataset::Corpus {
    let path = data.path().join("ours.toml");
    let text = format!(
        "name = 'ours'\ntitle = 'Ours'\nsource = 'here'\nlayout = '{layout}'\ncitation = 'none'\n\
         licence = {{ name = 'MIT', redistribution = 'yes', notice = 'Ours.' }}\n\
         [[part]]\nname = 'all'\n[[archive]]\nparts = ['all']\nfiles = [{{ name = 'ours.zip' }}]\n"
    );
    fs::write(&path, text).unwrap();
    write(&data.path().join("ours"), files);
    dataset::open(path.to_str().unwrap(), data.path()).unwrap()
}

#[test]
fn the_plain_folder_of_a_source_is_taken_if_its_pages_are_those_of_the_manifest() {
    let bench = Bench::new();
    let clone = bench.mirror.path().join("repository");
    write(&clone, &corpora::l3s_gn1());
    fs::create_dir_all(clone.join(".git")).unwrap();
    fs::write(clone.join("README"), "Not of the corpus.").unwrap();
    let mut manifest = manifest("l3s-gn1", "ours.tar.zst", Some(&sha256(b"an archive that nobody has")));
    let told = bench.refused(&manifest, &bench.options());
    assert!(told.contains("states no checksum of its pages") && told.contains("ours.tar.zst"), "{told}");
    manifest.parts[0].checksum = Some("0".repeat(64));
    let told = bench.refused(&manifest, &bench.options());
    assert!(
        told.contains("are not those of the manifest") && told.contains("written for the tests"),
        "{told}"
    );
    let found = told.split("their checksum is ").nth(1).unwrap()[..64].to_owned();
    manifest.parts[0].checksum = Some(found.clone());
    let report = bench.fetch(&manifest, &bench.options()).unwrap();
    assert_eq!((report.files, report.sha256, report.already_there), (corpora::l3s_gn1().len(), found, false));
    let again = bench.fetch(&manifest, &bench.options()).unwrap();
    assert!(again.already_there);
    let verified =
        dataset::verify(&manifest, &manifest.parts[0], bench.data.path(), &Silent, &AtomicBool::new(false));
    assert!(matches!(verified, Ok(Verified::Files { .. })), "{verified:?}");
    // Another page, and the folder is not the corpus any more.
    let page = fs::read_dir(clone.join("L3S/original")).unwrap().next().unwrap().unwrap().path();
    fs::write(page, "<p>Another").unwrap();
    let forced = FetchOptions { force: true, ..bench.options() };
    assert_eq!(bench.fetch(&manifest, &forced).unwrap_err().exit_code(), 3);
    assert!(bench.fetch(&manifest, &bench.options()).unwrap().already_there);
}

#[test]
fn the_stated_checksums_are_those_of_the_corpora() {
    for name in Manifest::names() {
        let manifest = Manifest::find(name).unwrap();
        for part in manifest.parts.iter().filter(|part| part.checksum.is_some()) {
            let label = manifest.label(part);
            let Some(data_dir) = crate::support::corpus(&label) else { return };
            let corpus = dataset::open(&label, &data_dir).unwrap();
            assert_eq!(Some(corpus.checksum().unwrap()), part.checksum, "{label}");
        }
    }
}
