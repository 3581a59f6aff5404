//! `Workers`, processes that are kept and asked for one page after another.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use serde_json::json;

use super::answer::Answer;
use super::program::{Process, Program, feed, lines};
use crate::error::{PageProblem, Result};

/// The processes of a program that wait for a page; as many are started as are asked at once.
#[derive(Debug, Default)]
pub(super) struct Workers {
    idle: Mutex<Vec<Worker>>,
}

/// Why a worker cannot be asked again.
enum Broken {
    /// It ended without an answer.
    Died(PageProblem),
    /// It gave no answer in time, or one that cannot be used.
    Other(PageProblem),
}

impl Workers {
    /// Asks a worker for the text of a page.
    ///
    /// A worker that has answered for other pages and then dies is replaced and the page tried again: whether it
    /// fails must not depend on the pages before it.
    ///
    /// # Errors
    /// [`PageProblem`]; the worker is replaced unless it named an error itself.
    pub(super) fn ask(
        &self,
        program: &Program,
        id: &str,
        url: Option<&str>,
        html: &str,
    ) -> Result<String, PageProblem> {
        let mut request = json!({ "id": id, "url": url, "html": html }).to_string().into_bytes();
        request.push(b'\n');
        let idle = self.idle.lock().expect("no thread panics with it").pop();
        if let Some(worker) = idle {
            match self.ask_one(worker, program, id, request.clone()) {
                Err(Broken::Died(_)) => {}
                Err(Broken::Other(problem)) => return Err(problem),
                Ok(answer) => return answer.text(),
            }
        }
        match self.ask_one(Worker::start(program)?, program, id, request) {
            Err(Broken::Died(problem) | Broken::Other(problem)) => Err(problem),
            Ok(answer) => answer.text(),
        }
    }

    /// Asks one worker and keeps it if it answered.
    fn ask_one(
        &self,
        mut worker: Worker,
        program: &Program,
        id: &str,
        request: Vec<u8>,
    ) -> Result<Answer, Broken> {
        let answer = worker.ask(program, id, request)?;
        self.idle.lock().expect("no thread panics with it").push(worker);
        Ok(answer)
    }
}

#[derive(Debug)]
struct Worker {
    process: Process,
    input: Sender<Vec<u8>>,
    lines: Receiver<Result<Vec<u8>, PageProblem>>,
}

impl Worker {
    fn start(program: &Program) -> Result<Worker, PageProblem> {
        let (process, stdin, stdout) = Process::start(program)?;
        Ok(Worker { process, input: feed(stdin), lines: lines(stdout) })
    }

    fn ask(&mut self, program: &Program, id: &str, request: Vec<u8>) -> Result<Answer, Broken> {
        // If the thread that writes has ended, so has the program: its output ends too.
        self.input.send(request).ok();
        let line = match self.lines.recv_timeout(program.timeout()) {
            Ok(line) => line.map_err(Broken::Other)?,
            Err(RecvTimeoutError::Timeout) => return Err(Broken::Other(program.timed_out())),
            Err(RecvTimeoutError::Disconnected) => return Err(Broken::Died(self.death())),
        };
        let answer = Answer::parse(&line).map_err(Broken::Other)?;
        if answer.id != id {
            let problem =
                PageProblem::Failed(format!("the program answered for another page, {:?}", answer.id));
            return Err(Broken::Other(problem));
        }
        Ok(answer)
    }

    /// What is said of a worker whose output has ended.
    fn death(&mut self) -> PageProblem {
        match self.process.end(Instant::now() + Duration::from_secs(2)) {
            Err(Some(problem)) => problem,
            Ok(()) => PageProblem::Failed("the program ended without an answer".to_owned()),
            Err(None) => PageProblem::Failed("the program closed its output without an answer".to_owned()),
        }
    }
}
