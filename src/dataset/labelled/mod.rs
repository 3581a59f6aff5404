//! Labelled pages: originals of a corpus, parsed, with their gold on them.

mod corpus;
mod gold_text;
mod layouts;
mod page;

pub use corpus::LabelledCorpus;
pub use gold_text::GoldText;
pub use layouts::LayoutRecord;
pub use page::{LabelledPage, PageGold};
