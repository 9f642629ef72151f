//! Filters from Rust and filters of clients: one resolution, so equal results.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use resource_runtime::items::Query;
use resource_runtime::{Filter, Order};
use resource_tests::{apply, block_on, every_database};

use super::shop::{self, Album, Track};

/// Filters that clients may send, too: on attributes that they may read.
fn filters() -> Vec<Filter<Track>> {
    let title = Track::ALBUM.column(Album::TITLE);
    vec![
        Track::NAME.eq("Aja"),
        !Track::SECONDS.ge(400),
        Track::SECONDS.lt(None),
        Track::RATING.le(4.0).and(title.ne("Meddle")),
        Track::NAME
            .ilike("%E%")
            .or(Track::ALBUM_ID.is_in([Some(2), None])),
        !(Track::SECONDS.is_null().or(title.starts_with("M"))),
    ]
}

#[apply(every_database)]
fn printed_filter_finds_over_http_what_the_filter_finds_from_rust() {
    let shop = shop::with_tracks();
    let orders: [(&str, Option<Order<Track>>); 3] = [
        ("", None),
        ("desc(seconds)", Some(Track::SECONDS.desc())),
        (
            "asc(album.title)",
            Some(Track::ALBUM.column(Album::TITLE).asc()),
        ),
    ];
    for filter in filters() {
        for (text, order) in &orders {
            let query = shop.items::<Track>().filter(filter.clone());
            let query = order.iter().cloned().fold(query, Query::order_by);
            let page = block_on(query.limit(10).page()).unwrap();
            let printed = filter.to_string();
            let path = format!(
                "/api/1.0/tracks?filter={}&order={text}",
                utf8_percent_encode(&printed, NON_ALPHANUMERIC)
            );
            let answer = shop.anonymous().read(&path);
            let items = answer["items"].as_array().unwrap().iter();
            let ids: Vec<i64> = items.map(|item| item["id"].as_i64().unwrap()).collect();
            let found: Vec<i64> = page.items.iter().map(|track| track.id).collect();
            assert_eq!(found, ids, "{printed} {text}");
            assert_eq!(answer["totalItems"], page.total, "{printed}");
        }
    }
}
