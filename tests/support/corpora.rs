//! Small corpora of our own in every layout, as paths with bytes.

use std::collections::BTreeMap;
use std::io::Write;

/// Files by their path.
pub type Files = BTreeMap<String, Vec<u8>>;

fn files<const N: usize>(files: [(&str, &[u8]); N]) -> Files {
    files.into_iter().map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Two pages in the layout of L3S-GN1; the index knows one of them.
pub fn l3s_gn1() -> Files {
    files([
        ("L3S/original/a-1.html", b"<html><p>Caf\xe9</html>"),
        ("L3S/annotated/a-1.html", b"<html><p><span class=x-nc-sel2>Caf?</span></html>"),
        ("L3S/original/b-2.html", b"<html><p>Other</html>"),
        ("L3S/annotated/b-2.html", b"<html><p>Other</html>"),
        ("L3S/url-mapping.txt", b"<urn:uuid:a-1>\thttp://news.example.co.uk:80/a?b=c\n"),
    ])
}

/// Three pages in the layout of WCXB: whole; gzipped without URL or main content; without gold.
pub fn wcxb() -> Files {
    files([
        ("repository/all/html/0001.html", b"<p>One"),
        ("repository/all/html/0002.html.gz", &gzip(b"<link rel=canonical href='https://b.org/x'><p>Two")),
        ("repository/all/html/0003.html", b"<p>Three"),
        (
            "repository/all/ground-truth/0001.json",
            br#"{"url": "https://www.a.org/1", "_internal": {"page_type": {"primary": "forum", "tags": []}},
                "ground_truth": {"title": "T", "author": null, "publish_date": "2026-01-02", "main_content": "One",
                "with": ["On"], "without": ["Menu"]}}"#,
        ),
        ("repository/all/ground-truth/0002.json", br#"{"url": "", "ground_truth": {"title": "U"}}"#),
    ])
}

/// Two pages in the layout of CleanEval, the second without gold.
pub fn cleaneval() -> Files {
    files([
        (
            "set/input/1.html",
            b"<text id=\"http://www.example.org/1\" encoding=\"unset\">\n<html><p>Na\xefve\n</text>\n",
        ),
        ("set/GoldStandard/1.txt", b"URL: http://www.example.org/1\r\n\r\n <h> Title\r\n<p>Na\xefve\r\n"),
        ("set/input/2.html", b"<text id=\"http://www.example.org/2\">\n<html>\n</text>\n"),
    ])
}

/// The same in the folder of a part.
pub fn cleaneval_part(part: &str) -> Files {
    cleaneval().into_iter().map(|(path, bytes)| (path.replacen("set", part, 1), bytes)).collect()
}

/// Two pages in the layout of Big9: one from the archive, one that names itself.
pub fn big9() -> Files {
    files([
        (
            "big9/big5-05/html/story (1).htm",
            b"<input id=\"wmtbURL\" value=\"http://www.example.com:80/story.html\"><p>Text",
        ),
        ("big9/big5-05/gold/story (1).txt", b"Text"),
        (
            "big9/big5-17/html/story (1).html",
            b"<link rel=\"canonical\" href=\"/web/20170105063822/https://news.example.net/a\"><p>Text",
        ),
        ("big9/big5-17/gold/story (1).txt", b"\xef\xbb\xbfText\n"),
    ])
}

/// One page in the layout of the Article Extraction Benchmark, in the folder of a packed repository.
pub fn article_extraction_benchmark() -> Files {
    files([
        ("article-extraction-benchmark-1.0/html/0af.html.gz", &gzip(b"<p>Body")),
        (
            "article-extraction-benchmark-1.0/ground-truth.json",
            br#"{"0af": {"articleBody": "Body", "url": "https://www.example.org/a"}}"#,
        ),
    ])
}
