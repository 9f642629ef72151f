//! A resource by hand, with axum and sqlx: its item, its routes and its SQL.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{HeaderName, LOCATION};
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, SqlitePool};

use crate::common::{Failure, Page, Paging};

#[derive(Serialize, FromRow)]
pub struct Item {
    id: i64,
    name: String,
    description: Option<String>,
    amount: i32,
    weight: f64,
    active: bool,
    position: Option<i64>,
    note: Option<String>,
}

#[derive(Deserialize)]
pub struct NewItem {
    name: String,
    description: Option<String>,
    amount: i32,
    weight: f64,
    active: bool,
    position: Option<i64>,
    note: Option<String>,
}

#[derive(Deserialize)]
pub struct ItemChange {
    name: Option<String>,
    description: Option<String>,
    amount: Option<i32>,
    weight: Option<f64>,
    active: Option<bool>,
    position: Option<i64>,
    note: Option<String>,
}

pub fn routes() -> Router<SqlitePool> {
    Router::new()
        .route("/api/1.0/items/* number */", get(list).post(create))
        .route("/api/1.0/items/* number *//{id}", get(retrieve).put(update).delete(delete))
}

fn check(name: &str, description: Option<&str>) -> Result<(), Failure> {
    if name.chars().count() > /* limit */ {
        return Err(Failure::Invalid("`name` is too long"));
    }
    if description.is_some_and(|it| it.chars().count() > 200) {
        return Err(Failure::Invalid("`description` is too long"));
    }
    Ok(())
}

async fn list(
    State(pool): State<SqlitePool>,
    Query(paging): Query<Paging>,
) -> Result<Json<Page<Item>>, Failure> {
    let items = sqlx::query_as(
        "SELECT id, name, description, amount, weight, active, position, note \
         FROM items/* number */ ORDER BY id LIMIT $1 OFFSET $2",
    )
    .bind(paging.limit)
    .bind(paging.offset)
    .fetch_all(&pool)
    .await?;
    let total_items = sqlx::query_scalar("SELECT COUNT(*) FROM items/* number */")
        .fetch_one(&pool)
        .await?;
    Ok(Json(Page { items, total_items }))
}

async fn retrieve(
    State(pool): State<SqlitePool>,
    Path(id): Path<i64>,
) -> Result<Json<Item>, Failure> {
    let item = sqlx::query_as(
        "SELECT id, name, description, amount, weight, active, position, note \
         FROM items/* number */ WHERE id = $1",
    )
    .bind(id)
    .fetch_optional(&pool)
    .await?;
    item.map(Json).ok_or(Failure::NoSuchItem)
}

async fn create(
    State(pool): State<SqlitePool>,
    Json(item): Json<NewItem>,
) -> Result<(StatusCode, [(HeaderName, String); 1]), Failure> {
    check(&item.name, item.description.as_deref())?;
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO items/* number */ (name, description, amount, weight, active, position, note) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
    )
    .bind(&item.name)
    .bind(&item.description)
    .bind(item.amount)
    .bind(item.weight)
    .bind(item.active)
    .bind(item.position)
    .bind(&item.note)
    .fetch_one(&pool)
    .await?;
    let location = format!("/api/1.0/items/* number *//{id}");
    Ok((StatusCode::CREATED, [(LOCATION, location)]))
}

async fn update(
    State(pool): State<SqlitePool>,
    Path(id): Path<i64>,
    Json(change): Json<ItemChange>,
) -> Result<StatusCode, Failure> {
    check(change.name.as_deref().unwrap_or_default(), change.description.as_deref())?;
    let done = sqlx::query(
        "UPDATE items/* number */ SET name = COALESCE($1, name), description = COALESCE($2, description), \
         amount = COALESCE($3, amount), weight = COALESCE($4, weight), active = COALESCE($5, active), \
         position = COALESCE($6, position), note = COALESCE($7, note) WHERE id = $8",
    )
    .bind(&change.name)
    .bind(&change.description)
    .bind(change.amount)
    .bind(change.weight)
    .bind(change.active)
    .bind(change.position)
    .bind(&change.note)
    .bind(id)
    .execute(&pool)
    .await?;
    status(done.rows_affected())
}

async fn delete(
    State(pool): State<SqlitePool>,
    Path(id): Path<i64>,
) -> Result<StatusCode, Failure> {
    let done = sqlx::query("DELETE FROM items/* number */ WHERE id = $1")
        .bind(id)
        .execute(&pool)
        .await?;
    status(done.rows_affected())
}

fn status(rows: u64) -> Result<StatusCode, Failure> {
    match rows {
        0 => Err(Failure::NoSuchItem),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}
