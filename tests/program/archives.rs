//! Web archives as a user meets them: whole, cut, on standard input, in parts that a second run completes.

use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use duramen::dataset::synth::{self, SynthConfig};
use duramen::extract::render::CSV_COLUMNS;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use crate::command_line::Place;

/// The pages of the synthetic corpus as an archive, and the number of them.
fn archive(place: &Place) -> usize {
    place.ok(&["data", "warc", "synth", "--max-pages", "40", "-o", "crawl.warc.gz", "-q"]);
    40
}

fn lines(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn field<'a>(row: &'a serde_json::Value, name: &str) -> &'a str {
    row[name].as_str().unwrap_or_else(|| panic!("{name} in {row}"))
}

#[test]
fn pages_of_an_archive_are_extracted_as_files_are() {
    let place = Place::new();
    let n = archive(&place);
    let ended = place.run(&["extract", "--output-format", "jsonl", "crawl.warc.gz"]);
    let rows = lines(&ended.out);
    assert_eq!((ended.code, rows.len()), (0, n), "{}", ended.err);
    assert!(
        ended.err.contains("crawl.warc.gz: 40 pages, 0 failed; 1 other record (1 warcinfo)"),
        "{}",
        ended.err
    );
    let pages = synth::generate(&SynthConfig::default()).unwrap();
    for (row, page) in rows.iter().zip(&pages).take(5) {
        assert_eq!((field(row, "archive"), field(row, "url")), ("crawl.warc.gz", &*page.url));
        assert_eq!(field(row, "crawled"), "1970-01-01T00:00:00Z");
        assert!(field(row, "id").starts_with("urn:uuid:"));
        place.write("one.html", &page.original);
        assert_eq!(field(row, "text"), place.ok(&["extract", "one.html", "--page-url", &page.url]));
    }
    // Standard input, plain text, any number of threads.
    let bytes = std::fs::read(place.path("crawl.warc.gz")).unwrap();
    let piped = place.command(&["extract", "--output-format", "jsonl"]).write_stdin(bytes).output().unwrap();
    let piped = String::from_utf8(piped.stdout).unwrap();
    assert_eq!(piped.replace("standard input", "crawl.warc.gz"), ended.out);
    let one = place.ok(&["extract", "--output-format", "jsonl", "crawl.warc.gz", "--threads", "1"]);
    assert_eq!(one, ended.out);
    let text = place.ok(&["extract", "crawl.warc.gz"]);
    assert_eq!(text.matches("==> urn:uuid:").count(), n);
}

/// An archive that comes in small pieces with pauses, and lines that are taken late: both ends wait, and nothing is lost.
#[test]
fn pipes_may_be_slow() {
    let place = Place::new();
    archive(&place);
    let bytes = std::fs::read(place.path("crawl.warc.gz")).unwrap();
    let arguments = ["extract", "--output-format", "jsonl"];
    let at_once = place.command(&arguments).write_stdin(bytes.clone()).output().unwrap().stdout;
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_duramen"))
        .args(arguments)
        .current_dir(place.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let pause = || std::thread::sleep(Duration::from_millis(5));
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        for piece in bytes.chunks(1 + bytes.len() / 100) {
            input.write_all(piece).unwrap();
            pause();
        }
    });
    let mut output = child.stdout.take().unwrap();
    let mut slowly = Vec::new();
    let mut piece = vec![0; 1 + at_once.len() / 100];
    loop {
        pause();
        match output.read(&mut piece).unwrap() {
            0 => break,
            n => slowly.extend_from_slice(&piece[..n]),
        }
    }
    writer.join().unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!((slowly.len(), slowly == at_once), (at_once.len(), true));
    assert!(at_once.len() > 40 * 1024, "more than a pipe holds at once");
}

