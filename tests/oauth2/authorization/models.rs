//! The resources of the tests of authorization: public, guarded and owned ones.

use resource_runtime::ApiResource;

/// A setting that everybody reads.
#[derive(ApiResource)]
#[resource(name = "Setting", url = "/settings", version = "1.0")]
#[resource(public(read), scopes(write = "settings.write"))]
pub(super) struct Setting {
    id: i64,
    #[resource(max_length = 50)]
    name: String,
    #[resource(read_scope = "audit")]
    changed_by: Option<String>,
}

/// A place without an owner, which requires scopes.
#[derive(ApiResource)]
#[resource(name = "Place", url = "/places", version = "1.0")]
#[resource(scopes(read = "places.read", write = "places.write"))]
pub(super) struct Place {
    id: i64,
    name: String,
    #[resource(read_scope = "audit")]
    secret: Option<String>,
}

/// A folder with an owner.
#[derive(ApiResource)]
#[resource(name = "Folder", url = "/folders", version = "1.0")]
#[resource(scopes(read = "folders.read", write = "folders.write"))]
#[resource(owner(field = "owner_id", bypass = "admin"))]
pub(super) struct Folder {
    id: i64,
    #[resource(max_length = 20)]
    owner_id: String,
    title: String,
}

/// A draft with an owner, in a folder of the same owner.
#[derive(ApiResource)]
#[resource(name = "Draft", url = "/drafts", version = "1.0")]
#[resource(scopes(read = "drafts.read", write = any("drafts.write", "admin"), delete = all("drafts.write", "drafts.read")))]
#[resource(owner(field = "author", bypass = "admin"))]
#[resource(subresource(folder = "folder_id", place = "place_id"))]
pub(super) struct Draft {
    id: i64,
    #[resource(max_length = 20)]
    author: String,
    text: String,
    #[resource(references = Folder)]
    folder_id: Option<i64>,
    #[resource(references = Place)]
    place_id: Option<i64>,
    #[resource(read_scope = "audit", read_only)]
    address: Option<String>,
    #[resource(read_scope = "audit")]
    remark: Option<String>,
    #[resource(write_scope = any("lock", "admin"), default = false)]
    locked: bool,
}

/// The drafts in a later version.
#[derive(ApiResource)]
#[resource(name = "Draft", url = "/drafts", version = "2.0")]
#[resource(scopes(read = "drafts.read", write = "drafts.write"))]
#[resource(owner(field = "writer", bypass = "admin"))]
pub(super) struct DraftTwo {
    id: i64,
    #[resource(max_length = 20, column = "author")]
    writer: String,
    text: String,
    #[resource(read_scope = "audit")]
    remark: Option<String>,
    #[resource(write_scope = any("lock", "admin"), default = false)]
    locked: bool,
}
