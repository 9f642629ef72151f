//! The form here of what clients write who know other APIs, for the errors that tell them.

use super::functions::Function;
use super::{QueryLimits, filter};
use crate::authorization::View;
use crate::error::nearest;
use crate::schema::Attribute;

/// The length of the longest filter that an error suggests.
const LONGEST_SUGGESTED: usize = 128;

/// The levels and the members of a combination that an error suggests.
const MOST_COMBINED: usize = 8;

/// The filter that a client means who sends an attribute as a parameter, where the caller may filter by it. The value may
/// begin with an operator of PostgREST, as in `gte.5`, or the name end with a lookup of Django, as in `price__gte`; both may
/// name an attribute of a subresource or of a collection, as in `author.name` and `author__name`, and `or` and `and` hold
/// several. A value that does not suit the attribute is left out. `None` where nothing here is like it.
pub fn filter_of_parameter(view: View<'_>, name: &str, value: &str) -> Option<String> {
    match value.strip_prefix('(') {
        Some(members) if is_combining(name) => {
            let filter = combined(view, name, members, 1)?;
            (filter.len() <= MOST_COMBINED * LONGEST_SUGGESTED).then_some(filter)
        }
        _ => test(view, name, value),
    }
}

/// The filters that a client means by attributes among its parameters, in one call where there are several.
pub fn filter_of_parameters<'pairs>(
    view: View<'_>,
    pairs: impl Iterator<Item = (&'pairs str, &'pairs str)>,
) -> Option<String> {
    let filters = pairs.filter_map(|(name, value)| filter_of_parameter(view, name, value));
    let filters: Vec<_> = filters.take(MOST_COMBINED).collect();
    match filters.as_slice() {
        [] => None,
        [only] => Some(only.clone()),
        several => Some(format!("and({})", several.join(","))),
    }
}

/// The filter that a client means by a comparison with a sign or a word between: `year >= 1815`, `year ge 1815` or
/// `year.gte.1815`.
pub(super) fn filter_of_comparison(view: View<'_>, text: &str) -> Option<String> {
    if let Some((name, rest)) = text.split_once('.')
        && name.chars().all(is_of_name)
        && rest
            .split('.')
            .next()
            .is_some_and(|it| function_of(it).is_some())
    {
        return test(view, name, rest);
    }
    let end = text.find(|it| !is_of_name(it) && it != '.')?;
    let (name, rest) = text.split_at_checked(end)?;
    let rest = rest.trim_start();
    let mut signs = SIGNS.into_iter();
    let found = signs.find_map(|(sign, function)| Some((function, rest.strip_prefix(sign)?)));
    let (function, value) = found?;
    let value = value.trim().trim_matches(['"', '\'']);
    // Several comparisons would need `and` or `or` around them.
    let words = [" and ", " or ", " AND ", " OR "];
    if value.contains(['(', ')', '&', '|', ',', ';', '"', '\''])
        || words.iter().any(|it| value.contains(it))
    {
        return None;
    }
    match function {
        "eq" => test(view, name, value),
        function => test(view, &format!("{name}[{function}]"), value),
    }
}

/// The signs and words of comparisons, those that begin like others first.
const SIGNS: [(&str, &str); 14] = [
    (">=", "ge"),
    ("<=", "le"),
    ("!=", "ne"),
    ("<>", "ne"),
    ("==", "eq"),
    (">", "gt"),
    ("<", "lt"),
    ("=", "eq"),
    ("ge ", "ge"),
    ("gt ", "gt"),
    ("le ", "le"),
    ("lt ", "lt"),
    ("ne ", "ne"),
    ("eq ", "eq"),
];

/// The list of fields that a client means by another parameter that names what to show, beside the key where that adds to
/// the rest.
pub fn fields_of_parameter(view: View<'_>, name: &str, value: &str) -> Option<String> {
    let fields = match (name, view.definition().key_attributes().next()) {
        ("include" | "expand" | "embed", Some(key)) => format!("{},{value}", key.name()),
        _ => value.to_owned(),
    };
    let is_known = super::fields(view, Some(&fields), QueryLimits::new()).is_ok();
    (is_known && !value.is_empty() && fields.len() <= LONGEST_SUGGESTED).then_some(fields)
}