#[test]
fn a_table_has_the_rows_of_the_lines() {
    let place = Place::new();
    archive(&place);
    let rows = lines(&place.ok(&["extract", "--output-format", "jsonl", "crawl.warc.gz"]));
    place.ok(&["extract", "--output-format", "parquet", "-o", "crawl.parquet", "crawl.warc.gz", "-q"]);
    let table = SerializedFileReader::new(std::fs::File::open(place.path("crawl.parquet")).unwrap()).unwrap();
    // The columns of CSV, and two of the archive.
    let names = table.metadata().file_metadata().schema().get_fields().iter().map(|field| field.name());
    let names: Vec<&str> = names.filter(|name| !["archive", "crawled"].contains(name)).collect();
    assert_eq!(names, CSV_COLUMNS);
    let mut n = 0;
    for (row, line) in table.get_row_iter(None).unwrap().zip(&rows) {
        n += 1;
        for (name, value) in row.unwrap().get_column_iter() {
            match (value, name.strip_prefix("words_")) {
                (Field::Str(text), None) if name == "page_type" => {
                    assert!(line["page_type"][text].as_f64().unwrap() > 0.1);
                }
                (Field::Str(text), None) if name == "page_fault" => {
                    assert!(line["page_fault"][text].as_f64().unwrap() >= 0.5);
                }
                (Field::Null, None) if name == "page_fault" => {
                    let faults = line["page_fault"].as_object().into_iter().flatten();
                    assert!(faults.map(|(_, p)| p.as_f64().unwrap()).all(|p| p < 0.5), "{line}");
                }
                (Field::Str(text), None) => assert_eq!(text, field(line, name)),
                (Field::Double(number), None) => assert_eq!(Some(*number), line[name].as_f64()),
                (Field::Long(words), Some(label)) => {
                    assert_eq!(Some(*words), line["words"][label.replace('_', "-")].as_i64());
                }
                (Field::Long(number), None) => assert_eq!(Some(*number), line[name].as_i64()),
                (Field::Null, None) => assert!(line[name].is_null(), "{name}: {line}"),
                other => panic!("{name}: {other:?}"),
            }
        }
    }
    assert_eq!(n, rows.len());
    // Pages that are files are rows as well.
    place.ok(&["extract", "--output-format", "parquet", "-o", "page.parquet", "page.html"]);
    let table = SerializedFileReader::new(std::fs::File::open(place.path("page.parquet")).unwrap()).unwrap();
    assert_eq!(table.metadata().file_metadata().num_rows(), 1);
    let refused = place.run(&["extract", "--output-format", "parquet", "page.html"]);
    assert!(refused.code == 2 && refused.err.contains("add --output FILE"), "{refused}");
}

#[test]
fn damage_is_told_and_the_rest_extracted() {
    let place = Place::new();
    let n = archive(&place);
    let mut bytes = std::fs::read(place.path("crawl.warc.gz")).unwrap();
    let whole = bytes.len();
    bytes[whole / 2..whole / 2 + 20].fill(0);
    bytes.truncate(whole - 5);
    place.write("crawl.warc.gz", &bytes);
    let ended = place.run(&["extract", "--output-format", "jsonl", "crawl.warc.gz"]);
    assert_eq!(ended.code, 1);
    assert!(lines(&ended.out).len() >= n - 3, "{}", ended.err);
    assert!(ended.err.contains(", the records there are lost"), "{}", ended.err);
    assert!(ended.err.contains("crawl.warc.gz: byte "), "{}", ended.err);
    // An empty page is one of its own, and stops nothing.
    let mut file = std::fs::File::create(place.path("odd.warc")).unwrap();
    for body in ["", "<p>", "<p>The oldest oak of the village fell in the night, and nobody was hurt."] {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
        write!(
            file,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{}>\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            body.len(),
            block.len()
        )
        .unwrap();
    }
    let ended = place.run(&["extract", "--output-format", "jsonl", "odd.warc"]);
    let statuses: Vec<String> = lines(&ended.out).iter().map(|row| field(row, "status").to_owned()).collect();
    assert_eq!((ended.code, &statuses[..2]), (1, &["empty".to_owned(), "empty".to_owned()][..]));
    assert_eq!(statuses.len(), 3);
}

