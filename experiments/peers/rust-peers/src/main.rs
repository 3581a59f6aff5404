//! Extractors from crates.io as workers: a JSON line {"id", "url", "html"} in, {"id", "text"} or {"id", "error"} out, with
//! "seconds", the time of CPU that the tool took.

use std::io::{BufRead, Write};

use cpu_time::ThreadTime;
use serde_json::{Value, json};

const TOOLS: [&str; 2] = ["dom_smoothie", "rs-trafilatura"];

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let tool = arguments.first().and_then(|name| TOOLS.into_iter().find(|tool| tool == name));
    let Some(tool) = tool else {
        eprintln!("usage: duramen-rust-peers {} [--version]", TOOLS.join("|"));
        return std::process::ExitCode::from(2);
    };
    if arguments.get(1).is_some_and(|argument| argument == "--version") {
        println!("{tool} {}", version(tool));
        return std::process::ExitCode::SUCCESS;
    }
    // Deep pages need a deep stack in tools that recurse.
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(move || work(tool));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => std::process::ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            eprintln!("{error}");
            std::process::ExitCode::FAILURE
        }
        _ => std::process::ExitCode::FAILURE,
    }
}

/// The locked version of a dependency.
fn version(name: &str) -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let entry = lock.split("[[package]]").find(|entry| entry.contains(&format!("name = \"{name}\"\n")));
    let line = entry.and_then(|entry| entry.lines().find_map(|line| line.strip_prefix("version = ")));
    line.map_or("unknown", |version| version.trim_matches('"'))
}

fn work(tool: &str) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let page: Value = serde_json::from_str(&line?).map_err(std::io::Error::other)?;
        let html = page["html"].as_str().unwrap_or_default();
        let url = page["url"].as_str();
        let start = ThreadTime::now();
        // A tool that panics fails on this page alone.
        let text = std::panic::catch_unwind(|| extract(tool, html, url));
        let text = text.unwrap_or_else(|_| Err("the tool panicked".to_owned()));
        let seconds = start.elapsed().as_secs_f64();
        let answer = match text {
            Ok(text) => json!({ "id": page["id"], "text": text, "seconds": seconds }),
            Err(error) => json!({ "id": page["id"], "error": error, "seconds": seconds }),
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn extract(tool: &str, html: &str, url: Option<&str>) -> Result<String, String> {
    if tool == "rs-trafilatura" {
        let options = rs_trafilatura::Options { url: url.map(str::to_owned), ..Default::default() };
        let result = rs_trafilatura::extract_with_options(html, &options);
        return result.map(|result| result.content_text).map_err(|error| error.to_string());
    }
    // The default text mode runs the words of neighboring blocks together.
    let config =
        dom_smoothie::Config { text_mode: dom_smoothie::TextMode::Formatted, ..Default::default() };
    let article = dom_smoothie::Readability::new(html, None, Some(config)).and_then(|mut page| page.parse());
    article.map(|article| article.text_content.to_string()).map_err(|error| error.to_string())
}
