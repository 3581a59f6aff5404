//! A corpus of one's own, from its pages to a model: the commands of datasets/README.md are run as they stand there.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use duramen::dataset::synth::{SynthConfig, SynthPage, generate};
use duramen::dataset::transfer::gold_text;
use duramen::label::LabelSet;
use tempfile::TempDir;

/// How a command ended.
struct Ended {
    code: i32,
    out: String,
    err: String,
}

fn run(place: &Path, arguments: &[&str]) -> Ended {
    let output = Command::cargo_bin("duramen").unwrap().current_dir(place).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    // Tables are compared without the blanks that fill their columns.
    let fold = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let out = text(output.stdout).lines().map(fold).collect::<Vec<_>>().join("\n");
    Ended { code: output.status.code().unwrap(), out, err: text(output.stderr) }
}

/// The blocks of a language in datasets/README.md.
fn blocks(language: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/README.md");
    let text = fs::read_to_string(path).unwrap();
    let parts = text.split("\n```").collect::<Vec<_>>();
    let block =
        |part: &&str| part.strip_prefix(language).and_then(|rest| rest.strip_prefix('\n')).map(str::to_owned);
    parts.iter().filter_map(block).collect()
}

/// Runs every line of a block; gives what the commands printed.
fn run_block(place: &Path, block: &str) -> Vec<Ended> {
    let commands = block.lines().filter(|line| !line.trim().is_empty());
    let run_line = |line: &str| {
        let words = line.split_whitespace().collect::<Vec<_>>();
        assert_eq!(words[0], "duramen", "{line}");
        let ended = run(place, &words[1..]);
        assert_eq!(ended.code, 0, "{line}\n{}{}", ended.out, ended.err);
        ended
    };
    commands.map(run_line).collect()
}

fn pages() -> Vec<SynthPage> {
    generate(&SynthConfig { sites: 4, pages_per_site: 3, seed: 5, ..SynthConfig::default() }).unwrap()
}

/// Writes pages of ours with an index of their addresses; the first is `story.html`.
fn write_pages(folder: &Path, pages: &[SynthPage], with_texts: bool) {
    fs::create_dir_all(folder.join("more")).unwrap();
    let mut index = "id,url\n".to_owned();
    for (number, page) in pages.iter().enumerate() {
        let id = if number == 0 { "story".to_owned() } else { format!("more/{number}") };
        fs::write(folder.join(format!("{id}.html")), &page.original).unwrap();
        if with_texts {
            let text = gold_text(&page.annotated, LabelSet::ARTICLE).unwrap();
            fs::write(folder.join(format!("{id}.txt")), text).unwrap();
        }
        index += &format!("{id},{}\n", page.url);
    }
    fs::write(folder.join("urls.csv"), index).unwrap();
}

#[test]
fn the_commands_of_the_readme_do_what_it_says() {
    let place = TempDir::new().unwrap();
    let place = place.path();
    let pages = pages();
    let blocks_of_commands = blocks("sh");
    let [texts, label, labels, manifest] = blocks_of_commands.as_slice() else {
        panic!("the README has other blocks of commands than this test knows: {blocks_of_commands:?}");
    };

    write_pages(&place.join("my-pages"), &pages, true);
    let ended = run_block(place, texts);
    assert!(ended[0].out.contains("| pages that can be used | 12 |"), "{}", ended[0].out);
    assert!(ended[0].out.contains("| hosts | 4 |"), "{}", ended[0].out);
    assert!(ended[0].err.contains("my-pages: a folder without manifest"), "{}", ended[0].err);
    let text = gold_text(&pages[0].annotated, LabelSet::ARTICLE).unwrap();
    let last = text.lines().last().unwrap();
    assert!(ended[2].out.contains(last.split_whitespace().next().unwrap()), "{}", ended[2].out);
    assert!(ended[3].out.contains("hmt"), "{}", ended[3].out);
    assert!(ended[3].err.contains("my-pages: 12 pages, 0 left out"), "{}", ended[3].err);
    assert!(ended[4].err.contains("on 12 pages held out in turn"), "{}", ended[4].err);

    write_pages(&place.join("new-pages"), &pages, false);
    run_block(place, label);
    // As a person would: the labels of one page set right, cell by cell.
    let path = place.join("new-pages/story.csv");
    let corrected = correct(&fs::read_to_string(&path).unwrap());
    fs::write(&path, corrected).unwrap();
    let ended = run_block(place, labels);
    assert!(ended[0].out.contains("| labelled pages | 12 |"), "{}", ended[0].out);
    assert!(ended[0].out.contains("| texts that have no label | 0 |"), "{}", ended[0].out);
    // The label of the first text was set to comments, which nothing else has.
    assert!(!ended[0].out.contains("| comments | 0 |"), "{}", ended[0].out);
    assert!(ended[3].out.contains("Token level"), "{}", ended[3].out);
    assert!(ended[4].err.contains("on 12 pages held out in turn"), "{}", ended[4].err);

    let tables = blocks("toml");
    let own = tables[0].replace("unlabelled = \"refused\"", "unlabelled = \"not-content\"");
    fs::write(place.join("my-corpus.toml"), &own).unwrap();
    let ended = run_block(place, manifest);
    let (_, checksum) = ended[1].out.trim().rsplit_once(' ').unwrap();
    let stated = tables[1].replace("...", checksum);
    fs::write(place.join("my-corpus.toml"), own.clone() + "\n" + &stated).unwrap();
    let verified = run(place, &["data", "verify", "my-corpus.toml"]);
    assert!(verified.out.contains("is as its manifest states: 12 pages"), "{}{}", verified.out, verified.err);
    fs::write(place.join("my-pages/story.txt"), "Another text.").unwrap();
    let changed = run(place, &["data", "verify", "my-corpus.toml"]);
    assert!(changed.code == 3 && changed.err.contains("its pages have changed"), "{}", changed.err);
    let fetched = run(place, &["data", "fetch", "my-corpus.toml"]);
    assert!(fetched.code == 2 && fetched.err.contains("nothing to fetch"), "{}", fetched.err);
}

