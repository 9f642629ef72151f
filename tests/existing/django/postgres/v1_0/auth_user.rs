//! The table `auth_user`.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "AuthUser",
    url = "/auth-users",
    version = "1.0",
    table = "auth_user",
    existing
)]
pub struct AuthUser {
    pub id: i32,
    #[resource(max_length = 128, write_only)]
    pub password: String,
    pub last_login: Option<DateTime<Utc>>,
    pub is_superuser: bool,
    #[resource(max_length = 150, unique)]
    pub username: String,
    #[resource(max_length = 150)]
    pub first_name: String,
    #[resource(max_length = 150)]
    pub last_name: String,
    #[resource(max_length = 254)]
    pub email: String,
    pub is_staff: bool,
    pub is_active: bool,
    pub date_joined: DateTime<Utc>,
}
