//! Versions that keep their promises: a file for each topic.

mod deprecation;
