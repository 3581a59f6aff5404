//! Runs the engine where its recursion has room and its crashes do no harm.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::error::RenderError;

/// The stack in bytes. Blitz, stylo and taffy recurse into the tree; what is not touched costs no memory.
const STACK_SIZE: usize = 512 << 20;

type Job = Box<dyn FnOnce() + Send>;

/// Threads without work. They are kept because stylo never frees what it allocates for a thread, 34 kB.
static IDLE: Mutex<Vec<Sender<Job>>> = Mutex::new(Vec::new());

/// Runs `work` on a thread with a large stack; a panic in it becomes an error.
pub(crate) fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, RenderError> {
    let idle = || IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = idle().pop();
    let thread = kept.map_or_else(start, Ok)?;
    let (outcome, finished) = channel();
    let job = move || _ = outcome.send(catch_unwind(AssertUnwindSafe(work)));
    thread.send(Box::new(job)).expect("a thread ends when its sender is dropped");
    let outcome = finished.recv().expect("panics are caught");
    // After a panic stylo may have left the thread's memory in disorder.
    if outcome.is_ok() {
        idle().push(thread);
    }
    outcome.map_err(|payload| RenderError::Panicked(message(&*payload)))
}

fn start() -> Result<Sender<Job>, RenderError> {
    let (sender, jobs) = channel::<Job>();
    thread::Builder::new()
        .name("layout".to_owned())
        .stack_size(STACK_SIZE)
        .spawn(move || jobs.into_iter().for_each(|job| job()))
        .map_err(|error| RenderError::NoThread(error.to_string()))?;
    Ok(sender)
}

fn message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied().map(str::to_owned);
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_kept_unless_work_panics() {
        let id = || thread::current().id();
        let first = run(id).unwrap();
        assert_eq!(run(id), Ok(first));
        assert_eq!(run(|| panic!("oak")), Err::<(), _>(RenderError::Panicked("oak".to_owned())));
        assert_ne!(run(id), Ok(first));
    }
}
