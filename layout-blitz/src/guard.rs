//! Runs the engine where its recursion has room and its crashes do no harm.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crate::error::RenderError;

/// The stack in bytes. Blitz, stylo and taffy recurse into the tree; what is not touched costs no memory.
const STACK_SIZE: usize = 512 << 20;

/// Runs `work` on a thread with a large stack; a panic in it becomes an error.
pub(crate) fn run<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, RenderError> {
    thread::scope(|scope| {
        let thread = thread::Builder::new()
            .name("layout".to_owned())
            .stack_size(STACK_SIZE)
            .spawn_scoped(scope, || catch_unwind(AssertUnwindSafe(work)))
            .map_err(|error| RenderError::NoThread(error.to_string()))?;
        let outcome = thread.join().unwrap_or_else(Err);
        outcome.map_err(|payload| RenderError::Panicked(message(&*payload)))
    })
}

fn message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied().map(str::to_owned);
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
