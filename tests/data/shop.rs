//! Albums with tracks, for tests of typed access: an API without a port.

use resource_runtime::{Api, ApiResource, Transaction};
use resource_tests::polling::wait_for;
use resource_tests::{Backend, InProcessApi, TestDatabase, block_on};

#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Album", url = "/albums", version = "1.0")]
pub(crate) struct Album {
    pub(crate) id: i64,
    pub(crate) title: String,
    pub(crate) year: Option<i16>,
}

#[derive(Debug, Clone, PartialEq, ApiResource)]
#[resource(name = "Track", url = "/tracks", version = "1.0")]
#[resource(subresource(album = "album_id"))]
pub(crate) struct Track {
    pub(crate) id: i64,
    pub(crate) name: String,
    #[resource(references = Album)]
    pub(crate) album_id: Option<i64>,
    pub(crate) seconds: Option<i32>,
    pub(crate) rating: f64,
    #[resource(write_only)]
    pub(crate) licence: String,
}

/// An empty shop.
pub(crate) fn open() -> InProcessApi {
    InProcessApi::new(Api::builder().resource::<Album>().resource::<Track>())
}

/// A shop with two albums, and seven tracks of which two belong to none.
pub(crate) fn with_tracks() -> InProcessApi {
    let shop = open();
    let albums = [("Meddle", Some(1971)), ("Aja", None)];
    let tracks = [
        ("Echoes", Some(1), Some(1411), 5.0),
        ("Fearless", Some(1), Some(368), 4.5),
        ("Aja", Some(2), Some(477), 4.0),
        ("Peg", Some(2), None, 3.5),
        ("100%", None, Some(0), -1.0),
        ("back\\slash", None, None, 0.25),
        ("echoes", Some(1), Some(1), 1e300),
    ];
    let stored = store(
        &shop,
        albums.map(|(title, year)| Album {
            id: 0,
            title: title.to_owned(),
            year,
        }),
        tracks.map(|(name, album_id, seconds, rating)| Track {
            id: 0,
            name: name.to_owned(),
            album_id,
            seconds,
            rating,
            licence: format!("licence of {name}"),
        }),
    );
    block_on(stored);
    shop
}

/// Stores albums and tracks in one transaction.
pub(crate) async fn store(
    shop: &Api,
    albums: impl IntoIterator<Item = Album>,
    tracks: impl IntoIterator<Item = Track>,
) {
    let mut transaction = shop.begin().await.unwrap();
    for album in albums {
        transaction.items().insert(album).await.unwrap();
    }
    for track in tracks {
        transaction.items().insert(track).await.unwrap();
    }
    transaction.commit(()).await.unwrap();
}

/// Waits until another session waits for a lock of this transaction. On SQLite, all writers wait for it.
pub(crate) fn await_waiter(database: &TestDatabase, transaction: &mut Transaction) {
    if Backend::under_test() == Backend::Sqlite {
        return;
    }
    let pid = resource_runtime::sqlx::query_scalar("SELECT pg_backend_pid()");
    let connection = transaction.postgres().expect("a connection");
    let pid: i32 = block_on(pid.fetch_one(connection)).unwrap();
    let mut program = database.other_program();
    wait_for("a session that waits", || {
        let waits = format!(
            "SELECT CAST(COUNT(*) AS text) FROM pg_stat_activity WHERE {pid} = ANY(pg_blocking_pids(pid))"
        );
        (program.text(&waits) != "0").then_some(())
    });
}
