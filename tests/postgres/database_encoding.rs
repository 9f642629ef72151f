//! Databases that cannot store every text.

use resource_runtime::Database;
use resource_tests::{Cluster, TestDatabase, block_on};

#[test]
fn a_database_that_lacks_characters_is_refused_with_the_remedy() {
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
