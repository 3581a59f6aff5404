//! `Program` and `Process`: a command line, and a run of it with a deadline, bounded output and no leftovers.

mod workers;

pub(crate) use workers::Workers;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, PageProblem, Result};

/// The most bytes of output for one page.
pub(crate) const MAX_OUTPUT: usize = 64 << 20;
/// The most characters of a program's own words in an error.
const MAX_MESSAGE: usize = 300;
/// How long a process that closed its output may take to end, and its standard error to be read.
const GRACE: Duration = Duration::from_secs(2);

/// A command line and its time limit.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    words: Vec<String>,
    /// Environment variables that it gets beside those of this process.
    variables: Vec<(String, String)>,
    timeout: Duration,
}

impl Program {
    /// Splits a command line into words as a shell does; none if it has no word. `field` names the setting that it comes
    /// from.
    ///
    /// # Errors
    /// [`Error::Usage`] for an open quote and for a program that is not there.
    pub(crate) fn parse(line: &str, field: &str, timeout: Duration) -> Result<Option<Self>> {
        let words = shlex::split(line).ok_or_else(|| {
            Error::usage(
                format!("{field} has an open quote: {line}"),
                "close it, or write a backslash before it",
            )
        })?;
        let Some(name) = words.first() else { return Ok(None) };
        if !is_there(name) {
            return Err(Error::usage(
                format!("{field}: there is no program '{name}'"),
                "install it, or write its path from the current folder",
            ));
        }
        Ok(Some(Program { words, variables: Vec::new(), timeout }))
    }

    /// A program by its path and arguments.
    #[cfg(any(feature = "blitz", feature = "chromium"))]
    pub(crate) fn new(path: &Path, arguments: &[&str], timeout: Duration) -> Result<Self> {
        let path = path.to_str().ok_or_else(|| {
            Error::usage(format!("{}: the path is not UTF-8", path.display()), "move the program")
        })?;
        let words = std::iter::once(path).chain(arguments.iter().copied()).map(str::to_owned).collect();
        Ok(Program { words, variables: Vec::new(), timeout })
    }

    /// The same command line with one more word.
    pub(crate) fn with_argument(&self, word: &str) -> Self {
        let mut program = self.clone();
        program.words.push(word.to_owned());
        program
    }

    /// The same command line with an environment variable.
    #[cfg(feature = "chromium")]
    pub(crate) fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// How long one page may take.
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// What is said of a page whose time is up.
    pub(crate) fn timed_out(&self) -> PageProblem {
        PageProblem::Timeout { seconds: self.timeout.as_secs_f64().ceil() as u64 }
    }

    /// Runs the program on `input` and gives all of its standard output.
    ///
    /// # Errors
    /// [`PageProblem::Timeout`]; [`PageProblem::Failed`] with the last line of standard error if the program fails.
    pub(crate) fn run(&self, input: Vec<u8>) -> Result<Vec<u8>, PageProblem> {
        self.run_with_errors(input).map(|(output, _)| output)
    }

    /// The first line that the program writes, on standard output or else on standard error.
    pub(crate) fn first_line(&self) -> Result<String, PageProblem> {
        let (output, errors) = self.run_with_errors(Vec::new())?;
        let first = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            text.lines().map(str::trim).find(|line| !line.is_empty()).map(shortened)
        };
        first(&output)
            .or_else(|| first(&errors))
            .ok_or_else(|| PageProblem::Failed("the program names no version".to_owned()))
    }

    fn run_with_errors(&self, input: Vec<u8>) -> Result<(Vec<u8>, Vec<u8>), PageProblem> {
        let deadline = Instant::now() + self.timeout;
        let (mut process, stdin, stdout) = Process::start(self)?;
        feed(stdin).send(input).ok();
        let output = collect(stdout);
        let output = match output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(output) => output?,
            Err(_) => return Err(self.timed_out()),
        };
        process.end(deadline.max(Instant::now() + GRACE)).map_err(|end| end.unwrap_or(self.timed_out()))?;
        Ok((output, process.errors()))
    }
}