/// The order that a client means by `-year,title`, where the caller may order by it.
pub fn order_of_parameter(view: View<'_>, value: &str) -> Option<String> {
    let order = criteria(value)?;
    let path = order.replace("__", ".");
    let mut orders = [order, path].into_iter();
    orders.find(|it| super::order(view, Some(it), QueryLimits::new()).is_ok())
}

/// The attribute of which a name is a slip, where the caller may filter by it. What has a sign or a word more is no slip: it
/// may ask for the opposite.
pub fn attribute_near(view: View<'_>, name: &str) -> Option<&'static str> {
    let near = nearest(name, view.queryable_attributes().map(Attribute::name))?;
    (name.chars().all(is_of_name) && near.len().abs_diff(name.len()) <= 1).then_some(near)
}

/// Tests whether a character may stand in a name of the query language.
pub(super) const fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

fn is_combining(name: &str) -> bool {
    matches!(name, "and" | "or" | "not.and" | "not.or")
}

/// The call of `or`, `and` or their negation with these members, whose first parenthesis is read.
fn combined(view: View<'_>, name: &str, members: &str, level: usize) -> Option<String> {
    let members = members_of(members.strip_suffix(')')?);
    if level > MOST_COMBINED || !(2..=MOST_COMBINED).contains(&members.len()) {
        return None;
    }
    let calls = members.into_iter().map(|member| {
        if let Some((name, members)) = member.split_once('(')
            && is_combining(name)
        {
            return combined(view, name, members, level + 1);
        }
        let (name, value) = member.split_once('.')?;
        test(view, name, value)
    });
    let calls = calls.collect::<Option<Vec<_>>>()?.join(",");
    Some(match name.strip_prefix("not.") {
        Some(function) => format!("not({function}({calls}))"),
        None => format!("{name}({calls})"),
    })
}

/// The members between commas that stand in no parentheses and no quotes.
fn members_of(text: &str) -> Vec<&str> {
    let (mut depth, mut is_quoted) = (0_usize, false);
    let members = text.split(|it| {
        match it {
            '"' => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        it == ',' && depth == 0 && !is_quoted
    });
    members.map(str::trim).collect()
}

/// The name of a parameter, and the operator that other languages write behind it: `year[gte]=1815`, `year>=1815`.
fn name_and_operator(name: &str) -> (&str, Option<&str>) {
    if let Some((name, operator)) = name.split_once('[') {
        return (name, operator.strip_suffix(']'));
    }
    // The equals sign is that between the name of a parameter and its value.
    let mut marks = [("!", "ne"), (">", "ge"), ("<", "le")].into_iter();
    let found = marks.find_map(|(mark, operator)| Some((name.strip_suffix(mark)?, Some(operator))));
    found.unwrap_or((name, None))
}

/// The test of one attribute.
fn test(view: View<'_>, name: &str, value: &str) -> Option<String> {
    let (name, operator) = name_and_operator(name);
    let parts: Vec<&str> = match name.split_once('.') {
        Some((first, second)) => vec![first, second],
        None => name.splitn(4, "__").collect(),
    };
    let (place, lookup) = match *parts.as_slice() {
        [one] => (own(view, one).or_else(|| key_of(view, one))?, None),
        [one, two] => match own(view, one) {
            Some(place) => (place, Some(two)),
            None => (related(view, one, two)?, None),
        },
        [one, two, lookup] => (related(view, one, two)?, Some(lookup)),
        _ => return None,
    };
    let lookup = lookup.or(operator);
    if lookup == Some("range") {
        let (least, greatest) = value.split_once(',')?;
        let bounds = [("ge", least), ("le", greatest)];
        let bounds = bounds.map(|(function, bound)| called(view, &place, function, bound));
        return Some(format!("and({})", bounds.join(",")));
    }
    let (is_negated, value) = match value.strip_prefix("not.") {
        Some(rest) if lookup.is_none() => (true, rest),
        _ => (false, value),
    };
    let (function, operand) = match lookup {
        Some(lookup) => of_lookup(lookup, value)?,
        None => of_operator(value)?,
    };
    let call = called(view, &place, function, &operand);
    Some(if is_negated {
        format!("not({call})")
    } else {
        call
    })
}

/// The call of a function with the operand as a number or as a text, whichever suits the attribute.
fn called(view: View<'_>, place: &Place, function: &str, operand: &str) -> String {
    let call = |operand: &str| place(&format!("{function}({{}},{operand})"));
    let mut written = candidates(function, operand)
        .into_iter()
        .map(|it| call(&it));
    let suited = written.find(|it| it.len() <= LONGEST_SUGGESTED && is_filter(view, it));
    suited.unwrap_or_else(|| call("…"))
}

/// The call of a function on a place, in which `{}` stands for the attribute.
type Place = Box<dyn Fn(&str) -> String>;

/// An attribute of the resource itself.
fn own(view: View<'_>, name: &str) -> Option<Place> {
    let name = name.to_owned();
    let place = move |call: &str| call.replacen("{}", &name, 1);
    is_filter(view, &place("eq({},null)")).then(|| Box::new(place) as Place)
}

/// The attribute that refers to the item of a subresource.
fn key_of(view: View<'_>, name: &str) -> Option<Place> {
    let (_, found) = view.definition().find_subresource(name)?;
    match *found.keys() {
        [key] => own(view, key),
        _ => None,
    }
}

/// An attribute of a subresource, or of the items of a collection.
fn related(view: View<'_>, first: &str, second: &str) -> Option<Place> {
    let path = format!("{first}.{second}");
    let (first, second) = (first.to_owned(), second.to_owned());
    own(view, &path).or_else(|| {
        let place = move |call: &str| format!("has({first},{})", call.replacen("{}", &second, 1));
        is_filter(view, &place("eq({},null)")).then(|| Box::new(place) as Place)
    })
}

fn is_filter(view: View<'_>, text: &str) -> bool {
    filter(view, Some(text), QueryLimits::new()).is_ok()
}

/// The function of a lookup of Django, and its operand.
fn of_lookup(lookup: &str, value: &str) -> Option<(&'static str, String)> {
    Some(match lookup {
        "isnull" if ["0", "false", "False"].contains(&value) => ("ne", String::from("null")),
        "isnull" => ("eq", String::from("null")),
        // A pattern in which every character matches itself.
        "iexact" => ("ilike", value.replace('\\', r"\\").replace('%', r"\%")),
        lookup => (function_of(lookup)?, value.to_owned()),
    })
}

/// The function of an operator of PostgREST, and its operand; a value without one is compared.
fn of_operator(value: &str) -> Option<(&'static str, String)> {
    let (operator, operand) = value.split_once('.').unwrap_or(("", value));
    Some(match (operator, operand) {
        ("is", "not_null") => ("ne", String::from("null")),
        ("fts" | "plfts" | "phfts" | "wfts", _) => ("icontains", operand.to_owned()),
        // Arrays and ranges, which no attribute holds, and regular expressions.
        ("cs" | "cd" | "ov", _) if operand.starts_with(['{', '[', '(']) => return None,
        ("match" | "imatch", _) if operand.contains(REGULAR) => return None,
        // What stands for one character there matches itself here; a wider pattern finds all that was meant.
        ("like" | "ilike", _) => (function_of(operator)?, operand.replace(['*', '_'], "%")),
        _ => match function_of(operator) {
            Some(function) => (function, operand.to_owned()),
            None => ("eq", value.to_owned()),
        },
    })
}

/// The characters by which a regular expression is told from a text.
const REGULAR: [char; 10] = ['^', '$', '*', '+', '?', '|', '(', ')', '[', ']'];

/// The operand as a number and as a text, of which one suits the attribute.
fn candidates(function: &str, operand: &str) -> [String; 3] {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    if function != "in" {
        let word = word_of(operand).unwrap_or(operand);
        return [operand.to_owned(), word.to_owned(), quoted(operand)];
    }
    let members = operand.trim_matches(['(', ')']);
    let texts: Vec<_> = members
        .split(',')
        .map(|it| quoted(it.trim_matches('"')))
        .collect();
    let numbers = format!("[{members}]");
    [numbers.clone(), numbers, format!("[{}]", texts.join(","))]
}

/// The word here of one that other languages write otherwise.
pub(super) fn word_of(text: &str) -> Option<&'static str> {
    Some(match text {
        "True" | "TRUE" => "true",
        "False" | "FALSE" => "false",
        "None" | "NULL" | "nil" | "undefined" => "null",
        _ => return None,
    })
}

/// The function of an operator that has another name elsewhere, or the same.
fn function_of(operator: &str) -> Option<&'static str> {
    let name = renamed(operator).unwrap_or(operator);
    Function::of_name(name).map(|function| function.name)
}

