//! Edits an item in a form that never overwrites what others changed.
//!
//! Two people open the same contact, both save, and the first change is lost without a word. Here the form keeps the
//! entity tag of what it shows, and sends only what its user changed, on condition that the item is still the same.
//! Otherwise it reads the item again and shows both values, so that its user decides.

use axum::body::Bytes;
use axum::http::header::{CONTENT_TYPE, ETAG, IF_MATCH};
use axum::http::{HeaderValue, Request, Response, StatusCode};
use resource_runtime::{Api, ApiBuilder, ApiResource};
use serde_json::{Map, Value};

use crate::{Failure, refusal};

/// A contact of a company.
#[derive(Debug, ApiResource)]
#[resource(name = "Contact", url = "/contacts", version = "1.0")]
#[resource(require_if_match)]
pub struct Contact {
    /// The key, which the database assigns.
    pub id: i64,
    /// The name.
    #[resource(max_length = 80)]
    pub name: String,
    /// The number of the telephone.
    #[resource(max_length = 20)]
    pub phone: String,
}

/// The API of the contacts.
pub fn api() -> ApiBuilder {
    Api::builder().resource::<Contact>()
}

/// A form with an item, as it was read.
#[derive(Debug)]
pub struct Form {
    /// The attributes of the item.
    pub shown: Map<String, Value>,
    path: String,
    tag: HeaderValue,
}

impl Form {
    /// Reads an item; `send` is any HTTP client.
    pub async fn open(
        send: &impl AsyncFn(Request<String>) -> Result<Response<Bytes>, Failure>,
        path: &str,
    ) -> Result<Self, Failure> {
        let answer = send(Request::get(path).body(String::new())?).await?;
        if answer.status() != StatusCode::OK {
            return Err(refusal(&answer));
        }
        let tag = answer.headers().get(ETAG).ok_or("no entity tag")?.clone();
        let (shown, path) = (serde_json::from_slice(answer.body())?, path.to_owned());
        Ok(Self { shown, path, tag })
    }

    /// Stores what the user changed, or returns the attributes whose stored value is another, with this value. In both
    /// cases the form then shows the stored item, so saving once more is a decision for the user's own values.
    pub async fn save(
        &mut self,
        send: &impl AsyncFn(Request<String>) -> Result<Response<Bytes>, Failure>,
        changes: &Map<String, Value>,
    ) -> Result<Vec<(String, Value)>, Failure> {
        let request = Request::patch(&self.path).header(IF_MATCH, &self.tag);
        let request = request.header(CONTENT_TYPE, "application/merge-patch+json");
        let answer = send(request.body(serde_json::to_string(changes)?)?).await?;
        let stale = answer.status() == StatusCode::PRECONDITION_FAILED;
        if !stale && !answer.status().is_success() {
            return Err(refusal(&answer));
        }
        *self = Self::open(send, &self.path).await?;
        // If the answer to an earlier attempt was lost, the item has the values of the form already.
        let conflicts = changes.iter().filter_map(|(attribute, mine)| {
            let theirs = self.shown.get(attribute);
            let is_conflict = stale && theirs != Some(mine);
            is_conflict.then(|| (attribute.clone(), theirs.cloned().unwrap_or_default()))
        });
        Ok(conflicts.collect())
    }
}

#[cfg(test)]
mod tests {
    use resource_testing::TestApi;
    use serde_json::json;

    use super::*;
    use crate::answer;

    const PATH: &str = "/api/1.0/contacts/1";

    #[tokio::test]
    async fn a_form_shows_the_change_of_another_before_it_stores_its_own() {
        let api = TestApi::new(api()).await;
        let phone = |number: &str| Map::from_iter([("phone".to_owned(), json!(number))]);
        let ann = json!({"name": "Ann", "phone": "1"});
        let created = api.anonymous().post("/contacts", ann).await;
        created.assert_status(201);
        let stored = async || api.items::<Contact>().get(1).await.unwrap().unwrap().phone;
        let send = async |request| Ok(answer(&api, request).await);
        let mut first = Form::open(&send, PATH).await.unwrap();
        let mut second = Form::open(&send, PATH).await.unwrap();
        assert_eq!(first.save(&send, &phone("2")).await.unwrap(), []);
        let conflicts = second.save(&send, &phone("3")).await.unwrap();
        assert_eq!(conflicts, [("phone".to_owned(), json!("2"))]);
        assert_eq!(stored().await, "2");
        assert_eq!(second.save(&send, &phone("3")).await.unwrap(), []);
        assert_eq!(stored().await, "3");
        let lose = async |request| {
            answer(&api, request).await;
            Err::<Response<Bytes>, Failure>("no answer".into())
        };
        second.save(&lose, &phone("4")).await.unwrap_err();
        assert_eq!(second.save(&send, &phone("4")).await.unwrap(), []);
        assert_eq!(stored().await, "4");
    }
}
