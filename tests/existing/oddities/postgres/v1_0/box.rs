//! The table `box`.

use resource_runtime::{ApiResource, FieldValue};

#[derive(ApiResource)]
#[resource(name = "Box", url = "/boxes", version = "1.0", table = "box", existing)]
pub struct Box {
    pub id: i64,
    pub kind: Option<BoxKind>,
}

/// A value of `box.kind`.
#[derive(FieldValue)]
#[resource(rename_all = "snake_case")]
pub enum BoxKind {
    BoxA,
    BoxB,
    BoxC,
}
