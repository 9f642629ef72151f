//! The table `employee_territories`.

use resource_runtime::ApiResource;

use super::{Employee, Territory};

#[derive(ApiResource)]
#[resource(
    name = "EmployeeTerritory",
    url = "/employee-territories",
    version = "1.0",
    existing
)]
#[resource(subresource(employee = "employee_id", territory = "territory_id"))]
pub struct EmployeeTerritory {
    #[resource(primary_key, references = Employee)]
    pub employee_id: i16,
    #[resource(primary_key, references = Territory, max_length = 20)]
    pub territory_id: String,
}
