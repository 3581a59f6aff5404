//! `Cached`, an engine that keeps its layouts on disk, so that a corpus is laid out once.

use std::path::{Path, PathBuf};

use super::{EngineId, Layout, LayoutEngine, LayoutInput, Picture};
use crate::dom::Dom;
use crate::error::{PageProblem, Result};
use crate::files::write_whole;

/// zstd's own default.
const COMPRESSION_LEVEL: i32 = 3;
/// The most bytes that a layout may have unpacked: a damaged file must not fill the memory.
const MAX_BYTES: usize = 1 << 30;

/// An engine with its layouts kept in a folder, a file for each page and version of the engine.
///
/// A page is known by the digest of its parse and its quirks mode. A page that failed is tried again the next time. What is
/// no layout of the page, such as a file that was cut, is made anew.
pub struct Cached {
    engine: Box<dyn LayoutEngine>,
    folder: PathBuf,
}

impl Cached {
    /// Keeps the layouts of `engine` below `folder`, which is made when first needed.
    pub fn new(engine: Box<dyn LayoutEngine>, folder: &Path) -> Cached {
        let EngineId { name, version } = engine.id();
        let folder = folder.join(format!("{name}-{version}"));
        Cached { engine, folder }
    }

    fn path(&self, dom: &Dom) -> PathBuf {
        let digest = dom.digest().to_string();
        let mode = match dom.quirks() {
            html5ever::interface::QuirksMode::NoQuirks => "",
            html5ever::interface::QuirksMode::LimitedQuirks => "-limited-quirks",
            html5ever::interface::QuirksMode::Quirks => "-quirks",
        };
        self.folder.join(&digest[..2]).join(format!("{digest}{mode}.json.zst"))
    }
}

fn read(path: &Path, dom: &Dom, engine: &EngineId) -> Option<Layout> {
    let packed = std::fs::read(path).ok()?;
    let json = zstd::bulk::decompress(&packed, MAX_BYTES.min(packed.len().saturating_mul(1000))).ok()?;
    let layout: Layout = serde_json::from_slice(&json).ok()?;
    (layout.engine() == engine && layout.check(dom).is_ok()).then_some(layout)
}

fn write(path: &Path, layout: &Layout) -> Result<(), PageProblem> {
    let json = serde_json::to_vec(layout).expect("a layout has no keys that are not strings");
    let packed = zstd::bulk::compress(&json, COMPRESSION_LEVEL).map_err(failed)?;
    write_whole(path, &packed).map_err(failed)
}

fn failed(error: impl std::fmt::Display) -> PageProblem {
    PageProblem::Failed(format!("its layout cannot be kept: {error}"))
}

impl LayoutEngine for Cached {
    fn id(&self) -> &EngineId {
        self.engine.id()
    }

    fn layout(&self, page: &LayoutInput<'_>) -> Result<Layout, PageProblem> {
        let path = self.path(page.dom);
        if let Some(layout) = read(&path, page.dom, self.id()) {
            return Ok(layout);
        }
        let layout = self.engine.layout(page)?;
        write(&path, &layout)?;
        Ok(layout)
    }

    /// Pictures are not kept.
    fn picture(&self, page: &LayoutInput<'_>) -> Result<Picture, PageProblem> {
        self.engine.picture(page)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::dom::Limits;
    use crate::index::NodeId;
    use crate::layout::{LayoutBuilder, Rect};

    /// Counts how often it is asked.
    struct Counting(EngineId, std::sync::Arc<AtomicU32>);

    impl LayoutEngine for Counting {
        fn id(&self) -> &EngineId {
            &self.0
        }

        fn layout(&self, page: &LayoutInput<'_>) -> Result<Layout, PageProblem> {
            self.1.fetch_add(1, Ordering::SeqCst);
            let mut builder = LayoutBuilder::new(self.0.clone(), page.dom.len());
            builder.set_rect(NodeId(1), Rect { x: 1.0, y: 2.0, width: 3.5, height: 4.25 });
            builder.set_style(NodeId(1), ["x"; crate::layout::Property::COUNT]);
            Ok(builder.finish())
        }

        fn picture(&self, _page: &LayoutInput<'_>) -> Result<Picture, PageProblem> {
            Err(PageProblem::Empty)
        }
    }

    #[test]
    fn a_page_is_laid_out_once_and_again_if_its_file_is_damaged_or_the_engine_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let asked = std::sync::Arc::new(AtomicU32::new(0));
        let engine = |version: &str| {
            let id = EngineId { name: "test".to_owned(), version: version.to_owned() };
            Cached::new(Box::new(Counting(id, asked.clone())), folder.path())
        };
        let dom = |html: &[u8]| Dom::parse(html, None, &Limits::default()).unwrap();
        let page = dom(b"<p>a");
        let input = LayoutInput { dom: &page, bytes: None, url: None };
        let first = engine("1").layout(&input).unwrap();
        assert_eq!(engine("1").layout(&input).unwrap(), first);
        assert_eq!(asked.load(Ordering::SeqCst), 1);
        // The same tree in another mode is another page.
        let strict = dom(b"<!doctype html><p>a");
        assert_eq!(strict.digest(), page.digest());
        engine("1").layout(&LayoutInput { dom: &strict, ..input }).unwrap();
        assert_eq!(asked.load(Ordering::SeqCst), 2);
        engine("2").layout(&input).unwrap();
        assert_eq!(asked.load(Ordering::SeqCst), 3);
        let path = engine("1").path(&page);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        assert_eq!(engine("1").layout(&input).unwrap(), first);
        assert_eq!(asked.load(Ordering::SeqCst), 4);
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "the damaged file is replaced");
    }
}
