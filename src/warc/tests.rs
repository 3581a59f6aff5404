//! Archives of made records: packed in every way, cut anywhere, damaged anywhere.

use std::io::{Cursor, Write};

use super::*;
use crate::error::PageProblem;

const MOST: u64 = 1 << 20;

/// A record around a block.
fn record(kind: &str, n: usize, content_type: &str, block: &[u8]) -> Vec<u8> {
    let mut record = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{n}>\r\nWARC-Date: 2026-01-0{n}T00:00:00Z\r\n\
         WARC-Target-URI: https://wood.example/{n}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    )
    .into_bytes();
    record.extend(block);
    record.extend(b"\r\n\r\n");
    record
}

/// What a server answers.
fn response(n: usize, status: u16, header: &str, body: &[u8]) -> Vec<u8> {
    let mut block = format!("HTTP/1.1 {status} X\r\n{header}\r\n").into_bytes();
    block.extend(body);
    record("response", n, "application/http; msgtype=response", &block)
}

fn html(n: usize) -> String {
    format!("<title>Oak {n}</title><p>{}", "The oak fell in the night. ".repeat(20 * n))
}

/// A head, and pages with something between them.
fn archive() -> Vec<Vec<u8>> {
    let page = |n| response(n, 200, "Content-Type: text/html; charset=\"utf-8\"\r\n", html(n).as_bytes());
    vec![
        record("warcinfo", 0, "application/warc-fields", b"software: duramen\r\n"),
        page(1),
        page(2),
        page(3),
    ]
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &*bytes, &mut packed, &Default::default()).unwrap();
    packed
}

/// A skippable frame of zstd.
fn skippable(magic: u8, bytes: &[u8]) -> Vec<u8> {
    [&[magic, 0x2a, 0x4d, 0x18][..], &(bytes.len() as u32).to_le_bytes(), bytes].concat()
}

fn zstd_frame(bytes: &[u8], dictionary: &[u8]) -> Vec<u8> {
    zstd::bulk::Compressor::with_dictionary(3, dictionary).unwrap().compress(bytes).unwrap()
}

fn read(archive: &[u8]) -> Vec<Result<RawRecord, Damage>> {
    // A reader that does not end fails here.
    WarcReader::new(Cursor::new(archive), MOST).unwrap().take(100).collect()
}

/// The ids of records that are pages.
fn pages(items: &[Result<RawRecord, Damage>]) -> Vec<String> {
    let pages = items.iter().flatten().filter_map(|record| record.clone().page(1 << 20).ok());
    pages.map(|page| page.record_id).collect()
}

#[test]
fn an_archive_is_the_same_however_it_is_packed() {
    let records = archive();
    let plain = records.concat();
    let dictionary: Vec<u8> = html(3).into_bytes();
    let of_frames = |dictionary: &[u8]| -> Vec<u8> {
        records.iter().flat_map(|record| zstd_frame(record, dictionary)).collect()
    };
    let packed = [
        ("gzip, a member each", records.iter().flat_map(|record| gzip(record)).collect()),
        ("gzip, one member", gzip(&plain)),
        ("zstd", of_frames(&[])),
        ("zstd, one frame", zstd_frame(&plain, &[])),
        ("zstd, a dictionary", [skippable(0x5d, &dictionary), of_frames(&dictionary)].concat()),
        ("zstd, a packed dictionary", {
            [skippable(0x5d, &zstd_frame(&dictionary, &[])), of_frames(&dictionary)].concat()
        }),
        ("zstd, something else first", [skippable(0x50, b"hello"), of_frames(&[])].concat()),
    ];
    let expected = read(&plain);
    let mut offset = 0;
    for (record, item) in records.iter().zip(&expected) {
        let item = item.as_ref().unwrap();
        assert_eq!((item.offset, &item.bytes[..]), (offset, &record[..record.len() - 4]));
        offset += record.len() as u64;
    }
    assert_eq!(expected.len(), records.len());
    let bytes = |items: Vec<Result<RawRecord, Damage>>| -> Vec<Vec<u8>> {
        items.into_iter().map(|item| item.unwrap().bytes).collect()
    };
    let expected = bytes(expected);
    for (name, archive) in packed {
        assert_eq!(bytes(read(&archive)), expected, "{name}");
    }
    assert_eq!(read(b""), []);
    assert_eq!(read(b"\r\n\r\n"), []);
}

