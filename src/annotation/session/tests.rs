//! What a session keeps, shows and copies.

use super::*;
use crate::extract::hmt::Inference;
use crate::model::Model;

const TREES: [&str; 3] = ["oak", "ash", "elm"];

fn page(number: usize) -> PageToLabel {
    let tree = TREES[number % 3];
    let html = format!(
        "<title>The {tree}</title><ul class=menu><li><a href=/>Home</a><li><a href=/trees>Trees</a></ul><h1>The {tree}</h1>
        <p>The {tree} of the village fell on Monday night after a storm that lasted for six hours, and nobody was hurt.
        <p>It had stood there for more than four hundred years, as the mayor of the village said on Tuesday morning.
        <div class=side>Wood of the {tree} is sold by the metre, ask for it at the mill on Fridays and on Saturdays</div>"
    );
    let url = Some(format!("https://wood.example/{number}"));
    PageToLabel::parse(format!("page-{number}"), url, html.into_bytes(), None, &Limits::default()).unwrap()
}

/// Of three pages of one site, by this annotator.
fn session(folder: &Path, annotator: &str) -> Session {
    let hmt = Hmt::new("hmt", Model::by_name("web").unwrap(), Inference::Exact).unwrap();
    let mut session = Session::open(folder, hmt, annotator, Limits::default()).unwrap();
    (0..3).for_each(|number| session.add(page(number)).unwrap());
    session.sort(Order::Name, 1);
    session
}

fn mark(block: usize, label: Label) -> Mark {
    Mark { from: block, to: block, label: Some(label), is_copied: false }
}

fn work(page: &str, status: Status, marks: &[Mark]) -> Work {
    Work { status, marks: marks.to_vec(), ..Work::new(page) }
}

#[test]
fn marks_stand_and_the_last_one_counts() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = session(folder.path(), "ann");
    let opened = session.page("page-0").unwrap();
    assert_eq!(opened.blocks[5], "body>div {.side}");
    assert_eq!(opened.work, None);
    let mut labels = |marks: &[Mark]| session.labelled("page-0", marks, None).unwrap();
    let free = labels(&[]);
    assert_eq!((free.labels.len(), free.p.len()), (6, 6));
    let marked = labels(&[mark(6, Label::Comments), mark(6, Label::RelatedContent)]);
    assert_eq!((&marked.labels[5..], marked.p[5]), ("R", 100));
    assert!(!marked.text.contains("Wood of the oak"), "{}", marked.text);
    let taken_back =
        labels(&[mark(6, Label::Comments), Mark { from: 1, to: 6, label: None, is_copied: false }]);
    assert_eq!((taken_back.labels, taken_back.p), (free.labels, free.p));
    for (from, to) in [(0, 1), (2, 1), (6, 7)] {
        let outside = Mark { from, to, label: None, is_copied: false };
        assert!(session.labelled("page-0", &[outside], None).is_err());
    }
}

