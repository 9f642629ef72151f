//! The form here of what clients write who know other APIs, for the errors that tell them.

use super::functions::Function;
use super::{QueryLimits, filter};
use crate::authorization::View;
use crate::schema::Attribute;

/// The length of the longest part of a filter that an error suggests.
const LONGEST_SUGGESTED: usize = 128;

/// The length of the longest parameter that is looked at.
const LONGEST_READ: usize = 1024;

/// The levels and the members of a combination that an error suggests.
const MOST_COMBINED: usize = 8;

/// The filter that a client means who sends an attribute as a parameter, where the caller may filter by it. The value may
/// begin with an operator of PostgREST, as in `gte.5`, or the name end with a lookup of Django, as in `price__gte`; both may
/// name an attribute of a subresource or of a collection, as in `author.name` and `author__name`, and `or` and `and` hold
/// several. A value that does not suit the attribute is left out. `None` where nothing here is like it, as a suggestion must
/// not mean something else.
pub fn filter_of_parameter(view: View<'_>, name: &str, value: &str) -> Option<String> {
    let is_long = name.len() + value.len() > LONGEST_READ;
    if is_long || name.chars().chain(value.chars()).any(char::is_control) {
        return None;
    }
    match value.strip_prefix('(') {
        Some(members) if is_combining(name) => {
            let filter = combined(view, name, members, 1)?;
            is_sound(view, &filter).then_some(filter)
        }
        _ => test(view, name, value),
    }
}

/// The filter that a client means by all of these parameters, among which a `filter` may be.
pub fn filter_of_parameters<'pairs>(
    view: View<'_>,
    pairs: impl Iterator<Item = (&'pairs str, &'pairs str)>,
) -> Option<String> {
    let filters = pairs
        .take(MOST_COMBINED + 1)
        .map(|(name, value)| match name {
            "filter" => is_filter(view, value).then(|| value.to_owned()),
            _ => filter_of_parameter(view, name, value),
        });
    let filters = filters.collect::<Option<Vec<_>>>()?;
    let filter = match filters.as_slice() {
        [only] => only.clone(),
        several => format!("and({})", several.join(",")),
    };
    (filters.len() <= MOST_COMBINED && is_sound(view, &filter)).then_some(filter)
}

/// Tests whether a filter of several parts is one that is taken, but for values that do not suit.
fn is_sound(view: View<'_>, filter: &str) -> bool {
    let is_short = filter.len() <= LONGEST_READ;
    is_short && (filter.contains('…') || is_filter(view, filter))
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
        let is_list = rest.starts_with("in.(");
        return (is_list || is_single(rest)).then(|| filter_of_parameter(view, name, rest))?;
    }
    let end = text.find(|it| !is_of_name(it) && it != '.')?;
    let (name, rest) = text.split_at_checked(end)?;
    let rest = rest.trim_start();
    let mut signs = SIGNS.into_iter();
    let found = signs.find_map(|(sign, function)| Some((function, rest.strip_prefix(sign)?)));
    let (function, value) = found?;
    let value = value.trim().trim_matches(['"', '\'']);
    if !is_single(value) {
        return None;
    }
    let filter = filter_of_parameter(view, &format!("{name}[{function}]"), value);
    // A lookup in the name has its operator.
    filter.or_else(|| {
        let has_lookup = function == "eq" && name.contains("__");
        has_lookup.then(|| filter_of_parameter(view, name, value))?
    })
}

