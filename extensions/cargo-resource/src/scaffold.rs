//! The command: a database is read, and a folder of models written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use clap::Args;
use resource_model::error::did_you_mean;
use resource_runtime::{Database, Dialect, Error, ErrorKind};

use crate::code;
use crate::key::key;
use crate::model::{Models, Read, Style, found, models};
use crate::rows::Rows;
use crate::text::visible;

/// Writes models of the tables and views of a database, and changes nothing in it.
///
/// ```no_run
/// use cargo_resource::{Scaffold, scaffold};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), resource_runtime::Error> {
/// let options = Scaffold::new("sqlite://music.db", "src/models", "1.0");
/// print!("{}", scaffold(&options).await?);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Args)]
pub struct Scaffold {
    /// The URL of the database: `sqlite://<path>`, or `postgres://<user>@<host>/<database>`
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: String,

    /// The folder of the models, which is made, or is empty
    #[arg(long, value_name = "FOLDER", default_value = "src/models")]
    pub out: PathBuf,

    /// The version of the API, `<major>.<minor>`
    #[arg(long, value_name = "VERSION", default_value = "1.0")]
    pub version: String,

    /// The tables and views; all by default
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub tables: Vec<String>,

    /// The schema on PostgreSQL; the first of the search path by default
    #[arg(long, value_name = "SCHEMA")]
    pub schema: Option<String>,

    /// The beginning of names of tables that names of structs leave out
    #[arg(
        long,
        value_name = "PREFIX",
        default_value = "",
        hide_default_value = true
    )]
    pub strip_prefix: String,

    /// Reads no rows: what they would tell becomes a `compile_error!`
    #[arg(long)]
    pub no_data: bool,
}

impl Scaffold {
    /// The models of all tables at this URL, in this folder, as this version.
    #[must_use]
    pub fn new(database_url: &str, out: impl Into<PathBuf>, version: &str) -> Self {
        Self {
            database_url: database_url.to_owned(),
            out: out.into(),
            version: version.to_owned(),
            tables: Vec::new(),
            schema: None,
            strip_prefix: String::new(),
            no_data: false,
        }
    }

    /// The URL for reading: a file is neither made nor switched to another journal.
    fn url(&self) -> Result<String, Error> {
        let url = self.database_url.as_str();
        match (Dialect::of_url(url), &self.schema) {
            (Dialect::Sqlite, Some(_)) => Err(Error::configuration(
                "a SQLite file has no schemas; leave out `--schema`",
            )),
            (Dialect::Sqlite, None) => {
                let (file, parameters) = url.split_once('?').unwrap_or((url, ""));
                let others = parameters
                    .split('&')
                    .filter(|it| !it.is_empty() && !it.starts_with("mode="));
                let others: String = others.map(|it| format!("&{it}")).collect();
                Ok(format!("{file}?mode=ro{others}"))
            }
            (Dialect::Postgres, None) => Ok(url.to_owned()),
            (Dialect::Postgres, Some(schema)) => {
                let separator = if url.contains('?') { '&' } else { '?' };
                // In quotes, and each byte encoded: neither the URL nor the server splits the name.
                let name = format!("\"{}\"", schema.replace('"', "\"\""));
                let name = name.replace('\\', "\\\\").replace(' ', "\\ ");
                let name: String = name.bytes().map(|byte| format!("%{byte:02X}")).collect();
                Ok(format!("{url}{separator}options=-c%20search_path%3D{name}"))
            }
        }
    }
}

