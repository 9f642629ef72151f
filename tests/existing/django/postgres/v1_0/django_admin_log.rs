//! The table `django_admin_log`.

use chrono::{DateTime, Utc};
use resource_runtime::ApiResource;

use super::{AuthUser, DjangoContentType};

#[derive(ApiResource)]
#[resource(
    name = "DjangoAdminLog",
    url = "/django-admin-logs",
    version = "1.0",
    table = "django_admin_log",
    existing
)]
#[resource(accept("deferred_keys"))]
#[resource(subresource(content_type = "content_type_id", user = "user_id"))]
pub struct DjangoAdminLog {
    pub id: i32,
    pub action_time: DateTime<Utc>,
    pub object_id: Option<String>,
    #[resource(max_length = 200)]
    pub object_repr: String,
    #[resource(min = 0)]
    pub action_flag: i16,
    pub change_message: String,
    #[resource(references = DjangoContentType)]
    pub content_type_id: Option<i32>,
    #[resource(references = AuthUser)]
    pub user_id: i32,
}
