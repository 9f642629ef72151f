//! An endpoint of the service's own that changes several items in one transaction.
//!
//! Money goes from one account to another: two updates that must both happen or neither, and an account must not be
//! overdrawn however many transfers run at once. Clients cannot write the balance; the endpoint does.

use axum::Router;
use axum::routing::post;
use resource_runtime::handlers::{Access, Body, Partial, Reply};
use resource_runtime::{Api, ApiBuilder, ApiResource, CustomError, Error, Transaction};

/// An account.
#[derive(Debug, ApiResource)]
#[resource(name = "Account", url = "/accounts", version = "1.0")]
pub struct Account {
    /// The key, which the database assigns.
    pub id: i64,
    /// The name of its holder.
    #[resource(max_length = 80)]
    pub holder: String,
    /// The balance in cents.
    #[resource(read_only, default = 0, min = 0)]
    pub balance: i64,
}

/// The body of a transfer.
#[derive(Debug, serde::Deserialize)]
pub struct Transfer {
    from: i64,
    to: i64,
    cents: i64,
}

/// The refusal of a transfer that names the same account twice, one that is not there, or no amount.
pub const INVALID: CustomError = CustomError::new(20000, 400, "Invalid transfer");
/// The refusal of a transfer of more than the account has.
pub const OVERDRAWN: CustomError = CustomError::new(20001, 409, "Not enough money");

/// The API with the endpoint `POST /transfers`.
pub fn api() -> ApiBuilder {
    let routes = Router::new().route("/transfers", post(transfer));
    let builder = Api::builder().resource::<Account>().routes(routes);
    builder.errors(&[INVALID, OVERDRAWN])
}

/// Moves money, and answers the account that it came from.
async fn transfer(
    access: Access,
    Body(Transfer { from, to, cents }): Body<Transfer>,
) -> Result<Reply<Partial<Account>>, Error> {
    if from == to || cents <= 0 {
        return Err(INVALID.because("it names two accounts and an amount above 0"));
    }
    // The system writes, so this route asks for the right itself; without authorization everybody has it.
    access.require_scope("accounts.transfer")?;
    // A caller who may not see the account is refused before the transfer.
    access.items::<Account>().require(from).await?;
    // Called once more where another transaction was in the way.
    let move_money = |mut transaction: Transaction| async move {
        // Locked in the order of their keys, so that two transfers never wait for each other.
        let (first, second) = (from.min(to), from.max(to));
        let first = transaction.items::<Account>().get_for_update(first);
        let first = first.await?;
        let second = transaction.items::<Account>().get_for_update(second);
        let second = second.await?;
        let (Some(first), Some(second)) = (first, second) else {
            return Err(INVALID.because("there is no such account"));
        };
        let (source, target) = if from < to {
            (first, second)
        } else {
            (second, first)
        };
        if source.balance < cents {
            return Err(OVERDRAWN.because(format!("account {from} has {} cents", source.balance)));
        }
        let accounts = transaction.items::<Account>();
        accounts
            .update(from)
            .set(Account::BALANCE, source.balance - cents)
            .await?;
        let accounts = transaction.items::<Account>();
        accounts
            .update(to)
            .set(Account::BALANCE, target.balance + cents)
            .await?;
        transaction.commit(()).await
    };
    access.api().transaction(move_money).await?;
    Ok(Reply::ok(access.items::<Account>().require(from).await?))
}

#[cfg(test)]
mod tests {
    use resource_runtime::new;
    use resource_testing::TestApi;
    use serde_json::json;

    use super::*;

    async fn with_accounts() -> TestApi {
        let api = TestApi::new(api()).await;
        for (holder, balance) in [("ann", 100), ("ben", 0)] {
            let account = new!(Account { holder, balance });
            api.items::<Account>().insert(account).await.unwrap();
        }
        api
    }

    async fn balances(api: &TestApi) -> Vec<i64> {
        let accounts = api.items::<Account>().limit(10).all().await.unwrap();
        accounts.iter().map(|it| it.balance).collect()
    }

    #[tokio::test]
    async fn money_is_neither_lost_nor_made() {
        let api = with_accounts().await;
        let client = api.anonymous().absolute();
        let some = client
            .post("/transfers", json!({"from": 1, "to": 2, "cents": 30}))
            .await;
        let ann = json!({"id": 1, "holder": "ann", "balance": 70});
        some.assert_status(200).assert_json(ann);
        let back = client
            .post("/transfers", json!({"from": 2, "to": 1, "cents": 10}))
            .await;
        back.assert_status(200);
        assert_eq!(balances(&api).await, [80, 20]);
        for (body, status, code) in [
            (json!({"from": 1, "to": 2, "cents": 81}), 409, 20001),
            (json!({"from": 1, "to": 3, "cents": 1}), 400, 20000),
            (json!({"from": 1, "to": 1, "cents": 1}), 400, 20000),
            (json!({"from": 1, "to": 2, "cents": -1}), 400, 20000),
        ] {
            client
                .post("/transfers", body)
                .await
                .assert_error(status, code);
        }
        assert_eq!(balances(&api).await, [80, 20]);
    }

    #[tokio::test]
    async fn of_transfers_at_once_only_those_succeed_that_the_account_can_pay() {
        let api = with_accounts().await;
        let client = api.anonymous().absolute();
        let body = json!({"from": 1, "to": 2, "cents": 40});
        let send = || client.post("/transfers", body.clone());
        let answers = tokio::join!(send(), send(), send(), send());
        let statuses = [answers.0, answers.1, answers.2, answers.3].map(|it| it.status().as_u16());
        assert_eq!(
            statuses.iter().filter(|it| **it == 200).count(),
            2,
            "{statuses:?}"
        );
        assert_eq!(balances(&api).await, [20, 80]);
    }
}
