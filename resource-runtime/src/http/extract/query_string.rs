//! The parameters of a request: its query string, decoded.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use resource_model::authorization::View;
use resource_model::error::{ApiError, ErrorCode, nearest, truncate_for_display};
use resource_model::query::{
    ListParameters, attribute_near, fields_of_parameter, filter_of_parameter, filter_of_parameters,
    order_of_parameter,
};

/// The treatment of a parameter that an operation does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnknownParameters {
    Refused,
    Ignored,
}

/// The values of the parameters `known`, in their order, decoded from the query string. The attributes of the `view` of a
/// list are no parameters, and are told as filters.
pub(super) fn parse<const N: usize>(
    query: Option<&str>,
    known: [&'static str; N],
    unknown: UnknownParameters,
    view: Option<View<'_>>,
) -> Result<[Option<String>; N], ApiError> {
    let mut values = [const { None }; N];
    let pairs = query.unwrap_or_default().split('&');
    // Empty pairs stand before, between or behind stray `&`, and mean nothing.
    for pair in pairs.filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let name = decode(name)?;
        let mut slots = known.iter().zip(&mut values);
        match slots.find(|(known, _)| **known == name) {
            // Whichever of two values were taken, a client that means the other one would get a wrong page.
            Some((_, Some(_))) => {
                let remedy = match &*name {
                    "filter" => "; join both by `and(…,…)`",
                    _ => "",
                };
                let message = format!("the parameter `{name}` is given twice{remedy}");
                return Err(malformed(message));
            }
            Some((_, slot)) => *slot = Some(decode(value)?.into_owned()),
            // The value of an ignored parameter is not even decoded, so it cannot be malformed.
            None if unknown == UnknownParameters::Ignored => {}
            None => {
                let shown = truncate_for_display(&name);
                let remedy = view.and_then(|view| in_list(view, query, &name, value, &known));
                let remedy = remedy.unwrap_or_else(|| instead(&name, &known));
                let message = format!("this operation has no parameter `{shown}`; {remedy}");
                return Err(malformed(message));
            }
        }
    }
    Ok(values)
}

/// The names that parameters have in other APIs, the parameter here, and its use.
const ELSEWHERE: [(&[&str], &str, &str); 6] = [
    (
        &["page", "skip", "start"],
        "offset",
        "pages begin at `offset`, the number of items to skip",
    ),
    (
        &["per_page", "page_size", "pagesize", "size"],
        "limit",
        "`limit` is the size of a page",
    ),
    (
        &["sort", "sort_by", "order_by", "orderby", "ordering"],
        "order",
        "write `order=asc(attribute)` or `order=desc(attribute)`",
    ),
    (
        &["q", "query", "search"],
        "filter",
        "write `filter=icontains(attribute,\"text\")`",
    ),
    (
        &["or", "and", "not.or", "not.and"],
        "filter",
        "write `filter=or(eq(attribute,1),eq(attribute,2))`; `and` and `not` are functions, too",
    ),
    (
        &["select", "include", "expand", "embed"],
        "fields",
        "`fields` names what to show, as `fields=id,subresource(id)`",
    ),
];

/// The parameter of a list that a client means by one that it lacks, whose name may be that of an attribute, or nearly so.
fn in_list(
    view: View<'_>,
    query: Option<&str>,
    name: &str,
    value: &str,
    known: &[&'static str],
) -> Option<String> {
    let value = form_decoded(value).ok()?;
    // Others of the query may be meant so, too.
    let together = with_others(view, query?, known);
    if let Some(filter) = together.or_else(|| filter_of_parameter(view, name, &value)) {
        return Some(format!("write `filter={filter}`"));
    }
    match elsewhere(name, known) {
        Some((_, "order", _)) => {
            let order = order_of_parameter(view, &value)?;
            Some(format!("write `order={order}`"))
        }
        Some((_, "fields", _)) => {
            let fields = fields_of_parameter(view, name, &value)?;
            Some(format!("write `fields={fields}`"))
        }
        None if nearest(name, known.iter().copied()).is_none() => {
            let filter = filter_of_parameter(view, attribute_near(view, name)?, &value)?;
            Some(format!("did you mean `filter={filter}`?"))
        }
        _ => None,
    }
}

/// One filter for the filter of a query and all attributes among its parameters.
fn with_others(view: View<'_>, query: &str, known: &[&str]) -> Option<String> {
    let pairs = query.split('&').filter(|it| !it.is_empty());
    let decoded = pairs.map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        Some((form_decoded(name).ok()?, form_decoded(value).ok()?))
    });
    let pairs = decoded.collect::<Option<Vec<_>>>()?;
    let pairs = pairs.iter().map(|(name, value)| (&**name, &**value));
    let meant = pairs.filter(|(name, _)| *name == "filter" || !known.contains(name));
    filter_of_parameters(view, meant)
}

/// The entry of the parameter here that another one stands for.
fn elsewhere(
    name: &str,
    known: &[&str],
) -> Option<&'static (&'static [&'static str], &'static str, &'static str)> {
    let mut entries = ELSEWHERE.iter();
    entries.find(|(names, it, _)| names.contains(&name) && known.contains(it))
}

