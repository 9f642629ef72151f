//! A role that may read and write rows, and nothing else, serves tables of others.

use std::time::Duration;

use resource_runtime::{Api, ApiBuilder, ApiResource, ErrorKind};
use resource_tests::{Cluster, Service, TestDatabase, assert_no_content, block_on};
use serde_json::json;

use crate::checked;

const DEPLOYMENT: &str = include_str!("../../resource-runtime/docs/deployment.md");

#[derive(Debug, ApiResource)]
#[resource(name = "Ticket", url = "/tickets", version = "1.0", existing)]
struct Ticket {
    id: i64,
    #[resource(max_length = 80, index)]
    title: String,
}

fn tickets() -> ApiBuilder {
    Api::builder().resource::<Ticket>()
}

/// A schema of a role of its own, which owns what it creates and is not exempt from policies; and the role.
pub(crate) fn database_of_a_role() -> Option<(TestDatabase, String)> {
    let database = TestDatabase::postgres()?;
    let mut other = database.other_program();
    let schema = other.text("SELECT current_schema()::text");
    let role = format!("{schema}_role");
    // A role is of the whole server, and stays when the schema goes.
    other.execute(&format!(
        "CREATE ROLE {role} LOGIN; GRANT ALL ON SCHEMA {schema} TO {role}"
    ));
    let of_role = as_role(&database, &role);
    // Kept until the process ends, as the URL alone does not keep the schema.
    std::mem::forget(database);
    Some((of_role, role))
}

/// The database as a role of its server sees it.
pub(crate) fn as_role(database: &TestDatabase, role: &str) -> TestDatabase {
    let url = database.url();
    let user = url
        .split_once("://")
        .and_then(|(_, rest)| rest.split_once('@'));
    let (user, _) = user.expect("a user");
    TestDatabase::at(&url.replacen(user, role, 1))
}

#[test]
fn a_role_with_dml_alone_serves_and_sends_no_ddl() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let admin = TestDatabase::at(&cluster.url());
    let mut other = admin.other_program();
    // For each connection from now on, of this program, too.
    other.execute("ALTER DATABASE postgres SET log_statement = 'ddl'");
    let mut other = admin.other_program();
    let blocks = DEPLOYMENT.split("```sql\n").skip(1);
    let blocks = blocks.map(|it| it.split_once("```").unwrap().0);
    // Those of the role; the one behind them is about a pooler.
    blocks.take(2).for_each(|it| other.execute(it));
    // Made later, which the grants reach, too.
    other.execute(
        "CREATE TABLE tickets (id bigserial PRIMARY KEY, title varchar(80) COLLATE \"C\" NOT NULL)",
    );
    let clerk = TestDatabase::at(&cluster.url().replacen("tester", "library", 1));
    let report = checked(tickets(), &clerk).expect("nothing is fatal");
    assert_eq!(report.differences().len(), 1, "{report}");
    let service = Service::start_on(&clerk, |database| tickets().build(database));
    let path = service.create("/api/1.0/tickets", &json!({"title": "a"}));
    assert_no_content(&service.put(&path, &json!({"title": "b"})));
    assert_eq!(
        service.read("/api/1.0/tickets?filter=eq(title,\"b\")")["totalItems"],
        1
    );
    assert_no_content(&service.delete(&path));
    drop(service);
    other.execute("CREATE TABLE marker (id bigint)");
    let log = cluster.log();
    assert!(
        log.contains("CREATE TABLE marker"),
        "the log has statements"
    );
    for ddl in ["CREATE INDEX", "ALTER TABLE", "CREATE TABLE IF NOT EXISTS"] {
        assert!(!log.contains(ddl), "{ddl} in {log}");
    }
    // A table of the service itself that is missing is named, with what to do.
    let keyed = || tickets().idempotency_keys(Duration::from_hours(1));
    let created = block_on(async {
        let database = resource_runtime::Database::connect(&clerk.url()).await?;
        keyed().build(database)?.create_missing_tables().await
    });
    let error = created.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration);
    let problem = error.problems()[0].as_str();
    assert!(
        problem.contains("permission denied for schema public"),
        "{problem}"
    );
    assert!(problem.contains("that `check --sql` prints"), "{problem}");
}
