//! Layouts by Chromium: geometry known beforehand, pages that would do harm, browsers that die, pages loaded live.

use crate::support;
use std::io::{BufRead, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use duramen::NodeId;
use duramen::dom::{Dom, Limits, NodeKind};
use duramen::error::PageProblem;
use duramen::layout::chromium::{Chromium, ChromiumConfig, LoadConfig};
use duramen::layout::{
    Layout, LayoutEngine, LayoutInput, MAX_PICTURE_HEIGHT, Property, Rect, VIEWPORT_WIDTH,
};

/// An engine, or none where there is no browser and that may be.
fn engine_of(test: &str, config: ChromiumConfig) -> Option<Chromium> {
    support::unless_no_chromium(test, Chromium::new(config))
}

fn engine(test: &str) -> Option<Chromium> {
    engine_of(test, ChromiumConfig { browsers: 1, ..Default::default() })
}

/// A program that starts the browser and tells which process it became: a line for each start.
struct Launcher {
    folder: tempfile::TempDir,
}

impl Launcher {
    fn new() -> Launcher {
        let folder = tempfile::tempdir().unwrap();
        let script = "#!/bin/sh\n\
            printf '%s\\n' \"$$\" >>\"${0%/*}/pids\"\n\
            printf '%s\\n' \"$@\" >\"${0%/*}/arguments\"\n\
            for name in chromium chromium-browser google-chrome; do\n\
            command -v $name >/dev/null && exec $name \"$@\"\ndone\n";
        let path = folder.path().join("launcher");
        std::fs::write(&path, script).unwrap();
        assert!(Command::new("chmod").arg("+x").arg(&path).status().unwrap().success());
        Launcher { folder }
    }

    fn engine(&self, test: &str, timeout: Duration) -> Option<Chromium> {
        engine(test)?;
        let path = Some(self.folder.path().join("launcher"));
        engine_of(test, ChromiumConfig { path, timeout, browsers: 1 })
    }

    fn pids(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.folder.path().join("pids")).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    fn signal(&self, signal: &str) {
        let pid = self.pids().pop().unwrap();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    fn kill_browser(&self) {
        self.signal("-9");
    }

    /// Kills the processes that show pages.
    fn kill_renderers(&self) {
        let profile = format!("--user-data-dir={}", self.profile().display());
        let processes = std::fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
        let shows_pages = |process: &PathBuf| {
            let line = std::fs::read(process.join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).into_owned();
            line.contains("--type=renderer") && line.contains(&profile)
        };
        let pids: Vec<PathBuf> = processes.filter(shows_pages).collect();
        assert!(!pids.is_empty());
        for pid in pids {
            Command::new("kill").arg("-9").arg(pid.file_name().unwrap()).status().unwrap();
        }
    }

    fn profile(&self) -> PathBuf {
        let text = std::fs::read_to_string(self.folder.path().join("arguments")).unwrap();
        text.lines().find_map(|line| line.strip_prefix("--user-data-dir=")).unwrap().into()
    }
}

fn parse(html: &[u8]) -> Dom {
    Dom::parse(html, None, &Limits::default()).unwrap()
}

fn try_layout(engine: &Chromium, html: &[u8]) -> (Dom, Result<Layout, PageProblem>) {
    let dom = parse(html);
    let layout = engine.layout(&LayoutInput { dom: &dom, bytes: Some(html), url: None });
    (dom, layout)
}

fn layout(engine: &Chromium, html: &[u8]) -> (Dom, Layout) {
    let (dom, layout) = try_layout(engine, html);
    let layout = layout.unwrap();
    layout.check(&dom).unwrap();
    (dom, layout)
}

fn with_id(dom: &Dom, id: &str) -> NodeId {
    dom.ids()
        .find(|&node| dom.attribute(node, "id") == Some(id))
        .unwrap_or_else(|| panic!("no element #{id}"))
}

fn rect(dom: &Dom, layout: &Layout, id: &str) -> [f32; 4] {
    let Rect { x, y, width, height } =
        layout.rect(with_id(dom, id)).unwrap_or_else(|| panic!("#{id} has no box"));
    [x, y, width, height]
}

fn style<'a>(dom: &Dom, layout: &'a Layout, id: &str, property: &str) -> &'a str {
    layout.style(with_id(dom, id), Property::named(property).unwrap()).unwrap()
}

