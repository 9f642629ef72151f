//! The table `transfers`.

use resource_runtime::ApiResource;

use super::Account;

#[derive(ApiResource)]
#[resource(name = "Transfer", url = "/transfers", version = "1.0", existing)]
#[resource(subresource(source_account = ["tenant", "source"]))]
#[resource(subresource(target = ["tenant", "target_id"]))]
pub struct Transfer {
    pub id: i64,
    #[resource(references(Account, tenant))]
    pub tenant: i64,
    #[resource(references(Account, number, on_delete = "cascade"))]
    pub source: i64,
    #[resource(references(Account, number))]
    pub target_id: Option<i64>,
}
