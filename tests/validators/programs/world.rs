//! The service whose hooks run the programs, its tables with triggers, and what is stored in them.

use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, Mutex, PoisonError};

use resource_runtime::{
    Api, ApiResource, Database, Durability, HookError, HookResult, Validator, WriteContext,
};
use resource_tests::{Backend, Client, Service, TestDatabase, block_on};
use serde_json::json;

use super::execution::{Done, execute_steps};
use super::model::Expected;
use super::{Fate, Place, Program};

#[derive(Debug, ApiResource)]
#[resource(name = "Event", url = "/events", version = "1.0")]
pub(super) struct Event {
    pub(super) id: i64,
    #[resource(unique)]
    pub(super) name: String,
    pub(super) parent_id: Option<i64>,
}

/// An item whose creation runs a program.
#[derive(Debug, ApiResource)]
#[resource(name = "Order", url = "/orders", version = "1.0", validator = Programs)]
struct Order {
    id: i64,
    #[resource(unique)]
    name: String,
    parent_id: Option<i64>,
    program: String,
}

/// An item without hooks.
#[derive(Debug, ApiResource)]
#[resource(name = "Plain", url = "/plains", version = "1.0")]
struct Plain {
    id: i64,
    #[resource(unique)]
    name: String,
    parent_id: Option<i64>,
}

/// The programs whose hooks may run, and how the steps of each of their attempts ended.
type Running = HashMap<String, (Program, Vec<Vec<Done>>)>;

static RUNNING: LazyLock<Mutex<Running>> = LazyLock::new(Mutex::default);

fn note(key: &str, noted: impl FnOnce(&mut Vec<Vec<Done>>)) {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    noted(&mut running.get_mut(key).expect("a program").1);
}

#[derive(Debug, Default)]
struct Programs;

impl Validator<Order> for Programs {
    async fn before_create(
        &self,
        order: &mut Order,
        context: &mut WriteContext<'_, Order>,
    ) -> HookResult {
        let key = order.program.clone();
        note(&key, |attempts| attempts.push(Vec::new()));
        let program = RUNNING.lock().unwrap()[&key].0.clone();
        let transaction = context.database().await?;
        run(transaction, &program, &key).await?;
        if program.refuses {
            return Err(HookError::refused("the program refuses"));
        }
        Ok(())
    }
}

async fn run(
    transaction: &mut resource_runtime::Transaction,
    program: &Program,
    key: &str,
) -> HookResult {
    let note = |done| note(key, |attempts| attempts.last_mut().unwrap().push(done));
    execute_steps(transaction, program, note).await
}

/// A database with the tables of the programs, and a service on it.
pub(super) struct World {
    pub(super) service: Service,
    api: Api,
    backend: Backend,
}

impl World {
    pub(super) fn new() -> Self {
        let tables = TestDatabase::default();
        create_tables(&tables);
        Self::on(&tables)
    }

    pub(super) fn on(tables: &TestDatabase) -> Self {
        let options = Database::options().durability(Durability::ProcessCrash);
        let database = block_on(options.connect(&tables.url())).unwrap();
        let api = Api::builder().resource::<Order>().resource::<Plain>();
        let api = api.table::<Event>();
        let api = api.build(database).unwrap();
        Self {
            service: Service::serve(tables, api.router()),
            api,
            backend: if tables.url().starts_with("sqlite:") {
                Backend::Sqlite
            } else {
                Backend::Postgres
            },
        }
    }

    /// Runs a program, and returns what must be stored after it.
    pub(super) fn run(&self, program: &Program) -> Expected {
        let backend = self.backend;
        let key = format!("{backend:?} {}", program.name);
        let entry = (program.clone(), Vec::new());
        RUNNING.lock().unwrap().insert(key.clone(), entry);
        let is_acknowledged = match program.place {
            Place::Hook => self.post("/api/1.0/orders", program, &key),
            Place::Plain => self.post("/api/1.0/plains", program, &key),
            Place::Begin { commits } => block_on(self.begin(program, &key, commits)),
        };
        let (_, attempts) = RUNNING.lock().unwrap().remove(&key).unwrap();
        Expected::new(backend, program, &attempts, is_acknowledged)
    }