#[test]
fn ranges_that_follow_each_other_share_an_archive_wherever_they_part() {
    let records = archive();
    let dictionary = html(3).into_bytes();
    let frames: Vec<u8> = records.iter().flat_map(|record| zstd_frame(record, &dictionary)).collect();
    let archives = [
        records.concat(),
        records.iter().flat_map(|record| gzip(record)).collect(),
        gzip(&records.concat()),
        [skippable(0x5d, &dictionary), frames].concat(),
    ];
    for archive in archives {
        let whole = read(&archive);
        let end = archive.len() as u64;
        for part in 0..=end {
            let of = |range| WarcReader::in_range(Cursor::new(&archive), MOST, range).unwrap();
            let shared: Vec<_> = of(0..part).chain(of(part..end)).collect();
            assert_eq!(shared, whole, "parted at {part} of {end}");
        }
    }
}

#[test]
fn a_cut_is_told_wherever_it_is() {
    let records = archive();
    let members: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    for parts in [records, members] {
        let whole = parts.concat();
        let ends: Vec<usize> = parts
            .iter()
            .scan(0, |sum, part| {
                *sum += part.len();
                Some(*sum)
            })
            .collect();
        for cut in 0..whole.len() {
            let items = read(&whole[..cut]);
            let there = ends.iter().filter(|&&end| end <= cut).count();
            let records = items.iter().filter(|item| item.is_ok()).count();
            // Without its last empty lines, or its checksum, a record is still whole.
            assert!(records == there || records == there + 1, "cut at {cut}: {items:?}");
            let is_told = items.iter().any(Result::is_err);
            assert!(is_told || records > there || ends.contains(&cut) || cut == 0, "cut at {cut}");
        }
    }
}

#[test]
fn a_record_that_fails_its_members_checksum_is_not_given() {
    let members: Vec<Vec<u8>> = archive().iter().map(|record| gzip(record)).collect();
    let whole = read(&members.concat());
    let originals: Vec<&[u8]> = whole.iter().map(|item| &*item.as_ref().unwrap().bytes).collect();
    let start = members[0].len() + members[1].len();
    // Behind the ten bytes of the member's header, which say nothing of its content.
    for at in start + 10..start + members[2].len() {
        let mut archive = members.concat();
        archive[at] ^= 0x55;
        let items = read(&archive);
        assert!(items.iter().any(Result::is_err), "changed at {at}");
        for record in items.iter().flatten() {
            assert!(originals.contains(&&*record.bytes), "changed at {at}");
        }
        let last = items.iter().flatten().last().unwrap();
        assert_eq!(last.bytes, originals[3], "changed at {at}: reading goes on");
    }
}

#[test]
fn a_dictionary_that_is_cut_or_damaged_is_an_error_at_the_start() {
    let problem = |archive: &[u8]| WarcReader::new(Cursor::new(archive.to_vec()), MOST).err().unwrap();
    let dictionary = html(3).into_bytes();
    let plain = skippable(0x5d, &dictionary);
    let packed = skippable(0x5d, &zstd_frame(&dictionary, &[]));
    for whole in [&plain, &packed] {
        for cut in [4, 7, 9, whole.len() - 1] {
            let problem = problem(&whole[..cut]).to_string();
            let expected = "the zstd dictionary at the beginning is cut; fetch the archive again";
            assert_eq!(problem, expected, "cut at {cut}");
        }
        assert!(WarcReader::new(Cursor::new(whole), MOST).is_ok());
    }
    let short = skippable(0x5d, &zstd_frame(&dictionary, &[])[..40]);
    assert!(problem(&short).to_string().contains("cannot be unpacked"), "{}", problem(&short));
    let large = [&b"\x5d\x2a\x4d\x18"[..], &u32::MAX.to_le_bytes()].concat();
    assert!(problem(&large).to_string().contains("4294967295 bytes"), "{}", problem(&large));
}

#[test]
fn reading_goes_on_behind_damage() {
    let records = archive();
    let members: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    let frames: Vec<Vec<u8>> = records.iter().map(|record| zstd_frame(record, &[])).collect();
    for (parts, damaged_at) in [(members, 40), (frames, 10)] {
        let mut parts = parts;
        parts[2].iter_mut().skip(damaged_at).take(8).for_each(|byte| *byte ^= 0xff);
        let items = read(&parts.concat());
        let of_others = ["urn:uuid:1", "urn:uuid:3"];
        assert!(pages(&items).iter().filter(|id| *id != "urn:uuid:2").eq(&of_others), "{items:?}");
        let damage: Vec<&Damage> = items.iter().filter_map(|item| item.as_ref().err()).collect();
        assert_eq!(damage[0].offset, (parts[0].len() + parts[1].len()) as u64, "{damage:?}");
    }
    // Something else between the members, and between the records.
    let between = [&gzip(&records[1])[..], b"what is this?", &gzip(&records[2])].concat();
    let items = read(&between);
    assert_eq!(pages(&items), ["urn:uuid:1", "urn:uuid:2"]);
    assert_eq!(items.iter().filter(|item| item.is_err()).count(), 1);
    for garbage in
        [&b"what is this?\r\n"[..], b"what is this?", b"WARC/1.1\r\nWARC-Type: response\r\n\r\n\r\n"]
    {
        let items = read(&[&records[1], garbage, &b"\r\n"[..], &records[2]].concat());
        assert_eq!(pages(&items), ["urn:uuid:1", "urn:uuid:2"], "{items:?}");
        let damage: Vec<u64> = items.iter().filter_map(|item| Some(item.as_ref().err()?.offset)).collect();
        assert_eq!(damage, [records[1].len() as u64]);
    }
    // No archive at all.
    let items = read(b"<p>Hello");
    assert_eq!(items, [Err(Damage { offset: 0, problem: "no record begins here".to_owned() })]);
}

