//! Any program is an extractor, and whatever it does, each page gets its text or a named problem, and soon.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use duramen::Label;
use duramen::dom::Limits;
use duramen::error::PageProblem;
use duramen::extract::registry::{self, Parameters};
use duramen::extract::{ExtractError, Extraction, Extractor};
use duramen::page::{Page, Source};

/// A folder with a program in it, deleted at the end of the test.
struct Script {
    folder: tempfile::TempDir,
}

impl Script {
    /// A program for `sh`; `$DIR` is the folder.
    fn new(body: &str) -> Script {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("DIR='{}'\n{body}\n", folder.path().display());
        std::fs::write(folder.path().join("program.sh"), text).unwrap();
        Script { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn extractor(&self, more: &str) -> Box<dyn Extractor> {
        build(&format!("sh '{}'", self.path("program.sh").display()), more).unwrap()
    }
}

fn build(program: &str, more: &str) -> duramen::Result<Box<dyn Extractor>> {
    let mut parameters: Parameters = more.parse().unwrap();
    parameters.insert("program".to_owned(), program.into());
    registry::build("command", &parameters)
}

fn page_of(id: &str, bytes: &[u8]) -> Page {
    let page = Page::parse(id, None, bytes, None, &Limits::default()).unwrap();
    page.with_source(Source { bytes: bytes.to_vec(), http_charset: None })
}

fn page(html: &str) -> Page {
    page_of("page", html.as_bytes())
}

fn extract(extractor: &dyn Extractor, page: Page) -> Result<Extraction, ExtractError> {
    extractor.extract_site(&[&page]).pop().unwrap()
}

fn extract_all(extractor: &dyn Extractor, pages: &[Page]) -> Vec<Result<Extraction, ExtractError>> {
    extractor.extract_site(&pages.iter().collect::<Vec<_>>())
}

fn text(extractor: &dyn Extractor, html: &str) -> String {
    extract(extractor, page(html)).unwrap().text.unwrap()
}

fn problem(extractor: &dyn Extractor, html: &str) -> String {
    match extract(extractor, page(html)) {
        Err(ExtractError::Page(problem)) => problem.to_string(),
        other => panic!("{other:?}"),
    }
}

/// Numbered pages, and what a program makes of them.
fn pages(n: usize, html: impl Fn(usize) -> String) -> Vec<Page> {
    (0..n).map(|i| page_of(&format!("page {i}"), html(i).as_bytes())).collect()
}

fn texts(results: Vec<Result<Extraction, ExtractError>>) -> Vec<Result<String, String>> {
    results.into_iter().map(|r| r.map(|e| e.text.unwrap()).map_err(|e| e.to_string())).collect()
}

/// A worker that gives every page back as it is.
const ECHO: &str = r#"printf '%s\n' "$line" | sed 's/"html":/"text":/'"#;

fn loop_of(body: &str) -> String {
    format!("while IFS= read -r line; do\n{body}\ndone")
}

/// A program of `files` that gives every page back as it is.
const ECHO_FILE: &str = r#"printf '{"path":"%s","text":"%s"}\n' "$line" "$(cat "$line")""#;

#[test]
fn the_text_is_what_the_program_wrote_and_labels_are_where_it_stands() {
    let script = Script::new("cat > /dev/null; printf 'Old oak falls\\nIt fell last night.\\n'");
    let page = page("<nav>Home</nav><h1>Old oak falls</h1><p>It fell <b>last night.</b></p><footer>Print");
    let dom = page.dom().clone();
    let extraction = extract(&*script.extractor(""), page).unwrap();
    assert_eq!(extraction.text.as_deref(), Some("Old oak falls\nIt fell last night.\n"));
    let kept: Vec<&str> = dom
        .shown_texts()
        .filter(|&id| extraction.labels[id] == Label::FullText)
        .map(|id| dom.text(id))
        .collect();
    assert_eq!(kept, ["Old oak falls", "It fell ", "last night."]);
    assert_eq!(extraction.labels.len(), dom.len());
}

#[test]
fn the_page_is_given_in_utf_8_or_as_it_came() {
    let latin1 = b"<meta charset=iso-8859-1><p>caf\xe9 au lait";
    let decoded = build("cat", "").unwrap();
    let extraction = extract(&*decoded, page_of("page", latin1)).unwrap();
    assert_eq!(extraction.text.as_deref(), Some("<meta charset=iso-8859-1><p>caf\u{e9} au lait"));
    let original = build("cat", "encoding = 'original'").unwrap();
    let Err(ExtractError::Page(problem)) = extract(&*original, page_of("page", latin1)) else { panic!() };
    assert_eq!(problem.to_string(), "the program's output is not UTF-8");
    let count = build("wc -c", "encoding = 'original'").unwrap();
    let count = extract(&*count, page_of("page", latin1)).unwrap().text.unwrap();
    assert_eq!(count.trim(), latin1.len().to_string());
    let json = build("cat", "encoding = 'original'\ninput = 'json-lines'").err().unwrap().to_string();
    assert!(json.contains("cannot be \"original\" with input \"json-lines\""), "{json}");
}

#[test]
fn a_program_that_fails_is_named_by_its_status_and_last_words() {
    let script = Script::new("cat > /dev/null; echo first >&2; echo 'no such thing' >&2; echo >&2; exit 3");
    assert_eq!(problem(&*script.extractor(""), "x"), "the program ended with exit status: 3: no such thing");
    let script = Script::new("kill -9 $$");
    let killed = problem(&*script.extractor(""), "x");
    assert!(killed.starts_with("the program ended with signal: 9"), "{killed}");
}

#[test]
fn last_words_are_short_and_command_no_terminal() {
    let script = Script::new("cat > /dev/null; printf '\\033[31m%10000s' wrong | tr ' ' x >&2; exit 1");
    let problem = problem(&*script.extractor(""), "x");
    assert!(problem.chars().count() < 400 && !problem.contains('\u{1b}'), "{problem}");
}

#[test]
fn a_program_that_takes_too_long_is_killed_with_all_that_it_started() {
    for input in ["html", "files", "json-lines"] {
        let script = Script::new("(sleep 2; echo alive > \"$DIR/alive\") & sleep 60");
        let start = Instant::now();
        let extractor = script.extractor(&format!("timeout = 0.5\ninput = '{input}'"));
        let result = extract(&*extractor, page("x"));
        assert_eq!(result, Err(ExtractError::Page(PageProblem::Timeout { seconds: 1 })), "{input}");
        assert!(start.elapsed() < Duration::from_secs(2), "{input}: {:?}", start.elapsed());
        std::thread::sleep(Duration::from_secs(3));
        assert!(!script.path("alive").exists(), "{input}: what the program started lives on");
    }
}

#[test]
fn a_program_may_write_before_it_reads_and_need_not_read() {
    let long = format!("<p>{}", "oak ".repeat(500_000));
    let script = Script::new("yes ash | head -c 1000000; cat");
    assert_eq!(text(&*script.extractor(""), &long).len(), 1_000_000 + long.len());
    let script = Script::new("echo always the same");
    assert_eq!(text(&*script.extractor(""), &long), "always the same\n");
    let answer = r#"yes ' ' | tr -d '\n' | head -c 1000000; echo '{"id":"page","text":"ash"}'"#;
    let script = Script::new(&format!("{answer}; sleep 60"));
    assert_eq!(text(&*script.extractor("input = 'json-lines'"), &long), "ash");
}

#[test]
fn output_without_end_is_cut_off() {
    let html = Script::new("exec yes");
    let line = Script::new("exec tr '\\0' x < /dev/zero");
    for (script, input) in [(&html, "html"), (&line, "json-lines"), (&line, "files")] {
        let problem = problem(&*script.extractor(&format!("input = '{input}'")), "x");
        assert_eq!(problem, "the program wrote more than 64 MiB for one page", "{input}");
    }
    // Lines that nobody asked for do not pile up.
    let noise = Script::new("exec yes '{\"id\":\"page\",\"text\":\"oak\"}'");
    let extractor = noise.extractor("input = 'json-lines'");
    assert_eq!(text(&*extractor, "x"), "oak");
}

#[test]
fn a_program_that_is_not_there_is_one_error_before_any_page() {
    for program in ["no-such-program-anywhere --fast", "./no/such/program", "/dev/null"] {
        let error = build(program, "").err().unwrap().to_string();
        let name = program.split(' ').next().unwrap();
        assert!(error.contains(&format!("there is no program '{name}'")), "{error}");
    }
    let error = build("cat 'open", "").err().unwrap().to_string();
    assert!(error.contains("open quote"), "{error}");
    let error = build("cat", "timeout = 0").err().unwrap().to_string();
    assert!(error.contains("a number from 0.1 to 86400, default 30"), "{error}");
}

#[test]
fn without_a_program_or_a_source_the_extractor_is_not_applicable() {
    let none = build(" ", "").unwrap();
    assert_eq!(extract(&*none, page("x")), Err(ExtractError::MissingInput("a program")));
    let bare = Page::parse("bare", None, b"oak", None, &Limits::default()).unwrap();
    let results = build("cat", "").unwrap().extract_site(&[&bare, &page("ash")]);
    assert_eq!(results[0], Err(ExtractError::MissingInput("the page's source")));
    assert_eq!(results[1].as_ref().unwrap().text.as_deref(), Some("ash"));
}

#[test]
fn the_version_is_the_first_line_of_the_program_or_of_the_command_given() {
    let script = Script::new("[ \"$1\" = --version ] && printf '\\ntool 1.2\\nmore\\n'");
    assert_eq!(script.extractor("").version(), "tool 1.2");
    let on_errors = Script::new("echo tool 3 >&2");
    assert_eq!(on_errors.extractor("").version(), "tool 3");
    assert_eq!(script.extractor("version = 'echo 4.5'").version(), "4.5");
    let fails = Script::new("echo 'run install first' >&2; exit 1").extractor("").version();
    assert_eq!(fails, "unknown: the program ended with exit status: 1: run install first");
}

#[test]
fn workers_are_kept_and_answer_for_their_page_whatever_the_order() {
    let script = Script::new(&format!("echo x >> \"$DIR/starts\"\n{}", loop_of(ECHO)));
    let extractor = script.extractor("input = 'json-lines'");
    let html = |i: usize| format!("page \"{i}\" \u{e9}\u{6771}\\ of\ntext");
    let results = texts(extract_all(&*extractor, &pages(60, html)));
    assert_eq!(results, (0..60).map(|i| Ok(html(i))).collect::<Vec<_>>());
    for (i, page) in pages(10, html).into_iter().enumerate() {
        assert_eq!(extract(&*extractor, page).unwrap().text.unwrap(), html(i));
    }
    let starts = std::fs::read_to_string(script.path("starts")).unwrap().lines().count();
    assert!((1..30).contains(&starts), "{starts} processes for 70 pages");
    assert!(!extractor.reads_whole_sites());
}

#[test]
fn a_worker_that_dies_fails_the_page_it_died_on_and_no_other() {
    let body = format!("case \"$line\" in *deadly*) echo 'page too hard' >&2; exit 4;; esac\n{ECHO}");
    let script = Script::new(&loop_of(&body));
    let extractor = script.extractor("input = 'json-lines'");
    let html = |i: usize| if i % 5 == 3 { "deadly".to_owned() } else { format!("text {i}") };
    let results = texts(extract_all(&*extractor, &pages(20, html)));
    for (i, result) in results.into_iter().enumerate() {
        if i % 5 == 3 {
            assert_eq!(result, Err("the program ended with exit status: 4: page too hard".to_owned()));
        } else {
            assert_eq!(result, Ok(html(i)));
        }
    }
}

#[test]
fn a_worker_that_ends_between_pages_fails_none() {
    let script = Script::new(&loop_of(&format!("{ECHO}; exit 1")));
    let extractor = script.extractor("input = 'json-lines'");
    let results = texts(extract_all(&*extractor, &pages(8, |i| format!("text {i}"))));
    assert_eq!(results, (0..8).map(|i| Ok(format!("text {i}"))).collect::<Vec<_>>());
}

#[test]
fn an_answer_that_is_not_as_agreed_is_a_named_problem_and_the_next_page_is_fine() {
    let cases = [
        ("echo 'Traceback: oops'", "Traceback: oops"),
        ("echo '{\"id\":\"other\",\"text\":\"x\"}'", "the program answered for another page, \"other\""),
        ("echo '{\"id\":\"page\"}'", "neither text nor error"),
        ("echo '{\"text\":\"x\"}'", "missing field `id`"),
        ("printf '\\377\\n'", "not UTF-8"),
        ("echo '{\"id\":\"page\",\"error\":\"empty tree\"}'", "empty tree"),
        ("exit 0", "the program ended without an answer"),
        ("exec >&-; sleep 60", "the program closed its output without an answer"),
    ];
    for (wrong, expected) in cases {
        let body = format!("case \"$line\" in *wrong*) {wrong};; *) {ECHO};; esac");
        let script = Script::new(&loop_of(&body));
        let extractor = script.extractor("input = 'json-lines'");
        let problem = problem(&*extractor, "wrong");
        assert!(problem.contains(expected), "{wrong}: {problem}");
        assert_eq!(text(&*extractor, "right"), "right");
    }
}

#[test]
fn a_worker_that_hangs_on_a_page_is_replaced() {
    let script = Script::new(&loop_of(&format!("case \"$line\" in *slow*) sleep 60;; esac\n{ECHO}")));
    let extractor = script.extractor("input = 'json-lines'\ntimeout = 1");
    assert_eq!(text(&*extractor, "first"), "first");
    assert_eq!(problem(&*extractor, "slow"), PageProblem::Timeout { seconds: 1 }.to_string());
    assert_eq!(text(&*extractor, "next"), "next");
}

#[test]
fn files_are_answered_in_any_order_and_gone_afterward() {
    let body = format!("echo \"$line\" >> \"$DIR/paths\"; {ECHO_FILE} >> \"$DIR/answers\"");
    let script = Script::new(&format!("{}\nsort -r \"$DIR/answers\"", loop_of(&body)));
    let extractor = script.extractor("input = 'files'");
    assert!(extractor.reads_whole_sites());
    let results = texts(extract_all(&*extractor, &pages(12, |i| format!("text {i}"))));
    assert_eq!(results, (0..12).map(|i| Ok(format!("text {i}"))).collect::<Vec<_>>());
    let paths = std::fs::read_to_string(script.path("paths")).unwrap();
    assert_eq!(paths.lines().count(), 12);
    assert!(paths.lines().all(|path| !Path::new(path).exists()));
    assert!(extractor.extract_site(&[]).is_empty());
}

#[test]
fn files_may_be_named_by_the_stem_of_their_name() {
    let body = r#"name=${line##*/}; printf '{"id":"%s","text":"oak"}\n' "${name%.html}""#;
    let extractor = Script::new(&loop_of(body));
    let results =
        texts(extract_all(&*extractor.extractor("input = 'files'"), &pages(3, |i| format!("x {i}"))));
    assert_eq!(results, vec![Ok("oak".to_owned()); 3]);
}

#[test]
fn a_program_that_dies_in_the_middle_of_its_files_keeps_what_it_answered() {
    let body =
        format!("case \"$(cat \"$line\")\" in *3) echo 'out of memory' >&2; exit 9;; esac\n{ECHO_FILE}");
    let script = Script::new(&loop_of(&body));
    let results =
        texts(extract_all(&*script.extractor("input = 'files'"), &pages(6, |i| format!("text {i}"))));
    let died = Err("the program ended with exit status: 9: out of memory".to_owned());
    let text = |i: usize| Ok(format!("text {i}"));
    assert_eq!(results, [text(0), text(1), text(2), died.clone(), died.clone(), died]);
}

#[test]
fn a_file_without_an_answer_and_garbage_between_answers_are_named() {
    let skips = format!("case \"$(cat \"$line\")\" in *1) ;; *) {ECHO_FILE};; esac");
    let script = Script::new(&loop_of(&skips));
    let results =
        texts(extract_all(&*script.extractor("input = 'files'"), &pages(3, |i| format!("text {i}"))));
    assert_eq!(results[1], Err("the program gave no answer for this page".to_owned()));
    assert_eq!(results[2], Ok("text 2".to_owned()));
    let script = Script::new(&format!("echo loading\n{}", loop_of(&skips)));
    let results =
        texts(extract_all(&*script.extractor("input = 'files'"), &pages(3, |i| format!("text {i}"))));
    assert!(results[1].as_ref().unwrap_err().ends_with(": loading"), "{results:?}");
    assert_eq!(results[2], Ok("text 2".to_owned()));
}

#[test]
fn a_page_that_cannot_be_decoded_leaves_the_others_alone() {
    for input in ["html", "files", "json-lines"] {
        let body = if input == "files" { ECHO_FILE } else { ECHO };
        let body = if input == "html" { "cat".to_owned() } else { loop_of(body) };
        let bad = page("x").with_source(Source { bytes: Vec::new(), http_charset: None });
        let extractor = Script::new(&body);
        let results = extractor.extractor(&format!("input = '{input}'")).extract_site(&[&bad, &page("fine")]);
        assert_eq!(results[0], Err(ExtractError::Page(PageProblem::Empty)), "{input}");
        assert_eq!(results[1].as_ref().unwrap().text.as_deref(), Some("fine"), "{input}");
    }
}
