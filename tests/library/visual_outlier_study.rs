//! The study of visual outliers on pages of our own with layouts of our own, whose results are known beforehand.

use std::collections::BTreeMap;
use std::path::Path;

use duramen::dataset::TextGold;
use duramen::dataset::labelled::{LabelledCorpus, LabelledPage, PageGold};
use duramen::dom::{Limits, NodeKind};
use duramen::harness::Corpora;
use duramen::layout::{EngineId, LayoutBuilder, PROPERTIES};
use duramen::page::Page;
use duramen::progress::Silent;
use duramen::report::Figure;
use duramen::report::experiment::studies::visual_outlier::{figures, tables};
use duramen::studies;
use duramen::studies::visual_outlier::{
    DetectorResult, SetResult, VisualOutlierResults, VisualOutlierStudy, run,
};

/// Ten letters.
const TEN: &str = "aaaa bbbbb";

/// A page of eight paragraphs of content, the last of them large, and two large ones that are none.
fn page(id: &str, site: &str, page_type: &str, with_layout: bool) -> LabelledPage {
    let content = format!("<p>{TEN}</p>").repeat(7) + &format!("<p class=odd>{TEN}</p>");
    let html = content + "<p class=odd>xxxx yyyyy</p><p class=odd>xxxx zzzzz</p>";
    let mut page = Page::parse(id, None, html.as_bytes(), None, &Limits::default()).unwrap();
    if with_layout {
        let dom = page.dom();
        let engine = EngineId { name: "blitz".to_owned(), version: "1".to_owned() };
        let mut layout = LayoutBuilder::new(engine, dom.len());
        for node in dom.ids().filter(|&node| dom.kind(node) == NodeKind::Element) {
            let is_odd = dom.attribute(node, "class") == Some("odd");
            layout.set_style(
                node,
                PROPERTIES.map(|name| match name {
                    "font-size" if is_odd => "40px",
                    name if name.ends_with("color") => "rgb(0, 0, 0)",
                    name if name.ends_with("style") => "none",
                    _ => "0px",
                }),
            );
        }
        let layout = layout.finish();
        page = page.with_layout(layout);
    }
    let text = [TEN; 8].join("\n");
    let gold = TextGold { text, ..TextGold::default() };
    LabelledPage {
        page,
        host: site.to_owned(),
        site: site.to_owned(),
        page_type: Some(page_type.to_owned()),
        gold: PageGold::Text(gold),
        gold_texts: Vec::new(),
    }
}

fn corpora() -> Corpora {
    let pages = vec![
        page("a1", "a.org", "article", true),
        page("a2", "a.org", "article", true),
        page("b1", "b.org", "article", true),
        page("b2", "b.org", "article", true),
        page("b3", "b.org", "article", false),
        page("c1", "c.org", "article", true),
        page("d1", "d.org", "forum", true),
        page("d2", "d.org", "forum", true),
    ];
    let corpus = LabelledCorpus {
        label: "made".into(),
        checksum: "0".into(),
        pages,
        left_out: Vec::new(),
        layouts: Vec::new(),
        convention: Default::default(),
    };
    BTreeMap::from([("made".to_owned(), corpus)])
}

fn study() -> VisualOutlierStudy {
    toml::from_str(
        "extractors = [\"everything\"]\nk = [2, 200, 500]\nrecalls = [0.5, 1.0]\ncontaminations = [0.0, 0.2, 0.25]\n\
         sets = [{ dataset = \"made\", together = \"corpus\" },\n\
         { dataset = \"made\", together = \"site\", page-types = [\"article\"] }]",
    )
    .unwrap()
}

fn results() -> VisualOutlierResults {
    run(&study(), &corpora(), &Silent).unwrap()
}

fn detector<'a>(set: &'a SetResult, name: &str) -> &'a DetectorResult {
    set.detectors.iter().find(|detector| detector.name == name).unwrap()
}

#[test]
fn pages_are_taken_by_type_and_site_and_those_without_a_layout_are_counted() {
    let results = results();
    let counts = |set: &SetResult| (set.pages, set.groups, set.without_layout, set.nodes, set.content_nodes);
    assert_eq!(counts(&results.sets[0]), (7, 1, 1, 70, 56));
    // Two sites of two articles; the site of one page and the forum are out.
    assert_eq!(counts(&results.sets[1]), (4, 2, 1, 40, 32));
}

