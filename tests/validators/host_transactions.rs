//! Transactions of the host, outside of any request.

use resource_runtime::{
    Api, ApiResource, Error, HookResult, Messages, Transaction, Validator, WriteContext, new,
};
use resource_tests::{InProcessApi, apply, block_on, every_database};

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

fn start() -> InProcessApi {
    InProcessApi::new(Api::builder().resource::<Member>())
}

/// Stores a member without the validator, who would let nobody join.
async fn join(transaction: &mut Transaction, name: &str) -> Result<i64, Error> {
    let members = transaction.items::<Member>().without_hooks();
    let member = new!(Member { name }).set(Member::RANK, "first");
    Ok(members.insert(member).await?.id)
}

#[apply(every_database)]
fn committed_rows_are_stored_without_validators() {
    let api = start();
    block_on(async {
        let mut transaction = api.begin().await?;
        assert_eq!(join(&mut transaction, "ann").await?, 1);
        assert_eq!(join(&mut transaction, "ben").await?, 2);
        let found = transaction.items().filter(Member::NAME.eq("ben")).limit(9);
        assert_eq!(found.select(Member::ID).all().await?, [2]);
        transaction.commit(()).await
    })
    .unwrap();
    let members = api.anonymous().read("/api/1.0/members");
    assert_eq!(members["totalItems"], 2);
    assert_eq!(members["items"][1]["rank"], "first");
}

#[apply(every_database)]
fn dropped_transaction_stores_nothing() {
    let api = start();
    block_on(async {
        let mut transaction = api.begin().await?;
        join(&mut transaction, "ann").await?;
        drop(transaction);
        let mut transaction = api.begin().await?;
        assert!(transaction.items::<Member>().get(1).await?.is_none());
        Ok::<(), Error>(())
    })
    .unwrap();
    assert_eq!(api.anonymous().read("/api/1.0/members")["totalItems"], 0);
}

#[apply(every_database)]
fn constraint_violation_names_the_column() {
    let api = start();
    let error = block_on(async {
        let mut transaction = api.begin().await?;
        join(&mut transaction, "ann").await?;
        join(&mut transaction, "ann").await?;
        transaction.commit(()).await
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("`name` is already taken"), "{error}");
}
