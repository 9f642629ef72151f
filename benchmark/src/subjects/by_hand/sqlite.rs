//! The service by hand on SQLite: routes, handlers and SQL.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{HeaderName, LOCATION};
use axum::routing::get;
use axum::{Json, Router};
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};

use super::PERSONS_WITH_ADDRESSES;
use super::failure::Failure;
use super::items::{ExpandedPerson, JoinedPerson, Page, Person, Setting};
use super::requests::{NewSetting, Paging, PersonFilter, PersonRange, SettingChange};
use crate::Outcome;

pub(super) async fn router(url: &str) -> Outcome<Router> {
    let options: SqliteConnectOptions = url.parse()?;
    let options = options
        // The settings that the service through the derive has by default, so that commits cost the same.
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full);
    let pool = SqlitePoolOptions::new().max_connections(10);
    let pool = pool.connect_with(options).await?;
    Ok(Router::new()
        .route("/api/1.0/settings", get(list_settings).post(create_setting))
        .route(
            "/api/1.0/settings/{id}",
            get(retrieve_setting).put(update_setting),
        )
        .route("/api/1.0/persons", get(find_persons))
        .route("/api/1.0/persons/expanded", get(expand_persons))
        .with_state(pool))
}

async fn retrieve_setting(
    State(pool): State<SqlitePool>,
    Path(id): Path<i64>,
) -> Result<Json<Setting>, Failure> {
    let setting = sqlx::query_as("SELECT id, name, value FROM settings WHERE id = $1")
        .bind(id)
        .fetch_optional(&pool)
        .await?;
    setting.map(Json).ok_or(Failure::NoSuchItem)
}

async fn list_settings(
    State(pool): State<SqlitePool>,
    Query(paging): Query<Paging>,
) -> Result<Json<Page<Setting>>, Failure> {
    paging.check()?;
    let items =
        sqlx::query_as("SELECT id, name, value FROM settings ORDER BY id LIMIT $1 OFFSET $2")
            .bind(paging.limit)
            .bind(paging.offset)
            .fetch_all(&pool)
            .await?;
    let total_items = sqlx::query_scalar("SELECT COUNT(*) FROM settings")
        .fetch_one(&pool)
        .await?;
    Ok(Json(Page { items, total_items }))
}

async fn create_setting(
    State(pool): State<SqlitePool>,
    Json(setting): Json<NewSetting>,
) -> Result<(StatusCode, [(HeaderName, String); 1]), Failure> {
    setting.check()?;
    let id: i64 =
        sqlx::query_scalar("INSERT INTO settings (name, value) VALUES ($1, $2) RETURNING id")
            .bind(&setting.name)
            .bind(&setting.value)
            .fetch_one(&pool)
            .await?;
    let location = format!("/api/1.0/settings/{id}");
    Ok((StatusCode::CREATED, [(LOCATION, location)]))
}

async fn update_setting(
    State(pool): State<SqlitePool>,
    Path(id): Path<i64>,
    Json(change): Json<SettingChange>,
) -> Result<StatusCode, Failure> {
    change.check()?;
    let done = sqlx::query(
        "UPDATE settings SET name = COALESCE($1, name), value = COALESCE($2, value) WHERE id = $3",
    )
    .bind(&change.name)
    .bind(&change.value)
    .bind(id)
    .execute(&pool)
    .await?;
    match done.rows_affected() {
        0 => Err(Failure::NoSuchItem),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

async fn find_persons(
    State(pool): State<SqlitePool>,
    Query(filter): Query<PersonFilter>,
    Query(paging): Query<Paging>,
) -> Result<Json<Page<Person>>, Failure> {
    paging.check()?;
    let items = sqlx::query_as(
        "SELECT id, first_name, last_name, bill_address_id, ship_address_id FROM persons \
         WHERE last_name = $1 AND id > $2 ORDER BY id DESC LIMIT $3 OFFSET $4",
    )
    .bind(&filter.last_name)
    .bind(filter.above)
    .bind(paging.limit)
    .bind(paging.offset)
    .fetch_all(&pool)
    .await?;
    let total_items =
        sqlx::query_scalar("SELECT COUNT(*) FROM persons WHERE last_name = $1 AND id > $2")
            .bind(&filter.last_name)
            .bind(filter.above)
            .fetch_one(&pool)
            .await?;
    Ok(Json(Page { items, total_items }))
}

async fn expand_persons(
    State(pool): State<SqlitePool>,
    Query(range): Query<PersonRange>,
    Query(paging): Query<Paging>,
) -> Result<Json<Page<ExpandedPerson>>, Failure> {
    paging.check()?;
    let rows: Vec<JoinedPerson> = sqlx::query_as(PERSONS_WITH_ADDRESSES)
        .bind(range.above)
        .bind(range.up_to)
        .bind(paging.limit)
        .bind(paging.offset)
        .fetch_all(&pool)
        .await?;
    let total_items = sqlx::query_scalar("SELECT COUNT(*) FROM persons WHERE id > $1 AND id <= $2")
        .bind(range.above)
        .bind(range.up_to)
        .fetch_one(&pool)
        .await?;
    let items = rows.into_iter().map(ExpandedPerson::from).collect();
    Ok(Json(Page { items, total_items }))
}
