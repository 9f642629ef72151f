//! Slow hooks: they block no other write, and run again after a concurrent change.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use resource_runtime::{Api, ApiResource, HookResult, Validator, WriteContext};
use resource_tests::{
    Service, apply, assert_error, assert_no_content, every_database, responses_differ,
};
use serde_json::json;

#[derive(Debug, ApiResource)]
#[resource(name = "Account", url = "/accounts", version = "1.0")]
struct Account {
    id: i64,
    balance: i64,
    #[resource(default = 0)]
    deposits: i64,
}

/// A gate that stops the first call of a hook on demand.
#[derive(Debug, Clone, Default)]
struct Gate {
    calls: Arc<AtomicUsize>,
    state: Arc<(Mutex<State>, Condvar)>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum State {
    #[default]
    Open,
    Closed,
    Waiting,
}

impl Gate {
    async fn pass(&self) {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let gate = self.clone();
        let wait = move || {
            let (state, changed) = &*gate.state;
            let mut state = state.lock().unwrap();
            if *state == State::Closed {
                *state = State::Waiting;
                changed.notify_all();
            }
            while *state == State::Waiting {
                state = changed.wait(state).unwrap();
            }
        };
        tokio::task::spawn_blocking(wait).await.unwrap();
    }

    fn set(&self, new: State) {
        let (state, changed) = &*self.state;
        *state.lock().unwrap() = new;
        changed.notify_all();
    }

    fn wait_for_a_call(&self) {
        let (state, changed) = &*self.state;
        let state = state.lock().unwrap();
        drop(changed.wait_while(state, |state| *state != State::Waiting));
    }
}

impl Validator<Account> for Gate {
    async fn before_update(
        &self,
        account: &mut Account,
        _: &mut WriteContext<'_, Account>,
    ) -> HookResult {
        self.pass().await;
        account.deposits += 1;
        Ok(())
    }

    async fn before_delete(&self, _: &Account, _: &mut WriteContext<'_, Account>) -> HookResult {
        self.pass().await;
        Ok(())
    }
}

const ACCOUNTS: &str = "/api/1.0/accounts";

fn accounts() -> (Service, Gate) {
    let gate = Gate::default();
    let validator = gate.clone();
    let service = Service::start(|database| {
        Api::builder()
            .resource_with::<Account>(validator)
            .build(database)
    });
    service.create(ACCOUNTS, &json!({"balance": 1}));
    service.create(ACCOUNTS, &json!({"balance": 2}));
    (service, gate)
}

#[apply(every_database)]
fn slow_hook_does_not_block_other_writes() {
    let (service, gate) = accounts();
    gate.set(State::Closed);
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| service.put("/api/1.0/accounts/1", &json!({"balance": 10})));
        gate.wait_for_a_call();
        service.create(ACCOUNTS, &json!({"balance": 3}));
        gate.set(State::Open);
        assert_no_content(&slow.join().unwrap());
    });
    assert_eq!(gate.calls.load(Ordering::SeqCst), 1);
    assert_eq!(service.read("/api/1.0/accounts/1")["balance"], 10);
}

#[apply(every_database)]
fn hook_runs_again_after_a_concurrent_change() {
    let (service, gate) = accounts();
    gate.set(State::Closed);
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| service.put("/api/1.0/accounts/1", &json!({"balance": 10})));
        gate.wait_for_a_call();
        let mut other = service.database().other_program();
        other.execute("UPDATE accounts SET deposits = 7 WHERE id = 1");
        gate.set(State::Open);
        assert_no_content(&slow.join().unwrap());
    });
    assert_eq!(gate.calls.load(Ordering::SeqCst), 2);
    assert_eq!(
        service.read("/api/1.0/accounts/1"),
        json!({"id": 1, "balance": 10, "deposits": 8})
    );
}

#[apply(every_database)]
fn item_deleted_during_a_hook_is_404() {
    let (service, gate) = accounts();
    for method in ["PUT", "DELETE"] {
        let path = service.create(ACCOUNTS, &json!({"balance": 3}));
        gate.set(State::Closed);
        std::thread::scope(|scope| {
            let slow = scope.spawn(|| {
                let request = service.request(method, &path);
                request.json(r#"{"balance": 4}"#).send()
            });
            gate.wait_for_a_call();
            let mut other = service.database().other_program();
            other.execute("DELETE FROM accounts WHERE balance = 3");
            gate.set(State::Open);
            assert_error(&slow.join().unwrap(), 404, 10001);
        });
    }
}

#[apply(every_database)]
fn concurrent_updates_with_hooks_lose_no_change() {
    responses_differ("the last balance wins");
    let (service, _) = accounts();
    std::thread::scope(|scope| {
        for balance in 0..16 {
            let service = &service;
            scope.spawn(move || {
                let body = json!({"balance": balance});
                assert_no_content(&service.put("/api/1.0/accounts/2", &body));
            });
        }
    });
    assert_eq!(service.read("/api/1.0/accounts/2")["deposits"], 16);
}
