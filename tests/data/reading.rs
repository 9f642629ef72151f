//! Reading items from Rust: by key, in lists and pages, as streams and as columns.

use futures_util::TryStreamExt as _;
use resource_runtime::{Error, ErrorKind, Filter};
use resource_tests::{apply, block_on, every_database};

use super::shop::{self, Album, Track};

fn names(tracks: Result<Vec<Track>, Error>) -> Vec<String> {
    let tracks = tracks.unwrap().into_iter();
    tracks.map(|track| track.name).collect()
}

#[apply(every_database)]
fn get_finds_the_item_with_its_hidden_attributes_or_none() {
    let shop = shop::with_tracks();
    let tracks = shop.items::<Track>();
    let echoes = block_on(tracks.get(1)).unwrap().unwrap();
    assert_eq!((&*echoes.name, echoes.seconds), ("Echoes", Some(1411)));
    assert_eq!(echoes.licence, "licence of Echoes");
    assert_eq!(block_on(tracks.get(99)).unwrap(), None);
}

#[apply(every_database)]
fn filters_orders_and_limits_select_items() {
    let shop = shop::with_tracks();
    let tracks = shop.items::<Track>();
    let long = tracks
        .filter(Track::SECONDS.gt(368))
        .order_by(Track::NAME.desc());
    assert_eq!(names(block_on(long.limit(10).all())), ["Echoes", "Aja"]);
    let loose = tracks.filter(Track::ALBUM_ID.eq(None)).limit(10);
    assert_eq!(names(block_on(loose.all())), ["100%", "back\\slash"]);
    let second = tracks.query().offset(1).limit(2);
    assert_eq!(names(block_on(second.all())), ["Fearless", "Aja"]);
    assert!(block_on(tracks.limit(0).all()).unwrap().is_empty());
}

#[apply(every_database)]
fn every_comparison_selects_what_it_says() {
    let shop = shop::with_tracks();
    let ids = |filter: Filter<Track>| {
        let found = shop.items::<Track>().filter(filter).limit(10).all();
        let found = block_on(found).unwrap().into_iter();
        found.map(|track| track.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(Track::NAME.eq("Peg")), [4]);
    assert_eq!(ids(Track::SECONDS.ne(1411)), [2, 3, 4, 5, 6, 7]);
    assert_eq!(ids(Track::SECONDS.ne(None)), [1, 2, 3, 5, 7]);
    assert_eq!(ids(Track::SECONDS.is_null()), [4, 6]);
    assert_eq!(ids(Track::SECONDS.ge(1411)), [1]);
    assert_eq!(ids(Track::SECONDS.lt(1)), [5]);
    assert_eq!(ids(Track::SECONDS.le(1)), [5, 7]);
    assert_eq!(ids(Track::RATING.gt(1e299)), [7]);
    assert_eq!(ids(Track::RATING.eq(-1.0)), [5]);
    assert_eq!(ids(Track::SECONDS.is_in([Some(0), None])), [4, 5, 6]);
    assert_eq!(ids(Track::ID.is_in([7, 1])), [1, 7]);
    assert!(ids(Track::ID.is_in(Vec::<i64>::new())).is_empty());
    assert_eq!(ids(Track::NAME.starts_with("100%")), [5]);
    assert_eq!(ids(Track::NAME.starts_with("back\\")), [6]);
    assert_eq!(ids(Track::NAME.like("%e%")), [1, 2, 4, 7]);
    assert_eq!(ids(Track::NAME.ilike("ECHOES")), [1, 7]);
    assert_eq!(ids(Track::ALBUM.column(Album::TITLE).eq("Aja")), [3, 4]);
    assert_eq!(
        ids(Track::ALBUM.column(Album::YEAR).is_null()),
        [3, 4, 5, 6]
    );
    assert_eq!(ids(Track::LICENCE.eq("licence of Peg")), [4]);
    // Null has no order, so nothing is greater, and everything is not.
    assert!(ids(Track::SECONDS.gt(None)).is_empty());
    assert_eq!(ids(!Track::SECONDS.gt(None)).len(), 7);
    let either = Track::ID.eq(1).or(Track::ID.eq(2)).or(Track::ID.eq(3));
    assert_eq!(ids(either.and(!Track::NAME.eq("Fearless"))), [1, 3]);
}

#[apply(every_database)]
fn count_and_exists_need_no_limit_and_pages_have_the_total() {
    let shop = shop::with_tracks();
    let tracks = shop.items::<Track>();
    assert_eq!(block_on(tracks.count()).unwrap(), 7);
    assert!(block_on(tracks.exists()).unwrap());
    assert_eq!(block_on(tracks.first()).unwrap().unwrap().id, 1);
    let rated = tracks.filter(Track::RATING.ge(4.0));
    assert_eq!(block_on(rated.clone().count()).unwrap(), 4);
    assert!(block_on(rated.clone().exists()).unwrap());
    assert!(!block_on(tracks.filter(Track::NAME.eq("x")).exists()).unwrap());
    let page = block_on(rated.limit(2).page()).unwrap();
    assert_eq!((page.items.len(), page.total), (2, 4));
    let first = block_on(tracks.order_by(Track::NAME.asc()).first());
    assert_eq!(first.unwrap().unwrap().name, "100%");
}

#[apply(every_database)]
fn pages_behind_each_other_have_all_items() {
    let shop = shop::with_tracks();
    let year = Track::ALBUM.column(Album::YEAR).desc();
    let tracks = shop
        .items::<Track>()
        .order_by(year)
        .order_by(Track::SECONDS.asc());
    let all = block_on(tracks.clone().limit(100).all()).unwrap();
    let (mut next, mut read) = (Some("start".to_owned()), Vec::new());
    while let Some(cursor) = next {
        let page = block_on(tracks.clone().limit(3).after(&*cursor).page()).unwrap();
        assert_eq!(page.total, 7);
        let unbounded = block_on(tracks.clone().after(&*cursor).first()).unwrap();
        assert_eq!(unbounded.as_ref(), page.items.first());
        read.extend(page.items);
        next = page.next;
    }
    assert_eq!(read, all);
    let page = block_on(tracks.clone().limit(3).after("start").page()).unwrap();
    let other = tracks
        .filter(Track::ID.gt(0))
        .limit(3)
        .after(page.next.unwrap());
    assert_eq!(
        block_on(other.page()).unwrap_err().kind(),
        ErrorKind::Refused
    );
    let stream = shop.items::<Track>().query().after("start").stream();
    let refused = block_on(stream.try_collect::<Vec<_>>());
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Configuration);
}

