//! `cargo resource scaffold`: the models of databases, compared with those beside this file.
//!
//! `UPDATE_GOLDEN=1` writes them anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use cargo_resource::{Scaffold, scaffold};
use resource_tests::{TestDatabase, apply, block_on, every_database};

use crate::fixtures::{django, northwind, oddities, pagila, shop};
use crate::{made_by, of_backend};

/// The text of each file below a folder, by its path.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let below = entries.flat_map(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return files(&path);
        }
        let text = fs::read_to_string(&path).unwrap();
        BTreeMap::from([(path, text)])
    });
    below.collect()
}

/// The files without the folder that they are in.
fn within(folder: &Path) -> BTreeMap<PathBuf, String> {
    let files = files(folder).into_iter();
    let relative = files.map(|(path, text)| (path.strip_prefix(folder).unwrap().to_owned(), text));
    relative.collect()
}

/// The text in which a developer has agreed to what was guessed.
fn decided(text: &str) -> String {
    let Some((before, rest)) = text.split_once("compile_error!(") else {
        return text.to_owned();
    };
    let (question, after) = rest.split_once(");\n").unwrap();
    let question = question.trim().trim_matches('"');
    format!("{before}// Decided: {question}.\n{}", decided(after))
}

/// Scaffolds the database, and compares what is written and reported with the folder `name`.
#[track_caller]
fn assert_golden(database: &TestDatabase, name: &str) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("existing")
        .join(name);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("models");
    let report = block_on(scaffold(&Scaffold::new(&database.url(), &out, "1.0"))).unwrap();
    fs::write(
        out.join("report.txt"),
        report.replace(&out.display().to_string(), "models"),
    )
    .unwrap();
    let written: BTreeMap<PathBuf, String> = within(&out)
        .into_iter()
        .map(|(file, text)| (file, decided(&text)))
        .collect();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let _ = fs::remove_dir_all(&golden);
        for (file, text) in &written {
            let file = golden.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
    }
    let expected = within(&golden);
    assert!(expected.keys().eq(written.keys()), "{written:?}");
    for (file, text) in written {
        assert_eq!(text, expected[&file], "{}", file.display());
    }
}

#[apply(every_database)]
fn models_of_a_music_shop() {
    assert_golden(&shop(), of_backend("chinook/sqlite", "chinook/postgres"));
}

#[apply(every_database)]
fn models_of_oddities() {
    assert_golden(
        &oddities(),
        of_backend("oddities/sqlite", "oddities/postgres"),
    );
}

#[test]
fn models_of_django() {
    if let Some(database) = django() {
        assert_golden(&database, "django/postgres");
    }
}

#[apply(every_database)]
fn models_of_a_wholesaler() {
    assert_golden(
        &northwind(),
        of_backend("northwind/sqlite", "northwind/postgres"),
    );
}

#[test]
fn models_of_a_film_shop() {
    if let Some(database) = pagila() {
        assert_golden(&database, "pagila/postgres");
    }
}

