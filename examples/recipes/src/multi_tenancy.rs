//! Shows each tenant its own items alone, and counts the items of each tenant.
//!
//! Several customers share one service and one table, and none may see or change what belongs to another. The tenant is
//! the owner of an item, by a claim of the caller's token, so the service itself keeps the rule in every operation and
//! in routes of your own; administrators of the system are exempt by their scope.

use std::collections::BTreeMap;

use axum::Router;
use axum::routing::get;
use resource_runtime::handlers::{Access, Reply};
use resource_runtime::{Api, ApiBuilder, ApiResource, Error};

/// An item of a tenant.
#[derive(Debug, ApiResource)]
#[resource(name = "Item", url = "/items", version = "1.0")]
#[resource(scopes(read = "items.read", write = "items.write"))]
#[resource(owner(field = "tenant", claim = "tenant", bypass = "system.admin"))]
pub struct Item {
    /// The key, which the database assigns.
    pub id: i64,
    /// The name.
    #[resource(max_length = 80)]
    pub name: String,
    /// The tenant that it belongs to; the service sets it from the caller's token.
    #[resource(max_length = 40, index)]
    pub tenant: String,
}

/// The API; the service adds the authenticator of its tokens by `ApiBuilder::authorization`.
pub fn api() -> ApiBuilder {
    let routes = Router::new().route("/tenants/counts", get(count_per_tenant));
    Api::builder().resource::<Item>().routes(routes)
}

/// Answers the number of items of each tenant whose items the caller may read.
///
/// It goes from tenant to tenant along the index, so it reads no item but the first of each tenant.
async fn count_per_tenant(access: Access) -> Result<Reply<BTreeMap<String, u64>>, Error> {
    let items = access.items::<Item>();
    let mut counts = BTreeMap::new();
    let mut next = items.order_by(Item::TENANT.asc()).first().await?;
    while let Some(tenant) = next.and_then(|item| item.get(Item::TENANT)) {
        let count = items.filter(Item::TENANT.eq(&tenant)).count().await?;
        let later = items.filter(Item::TENANT.gt(&tenant));
        next = later.order_by(Item::TENANT.asc()).first().await?;
        counts.insert(tenant, count);
    }
    Ok(Reply::ok(counts))
}

#[cfg(test)]
mod tests {
    use resource_runtime::new;
    use resource_testing::{Client, TestApi};
    use serde_json::json;

    use super::*;

    async fn with_items() -> TestApi {
        let api = TestApi::new(api()).await;
        for (name, tenant) in [("tea", "acme"), ("cup", "acme"), ("pot", "zoo")] {
            api.items::<Item>()
                .insert(new!(Item { name, tenant }))
                .await
                .unwrap();
        }
        api
    }

    fn user_of(api: &TestApi, tenant: &str) -> Client {
        let ann = api.as_user("ann", ["items.read", "items.write"]);
        ann.with_claim("tenant", tenant)
    }

    fn administrator(api: &TestApi) -> Client {
        api.as_user("root", ["items.read", "items.write", "system.admin"])
    }

    #[tokio::test]
    async fn users_see_and_change_the_items_of_their_tenant_alone() {
        let api = with_items().await;
        let acme = user_of(&api, "acme");
        assert_eq!(acme.get("/items").await.json()["totalItems"], 2);
        acme.put("/items/1", json!({"name": "green tea"}))
            .await
            .assert_status(204);
        acme.get("/items/3").await.assert_error(404, 10001);
        acme.put("/items/3", json!({"name": "mine"}))
            .await
            .assert_error(404, 10001);
        acme.delete("/items/3").await.assert_error(404, 10001);

        acme.post("/items", json!({"name": "milk"}))
            .await
            .assert_status(201);
        let milk = json!({"id": 4, "name": "milk", "tenant": "acme"});
        acme.get("/items/4")
            .await
            .assert_status(200)
            .assert_json(milk);
        user_of(&api, "zoo")
            .get("/items/4")
            .await
            .assert_error(404, 10001);
        let foreign = json!({"name": "milk", "tenant": "zoo"});
        acme.post("/items", foreign).await.assert_error(400, 10010);
    }

    #[tokio::test]
    async fn administrators_see_and_change_all_items() {
        let api = with_items().await;
        let root = administrator(&api);
        assert_eq!(root.get("/items").await.json()["totalItems"], 3);
        root.put("/items/3", json!({"tenant": "acme"}))
            .await
            .assert_status(204);
        root.post("/items", json!({"name": "hay", "tenant": "zoo"}))
            .await
            .assert_status(201);
        // An item whose tenant the body does not name is one of the administrator's own tenant, if there is one.
        let unnamed = json!({"name": "straw"});
        root.post("/items", &unnamed).await.assert_error(400, 10010);
        let root_of_zoo = root.with_claim("tenant", "zoo");
        root_of_zoo
            .post("/items", &unnamed)
            .await
            .assert_status(201);
        let straw = json!({"id": 5, "name": "straw", "tenant": "zoo"});
        root.get("/items/5").await.assert_json(straw);
    }

    #[tokio::test]
    async fn the_counts_are_those_of_the_items_that_the_caller_may_read() {
        let api = with_items().await;
        let counts = |client: Client| async move {
            client
                .absolute()
                .get("/tenants/counts")
                .await
                .assert_status(200)
                .json()
        };
        assert_eq!(
            counts(administrator(&api)).await,
            json!({"acme": 2, "zoo": 1})
        );
        assert_eq!(counts(user_of(&api, "zoo")).await, json!({"zoo": 1}));
        assert_eq!(counts(user_of(&api, "new")).await, json!({}));
        api.anonymous()
            .absolute()
            .get("/tenants/counts")
            .await
            .assert_status(401);
        api.as_user("ann", [])
            .absolute()
            .get("/tenants/counts")
            .await
            .assert_status(403);
    }
}
