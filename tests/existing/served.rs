//! What holds of every database that was scaffolded: nothing about it is fatal, no table changes, a list says what is
//! served of each column, and every row is retrieved.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::fs;
use std::path::{Path, PathBuf};

use resource_runtime::{ApiBuilder, Database, Dialect};
use resource_tests::{Service, TestDatabase, block_on};
use serde_json::Value;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Expr, ExprLit, Item, ItemStruct, Lit, Meta, MetaNameValue, Token};

use crate::requests::{encode, url};
use crate::sentences;

/// What `check` tells of such tables, and the service lives with.
const TOLERABLE: [&str; 7] = [
    "do not hold for the role of the service",
    "again once the newest row is deleted",
    "has no index on",
    "has triggers",
    "may be null in the table",
    "serves no order by code point",
    "which no registered version calls unique",
];

/// Serves a database by the models in a folder beside this file; returns the service, and the differences that it
/// lives with.
#[track_caller]
pub(crate) fn assert_served(
    database: &TestDatabase,
    name: &str,
    models: fn() -> ApiBuilder,
) -> (Service, Vec<String>) {
    let before = schema(database);
    let (fatal, tolerable) = sentences(models(), database);
    assert_eq!(fatal, [""; 0]);
    for sentence in &tolerable {
        let mut known = TOLERABLE.iter();
        assert!(known.any(|it| sentence.contains(it)), "{sentence}");
    }
    block_on(async {
        let opened = Database::connect(&database.url()).await.unwrap();
        let api = models().build(opened).unwrap();
        api.create_missing_tables().await.unwrap();
    });
    let service = Service::start_on(database, |database| models().build(database));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("existing")
        .join(name);
    let models = Model::all(&folder.join("v1_0"));
    assert_columns(database, &folder, &models);
    for model in &models {
        model.assert_rows(&service);
    }
    assert_eq!(schema(database), before);
    (service, tolerable)
}

/// Everything that the database says of its tables.
fn schema(database: &TestDatabase) -> String {
    database
        .other_program()
        .text(match Dialect::of_url(&database.url()) {
            Dialect::Sqlite => "SELECT group_concat(coalesce(sql, name)) FROM sqlite_schema",
            Dialect::Postgres => {
                "SELECT concat(
                (SELECT string_agg(columns::text, ',' ORDER BY table_name, ordinal_position)
                    FROM information_schema.columns WHERE table_schema = current_schema()),
                (SELECT string_agg(pg_get_constraintdef(oid), ',' ORDER BY oid) FROM pg_constraint
                    WHERE connamespace = current_schema()::regnamespace),
                (SELECT string_agg(indexdef, ',' ORDER BY indexname) FROM pg_indexes
                    WHERE schemaname = current_schema()))"
            }
        })
}

/// Compares what is served of each column with the list beside the folder; `UPDATE_GOLDEN=1` writes it anew.
#[track_caller]
fn assert_columns(database: &TestDatabase, folder: &Path, models: &[Model]) {
    let report = fs::read_to_string(folder.join("report.txt")).unwrap();
    let tables = block_on(async {
        let opened = Database::connect(&database.url()).await.unwrap();
        opened.catalogue().await.unwrap()
    });
    let mut list = String::new();
    for table in tables {
        let Some(model) = models.iter().find(|model| model.table == table.name) else {
            let why = note(&report, &format!("- `{}` is not served: ", table.name));
            let why = why.unwrap_or_else(|| String::from("it is the table of a tool."));
            let _ = writeln!(list, "{}: not served, since {why}", table.name);
            continue;
        };
        let _ = writeln!(list, "{}: /{}", table.name, model.collection);
        for column in table.columns {
            let mut fields = model.fields.iter();
            let field = fields.find(|field| field.column == column.name);
            // As the report shows it, on one line.
            let (name, declared) = (column.name.replace('\n', "\\n"), &column.declared_type);
            let why = format!("- `{}`: `{name}` is left out: ", table.name);
            let served = field.map(Field::to_string).or_else(|| {
                let why = note(&report, &why)?;
                Some(format!("left out: {why}"))
            });
            let served = served.unwrap_or_else(|| panic!("{}.{name} is forgotten", table.name));
            let _ = writeln!(list, "    {name:<24}{declared:<28}{served}");
        }
    }
    let file = folder.with_extension("columns.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&file, &list).unwrap();
    }
    let expected = fs::read_to_string(&file).unwrap();
    for (line, expected) in list.lines().zip(expected.lines()) {
        assert_eq!(line, expected);
    }
    assert_eq!(list.len(), expected.len());
}

/// The rest of the line of a report that begins with this.
fn note(report: &str, start: &str) -> Option<String> {
    report
        .lines()
        .find_map(|line| line.strip_prefix(start))
        .map(str::to_owned)
}

/// A model, as it is written.
struct Model {
    table: String,
    collection: String,
    fields: Vec<Field>,
}

struct Field {
    name: String,
    column: String,
    /// The type as it is written.
    rust: String,
    /// What its `#[resource(…)]` says of who writes it, and how it is stored.
    keys: BTreeMap<String, String>,
}

/// The keys that the list shows.
const SHOWN: [&str; 6] = [
    "primary_key",
    "assigned",
    "computed",
    "default",
    "stored",
    "write_only",
];

impl Field {
    /// Tests whether clients filter and order by it.
    fn is_compared(&self) -> bool {
        !self.is("write_only") && !["Value", "Vec<u8>"].iter().any(|it| self.rust.contains(it))
    }

