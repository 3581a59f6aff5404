//! Corpora with an index of their pages: comments apart, languages, parts that differ in their references, pages without
//! references, conventions, and what corpora share.

use std::fs;
use std::path::Path;

use duramen::convention::{Convention, Inclusion, ReferenceMaker};
use duramen::dataset::{
    self, Corpus, CorpusCheck, Document, Gold, Manifest, Overlap, Same, SharedHost, SharedPage, TextGold,
};
use duramen::progress::Silent;
use tempfile::TempDir;

use crate::own_corpora::folder;

fn open(place: &TempDir, name: &str) -> Corpus {
    dataset::open(place.path().join(name).to_str().unwrap(), Path::new("nowhere")).unwrap()
}

fn texts(corpus: &Corpus) -> Vec<TextGold> {
    let text = |index| match corpus.read(index).unwrap().gold {
        Gold::Text(text) => text,
        other => panic!("no text but {other:?}"),
    };
    (0..corpus.len()).map(text).collect()
}

/// Three pages with texts, comments on one of them, and an index.
fn indexed() -> TempDir {
    folder(&[
        ("html/1.html", "<h1>Title</h1><p>One two</p><p>A reader's remark"),
        ("html/2.html", "<h1>Title</h1><p>Three four"),
        ("html/3.html", "<h1>Title</h1><p>Five"),
        ("text/1.txt", "Title\nOne two"),
        ("text/2.txt", "Three four"),
        ("text/3.txt", "Five"),
        ("more/1.txt", "Title One two"),
        ("more/2.txt", "Title Three four"),
        ("more/3.txt", "Title Five"),
        ("comments/1.txt", "A reader's remark"),
        (
            "pages.jsonl",
            "{\"id\": \"1\", \"url\": null, \"host\": \"one.org\", \"language\": \"en\", \"kind\": \"blog\", \"title_in_gold\": true}\n\
             {\"id\": \"2\", \"url\": \"http://two.org/\", \"host\": \"two.org\", \"language\": \"und\", \"title_in_gold\": false}\n\
             {\"id\": \"3\", \"url\": \"http://two.org/3\", \"title_in_text\": true, \"title_in_gold\": false}\n",
        ),
        ("plain.toml", &manifest("comments = 'comments'", "")),
        ("in.toml", &manifest("", "[convention]\nheadline = 'in'\n")),
        ("out.toml", &manifest("", "[convention]\nheadline = 'out'\n")),
        ("some.toml", &manifest("", "[convention]\nheadline = 'some'\n")),
        ("stated.toml", &manifest("title = 'apart'", "[convention]\nheadline = 'in'\n")),
        (
            "parts.toml",
            "folder = '.'\n[pairs]\npages = 'html'\n[convention]\nheadline = 'out'\nlinks = 'out'\n\
             [[part]]\nname = 'body'\nreferences = 'text'\n\
             [[part]]\nname = 'whole'\nreferences = 'more'\nconvention = { headline = 'in' }\n",
        ),
    ])
}

fn manifest(pairs: &str, rest: &str) -> String {
    let folders = "pages = 'html'\nreferences = 'text'\nindex = 'pages.jsonl'";
    format!("folder = '.'\n[pairs]\n{folders}\n{pairs}\n{rest}")
}