/// The function here of an operator that has another name elsewhere.
fn renamed(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "gte" => "ge",
        "lte" => "le",
        "neq" => "ne",
        "exact" | "is" | "equals" => "eq",
        _ => return None,
    })
}

/// The remedy for a function that other languages have.
pub(super) fn instead_of_function(name: &str) -> Option<String> {
    let call = match name {
        "isnull" | "is_null" => "eq(attribute,null)",
        "isnotnull" | "is_not_null" | "notnull" => "ne(attribute,null)",
        "between" | "range" => "and(ge(attribute,1),le(attribute,9))",
        "exists" | "any" | "some" => "has(collection,eq(attribute,1))",
        _ => return renamed(name).map(|it| format!("; did you mean `{it}`?")),
    };
    Some(format!("; write `{call}`"))
}

/// The path that a name of Django stands for: `author__name` is `author.name`, where the caller may use it.
pub(super) fn path_of_name<'name>(view: View<'_>, name: &'name str) -> Option<[&'name str; 2]> {
    let (first, second) = name.split_once("__")?;
    let (_, found) = view.definition().find_subresource(first)?;
    let mut attributes = view.of(found.target()).queryable_attributes();
    let is_known = attributes.any(|it| it.name() == second);
    is_known.then_some([first, second])
}

