//! Many to many: articles have tags, and tags have articles.
//!
//! The pairs are a resource of their own, whose key is both references: the same pair cannot be stored twice, `PUT` adds one
//! whether it is there or not, and each side has the collection of its pairs.

use resource_runtime::{Api, ApiBuilder, ApiResource};

/// An article.
#[derive(Debug, ApiResource)]
#[resource(name = "Article", url = "/articles", version = "1.0")]
#[resource(collection(taggings = Tagging::ARTICLE_ID))]
pub struct Article {
    /// The key, which the database assigns.
    pub id: i64,
    /// The title.
    #[resource(max_length = 80)]
    pub title: String,
}

/// A tag.
#[derive(Debug, ApiResource)]
#[resource(name = "Tag", url = "/tags", version = "1.0")]
#[resource(collection(taggings = Tagging::TAG_ID))]
pub struct Tag {
    /// The key, which the client chooses.
    #[resource(assigned, max_length = 40)]
    pub id: String,
}

/// A tag of an article.
#[derive(Debug, ApiResource)]
#[resource(name = "Tagging", url = "/taggings", version = "1.0")]
#[resource(operations(list, retrieve, create, update, delete, upsert))]
#[resource(subresource(article = "article_id", tag = "tag_id"))]
pub struct Tagging {
    /// The article.
    #[resource(primary_key, references = Article)]
    pub article_id: i64,
    /// The tag.
    #[resource(primary_key, references = Tag, max_length = 40)]
    pub tag_id: String,
}

/// The API of articles, tags and their pairs.
pub fn api() -> ApiBuilder {
    Api::builder()
        .resource::<Article>()
        .resource::<Tag>()
        .resource::<Tagging>()
}

#[cfg(test)]
mod tests {
    use resource_testing::TestApi;
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn both_sides_find_each_other() {
        let api = TestApi::new(api()).await;
        let client = api.anonymous();
        for title in ["Tea", "Coffee"] {
            client
                .post("/articles", json!({"title": title}))
                .await
                .assert_status(201);
        }
        for tag in ["hot", "green"] {
            client
                .post("/tags", json!({"id": tag}))
                .await
                .assert_status(201);
        }
        for (pair, status) in [
            ("1,hot", 201),
            ("1,green", 201),
            ("2,hot", 201),
            ("2,hot", 204),
        ] {
            let path = format!("/taggings/{pair}");
            client.put(&path, json!({})).await.assert_status(status);
        }
        let tagged = client
            .get("/articles?filter=has(taggings,eq(tag_id,%22green%22))")
            .await;
        let tagged = tagged.assert_status(200).json();
        assert_eq!(tagged["items"], json!([{"id": 1, "title": "Tea"}]));
        let hot = client
            .get("/taggings?filter=eq(tag_id,%22hot%22)&fields=article(title)")
            .await;
        let titles = json!([{"article": {"title": "Tea"}}, {"article": {"title": "Coffee"}}]);
        assert_eq!(hot.assert_status(200).json()["items"], titles);
        client.delete("/taggings/1,hot").await.assert_status(204);
        client.delete("/articles/2").await.assert_error(400, 10020);
    }
}