/// Sets the label of the first text of a table to comments.
fn correct(table: &str) -> String {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().unwrap().clone();
    let label = header.iter().position(|name| name == "label").unwrap();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header).unwrap();
    for (number, record) in reader.records().enumerate() {
        let record = record.unwrap();
        let cells = record.iter().enumerate();
        let cell = |(column, cell)| if (number, column) == (0, label) { "comments" } else { cell };
        writer.write_record(cells.map(cell)).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

#[test]
fn what_does_not_fit_is_listed_and_the_exit_code_tells() {
    let place = TempDir::new().unwrap();
    let place = place.path();
    let folder = place.join("pages");
    write_pages(&folder, &pages()[..3], true);
    assert_eq!(run(place, &["data", "check", "pages"]).code, 0);
    fs::write(folder.join("more/1.txt"), "Words that stand nowhere on it, all in all a good many of them.")
        .unwrap();
    fs::write(folder.join("lonely.jsonl"), "{}").unwrap();
    fs::write(folder.join("bare.html"), "<p>No reference").unwrap();
    fs::write(folder.join("wrong.html"), "<p>Text").unwrap();
    fs::write(
        folder.join("wrong.jsonl"),
        "{\"xpath\": \"//p\", \"label\": \"full-txt\"}\n{\"xpath\": \"//h1\", \"label\": \"headline\"}\n",
    )
    .unwrap();
    let ended = run(place, &["data", "check", "pages"]);
    assert_eq!(ended.code, 1, "{}", ended.err);
    for part in [
        "| more/1 | 0 of the 14 words of its reference (0.0 %) stand on the page",
        "| lonely.jsonl | there is no page lonely.html for it |",
        "| bare | has no reference text and no labels beside it |",
        "| wrong | wrong.jsonl, line 1: unknown label 'full-txt'; did you mean 'full-text'? |",
        "| wrong | wrong.jsonl, line 2: //h1 is not on the page |",
    ] {
        assert!(ended.out.contains(part), "{part}\n{}", ended.out);
    }
    let json = run(place, &["data", "check", "pages", "--json", "--threads", "1"]);
    let check: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((check["pages"].as_u64(), check["misfits"].as_array().unwrap().len()), (Some(2), 5));
    assert_eq!(json.out, run(place, &["data", "check", "pages", "--json", "--threads", "3"]).out);
    // Training tells of them too.
    let trained = run(place, &["model", "recalibrate", "web", "--dataset", "pages", "-o", "m.json"]);
    assert!(
        trained.err.contains("left out bare:") && trained.err.contains("left out lonely.jsonl:"),
        "{}",
        trained.err
    );

    fs::create_dir(place.join("empty")).unwrap();
    let ended = run(place, &["data", "check", "empty"]);
    assert!(ended.code == 3 && ended.err.contains("(seen: no file)"), "{}", ended.err);
    fs::write(place.join("empty/a.html"), "<p>A").unwrap();
    fs::write(place.join("empty/a.md"), "A").unwrap();
    let ended = run(place, &["train", "--dataset", "empty", "-o", "m.json"]);
    assert!(ended.code == 3 && ended.err.contains("(seen: 1 .html, 1 .md)"), "{}", ended.err);
    assert!(ended.err.contains("page.txt") && ended.err.contains("page.jsonl"), "{}", ended.err);
    fs::write(place.join("empty/a.txt"), "Something else").unwrap();
    let ended = run(place, &["data", "check", "empty"]);
    assert!(ended.code == 3 && ended.err.contains("no page can be used"), "{}{}", ended.out, ended.err);
}

#[test]
fn corpora_are_found_by_name_manifest_or_folder_and_slips_are_answered() {
    let place = TempDir::new().unwrap();
    let place = place.path();
    write_pages(&place.join("data/pages"), &pages()[..2], true);
    fs::write(place.join("data/mine.toml"), "folder = 'pages'\n").unwrap();
    fs::write(place.join("file.txt"), "").unwrap();
    for (name, part) in [
        ("wcbx/dev", "did you mean 'wcxb'?"),
        ("data/pgaes", "did you mean 'data/pages'?"),
        ("data/mien.toml", "did you mean 'data/mine.toml'?"),
        ("file.txt", "is a file and no manifest"),
        ("data/mine.toml/dev", "the corpus has no such part"),
        ("nothing-like-it", "known: article-extraction-benchmark"),
    ] {
        for command in [&["data", "check", name][..], &["train", "-o", "m.json", "--dataset", name]] {
            let ended = run(place, command);
            assert!(ended.code == 3 && ended.err.contains(part), "{command:?}: {}", ended.err);
        }
    }
    // The folder of an experiment is where its paths begin.
    fs::create_dir(place.join("experiment")).unwrap();
    let experiment = "title = 'Own'\nquestion = 'None.'\ndataset = '../data/mine.toml'\nmetrics = ['words']\n\
                      splits = [{ kind = 'all-pages', id = 'all' }]\n\
                      systems = [{ id = 'everything', extractor = 'everything' }]\n";
    fs::write(place.join("experiment/experiment.toml"), experiment).unwrap();
    let ended = run(place, &["run", "experiment", "--out", "results"]);
    assert!(ended.code == 0 && ended.err.contains("mine: 2 pages, 0 left out"), "{}", ended.err);
    let record = fs::read_to_string(place.join("results/run.json")).unwrap();
    assert!(record.contains("../data/mine.toml") && !record.contains(place.to_str().unwrap()));
}
