//! What is told of an API without a database.

use resource_model::error::did_you_mean;

use super::OpenapiCommand;
use crate::store::Database;
use crate::{Api, ApiBuilder, Error};

pub(super) fn api(builder: ApiBuilder) -> Result<Api, Error> {
    builder.described(Database::absent())
}

pub(super) fn openapi(api: &Api, asked: &OpenapiCommand) -> Result<String, Error> {
    let document = api.openapi(&asked.version, asked.form());
    document.ok_or_else(|| unknown_version(api, &asked.version))
}

fn unknown_version(api: &Api, version: &str) -> Error {
    let known = api.versions();
    let suggestion = did_you_mean(version, known.iter().map(String::as_str));
    let known = known.join("`, `");
    Error::configuration(format!(
        "there is no version `{version}`{suggestion}; there are `{known}`"
    ))
}
