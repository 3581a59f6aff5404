//! A full disk, a folder that cannot be written, files that vanish, and names of any bytes: an error that names the file, and the other
//! pages go on.
#![cfg(unix)]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use crate::command_line::Place;

/// The files of a folder, by name.
fn names(place: &Place, folder: &str) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(place.path(folder)).unwrap();
    let mut names: Vec<Vec<u8>> =
        entries.map(|entry| entry.unwrap().file_name().as_bytes().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_full_disk_is_told_with_the_file_and_what_was_finished_stays() {
    let place = Place::with_pages(10);
    let ended = place.run(&["extract", "page.html", "-o", "/dev/full"]);
    assert_eq!(ended.code, 3, "{ended}");
    assert!(ended.err.contains("/dev/full: the disk is full"), "{ended}");

    // As on a disk on which 2 kB are left: no file may be larger.
    let limited = |arguments: &str| {
        let script = format!("trap '' XFSZ; ulimit -f 4; exec {} {arguments}", env!("CARGO_BIN_EXE_duramen"));
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(place.folder.path()).stdin(Stdio::null());
        let ended = command.output().unwrap();
        (ended.status.code(), String::from_utf8(ended.stderr).unwrap())
    };
    let extract = "extract --input-dir pages --json -d";
    let (code, said) = limited(&format!("{extract} limited"));
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("limited/"), "{said}");
    // What is there is whole, and the next run goes on to the same files.
    place.ok(&format!("{extract} whole").split(' ').collect::<Vec<_>>());
    for name in names(&place, "limited").iter().filter(|name| name.ends_with(b".json")) {
        let file = |folder: &str| std::fs::read(place.path(folder).join(OsStr::from_bytes(name))).unwrap();
        assert!(file("limited") == file("whole"), "{name:?}");
    }
    place.ok(&format!("{extract} limited --skip-existing").split(' ').collect::<Vec<_>>());
    assert_eq!(names(&place, "limited"), names(&place, "whole"));
    assert!(place.read("limited/pages.csv") == place.read("whole/pages.csv"));
}

#[test]
fn what_cannot_be_written_is_named_before_any_work() {
    let place = Place::new();
    place.write("file", "text");
    for (arguments, named) in [
        (&["extract", "page.html", "-o", "file/text"][..], "file/text"),
        (&["extract", "page.html", "-d", "file"], "file"),
        (&["extract", "page.html", "-d", "/proc/duramen"], "/proc/duramen"),
        (&["sample", "page.html", "-o", "/proc/duramen"], "/proc/duramen"),
        (&["train", "--dataset", "synth", "-o", "/proc/duramen/model.json"], "/proc/duramen/model.json"),
        (&["data", "synth", "-o", "/proc/duramen"], "/proc/duramen"),
    ] {
        let ended = place.run(arguments);
        assert!([2, 3].contains(&ended.code), "{arguments:?}: {ended}");
        assert!(ended.err.contains(named), "{arguments:?}: {ended}");
        assert_eq!(place.read("file"), "text");
    }
}

#[test]
fn a_page_that_has_vanished_does_not_stop_the_others() {
    let place = Place::with_pages(2);
    std::os::unix::fs::symlink(place.path("gone"), place.path("pages/gone.html")).unwrap();
    let ended = place.run(&["extract", "--input-dir", "pages", "-d", "out"]);
    assert_eq!(ended.code, 1, "{ended}");
    assert!(
        ended.err.contains("gone.html: ") && ended.err.contains("8 written, 0 skipped, 1 failed"),
        "{ended}"
    );
    assert!(place.read("out/pages.csv").contains("gone.html,error,"));
}

#[test]
fn names_may_hold_any_bytes() {
    let place = Place::new();
    let page = place.read("page.html");
    std::fs::create_dir(place.path("pages")).unwrap();
    for name in [
        &b"latin-\xe9.html"[..],
        b"two\nlines.html",
        b"quote\".html",
        b" blank .html",
        b"-o.html",
        b"a,b;c.html",
    ] {
        std::fs::write(place.path("pages").join(OsStr::from_bytes(name)), &page).unwrap();
    }
    let ended = place.run(&["extract", "--input-dir", "pages", "-d", "out"]);
    assert_eq!(ended.code, 0, "{ended}");
    assert!(ended.err.contains("6 pages, 6 written"), "{ended}");
    assert_eq!(names(&place, "out").iter().filter(|name| name.ends_with(b".txt")).count(), 6);
    let table = place.read("out/pages.csv");
    let rows: Vec<csv::StringRecord> =
        csv::Reader::from_reader(table.as_bytes()).into_records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6);
    assert!(rows.iter().any(|row| row[0].contains("two\nlines.html")), "{table}");
    // They go on like others.
    let again = place.run(&["extract", "--input-dir", "pages", "-d", "out", "--skip-existing"]);
    assert!(again.err.contains("6 pages, 0 written, 6 skipped"), "{again}");
    assert_eq!(place.read("out/pages.csv"), table);
}
