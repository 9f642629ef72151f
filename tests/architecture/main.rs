//! The structure of the code itself: which folder may know which.

mod imports;
mod paths;
mod rooms;
