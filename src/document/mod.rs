//! What is done with pages as a person gives them, under every face of the program: the command line and Python.

pub mod sample;
