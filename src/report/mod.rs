//! What a researcher looks at: tables, figures and one-file HTML reports. Everything here is deterministic.

pub mod boxes;
pub mod canvas;
pub mod diagnosis;
pub mod experiment;
pub mod explain;
pub mod figure;
pub mod figures;
pub mod html;
pub mod style;
pub mod table;

pub use figure::Figure;
pub use html::{Report, Section};
pub use table::{Cell, Table};
