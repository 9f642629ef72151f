//! The table `PlaylistTrack`.

use resource_runtime::ApiResource;

use super::{Playlist, Track};

#[derive(ApiResource)]
#[resource(
    name = "PlaylistTrack",
    url = "/playlist-tracks",
    version = "1.0",
    table = "PlaylistTrack",
    existing
)]
#[resource(subresource(playlist = "playlist_id", track = "track_id"))]
pub struct PlaylistTrack {
    #[resource(primary_key, references = Playlist, column = "PlaylistId")]
    pub playlist_id: i64,
    #[resource(primary_key, references = Track, column = "TrackId")]
    pub track_id: i64,
}
