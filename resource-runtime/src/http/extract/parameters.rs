use resource_model::error::ApiError;
use resource_model::query::ListParameters;

pub(crate) use super::query_string::UnknownParameters;
use super::query_string::parse;

/// The parameters of one item, decoded but not yet understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ItemParameters {
    pub(crate) fields: Option<String>,
}

pub(crate) fn list_parameters(
    query: Option<&str>,
    unknown: UnknownParameters,
) -> Result<ListParameters, ApiError> {
    let known = ["offset", "limit", "order", "filter", "fields"];
    let [offset, limit, order, filter, fields] = parse(query, known, unknown)?;
    Ok(ListParameters {
        offset,
        limit,
        order,
        filter,
        fields,
    })
}

pub(crate) fn item_parameters(
    query: Option<&str>,
    unknown: UnknownParameters,
) -> Result<ItemParameters, ApiError> {
    let [fields] = parse(query, ["fields"], unknown)?;
    Ok(ItemParameters { fields })
}
