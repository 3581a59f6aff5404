//! Labels of a page's nodes by XPath, read from what `extract --nodes` writes or what a person wrote.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::file;
use crate::dataset::document::{LabelledNode, LabelledNodes};
use crate::error::did_you_mean;
use crate::label::Label;

impl LabelledNodes {
    /// Notes a problem on a line.
    fn fault(&mut self, line: usize, problem: impl std::fmt::Display) {
        self.problems.push(format!("{}, line {line}: {problem}", self.file));
    }

    /// The labels alone, a line each: what a checksum names.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.nodes
            .iter()
            .map(|node| format!("{}\t{}\n", node.xpath, node.label))
            .collect::<String>()
            .into_bytes()
    }
}

/// The fields of a node's record; `id` and `page` name the page in a file for several.
const NODE_FIELDS: [&str; 10] =
    ["xpath", "label", "text", "node", "tag", "kept", "posterior", "score", "page", "id"];

/// A record of a page with its nodes.
#[derive(Deserialize)]
struct PageRecord<'a> {
    id: Option<String>,
    url: Option<String>,
    #[serde(borrow)]
    nodes: Option<Vec<&'a RawValue>>,
}

/// Reads a file of labels: JSON lines, JSON or CSV, by its ending. Gives the labels by the page that they name; under
/// the empty name those that name none.
pub(super) fn read(path: &Path, bytes: &[u8]) -> BTreeMap<String, LabelledNodes> {
    let text = file::decode(bytes);
    let plain = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut reader = Reader { file: plain.clone(), pages: BTreeMap::new() };
    let plain = plain.trim_end_matches(".gz");
    match plain.rsplit_once('.').map(|(_, ending)| ending) {
        Some("csv") => reader.csv(&text),
        Some("json") => reader.json(&text),
        _ => reader.json_lines(&text),
    }
    reader.pages
}

struct Reader {
    file: String,
    pages: BTreeMap<String, LabelledNodes>,
}

impl Reader {
    fn page(&mut self, id: &str) -> &mut LabelledNodes {
        let new = || LabelledNodes { file: self.file.clone(), ..LabelledNodes::default() };
        self.pages.entry(id.to_owned()).or_insert_with(new)
    }

