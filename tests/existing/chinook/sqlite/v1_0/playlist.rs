//! The table `Playlist`.

use resource_runtime::ApiResource;

#[derive(ApiResource)]
#[resource(
    name = "Playlist",
    url = "/playlists",
    version = "1.0",
    table = "Playlist",
    existing
)]
pub struct Playlist {
    #[resource(primary_key, column = "PlaylistId")]
    pub playlist_id: i64,
    #[resource(column = "Name", max_length = 120)]
    pub name: Option<String>,
}
