//! What goes to standard error: notes, warnings, errors, and how far the work is: bars on a terminal, or lines of JSON.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use super::progress_lines::{Lines, message};
use crate::progress::Progress;

/// How it is told how far long work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shown {
    // Not as documentation: clap would print it in the help of every command.
    // A bar, if standard error is a terminal and --quiet is not given.
    Auto,
    // Nothing.
    None,
    // A JSON object a line, at most one a second, and notes and errors as such objects too.
    Json,
}

/// Prints to standard error as loudly as was asked.
pub struct Printer {
    quiet: bool,
    verbose: u8,
    shown: Shown,
    bar: Mutex<Option<ProgressBar>>,
    lines: Mutex<Lines>,
}

impl Printer {
    pub fn new(quiet: bool, verbose: u8, shown: Shown) -> Self {
        Printer { quiet, verbose, shown, bar: Mutex::default(), lines: Mutex::default() }
    }

    /// An error: always printed.
    pub fn error(&self, text: &str) {
        self.print("error", "error: ", text);
    }

    /// A warning: printed unless quiet.
    pub fn warn(&self, text: &str) {
        if !self.quiet {
            self.print("note", "", text);
        }
    }

    /// A remark for who asked for more.
    pub fn detail(&self, text: &str) {
        if self.verbose > 0 {
            self.print("detail", "", text);
        }
    }

    /// A page ended with a status.
    pub fn status(&self, status: &'static str) {
        if self.shown == Shown::Json {
            self.lines().status(status);
        }
    }

    fn print(&self, event: &str, kind: &str, text: &str) {
        let line = match self.shown {
            Shown::Json => message(event, text),
            _ => format!("duramen: {kind}{text}"),
        };
        match self.bar().as_ref() {
            Some(bar) if !bar.is_hidden() => bar.suspend(|| eprintln!("{line}")),
            _ => eprintln!("{line}"),
        }
    }

    /// Ends the stage: its bar is removed.
    pub fn finish(&self) {
        if let Some(line) = self.lines().end(Instant::now()) {
            eprintln!("{line}");
        }
        if let Some(bar) = self.bar().take() {
            bar.finish_and_clear();
        }
    }

    fn begin(&self, name: &str, unit: &'static str, total: Option<u64>, template: &str) {
        self.finish();
        match self.shown {
            Shown::Json => eprintln!("{}", self.lines().begin(name, unit, total, Instant::now())),
            Shown::Auto if !self.quiet => {
                // Indicatif draws on a terminal only.
                let style = || ProgressStyle::with_template(template).expect("the template is well formed");
                let bar = match total {
                    Some(total) => ProgressBar::new(total).with_style(style()),
                    None => ProgressBar::new_spinner(),
                };
                bar.set_message(name.to_owned());
                bar.enable_steady_tick(Duration::from_millis(200));
                *self.bar() = Some(bar);
            }
            Shown::Auto | Shown::None => {}
        }
    }

    fn bar(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the bar, or prints the line that is due.
    fn advance(&self, bar: impl FnOnce(&ProgressBar), line: impl FnOnce(&mut Lines) -> Option<String>) {
        if self.shown == Shown::Json {
            if let Some(line) = line(&mut self.lines()) {
                eprintln!("{line}");
            }
        } else if let Some(shown) = self.bar().as_ref() {
            bar(shown);
        }
    }
}

impl Progress for Printer {
    fn stage(&self, name: &str, steps: usize) {
        if self.shown != Shown::Json {
            self.detail(&format!("{name} ({steps})"));
        }
        let steps = (steps > 0).then_some(steps as u64);
        self.begin(name, "steps", steps, "{msg:28!} {bar:32} {pos}/{len} {per_sec} {eta} left");
    }

    fn step(&self) {
        self.advance(|bar| bar.inc(1), |lines| lines.step(Instant::now()));
    }

    fn note(&self, text: &str) {
        self.warn(text);
    }

    fn stage_of_bytes(&self, name: &str, bytes: Option<u64>) {
        self.begin(name, "bytes", bytes, "{msg:28!} {bar:32} {binary_bytes}/{binary_total_bytes} {eta} left");
    }

    fn done(&self, done: u64) {
        self.advance(|bar| bar.set_position(done), |lines| lines.done(done, Instant::now()));
    }
}