#[test]
fn blocks_floats_and_tables_stand_where_css_puts_them() {
    let Some(engine) = engine("blocks_floats_and_tables_stand_where_css_puts_them") else { return };
    let html = b"<!doctype html><style>body{margin:0}
        #a{margin:10px;padding:5px;border:3px solid red;height:100px}
        #f{float:right;width:300px;height:50px} #g{overflow:hidden;height:20px}
        table{border-spacing:0;clear:both} td{padding:0;width:70px;height:30px}
        ul{margin:0;padding:0 0 0 40px} li{height:20px} #h{position:absolute;left:-50px;top:2000px;width:20px;height:9px}
        </style><div id=a></div><div id=f></div><div id=g></div>
        <table id=t><tr><td id=c>1<td id=d>2<tr id=r><td colspan=2>3</table>
        <ul id=u><li id=l>x<ul><li id=m>y</ul></ul><div id=h></div>";
    let (dom, layout) = layout(&engine, html);
    assert_eq!(rect(&dom, &layout, "a"), [10.0, 10.0, 1346.0, 116.0]);
    assert_eq!(rect(&dom, &layout, "f"), [1066.0, 136.0, 300.0, 50.0]);
    assert_eq!(rect(&dom, &layout, "g"), [0.0, 136.0, 1066.0, 20.0]);
    assert_eq!(rect(&dom, &layout, "t"), [0.0, 186.0, 140.0, 60.0]);
    assert_eq!(rect(&dom, &layout, "d"), [70.0, 186.0, 70.0, 30.0]);
    assert_eq!(rect(&dom, &layout, "r"), [0.0, 216.0, 140.0, 30.0]);
    assert_eq!(rect(&dom, &layout, "l"), [40.0, 246.0, 1326.0, 20.0]);
    assert_eq!(rect(&dom, &layout, "m")[0], 80.0);
    // Boxes are those of the whole page, also outside the window.
    assert_eq!(rect(&dom, &layout, "h"), [-50.0, 2000.0, 20.0, 9.0]);
    assert_eq!(style(&dom, &layout, "a", "border-top-color"), "rgb(255, 0, 0)");
    assert_eq!(style(&dom, &layout, "a", "display"), "block");
    assert_eq!(style(&dom, &layout, "f", "margin-left"), "0px");
    assert_eq!(engine.id().name, "chromium");
    assert!(engine.id().version.split('.').count() == 4, "{}", engine.id());
}

#[test]
fn the_window_is_1366_pixels_wide_on_long_pages_too() {
    let Some(engine) = engine("the_window_is_1366_pixels_wide_on_long_pages_too") else { return };
    let html = b"<!doctype html><body style=margin:0><div id=a style=height:9000px></div><div id=b>";
    let (dom, layout) = layout(&engine, html);
    assert_eq!(rect(&dom, &layout, "a"), [0.0, 0.0, VIEWPORT_WIDTH as f32, 9000.0]);
    assert_eq!(rect(&dom, &layout, "b"), [0.0, 9000.0, VIEWPORT_WIDTH as f32, 0.0]);
}

#[test]
fn styles_are_used_values_and_what_is_not_rendered_has_none() {
    let Some(engine) = engine("styles_are_used_values_and_what_is_not_rendered_has_none") else { return };
    let html = b"<!doctype html><body style='margin:0;font-size:20px'>
        <div id=a style='width:50%;margin:0 auto;padding:1em;border-radius:3px;text-decoration:underline'></div>
        <div id=n style=display:none><p id=m>x</div><div id=c style=display:contents><p id=p>y</p></div>
        <div id=v style=visibility:hidden>z</div><b id=b>w</b>";
    let (dom, layout) = layout(&engine, html);
    let width = f64::from(VIEWPORT_WIDTH);
    // As getComputedStyle: margins in pixels as used, (1366 - 683 - 40) / 2.
    assert_eq!(style(&dom, &layout, "a", "margin-left"), format!("{}px", (width / 2.0 - 40.0) / 2.0));
    assert_eq!(style(&dom, &layout, "a", "padding-top"), "20px");
    assert_eq!(style(&dom, &layout, "a", "text-decoration"), "underline");
    assert_eq!(style(&dom, &layout, "a", "border-top-left-radius"), "3px");
    assert_eq!(style(&dom, &layout, "b", "font-weight"), "700");
    assert_eq!(style(&dom, &layout, "v", "visibility"), "hidden");
    for id in ["n", "m", "c"] {
        assert_eq!(
            (layout.rect(with_id(&dom, id)), layout.style_number(with_id(&dom, id))),
            (None, None),
            "{id}"
        );
    }
    assert!(layout.rect(with_id(&dom, "p")).is_some());
}

