//! A service that moves from SQLite to PostgreSQL by the script of the guide: it answers as before.

use std::fs;
use std::process::Command;

use resource_tests::{Cluster, TestDatabase};
use serde_json::json;

use crate::address_book::{AddressBook, executable};

const GUIDE: &str = include_str!("../../resource-runtime/docs/databases.md");

const LISTS: [&str; 4] = ["settings", "addresses", "persons", "notes"];

#[test]
fn the_script_of_the_guide_moves_every_row() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let file = TestDatabase::sqlite();
    let book = AddressBook::start(&file);
    let create = |path: &str, body| book.client.create(&format!("/api/1.0/{path}"), &body);
    create(
        "settings",
        json!({"name": "quotes \" and\n, lines", "value": ""}),
    );
    create(
        "addresses",
        json!({"line1": "1 Main Street", "city": "Zürich"}),
    );
    create(
        "persons",
        json!({"first_name": "Ann", "bill_address_id": 1}),
    );
    create("persons", json!({"first_name": "", "last_name": null}));
    create(
        "notes",
        json!({"title": "\\x, \\N and 'one'", "body": "\\."}),
    );
    let told = |book: &AddressBook| {
        let tag = book.client.get("/api/1.0/notes/1");
        let tag = tag.header("etag").unwrap().to_owned();
        let lists = LISTS.map(|it| book.client.read(&format!("/api/1.0/{it}")));
        (tag, lists)
    };
    let before = told(&book);
    book.stopped();

    let (_, script) = GUIDE.split_once("# to-postgres.sh\n").unwrap();
    let script = script.split_once("\n```").unwrap().0;
    let script = script.replace("in books loans", "in addresses persons settings notes");
    let folder = file.path().parent().unwrap().to_owned();
    fs::rename(file.path(), folder.join("library.db")).unwrap();
    let script = format!(
        "library() {{ {} \"$@\"; }}\n{script}",
        executable().display()
    );
    let mut shell = Command::new("bash");
    let shell = shell.args(["-c", &script]).current_dir(folder);
    let output = shell.env("TARGET", cluster.url()).output().unwrap();
    assert!(output.status.success(), "{output:?}");

    let book = AddressBook::start(&TestDatabase::at(&cluster.url()));
    assert_eq!(told(&book), before);
    let path = book
        .client
        .create("/api/1.0/persons", &json!({"first_name": "Ben"}));
    assert_eq!(path, "/api/1.0/persons/3");
    book.stopped();
}
