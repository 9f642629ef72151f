//! Tests of the structure of the code: which folder may know which, and names that the documents tell.

mod imports;
mod names;
mod paths;
mod rooms;
mod words;
