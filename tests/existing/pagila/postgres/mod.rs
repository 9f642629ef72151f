//! Models of the tables of the database, a module for each version of the API.

pub mod v1_0;