/// Tests whether a text is a value alone: several comparisons would need `and` or `or` around them.
fn is_single(value: &str) -> bool {
    let signs = ['(', ')', '&', '|', ',', ';', '"', '\'', '=', '<', '>', '~'];
    let words = [" and ", " or ", " AND ", " OR "];
    !value.contains(signs) && !words.iter().any(|it| value.contains(it))
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

/// The list of fields that a client means by another parameter that names what to show, beside all attributes where that
/// adds to them.
pub fn fields_of_parameter(view: View<'_>, name: &str, value: &str) -> Option<String> {
    let attributes = view.readable_attributes().map(Attribute::name);
    let mut fields: Vec<&str> = match name {
        "include" | "expand" | "embed" => attributes.collect(),
        _ => Vec::new(),
    };
    fields.push(value);
    let fields = fields.join(",");
    let is_known = super::fields(view, Some(&fields), QueryLimits::new()).is_ok();
    (is_known && !value.is_empty() && fields.len() <= LONGEST_SUGGESTED).then_some(fields)
}

/// The order that a client means by `-year,title`, where the caller may order by it.
pub fn order_of_parameter(view: View<'_>, value: &str) -> Option<String> {
    let order = criteria(value).filter(|_| !value.contains([';', '(']))?;
    let path = order.replace("__", ".");
    let mut orders = [order, path].into_iter();
    orders.find(|it| super::order(view, Some(it), QueryLimits::new()).is_ok())
}

/// The attribute of which a name is a slip of one letter, where the caller may filter by it. What has a sign or a word more is
/// no slip: it may ask for the opposite.
pub fn attribute_near(view: View<'_>, name: &str) -> Option<&'static str> {
    let mut names = view.queryable_attributes().map(Attribute::name);
    let is_name = name.len() <= LONGEST_SUGGESTED && name.chars().all(is_of_name);
    is_name.then(|| names.find(|it| strsim::osa_distance(it, name) == 1))?
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
    if let Some((name, operator)) = name.split_once('[')
        && let Some(operator) = operator.strip_suffix(']')
    {
        return (name, Some(operator));
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
        [one] => (own(view, one).or_else(|| key_of(view, one, value))?, None),
        [one, two] => match own(view, one) {
            Some(place) => (place, Some(two)),
            None => (related(view, one, two)?, None),
        },
        [one, two, lookup] => (related(view, one, two)?, Some(lookup)),
        _ => return None,
    };
    // Of two, one would be ignored.
    if lookup.is_some() && operator.is_some() {
        return None;
    }
    let lookup = lookup.or(operator);
    if lookup == Some("range") {
        let (least, greatest) = value.split_once(',')?;
        let bounds = [("ge", least), ("le", greatest)];
        let bounds = bounds.map(|(function, bound)| called(view, &place, function, bound));
        // Of a collection, one item has to be within both.
        let is_own = bounds.iter().all(|it| !it.starts_with("has("));
        return is_own.then(|| format!("and({})", bounds.join(",")));
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

/// The attribute that refers to the item of a subresource, for a value that names no attribute of that.
fn key_of(view: View<'_>, name: &str, value: &str) -> Option<Place> {
    let (_, found) = view.definition().find_subresource(name)?;
    let operator = value.split_once('.').map(|(operator, _)| operator);
    match *found.keys() {
        [key] if operator.is_none_or(|it| function_of(it).is_some()) => own(view, key),
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
        "isnull" => match &*value.to_lowercase() {
            "1" | "true" => ("eq", String::from("null")),
            "0" | "false" => ("ne", String::from("null")),
            _ => return None,
        },
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
        // Arrays, ranges, regular expressions and lists of operands have no function here.
        ("cs" | "cd" | "ov" | "match" | "imatch" | "isdistinct", _) => return None,
        _ if operator.contains('(') => return None,
        // An underscore stands for one character there, and for itself here.
        ("like" | "ilike", _) if operand.contains('_') => return None,
        ("like" | "ilike", _) => (function_of(operator)?, operand.replace('*', "%")),
        _ => match function_of(operator) {
            Some(function) => (function, operand.to_owned()),
            None => ("eq", value.to_owned()),
        },
    })
}

/// The operand as it is, as a text, and as another word for it, of which one suits the attribute.
fn candidates(function: &str, operand: &str) -> Vec<String> {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    if function != "in" {
        let word = word_of(operand).map(str::to_owned);
        return [operand.to_owned(), quoted(operand)]
            .into_iter()
            .chain(word)
            .collect();
    }
    let members = operand
        .strip_prefix('(')
        .and_then(|it| it.strip_suffix(')'));
    let members = members.unwrap_or(operand);
    let texts = members_of(members).into_iter();
    let texts: Vec<_> = texts.map(|it| quoted(it.trim_matches('"'))).collect();
    vec![format!("[{members}]"), format!("[{}]", texts.join(","))]
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
    // Within a list of fields, other options or a parenthesis stand behind the order.
    let mut depth = 0_usize;
    let mut is_behind = |it: char| {
        let is_end = it == ';' || it == ')' && depth == 0;
        match it {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_end
    };
    let order = rest.split(&mut is_behind).next()?;
    if order.len() > LONGEST_SUGGESTED {
        return None;
    }
    let written = order.split(',').map(|it| match it.trim() {
        known if known.starts_with("asc(") || known.starts_with("desc(") => Some(known.to_owned()),
        other => criterion(other),
    });
    Some(written.collect::<Option<Vec<_>>>()?.join(","))
}

/// A criterion of an order as other languages write it, in the form here: `name`, `-name`, `name desc`, `name.desc`,
/// `name:desc` or `name.desc.nullslast`.
fn criterion(written: &str) -> Option<String> {
    // Null is the smallest value here, so the first one of an ascending order.
    let is_descending = |it: &&str| it.strip_suffix(".desc").is_some();
    let last = written.strip_suffix(".nullslast").filter(is_descending);
    let first = written.strip_suffix(".nullsfirst");
    let first = first.filter(|it| !is_descending(it));
    let written = last.or(first).unwrap_or(written);
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
