//! Folders aside, in which something is written before it is put in its place.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use tempfile::TempDir;

/// What the names of such folders begin with.
const PREFIX: &str = ".duramen-";
/// The file in each that is locked as long as its process works with it.
const LOCK: &str = "lock";

/// The folders that were cleared by this process.
static CLEARED: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);

/// A folder aside, removed when it goes out of scope. What a process that was killed has left behind is removed by the next that writes
/// into the same folder.
#[derive(Debug)]
pub struct Aside {
    // Closed before the folder is removed, as some systems need it.
    _lock: File,
    folder: TempDir,
}

impl Aside {
    /// Makes one within `parent`, which is made if missing.
    ///
    /// # Errors
    /// What the system says.
    pub fn within(parent: &Path) -> io::Result<Aside> {
        fs::create_dir_all(parent)?;
        clear_once(parent);
        loop {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
            let path = folder.path().join(LOCK);
            let lock = match File::create_new(&path) {
                Ok(lock) => lock,
                // Another process took it for one that was left.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            // Where files cannot be locked nothing is removed either.
            let _ = lock.lock();
            // The same, before it was locked.
            if path.exists() {
                return Ok(Aside { _lock: lock, folder });
            }
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Puts a folder that was written here in its place, over a folder that is there; on Linux there is no moment without one.
    ///
    /// # Errors
    /// What the system says; then what was there is there.
    pub fn put_folder(&self, new: &Path, place: &Path) -> io::Result<()> {
        if !place.exists() {
            return fs::rename(new, place);
        }
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{CWD, RenameFlags, renameat_with};
            // Some file systems do not know it.
            if renameat_with(CWD, new, CWD, place, RenameFlags::EXCHANGE).is_ok() {
                return Ok(());
            }
        }
        let old = self.path().join("old");
        fs::rename(place, &old)?;
        fs::rename(new, place).inspect_err(|_| {
            let _ = fs::rename(&old, place);
        })
    }
}

/// Removes what killed processes have left in a folder, the first time that this process is about to write into it. What cannot be removed
/// stays. For what may find its work done and write nothing; [`Aside::within`] does it too.
pub fn clear_once(folder: &Path) {
    let Ok(known) = folder.canonicalize() else { return };
    let mut cleared = CLEARED.lock().unwrap_or_else(PoisonError::into_inner);
    if cleared.insert(known) {
        let _ = clear(folder);
    }
}

/// Removes the folders aside of which no process has locked the file.
fn clear(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)?.flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let path = entry.path();
        let lock = path.join(LOCK);
        let _ = match File::open(&lock) {
            Ok(file) if file.try_lock().is_ok() => fs::remove_dir_all(path),
            // One that was made this moment is empty, and is made again.
            Err(error) if error.kind() == io::ErrorKind::NotFound => fs::remove_dir(&path).or_else(|_| {
                // Its removal was cut off, if it still has none.
                if lock.exists() { Ok(()) } else { fs::remove_dir_all(path) }
            }),
            _ => Ok(()),
        };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_has_left_is_removed_and_what_another_works_with_is_not() {
        let place = tempfile::tempdir().unwrap();
        let [left, half, empty, in_use, foreign] =
            [".duramen-left", ".duramen-half", ".duramen-empty", ".duramen-used", ".other"]
                .map(|name| place.path().join(name));
        for folder in [&left, &half, &empty, &in_use, &foreign] {
            fs::create_dir(folder).unwrap();
        }
        for folder in [&left, &in_use, &foreign] {
            fs::write(folder.join(LOCK), "").unwrap();
        }
        fs::write(left.join("file"), "half").unwrap();
        fs::write(half.join("file"), "half").unwrap();
        let lock = File::open(in_use.join(LOCK)).unwrap();
        lock.lock().unwrap();
        let aside = Aside::within(place.path()).unwrap();
        assert!(!left.exists() && !half.exists() && !empty.exists());
        assert!(in_use.exists() && foreign.exists() && aside.path().exists());
        // Once is enough: what comes later is of this process.
        fs::create_dir(&left).unwrap();
        fs::write(left.join(LOCK), "").unwrap();
        let second = Aside::within(place.path()).unwrap();
        assert!(left.exists() && second.path() != aside.path());
        let paths = [aside.path().to_owned(), second.path().to_owned()];
        drop((aside, second));
        assert!(paths.iter().all(|path| !path.exists()));
    }

    #[test]
    fn a_folder_is_put_in_its_place() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("place");
        for text in ["one", "two"] {
            let aside = Aside::within(place.path()).unwrap();
            let new = aside.path().join("new");
            fs::create_dir(&new).unwrap();
            fs::write(new.join("file"), text).unwrap();
            aside.put_folder(&new, &path).unwrap();
            assert_eq!(fs::read_to_string(path.join("file")).unwrap(), text);
        }
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
