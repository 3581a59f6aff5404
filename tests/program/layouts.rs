//! Layouts in the whole program: workers that hang or die, models that need a layout, runs, and the two engines on one page.
#![cfg(unix)]

use crate::support;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use duramen::dom::{Limits, NodeKind};
use duramen::error::PageProblem;
use duramen::extract::hmt::{Hmt, Inference};
use duramen::extract::{ExtractError, PageExtractor};
use duramen::harness::Corpora;
use duramen::harness::config::Experiment;
use duramen::harness::record::RunResults;
use duramen::index::NodeId;
use duramen::layout::{Engines, Layout, Property};
use duramen::model::{Model, ModelConfig};
use duramen::page::Page;
use duramen::progress::Silent;
use duramen::studies::engines::Agreement;
use duramen::studies::feature_distributions::FeatureFigures;
use duramen::studies::{self, Resources};

fn page(id: &str, html: &str) -> Page {
    Page::parse(id, None, html.as_bytes(), None, &Limits::default()).unwrap()
}

fn program() -> PathBuf {
    env!("CARGO_BIN_EXE_duramen").into()
}

fn engines() -> Engines {
    Engines { worker: Some(program()), ..Engines::default() }
}

/// A page with all that a test of geometry wants: blocks, floats, a table, lists, right-to-left, what is not rendered.
const PLAIN: &str = r#"<!DOCTYPE html><html><head><title>Boxes</title><style>
body { margin: 10px; font: 16px/20px Arial, sans-serif }
#left { float: left; width: 300px; height: 120px; background: #eee; border: 1px solid #123456 }
#right { margin-left: 320px; padding: 5px }
#gone { display: none }
td { width: 100px; height: 30px; padding: 0 }
</style></head><body>
<div id="left">Floating text</div>
<div id="right"><h1 style="font-size:32px;line-height:40px;margin:0">Heading</h1><p style="margin:10px 0">One line.</p></div>
<div style="clear:both"></div>
<table style="border-collapse:collapse"><tr><td>a</td><td>b</td></tr></table>
<ul style="margin:0;padding-left:40px"><li>one<ul style="margin:0;padding-left:40px"><li id="inner">two</li></ul></li></ul>
<p dir="rtl" id="rtl" style="width:200px;margin:0">right to left</p>
<p id="gone">never seen</p>
</body></html>"#;

fn by_id(page: &Page, id: &str) -> NodeId {
    let dom = page.dom();
    dom.ids().find(|&node| dom.attribute(node, "id") == Some(id)).unwrap()
}

/// x, y, width, height in whole pixels.
fn rounded(layout: &Layout, node: NodeId) -> Option<[i32; 4]> {
    let rect = layout.rect(node)?;
    Some([rect.x, rect.y, rect.width, rect.height].map(|length| length.round() as i32))
}

fn check_plain(page: &Page, layout: &Layout) {
    let of = |id: &str| rounded(layout, by_id(page, id));
    assert_eq!(of("left"), Some([10, 10, 302, 122]));
    // 1366 less twice the margin of the body and its own.
    assert_eq!(of("right"), Some([330, 10, 1026, 90]));
    assert_eq!(of("gone"), None);
    // Below the float at 132, a table of 30; then two lines of 20.
    assert_eq!(of("inner"), Some([90, 182, 1266, 20]));
    assert_eq!(of("rtl"), Some([10, 202, 200, 20]));
    let style = |id: &str, name: &str| layout.style(by_id(page, id), Property::named(name).unwrap());
    assert_eq!(style("left", "border-top-color"), Some("rgb(18, 52, 86)"));
    assert_eq!(style("left", "background-color"), Some("rgb(238, 238, 238)"));
    assert_eq!(style("right", "padding-left"), Some("5px"));
    assert_eq!(style("inner", "display"), Some("list-item"));
}

#[test]
fn blitz_in_a_process_of_its_own_gives_the_boxes_that_can_be_told_by_hand() {
    let page = page("plain", PLAIN);
    let apart = engines().open("blitz").unwrap().layout(&page.layout_input()).unwrap();
    check_plain(&page, &apart);
    let here = Engines::default().open("blitz").unwrap().layout(&page.layout_input()).unwrap();
    assert_eq!(apart, here, "a process changes nothing");
}

