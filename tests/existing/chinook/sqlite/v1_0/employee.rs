//! The table `Employee`.

use chrono::NaiveDateTime;
use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Employee",
    url = "/employees",
    version = "1.0",
    table = "Employee",
    existing
)]
#[resource(subresource(reports_to_employee = "reports_to"))]
pub struct Employee {
    #[resource(primary_key, column = "EmployeeId")]
    pub employee_id: i64,
    #[resource(column = "LastName", max_length = 20)]
    pub last_name: String,
    #[resource(column = "FirstName", max_length = 20)]
    pub first_name: String,
    #[resource(column = "Title", max_length = 30)]
    pub title: Option<String>,
    #[resource(references = Employee, column = "ReportsTo")]
    pub reports_to: Option<i64>,
    #[resource(column = "BirthDate", stored(sqlite = space_text(0)))]
    pub birth_date: Option<NaiveDateTime>,
    #[resource(column = "HireDate", stored(sqlite = space_text(0)))]
    pub hire_date: Option<NaiveDateTime>,
    #[resource(column = "Address", max_length = 70)]
    pub address: Option<String>,
    #[resource(column = "City", max_length = 40)]
    pub city: Option<String>,
    #[resource(column = "State", max_length = 40)]
    pub state: Option<String>,
    #[resource(column = "Country", max_length = 40)]
    pub country: Option<String>,
    #[resource(column = "PostalCode", max_length = 10)]
    pub postal_code: Option<String>,
    #[resource(column = "Phone", max_length = 24)]
    pub phone: Option<String>,
    #[resource(column = "Fax", max_length = 24)]
    pub fax: Option<String>,
    #[resource(column = "Email", max_length = 60)]
    pub email: Option<String>,
}