#[apply(every_database)]
fn selected_columns_are_read_alone_and_those_of_a_missing_subresource_are_none() {
    let shop = shop::with_tracks();
    let tracks = shop.items::<Track>();
    let title = Track::ALBUM.column(Album::TITLE);
    let year = Track::ALBUM.column(Album::YEAR);
    let rows = tracks.filter(Track::ID.is_in([1, 3, 5])).limit(10);
    let columns = (title, Track::NAME, year, Track::NAME, Track::SECONDS, title);
    let read = block_on(rows.clone().select(columns).all()).unwrap();
    let some = |text: &str| Some(text.to_owned());
    let echoes = "Echoes".to_owned();
    assert_eq!(
        read[0],
        (
            some("Meddle"),
            echoes.clone(),
            Some(Some(1971)),
            echoes,
            Some(1411),
            some("Meddle")
        )
    );
    assert_eq!((&read[1].0, &read[1].2), (&some("Aja"), &None));
    assert_eq!((&read[2].0, &read[2].2, read[2].4), (&None, &None, Some(0)));
    let secret = block_on(rows.select(Track::LICENCE).all()).unwrap();
    assert_eq!(secret[2], "licence of 100%");
}

#[apply(every_database)]
fn stream_reads_every_item_once_in_the_order_of_keys() {
    let shop = shop::open();
    let albums = (0..2500_i16).map(|number| Album {
        id: 0,
        title: format!("album {number}"),
        year: Some(number % 7),
    });
    block_on(shop::store(&shop, albums, []));
    let albums = shop.items::<Album>();
    let all: Vec<Album> = block_on(albums.query().stream().try_collect()).unwrap();
    assert!(all.iter().map(|it| it.id).eq(1..=2500));
    let some = albums.filter(Album::YEAR.eq(3)).stream();
    let some: Vec<Album> = block_on(some.try_collect()).unwrap();
    assert_eq!(
        some.len(),
        (0..2500).filter(|number| number % 7 == 3).count()
    );
    let exactly_two_batches = albums.filter(Album::ID.le(2000)).stream();
    let found: Vec<Album> = block_on(exactly_two_batches.try_collect()).unwrap();
    assert_eq!(found.len(), 2000);
    let ordered = albums.order_by(Album::TITLE.asc()).stream();
    let refused = block_on(ordered.try_collect::<Vec<_>>()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Configuration);
}