#[test]
fn inline_boxes_reach_around_all_their_lines_and_text_may_run_from_the_right() {
    let Some(engine) = engine("inline_boxes_reach_around_all_their_lines_and_text_may_run_from_the_right")
    else {
        return;
    };
    let html = "<!doctype html><body style='margin:0;line-height:30px;font-size:16px'>
        <div style='width:100px'><span id=s>aaaa bbbb cccc dddd eeee ffff gggg hhhh</span></div>
        <div dir=rtl id=r style='width:400px;padding-right:10px'><p id=p style='width:100px;margin:0'>\u{5d0}\u{5d1}</p></div>";
    let (dom, layout) = layout(&engine, html.as_bytes());
    let [x, _, width, height] = rect(&dom, &layout, "s");
    assert!(x == 0.0 && width <= 100.0 && height > 60.0, "{width} x {height}");
    assert_eq!(rect(&dom, &layout, "p")[0], 300.0);
}

#[test]
fn quirks_are_those_of_the_doctype_with_and_without_bytes() {
    let Some(engine) = engine("quirks_are_those_of_the_doctype_with_and_without_bytes") else { return };
    let limited = "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \
        \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">";
    let mut heights = Vec::new();
    for doctype in ["<!doctype html>", limited, ""] {
        // In quirks mode a length needs no unit; in standards mode an image leaves room for descenders below it.
        let page = format!(
            "{doctype}<body style=margin:0><div id=a style='width:50'>x</div>
            <table cellpadding=0 cellspacing=0><tr><td id=c><img width=20 height=20 \
            src='data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'></table>"
        );
        let (dom, with_bytes) = layout(&engine, page.as_bytes());
        let without = engine.layout(&LayoutInput { dom: &dom, bytes: None, url: None }).unwrap();
        assert_eq!(with_bytes, without, "{doctype}");
        assert_eq!(
            rect(&dom, &with_bytes, "a")[2],
            if doctype.is_empty() { 50.0 } else { 1366.0 },
            "{doctype}"
        );
        heights.push(rect(&dom, &with_bytes, "c")[3]);
    }
    assert!(heights[0] > 20.0 && heights[1] == 20.0 && heights[2] == 20.0, "{heights:?}");
}

#[test]
fn bytes_are_decoded_as_our_parser_decodes_them() {
    let Some(engine) = engine("bytes_are_decoded_as_our_parser_decodes_them") else { return };
    let mut latin = b"<!doctype html><meta charset=windows-1252><p><span id=s>".to_vec();
    latin.extend([0xe9, 0xe8, 0x80, 0xdf]);
    let (dom, of_latin) = layout(&engine, &latin);
    let unicode = "<!doctype html><meta charset=utf-8><p><span id=s>\u{e9}\u{e8}\u{20ac}\u{df}";
    let (other, of_unicode) = layout(&engine, unicode.as_bytes());
    assert_eq!(dom.text(dom.first_child(with_id(&dom, "s")).unwrap()), "\u{e9}\u{e8}\u{20ac}\u{df}");
    assert_eq!(rect(&dom, &of_latin, "s"), rect(&other, &of_unicode, "s"));
}

#[test]
fn broken_pages_keep_the_boxes_of_the_elements_that_both_parsers_make() {
    let Some(engine) = engine("broken_pages_keep_the_boxes_of_the_elements_that_both_parsers_make") else {
        return;
    };
    let pages: [&[u8]; 6] = [
        b"<title>never closed<p id=a style='width:40px'>one",
        b"<table><p id=a style='width:40px'>foster<tr><td>x",
        b"<b><p id=a style='width:40px'>one</b>two",
        b"<body><my-host><template shadowrootmode=open><i><slot></slot></i></template>
            <p id=a style='width:40px'>one</p></my-host>",
        b"<noscript><p id=a style='width:40px'>one</noscript>",
        b"<svg><foreignObject width=99 height=99><p id=a style='width:40px'>one</svg>",
    ];
    for page in pages {
        let (dom, layout) = layout(&engine, page);
        assert_eq!(rect(&dom, &layout, "a")[2], 40.0, "{}", String::from_utf8_lossy(page));
    }
}

