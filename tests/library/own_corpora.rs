//! Corpora in folders of one's own: pages with texts or labels beside them, indexes, hosts, manifests, and every mistake.

use std::fs;
use std::path::Path;

use duramen::Label;
use duramen::dataset::labelled::{GoldText, LabelledCorpus, PageGold};
use duramen::dataset::synth::{self, SynthConfig};
use duramen::dataset::{self, Corpus, CorpusCheck, Gold, Same};
use duramen::progress::Silent;
use tempfile::TempDir;

/// A folder with these files, by their paths.
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn open(path: &Path) -> Corpus {
    dataset::open(path.to_str().unwrap(), Path::new("nowhere")).unwrap()
}

fn refused(path: &Path) -> String {
    let error = dataset::open(path.to_str().unwrap(), Path::new("nowhere")).unwrap_err();
    assert_eq!(error.exit_code(), 3, "{error}");
    error.to_string()
}

fn hosts(corpus: &Corpus) -> Vec<(String, String)> {
    let read = |index| corpus.read(index).unwrap();
    (0..corpus.len()).map(read).map(|document| (document.id, document.host)).collect()
}

fn pair<'a>(a: &'a str, b: &'a str) -> (String, String) {
    (a.to_owned(), b.to_owned())
}

#[test]
fn a_folder_that_holds_a_corpus_and_nothing_else_is_that_corpus() {
    let place = TempDir::new().unwrap();
    let config = SynthConfig { sites: 1, pages_per_site: 2, ..SynthConfig::default() };
    let root = synth::write(&synth::generate(&config).unwrap(), place.path()).unwrap();
    assert_ne!(root, place.path());
    // Annotated copies are labels, and no pages.
    assert_eq!(open(place.path()).len(), 2);
    assert_eq!(dataset::open_pages(place.path()).unwrap().len(), 2);
    fs::write(place.path().join("page.html"), "<p>One").unwrap();
    assert_eq!(dataset::open_pages(place.path()).unwrap().ids_without_reference().count(), 5);
}

#[test]
fn pages_are_paired_with_texts_and_labels_in_the_folders_below() {
    let place = folder(&[
        ("a.html", "<h1>A</h1><p>One two"),
        ("a.txt", "A\nOne two\n"),
        ("below/b.htm", "<h1>B</h1><p>Three<br>four <i>five</i><ul><li>Menu</ul>"),
        (
            "below/b.jsonl",
            "{\"xpath\": \"//h1\", \"label\": \"headline\"}\n{\"xpath\": \"//p\", \"label\": \"full-text\"}\n",
        ),
        ("bare.html", "<p>No reference"),
        ("README.txt", "About these pages."),
        ("picture.png", ""),
        (".hidden/c.html", "<p>Hidden"),
    ]);
    let corpus = open(place.path());
    assert_eq!(corpus.ids().collect::<Vec<_>>(), ["a", "below/b"]);
    assert_eq!(corpus.ids_without_reference().collect::<Vec<_>>(), ["bare"]);
    assert_eq!(corpus.misfits(), []);
    let labelled = LabelledCorpus::read(&corpus, None, false, &Silent).unwrap();
    assert_eq!(labelled.left_out.len(), 1);
    assert!(
        matches!(&labelled.pages[0].gold, PageGold::Text(text) if text.text == "A\nOne two\n" && !text.is_title_apart)
    );
    let PageGold::Tokens(tokens) = &labelled.pages[1].gold else { panic!("labels") };
    assert_eq!(tokens.total(), [1, 1, 3, 0, 0, 0]);
    let texts = &labelled.pages[1].gold_texts;
    assert_eq!(texts[0], (GoldText::Article, "B\nThree\nfour five".to_owned()));
    assert_eq!(texts[2], (GoldText::FullText, "Three\nfour five".to_owned()));
}