#[test]
fn an_index_gives_language_and_type_and_comments_are_kept_apart() {
    let place = indexed();
    let corpus = open(&place, "plain.toml");
    assert_eq!(corpus.misfits(), []);
    let documents: Vec<Document> = (0..3).map(|index| corpus.read(index).unwrap()).collect();
    let languages = documents.iter().map(|page| page.language.as_deref());
    assert!(languages.eq([Some("en"), None, None]));
    let types = documents.iter().map(|page| page.page_type.as_deref());
    assert!(types.eq([Some("blog"), None, None]));
    let texts = texts(&corpus);
    assert_eq!(texts[0].comments.as_deref(), Some("A reader's remark"));
    assert_eq!(texts[0].text, "Title\nOne two");
    assert!(texts[1].comments.is_none());
    let check = CorpusCheck::new(&corpus, 0.9, &Silent);
    let comments = check.comments.unwrap();
    assert_eq!((comments.pages, comments.words, comments.found), (1, 3, 3));
    assert_eq!(check.languages.into_iter().collect::<Vec<_>>(), [("en".to_owned(), 1)]);
    // The data that a result names are those with their comments.
    let sum = corpus.checksum().unwrap();
    fs::write(place.path().join("comments/1.txt"), "Another remark").unwrap();
    assert_ne!(corpus.checksum().unwrap(), sum);
    assert_eq!(open(&place, "some.toml").checksum().unwrap(), open(&place, "in.toml").checksum().unwrap());
}

#[test]
fn comments_without_a_page_and_a_folder_of_them_that_is_not_there_are_told_of() {
    let place = indexed();
    fs::write(place.path().join("comments/4.txt"), "A remark").unwrap();
    let misfits = open(&place, "plain.toml").misfits().to_vec();
    assert_eq!(misfits.len(), 1);
    assert_eq!(misfits[0].name, "comments/4.txt");
    assert!(misfits[0].reason.contains("there is no page 4.html"), "{}", misfits[0].reason);
    fs::remove_dir_all(place.path().join("comments")).unwrap();
    let path = place.path().join("plain.toml");
    let error = dataset::open(path.to_str().unwrap(), Path::new("nowhere")).unwrap_err().to_string();
    assert!(error.contains("comments"), "{error}");
}

/// The line's statement, the manifest's, the convention, what the line's makers measured: in this order.
#[test]
fn where_the_headline_stands_is_stated_before_it_is_measured() {
    let place = indexed();
    for (name, apart) in [
        ("plain.toml", [false, true, false]),
        ("some.toml", [false, true, false]),
        ("in.toml", [false, false, false]),
        ("out.toml", [true, true, false]),
        ("stated.toml", [true, true, false]),
    ] {
        let found: Vec<bool> = texts(&open(&place, name)).iter().map(|text| text.is_title_apart).collect();
        assert_eq!(found, apart, "{name}");
    }
}

#[test]
fn parts_may_be_the_same_pages_with_other_references_and_another_convention() {
    let place = indexed();
    let (body, whole) = (open(&place, "parts.toml/body"), open(&place, "parts.toml/whole"));
    let of = |corpus: &Corpus| texts(corpus).into_iter().map(|text| (text.text, text.is_title_apart)).next();
    assert_eq!(of(&body), Some(("Title\nOne two".to_owned(), true)));
    assert_eq!(of(&whole), Some(("Title One two".to_owned(), false)));
    assert_eq!(body.ids().collect::<Vec<_>>(), whole.ids().collect::<Vec<_>>());
    assert_eq!(body.convention().to_string(), "headline out, links out");
    assert_eq!(whole.convention().to_string(), "headline in, links out");
    let fault = |old: &str, new: &str| {
        let text = fs::read_to_string(place.path().join("parts.toml")).unwrap().replacen(old, new, 1);
        Manifest::parse(&text, "parts.toml").unwrap_err().to_string()
    };
    let error = fault("{ headline", "{ headlines");
    assert!(
        error.contains("'part.convention.headlines'") && error.contains("did you mean 'headline'"),
        "{error}"
    );
    let error = fault("links = 'out'", "link = 'out'");
    assert!(error.contains("'convention.link'") && error.contains("did you mean 'links'"), "{error}");
    assert!(fault("headline = 'out'", "headline = 'yes'").contains("yes"));
    let error = fault("[pairs]\npages = 'html'\n", "layout = 'cleaneval'\n");
    assert!(error.contains("references of a [[part]]"), "{error}");
}

