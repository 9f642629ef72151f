//! The table `employee`.

use chrono::NaiveDateTime;
use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Employee",
    url = "/employees",
    version = "1.0",
    table = "employee",
    existing
)]
#[resource(subresource(reports_to_employee = "reports_to"))]
pub struct Employee {
    #[resource(primary_key)]
    pub employee_id: i32,
    #[resource(max_length = 20)]
    pub last_name: String,
    #[resource(max_length = 20)]
    pub first_name: String,
    #[resource(max_length = 30)]
    pub title: Option<String>,
    #[resource(references = Employee)]
    pub reports_to: Option<i32>,
    pub birth_date: Option<NaiveDateTime>,
    pub hire_date: Option<NaiveDateTime>,
    #[resource(max_length = 70)]
    pub address: Option<String>,
    #[resource(max_length = 40)]
    pub city: Option<String>,
    #[resource(max_length = 40)]
    pub state: Option<String>,
    #[resource(max_length = 40)]
    pub country: Option<String>,
    #[resource(max_length = 10)]
    pub postal_code: Option<String>,
    #[resource(max_length = 24)]
    pub phone: Option<String>,
    #[resource(max_length = 24)]
    pub fax: Option<String>,
    #[resource(max_length = 60)]
    pub email: Option<String>,
}
