//! `Progress`, how long work tells how far it is: one interface for reading, learning, running and fetching.

/// Hears how far a piece of work is. All methods may be called from several threads.
///
/// Work comes in stages, one at a time; a stage has a number of steps, or of bytes.
///
/// # Examples
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use duramen::Progress;
///
/// #[derive(Default)]
/// struct Steps(AtomicUsize);
///
/// impl Progress for Steps {
///     fn stage(&self, _name: &str, _steps: usize) {}
///     fn step(&self) {
///         self.0.fetch_add(1, Ordering::Relaxed);
///     }
///     fn note(&self, _text: &str) {}
/// }
///
/// let steps = Steps::default();
/// let work = |progress: &dyn Progress| {
///     progress.stage("squares", 3);
///     (1..=3).map(|x| { progress.step(); x * x }).sum::<u32>()
/// };
/// assert_eq!((work(&steps), steps.0.into_inner()), (14, 3));
/// ```
pub trait Progress: Sync {
    /// A stage begins, with its number of steps; 0 if that is not known.
    fn stage(&self, name: &str, steps: usize);
    /// A step of the stage is done.
    fn step(&self);
    /// Something a reader of the log should know.
    fn note(&self, text: &str);
    /// A stage begins that is measured in bytes: how many there are, if that is known.
    fn stage_of_bytes(&self, name: &str, bytes: Option<u64>) {
        let _ = bytes;
        self.stage(name, 0);
    }
    /// So many of the stage's bytes, or steps, are done.
    fn done(&self, done: u64) {
        let _ = done;
    }
}

/// Progress that nobody asks for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn stage(&self, _name: &str, _steps: usize) {}
    fn step(&self) {}
    fn note(&self, _text: &str) {}
}