#[test]
fn the_two_engines_agree_on_a_plain_page() {
    let page = page("plain", PLAIN);
    let opened = engines().open("chromium");
    let Some(chromium) = support::unless_no_chromium("the_two_engines_agree_on_a_plain_page", opened) else {
        return;
    };
    let chromium = chromium.layout(&page.layout_input()).unwrap();
    check_plain(&page, &chromium);
    let blitz = engines().open("blitz").unwrap().layout(&page.layout_input()).unwrap();
    let agreement = Agreement::new(page.dom(), &blitz, &chromium);
    assert_eq!(agreement.shown, agreement.shown_by_both);
    assert_eq!((agreement.x, agreement.y), (Some(1.0), Some(1.0)));
    assert_eq!(agreement.width, Some(1.0));
    assert!(agreement.spearman_y.unwrap() > 0.999, "{agreement:?}");
    for (property, share) in Property::all().zip(agreement.styles.unwrap()) {
        assert!(share > 0.9, "{}: {share}", property.name());
    }
}

/// A worker that hangs on pages that say so, dies on others, and has the program do the rest.
fn wayward(folder: &Path) -> PathBuf {
    let path = folder.join("worker");
    let script = format!(
        "#!/bin/sh\nwhile IFS= read -r line; do case \"$line\" in\n*hangs*) sleep 1000;;\n*dies*) kill -9 $$;;\n\
         *) printf '%s\\n' \"$line\" | '{}' layout-worker;;\nesac; done\n",
        program().display()
    );
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

#[test]
fn a_page_that_hangs_or_kills_its_engine_ends_alone_and_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let engines = Engines {
        worker: Some(wayward(folder.path())),
        timeout: Duration::from_secs(5),
        ..Engines::default()
    };
    let engine = engines.open("blitz").unwrap();
    let layout = |html: &str| engine.layout(&page("page", html).layout_input());
    assert!(layout("<p>good").is_ok());
    let start = Instant::now();
    assert_eq!(layout("<p>hangs"), Err(PageProblem::Timeout { seconds: 5 }));
    assert!(start.elapsed() < Duration::from_secs(30));
    assert!(layout("<p>good again").is_ok());
    let Err(PageProblem::Failed(problem)) = layout("<p>dies") else { panic!("the worker died") };
    assert!(problem.contains("signal"), "{problem}");
    assert!(layout("<p>and good again").is_ok());
}

#[test]
fn pages_that_would_do_harm_are_laid_out_or_fail_by_themselves() {
    let deep = "<div>".repeat(20_000) + "deep";
    let wide = "<p>x".repeat(30_000);
    let table = "<table><tr><td colspan=100000000 rowspan=100000000>x</table>".repeat(20);
    let huge = "<style>*{width:1e38px;margin:calc(1e30px * 1e30);border:99999999999px solid}</style><p>x";
    let circular = "<style>:root{--a:var(--b);--b:var(--a)} p{width:var(--a)}</style><p>x";
    let imports =
        "<style>@import url(http://localhost:9/x.css); p{background:url(file:///etc/passwd)}</style><p>x";
    let unclosed = "<style>p{color:red;/*</style><p style='width:((((((((((((((((('>x";
    let engine = Engines { timeout: Duration::from_secs(60), ..engines() }.open("blitz").unwrap();
    for (name, html) in [
        ("deep", &*deep),
        ("wide", &wide),
        ("table", &table),
        ("huge", huge),
        ("circular", circular),
        ("imports", imports),
        ("unclosed", unclosed),
    ] {
        let page = page(name, html);
        match engine.layout(&page.layout_input()) {
            Ok(layout) => {
                layout.check(page.dom()).unwrap();
                let boxes = page.dom().ids().filter(|&id| layout.rect(id).is_some()).count();
                assert!(boxes > 2, "{name}: {boxes} boxes");
            }
            Err(problem) => assert_eq!(problem.status(), "error", "{name}: {problem}"),
        }
    }
    assert!(engine.layout(&page("good", "<p>good").layout_input()).is_ok());
}

#[test]
fn a_model_refuses_the_layouts_of_another_engine_until_it_is_told_otherwise() {
    let lesson = page("lesson", PLAIN);
    let blitz = engines().open("blitz").unwrap();
    let layout = blitz.layout(&lesson.layout_input()).unwrap();
    let without = page("lesson", PLAIN);
    let mut model = Model::new(ModelConfig::preset("blocks+blitz").unwrap()).unwrap();
    assert_eq!(
        model.observe(&without, |_| [1, 0, 0, 0, 0, 0], "made up"),
        Err(PageProblem::NoLayout { engine: "blitz".to_owned() })
    );
    let lesson = lesson.with_layout(layout);
    model.observe(&lesson, |id| [id.0 % 2, 0, 1, 0, 0, 0], "made up").unwrap();
    let source = model.sources().keys().next().unwrap();
    assert_eq!(*source, format!("made up laid out by {}", blitz.id()), "the version travels with the model");

    let hmt = Hmt::new("hmt", model.clone(), Inference::Exact).unwrap();
    assert_eq!(hmt.layout_engines(), ["blitz"]);
    assert!(hmt.extract_page(&lesson).is_ok());
    let refused = Err(ExtractError::MissingInput("a layout"));
    assert_eq!(hmt.extract_page(&without).map(|_| ()), refused);
    model.read_layouts_of("chromium").unwrap();
    let told = Hmt::new("hmt", model, Inference::Exact).unwrap();
    assert_eq!(told.extract_page(&lesson).map(|_| ()), refused, "now it wants the other");
    let mut blind = Model::new(ModelConfig::blocks()).unwrap();
    assert!(blind.read_layouts_of("blitz").unwrap_err().to_string().contains("no feature of the layout"));
}

