//! The table `transfers`.

use resource_runtime::ApiResource;

use super::Account;

// Items are not created, because nobody but the database writes `id`, a part of the key.
#[derive(ApiResource)]
#[resource(name = "Transfer", url = "/transfers", version = "1.0", existing)]
#[resource(operations(list, retrieve, update, delete))]
#[resource(subresource(source_account = ["source", "tenant"]))]
#[resource(subresource(target = ["target_id", "tenant"]))]
pub struct Transfer {
    #[resource(primary_key, references(Account, tenant))]
    pub tenant: i32,
    #[resource(primary_key, default = database)]
    pub id: i32,
    #[resource(references(Account, number, on_delete = "cascade"))]
    pub source: i32,
    #[resource(references(Account, number))]
    pub target_id: Option<i32>,
}
