//! `Browser`, a running Chromium with a profile of its own; it is ended with all its processes when it is dropped.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ChildStdin;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::devtools::{DevTools, Fault};
use super::tab::Tab;
use crate::error::{Error, Remedy, Result, Setting};
use crate::program::{Process, Program, is_there};

/// The names under which the browser is looked for.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// How long a browser may take to start: that of a busy machine, not a page's.
const START: Duration = Duration::from_secs(60);

/// Runs the browser and watches standard input beside it: that is closed when this process ends, however it ends, and then
/// nobody is left to end the browser and remove its profile.
#[cfg(unix)]
const WATCHED: &str = "profile=$1; shift; exec 3<&0
\"$@\" 3<&- & browser=$!
{ read -r _ <&3; kill -KILL $browser; sleep 1; rm -rf \"$profile\"; kill -KILL 0; } &
wait $browser";

/// Whether a browser reaches the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Network {
    /// No host is found, not even by its number.
    Off,
    /// As for a user, without proxies.
    On,
}

/// The path of the browser: the one given, or the first found in `PATH`.
pub(super) fn find(given: Option<&Path>) -> Result<PathBuf> {
    let remedy = Remedy::from("install it (Debian: apt-get install chromium), or ")
        .set("name its path", Setting::Browser);
    let Some(given) = given else {
        return NAMES.into_iter().find(|name| is_there(name)).map(PathBuf::from).ok_or_else(|| {
            Error::usage(format!("there is no Chromium ({} in PATH)", NAMES.join(", ")), remedy)
        });
    };
    if given.to_str().is_none_or(is_there) {
        return Ok(given.to_owned());
    }
    Err(Error::usage(format!("there is no Chromium at {}", given.display()), remedy))
}

/// A running browser.
#[derive(Debug)]
pub(super) struct Browser {
    /// Where it shows pages.
    pub tab: Tab,
    _running: Running,
}

/// The processes of a browser, and the folder of its profile; both are gone when this is dropped.
#[derive(Debug)]
struct Running {
    process: Process,
    /// Open for as long as the browser shall run.
    _stdin: ChildStdin,
    profile: TempDir,
}

impl Browser {
    /// Starts a browser and connects to it.
    pub(super) fn start(path: &Path, network: Network) -> Result<Browser, Fault> {
        let deadline = Instant::now() + START;
        let profile = tempfile::Builder::new()
            .prefix("duramen-chromium-")
            .tempdir()
            .map_err(|error| Fault::other(format!("no folder for its profile: {error}")))?;
        let program =
            command_line(path, profile.path(), network).map_err(|error| Fault::other(error.to_string()))?;
        let (process, stdin, stdout) = Process::start(&program).map_err(Fault::Other)?;
        // It says nothing there, but a launcher may.
        thread::spawn(move || io::copy(&mut { stdout }, &mut io::sink()));
        let mut running = Running { process, _stdin: stdin, profile };
        let (port, address) = listening(&mut running, deadline)?;
        let devtools = DevTools::connect(port, &address, deadline)?;
        let tab = Tab::open(devtools, deadline)?;
        Ok(Browser { tab, _running: running })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.process.kill();
        // What was killed may still be at its last write.
        for _ in 0..50 {
            match std::fs::remove_dir_all(self.profile.path()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    thread::sleep(Duration::from_millis(20))
                }
                _ => return,
            }
        }
    }
}

fn command_line(path: &Path, profile: &Path, network: Network) -> Result<Program> {
    let data = profile
        .to_str()
        .ok_or_else(|| Error::usage(format!("{}: the path is not UTF-8", profile.display()), "set TMPDIR"))?;
    let profile = format!("--user-data-dir={data}");
    let mut arguments = vec![
        "--headless",
        "--remote-debugging-port=0",
        &profile,
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--disable-extensions",
        "--disable-breakpad",
        "--disable-dev-shm-usage",
        "--mute-audio",
        // No scroll bar takes from the window's width.
        "--hide-scrollbars",
        "--force-device-scale-factor=1",
        "--no-proxy-server",
    ];
    if network == Network::Off {
        arguments.push("--host-resolver-rules=MAP * ~NOTFOUND");
    }
    if is_root() {
        // Chromium refuses to start otherwise.
        arguments.push("--no-sandbox");
    }
    // Its temporary files are removed with the profile.
    Ok(watched(path, data, &arguments)?.with_variable("TMPDIR", data))
}

#[cfg(unix)]
fn watched(path: &Path, profile: &str, arguments: &[&str]) -> Result<Program> {
    let path = path.to_str().ok_or_else(|| {
        Error::usage(
            format!("{}: the path is not UTF-8", path.display()),
            Remedy::by("name the path of another browser", Setting::Browser),
        )
    })?;
    let words = [&["-c", WATCHED, "sh", profile, path], arguments].concat();
    Program::new(Path::new("/bin/sh"), &words, START)
}

#[cfg(not(unix))]
fn watched(path: &Path, _: &str, arguments: &[&str]) -> Result<Program> {
    Program::new(path, arguments, START)
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

/// The port that the browser listens on, and the path of its connection: it writes both in its profile.
fn listening(running: &mut Running, deadline: Instant) -> Result<(u16, String), Fault> {
    let file = running.profile.path().join("DevToolsActivePort");
    loop {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if let Some((port, path)) = text.split_once('\n')
            && let Ok(port) = port.parse()
            && path.trim_end().len()
                == "/devtools/browser/".len() + "01234567-0123-0123-0123-0123456789ab".len()
        {
            return Ok((port, path.trim_end().to_owned()));
        }
        match running.process.end(Instant::now()) {
            Err(None) => {}
            Err(Some(problem)) => return Err(Fault::other(format!("it did not start: {problem}"))),
            Ok(()) => return Err(Fault::other("it ended as soon as it was started")),
        }
        if Instant::now() >= deadline {
            return Err(Fault::other(format!("it did not start within {} s", START.as_secs())));
        }
        thread::sleep(Duration::from_millis(10));
    }
}
