//! Labels by hand: a page as a sheet that is read, the answer to it, and the folder of labels, which is a corpus.

mod agreement;
mod answer;
mod label_folder;
mod sheet;
mod sheet_folder;

pub use agreement::Agreement;
pub use answer::{Answer, Fault};
pub use label_folder::{LabelFolder, PageToLabel, page_name};
pub use sheet::Sheet;
pub use sheet_folder::{Readings, SheetFolder};