#[test]
fn hosts_come_from_index_labels_page_and_folder_in_this_order() {
    let canonical = "<link rel=canonical href='https://www.canonical.org/x'><p>Words";
    let place = folder(&[
        (
            "urls.csv",
            "id,url,host\nindexed.html,https://news.indexed.co.uk/a,other.org\nhosted,,Hosted.ORG\n",
        ),
        ("indexed.html", canonical),
        ("indexed.txt", "Words"),
        ("hosted.html", canonical),
        ("hosted.txt", "Words"),
        ("labelled.html", canonical),
        (
            "labelled.json",
            "{\"url\": \"http://labelled.org/\", \"nodes\": [{\"xpath\": \"//p\", \"label\": \"full-text\"}]}",
        ),
        ("canonical.html", canonical),
        ("canonical.txt", "Words"),
        ("www.folder.com/page.html", "<p>Words"),
        ("www.folder.com/page.txt", "Words"),
        ("drafts/page.html", "<p>Words"),
        ("drafts/page.txt", "Words"),
    ]);
    let expected = [
        pair("canonical", "canonical.org"),
        pair("drafts/page", "unknown"),
        pair("hosted", "hosted.org"),
        pair("indexed", "indexed.co.uk"),
        pair("labelled", "labelled.org"),
        pair("www.folder.com/page", "folder.com"),
    ];
    assert_eq!(hosts(&open(place.path())), expected);
    let manifest = |pairs: &str| {
        let path = place.path().join("own.toml");
        fs::write(&path, format!("folder = '.'\n[pairs]\n{pairs}\n[same_site]\n'drafts' = 'folder.com'\n"))
            .unwrap();
        hosts(&open(&path))
    };
    let of =
        |hosts: Vec<(String, String)>, id: &str| hosts.into_iter().find(|(page, _)| page == id).unwrap().1;
    assert_eq!(of(manifest("hosts = 'folder'"), "drafts/page"), "folder.com");
    assert_eq!(of(manifest("hosts = 'folder'"), "indexed"), "unknown");
    assert_eq!(of(manifest("hosts = '{host}/*'"), "www.folder.com/page"), "folder.com");
    assert_eq!(of(manifest("unknown_hosts = 'separate-sites'"), "drafts/page"), "unknown:drafts/page");
}

#[test]
fn pages_and_texts_in_folders_of_their_own_have_their_index() {
    let place = folder(&[
        ("html/1.html", "<h1>T</h1><p>One"),
        ("text/1.txt", "One"),
        ("html/2.html", "<p>Two"),
        ("text/2.txt", "Two"),
        ("comments/1.txt", "Left alone"),
        (
            "pages.jsonl",
            "{\"id\": \"1\", \"url\": null, \"host\": \"one.org\", \"language\": \"en\", \"title\": \"T\", \"title_in_gold\": false}\n\
             {\"id\": \"2\", \"url\": \"http://two.org/\", \"title_in_gold\": true}\n",
        ),
    ]);
    let corpus = open(place.path());
    assert_eq!(corpus.misfits(), []);
    assert_eq!(hosts(&corpus), [pair("1", "one.org"), pair("2", "two.org")]);
    let Gold::Text(first) = corpus.read(0).unwrap().gold else { panic!("a text") };
    assert!(first.is_title_apart && first.title.as_deref() == Some("T"));
    let Gold::Text(second) = corpus.read(1).unwrap().gold else { panic!("a text") };
    assert!(!second.is_title_apart);
}

