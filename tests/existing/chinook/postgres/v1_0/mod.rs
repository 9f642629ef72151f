//! The tables of the database in version 1.0 of the API.
#![allow(missing_docs, reason = "names and comments are those of the database")]

pub mod album;
pub mod artist;
pub mod customer;
pub mod employee;
pub mod genre;
pub mod invoice;
pub mod invoice_line;
pub mod media_type;
pub mod playlist;
pub mod playlist_track;
pub mod track;

use resource_runtime::ApiBuilder;

pub use album::Album;
pub use artist::Artist;
pub use customer::Customer;
pub use employee::Employee;
pub use genre::Genre;
pub use invoice::Invoice;
pub use invoice_line::InvoiceLine;
pub use media_type::MediaType;
pub use playlist::Playlist;
pub use playlist_track::PlaylistTrack;
pub use track::Track;

/// Registers all resources of version 1.0.
pub fn register(api: ApiBuilder) -> ApiBuilder {
    api.resource::<Album>()
        .resource::<Artist>()
        .resource::<Customer>()
        .resource::<Employee>()
        .resource::<Genre>()
        .resource::<Invoice>()
        .resource::<InvoiceLine>()
        .resource::<MediaType>()
        .resource::<Playlist>()
        .resource::<PlaylistTrack>()
        .resource::<Track>()
}
