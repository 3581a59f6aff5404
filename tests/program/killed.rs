//! Commands that are killed at random moments and started again, as the study `reliability` does it more often.
//!
//! `DURAMEN_KILLS` says how often each command is killed, 8 times by default.

use std::path::Path;

use duramen::studies::reliability::kills::{CASES, Workplace};

#[test]
fn a_killed_command_that_is_started_again_leaves_what_an_undisturbed_one_writes() {
    let kills = std::env::var("DURAMEN_KILLS").map_or(8, |kills| kills.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = Workplace::new(Path::new(env!("CARGO_BIN_EXE_duramen")), folder.path(), root).unwrap();
    std::thread::scope(|scope| {
        for case in CASES {
            scope.spawn(|| {
                let killed = place.kill(case, kills, 20261127).unwrap();
                assert_eq!(killed.kills, kills, "{}", case.name);
                assert!(killed.files > 0 && killed.found.is_empty(), "{killed:?}");
            });
        }
    });
}
