//! Guides: longer texts on how the parts are used together.

#[doc = include_str!("../docs/tutorial.md")]
pub mod tutorial {}

#[doc = include_str!("../docs/changing-an-api.md")]
pub mod changing_an_api {}

#[doc = include_str!("../docs/concurrency.md")]
pub mod concurrency {}

#[doc = include_str!("../docs/data-access.md")]
pub mod data_access {}

#[doc = include_str!("../docs/databases.md")]
pub mod databases {}

#[doc = include_str!("../docs/deployment.md")]
pub mod deployment {}

// Links to what is turned off are texts.
#[cfg_attr(not(feature = "cli"), allow(rustdoc::broken_intra_doc_links))]
#[doc = include_str!("../docs/existing-database.md")]
pub mod existing_database {}

#[doc = include_str!("../docs/faq.md")]
pub mod faq {}

#[doc = include_str!("../docs/idempotency.md")]
pub mod idempotency {}

#[cfg_attr(
    not(all(
        feature = "cli",
        feature = "compression",
        feature = "cors",
        feature = "metrics"
    )),
    allow(rustdoc::broken_intra_doc_links)
)]
#[doc = include_str!("../docs/operation.md")]
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
    use resource_model::schema::evolution::Rule;

    #[test]
    fn the_guide_to_changes_has_the_table_of_rules() {
        let guide = include_str!("../docs/changing-an-api.md");
        let (text, _) = guide.split_once("\n## Rules\n").unwrap();
        let rows = Rule::ALL.map(|rule| {
            let entry = rule.entry();
            let shown = |template: &str| {
                let template = template.replace("$p", "name").replace("$t", "`name`");
                let template = template.replace("$v", "1.0");
                ["$w$n", "$w", "$n", "$o"]
                    .iter()
                    .fold(template, |text, part| text.replace(part, "…"))
            };
            let (sentence, remedy) = (shown(entry.sentence), shown(entry.remedy));
            format!("| `{}` | {sentence} | {remedy} |\n", entry.word)
        });
        let head = "| rule | is told as | keeps the promise |\n|---|---|---|\n";
        let expected = format!("{text}\n## Rules\n\n{head}{}", rows.concat());
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write("docs/changing-an-api.md", expected).unwrap();
        } else {
            assert_eq!(guide, expected, "run this test with `UPDATE_GOLDEN=1`");
        }
    }

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
