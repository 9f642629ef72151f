//! The table `playlist_track`.

use resource_runtime::ApiResource;

use super::{Playlist, Track};

#[derive(ApiResource)]
#[resource(
    name = "PlaylistTrack",
    url = "/playlist-tracks",
    version = "1.0",
    table = "playlist_track",
    existing
)]
#[resource(subresource(playlist = "playlist_id", track = "track_id"))]
pub struct PlaylistTrack {
    #[resource(primary_key, references = Playlist)]
    pub playlist_id: i32,
    #[resource(primary_key, references = Track)]
    pub track_id: i32,
}
