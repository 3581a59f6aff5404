//! Blitz: layout without a browser, in processes of their own, so that a page that hangs or crashes ends alone.

use std::io::{BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use duramen_layout_blitz as adapter;
use html5ever::interface::QuirksMode;
use serde::{Deserialize, Serialize};

use super::engines::WORKER;
use super::{
    EngineId, Layout, LayoutBuilder, LayoutEngine, LayoutInput, MAX_PICTURE_HEIGHT, PROPERTIES, Picture,
    Property, Rect, VIEWPORT_HEIGHT, VIEWPORT_WIDTH,
};
use crate::dom::{Dom, NodeKind};
use crate::error::{Error, PageProblem, Result};
use crate::index::NodeId;
use crate::program::{Program, Workers};

/// The most bytes of a request: a tree of the largest page that is parsed, written as JSON, is far below.
const MAX_REQUEST: u64 = 1 << 30;

/// The engine.
#[derive(Debug)]
pub struct Blitz {
    id: EngineId,
    /// None lays out in this process.
    workers: Option<(Program, Workers)>,
}

impl Blitz {
    /// Lays out pages in processes of `worker`, each page in `timeout` at most; or in this process, if there is none.
    ///
    /// # Errors
    /// [`Error::Usage`] if the path is not UTF-8.
    pub fn new(worker: Option<&Path>, timeout: Duration) -> Result<Blitz> {
        let id = EngineId { name: "blitz".to_owned(), version: adapter::version() };
        let program = worker.map(|path| Program::new(path, &[WORKER], timeout)).transpose()?;
        Ok(Blitz { id, workers: program.map(|program| (program, Workers::default())) })
    }

    /// Lays out a page, and draws it into the file `picture` if there is one.
    fn render(&self, dom: &Dom, picture: Option<&Path>) -> Result<Layout, PageProblem> {
        let request = Request { tree: tree(dom), picture: picture.map(Path::to_owned) };
        let rendering = match &self.workers {
            None => answer(request),
            Some((program, workers)) => {
                let mut line =
                    serde_json::to_vec(&request).expect("a request has no keys that are not strings");
                line.push(b'\n');
                workers.ask(program, line, read_answer)?
            }
        };
        rendering.map_err(PageProblem::Failed).and_then(|rendering| layout(&self.id, dom, &rendering))
    }
}

impl LayoutEngine for Blitz {
    fn id(&self) -> &EngineId {
        &self.id
    }

    fn layout(&self, page: &LayoutInput<'_>) -> Result<Layout, PageProblem> {
        self.render(page.dom, None)
    }

    fn picture(&self, page: &LayoutInput<'_>) -> Result<Picture, PageProblem> {
        let failed =
            |error: std::io::Error| PageProblem::Failed(format!("its picture cannot be passed on: {error}"));
        let folder = tempfile::tempdir().map_err(failed)?;
        let file = folder.path().join("page.png");
        let layout = self.render(page.dom, Some(&file))?;
        Ok(Picture { layout, png: std::fs::read(&file).map_err(failed)? })
    }
}

/// What a worker is asked: a line of JSON.
#[derive(Serialize, Deserialize)]
struct Request {
    tree: adapter::Tree,
    /// The file to draw the page into.
    picture: Option<PathBuf>,
}

/// What a worker answers: a line of JSON; an error is the page's, not the worker's.
type Answer = Result<adapter::Rendering, String>;

fn read_answer(line: &[u8]) -> Result<Answer, PageProblem> {
    serde_json::from_slice(line)
        .map_err(|error| PageProblem::Failed(format!("the layout worker's answer is not as agreed: {error}")))
}

fn answer(Request { tree, picture }: Request) -> Answer {
    let viewport = adapter::Viewport { width: VIEWPORT_WIDTH, height: VIEWPORT_HEIGHT };
    let Some(file) = picture else {
        return adapter::render(tree, viewport, &PROPERTIES).map_err(|error| error.to_string());
    };
    let (rendering, png) = adapter::picture(tree, viewport, &PROPERTIES, MAX_PICTURE_HEIGHT)
        .map_err(|error| error.to_string())?;
    std::fs::write(&file, png).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(rendering)
}

/// Answers requests, a line each, until there are no more: what a worker does.
///
/// # Errors
/// [`Error::Io`] if the streams break, [`Error::Usage`] for a line that is no request.
pub fn serve(input: impl BufRead, output: impl Write) -> Result<()> {
    let failed = |error| Error::io("standard streams of a layout worker", error);
    let (mut input, mut output) = (input.take(MAX_REQUEST), BufWriter::new(output));
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).map_err(failed)? > 0 {
        let request: Request = serde_json::from_slice(&line).map_err(|error| {
            Error::usage(
                format!("not a request to lay out a page: {error}"),
                "a layout worker is started by duramen itself; use `duramen render`",
            )
        })?;
        serde_json::to_writer(&mut output, &answer(request)).map_err(|error| failed(error.into()))?;
        output.write_all(b"\n").and_then(|()| output.flush()).map_err(failed)?;
        line.clear();
        input.set_limit(MAX_REQUEST);
    }
    Ok(())
}

fn tree(dom: &Dom) -> adapter::Tree {
    let quirks = match dom.quirks() {
        QuirksMode::NoQuirks => adapter::Quirks::No,
        QuirksMode::LimitedQuirks => adapter::Quirks::Limited,
        QuirksMode::Quirks => adapter::Quirks::Full,
    };
    let node = |id: NodeId| adapter::Node {
        parent: dom.parent(id).map_or(0, |parent| parent.0),
        content: match dom.kind(id) {
            NodeKind::Document => adapter::Content::Document,
            NodeKind::Text => adapter::Content::Text(dom.text(id).to_owned()),
            NodeKind::Element => adapter::Content::Element {
                name: dom.name(id).to_owned(),
                html: dom.is_html_element(id),
                attributes: dom
                    .attributes(id)
                    .map(|(name, value)| (name.to_owned(), value.to_owned()))
                    .collect(),
            },
        },
    };
    adapter::Tree { quirks, nodes: dom.ids().map(node).collect() }
}

fn layout(engine: &EngineId, dom: &Dom, rendering: &adapter::Rendering) -> Result<Layout, PageProblem> {
    let unfit = || PageProblem::Failed("the layout worker's answer does not fit the page".to_owned());
    let mut builder = LayoutBuilder::new(engine.clone(), dom.len());
    let styles: Option<Vec<[&str; Property::COUNT]>> = rendering
        .styles
        .iter()
        .map(|values| values.iter().map(String::as_str).collect::<Vec<_>>().try_into().ok())
        .collect();
    let styles = styles.ok_or_else(unfit)?;
    if rendering.boxes.len() != dom.len() || rendering.style_of.len() != dom.len() {
        return Err(unfit());
    }
    for id in dom.ids().filter(|&id| dom.kind(id) == NodeKind::Element) {
        if let Some([x, y, width, height]) = rendering.boxes[id.index()] {
            builder.set_rect(id, Rect { x, y, width, height });
        }
        if let Some(style) = rendering.style_of[id.index()] {
            builder.set_style(id, *styles.get(style as usize).ok_or_else(unfit)?);
        }
    }
    Ok(builder.finish())
}
