//! What a researcher looks at.

pub mod explain;