#[test]
fn bodies_come_as_the_server_meant_them() {
    let body = html(1).into_bytes();
    let chunked: Vec<u8> = {
        let chunks = body.chunks(100);
        let chunk = |chunk: &[u8]| [format!("{:x}\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat();
        chunks.flat_map(chunk).chain(*b"0\r\n\r\n").collect()
    };
    let type_of = "Content-Type: Text/HTML; charset=windows-1252\r\n";
    for (name, header, sent) in [
        ("plain", "", body.clone()),
        ("chunked", "Transfer-Encoding: chunked\r\n", chunked),
        ("gzip", "Content-Encoding: gzip\r\n", gzip(&body)),
        ("brotli", "Content-Encoding: br\r\n", brotli(&body)),
    ] {
        let items = read(&response(1, 200, &format!("{type_of}{header}"), &sent));
        let page = items[0].clone().unwrap().page(1 << 20).unwrap();
        assert_eq!(page.body, Ok(body.clone()), "{name}");
        assert_eq!(page.charset.as_deref(), Some("windows-1252"));
        assert_eq!(page.url.as_deref(), Some("https://wood.example/1"));
        assert_eq!(page.date.as_deref(), Some("2026-01-01T00:00:00Z"));
    }
    // A body that cannot be decoded is the page's own problem.
    let items = read(&response(1, 200, &format!("{type_of}Content-Encoding: gzip\r\n"), b"not gzip"));
    let page = items[0].clone().unwrap().page(1 << 20).unwrap();
    assert!(
        matches!(page.body, Err(PageProblem::Failed(ref problem)) if problem.contains("decoded")),
        "{page:?}"
    );
    // A resource is a page without a header of HTTP.
    let items = read(&record("resource", 1, "text/html", &body));
    assert_eq!(items[0].clone().unwrap().page(1 << 20).unwrap().body, Ok(body));
}

#[test]
fn what_is_no_page_says_why() {
    let of_type = |name: &str| response(1, 200, &format!("Content-Type: {name}\r\n"), b"x");
    for (record, expected) in [
        (record("request", 1, "application/http; msgtype=request", b"GET / HTTP/1.1\r\n\r\n"), "request"),
        (record("warcinfo", 1, "application/warc-fields", b"a: b\r\n"), "warcinfo"),
        (response(1, 404, "Content-Type: text/html\r\n", b"gone"), "HTTP status 404"),
        (response(1, 301, "", b""), "HTTP status 301"),
        (of_type("image/png"), "image/png"),
        (of_type("Application/JSON; charset=utf-8"), "application/json"),
    ] {
        let items = read(&record);
        assert_eq!(items[0].clone().unwrap().page(1 << 20).unwrap_err().to_string(), expected);
    }
}

#[test]
fn large_records_and_bodies_do_not_fill_the_memory() {
    let body = vec![b'a'; 3 << 20];
    let large = response(1, 200, "Content-Type: text/html\r\n", &body);
    let items = read(&[large, archive()[1].clone()].concat());
    let first = items[0].clone().unwrap();
    assert!(first.is_too_large && first.bytes.len() < 1000);
    let page = first.page(1 << 20).unwrap();
    assert!(matches!(page.body, Err(PageProblem::TooLarge { limit: 1_048_576, .. })), "{page:?}");
    assert_eq!(pages(&items[1..]), ["urn:uuid:1"]);
    // Three megabytes in three kilobytes.
    let items =
        read(&response(1, 200, "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", &gzip(&body)));
    let page = items[0].clone().unwrap().page(1 << 20).unwrap();
    assert_eq!(page.body.unwrap().len(), (1 << 20) + 1);
}
