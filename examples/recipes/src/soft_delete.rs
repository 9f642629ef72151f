//! Keeps deleted notes in a trash, from which their owner restores them.
//!
//! People delete what they need again, and a backup of the whole database does not bring one item back. Here a deletion
//! keeps the row: one route lists the trash of the caller, another restores an item of it, and a job removes what has
//! been there for 30 days.

use std::time::Duration;

use axum::Router;
use axum::routing::{get, post};
use chrono::{DateTime, Utc};
use resource_runtime::handlers::{Access, Partial, Path, Reply};
use resource_runtime::{Api, ApiBuilder, ApiResource, CustomError, Error, Filter, Principal};

/// A note of a user.
#[derive(Debug, ApiResource)]
#[resource(
    name = "Note",
    url = "/notes",
    version = "1.0",
    unique(owner_id, title)
)]
#[resource(scopes, owner(field = "owner_id"))]
pub struct Note {
    /// The key, which the database assigns.
    pub id: i64,
    /// The title, which no other note of the owner has.
    #[resource(max_length = 80)]
    pub title: String,
    /// The user that it belongs to; the service sets it from the caller's token.
    #[resource(max_length = 40)]
    pub owner_id: String,
    /// The moment of its deletion; clients never see it.
    #[resource(soft_delete, index)]
    pub deleted_at: Option<DateTime<Utc>>,
}

/// A note in the trash, as its owner sees it.
#[derive(Debug, serde::Serialize)]
pub struct DeletedNote {
    /// The key of the note.
    pub id: i64,
    /// Its title.
    pub title: String,
    /// The moment of its deletion.
    pub deleted_at: Option<DateTime<Utc>>,
}

/// The refusal to restore what is not in the caller's trash.
pub const NOT_IN_TRASH: CustomError = CustomError::new(20000, 404, "No such note in the trash");

/// The time for which a note stays in the trash.
pub const KEPT: Duration = Duration::from_hours(30 * 24);
const POLL: Duration = Duration::from_hours(1);

/// The API; the service adds the authenticator of its tokens by `ApiBuilder::authorization`.
pub fn api() -> ApiBuilder {
    let routes = Router::new()
        .route("/trash", get(list))
        .route("/trash/{id}/restoration", post(restore));
    let builder = Api::builder().resource::<Note>().routes(routes);
    builder.errors(&[NOT_IN_TRASH])
}

/// The deleted notes of the caller. The system alone sees deleted items, so the owner is a part of the filter.
fn trash_of(access: &Access) -> Filter<Note> {
    let owner = access.principal().map(Principal::subject);
    Note::OWNER_ID.is_in(owner).and(!Note::DELETED_AT.is_null())
}

/// Answers the 100 notes that the caller deleted last.
async fn list(access: Access) -> Result<Reply<Vec<DeletedNote>>, Error> {
    access.require_scope("note.read")?;
    let notes = access.api().items::<Note>().with_deleted();
    let latest = notes
        .filter(trash_of(&access))
        .order_by(Note::DELETED_AT.desc());
    let trash = latest.limit(100).all().await?;
    let shown = |note: Note| DeletedNote {
        id: note.id,
        title: note.title,
        deleted_at: note.deleted_at,
    };
    Ok(Reply::ok(trash.into_iter().map(shown).collect()))
}

/// Restores a note of the caller's trash, and answers it; 400 if the caller has a note of the same title again.
async fn restore(access: Access, Path(id): Path<i64>) -> Result<Reply<Partial<Note>>, Error> {
    access.require_scope("note.write")?;
    // The reply reads the note: whoever may not read it is refused before the write, not after it.
    access.require_scope("note.read")?;
    let missing = || NOT_IN_TRASH.because(format!("there is no note {id} in your trash"));
    // No note changes its owner, so the two statements need no transaction.
    let notes = access.api().items::<Note>().with_deleted();
    let wanted = notes.filter(Note::ID.eq(id).and(trash_of(&access)));
    if !wanted.exists().await? {
        return Err(missing());
    }
    notes.update(id).set(Note::DELETED_AT, None).await?;
    let note = access.items::<Note>().get(id).await?;
    Ok(Reply::ok(note.ok_or_else(missing)?))
}

/// Empties the trash until the service stops, as a task of its own: `tokio::spawn(run(api))`.
pub async fn run(api: Api) -> Result<(), Error> {
    loop {
        match empty_trash(&api).await {
            Err(error) if !error.is_retryable() => return Err(error),
            _ => {}
        }
        tokio::select! {
            biased;
            () = api.stopping() => return Ok(()),
            () = tokio::time::sleep(POLL) => {}
        }
    }
}