#[test]
fn a_run_that_was_cut_off_goes_on_and_nothing_is_lost_or_doubled() {
    let place = Place::new();
    archive(&place);
    // Batches of 256 records would make one part of a small archive.
    let many: Vec<u8> = std::fs::read(place.path("crawl.warc.gz")).unwrap().repeat(20);
    place.write("crawl.warc.gz", &many);
    let arguments = |folder| {
        [
            "extract",
            "--output-format",
            "jsonl",
            "-d",
            folder,
            "--part-pages",
            "100",
            "--skip-existing",
            "crawl.warc.gz",
            "-q",
        ]
    };
    place.ok(&arguments("whole"));
    let parts = |folder: &str| -> Vec<(String, String)> {
        let folder = place.path(folder).join("crawl");
        let mut files: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        files.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
    };
    let whole = parts("whole");
    assert_eq!(whole.len(), 5, "a journal and four parts");
    let text: String =
        whole.iter().filter(|(name, _)| name.starts_with("part")).map(|(_, text)| &**text).collect();
    assert_eq!(text, place.ok(&["extract", "--output-format", "jsonl", "crawl.warc.gz", "-q"]));
    // A journal that was cut off anywhere, with a part that it does not name.
    let journal = &whole[0].1;
    for cut in [0, 10, journal.find('\n').unwrap() + 1, journal.len() / 2, journal.len() - 1, journal.len()] {
        for (name, text) in &whole {
            let text = if name == "journal.jsonl" { &text[..cut] } else { text };
            place.write(&format!("cut/crawl/{name}"), text);
        }
        place.ok(&arguments("cut"));
        assert!(parts("cut") == whole, "journal cut at {cut}");
    }
    // The number of pages of a part is one of the options; left out it is the same as 10000.
    let of = |folder, rest: &[&str]| {
        let all = ["extract", "--json", "-q", "-d", folder, "--skip-existing", "crawl.warc.gz"];
        place.run(&[&all[..], rest].concat()).code
    };
    assert_eq!(of("default", &[]), 0);
    assert_eq!(of("default", &["--part-pages", "10000"]), 0);
    assert_eq!(of("default", &["--part-pages", "100"]), 2);
    // Other options, or another archive.
    let mut other = arguments("whole").to_vec();
    other.extend(["--labels", "full-text"]);
    let refused = place.run(&other);
    assert!(refused.code == 2 && refused.err.contains("with other options"), "{refused}");
    place.write("crawl.warc.gz", &many[..many.len() / 2]);
    assert_eq!(place.run(&arguments("whole")).code, 2);
    // Without --skip-existing it begins again.
    let again = arguments("whole");
    let again: Vec<&str> = again.into_iter().filter(|argument| *argument != "--skip-existing").collect();
    place.run(&again);
    assert!(parts("whole").len() < whole.len());
}

#[test]
fn options_without_effect_on_archives_are_refused() {
    let place = Place::new();
    archive(&place);
    for (arguments, expected) in [
        (&["crawl.warc.gz", "page.html"][..], "extract pages and archives in two runs"),
        (&["crawl.warc.gz", "--page-url", "https://a.example/"], "--page-url has no effect on a web archive"),
        (&["crawl.warc.gz", "--extractor", "forest"], "reads whole sites"),
        (&["crawl.warc.gz", "--output-format", "html"], "several pages cannot be one HTML document"),
        (
            &["crawl.warc.gz", "--output-format", "parquet", "-o", "a.parquet", "--nodes"],
            "--nodes has no effect",
        ),
        (&["crawl.warc.gz", "-o", "crawl.warc.gz"], "this is the archive itself"),
        (&["crawl.warc.gz", "--part-pages", "5"], "--part-pages has no effect"),
        (&["page.html", "--part-pages", "5", "-d", "texts"], "--part-pages has no effect"),
    ] {
        let refused = place.run(&[&["extract"][..], arguments].concat());
        assert!(refused.code == 2 && refused.err.contains(expected), "{arguments:?}: {refused}");
    }
}