/// The first block of this language in the guide, without its hidden lines.
fn shown_in_guide(language: &str, about: &str) -> String {
    let guide = include_str!("../../resource-runtime/docs/existing-database.md");
    let mut blocks = guide.split("```").skip(1).step_by(2);
    let text = blocks.find_map(|block| {
        let text = block.strip_prefix(language)?.strip_prefix('\n')?;
        text.contains(about).then_some(text)
    });
    let shown = text.unwrap().lines().filter(|line| !line.starts_with("# "));
    shown.collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn the_guide_shows_what_is_written() {
    let database = TestDatabase::sqlite();
    let customer = "CREATE TABLE [Customer] ([CustomerId] INTEGER PRIMARY KEY AUTOINCREMENT);";
    let rows = "INSERT INTO [Customer] VALUES (1);
         INSERT INTO [Invoice] VALUES (1, 1, '2009-01-01 00:00:00', NULL, 1.98)";
    let statements = [customer, &shown_in_guide("sql", "CREATE"), rows];
    database.other_program().execute(&statements.concat());
    let folder = tempfile::tempdir().unwrap();
    block_on(scaffold(&Scaffold::new(
        &database.url(),
        folder.path(),
        "1.0",
    )))
    .unwrap();
    let written = fs::read_to_string(folder.path().join("v1_0/invoice.rs")).unwrap();
    assert_eq!(written, shown_in_guide("rust", "The table `Invoice`"));
}

/// The error of a scaffold that is refused.
#[track_caller]
fn refusal(options: &Scaffold) -> String {
    block_on(scaffold(options)).unwrap_err().to_string()
}

#[test]
fn rows_that_are_not_read_leave_their_decisions_to_the_developer() {
    let database = TestDatabase::sqlite();
    database.other_program().execute(
        "CREATE TABLE bills (id INTEGER PRIMARY KEY, day DATETIME, total NUMERIC(10, 2), paid BOOLEAN);
         CREATE VIEW days AS SELECT day, count(*) AS bills FROM bills GROUP BY day",
    );
    let folder = tempfile::tempdir().unwrap();
    let mut options = Scaffold::new(&database.url(), folder.path(), "2.1");
    options.no_data = true;
    let report = block_on(scaffold(&options)).unwrap();
    assert!(report.contains("Decisions left to you: 4"), "{report}");
    let written = |file: &str| fs::read_to_string(folder.path().join("v2_1").join(file)).unwrap();
    let bills = written("bills.rs");
    let question =
        "compile_error!(\n    \"`Bill.day`: rows would tell the form of dates and times;";
    assert!(bills.contains(question), "{bills}");
    let days = written("days.rs");
    assert!(
        days.contains("`days`? its rows were not read, and `bills` is a guess;"),
        "{days}"
    );
}

#[apply(every_database)]
fn a_key_that_no_rows_tell_is_a_question() {
    let database = made_by(
        "CREATE VIEW no_rows AS SELECT 1 AS id, 'a' AS name WHERE 1 = 0;
         CREATE VIEW one_row AS SELECT 1 AS total, 2 AS id;
         CREATE VIEW three_rows AS SELECT 7 AS code, 'a' AS name UNION ALL SELECT 8, 'b' UNION ALL SELECT 9, 'b';
         CREATE VIEW pairs AS SELECT 1 AS id, 'a' AS name UNION ALL SELECT 1, 'b' UNION ALL SELECT 2, 'b';
         CREATE VIEW null_id AS SELECT 1 AS id, 'a' AS name UNION ALL SELECT NULL, 'b';
         CREATE VIEW twice AS SELECT 1 AS id, 'a' AS name UNION ALL SELECT 1, 'a'",
    );
    let folder = tempfile::tempdir().unwrap();
    let report = block_on(scaffold(&Scaffold::new(
        &database.url(),
        folder.path(),
        "1.0",
    )))
    .unwrap();
    let written = |view| {
        let file = folder.path().join(format!("v1_0/{view}.rs"));
        fs::read_to_string(file).unwrap_or_default()
    };
    for (view, guess) in [
        (
            "no_rows",
            "its rows are too few to tell, and `id` is a guess",
        ),
        (
            "one_row",
            "its rows are too few to tell, and `id` is a guess",
        ),
        (
            "pairs",
            "no column alone does, and `id` with `name` is a guess",
        ),
    ] {
        let question = format!(
            "which columns identify a row of `{view}`? {guess}; give `primary_key` to those that do, and delete this line"
        );
        assert!(written(view).contains(&question), "{}", written(view));
    }
    for (view, key) in [("three_rows", "code"), ("null_id", "name")] {
        let decision = format!("// The key is `{key}`, as no two rows share it at present;");
        assert!(written(view).contains(&decision), "{}", written(view));
        let note = format!("- `{view}`: The key is `{key}`");
        assert!(report.contains(&note), "{report}");
    }
    let remedy =
        "- `twice` is not served: no column of the view identifies a row, and no two of them do;";
    assert!(report.contains(remedy), "{report}");
    assert_eq!(written("twice"), "");
}

#[test]
fn what_cannot_be_read_is_listed_and_named_tables_are_read_alone() {
    let database = TestDatabase::sqlite();
    database.other_program().execute(
        "CREATE TABLE bills (id INTEGER PRIMARY KEY, day DATETIME);
         INSERT INTO bills (day) VALUES ('2024-02-29 07:08:09');
         CREATE VIEW stale AS SELECT * FROM gone;
         CREATE VIEW failing AS SELECT json(day) AS day FROM bills",
    );
    let folder = tempfile::tempdir().unwrap();
    let options = |out| Scaffold::new(&database.url(), folder.path().join(out), "1.0");
    let report = block_on(scaffold(&options("all"))).unwrap();
    assert!(report.starts_with("1 models"), "{report}");
    for note in [
        "- `stale` is not served: it cannot be read (no such table: main.gone); repair it.",
        "- `failing` is not served: its rows cannot be read (malformed JSON); repair it, or",
    ] {
        assert!(report.contains(note), "{report}");
    }
    let bills = Scaffold {
        tables: vec![String::from("bills")],
        ..options("one")
    };
    let report = block_on(scaffold(&bills)).unwrap();
    assert!(!report.contains("To look at"), "{report}");
}

#[test]
fn reading_a_file_changes_no_byte_of_it() {
    let database = TestDatabase::sqlite();
    let statements = "CREATE TABLE bills (id INTEGER PRIMARY KEY, day DATETIME)";
    database.other_program().execute(statements);
    let before = fs::read(database.path()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut options = Scaffold::new(
        &format!("{}?mode=rwc", database.url()),
        folder.path(),
        "1.0",
    );
    block_on(scaffold(&options)).unwrap();
    assert!(fs::read(database.path()).unwrap() == before);
    let missing = database.path().with_file_name("missing.db");
    options.database_url = format!("sqlite://{}", missing.display());
    options.out = folder.path().join("other");
    refusal(&options);
    assert!(!missing.exists() && !options.out.exists());
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let database = TestDatabase::sqlite();
    let folder = tempfile::tempdir().unwrap();
    database
        .other_program()
        .execute("CREATE TABLE bills (id INTEGER PRIMARY KEY)");
    let options = || Scaffold::new(&database.url(), folder.path().join("models"), "1.0");
    let error = refusal(&Scaffold {
        version: String::from("one"),
        ..options()
    });
    assert_eq!(error, "`one` is no version; write `--version 1.0`");
    let error = refusal(&Scaffold {
        schema: Some(String::from("shop")),
        ..options()
    });
    assert_eq!(error, "a SQLite file has no schemas; leave out `--schema`");
    let error = refusal(&Scaffold {
        tables: vec![String::from("bill")],
        ..options()
    });
    assert_eq!(error, "there is no table `bill`; did you mean `bills`?");
    fs::write(folder.path().join("mine.rs"), "").unwrap();
    let error = refusal(&Scaffold {
        out: folder.path().to_owned(),
        ..options()
    });
    assert!(error.ends_with("is not empty, and nothing in it is overwritten; name another by `--out`, and move what \
                             you need"), "{error}");
}

#[test]
fn a_schema_is_named_in_models_and_a_prefix_is_not() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let mut program = database.other_program();
    let other = program.text("SELECT current_schema()::text");
    let schema = format!("a \"b\" \\ {other}");
    let quoted = schema.replace('"', "\"\"");
    // The key points into the other schema, whatever has its name in this one.
    program.execute(&format!(
        "CREATE TABLE shop_orders (id bigint PRIMARY KEY); CREATE TABLE hidden (id bigint PRIMARY KEY);
         CREATE SCHEMA \"{quoted}\"; SET search_path = \"{quoted}\";
         CREATE TABLE shop_orders (id bigint PRIMARY KEY, former_id bigint REFERENCES \"{other}\".shop_orders)"
    ));
    let folder = tempfile::tempdir().unwrap();
    let written = block_on(scaffold(&Scaffold {
        schema: Some(schema.clone()),
        strip_prefix: String::from("shop_"),
        ..Scaffold::new(&database.url(), folder.path(), "1.0")
    }));
    program.execute(&format!("DROP SCHEMA \"{quoted}\" CASCADE"));
    assert!(written.unwrap().starts_with("1 models"));
    let orders = fs::read_to_string(folder.path().join("v1_0/orders.rs")).unwrap();
    let schema = format!("schema = {schema:?}");
    for part in [
        "url = \"/orders\"",
        "table = \"shop_orders\"",
        &schema,
        "pub struct Order {",
    ] {
        assert!(orders.contains(part), "{orders}");
    }
    assert!(!orders.contains("references ="), "{orders}");
}

#[apply(every_database)]
fn operations_that_the_database_does_not_do_are_left_out() {
    let database = made_by(of_backend(
        "CREATE TABLE goods (id integer PRIMARY KEY, code integer);
         CREATE TABLE orders (id integer PRIMARY KEY, code integer REFERENCES goods (code), note text)",
        "CREATE TABLE orders (id bigint PRIMARY KEY, note text);
         CREATE RULE kept AS ON DELETE TO orders DO INSTEAD NOTHING",
    ));
    let folder = tempfile::tempdir().unwrap();
    let options = Scaffold::new(&database.url(), folder.path(), "1.0");
    let report = block_on(scaffold(&options)).unwrap();
    let (operations, reason) = of_backend(
        (
            "list, retrieve",
            "Items are not created: SQLite refuses every such statement: foreign key mismatch",
        ),
        (
            "list, retrieve, create, update",
            "Items are not deleted: its rule `kept` replaces the statement, or adds to it.",
        ),
    );
    let orders = fs::read_to_string(folder.path().join("v1_0/orders.rs")).unwrap();
    assert!(
        orders.contains(&format!("operations({operations})")),
        "{orders}"
    );
    assert!(orders.contains(reason), "{orders}");
    assert!(
        report.contains(&format!("- `orders`: {reason}")),
        "{report}"
    );
}