/// Writes the models; returns what was written, what was left out, and what to do next.
///
/// # Errors
///
/// An option that does not fit, a database that cannot be read, and a folder that is not empty or cannot be
/// written.
pub async fn scaffold(options: &Scaffold) -> Result<String, Error> {
    require_version(&options.version)?;
    require_empty(&options.out)?;
    let url = options.url()?;
    let database = Database::connect(&url).await?;
    let (names, skipped) = chosen(options, database.catalogue_names().await?)?;
    let mut rows = match Dialect::of_url(&url) {
        Dialect::Sqlite => Rows::of(Database::sqlite_options(&url)?.get_filename())?,
        Dialect::Postgres => Rows::unread(),
    };
    let (mut tables, mut notes) = (Vec::new(), Vec::new());
    if options.tables.is_empty() {
        let note = |name| {
            format!("`{name}` is not served: it is a virtual table; a view can show its rows.")
        };
        notes.extend(rows.virtual_tables().into_iter().map(note));
    }
    if options.no_data {
        rows = Rows::unread();
    }
    for name in &names {
        // No two resources have such tables: the one in small letters stays.
        let is_twin = |it: &&String| *it > name && it.eq_ignore_ascii_case(name);
        let table = match names.iter().find(is_twin) {
            Some(twin) => Err(Error::configuration(format!(
                "`{twin}` differs in case alone; a view can give it another name"
            ))),
            None => read(options, &database, &rows, name).await,
        };
        match table {
            Ok(table) => tables.extend(table),
            Err(error) if error.kind() == ErrorKind::Unavailable => return Err(error),
            Err(error) => notes.push(format!("`{name}` is not served: {}.", reason(&error))),
        }
    }
    let style = Style {
        version: &options.version,
        schema: options.schema.as_deref(),
        prefix: &options.strip_prefix,
    };
    let mut models = models(&style, tables);
    models.notes.splice(0..0, notes);
    write(options, &models)?;
    Ok(report(options, &models, &skipped))
}

/// A table with the types of its columns, which on SQLite rows decide, and its key; none for one that was dropped meanwhile.
async fn read(
    options: &Scaffold,
    database: &Database,
    rows: &Rows,
    name: &str,
) -> Result<Option<Read>, Error> {
    let Some(stored) = database.catalogue_of(name).await? else {
        return Ok(None);
    };
    let found = found(Dialect::of_url(&options.database_url), &stored, rows)?;
    let keyed = Some(database).filter(|_| !options.no_data);
    let key = key(&stored, &found, keyed).await;
    Ok(Some(Read { stored, found, key }))
}

/// The reason for which a table is not read, where the database failed in its words.
fn reason(error: &Error) -> String {
    let Some(mut source) = std::error::Error::source(error) else {
        return error.to_string();
    };
    // Below the words of SQLite, there is but their code.
    while let Some(further) = source.source().filter(|_| !source.is::<rusqlite::Error>()) {
        source = further;
    }
    format!("it cannot be read ({source}); repair it")
}

fn require_version(version: &str) -> Result<(), Error> {
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    let parts = version.split_once('.');
    match parts.filter(|(major, minor)| is_number(major) && is_number(minor)) {
        Some(_) => Ok(()),
        None => Err(Error::configuration(format!(
            "`{version}` is no version; write `--version 1.0`"
        ))),
    }
}

/// Fails if the folder has files, which might be edited models.
fn require_empty(folder: &Path) -> Result<(), Error> {
    let is_empty = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(unwritable(folder, &error)),
    };
    if is_empty {
        return Ok(());
    }
    Err(Error::configuration(format!(
        "the folder `{}` is not empty, and nothing in it is overwritten; name another by `--out`, and move \
         what you need",
        folder.display()
    )))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Error {
    Error::configuration(format!("cannot write `{}`: {error}", path.display()))
}

/// The tables in which tools keep which migrations they have applied, and our own.
const OF_TOOLS: &str = "_prisma_migrations _sqlx_migrations __diesel_schema_migrations __EFMigrationsHistory \
    alembic_version ar_internal_metadata databasechangelog databasechangeloglock django_migrations \
    flyway_schema_history goose_db_version idempotency_keys knex_migrations knex_migrations_lock \
    refinery_schema_history schema_migrations seaql_migrations SequelizeMeta";