#[test]
fn an_archive_that_cannot_be_opened_does_not_stop_the_others() {
    let place = Place::new();
    let n = archive(&place);
    std::fs::copy(place.path("crawl.warc.gz"), place.path("second.warc.gz")).unwrap();
    std::fs::create_dir(place.path("folder.warc")).unwrap();
    // The dictionary states more bytes than are there.
    place.write("cut.warc.zst", b"\x5d\x2a\x4d\x18\xff\0\0\0some bytes");
    let archives = ["crawl.warc.gz", "nowhere.warc.gz", "folder.warc", "cut.warc.zst", "second.warc.gz"];
    let run = |options: &[&str], archives: &[&str]| {
        let ended = place.run(&[&["extract"][..], options, archives].concat());
        (ended.code, ended.out, ended.err)
    };
    let expected: String = ["crawl.warc.gz", "second.warc.gz"]
        .map(|archive| place.ok(&["extract", "--output-format", "jsonl", archive, "-q"]))
        .concat();
    let (code, _, told) = run(&["--output-format", "jsonl", "-o", "all.jsonl", "-q"], &archives);
    assert_eq!((code, std::fs::read_to_string(place.path("all.jsonl")).unwrap()), (1, expected), "{told}");
    for problem in [
        "error: nowhere.warc.gz: there is no such file",
        "error: folder.warc: is a folder; read it with --input-dir",
        "error: cut.warc.zst: the zstd dictionary at the beginning is cut; fetch the archive again",
    ] {
        assert!(told.contains(problem), "{problem}: {told}");
    }
    let (code, _, told) = run(&["--output-format", "parquet", "-o", "all.parquet"], &archives);
    let table = SerializedFileReader::new(std::fs::File::open(place.path("all.parquet")).unwrap()).unwrap();
    assert_eq!((code, table.metadata().file_metadata().num_rows()), (1, 2 * n as i64), "{told}");
    let (code, out, _) = run(&["--json"], &archives);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&out).unwrap();
    assert_eq!((code, rows.len()), (1, 2 * n));
    // Where none can be opened, what was there before stays.
    for (format, output) in [("jsonl", "all.jsonl"), ("parquet", "all.parquet"), ("csv", "new.csv")] {
        let before = std::fs::read(place.path(output)).ok();
        let (code, out, told) = run(&["--output-format", format, "-o", output], &archives[1..4]);
        assert!(code == 1 && out.is_empty() && told.contains("error: no archive could be read"), "{told}");
        assert_eq!(std::fs::read(place.path(output)).ok(), before, "{output}");
    }
    // Parts: the others are whole, and a second run adds what can be opened then.
    let options = ["--output-format", "jsonl", "-d", "parts", "--skip-existing"];
    let (code, _, told) = run(&options, &archives);
    assert!(code == 1 && told.contains("error: nowhere.warc.gz: there is no such file"), "{told}");
    let names = || {
        let entries = std::fs::read_dir(place.path("parts")).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["crawl", "second"]);
    let part =
        |name: &str| std::fs::read_to_string(place.path(&format!("parts/{name}/part-00000.jsonl"))).unwrap();
    let crawl = part("crawl");
    std::fs::rename(place.path("second.warc.gz"), place.path("nowhere.warc.gz")).unwrap();
    let (code, _, told) = run(&options, &archives);
    assert!(code == 1 && told.contains("error: second.warc.gz: there is no such file"), "{told}");
    assert_eq!(names(), ["crawl", "nowhere", "second"]);
    assert_eq!(part("crawl"), crawl);
    assert_eq!(part("nowhere").replace("nowhere.warc.gz", "crawl.warc.gz"), crawl);
    let (code, _, told) = run(&options, &["nowhere.warc.gz", "crawl.warc.gz"]);
    assert_eq!(code, 0, "{told}");
    // One that is another archive now keeps its parts, and the next is extracted all the same.
    let mut other = std::fs::read(place.path("crawl.warc.gz")).unwrap();
    other.extend_from_within(..);
    std::fs::write(place.path("nowhere.warc.gz"), other).unwrap();
    std::fs::remove_dir_all(place.path("parts/crawl")).unwrap();
    let nowhere = part("nowhere");
    let (code, _, told) = run(&options, &["nowhere.warc.gz", "crawl.warc.gz"]);
    assert!(code == 1 && told.contains("nowhere was made from another archive"), "{told}");
    assert_eq!((part("nowhere"), part("crawl")), (nowhere, crawl));
}