/// Removes the notes that have been in the trash for 30 days, and returns their number.
pub async fn empty_trash(api: &Api) -> Result<u64, Error> {
    let end: DateTime<Utc> = (api.now() - KEPT).into();
    let notes = api.items::<Note>().with_deleted().without_hooks();
    notes.filter(Note::DELETED_AT.le(end)).delete_all().await
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::Request;
    use resource_runtime::new;
    use resource_testing::{Client, TestApi, TestResponse};
    use serde_json::json;

    use super::*;

    /// Notes of two users, whose first ones are deleted.
    async fn with_trash() -> (TestApi, Client) {
        let api = TestApi::new(api()).await;
        for (title, owner_id) in [("tea", "ann"), ("cup", "ann"), ("pot", "ben")] {
            let note = new!(Note { title, owner_id });
            api.items::<Note>().insert(note).await.unwrap();
        }
        api.items::<Note>().delete(3).await.unwrap();
        let ann = user(&api, "ann");
        ann.delete("/notes/1").await.assert_status(204);
        (api, ann)
    }

    fn user(api: &TestApi, name: &str) -> Client {
        api.as_user(name, ["note.read", "note.write"])
    }

    async fn send_restoration(client: &Client, note: i64) -> TestResponse {
        let request = Request::post(format!("/trash/{note}/restoration"));
        client.request(request.body(Body::empty()).unwrap()).await
    }

    async fn titles_in_trash(client: &Client) -> Vec<String> {
        let trash = client.absolute().get("/trash").await;
        let trash = trash.assert_status(200).json();
        let notes = trash.as_array().unwrap().iter();
        notes
            .map(|note| note["title"].as_str().unwrap().to_owned())
            .collect()
    }

    #[tokio::test]
    async fn users_see_and_restore_what_they_deleted() {
        let (api, ann) = with_trash().await;
        ann.get("/notes/1").await.assert_error(404, 10001);
        let deleted_at: DateTime<Utc> = api.now().into();
        let tea = json!([{"id": 1, "title": "tea", "deleted_at": deleted_at}]);
        ann.absolute()
            .get("/trash")
            .await
            .assert_status(200)
            .assert_json(tea);

        let tea = json!({"id": 1, "title": "tea", "owner_id": "ann"});
        let restored = send_restoration(&ann, 1).await;
        restored.assert_status(200).assert_json(&tea);
        ann.get("/notes/1")
            .await
            .assert_status(200)
            .assert_json(&tea);
        assert!(titles_in_trash(&ann).await.is_empty());
        let again = send_restoration(&ann, 1).await;
        again.assert_error(404, 20000);
    }

    #[tokio::test]
    async fn the_trash_of_others_does_not_exist() {
        let (api, ann) = with_trash().await;
        let ben = user(&api, "ben");
        assert_eq!(titles_in_trash(&ben).await, ["pot"]);
        let restored = send_restoration(&ann, 3).await;
        restored.assert_error(404, 20000);
        for scope in ["note.read", "note.write"] {
            let restored = send_restoration(&api.as_user("ann", [scope]), 1).await;
            restored.assert_error(403, 12110);
        }
        assert_eq!(titles_in_trash(&ann).await, ["tea"]);
        api.anonymous()
            .absolute()
            .get("/trash")
            .await
            .assert_status(401);
    }

    #[tokio::test]
    async fn a_note_whose_title_is_taken_again_stays_in_the_trash() {
        let (_api, ann) = with_trash().await;
        ann.post("/notes", json!({"title": "tea"}))
            .await
            .assert_status(201);
        let restored = send_restoration(&ann, 1).await;
        restored.assert_error(400, 10030);
        assert_eq!(titles_in_trash(&ann).await, ["tea"]);
    }

    #[tokio::test]
    async fn the_trash_is_emptied_after_30_days() {
        let (api, ann) = with_trash().await;
        api.clock().advance(Duration::from_hours(29 * 24));
        ann.delete("/notes/2").await.assert_status(204);
        assert_eq!(empty_trash(&api).await.unwrap(), 0);
        api.clock().advance(Duration::from_hours(24));
        assert_eq!(empty_trash(&api).await.unwrap(), 2);
        assert_eq!(titles_in_trash(&ann).await, ["cup"]);
        let restored = send_restoration(&ann, 1).await;
        restored.assert_error(404, 20000);
    }
}
