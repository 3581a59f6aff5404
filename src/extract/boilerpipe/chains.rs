//! `Chain`, the filters of each extractor in their order.

use super::block::Document;
use super::filters::{clauses, end_of_text, fusion, rules, selection, title};

/// An extractor of Boilerpipe 1.2.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chain {
    Article,
    ArticleSentences,
    Canola,
    Default,
    KeepEverything,
    /// With the fewest words of a block.
    KeepEverythingWithMinKWords(u32),
    LargestContent,
    NumWordsRules,
}

impl Chain {
    /// Classifies the blocks of a page; some chains fuse blocks and drop what is not content.
    pub fn run(self, document: &mut Document) {
        match self {
            Chain::Article => article(document),
            Chain::ArticleSentences => {
                article(document);
                clauses::split(document);
                clauses::min_words(document);
            }
            Chain::Canola => rules::canola(document),
            Chain::Default => {
                fusion::equal_density(document);
                fusion::near(document);
                rules::densities(document);
            }
            Chain::KeepEverything => selection::everything(document),
            Chain::KeepEverythingWithMinKWords(words) => {
                fusion::equal_density(document);
                selection::everything(document);
                selection::min_words(document, words);
            }
            Chain::LargestContent => {
                rules::num_words(document);
                fusion::near(document);
                selection::largest(document);
            }
            Chain::NumWordsRules => rules::num_words(document),
        }
    }
}

fn article(document: &mut Document) {
    end_of_text::mark(document);
    title::mark(document);
    rules::num_words(document);
    end_of_text::cut(document);
    fusion::near(document);
    selection::content_only(document);
    fusion::near_content(document);
    selection::largest(document);
    title::expand(document);
}
