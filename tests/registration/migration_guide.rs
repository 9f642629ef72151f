//! Tables of a migration from `schema_sql`, executed as in the guide.

use resource_runtime::{Api, ApiResource, Database, Dialect, sqlx};
use resource_tests::{TestDatabase, block_on};
use rust_decimal::Decimal;
use sqlx::Connection as _;

#[derive(Debug, ApiResource)]
#[resource(name = "Ware", url = "/wares", version = "1.0")]
#[resource(index(name, weight))]
struct Ware {
    id: i64,
    name: String,
    #[resource(unique, min = 0)]
    price: Decimal,
    #[resource(max = 31.5)]
    weight: Option<Decimal>,
}

#[test]
fn tables_of_schema_sql_pass_check_schema() {
    let file = TestDatabase::default();
    let url = format!("{}?mode=rwc", file.url());
    let sql = Api::builder()
        .resource::<Ware>()
        .schema_sql(Dialect::Sqlite);
    let sql = sql.expect("a sound model");
    block_on(async {
        let options = Database::sqlite_options(&url).expect("a sound URL");
        let connection = sqlx::SqliteConnection::connect_with(&options).await;
        let mut connection = connection.expect("a connection");
        let migration = sqlx::AssertSqlSafe(sql);
        sqlx::raw_sql(migration)
            .execute(&mut connection)
            .await
            .expect("sound SQL");
        connection.close().await.expect("a closed connection");
        let database = Database::connect(&file.url()).await.expect("a database");
        let api = Api::builder()
            .resource::<Ware>()
            .build(database)
            .expect("a sound API");
        let report = api.check_schema().await.expect("no fatal difference");
        assert!(report.is_empty(), "{report}");
    });
}
