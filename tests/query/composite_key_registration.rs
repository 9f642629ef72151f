//! References by several attributes: `build` requires that they match one item at most.

use resource_runtime::{Api, ApiBuilder, ApiResource, Database};
use resource_tests::{TestDatabase, apply, every_database};

/// A target, and a resource that references it by its two attributes.
macro_rules! referenced {
    ($target:ident, ($($key:tt)*), $source:ident) => {
        #[derive(Debug, ApiResource)]
        #[resource(name = "Region", url = "/regions", version = "1.0" $($key)*)]
        struct $target {
            id: i64,
            country: String,
            code: String,
        }

        #[derive(Debug, ApiResource)]
        #[resource(name = "Office", url = "/offices", version = "1.0", subresource(region = ["country", "code"]))]
        struct $source {
            id: i64,
            #[resource(references($target, country))]
            country: Option<String>,
            #[resource(references($target, code))]
            code: Option<String>,
        }
    };
}

referenced!(Unique, (, unique(country, code)), ToUnique);
referenced!(Turned, (, unique(code, country)), ToTurned);
referenced!(Ambiguous, (), ToAmbiguous);
referenced!(Indexed, (, index(country, code)), ToIndexed);
referenced!(Wider, (, unique(country, code, id)), ToWider);
referenced!(Apart, (, unique(country, id), unique(code, id)), ToApart);

#[derive(Debug, ApiResource)]
#[resource(
    name = "Flag",
    url = "/flags",
    version = "1.0",
    subresource(region = "country")
)]
struct ByOneOfTwo {
    id: i64,
    #[resource(references(Unique, country))]
    country: String,
}

/// The result of building this, with the text of its error.
fn built(builder: ApiBuilder) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let file = TestDatabase::default();
    runtime.block_on(async {
        let database = Database::connect(&file.url())
            .await
            .expect("the file opens");
        let api = builder.build(database).map_err(|error| error.to_string())?;
        api.create_missing_tables()
            .await
            .map_err(|error| error.to_string())
    })
}

#[apply(every_database)]
fn target_unique_by_all_attributes_is_accepted() {
    assert_eq!(
        built(Api::builder().resource::<Unique>().resource::<ToUnique>()),
        Ok(())
    );
    assert_eq!(
        built(Api::builder().resource::<ToTurned>().resource::<Turned>()),
        Ok(())
    );
}

#[apply(every_database)]
fn target_that_is_not_unique_is_refused_with_the_remedy() {
    for (builder, referring) in [
        (
            Api::builder()
                .resource::<Ambiguous>()
                .resource::<ToAmbiguous>(),
            "ToAmbiguous`",
        ),
        (
            Api::builder().resource::<ToIndexed>().resource::<Indexed>(),
            "ToIndexed`",
        ),
        (
            Api::builder().resource::<Wider>().resource::<ToWider>(),
            "ToWider`",
        ),
        (
            Api::builder().resource::<Apart>().resource::<ToApart>(),
            "ToApart`",
        ),
    ] {
        let mistake = built(builder).unwrap_err();
        assert!(mistake.contains("add `unique(country, code)`"), "{mistake}");
        assert!(
            mistake.contains(referring) && mistake.contains("`Region`"),
            "{mistake}"
        );
    }
}

#[apply(every_database)]
fn reference_by_part_of_a_unique_set_is_refused() {
    let builder = Api::builder().resource::<Unique>().resource::<ByOneOfTwo>();
    let mistake = built(builder).unwrap_err();
    assert!(
        mistake.contains("ByOneOfTwo`") && mistake.contains("unique"),
        "{mistake}"
    );
    // `unique(…)` on a struct takes several fields, so the remedy is on the field.
    assert!(!mistake.contains("`unique(country)`"), "{mistake}");
}
