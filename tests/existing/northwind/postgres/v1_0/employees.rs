//! The table `employees`.

use chrono::NaiveDate;
use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(name = "Employee", url = "/employees", version = "1.0", existing)]
#[resource(subresource(reports_to_employee = "reports_to"))]
pub struct Employee {
    #[resource(primary_key, assigned)]
    pub employee_id: i16,
    #[resource(max_length = 20)]
    pub last_name: String,
    #[resource(max_length = 10)]
    pub first_name: String,
    #[resource(max_length = 30)]
    pub title: Option<String>,
    pub birth_date: Option<NaiveDate>,
    pub hire_date: Option<NaiveDate>,
    #[resource(max_length = 24)]
    pub home_phone: Option<String>,
    pub photo: Option<Vec<u8>>,
    pub notes: Option<String>,
    #[resource(references = Employee)]
    pub reports_to: Option<i16>,
    #[resource(write_only)]
    pub password_hash: Option<String>,
}
