//! The table `playlist`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Playlist",
    url = "/playlists",
    version = "1.0",
    table = "playlist",
    existing
)]
pub struct Playlist {
    #[resource(primary_key)]
    pub playlist_id: i32,
    #[resource(max_length = 120)]
    pub name: Option<String>,
}
