//! `Page`, a parsed page with its name and address: what every extractor takes.

use std::sync::OnceLock;

use crate::dom::{BlockTree, Dom, Limits};
use crate::error::{Error, Result};

/// One page: what every extractor takes.
#[derive(Debug)]
pub struct Page {
    id: String,
    url: Option<String>,
    dom: Dom,
    blocks: OnceLock<BlockTree>,
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
            Ok(dom) => Ok(Page { id, url, dom, blocks: OnceLock::new() }),
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

    /// The frozen tree.
    pub fn dom(&self) -> &Dom {
        &self.dom
    }

    /// The block tree, made when first asked for.
    pub fn blocks(&self) -> &BlockTree {
        self.blocks.get_or_init(|| BlockTree::new(&self.dom))
    }
}
