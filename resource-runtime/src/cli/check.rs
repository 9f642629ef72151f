use std::process::ExitCode;

use super::Options;
use super::print::print;
use crate::api::Comparison;
use crate::{ApiBuilder, Error};

/// Prints how the database differs from what the API needs, and how what is missing is added.
pub(super) async fn check(options: &Options, builder: ApiBuilder) -> Result<ExitCode, Error> {
    let database = options.existing_database().await?;
    let comparison = builder.described(database)?.compare_schema().await?;
    print(&report(&comparison))?;
    let is_whole = comparison.fatal.is_empty() && comparison.additions.is_empty();
    Ok(if is_whole {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn report(comparison: &Comparison) -> String {
    let mut report = String::new();
    for difference in comparison.fatal.iter().chain(&comparison.tolerable) {
        report += difference;
        report += "\n";
    }
    if report.is_empty() {
        return String::from("the database has everything that the API needs\n");
    }
    if !comparison.additions.is_empty() {
        report += "\nThese statements add what is missing:\n\n";
    }
    for statement in &comparison.additions {
        report += statement.text();
        report += ";\n";
    }
    report
}
