#![no_main]

use std::time::Duration;

use duramen::layout::LayoutEngine;
use duramen::layout::blitz::Blitz;

// A style sheet over a page, laid out without a browser: a layout of this page, or a problem.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let sheet = String::from_utf8_lossy(data).replace("</style", "");
    let html = format!("<style>{sheet}</style><body class=a id=b>{}", duramen_fuzz::PAGE);
    let page = duramen_fuzz::reading_back::page(&html);
    let blitz = Blitz::new(None, Duration::from_secs(10)).unwrap();
    if let Ok(layout) = blitz.layout(&page.layout_input()) {
        layout.check(page.dom()).unwrap();
    }
});
