//! `Page`, a parsed page with its name and address: what every extractor takes.

mod hidden;

use std::sync::OnceLock;

use crate::dom::{BlockTree, Dom, Limits};
use crate::error::{Error, PageProblem, Result};
use crate::index::NodeId;
use crate::layout::{EngineId, Layout, LayoutEngine, LayoutInput};
use crate::tokens;
use hidden::hidden_texts;

/// One page: what every extractor takes.
#[derive(Debug)]
pub struct Page {
    id: String,
    url: Option<String>,
    dom: Dom,
    blocks: OnceLock<BlockTree>,
    shown_words: OnceLock<Vec<(NodeId, u32)>>,
    hidden_texts: OnceLock<Vec<NodeId>>,
    source: Option<Source>,
    feed_item: Option<FeedItem>,
    layouts: Vec<Layout>,
}

/// A page as it came, for systems that parse it themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The charset of the HTTP header, if known.
    pub http_charset: Option<String>,
}

/// What a web feed says of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedItem {
    /// The item's title, as plain text.
    pub title: String,
    /// The item's description, as plain text; often the first lines of the article.
    pub description: String,
}

impl Page {
    /// Parses `bytes` into a page.
    ///
    /// `id` names the page in every output and error: a file name, a URL or a corpus's own id. `http_charset` is
    /// the charset of the HTTP header, if known.
    ///
    /// # Errors
    /// [`Error::Page`] with the id and the [problem](crate::error::PageProblem): too large, binary, no bytes.
    pub fn parse(
        id: impl Into<String>,
        url: Option<String>,
        bytes: &[u8],
        http_charset: Option<&str>,
        limits: &Limits,
    ) -> Result<Page> {
        let id = id.into();
        match Dom::parse(bytes, http_charset, limits) {
            Ok(dom) => Ok(Page {
                id,
                url,
                dom,
                blocks: OnceLock::new(),
                shown_words: OnceLock::new(),
                hidden_texts: OnceLock::new(),
                source: None,
                feed_item: None,
                layouts: Vec::new(),
            }),
            Err(problem) => Err(Error::page(id, problem)),
        }
    }

    /// The page's name in outputs and errors.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The page's address, if known.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// The page with its bytes kept, for systems that read them (`reads_source` in the list of extractors).
    pub fn with_source(mut self, source: Source) -> Page {
        self.source = Some(source);
        self
    }

    /// The page as it came, if that was kept.
    pub fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }

    /// The page with what a feed says of it.
    pub fn with_feed_item(mut self, item: FeedItem) -> Page {
        self.feed_item = Some(item);
        self
    }

    /// What a feed says of the page, if a feed was given.
    pub fn feed_item(&self) -> Option<&FeedItem> {
        self.feed_item.as_ref()
    }

    /// The page with its layout; one by the same engine is replaced.
    ///
    /// # Panics
    /// If the layout is not of this page ([`Layout::check`]).
    pub fn with_layout(mut self, layout: Layout) -> Page {
        self.set_layout(layout);
        self
    }

    fn set_layout(&mut self, layout: Layout) {
        layout.check(&self.dom).expect("the layout is of this page");
        self.layouts.retain(|known| known.engine().name != layout.engine().name);
        self.layouts.push(layout);
        self.hidden_texts = OnceLock::new();
    }

    /// Lays the page out.
    ///
    /// # Errors
    /// As [`LayoutEngine::layout`]; the page is then as it was.
    pub fn lay_out(&mut self, engine: &dyn LayoutEngine) -> Result<(), PageProblem> {
        let layout = engine.layout(&self.layout_input())?;
        self.set_layout(layout);
        Ok(())
    }

    /// The page's layout by the engine of this name, if it was laid out by that.
    pub fn layout(&self, engine: &str) -> Option<&Layout> {
        self.layouts.iter().find(|layout| layout.engine().name == engine)
    }

    /// The engines that laid the page out.
    pub fn layout_engines(&self) -> impl Iterator<Item = &EngineId> {
        self.layouts.iter().map(Layout::engine)
    }

    /// What an engine lays out.
    pub fn layout_input(&self) -> LayoutInput<'_> {
        LayoutInput {
            dom: &self.dom,
            bytes: self.source.as_ref().map(|source| &*source.bytes),
            url: self.url(),
        }
    }

    /// The frozen tree.
    pub fn dom(&self) -> &Dom {
        &self.dom
    }

    /// As [`Dom::retain_texts`], which is for texts that no reader sees: what is known of the others stays.
    pub(crate) fn retain_texts(&mut self, is_kept: impl Fn(&Dom, NodeId) -> bool) {
        self.dom.retain_texts(is_kept);
    }

    /// The block tree, made when first asked for.
    pub fn blocks(&self) -> &BlockTree {
        self.blocks.get_or_init(|| BlockTree::new(&self.dom))
    }

    /// The [shown texts](Dom::shown_texts), which are the [texts of the blocks](BlockTree::texts) too, with their
    /// [words](tokens::count), counted when first asked for.
    pub fn shown_words(&self) -> &[(NodeId, u32)] {
        let count = |id: NodeId| (id, tokens::count(self.dom.text(id)));
        self.shown_words.get_or_init(|| self.dom.shown_texts().map(count).collect())
    }

    /// Those of the [shown texts](Dom::shown_texts) that the page hides from its readers, in document order, found when first asked for:
    /// inside elements that are not displayed, not visible, without size, outside the page or of the colour of their background, by
    /// their attributes or by a layout of the page. Not what a reader can open, and nothing where that would be most of the page.
    pub fn hidden_texts(&self) -> &[NodeId] {
        self.hidden_texts.get_or_init(|| hidden_texts(&self.dom, &self.layouts, self.shown_words()))
    }

    /// Whether a text node is [hidden](Page::hidden_texts).
    pub fn is_hidden(&self, text: NodeId) -> bool {
        self.hidden_texts().binary_search(&text).is_ok()
    }
}
