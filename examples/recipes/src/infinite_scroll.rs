//! Reads a list page by page as its reader scrolls, while others add and delete items.
//!
//! Pages by `offset` move when items come or go: some are shown twice, some never. Here each page names the cursor of the
//! next one, which begins behind the last item that was shown. A page whose answer is lost is read again. Nothing is
//! counted, as a list without an end shows no total.

use axum::body::Bytes;
use axum::http::{Request, Response, StatusCode};
use resource_runtime::{Api, ApiBuilder, ApiResource};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::{Failure, refusal};

/// A post of a forum.
#[derive(Debug, ApiResource)]
#[resource(name = "Post", url = "/posts", version = "1.0")]
#[resource(count(none))]
pub struct Post {
    /// The key, which the database assigns.
    pub id: i64,
    /// The day, counted from the first of the forum; many posts share it.
    #[resource(index)]
    pub day: i64,
}

/// The API of the forum.
pub fn api() -> ApiBuilder {
    Api::builder().resource::<Post>()
}

/// A place in a list.
#[derive(Debug)]
pub struct Scroll {
    list: String,
    /// The cursor of the next page; `None` at the end.
    next: Option<String>,
}

#[derive(Deserialize)]
struct Page<T> {
    items: Vec<T>,
    next: Option<String>,
}

impl Scroll {
    /// Begins at the top of a list, whose parameters stay the same: `/api/1.0/posts?order=desc(day)&limit=20`.
    #[must_use]
    pub fn new(list: &str) -> Self {
        let (list, next) = (list.to_owned(), Some("start".to_owned()));
        Self { list, next }
    }

    /// Reads the next page, which is empty at the end of the list; `send` is any HTTP client. After a failure, the next
    /// call reads the same page.
    pub async fn more<T: DeserializeOwned>(
        &mut self,
        send: impl AsyncFn(Request<String>) -> Result<Response<Bytes>, Failure>,
    ) -> Result<Vec<T>, Failure> {
        let Some(cursor) = &self.next else {
            return Ok(Vec::new());
        };
        let path = format!("{}&count=none&cursor={cursor}", self.list);
        let answer = send(Request::get(path).body(String::new())?).await?;
        if answer.status() != StatusCode::OK {
            return Err(refusal(&answer));
        }
        let page: Page<T> = serde_json::from_slice(answer.body())?;
        self.next = page.next;
        Ok(page.items)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use resource_runtime::new;
    use resource_testing::TestApi;
    use serde_json::Value;

    use super::*;
    use crate::answer;

    const LIST: &str = "/api/1.0/posts?order=desc(day)&limit=7";

    #[tokio::test]
    async fn each_post_is_shown_once_while_others_post_and_delete() {
        let api = TestApi::new(api()).await;
        let posts = api.items::<Post>();
        let old = (0..60).map(|number| new!(Post { day: number / 8 }));
        let old: Vec<_> = old.collect();
        posts.without_hooks().insert_all(old).await.unwrap();
        let send = async |request| Ok(answer(&api, request).await);
        let lose = async |request| Err(format!("lost: {:?}", answer(&api, request).await).into());
        let (mut scroll, mut shown) = (Scroll::new(LIST), Vec::new());
        for _ in 0..50 {
            // At the end, nothing is sent that could be lost.
            if scroll.more::<Value>(lose).await.is_ok() {
                break;
            }
            let page = scroll.more::<Value>(send).await.unwrap();
            // A shown post is deleted, and posts come above it and below it.
            posts.delete(page[0]["id"].as_i64().unwrap()).await.unwrap();
            for day in [100, 100, 3] {
                posts.insert(new!(Post { day })).await.unwrap();
            }
            shown.extend(page.iter().map(|post| post["id"].as_i64().unwrap()));
        }
        let end = scroll.more::<Value>(lose).await;
        assert!(end.is_ok(), "no end after {shown:?}");
        let once = BTreeSet::from_iter(shown.clone());
        assert_eq!(once.len(), shown.len(), "{shown:?}");
        assert!(once.is_superset(&(1..=60).collect()), "{shown:?}");
    }
}
