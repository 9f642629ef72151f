//! Plans of the server for a large table, as it logs them.

use resource_runtime::{Api, ApiResource};
use resource_tests::polling::wait_for;
use resource_tests::{Cluster, Service, TestDatabase};

#[derive(Debug, ApiResource)]
#[resource(name = "Town", url = "/towns", version = "1.0")]
#[resource(subresource(country = "country_id"))]
struct Town {
    id: i64,
    #[resource(max_length = 50, unique)]
    name: String,
    #[resource(index)]
    founded: Option<i32>,
    #[resource(references = Country)]
    country_id: Option<i64>,
}

#[derive(Debug, ApiResource)]
#[resource(name = "Country", url = "/countries", version = "1.0")]
#[resource(collection(towns = Town::COUNTRY_ID))]
struct Country {
    id: i64,
    name: String,
}

const ROWS: &str = "
    INSERT INTO countries (name) SELECT 'country ' || number FROM generate_series(1, 100000) AS number;
    INSERT INTO towns (name, founded, country_id)
        SELECT 'town ' || number, nullif(number % 1900, 0), number
        FROM generate_series(1, 100000) AS number;
    ANALYZE towns, countries";

/// Number of executions of a statement: after five the server may use a generic plan.
const TIMES: usize = 8;

/// Options by which a server logs the plan of each statement, and what it has read for it.
const EXPLAIN: &str = "%20-c%20session_preload_libraries%3Dauto_explain\
    %20-c%20auto_explain.log_min_duration%3D0%20-c%20auto_explain.log_analyze%3Don\
    %20-c%20auto_explain.log_timing%3Doff%20-c%20auto_explain.log_buffers%3Don";

/// A service on a server that logs the plan of each statement.
fn towns(cluster: &Cluster, rows: &str) -> Service {
    let database = TestDatabase::schema(&cluster.url());
    let database = database.with_options(EXPLAIN);
    let service = Service::start_on(&database, |database| {
        Api::builder()
            .resource::<Town>()
            .resource::<Country>()
            .build(database)
    });
    service.database().other_program().execute(rows);
    service
}

/// The logged plans of the pages of towns, without those of their counts.
fn pages(log: &str) -> Vec<&str> {
    let plans = log.split("Query Text: ").skip(1);
    let pages = plans.filter(|plan| plan.contains("LIMIT "));
    pages
        .filter_map(|plan| Some(plan.split_once("->  Limit")?.1))
        .collect()
}

#[track_caller]
fn assert_found_by(cluster: &Cluster, service: &Service, target: &str, index: &str) {
    let before = pages(&cluster.log()).len();
    for _ in 0..TIMES {
        let page = service.read(&format!("/api/1.0/{target}"));
        assert_ne!(
            page["items"][0],
            serde_json::Value::Null,
            "{target} finds an item"
        );
    }
    wait_for("the plans", || {
        (pages(&cluster.log()).len() >= before + TIMES).then_some(())
    });
    let log = cluster.log();
    for plan in pages(&log).split_off(before) {
        assert!(plan.contains(index), "{target}: no `{index}` in {plan}");
        assert!(!plan.contains("Seq Scan on towns"), "{target}: {plan}");
    }
}

#[test]
fn pages_of_a_large_table_use_an_index() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let service = towns(&cluster, ROWS);
    for (parameters, index) in [
        ("", "towns_pkey"),
        ("offset=20&limit=5", "towns_pkey"),
        ("filter=eq(id,77)", "towns_pkey"),
        ("filter=in(id,[77,78])", "towns_pkey"),
        ("filter=eq(name,%22town%2077%22)", "towns.name"),
        (
            "filter=in(name,[%22town%2077%22,%22town%2078%22])",
            "towns.name",
        ),
        ("filter=like(name,%22town%20777%25%22)", "towns.name"),
        ("filter=startswith(name,%22town%20777%22)", "towns.name"),
        ("filter=eq(founded,1200)", "towns.founded"),
        ("filter=gt(id,99980)&limit=5", "towns_pkey"),
        ("filter=eq(founded,null)", "towns.founded"),
        ("filter=eq(country_id,12)", "towns.country_id"),
        ("order=asc(name)", "towns.name"),
        ("order=desc(name)", "towns.name"),
        ("order=asc(founded)", "towns.founded"),
        ("order=desc(founded)", "towns.founded"),
        ("order=desc(id)", "towns_pkey"),
        ("fields=name,country(name)", "countries_pkey"),
        (
            "filter=and(gt(founded,1890),lt(founded,1892))",
            "towns.founded",
        ),
    ] {
        println!("{parameters}");
        assert_found_by(&cluster, &service, &format!("towns?{parameters}"), index);
    }
    for parameters in [
        "fields=id,towns(name;limit=2)",
        "fields=id,towns(name)&order=desc(id)&limit=100",
        "filter=and(eq(id,5),has(towns))",
    ] {
        println!("{parameters}");
        let target = format!("countries?{parameters}");
        assert_found_by(&cluster, &service, &target, "towns.country_id.id");
    }
}

/// A country of 180,000 towns, and one of ten that lie among them.
const UNEQUAL: &str = "
    INSERT INTO countries (name) VALUES ('many'), ('ten');
    INSERT INTO towns (name, country_id)
        SELECT 'town ' || number, CASE WHEN number % 18001 = 0 THEN 2 ELSE 1 END
        FROM generate_series(1, 180010) AS number;
    ANALYZE towns, countries";

/// The pages of the server's cache that a statement has read, as soon as its plan is logged so far.
fn pages_read(plan: &str) -> Option<usize> {
    let (_, buffers) = plan.split_once("Buffers: shared")?;
    let (counts, _) = buffers.split_once('\n')?;
    let counts = counts.split(' ').filter_map(|count| count.split_once('='));
    let read = counts.filter(|(what, _)| ["hit", "read"].contains(what));
    read.map(|(_, count)| count.parse::<usize>().ok()).sum()
}

#[test]
fn a_collection_of_many_items_is_read_like_one_of_ten() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let service = towns(&cluster, UNEQUAL);
    let read_by = |country: u32| {
        let before = cluster.log().len();
        for _ in 0..TIMES {
            let country = service.read(&format!("/api/1.0/countries/{country}?fields=id,towns"));
            assert_eq!(country["towns"]["items"].as_array().unwrap().len(), 10);
        }
        wait_for("the plans", || {
            let log = cluster.log().split_off(before);
            let plans = log.split("Query Text: ").skip(1);
            let plans = plans.filter(|plan| plan.contains("LATERAL"));
            let read: Vec<usize> = plans.filter_map(pages_read).collect();
            (read.len() == TIMES).then(|| read.into_iter().max())
        })
    };
    let (many, ten) = (read_by(1).unwrap(), read_by(2).unwrap());
    println!("{many} pages of the cache for 180,000 towns, {ten} for ten");
    assert!(
        2 * many <= 3 * ten,
        "{many} pages for 180,000, {ten} for ten"
    );
}