/// A running program. Dropping it kills its process group.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// The last bytes of standard error, complete once `errors_end` is closed.
    error_tail: Arc<Mutex<Vec<u8>>>,
    errors_end: Receiver<()>,
    /// Once it has ended and its group is dead.
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts the program with all three streams piped.
    pub(crate) fn start(program: &Program) -> Result<(Process, ChildStdin, ChildStdout), PageProblem> {
        let mut command = Command::new(&program.words[0]);
        command.args(&program.words[1..]).envs(program.variables.iter().cloned());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| {
            PageProblem::Failed(format!("'{}' cannot be started: {error}", program.words[0]))
        })?;
        let stdin = child.stdin.take().expect("standard input is piped");
        let stdout = child.stdout.take().expect("standard output is piped");
        let stderr = child.stderr.take().expect("standard error is piped");
        let (error_tail, errors_end) = tail(stderr);
        Ok((Process { child, error_tail, errors_end, status: None }, stdin, stdout))
    }

    /// Waits for the end of the program.
    ///
    /// # Errors
    /// A problem that names the status and the last line of standard error, or none if it does not end in time.
    pub(crate) fn end(&mut self, deadline: Instant) -> Result<(), Option<PageProblem>> {
        let mut pause = Duration::from_millis(1);
        while !self.has_ended() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(None);
            }
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(Duration::from_millis(50));
        }
        match self.kill() {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(Some(self.failure(status))),
            None => Err(Some(PageProblem::Failed("the program's end cannot be seen".to_owned()))),
        }
    }

    /// The last bytes of standard error.
    fn errors(&self) -> Vec<u8> {
        self.errors_end.recv_timeout(GRACE).ok();
        self.error_tail.lock().expect("no thread panics with it").clone()
    }

    fn failure(&self, status: ExitStatus) -> PageProblem {
        let errors = self.errors();
        let text = String::from_utf8_lossy(&errors);
        let last = text.lines().map(str::trim).rfind(|line| !line.is_empty());
        PageProblem::Failed(match last {
            Some(last) => format!("the program ended with {status}: {}", shortened(last)),
            None => format!("the program ended with {status}"),
        })
    }

    /// Whether the program has ended; its number stays taken, so that its group can be killed safely.
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(None))
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills what is left of the program and of those it started; its status, if that could be had.
    pub(crate) fn kill(&mut self) -> Option<ExitStatus> {
        // Once the status has been taken the number may belong to another process.
        if self.status.is_none() {
            #[cfg(unix)]
            rustix::process::kill_process_group(
                rustix::process::Pid::from_child(&self.child),
                rustix::process::Signal::KILL,
            )
            .ok();
            self.child.kill().ok();
            self.status = self.child.wait().ok();
        }
        self.status
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Writes to a program on a thread of its own, since it may write before it has read all; standard input is closed
/// when the sender is gone. A program need not read.
pub(crate) fn feed(mut stdin: ChildStdin) -> Sender<Vec<u8>> {
    let (sender, receiver) = mpsc::channel::<Vec<u8>>();
    thread::spawn(move || {
        for bytes in receiver {
            if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

/// All of standard output, or why there is none.
fn collect(stdout: ChildStdout) -> Receiver<Result<Vec<u8>, PageProblem>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.take(MAX_OUTPUT as u64 + 1).read_to_end(&mut bytes);
        sender.send(checked(read, bytes)).ok();
    });
    receiver
}

/// The lines of standard output as they come, without their ends; nothing is read after an error.
pub(crate) fn lines(stdout: ChildStdout) -> Receiver<Result<Vec<u8>, PageProblem>> {
    // Room for one: a program that writes unasked has to wait.
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::spawn(move || {
        let mut reader = BufReader::new(stdout);
        loop {
            let mut bytes = Vec::new();
            let read = reader.by_ref().take(MAX_OUTPUT as u64 + 1).read_until(b'\n', &mut bytes);
            let at_end = matches!(read, Ok(0));
            let line = checked(read, bytes).map(|mut bytes| {
                bytes.pop_if(|byte| *byte == b'\n');
                bytes
            });
            let goes_on = line.is_ok();
            if at_end || sender.send(line).is_err() || !goes_on {
                return;
            }
        }
    });
    receiver
}

fn checked(read: std::io::Result<usize>, bytes: Vec<u8>) -> Result<Vec<u8>, PageProblem> {
    match read {
        Err(error) => Err(PageProblem::Failed(format!("the program's output cannot be read: {error}"))),
        Ok(_) if bytes.len() > MAX_OUTPUT => {
            let mib = MAX_OUTPUT >> 20;
            Err(PageProblem::Failed(format!("the program wrote more than {mib} MiB for one page")))
        }
        Ok(_) => Ok(bytes),
    }
}

/// Reads standard error to its end and keeps its last bytes.
fn tail(mut stderr: ChildStderr) -> (Arc<Mutex<Vec<u8>>>, Receiver<()>) {
    const KEPT: usize = 4096;
    let kept = Arc::new(Mutex::new(Vec::new()));
    let (end, errors_end) = mpsc::channel::<()>();
    let shared = kept.clone();
    thread::spawn(move || {
        let _end = end;
        let mut buffer = [0; KEPT];
        while let Ok(read @ 1..) = stderr.read(&mut buffer) {
            let mut kept = shared.lock().expect("no thread panics with it");
            kept.extend_from_slice(&buffer[..read]);
            let surplus = kept.len().saturating_sub(KEPT);
            kept.drain(..surplus);
        }
    });
    (kept, errors_end)
}

/// The beginning of a program's own words, on one line, without what would command a terminal.
pub(crate) fn shortened(text: &str) -> String {
    let mut words: String =
        text.chars().take(MAX_MESSAGE).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(MAX_MESSAGE).is_some() {
        words.push('…');
    }
    words
}

/// Whether a name is that of a program: a path from the current folder, or a file in a folder of `PATH`.
pub(crate) fn is_there(name: &str) -> bool {
    if cfg!(not(unix)) {
        // Elsewhere extensions and more decide: starting it will tell.
        return true;
    }
    if name.contains('/') {
        return is_executable(Path::new(name));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder: PathBuf| is_executable(&folder.join(name)))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