    fn json_lines(&mut self, text: &str) {
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            match serde_json::from_str::<&RawValue>(line) {
                Ok(value) => self.value(value.get(), index + 1, &mut |_| index + 1),
                Err(error) => self.page("").fault(index + 1, format!("no JSON: {error}")),
            }
        }
    }

    fn json(&mut self, text: &str) {
        let values = match text.trim_start().starts_with('[') {
            true => serde_json::from_str::<Vec<&RawValue>>(text),
            false => serde_json::from_str::<&RawValue>(text).map(|value| vec![value]),
        };
        let values = match values {
            Ok(values) => values,
            Err(error) => return self.page("").fault(error.line(), format!("no JSON: {error}")),
        };
        // Values come in the order of the text, so that its lines are counted once.
        let (mut counted, mut line) = (0, 1);
        let mut line_of = |value: &str| {
            let offset = value.as_ptr() as usize - text.as_ptr() as usize;
            if offset > counted {
                line += text[counted..offset].bytes().filter(|&byte| byte == b'\n').count();
                counted = offset;
            }
            line
        };
        for value in values {
            let line = line_of(value.get());
            self.value(value.get(), line, &mut line_of);
        }
    }

    /// A record of a page or of a node. `line_of` tells the line of a value inside.
    fn value(&mut self, value: &str, line: usize, line_of: &mut dyn FnMut(&str) -> usize) {
        let fields: Map<String, Value> = match serde_json::from_str(value) {
            Ok(fields) => fields,
            Err(_) => {
                let problem = r#"no record; write {"xpath": "//h1", "label": "headline"}"#;
                return self.page("").fault(line, problem);
            }
        };
        if fields.contains_key("xpath") {
            let id = ["page", "id"].into_iter().find_map(|key| fields.get(key)?.as_str()).unwrap_or_default();
            return self.node(id, &fields, line);
        }
        let record: PageRecord<'_> = match serde_json::from_str(value) {
            Ok(record) => record,
            Err(error) => return self.page("").fault(line, error),
        };
        let id = record.id.unwrap_or_default();
        let page = self.page(&id);
        page.url = record.url.or(page.url.take());
        let Some(nodes) = record.nodes else {
            let problem = "neither xpath nor nodes; write nodes as `duramen extract` does, or \
                           {\"xpath\": \"//h1\", \"label\": \"headline\"}";
            return page.fault(line, problem);
        };
        for node in nodes {
            let line = line_of(node.get());
            match serde_json::from_str(node.get()) {
                Ok(fields) => self.node(&id, &fields, line),
                Err(error) => self.page(&id).fault(line, error),
            }
        }
    }

    fn node(&mut self, id: &str, fields: &Map<String, Value>, line: usize) {
        let page = self.page(id);
        if let Some(unknown) = fields.keys().find(|key| !NODE_FIELDS.contains(&key.as_str())) {
            return page
                .fault(line, format!("unknown field '{unknown}'; {}", did_you_mean(unknown, NODE_FIELDS)));
        }
        let text = |key: &str| fields.get(key).and_then(Value::as_str);
        match (text("xpath"), fields.get("label")) {
            (None, _) => page.fault(line, "no xpath"),
            (_, None) => page.fault(line, format!("no label; {}", known_labels())),
            (Some(xpath), Some(label)) => {
                page.add(line, xpath, label.as_str().unwrap_or_default(), text("text"));
            }
        }
    }

    fn csv(&mut self, text: &str) {
        let header = text.lines().next().unwrap_or_default();
        // What spreadsheets write: the separator depends on the country.
        let columns = |separator: char| header.split(separator).any(|name| name.trim_matches('"') == "xpath");
        let delimiter = [',', ';', '\t'].into_iter().find(|&separator| columns(separator)).unwrap_or(',');
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(u8::try_from(delimiter).expect("separators are ASCII"))
            .from_reader(text.as_bytes());
        let names: Vec<String> = match reader.headers() {
            Ok(names) => names.iter().map(str::to_owned).collect(),
            Err(error) => return self.page("").fault(1, error),
        };
        let column = |name: &str| names.iter().position(|known| known == name);
        let (Some(xpath), Some(label)) = (column("xpath"), column("label")) else {
            let missing = if column("xpath").is_none() { "xpath" } else { "label" };
            return self
                .page("")
                .fault(1, format!("no column '{missing}'; the columns are {}", names.join(", ")));
        };
        let (id, content) = (column("id").or(column("page")), column("text"));
        for record in reader.records() {
            match record {
                Err(error) => {
                    let line = error.position().map_or(1, csv::Position::line);
                    self.page("").fault(usize::try_from(line).unwrap_or(usize::MAX), error);
                }
                Ok(record) => {
                    let line = record.position().map_or(1, csv::Position::line);
                    let field = |column: usize| record.get(column).unwrap_or_default();
                    let page = self.page(id.map_or("", field));
                    // A page that failed has a row without nodes.
                    if !field(xpath).is_empty() {
                        let line = usize::try_from(line).unwrap_or(usize::MAX);
                        page.add(line, field(xpath), field(label), content.map(field));
                    }
                }
            }
        }
    }
}

impl LabelledNodes {
    /// One more label; an empty one says that the node has none.
    fn add(&mut self, line: usize, xpath: &str, label: &str, text: Option<&str>) {
        let text = text.filter(|text| !text.trim().is_empty()).map(str::to_owned);
        match label.trim() {
            "" => {}
            name => match name.parse() {
                Ok(label) => self.nodes.push(LabelledNode { line, xpath: xpath.to_owned(), label, text }),
                Err(_) => self.fault(line, format!("unknown label '{name}'; {}", remedy_of_label(name))),
            },
        }
    }
}

fn remedy_of_label(name: &str) -> String {
    did_you_mean(name, Label::ALL.map(Label::name))
}