#[test]
fn a_corpus_may_be_pages_alone() {
    let pairs = "pages = 'html'\nread = 'nothing'\nindex = 'pages.jsonl'";
    let place = indexed();
    fs::write(
        place.path().join("alone.toml"),
        format!("folder = '.'\n[pairs]\n{pairs}\n[[part]]\nname = 'all'\npages = 3\n"),
    )
    .unwrap();
    let corpus = open(&place, "alone.toml");
    assert!(!corpus.has_references() && open(&place, "plain.toml").has_references());
    let pages: Vec<_> = (0..corpus.len()).map(|index| corpus.read(index).unwrap()).collect();
    assert!(pages.iter().all(|page| page.gold == Gold::Missing));
    assert_eq!(pages.iter().map(|page| &*page.host).collect::<Vec<_>>(), ["one.org", "two.org", "two.org"]);
    // That nothing is said of their content is no fault of theirs.
    let check = CorpusCheck::new(&corpus, 0.9, &Silent);
    assert_eq!((check.pages, check.misfits.len(), check.found), (3, 0, None));
    let labelled = dataset::labelled::LabelledCorpus::read(&corpus, None, false, &Silent);
    assert!(labelled.unwrap_err().to_string().contains("no page could be used"));
}

#[test]
fn what_corpora_share_is_told_by_host_bytes_words_and_address() {
    let place = folder(&[
        ("a/1.html", "<p>The same bytes"),
        ("a/2.html", "<p>The same words"),
        ("a/3.html", "<p>An address of a.org"),
        ("a/4.html", "<p>Nothing in common"),
        (
            "a/pages.jsonl",
            "{\"id\": \"3\", \"url\": \"http://www.a.org/3\"}\n{\"id\": \"4\", \"url\": \"http://b.org/4\"}\n",
        ),
        ("b/x.html", "<p>The same bytes"),
        ("b/y.html", "<div>The <i>same</i> words</div>"),
        ("b/z.html", "<p>Changed since"),
        (
            "b/pages.jsonl",
            "{\"id\": \"z\", \"url\": \"https://a.org/3/\"}\n{\"id\": \"x\", \"url\": \"http://b.org/x\"}\n",
        ),
        ("c/1.html", "<p>Something else"),
        ("a.toml", "folder = 'a'\npairs = { read = 'nothing', index = 'pages.jsonl' }\n"),
        ("b.toml", "folder = 'b'\npairs = { read = 'nothing', index = 'pages.jsonl' }\n"),
        ("c.toml", "folder = 'c'\npairs = { read = 'nothing', unknown_hosts = 'separate-sites' }\n"),
    ]);
    let corpora = ["a.toml", "b.toml", "c.toml"].map(|name| open(&place, name));
    let found = dataset::overlaps(&corpora, &Silent).unwrap();
    let corpora = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
    let host = |name: &str| SharedHost { host: name.to_owned(), pages: [1, 1] };
    let page = |same, a: &str, b: &str| SharedPage { same, pages: corpora(a, b) };
    let pages = vec![page(Same::Bytes, "1", "x"), page(Same::Text, "2", "y"), page(Same::Address, "3", "z")];
    let none = |a, b| Overlap { corpora: corpora(a, b), hosts: vec![], pages: vec![] };
    let shared = Overlap { corpora: corpora("a", "b"), hosts: vec![host("a.org"), host("b.org")], pages };
    assert_eq!(found, [shared, none("a", "c"), none("b", "c")]);
}

