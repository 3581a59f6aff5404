//! Ctrl-C: a flag that long work looks at, so that what is finished is kept.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// A flag that an interruption sets; a second interruption ends the process at once.
pub fn stop_flag() -> &'static AtomicBool {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        // Without a handler an interruption ends the process as it always does: nothing to report.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
    &STOP
}