#[test]
fn one_file_of_labels_serves_all_pages_however_their_names_begin() {
    let row = |page: &str, label: &str| {
        format!("{page},ok,,1,/html[1]/body[1]/p[1]/text()[1],p,{label},true,Words\n")
    };
    let header = "id,status,problem,node,xpath,tag,label,kept,text\n";
    let table = format!(
        "{header}{}{}{}",
        row("some/where/pages/a.html", "full-text"),
        row("./pages/below/a.html", "comments"),
        row("pages/gone.html", "full-text")
    );
    let place = folder(&[("a.html", "<p>Words"), ("below/a.html", "<p>Words"), ("labels.csv", &table)]);
    let corpus = open(place.path());
    let labels = |index| match corpus.read(index).unwrap().gold {
        Gold::Nodes(labels) => labels.nodes.iter().map(|node| node.label).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!((labels(0), labels(1)), (vec![Label::FullText], vec![Label::Comments]));
    let [misfit] = corpus.misfits() else { panic!("{:?}", corpus.misfits()) };
    assert_eq!(
        (&*misfit.name, &*misfit.reason),
        ("labels.csv, line 4", "there is no page 'pages/gone.html'")
    );
}

#[test]
fn labels_that_do_not_fit_their_page_are_named_with_file_and_line() {
    let labels = "{\"xpath\": \"//h1\", \"label\": \"headline\"}\n\
                  {\"xpath\": \"//h2\", \"label\": \"headline\"}\n\
                  {\"xpath\": \"//p[\", \"label\": \"full-text\"}\n\
                  {\"xpath\": \"//p[1]\", \"label\": \"full-text\", \"text\": \"Another text\"}\n\
                  {\"xpath\": \"/html[1]/body[1]/h1[1]\", \"label\": \"comments\"}\n\
                  {\"xpath\": \"//script\", \"label\": \"full-text\"}\n";
    let place = folder(&[
        ("a.html", "<h1>Title</h1><p>The text<script>code()</script>"),
        ("a.jsonl", labels),
        ("b.html", "<p>The text</p><p>More"),
        ("b.csv", "xpath,label,text\n//p[1],full-text,The  text\n"),
    ]);
    let corpus = open(place.path());
    let check = CorpusCheck::new(&corpus, 0.9, &Silent);
    let reasons: Vec<&str> = check.misfits.iter().map(|misfit| &*misfit.reason).collect();
    for (reason, expected) in reasons.iter().zip([
        "a.jsonl, line 2: //h2 is not on the page",
        "a.jsonl, line 3: the XPath '//p[' cannot be read",
        "a.jsonl, line 4: the text at //p[1] is 'The text",
        "a.jsonl, line 5: /html[1]/body[1]/h1[1] is comments here and headline in line 1",
        "a.jsonl, line 6: //script selects no text that the page shows",
    ]) {
        assert!(reason.starts_with(expected), "{reason}\n{expected}");
    }
    assert_eq!((check.pages, reasons.len()), (1, 5));
    let counts = check.labels.unwrap();
    assert_eq!((counts.pages_with_unlabelled_text, counts.unlabelled_texts), (2, 2));
    let labelled = LabelledCorpus::read(&corpus, None, false, &Silent).unwrap();
    assert_eq!(labelled.pages.len(), 1);
    assert!(labelled.left_out[0].1.contains("line 2") && labelled.left_out[0].1.contains("(and 4 more)"));
    let manifest = place.path().join("own.toml");
    fs::write(&manifest, "folder = '.'\npairs = { unlabelled = 'refused' }\n").unwrap();
    let check = CorpusCheck::new(&open(&manifest), 0.9, &Silent);
    assert!(
        check.misfits.iter().any(|misfit| misfit.name == "b" && misfit.reason.contains("1 of its 2 texts"))
    );
}

#[test]
fn files_that_do_not_fit_are_listed_and_the_rest_is_used() {
    let place = folder(&[
        ("a.html", "<p>Words"),
        ("a.htm", "<p>Words"),
        ("a.txt", "Words"),
        ("both.html", "<p>Words"),
        ("both.txt", "Words"),
        ("both.csv", "xpath,label\n//p,full-text\n"),
        ("orphan.txt", "Words"),
        ("urls.csv", "id,url\na,http://a.org/\ngone,http://b.org/\na,http://c.org/\n"),
    ]);
    let corpus = open(place.path());
    assert_eq!(corpus.ids().collect::<Vec<_>>(), ["a"]);
    let listed: Vec<String> =
        corpus.misfits().iter().map(|misfit| format!("{}: {}", misfit.name, misfit.reason)).collect();
    for part in [
        "a.html: a second page of the name 'a'",
        "both: has more than one reference, both.csv and both.txt",
        "orphan.txt: there is no page orphan.html for it",
        "urls.csv, line 3: there is no page 'gone'",
        "urls.csv, line 4: a second line for 'a'",
    ] {
        assert!(listed.iter().any(|line| line.starts_with(part)), "{part}: {listed:?}");
    }
    assert_eq!(listed.len(), 5);
    let manifest = place.path().join("own.toml");
    fs::write(&manifest, "folder = '.'\npairs = { read = 'labels' }\n").unwrap();
    assert_eq!(open(&manifest).ids().collect::<Vec<_>>(), ["both"]);
}

#[test]
fn faulty_indexes_and_manifests_are_refused_with_what_to_write() {
    let place = folder(&[("a.html", "<p>Words"), ("a.txt", "Words")]);
    for (index, part) in [
        ("page,url\na,http://a.org/\n", "no column 'id'"),
        ("id,adress\na,http://a.org/\n", "says nothing of the pages"),
        ("id,url\na,nonsense here\n", "line 2: 'nonsense here' is no URL"),
        ("id,title_in_text,url\na,maybe,http://a.org\n", "write true or false"),
    ] {
        fs::write(place.path().join("urls.csv"), index).unwrap();
        let error = refused(place.path());
        assert!(error.contains(part), "{error}");
    }
    fs::remove_file(place.path().join("urls.csv")).unwrap();
    let manifest = place.path().join("own.toml");
    for (text, part) in [
        ("layout = 'pairs'\n", "no name; a corpus in a folder of one's own states folder"),
        ("folder = '.'\nfoldr = 1\n", "did you mean 'folder'?"),
        ("folder = '.'\n[pairs]\nhost = 'folder'\n", "did you mean 'hosts'?"),
        ("folder = '.'\n[pairs]\nhosts = 'foldr'\n", "did you mean 'folder'?"),
        ("folder = '.'\n[pairs]\nindex = 'gone.csv'\n", "there is no such file"),
        ("folder = '.'\nlayout = 'pears'\n", "pears"),
        ("folder = 'gone'\n", "has no folder in the layout"),
        ("folder = '.'\nlayout = 'wcxb'\n", "has no folder in the layout"),
        ("folder = '.'\n[[part]]\nname = 'all'\npages = 2\n", "has 1 page there, the manifest states 2"),
        ("folder = '.'\n[[archive]]\nparts = []\nfiles = []\n", "both stated"),
    ] {
        fs::write(&manifest, text).unwrap();
        let error = refused(&manifest);
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn known_layouts_are_known_by_their_folders_and_parts_by_theirs() {
    let place = folder(&[
        ("input/1.html", "<text id='http://a.org/'><p>Words</text>"),
        ("GoldStandard/1.txt", "<p>Words"),
        ("own.toml", "folder = 'divided'\n[[part]]\nname = 'all'\n[[part]]\nname = 'dev'\n"),
        ("divided/dev/a.html", "<p>Words"),
        ("divided/dev/a.txt", "Words"),
        ("divided/test/b.html", "<p>Words"),
        ("divided/test/b.txt", "Words"),
    ]);
    assert_eq!(hosts(&open(place.path())), [pair("1", "a.org")]);
    let manifest = place.path().join("own.toml");
    assert_eq!(open(&manifest).ids().collect::<Vec<_>>(), ["dev/a", "test/b"]);
    assert_eq!(open(&manifest.join("dev")).ids().collect::<Vec<_>>(), ["a"]);
}

#[test]
fn pages_that_are_there_twice_are_told_of_once() {
    let place = folder(&[
        ("urls.csv", "id,url\nc,http://a.org/1\nd,http://a.org/1\n"),
        ("a.html", "<p>The same bytes"),
        ("a.txt", "The same bytes"),
        ("b.html", "<p>The same bytes"),
        ("b.txt", "The same bytes"),
        ("c.html", "<p>An older text"),
        ("c.txt", "An older text"),
        ("d.html", "<p>A newer text"),
        ("d.txt", "A newer text"),
        ("e.html", "<div>A newer</div><div>text</div>"),
        ("e.txt", "A newer text"),
    ]);
    let check = CorpusCheck::new(&open(place.path()), 0.9, &Silent);
    let found: Vec<(Same, &[String])> = check.duplicates.iter().map(|d| (d.same, &*d.pages)).collect();
    let names = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
    let (bytes, text, address) = (names("a", "b"), names("d", "e"), names("c", "d"));
    assert_eq!(found, [(Same::Bytes, &*bytes), (Same::Text, &*text), (Same::Address, &*address)]);
    assert_eq!((check.pages, check.misfits.len()), (5, 0));
}
