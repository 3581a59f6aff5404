//! The features, a file for each family; of the ancestors each level is a family.

pub mod ancestors;
pub mod basic;
pub mod comments;
pub mod contents;
pub mod layout;
pub mod learned;
pub mod main_node;
pub mod neighbors;
pub mod page;
pub mod path;
pub mod position;
pub mod readability;
pub mod repetition;
pub mod similarity;
pub mod text_shape;