fn known_labels() -> String {
    format!("write one of {}", Label::ALL.map(Label::name).join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_one(name: &str, text: &str) -> LabelledNodes {
        let mut pages = read(Path::new(name), text.as_bytes());
        assert_eq!(pages.len(), 1, "{pages:?}");
        pages.pop_first().unwrap().1
    }

    fn found(labels: &LabelledNodes) -> Vec<(usize, &str, Label)> {
        labels.nodes.iter().map(|node| (node.line, &*node.xpath, node.label)).collect()
    }

    #[test]
    fn lines_records_and_tables_give_the_same_labels() {
        let expected = |lines: [usize; 2]| {
            vec![
                (lines[0], "//h1", Label::Headline),
                (lines[1], "/html[1]/body[1]/p[1]/text()[1]", Label::FullText),
            ]
        };
        let lines = "\u{feff}{\"xpath\": \"//h1\", \"label\": \"headline\"}\n\n\
                     {\"xpath\": \"/html[1]/body[1]/p[1]/text()[1]\", \"label\": \"full-text\", \"kept\": true}\n\
                     {\"xpath\": \"//nav\", \"label\": null}\n";
        assert_eq!(found(&read_one("a.jsonl", lines)), expected([1, 3]));
        let record = "{\"id\": \"a.html\", \"url\": \"http://example.org/a\", \"nodes\": [\n\
                      {\"xpath\": \"//h1\", \"label\": \"headline\"},\n\n\
                      {\"xpath\": \"/html[1]/body[1]/p[1]/text()[1]\",\n \"label\": \"full-text\"}]}";
        for text in [record.to_owned(), format!("[{record}]")] {
            let labels = read_one("a.json", &text);
            assert_eq!(found(&labels), expected([2, 4]));
            assert_eq!(labels.url.as_deref(), Some("http://example.org/a"));
        }
        assert_eq!(found(&read_one("a.jsonl", &record.replace('\n', ""))), expected([1, 1]));
        for separator in [",", ";", "\t"] {
            let table =
                "xpath,label,text\n//h1,headline,A\n/html[1]/body[1]/p[1]/text()[1],full-text,\n//nav,,x\n";
            let labels = read_one("a.csv", &table.replace(',', separator));
            assert_eq!(found(&labels), expected([2, 3]));
            assert_eq!(labels.nodes[0].text.as_deref(), Some("A"));
        }
    }

    #[test]
    fn a_file_for_several_pages_is_divided_by_their_names() {
        let table = "id,status,problem,node,xpath,tag,label,kept,text\na.html,ok,,1,//h1,h1,headline,true,A\n\
                     b.html,error,too large,,,,,,\n";
        let pages = read(Path::new("labels.csv"), table.as_bytes());
        let names: Vec<(&str, usize)> = pages.iter().map(|(id, page)| (&**id, page.nodes.len())).collect();
        assert_eq!(names, [("a.html", 1), ("b.html", 0)]);
    }

    #[test]
    fn every_faulty_line_is_named_with_what_is_wrong() {
        let text = "{\"xpath\": \"//p\", \"label\": \"full-txt\"}\n{\"xpath\": \"//p\", \"lable\": \"full-text\"}\n\
                    {\"xpath\": \"//p\"}\nnonsense\n3\n{\"id\": \"a\", \"text\": \"b\"}\n\
                    {\"xpath\": \"//h1\", \"label\": \"headline\"}";
        let pages = read(Path::new("folder/a.jsonl"), text.as_bytes());
        let problems: Vec<&String> = pages.values().flat_map(|page| &page.problems).collect();
        for (line, part) in [
            (1, "unknown label 'full-txt'; did you mean 'full-text'?"),
            (2, "unknown field 'lable'; did you mean 'label'?"),
            (3, "no label; write one of not-content, headline"),
            (4, "no JSON"),
            (5, "no record"),
            (6, "neither xpath nor nodes"),
        ] {
            let named =
                |text: &&&String| text.starts_with(&format!("a.jsonl, line {line}: ")) && text.contains(part);
            assert_eq!(problems.iter().filter(named).count(), 1, "{line}: {problems:?}");
        }
        assert_eq!(problems.len(), 6);
        assert_eq!(pages[""].nodes.len(), 1);
        let table = read_one("a.csv", "xpath,labl\n//p,full-text\n");
        assert!(table.problems[0].contains("no column 'label'; the columns are xpath, labl"), "{table:?}");
    }
}
