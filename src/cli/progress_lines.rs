//! Progress as JSON, an object a line: for programs that watch, and for standard error that is no terminal.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

/// How long after a line of progress the next is due.
const PAUSE: Duration = Duration::from_secs(1);

/// A stage of work that is told of.
#[derive(Debug)]
pub struct Stage {
    name: String,
    unit: &'static str,
    total: Option<u64>,
    done: u64,
    /// Pages by the status that they ended with.
    statuses: BTreeMap<&'static str, u64>,
    begun: Instant,
    told: Instant,
}

/// The lines of one run. Each function gives the line that is due, if one is.
#[derive(Debug, Default)]
pub struct Lines {
    stage: Option<Stage>,
}

/// A message: a note, a warning or an error.
pub fn message(event: &str, text: &str) -> String {
    json!({"event": event, "text": text}).to_string()
}

impl Lines {
    /// A stage begins, of so many steps or bytes if that is known.
    pub fn begin(&mut self, name: &str, unit: &'static str, total: Option<u64>, now: Instant) -> String {
        let statuses = BTreeMap::new();
        let stage = Stage { name: name.to_owned(), unit, total, done: 0, statuses, begun: now, told: now };
        self.stage.insert(stage).line("begin", now)
    }

    /// One more step is done.
    pub fn step(&mut self, now: Instant) -> Option<String> {
        self.stage.as_mut()?.done += 1;
        self.due(now)
    }

    /// So many steps or bytes are done.
    pub fn done(&mut self, done: u64, now: Instant) -> Option<String> {
        self.stage.as_mut()?.done = done;
        self.due(now)
    }

    /// A page ended with a status.
    pub fn status(&mut self, status: &'static str) {
        if let Some(stage) = &mut self.stage {
            *stage.statuses.entry(status).or_default() += 1;
        }
    }

    /// The stage ends, if there is one.
    pub fn end(&mut self, now: Instant) -> Option<String> {
        Some(self.stage.take()?.line("end", now))
    }

    fn due(&mut self, now: Instant) -> Option<String> {
        let stage = self.stage.as_mut()?;
        if now.duration_since(stage.told) < PAUSE {
            return None;
        }
        stage.told = now;
        Some(stage.line("progress", now))
    }
}

impl Stage {
    fn line(&self, event: &str, now: Instant) -> String {
        let seconds = now.duration_since(self.begun).as_secs_f64();
        let rounded = |x: f64| (x * 1000.0).round() / 1000.0;
        let per_second = (seconds > 0.0).then(|| self.done as f64 / seconds);
        let left = self.total.map(|total| total.saturating_sub(self.done) as f64);
        let eta = left.zip(per_second).and_then(|(left, speed)| (speed > 0.0).then(|| left / speed));
        let mut line = Map::new();
        line.insert("event".to_owned(), event.into());
        line.insert("stage".to_owned(), self.name.as_str().into());
        line.insert("unit".to_owned(), self.unit.into());
        line.insert("done".to_owned(), self.done.into());
        line.insert("total".to_owned(), self.total.into());
        if event != "begin" {
            line.insert("seconds".to_owned(), rounded(seconds).into());
            line.insert("per_second".to_owned(), per_second.map(rounded).into());
        }
        if event == "progress" {
            line.insert("eta_seconds".to_owned(), eta.map(rounded).into());
        }
        if !self.statuses.is_empty() {
            line.insert("pages".to_owned(), json!(self.statuses));
        }
        Value::from(line).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_is_told_at_its_begin_each_second_and_at_its_end() {
        let begun = Instant::now();
        let at = |seconds: f64| begun + Duration::from_secs_f64(seconds);
        let read = |line: String| serde_json::from_str::<Value>(&line).unwrap();
        let mut lines = Lines::default();
        assert_eq!(lines.step(at(0.0)), None);
        assert_eq!(
            read(lines.begin("extracting", "steps", Some(10), at(0.0))),
            json!({"event": "begin", "stage": "extracting", "unit": "steps", "done": 0, "total": 10})
        );
        lines.status("ok");
        assert_eq!(lines.step(at(0.5)), None);
        lines.status("empty");
        assert_eq!(
            read(lines.step(at(2.0)).unwrap()),
            json!({"event": "progress", "stage": "extracting", "unit": "steps", "done": 2, "total": 10,
                   "seconds": 2.0, "per_second": 1.0, "eta_seconds": 8.0, "pages": {"ok": 1, "empty": 1}})
        );
        assert_eq!(lines.step(at(2.5)), None);
        let end = read(lines.end(at(4.0)).unwrap());
        assert_eq!((&end["event"], &end["done"], &end["seconds"]), (&json!("end"), &json!(3), &json!(4.0)));
        assert_eq!(lines.end(at(5.0)), None);
    }

    #[test]
    fn what_is_not_known_is_null() {
        let now = Instant::now();
        let mut lines = Lines::default();
        lines.begin("unpacking", "bytes", None, now);
        let line = lines.done(5, now + PAUSE).unwrap();
        let line: Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&line["total"], &line["eta_seconds"]), (&Value::Null, &Value::Null));
        assert_eq!(line["per_second"], json!(5.0));
    }
}
