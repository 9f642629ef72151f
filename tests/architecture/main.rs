//! Tests of the structure of the code: imports between folders, names in documents, and the words of comments.

mod crate_paths;
mod documented_names;
mod imports;
mod layers;
mod words;