/// The criteria of an order as other languages write them, in the form here.
pub(super) fn criteria(rest: &str) -> Option<String> {
    // Within a list of fields, other options stand behind the order.
    let order = rest.split(';').next()?;
    if order.len() > LONGEST_SUGGESTED {
        return None;
    }
    let written = order.split(',').map(|it| match it.trim() {
        known if known.starts_with("asc(") || known.starts_with("desc(") => Some(known.to_owned()),
        other => criterion(other.trim_end_matches(')')),
    });
    Some(written.collect::<Option<Vec<_>>>()?.join(","))
}

/// A criterion of an order as other languages write it, in the form here: `name`, `-name`, `name desc`, `name.desc`,
/// `name:desc` or `name.desc.nullslast`.
fn criterion(written: &str) -> Option<String> {
    let mut nulls = [".nullsfirst", ".nullslast"].into_iter();
    let written = nulls
        .find_map(|it| written.strip_suffix(it))
        .unwrap_or(written);
    let before = written.strip_prefix('-').map(|path| (path, "desc"));
    let behind = written.rsplit_once([' ', '.', ':']);
    let behind = behind.and_then(|(path, word)| {
        let mut directions = ["asc", "desc"].into_iter();
        let direction = directions.find(|it| word.eq_ignore_ascii_case(it))?;
        Some((path.trim(), direction))
    });
    let (path, direction) = before.or(behind).unwrap_or((written, "asc"));
    let is_path = path.starts_with(|it: char| it.is_ascii_alphabetic())
        && path.chars().all(|it| is_of_name(it) || it == '.');
    (is_path && path.len() <= LONGEST_SUGGESTED).then(|| format!("{direction}({path})"))
}