    fn post(&self, path: &str, program: &Program, key: &str) -> bool {
        let mut item = json!({"name": program.own_row()});
        if program.own == Fate::Dangling {
            item["parent_id"] = json!(-1);
        }
        if program.place == Place::Hook {
            item["program"] = json!(key);
        }
        let client: &Client = &self.service;
        let request = client.request("POST", path).json(item.to_string());
        request
            .try_send()
            .is_some_and(|answer| answer.status == 201)
    }

    async fn begin(&self, program: &Program, key: &str, commits: bool) -> bool {
        note(key, |attempts| attempts.push(Vec::new()));
        let Ok(mut transaction) = self.api.begin().await else {
            return false;
        };
        let ran = run(&mut transaction, program, key).await;
        ran.is_ok() && commits && transaction.commit(()).await.is_ok()
    }

    /// The rows that each program has stored.
    pub(super) fn stored(&self) -> HashMap<String, HashSet<String>> {
        let names = match self.backend {
            Backend::Sqlite => "json_group_array(name)",
            Backend::Postgres => "CAST(COALESCE(json_agg(name), '[]') AS text)",
        };
        let mut other = self.service.database().other_program();
        let mut stored: HashMap<String, HashSet<String>> = HashMap::new();
        for table in ["events", "orders", "plains"] {
            let names = other.text(&format!("SELECT {names} FROM {table}"));
            let names: Vec<String> = serde_json::from_str(&names).unwrap();
            for name in names.into_iter().filter(|name| name != "taken") {
                let program = name.split(' ').nth(1).unwrap().to_owned();
                stored.entry(program).or_default().insert(name);
            }
        }
        stored
    }
}

pub(super) fn create_tables(tables: &TestDatabase) {
    let mut other = tables.other_program();
    let is_sqlite = Backend::under_test() == Backend::Sqlite;
    let key = if is_sqlite {
        "INTEGER PRIMARY KEY"
    } else {
        "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"
    };
    let integer = if is_sqlite { "INTEGER" } else { "BIGINT" };
    other.execute("CREATE TABLE parents (id INTEGER PRIMARY KEY)");
    if !is_sqlite {
        other.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
               IF NEW.name ~ '^(abort|rollback|fail)' THEN RAISE EXCEPTION 'refused'; END IF;
               IF NEW.name LIKE 'drop %' THEN
                 INSERT INTO events (name) VALUES (replace(NEW.name, 'drop', 'beside'));
                 RETURN NULL;
               END IF;
               RETURN NEW; END $$",
        );
    }
    for table in ["events", "orders", "plains"] {
        other.execute(&format!(
            "CREATE TABLE {table} (id {key}, name TEXT NOT NULL UNIQUE, program TEXT,
               parent_id {integer} REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED);
             INSERT INTO {table} (name) VALUES ('taken')"
        ));
        if !is_sqlite {
            other.execute(&format!(
                "CREATE TRIGGER refuse BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION refuse()"
            ));
            continue;
        }
        other.execute(&format!(
            "CREATE TRIGGER {table}_drop BEFORE INSERT ON {table} WHEN NEW.name LIKE 'drop %' BEGIN
               INSERT INTO events (name) VALUES (replace(NEW.name, 'drop', 'beside'));
               SELECT RAISE(IGNORE); END"
        ));
        for action in ["abort", "rollback", "fail"] {
            // What fails after its row was stored leaves the row behind.
            let time = if action == "fail" { "AFTER" } else { "BEFORE" };
            other.execute(&format!(
                "CREATE TRIGGER {table}_{action} {time} INSERT ON {table} WHEN NEW.name LIKE '{action} %'
                 BEGIN SELECT RAISE({action}, 'refused'); END"
            ));
        }
    }
}