#[test]
fn a_layout_is_the_same_each_time_whatever_moves() {
    let Some(engine) = engine("a_layout_is_the_same_each_time_whatever_moves") else { return };
    let mut html = String::from(
        "<!doctype html><style>@keyframes k{from{margin-left:0;color:red}to{margin-left:900px;color:blue}}
        @font-face{font-family:f;src:url(http://page.invalid/f.woff2)} body{font-family:f,monospace}
        #k{animation:k .2s infinite} p{transition:all 3s}</style>
        <marquee><a id=m href=x>running</a></marquee><div id=k>x</div>",
    );
    for i in 0..2000 {
        html.push_str(&format!("<p><img src=http://page.invalid/{i} alt=picture loading=lazy>word {i}"));
    }
    html.push_str("<style>p{margin-left:500px;color:red}</style><p id=p>x");
    let (dom, first) = layout(&engine, html.as_bytes());
    assert_eq!(rect(&dom, &first, "p")[0], 508.0, "a transition is at its end");
    assert_eq!(style(&dom, &first, "p", "color"), "rgb(255, 0, 0)");
    assert_eq!(style(&dom, &first, "k", "margin-left"), "0px", "an animation is at its beginning");
    for _ in 0..3 {
        assert!(layout(&engine, html.as_bytes()).1 == first);
    }
}

#[test]
fn no_script_runs_and_nothing_is_fetched() {
    let Some(engine) = engine("no_script_runs_and_nothing_is_fetched") else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    listener.set_nonblocking(true).unwrap();
    let at = format!("http://127.0.0.1:{port}");
    let html = format!(
        "<!doctype html><meta http-equiv=refresh content='0;url={at}/r'><link rel=stylesheet href={at}/s.css>
        <link rel=preconnect href={at}><link rel=prefetch href={at}/p><link rel=icon href={at}/i>
        <style>@import '{at}/i.css'; body{{margin:0;background:url({at}/b)}}</style>
        <script src={at}/s.js></script><script>document.write('<p>written')</script>
        <body onload='document.body.remove()'><img src={at}/a.png onerror='this.remove()'>
        <iframe src={at}/f></iframe><iframe srcdoc='<img src={at}/g>'></iframe>
        <iframe src='data:text/html,<img src={at}/h><script src={at}/j></script>'></iframe>
        <object data={at}/o></object><embed src={at}/e><video src={at}/v poster={at}/w></video>
        <input type=image src={at}/t><a href={at}/ping ping={at}/ping>x</a><div id=a style=height:33px></div>"
    );
    let (dom, layout) = layout(&engine, html.as_bytes());
    assert_eq!(rect(&dom, &layout, "a")[3], 33.0);
    thread::sleep(Duration::from_millis(500));
    assert!(listener.accept().is_err(), "something asked for something");
}

#[test]
fn pictures_are_as_wide_as_the_window_and_as_high_as_the_page() {
    let Some(engine) = engine("pictures_are_as_wide_as_the_window_and_as_high_as_the_page") else { return };
    for (given, drawn) in [(900, 900), (100_000, MAX_PICTURE_HEIGHT)] {
        let html = format!(
            "<!doctype html><body style=margin:0><div id=a style='height:{given}px;background:#fff'>
            <div style='position:absolute;left:1300px;top:800px;width:66px;height:100px;background:#0f0'></div></div>"
        );
        let dom = parse(html.as_bytes());
        let input = LayoutInput { dom: &dom, bytes: Some(html.as_bytes()), url: None };
        let picture = engine.picture(&input).unwrap();
        assert_eq!(picture.layout, engine.layout(&input).unwrap());
        let mut reader = png::Decoder::new(std::io::Cursor::new(&picture.png)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (VIEWPORT_WIDTH, drawn));
        let samples = info.color_type.samples();
        let pixel = |x: usize, y: usize| &pixels[(y * info.width as usize + x) * samples..][..3];
        assert_eq!(
            (pixel(1299, 850), pixel(1301, 850), pixel(1365, 899)),
            (&[255, 255, 255][..], &[0, 255, 0][..], &[0, 255, 0][..])
        );
    }
}

#[test]
fn huge_and_deep_pages_are_laid_out() {
    let Some(engine) = engine("huge_and_deep_pages_are_laid_out") else { return };
    let wide = format!("<!doctype html><body>{}<p id=a>end", "<p>word <b>and</b> word".repeat(30_000));
    let (dom, of_wide) = layout(&engine, wide.as_bytes());
    assert!(rect(&dom, &of_wide, "a")[1] > 500_000.0);
    let deep = format!("<!doctype html><body>{}<p id=a>end", "<div>".repeat(5_000));
    let (dom, of_deep) = layout(&engine, deep.as_bytes());
    let without =
        dom.ids().filter(|&id| dom.kind(id) == NodeKind::Element && of_deep.rect(id).is_none()).count();
    // <head> alone.
    assert_eq!(without, 1);
}

#[test]
fn one_engine_serves_many_threads() {
    let Some(engine) =
        engine_of("one_engine_serves_many_threads", ChromiumConfig { browsers: 2, ..Default::default() })
    else {
        return;
    };
    thread::scope(|scope| {
        for thread in 0..6 {
            let engine = &engine;
            scope.spawn(move || {
                for page in 0..5 {
                    let height = (100 * thread + page + 1) as f32;
                    let html = format!("<!doctype html><div id=a style='height:{height}px'>");
                    let (dom, layout) = layout(engine, html.as_bytes());
                    assert_eq!(rect(&dom, &layout, "a")[3], height);
                }
            });
        }
    });
}

#[test]
fn a_missing_browser_is_told_with_what_to_do() {
    let config = |path: &str| ChromiumConfig { path: Some(PathBuf::from(path)), ..Default::default() };
    let error = Chromium::new(config("/nowhere/chromium")).unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no Chromium at /nowhere/chromium; install it (Debian: apt-get install chromium), \
        or name its path"
    );
    let error = Chromium::new(config("/bin/false")).unwrap_err().to_string();
    assert!(
        error.starts_with("/bin/false: Chromium: it did not start: the program ended with exit status: 1"),
        "{error}"
    );
    let error = Chromium::new(ChromiumConfig { browsers: 0, ..Default::default() }).unwrap_err().to_string();
    assert!(error.contains("browsers"), "{error}");
}

#[test]
fn a_browser_that_was_killed_between_pages_is_replaced_unnoticed() {
    let launcher = Launcher::new();
    let test = "a_browser_that_was_killed_between_pages_is_replaced_unnoticed";
    let Some(engine) = launcher.engine(test, Duration::from_secs(30)) else { return };
    layout(&engine, b"<p>one");
    launcher.signal("-9");
    layout(&engine, b"<p>two");
    layout(&engine, b"<p>three");
    assert_eq!(launcher.pids().len(), 2);
}

#[test]
fn a_browser_that_is_killed_on_a_page_costs_no_other_page() {
    let launcher = Launcher::new();
    let test = "a_browser_that_is_killed_on_a_page_costs_no_other_page";
    let Some(engine) = launcher.engine(test, Duration::from_secs(120)) else { return };
    let large = format!("<!doctype html>{}", "<table><tr><td>word <b>and</b></table>".repeat(20_000));
    for kill in [Launcher::kill_browser, Launcher::kill_renderers] {
        let before = launcher.pids().len();
        thread::scope(|scope| {
            let page = scope.spawn(|| try_layout(&engine, large.as_bytes()).1);
            thread::sleep(Duration::from_millis(700));
            kill(&launcher);
            // Tried again on a new browser.
            page.join().unwrap().unwrap();
        });
        layout(&engine, b"<p>next");
        assert_eq!(launcher.pids().len(), before + 1);
    }
}

#[test]
fn a_browser_that_hangs_costs_one_page_its_time_and_leaves_nothing_behind() {
    let launcher = Launcher::new();
    let test = "a_browser_that_hangs_costs_one_page_its_time_and_leaves_nothing_behind";
    let Some(engine) = launcher.engine(test, Duration::from_secs(6)) else { return };
    layout(&engine, b"<p>one");
    let profile = launcher.profile();
    assert!(profile.is_dir());
    launcher.signal("-STOP");
    let start = Instant::now();
    assert_eq!(try_layout(&engine, b"<p>two").1, Err(PageProblem::Timeout { seconds: 6 }));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert!(!profile.exists(), "the profile is removed with its browser");
    layout(&engine, b"<p>three");
    let profile = launcher.profile();
    let pids = launcher.pids();
    assert_eq!(pids.len(), 2);
    drop(engine);
    assert!(!profile.exists());
    // The kernel takes a moment to end what it was told to kill.
    let exists = |pid: &String| Path::new("/proc").join(pid).join("exe").exists();
    let start = Instant::now();
    while pids.iter().any(exists) {
        assert!(start.elapsed() < Duration::from_secs(20), "a browser is left");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_browser_ends_with_the_process_that_started_it_however_that_ends() {
    const HOLDER: &str = "DURAMEN_TEST_HOLDS_BROWSER";
    let test = "a_browser_ends_with_the_process_that_started_it_however_that_ends";
    if let Some(path) = std::env::var_os(HOLDER) {
        let _engine = engine_of(test, ChromiumConfig { path: Some(path.into()), ..Default::default() });
        println!("holds");
        thread::sleep(Duration::from_secs(300));
        return;
    }
    if engine(test).is_none() {
        return;
    }
    let launcher = Launcher::new();
    let mut holder = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("chromium_layout::{test}"), "--nocapture"])
        .env(HOLDER, launcher.folder.path().join("launcher"))
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = std::io::BufReader::new(holder.stdout.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap().contains("holds")));
    let browser = Path::new("/proc").join(&launcher.pids()[0]).join("exe");
    assert!(browser.exists() && launcher.profile().exists());
    holder.kill().unwrap();
    holder.wait().unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while browser.exists() || launcher.profile().exists() {
        assert!(Instant::now() < deadline, "the browser or its profile is left");
        thread::sleep(Duration::from_millis(50));
    }
}

