//! Labelled pages: originals of a corpus, parsed, with their gold on them.

mod corpus;
mod gold_text;
mod layouts;
mod page;

pub(crate) use corpus::usable_pages;
pub use corpus::{LabelledCorpus, LeftOut};
pub use gold_text::GoldText;
pub use layouts::LayoutRecord;
pub use page::{LabelledPage, PageGold};