/// Runs an experiment with its studies.
fn run_on(experiment: &Experiment, corpora: &Corpora, engines: &Engines, journal: &Path) -> RunResults {
    let resources = Resources { data_dir: Path::new("unused"), engines };
    let stop = AtomicBool::new(false);
    studies::run(experiment, corpora, resources, "a test", journal, &stop, &Silent).unwrap().0
}

#[test]
fn a_run_lays_its_pages_out_once_and_is_the_same_again_from_what_was_kept() {
    let experiment = studies::parse(
        r#"
        title = "Layouts"
        question = "Do they travel?"
        dataset = "synth"
        feature-figures = true
        layout = "blitz"
        [synth]
        sites = 4
        pages_per_site = 2
        [[splits]]
        kind = "folds-by-host"
        id = "folds"
        folds = 2
        [[systems]]
        id = "blind"
        extractor = "hmt"
        model = "thesis"
        [[systems]]
        id = "seeing"
        extractor = "hmt"
        model = "thesis+blitz"
        "#,
        "test.toml",
    )
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let engines = Engines { cache: Some(folder.path().join("layouts")), ..engines() };
    let run = || {
        let corpora = studies::read_pages(&experiment, Path::new("unused"), &engines, &Silent).unwrap();
        let journal = folder.path().join("journal.jsonl");
        run_on(&experiment, &corpora, &engines, &journal)
    };
    let first = run();
    let record = &first.record.corpora["synth"].layouts;
    assert_eq!(record.len(), 1);
    assert_eq!((record[0].engine.name.as_str(), record[0].pages), ("blitz", 8));
    assert!(first.results.iter().all(|result| result.status == "ok"));
    let of = |system: &str| first.results.iter().filter(|r| r.system == system).collect::<Vec<_>>();
    let scores = |system: &str| of(system).iter().map(|r| r.scores.clone()).collect::<Vec<_>>();
    assert_ne!(scores("blind"), scores("seeing"), "features 12-15 make a difference");
    let found = studies::results_of::<FeatureFigures>(&first).unwrap().unwrap();
    let figures: Vec<&str> = found.iter().map(|histogram| &*histogram.figure).collect();
    assert!(["3.11", "3.12", "3.13", "3.14"].iter().all(|figure| figures.contains(figure)), "{figures:?}");
    // What was kept is enough: this worker lays out nothing.
    let kept = Engines { worker: Some("/bin/false".into()), ..engines.clone() };
    let corpora = studies::read_pages(&experiment, Path::new("unused"), &kept, &Silent).unwrap();
    assert!(corpora["synth"].layouts[0].failures.is_empty());
    let again = run();
    assert_eq!(again.results, first.results);
    assert_eq!(again.record, first.record);
}

#[test]
fn a_page_that_cannot_be_laid_out_is_not_applicable_and_the_run_goes_on() {
    let experiment = studies::parse(
        r#"
        title = "Layouts"
        question = "What of a page that fails?"
        dataset = "synth"
        [synth]
        sites = 2
        pages_per_site = 1
        [[splits]]
        kind = "folds-by-host"
        id = "folds"
        folds = 2
        [[systems]]
        id = "seeing"
        extractor = "hmt"
        model = "blocks+blitz"
        [[systems]]
        id = "all"
        extractor = "everything"
        "#,
        "test.toml",
    )
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let engines = Engines { worker: Some("/bin/false".into()), ..Engines::default() };
    let corpora = studies::read_pages(&experiment, Path::new("unused"), &engines, &Silent).unwrap();
    assert_eq!(corpora["synth"].layouts[0].failures.len(), 2);
    let journal = folder.path().join("journal.jsonl");
    let results = run_on(&experiment, &corpora, &engines, &journal);
    for result in &results.results {
        assert_eq!(result.status, if result.system == "all" { "ok" } else { "n/a" }, "{}", result.system);
    }
}

