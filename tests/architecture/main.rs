//! The structure of the code itself: which folder may know which.

mod imports;
mod names;
mod paths;
mod rooms;
