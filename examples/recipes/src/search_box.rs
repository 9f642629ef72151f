//! A search box: what people type becomes a filter of the query language.
//!
//! Each word has to be somewhere in the name or the text, without regard to case. Words of people are values, whatever they
//! contain: quotes are written so that no word is taken for a part of the filter.

use resource_runtime::{Api, ApiBuilder, ApiResource};

/// An article of a shop.
#[derive(Debug, ApiResource)]
#[resource(name = "Article", url = "/articles", version = "1.0")]
pub struct Article {
    /// The key, which the database assigns.
    pub id: i64,
    /// The name.
    #[resource(max_length = 80)]
    pub name: String,
    /// Its description.
    #[resource(max_length = 2000)]
    pub text: String,
}

/// The API of the articles.
pub fn api() -> ApiBuilder {
    Api::builder().resource::<Article>()
}

/// The filter that finds what was typed; none where that is no word.
#[must_use]
pub fn filter(typed: &str) -> Option<String> {
    let conditions = typed.split_whitespace().map(|word| {
        // JSON and the query language quote alike.
        let word = serde_json::Value::from(word);
        format!("or(icontains(name,{word}),icontains(text,{word}))")
    });
    let conditions: Vec<String> = conditions.collect();
    match &*conditions {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(format!("and({})", several.join(","))),
    }
}

#[cfg(test)]
mod tests {
    use resource_runtime::new;
    use resource_testing::TestApi;

    use super::*;

    async fn found(api: &TestApi, typed: &str) -> Vec<i64> {
        let filter: String = filter(typed).map_or_else(String::new, |it| {
            let encoded = it.bytes().map(|byte| format!("%{byte:02X}"));
            format!("?filter={}", encoded.collect::<String>())
        });
        let list = api.anonymous().get(&format!("/articles{filter}")).await;
        let list = list.assert_status(200).json();
        let items = list["items"].as_array().unwrap().iter();
        items.map(|it| it["id"].as_i64().unwrap()).collect()
    }

    #[tokio::test]
    async fn each_word_is_found_wherever_it_is() {
        let api = TestApi::new(api()).await;
        for (name, text) in [
            ("Red tea", "from Assam"),
            ("Green tea", "a \"fine\" one, 100 %"),
            ("Cup", "for tea\\coffee"),
        ] {
            let article = new!(Article { name, text });
            api.items::<Article>().insert(article).await.unwrap();
        }
        for (typed, ids) in [
            ("", &[1, 2, 3][..]),
            ("TEA", &[1, 2, 3]),
            ("tea assam", &[1]),
            ("\"fine\"", &[2]),
            ("100 %", &[2]),
            ("tea\\", &[3]),
            ("x\"),eq(id,1", &[]),
        ] {
            assert_eq!(found(&api, typed).await, ids, "{typed}");
        }
    }
}
