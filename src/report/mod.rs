//! What a researcher looks at: tables, figures and one-file HTML reports. Everything here is deterministic.

mod bitmap;
pub mod boxes;
#[cfg(feature = "experiments")]
pub mod canvas;
#[cfg(feature = "experiments")]
pub mod diagnosis;
#[cfg(feature = "experiments")]
pub mod experiment;
#[cfg(feature = "explain")]
pub mod explain;
#[cfg(feature = "experiments")]
pub mod figure;
#[cfg(feature = "experiments")]
pub mod figures;
#[cfg(feature = "experiments")]
pub mod html;
#[cfg(feature = "experiments")]
pub mod style;
pub mod table;

#[cfg(feature = "experiments")]
pub use figure::Figure;
#[cfg(feature = "experiments")]
pub use html::{Report, Section};
pub use table::{Best, Cell, Mark, Table};
