//! Guides: longer texts on how the parts are used together.

#[doc = include_str!("../docs/concurrency.md")]
pub mod concurrency {}

#[doc = include_str!("../docs/data-access.md")]
pub mod data_access {}

#[doc = include_str!("../docs/databases.md")]
pub mod databases {}

#[cfg_attr(
    all(feature = "cli", feature = "chrono", feature = "decimal"),
    doc = include_str!("../docs/existing-database.md")
)]
#[cfg_attr(
    not(all(feature = "cli", feature = "chrono", feature = "decimal")),
    doc = "The guide to existing databases is there with the features `cli`, `chrono` and `decimal`."
)]
pub mod existing_database {}

#[doc = include_str!("../docs/idempotency.md")]
pub mod idempotency {}

#[cfg_attr(
    all(feature = "cli", feature = "compression", feature = "cors", feature = "metrics"),
    doc = include_str!("../docs/operation.md")
)]
#[cfg_attr(
    not(all(
        feature = "cli",
        feature = "compression",
        feature = "cors",
        feature = "metrics"
    )),
    doc = "The guide to operation is there with the features `cli`, `compression`, `cors` and `metrics`."
)]
pub mod operation {}

#[doc = include_str!("../docs/own-routes.md")]
pub mod own_routes {}

#[doc = include_str!("../docs/query-language.md")]
pub mod query_language {}

#[doc = include_str!("../docs/resources.md")]
pub mod resources {}

#[doc = include_str!("../docs/validation.md")]
pub mod validation {}

#[cfg(test)]
mod tests {
    use resource_model::error::ErrorCode;
    use resource_model::query::{COMBINING, FUNCTIONS};

    #[test]
    fn every_filter_function_is_in_the_guide_and_among_the_cures_of_a_malformed_filter() {
        let guide = include_str!("../docs/query-language.md");
        let code: Vec<&str> = guide.split('`').skip(1).step_by(2).collect();
        let functions = FUNCTIONS.iter().map(|function| function.name);
        for name in functions.chain(COMBINING) {
            let is_mentioned = |code: &&str| code.split([' ', '(', ',']).any(|word| word == name);
            assert!(code.iter().any(is_mentioned), "{name}");
            let cures = ErrorCode::MalformedFilter.cures().join(" ");
            assert!(cures.contains(&format!("`{name}`")), "{name}");
        }
    }
}