#[test]
fn what_was_accepted_is_known_again_and_counts_for_the_site() {
    let folder = tempfile::tempdir().unwrap();
    let marks = [mark(6, Label::Comments)];
    {
        let mut session = session(folder.path(), "ann");
        assert_ne!(&session.labelled("page-1", &[], None).unwrap().labels[5..], "K");
        let accepted = Work { kind: Some(PageType::Forum), ..work("page-0", Status::Accepted, &marks) };
        session.save(accepted).unwrap();
    }
    let mut session = session(folder.path(), "ann");
    let overview = session.overview();
    assert_eq!((overview.accepted, overview.all, overview.last), (1, 3, [1, 1]));
    assert_eq!(overview.pages[0].id, "page-1", "what is done comes last");
    let work = session.page("page-0").unwrap().work.unwrap();
    assert_eq!((work.marks, work.kind), (marks.to_vec(), Some(PageType::Forum)));
    assert_eq!(work.labels.unwrap().chars().last(), Some('K'));
    assert_eq!(&session.labelled("page-1", &[], None).unwrap().labels[5..], "K");
    let written = std::fs::read_to_string(folder.path().join("page-0.jsonl")).unwrap();
    assert!(
        written.lines().last().unwrap().starts_with(r#"{"label":"comments","text":"Wood of the oak"#),
        "{written}"
    );
}

#[test]
fn labels_that_are_there_are_reviewed_the_most_doubtful_first() {
    let folder = tempfile::tempdir().unwrap();
    let hmt = Hmt::new("hmt", Model::by_name("web-blocks").unwrap(), Inference::Exact).unwrap();
    let mut session = Session::open(folder.path(), hmt, "ann", Limits::default()).unwrap();
    let block = |given: Label, p: f64| Some(DoubtOfBlock { words: 3, given, p, found: Label::FullText });
    for number in 0..3 {
        let last = (Label::NotContent, [0.9, 0.1, 0.5][number]);
        let mut blocks: Vec<Option<DoubtOfBlock>> = vec![block(Label::FullText, 1.0); 4];
        blocks.extend([None, block(last.0, last.1)]);
        let doubt = Doubt { page: number, mean: -f64::ln(last.1), blocks };
        session.add_reviewed(page(number), &doubt, Some(PageType::Documentation)).unwrap();
    }
    session.sort_by_doubt();
    let order: Vec<&str> = session.list().iter().map(|page| page.id.as_str()).collect();
    assert_eq!(order, ["page-1", "page-2", "page-0"]);
    let opened = session.page("page-1").unwrap();
    let given = opened.given[5].unwrap();
    assert_eq!((given.label, given.p, given.found), ('B', 10, 'C'));
    let Work { marks, kind, .. } = opened.work.unwrap();
    assert_eq!(kind, Some(PageType::Documentation));
    let first = Mark { from: 1, to: 4, label: Some(Label::FullText), is_copied: false };
    assert_eq!(marks, [first, mark(6, Label::NotContent)]);
    // Accepted as it is, then with a change.
    session.save(work("page-1", Status::Accepted, &marks)).unwrap();
    assert_eq!(session.overview().last, [1, 0]);
    session.save(work("page-2", Status::Accepted, &[first, mark(6, Label::Comments)])).unwrap();
    let overview = session.overview();
    assert_eq!(overview.last, [2, 1]);
    session.sort_by_doubt();
    assert_eq!(session.list()[0].id, "page-0", "what is done comes last");
}

#[test]
fn marks_go_to_the_same_places_of_other_pages() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = session(folder.path(), "ann");
    session.save(work("page-0", Status::Open, &[mark(6, Label::Comments)])).unwrap();
    session.save(work("page-2", Status::Accepted, &[])).unwrap();
    let same = session.same_site("page-0", false).unwrap();
    assert_eq!((same.pages, same.blocks, same.preview.len()), (1, 1, 1));
    assert_eq!(session.page("page-1").unwrap().work, None);
    session.same_site("page-0", true).unwrap();
    let copied = Mark { is_copied: true, ..mark(6, Label::Comments) };
    assert_eq!(session.page("page-1").unwrap().work.unwrap().marks, [copied]);
}

#[test]
fn annotators_are_kept_apart_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    for (annotator, label) in [("ann", Label::Comments), ("ben", Label::NotContent)] {
        let mut session = session(folder.path(), annotator);
        assert_eq!(session.overview().accepted, 0);
        session.save(work("page-0", Status::Accepted, &[mark(6, label)])).unwrap();
    }
    let agreement = session(folder.path(), "ann").agreement().unwrap();
    assert_eq!(agreement.pages, 1);
    assert_eq!(agreement.f1(Label::Comments), Some(0.0));
    assert!(agreement.f1(Label::FullText).unwrap() > 0.9);
}

#[test]
fn a_page_is_skipped_for_a_reason_and_a_damaged_journal_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = session(folder.path(), "ann");
    assert!(session.save(work("page-0", Status::Skipped, &[])).is_err());
    session
        .save(Work { note: "of another language".to_owned(), ..work("page-0", Status::Skipped, &[]) })
        .unwrap();
    assert_eq!(session.overview().skipped, 1);
    let path = folder.path().join(JOURNAL);
    let lines = std::fs::read_to_string(&path).unwrap();
    // A line that was cut off is no line; one that is whole and is none of ours is an error.
    for (rest, is_fine) in [("{\"page\": \"page-0\", \"ann", true), ("{\"page\": 1}\n", false)] {
        std::fs::write(&path, format!("{lines}{rest}")).unwrap();
        let hmt = Hmt::new("hmt", Model::by_name("web-blocks").unwrap(), Inference::Exact).unwrap();
        let opened = Session::open(folder.path(), hmt, "ann", Limits::default());
        match opened {
            Ok(_) => assert!(is_fine),
            Err(error) => {
                assert!(!is_fine && error.to_string().contains("annotations.log, line 2"), "{error}")
            }
        }
    }
}
