//! The cost of SQLite alone: rows are stepped into bytes, and changed, right where the request is handled, on a
//! connection of the thread's own, and requests are not checked.

mod json;

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderName, LOCATION};
use axum::routing::get;
use axum::{Json, Router};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, Params, ToSql, params};
use serde::Deserialize;

use self::json::{Columns, expanded, write_row};
use crate::Outcome;

type Answer = ([(HeaderName, &'static str); 1], Vec<u8>);

type Failure = (StatusCode, String);

const SETTING: &Columns = &["id", "name", "value"];

const PERSON: &Columns = &[
    "id",
    "first_name",
    "last_name",
    "bill_address_id",
    "ship_address_id",
];

const PERSONS_WITH_ADDRESSES: &str = "\
    SELECT p.id, p.first_name, p.last_name, b.line1, b.city, b.zip_code, s.line1, s.city, s.zip_code \
    FROM persons p \
    LEFT JOIN addresses b ON b.id = p.bill_address_id \
    LEFT JOIN addresses s ON s.id = p.ship_address_id \
    WHERE p.id > ?1 AND p.id <= ?2 ORDER BY p.id LIMIT ?3 OFFSET ?4";

thread_local! {
    static CONNECTION: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

#[derive(Deserialize)]
struct Paging {
    #[serde(default)]
    offset: u32,
    #[serde(default = "ten")]
    limit: u32,
}

#[derive(Deserialize)]
struct Setting {
    name: Option<String>,
    value: Option<String>,
}

#[derive(Deserialize)]
struct Filter {
    last_name: String,
    above: i64,
}

#[derive(Deserialize)]
struct Range {
    above: i64,
    up_to: i64,
}

const fn ten() -> u32 {
    10
}

pub(super) fn router(url: &str) -> Outcome<Router> {
    let file = url
        .strip_prefix("sqlite://")
        .ok_or("rusqlite reads SQLite files")?;
    Ok(Router::new()
        .route("/api/1.0/settings", get(list_settings).post(create_setting))
        .route(
            "/api/1.0/settings/{id}",
            get(retrieve_setting).put(update_setting),
        )
        .route("/api/1.0/persons", get(find_persons))
        .route("/api/1.0/persons/expanded", get(expand_persons))
        .with_state(Arc::from(file)))
}

async fn retrieve_setting(
    State(file): State<Arc<str>>,
    Path(id): Path<i64>,
) -> Result<Answer, Failure> {
    answer(&file, |connection, body| {
        let sql = "SELECT id, name, value FROM settings WHERE id = ?1";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query([id])?;
        let row = rows.next()?.ok_or("there is no such setting")?;
        write_row(body, SETTING, row)
    })
}

async fn list_settings(
    State(file): State<Arc<str>>,
    Query(paging): Query<Paging>,
) -> Result<Answer, Failure> {
    answer(&file, |connection, body| {
        let sql = "SELECT id, name, value FROM settings ORDER BY id LIMIT ?1 OFFSET ?2";
        let page = params![paging.limit, paging.offset];
        write_items(connection, body, sql, page, |body, row| {
            write_row(body, SETTING, row)
        })?;
        write_total(connection, body, "SELECT COUNT(*) FROM settings", &[])
    })
}

async fn create_setting(
    State(file): State<Arc<str>>,
    Json(setting): Json<Setting>,
) -> Result<(StatusCode, [(HeaderName, String); 1]), Failure> {
    let id = connected(&file, |connection| {
        let sql = "INSERT INTO settings (name, value) VALUES (?1, ?2) RETURNING id";
        let mut statement = connection.prepare_cached(sql)?;
        let id = statement.query_row(params![setting.name, setting.value], |row| row.get(0))?;
        Ok::<i64, _>(id)
    })?;
    let location = format!("/api/1.0/settings/{id}");
    Ok((StatusCode::CREATED, [(LOCATION, location)]))
}

async fn update_setting(
    State(file): State<Arc<str>>,
    Path(id): Path<i64>,
    Json(setting): Json<Setting>,
) -> Result<StatusCode, Failure> {
    connected(&file, |connection| {
        let sql = "UPDATE settings SET name = COALESCE(?1, name), value = COALESCE(?2, value) WHERE id = ?3";
        let mut statement = connection.prepare_cached(sql)?;
        statement.execute(params![setting.name, setting.value, id])?;
        Ok(StatusCode::NO_CONTENT)
    })
}

async fn find_persons(
    State(file): State<Arc<str>>,
    Query(filter): Query<Filter>,
    Query(paging): Query<Paging>,
) -> Result<Answer, Failure> {
    answer(&file, |connection, body| {
        let sql = "SELECT id, first_name, last_name, bill_address_id, ship_address_id FROM persons \
                   WHERE last_name = ?1 AND id > ?2 ORDER BY id DESC LIMIT ?3 OFFSET ?4";
        let page = params![filter.last_name, filter.above, paging.limit, paging.offset];
        write_items(connection, body, sql, page, |body, row| {
            write_row(body, PERSON, row)
        })?;
        let sql = "SELECT COUNT(*) FROM persons WHERE last_name = ?1 AND id > ?2";
        write_total(connection, body, sql, &[&filter.last_name, &filter.above])
    })
}

async fn expand_persons(
    State(file): State<Arc<str>>,
    Query(range): Query<Range>,
    Query(paging): Query<Paging>,
) -> Result<Answer, Failure> {
    answer(&file, |connection, body| {
        let page = params![range.above, range.up_to, paging.limit, paging.offset];
        write_items(connection, body, PERSONS_WITH_ADDRESSES, page, expanded)?;
        let sql = "SELECT COUNT(*) FROM persons WHERE id > ?1 AND id <= ?2";
        write_total(connection, body, sql, &[&range.above, &range.up_to])
    })
}

/// Answers with the body that is written with the connection of this thread.
fn answer(
    file: &str,
    write: impl FnOnce(&Connection, &mut Vec<u8>) -> Outcome,
) -> Result<Answer, Failure> {
    let mut body = Vec::with_capacity(512);
    connected(file, |connection| write(connection, &mut body))?;
    Ok(([(CONTENT_TYPE, "application/json")], body))
}

/// Lends the connection of this thread.
fn connected<T>(file: &str, use_it: impl FnOnce(&Connection) -> Outcome<T>) -> Result<T, Failure> {
    let used = CONNECTION.with_borrow_mut(|lent| use_it(opened(file, lent)?));
    used.map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}

fn opened<'a>(file: &str, lent: &'a mut Option<Connection>) -> Outcome<&'a Connection> {
    if lent.is_none() {
        let connection = Connection::open(file)?;
        connection.pragma_update(None, "cache_size", -65536)?;
        connection.busy_timeout(Duration::from_mins(1))?;
        // Without it, SQLite may plan a cached statement anew for other values of its parameters.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        *lent = Some(connection);
    }
    Ok(lent.as_ref().ok_or("there is no connection")?)
}

fn write_items(
    connection: &Connection,
    body: &mut Vec<u8>,
    sql: &str,
    parameters: impl Params,
    write: impl Fn(&mut Vec<u8>, &rusqlite::Row<'_>) -> Outcome,
) -> Outcome {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(parameters)?;
    body.extend_from_slice(br#"{"items":["#);
    let mut separator: &[u8] = b"";
    while let Some(row) = rows.next()? {
        body.extend_from_slice(separator);
        write(body, row)?;
        separator = b",";
    }
    Ok(())
}

fn write_total(
    connection: &Connection,
    body: &mut Vec<u8>,
    sql: &str,
    parameters: &[&dyn ToSql],
) -> Outcome {
    let mut statement = connection.prepare_cached(sql)?;
    let total: i64 = statement.query_row(parameters, |row| row.get(0))?;
    let end = format!(r#"],"totalItems":{total}}}"#);
    body.extend_from_slice(end.as_bytes());
    Ok(())
}
