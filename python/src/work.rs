//! Long work without the interpreter's lock, on threads of its own, that a person can interrupt.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use duramen::page_work::panic_text;
use duramen::progress::Progress;
use pyo3::prelude::*;
use pyo3::types::PyBool;

use super::errors::{InternalError, UsageError, raised};

/// How often signals are looked at, and progress is told.
const TICK: Duration = Duration::from_millis(50);

/// How far a piece of work is, and whether it shall end.
#[derive(Default)]
pub struct Work {
    /// The stage and its number of steps; 0 if that is not known.
    stage: Mutex<(String, u64)>,
    done: AtomicU64,
    is_cancelled: AtomicBool,
    /// What was noted since the logger was told.
    notes: Mutex<Vec<String>>,
}

/// What unwinds the threads of work that was interrupted.
struct Cancelled;

impl Work {
    /// A step is done, of work that looks at [`Work::stop_flag`] itself.
    pub fn count(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the work shall end.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.is_cancelled
    }
}

impl Progress for Work {
    fn stage(&self, name: &str, steps: usize) {
        *self.stage.lock().expect("no thread panics while it writes") = (name.to_owned(), steps as u64);
        self.done.store(0, Ordering::Relaxed);
    }

    fn step(&self) {
        self.count();
        if self.is_cancelled.load(Ordering::Relaxed) {
            // Without the message of a panic; all that was borrowed is given back on the way.
            resume_unwind(Box::new(Cancelled));
        }
    }

    fn note(&self, text: &str) {
        self.notes.lock().expect("no thread panics while it writes").push(text.to_owned());
    }

    fn done(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }
}

/// Does work; a panic is raised as `InternalError`. That of pyo3 is no `Exception`, and passes by all that handles errors.
pub fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(internal(&*panic)))
}

/// Who is told how far the work is.
struct Listener<'py> {
    function: Option<Bound<'py, PyAny>>,
    /// Whether the function is bars of our own, which are closed.
    is_bars: bool,
}

impl<'py> Listener<'py> {
    /// Nobody, `True` for bars, or a function of stage, done and steps.
    fn new(py: Python<'py>, progress: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let (function, is_bars) = match progress {
            None => (None, false),
            Some(asked) if asked.is_instance_of::<PyBool>() => match asked.is_truthy()? {
                true => (Some(py.import("duramen._progress")?.getattr("Bars")?.call0()?), true),
                false => (None, false),
            },
            Some(function) if function.is_callable() => (Some(function.clone()), false),
            Some(other) => {
                let kind = other.get_type();
                return Err(UsageError::new_err(format!(
                    "progress is of type {}; give True for a bar, or a function that is called with stage, done and steps",
                    kind.name()?
                )));
            }
        };
        Ok(Listener { function, is_bars })
    }

    fn tell(&self, work: &Work) -> PyResult<()> {
        let Some(function) = &self.function else { return Ok(()) };
        let (stage, steps) = work.stage.lock().expect("no thread panics while it writes").clone();
        if !stage.is_empty() {
            function.call1((stage, work.done.load(Ordering::Relaxed), steps))?;
        }
        Ok(())
    }

    fn close(&self) -> PyResult<()> {
        match &self.function {
            Some(bars) if self.is_bars => bars.call_method0("close").map(drop),
            _ => Ok(()),
        }
    }
}

/// Does work on a pool of `threads` threads (by default one for each core), while the thread that calls looks for signals and
/// tells `progress(stage, done, steps)`, also once at the end, and the logger `duramen` what is noted. `progress` may be `True`: then there
/// are bars. A pool lives as long as the call, since threads do not outlive a `fork`.
pub fn run<'py, T: Send>(
    py: Python<'py>,
    threads: Option<usize>,
    progress: Option<&Bound<'py, PyAny>>,
    work: impl FnOnce(&Work) -> duramen::Result<T> + Send,
) -> PyResult<T> {
    let listener = Listener::new(py, progress)?;
    let done = on_threads(py, threads, &listener, work);
    // What went wrong before is told first.
    let closed = listener.close();
    let done = done?;
    closed.map(|()| done)
}

fn on_threads<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    listener: &Listener<'_>,
    work: impl FnOnce(&Work) -> duramen::Result<T> + Send,
) -> PyResult<T> {
    if threads == Some(0) {
        return Err(UsageError::new_err("threads is 0; leave it out for one for each core"));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| InternalError::new_err(format!("no threads can be made: {error}")))?;
    let state = Work::default();
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let (state, pool) = (&state, &pool);
        scope.spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(|| pool.install(|| work(state))));
            // Nobody listens any more after an interruption.
            let _ = sender.send(result);
        });
        let receiver = Mutex::new(receiver);
        loop {
            let wait = || receiver.lock().expect("only this thread receives").recv_timeout(TICK);
            match py.detach(wait) {
                Ok(Ok(result)) => {
                    log(py, state)?;
                    let result = result.map_err(raised)?;
                    listener.tell(state)?;
                    return Ok(result);
                }
                Ok(Err(panic)) => return Err(internal(&*panic)),
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return Err(InternalError::new_err("the work ended without a result"));
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    let told =
                        py.check_signals().and_then(|()| log(py, state)).and_then(|()| listener.tell(state));
                    if let Err(error) = told {
                        state.is_cancelled.store(true, Ordering::Relaxed);
                        // The scope ends when the work has: not with the lock held.
                        let _ = py.detach(|| receiver.lock().expect("only this thread receives").recv());
                        return Err(error);
                    }
                }
            }
        }
    })
}

fn log(py: Python<'_>, work: &Work) -> PyResult<()> {
    let notes = std::mem::take(&mut *work.notes.lock().expect("no thread panics while it writes"));
    if notes.is_empty() {
        return Ok(());
    }
    let logger = py.import("logging")?.call_method1("getLogger", ("duramen",))?;
    notes.into_iter().try_for_each(|note| logger.call_method1("warning", ("%s", note)).map(drop))
}

fn internal(panic: &(dyn Any + Send)) -> PyErr {
    InternalError::new_err(panic_text(panic))
}
