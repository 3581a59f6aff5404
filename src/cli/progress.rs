//! What goes to standard error: notes, warnings, errors, and progress bars on a terminal.

use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::progress::Progress;

/// Prints to standard error as loudly as was asked.
pub struct Printer {
    quiet: bool,
    verbose: u8,
    bar: Mutex<Option<ProgressBar>>,
}

impl Printer {
    pub fn new(quiet: bool, verbose: u8) -> Self {
        Printer { quiet, verbose, bar: Mutex::new(None) }
    }

    /// An error: always printed.
    pub fn error(&self, text: &str) {
        self.print(&format!("duramen: error: {text}"));
    }

    /// A warning: printed unless quiet.
    pub fn warn(&self, text: &str) {
        if !self.quiet {
            self.print(&format!("duramen: {text}"));
        }
    }

    /// A remark for who asked for more.
    pub fn detail(&self, text: &str) {
        if self.verbose > 0 {
            self.print(&format!("duramen: {text}"));
        }
    }

    fn print(&self, line: &str) {
        let bar = self.bar.lock().expect("no thread panics while it prints");
        match bar.as_ref() {
            Some(bar) if !bar.is_hidden() => bar.suspend(|| eprintln!("{line}")),
            _ => eprintln!("{line}"),
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = self.bar.lock().expect("no thread panics while it prints").take() {
            bar.finish_and_clear();
        }
    }

    fn begin(&self, name: &str, total: Option<u64>, template: &str) {
        self.finish();
        if self.quiet {
            return;
        }
        // Indicatif draws on a terminal only.
        let bar = match total {
            Some(total) => ProgressBar::new(total)
                .with_style(ProgressStyle::with_template(template).expect("the template is well formed")),
            None => ProgressBar::new_spinner(),
        };
        bar.set_message(name.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        *self.bar.lock().expect("no thread panics while it prints") = Some(bar);
    }
}

impl Progress for Printer {
    fn stage(&self, name: &str, steps: usize) {
        self.detail(&format!("{name} ({steps})"));
        let steps = (steps > 0).then_some(steps as u64);
        self.begin(name, steps, "{msg:28!} {bar:32} {pos}/{len} {per_sec} {eta} left");
    }

    fn step(&self) {
        if let Some(bar) = self.bar.lock().expect("no thread panics while it prints").as_ref() {
            bar.inc(1);
        }
    }

    fn note(&self, text: &str) {
        self.warn(text);
    }

    fn stage_of_bytes(&self, name: &str, bytes: Option<u64>) {
        self.begin(name, bytes, "{msg:28!} {bar:32} {binary_bytes}/{binary_total_bytes} {eta} left");
    }

    fn done(&self, done: u64) {
        if let Some(bar) = self.bar.lock().expect("no thread panics while it prints").as_ref() {
            bar.set_position(done);
        }
    }
}
