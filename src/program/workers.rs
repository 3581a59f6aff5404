//! `Workers`, processes that are kept and asked for one page after another.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::{Process, Program, feed, lines};
use crate::error::{PageProblem, Result};

/// The processes of a program that wait for a page; as many are started as are asked at once.
#[derive(Debug, Default)]
pub(crate) struct Workers {
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
    /// Sends a worker one line, `request` with its end, and reads the line that it answers with `read`.
    ///
    /// A worker that has answered for other pages and then dies is replaced and the page tried again: whether it
    /// fails must not depend on the pages before it.
    ///
    /// # Errors
    /// [`PageProblem`]: no answer in time, the worker's death, or what `read` says; the worker is then ended.
    pub(crate) fn ask<T>(
        &self,
        program: &Program,
        request: Vec<u8>,
        read: impl Fn(&[u8]) -> Result<T, PageProblem>,
    ) -> Result<T, PageProblem> {
        let idle = self.idle.lock().expect("no thread panics with it").pop();
        if let Some(worker) = idle {
            match self.ask_one(worker, program, request.clone(), &read) {
                Err(Broken::Died(_)) => {}
                Err(Broken::Other(problem)) => return Err(problem),
                Ok(answer) => return Ok(answer),
            }
        }
        match self.ask_one(Worker::start(program)?, program, request, &read) {
            Err(Broken::Died(problem) | Broken::Other(problem)) => Err(problem),
            Ok(answer) => Ok(answer),
        }
    }

    /// Asks one worker and keeps it if it answered.
    fn ask_one<T>(
        &self,
        mut worker: Worker,
        program: &Program,
        request: Vec<u8>,
        read: &impl Fn(&[u8]) -> Result<T, PageProblem>,
    ) -> Result<T, Broken> {
        let line = worker.ask(program, request)?;
        let answer = read(&line).map_err(Broken::Other)?;
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

    fn ask(&mut self, program: &Program, request: Vec<u8>) -> Result<Vec<u8>, Broken> {
        // If the thread that writes has ended, so has the program: its output ends too.
        self.input.send(request).ok();
        match self.lines.recv_timeout(program.timeout()) {
            Ok(line) => line.map_err(Broken::Other),
            Err(RecvTimeoutError::Timeout) => Err(Broken::Other(program.timed_out())),
            Err(RecvTimeoutError::Disconnected) => Err(Broken::Died(self.death())),
        }
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
