//! The table `role_name`.

use resource_runtime::ApiResource;

use super::FilmActor;

#[derive(ApiResource)]
#[resource(
    name = "RoleName",
    url = "/role-names",
    version = "1.0",
    table = "role_name",
    existing
)]
#[resource(subresource(film_actor = ["actor_id", "film_id"]))]
#[resource(unique(actor_id, film_id, name))]
pub struct RoleName {
    #[resource(primary_key)]
    pub role_name_id: i32,
    #[resource(references(FilmActor, actor_id))]
    pub actor_id: i16,
    #[resource(references(FilmActor, film_id, on_delete = "cascade"))]
    pub film_id: i16,
    pub name: String,
}
