//! Other extractors that experiments/peers/install.sh has installed, and what they take for a page.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Those that are measured: the fastest of their kind, what is used most, and a parse alone.
const TOOLS: [&str; 5] = ["resiliparse", "dom_smoothie", "rs-trafilatura", "selectolax", "trafilatura"];

/// An extractor that waits for pages.
pub struct Peer {
    /// Its name and version.
    pub version: String,
    child: Child,
    pages: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// Those that are installed; of the others it says so.
pub fn installed() -> Vec<Peer> {
    TOOLS.into_iter().filter_map(Peer::start).collect()
}

impl Peer {
    fn start(tool: &str) -> Option<Peer> {
        let run = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/peers/run");
        let version = Command::new(&run).args([tool, "--version"]).output().expect("a script");
        if !version.status.success() {
            eprintln!("left out: {tool} ({})", String::from_utf8_lossy(&version.stderr).trim());
            return None;
        }
        let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
        let mut child = Command::new(&run)
            .arg(tool)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it told its version");
        let pages = child.stdin.take().expect("piped");
        let answers = BufReader::new(child.stdout.take().expect("piped"));
        Some(Peer { version, child, pages, answers })
    }

    /// The seconds of CPU that it took for a page, as it says itself; none if it found nothing or failed.
    pub fn seconds(&mut self, id: &str, html: &str) -> Option<f64> {
        let page = serde_json::json!({ "id": id, "url": null, "html": html });
        writeln!(self.pages, "{page}").expect("a process that reads");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("a process that answers");
        let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
        answer["error"].is_null().then(|| answer["seconds"].as_f64().expect("seconds, which peers tell"))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
