use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use resource_runtime::seam::form_decoded;

/// What the encoding of forms leaves as it is.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'*');

/// The parameters of a request, as a query or a body holds them.
#[derive(Default)]
pub(super) struct Form {
    values: BTreeMap<String, Parameter>,
}

enum Parameter {
    Once(String),
    Repeated,
    Illegible,
}

/// Why a parameter cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Misfit;

impl Form {
    pub(super) fn parse(text: &str) -> Self {
        let mut form = Self::default();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if let Some(name) = decode(name) {
                form.add(name, value);
            }
        }
        form
    }

    fn add(&mut self, name: String, value: &str) {
        let parameter = match decode(value) {
            _ if self.values.contains_key(&name) => Parameter::Repeated,
            Some(value) => Parameter::Once(value),
            None => Parameter::Illegible,
        };
        self.values.insert(name, parameter);
    }

    /// The value of a parameter; an empty one is as if absent (RFC 6749, section 3.1).
    pub(super) fn get(&self, name: &str) -> Result<Option<&str>, Misfit> {
        match self.values.get(name) {
            None => Ok(None),
            Some(Parameter::Once(value)) => Ok(Some(value.as_str()).filter(|it| !it.is_empty())),
            Some(Parameter::Repeated | Parameter::Illegible) => Err(Misfit),
        }
    }

    /// Whether there is a parameter of this name, with whatever value.
    pub(super) fn names(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Whether each parameter is there once and legible.
    pub(super) fn check(&self) -> Result<(), Misfit> {
        let all_fit = self.values.keys().all(|name| self.get(name).is_ok());
        all_fit.then_some(()).ok_or(Misfit)
    }
}

/// The text behind the encoding of forms; `None` where it is none, or holds what no parameter of
/// ours may hold and no database of ours could.
pub(super) fn decode(text: &str) -> Option<String> {
    let decoded = form_decoded(text).ok()?;
    let legible = !decoded.chars().any(char::is_control);
    legible.then(|| decoded.into_owned())
}

/// `address` with these parameters behind those that it has.
pub(super) fn with_parameters(address: &str, parameters: &[(&str, &str)]) -> String {
    let mut address = address.to_owned();
    for (name, value) in parameters {
        let separator = if address.contains('?') { '&' } else { '?' };
        address.push(separator);
        address.push_str(name);
        address.push('=');
        address.extend(utf8_percent_encode(value, PLAIN));
    }
    address
}

#[cfg(test)]
mod tests {
    use super::{Form, Misfit, with_parameters};

    #[test]
    fn values_are_decoded_and_empty_ones_are_absent() {
        let form = Form::parse("a=b+c%2Bd&&empty=&bare&%61%62=x");
        assert_eq!(form.get("a"), Ok(Some("b c+d")));
        assert_eq!(form.get("ab"), Ok(Some("x")));
        for absent in ["empty", "bare", "none"] {
            assert_eq!(form.get(absent), Ok(None), "{absent}");
        }
        assert_eq!(form.check(), Ok(()));
    }

    #[test]
    fn what_is_repeated_or_illegible_is_refused() {
        for text in [
            "a=1&a=1",
            "a=&a=",
            "a=1&%61=2",
            "a=%ff",
            "a=5%",
            "a=%00",
            "a=x%0a",
            "a=1&a=2&a=3",
        ] {
            let form = Form::parse(text);
            assert_eq!(form.get("a"), Err(Misfit), "{text}");
            assert_eq!(form.check(), Err(Misfit), "{text}");
        }
    }

    #[test]
    fn parameters_stand_behind_those_of_the_address() {
        let parameters = [("code", "a b"), ("state", "ü&=/")];
        assert_eq!(
            with_parameters("https://h/cb", &parameters),
            "https://h/cb?code=a%20b&state=%C3%BC%26%3D%2F"
        );
        assert_eq!(
            with_parameters("app:/cb?a=b", &[("c", "d")]),
            "app:/cb?a=b&c=d"
        );
    }
}
