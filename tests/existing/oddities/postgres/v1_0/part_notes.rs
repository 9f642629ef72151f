//! The table `part_notes`.

use resource_runtime::ApiResource;

use super::Part;

#[derive(ApiResource)]
#[resource(name = "PartNote", url = "/part-notes", version = "1.0", existing)]
#[resource(subresource(part_2 = ["region", "part"]))]
pub struct PartNote {
    #[resource(assigned)]
    pub id: i32,
    #[resource(references(Part, region))]
    pub region: Option<String>,
    #[resource(references(Part, id, on_delete = "cascade"))]
    pub part: Option<i64>,
}