/// The tables of which models are written, and the names of those that are skipped.
fn chosen(options: &Scaffold, tables: Vec<String>) -> Result<(Vec<String>, Vec<String>), Error> {
    if tables.is_empty() {
        let schema = options
            .schema
            .as_deref()
            .map_or_else(|| String::from("the database"), |it| format!("`{it}`"));
        return Err(Error::configuration(format!(
            "{schema} has no tables; on PostgreSQL, name a schema by `--schema`"
        )));
    }
    for name in &options.tables {
        if !tables.contains(name) {
            let known = did_you_mean(name, tables.iter().map(String::as_str));
            return Err(Error::configuration(format!(
                "there is no table `{name}`{known}"
            )));
        }
    }
    let (chosen, others): (Vec<String>, Vec<String>) = tables.into_iter().partition(|table| {
        if options.tables.is_empty() {
            !OF_TOOLS.split(' ').any(|tool| tool == table)
        } else {
            options.tables.contains(table)
        }
    });
    let skipped = others
        .into_iter()
        .filter(|_| options.tables.is_empty())
        .collect();
    Ok((chosen, skipped))
}

fn write(options: &Scaffold, models: &Models) -> Result<(), Error> {
    let module = code::module(&options.version);
    let folder = options.out.join(&module);
    fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
    let root = options.out.join("mod.rs");
    let mut files = vec![
        (root.clone(), code::root(&module)?),
        (
            folder.join("mod.rs"),
            code::version(&options.version, &models.models)?,
        ),
    ];
    for model in &models.models {
        let file = folder.join(format!("{}.rs", model.module));
        files.push((file, code::file(model, &models.models)?));
    }
    for (file, text) in &files {
        fs::write(file, text).map_err(|error| unwritable(file, &error))?;
    }
    // Where it is not installed, the files are as they are: formatted, but for long attributes.
    let _ = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .arg(&root)
        .output();
    Ok(())
}

/// The report for people.
fn report(options: &Scaffold, models: &Models, skipped: &[String]) -> String {
    let (count, out) = (models.models.len(), options.out.display());
    let mut report = format!("{count} models in `{out}`\n");
    if !skipped.is_empty() {
        report += &format!(
            "\nSkipped, as tables of tools: `{}`\n",
            visible(&skipped.join("`, `"))
        );
    }
    if !models.notes.is_empty() {
        report += "\nTo look at:\n";
        report.extend(
            models
                .notes
                .iter()
                .map(|note| format!("- {}\n", visible(note))),
        );
    }
    let questions: usize = models
        .models
        .iter()
        .map(|model| model.questions.len())
        .sum();
    if questions > 0 {
        report += &format!("\nDecisions left to you: {questions}; the compiler names each.\n");
    }
    report + &next(options, models)
}

/// The steps to a service.
fn next(options: &Scaffold, models: &Models) -> String {
    let fields = models.models.iter().flat_map(|model| &model.fields);
    let imports = fields.filter_map(|field| field.rust.import.split_once("::"));
    let packages: BTreeSet<&str> = imports.map(|(package, _)| package).collect();
    let dialect = match Dialect::of_url(&options.database_url) {
        Dialect::Postgres => "postgres",
        Dialect::Sqlite => "sqlite",
    };
    let features = packages.iter().filter(|it| **it != "serde_json");
    let features = features.map(|package| package.trim_start_matches("rust_"));
    let features: Vec<&str> = std::iter::once(dialect).chain(features).collect();
    let mut next = format!(
        "\nNext:\n  cargo add resource-runtime --features {}\n",
        features.join(",")
    );
    if !packages.is_empty() {
        let packages: Vec<&str> = packages.into_iter().collect();
        next += &format!("  cargo add {}\n", packages.join(" "));
    }
    let module = code::module(&options.version);
    next + &format!("  models::{module}::register(Api::builder()) has all resources\n")
}
