use resource_runtime::ApiResource;

/// An application setting.
#[derive(Debug, Clone, ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
#[resource(scopes(read = "settings.read", write = "settings.write"))]
pub(crate) struct Setting {
    pub(crate) id: i64,
    #[resource(max_length = 50, unique)]
    pub(crate) name: String,
    pub(crate) value: String,
}