fn duramen() -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(program());
    command.env_remove("DURAMEN_LAYOUT_CACHE");
    command
}

#[test]
fn render_prints_a_line_for_each_element_and_draws_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let (html, png) = (folder.path().join("page.html"), folder.path().join("page.png"));
    std::fs::write(&html, PLAIN).unwrap();
    let output = duramen().arg("render").arg(&html).arg("--screenshot").arg(&png).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = page("page", PLAIN);
    let elements = page.dom().ids().filter(|&id| page.dom().kind(id) == NodeKind::Element);
    let lines: Vec<serde_json::Value> =
        output.stdout.split(|&b| b == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let nodes: Vec<u64> = lines.iter().map(|line| line["node"].as_u64().unwrap()).collect();
    assert_eq!(nodes, elements.map(|id| u64::from(id.0)).collect::<Vec<_>>());
    let left = lines.iter().find(|line| line["node"] == by_id(&page, "left").0).unwrap();
    assert_eq!(left["xpath"], "/html[1]/body[1]/div[1]");
    assert_eq!((&left["width"], &left["styles"]["border-top-width"]), (&302.0.into(), &"1px".into()));
    assert_eq!(left["styles"].as_object().unwrap().len(), Property::COUNT);
    let gone = lines.iter().find(|line| line["node"] == by_id(&page, "gone").0).unwrap();
    assert!(gone["x"].is_null());
    let reader = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&png).unwrap())).read_info();
    assert_eq!(reader.unwrap().info().width, 1366);
}

#[test]
fn a_folder_of_pages_is_rendered_though_one_of_them_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let (pages, out) = (folder.path().join("pages"), folder.path().join("out"));
    std::fs::create_dir(&pages).unwrap();
    std::fs::write(pages.join("a.html"), PLAIN).unwrap();
    std::fs::write(pages.join("bad.html"), [0u8; 300]).unwrap();
    let output =
        duramen().args(["render", "--input-dir"]).arg(&pages).arg("--output-dir").arg(&out).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("bad.html: not an HTML page"), "{errors}");
    assert!(errors.contains("1 page laid out, 1 failed"), "{errors}");
    assert!(std::fs::read_to_string(out.join("a.jsonl")).unwrap().lines().count() > 10);
}

#[test]
fn engines_that_are_not_there_are_told_of_before_any_page() {
    let output = duramen().args(["render", "x.html", "--engine", "gecko"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let output = duramen()
        .args(["render", "x.html", "--engine", "chromium", "--chromium", "/no/browser"])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("there is no Chromium at /no/browser"), "{errors}");
    assert!(errors.contains("apt-get install chromium"), "{errors}");
}

#[test]
fn explain_shows_the_picture_with_a_box_for_each_block() {
    let folder = tempfile::tempdir().unwrap();
    let html = folder.path().join("page.html");
    std::fs::write(&html, PLAIN).unwrap();
    let plain = duramen().arg("explain").arg(&html).output().unwrap();
    let with = duramen().arg("explain").arg(&html).args(["--layout", "blitz"]).output().unwrap();
    assert!(with.status.success(), "{}", String::from_utf8_lossy(&with.stderr));
    let (plain, with) = (String::from_utf8(plain.stdout).unwrap(), String::from_utf8(with.stdout).unwrap());
    assert!(!plain.contains("data:image/png"));
    assert!(with.contains("data:image/png;base64,iVBOR"));
    let boxes = with.matches("href=\"#b").count() - plain.matches("href=\"#b").count();
    // The float, heading, line, two cells, two items, and the line from right to left.
    assert_eq!(boxes, 8, "one for each block that is seen");
}

#[test]
fn a_record_names_the_engine_that_laid_its_page_out() {
    let folder = tempfile::tempdir().unwrap();
    let html = folder.path().join("page.html");
    std::fs::write(&html, PLAIN).unwrap();
    let record = |more: &[&str]| -> serde_json::Value {
        let output = duramen().args(["extract", "--json"]).arg(&html).args(more).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    assert!(record(&[]).get("layouts").is_none());
    let engine = engines().open("blitz").unwrap().id().to_string();
    // What needs a layout has one made without being asked.
    let filtered = ["--extractor", "visual-outlier", "--set", "extractor=everything"];
    assert_eq!(record(&filtered)["layouts"], serde_json::json!([engine]));
    assert_eq!(
        record(&[&filtered[..], &["--layout", "blitz"]].concat())["layouts"],
        serde_json::json!([engine])
    );
}
