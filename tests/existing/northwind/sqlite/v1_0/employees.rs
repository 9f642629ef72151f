//! The table `Employees`.

use chrono::{NaiveDate, NaiveDateTime};
use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Employee",
    url = "/employees",
    version = "1.0",
    table = "Employees",
    existing
)]
#[resource(subresource(reports_to_employee = "reports_to"))]
pub struct Employee {
    #[resource(primary_key, column = "EmployeeID")]
    pub employee_id: i64,
    #[resource(column = "LastName")]
    pub last_name: String,
    #[resource(column = "FirstName")]
    pub first_name: String,
    #[resource(column = "Title")]
    pub title: Option<String>,
    #[resource(column = "BirthDate")]
    pub birth_date: Option<NaiveDate>,
    #[resource(column = "HireDate", stored(sqlite = space_text(0)))]
    pub hire_date: Option<NaiveDateTime>,
    #[resource(column = "HomePhone")]
    pub home_phone: Option<String>,
    #[resource(column = "Photo")]
    pub photo: Option<Vec<u8>>,
    #[resource(column = "Notes")]
    pub notes: Option<String>,
    #[resource(references(Employee, on_delete = "set_null"), column = "ReportsTo")]
    pub reports_to: Option<i64>,
    #[resource(column = "PasswordHash", write_only)]
    pub password_hash: Option<String>,
    #[resource(column = "FullName", computed)]
    pub full_name: Option<String>,
}
