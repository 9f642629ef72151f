//! The table `EmployeeTerritories`.

use resource_runtime::ApiResource;

use super::{Employee, Territory};

#[derive(ApiResource)]
#[resource(
    name = "EmployeeTerritory",
    url = "/employee-territories",
    version = "1.0",
    table = "EmployeeTerritories",
    existing
)]
#[resource(subresource(employee = "employee_id", territory = "territory_id"))]
pub struct EmployeeTerritory {
    #[resource(
        primary_key,
        references(Employee, on_delete = "cascade"),
        column = "EmployeeID"
    )]
    pub employee_id: i64,
    #[resource(
        primary_key,
        references(Territory, on_delete = "cascade"),
        column = "TerritoryID"
    )]
    pub territory_id: String,
}
