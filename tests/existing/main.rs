//! Databases that people already have, served as they are.

mod composite;
