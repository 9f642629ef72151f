//! Totals of a table that everybody changes: clients, typed access, hooks, transactions and another program.

use std::cell::RefCell;
use std::ops::Range;

use proptest::prelude::RngExt as _;
use proptest::test_runner::{RngAlgorithm, TestRng};
use resource_runtime::{Api, ApiResource, Error, HookError, HookResult, Validator, WriteContext};
use resource_tests::{
    Backend, OtherProgram, Service, TestDatabase, apply, block_on, every_database, responses_differ,
};
use serde_json::json;

/// Items at the start: so many that SQLite's totals are followed instead of counted.
const ITEMS: u32 = 1_200;

const STEPS: usize = 120;

#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Item", url = "/items", version = "1.0")]
struct Item {
    id: i64,
    #[resource(unique)]
    name: String,
    #[resource(references = Item)]
    of: Option<i64>,
}

/// A list of items; its hook stores one of them.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Listing", url = "/listings", version = "1.0", validator = Listings)]
struct Listing {
    id: i64,
    name: String,
}

#[derive(Debug, Default)]
struct Listings;

impl Validator<Listing> for Listings {
    async fn row_created(
        &self,
        listing: &mut Listing,
        context: &mut WriteContext<'_, Listing>,
    ) -> HookResult {
        context.items::<Item>().insert(item(&listing.name)).await?;
        if listing.name.ends_with('7') {
            return Err(HookError::refused("not this one"));
        }
        Ok(())
    }
}

fn item(name: &str) -> Item {
    Item {
        id: 0,
        name: name.to_owned(),
        of: None,
    }
}

/// Everybody who changes the table.
struct Shop {
    service: Service,
    api: Api,
    other: OtherProgram,
    random: TestRng,
    step: usize,
}

impl Shop {
    fn open(seed: u8) -> Self {
        let database = TestDatabase::default();
        let api = RefCell::new(None);
        let service = Service::start_on(&database, |database| {
            let builder = Api::builder().resource::<Item>().resource::<Listing>();
            let built = builder.build(database)?;
            api.replace(Some(built.clone()));
            Ok(built)
        });
        let mut other = database.other_program();
        other.execute(&format!(
            "INSERT INTO items (name) WITH RECURSIVE numbers (number) AS (
             SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < {ITEMS})
             SELECT 'item ' || number FROM numbers"
        ));
        Self {
            service,
            api: api.take().expect("it was built"),
            other,
            random: TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]),
            step: 0,
        }
    }

    /// A name that nothing has yet.
    fn new_name(&mut self) -> String {
        self.step += 1;
        format!("new {}", self.step)
    }

    /// An id, which may be none of an item.
    fn id(&mut self) -> u32 {
        self.random.random_range(1..ITEMS * 2)
    }

    fn insert(&self, names: &[&str]) -> Result<Vec<i64>, Error> {
        let items = names.iter().copied().map(item);
        block_on(self.api.items().without_hooks().insert_all(items))
    }

    fn delete(&self, ids: Range<u32>) {
        let (from, until) = (i64::from(ids.start), i64::from(ids.end));
        let items = self.api.items::<Item>().without_hooks();
        let found = items.filter(Item::ID.ge(from).and(Item::ID.lt(until)));
        block_on(found.delete_all()).expect("items are deleted");
    }

    /// A change by this process.
    fn change(&mut self, kind: u32) {
        let (name, id) = (self.new_name(), self.id());
        match kind {
            0 | 1 => drop(self.service.post("/api/1.0/items", &json!({"name": name}))),
            2 => {
                // Refused, since the first one has this name.
                let names = json!({"name": "item 1"});
                drop(self.service.post("/api/1.0/items", &names));
            }
            3 => drop(
                self.service
                    .put(&format!("/api/1.0/items/{id}"), &json!({"name": name})),
            ),
            4 | 5 => drop(
                self.service
                    .delete(&format!("/api/1.0/items/{}", id.max(2))),
            ),
            6 => drop(self.insert(&[&name, &format!("{name} too")])),
            7 => assert!(
                self.insert(&[&name, &format!("{name} too"), "item 1"])
                    .is_err()
            ),
            8 => self.delete(id.max(2)..id.max(2) + 4),
            // Refused by the hook where the name ends so.
            9 => drop(
                self.service
                    .post("/api/1.0/listings", &json!({"name": name})),
            ),
            _ => self.transaction(&name, id, kind == 10),
        }
    }

    fn transaction(&self, name: &str, id: u32, is_committed: bool) {
        block_on(async {
            let mut transaction = self.api.begin().await?;
            transaction.items().insert(item(name)).await?;
            let found = transaction.items::<Item>().without_hooks();
            found
                .filter(Item::ID.eq(i64::from(id.max(2))))
                .delete_all()
                .await?;
            if is_committed {
                transaction.commit(()).await?;
            }
            Ok::<_, Error>(())
        })
        .expect("a transaction");
    }

    /// A change by another program.
    fn interfere(&mut self, kind: u32) {
        let (name, id) = (self.new_name(), self.id());
        let insertion = format!("INSERT INTO items (name) VALUES ('{name}')");
        self.other.execute(&match kind {
            0 => insertion,
            1 => format!("DELETE FROM items WHERE id = {id} AND id > 1"),
            2 => format!("BEGIN; {insertion}; ROLLBACK"),
            3 => {
                format!("BEGIN; {insertion}; DELETE FROM items WHERE id = {id} AND id > 1; COMMIT")
            }
            4 => format!("UPDATE items SET name = '{name}' WHERE id = {id} AND id > 1"),
            5 => format!("CREATE TABLE \"{name}\" (value integer)"),
            6 if Backend::under_test() == Backend::Sqlite => format!(
                "CREATE TRIGGER \"{name}\" AFTER INSERT ON items WHEN new.name LIKE '%3'
                 BEGIN DELETE FROM items WHERE id = new.id; END"
            ),
            _ => format!("CREATE INDEX \"{name}\" ON items (name)"),
        });
    }

    fn assert_total(&mut self) {
        let counted = self.other.text("SELECT CAST(COUNT(*) AS text) FROM items");
        for page in ["limit=1", "limit=0", "limit=5&offset=7", "limit=1"] {
            let list = self.service.read(&format!("/api/1.0/items?{page}"));
            assert_eq!(
                list["totalItems"].to_string(),
                counted,
                "step {}, {page}",
                self.step
            );
        }
    }
}

#[apply(every_database)]
fn totals_are_those_of_a_count_whoever_writes() {
    responses_differ("the databases assign other keys after a refused write");
    for (seed, foreign) in [(1, 0), (2, 2), (3, 10), (4, 40)] {
        let mut shop = Shop::open(seed);
        for _ in 0..STEPS {
            if shop.random.random_range(0..100) < foreign {
                let kind = shop.random.random_range(0..8);
                shop.interfere(kind);
            } else {
                let kind = shop.random.random_range(0..12);
                shop.change(kind);
            }
            if shop.random.random_range(0..3) > 0 {
                shop.assert_total();
            }
        }
        shop.assert_total();
    }
}
