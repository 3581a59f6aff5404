//! Work on one page, whose faults are problems of that page: a panic, and a time that is up.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use crate::error::PageProblem;

/// The clock is read at each such call of [`check_time`] alone: reading it costs more than most steps between two of them.
const CALLS: u32 = 256;

thread_local! {
    static DEADLINE: Cell<Option<Deadline>> = const { Cell::new(None) };
    static CALLS_LEFT: Cell<u32> = const { Cell::new(0) };
}

/// When the work on a page that this thread does must be done.
#[derive(Debug, Clone, Copy)]
struct Deadline {
    end: Instant,
    seconds: u64,
}

/// What unwinds where the time is up.
struct TimeIsUp {
    seconds: u64,
}

/// Puts the deadline back that was there before.
struct Restored(Option<Deadline>);

impl Drop for Restored {
    fn drop(&mut self) {
        DEADLINE.set(self.0);
    }
}

/// Does work on a page that stands for itself; a panic, and more time than `max_seconds`, is a problem of this page, so that others go
/// on. What the work leaves half done nobody else may see.
///
/// # Errors
/// [`PageProblem::Failed`] with what the panic says, [`PageProblem::Timeout`] if [`check_time`] was called after the end.
pub fn on_page<T>(max_seconds: Option<u64>, work: impl FnOnce() -> T) -> Result<T, PageProblem> {
    let after =
        |seconds| Some(Deadline { end: Instant::now().checked_add(Duration::from_secs(seconds))?, seconds });
    // A thread that waits for another may do a page in between.
    let _before = Restored(DEADLINE.replace(max_seconds.and_then(after)));
    CALLS_LEFT.set(0);
    caught(work)
}

/// The same as a part of work on pages that is bounded outside, or not at all.
///
/// # Errors
/// As [`on_page`].
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, PageProblem> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.downcast_ref() {
        Some(&TimeIsUp { seconds }) => PageProblem::Timeout { seconds },
        None => PageProblem::Failed(panic_text(&*panic)),
    })
}

/// Ends the work on the page if its time is up, by unwinding as far as [`on_page`]: so that no function in between has to pass it on.
/// Called by whatever may take long on a page, wherever it may stop: once for each step of a loop or each part of the work. Costs a few
/// instructions. Not in what is spread over threads: a thread may do a part of another page's work while it waits for its own.
#[inline]
pub fn check_time() {
    let left = CALLS_LEFT.get();
    if left > 0 {
        CALLS_LEFT.set(left - 1);
    } else {
        read_clock();
    }
}

/// The same, reading the clock whenever it is called: for parts of the work that each may take long.
#[cold]
pub fn read_clock() {
    CALLS_LEFT.set(CALLS);
    if let Some(Deadline { end, seconds }) = DEADLINE.get()
        && Instant::now() >= end
    {
        resume_unwind(Box::new(TimeIsUp { seconds }));
    }
}

/// What a panic says, as a fault of the program.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    format!("a fault of duramen itself, please report it: {text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(done: Result<(), PageProblem>) -> String {
        done.unwrap_err().to_string()
    }

    #[test]
    fn a_panic_and_a_time_that_is_up_are_problems_of_the_page() {
        let panicked = problem(on_page(None, || panic!("no such node")));
        assert_eq!(panicked, "a fault of duramen itself, please report it: no such node");
        assert!(problem(on_page(Some(0), check_time)).starts_with("not finished after 0 s"));
        on_page(Some(3600), check_time).unwrap();
        on_page(Some(u64::MAX), check_time).unwrap();
        on_page(None, check_time).unwrap();
    }

    #[test]
    fn the_clock_is_read_again_after_some_calls() {
        let calls = || (0..).find(|_| caught(check_time).is_err()).unwrap();
        let first = on_page(Some(1), || {
            check_time();
            std::thread::sleep(Duration::from_millis(1_050));
            calls()
        });
        assert_eq!(first.unwrap(), CALLS);
    }

    #[test]
    fn a_page_has_its_own_deadline_and_that_of_another_is_put_back() {
        let outer = on_page(Some(0), || {
            on_page(None, read_clock).unwrap();
            on_page(Some(3600), read_clock).unwrap();
            read_clock();
        });
        assert!(matches!(outer, Err(PageProblem::Timeout { seconds: 0 })));
        read_clock();
    }
}
