//! Databases whose encoding cannot store every text.

use resource_runtime::Database;
use resource_tests::{Cluster, TestDatabase, block_on};

#[test]
fn database_of_another_encoding_than_utf8_is_refused() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let mut server = TestDatabase::at(&cluster.url()).other_program();
    server.execute(
        "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'",
    );
    let url = cluster.url().replace("/postgres", "/latin");
    let error = block_on(Database::connect(&url)).expect_err("not all characters");
    let text = error.to_string();
    assert!(text.contains("`LATIN1`"), "{text}");
    assert!(text.contains("ENCODING 'UTF8'"), "{text}");
}