    /// A value as it stands in a filter.
    fn literal(&self, value: &Value) -> String {
        match value {
            Value::String(text) if self.rust.contains("Decimal") => text.clone(),
            value => value.to_string(),
        }
    }

    fn is(&self, key: &str) -> bool {
        self.keys.contains_key(key)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name, rust, keys, ..
        } = self;
        write!(formatter, "{name}: {rust}")?;
        for (key, value) in SHOWN.iter().filter_map(|key| keys.get_key_value(*key)) {
            write!(formatter, ", {key}{value}")?;
        }
        Ok(())
    }
}

impl Model {
    /// The models in a folder, by their tables.
    fn all(folder: &Path) -> Vec<Self> {
        let files = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
        let mut models: Vec<Self> = files.filter_map(|file| Self::in_file(&file)).collect();
        models.sort_by(|one, other| one.table.cmp(&other.table));
        models
    }

    fn in_file(file: &PathBuf) -> Option<Self> {
        let file = syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap();
        let item = file.items.into_iter().find_map(|item| match item {
            Item::Struct(item) => Some(item),
            _ => None,
        })?;
        Some(Self::of(&item))
    }

    fn of(item: &ItemStruct) -> Self {
        let keys = keys_of(&item.attrs);
        let collection = keys["url"].trim_start_matches('/').to_owned();
        let plain = collection.replace('-', "_");
        let fields = item.fields.iter().map(|field| {
            let name = field.ident.as_ref().unwrap().to_string();
            let name = name.trim_start_matches("r#").to_owned();
            let (keys, rust) = (keys_of(&field.attrs), &field.ty);
            let column = keys.get("column").unwrap_or(&name).clone();
            let rust = quote::quote!(#rust).to_string().replace(' ', "");
            Field {
                name,
                column,
                rust,
                keys,
            }
        });
        let mut fields: Vec<Field> = fields.collect();
        if !fields.iter().any(|field| field.is("primary_key")) {
            let id = fields.iter_mut().find(|field| field.name == "id");
            let keys = &mut id.expect("a key").keys;
            keys.insert(String::from("primary_key"), String::new());
        }
        let table = keys.get("table").unwrap_or(&plain).clone();
        Self {
            table,
            collection,
            fields,
        }
    }

    /// Asserts that the list has as many items as the table has rows, and that each is retrieved by its key.
    #[track_caller]
    fn assert_rows(&self, service: &Service) {
        let Self {
            table, collection, ..
        } = self;
        let path = format!("/api/1.0/{collection}");
        let list = service.read(&url(&path, &[("limit", "1000")]));
        let count = format!("SELECT CAST(count(*) AS text) FROM \"{table}\"");
        let count = service.database().other_program().text(&count);
        let items = list["items"].as_array().expect("items");
        assert_eq!(items.len().to_string(), count, "{table}");
        assert_eq!(list["totalItems"], items.len(), "{table}");
        for item in items {
            let item_path = format!("{path}/{}", self.segment(item));
            assert_eq!(service.read(&item_path), *item, "{item_path}");
            let shown = self.fields.iter().filter(|field| !field.is("write_only"));
            let shown: BTreeSet<&String> = shown.map(|field| &field.name).collect();
            assert!(
                item.as_object().expect("an object").keys().eq(shown),
                "{item}"
            );
        }
        self.assert_compared(service, &path, items);
    }

    /// Asserts that items are ordered and found by each attribute.
    #[track_caller]
    fn assert_compared(&self, service: &Service, path: &str, items: &[Value]) {
        for field in self.fields.iter().filter(|field| field.is_compared()) {
            let order = format!("asc({})", field.name);
            let ordered = service.read(&url(path, &[("order", &order), ("limit", "1000")]));
            let ordered = ordered["items"].as_array().expect("items");
            assert_eq!(ordered.len(), items.len(), "{path} {order}");
            let mut items = items.iter();
            let Some(item) = items.find(|item| !item[&field.name].is_null()) else {
                continue;
            };
            let filter = format!("eq({},{})", field.name, field.literal(&item[&field.name]));
            let found = service.read(&url(path, &[("filter", &filter)]));
            let found = found["items"].as_array().expect("items");
            assert!(found.contains(item), "{path} {filter}");
        }
    }

    /// The key of an item as a segment of its path.
    fn segment(&self, item: &Value) -> String {
        let key = self.fields.iter().filter(|field| field.is("primary_key"));
        let parts = key.map(|field| match &item[&field.name] {
            Value::String(text) => encode(text),
            value => value.to_string(),
        });
        parts.collect::<Vec<_>>().join(",")
    }
}

/// The keys of `#[resource(…)]`, each with its text where it has one.
fn keys_of(attributes: &[syn::Attribute]) -> BTreeMap<String, String> {
    let read = |input: ParseStream<'_>| {
        let mut keys = BTreeMap::new();
        for meta in input.parse_terminated(Meta::parse, Token![,])? {
            let name = meta.path().get_ident().unwrap().to_string();
            keys.insert(name, text(&meta));
        }
        Ok(keys)
    };
    let own = attributes
        .iter()
        .filter(|it| it.path().is_ident("resource"));
    let keys = own.flat_map(|attribute| {
        let tokens = attribute.meta.require_list().unwrap().tokens.clone();
        read.parse2(tokens).unwrap()
    });
    keys.collect()
}

/// The text of `key = "text"`, or what is in parentheses.
fn text(meta: &Meta) -> String {
    match meta {
        Meta::NameValue(MetaNameValue {
            value:
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }),
            ..
        }) => text.value(),
        Meta::List(list) => format!("({})", list.tokens).replace(' ', ""),
        _ => String::new(),
    }
}
