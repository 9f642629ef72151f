//! Validation of updates: the validator sees the merged item, and the changed attributes.

use std::sync::{Arc, Mutex};

use resource_runtime::{Api, ApiResource, HookResult, Messages, Validator, Value, WriteContext};
use resource_tests::{Service, apply, assert_error, assert_no_content, every_database};
use serde_json::json;

#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Account", url = "/accounts", version = "1.0")]
struct Account {
    id: i64,
    owner: String,
    balance: i64,
    limit: i64,
    #[resource(default = 1, default_on_update = 7)]
    revision: i32,
    remark: Option<String>,
}

/// The arguments of a call: the item, its id, and the attributes that change.
type Seen = (Account, Option<Value>, Vec<&'static str>);

#[derive(Debug, Clone, Default)]
struct Spy(Arc<Mutex<Vec<Seen>>>);

impl Validator<Account> for Spy {
    async fn validate(
        &self,
        account: &Account,
        context: &mut WriteContext<'_, Account>,
        messages: &mut Messages<Account>,
    ) -> HookResult {
        let changed = [
            ("id", context.changes(Account::ID)),
            ("owner", context.changes(Account::OWNER)),
            ("balance", context.changes(Account::BALANCE)),
            ("limit", context.changes(Account::LIMIT)),
            ("revision", context.changes(Account::REVISION)),
            ("remark", context.changes(Account::REMARK)),
        ];
        let changed = changed.into_iter().filter(|(_, is_set)| *is_set);
        let changed = changed.map(|(name, _)| name);
        let seen = (account.clone(), context.id().cloned(), changed.collect());
        self.0.lock().unwrap().push(seen);
        if account.balance < -account.limit {
            messages.about(Account::BALANCE, "is beyond the limit");
        }
        Ok(())
    }
}

const ACCOUNTS: &str = "/api/1.0/accounts";

fn accounts() -> (Service, Spy) {
    let spy = Spy::default();
    let validator = spy.clone();
    let service = Service::start(|database| {
        Api::builder()
            .resource_with::<Account>(validator)
            .build(database)
    });
    (service, spy)
}

fn last(spy: &Spy) -> Seen {
    spy.0.lock().unwrap().last().cloned().expect("a call")
}

#[apply(every_database)]
fn create_has_no_id_and_changes_all_set_attributes() {
    let (service, spy) = accounts();
    service.create(ACCOUNTS, &json!({"owner": "Ann", "balance": 5, "limit": 0}));
    let (account, id, changed) = last(&spy);
    assert_eq!(
        account,
        Account {
            id: 0,
            owner: String::from("Ann"),
            balance: 5,
            limit: 0,
            revision: 1,
            remark: None,
        }
    );
    assert_eq!(id, None);
    assert_eq!(changed, ["owner", "balance", "limit", "revision"]);
}

#[apply(every_database)]
fn update_is_validated_with_the_stored_attributes() {
    let (service, spy) = accounts();
    let path = service.create(
        ACCOUNTS,
        &json!({"owner": "Ann", "balance": 5, "limit": 10}),
    );
    assert_no_content(&service.put(&path, &json!({"balance": -10})));
    let (account, id, changed) = last(&spy);
    assert_eq!(
        (account.owner.as_str(), account.balance, account.limit),
        ("Ann", -10, 10)
    );
    assert_eq!((account.id, id), (1, Some(Value::Integer(1))));
    assert_eq!(changed, ["balance", "revision"]);
    assert_error(&service.put(&path, &json!({"balance": -11})), 400, 10010)
        .naming(&["`balance` is beyond the limit"]);
    assert_error(&service.put(&path, &json!({"limit": 9})), 400, 10010).naming(&["`balance`"]);
    let account = service.read(&path);
    assert_eq!(
        (&account["balance"], &account["limit"]),
        (&json!(-10), &json!(10))
    );
}

#[apply(every_database)]
fn update_may_leave_out_required_attributes() {
    let (service, _) = accounts();
    let path = service.create(
        ACCOUNTS,
        &json!({"owner": "Ann", "balance": 5, "limit": 10}),
    );
    assert_no_content(&service.put(&path, &json!({"remark": "new"})));
    assert_no_content(&service.put(&path, &json!({"remark": null})));
    assert_error(&service.put(&path, &json!({"owner": null})), 400, 10010).naming(&["`owner`"]);
}

#[apply(every_database)]
fn default_on_update_is_set_by_changes_that_leave_it_out() {
    let (service, _) = accounts();
    let path = service.create(ACCOUNTS, &json!({"owner": "Ann", "balance": 5, "limit": 0}));
    let revision = || service.read(&path)["revision"].clone();
    assert_eq!(revision(), 1);
    assert_no_content(&service.put(&path, &json!({})));
    assert_eq!(revision(), 1);
    assert_no_content(&service.put(&path, &json!({"revision": 3})));
    assert_eq!(revision(), 3);
    assert_no_content(&service.put(&path, &json!({"balance": 6})));
    assert_eq!(revision(), 7);
}
