//! Guides: longer texts on how the parts are used together.

/// The links between the guides. In their files they lead to files; this comes first in the documentation, and the first
/// definition of a link counts.
macro_rules! links {
    () => {
        "\
[changing-an-api]: crate::guides::changing_an_api\n\
[changing-an-api#add-a-value-to-an-enum]: crate::guides::changing_an_api#add-a-value-to-an-enum\n\
[changing-an-api#keep-what-you-publish]: crate::guides::changing_an_api#keep-what-you-publish\n\
[changing-an-api#rules]: crate::guides::changing_an_api#rules\n\
[changing-an-api#versions-that-follow-one-another]: crate::guides::changing_an_api#versions-that-follow-one-another\n\
[changing-an-api#widen-a-limit]: crate::guides::changing_an_api#widen-a-limit\n\
[concurrency]: crate::guides::concurrency\n\
[concurrency#digest-or-revision]: crate::guides::concurrency#digest-or-revision\n\
[data-access]: crate::guides::data_access\n\
[databases]: crate::guides::databases\n\
[databases#backups]: crate::guides::databases#backups\n\
[databases#columns-that-others-made]: crate::guides::databases#columns-that-others-made\n\
[databases#connections-and-poolers]: crate::guides::databases#connections-and-poolers\n\
[databases#stored-values]: crate::guides::databases#stored-values\n\
[deployment]: crate::guides::deployment\n\
[existing-database]: crate::guides::existing_database\n\
[idempotency]: crate::guides::idempotency\n\
[operation]: crate::guides::operation\n\
[operation#cors]: crate::guides::operation#cors\n\
[operation#exports]: crate::guides::operation#exports\n\
[operation#long-lists]: crate::guides::operation#long-lists\n\
[operation#logs]: crate::guides::operation#logs\n\
[operation#metrics]: crate::guides::operation#metrics\n\
[operation#quotas]: crate::guides::operation#quotas\n\
[own-routes]: crate::guides::own_routes\n\
[own-routes#openapi]: crate::guides::own_routes#openapi\n\
[protecting]: crate::authorization\n\
[query-language]: crate::guides::query_language\n\
[resources]: crate::guides::resources\n\
[resources#documentation]: crate::guides::resources#documentation\n\
[resources#items-under-keys-of-their-clients]: crate::guides::resources#items-under-keys-of-their-clients\n\
[resources#keys-of-several-parts]: crate::guides::resources#keys-of-several-parts\n\
[resources#rebuild-a-table]: crate::guides::resources#rebuild-a-table\n\
[tutorial]: crate::guides::tutorial\n\
[validation]: crate::guides::validation\n"
    };
}
pub(crate) use links;

#[doc = links!()]
#[doc = include_str!("../docs/tutorial.md")]
pub mod tutorial {}

#[doc = links!()]
#[doc = include_str!("../docs/changing-an-api.md")]
pub mod changing_an_api {}

#[doc = links!()]
#[doc = include_str!("../docs/concurrency.md")]
pub mod concurrency {}

#[doc = links!()]
#[doc = include_str!("../docs/data-access.md")]
pub mod data_access {}

#[doc = links!()]
#[doc = include_str!("../docs/databases.md")]
pub mod databases {}

#[doc = links!()]
#[doc = include_str!("../docs/deployment.md")]
pub mod deployment {}

// Links to what is turned off are texts.
#[cfg_attr(not(feature = "cli"), allow(rustdoc::broken_intra_doc_links))]
#[doc = links!()]
#[doc = include_str!("../docs/existing-database.md")]
pub mod existing_database {}

#[doc = links!()]
#[doc = include_str!("../docs/faq.md")]
pub mod faq {}

#[doc = links!()]
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
#[doc = links!()]
#[doc = include_str!("../docs/operation.md")]
pub mod operation {}

#[doc = links!()]
#[doc = include_str!("../docs/own-routes.md")]
pub mod own_routes {}

#[doc = links!()]
#[doc = include_str!("../docs/query-language.md")]
pub mod query_language {}

#[doc = links!()]
#[doc = include_str!("../docs/resources.md")]
pub mod resources {}

#[doc = links!()]
#[doc = include_str!("../docs/validation.md")]
pub mod validation {}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::fs;

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
    fn links_between_the_guides_lead_to_the_same_page_in_files_and_in_the_documentation() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");
        let known: Vec<&str> = links!().lines().collect();
        let mut used = HashSet::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            // Only the page of the crate cannot see the macro.
            assert!(
                path.ends_with("overview.md") || !text.contains("](crate::guides"),
                "{path:?}"
            );
            for line in text
                .lines()
                .filter(|line| line.contains("]: ") && line.starts_with('['))
            {
                let (label, file) = line.split_once("]: ").unwrap();
                let (page, part) = file.split_once(".md").unwrap();
                assert!(fs::exists(format!("{folder}/{page}.md")).unwrap(), "{line}");
                // The guide of another package, which this one cannot name in its documentation.
                let place = if page.starts_with("../") {
                    String::from("authorization")
                } else {
                    format!("guides::{}{part}", page.replace('-', "_"))
                };
                used.insert(format!("{label}]: crate::{place}"));
            }
        }
        assert_eq!(used, known.into_iter().map(str::to_owned).collect());
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