#[test]
fn deletion_stops_where_f1_is_highest_and_at_stated_shares() {
    for set in &results().sets {
        assert_eq!((set.start.precision, set.recall, set.bytes), (0.8, 1.0, 10 * set.nodes));
        // 30 % of the nodes look odd and are deleted first; of them a third is content, which comes first on each page.
        let best = detector(set, "200-NN").best_measured;
        assert_eq!((best.nodes * 10, best.precision, best.kept), (set.nodes * 3, 1.0, 0.875));
        assert!((best.f1(set.recall) - 2.0 * 0.875 / 1.875).abs() < 1e-12);
        let stated: Vec<u64> = detector(set, "200-NN").stated.iter().map(|point| point.nodes).collect();
        let quarter = if set.groups == 1 { 17 } else { 10 };
        assert_eq!(stated, [0, set.nodes / 5, quarter]);
        // Histograms see what is rare too.
        assert_eq!(detector(set, "HBOS").best_measured, best);
        assert_eq!(detector(set, "HBOS, 10 bins").best_measured, best);
        let curve = &detector(set, "HBOS").curve;
        assert_eq!((curve.len(), curve[0], curve[100].nodes), (101, set.start, set.nodes));
    }
}

#[test]
fn scores_are_counted_by_truth() {
    let results = results();
    let scores = &detector(&results.sets[0], "200-NN").scores;
    let (first, last) = (scores.first().unwrap(), scores.last().unwrap());
    assert_eq!((first.content, first.other, last.content, last.other), (49, 0, 7, 14));
    assert!(scores[1..29].iter().all(|bin| bin.content + bin.other == 0));
}

#[test]
fn tables_stand_beside_what_was_published_where_it_is_the_same_extractor() {
    let mut results = results();
    let csv = |results: &VisualOutlierResults, name: &str| {
        let tables = tables(results);
        tables.iter().find(|(known, _)| known == name).unwrap().1.to_csv().unwrap()
    };
    let experiment = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/visual-outlier");
    let experiment = studies::load(&experiment).unwrap();
    results.study.published =
        studies::config_of::<VisualOutlierStudy>(&experiment).unwrap().unwrap().published;
    let everything = csv(&results, "visual-outlier-table-1-made-corpus");
    assert!(everything.contains("everything,none,0.8,") && !everything.contains("0.8442"));
    for set in &mut results.sets {
        set.extractor = "boilerpipe-article".to_owned();
    }
    let paper = csv(&results, "visual-outlier-table-1-made-corpus");
    assert!(paper.contains("boilerpipe-article,none,0.8,0.8442,0.5,"));
    let increase = csv(&results, "visual-outlier-table-2-made-corpus");
    // The precision of 1 is a quarter more than 0.8.
    let row = increase.lines().find(|line| line.contains("500-NN")).unwrap();
    assert!(row.starts_with("boilerpipe-article,500-NN,25,18,-12.5,-5.7,"), "{row}");
    let stops = csv(&results, "visual-outlier-table-3-made-site");
    assert!(stops.contains("HBOS,share 0.2,") && stops.contains("best F1 (gold)"));
    assert!(
        csv(&results, "visual-outlier-sets").contains("made-site,boilerpipe-article,4,2,1,0,40,32,400,0,")
    );
}

#[test]
fn figures_can_be_drawn() {
    let results = results();
    let figures = figures(&results);
    assert_eq!(figures.len(), 8);
    for (_, figure, _) in &figures {
        figure.check().unwrap();
    }
    let measured =
        figures.iter().find(|(name, ..)| name == "visual-outlier-figure-3-measured-made-corpus-everything");
    let names: Vec<&str> = measured.unwrap().1.series.iter().map(|series| series.name.as_str()).collect();
    assert_eq!(names, ["200-NN", "500-NN", "HBOS"]);
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
    let error = |text: &str| {
        let sets = "sets = [{ dataset = \"made\", together = \"corpus\" }]\n";
        toml::from_str::<VisualOutlierStudy>(&(sets.to_owned() + text))
            .unwrap()
            .check_on(&["made"])
            .unwrap_err()
            .to_string()
    };
    assert_eq!(error("k = [0]"), "visual-outlier-study.k; give one or more, each 1 and up");
    assert_eq!(error("recalls = [0.0]"), "visual-outlier-study.recalls; each is above 0 and up to 1");
    assert!(error("extractors = [\"hmtt\"]").contains("did you mean 'hmt'?"));
    assert!(study().check_on(&["mode"]).unwrap_err().to_string().contains("no split reads 'made'"));
    assert!(VisualOutlierStudy::default().check_on(&["made"]).is_err());
    let other = VisualOutlierStudy { layout: "chromium".into(), ..study() };
    let message = run(&other, &corpora(), &Silent).unwrap_err().to_string();
    assert!(message.contains("no page of set 'made-corpus' with a layout by 'chromium'"), "{message}");
}
