//! Tests of the structure of the code: which folder may know which, and names that the documents tell.

mod crate_paths;
mod documented_names;
mod imports;
mod layers;
mod words;
