//! The study of the SD algorithm on pages of our own, whose results are known beforehand.

use std::path::Path;

use duramen::dataset::{Document, Gold, TextGold};
use duramen::extract::sd::SdPageType;
use duramen::progress::Silent;
use duramen::report::Figure;
use duramen::report::experiment::studies::sd::{figures, tables};
use duramen::studies;
use duramen::studies::sd::{SdPages, SdStudy, SdStudyResults, run};

/// Pages of each class.
const EACH: usize = 6;

fn sentences(n: usize) -> String {
    "The oak stands alone in its field. ".repeat(n).trim_end().to_owned()
}

/// A page of an article with or without a comment, and its annotated copy.
fn article(number: usize, comment: bool) -> Document {
    let page = |mark: &dyn Fn(u8, &str) -> String| {
        let body = mark(2, &sentences(5 + number));
        let comment = match comment {
            true => format!("<div class=comment><p>{}</p></div>", mark(5, &sentences(2))),
            false => String::new(),
        };
        format!(
            "<div><div><h1>Oak {number}</h1><p>{body}</p></div>{comment}</div>\
             <div><div><div>Everything about trees since 1999</div></div></div>"
        )
    };
    let html = page(&|_, text| text.to_owned());
    let annotated = page(&|label, text| format!("<span class=\"x-nc-sel{label}\">{text}</span>"));
    document(format!("article-{comment}-{number}"), html, Gold::Annotated(annotated.into_bytes()))
}

/// A page of three posts on one level.
fn thread(number: usize, page_type: &str) -> Document {
    let post = format!("<div><p>{}</p></div>", sentences(4));
    let gold = Gold::Text(TextGold { text: sentences(12), ..TextGold::default() });
    let html = format!("<h1>Oaks {number}</h1>{}", post.repeat(3));
    let page = document(format!("{page_type}-{number}"), html, gold);
    Document { page_type: Some(page_type.to_owned()), ..page }
}

fn document(id: String, html: String, gold: Gold) -> Document {
    // Two pages of each class share a host.
    let host = format!("host-{}.org", id.replace(['0', '1'], "x"));
    Document {
        id,
        url: None,
        site: host.clone(),
        host,
        language: None,
        page_type: None,
        html: html.into_bytes(),
        gold,
    }
}

fn pages(study: &SdStudy) -> SdPages {
    let mut documents: Vec<Document> = (0..EACH)
        .flat_map(|number| [article(number, false), article(number, true), thread(number, "forum")])
        .collect();
    // A type that is not asked for, a page without full text, and one without gold text.
    documents.push(thread(9, "product"));
    let nothing = Gold::Annotated(b"<p>Nothing here is marked".to_vec());
    documents.push(document("unmarked".into(), "<p>Nothing here is marked".into(), nothing));
    let empty = document("empty".into(), "<p>x".into(), Gold::Text(TextGold::default()));
    documents.push(Document { page_type: Some("forum".into()), ..empty });
    SdPages::from_documents(study, documents)
}

fn study() -> SdStudy {
    toml::from_str("folds = 3\nruns = 4\nsizes = [2, 4, 50]\nt2 = [20, 5000]\nmultiple-types = [\"forum\"]")
        .unwrap()
}

fn results() -> SdStudyResults {
    run(&study(), &pages(&study()), 7, &Silent).unwrap()
}

#[test]
fn pages_get_their_class_from_labels_and_stated_types_and_others_are_left_out_with_the_reason() {
    let pages = pages(&study());
    for page_type in SdPageType::ALL {
        assert_eq!(pages.pages.iter().filter(|page| page.page_type == page_type).count(), EACH);
    }
    let reasons: Vec<&str> = pages.left_out.iter().map(|(_, reason)| reason.as_str()).collect();
    assert_eq!(reasons, ["unmarked: no full text is annotated", "empty: its reference is empty"]);
}

#[test]
fn pages_that_the_algorithm_gets_right_score_one() {
    let results = results();
    assert_eq!(results.settings.len(), 4);
    for setting in &results.settings {
        assert_eq!((setting.precision, setting.recall), (1.0, 1.0), "{:?}", setting.page_type);
        // Every T1 is equally good, so the middle is learned in each fold.
        assert_eq!(setting.thresholds.iter().map(|learned| learned.t1).collect::<Vec<_>>(), [50.0; 3]);
    }
    let accuracy = |class: usize| results.settings[class].region_accuracy;
    assert_eq!((accuracy(0), accuracy(1)), (1.0, 1.0));
    // Three posts of 139 characters against one text of 419: two blanks are missing.
    assert!((accuracy(2) - 417.0 / 419.0).abs() < 1e-12, "{}", accuracy(2));
    // Each page is tested in two of three folds.
    assert_eq!(results.confusion, [[12, 0, 0], [0, 12, 0], [0, 0, 12]]);
}

#[test]
fn figures_show_what_thresholds_do() {
    let results = results();
    // A class of six pages stops at six.
    assert_eq!(results.by_size[0].points.iter().map(|point| point.x).collect::<Vec<_>>(), [2, 4, 6]);
    assert_eq!(results.by_t1[0].points.len(), 101);
    // Above all densities every page is of multiple areas, none of them.
    let last = [0, 1, 2].map(|class| results.by_t2[class].points[1].mean);
    assert_eq!(last, [0.0, 0.0, 1.0]);
    assert_eq!(results.random_guess, 1.0 / 3.0);
    for (_, figure, _) in figures(&results) {
        figure.check().unwrap();
    }
}

#[test]
fn tables_stand_beside_what_was_published() {
    let mut results = results();
    let without = tables(&results)[0].1.to_csv().unwrap();
    assert!(without.lines().next().unwrap().ends_with("T1 learned") && without.contains("Articles,1,1,1,"));
    let experiment = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/sd");
    let experiment = studies::load(&experiment).unwrap();
    results.study.published = studies::config_of::<SdStudy>(&experiment).unwrap().unwrap().published;
    let tables = tables(&results);
    let csv = |name: &str| tables.iter().find(|(known, _)| *known == name).unwrap().1.to_csv().unwrap();
    assert!(csv("sd-table-2").contains("Articles,1,1,1,\"50, 50, 50\",0.75,1,0.82,0.84,1,0.91,"));
    assert!(csv("sd-table-1").contains("SD Diverse,521,600,86.833,"));
    // Six pages of five hosts.
    assert!(csv("sd-table-1").contains("ours: Multiple areas,5,6,83.3"));
    assert!(csv("sd-confusion").contains("Articles with Comments,0,100,0,12"));
}

#[test]
fn the_study_has_the_same_bytes_at_one_and_two_threads() {
    let of_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| serde_json::to_string(&results()).unwrap())
    };
    assert_eq!(of_threads(1), of_threads(2));
}

#[test]
fn faults_of_the_table_are_named() {
    let error = |text: &str| toml::from_str::<SdStudy>(text).unwrap().check_ranges().unwrap_err().to_string();
    assert_eq!(error("folds = 1"), "sd-study.folds is below 2; 2 and up; the default is 5");
    assert_eq!(error("t2 = [20, 0]"), "sd-study.t2; give one or more, ascending");
    assert!(toml::from_str::<SdStudy>("multiple_types = []").is_err());
    let few = SdStudy { folds: 7, ..study() };
    let message = run(&few, &pages(&few), 7, &Silent).unwrap_err().to_string();
    assert!(message.contains("6 pages of class 'Articles', fewer than folds"), "{message}");
}
