//! An import in batches, each a transaction of its own, does not starve writes of clients.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use resource_runtime::{Api, ApiResource, HookResult, Validator, WriteContext};
use resource_tests::polling::{SetOnDrop, wait_for};
use resource_tests::{
    Service, TestDatabase, apply, assert_created, block_on, every_database, responses_differ,
};
use serde_json::json;

/// Rows of a batch: enough for the import to hold the write lock nearly all the time.
const BATCH: i64 = 50;

#[derive(Debug, ApiResource)]
#[resource(name = "Ware", url = "/wares", version = "1.0")]
struct Ware {
    id: i64,
    number: i64,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Order", url = "/orders", version = "1.0", validator = Looking)]
struct Order {
    id: i64,
    number: i64,
}

/// A validator that makes the write a transaction, which waits for the write lock.
#[derive(Debug, Default)]
struct Looking;

impl Validator<Order> for Looking {
    async fn before_create(
        &self,
        _: &mut Order,
        context: &mut WriteContext<'_, Order>,
    ) -> HookResult {
        context.database().await?;
        Ok(())
    }
}

async fn import_batch(api: &Api) {
    let mut transaction = api.begin().await.unwrap();
    for number in 0..BATCH {
        let ware = Ware { id: 0, number };
        transaction.items().insert(ware).await.unwrap();
    }
    transaction.commit(()).await.unwrap();
}

#[apply(every_database)]
fn import_in_batches_does_not_starve_writes() {
    responses_differ("the number of rows imported before depends on the database");
    let built = Mutex::new(None);
    let service = Service::start_on(&TestDatabase::default(), |opened| {
        let api = Api::builder().resource::<Ware>().resource::<Order>();
        let api = api.build(opened)?;
        *built.lock().unwrap() = Some(api.clone());
        Ok(api)
    });
    let api = built.into_inner().unwrap().unwrap();
    let (batches, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            block_on(async {
                while !is_over.load(Ordering::Relaxed) {
                    import_batch(&api).await;
                    batches.fetch_add(1, Ordering::Relaxed);
                }
            });
        });
        let _ends = SetOnDrop(&is_over);
        for _ in 0..10 {
            for path in ["/api/1.0/wares", "/api/1.0/orders"] {
                let before = batches.load(Ordering::Relaxed);
                wait_for("a batch", || {
                    (batches.load(Ordering::Relaxed) > before).then_some(())
                });
                assert_created(&service.post(path, &json!({"number": -1})));
            }
        }
    });
    drop(api);
}
