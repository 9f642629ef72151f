//! The table `django_content_type`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "DjangoContentType",
    url = "/django-content-types",
    version = "1.0",
    table = "django_content_type",
    existing
)]
#[resource(unique(app_label, model))]
pub struct DjangoContentType {
    pub id: i32,
    #[resource(max_length = 100)]
    pub app_label: String,
    #[resource(max_length = 100)]
    pub model: String,
}
