//! Labels by hand: in a session, page by page with what the model says of the rest; or on sheets that are read and answered. Either way a
//! folder of labels comes of it, which is a corpus.

mod agreement;
mod answer;
mod label_folder;
mod order;
mod session;
mod session_view;
mod sheet;
mod sheet_folder;
mod shown_page;
mod work;

pub use agreement::Agreement;
pub use answer::{Answer, Fault, code_of_label, label_of_code, range, runs};
pub use label_folder::{LabelFolder, PageToLabel, page_name};
pub use order::{Order, PageSummary, PlacedBlock, expected_f1};
pub use session::Session;
pub use session_view::{GivenLabel, Labelled, Listed, Opened, Overview, Preview, SameSite};
pub use sheet::Sheet;
pub use sheet_folder::{Readings, SheetFolder};
pub use shown_page::shown_html;
pub use work::{Mark, Status, Work};