/// Serves pages by path on this machine until the test ends.
fn serve(answer: impl Fn(&str) -> Option<(&'static str, String)> + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, answer) = (stream.unwrap(), answer.clone());
            thread::spawn(move || {
                let mut request = Vec::new();
                let mut buffer = [0; 4096];
                while !request.windows(4).any(|end| end == b"\r\n\r\n") {
                    match stream.read(&mut buffer) {
                        Ok(read @ 1..) => request.extend_from_slice(&buffer[..read]),
                        _ => return,
                    }
                }
                let request = String::from_utf8_lossy(&request).into_owned();
                let path = request.split(' ').nth(1).unwrap_or_default();
                match answer(path) {
                    Some((head, body)) => {
                        let length = body.len();
                        let text = format!(
                            "HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                        );
                        stream.write_all(text.as_bytes()).ok();
                    }
                    // An answer that never comes.
                    None => thread::sleep(Duration::from_secs(60)),
                }
            });
        }
    });
    at
}

const HTML: &str = "200 OK\r\nContent-Type: text/html";

#[test]
fn a_page_is_loaded_as_its_scripts_make_it_with_layout_and_picture_of_that_moment() {
    let Some(engine) =
        engine("a_page_is_loaded_as_its_scripts_make_it_with_layout_and_picture_of_that_moment")
    else {
        return;
    };
    let at = serve(|path| {
        let page = "<!doctype html><title>t</title><link rel=stylesheet href=/s.css>
            <noscript><p>Switch scripts on</p></noscript><div id=a></div><form name=doctype></form><script>
            fetch('/text').then(r => r.text()).then(text => {
                document.getElementById('a').innerHTML = '<p id=p>' + text + '</p>';
                alert('loaded');
                document.documentElement.lang = 'en\u{e9}';
                setInterval(() => document.body.append(document.createElement('i')), 1);
            });
            document.body.title = '\\ud800';
            </script>";
        Some(match path {
            "/" => ("302 Found\r\nLocation: /page", String::new()),
            "/page" => ("200 OK\r\nContent-Type: text/html; charset=utf-8", page.to_owned()),
            "/s.css" => ("200 OK\r\nContent-Type: text/css", "#p{width:321px;height:50px}".to_owned()),
            "/text" => ("200 OK\r\nContent-Type: text/plain", "made by script".to_owned()),
            _ => ("404 Not Found\r\nContent-Type: text/html", "<p id=p>no such page".to_owned()),
        })
    });
    let loaded = engine.load(&format!("{at}/"), &LoadConfig::default()).unwrap();
    assert_eq!((&*loaded.url, loaded.status), (&*format!("{at}/page"), Some(200)));
    assert!(loaded.html.starts_with("<!DOCTYPE html><html lang=\"en\u{e9}\">"), "{}", loaded.html);
    assert!(!loaded.html.contains("Switch scripts on"), "{}", loaded.html);
    let dom = Dom::parse(loaded.html.as_bytes(), Some("utf-8"), &Limits::default()).unwrap();
    assert_eq!(dom.text_content(with_id(&dom, "p")), "made by script");
    let layout = loaded.layout(&dom).unwrap();
    layout.check(&dom).unwrap();
    assert_eq!(rect(&dom, &layout, "p")[2..], [321.0, 50.0]);
    // The tree stands still while it is taken: every element that scripts made has its box.
    let made = dom.ids().filter(|&id| dom.name(id) == "i").collect::<Vec<_>>();
    assert!(!made.is_empty() && made.iter().all(|&id| layout.rect(id).is_some()), "{}", made.len());
    assert!(loaded.png.starts_with(b"\x89PNG"));
    assert!(loaded.layout(&parse(b"<p><b>a<i>tree<u>of<s>another<em>page<ul><li>x<li>y<li>z")).is_err());

    let config = LoadConfig { scripts: false, ..Default::default() };
    let loaded = engine.load(&format!("{at}/page"), &config).unwrap();
    assert!(loaded.html.contains("Switch scripts on") && !loaded.html.contains("made by script"));
    let loaded = engine.load(&format!("{at}/other"), &LoadConfig::default()).unwrap();
    assert_eq!(loaded.status, Some(404));
}

