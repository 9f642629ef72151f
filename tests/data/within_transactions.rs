//! Typed access within a transaction: it sees its own changes, and others see them after the commit.

use futures_util::TryStreamExt as _;
use resource_runtime::{Error, ErrorKind};
use resource_tests::{apply, block_on, every_database};

use super::shop::{self, Album, Track};

fn album(title: &str) -> Album {
    Album {
        id: 0,
        title: title.to_owned(),
        year: None,
    }
}

#[apply(every_database)]
fn transaction_sees_its_own_changes_and_others_only_after_the_commit() {
    let shop = shop::with_tracks();
    let outside = shop.items::<Album>();
    block_on(async {
        let mut transaction = shop.begin().await?;
        assert_eq!(transaction.items::<Album>().count().await?, 2);
        transaction.items().insert(album("Gaucho")).await?;
        let albums = transaction.items::<Album>();
        let page = albums.filter(Album::ID.gt(1)).limit(1).page().await?;
        assert_eq!((&*page.items[0].title, page.total), ("Aja", 2));
        let albums = transaction.items::<Album>();
        assert!(albums.filter(Album::TITLE.eq("Gaucho")).exists().await?);
        assert_eq!(outside.count().await?, 2);
        let locked = transaction.items::<Album>().get_for_update(3).await?;
        assert_eq!(locked.map(|album| album.title).as_deref(), Some("Gaucho"));
        let title = Track::ALBUM.column(Album::TITLE);
        let tracks = transaction.items::<Track>().order_by(Track::ID.desc());
        let titles = tracks.limit(2).select(title).all().await?;
        assert_eq!(titles, [Some("Meddle".to_owned()), None]);
        transaction.commit(()).await?;
        assert_eq!(outside.count().await?, 3);
        Ok::<(), Error>(())
    })
    .unwrap();
}

#[apply(every_database)]
fn transaction_with_a_failed_statement_refuses_all_later_reads() {
    let shop = shop::with_tracks();
    block_on(async {
        let mut transaction = shop.begin().await?;
        let orphan = Track {
            id: 0,
            name: "Lucky Man".to_owned(),
            album_id: Some(99),
            seconds: None,
            rating: 0.0,
            licence: String::new(),
        };
        assert!(transaction.items().insert(orphan).await.is_err());
        let read = transaction.items::<Track>().count().await;
        assert_eq!(read.unwrap_err().kind(), ErrorKind::Internal);
        Ok::<(), Error>(())
    })
    .unwrap();
    assert_eq!(block_on(shop.items::<Track>().count()).unwrap(), 7);
}

#[apply(every_database)]
fn stream_within_a_transaction_reads_its_own_changes() {
    let shop = shop::with_tracks();
    let titles = block_on(async {
        let mut transaction = shop.begin().await?;
        transaction.items().insert(album("Gaucho")).await?;
        let albums = transaction.items::<Album>().query().stream();
        let albums: Vec<Album> = albums.try_collect().await?;
        Ok::<_, Error>(
            albums
                .into_iter()
                .map(|album| album.title)
                .collect::<Vec<_>>(),
        )
    });
    assert_eq!(titles.unwrap(), ["Meddle", "Aja", "Gaucho"]);
}
