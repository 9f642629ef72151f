//! Writes from Rust and over HTTP leave equal rows, call the same hooks alike, and are refused in the same words.

use std::collections::BTreeSet;
use std::mem::take;
use std::sync::{Arc, Mutex};

use resource_runtime::{
    Api, ApiResource, Change, Error, ErrorKind, HookError, HookResult, Messages, Validator,
    WriteContext, new,
};
use resource_tests::{InProcessApi, apply, block_on, every_database, responses_differ};
use serde_json::{Value, json};

/// A smith, who may have learnt from another.
#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Smith", url = "/smiths", version = "1.0")]
struct Smith {
    id: i64,
    #[resource(unique, max_length = 20)]
    name: String,
    #[resource(min = 14)]
    age: Option<i16>,
    #[resource(references = Smith)]
    master_id: Option<i64>,
    #[resource(default = 1, default_on_update = 7)]
    revision: i32,
    #[resource(read_only)]
    rank: Option<String>,
}

/// Hooks that note each call, and refuse a smith who is named after them.
#[derive(Debug, Clone, Default)]
struct Spy(Arc<Mutex<Vec<String>>>);

impl Spy {
    fn note(&self, hook: &str, smith: &Smith, change: &Change<Smith>) -> HookResult {
        let (method, id, stored) = (change.method(), change.id(), change.stored()?);
        let changes = [
            change.changes(Smith::NAME),
            change.changes(Smith::AGE),
            change.changes(Smith::REVISION),
        ];
        let call = format!("{hook} {method} {id:?} {smith:?} {changes:?} {stored:?}");
        self.0.lock().unwrap().push(call);
        if smith.name == hook {
            return Err(HookError::refused(format!("{hook} refuses; ask again")));
        }
        Ok(())
    }
}

macro_rules! noted {
    ($($hook:ident($smith:ty, $change:ty))*) => {
        $(async fn $hook(&self, smith: $smith, change: $change) -> HookResult {
            self.note(stringify!($hook), smith, change)
        })*
    };
}

impl Validator<Smith> for Spy {
    async fn validate(
        &self,
        smith: &Smith,
        context: &mut WriteContext<'_, Smith>,
        messages: &mut Messages<Smith>,
    ) -> HookResult {
        if smith.name == "nobody" {
            messages.about(Smith::NAME, "must be somebody");
            messages.about(Smith::AGE, "must be that of somebody");
        }
        self.note("validate", smith, context)
    }

    async fn before_create(
        &self,
        smith: &mut Smith,
        context: &mut WriteContext<'_, Smith>,
    ) -> HookResult {
        smith.rank = Some("apprentice".to_owned());
        self.note("before_create", smith, context)
    }

    async fn row_updated(
        &self,
        smith: &mut Smith,
        context: &mut WriteContext<'_, Smith>,
    ) -> HookResult {
        smith.rank = Some(format!("journeyman {}", smith.id));
        self.note("row_updated", smith, context)
    }

