//! A struct that serde writes for others, too: its keys stand beside those of the resource.

use resource_runtime::ApiResource;
use serde::Serialize;

#[derive(Serialize, ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
#[serde(deny_unknown_fields)]
struct Setting {
    id: i64,
    #[resource(rename = "type")]
    #[serde(rename = "kind")]
    kind: String,
    #[resource(write_only)]
    #[serde(skip)]
    secret: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

#[test]
fn it_compiles() {}
