//! Assertions on `build`: that it succeeds, or fails with an error that names its causes.

use resource_runtime::{ApiBuilder, Database};
use resource_tests::{TestDatabase, block_on};

async fn database(file: &TestDatabase) -> Database {
    Database::connect(&file.url())
        .await
        .expect("the file opens")
}

/// The text of the error of `build`, which must contain all of `names`.
#[track_caller]
pub(crate) fn mistake(builder: ApiBuilder, names: &[&str]) -> String {
    let file = TestDatabase::default();
    let text = match builder.build(block_on(database(&file))) {
        Ok(_) => panic!("it was built"),
        Err(mistake) => mistake.to_string(),
    };
    for name in names {
        assert!(text.contains(name), "«{text}» does not name {name}");
    }
    text
}

#[track_caller]
pub(crate) fn assert_sound(builder: ApiBuilder) {
    let file = TestDatabase::default();
    block_on(async {
        let api = builder
            .build(database(&file).await)
            .expect("nothing is wrong");
        api.create_missing_tables()
            .await
            .expect("the tables can be created");
    });
}

/// Declares a resource with one attribute, which has these keys.
macro_rules! with_keys {
    ($type:ident, $kind:ty, ($($key:tt)*)) => {
        #[derive(Debug, ApiResource)]
        #[resource(name = "Thing", url = "/things", version = "1.0")]
        struct $type {
            id: i64,
            #[resource($($key)*)]
            shade: $kind,
        }
    };
}

pub(crate) use with_keys;