    noted! {
        before_update(&mut Smith, &mut WriteContext<'_, Smith>)
        before_delete(&Smith, &mut WriteContext<'_, Smith>)
        row_created(&mut Smith, &mut WriteContext<'_, Smith>)
        row_deleted(&Smith, &mut WriteContext<'_, Smith>)
        after_create(&Smith, &Change<Smith>)
        after_update(&Smith, &Change<Smith>)
        after_delete(&Smith, &Change<Smith>)
    }
}

/// A forge of its own database, in which a smith has learnt from another, and two cannot be deleted.
struct Forge {
    api: InProcessApi,
    spy: Spy,
}

impl Forge {
    fn open() -> Self {
        let spy = Spy::default();
        let api = InProcessApi::new(Api::builder().resource_with::<Smith>(spy.clone()));
        let smiths = api.items::<Smith>();
        let drafts = [
            new!(Smith { name: "Wayland" }),
            new!(Smith {
                name: "Mime",
                master_id: 1
            }),
            new!(Smith {
                name: "before_delete"
            }),
            new!(Smith {
                name: "row_deleted"
            }),
        ];
        for draft in drafts {
            block_on(smiths.insert(draft)).unwrap();
        }
        spy.0.lock().unwrap().clear();
        Self { api, spy }
    }

    /// Sends a request; returns the code and the description of its error.
    fn send(&self, (method, path, body): (&str, &str, Value)) -> Option<(u16, String)> {
        let (client, path) = (self.api.anonymous(), format!("/api/1.0{path}"));
        let answer = match method {
            "POST" => client.post(&path, &body),
            "PUT" => client.put(&path, &body),
            _ => client.delete(&path),
        };
        (answer.status >= 400).then(|| {
            let json = answer.json();
            let code = json["error_code"].as_u64().unwrap().try_into().unwrap();
            (code, json["error_description"].as_str().unwrap().to_owned())
        })
    }

    fn rows(&self) -> Vec<Smith> {
        block_on(self.api.items().limit(99).all()).unwrap()
    }

    fn calls(&self) -> Vec<String> {
        take(&mut *self.spy.0.lock().unwrap())
    }
}

/// A write over HTTP, the same write from Rust, and the kind and the code of their refusal.
type Write = (
    (&'static str, &'static str, Value),
    fn(&InProcessApi) -> Result<(), Error>,
    Option<(ErrorKind, u16)>,
);

/// The creation of a smith by the same attributes in JSON and in Rust.
macro_rules! create {
    ($refusal:expr, {$($name:ident: $value:expr),*}) => {(
        ("POST", "/smiths", json!({$(stringify!($name): $value),*})),
        |api| block_on(api.items::<Smith>().insert(new!(Smith {$($name: $value),*}))).map(drop),
        $refusal,
    )};
}

/// The change of the smith with this id.
macro_rules! update {
    ($refusal:expr, $id:literal, {$($name:ident $column:ident: $value:expr),*}) => {(
        ("PUT", concat!("/smiths/", $id), json!({$(stringify!($name): $value),*})),
        |api| block_on(api.items::<Smith>().update($id)$(.set(Smith::$column, $value))*.into_future()),
        $refusal,
    )};
}

/// The deletion of the smith with this id.
macro_rules! delete {
    ($refusal:expr, $id:literal) => {
        (
            ("DELETE", concat!("/smiths/", $id), Value::Null),
            |api| block_on(api.items::<Smith>().delete($id)),
            $refusal,
        )
    };
}

fn writes() -> Vec<Write> {
    let not_found = Some((ErrorKind::NotFound, 10001));
    let refused = Some((ErrorKind::Refused, 10010));
    let in_use = Some((ErrorKind::StillInUse, 10020));
    let not_unique = Some((ErrorKind::NotUnique, 10030));
    let missing = Some((ErrorKind::MissingReference, 10031));
    vec![
        create!(None, { name: "Ilmarinen", age: 30, master_id: 1 }),
        create!(None, { name: "Hephaestus", revision: 3 }),
        create!(refused, { name: "longer than twenty letters", age: 13 }),
        create!(refused, { name: "zero\0", age: 14 }),
        create!(refused, { name: "nobody" }),
        create!(refused, { name: "validate" }),
        create!(refused, { name: "before_create" }),
        create!(refused, { name: "row_created" }),
        create!(not_unique, { name: "Mime" }),
        create!(missing, { name: "Regin", master_id: 99 }),
        create!(None, { name: "after_create" }),
        update!(None, 2, { name NAME: "Mimir", age AGE: 40 }),
        update!(None, 2, { age AGE: None::<i16>, revision REVISION: 9 }),
        update!(None, 2, {}),
        update!(refused, 2, { age AGE: 13 }),
        update!(refused, 2, { name NAME: "nobody" }),
        update!(refused, 2, { name NAME: "before_update" }),
        update!(refused, 2, { name NAME: "row_updated" }),
        update!(not_unique, 2, { name NAME: "Wayland" }),
        update!(missing, 2, { master_id MASTER_ID: 99 }),
        update!(not_found, 99, { name NAME: "Regin" }),
        delete!(in_use, 1),
        delete!(refused, 3),
        delete!(refused, 4),
        delete!(not_found, 99),
        delete!(None, 2),
    ]
}

#[apply(every_database)]
fn writes_from_rust_and_over_http_differ_in_nothing() {
    responses_differ("on PostgreSQL a refused item uses up a key");
    let [rust, http] = [Forge::open(), Forge::open()];
    let mut called = BTreeSet::new();
    for (request, write, expected) in writes() {
        let name = format!("{request:?}");
        let sent = http.send(request);
        let error = write(&rust.api).err();
        let kind = error.as_ref().map(Error::kind);
        assert_eq!(
            kind.zip(error.as_ref().and_then(Error::code)),
            expected,
            "{name}"
        );
        let refusal = error.map(|error| (error.code().unwrap_or(0), error.to_string()));
        assert_eq!(refusal, sent, "{name}");
        let calls = rust.calls();
        assert_eq!(calls, http.calls(), "{name}");
        let names = calls.iter().filter_map(|call| call.split(' ').next());
        called.extend(names.map(str::to_owned));
        assert_eq!(rust.rows(), http.rows(), "{name}");
    }
    assert_eq!(called.len(), 10, "not each hook was called: {called:?}");
}