/// The known parameter that a client may mean by another one, or all of them.
fn instead(name: &str, known: &[&'static str]) -> String {
    if let Some((_, _, remedy)) = elsewhere(name, known) {
        return (*remedy).to_owned();
    }
    if let Some(nearest) = nearest(name, known.iter().copied()) {
        return format!("did you mean `{nearest}`?");
    }
    let mut listed = known.to_vec();
    // A list without `count` has the last one twice.
    listed.dedup();
    format!("it has `{}`", listed.join("`, `"))
}

fn decode(text: &str) -> Result<Cow<'_, str>, ApiError> {
    form_decoded(text).map_err(|undecodable| {
        malformed(match undecodable {
            Undecodable::Escape(rest) => format!(
                "`%` in `{}` is not followed by two hexadecimal digits; write a percent sign as `%25`",
                truncate_for_display(rest)
            ),
            Undecodable::NotUtf8 => format!("`{}` is not UTF-8 when decoded", truncate_for_display(text)),
        })
    })
}

/// The reason why a text is not decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undecodable<'text> {
    /// The rest of the text from a `%` that starts no escape.
    Escape(&'text str),
    /// The decoded bytes are not UTF-8.
    NotUtf8,
}

/// Decodes a text of a form or a query string (`application/x-www-form-urlencoded`).
///
/// # Errors
///
/// An escape is broken, or the text is not UTF-8.
pub fn form_decoded(text: &str) -> Result<Cow<'_, str>, Undecodable<'_>> {
    // Most values need no decoding, and are borrowed.
    if !text.contains(['%', '+']) {
        return Ok(Cow::Borrowed(text));
    }
    // The decoder below would leave a broken escape as it is.
    if let Some(broken) = broken_escape(text) {
        return Err(Undecodable::Escape(broken));
    }
    // Replaced before the escapes are decoded: `%2B` is a plus, not a space.
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8();
    let decoded = decoded.map_err(|_| Undecodable::NotUtf8)?;
    Ok(Cow::Owned(decoded.into_owned()))
}

/// The rest of the text from a `%` that starts no escape.
fn broken_escape(text: &str) -> Option<&str> {
    text.match_indices('%').find_map(|(position, _)| {
        let rest = text.get(position..)?;
        let mut digits = rest.bytes().skip(1).take(2);
        let whole = digits.len() == 2 && digits.all(|byte| byte.is_ascii_hexdigit());
        (!whole).then_some(rest)
    })
}

fn malformed(description: String) -> ApiError {
    ApiError::new(ErrorCode::MalformedQuery, description)
}

/// The parameters of a request for a list, and its format; decoded but not yet parsed.
pub(crate) fn list_parameters(
    query: Option<&str>,
    unknown: UnknownParameters,
    may_be_uncounted: bool,
    view: View<'_>,
) -> Result<(ListParameters, Option<String>), ApiError> {
    // A name that is known already finds the first of its places, so that the last one stays empty.
    let count = if may_be_uncounted { "count" } else { "cursor" };
    let known = [
        "offset", "limit", "order", "filter", "fields", "format", "cursor", count,
    ];
    let [offset, limit, order, filter, fields, format, cursor, count] =
        parse(query, known, unknown, Some(view))?;
    let parameters = ListParameters {
        offset,
        limit,
        order,
        filter,
        fields,
        cursor,
        count,
    };
    Ok((parameters, format))
}

/// The only parameter of a request for one item, decoded but not yet parsed.
pub(crate) fn fields(
    query: Option<&str>,
    unknown: UnknownParameters,
) -> Result<Option<String>, ApiError> {
    parse(query, ["fields"], unknown, None).map(|[fields]| fields)
}

#[cfg(test)]
mod tests {
    use super::{UnknownParameters, parse};

    fn values(query: &str) -> Result<[Option<String>; 2], String> {
        parse(
            Some(query),
            ["offset", "limit"],
            UnknownParameters::Refused,
            None,
        )
        .map_err(|error| error.description().to_owned())
    }

    #[test]
    fn values_are_decoded_and_plus_is_a_space() {
        let expected = [None, Some(String::from("a b+ä"))];
        assert_eq!(values("limit=a+b%2B%C3%a4").unwrap(), expected);
        assert_eq!(values("lim%69t=&&").unwrap(), [None, Some(String::new())]);
        assert_eq!(values("limit").unwrap(), [None, Some(String::new())]);
    }

    #[test]
    fn mistakes_are_named() {
        for (query, message) in [
            ("limit=1&limit=1", "the parameter `limit` is given twice"),
            (
                "limits=1",
                "this operation has no parameter `limits`; did you mean `limit`?",
            ),
            (
                "x=1",
                "this operation has no parameter `x`; it has `offset`, `limit`",
            ),
            (
                "sort=x",
                "this operation has no parameter `sort`; it has `offset`, `limit`",
            ),
            ("limit=%ff", "`%ff` is not UTF-8 when decoded"),
            (
                "limit=5%",
                "`%` in `%` is not followed by two hexadecimal digits; \
                 write a percent sign as `%25`",
            ),
        ] {
            assert_eq!(values(query).unwrap_err(), message, "{query}");
        }
    }

    #[test]
    fn unknown_parameters_may_be_ignored() {
        let values = parse(Some("x=1"), ["limit"], UnknownParameters::Ignored, None);
        assert_eq!(values, Ok([None]));
    }
}