/// References to pages that another corpus has: of these pages only those with a reference are pages of the corpus.
#[test]
fn a_corpus_may_hold_references_alone() {
    let data = folder(&[
        ("unlabelled/unlabelled/html/1.html", "<h1>Oaks</h1><p>They grow."),
        ("unlabelled/unlabelled/html/2.html", "<p>Two"),
        ("unlabelled/unlabelled/html/3.html", "<p>Three"),
        ("unlabelled/unlabelled/pages.jsonl", "{\"id\": \"1\", \"url\": \"http://one.org/\"}\n"),
        ("wcxb/dev/wcxb/dev/html/3.html", "<p>Three, of another layout"),
        ("wcxb/dev/wcxb/dev/ground-truth/3.json", "{\"ground_truth\": {}}"),
    ]);
    let own = folder(&[
        ("labels/1.jsonl", "{\"xpath\": \"//h1\", \"label\": \"headline\"}\n"),
        ("labels/3.jsonl", "{\"xpath\": \"//p\", \"label\": \"comments\"}\n"),
        ("index.jsonl", "{\"id\": \"1\", \"url\": \"http://one.org/\", \"kind\": \"recipe\"}\n"),
        (
            "mine.toml",
            "folder = '.'\npage_type = 'forum'\n[pairs]\npages_of = 'unlabelled'\nreferences = 'labels'\n\
             index = 'index.jsonl'\n",
        ),
        ("of-wcxb.toml", "folder = '.'\n[pairs]\npages_of = 'wcxb'\nreferences = 'labels'\n"),
        ("both.toml", "folder = '.'\n[pairs]\npages = 'html'\npages_of = 'unlabelled'\n"),
        ("wrong.toml", "folder = '.'\n[pairs]\npages_of = 'unlabeled'\n"),
    ]);
    let open = |name: &str, data: &Path| dataset::open(own.path().join(name).to_str().unwrap(), data);
    let corpus = open("mine.toml", data.path()).unwrap();
    assert_eq!(corpus.ids().collect::<Vec<_>>(), ["1", "3"]);
    assert!(corpus.misfits().is_empty() && corpus.ids_without_reference().next().is_none());
    let [first, third] = [0, 1].map(|index| corpus.read(index).unwrap());
    assert_eq!((&*first.html, &*first.host), (&b"<h1>Oaks</h1><p>They grow."[..], "one.org"));
    assert!(matches!(&first.gold, Gold::Nodes(labels) if labels.nodes.len() == 1));
    // The index goes before what is said of all pages.
    assert_eq!([first, third].map(|page| page.page_type.unwrap()), ["recipe", "forum"]);

    // The corpus that has the pages keeps them in a folder of its layout.
    let of_wcxb = open("of-wcxb.toml", data.path()).unwrap();
    assert_eq!(of_wcxb.ids().collect::<Vec<_>>(), ["3"]);
    assert_eq!(&*of_wcxb.read(0).unwrap().html, b"<p>Three, of another layout");

    let refused = |name: &str, data: &Path| open(name, data).unwrap_err().to_string();
    assert!(refused("mine.toml", Path::new("nowhere")).contains("run: duramen data fetch unlabelled"));
    assert!(refused("both.toml", data.path()).contains("pages and pages_of are both stated"));
    assert!(refused("wrong.toml", data.path()).contains("did you mean 'unlabelled'?"));
}

/// A corpus without a row here has a convention that nobody has looked at.
#[test]
fn the_conventions_of_the_known_corpora_are_those_of_the_table() {
    let row = |manifest: &Manifest, part: &dataset::Part| {
        let Convention { headline, captions, byline, comments, links, teasers, reference } =
            manifest.convention(part);
        let values = [headline, captions, byline, comments, links, teasers];
        let values = values.map(|value| value.map_or("-", Inclusion::name));
        let reference = reference.map_or("-", ReferenceMaker::name);
        format!("| `{}` | {} | {reference} |", manifest.label(part), values.join(" | "))
    };
    let rows = Manifest::names().flat_map(|name| {
        let manifest = Manifest::find(name).unwrap();
        manifest.parts.iter().map(|part| row(&manifest, part)).collect::<Vec<_>>()
    });
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/README.md");
    let readme = fs::read_to_string(readme).unwrap();
    for row in rows {
        // Parts that have the convention of their corpus share its row.
        let (label, values) = row.trim_start_matches("| `").split_once("` ").unwrap();
        let of_corpus = format!("| `{}` {values}", label.split('/').next().unwrap());
        assert!(
            readme.contains(&row) || readme.contains(&of_corpus),
            "datasets/README.md lacks the row\n{row}"
        );
    }
}
