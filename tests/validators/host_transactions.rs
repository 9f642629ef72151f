//! Transactions of the host, outside of any request.

use resource_runtime::{
    Api, ApiResource, Database, Error, HookResult, Messages, Transaction, Validator, WriteContext,
};
use resource_tests::{Service, TestDatabase, apply, block_on, every_database};

#[derive(Debug, ApiResource)]
#[resource(name = "Member", url = "/members", version = "1.0")]
#[resource(validator = NoMembers)]
struct Member {
    id: i64,
    #[resource(unique)]
    name: String,
    #[resource(read_only)]
    rank: Option<String>,
}

#[derive(Debug, Default)]
struct NoMembers;

impl Validator<Member> for NoMembers {
    async fn validate(
        &self,
        _: &Member,
        _: &mut WriteContext<'_, Member>,
        messages: &mut Messages<Member>,
    ) -> HookResult {
        messages.add("nobody may join");
        Ok(())
    }
}

fn member(name: &str) -> Member {
    let (id, rank) = (0, Some("first".to_owned()));
    let name = name.to_owned();
    Member { id, name, rank }
}

/// The service, and its API as the host opens it.
fn start() -> (Service, Api) {
    let database = TestDatabase::default();
    let build = |database| Api::builder().resource::<Member>().build(database);
    let service = Service::start_on(&database, build);
    let own = block_on(Database::connect(&database.url())).expect("the database opens");
    (service, build(own).expect("an API"))
}

/// Stores a member without the validator, who would let nobody join.
async fn join(transaction: &mut Transaction, name: &str) -> Result<i64, Error> {
    let members = transaction.items::<Member>().without_hooks();
    Ok(members.insert(member(name)).await?.id)
}

#[apply(every_database)]
fn committed_rows_are_stored_without_validators() {
    let (service, api) = start();
    block_on(async {
        let mut transaction = api.begin().await?;
        assert_eq!(join(&mut transaction, "ann").await?, 1);
        assert_eq!(join(&mut transaction, "ben").await?, 2);
        let found: Vec<Member> = transaction
            .items()
            .filter(Member::NAME.eq("ben"))
            .limit(9)
            .all()
            .await?;
        assert_eq!(found.iter().map(|it| it.id).collect::<Vec<_>>(), [2]);
        transaction.commit(()).await
    })
    .unwrap();
    let members = service.read("/api/1.0/members");
    assert_eq!(members["totalItems"], 2);
    assert_eq!(members["items"][1]["rank"], "first");
}

#[apply(every_database)]
fn dropped_transaction_stores_nothing() {
    let (service, api) = start();
    block_on(async {
        let mut transaction = api.begin().await?;
        join(&mut transaction, "ann").await?;
        drop(transaction);
        let mut transaction = api.begin().await?;
        assert!(transaction.items::<Member>().get(1).await?.is_none());
        Ok::<(), Error>(())
    })
    .unwrap();
    assert_eq!(service.read("/api/1.0/members")["totalItems"], 0);
}

#[apply(every_database)]
fn constraint_violation_names_the_column() {
    let (_service, api) = start();
    let error = block_on(async {
        let mut transaction = api.begin().await?;
        join(&mut transaction, "ann").await?;
        join(&mut transaction, "ann").await?;
        transaction.commit(()).await
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("`name` is already taken"), "{error}");
}
