//! Pages as files, for programs that take many in one run.

use std::collections::BTreeMap;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use super::answer::{Answer, Found};
use crate::error::{PageProblem, Result};
use crate::program::{Process, Program, feed, lines};

/// One run of the program on all pages, which may take its time limit for each. A page whose answer came is done,
/// whatever happens to the run afterward.
pub(super) fn texts(
    program: &Program,
    contents: &[Result<Vec<u8>, PageProblem>],
) -> Vec<Result<Found, PageProblem>> {
    let mut texts: Vec<Option<Result<Found, PageProblem>>> =
        contents.iter().map(|content| content.as_ref().err().cloned().map(Err)).collect();
    let problem =
        if texts.iter().all(Option::is_some) { None } else { run(program, contents, &mut texts).err() };
    let problem =
        problem.unwrap_or_else(|| PageProblem::Failed("the program gave no answer for this page".to_owned()));
    texts.into_iter().map(|text| text.unwrap_or_else(|| Err(problem.clone()))).collect()
}

/// Fills in the answers.
///
/// # Errors
/// Why the pages without an answer have none.
fn run(
    program: &Program,
    contents: &[Result<Vec<u8>, PageProblem>],
    texts: &mut [Option<Result<Found, PageProblem>>],
) -> Result<(), PageProblem> {
    let failed = |error: std::io::Error| PageProblem::Failed(format!("temporary files: {error}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    let mut paths = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for (index, content) in contents.iter().enumerate() {
        let Ok(bytes) = content else { continue };
        let path = folder.path().join(format!("{index}.html"));
        std::fs::write(&path, bytes).map_err(failed)?;
        let path = path.to_str().ok_or_else(|| {
            PageProblem::Failed(format!("the folder {} has no name in UTF-8", folder.path().display()))
        })?;
        paths.extend_from_slice(path.as_bytes());
        paths.push(b'\n');
        known.insert(path.to_owned(), index);
        known.insert(index.to_string(), index);
    }
    let pages = u32::try_from(contents.len()).unwrap_or(u32::MAX);
    let timeout = program.timeout().saturating_mul(pages).min(Duration::from_secs(1 << 30));
    let deadline = Instant::now() + timeout;
    let (mut process, stdin, stdout) = Process::start(program)?;
    feed(stdin).send(paths).ok();
    let lines = lines(stdout);
    let mut first_problem = None;
    loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Err(RecvTimeoutError::Timeout) => return Err(program.timed_out()),
            Err(RecvTimeoutError::Disconnected) => break,
            Ok(line) => match Answer::parse(&line?) {
                // Only the first answer for a page counts.
                Ok(answer) => {
                    if let Some(&index) = known.get(&answer.id)
                        && texts[index].is_none()
                    {
                        texts[index] = Some(answer.found());
                    }
                }
                Err(problem) => first_problem = first_problem.or(Some(problem)),
            },
        }
    }
    process.end(deadline).map_err(|problem| problem.unwrap_or_else(|| program.timed_out()))?;
    first_problem.map_or(Ok(()), Err)
}