#[test]
fn live_pages_that_never_rest_are_bounded_and_the_next_page_is_fine() {
    let Some(engine) = engine("live_pages_that_never_rest_are_bounded_and_the_next_page_is_fine") else {
        return;
    };
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let at = serve(|path| match path {
        "/loop" => Some((HTML, "<p>x<script>for (;;) {}</script>".to_owned())),
        "/later" => Some((HTML, "<p>x<script>setTimeout(() => { for (;;) {} }, 300)</script>".to_owned())),
        "/polls" => Some((HTML, "<p>x<script>setInterval(() => fetch('/poll'), 50)</script>".to_owned())),
        "/reloads" => Some((HTML, "<p>x<script>location.reload()</script>".to_owned())),
        "/goes-on" => Some((HTML, "<p>x<script>location.href = '/fine'</script>".to_owned())),
        "/fine" => Some((HTML, "<p>fine".to_owned())),
        "/poll" => {
            ASKED.fetch_add(1, Ordering::Relaxed);
            Some(("204 No Content", String::new()))
        }
        "/image" => Some(("200 OK\r\nContent-Type: image/gif", String::new())),
        "/picture-hangs" => Some((HTML, "<p>x<img src=/never>".to_owned())),
        _ => None,
    });
    let short = LoadConfig { timeout: Duration::from_secs(3), ..Default::default() };
    for path in ["/loop", "/later", "/reloads", "/never", "/picture-hangs"] {
        let start = Instant::now();
        let problem = engine.load(&format!("{at}{path}"), &short).err();
        assert_eq!(problem, Some(PageProblem::Timeout { seconds: 3 }), "{path}");
        assert!(start.elapsed() < Duration::from_secs(40), "{path}: {:?}", start.elapsed());
    }
    let limits = LoadConfig { settle: Duration::from_secs(1), ..Default::default() };
    let load = |path: &str| engine.load(&format!("{at}{path}"), &limits);
    load("/polls").unwrap();
    assert!(ASKED.load(Ordering::Relaxed) > 0);
    assert_eq!(load("/goes-on").unwrap().url, format!("{at}/fine"));
    assert!(matches!(load("/image"), Err(PageProblem::NotHtml(_))));
    assert_eq!(load("/fine").unwrap().status, Some(200));
    let refused = engine.load("http://127.0.0.1:9/", &limits).err().unwrap().to_string();
    assert!(refused.contains("cannot be loaded: net::ERR_"), "{refused}");
    assert!(matches!(engine.load("javascript:alert(1)", &limits), Err(PageProblem::Failed(_))));
    layout(&engine, b"<p>next");
}

#[test]
fn a_file_is_loaded_as_a_page() {
    let Some(engine) = engine("a_file_is_loaded_as_a_page") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    std::fs::write(
        &path,
        "<!doctype html><p id=a style=height:70px>x<script>document.write('<b id=b>y')</script>",
    )
    .unwrap();
    let loaded = engine.load(&format!("file://{}", path.display()), &LoadConfig::default()).unwrap();
    let dom = parse(loaded.html.as_bytes());
    assert_eq!(rect(&dom, &loaded.layout(&dom).unwrap(), "a")[3], 70.0);
    assert_eq!(dom.text_content(with_id(&dom, "b")), "y");
}
