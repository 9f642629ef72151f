//! Databases of a test's own: many at once, on SQLite and on PostgreSQL, and gone at the end.

use futures_util::{StreamExt as _, stream};
use resource_runtime::{Api, ApiResource, new};
use resource_testing::{TestApi, TestClock, TestDatabase};
use resource_tests::{Backend, block_on};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(
    name = "Probe",
    url = "/probes",
    version = "1.0",
    table = "probes_of_the_harness"
)]
struct Probe {
    id: i64,
    #[resource(unique)]
    name: String,
}

/// Whole tests that run at the same time.
const AT_ONCE: usize = 8;

/// A test as users write it; true if it had the database for itself.
async fn whole_test(number: usize) -> bool {
    let api = TestApi::new(Api::builder().resource::<Probe>()).await;
    let client = api.anonymous();
    let created = client.post("/probes", json!({"name": "only"})).await;
    created.assert_status(201);
    let name = format!("number {number}");
    let second = new!(Probe { name: &name });
    api.items::<Probe>().insert(second).await.unwrap();
    client
        .get("/probes/2")
        .await
        .assert_json(json!({"id": 2, "name": name}));
    client.get("/probes").await.json()["totalItems"] == 2
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn thousand_tests_have_databases_of_their_own() {
    let tests = stream::iter(0..1000).map(|number| tokio::spawn(whole_test(number)));
    let alone = tests.buffer_unordered(AT_ONCE);
    let alone = alone.filter(|alone| std::future::ready(matches!(alone, Ok(true))));
    assert_eq!(alone.count().await, 1000);
}

#[test]
fn schema_of_a_test_on_postgresql_is_gone_at_its_end() {
    Backend::Postgres.run(module_path!(), || {
        let own = resource_tests::TestDatabase::default();
        let mut other = own.other_program();
        let tables =
            "SELECT count(*)::text FROM pg_tables WHERE tablename = 'probes_of_the_harness'";
        let apis = block_on(async {
            let mut apis = Vec::new();
            for _ in 0..2 {
                let database = TestDatabase::postgres_at(&own.url()).await;
                let builder = Api::builder().resource::<Probe>();
                let api = TestApi::on(database, TestClock::new(), builder).await;
                let probe = json!({"name": "only"});
                let created = api.anonymous().post("/probes", probe).await;
                created.assert_status(201);
                apis.push(api);
            }
            apis
        });
        assert_eq!(other.text(tables), "2");
        drop(apis);
        assert_eq!(other.text(tables), "0");
    });
}

#[tokio::test]
async fn without_a_server_the_harness_names_the_variable() {
    // Where the variable is set, there is nothing to say.
    if std::env::var_os("TEST_DATABASE_URL").is_some() {
        return;
    }
    let failed = tokio::spawn(TestDatabase::postgres()).await;
    let panic = failed
        .unwrap_err()
        .into_panic()
        .downcast::<String>()
        .unwrap();
    let remedy = "set `TEST_DATABASE_URL` to the URL of a PostgreSQL server";
    assert!(panic.starts_with(remedy), "{panic}");
}