#[apply(every_database)]
fn value_that_no_attribute_can_have_is_refused_without_a_query() {
    let shop = shop::with_tracks();
    let tracks = shop.items::<Track>();
    for filter in [Track::RATING.gt(f64::NAN), Track::NAME.eq("a\0b")] {
        let refused = block_on(tracks.filter(filter).limit(1).all()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Refused, "{refused}");
    }
    // The error repeats no value of an attribute that clients may not read.
    let secret = Track::LICENCE.eq("s3cret\0");
    let refused = block_on(tracks.filter(secret).count()).unwrap_err();
    assert!(!refused.to_string().contains("s3cret"), "{refused}");
}

#[apply(every_database)]
fn parsed_filter_finds_what_the_same_filter_from_rust_finds() {
    let shop = shop::with_tracks();
    let tracks = shop.items::<Track>();
    let text = r#"and(ne(album.title,"Aja"),or(gt(seconds,300),eq(licence,"licence of 100%")))"#;
    let hidden = text.parse::<Filter<Track>>().unwrap_err();
    assert!(
        hidden.to_string().contains("`licence` is not an attribute"),
        "{hidden}"
    );
    let parsed = Filter::<Track>::parse_unrestricted(text).unwrap();
    let found = tracks.filter(parsed.clone()).limit(10).all();
    assert_eq!(names(block_on(found)), ["Echoes", "Fearless", "100%"]);
    assert_eq!(parsed.to_string(), text);
    let misspelt = "eq(nmae,1)".parse::<Filter<Track>>().unwrap_err();
    assert!(
        misspelt.to_string().contains("did you mean `name`"),
        "{misspelt}"
    );
}

#[apply(every_database)]
fn parsed_filter_counts_its_levels_and_values() {
    let shop = shop::with_tracks();
    let refusal = |filter: Filter<Track>| {
        let found = block_on(shop.items::<Track>().filter(filter).count());
        let refused = found.expect_err("a refusal");
        assert_eq!(refused.kind(), ErrorKind::Refused, "{refused}");
        refused.to_string()
    };
    // Each text is within the limits of a client's.
    let ids: Vec<String> = (0..900).map(|id: i32| id.to_string()).collect();
    let wide = format!("in(id,[{}])", ids.join(","));
    let wide = (0..40).map(|_| wide.parse::<Filter<Track>>().unwrap());
    let refused = refusal(wide.reduce(Filter::or).unwrap());
    assert!(refused.contains("more than 16000 values"), "{refused}");
    let deep = format!("{}eq(id,1){}", "not(".repeat(30), ")".repeat(30));
    let deep = (0..40).fold(deep.parse::<Filter<Track>>().unwrap(), |all, id| {
        all.or(Track::ID.eq(id)).and(Track::ID.lt(99))
    });
    let refused = refusal(deep);
    assert!(refused.contains("100 levels"), "{refused}");
}

#[apply(every_database)]
fn filter_that_is_too_deep_or_too_wide_is_refused_and_a_long_chain_is_not() {
    let shop = shop::with_tracks();
    let tracks = shop.items::<Track>();
    let any = |ids: std::ops::Range<i64>| {
        let filters = ids.map(|id| Track::ID.eq(id));
        filters.reduce(|all, next| next.or(all)).unwrap()
    };
    assert_eq!(block_on(tracks.filter(any(0..5000)).count()).unwrap(), 7);
    assert_eq!(
        block_on(tracks.filter(Track::ID.is_in(0..16_000)).count()).unwrap(),
        7
    );
    let wide = block_on(tracks.filter(Track::ID.is_in(0..16_001)).count()).unwrap_err();
    assert_eq!(wide.kind(), ErrorKind::Refused, "{wide}");
    let deep = (0..100_000).fold(Track::ID.eq(1), |all, id| {
        if id % 2 == 0 {
            all.or(Track::ID.eq(id))
        } else {
            all.and(Track::ID.eq(id))
        }
    });
    let deep = block_on(tracks.filter(deep).count()).unwrap_err();
    assert_eq!(deep.kind(), ErrorKind::Refused);
    assert!(deep.to_string().contains("100 levels"), "{deep}");
}

#[test]
fn debug_shows_no_value_of_a_filter() {
    let filter = Track::LICENCE.eq("s3cret").or(!Track::NAME.like("s3%"));
    assert_eq!(format!("{filter:?}"), "or(eq(licence),not(like(name)))");
}
